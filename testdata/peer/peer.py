#!/usr/bin/env python3
"""Holds pprof --text against google-pprof --text on fresh snapshots of a program that runs under libtcmalloc, and
against jeprof --text on those of one under libjemalloc.

peer.py PPROF WORKDIR [--cc g++|clang++]

Builds peer.cc, libpeer.cc, cpart.c and unnamed.c in WORKDIR (-O1 and -O2, with PIE and without), runs the program
with HEAPPROFILE set and compares every table row by row: name, flat, cum, and the Total line. Likewise spin.cc with
CPUPROFILE set, whose samples pprof --top shows as time; and what google-pprof --raw makes of either. Exit 1 if any
differ, 77 where something to compare with is missing (1 as well if CI=true). What may differ is in DIFFERENCES, and only that.
"""

import argparse
import concurrent.futures
import ctypes.util
import glob
import os
import re
import shutil
import struct
import subprocess
import sys

SOURCE = os.path.dirname(os.path.abspath(__file__))

# Each difference that is allowed, and why. A row that one of them changed is counted under its name; the counts are
# printed at the end, and a difference that no row used any more fails the test, so that the table stays true.
DIFFERENCES = {
    # What google-pprof is given, so that it answers the same question.
    'leaf minus one':
        'All addresses of a heap stack are return addresses, the leaf too; google-pprof takes the leaf as it is and '
        'names the next line or function. It reads snapshots whose leaves are one less.',
    'inlined names':
        "GNU addr2line 2.40 gives an inlined function without a linkage name the name of the symbol around it, the "
        'first time it is asked. google-pprof gets an addr2line (--tools) that asks twice and takes the second.',
    'inlined in libraries':
        'google-pprof looks for inlined functions only in an object with a symbol _fini, whose answer is its mark '
        'between the answers. It gets an nm that adds one where there is none (stripped libraries, libc) and an '
        'addr2line that knows it.',
    'allocator inlined':
        "std::__new_allocator::allocate is libstdc++'s name since GCC 12 for a function of the allocator. pprof's list "
        "has it, google/pprof's under its old name, google-pprof's not. The same addr2line leaves it out, or calls it "
        'malloc where it is not inlined.',
    'between symbols':
        'Now and then a CPU sample falls into a PLT, the loader or a stripped library. google-pprof names the nearest '
        'symbol before, pprof none that does not cover it. Samples outside .text of the program and libc are left out.',
    'DWARF 4':
        "GNU addr2line 2.40 loses inlined functions in clang's DWARF 5, whose ranges are DW_FORM_rnglistx: clang "
        'builds with -gdwarf-4.',
    # How its rows are read.
    'inline mark':
        '"f (inline)" is the function f: pprof prints no inline mark, and the copies of f are one row.',
    'symbol address':
        '"f@401126" is the function f: functions of one displayed name are one row.',
    'clone suffix':
        '"f [clone .part.0]" is the function f.',
    'return type':
        '"void f" is f: google-pprof loses the return type of a template only before a "::".',
    'anonymous namespace':
        '"::f" is (anonymous namespace)::f, whose parentheses google-pprof takes for parameters.',
    'lost namespace':
        '"f" is (anonymous namespace)::f where addr2line has no linkage name for a function that others are inlined '
        'into.',
    'call operator':
        '"f::operator" is f::operator(), for the same reason.',
    'lambda':
        '"f::{lambda#1}::operator" is f()::{lambda()#1}::operator(), and "f::$_0::operator", which clang makes, '
        'f()::$_0::operator(): compared without parentheses.',
    'alias':
        "One function of libc has several names, strdup, __strdup and __GI___strdup; which one is printed is a choice. "
        'They are the symbols of one address.',
    'unnamed':
        'An address without a symbol, or for --files without a file, is [base+0xVADDR], so that it is the same in '
        'every run. google-pprof prints "?? ??:0", or the function. Both have one row an address: the numbers are '
        'compared, and that VADDR is one of the snapshot.',
    'no file':
        'google-pprof writes "??:0" where there is no line, pprof nothing.',
    'path':
        'Paths are compared in their shortest form, without "dir/..".',
    'doubled directory':
        "Debian's libc is compiled in a relative directory, ./string, which is directory 0 of its DWARF 5 line table; "
        'GNU addr2line joins it to itself, string/string/strdup.c.',
    'first file':
        "GNU addr2line 2.40 takes file number 1 of a DWARF 5 line table for the unit's own file. In peer's objects it "
        'is; in libc-start.c, which glibc assembles, it is a header.',
    # How jemalloc's dumps are compared (see JE_FUNCTIONS).
    'truncated':
        'jeprof cuts what sampled rows stand for to whole numbers, pprof rounds: they may differ by one.',
    'frames of jemalloc':
        "jemalloc's own frames end each of its stacks. The library has no symbols for them: jeprof shows the nearest "
        'ones, pprof leaves the frames out by their object. The functions of the program are compared by cum.',
    # How numbers are compared.
    'percentages of changes':
        'After a Total with growth and shrinkage in it pprof says what the percentages are of: the sum of |changes|.',
    'merged rows':
        'Where several of its rows are one of ours, flat is their sum and cum lies between the largest and the sum: '
        'a stack that holds two of them counts once.',
    'rounded':
        'MB with one decimal, summed over merged rows: each may be off by half a unit.',
}

