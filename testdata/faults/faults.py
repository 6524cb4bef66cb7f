#!/usr/bin/env python3
"""Makes pprof's k-th allocation, read, write, open, rename, fork ... fail, and judges what it does then.

faults.py PPROF FAULTS.so [--all] [--only PATTERN] [--jobs N]
    the scenarios below, each kind of call, each way to fail: k as the suite has time for; --all: k = 1 to 2,000, then every
    97th; --only: those runs whose "SCENARIO KIND ERROR MODE" the pattern matches
faults.py PPROF FAULTS.so --one SCENARIO KIND ERROR MODE K
    one run, and what it printed

The library faults.c is preloaded, and counts the calls of a run without faults first. Whatever fails, pprof ends by itself, in
time, with 0, 2 or 3. With 2 it says why. With 0 or 3 its output is that of the good run, or it says what is missing. A file of
-o is the new one, whole, or the old one; nothing is left beside it, in TMPDIR or in the cache. An interrupted call, or one that
moves fewer bytes than it might, changes nothing at all.
"""

import argparse
import collections
import errno
import gzip
import json
import mmap
import multiprocessing
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import cache  # noqa: E402
import harness  # noqa: E402

TIMEOUT = 20  # seconds: the longest run takes a hundredth of it

# Kind: ways to fail, and whether once, from then on, or each second time from then on.
WAYS = {
    'memory': ['ENOMEM once', 'ENOMEM on'],
    'map': ['ENOMEM once', 'ENOMEM on'],
    'read': ['EIO once', 'EIO on', 'EINTR once', 'EINTR turns', 'short once', 'short on'],
    'write': ['ENOSPC once', 'ENOSPC on', 'EIO once', 'EIO on', 'EINTR once', 'EINTR turns', 'EAGAIN turns', 'short once',
              'short on'],
    'open': ['EMFILE once', 'EMFILE on', 'EACCES once', 'EACCES on', 'ENOENT once', 'ENOENT on', 'EIO once'],
    'rename': ['EACCES on', 'EIO once', 'ENOSPC once'],
    'unlink': ['EACCES once', 'EACCES on'],
    'stat': ['EIO once', 'EIO on', 'EACCES once', 'ENOENT once', 'ENOENT on'],
    'seek': ['EIO once', 'EIO on'],
    'close': ['EIO once', 'EIO on'],
    'process': ['EAGAIN once', 'EAGAIN on', 'EMFILE once', 'ENOMEM once'],
    'thread': ['EAGAIN once', 'EAGAIN on'],
    'wait': ['EINTR once', 'EINTR turns'],
    'library': ['ENOENT once', 'ENOENT on'],
}
KINDS = tuple(WAYS)  # in the order of faults.c

OLD = b'the old content\n'


class Scenario:
    """In args and stdin, $OUT is a file that has old content, $NEW one that is not there yet, $BIN a folder with a viewer, and
    $CACHED stands for a library with a symbol cache and its profile. stdin: what a pipe carries. is_warm: a run came before.
    config: the user's. has_fonts: a picture of the host's, which is another one where some are missing. kinds: what fails, where
    that is not all."""

    def __init__(self, args, *more, stdin=None, is_warm=False, config=None, has_fonts=False, kinds=KINDS, **env):
        self.args = [*args.split(), *more]
        self.stdin, self.is_warm, self.config, self.has_fonts, self.kinds, self.env = stdin, is_warm, config, has_fonts, kinds, env


def plain(args, *more, **options):
    """One thread, so that the k-th call is the same in each run, and no cache."""
    return Scenario(f'--no-cache --jobs=1 {args}', *more, **options)


SHAPES = 'elf/shapes profiles/shapes.heap'
SCENE = 'scene/heap_profiler scene/profile.0002.heap'
BASE = '--base=scene/profile.0001.heap'
TREND = 'scene/heap_profiler scene/profile.0001.heap scene/profile.0002.heap scene/profile.0003.heap'
SHELL = b'top 3\nsvg > $NEW\nfocus=make\ntext > $OUT\npeek make\nno_command\nquit\n'
NOT_MEMORY = [kind for kind in KINDS if kind != 'memory']

