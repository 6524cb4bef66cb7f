#!/usr/bin/env python3
"""pprof --text on addresses of ceph-osd, beside llvm-symbolizer, addr2line, google-pprof and google/pprof; see symbolize.sh.

    bench/symbolize.py PPROF PPROF_WITH_ZLIB GOOGLE_PPROF [RUNS] [PROFILE...]

Takes the PROFILEs, which are of this host's ceph-osd, and a snapshot that it makes: 20,000 stacks of 10 to 30 of 20,000 call
sites. All commands run RUNS (5) times, one after the other; those that take minutes run once. Printed are the medians
of wall clock, processor time and peak memory, and the medians of pprof's ratios to llvm-symbolizer, run by run.
"""

import gzip
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import text

PROGRAM = "/usr/bin/ceph-osd"
SLOW = {"addr2line -i -f", "google-pprof", "google/pprof"}


def build_id():
    notes = subprocess.run(["readelf", "-n", PROGRAM], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"Build ID: (\w+)", notes)[1]


def debug_file(folder):
    return os.path.join(folder, ".build-id", build_id()[:2], build_id()[2:] + ".debug")


def addresses_of(profile):
    """The link-time addresses of the program's frames, one less than the return addresses."""
    with open(profile, encoding="ascii") as file:
        rows, _, maps = file.read().partition("MAPPED_LIBRARIES:")
    found = set()
    stacks = {int(word, 16) for row in rows.splitlines()[1:] for word in row.partition("@")[2].split()}
    for start, end, offset in re.findall(rf"(\w+)-(\w+) r-xp (\w+) .*{re.escape(PROGRAM)}$", maps, re.M):
        for file_offset, vaddr, size, _ in text.segments(PROGRAM):
            delta = vaddr - file_offset + int(offset, 16) - int(start, 16)
            inside = range(max(int(start, 16), vaddr - delta), min(int(end, 16), vaddr + size - delta))
            found |= {address - 1 + delta for address in stacks if address - 1 in inside}
    return sorted(found)


class Bench:
    def __init__(self, pprof, zlib, google, folder):
        self.pprof, self.zlib, self.google, self.folder = pprof, zlib, google, folder
        self.plain = os.path.join(folder, "plain")
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")

    def make_plain(self):
        """The same debug file, its sections not compressed."""
        target = debug_file(self.plain)
        os.makedirs(os.path.dirname(target))
        subprocess.run(["objcopy", "--decompress-debug-sections", debug_file("/usr/lib/debug"), target], check=True)

    def unpacked(self, profile):
        """google-pprof reads no gzip."""
        if not profile.endswith(".gz"):
            return os.path.abspath(profile)
        target = os.path.join(self.folder, os.path.basename(profile)[:-3])
        with gzip.open(profile) as packed, open(target, "wb") as file:
            shutil.copyfileobj(packed, file)
        return target

    def commands(self, profile, asked):
        """By group: (name, command, standard input)."""
        ours = [self.pprof, "--no-cache", "--text", profile]
        plain = f"--symbol-path={self.plain}"
        llvm = ["llvm-symbolizer", f"--obj={PROGRAM}", "--inlines"]
        return {
            "compressed": [
                ("llvm-symbolizer", llvm, asked),
                ("pprof", ours, None),
                ("pprof --jobs=1", [*ours, "--jobs=1"], None),
                ("pprof with zlib alone", [self.zlib, *ours[1:]], None),
                ("pprof, second run", [self.pprof, "--text", profile], None),
                ("google/pprof", [self.google, "-text", "-symbolize=force", PROGRAM, profile], None),
                ("addr2line -i -f", ["addr2line", "-i", "-f", "-C", "-e", PROGRAM], asked),
                ("google-pprof", ["google-pprof", "--text", PROGRAM, profile], None),
            ],
            "not compressed": [
                ("llvm-symbolizer", [*llvm, f"--debug-file-directory={self.plain}"], asked),
                ("pprof", [*ours, plain], None),
                ("pprof --jobs=1", [*ours, plain, "--jobs=1"], None),
            ],
        }


def run(command, asked):
    with open(asked or os.devnull, "rb") as stdin:
        return text.run(command, stdin)


def measure(commands, runs):
    """By name: the runs, each of them beside the others'."""
    results = {name: [] for name, _, _ in commands}
    for i in range(runs):
        for name, command, asked in commands:
            if shutil.which(command[0]) and (i == 0 or name not in SLOW):
                results[name].append(run(command, asked))
    return results


def show(title, results):
    print(f"\n### {title}\n")
    print("| | wall s | cpu s | peak MB | wall, to llvm-symbolizer | memory |")
    print("|---|--:|--:|--:|--:|--:|")
    first = results["llvm-symbolizer"]
    for name, runs in results.items():
        if not runs:
            print(f"| {name} | not here | | | | |")
            continue
        wall, cpu, memory = (statistics.median(r[k] for r in runs) for k in range(3))
        ratios = [statistics.median(r[k] / f[k] for r, f in zip(runs, first)) for k in (0, 2)]
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {memory:.0f} | {ratios[0]:.3f} | {ratios[1]:.2f} |")
    sys.stdout.flush()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(*sys.argv[1:4], folder)
        bench.make_plain()
        made = os.path.join(folder, "made.heap")
        text.make_snapshot(made, 20000, {PROGRAM: 20000})
        for profile in [made, *map(bench.unpacked, sys.argv[5:])]:
            asked = os.path.join(folder, "addresses")
            addresses = addresses_of(profile)
            with open(asked, "w", encoding="ascii") as file:
                file.writelines(f"0x{address:x}\n" for address in addresses)
            run([bench.pprof, "--text", profile], None)  # fills the cache
            for group, commands in bench.commands(profile, asked).items():
                what = f"{os.path.basename(profile)}, {len(addresses):,} addresses, debug file {group}, {runs} runs in turn"
                show(what, measure(commands, runs))


main()
