#!/usr/bin/env python3
"""Holds --trend against a program whose behaviours are known, and against sums of its own.

growing.py PPROF WORKDIR [--cc gcc|clang]

Builds growing.c with libtcmalloc and with libjemalloc, lets it take its snapshots, adds them up with nm and addr2line
and compares all figures of --trend: exactly, but for what is sampled. Then the scene, and snapshots that are written
here: CPU profiles, contention, profile.proto with times. Exit 1 if anything differs, 77 where a library or tool is
missing (1 as well if CI=true).
"""

import argparse
import collections
import csv
import ctypes.util
import glob
import io
import json
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness import TESTDATA, Failure, Skip, environment, run  # noqa: E402 pylint: disable=wrong-import-position

SOURCE = TESTDATA / 'growing' / 'growing.c'
N_ROUNDS = 9
TYPES = ('inuse_objects', 'inuse_space', 'alloc_objects', 'alloc_space')
RANKING = ['leak', 'start_late', 'plateau', 'cache', 'churn', 'sawtooth', 'release_at_end']
SHAPES = {'leak': 'grows', 'start_late': 'grows', 'plateau': 'grew', 'cache': 'churn', 'churn': 'churn',
          'sawtooth': 'returned', 'release_at_end': 'returned'}
FIRST_SEEN = {'leak': 1, 'start_late': 6, 'plateau': 1, 'cache': 1, 'churn': None, 'sawtooth': 1, 'release_at_end': 1}
WITHOUT_SCORE = ('churn', 'sawtooth', 'release_at_end')


def expect(actual, expected, what):
    if actual != expected:
        raise Failure(f'{what}: {actual}, not {expected}')


def expect_near(actual, expected, what, part=1e-9):
    if not math.isclose(actual, expected, rel_tol=part, abs_tol=1e-9):
        raise Failure(f'{what}: {actual}, not {expected}')


# ---------------------------------------------------------------------------------------------------- the tool