SCENARIOS = {
    'text': plain(f'--text {SHAPES}'),
    'scene': plain(f'--text --lines {SCENE}'),
    'base': plain(f'--top {BASE} {SCENE}'),
    'svg': plain(f'--svg {SHAPES}'),
    'svg_file': plain(f'--svg -o $OUT {SCENE}'),
    'dot_file': plain(f'--dot -o $NEW {SCENE}'),
    'png': plain(f'--png -o $OUT {SCENE}', has_fonts=True, kinds=NOT_MEMORY),  # each run takes a tenth of a second
    'proto': plain(f'--proto -o $OUT {SHAPES}'),
    'proto_new': plain(f'--proto -o $NEW {SHAPES}'),
    'html': plain(f'--html -o $OUT {SHAPES}'),
    'html_trend': plain(f'--trend --html -o $NEW {TREND}'),
    'json': plain(f'--json -o $NEW {SHAPES}'),
    'flame': plain(f'--flame -o $OUT {SHAPES}'),
    'raw': plain('--raw', '$CACHED'),
    'trend': plain(f'--trend --text {TREND}'),
    'trend_svg': plain(f'--trend --svg -o $OUT {TREND}'),
    'gate': plain(f'--text --fail-growth=5% --suppressions=suppressions/scene {BASE} scene/heap_profiler scene/profile.0009.heap'),
    'cold': Scenario('--text --jobs=1', '$CACHED'),
    'warm': Scenario('--text --jobs=1', '$CACHED', is_warm=True),
    'disasm': plain(f'--disasm=make {SHAPES}'),
    'list': plain(f'--list=make --source-path=elf {SHAPES}'),
    'weblist': plain(f'--weblist=make --source-path=elf -o $OUT {SHAPES}'),
    'viewer': plain(f'--gv {SHAPES}', PATH='$BIN:/usr/bin:/bin'),
    'no_viewer': plain(f'--gv {SHAPES}', PATH='/nowhere'),
    'shell': plain(f'--interactive {SHAPES}', stdin=SHELL),
    'gz': plain('--text elf/shapes profiles/shapes.heap.gz'),
    'pipe': plain('--text elf/shapes -', stdin=(harness.TESTDATA / 'profiles/shapes.heap.gz').read_bytes()),
    'cpu': plain('--traces elf/shapes profiles/cpu64l.prof'),
    'tags': plain('--tags profiles/cpu.pb'),
    'strict': plain(f'--strict=symbols --text {SHAPES}'),
    'config': plain(f'{SHAPES}', config='top\nnodecount = 4\nfocus = make|build\n'),
    'two': plain('--text elf/shapes_pie profiles/pie_run1.heap profiles/pie_run2.heap'),
    'library': plain('--text --sysroot=elf/sysroot profiles/library.heap'),
    'threads': Scenario('--text --no-cache --jobs=4 --sysroot=elf/minidebug elf/shapes_pie profiles/library.heap'),
    'threads_html': Scenario(f'--html --no-cache --jobs=4 -o $OUT {SCENE}'),
    'linked': plain('--text --focus=make --ignore=^x elf/linked/shapes profiles/shapes.heap'),
    'help': plain('--help=all'),
}


# ---------------------------------------------------------------------------------------------------- one run

class Result(collections.namedtuple('Result', 'status stdout stderr tree calls n_failed')):
    """status: negative for a signal, None for a run that did not end; tree: the files in the scratch folder."""


def lines_of(data):
    return set(data.splitlines())


