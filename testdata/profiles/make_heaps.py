#!/usr/bin/env python3
"""Makes the dumps of tcmalloc's other heaps and of jemalloc, and files that are no profile. README.md says what each one
shows. Importing make.py makes the other snapshots anew, which changes nothing."""

import gzip

from make import A, B, C, MAP, MB, row, sampled, snapshot, three, write, write_bytes


# ---- tcmalloc's other heaps -----------------------------------------------------------------------------------

write("growth.heap", snapshot(three, MAP, "growth"))
write("growth_url.heap", snapshot(three, MAP, "http://server:8080/pprof/growth"))
write("fragmentation.heap", snapshot(three, MAP, "fragmentationz"))
good = snapshot(sampled, MAP)
write("no_label.heap", [good[0].replace(" @ heapprofile", "")] + good[1:])
write("heap_v3.heap", snapshot(sampled, MAP, "heap_v3/524288"))
# Totals of 32 bits that ran over.
write("header_negative.heap", ["heap profile:      3: -2147483648 [     3: -2147483648] @ heapprofile"] + snapshot(three, MAP)[1:])

# The text of the Go runtime's /debug/pprof/heap?debug=1; it has no map.
write("go_debug1.heap", [
    "heap profile: 2: 1572864 [3: 2097152] @ heap/1048576",
    "1: 1048576 [1: 1048576] @ 0x4a1035 0x4a1085 0x4381c7",
    "#\t0x4a1034\tmain.grow+0x14\t\t/srv/go/main.go:11",
    "#\t0x4a1034\tmain.(*table).put+0x14\t/srv/go/table.go:42",
    "#\t0x4a1084\tmain.main+0x24\t\t/srv/go/main.go:20",
    "#\t0x4381c6\truntime.main+0x206\t/usr/lib/go/src/runtime/proc.go:250",
    "",
    "1: 524288 [2: 1048576] @ 0x4a10b5 0x4381c7",
    "#\t0x4a10b4\tmain.init.0+0x34\t/srv/go/main.go:30",
    "#\t0x4381c6\truntime.main+0x206\t/usr/lib/go/src/runtime/proc.go:250",
    "",
    "",
    "# runtime.MemStats",
    "# Alloc = 1613824",
    "# BySize = [{0 0 0} {8 12 4}]",
])

# What the runtime allocates for itself, and what it does for the program.
write("go_runtime.heap", [
    "heap profile: 3: 7340032 [3: 7340032] @ heapprofile",
    "1: 4194304 [1: 4194304] @ 0x4381c7 0x438207 0x438307",
    "#\t0x4381c6\truntime.allocm+0x6\t/usr/lib/go/src/runtime/proc.go:1875",
    "#\t0x438206\truntime.newm+0x6\t/usr/lib/go/src/runtime/proc.go:2201",
    "#\t0x438306\truntime.mstart+0x6\t/usr/lib/go/src/runtime/asm.s:248",
    "",
    "1: 2097152 [1: 2097152] @ 0x438407 0x4a1085 0x438307",
    "#\t0x438406\truntime.growslice+0x6\t/usr/lib/go/src/runtime/slice.go:5",
    "#\t0x4a1084\tmain.grow+0x24\t/srv/go/main.go:20",
    "#\t0x438306\truntime.mstart+0x6\t/usr/lib/go/src/runtime/asm.s:248",
    "",
    "1: 1048576 [1: 1048576] @ 0x438407",
    "#\t0x438406\truntime.growslice+0x6\t/usr/lib/go/src/runtime/slice.go:5",
])

# ---- jemalloc -------------------------------------------------------------------------------------------------

def thread(name, counts, words=""):
    return "  t%s: %d: %d [%d: %d]%s" % (name, *counts, words)


def jemalloc(period, stacks, maps=MAP):
    """stacks: [(addresses, {thread: counts})]"""
    rows, totals = [], {}
    for addrs, threads in stacks:
        rows.append("@" + "".join(" 0x%x" % a for a in addrs))
        both = [sum(c[k] for c in threads.values()) for k in range(4)]
        rows.append(thread("*", both))
        rows += [thread(k, c) for k, c in sorted(threads.items())]
        for k, c in (("*", both), *threads.items()):
            totals[k] = [x + y for x, y in zip(totals.get(k, [0] * 4), c)]
    head = [thread(k, totals[k], " worker of pool %d" % k if k else " main") for k in sorted(set(totals) - {"*"})]
    return ["heap_v2/%d" % period, thread("*", totals["*"])] + head + rows + ["", "MAPPED_LIBRARIES:"] + maps