class Tool:
    def __init__(self, pprof, workdir):
        self.pprof, self.env = pprof, environment(str(workdir), 'C.UTF-8')

    def run(self, *args):
        """(stdout, exit status)"""
        stdout, stderr, status = run([self.pprof, *map(str, args)], env=self.env, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status in (1, 2):
            raise Failure(f'exit {status}: {" ".join(map(str, args))}\n{stderr.decode()}')
        return stdout.decode(), status

    def trend(self, *args):
        """The report as --json has it; --csv must say the same."""
        report = json.loads(self.run('--trend', '--json', *args)[0])
        table = list(csv.DictReader(io.StringIO(self.run('--trend', '--csv', *args)[0], newline='')))
        expect(len(table), len(report['rows']), 'rows of --csv')
        for cells, row in zip(table, report['rows']):
            expect(cells['shape'], row['shape'], 'shape in --csv')
            expect(cells['first_seen'], str(row.get('first_seen', '')), 'first_seen in --csv')
            expect_near(float(cells['monotone']), row['monotone'], 'monotone in --csv')
            expect_near(float(cells['share']), row['share'], 'share in --csv')
            if report['unit'] == cells['unit']:
                expect_near(float(cells['growth']), row['growth'], 'growth in --csv')
                expect_near(float(cells['score']), row['score'], 'score in --csv')
        return report


# ---------------------------------------------------------------------------------------------------- snapshots

def need(program, package):
    if not shutil.which(program):
        raise Skip(f'{program} is not installed (package {package})')


def build(cc, library, package, workdir):
    for tool, of in ((cc, 'gcc or clang'), ('nm', 'binutils'), ('addr2line', 'binutils')):
        need(tool, of)
    if not ctypes.util.find_library(library):
        raise Skip(f'lib{library} is not installed (package {package})')
    program = workdir / library
    command = [cc, '-std=gnu17', '-gdwarf-4', '-O1', '-Wall', '-Wextra', '-no-pie', '-o', program, SOURCE,
               '-Wl,--no-as-needed', f'-l{library}']
    test = subprocess.run(command, capture_output=True, text=True, check=False)
    if test.returncode:
        raise Skip(f'{cc} cannot link with lib{library} (package {package})\n{test.stderr}')
    return program


def snapshots_of(program, prefix, **env):
    """The paths of what the program writes; libtcmalloc writes one more at exit."""
    for old in glob.glob(f'{prefix}.*.heap'):
        os.unlink(old)
    env = {**{k: v for k, v in os.environ.items() if not k.startswith('HEAP')}, **env}
    test = subprocess.run([program, prefix], env=env, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    found = sorted(glob.glob(f'{prefix}.*.heap'))[:N_ROUNDS]
    if test.returncode or len(found) != N_ROUNDS:
        raise Failure(f'{program}: exit {test.returncode}, {len(found)} snapshots\n{test.stderr}')
    return found


def addresses(text):
    return tuple(int(word, 16) for word in re.findall('0x[0-9a-f]+', text))


def read_tcmalloc(path):
    """[((objects, space, objects ever, space ever), addresses)]"""
    text = pathlib.Path(path).read_text().partition('MAPPED_LIBRARIES:')[0]
    rows = re.findall(r'^ *(\d+): *(\d+) \[ *(\d+): *(\d+)\] @ (0x.*)$', text, re.M)
    return [(tuple(map(int, row[:4])), addresses(row[4])) for row in rows]


def unsample(objects, space, period):
    """What a sampled row stands for: a block of the mean size is found with 1 - exp(-size / period)."""
    if period <= 1 or not objects:
        return objects, space
    scale = 1 / (1 - math.exp(-space / objects / period))
    return objects * scale, space * scale


def read_jemalloc(path):
    text = pathlib.Path(path).read_text().partition('MAPPED_LIBRARIES:')[0]
    period = int(re.match(r'heap_v2/(\d+)', text)[1])
    rows = re.findall(r'^@ (0x.*)\n  t\*: (\d+): (\d+) \[(\d+): (\d+)\]', text, re.M)
    return [((*unsample(int(row[1]), int(row[2]), period), *unsample(int(row[3]), int(row[4]), period)),
             addresses(row[0])) for row in rows]


class Program:
    """Its functions and lines, by return address."""

    def __init__(self, path):
        text = subprocess.run(['nm', '-S', path], capture_output=True, text=True, check=True).stdout
        self.path, self.lines = path, {}
        self.symbols = [(int(a, 16), int(a, 16) + int(size, 16), name)
                        for a, size, name in re.findall(r'^(\w+) (\w+) [tT] (\w+)$', text, re.M)]

    def function(self, addr):
        return next((name for start, end, name in self.symbols if start <= addr - 1 < end), None)

    def line(self, addr):
        if addr not in self.lines:
            text = subprocess.run(['addr2line', '-e', self.path, hex(addr - 1)], capture_output=True, text=True,
                                  check=True).stdout
            self.lines[addr] = int(re.search(r':(\d+)', text)[1])
        return self.lines[addr]

    def frames(self, addrs):
        """From the leaf to main; what is not the program's is left out."""
        frames = []
        for addr in addrs:
            name = self.function(addr)
            if name:
                frames.append((name, addr))
            if name == 'main':
                return frames
        return []


# ---------------------------------------------------------------------------------------------------- own sums

class Sums:
    """One table over snapshots: values[key], allocated[key], and whether what is below a key ever holds anything."""

    def __init__(self, snapshots, program, kind, how):
        self.values = collections.defaultdict(lambda: [0] * N_ROUNDS)
        self.allocated = collections.defaultdict(lambda: [0] * N_ROUNDS)
        self.below = collections.defaultdict(lambda: [0] * N_ROUNDS)
        self.holds = set()
        self.total = [0] * N_ROUNDS
        value, ever = TYPES.index(kind), TYPES.index(kind.replace('inuse', 'alloc'))
        for i, samples in enumerate(snapshots):
            for numbers, addrs in samples:
                self.total[i] += numbers[value]
                frames = program.frames(addrs)
                if not frames:
                    continue
                keys = self.keys(frames, program, how)
                for key in keys if how == 'cum' else keys[:1]:
                    self.values[key][i] += numbers[value]
                    self.allocated[key][i] += numbers[ever]
                for key in keys:
                    self.below[key][i] += numbers[ever]
                    if numbers[value]:
                        self.holds.add(key)

    @staticmethod
    def keys(frames, program, how):
        """Of the rows that a stack adds to, the leaf's first, each once."""
        if how == 'stack':
            return [tuple(name for name, _ in frames)]
        if how == 'line':
            return list(dict.fromkeys((name, program.line(addr)) for name, addr in frames))
        return list(dict.fromkeys(name for name, _ in frames))

    def churn(self, key):
        ever = self.allocated[key] if key in self.holds else self.below[key]
        values = self.values[key]
        return max(0, ever[-1] - ever[0] - (values[-1] - values[0]))

    def rows(self):
        """Those that are shown."""
        keys = list(self.values) if any(map(any, self.values.values())) else []
        keys += [key for key in self.below if key not in self.holds and key not in self.values]
        return [key for key in keys if any(self.values[key]) or self.churn(key)]


def slope(xs, ys):
    """Least squares, by the normal equations."""
    n, sx, sy = len(xs), sum(xs), sum(ys)
    below = n * sum(x * x for x in xs) - sx * sx
    return (n * sum(x * y for x, y in zip(xs, ys)) - sx * sy) / below


def score(values):
    """As the documentation of --trend says it: growth x kept^2 x even^2 x ongoing."""
    growth, steps = values[-1] - values[0], len(values) - 1
    if growth <= 0:
        return 0
    back = max(max(values[:i + 1]) - value for i, value in enumerate(values))
    edges = [steps * k // min(4, steps) for k in range(min(4, steps) + 1)]
    even = sum(min(max(values[b] - values[a], 0) / growth, (b - a) / steps) for a, b in zip(edges, edges[1:]))
    to_come = [(values[-1] - value) / (growth * (steps - i) / steps) for i, value in enumerate(values[:-1])]
    ongoing = sum(min(max(part, 0), 1) for part in to_come) / steps
    return growth * (growth / (growth + back)) ** 2 * even ** 2 * ongoing


def check_row(row, values, churn, what, part):
    growth = values[-1] - values[0]
    for actual, expected in zip(row['values'], values):
        expect_near(actual, expected, f'{what}: values', part)
    expect_near(row['growth'], growth, f'{what}: growth', part)
    expect_near(row['slope_per_snapshot'], slope(range(len(values)), values), f'{what}: slope', max(part, 1e-9))
    falls = sum(b < a for a, b in zip(values, values[1:]))
    expect_near(row['monotone'], 1 - falls / (len(values) - 1), f'{what}: monotone')
    expect(row.get('first_seen'), next((i + 1 for i, v in enumerate(values) if v), None), f'{what}: first seen')
    expect_near(row['churn'], churn, f'{what}: churn', part)
    expect_near(row['score'], score(values), f'{what}: score', max(part, 1e-9))


def key_of(row, how):
    if how == 'stack':
        stack = row['stack']
        return tuple(stack[:stack.index('main') + 1]) if 'main' in stack else None
    if how == 'line':
        return (row.get('name'), row.get('line'))
    return row.get('name')


def check_table(report, sums, how, part=0.0):
    ours = set(sums.rows())
    theirs = {key: row for row in report['rows'] if (key := key_of(row, how)) in ours}
    expect(set(theirs), ours, f'rows by {how}')
    for actual, expected in zip(report['trend']['values'], sums.total):
        expect_near(actual, expected, 'total', part)
    changes = [sums.values[key][-1] - sums.values[key][0] for key in ours]
    for key, row in theirs.items():
        check_row(row, sums.values[key], sums.churn(key), f'{key} by {how}', part)
        expect_near(row['share'], row['growth'] / report['share_of'], f'{key}: share')
    order = [key for row in report['rows'] if (key := key_of(row, how)) in ours]
    scores = [score(sums.values[key]) for key in order]
    if any(b > a * (1 + 1e-6) + 1e-6 for a, b in zip(scores, scores[1:])):
        raise Failure(f'by {how}, not in the order of the scores: {list(zip(order, scores))}')
    return changes


# ---------------------------------------------------------------------------------------------------- the checks

def check_ranking(report):
    rows = [row for row in report['rows'] if row.get('name') in SHAPES]
    expect([row['name'] for row in rows], RANKING, 'ranking')
    for row in rows:
        name = row['name']
        expect(row['shape'], SHAPES[name], f'{name}: shape')
        expect(row.get('first_seen'), FIRST_SEEN[name], f'{name}: first seen')
        expect(row['score'] == 0, name in WITHOUT_SCORE, f'{name}: has no score')


def check_live(tool, program, paths, read, part=0.0):
    snapshots, known = [read(path) for path in paths], Program(program)
    for kind in ('inuse_space', 'inuse_objects'):
        for how, options in (('function', []), ('cum', ['--cum']), ('line', ['--lines']), ('stack', ['--by=stack'])):
            report = tool.trend(f'--{kind}', *options, program, *paths)
            sums = Sums(snapshots, known, kind, how)
            changes = check_table(report, sums, how, part)
            if how == 'stack' and part == 0:
                expect(sum(changes), report['trend']['growth'], 'sum of the growth of stacks')
    check_ranking(tool.trend(program, *paths))
    return snapshots, known


def check_gate(tool, program, paths, snapshots):
    """The total grew by exactly so much, and no row by more."""
    growth = sum(n[1] for n, _ in snapshots[-1]) - sum(n[1] for n, _ in snapshots[0])
    first = sum(n[1] for n, _ in snapshots[0])
    percent = 100 * growth / first
    cases = [(f'{growth - 1}B', 4), (f'{growth + 1}B', 0), (f'{percent * 0.99:.4f}%', 4), (f'{percent * 1.01:.4f}%', 0),
             ('1MB', 4), ('1GB', 0)]
    for limit, status in cases:
        for which in (['--trend', program, *paths], [f'--base={paths[0]}', '--text', program, paths[-1]]):
            expect(tool.run(f'--fail-growth={limit}', *which)[1], status, f'exit of --fail-growth={limit} {which[0]}')
    for limit, status in (('^leak$:3MB', 4), ('^leak$:1GB', 0), ('^sawtooth$:1B', 0), ('^no such$:0B', 0)):
        expect(tool.run(f'--fail-above={limit}', '--trend', program, *paths)[1], status, f'exit of --fail-above={limit}')


def check_tcmalloc(tool, cc, workdir):
    program = build(cc, 'tcmalloc', 'libgoogle-perftools-dev', workdir)
    paths = snapshots_of(program, workdir / 'tc')
    snapshots, _ = check_live(tool, program, paths, read_tcmalloc)
    check_gate(tool, program, paths, snapshots)
    return 'libtcmalloc'


def check_jemalloc(tool, cc, workdir):
    program = build(cc, 'jemalloc', 'libjemalloc-dev', workdir)
    conf = 'prof:true,prof_active:true,prof_accum:true,lg_prof_sample:'
    paths = snapshots_of(program, workdir / 'je', MALLOC_CONF=conf + '0')
    snapshots, _ = check_live(tool, program, paths, read_jemalloc)
    check_gate(tool, program, paths, snapshots)
    # Sampled: which blocks are found is left to chance, what is made of them is not.
    paths = snapshots_of(program, workdir / 'je_sampled', MALLOC_CONF=conf + '15')
    known = Program(program)
    report = tool.trend(program, *paths)
    check_table(report, Sums([read_jemalloc(path) for path in paths], known, 'inuse_space', 'function'), 'function', 1e-3)
    expect(report['rows'][0]['name'], 'leak', 'first of a sampled run')
    return 'libjemalloc'


def check_scene(tool):
    scene = TESTDATA / 'scene'
    report = tool.trend(scene / 'heap_profiler', *sorted(scene.glob('profile.*.heap')))
    gib, mib = 1 << 30, 1 << 20
    rows = {row['name']: row for row in report['rows']}
    expect(report['rows'][0]['name'], 'create', 'first of the scene')
    expect([v // gib for v in rows['create']['values']], [1, 1, 2, 2, 3, 3, 4, 4, 4], 'create')
    expect((rows['create']['shape'], rows['create']['growth']), ('grows', 3 * gib), 'create')
    expect([v // gib for v in rows['main']['values']], [0, 1, 1, 2, 2, 3, 3, 4, 0], 'main')
    expect((rows['main']['shape'], rows['main']['growth'], rows['main']['score']), ('returned', 0, 0), 'main')
    churn = rows['create_destory']
    expect((churn['shape'], churn['churn'], set(churn['values'])), ('churn', 4 * mib, {0}), 'create_destory')


# ---------------------------------------------------------------------------------------------------- other inputs

def write_cpu(path, counts, period):
    words = [0, 3, 0, period, 0]
    for addr, count in counts.items():
        words += [count, 2, addr, 0x401000] if count else []
    words += [0, 1, 0]
    path.write_bytes(struct.pack(f'<{len(words)}Q', *words))


def write_contention(path, delays):
    rows = ''.join(f'{cycles} {count} @ {addr:#x} 0x401000\n' for addr, (cycles, count) in delays.items())
    path.write_text(f'--- contention\ncycles/second = 1000000000\nsampling period = 100\n{rows}')


def varint(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def write_proto(path, values, time):
    """values: {function: cpu nanoseconds}"""
    strings = ['', 'cpu', 'nanoseconds', *values]
    data = field(1, field(1, 1) + field(2, 2))
    for i, value in enumerate(values.values(), start=1):
        data += field(2, field(1, i) + field(2, value))
        data += field(4, field(1, i) + field(4, field(1, i)))
        data += field(5, field(1, i) + field(2, strings.index(list(values)[i - 1])))
    for text in strings:
        data += field(6, text.encode())
    path.write_bytes(data + (field(9, time) if time else b''))


HISTORIES = {0x401100: [5, 10, 20, 25], 0x401200: [0, 9, 9, 9], 0x401300: [7, 7, 7, 7], 0x401400: [30, 20, 10, 0]}


def check_values(report, scale, what):
    """Rows have no names: their values say which they are."""
    expect(report['rows'][0]['values'], [scale * v for v in HISTORIES[0x401100]], f'{what}: first row')
    expect(sorted(tuple(row['values']) for row in report['rows']),
           sorted(tuple(scale * v for v in values) for values in HISTORIES.values()), what)
    for row in report['rows']:
        expect_near(row['score'], score(row['values']), f'{what}: score')
        expect('slope_per_second' in row, False, f'{what}: has a slope by time')


def check_cpu_and_contention(tool, workdir):
    cpu = [workdir / f'cpu.{i}' for i in range(4)]
    locks = [workdir / f'locks.{i}' for i in range(4)]
    for i in range(4):
        write_cpu(cpu[i], {addr: values[i] for addr, values in HISTORIES.items()}, 10000)
        write_contention(locks[i], {addr: (1000 * values[i], values[i]) for addr, values in HISTORIES.items()})
    check_values(tool.trend('--addresses', *cpu), 10_000_000, 'CPU')
    check_values(tool.trend('--addresses', *locks), 100 * 1000, 'contention')


def check_times(tool, workdir):
    """Slopes a second, of seconds that are not evenly apart; and none where a time is missing or runs backwards."""
    seconds = [1_700_000_000, 1_700_000_010, 1_700_000_030, 1_700_000_060]
    histories = {'steady': [0, 100, 300, 600], 'once': [50, 500, 500, 500], 'less': [900, 700, 720, 100]}
    paths = [workdir / f'times.{i}.pb' for i in range(4)]

    def write(times):
        for i, path in enumerate(paths):
            write_proto(path, {name: values[i] for name, values in histories.items()}, times[i] * 10**9)
        return tool.trend(*paths)

    report = write(seconds)
    expect(report['rows'][0]['name'], 'steady', 'first of proto')
    expect([s['time_nanos'] for s in report['snapshots']], [s * 10**9 for s in seconds], 'times')
    for row in report['rows']:
        values = histories[row['name']]
        expect(row['values'], values, row['name'])
        expect_near(row['slope_per_second'], slope([s - seconds[0] for s in seconds], values), 'slope by time')
        expect_near(row['slope_per_snapshot'], slope(range(4), values), 'slope by snapshot')
    for times in ([*seconds[:3], 0], [seconds[1], seconds[0], *seconds[2:]], [seconds[0]] * 4):
        if any('slope_per_second' in row for row in write(times)['rows']):
            raise Failure(f'a slope by time, with times {times}')


def main():
    arguments = argparse.ArgumentParser(description='--trend of a program whose behaviours are known')
    arguments.add_argument('pprof')
    arguments.add_argument('workdir')
    arguments.add_argument('--cc', default='gcc', help='the C compiler: gcc or clang')
    options = arguments.parse_args()
    workdir = pathlib.Path(options.workdir).resolve()
    workdir.mkdir(parents=True, exist_ok=True)
    tool = Tool(os.path.abspath(options.pprof), workdir)
    status = 0
    try:
        check_scene(tool)
        check_cpu_and_contention(tool, workdir)
        check_times(tool, workdir)
        for check in (check_tcmalloc, check_jemalloc):
            try:
                print(f'{check(tool, options.cc, workdir)}: as expected')
            except Skip as e:
                print(f'growing.py: {check.__name__} not run: {e}')
                status = 1 if os.environ.get('CI') == 'true' else 77
    except Failure as e:
        print(f'growing.py: {e}')
        return 1
    return status


if __name__ == '__main__':
    sys.exit(main())