# Those that the tools below or the build take care of cannot be counted here; others need GCC's objects.
NOT_COUNTED = ('inlined names', 'inlined in libraries', 'allocator inlined', 'between symbols', 'DWARF 4')
GCC_ONLY = ('clone suffix', 'lost namespace')
LAMBDA = re.compile(r'\{lambda|\$_\d')
USED = dict.fromkeys(DIFFERENCES, 0)

FIRST_FILE = {'sysdeps/x86/libc-start.c': 'sysdeps/nptl/libc_start_call_main.h'}

# The comparisons: name, options of both tools. FIRST is the first snapshot of the run.
MODES = [
    ('default', []),
    ('lines', ['--lines', '--show_bytes']),
    ('inuse_objects', ['--inuse_objects']),
    ('alloc_space', ['--alloc_space', '--show_bytes']),
    ('alloc_objects', ['--alloc_objects']),
    ('show_bytes', ['--show_bytes']),
    ('cum', ['--cum', '--show_bytes']),
    ('files', ['--files', '--show_bytes']),
    ('base', ['--base=FIRST', '--show_bytes']),
    ('focus', ['--focus=containers|inlined|pong', '--show_bytes']),
    ('ignore', ['--ignore=^std::|by_copy', '--show_bytes']),
]
# The first snapshot is also everybody's base; two comparisons of its own are enough.
FIRST_MODES = ('default', 'lines')

# Three more comparisons of each program have no options: a CPU profile, cpu; and what google-pprof --raw makes of it and
# of the last snapshot, raw_cpu and raw_heap.
CPU_PERIOD_US = 1000

# So that the test cannot pass on nothing: rows a comparison must have at least, and rows whose names both tools print
# alike, letter for letter.
LEAST_ROWS = {'files': 5, 'focus': 15, 'cpu': 8, 'raw_cpu': 8}
LEAST_ROWS_ELSE = 25
LEAST_SAME = {'files': 3, 'focus': 8, 'cpu': 4, 'raw_cpu': 4}
LEAST_SAME_ELSE = 15
# Names that must be seen somewhere: one of each kind of stack.
MUST_BE_SEEN = {
    'main', 'round', 'tree', 'ping', 'pong', 'inl_inner', 'inl_middle', 'inl_outer', 'pool::take', 'pool::convert',
    'many', 'big::operator new', '(anonymous namespace)::fresh_slots', '(anonymous namespace)::raw', 'lib::fill',
    'lib::call_back', 'called_back', 'c_table', 'c_row', 'c_inner', 'c_middle', 'c_grow', 'by_copy', 'qsort_r',
    'std::sort', 'std::vector::_M_realloc_insert', '__libc_start_call_main', '_start', 'call_unnamed',
    '(anonymous namespace)::spin', '(anonymous namespace)::worker::operator+=', '(anonymous namespace)::instance',
}

# google-pprof's tools: see the first of the differences. It knows GNU nm by "nm -f" failing, so only listings change.
FINI = 'ffffffffffffff00'
NM = r'''#!/bin/sh
case " $* " in *" -n "*) ;; *) exec nm "$@" ;; esac
nm "$@" | awk '
	{ print }
	/^[0-9a-f]+ / { symbols++ }
	/ _fini$/ { fini++ }
	END { if (symbols && !fini) print "FINI T _fini" }'
'''.replace('FINI', FINI)
# -a marks where an answer begins. Levels come innermost first; a level is a line with the name and one with the place.
ADDR2LINE = r'''#!/bin/sh
case " $* " in *" --help "*) exec addr2line "$@" ;; esac
all=$(mktemp) || exit 1
trap 'rm -f "$all"' EXIT
cat >"$all"
cat "$all" "$all" | addr2line -a "$@" | awk -v asked="$(wc -l <"$all")" '
	function answer(    i) {
		i = 1
		while (i < levels && name[i] ~ allocator) i++
		if (i == levels && name[i] ~ allocator) name[i] = "malloc"
		if (answers > asked) for (; i <= levels; i++) print name[i] "\n" place[i]
		levels = 0
	}
	BEGIN { allocator = "^(std::__new_allocator|__gnu_cxx::new_allocator)<.*>::allocate\\(" }
	/^0x[0-9a-f]+$/ { answer(); answers++; fini = $0 == "0xFINI"; next }
	{ name[++levels] = fini ? "_fini" : $0; getline; place[levels] = $0 }
	END { answer() }'
'''.replace('FINI', FINI)