three_stacks = [
    (A, {0: (1, 1 * MB, 2, 3 * MB), 1: (2, 2 * MB, 2, 2 * MB)}),
    (B, {1: (1, 4 * MB, 1, 4 * MB), 12: (1, 1 * MB, 1, 1 * MB)}),
    (C, {0: (4, 2 * MB, 5, 3 * MB)}),
]
good = jemalloc(1, three_stacks)
write("jemalloc.heap", good)
write("jemalloc_old.heap", [line for line in good if not line.startswith("  t") or "t*" in line])
write("jemalloc_sampled.heap", jemalloc(524288, [(r[4], {0: r[:2] + (0, 0)}) for r in sampled]))
write("jemalloc_commands.heap", ["%warn taken while starting", "%other word"] + good)


def bad(name, at, line):
    write(name, good[:at] + [line] + good[at + 1:])


row_of_b = good.index(thread("*", (2, 5 * MB, 2, 5 * MB)))
bad("bad_je_header.heap", 0, "heap_v2/many")
bad("bad_je_version.heap", 0, "heap_v3/524288")
bad("bad_je_no_number.heap", 0, "heap_v2")
bad("bad_je_row.heap", row_of_b, "  t*: 2: 5242880 [2: 52")
bad("bad_je_overflow.heap", row_of_b, "  t*: 2: 99999999999999999999 [2: 5242880]")
bad("bad_je_junk.heap", row_of_b - 1, good[row_of_b - 1] + " 0x40zz12")
bad("bad_je_nul.heap", row_of_b, good[row_of_b].replace(" [", "\0["))
bad("bad_je_sum.heap", row_of_b + 1, thread("1", (1, 1 * MB, 1, 1 * MB)))
write("bad_je_cut.heap", good[:row_of_b + 1] + [good[row_of_b + 1][:12]], last_eol=False)
write("bad_je_cut_stack.heap", good[:row_of_b - 1] + [good[row_of_b - 1][:20]], last_eol=False)
write("bad_je_short.heap", good[:row_of_b - 1])

# ---- lines around ---------------------------------------------------------------------------------------------

good = snapshot(three, MAP)
logged = ["I0101 00:00:00.000001 7 server.cc:12] listening", "heap profile: written every hour", ""]
write("log_lines.heap", logged + good)
write("log_line.heap", logged[:1] + good)
write("blank_lines.heap", ["", " ", ""] + good)
write("bom.heap", ["\ufeff" + good[0]] + good[1:])
write("bad_log_row.heap", logged + good[:2] + ["1: 25 [1: 25"] + good[3:])
write("bad_log_far.heap", ["log %d" % k for k in range(101)] + good)
write("bad_two_without_maps.heap", good[:4] + good)
write("bad_nul.heap", good[:2] + [good[2].replace("] @", "]\0@")] + good[3:])
text = "\n".join(good).encode() + b"\n"
write_bytes("twice.heap.gz", gzip.compress(gzip.compress(text, 9, mtime=0), 9, mtime=0))
write_bytes("bad_thrice.heap.gz", gzip.compress(gzip.compress(gzip.compress(text, 9, mtime=0), 9, mtime=0), 9, mtime=0))
# A row of 7 MB, and a line of 2 MB that is none.
write("bad_long_lines.heap.gz", good[:2] + [row(1, MB, 1, MB, A[:1] * (640 << 10)), "x" * (2 * MB)] + good[3:])
# A logger's words before a row; rows that end before the header's total, and such that tcmalloc's buffer was full.
write("log_words.heap", good[:2] + ["I0101 server.cc:12] " + good[2]] + good[3:])
write("bad_early_end.heap", good[:3] + good[4:])
write("bad_early_end_full.heap.gz", good[:3] + [row(1, 0, 1, 0, A * 80)] * 300 + good[4:])

# ---- no profiles ----------------------------------------------------------------------------------------------

write_bytes("bad_perf.data", b"PERFILE2" + bytes([104] + 15 * [0]))
write_bytes("bad_java.hprof", b"JAVA PROFILE 1.0.2\0" + bytes(8))
write_bytes("bad_utf16.heap", "\n".join(good).encode("utf-16"))
write("bad_goroutines.txt", ["goroutine 1 [running]:", "main.main()", "\t/srv/go/main.go:20 +0x24"])
write("bad_maps_alone.txt", MAP)
write("bad_json.json", ['{"level": "info"}'])
write("bad_speedscope.json", ['{"$schema": "https://www.speedscope.app/file-format-schema.json", "profiles": []}'])
write("bad_je_stats.json", ['{"jemalloc": {"version": "5.3.0"}}'])
write("bad_je_stats.txt", ["___ Begin jemalloc statistics ___", 'Version: "5.3.0"'])
write_bytes("bad_zstd.heap.zst", b"\x28\xb5\x2f\xfd" + bytes(8))
write_bytes("bad_binary.heap", bytes(range(1, 40)))