class Worker:
    """A scratch folder, and the good runs that others are held against."""

    def __init__(self, pprof, library, cached):
        self.pprof, self.library, self.cached = pprof, library, cached
        self.folder = tempfile.TemporaryDirectory()
        self.scratch = pathlib.Path(self.folder.name)
        self.control = self.scratch / 'control'
        self.control.write_bytes(bytes(8 * (1 + len(KINDS))))
        with open(self.control, 'r+b') as file:
            self.shared = mmap.mmap(file.fileno(), 0)
        self.home = self.scratch / 'home'
        (self.scratch / 'bin').mkdir()
        viewer = self.scratch / 'bin' / 'gv'
        viewer.write_text('#!/bin/sh\ncat "$1"\n')
        viewer.chmod(0o755)
        self.good = {}
        self.prepared = None  # the scenario whose tree is there
        os.chdir(harness.TESTDATA)

    def fill(self, text):
        return (text.replace('$OUT', f'{self.home}/out/old').replace('$NEW', f'{self.home}/out/new')
                .replace('$BIN', f'{self.scratch}/bin'))

    def words(self, args):
        for word in args:
            yield from self.cached if word == '$CACHED' else [self.fill(word)]

    # ---- files

    def tree(self):
        """Path and content of what is there; None for folders. The random part of a viewer's file does not count."""
        found = {}
        for folder, folders, files in os.walk(self.home):
            for name in folders:
                found[os.path.relpath(os.path.join(folder, name), self.home)] = None
            for name in files:
                path = os.path.join(folder, name)
                with open(path, 'rb') as file:
                    found[self.hide(os.path.relpath(path, self.home).encode()).decode()] = file.read()
        return found

    def write_tree(self, tree):
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        for path, content in tree.items():
            if content is None:
                (self.home / path).mkdir()
        for path, content in tree.items():
            if content is not None:
                (self.home / path).write_bytes(content)

    def hide(self, data):
        data = data.replace(self.folder.name.encode(), b'$TMP')
        return re.sub(rb'\S*(run|tmp)/pprof-\w{6}\.(?=ps)', b'run/pprof-XXXXXX.', data)

    # ---- running

    def environment(self, scenario, kind, way, k):
        error, mode = way.split()
        env = harness.environment(str(self.home), 'C.UTF-8')
        env.update({'TMPDIR': f'{self.home}/tmp', 'XDG_RUNTIME_DIR': f'{self.home}/run', 'XDG_CACHE_HOME': f'{self.home}/cache',
                    'XDG_CONFIG_HOME': f'{self.home}/config', 'NO_COLOR': '1', 'LD_PRELOAD': self.library,
                    'FAULTS_FILE': str(self.control), 'FAULTS_KIND': kind, 'FAULTS_MODE': mode, 'FAULTS_AT': str(k),
                    'FAULTS_ERRNO': str(getattr(errno, error, 0))})
        env.update({key: self.fill(value) for key, value in scenario.env.items()})
        return env

    def run(self, scenario, kind='memory', way='ENOMEM once', k=0):
        """k = 0: nothing fails."""
        self.shared[:] = bytes(len(self.shared))
        out, err, stdin = (self.scratch / name for name in ('stdout', 'stderr', 'stdin'))
        reading = subprocess.DEVNULL
        if scenario.stdin is not None:
            read_end, write_end = os.pipe()
            os.write(write_end, self.fill(scenario.stdin.decode()).encode() if scenario.stdin is SHELL else scenario.stdin)
            os.close(write_end)
            reading = read_end
        with open(out, 'wb') as stdout, open(err, 'wb') as stderr:
            process = subprocess.Popen([self.pprof, *self.words(scenario.args)], stdin=reading, stdout=stdout, stderr=stderr,
                                       env=self.environment(scenario, kind, way, k), start_new_session=True)
        if scenario.stdin is not None:
            os.close(reading)
        status = self.wait(process)
        numbers = memoryview(self.shared).cast('Q')
        calls, n_failed = dict(zip(KINDS, numbers[1:])), numbers[0]
        numbers.release()
        for path in re.findall(rb'(?<![\w/])/tmp/pprof-\w{6}\.ps', out.read_bytes()):  # without any of its usual folders
            pathlib.Path(path.decode()).unlink(missing_ok=True)
        return Result(status, self.hide(out.read_bytes()), self.hide(err.read_bytes()), self.tree(), calls, n_failed)

    def wait(self, process):
        """The exit status; what is left of its children is ended."""
        handle = os.pidfd_open(process.pid)
        ended, _, _ = select.select([handle], [], [], TIMEOUT)
        os.close(handle)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return process.wait() if ended else (process.wait(), None)[1]

    # ---- the good run

    def good_run(self, name):
        """The tree before, and the result."""
        if name not in self.good:
            scenario = SCENARIOS[name]
            before = {'tmp': None, 'run': None, 'cache': None, 'out': None, 'config': None, 'out/old': OLD}
            self.write_tree(before)
            if scenario.config:
                before.update({'config/pprof': None, 'config/pprof/config': scenario.config.encode()})
                self.write_tree(before)
            if scenario.is_warm:
                before = self.run(scenario).tree
            good = self.run(scenario)
            if good.status != 0 or (not good.stdout and good.tree == before):
                raise harness.Failure(f'{name}: the run without faults: exit {good.status}\n{good.stderr.decode()}')
            if not good.calls['memory']:
                raise harness.Failure(f'{name}: no allocation is seen')
            self.good[name] = before, good
            self.prepared = None
        return self.good[name]

    def faulty_run(self, name, kind, way, k):
        before, _ = self.good_run(name)
        if self.prepared != name:
            self.write_tree(before)
        result = self.run(SCENARIOS[name], kind, way, k)
        self.prepared = name if result.tree == before else None
        return result