# The dumps of threads.c: lg_prof_sample, then which comparisons; THREAD is each thread of the dump in turn.
JE_DUMPS = [
    (0, [['--inuse_space'], ['--alloc_objects']]),
    (14, [['--inuse_space'], ['--inuse_objects'], ['--alloc_space'], ['--alloc_objects'], ['--thread=THREAD']]),
    (19, [['--inuse_space']]),
]
JE_FUNCTIONS = {'main', 'work', 'nest', 'take_small', 'take_large'}
JE_LEAST_THREADS = 4


class Missing(Exception):
    """Something that this test needs is not installed."""


# ---------------------------------------------------------------------------------------------------- the program

def need(program, package):
    if not shutil.which(program):
        raise Missing(f'{program} is not installed (package {package})')


def check_installed(cxx):
    need('google-pprof', 'google-perftools')
    need('addr2line', 'binutils')
    need('file', 'file')     # google-pprof asks it whether addresses have 64 bits
    need(cxx, 'g++ or clang')
    need(c_compiler(cxx), 'gcc or clang')
    for library in ('tcmalloc', 'profiler'):
        if not ctypes.util.find_library(library):
            raise Missing(f'lib{library} is not installed (package libgoogle-perftools-dev)')
    test = subprocess.run([cxx, '-x', 'c++', '-', '-o', os.devnull, '-ltcmalloc'], capture_output=True, text=True,
                          input='#include <gperftools/heap-profiler.h>\nint main() { HeapProfilerDump(""); }\n')
    if test.returncode:
        raise Missing(f'{cxx} cannot link with libtcmalloc (package libgoogle-perftools-dev)')
    need('jeprof', 'libjemalloc-dev')
    if not ctypes.util.find_library('jemalloc'):
        raise Missing('libjemalloc is not installed (package libjemalloc-dev)')
    if not os.path.exists(libc_debug_file()):
        raise Missing("libc's debug information is not installed (package libc6-dbg)")


def libc_debug_file():
    with open('/proc/self/maps') as f:
        libc = next((line.split()[-1] for line in f if '/libc.so.6' in line), '')
    notes = subprocess.run(['readelf', '-n', libc], capture_output=True, text=True).stdout
    build_id = re.search('Build ID: (..)(.*)', notes)
    return '/usr/lib/debug/.build-id/%s/%s.debug' % build_id.groups() if build_id else ''


def c_compiler(cxx):
    return {'g++': 'gcc', 'clang++': 'clang'}.get(cxx) or cxx.replace('g++', 'gcc').replace('clang++', 'clang')


