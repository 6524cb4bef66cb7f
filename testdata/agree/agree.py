#!/usr/bin/env python3
"""Holds the names, files, lines and inlined calls that pprof finds against those of llvm-symbolizer.

agree.py PPROF WORKDIR [--quick] [--only TEXT] [--table FILE]

Builds programs in WORKDIR in many ways (flavours.py), chooses addresses of each (starts, middles, ends and calls of its
functions, the gaps between them), asks both tools, and compares frame by frame: linkage name, path, line. A difference
belongs to a class of DIFFERENCES or is unexplained. Prints a table, and with --table writes it to a file too. Exit 1 if
anything is unexplained, 77 where llvm-symbolizer is missing (1 as well if CI=true).

What is built with a tool that is not there is left out, and said; on Debian 12 all of it is there after
apt-get install binutils ceph-osd ceph-osd-dbg clang dwz g++ gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf
    gcc-i686-linux-gnu gdc golang-go libc6-dbg lld llvm mold xz-utils, and rustc by rustup (1.95 is what was used).

--quick  only those flavours that ./test.sh builds      --only TEXT  only those with TEXT in their name
"""

import argparse
import collections
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))

import flavours                                             # noqa: E402
import proto                                                # noqa: E402
from elf import EM_X86, EM_X86_64, STT_FUNC, Elf            # noqa: E402

MOST_SHOWN, MOST_SHOWN_OF_ONE = 20, 5
SKIPPED = 1 if os.environ.get('CI') == 'true' else 77

# Each difference that is allowed, and why.
DIFFERENCES = {
    'line alone':
        'Padding behind a function has a row in the line table, and no function. llvm-symbolizer shows the line alone, '
        'pprof the address.',
    'not covered':
        'llvm-symbolizer takes the nearest symbol below when that has no size (_init, for all of the PLT), pprof only one '
        'in the same section.',
    'file of a symbol':
        'Where there is no DWARF, llvm-symbolizer says which source the symbol table has a local symbol from '
        '(crtstuff.c), without a line.',
    'clone':
        'llvm-symbolizer takes the name of the outermost function from the symbol table, where a part or copy has a suffix '
        '(.cold, .part.0, .lto_priv.0, .avx2, Go\'s .abi0, @GLIBC_2.2.5); pprof takes it from the DWARF.',
    'constructor':
        'The DWARF names the abstract constructor or destructor (C4, D4) or one of its aliases, the symbol table another '
        '(C1, C2, D1, D2): all are demangled the same.',
    'alias':
        'An address has several symbols (weak names; functions that were found to be the same and folded): '
        'llvm-symbolizer takes one, pprof the one that the DWARF names.',
    'folded':
        'The linker folded functions that have the same code, so two functions claim the address: each tool takes one.',
    'thunk':
        'GNU ld points the DWARF of a function that it dropped at what lies there in the copy that it kept: two functions '
        'claim the address of a thunk.',
    'doubled folder':
        'Folder 0 of a DWARF 5 line table is the folder of the unit itself; where that is relative (./csu in libc), '
        'llvm-symbolizer 14 joins it to itself: csu/csu/init-first.c.',
}

Frame = collections.namedtuple('Frame', 'name file line')


# ---------------------------------------------------------------------------------------------------- addresses

def calls(elf):
    """Return addresses less one, of x86 alone: where 0xe8 is followed by the distance of something in code."""
    if elf.machine not in (EM_X86, EM_X86_64):
        return
    for section in elf.code:
        data = elf.contents(section)
        at = data.find(b'\xe8')
        while 0 <= at <= len(data) - 5:
            target = section.addr + at + 5 + int.from_bytes(data[at + 1:at + 5], 'little', signed=True)
            if elf.code_at(target):
                yield section.addr + at + 4
            at = data.find(b'\xe8', at + 1)


