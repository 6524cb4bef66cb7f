#!/usr/bin/env python3
"""Makes the small snapshots of this directory. Run it after ../elf/make.sh; README.md says what each one shows.

An address is given as "the return address of the k-th call in a function" and looked up in objdump's listing,
so that the snapshots follow the objects of ../elf when another compiler lays them out anew.
"""

import gzip
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ELF = os.path.join(HERE, "..", "elf")
MB = 1 << 20
CALLS = ("call", "bl", "blr", "blx")

# Run-time bases. The program without PIE lies where it was linked to; the others where a kernel would put them.
PIE_1 = 0x55D0C0DE0000
PIE_2 = 0x5601AB000000
LIB = 0x7F3C10000000
LIBC = 0x7F3C20000000


def disassemble(name, objdump="objdump"):
    """({function: [the address after each of its calls]}, {function: [the addresses of its instructions]})"""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", os.path.join(ELF, name)],
                          check=True, capture_output=True, text=True).stdout
    calls, addresses, function, pending = {}, {}, None, False
    for line in text.splitlines():
        if m := re.match(r"[0-9a-f]+ <(\S+)>:", line):
            if pending:     # the call was the last instruction of the function before
                calls[function].append(int(line.split()[0], 16))
                pending = False
            function = m[1]
            calls[function], addresses[function] = [], []
        elif m := re.match(r"\s+([0-9a-f]+):\s+(\S+)", line):
            addresses[function].append(int(m[1], 16))
            if pending:
                calls[function].append(int(m[1], 16))
            pending = m[2] in CALLS
    return calls, addresses


NAMES = {
    "build": "_Z5buildm", "recurse": "_Z7recurseim", "make_array<int>": "_Z10make_arrayIiEvm",
    "make_array<table>": "_Z10make_arrayI5tableEvm", "hidden": "_ZN12_GLOBAL__N_16hiddenEm",
    "with_lambda": "_Z11with_lambdam", "lambda": "_ZZ11with_lambdamENKUlmE_clEm",
    "reserve": "_ZNK5table7reserveEm", "less": "_ZNK5tableltERKS_", "last_call": "_Z9last_callm",
    "after_last": "_Z10after_lastm",
}
OBJECTS = {name: disassemble(name)[0] for name in ("shapes", "shapes_pie", "libshapes.so")}


def at(site, obj="shapes", base=0):
    """'build 1' -> the run-time return address of the second call in build()"""
    function, _, k = site.partition(" ")
    return base + OBJECTS[obj][NAMES.get(function, function)][int(k or 0)]


def lib(site):
    return at(site, "libshapes.so", LIB)


# Where main calls what, in the order of the source.
MAIN = {name: "main %d" % k for k, name in enumerate(
    ["build", "recurse", "make_array<int>", "make_array<table>", "hidden", "with_lambda", "reserve", "less",
     "after_last", "malloc", "last_call", "plain_alloc"])}
START = "_start 0"


def stack(*sites, obj="shapes", base=0):
    """leaf first; strings are call sites of the program, numbers are addresses"""
    return [s if isinstance(s, int) else at(s, obj, base) for s in sites]


def row(n, b, n2, b2, addrs):
    return "%6d: %8d [%6d: %8d] @%s" % (n, b, n2, b2, "".join(" 0x%08x" % a for a in addrs))


def head(rows, label="heapprofile"):
    sums = [sum(r[k] for r in rows) for k in range(4)]
    return "heap profile: %6d: %8d [%6d: %8d] @ %s" % (*sums, label)


def map_rows(path, base, inode, text=(0x1000, 0x1000)):
    """the rows of one object: headers, text, and read-only data as the linker lays them out"""
    start, size = text
    out = []
    for lo, hi, perms, off in ((0, start, "r--p", 0), (start, start + size, "r-xp", start),
                               (start + size, start + size + 0x1000, "r--p", start + size)):
        out.append("%08x-%08x %s %08x 08:01 %-10d %s" % (base + lo, base + hi, perms, off, inode, path))
    return out