# ---------------------------------------------------------------------------------------------------- judging

def is_whole(path, content):
    """Whether a file that differs from the good one is nevertheless one of its kind from its head to its end."""
    head = content.lstrip()[:20]
    try:
        if head.startswith(b'\x1f\x8b'):
            gzip.decompress(content)
        elif head.startswith((b'<?xml', b'<svg')):
            xml.etree.ElementTree.fromstring(content)
        elif head.startswith(b'{'):
            json.loads(content)
        elif head.startswith(b'<!doctype'):
            return content.endswith(b'</html>\n')
        elif head.startswith(b'\x89PNG'):
            return content.endswith(b'IEND\xaeB`\x82')
        elif head.startswith(b'%!PS'):
            return content.endswith(b'%%EOF\n')
    except (ValueError, EOFError, OSError, xml.etree.ElementTree.ParseError):
        return False
    return bool(content)


def judge_files(name, before, good, result, kind):
    """What is wrong with the files that are there afterwards; None: nothing."""
    may_differ = SCENARIOS[name].has_fonts or lines_of(result.stderr) - lines_of(good.stderr)
    for path, content in result.tree.items():
        known = [tree[path] for tree in (before, good.tree) if path in tree]
        if content in known or (path.startswith('run/') and path.encode() in result.stderr and result.status == 0):
            continue  # no viewer was started
        if kind == 'unlink' and not path.startswith('out/old'):
            continue  # it was told to stay
        if not known:
            return f'{path} is left over'
        if not (path.startswith(('out/', 'run/')) and may_differ and is_whole(path, content)):
            return f'{path} is neither the old nor the new one ({len(content)} bytes)'
    if [path for path in before if path not in result.tree]:
        return 'a file is gone'
    return None


def is_silent(kind, way):
    error = way.split()[0]
    return error in ('EINTR', 'short') or (kind, error) == ('write', 'EAGAIN')


def judge(name, before, good, result, kind, way):
    """What is wrong with a run; None: nothing."""
    told = lines_of(result.stderr) - lines_of(good.stderr)
    is_told_inside = b'\n Error: ' in result.stdout  # as --disasm does
    is_same_tree = result.tree == good.tree
    if result.status is None:
        return f'still running after {TIMEOUT} s'
    if result.status < 0:
        return f'ended by {signal.Signals(-result.status).name}'
    if result.status not in (0, 2, 3) and not (result.status == 1 and told):
        return f'exit {result.status}'
    if is_silent(kind, way):
        if (result.status, result.stdout, result.stderr, is_same_tree) != (0, good.stdout, good.stderr, True):
            return f'exit {result.status}, and not as if nothing had happened'
        return None
    problem = judge_files(name, before, good, result, kind)
    if problem:
        return problem
    if result.status == 2:
        if not any(line.startswith(b'pprof: error: ') for line in told):
            return 'exit 2 without an error'
        outputs = [path for path in result.tree if path.startswith('out/')]
        if name != 'shell' and any(result.tree[path] != before.get(path) for path in outputs):
            return 'exit 2 with a new output file'
        return None
    if name == 'strict' and told and result.stdout != good.stdout and result.status != 3:
        return f'exit {result.status} although something is lost'
    seen = ('out/',) if kind == 'stat' else ('out/', 'run/')  # whose folder may have been none
    is_lost = any(path.startswith(seen) and result.tree.get(path) != good.tree[path] for path in good.tree)
    if SCENARIOS[name].has_fonts or (kind in ('open', 'stat') and way.startswith('ENOENT')):
        return None  # what is not there is not missed
    if (result.stdout != good.stdout or is_lost) and not told and not is_told_inside:
        return f'exit {result.status} with other output, and no word about it'
    if result.status == 3 and not told:
        return 'exit 3 without a word'
    return None


