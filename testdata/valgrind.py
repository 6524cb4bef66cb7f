#!/usr/bin/env python3
"""valgrind.py PPROF SCRATCH [WORD...]: the main scenarios under memcheck and helgrind, or those whose names hold the words.

Each report counts, wherever it comes from: nothing is suppressed. Of processes that pprof forks, which end by _exit where they
stand, it does not count what they leave behind; so what graphviz and the libraries of fonts leak is none.
"""

import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import harness
from harness import TESTDATA

TIMEOUT = 300  # seconds, for one scenario
COMMON = ['--quiet', '--num-callers=30', '--trace-children=no']
TOOLS = {
    'memcheck': ['--tool=memcheck', '--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite',
                 '--track-fds=yes'],
    'helgrind': ['--tool=helgrind', '--free-is-write=yes'],
}
HEAP = ['elf/shapes', 'profiles/shapes.heap']
BASE = ['--base=profiles/base_old.heap', 'elf/shapes', 'profiles/base_mixed.heap']
SNAPSHOTS = ['scene/heap_profiler', *(f'scene/profile.000{i}.heap' for i in (1, 2, 3))]
# What a process has at its end.
LEFT_BEHIND = re.compile(r'[0-9,() a-z]+ are definitely lost in loss record|Open (file descriptor|AF_)')
INHERITED = '<inherited from parent>'
WORKERS = 2
UNCONFINED = '--no-sandbox'  # valgrind does not know seccomp(2)


def large_profile(path):
    """More rows than one thread takes, and labels of many stacks."""
    rows = [f'{i % 7 + 1}: {(i % 7 + 1) * 64} [{i % 7 + 1}: {(i % 7 + 1) * 64}] @ {0x401000 + i % 5000:#x} {0x402000 + i:#x} 0x401234\n'
            for i in range(20000)]
    path.write_text('heap profile: 1: 64 [1: 64] @ heapprofile\n' + ''.join(rows))
    return path


def many_objects(path, folder):
    """A profile of many objects with names: copies of those that are committed, each with a place of its own."""
    objects = [TESTDATA / 'elf' / name for name in ('shapes', 'shapes_pie', 'libshapes.so', 'linked/shapes') if (TESTDATA / 'elf' / name).exists()]
    rows, maps = [], []
    for i in range(12):
        copy = folder / f'lib{i}.so'
        shutil.copy(objects[i % len(objects)], copy)
        start = 0x7f0000000000 + (i << 28)
        rows += [f'1: 64 [1: 64] @ {start + 0x1000 + at:#x}\n' for at in range(0, 0x600, 8)]
        maps.append(f'{start:x}-{start + (1 << 24):x} r-xp 00000000 08:01 {i + 1} {copy}\n')
    path.write_text('heap profile: 1: 64 [1: 64] @ heapprofile\n' + ''.join(rows) + '\nMAPPED_LIBRARIES:\n' + ''.join(maps))
    return path


COMMANDS = b"""top
text
focus=build
tree
peek build
list build
weblist build
:
traces
tags
raw
collapsed
callgrind
json
speedscope
csv
flame
dot
topproto
symbols
info
o
foo
help top
"""