MAP = map_rows("/srv/app/bin/shapes", 0x400000, 11)
MAP_LIB = map_rows("/srv/app/lib/libshapes.so", LIB, 12)
MAP_LIBC = map_rows("/srv/app/lib/libc.so.6", LIBC, 13, (0x26000, 0x156000))


def pie_map(base, path="/srv/app/bin/shapes_pie"):
    return map_rows(path, base, 14)


def snapshot(rows, maps, label="heapprofile"):
    return [head(rows, label)] + [row(*r) for r in rows] + ["", "MAPPED_LIBRARIES:"] + maps


def write_bytes(name, data):
    if name.endswith(".gz") and data[:2] != b"\x1f\x8b":
        data = gzip.compress(data, 9, mtime=0)
    with open(os.path.join(HERE, name), "wb") as f:
        f.write(data)


def write(name, lines, eol="\n", last_eol=True):
    write_bytes(name, (eol.join(lines) + (eol if last_eol else "")).encode())


# ---- the program's shapes -------------------------------------------------------------------------------------

def shapes(**kw):
    return [
        (1, 8 * MB, 2, 16 * MB, stack("build 0", MAIN["build"], START, **kw)),
        (2, 4 * MB, 2, 4 * MB, stack("build 1", MAIN["build"], START, **kw)),
        (1, 2 * MB, 1, 2 * MB, stack("recurse 0", "recurse 1", "recurse 1", "recurse 1", MAIN["recurse"], START, **kw)),
        (4, 3 * MB, 8, 6 * MB, stack("make_array<int>", MAIN["make_array<int>"], START, **kw)),
        (1, 1 * MB, 1, 1 * MB, stack("make_array<table>", MAIN["make_array<table>"], START, **kw)),
        (8, 1 * MB, 8, 1 * MB, stack("hidden", MAIN["hidden"], START, **kw)),
        (1, MB // 2, 1, MB // 2, stack("lambda", "with_lambda", MAIN["with_lambda"], START, **kw)),
        (0, 0, 3, 3 * MB, stack("reserve", MAIN["reserve"], START, **kw)),
        (1, MB // 4, 1, MB // 4, stack("less", MAIN["less"], START, **kw)),
        (5, MB // 4, 5, MB // 4, stack(MAIN["malloc"], START, **kw)),
    ]


write("shapes.heap", snapshot(shapes(), MAP))
write("shapes.heap.gz", snapshot(shapes(), MAP))
write("shapes_crlf.heap", snapshot(shapes(), MAP), eol="\r\n")
write("pie_run1.heap", snapshot(shapes(obj="shapes_pie", base=PIE_1), pie_map(PIE_1)))
write("pie_run2.heap", snapshot(shapes(obj="shapes_pie", base=PIE_2), pie_map(PIE_2)))
moved = [row.replace("/srv/app/bin/shapes_pie", "/opt/next/server") for row in pie_map(PIE_2)]
write("pie_moved.heap", snapshot(shapes(obj="shapes_pie", base=PIE_2), moved))

recursion = [
    (1, 1 * MB, 1, 1 * MB, stack("recurse 0", MAIN["recurse"], START)),
    (1, 2 * MB, 1, 2 * MB, stack("recurse 0", "recurse 1", MAIN["recurse"], START)),
    (1, 4 * MB, 1, 4 * MB, stack("recurse 0", *["recurse 1"] * 5, MAIN["recurse"], START)),
    (1, 1 * MB, 1, 1 * MB, stack("build 1", "recurse 1", "build 0", "recurse 1", MAIN["recurse"], START)),
]
write("recursion.heap", snapshot(recursion, MAP))

write("leaf_edge.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, stack("last_call", MAIN["last_call"], START)),
    (1, 2 * MB, 1, 2 * MB, stack("after_last", MAIN["after_last"], START)),
], MAP))

unnamed = at("plain_alloc 1")       # the call that no symbol covers
write("no_names.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, stack("plain_alloc 0", MAIN["plain_alloc"], START)),
    (1, 2 * MB, 1, 2 * MB, stack(unnamed, MAIN["plain_alloc"], START)),
    (1, 4 * MB, 1, 4 * MB, stack(LIBC + 0x2724A, MAIN["malloc"], START)),
    (1, 8 * MB, 1, 8 * MB, stack(0x123456789ABC, MAIN["malloc"], START)),
], MAP + MAP_LIBC))