def thinned(addrs, most):
    addrs = sorted(addrs)
    return addrs if len(addrs) <= most else [addrs[i * len(addrs) // most] for i in range(most)]


def places(elf, symbols):
    """Addresses in functions, and those where they end."""
    inside, ends = set(), set()
    for function in (symbol for symbol in symbols if symbol.type == STT_FUNC):
        inside.update(function.addr + part * max(function.size - 1, 0) // 7 for part in range(8))
        ends.add(function.addr + function.size)
    for section in elf.code:
        inside.update(section.addr + part * (section.size - 1) // 16 for part in range(17))
    return inside, ends


def choose(flavour):
    """Half of them are calls, where those are known; a small program is filled up with places at equal distances."""
    elf = Elf(flavour.program)
    inside, ends = places(elf, Elf(flavour.reference).symbols())
    called = thinned(set(calls(elf)), flavour.most // 2)
    rest = flavour.most - len(called)
    chosen = {*called, *thinned(ends, rest // 10), *thinned(inside, rest - rest // 10)}
    rest = flavour.most - len(chosen)
    step = sum(section.size for section in elf.code) // rest + 1 if rest > 0 else sys.maxsize
    for section in elf.code:
        chosen.update(range(section.addr, section.addr + section.size, step))
    return sorted(addr for addr in chosen if elf.code_at(addr))


# ---------------------------------------------------------------------------------------------------- the two tools

def normal(name, path, line):
    return Frame(name, os.path.normpath(path) if path else '', line)


def theirs(flavour, addrs):
    """The frames of each address, the innermost first."""
    out = subprocess.run(['llvm-symbolizer', f'--obj={flavour.reference}', '--inlines', '--functions=linkage', '--no-demangle',
                          '--output-style=JSON'], input=''.join(f'{addr:#x}\n' for addr in addrs), check=True,
                         stdout=subprocess.PIPE, text=True, cwd=flavour.folder).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    if [int(answer['Address'], 16) for answer in answers] != addrs:
        sys.exit(f'llvm-symbolizer: expected an answer for each of {len(addrs)} addresses of {flavour.reference}')
    return [[normal(frame['FunctionName'], frame['FileName'], frame['Line']) for frame in answer['Symbol']]
            for answer in answers]


def decode(data):
    """{address: frames, the innermost first} of a profile."""
    profile = proto.grouped(data)
    text = [string.decode(errors='replace') for string in profile[6]]
    functions = proto.by_id('function', profile[5])
    found = {}
    for location in map(proto.grouped, profile[4]):
        lines = [(functions[proto.one(line, 1)], proto.one(line, 2)) for line in map(proto.grouped, location[4])]
        found[proto.one(location, 3)] = [normal(text[proto.one(function, 3)], text[proto.one(function, 4)], line)
                                             for function, line in lines]
    return found


def ours(pprof, flavour, addrs, work):
    questions, profile = os.path.join(work, 'addresses'), os.path.join(work, 'answers.pb.gz')
    with open(questions, 'w') as file:
        file.write(''.join(f'{addr:#x}\n' for addr in addrs))
    run = subprocess.run([pprof, '--proto', '--no-cache', '--all-frames', '-o', profile, *flavour.options, flavour.program,
                          questions], stderr=subprocess.PIPE, text=True)
    if run.returncode:
        print(run.stderr, end='')
        return [[] for _ in addrs]
    with gzip.open(profile) as file:
        found = decode(file.read())
    return [found.get(addr, []) for addr in addrs]


# ---------------------------------------------------------------------------------------------------- comparing

CLONE = re.compile(r'(\.(cold|part|constprop|isra|llvm|lto_priv|localalias)(\.\d+)?)+$|@@?[A-Z][\w.]*$')
VARIANT = re.compile(r'[CD][0-5](?=E|I)')
THUNK = re.compile(r'^_ZT(h|v|c)n?\d+_(n?\d+_)*')


def without_clone(name):
    return CLONE.sub('', name)


def is_thunk_of(thunk, name):
    return bool(THUNK.search(thunk)) and VARIANT.sub('', THUNK.sub('_Z', thunk)) == VARIANT.sub('', name)


class Names:
    """The symbols of a program: which names stand for one address, and where those without a size are."""

    def __init__(self, path):
        self.elf = Elf(path)
        self.addrs = collections.defaultdict(set)
        self.sizeless = collections.defaultdict(set)
        for symbol in self.elf.symbols():
            self.addrs[without_clone(symbol.name)].add(symbol.addr)
            if symbol.size == 0:
                self.sizeless[symbol.name].add(symbol.section)

    def are_aliases(self, a, b):
        return bool(self.addrs[without_clone(a)] & self.addrs[without_clone(b)])

    def is_of_other_section(self, name, addr):
        """Whether there are symbols of this name without a size, but none in the section of the address."""
        return bool(self.sizeless[name]) and self.elf.code_at(addr) not in self.sizeless[name]


def explain_name(names, our, their):
    """Of the outermost function."""
    if without_clone(their) == without_clone(our) or their.startswith(our + '.'):
        return 'clone'
    if VARIANT.sub('', without_clone(their)) == VARIANT.sub('', without_clone(our)):
        return 'constructor'
    if names.are_aliases(our, their):
        return 'alias'
    return None


def explain_place(our, their):
    if not our.file and not our.line and not their.line:
        return 'file of a symbol'
    folder = their.file.removesuffix(our.file)
    if our.line == their.line and our.file and folder != their.file and our.file.startswith(folder):
        return 'doubled folder'
    return None


def explain_frame(names, our, their, is_outermost):
    """Why they differ; nothing where they do not, and None among the reasons where it is not known."""
    reasons = set()
    if our.name != their.name:
        reasons.add(explain_name(names, our.name, their.name) if is_outermost else None)
    if our[1:] != their[1:]:
        reason = explain_place(our, their)
        # Another function has other lines.
        reasons.add('folded' if not reason and 'alias' in reasons and our.line and their.line else reason)
    return reasons


def explain(names, addr, our, their):
    """The reasons of each frame."""
    outermost = their[-1]
    if not our and len(their) == 1:
        if not outermost.name:
            return [{'line alone'} if outermost.file else set()]
        if not outermost.line and names.is_of_other_section(outermost.name, addr):
            return [{'not covered'}]
    if our and is_thunk_of(outermost.name, our[-1].name):
        return [{'thunk'} for _ in their]
    if len(our) != len(their):
        return [{None} for _ in their]
    return [explain_frame(names, a, b, i == len(our) - 1) for i, (a, b) in enumerate(zip(our, their))]


class Row:
    """What came out of one program."""

    def __init__(self, name, addrs, our, their, names):
        self.name, self.n_addrs = name, len(addrs)
        self.n_frames = self.n_equal = self.n_unexplained = 0
        self.classes = collections.Counter()
        self.odd = []
        for addr, a, b in zip(addrs, our, their):
            self.take(addr, a, b, explain(names, addr, a, b))

    def take(self, addr, our, their, frames):
        self.n_frames += len(frames)
        self.n_equal += sum(not reasons for reasons in frames)
        self.n_unexplained += sum(None in reasons for reasons in frames)
        for reasons in frames:
            self.classes.update(reasons if None not in reasons else [])
        if any(None in reasons for reasons in frames):
            self.odd.append((addr, our, their))

    def __str__(self):
        classes = ', '.join(f'{n} {name}' for name, n in sorted(self.classes.items()))
        return f'| {self.name} | {self.n_addrs} | {self.n_frames} | {self.n_equal} | {classes} | {self.n_unexplained} |'


def compare(pprof, name, flavour, work):
    addrs = choose(flavour)
    their = theirs(flavour, addrs)
    for path in flavour.hidden:
        os.rename(path, path + '.hidden')
    our = ours(pprof, flavour, addrs, work)
    for path in flavour.hidden:
        os.rename(path + '.hidden', path)
    return Row(name, addrs, our, their, Names(flavour.reference))


# ---------------------------------------------------------------------------------------------------- what is printed

def described(frames):
    return ' < '.join(f'{frame.name or "?"} {frame.file or "?"}:{frame.line}' for frame in frames) or '-'


def table(rows):
    total = [sum(getattr(row, field) for row in rows) for field in ('n_addrs', 'n_frames', 'n_equal', 'n_unexplained')]
    classes = sum((row.classes for row in rows), collections.Counter())
    lines = ['| program | addresses | frames | equal | explained | not explained |', '|---|---|---|---|---|---|', *map(str, rows),
             f'| {len(rows)} programs | {total[0]} | {total[1]} | {total[2]} | {total[1] - total[2] - total[3]} '
             f'| {total[3]} |', '',
             '| why | frames | |', '|---|---|---|',
             *(f'| {name} | {n} | {DIFFERENCES[name]} |' for name, n in classes.most_common())]
    return '\n'.join(lines)


def show(row, n_shown):
    """Prints a row, and what is odd about it up to the most that is shown of all."""
    print(row, flush=True)
    shown = row.odd[:min(MOST_SHOWN_OF_ONE, MOST_SHOWN - n_shown)]
    for addr, our, their in shown:
        print(f'  {addr:#x}\n    pprof           {described(our)}\n    llvm-symbolizer {described(their)}')
    return n_shown + len(shown)


def compare_all(args):
    """The rows of all flavours that were asked for, and what became of the others: missing tools, failed builds."""
    rows, missing, failed, n_shown = [], [], [], 0
    for name, build in flavours.all_of(os.path.abspath(args.work)):
        if (args.quick and name not in flavours.QUICK) or args.only not in name:
            continue
        try:
            rows.append(compare(args.pprof, name, build(), args.work))
            n_shown = show(rows[-1], n_shown)
        except flavours.Missing as tool:
            missing.append(f'{name}: left out, there is no {tool}')
        except subprocess.CalledProcessError as error:
            failed.append(f'{name}: {" ".join(error.cmd)}: exit {error.returncode}: {error.output}')
    return rows, missing, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pprof')
    parser.add_argument('work')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--table')
    args = parser.parse_args()
    if not shutil.which('llvm-symbolizer'):
        print('SKIPPED: no llvm-symbolizer (package llvm): nothing to compare with')
        return SKIPPED
    rows, missing, failed = compare_all(args)
    print('', *missing, *failed, table(rows), sep='\n')
    if args.table:
        with open(args.table, 'w') as file:
            print(table(rows), file=file)
    if failed or any(row.n_unexplained for row in rows):
        return 1
    return SKIPPED if missing and args.quick else 0


if __name__ == '__main__':
    sys.exit(main())