def build(cxx, directory, optimize, pie):
    """Builds and runs the program: the path of it and of its snapshots."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    cc = c_compiler(cxx)
    source = [os.path.join(SOURCE, name) for name in ('peer.cc', 'libpeer.cc', 'cpart.c', 'unnamed.c')]
    flags = ['-gdwarf-4' if 'clang' in cxx else '-g', optimize, '-Wall', '-Wextra']
    commands = [
        [cxx, '-std=c++17', *flags, '-fPIC', '-shared', '-o', 'libpeer.so', source[1]],
        [cc, '-std=gnu17', *flags, '-fPIC', '-shared', '-s', '-o', 'libunnamed.so', source[3], '-L.', '-lpeer'],
        [cc, '-std=gnu17', *flags, '-fPIE', '-c', '-o', 'cpart.o', source[2]],
        [cxx, '-std=c++17', *flags, '-fPIE' if pie == '-pie' else '-fno-pie', pie, '-o', 'peer', source[0], 'cpart.o',
         '-L.', '-Wl,-rpath,$ORIGIN', '-Wl,--no-as-needed', '-lpeer', '-lunnamed', '-ltcmalloc'],
    ]
    for command in commands:
        subprocess.run(command, cwd=directory, check=True)
    env = {key: value for key, value in os.environ.items() if not key.startswith('HEAP_PROFILE')}
    env['HEAPPROFILE'] = os.path.join(directory, 'peer')
    program = os.path.join(directory, 'peer')
    run = subprocess.run([program], env=env, stderr=subprocess.PIPE, text=True)
    snapshots = sorted(glob.glob(os.path.join(directory, 'peer.*.heap')))
    if run.returncode or len(snapshots) != 4:
        sys.exit(f'{program}: exit {run.returncode}, {len(snapshots)} snapshots\n{run.stderr}')
    return program, snapshots[:3]       # the fourth, taken at exit, equals the third


def build_spin(cxx, directory, optimize, pie):
    """Builds and runs the program of the CPU comparisons: the path of it and of its profile."""
    program = os.path.join(directory, 'spin')
    profile = program + '.prof'
    subprocess.run([cxx, '-std=c++17', '-gdwarf-4' if 'clang' in cxx else '-g', optimize, '-Wall', '-Wextra',
                    '-fPIE' if pie == '-pie' else '-fno-pie', pie, '-o', program, os.path.join(SOURCE, 'spin.cc'),
                    '-Wl,--no-as-needed', '-lprofiler'], check=True)
    subprocess.run([program], check=True, stderr=subprocess.DEVNULL, env={
        **os.environ, 'CPUPROFILE': profile, 'CPUPROFILE_FREQUENCY': str(1000000 // CPU_PERIOD_US)})
    leave_between_symbols_out(profile, program)
    return program, profile


def leave_between_symbols_out(profile, program):
    with open(profile, 'rb') as f:
        data = f.read()
    records, maps = cpu_records(data)
    texts = [text_in_memory(*row) for row in executable_rows(maps) if row[3] == program or '/libc.so.6' in row[3]]
    if len(texts) != 2:
        raise ValueError(f'{profile}: the program and libc are not each mapped once')
    kept = [r for r in records if any(start <= r[2] < limit for start, limit in texts)]
    words = [word for r in kept for word in r] + [0, 1, 0]
    with open(profile, 'wb') as f:
        f.write(data[:5 * 8] + struct.pack(f'<{len(words)}Q', *words) + maps.encode())


def text_in_memory(start, limit, offset, path):
    """(start, limit) of .text of the file that is mapped there"""
    sections = subprocess.run(['readelf', '-SW', path], capture_output=True, text=True, check=True).stdout
    m = re.search(r' \.text +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ', sections)
    first = start + int(m[1], 16) - offset
    return first, min(first + int(m[2], 16), limit)


def leaf_minus_one(path):
    """A copy of a snapshot, for google-pprof, whose leaf addresses are one less."""
    def less(match):
        USED['leaf minus one'] += 1
        return '] @ 0x%x' % (int(match[1], 16) - 1)

    with open(path) as f:
        text = f.read()
    copy = path.replace('peer.', 'leaf.')
    with open(copy, 'w') as f:
        f.write(re.sub(r'\] @ (0x[0-9a-f]+)', less, text))
    return copy


# ---------------------------------------------------------------------------------------------------- names

def snapshot_addresses(snapshot):
    """The addresses that pprof looks up, and the map"""
    with open(snapshot) as f:
        stacks, _, maps = f.read().partition('MAPPED_LIBRARIES:')
    return {int(word, 16) - 1 for word in re.findall('0x[0-9a-f]+', stacks)}, maps


def cpu_addresses(profile):
    """Likewise of a CPU profile; callers are one less, and since a leaf may be one as well, all addresses both ways"""
    with open(profile, 'rb') as f:
        data = f.read()
    records, maps = cpu_records(data)
    addresses = {address for r in records for address in r[2:]}
    return addresses | {address - 1 for address in addresses}, maps


def cpu_records(data):
    """The records of a CPU profile, each (count, depth, leaf, caller ...), and the map behind them"""
    words = struct.unpack_from(f'<{len(data) // 8}Q', data)
    at, records = 5, []
    while words[at:at + 3] != (0, 1, 0):
        records.append(words[at:at + 2 + words[at + 1]])
        at += 2 + words[at + 1]
    return records, data[(at + 3) * 8:].decode()


def executable_rows(maps):
    """(start, limit, offset, path) of each executable row of a map that is a file's"""
    return [(int(m[1], 16), int(m[2], 16), int(m[3], 16), m[4]) for m in
            re.finditer(r'^([0-9a-f]+)-([0-9a-f]+) ..x. ([0-9a-f]+) \S+ \d+ +(/.*)$', maps, re.M)]


def unnamed_addresses(addresses, maps):
    """[base+0xVADDR] of every address, from the map and the program headers of the files there"""
    rows = executable_rows(maps)
    headers = {path: program_headers(path) for _, _, _, path in rows}
    names = set()
    for address in addresses:
        for start, limit, offset, path in rows:
            if start <= address < limit:
                at = address - start + offset
                vaddr = next((at + bias for first, end, bias in headers[path] if first <= at < end), at)
                names.add('[%s+0x%x]' % (os.path.basename(path), vaddr))
    return names


