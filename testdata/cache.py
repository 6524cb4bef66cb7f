#!/usr/bin/env python3
"""Checks that the symbol cache changes no answer, whatever lies in its place, and that it is used.

cache.py PPROF   builds a library of many functions, asks for the names of all its addresses again and again, and compares
                 each answer with that of --no-cache
"""

import concurrent.futures
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import harness

N_FUNCTIONS = 800
REPORTS = (['--text', '--lines', '--show_bytes'], ['--traces'])
START = 0x7f0000000000
NOWHERE = '/proc'  # nobody, root neither, makes a folder there


def function(number, attribute):
    """Some of its addresses lie in an inlined call."""
    return (f'static inline __attribute__((always_inline)) int inner_{number:04}(int x)\n'
            f'{{\n\treturn x * {number + 3} ^ {number};\n}}\n\n'
            f'{attribute}int outer_{number:04}(int x)\n{{\n\treturn inner_{number:04}(x + 1) % 7;\n}}\n\n')


def source():
    """Each second function has no name any more once the library is stripped."""
    return ''.join(function(i, '' if i % 2 else '__attribute__((visibility("hidden"))) ') for i in range(N_FUNCTIONS))


class Bench:
    """A library, the profiles of its addresses, and a folder for the cache."""

    def __init__(self, pprof, folder):
        self.pprof, self.folder = pprof, pathlib.Path(folder)
        self.library = self.folder / 'lib.so'
        self.home = self.folder / 'cache'
        self.build()
        self.all, self.half = self.profile('all', 1), self.profile('half', 2)

    def tool(self, *command):
        subprocess.run(command, cwd=self.folder, check=True)

    def build(self):
        (self.folder / 'lib.c').write_text(source())
        self.tool(os.environ.get('CC') or 'cc', '-g', '-O1', '-fPIC', '-shared', '-nostdlib', '-Wl,--build-id', '-o',
                  self.library, 'lib.c')

    def profile(self, name, step):
        """A snapshot that allocates at every fourth address of the functions, or of each second function."""
        lines = subprocess.run(['nm', '-n', self.library], check=True, capture_output=True, text=True).stdout.split('\n')
        starts = [int(line.split()[0], 16) for line in lines if ' outer_' in line]
        pairs = list(zip(starts, starts[1:]))[::step]
        rows = [f'1: 8 [1: 8] @ {START + at + 1:#x}' for start, end in pairs for at in range(start, end, 4)]
        path = self.folder / name
        path.write_text('\n'.join([
            f'heap profile: {len(rows)}: {8 * len(rows)} [{len(rows)}: {8 * len(rows)}] @ heapprofile', *rows,
            'MAPPED_LIBRARIES:', f'{START:x}-{START + (1 << 24):x} r-xp 00000000 08:01 1 /srv/lib.so', '']))
        return path

    def environment(self, home):
        return {**harness.environment(str(self.folder), 'C'), 'XDG_CACHE_HOME': str(home or self.home)}

    def ask(self, *args, profile=None, home=None, **options):
        """(stdout, stderr, exit status)"""
        return harness.run([self.pprof, *args, self.library, profile or self.all], env=self.environment(home),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def files(self):
        return sorted((self.home / 'pprof').glob('*')) if self.home.exists() else []

    def file(self):
        """The one file of the cache; nothing else may lie there."""
        files = self.files()
        if len(files) != 1 or files[0].suffix != '.v1':
            raise harness.Failure(f'expected one file in the cache, found {[path.name for path in files]}')
        return files[0]

    def empty(self):
        shutil.rmtree(self.home, ignore_errors=True)

    def is_used(self):
        return b'Using symbol cache' in self.ask('-v', '--text')[1]


def expect(is_so, what):
    if not is_so:
        raise harness.Failure(what)


def check_same(bench, what, **options):
    """The answers are those of --no-cache."""
    for report in REPORTS:
        expected = bench.ask('--no-cache', *report)
        found = bench.ask(*report, **options)
        if found != expected:
            raise harness.Failure(f'{what}: another answer\n' + harness.diff(
                b''.join(expected[:2]), b''.join(found[:2]), '--no-cache', what))


# ---------------------------------------------------------------------------------------------------- checks

def check_untouched_without(bench):
    bench.empty()
    text = bench.ask('--no-cache', *REPORTS[0])[0]
    expect(not bench.home.exists(), '--no-cache wrote')
    expect(b'inner_0001' in text and b'outer_0001' in text, 'the names are not there')


def check_cold_and_warm(bench):
    bench.empty()
    check_same(bench, 'cold, then warm')
    file = bench.file()
    before = file.stat().st_mtime_ns, file.read_bytes()
    check_same(bench, 'warm')
    expect(bench.is_used(), 'the second run does not use the cache')
    expect((file.stat().st_mtime_ns, file.read_bytes()) == before, 'a run with nothing new wrote')


def check_grows(bench):
    """Known addresses and new ones together; in the end the file is that of one run."""
    whole = bench.file().read_bytes()
    bench.empty()
    bench.ask('--text', profile=bench.half)
    expect(len(bench.file().read_bytes()) < len(whole), 'half of the addresses are as many as all')
    check_same(bench, 'half warm')
    expect(bench.file().read_bytes() == whole, 'the order of runs is in the file')


def check_jobs(bench):
    whole = bench.file().read_bytes()
    for jobs in '--jobs=1', '--jobs=4':
        bench.empty()
        bench.ask('--text', jobs)
        expect(bench.file().read_bytes() == whole, f'{jobs} writes other bytes')


def check_damage(bench):
    """Damaged or foreign: ignored, and replaced by a good one."""
    file, whole = bench.file(), bench.file().read_bytes()
    middle = len(whole) // 2
    for what, data in (('a flipped bit', whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1:]),
                       ('a cut file', whole[:middle]), ('an empty file', b''), ('another file', b'x' * 1000),
                       ('a longer file', whole + b'\0'), ('a later version', whole[:7] + b'2' + whole[8:])):
        file.write_bytes(data)
        expect(not bench.is_used(), f'{what} is believed')
        file.write_bytes(data)
        check_same(bench, what)
        expect(bench.file().read_bytes() == whole, f'{what} is not replaced')


