#!/usr/bin/env python3
"""How long each report of pprof takes, and google/pprof's where it has the same one.

    bench/reports.py PPROF PROFILE [RUNS [GOOGLE_PPROF]]

Runs each report of PROFILE RUNS (5) times, all in turn, and prints the medians of wall clock and processor time and the
bytes that were written; then google/pprof's processor time, and pprof's as a part of it. No tool looks for names.
"""

import os
import statistics
import subprocess
import sys
import tempfile

import text

REPORTS = {
    "text": None,
    "top": "top",
    "tree": "tree",
    "peek=.": None,  # the peer finds no match where nothing has a name
    "traces": "traces",
    "dot": "dot",
    "svg": "svg",
    "callgrind": "callgrind",
    "collapsed": None,
    "stacks": None,
    "speedscope": None,
    "json": None,
    "csv": None,
    "raw": "raw",
    "proto": "proto",
}


def measure(commands, runs):
    """The first run of each is a warm-up."""
    results = [[text.run(command) for command in commands] for _ in range(runs + 1)][1:]
    return [[statistics.median(run[at][k] for run in results) for k in range(2)] for at in range(len(commands))]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pprof, profile = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    peer = sys.argv[4] if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out")
        print(f"{runs} runs in turn; medians")
        print(f"{'':12}{'wall s':>8}{'cpu s':>8}{'MB':>8}{'peer cpu s':>12}{'ratio':>8}")
        for name, other in REPORTS.items():
            commands = [[pprof, "-q", "--symbolize=none", "-o", path, "--" + name, profile]]
            if peer and other:
                commands.append([peer, "-symbolize=none", "-output", os.path.join(folder, "peer"), "-" + other, profile])
            subprocess.run(commands[0], check=True)
            size = os.path.getsize(path) / 1e6
            (wall, cpu), *theirs = measure(commands, runs)
            row = f"{name:12}{wall:8.3f}{cpu:8.3f}{size:8.1f}"
            print(row + "".join(f"{other_cpu:12.3f}{cpu / other_cpu:8.3f}" for _, other_cpu in theirs))


main()
