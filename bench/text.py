#!/usr/bin/env python3
"""pprof --text against google-pprof --text on one snapshot, in turn.

    bench/text.py PPROF [ROWS|PROFILE] [RUNS]

Takes PROFILE, or makes a snapshot of ROWS (10,000) rows with stacks of 10 to 30 frames, whose addresses are call sites of
this host's libc and libstdc++; then runs both tools RUNS (5) times, one after the other, and prints the medians of wall
clock, processor time and peak memory, and of the ratios pair by pair. Needs google-perftools, binutils and time.
"""

import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time


def call_sites(path):
    """The return addresses of every call in .text."""
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", path], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    sites, after_call = [], False
    for line in text.splitlines():
        match = re.match(r"\s+([0-9a-f]+):\s+(\S+)", line)
        if not match:
            continue
        if after_call:
            sites.append(int(match[1], 16))
        after_call = match[2].startswith("call")
    return sites


def segments(path):
    """(file offset, virtual address, size in memory, flags) of each loadable segment."""
    text = subprocess.run(["readelf", "-lW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        field = line.split()
        if field and field[0] == "LOAD":
            yield int(field[1], 16), int(field[2], 16), int(field[5], 16), "".join(field[6:-1])


def map_rows(path, base):
    for offset, vaddr, size, flags in segments(path):
        start, end = (base + vaddr) & ~0xFFF, (base + vaddr + size + 0xFFF) & ~0xFFF
        perms = "".join(c.lower() if c in flags else "-" for c in "RWE").replace("e", "x") + "p"
        yield f"{start:012x}-{end:012x} {perms} {offset & ~0xfff:08x} 08:01 1 {path}\n"


def library(name):
    text = subprocess.run(["ldconfig", "-p"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return os.path.realpath(re.search(rf"\s{re.escape(name)} .*=> (\S+)", text)[1])


def make_snapshot(path, rows, sites=None):
    """sites: how many call sites are taken of which object; 2,000 of libc and of libstdc++, unless it is said."""
    sites = sites or {library("libc.so.6"): 2000, library("libstdc++.so.6"): 2000}
    rnd = random.Random(2)
    bases = {file: 0x7FFFF0000000 + (i << 28) for i, file in enumerate(sites)}
    pool = [base + site for file, base in bases.items() for site in rnd.sample(call_sites(file), sites[file])]
    body, total = [], [0, 0]
    for _ in range(rows):
        n, size = rnd.randrange(1, 100), 16 << rnd.randrange(10)
        stack = " ".join(f"0x{address:08x}" for address in rnd.choices(pool, k=rnd.randrange(10, 31)))
        body.append(f"{n:6}: {n * size:8} [{n:6}: {n * size:8}] @ {stack}\n")
        total = [total[0] + n, total[1] + n * size]
    with open(path, "w", encoding="ascii") as file:
        file.write(f"heap profile: {total[0]:6}: {total[1]:8} [{total[0]:6}: {total[1]:8}] @ heapprofile\n")
        file.writelines(body)
        file.write("\nMAPPED_LIBRARIES:\n")
        for library_path, base in bases.items():
            file.writelines(map_rows(library_path, base))


def program():
    """google-pprof wants one, and takes any that is in the map."""
    return library("libc.so.6")


def run(command, stdin=subprocess.DEVNULL):
    """Wall clock and processor seconds, and peak memory in MB, of one run and its children."""
    with tempfile.NamedTemporaryFile("r", encoding="ascii") as peak:
        # The memory of a process counts as a peak of those that it starts, and time has little.
        timed = ["/usr/bin/time", "-f", "%M", "-o", peak.name, *command]
        begin = time.monotonic()
        process = subprocess.Popen(timed, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        if status:
            sys.exit(f"{command[0]}: ended with status {status}")
        return wall, usage.ru_utime + usage.ru_stime, int(peak.read()) / 1024


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    wanted = sys.argv[2] if len(sys.argv) > 2 else "10000"
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as folder:
        snapshot, what = wanted, wanted
        if wanted.isdigit():
            snapshot = os.path.join(folder, "bench.heap")
            what = f"{wanted} rows"
            make_snapshot(snapshot, int(wanted))
        commands = [[tool, "--text", program(), snapshot] for tool in (sys.argv[1], "google-pprof")]
        run(commands[0])
        results = [[run(command) for command in commands] for _ in range(runs)]
    print(f"{what}, {runs} runs in turn; medians")
    print(f"{'':14}{'wall s':>10}{'cpu s':>10}{'peak MB':>10}")
    for at, name in enumerate(["pprof", "google-pprof"]):
        print(f"{name:14}" + "".join(f"{statistics.median(r[at][k] for r in results):10.3f}" for k in range(3)))
    print(f"{'ratio':14}" + "".join(f"{statistics.median(r[0][k] / r[1][k] for r in results):10.4f}" for k in range(3)))


if __name__ == "__main__":
    main()