def unnamed_in_raw(raw):
    """The addresses for which a symbolized file has no name"""
    with open(raw, 'rb') as f:
        return {m[1].decode() for m in re.finditer(rb'^(0x[0-9a-f]{16}) (?:0x[0-9a-f]+|\?\?)$', f.read(), re.M)}


def program_headers(path):
    """(start in file, end in file, what to add for the address) of each PT_LOAD"""
    with open(path, 'rb') as f:
        data = f.read()
    first, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<HH', data, 54)
    headers = [struct.unpack_from('<IIQQQQ', data, first + i * size) for i in range(count)]
    return [(offset, offset + length, vaddr - offset) for kind, _, offset, vaddr, _, length in headers if kind == 1]


def replaced(difference, pattern, by, text):
    text, n = re.subn(pattern, by, text)
    if n:
        USED[difference] += 1
    return text


def aliases():
    """{name: the shortest name of the same address} for libc's functions"""
    text = subprocess.run(['nm', libc_debug_file()], capture_output=True, text=True).stdout
    names, addresses = {}, {}
    for m in re.finditer(r'^([0-9a-f]+) [tTwWi] ([^@\n]+)(?:@.*)?$', text, re.M):
        names.setdefault(m[1], set()).add(m[2])
        addresses.setdefault(m[2], set()).add(m[1])
    return {name: min(same, key=lambda n: (len(n), n)) for address, same in names.items() for name in same
            if len(addresses[name]) == 1}


def without_groups(text):
    while re.search(r'\([^()]*\)( const)?', text):
        text = re.sub(r'\([^()]*\)( const)?', '', text)
    return text


def their_name(name):
    """google-pprof's name as pprof writes it"""
    name = replaced('inline mark', r' \(inline\)$', '', name)
    name = replaced('symbol address', '@[0-9a-f]+$', '', name)
    name = replaced('clone suffix', r' \[clone [^]]*\]', '', name)
    if 'operator ' not in name:
        name = replaced('return type', r'^.* ', '', name)
    if LAMBDA.search(name):
        USED['lambda'] += 1
        return name
    name = replaced('anonymous namespace', '^::|(?<=::)::', '(anonymous namespace)::', name)
    return replaced('call operator', '(^|::)operator$', r'\1operator()', name)


def place(text):
    if text in ('', '??:0', '??'):
        USED['no file'] += 1
        return ''
    short = os.path.normpath(text)
    if short != text:
        USED['path'] += 1
    short = replaced('doubled directory', r'^([^/.]+)/\1/', r'\1/', short)
    for wrong, right in FIRST_FILE.items():
        if re.fullmatch(re.escape(wrong) + r'(:\d+)?', short):
            USED['first file'] += 1
            short = short.replace(wrong, right)
    return short


# ---------------------------------------------------------------------------------------------------- tables

class Table:
    """A printed table: the Total line, and its rows as (name, place, flat, cum)."""

    def __init__(self, text, mode):
        self.total, self.rows = '', []
        for line in text.splitlines():
            if line.startswith('Total: '):
                self.total = line
                continue
            m = re.match(r'\s*(\S+)\s+\S+%\s+\S+%\s+(\S+)\s+\S+%\s(.*)$', line)
            if not m:
                raise ValueError(f'a line that is no row: {line!r}')
            name, where = m[3], ''
            if mode == 'lines':
                split = re.match(r'(.*?) ?((?:(?<= )\S*:\d+)?)\s*$', name)
                name, where = split[1], split[2]
            elif mode == 'files':
                name, where = '', name
            self.rows.append((name, where, float(m[1]), float(m[2])))


class TopTable:
    """A table of pprof --top --unit=ms in the same form, its times as samples."""

    def __init__(self, text):
        def samples(ms):
            return round(float(ms.removesuffix('ms')) * 1000 / CPU_PERIOD_US)
        self.rows = [(m[3].removesuffix(' (inline)'), '', samples(m[1]), samples(m[2])) for m in
                     re.finditer(r'^ *(\S+) +\S+% +\S+% +(\S+) +\S+%  (.*)$', text, re.M)]
        self.total = 'Total: %d samples' % samples(re.search(r' of (\S+) total$', text, re.M)[1])


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    if done.returncode:
        raise ValueError(f'{command[0]}: exit {done.returncode}: {done.stderr.strip()[-300:]}')
    if 'another build' in done.stderr:  # all that is compared here ran just now
        raise ValueError(f'{command[0]}: {done.stderr.strip()[-300:]}')
    return done.stdout


def or_error(comparison, *args):
    """What the comparison returns; or the text of what went wrong."""
    try:
        return comparison(*args)
    except (ValueError, OSError, subprocess.SubprocessError) as e:
        return str(e)