def check_places(bench):
    """A link and a FIFO are not followed, and nobody waits."""
    file, whole = bench.file(), bench.file().read_bytes()
    target = bench.folder / 'target'
    target.write_bytes(whole)
    file.unlink()
    file.symlink_to(target)
    expect(not bench.is_used(), 'a link is followed')
    file.unlink()
    os.mkfifo(file)
    check_same(bench, 'a FIFO')
    expect(target.read_bytes() == whole, 'the target of a link was written to')
    expect(bench.file().read_bytes() == whole, 'a FIFO is not replaced')


def no_room():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))


def check_no_room(bench):
    """A full disk, and folders in which nobody may write."""
    bench.empty()
    check_same(bench, 'a full disk', preexec_fn=no_room)
    expect(not bench.files(), 'a half file is left')
    check_same(bench, 'no folder', home=NOWHERE)
    (bench.home / 'pprof').mkdir(parents=True, exist_ok=True)
    os.chmod(bench.home / 'pprof', 0o500)
    check_same(bench, 'a read-only folder')
    os.chmod(bench.home / 'pprof', 0o777)
    bench.ask('--text')
    expect(not bench.is_used(), 'a folder that everybody writes to is believed')
    bench.empty()


def check_together(bench):
    bench.empty()
    expected = bench.ask('--no-cache', '--text')
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: bench.ask('--text'), range(4)):
            expect(found == expected, 'four at once: another answer')
    bench.file()
    expect(bench.is_used(), 'four at once: the cache is damaged')


def rename_functions(path, time_ns):
    """Other names in a file of the same size and build id."""
    path.write_bytes(path.read_bytes().replace(b'inner_', b'other_'))
    os.utime(path, ns=(time_ns, time_ns))