def scenarios(folder):
    """Lists of (tool, name, arguments, what is typed): those of one list go one after the other, with one cache."""
    large = large_profile(folder / 'large.heap')
    many = ['--jobs=4', '--lines', '--text', many_objects(folder / 'many.heap', folder)]
    filters = ['--focus=build|recurse', '--hide=main', '--tagfocus=bytes', '--tree']
    return [
        [('helgrind', 'large', ['--jobs=4', '--text', large], None)],
        [('memcheck', 'shell', ['--interactive', *HEAP], COMMANDS)],
        [('memcheck', 'html', ['--html', '--embed-source', '--source-path=elf', *BASE], None)],
        [('memcheck', 'trend', ['--trend', '--html', *SNAPSHOTS], None)],
        [('memcheck', 'png', ['--png', *HEAP], None)],
        [('memcheck', 'svg', ['--svg', *HEAP], None)],
        [('memcheck', 'many cold', many, None), ('memcheck', 'many warm', many, None)],
        [('helgrind', 'many cold', many, None), ('helgrind', 'many warm', many, None)],
        [('helgrind', 'html', ['--jobs=4', '--html', *BASE], None)],
        [('memcheck', 'disasm', ['--disasm=build', *HEAP], None)],
        [('memcheck', 'text cold', ['--text', *HEAP], None), ('memcheck', 'text warm', ['--text', *HEAP], None)],
        [('memcheck', 'top base', ['--top', *BASE], None)],
        [('memcheck', 'filters', [*filters, *HEAP], None)],
        [('memcheck', 'cpu', ['--traces', 'elf/shapes', 'profiles/cpu64l.prof'], None)],
        [('memcheck', 'locks', ['--raw', 'elf/shapes', 'profiles/locks.contention'], None)],
        [('memcheck', 'proto', ['--proto', '-o', folder / 'out.pb', *HEAP], None), ('memcheck', 'proto read', ['--top', folder / 'out.pb'], None)],
        [('memcheck', 'error', ['--text', 'elf/shapes', 'no/such', 'profiles/bad_text.heap'], None)],
        [('memcheck', 'full', ['--text', '-o', '/dev/full', *HEAP], None)],
        [('memcheck', 'bad pattern', ['--text', '--focus=(', *HEAP], None)],
    ]


def paragraphs(text):
    """Without what stands around reports: announcements of threads, files that a parent left open."""
    text = re.sub(r'^(==|--)\d+(==|--) ?', '', text, flags=re.M)
    text = re.sub(r'^-+(Thread-Announcement)?-+$', '', text, flags=re.M)
    text = re.sub(r'^FILE DESCRIPTORS: .*\n', '', text, flags=re.M)
    for block in re.split(r'\n\s*\n', text):
        if block.strip() and not re.match(r'Thread #\d+ was created|Thread #\d+ is the', block) and INHERITED not in block:
            yield block.strip()


def reports(folder, pid):
    """What the logs say that counts: of the process that was started, and of those that it forked."""
    found = []
    own = folder / f'log.{pid}'
    if not own.exists():
        return ['valgrind did not start']
    for log in folder.glob('log.*'):
        for block in paragraphs(log.read_text(errors='backslashreplace')):
            if log != own and LEFT_BEHIND.match(block):
                continue
            if block.startswith('This conflicts with') and found:
                found[-1] += '\n' + block
            else:
                found.append(block)
    return found


def run(pprof, scratch, cache, scenario):
    """What is wrong."""
    tool, name, args, typed = scenario
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    env = {**harness.environment(str(folder), 'C'), 'XDG_CACHE_HOME': str(cache), 'XDG_CONFIG_HOME': '/dev/null'}
    answers = []
    for command in ['valgrind', *COMMON, *TOOLS[tool], f'--log-file={folder}/log.%p'], []:
        with subprocess.Popen([*command, pprof, UNCONFINED, *args], cwd=TESTDATA, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            try:
                answers.append((*process.communicate(typed, timeout=TIMEOUT), process.returncode))
            except subprocess.TimeoutExpired:
                process.kill()
                return [f'{tool}: {name}: still running after {TIMEOUT} s']
        if command:
            found = reports(folder, process.pid)
    if answers[0] != answers[1]:
        found.append(f'another answer than without valgrind: {answers}')
    return [f'{tool}: {name}:\n{text}' for text in found]


def check(pprof, scratch, group):
    found, start = [], time.monotonic()
    with tempfile.TemporaryDirectory(dir=scratch) as cache:
        for scenario in group:
            found += run(pprof, scratch, cache, scenario)
    print(f'{", ".join(" ".join(scenario[:2]) for scenario in group)}: {len(found)} reports, {time.monotonic() - start:.1f} s')
    return found


def main(pprof, scratch, words):
    if not shutil.which('valgrind'):
        print('valgrind is not installed')
        return 77
    pathlib.Path(scratch).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix='valgrind-', dir=scratch) as folder:
        folder = pathlib.Path(folder)
        chosen = [group for group in scenarios(folder) if all(word in ' '.join(group[0][:2]) for word in words)]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            faults = sum(pool.map(lambda group: check(pprof, folder, group), chosen), [])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print('\n\n'.join(faults))
    print(f'{sum(map(len, chosen))} runs, {len(faults)} reports, {used.ru_utime + used.ru_stime:.0f} s of processor time')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]))