def out_of_order(rows, cum):
    """The first row that stands in the wrong place, if any: value descending, then the text. (Not for rounded MB.)"""
    keys = [(-(r[3] if cum else r[2]), ' '.join(filter(None, r[:2])).encode()) for r in rows]
    for before, after in zip(keys, keys[1:]):
        if before > after:
            return after[1].decode()
    return None


class Names:
    """Names and places of both tools in one form, in which they are compared."""

    def __init__(self, unnamed, alias):
        self.unnamed, self.alias = unnamed, alias

    def theirs(self, name, where):
        return self.shortest(their_name(name)), place(where)

    def ours(self, name, where):
        """pprof's is that form already, but for a lambda's parentheses and what the table of differences leaves open"""
        if LAMBDA.search(name):
            name = without_groups(name)
        return self.shortest(name), os.path.normpath(where) if where else ''

    def shortest(self, name):
        return self.alias.get(name, name)


def take_addresses(mode, table):
    """Takes the rows out that stand for an address without a name (or file): both tools have one for each address."""
    column = 1 if mode == 'files' else 0
    unnamed = re.compile(r'^$|^\?\?|\?\?:0$|^\[.*\+0x[0-9a-f]+\]$|^(0x)?[0-9a-f]{16}$')
    rows = [r for r in table.rows if unnamed.search(r[column])]
    table.rows = [r for r in table.rows if r not in rows]
    return rows


def wrong_numbers(mode, flat, cum, rows):
    """Whether a row of ours is not what these rows of theirs add up to"""
    sums = [sum(r[k] for r in rows) for k in (0, 1)]
    if len(rows) == 1:
        return (flat, cum) != rows[0]
    USED['merged rows'] += 1
    slack = 1e-6
    if mode == 'default':
        USED['rounded'] += (flat, cum) != (round(sums[0], 1), round(sums[1], 1))
        slack += 0.05 * (len(rows) + 1)
    if abs(flat - sums[0]) > slack:
        return True
    if mode == 'base':
        return False    # a sum of growth and shrinkage bounds nothing
    return not max(r[1] for r in rows) - slack <= cum <= sums[1] + slack


def compare(mode, ours, theirs, names):
    """What differs, as lines; and the names that were compared."""
    wrong = []
    ours.total = replaced('percentages of changes', r' \(percentages of .*\)$', '', ours.total)
    if ours.total != theirs.total:
        wrong.append(f'  pprof {ours.total!r}, google-pprof {theirs.total!r}')
    printed = {row[:2] for row in theirs.rows}

    unnamed, their_unnamed = take_addresses(mode, ours), take_addresses(mode, theirs)
    USED['unnamed'] += len(unnamed)
    if sorted(r[2:] for r in unnamed) != sorted(r[2:] for r in their_unnamed):
        wrong.append(f'  without a name: pprof {unnamed}, google-pprof {their_unnamed}')
    for row in unnamed:
        if (row[0] or row[1]) not in names.unnamed:
            wrong.append(f'  not an address of the snapshot: {row}')

    merged = {}
    for name, where, flat, cum in theirs.rows:
        merged.setdefault(names.theirs(name, where), []).append((flat, cum))
    same, seen = 0, set()
    for name, where, flat, cum in ours.rows:
        key = names.ours(name, where)
        seen.add(key[0])
        rows = merged.pop(key, None)
        plain = (key[0].replace('(anonymous namespace)::', ''), key[1])
        if plain != key and plain in merged:
            USED['lost namespace'] += 1
            rows = (rows or []) + merged.pop(plain)
        if rows is None:
            wrong.append(f'  only pprof:        {flat:10g} {cum:10g} {name} {where}')
            continue
        if (name, where) in printed:
            same += 1
        elif key[0] in names.alias:
            USED['alias'] += 1
        if wrong_numbers(mode, flat, cum, rows):
            wrong.append(f'  pprof:             {flat:10g} {cum:10g} {name} {where}')
            wrong += [f'    google-pprof:    {r[0]:10g} {r[1]:10g}' for r in rows]
    for (name, where), rows in merged.items():
        wrong += [f'  only google-pprof: {flat:10g} {cum:10g} {name} {where}' for flat, cum in rows]

    if mode not in ('default', 'cpu') and (late := out_of_order(ours.rows, mode == 'cum')):
        wrong.append(f'  out of order: {late}')
    if len(ours.rows) < LEAST_ROWS.get(mode, LEAST_ROWS_ELSE):
        wrong.append(f'  only {len(ours.rows)} rows')
    if same < LEAST_SAME.get(mode, LEAST_SAME_ELSE):
        wrong.append(f'  only {same} names alike as printed')
    return wrong, seen


