#!/usr/bin/env python3
"""shrink.py PPROF: a profile that becomes shorter while it is mapped ends the run with one line that names it.

The tool is stopped as soon as its map shows the file, which is cut then. Where it was already through with the file,
the run says nothing and is repeated.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TESTDATA = pathlib.Path(__file__).resolve().parent
N_TRIES = 20
N_ROWS = 500_000  # some 50 MB: a hundredth of the time that they take is enough to be noticed
NAME, SHOWN = 'cut\x1b[31m\nhere.heap', r'cut\x1b[31m\x0ahere.heap'


def write_profile(path):
    row = '     1:  8388608 [     2: 16777216] @ 0x00401051 0x004010fb 0x00401234\n'
    path.write_text(f'heap profile: {N_ROWS}: {N_ROWS * 8388608} [ {N_ROWS}: {N_ROWS * 16777216}] @ heapprofile\n' +
                    row * N_ROWS)


def stop_when_mapped(process, path):
    """False: it ended, and the file was not seen."""
    inode = str(path.stat().st_ino).encode()
    while process.poll() is None:
        maps = pathlib.Path(f'/proc/{process.pid}/maps').read_bytes()
        if any(inode in line.split()[4:5] for line in maps.splitlines()):
            process.send_signal(signal.SIGSTOP)
            return True
    return False


def wait_until_stopped(process):
    while b'\nState:\tT' not in pathlib.Path(f'/proc/{process.pid}/status').read_bytes():
        if process.poll() is not None:
            return
        time.sleep(0.001)


def shrink(pprof, path, jobs):
    """What the run said and its exit status; None when the file was cut too late."""
    write_profile(path)
    command = [pprof, '--no-cache', f'--jobs={jobs}', '--text', TESTDATA / 'elf' / 'shapes', path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        if stop_when_mapped(process, path):
            wait_until_stopped(process)
            os.truncate(path, 4096)
            process.send_signal(signal.SIGCONT)
        out, err = process.communicate()
    if process.returncode == 0 and out:
        return None
    return out, err.decode(), process.returncode


def main(pprof):
    with tempfile.TemporaryDirectory(prefix='shrink-') as folder:
        path = pathlib.Path(folder, NAME)
        expected = b'', f'pprof: error: {folder}/{SHOWN}: became shorter while it was read\n', 2
        for jobs in 1, 4:
            answers = (shrink(pprof, path, jobs) for _ in range(N_TRIES))
            answer = next(filter(None, answers), 'never cut in time')
            if answer != expected:
                print(f'--jobs={jobs}: expected {expected}, found {answer}')
                return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1])))
