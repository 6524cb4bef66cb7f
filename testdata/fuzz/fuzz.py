#!/usr/bin/env python3
"""fuzz.py PROGRAM CORPUS DICTIONARY [OPTION...]: a libFuzzer target on a copy of its corpus.

--runs N    stops after N inputs, --seconds N after so long on a processor; equal seeds try equal inputs
--seed N    of libFuzzer's choices
--keep DIR  where new inputs that reach new code are left, and those that fail

The last line tells the inputs that were tried, how many places of the code they reached, and the seconds of a processor.
"""

import argparse
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

MOST_MEGABYTES = 1024  # of memory, all of the sanitizer's included
MOST_SECONDS = 25  # for one input, on a machine that may have more to do
MOST_LENGTH = 8192  # bytes of one
MOST_LINES = 60


def command(args, folder, found):
    words = [args.program, f'-seed={args.seed}', f'-artifact_prefix={found}/', '-print_final_stats=1', '-close_fd_mask=1',
             f'-rss_limit_mb={MOST_MEGABYTES}', f'-timeout={MOST_SECONDS}', f'-max_len={args.max_len}', '-reload=0']
    if args.runs:
        words.append(f'-runs={args.runs}')
    if args.dictionary.exists():
        words.append(f'-dict={args.dictionary}')
    return [*words, folder, args.corpus]


def cpu_seconds(pid):
    """Of a process that has not ended, or has not been waited for."""
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def watch(args, process):
    """libFuzzer's own limit is time by the clock, of which a busy machine gives it little."""
    while process.poll() is None:
        if args.seconds and cpu_seconds(process.pid) >= args.seconds:
            process.send_signal(signal.SIGUSR1)  # asks it to end
            process.wait()
        time.sleep(0.2)


def fuzz(args, folder, found, scratch):
    """The exit code, and what it wrote."""
    environment = {**os.environ, 'HOME': scratch, 'XDG_CACHE_HOME': scratch, 'TMPDIR': scratch}
    log = pathlib.Path(scratch) / 'log'
    with open(log, 'wb') as file, subprocess.Popen(command(args, folder, found), stderr=file, stdout=file,
                                                   env=environment) as process:
        watch(args, process)
    return process.returncode, log.read_text(errors='backslashreplace')


def tell(args, log, status):
    runs = re.findall(r'number_of_executed_units: (\d+)', log)
    reached = re.findall(r'cov: (\d+)', log)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status:
        print('\n'.join(log.splitlines()[-MOST_LINES:]))
    print(f'{args.program.name}: {runs[-1] if runs else "no"} inputs tried, {reached[-1] if reached else "no"} places reached, '
          f'{used.ru_utime + used.ru_stime:.1f} s{", one of them failed" if status else ""}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program', type=pathlib.Path)
    parser.add_argument('corpus', type=pathlib.Path)
    parser.add_argument('dictionary', type=pathlib.Path)
    parser.add_argument('--runs', type=int)
    parser.add_argument('--seconds', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--max-len', type=int, default=MOST_LENGTH)
    parser.add_argument('--keep', type=pathlib.Path)
    args = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix='fuzz-') as scratch:
        new = pathlib.Path(scratch) / 'new'
        folder, found = (args.keep / 'corpus', args.keep) if args.keep else (new, new)
        folder.mkdir(parents=True, exist_ok=True)
        status, log = fuzz(args, folder, found, scratch)
        tell(args, log, status)
    return 1 if status else 0


if __name__ == '__main__':
    sys.exit(main())