def check_key(bench, path):
    """The answers come from the cache, as long as the file at path seems to be the same, and no longer."""
    bench.empty()
    time_ns = path.stat().st_mtime_ns
    old = bench.ask(*REPORTS[0])
    rename_functions(path, time_ns)
    new = bench.ask('--no-cache', *REPORTS[0])
    expect(b'inner_0001' in old[0] and b'other_0001' in new[0], 'the names did not change')
    expect(bench.ask(*REPORTS[0]) == old, 'the names do not come from the cache')
    rename_functions(path, time_ns + 1)
    expect(bench.ask(*REPORTS[0]) == new, f'the cache is believed though {path.name} has another time')
    expect(bench.ask(*REPORTS[0]) == new, 'the new names are not kept')


def check_object_key(bench):
    check_key(bench, bench.library)
    bench.build()


def check_debug_key(bench):
    debug = bench.folder / 'lib.debug'
    bench.tool('objcopy', '--only-keep-debug', 'lib.so', 'lib.debug')
    bench.tool('strip', '--strip-all', 'lib.so')
    bench.tool('objcopy', '--add-gnu-debuglink=lib.debug', 'lib.so')
    # Its bytes cannot change here: the object knows their checksum.
    check_same(bench, 'a separate debug file')
    expect(bench.is_used(), 'with a separate debug file the cache is not used')
    os.utime(debug, ns=(1, 1))
    expect(not bench.is_used(), 'the cache is believed though the debug file has another time')
    debug.unlink()
    check_same(bench, 'the debug file is gone')
    expect(b'inner_' not in bench.ask('--text')[0], 'names of a debug file that is gone')
    bench.build()


def check_damaged_object(bench):
    """What is told of damage is told each time."""
    headers = subprocess.run(['objdump', '-h', bench.library], check=True, capture_output=True, text=True).stdout
    size, offset = (int(re.search(r'\.debug_info +(\w+) +\w+ +\w+ +(\w+)', headers)[i], 16) for i in (1, 2))
    data = bytearray(bench.library.read_bytes())
    data[offset + size // 2:offset + size // 2 + 64] = b'\xff' * 64
    bench.library.write_bytes(data)
    expect(b'lib.so' in bench.ask('--no-cache', '--text')[1], 'nothing is told of the damage')
    check_same(bench, 'damaged debug information')
    check_same(bench, 'damaged debug information, once more')
    bench.build()


def check_version(bench):
    def said(home, *args):
        env = {**bench.environment(home), 'HOME': ''}
        return harness.run([bench.pprof, '--version', *args], env=env, stdout=subprocess.PIPE)[0].decode().splitlines()[1:]

    expect(said(None) == [], '--version alone speaks of the cache')
    expect(said(None, '-v') == [f'Symbol cache: {bench.home}/pprof'], 'not where the cache lies')
    expect(said('relative', '-v')[0].startswith('Symbol cache: none (neither'), 'a relative folder is taken')
    for spelling in '--no-cache', '--no_cache', '--nocache', '--cache=false':
        expect(said(None, '-v', spelling) == ['Symbol cache: none (--no-cache)'], f'{spelling} is not obeyed')
    expect(said(None, '-v', '--cache') == [f'Symbol cache: {bench.home}/pprof'], '--cache is not obeyed')


CHECKS = (check_version, check_untouched_without, check_cold_and_warm, check_grows, check_jobs, check_damage, check_places,
          check_no_room, check_together, check_object_key, check_debug_key, check_damaged_object)


def main(pprof):
    n_failed = 0
    with tempfile.TemporaryDirectory(prefix='cache-') as folder:
        bench = Bench(os.path.abspath(pprof), os.path.realpath(folder))
        for check in CHECKS:
            try:
                check(bench)
                print(f'ok      {check.__name__}')
            except harness.Failure as fault:
                n_failed += 1
                bench.build()
                print(f'FAILED  {check.__name__}: {fault}')
    print(f'{len(CHECKS) - n_failed} passed, {n_failed} failed')
    return 1 if n_failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
