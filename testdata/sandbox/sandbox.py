#!/usr/bin/env python3
"""sandbox.py PPROF DENY: what the kernel says of a run while it reads a profile, and when a program of its own runs.

The profile comes through a FIFO that stays open, so that the run waits in the middle of it; a script that
stands for objdump tells of itself. Exit 77 where the kernel takes no filter of system calls.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import TESTDATA, Failure, environment, run  # noqa: E402

PROGRAM = TESTDATA / 'scene/heap_profiler'
PROFILE = TESTDATA / 'scene/profile.0002.heap'
MOST_SECONDS = 20

FREE, FILTERED = '0', '2'


def status_of(pid, key):
    text = pathlib.Path(f'/proc/{pid}/status').read_text(encoding='ascii', errors='replace')
    return next((line.split()[1] for line in text.splitlines() if line.startswith(key + ':')), None)


@contextlib.contextmanager
def started(command, scratch, **options):
    with subprocess.Popen(command, env=environment(scratch, 'C'), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **options) as process:
        try:
            yield process
        finally:
            process.kill()


def state_while_reading(pprof, scratch, *options):
    """Seccomp's mode in the run, once it waits for the rest of the profile; and how it ended."""
    fifo = pathlib.Path(scratch, 'fifo')
    os.mkfifo(fifo)
    try:
        with started([pprof, *options, PROGRAM, fifo], scratch) as process:
            with open(fifo, 'wb') as out:  # waits for the run to open it
                out.write(PROFILE.read_bytes())
                out.flush()
                state = status_of(process.pid, 'Seccomp')
            process.communicate(timeout=MOST_SECONDS)
            return state, process.returncode
    finally:
        fifo.unlink()


def check_reading(pprof, scratch):
    for options, expected in [
            (['--text'], FILTERED), (['--svg'], FILTERED), (['--html'], FILTERED), (['--disasm=main'], FILTERED),
            (['--text', '--no-sandbox'], FREE), (['--svg', '--no-sandbox'], FREE)]:
        state, status = state_while_reading(pprof, scratch, *options)
        if (state, status) != (expected, 0):
            raise Failure(f'{options}: expected seccomp mode {expected} and exit 0, found {state} and {status}')


def check_objdump(pprof, scratch):
    """It has no sockets either; that it runs shows that programs were not given up before."""
    said = pathlib.Path(scratch, 'said')
    objdump = pathlib.Path(scratch, 'objdump')
    objdump.write_text(f'#!/bin/sh\ngrep ^Seccomp: /proc/self/status >>{said}\nexec {shutil.which("objdump")} "$@"\n',
                       encoding='utf-8')
    objdump.chmod(0o755)
    out, err, status = run([pprof, '--disasm=main', f'--tools=objdump:{objdump}', PROGRAM, PROFILE], env=environment(scratch, 'C'),
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if status or b'call' not in out:
        raise Failure(f'--disasm: exit {status}\n{err.decode()}')
    modes = set(said.read_text(encoding='ascii').split()[1::2])
    if modes != {FILTERED}:
        raise Failure(f'objdump: expected seccomp mode {FILTERED}, found {modes}')


def check_old_kernel(pprof, deny, scratch):
    """The report is the same, and -v says why."""
    answers = []
    for before in [], [deny, 'filters']:
        out, err, status = run([*before, pprof, '-v', '--svg', PROGRAM, PROFILE], env=environment(scratch, 'C'),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status:
            raise Failure(f'exit {status}\n{err.decode()}')
        if (b'No sandbox: ' in err) != bool(before):
            raise Failure(f'{"expected" if before else "did not expect"} a note that there is no sandbox\n{err.decode()}')
        answers.append(out)
    if answers[0] != answers[1]:
        raise Failure('without a sandbox the picture is another one')


def check_deny(deny):
    """The filter of the whole suite does kill."""
    status = subprocess.run([deny, 'sockets', sys.executable, '-c', 'import socket; socket.socket()'], check=False,
                            stderr=subprocess.DEVNULL).returncode
    if status != -31:
        raise Failure(f'deny sockets: expected SIGSYS, found {status}')


def main(pprof, deny):
    if subprocess.run([deny, 'sockets', '/bin/true'], check=False).returncode:
        print('this kernel takes no filter of system calls')
        return 77
    try:
        with tempfile.TemporaryDirectory(prefix='sandbox-') as scratch:
            check_deny(deny)
            check_reading(pprof, scratch)
            check_objdump(pprof, scratch)
            check_old_kernel(pprof, deny, scratch)
    except (Failure, OSError, subprocess.TimeoutExpired) as fault:
        print(fault)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(*map(os.path.abspath, sys.argv[1:])))