# The return address of a frame in malloc itself: two bytes into it.
in_malloc = at("plain_alloc 0") - 5 - 3 + 2
write("allocator.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, stack(in_malloc, "build 1", MAIN["build"], START)),
    (1, 2 * MB, 1, 2 * MB, stack(in_malloc, in_malloc, "hidden", MAIN["hidden"], START)),
    (1, 4 * MB, 1, 4 * MB, stack("hidden", in_malloc, MAIN["hidden"], START)),
    (1, 8 * MB, 1, 8 * MB, stack(in_malloc)),
], MAP))

# ---- library, sysroot, moved programs -------------------------------------------------------------------------

library = [
    (1, 1 * MB, 1, 1 * MB, [lib("lib_inner"), lib("lib_grow 0")]
     + stack(MAIN["malloc"], START, obj="shapes_pie", base=PIE_1) + [LIBC + 0x2724A]),
    (1, 2 * MB, 1, 2 * MB, [lib("lib_grow 1")]
     + stack("hidden", MAIN["hidden"], START, obj="shapes_pie", base=PIE_1) + [LIBC + 0x2724A]),
]
write("library.heap", snapshot(library, pie_map(PIE_1) + MAP_LIB + MAP_LIBC))

moved = shapes(obj="shapes_pie", base=PIE_1)[:2]
write("moved.heap", snapshot(moved, pie_map(PIE_1, "/opt/elsewhere/server")))
write("deleted.heap", snapshot(moved, pie_map(PIE_1, "/srv/app/bin/shapes_pie (deleted)")))
write("blank_path.heap", snapshot(moved, pie_map(PIE_1, "/srv/my app/bin/shapes_pie")))

write("maps_more.heap", snapshot(moved, [
    "10000000-10001000 r-xp 00000000 08:01 7          /srv/app/data/table.bin",
    "20000000-20001000 r-xp 00000000 00:01 8          /memfd:jit (deleted)",
    "20001000-20002000 rwxp 00000000 00:00 0          ",
    "20002000-20003000 r-xp 00000000 00:0f 9          anon_inode:[perf_event]",
] + pie_map(PIE_1) + MAP_LIB + [
    "7ffd1f3e0000-7ffd1f3e2000 r-xp 00000000 00:00 0          [vdso]",
    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]",
]))

# ---- the grammar of a row -------------------------------------------------------------------------------------

b, m, s = (at(x) for x in ("build 1", MAIN["build"], START))
write("rows.heap", [
    "heap profile:      6:  6295552 [     9:  8392704] @ heapprofile",
    "",
    "# a comment, and text that is no row: both are passed over",
    "no row at all",
    "     1:  1048576 [     1:  1048576] @ 0x%08x 0x%08x 0x%08x" % (b, m, s),
    "1:1048576[1:1048576] @0x%x 0x%x 0x%x" % (b, m, s),
    "  1:   1048576   [ 1:   1048576 ] @   0x%x   0x%x   0x%x   " % (b, m, s),
    "1: 1048576 [1: 1048576] @ %x %x %x" % (b, m, s),
    "1: 1048576 [1: 1048576] @ 0X%X 0X%X 0X%X" % (b, m, s),
    "\t1:\t1048576\t[\t1:\t1048576]\t@\t0x%016x\t0x%016x\t0x%016x" % (b, m, s),
    "     1:  1048576 [     1:  1048576] @",
    "    -1: -1048576 [     1:  1048576] @ 0x%08x 0x%08x 0x%08x" % (at("hidden"), at(MAIN["hidden"]), s),
    "     0:     4096 [     1:     4096] @ 0x%08x 0x%08x 0x%08x" % (at("less"), at(MAIN["less"]), s),
    "     0:        0 [     0:        0] @ 0x%08x 0x%08x 0x%08x" % (at("reserve"), at(MAIN["reserve"]), s),
    "",
    "MAPPED_LIBRARIES:",
] + MAP)