# ---------------------------------------------------------------------------------------------------- many runs

def chosen_calls(n, is_all):
    """Which calls of n fail: each of the first, then every 97th; fewer where there is no time."""
    if is_all:
        return [*range(1, min(n, 2000) + 1), *range(2000 + 97, n + 1, 97)]
    dense = min(n, 16)
    return [*range(1, dense + 1), *range(dense + 1, n + 1, max(1, (n - dense) // 12))]


PIECE = 100  # runs that a worker does at a time
worker = None


def start_worker(*args):
    global worker
    worker = Worker(*args)


def count(name):
    return name, worker.good_run(name)[1].calls


def run_piece(piece):
    """Runs of one scenario and one way to fail: (their number, what failed)."""
    name, kind, way, calls = piece
    before, good = worker.good_run(name)
    failed, n_faults = [], 0
    for k in calls:
        result = worker.faulty_run(name, kind, way, k)
        n_faults += result.n_failed > 0
        problem = judge(name, before, good, result, kind, way)
        if problem:
            failed.append((name, kind, way, problem, k))
    return len(calls), n_faults, failed


def pieces(counts, only, is_all):
    for name, calls in counts:
        for kind, ways in WAYS.items():
            chosen = chosen_calls(calls[kind], is_all)
            for way in ways:
                if kind not in SCENARIOS[name].kinds or not re.search(only, f'{name} {kind} {way}'):
                    continue
                for i in range(0, len(chosen), PIECE):
                    yield name, kind, way, chosen[i:i + PIECE]


def show_failures(failed):
    groups = collections.defaultdict(list)
    for name, kind, way, problem, k in failed:
        groups[f'{name} {kind} {way}: {problem}'].append(k)
    for text, calls in sorted(groups.items()):
        print(f'{text}: k = {", ".join(map(str, sorted(calls)[:12]))}{f" ... ({len(calls)})" if len(calls) > 12 else ""}')


def run_all(options, worker_args):
    start = time.monotonic()
    names = [name for name in SCENARIOS]
    with multiprocessing.Pool(options.jobs, start_worker, worker_args) as pool:
        counts = pool.map(count, names, 1)
        work = sorted(pieces(counts, options.only, options.all), key=lambda piece: -len(piece[3]))
        done = []
        for result in pool.imap_unordered(run_piece, work):
            done.append(result)
            if options.all and (result[2] or len(done) % 50 == 0):
                show_failures(result[2])
                print(f'{sum(n for n, _, _ in done)} runs, {time.monotonic() - start:.0f} s', file=sys.stderr)
    failed = [failure for _, _, failures in done for failure in failures]
    show_failures(failed)
    print(f'{sum(n for n, _, _ in done)} runs of {len(names)} scenarios, {sum(n for _, n, _ in done)} with a fault, '
          f'{len(failed)} failed, {time.monotonic() - start:.0f} s')
    return bool(failed)


def run_one(options, worker_args):
    name, kind, error, mode, k = options.one
    way = f'{error} {mode}'
    start_worker(*worker_args)
    before, good = worker.good_run(name)
    result = worker.faulty_run(name, kind, way, int(k))
    for path, content in sorted(result.tree.items()):
        if content is not None and content != before.get(path):
            print(f'{path}: {"the good one" if content == good.tree.get(path) else f"{len(content)} bytes"}')
    print(result.stdout.decode(errors='backslashreplace'), '[stderr]\n', result.stderr.decode(errors='backslashreplace'), sep='')
    problem = judge(name, before, good, result, kind, way)
    print(f'exit {result.status}, {result.n_failed} faults, of {good.calls[kind]} calls: {problem or "right"}')
    return bool(problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('pprof')
    parser.add_argument('library')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--only', default='')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--one', nargs=5)
    options = parser.parse_args()
    pprof, library = os.path.abspath(options.pprof), os.path.abspath(options.library)
    with tempfile.TemporaryDirectory() as folder:
        bench = cache.Bench(pprof, folder)
        worker_args = pprof, library, [str(bench.library), str(bench.profile('few', 64))]
        try:
            sys.exit((run_one if options.one else run_all)(options, worker_args))
        except harness.Failure as failure:
            sys.exit(str(failure))


if __name__ == '__main__':
    main()
