#!/usr/bin/env python3
"""mutants.py PPROF KEPT [OPTION...]: broken and hostile ELF and DWARF.

Each mutant lies below a sysroot, beside a good library; a heap profile asks both. Whatever the mutant holds: the run
ends with 0, within two seconds of CPU time (N times as many with --factor N) and 256 MB, no sanitizer speaks, the
library's functions have their names, and at most one warning names the object. Small mutants are asked for together, and one
by one where something is wrong with them. Each mutant (each Nth with --program-every N) is then the PROGRAM too, where 2
is another good answer: a program that is none is an error. Where it names other files, it is so once more without a
sysroot, when they are those of this host. What failed is kept in the folder KEPT.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import hostile
import mutations
from case import Case, Fifo, Folder, Link

ELF = pathlib.Path(__file__).resolve().parent.parent / 'elf'
N_WORKERS = 2
MOST_SECONDS = 2
MOST_WALL_SECONDS = 20  # a run that waits needs no CPU time
MOST_KILOBYTES = 256 << 10
MOST_SHOWN = 400
LEAST = 300

LIBRARY = 'srv/app/lib/libshapes.so'
LIBRARY_NAMES = 'lib_inlined', 'lib_inner', 'lib_grow'
LIBRARY_ROWS = '     1:  1000000 [     1:  1000000] @ 0x7f3c10001029 0x7f3c1000104c\n'
LIBRARY_MAPS = f'''\
7f3c10000000-7f3c10001000 r--p 00000000 08:01 12         /{LIBRARY}
7f3c10001000-7f3c10002000 r-xp 00001000 08:01 12         /{LIBRARY}
'''
LIBRARY_RANGE = range(0x7f3c10000000, 0x7f3c10002000)
MOST_TOGETHER = 16
SMALL = 50_000  # bytes; what is larger may take its time
DISTANCE = 1 << 24  # between the addresses of mutants that are asked together

OBJECT, PROGRAM, HOST = 'as an object', 'as the program', 'as the program of this host'


@dataclasses.dataclass
class Mutant:
    """A case at its place."""
    case: Case
    path: str
    shift: int

    def addresses(self):
        start = (self.case.at[0] + self.case.bias + self.shift) & ~0xfff
        return range(start, start + 0x1000)

    def rows(self):
        move = self.case.bias + self.shift + 1
        return ''.join(f'     1:     1000 [     1:     1000] @ {vaddr + move:#x}\n' for vaddr, _ in self.case.asked)

    def maps(self):
        at = self.addresses()
        return f'{at.start:x}-{at.stop:x} r-xp {self.case.at[1] & ~0xfff:08x} 08:01 11         /{self.path}\n'


def place(cases):
    """Alone, an object is where the paths in it say that it is."""
    if len(cases) == 1:
        return [Mutant(cases[0], 'srv/app/bin/mutant', 0)]
    return [Mutant(case, f'srv/app/{i}/mutant', i * DISTANCE) for i, case in enumerate(cases)]


def profile_of(mutants):
    n = sum(len(mutant.case.asked) for mutant in mutants)
    rows = ''.join(mutant.rows() for mutant in mutants)
    maps = ''.join(mutant.maps() for mutant in sorted(mutants, key=lambda mutant: mutant.addresses().start))
    return (f'heap profile: {n + 1}: {n * 1000 + 1000000} [ {n + 1}: {n * 1000 + 1000000}] @ heapprofile\n'
            f'{rows}{LIBRARY_ROWS}\nMAPPED_LIBRARIES:\n{maps}{LIBRARY_MAPS}')


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Fifo):
        os.mkfifo(path)
    elif isinstance(content, Folder):
        path.mkdir()
    elif isinstance(content, Link):
        path.symlink_to(content.target)
    else:
        path.write_bytes(content)


def lay_out(mutants, folder):
    """A sysroot, and the profile beside it."""
    root = folder / 'root'
    put(root / LIBRARY, (ELF / 'libshapes.so').read_bytes())
    for mutant in mutants:
        for name, content in {mutant.path: mutant.case.data, **mutant.case.files}.items():
            put(root / name, content)
    (folder / 'profile.heap').write_text(profile_of(mutants), encoding='utf-8')
    return root


class Run:
    """One run to its end: what it wrote, its status, its seconds of CPU time, and its kilobytes."""

    all_seconds = 0

    def __init__(self, command, folder):
        with open(folder / 'out', 'wb') as out, open(folder / 'err', 'wb') as err:
            began = time.monotonic()
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder) as process:
                self.hangs = False
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                while not pid:
                    time.sleep(0.002)
                    if time.monotonic() - began > MOST_WALL_SECONDS and not self.hangs:
                        self.hangs = True
                        process.kill()
                    pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                process.returncode = self.status = os.waitstatus_to_exitcode(status)
        self.out = (folder / 'out').read_text(encoding='utf-8', errors='backslashreplace')
        self.err = (folder / 'err').read_text(encoding='utf-8', errors='backslashreplace')
        self.seconds = usage.ru_utime + usage.ru_stime
        self.kilobytes = usage.ru_maxrss
        Run.all_seconds += self.seconds

    def frames(self, addresses):
        """What --raw says of the locations at these addresses."""
        is_within, lines = False, []
        for line in self.out.splitlines():
            found = re.match(r' *\d+: 0x([0-9a-f]+) ', line)
            if found:
                is_within = int(found[1], 16) in addresses
            elif not line.startswith('        '):
                is_within = False
            if is_within:
                lines.append(line)
        return '\n'.join(lines)


class Limits:
    def __init__(self, factor, has_memory):
        self.seconds = MOST_SECONDS * factor
        self.kilobytes = MOST_KILOBYTES if has_memory else None


def cost_faults(run, limits):
    if run.seconds > limits.seconds:
        yield f'took {run.seconds:.1f} s of CPU time'
    if limits.kilobytes and run.kilobytes > limits.kilobytes:
        yield f'took {run.kilobytes >> 10} MB'


def end_faults(run, *statuses):
    if run.hangs:
        yield f'still running after {MOST_WALL_SECONDS} s'
    elif run.status not in statuses:
        yield f'ended with {run.status}'
    if 'Sanitizer' in run.err or 'runtime error: ' in run.err:
        yield 'a sanitizer reports'


def missing_names(frames, wanted):
    """wanted: names, and tuples of names of which one is enough."""
    missing = []
    for names in wanted:
        if not any(re.search(rf'(?<!\w){re.escape(name)}(?!\w)', frames)
                   for name in (names if isinstance(names, tuple) else [names])):
            missing.append(names)
    if missing:
        yield f'names are missing: {missing}'


def name_faults(run, mutants):
    yield from missing_names(run.frames(LIBRARY_RANGE), LIBRARY_NAMES)
    for mutant in mutants:
        yield from missing_names(run.frames(mutant.addresses()), mutant.case.names)


def warned_files(run, root):
    return re.findall(rf'^pprof: warning: .*?{re.escape(str(root))}/([^:;, ]*)', run.err, re.MULTILINE)


def warning_faults(run, root, mutants):
    about = collections.Counter(warned_files(run, root))
    if about.total() != run.err.count('pprof: warning: '):
        yield 'a warning names no file'
    for mutant in mutants:
        least, most = mutant.case.warnings
        files = about if mutant.case.files else [mutant.path]
        n = sum(about[file] for file in files)
        if not least <= n <= most:
            yield f'expected {least} to {most} warnings, found {n}'


def faults_of(run, root, mutants, way):
    if way == OBJECT:
        return list(object_faults(run, root, mutants))
    if way == PROGRAM:
        return list(program_faults(run, mutants))
    return list(end_faults(run, 0, 2))


def object_faults(run, root, mutants):
    yield from end_faults(run, 0)
    yield from name_faults(run, mutants)
    yield from warning_faults(run, root, mutants)


def program_faults(run, mutants):
    yield from end_faults(run, 0, 2)
    if run.status == 0:
        yield from name_faults(run, mutants)
    elif run.out or len(run.err.splitlines()) != 1:
        yield 'expected an error of one line'


def keep(folder, kept, mutants):
    """FIFOs are not copied: somebody would wait for them."""
    place_kept = kept / re.sub(r'[^\w.]+', '_', str(mutants[0].case))[:150]
    shutil.rmtree(place_kept, ignore_errors=True)
    shutil.copytree(folder, place_kept, symlinks=True, ignore=lambda at, names: [
        name for name in names if pathlib.Path(at, name).is_fifo()])
    return place_kept


class Runner:
    def __init__(self, pprof, limits, kept):
        self.pprof, self.limits, self.kept = pprof, limits, kept

    def run(self, mutants, way):
        """Asks for all of them: what is wrong with the answers, and with their cost."""
        with tempfile.TemporaryDirectory(prefix='mutants-') as name:
            folder = pathlib.Path(name)
            root = lay_out(mutants, folder)
            sysroot = [] if way == HOST else [f'--sysroot={root}']
            program = [] if way == OBJECT else [root / mutants[0].path]
            run = Run([self.pprof, '--raw', '--no-cache', *sysroot, *program, 'profile.heap'], folder)
            faults = faults_of(run, root, mutants, way)
            costs = list(cost_faults(run, self.limits))
            if len(mutants) > 1 or not faults + costs:
                return faults, costs
            return [f'{mutants[0].case}, {way}: {"; ".join(faults + costs)}\n{run.err[:2000]}'
                    f'kept in {keep(folder, self.kept, mutants)}\n'], []

    def run_alone(self, case, way):
        return self.run(place([case]), way)[0]

    def run_objects(self, cases):
        """Together, they may take more than each of them may."""
        faults, costs = self.run(place(cases), OBJECT)
        if len(cases) == 1 or not faults + costs:
            return faults
        alone = [fault for case in cases for fault in self.run_alone(case, OBJECT)]
        if alone or not faults:
            return alone
        return [f'together: {"; ".join(faults)}\n' + ''.join(f'    {case}\n' for case in cases)]


def batches(cases):
    """What is large, or has files beside it, is alone."""
    together = []
    for case in cases:
        if case.files or len(case.data) > SMALL:
            yield [case]
            continue
        together.append(case)
        if len(together) == MOST_TOGETHER:
            yield together
            together = []
    if together:
        yield together


def run_all(cases, runner, program_every):
    """Runs them as they are made, so that few are in memory."""
    slots = threading.Semaphore(2 * N_WORKERS)
    counts, failed = collections.Counter(), []
    n = 0

    def take(batch, programs):
        try:
            failed.extend(runner.run_objects(batch))
            for case in programs:
                failed.extend(runner.run_alone(case, PROGRAM))
                if case.names_files:
                    failed.extend(runner.run_alone(case, HOST))
        finally:
            slots.release()

    with concurrent.futures.ThreadPoolExecutor(N_WORKERS) as workers:
        futures = []
        for batch in batches(cases):
            counts.update(case.group for case in batch)
            slots.acquire()
            futures.append(workers.submit(take, batch, [case for i, case in enumerate(batch, n) if i % program_every == 0]))
            n += len(batch)
        for future in futures:
            future.result()
    return counts, sorted(failed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('pprof', type=os.path.abspath)
    parser.add_argument('kept', type=pathlib.Path)
    parser.add_argument('--factor', type=float, default=1)
    parser.add_argument('--no-memory', action='store_true')
    parser.add_argument('--program-every', type=int, default=1, metavar='N')
    parser.add_argument('--group', help='one of the groups below, or "mutations"')
    parser.add_argument('--only', default='', help='those whose name has this in it')
    args = parser.parse_args()

    sources = [mutations.cases()] if args.group in (None, 'mutations') else []
    sources.append(hostile.cases(args.group))
    cases = (case for case in itertools.chain(*sources) if args.only in str(case))
    runner = Runner(args.pprof, Limits(args.factor, not args.no_memory), args.kept)
    counts, failed = run_all(cases, runner, args.program_every)
    for group, n in sorted(counts.items()):
        print(f'{n:5} {group}')
    print(f'{counts.total():5} mutants, {len(failed)} failed; {Run.all_seconds:.1f} s of CPU time\n')
    for text in failed[:MOST_SHOWN]:
        print(text)
    return 1 if failed or (not args.only and not args.group and counts.total() < LEAST) else 0


if __name__ == '__main__':
    sys.exit(main())