# ---------------------------------------------------------------------------------------------------- jemalloc

def build_je(cxx, directory):
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    program = os.path.join(directory, 'threads')
    subprocess.run([c_compiler(cxx), '-std=gnu17', '-gdwarf-4' if 'clang' in cxx else '-g', '-O1', '-Wall',
                    '-Wextra', '-no-pie', '-pthread', '-o', program, os.path.join(SOURCE, 'threads.c')], check=True)
    return program


def dump_je(program, lg_sample):
    """The path of the dump that jemalloc writes at exit, with one sample every 2^lg_sample bytes."""
    prefix = f'{program}.{lg_sample}'
    env = dict(os.environ, LD_PRELOAD=ctypes.util.find_library('jemalloc'),
               MALLOC_CONF=f'prof:true,prof_final:true,prof_accum:true,lg_prof_sample:{lg_sample},prof_prefix:{prefix}')
    run = subprocess.run([program], env=env, stderr=subprocess.PIPE, text=True)
    dumps = glob.glob(prefix + '.*.f.heap')
    if run.returncode or len(dumps) != 1:
        sys.exit(f'{program}: exit {run.returncode}, {len(dumps)} dumps\n{run.stderr}')
    return dumps[0]


def threads_of(dump):
    with open(dump) as f:
        return sorted(set(re.findall(r'^  t(\d+):', f.read(), re.M)), key=int)


def number_and_cums(text):
    """The number of the Total line, and {function: cum} of the program's functions."""
    total = re.search(r'^Total(?: \(t\d+\))?: (\d+) ', text, re.M)
    rows = {}
    for line in text.splitlines():
        if (m := re.match(r'\s*\d+\s+\S+%\s+\S+%\s+(\d+)\s+\S+%\s(\S+)(?: \(inline\))?$', line)) and m[2] in JE_FUNCTIONS:
            rows[m[2]] = int(m[1])
        elif m:
            USED['frames of jemalloc'] += 1
    return int(total[1]) if total else None, rows


def compare_je(ours, theirs, exact):
    """What differs, as lines."""
    (our_total, our_rows), (their_total, their_rows) = number_and_cums(ours), number_and_cums(theirs)
    wrong = []
    for name, a, b in [('Total', our_total, their_total), *((n, our_rows.get(n), their_rows.get(n)) for n in JE_FUNCTIONS)]:
        near = a == b or (not exact and None not in (a, b) and abs(a - b) == 1)
        USED['truncated'] += near and a != b
        if not near:
            wrong.append(f'  {name}: pprof {a}, jeprof {b}')
    if our_total is None or len(our_rows) < len(JE_FUNCTIONS) - 1:      # main takes no part in the other threads
        wrong.append(f'  only {sorted(our_rows)}')
    return wrong


def je_comparison(pprof, program, dump, options):
    return [run([tool, '--text', '--show_bytes', *options, program, dump]) for tool in (pprof, 'jeprof')]


def je_jobs(pprof, cxx, directory, pool):
    """[(name, whether it is exact, future)]"""
    program, jobs = build_je(cxx, directory), []
    for lg_sample, comparisons in JE_DUMPS:
        dump = dump_je(program, lg_sample)
        threads = threads_of(dump)
        if len(threads) < JE_LEAST_THREADS:
            sys.exit(f'{dump}: only {len(threads)} threads')
        for options in comparisons:
            for thread in threads if 'THREAD' in options[0] else ['']:
                opts = [o.replace('THREAD', thread) for o in options]
                jobs.append((f'jemalloc_{lg_sample}_{opts[0][2:]}', lg_sample == 0,
                             pool.submit(or_error, je_comparison, pprof, program, dump, opts)))
    return jobs


# ---------------------------------------------------------------------------------------------------- the test

def heap_comparison(pprof, peer, program, snapshot, copy, base, base_copy, mode, options):
    """Runs both tools; everything else happens in the main thread."""
    def command(tool, profile, first):
        return [*tool, '--text', *(o.replace('FIRST', first) for o in options), program, profile]
    return Table(run(command([pprof], snapshot, base)), mode), Table(run(command(peer, copy, base_copy)), mode)


def cpu_comparison(pprof, peer, program, profile):
    return (TopTable(run([pprof, '--top', '--unit=ms', '--nodefraction=0', program, profile])),
            Table(run([*peer, '--text', program, profile]), 'cpu'))


def raw_comparison(pprof, peer, program, profile, raw, mode):
    with open(raw, 'wb') as f:
        subprocess.run([*peer, '--raw', program, profile], check=True, stdout=f, stderr=subprocess.DEVNULL, timeout=200)
    return Table(run([pprof, '--text', raw]), mode), Table(run(['google-pprof', '--text', raw]), mode)


