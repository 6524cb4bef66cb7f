#!/usr/bin/env python3
"""Where reports go, and what may happen there: no room, no stream, no permission, readers that go away, signals.

outputs.py [--quick] PPROF [CHECK...]   runs all checks, or those that are named; --quick: fewer moments, less input
outputs.py --full PPROF                 what is run in a mount namespace of its own

After each run nothing may lie in the folders that the tool writes to but what was asked for, and no child may be left.
"""

import ctypes
import itertools
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import cache
import harness
from harness import TESTDATA, Failure, Skip

HEAP = ['elf/shapes', 'profiles/shapes.heap']
CPU = ['elf/shapes', 'profiles/cpu64l.prof']
SNAPSHOTS = ['scene/heap_profiler', 'scene/profile.0001.heap', 'scene/profile.0002.heap']
# Each format on the profile that shows most of it.
FORMATS = {
    **{name: [f'--{name}', *profile] for name, profile in itertools.chain(
        zip(['text', 'top', 'symbols', 'info', 'tree', 'traces', 'tags', 'raw', 'collapsed', 'callgrind', 'json', 'speedscope', 'csv',
             'html', 'flame', 'dot', 'svg', 'ps', 'pdf', 'png', 'gif', 'proto', 'topproto'], itertools.cycle([HEAP, CPU])))},
    'peek': ['--peek=build', *HEAP],
    'list': ['--list=build', '--source-path=elf', *HEAP],
    'weblist': ['--weblist=build', '--source-path=elf', *HEAP],
    'disasm': ['--disasm=build', *HEAP],
    'comments': ['--comments', '--add-comment=of a test', *HEAP],
    'stacks': ['--stacks', *HEAP],
    **{f'trend {name}': ['--trend', f'--{name}', *SNAPSHOTS] for name in ('text', 'csv', 'json', 'svg', 'html')},
    'help': ['--help'],
    'version': ['--version'],
}
NO_SPACE = 'No space left on device'
GRACE = 5  # seconds that a child has to end behind its parent
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER


class Done:
    """How a run ended: status is the exit status, or less the signal."""

    def __init__(self, command, out, err, status):
        self.command, self.out, self.err, self.status = command, out, err.decode(errors='backslashreplace'), status

    def __str__(self):
        words = ' '.join(map(str, self.command))
        return f'{words}: status {self.status}, stdout {self.out[:200]!r}, stderr:\n{self.err}'