depth = 8000
long_stack = stack("recurse 0", *["recurse 1"] * depth, MAIN["recurse"], START)
write("long_row.heap.gz", snapshot([(1, MB, 1, MB, long_stack)], MAP))
write("no_stack.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, []),
    (1, 3 * MB, 1, 3 * MB, stack("hidden", MAIN["hidden"], START)),
], MAP))
write("header_only.heap", ["heap profile:      0:        0 [     0:        0] @ heapprofile"])
write("no_rows.heap", snapshot([], MAP))
write("large.heap", snapshot([
    (1, 1 << 62, 1, 1 << 62, stack("build 1", MAIN["build"], START)),
    (1, 1 << 62, 1, 1 << 62, stack("hidden", MAIN["hidden"], START)),
], MAP))

# ---- sampled heaps --------------------------------------------------------------------------------------------

sampled = [
    (3, 300, 3, 300, stack("build 1", MAIN["build"], START)),
    (1, 400000, 1, 400000, stack("hidden", MAIN["hidden"], START)),
    (1, 58000, 1, 58000, stack("make_array<int>", MAIN["make_array<int>"], START)),
    (2, 600, 2, 600, stack("recurse 0", "recurse 1", MAIN["recurse"], START)),
]
write("sampled_v2.heap", snapshot(sampled, MAP, "heap_v2/524288"))
write("sampled_v1.heap", snapshot(sampled, MAP, "heap/1048576"))
write("heapprofile_n.heap", snapshot(sampled, MAP, "heapprofile/524288"))
write("sampled_zero.heap", snapshot([
    (0, 0, 2, 800000, stack("build 1", MAIN["build"], START)),
    (1, 0, 1, 0, stack("hidden", MAIN["hidden"], START)),
    (1, 524288, 1, 524288, stack("make_array<int>", MAIN["make_array<int>"], START)),
], MAP, "heap_v2/524288"))

# ---- pairs for --base -----------------------------------------------------------------------------------------

A = stack("build 1", MAIN["build"], START)
B = stack("hidden", MAIN["hidden"], START)
C = stack("make_array<int>", MAIN["make_array<int>"], START)
D = stack("recurse 0", "recurse 1", MAIN["recurse"], START)


def pair(name, *mbs):
    write(name, snapshot([(1, v * MB, 1, v * MB, st) for v, st in zip(mbs, (A, B, C, D)) if v], MAP))


pair("base_old.heap", 4, 3, 2, 1)
pair("base_grown.heap", 5, 6, 2, 1)         # +1 +3  0  0
pair("base_mixed.heap", 7, 4, 0, 0)         # +3 +1 -2 -1
pair("base_balanced.heap", 6, 1, 2, 1)      # +2 -2  0  0
pair("base_lost.heap", 2, 3, 1, 0)          # -2  0 -1 -1

# Only the size of the blocks behind a stack changes: one stack, one difference.
write("base_sizes_old.heap", snapshot([(4, 4 * MB, 4, 4 * MB, A), (1, 1 * MB, 1, 1 * MB, B)], MAP))
write("base_sizes_new.heap", snapshot([(2, 6 * MB, 6, 10 * MB, A), (1, 1 * MB, 1, 1 * MB, B)], MAP))

# ---- bad input ------------------------------------------------------------------------------------------------

