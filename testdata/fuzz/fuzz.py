#!/usr/bin/env python3
"""fuzz.py PROGRAM CORPUS DICTIONARY [OPTION...]: a libFuzzer target on a copy of its corpus.

--runs N    stops after N inputs, --seconds N after so long; equal seeds try equal inputs
--seed N    of libFuzzer's choices
--keep DIR  where new inputs that reach new code are left, and those that fail

The last line tells the inputs that were tried and how many places of the code they reached.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_MEGABYTES = 1024  # of memory, all of the sanitizer's included
MOST_SECONDS = 10  # for one input
MOST_LENGTH = 8192  # bytes of one
MOST_LINES = 60


def command(args, folder, found):
    words = [args.program, f'-seed={args.seed}', f'-artifact_prefix={found}/', '-print_final_stats=1', '-close_fd_mask=1',
             f'-rss_limit_mb={MOST_MEGABYTES}', f'-timeout={MOST_SECONDS}', f'-max_len={args.max_len}', '-reload=0']
    if args.runs:
        words.append(f'-runs={args.runs}')
    if args.seconds:
        words.append(f'-max_total_time={args.seconds}')
    if args.dictionary.exists():
        words.append(f'-dict={args.dictionary}')
    return [*words, folder, args.corpus]


def tell(args, log, status):
    runs = re.findall(r'number_of_executed_units: (\d+)', log)
    reached = re.findall(r'cov: (\d+)', log)
    if status:
        print('\n'.join(log.splitlines()[-MOST_LINES:]))
    print(f'{args.program.name}: {runs[-1] if runs else "no"} inputs tried, {reached[-1] if reached else "no"} places reached'
          f'{", one of them failed" if status else ""}')


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
        folder = args.keep / 'corpus' if args.keep else pathlib.Path(scratch)
        found = args.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, 'HOME': scratch, 'XDG_CACHE_HOME': scratch, 'TMPDIR': scratch}
        run = subprocess.run(command(args, folder, found), capture_output=True, env=environment, check=False)
        tell(args, run.stderr.decode(errors='backslashreplace'), run.returncode)
    return 1 if run.returncode else 0


if __name__ == '__main__':
    sys.exit(main())