class Bench:
    def __init__(self, pprof, scratch, is_quick=False):
        self.pprof, self.scratch, self.is_quick = pprof, pathlib.Path(scratch), is_quick
        self.n_runs = 0
        self.faults = []
        self.folders = [self.scratch / name for name in ('home', 'tmp', 'cache', 'runtime', 'out')]
        for folder in self.folders:
            folder.mkdir()
        self.out = self.scratch / 'out'
        objects = self.scratch / 'objects'
        objects.mkdir()
        made = cache.Bench(pprof, objects)
        self.cached = [made.library, made.all]  # a program that is large enough for the cache, and a profile

    def environment(self, **env):
        return {**harness.environment(str(self.scratch / 'home'), 'C'), 'TMPDIR': str(self.scratch / 'tmp'),
                'XDG_CACHE_HOME': str(self.scratch / 'cache'), 'XDG_RUNTIME_DIR': str(self.scratch / 'runtime'),
                'XDG_CONFIG_HOME': '/dev/null', **env}

    def start(self, *args, env=None, prefix=(), **options):
        self.n_runs += 1
        options = {'cwd': TESTDATA, 'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options}
        return subprocess.Popen([*prefix, self.pprof, *args], env=self.environment(**(env or {})), start_new_session=True, **options)

    def finish(self, process, data=None):
        try:
            out, err = process.communicate(data, timeout=harness.TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failure(f'still running: {process.args}') from None
        done = Done(process.args, out or b'', err or b'', process.returncode)
        if 'Sanitizer: ' in done.err or ': runtime error: ' in done.err:
            raise Failure(f'a sanitizer reports: {done}')
        self.reap(done)
        return done

    def run(self, *args, data=None, **options):
        if data is not None:
            options['stdin'] = subprocess.PIPE
        return self.finish(self.start(*args, **options), data)

    def check(self, holds, text):
        if not holds:
            self.faults.append(str(text))

    def reap(self, done):
        """Whoever the tool leaves behind is ours."""
        end = time.monotonic() + GRACE
        while True:
            try:
                pid, _ = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid and time.monotonic() > end:
                self.check(False, f'a child is left: {done}')
                return
            if not pid:
                time.sleep(0.001)

    def litter(self):
        """What lies where the tool may write, but for the cache's own files."""
        found = []
        for folder in self.folders:
            found += [path for path in folder.rglob('*') if path.is_symlink() or not path.is_dir()]
        return sorted(str(path.relative_to(self.scratch)) for path in found
                      if not (path.parent.name == 'pprof' and path.suffix == '.v1'))

    def expect(self, done, status, words='', left=()):
        self.check(done.status == status, f'expected status {status}: {done}')
        self.check(words in done.err, f'expected "{words}": {done}')
        found = self.litter()
        self.check(found == sorted(left), f'{found} is left, expected {list(left)}: {done}')
        for path in set(found) - set(left):
            (self.scratch / path).unlink()


# ---------------------------------------------------------------------------------------------------- no room

def check_dev_full(bench):
    for args in FORMATS.values():
        with open('/dev/full', 'wb') as full:
            bench.expect(bench.run(*args, stdout=full), 2, f'pprof: error: standard output: the output cannot be written: {NO_SPACE}')
        done = bench.run(*args, '-o', '/dev/full')
        if '--help' not in args and '--version' not in args:
            bench.expect(done, 2, f'pprof: error: /dev/full: the output cannot be written: {NO_SPACE}')
            bench.check(not done.out, f'stdout gets what -o was for: {done}')


# ---------------------------------------------------------------------------------------------------- closed streams

def check_closed(bench):
    kept = {path: (TESTDATA / path).read_bytes() for path in HEAP}
    text = bench.run('--text', *HEAP)
    svg = bench.run('--svg', *HEAP).out
    typed = bench.run('--interactive', '-q', *HEAP, data=b'text\n').out
    target = bench.out / 'report'
    for closed in itertools.chain.from_iterable(itertools.combinations(range(3), n) for n in range(4)):
        def close():
            for fd in closed:
                os.close(fd)
        no_in, no_out, no_err = (fd in closed for fd in range(3))

        def expect(done, status, out, words, left=()):
            bench.expect(done, status, '' if no_err else words, left)
            bench.check(done.out == (b'' if no_out else out), f'streams {closed} closed, another report: {done}')
            bench.check(not no_err or not done.err, f'streams {closed} closed: {done}')

        expect(bench.run('--text', *HEAP, preexec_fn=close), 2 if no_out else 0, text.out,
               'standard output: ' if no_out else text.err)
        expect(bench.run('--text', HEAP[0], '-', stdin=open(TESTDATA / HEAP[1], 'rb'), preexec_fn=close), 2 if no_out or no_in else 0,
               b'' if no_in else text.out, '(standard input)' if no_in else 'standard output: ' if no_out else '')
        expect(bench.run('--text', 'no/such', preexec_fn=close), 2, b'', 'pprof: error: no/such: ')
        expect(bench.run('--svg', '-o', target, *HEAP, preexec_fn=close), 0, b'', '', ['out/report'])
        bench.check(target.read_bytes() == svg, f'streams {closed} closed: another picture')
        target.unlink()
        expect(bench.run('--interactive', '-q', *HEAP, data=None if no_in else b'text\n', preexec_fn=close), 0,
               b'' if no_in else typed, 'standard output: ' if no_out and not no_in else '')
        expect(bench.run('--help', preexec_fn=close), 2 if no_out else 0, b'' if no_out else bench.run('--help').out, '')
    bench.check(all((TESTDATA / path).read_bytes() == data for path, data in kept.items()), 'an input was written to')


# ---------------------------------------------------------------------------------------------------- no room

def no_room(most):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def check_limit(bench):
    """As on a full file system, but with another errno: where a file may not grow."""
    for args in FORMATS.values():
        whole = bench.run(*args).out
        for old in None, b'of yesterday':
            target = bench.out / 'report'
            if old:
                target.write_bytes(old)
            done = bench.run('--no-cache', *args, '-o', target, preexec_fn=lambda: no_room(len(whole) // 2))
            if '--help' not in args and '--version' not in args:
                bench.expect(done, 2, f'pprof: error: {target}: the output cannot be written: File too large', ['out/report'] if old else [])
                bench.check(not old or target.read_bytes() == old, f'the old file is gone: {done}')
            if old:
                target.unlink()


def fill(folder, left=0):
    """So many bytes are left."""
    with open(folder / 'filler', 'wb', buffering=0) as file:
        while True:
            try:
                file.write(b'x' * 512)
            except OSError:
                break
        file.truncate(max(0, file.tell() - left))


def check_full(bench):
    """In a mount namespace of its own."""
    namespace = ['unshare', '--mount'] if os.geteuid() == 0 else ['unshare', '--user', '--map-root-user', '--mount']
    if subprocess.run([*namespace, 'mount', '-t', 'tmpfs', 'none', '/mnt'], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip('no file system can be mounted here; RLIMIT_FSIZE stands for it')
    done = subprocess.run([*namespace, sys.executable, __file__, '--full', bench.pprof], stdout=subprocess.PIPE, check=False)
    *faults, last = done.stdout.decode().splitlines()
    bench.faults += faults
    bench.n_runs += int(last)


def on_full(bench):
    full = bench.scratch / 'full'
    full.mkdir()
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k,nr_inodes=20', 'none', full], check=True)
    target = full / 'report'

    def left():
        return sorted(str(path.relative_to(full)) for path in full.rglob('*') if path.is_file() and path.name != 'filler')

    for old, n_left in itertools.product((None, b'of yesterday'), (0, 4096)):
        if old:
            target.write_bytes(old)
        fill(full, n_left)
        for name in 'text', 'svg', 'proto', 'html', 'png', 'trend json':
            if n_left and len(bench.run(*FORMATS[name]).out) <= n_left:
                continue
            done = bench.run(*FORMATS[name], '-o', target)
            bench.expect(done, 2, f'pprof: error: {target}: the output cannot be written: {NO_SPACE}')
            bench.check(left() == (['report'] if old else []), f'{left()} is left: {done}')
            bench.check(not old or target.read_bytes() == old, f'the old file is gone: {done}')
            with open(full / 'redirected', 'wb') as file:
                bench.expect(bench.run(*FORMATS[name], stdout=file), 2,
                             f'pprof: error: standard output: the output cannot be written: {NO_SPACE}')
            (full / 'redirected').unlink()
        for args in (['--text', *bench.cached], ['--top', '--lines', *bench.cached]):
            plain = bench.run('--no-cache', *args)
            for _ in 'cold', 'once more':
                done = bench.run(*args, env={'XDG_CACHE_HOME': str(full)})
                bench.expect(done, 0)
                bench.check((done.out, done.err) == (plain.out, plain.err), f'the cache has no room, another report: {done}')
                bench.check(left() == (['report'] if old else []), f'{left()} is left: {done}')
        for env in {'XDG_RUNTIME_DIR': str(full)}, {'XDG_RUNTIME_DIR': '', 'TMPDIR': str(full)}:
            done = bench.run('--web', *HEAP, env={**env, 'BROWSER': 'true'})
            bench.expect(done, 2, f'the output cannot be written: {NO_SPACE}')
            bench.check(left() == (['report'] if old else []), f'{left()} is left: {done}')
        (full / 'filler').unlink()
        shutil.rmtree(full / 'pprof', ignore_errors=True)
    # No file can be made at all.
    for i in range(30):
        try:
            (full / f'filler{i}').touch()
        except OSError:
            break
    names = left()
    for path in target, full / 'new':
        bench.expect(bench.run('--text', *HEAP, '-o', path), 2, f'pprof: error: {path}: {NO_SPACE}')
    bench.expect(bench.run('--web', *HEAP, env={'XDG_RUNTIME_DIR': str(full), 'BROWSER': 'true'}), 2, NO_SPACE)
    bench.expect(bench.run('--text', *bench.cached, env={'XDG_CACHE_HOME': str(full)}), 0)
    bench.check(left() == names and target.read_bytes() == b'of yesterday', f'no inodes: {left()} is left')


# ---------------------------------------------------------------------------------------------------- places

def bound():
    """What a command begins with so that permissions count for it."""
    if os.geteuid() != 0:
        return []
    command = [shutil.which('setpriv') or 'setpriv', '--bounding-set=-all', '--inh-caps=-all']
    if not shutil.which('setpriv') or subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip('root cannot give up that it may do everything')
    return command


def check_permissions(bench):
    prefix = bound()
    report = ['--svg', *HEAP]

    def refused(path, words='Permission denied', left=()):
        bench.expect(bench.run(*report, '-o', path, prefix=prefix), 2, f'pprof: error: {path}: {words}', left)

    folder = bench.out / 'folder'
    folder.mkdir()
    inside = folder / 'report'
    link = bench.out / 'link'
    folder.chmod(0o555)
    link.symlink_to(inside)
    refused(inside, left=['out/link'])
    bench.expect(bench.run(*report, '-o', link, prefix=prefix), 2, f'pprof: error: {inside}: Permission denied', ['out/link'])
    folder.chmod(0o755)
    inside.write_bytes(b'kept')
    folder.chmod(0o555)
    refused(inside, left=['out/folder/report', 'out/link'])
    folder.chmod(0o755)
    inside.chmod(0o444)
    refused(inside, left=['out/folder/report', 'out/link'])
    folder.chmod(0)
    refused(inside, left=['out/folder/report', 'out/link'])
    folder.chmod(0o755)
    bench.check(inside.read_bytes() == b'kept', 'a file that may not be written is another')
    refused(folder, 'Is a directory', left=['out/folder/report', 'out/link'])
    refused(f'{folder}/', 'Is a directory', left=['out/folder/report', 'out/link'])
    refused(f'{inside}/', 'Not a directory', left=['out/folder/report', 'out/link'])
    refused(bench.out / 'none' / 'report', 'No such file or directory', left=['out/folder/report', 'out/link'])
    if prefix:
        inside.chmod(0o644)
        os.chown(inside, 65534, 65534)
        refused(inside, left=['out/folder/report', 'out/link'])
        bench.check(inside.read_bytes() == b'kept', "another user's file is another")
    link.unlink()
    shutil.rmtree(folder)

    locked = bench.scratch / 'locked'
    (locked / 'pprof').mkdir(parents=True)
    (locked / 'pprof').chmod(0o555)
    done = bench.run('--text', *bench.cached, prefix=prefix, env={'XDG_CACHE_HOME': str(locked)})
    bench.expect(done, 0)
    plain = bench.run('--text', *bench.cached)
    bench.check((done.out, done.err) == (plain.out, plain.err) and not list((locked / 'pprof').iterdir()), f'a read-only cache: {done}')
    shutil.rmtree(locked)

    runtime = bench.scratch / 'runtime'
    runtime.chmod(0o555)
    done = bench.run('--gv', *HEAP, prefix=prefix, env={'PATH': str(bench.scratch)})
    bench.check(done.status == 0 and done.out.decode().startswith(f'{bench.scratch}/tmp/pprof-'), f'a read-only folder: {done}')
    pathlib.Path(done.out.decode().strip()).unlink()
    runtime.chmod(0o700)


def check_links(bench):
    report = ['--text', *HEAP]
    whole = bench.run(*report).out
    link, target, loop = bench.out / 'link', bench.out / 'target', bench.out / 'loop'

    for to in 'target', str(target), '../out/target':
        link.symlink_to(to)
        for old in None, b'old':
            if old:
                target.write_bytes(old)
            bench.expect(bench.run(*report, '-o', link), 0, left=['out/link', 'out/target'])
            bench.check(link.is_symlink() and not target.is_symlink() and target.read_bytes() == whole, f'-o through a link to {to}')
            target.unlink()
        link.unlink()
    for to, words in (('no/such/folder', 'No such file'), ('loop', 'Too many levels'), ('/dev/full', NO_SPACE), ('.', 'Is a directory')):
        link.symlink_to(to)
        loop.symlink_to('link')
        done = bench.run(*report, '-o', link)
        bench.expect(done, 2, f'pprof: error: {bench.out}/', ['out/link', 'out/loop'])
        bench.check(words in done.err, done)
        link.unlink()
        loop.unlink()

    other = bench.out / 'other'
    target.write_bytes(b'old')
    other.hardlink_to(target) if hasattr(other, 'hardlink_to') else os.link(target, other)
    bench.expect(bench.run(*report, '-o', target), 0, left=['out/other', 'out/target'])
    bench.check((target.read_bytes(), other.read_bytes()) == (whole, b'old'), 'a hard link is written through')
    other.unlink()
    target.unlink()


def check_modes(bench):
    target = bench.out / 'report'
    for mask, mode in (0o022, 0o644), (0o077, 0o600), (0, 0o666), (0o777, 0):
        bench.run('--text', *HEAP, '-o', target, preexec_fn=lambda: os.umask(mask))
        bench.check(target.stat().st_mode & 0o7777 == mode, f'umask {mask:o}: mode {target.stat().st_mode:o}')
        target.unlink()
    for mode, kept in (0o640, 0o640), (0o600, 0o600), (0o755, 0o755), (0o4755, 0o755), (0o2775, 0o775):
        target.write_bytes(b'old')
        target.chmod(mode)
        bench.run('--text', *HEAP, '-o', target, preexec_fn=lambda: os.umask(0o077))
        bench.check(target.stat().st_mode & 0o7777 == kept, f'mode {mode:o} becomes {target.stat().st_mode:o}')
        target.unlink()
    if os.geteuid() == 0:
        target.write_bytes(b'old')
        os.chown(target, 65534, 65533)
        bench.run('--text', *HEAP, '-o', target)
        bench.check((target.stat().st_uid, target.stat().st_gid) == (65534, 65533), f'the owner becomes {target.stat().st_uid}')
        target.unlink()


def check_inputs(bench):
    """-o names what is read."""
    profile, program = bench.out / 'profile', bench.out / 'program'
    for args in (['--proto'], ['--text'], ['--svg']):
        shutil.copy(TESTDATA / HEAP[0], program)
        shutil.copy(TESTDATA / HEAP[1], profile)
        whole = bench.run(*args, program, profile).out
        for target in profile, program:
            shutil.copy(TESTDATA / HEAP[0], program)
            shutil.copy(TESTDATA / HEAP[1], profile)
            mode = target.stat().st_mode
            bench.expect(bench.run(*args, program, profile, '-o', target), 0, left=['out/profile', 'out/program'])
            # A profile.proto has the program's build id, which is the same.
            bench.check(target.read_bytes() == whole, f'{args} -o over {target.name}: another report')
            bench.check(target.stat().st_mode == mode, f'{args} -o over {target.name}: another mode')
    profile.unlink()
    program.unlink()


def check_fifo(bench):
    fifo = bench.out / 'fifo'
    os.mkfifo(fifo)
    for name in 'svg', 'proto', 'raw':
        process = bench.start(*FORMATS[name], '-o', fifo)
        data = fifo.read_bytes()
        bench.expect(bench.finish(process), 0, left=['out/fifo'])
        bench.check(data == bench.run(*FORMATS[name]).out, f'--{name} through a FIFO: another report')
    fifo.unlink()


# ---------------------------------------------------------------------------------------------------- readers that go away

def large_profile(path, n_rows):
    """A heap profile whose --raw is long."""
    rows = [f'{i % 7 + 1}: {(i % 7 + 1) * 64} [{i % 7 + 1}: {(i % 7 + 1) * 64}] @ {0x401000 + i % 5000:#x} {0x402000 + i:#x} 0x401234\n'
            for i in range(n_rows)]
    path.write_text('heap profile: 1: 64 [1: 64] @ heapprofile\n' + ''.join(rows))
    return path


def check_readers(bench):
    """A reader that has seen enough: no message, whether the signal ends the writer or is ignored."""
    large = large_profile(bench.scratch / 'large.heap', 4000)
    text = ['--no-cache', '-q', '--raw', large]
    for ignored, n_read in itertools.product((False, True), (0, 1, 200000)):
        for name, args in ('raw', text), ('dot', ['-q', '--dot', '--notrim', large]), ('svg', FORMATS['svg']), ('html', FORMATS['html']):
            reading, writing = os.pipe()
            if not n_read:
                os.close(reading)
            process = bench.start(*args, stdout=writing, restore_signals=not ignored)
            os.close(writing)
            n_seen = 0
            while n_read and n_seen < n_read:
                data = os.read(reading, n_read - n_seen)
                n_seen += len(data)
                if not data:
                    break
            if n_read:
                os.close(reading)
            done = bench.finish(process)
            is_whole = done.status == 0 and name in ('svg', 'html', 'dot')  # the pipe holds the rest
            bench.check(is_whole or done.status == (0 if ignored else -signal.SIGPIPE), f'a reader of {n_read} bytes: {done}')
            bench.expect(done, done.status)
            bench.check(not done.err, f'a reader of {n_read} bytes is told of: {done}')
    # Nobody reads the messages: the file is whole, or is not there.
    target = bench.out / 'report'
    for ignored in False, True:
        reading, writing = os.pipe()
        os.close(reading)
        process = bench.start('--disasm=build', '-o', target, '-v', *HEAP, stderr=writing, restore_signals=not ignored)
        os.close(writing)
        done = bench.finish(process)
        bench.expect(done, 0 if ignored else -signal.SIGPIPE, left=['out/report'] if ignored else [])
        target.unlink(missing_ok=True)
    for command in '"$0" --raw "$1" -q | head -1', '"$0" --raw "$1" -q | true', '"$0" --svg "$1" -q | head -c 10':
        done = subprocess.run(['sh', '-c', command, bench.pprof, large], env=bench.environment(), capture_output=True,
                              timeout=harness.TIMEOUT, check=False)
        bench.check(done.returncode == 0 and not done.stderr, done)


# ---------------------------------------------------------------------------------------------------- signals

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1]


def deadly():
    """What a background job may have ignored is not; and nothing is dumped."""
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def scenarios(bench):
    """(name, arguments, environment): what takes some time, each in another part of the tool."""
    large = large_profile(bench.scratch / 'large.heap', 10000 if bench.is_quick else 60000)
    out = ['-o', bench.out / 'report']
    return {
        'reading': ['-q', '--text', large, *out],
        'writing': ['-q', '--raw', large, *out],
        'symbols and cache': ['-q', '--text', *bench.cached, *out],
        'graphviz': ['-q', '--svg', '--nodecount=300', *bench.cached, *out],
        'pages': ['-q', '--html', *bench.cached, *out],
        'objdump': ['-q', '--disasm=outer_00', *bench.cached, *out],
        'viewer': ['-q', '--gv', *HEAP],
    }


def check_signals(bench):
    """At many moments: ended by that signal, the old file as it was, no part of another, and nobody left behind."""
    target = bench.out / 'report'
    env = {'PATH': f'{TESTDATA}/viewers:/usr/bin:/bin'}
    for name, args in scenarios(bench).items():
        def empty():
            shutil.rmtree(bench.scratch / 'cache' / 'pprof', ignore_errors=True)
        empty()
        start = time.monotonic()
        bench.run(*args, env=env)
        took = time.monotonic() - start
        n_moments, ended = 12 if bench.is_quick else 24, 0
        whole = target.read_bytes() if '-o' in args else None
        for i in range(n_moments):
            empty()
            number = ENDING[i % len(ENDING)]
            if whole is not None:
                target.write_bytes(b'old')
            process = bench.start(*args, env=env, preexec_fn=deadly)
            time.sleep(took * i / n_moments)
            process.send_signal(number)
            done = bench.finish(process)
            ended += done.status == -number
            if done.status == 0:
                took *= 0.8  # the first run was slower
            bench.expect(done, done.status, left=['out/report'] if whole is not None else [])
            bench.check(done.status in (0, -number), f'{name}, {number!r}: {done}')
            bench.check(not done.err, f'{name}, {number!r}: {done}')
            if whole is not None:
                # It may end after the report is there.
                bench.check(target.read_bytes() in ([b'old', whole] if done.status else [whole]),
                            f'{name}, {number!r}: a part of a file is left: {done}')
        bench.check(ended > 2, f'{name}: only {ended} of {n_moments} signals came in time')
        target.unlink(missing_ok=True)


# System calls that begin or end what could be left behind.
CALLS = ('openat', 'fchmod', 'fchown', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'mkdir', 'pipe2', 'clone', 'clone3',
         'vfork', 'rt_sigprocmask', 'wait4', 'prctl', 'getrandom', 'write', 'close', 'readlink', 'poll', 'clock_nanosleep')


def check_each_call(bench):
    """A signal at each of these calls: one run for each."""
    tracer = [shutil.which('strace') or 'strace', '-qq', '-o', '/dev/null', '-e']
    if bench.is_quick or not shutil.which('strace') or subprocess.run(
            [*tracer, 'inject=close:signal=CONT', 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip('there is no strace, or nothing can be traced here')
    target = bench.out / 'report'
    env = {'PATH': f'{TESTDATA}/viewers:/usr/bin:/bin'}
    for args, left in ((['--svg', *HEAP, '-o', target], ['out/report']), (['--disasm=inl_inner', *HEAP, '-o', target], ['out/report']),
                       (['--gv', *HEAP], []), (['--text', *bench.cached, '-o', target], ['out/report'])):
        n_ended = 0
        for call in CALLS:
            for k in itertools.count(1):
                if left:
                    target.write_bytes(b'old')
                shutil.rmtree(bench.scratch / 'cache' / 'pprof', ignore_errors=True)
                done = bench.run('-q', *args, prefix=[*tracer, f'inject={call}:signal=TERM:when={k}'], env=env, preexec_fn=deadly)
                bench.expect(done, done.status, left=left)
                bench.check(done.status in (0, -signal.SIGTERM) and not done.err, f'{call} {k}: {done}')
                if done.status == 0:
                    break
                n_ended += 1
        bench.check(n_ended > 50, f'only {n_ended} signals came in time: {args}')
        target.unlink(missing_ok=True)


def check_ignored(bench):
    """What the parent ignores stays ignored, and who is stopped goes on."""
    for name in 'svg', 'disasm', 'html', 'proto':
        whole = bench.run(*FORMATS[name]).out
        process = bench.start(*FORMATS[name], preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ENDING])
        for number in ENDING * 3:
            process.send_signal(number)
            time.sleep(0.002)
        done = bench.finish(process)
        bench.expect(done, 0)
        bench.check(done.out == whole, f'signals that are ignored: another report: {done}')
        process = bench.start(*FORMATS[name])
        for _ in range(10):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.002)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.002)
        done = bench.finish(process)
        bench.expect(done, 0)
        bench.check(done.out == whole, f'stopped and continued: another report: {done}')


class Slow:
    """An objdump that works until it is told to end; nobody but its starter waits for it."""

    def __init__(self, bench):
        self.started = bench.scratch / 'tmp' / 'started'
        self.path = bench.scratch / 'objdump'
        self.path.write_text('#!/bin/sh\ntouch "$TMPDIR/started"\nwhile [ -e "$TMPDIR/started" ]; do sleep 0.01; done\n')
        self.path.chmod(0o755)
        self.args = ['--disasm=build', f'--tools=objdump:{self.path}', *HEAP]

    def wait(self, process):
        while not self.started.exists() and process.poll() is None:
            time.sleep(0.001)

    def end(self):
        self.started.unlink(missing_ok=True)


def check_folder_that_goes(bench):
    """The folder disappears, and its name is taken, while the report is made."""
    slow, folder = Slow(bench), bench.out / 'folder'
    for again in False, True:
        folder.mkdir()
        process = bench.start(*slow.args, '-o', folder / 'report')
        slow.wait(process)
        shutil.rmtree(folder)
        if again:
            folder.mkdir()
        slow.end()
        bench.expect(bench.finish(process), 2, f'pprof: error: {folder}/report: the output cannot be written: No such file or directory')
        if again:
            folder.rmdir()


def check_helpers(bench):
    """Whoever works for pprof ends with it: objdump, the process of a command of the shell, graphviz."""
    slow, target = Slow(bench), bench.out / 'report'
    target.write_bytes(b'old')
    for number in ENDING:
        for typed in None, f'tools=objdump:{slow.path}\ndisasm build > {target}\n'.encode():
            args = ['--interactive', '-q', *HEAP] if typed else [*slow.args, '-o', target]
            process = bench.start(*args, stdin=subprocess.PIPE, preexec_fn=deadly)
            process.stdin.write(typed or b'')
            process.stdin.flush()
            slow.wait(process)
            bench.check(len(bench.litter()) == 3, f'the test tests nothing: {bench.litter()}')
            process.send_signal(number)
            process.wait(harness.TIMEOUT)
            bench.reap(process.args)
            slow.end()
            done = bench.finish(process)
            bench.expect(done, -number, left=['out/report'])
            bench.check(target.read_bytes() == b'old', f'the old file is gone: {done}')
    target.unlink()
    for number in signal.SIGKILL, signal.SIGTERM:
        process = bench.start('--svg', '--lines', '--notrim', *bench.cached, preexec_fn=deadly)
        children = pathlib.Path(f'/proc/{process.pid}/task/{process.pid}/children')
        while children.exists() and not children.read_text() and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(number)
        bench.expect(bench.finish(process), -number)


CHECKS = [check_dev_full, check_closed, check_limit, check_full, check_permissions, check_links, check_modes, check_inputs,
          check_fifo, check_readers, check_signals, check_each_call, check_ignored, check_folder_that_goes, check_helpers]


def used():
    """Seconds of processor time of what was run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_checks(bench, checks):
    for check in checks:
        start, used_before, n_before = time.monotonic(), used(), len(bench.faults)
        try:
            check(bench)
        except Failure as fault:
            bench.faults.append(str(fault))
        except Skip as skip:
            print(f'skipped: {check.__name__}: {skip}')
        for fault in bench.faults[n_before:]:
            print(f'{check.__name__}: {fault}')
        print(f'{check.__name__}: {time.monotonic() - start:.1f} s, {used() - used_before:.1f} s of processor time')


def main(pprof, names, is_quick):
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix='outputs-') as scratch:
        bench = Bench(pprof, scratch, is_quick)
        run_checks(bench, [check for check in CHECKS if not names or check.__name__.removeprefix('check_') in names])
    print(f'{bench.n_runs} runs, {len(bench.faults)} faults, {used():.0f} s of processor time')
    return 1 if bench.faults else 0


def main_on_full(pprof):
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix='outputs-') as scratch:
        bench = Bench(pprof, scratch)
        on_full(bench)
        subprocess.run(['umount', '-l', bench.scratch / 'full'], check=True)
    print('\n'.join([*bench.faults, str(bench.n_runs)]))


if __name__ == '__main__':
    if sys.argv[1] == '--full':
        main_on_full(os.path.abspath(sys.argv[2]))
        sys.exit()
    words = [word for word in sys.argv[1:] if word != '--quick']
    sys.exit(main(os.path.abspath(words[0]), words[1:], '--quick' in sys.argv))