three = [(1, 1 * MB, 1, 1 * MB, A), (1, 2 * MB, 1, 2 * MB, B), (1, 4 * MB, 1, 4 * MB, C)]
good = snapshot(three, MAP)


def bad(name, line):
    """three good rows, 7.0 MB of which the second (2 MB) is spoiled: line 3 of the file"""
    write(name, good[:2] + [line] + good[3:])


bad("bad_cut_row.heap", good[2][:24])
bad("bad_cut_address.heap", good[2][:good[2].rindex("x") + 1])
bad("bad_overflow.heap", good[2].replace("%8d" % (2 * MB), "99999999999999999999", 1))
bad("bad_address.heap", good[2].replace(" 0x%08x" % B[1], " 0x40zz12"))
bad("bad_wide_address.heap", good[2].replace(" 0x%08x" % B[1], " 0x10000000000401128"))
write("bad_cut_end.heap", good[:3] + [good[3][:30]], last_eol=False)
write("bad_no_maps.heap", good[:4])
write("bad_maps_misfit.heap", snapshot(
    moved,
    # Text mapped from an offset where the file has no program header, and in a length it never had.
    ["%08x-%08x r-xp 00900000 08:01 14         /srv/app/bin/shapes_pie" % (PIE_1, PIE_1 + 0x400000)]))
write("bad_map_row.heap", snapshot(
    three,
    # A row that ends before it starts, one whose numbers overflow, one cut in the middle; then the good ones.
    ["00402000-00401000 r-xp 00001000 08:01 11         /srv/app/bin/shapes",
     "10000000000401000-10000000000402000 r-xp 00001000 08:01 11         /srv/app/bin/shapes",
     "00401000-004"] + MAP))


def library_at(path):
    return snapshot(library[1:], pie_map(PIE_1) + map_rows(path, LIB, 12) + MAP_LIBC)


write("bad_fifo_in_map.heap", library_at("/srv/app/lib/fifo.so"))
write("bad_device_in_map.heap", library_at("/dev/zero"))
write("bad_directory_in_map.heap", library_at("/dev"))
write("bad_html.heap", ["<!DOCTYPE html>", "<html><head><title>404 Not Found</title></head>",
                        "<body><h1>Not Found</h1></body></html>"])
write("bad_text.heap", ["This is a letter, not a profile.", "", "1: 2 [3: 4] @ 0x401060"])
write("bad_header.heap", ["heap profile:      3:  734"] + good[1:])
write("bad_label.heap", [good[0].replace("heapprofile", "heap_v2/many")] + good[1:])

write_bytes("bad_empty.heap", b"")
with open(os.path.join(HERE, "shapes.heap.gz"), "rb") as f:
    write_bytes("bad_cut.heap.gz", f.read()[:-60])
with open(os.path.join(ELF, "shapes"), "rb") as f:
    program = f.read()
for name, size in (("bad_truncated_elf", 4500), ("bad_short_elf", 40)):
    write_bytes(name, program[:size])
write("bad_not_elf", ["#!/bin/sh", "echo this is a script, not an ELF file"])

# The program's text is huge pages of no name up to 0x100, or its first row is missing: the row behind says where it is.
front = ["%08x-%08x r-xp 00000000 00:00 0          /anon_hugepage (deleted)" % (PIE_1 + 0x1000, PIE_1 + 0x1100)]
behind = ["%08x-%08x r-xp 00001100 08:01 14         /srv/app/bin/shapes_pie" % (PIE_1 + 0x1100, PIE_1 + 0x2000)]
write("huge_pages.heap", snapshot(moved, front + behind))
write("front_missing.heap", snapshot(moved, behind))

# The map does not name the program, whose addresses are fixed: it is asked all the same.
write("bad_program_not_in_map.heap", snapshot(shapes()[:2], MAP_LIBC))
write("bad_cut_map.heap", snapshot(shapes()[:2], MAP[:2]), last_eol=False)
write("bad_two_profiles.heap", snapshot(shapes()[:2], MAP) + snapshot(shapes()[:2], MAP))

