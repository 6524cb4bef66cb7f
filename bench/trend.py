#!/usr/bin/env python3
"""pprof --trend over many snapshots, against as many runs of its own, and against google-pprof, which sums them up.

    bench/trend.py PPROF [SNAPSHOTS [PROGRAM PROFILE...]] [--runs=N]

Takes the profiles, or makes SNAPSHOTS (100) of one profile (heap_v1 text), or of one that it makes of call sites of this
host's libc and libstdc++, of about 1 MB: rows that are there from the start, rows that begin later, rows that end, with
counts that grow or vary. Each command runs RUNS (5) times, in turn with the others: with a cold and a warm symbol cache,
by stack, by line, and on each snapshot alone. Prints the medians of wall clock, processor time and peak memory. Needs time;
google-perftools where the peer shall run once.
"""

import os
import random
import re
import shutil
import statistics
import sys
import tempfile

import text

ROW = re.compile(rb"^ *(\d+): +(\d+) \[ *\d+: +\d+\] @(.*)$")
SEED = 7


def vary(rnd, snapshots):
    """By snapshot: how many times the count of the profile a row has there, in use and ever allocated."""
    begin = rnd.choice([0, 0, 0, rnd.randrange(snapshots)])
    end = rnd.choice([snapshots, snapshots, snapshots, rnd.randrange(begin, snapshots) + 1])
    grows = rnd.random() < 0.2
    held = [0 if not begin <= at < end else 1 + (at - begin if grows else rnd.randrange(3)) for at in range(snapshots)]
    allocated, sums = 0, []
    for now, before in zip(held, [0, *held]):
        allocated += max(0, now - before) + (1 if now else 0)
        sums.append(max(now, allocated))
    return list(zip(held, sums))


def write_series(profile, folder, snapshots):
    """Snapshots that look like this profile; their paths."""
    with open(profile, "rb") as file:
        head, *lines = file.read().split(b"\n")
    rnd = random.Random(SEED)
    rows = {at: (int(match[1]), int(match[2]), match[3]) for at, match in enumerate(map(ROW.match, lines)) if match}
    lives = {at: vary(rnd, snapshots) for at in rows}
    label = head[head.index(b"@"):]
    paths = []
    for k in range(snapshots):
        body, total = [], [0] * 4
        for at, line in enumerate(lines):
            if at not in rows:
                body.append(line)
                continue
            (count, size, stack), (held, allocated) = rows[at], lives[at][k]
            numbers = [count * held, size * held, count * allocated, size * allocated]
            total = [a + b for a, b in zip(total, numbers)]
            if allocated:
                body.append(b"%6d: %8d [%6d: %8d] @%s" % (*numbers, stack))
        paths.append(os.path.join(folder, f"server.{k + 1:04}.heap"))
        with open(paths[-1], "wb") as file:
            file.write(b"heap profile: %6d: %8d [%6d: %8d] %s\n" % (*total, label) + b"\n".join(body))
    return paths


class Cache:
    """A folder for symbols, which the next runs of pprof use."""

    def __init__(self, folder):
        self.folder = folder
        os.environ["XDG_CACHE_HOME"] = folder

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)


def add(results):
    """Of several runs one after the other."""
    return sum(r[0] for r in results), sum(r[1] for r in results), max(r[2] for r in results)


def measure(pprof, program, paths, cache, runs):
    trend = [pprof, "--trend", program, *paths]
    results = {name: [] for name in ("cold", "warm", "by stack", "lines", "sum", "each alone")}
    for _ in range(runs):
        cache.clear()
        results["cold"].append(text.run(trend))
        results["warm"].append(text.run(trend))
        results["by stack"].append(text.run([*trend, "--by=stack"]))
        results["lines"].append(text.run([*trend, "--lines"]))
        results["sum"].append(text.run([pprof, "--text", program, *paths]))
        results["each alone"].append(add([text.run([pprof, "--text", program, path]) for path in paths]))
    if shutil.which("google-pprof"):
        results["google-pprof, sum"] = [text.run(["google-pprof", "--text", program, *paths])]
    return results


def main():
    runs = [int(word.partition("=")[2]) for word in sys.argv[1:] if word.startswith("--runs=")]
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if not words:
        sys.exit(__doc__)
    pprof, snapshots, *given = [*words, "100"][:2] + words[2:]
    program, *paths = given or [text.program()]
    with tempfile.TemporaryDirectory() as folder:
        if not paths:
            paths = [os.path.join(folder, "model.heap")]
            text.make_snapshot(paths[0], 4000)
        if len(paths) == 1:
            paths = write_series(paths[0], folder, int(snapshots))
        results = measure(pprof, program, paths, Cache(os.path.join(folder, "cache")), (runs or [5])[0])
        size = sum(map(os.path.getsize, paths)) / 1e6
    print(f"{len(paths)} snapshots, {size:.0f} MB, {len(results['warm'])} runs in turn; medians")
    print(f"{'':20}{'wall s':>10}{'cpu s':>10}{'peak MB':>10}{'of warm':>10}")
    for name, found in results.items():
        medians = [statistics.median(result[k] for result in found) for k in range(3)]
        ratio = statistics.median(a[0] / b[0] for a, b in zip(found, results["warm"]))
        print(f"{name:20}" + "".join(f"{value:10.3f}" for value in medians) + f"{ratio:10.1f}")


if __name__ == "__main__":
    main()
