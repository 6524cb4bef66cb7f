#!/usr/bin/env python3
"""Makes the CPU profiles and the symbolized files of this directory; README.md says what each one shows.

Addresses come from make.py, which is run on the way: it writes its own snapshots again.
"""

import struct

from make import MAIN, MAP, MB, PIE_1, START, pie_map, snapshot, stack, write_bytes as write

PERIOD = 10000      # microseconds


def words(size, order, *values):
    return struct.pack(order + {4: "I", 8: "Q"}[size] * len(values), *values)


def cpu(records, maps=MAP, size=8, order="<", version=0, period=PERIOD, more_header=(), trailer=True):
    out = words(size, order, 0, 3 + len(more_header), version, period, 0, *more_header)
    for count, pcs in records:
        out += words(size, order, count, len(pcs), *pcs)
    if trailer:
        out += words(size, order, 0, 1, 0)
    return out + "".join(line + "\n" for line in maps).encode()


# The leaf is the next instruction to run: of the last sample it is the first one of after_last.
IN_BUILD, IN_RECURSE, IN_AFTER_LAST = stack("build 1", "recurse 0", "last_call")
RECORDS = [
    (5, [IN_BUILD] + stack(MAIN["build"], START)),
    (3, [IN_RECURSE] + stack("recurse 1", "recurse 1", MAIN["recurse"], START)),
    (2, [IN_AFTER_LAST] + stack(MAIN["after_last"], START)),
]

for size in (4, 8):
    for order, letter in (("<", "l"), (">", "b")):
        write("cpu%d%s.prof" % (size * 8, letter), cpu(RECORDS, size=size, order=order))
write("cpu_header.prof", cpu([*RECORDS[:1], (0, stack("hidden", START)), *RECORDS[1:]], more_header=(7, 7)))
write("cpu_pie.prof", cpu([(5, stack("build 1", MAIN["build"], START, obj="shapes_pie", base=PIE_1))], pie_map(PIE_1)))
write("cpu_leaf_twice.prof", cpu([
    (5, [IN_BUILD, IN_BUILD, *stack(MAIN["build"], START)]),
    (3, [IN_BUILD, IN_BUILD + 1, *stack(MAIN["build"], START)]),
    (2, [IN_BUILD, *stack("build 0", MAIN["build"], START)]),
]))
write("cpu_leaf_zero.prof", cpu([RECORDS[0], (3, [0, *stack(MAIN["recurse"], START)]), RECORDS[2]]))
write("cpu_java.prof", cpu([(5, [0x11, 0x12, 0x13]), (3, [0x14, 0x12, 0x13]), (2, [0x15, 0x13])], [
    "0x11 com.example.Table.put (Table.java:17)",
    "0x12 com.example.Query.run (Query.java:103)",
    "0x13 com.example.Main.main (Main.java:9)",
    "0x14 JVM_Sleep (/usr/lib/jvm/lib/server/libjvm.so)",
    "0x15 GC",
], version=1, size=4))

# ---- damage

whole = cpu(RECORDS, [])
write("bad_cpu_no_trailer.prof", cpu(RECORDS, [], trailer=False))
write("bad_cpu_cut.prof", whole[:-3 * 8 - 12])
write("bad_cpu_depth.prof", cpu([*RECORDS[:2], (2, [IN_AFTER_LAST])]).replace(
    words(8, "<", 2, 1, IN_AFTER_LAST), words(8, "<", 2, 1 << 40, IN_AFTER_LAST)))
write("bad_cpu_depth_0.prof", cpu([*RECORDS[:2], (0, []), (0, []), RECORDS[2]]))
write("bad_cpu_depth_beyond.prof", cpu(RECORDS[:2], []) [:-3 * 8] + words(8, "<", 2, 60000, IN_AFTER_LAST))

# ---- symbolized files

# What google-pprof --raw makes of shapes.heap or of a CPU profile: counts, callers less one, no trailer, no map.
def raw(records):
    lessened = [(count, pcs[:1] + [pc - 1 for pc in pcs[1:]]) for count, pcs in records]
    return cpu(lessened, [], period=1, trailer=False)


def table(names, binary="binary=/srv/app/bin/shapes\n", end="---\n"):
    return ("--- symbol\n" + binary + "".join("%s %s\n" % row for row in names) + end).encode()


def symbol(addr, name):
    return "0x%016x" % addr, name


MAIN_BUILD, MAIN_RECURSE, MAIN_AFTER, IN_START, RECURSE_1 = stack(
    MAIN["build"], MAIN["recurse"], MAIN["after_last"], START, "recurse 1")
write("raw_cpu.sym", table([
    symbol(IN_BUILD, "build(unsigned long)<0000000000401043>"),
    symbol(IN_RECURSE, "recurse(int, unsigned long)<0000000000401069>"),
    symbol(RECURSE_1 - 1, "recurse(int, unsigned long)<0000000000401069>"),
    symbol(IN_AFTER_LAST, "main--inlined::operator--(int)--(anonymous namespace)::after_last(unsigned long)"),
    symbol(MAIN_BUILD - 1, "main<00000000004010e4>"),
    symbol(MAIN_RECURSE - 1, "main<00000000004010e4>"),
    symbol(MAIN_AFTER - 1, "main<00000000004010e4>"),
    symbol(IN_START - 1, "0x%016x" % (IN_START - 1)),
]) + b"--- profile\n" + raw(RECORDS))

# The frame of a profiler's signal, behind that of the program, behind another one, and alone.
SIGNAL_NAMES = [(0x1010, "hot"), (0x1020, "__restore_rt"), (0x1030, "CpuProfiler::prof_handler(int)"), (0x1040, "caller"),
                (0x1050, "main")]
write("signal.sym", table([symbol(*pair) for pair in SIGNAL_NAMES], "binary=/srv/app/bin/server\n") + b"--- profile\n" + cpu([
    (4, [0x1010, 0x1021, 0x1041, 0x1051]),
    (3, [0x1010, 0x1031, 0x1041, 0x1051]),
    (2, [0x1010, 0x1041, 0x1021, 0x1051]),
    (1, [0x1020, 0x1041, 0x1051]),
], []))

HEAP = [(1, 4 * MB, 1, 4 * MB, [IN_BUILD, MAIN_BUILD, IN_START]),
        (2, 2 * MB, 3, 3 * MB, [IN_RECURSE, MAIN_RECURSE, IN_START])]
NAMES = [
    symbol(IN_BUILD - 1, "build(unsigned long)--void grow<int>(int)"),
    symbol(IN_RECURSE, "recurse(int, unsigned long)"),
    ("0X%X" % MAIN_BUILD, "main"),
    ("%x" % (MAIN_RECURSE - 2), "main"),
    symbol(IN_START - 1, "_start"),
]


def text(lines, eol="\n"):
    return eol.join([*lines, ""]).encode()


write("symbolized.heap", table(NAMES) + text(["--- heap", *snapshot(HEAP, MAP)]))
write("symbolized_crlf.heap", table(NAMES, "", "").replace(b"\n", b"\r\n") + text(snapshot(HEAP, MAP), "\r\n"))
write("bad_symbolized_rows.heap", table([*NAMES, ("these are", "no names")]) + text(snapshot(HEAP, [])))
write("bad_symbolized_alone.heap", table(NAMES))
write("bad_symbolized_body.heap", table(NAMES) + b"--- profile\n" + whole[1:])
write("bad_symbolized_twice.heap", table(NAMES) + table(NAMES) + text(snapshot(HEAP, MAP)))