def tell(name, wrong):
    """Prints one line, and what is wrong; how many comparisons differ: 0 or 1"""
    if wrong:
        print(f'not ok {name}: {len(wrong)} lines differ', *wrong[:12], sep='\n')
    else:
        print(f'ok {name}')
    return bool(wrong)


# What the addresses without a name are called, asked when a job is done.

def of_snapshot(snapshot):
    return lambda: unnamed_addresses(*snapshot_addresses(snapshot))


def of_cpu(profile):
    return lambda: unnamed_addresses(*cpu_addresses(profile))


def of_raw(raw):
    return lambda: unnamed_in_raw(raw)


def main():
    arguments = argparse.ArgumentParser(description='pprof --text against google-pprof --text')
    arguments.add_argument('pprof')
    arguments.add_argument('workdir')
    arguments.add_argument('--cc', default='g++', help='the C++ compiler: g++ or clang++')
    options = arguments.parse_args()
    try:
        check_installed(options.cc)
    except Missing as e:
        print(f'peer.py: not run: {e}')
        return 1 if os.environ.get('CI') == 'true' else 77

    pprof = os.path.abspath(options.pprof)
    workdir = os.path.abspath(options.workdir)
    os.makedirs(workdir, exist_ok=True)
    # All runs share it: what an earlier one left there must change no answer.
    os.environ['XDG_CACHE_HOME'] = os.path.join(workdir, 'cache')
    shutil.rmtree(os.environ['XDG_CACHE_HOME'], ignore_errors=True)
    tools = []
    for name, text in (('addr2line', ADDR2LINE), ('nm', NM)):
        path = os.path.join(workdir, name)
        with open(path, 'w') as f:
            f.write(text)
        os.chmod(path, 0o755)
        tools.append(f'{name}:{path}')
    tools.append(os.path.dirname(shutil.which('objdump')) + '/')    # where all the others are
    peer = ['google-pprof', f'--tools={",".join(tools)}']

    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for optimize in ('-O1', '-O2'):
            for pie in ('-pie', '-no-pie'):
                kind = f'{optimize}{pie}'.replace('-', '_').strip('_')
                program, snapshots = build(options.cc, os.path.join(workdir, kind), optimize, pie)
                copies = [leaf_minus_one(s) for s in snapshots]
                for i, (snapshot, copy) in enumerate(zip(snapshots, copies)):
                    for mode, opts in MODES:
                        if i > 0 or mode in FIRST_MODES:
                            jobs.append((f'{kind}_{i + 1}_{mode}', mode, of_snapshot(snapshot), pool.submit(
                                or_error, heap_comparison, pprof, peer, program, snapshot, copy, snapshots[0],
                                copies[0], mode, opts)))
                spin, profile = build_spin(options.cc, os.path.join(workdir, kind), optimize, pie)
                jobs.append((f'{kind}_cpu', 'cpu', of_cpu(profile), pool.submit(
                    or_error, cpu_comparison, pprof, peer, spin, profile)))
                for mode, prog, source in (('raw_cpu', spin, profile), ('raw_heap', program, copies[-1])):
                    raw = os.path.join(workdir, kind, mode + '.sym')
                    jobs.append((f'{kind}_{mode}', mode, of_raw(raw), pool.submit(
                        or_error, raw_comparison, pprof, peer, prog, source, raw, mode)))

        threads = je_jobs(pprof, options.cc, os.path.join(workdir, 'jemalloc'), pool)
        differ, seen, alias = 0, set(), aliases()
        for name, mode, unnamed, job in jobs:
            tables = job.result()
            if isinstance(tables, str):
                wrong = ['  ' + tables]
            else:
                wrong, names = compare(mode, *tables, Names(unnamed(), alias))
                seen |= names
            differ += tell(name, wrong)
        for name, exact, job in threads:
            texts = job.result()
            differ += tell(name, ['  ' + texts] if isinstance(texts, str) else compare_je(*texts, exact))

    counted = {what: n for what, n in USED.items() if what not in NOT_COUNTED}
    print('# rows that needed an allowed difference:', ', '.join(f'{what} {n}' for what, n in counted.items()))
    if unused := [what for what, n in counted.items() if n == 0 and not ('clang' in options.cc and what in GCC_ONLY)]:
        differ += 1
        print('not ok differences: no row needed:', ', '.join(unused))
    if missing := MUST_BE_SEEN - seen:
        differ += 1
        print('not ok names: not seen in any table:', ', '.join(sorted(missing)))
    print(f'{len(jobs) + len(threads)} compared, {differ} differ')
    return 1 if differ else 0


if __name__ == '__main__':
    sys.exit(main())
