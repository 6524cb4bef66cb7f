#!/usr/bin/env python3
"""How long pprof takes to read, beside what only touches the same bytes.

    bench/read.py PPROF FOLDER [ROWS] [RUNS]

Makes in FOLDER, unless they are there: large.heap of ROWS (1,000,000) distinct stacks, tenth.heap of a tenth of them,
tenth.pb.gz (tenth.heap by --proto) and a hundred small snapshots of ten stacks. Runs each command RUNS (5) times, all in
turn, and prints the medians of wall clock, processor time and peak memory; of the last, what the mapped file itself takes
is shown apart.
"""

import os
import statistics
import subprocess
import sys

import text


def make(pprof, folder, rows):
    os.makedirs(folder, exist_ok=True)
    names = {"large.heap": rows, "tenth.heap": rows // 10}
    names |= {f"small.{i:04}.heap": 10 for i in range(1, 101)}
    paths = {name: os.path.join(folder, name) for name in names}
    for name, n in names.items():
        if not os.path.exists(paths[name]):
            text.make_snapshot(paths[name], n)
    proto = os.path.join(folder, "tenth.pb.gz")
    if not os.path.exists(proto):
        subprocess.run([pprof, "-q", "--proto", "-o", proto, paths["tenth.heap"]], check=True)
    return [
        ("large.heap", [pprof, "--text", paths["large.heap"]]),
        ("tenth.heap", [pprof, "--text", paths["tenth.heap"]]),
        ("gunzip of tenth.pb.gz", ["gzip", "-dc", proto]),
        ("tenth.pb.gz", [pprof, "--text", proto]),
        ("one small snapshot", [pprof, "--text", paths["small.0001.heap"]]),
        ("100 small snapshots", [pprof, "--text", *sorted(p for n, p in paths.items() if n.startswith("small"))]),
    ]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 1000000
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    commands = make(sys.argv[1], sys.argv[2], rows)
    results = [[text.run(command) for _, command in commands] for _ in range(runs + 1)][1:]
    print(f"{runs} runs in turn; medians")
    print(f"{'':24}{'wall s':>10}{'cpu s':>10}{'peak MB':>10}{'file MB':>10}")
    for at, (name, command) in enumerate(commands):
        medians = [statistics.median(r[at][k] for r in results) for k in range(3)]
        size = sum(os.path.getsize(word) for word in command[2:] if os.path.exists(word)) / (1 << 20)
        print(f"{name:24}" + "".join(f"{m:10.3f}" for m in medians) + f"{size:10.1f}")


main()