# More than the 53 bits of a double.
write("bad_rounded.heap", snapshot([(1, 2 ** 53 + 1, 1, 2 ** 53 + 1, stack("build 0", MAIN["build"], START))], MAP))

# ---- every shape of a map -------------------------------------------------------------------------------------

fixed = shapes()[:2]
build_id = re.search(r"Build ID: ([0-9a-f]+)", subprocess.run(
    ["readelf", "-n", os.path.join(ELF, "shapes_pie")], check=True, capture_output=True, text=True).stdout)[1]
PIE = "/srv/app/bin/shapes_pie"


def memory_map(name, rows, maps):
    write(name, [head(rows)] + [row(*r) for r in rows] + ["--- Memory map: ---"] + maps)


def perms_row(start, end, offset, tail, perms="r-xp"):
    """a row whose addresses count from where the program lies"""
    return "%08x-%08x %s %08x %s" % (PIE_1 + start, PIE_1 + end, perms, offset, tail)


memory_map("maps_cooked.heap", fixed, [
    "\tbuild=/srv/app",
    "  00400000-00403000: $build/bin/shapes",
    "  7fff63dfe000-7fff63e00000: [vdso]",
    "  ffffffffff600000-ffffffffff601000: [vsyscall]"])
memory_map("maps_brief.heap", moved, ["0x%x-0x%x %s (@1000) %s" % (PIE_1 + 0x1000, PIE_1 + 0x2000, PIE, build_id)])
memory_map("maps_brief_upper.heap", moved, [
    "%X %X r--p %s" % (PIE_1, PIE_1 + 0x1000, PIE),
    "%X %X r-xp %s (@1000) %s" % (PIE_1 + 0x1000, PIE_1 + 0x2000, PIE, build_id.upper())])
memory_map("maps_brief_colon.heap", moved, [
    "%x-%x: r-xp %s (@1000)" % (PIE_1 + 0x1000, PIE_1 + 0x2000, PIE)])
write("maps_log.heap", snapshot(moved, ["I0131 10:20:30.1234%02d  789 maps.cc:%d] %s" % (k, 40 + k, line)
                                        for k, line in enumerate(pie_map(PIE_1))]))
write("maps_freebsd.heap", snapshot(moved, [
    "0x%x 0x%x 26 0 0xfffff8000312a000 %s 2 1 0x1000 COW NC vnode %s NCH -1" % (PIE_1 + lo, PIE_1 + lo + 0x1000, perms, PIE)
    for lo, perms in ((0, "r--"), (0x1000, "r-x"), (0x2000, "r--"))
] + ["0x7fffdffff000 0x7ffffffff000 3 3 0xfffff80003190000 rwx 1 0 0x3000 NCOW NNC default - CH 0"]))
write("maps_escape.heap", snapshot(moved, pie_map(PIE_1, "/srv/two\\012lines/shapes_pie (deleted)")))

# A row each of the two parts of a file that lie farther apart in memory than in the file.
apart = PIE_1 + 0x4000
write("maps_split.heap", snapshot(shapes(obj="shapes_pie", base=apart)[:2], [
    perms_row(0, 0x1000, 0, "08:01 14 " + PIE), perms_row(0x1000, 0x5000, 0, "00:00 0", "---p"),
    perms_row(0x5000, 0x6000, 0x1000, "08:01 14 " + PIE)]))

# One library at two places, and another one of its name: the former is one row, the latter has its own.
FAR = LIB + 0x1000000
MAP_FAR = map_rows("/srv/app/lib/libshapes.so", FAR, 12)
MAP_OTHER = map_rows("/opt/other/lib/libshapes.so", LIB - 0x1000000, 15)
write("maps_twice.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, [lib("lib_inner"), lib("lib_grow 0")]),
    (1, 2 * MB, 1, 2 * MB, [at("lib_inner", "libshapes.so", FAR), at("lib_grow 0", "libshapes.so", FAR)]),
    (1, 4 * MB, 1, 4 * MB, [at("lib_inner", "libshapes.so", LIB - 0x1000000)]),
], pie_map(PIE_1) + MAP_OTHER + MAP_LIB + MAP_FAR))

