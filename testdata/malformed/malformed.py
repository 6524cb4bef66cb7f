#!/usr/bin/env python3
"""malformed.py PPROF [OPTION...]: inputs that are wrong somewhere, made anew each time and always the same.

Whatever an input holds: the run ends with 0, 2 or 3 (1 where a pattern may match nothing, 4 at a gate), within two seconds
of CPU time (N times as many with --factor N) and 256 MB, no sanitizer speaks, stderr holds messages of pprof alone, and stdout
nothing where there is an error. Each goes through --text and, by turns, one of the other reports. Small ones of one
sample are asked for together, and one by one where something is wrong with them. No input here is larger than a few
megabytes, of which at most 16 MB, or 200 times as much, are inflated: a large legal one may take what it needs.

--share N takes each Nth; --only NAME those whose name has this in it, one by one, and --keep FOLDER leaves them there.
"""

import argparse
import collections
import os
import pathlib
import sys
import time

import beside
import bombs
import cuts
import extremes
import inputs
import masses
import objects
import regressions
from replay import Limits, Replayer

SOURCES = regressions, cuts, extremes, masses, bombs, objects, beside
LEAST = 1500


def chosen(args, counts):
    number = 0
    for source in SOURCES:
        if args.source and source.__name__ != args.source:
            continue
        for each in source.inputs():
            number += 1
            if number % args.share == 0 if not args.only else args.only in str(each):
                counts[each.group] += 1
                yield each


def alone(every):
    for number, each in enumerate(every):
        yield inputs.batch_of([each], number)


def report(counts, replayer, began):
    totals = replayer.totals
    for group, n in sorted(counts.items()):
        print(f'{n:7} {group}')
    seconds, slowest = totals.most_seconds
    kilobytes, largest = totals.most_kilobytes
    print(f'most CPU time {seconds:.2f} s: {slowest}\nmost memory {kilobytes >> 10} MB: {largest}')
    print('runs by exit status: ' + ', '.join(f'{end}: {n}' for end, n in sorted(totals.ends.items())))
    print(f'\n{counts.total()} inputs, {totals.runs} runs, {replayer.n_failed} failed; {totals.seconds:.0f} s of CPU time, '
          f'{time.monotonic() - began:.0f} s')
    if replayer.n_failed:
        print(f'one of them again: {sys.argv[0]} {replayer.pprof} --only NAME --keep FOLDER')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('pprof', type=os.path.abspath)
    parser.add_argument('--factor', type=float, default=1)
    parser.add_argument('--no-memory', action='store_true')
    parser.add_argument('--share', type=int, default=1, metavar='N')
    parser.add_argument('--one-report', action='store_true', help='--text or another, and not both')
    parser.add_argument('--every-report', action='store_true', help='what is asked for alone goes through all of them')
    parser.add_argument('--alone', action='store_true', help='each input in a run of its own')
    parser.add_argument('--source', choices=[source.__name__ for source in SOURCES])
    parser.add_argument('--only', metavar='NAME')
    parser.add_argument('--keep', type=pathlib.Path, metavar='FOLDER')
    args = parser.parse_args()

    began, counts = time.monotonic(), collections.Counter()
    inputs.Profiles.goes_everywhere = args.every_report
    replayer = Replayer(args.pprof, Limits(args.factor, not args.no_memory), args.keep, 1 if args.one_report else 99)
    every = chosen(args, counts)
    replayer.replay_all(alone(every) if args.only or args.alone else inputs.batches(every))
    report(counts, replayer, began)
    is_whole = args.only or args.source or counts.total() >= LEAST
    return 0 if is_whole and not replayer.n_failed else 1


if __name__ == '__main__':
    sys.exit(main())