# ---- memory in the place of text ------------------------------------------------------------------------------

FIRST = perms_row(0, 0x1000, 0, "08:01 14 " + PIE, "r--p")
DATA = perms_row(0x2000, 0x3000, 0x2000, "08:01 14 " + PIE, "r--p")


def text(start, end):
    return perms_row(start, end, start, "08:01 14 " + PIE)


def memory(start, end, tail="00:00 0"):
    return perms_row(start, end, 0, tail)


write("hole_middle.heap", snapshot(moved, [
    FIRST, text(0x1000, 0x1050), memory(0x1050, 0x1058, "00:01 77 /memfd:text (deleted)"),
    memory(0x1058, 0x10F0, "00:0f 8 /dev/zero (deleted)"), text(0x10F0, 0x2000), DATA]))
write("hole_end.heap", snapshot(moved, [FIRST, text(0x1000, 0x1050), memory(0x1050, 0x2000)]))
write("hole_all.heap", snapshot(moved, [FIRST, memory(0x1000, 0x2000, "00:0f 8 //anon"), DATA]))
write("hole_two_files.heap", snapshot(moved + library[:1], MAP_LIB[:1] + [
    "%x-%x r-xp 00001000 08:01 12 /srv/app/lib/libshapes.so" % (LIB + 0x1000, LIB + 0x1010),
    "%x-%x r-xp 00000000 00:00 0" % (LIB + 0x1010, LIB + 0x2000),
    FIRST, memory(0x1000, 0x1100, "00:00 0 [anon:text]"), text(0x1100, 0x2000)]))
write("hole_fixed.heap", snapshot(fixed, [
    MAP[0], "00401000-00401100 r-xp 00000000 00:0f 9 /anon_hugepage (deleted)",
    "00401100-00402000 r-xp 00001100 08:01 11 /srv/app/bin/shapes"]))

JIT = 0x7F0000000000
write("maps_special.heap", snapshot(
    [(1, (1 << k) * MB, 1, (1 << k) * MB, [JIT + k * 0x10000 + 0x11]) for k in range(7)], pie_map(PIE_1) + [
        "%x-%x r-xp 00000000 %s" % (JIT + k * 0x10000, JIT + k * 0x10000 + 0x1000, tail)
        for k, tail in enumerate([
            "00:01 21         /memfd:jit (deleted)", "00:00 0          [vdso]", "00:00 0          [uprobes]",
            "00:00 0", "00:00 0          [anon:code cache]", "00:00 0          linux-gate.so.1"])]))

# Rows out of order, twice, overlapping; a build id that is none; prose; a variable that nothing defines.
write("bad_map_overlap.heap", snapshot(fixed, [
    MAP[2], "00401800-00405000 r-xp 00000000 08:01 99 /srv/app/bin/other", MAP[1], MAP[1],
    "00401100-00401200 r-xp 00000000 08:01 99 /srv/app/bin/other", MAP[0]]))
write("bad_map_lines.heap", snapshot(moved, [
    "the map follows: 55d0c0de1000-55d0c0de2000 /srv/app/bin/other",
    "55d0c0de1000-55d0c0de1000 r-xp 00001000 08:01 99 /srv/app/bin/other",
    "55d0c0de1000-55d0c0de2000 r-xp 00001000 08:01", "=", "x=", "=$x", "$x=$x",
    "10000000-10001000: $nothing/x", "20000000-20001000: $",
    "%x-%x r-xp %s (@1000) no-build-id" % (PIE_1 + 0x1000, PIE_1 + 0x2000, PIE)]))
