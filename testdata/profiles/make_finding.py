#!/usr/bin/env python3
"""Makes the finding_* files: objects that are not where the map says, and code that is in no object.

Run it after ../elf/make.sh, as make.py, whose addresses it uses (and whose files it makes anew).
"""

import os
import re
import subprocess

import make
from make import LIB, MAIN, MB, PIE_1, START, at, lib, snapshot, stack, write


def build_id(name):
    notes = subprocess.run(["readelf", "-n", os.path.join(make.ELF, name)], check=True, capture_output=True, text=True)
    return re.search(r"Build ID: ([0-9a-f]+)", notes.stdout)[1]


PIE_ID, LIB_ID = build_id("shapes_pie"), build_id("libshapes.so")
OTHER_ID = "00" * 20


def text_row(path, base, id_=""):
    """A row of the text of shapes_pie or libshapes.so, which are laid out alike."""
    return "%x-%x %s (@1000) %s" % (base + 0x1000, base + 0x2000, path, id_)


def pie(*sites):
    return stack(*sites, MAIN["malloc"], START, obj="shapes_pie", base=PIE_1)


ROWS = [
    (1, 1 * MB, 1, 1 * MB, [lib("lib_inner"), lib("lib_grow 0")] + pie()),
    (1, 2 * MB, 1, 2 * MB, [lib("lib_grow 1")] + pie("hidden")),
]

write("finding_ids.heap", snapshot(ROWS, [
    text_row("/gone/bin/shapes_pie", PIE_1, PIE_ID), text_row("/gone/lib/libshapes.so", LIB, LIB_ID)]))
write("finding_other.heap", snapshot(ROWS, [
    text_row("/srv/app/bin/shapes_pie", PIE_1, OTHER_ID), text_row("/srv/app/lib/libshapes.so", LIB, OTHER_ID)]))

# Names and paths of every kind: in the map a path is the rest of its row.
write("finding_names.heap", snapshot(ROWS, make.map_rows("/srv/my app/shapes pie;v2.so.1-beta (old)", PIE_1, 14)
                                     + make.map_rows("/srv/my app/lib \"x\"/libshapes.so", LIB, 12)))

# Two libraries of one name.
TWIN = LIB + 0x1000000
write("finding_twins.heap", snapshot(
    ROWS + [(1, 4 * MB, 1, 4 * MB, [at("lib_inner", "libshapes.so", TWIN)] + pie())],
    [text_row("/srv/app/bin/shapes_pie", PIE_1, PIE_ID), text_row("/srv/app/lib/libshapes.so", LIB, LIB_ID),
     text_row("/opt/other/libshapes.so", TWIN, OTHER_ID)]))

# In ../elf/sysroot the first is a link that leaves it.
write("finding_leaving.heap", snapshot(
    ROWS + [(1, 4 * MB, 1, 4 * MB, [at("lib_inner", "libshapes.so", TWIN)] + pie())],
    make.map_rows("/srv/app/lib/liblink.so", LIB, 12) + make.map_rows("/../../../libshapes.so", TWIN, 12)
    + make.pie_map(PIE_1)))

# Addresses in no object: some as libshapes.so was linked, one where it has no code.
write("finding_added.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, [at("lib_inner", "libshapes.so"), at("lib_grow 0", "libshapes.so")] + pie()),
    (1, 2 * MB, 1, 2 * MB, [0x12345678] + pie("hidden")),
], make.pie_map(PIE_1)))

# Code made at run time, in memory without a name and in no row at all; and what names it.
JIT, NOWHERE = 0x7F0000001000, 0x7F1000001000
write("finding_jit.heap", snapshot([
    (1, 1 * MB, 1, 1 * MB, [JIT + 0x10] + pie()),
    (1, 2 * MB, 1, 2 * MB, [JIT + 0x110] + pie("hidden")),
    (1, 4 * MB, 1, 4 * MB, [NOWHERE + 0x100, JIT + 0x20] + pie()),
    (1, 8 * MB, 1, 8 * MB, [NOWHERE + 0x101] + pie()),
], ["%x-%x rwxp 00000000 00:00 0" % (JIT, JIT + 0x100),
    "%x-%x r-xp 00000000 00:01 9 /memfd:jit (deleted)" % (JIT + 0x100, JIT + 0x1000)] + make.pie_map(PIE_1)))
write("finding_jit.map", [
    "%x 100 moved away" % JIT,
    "%x 100 Function:~first /srv/app.js:1:2" % (JIT + 0x100),
    "0x%X 0x40 Interpreter" % JIT,
    "%x 100   _ZN3jit5stubsILi7EE4callEv" % NOWHERE,
    "%x 0 nothing" % (NOWHERE + 0x100),
    "%x 1000 the program's own" % (PIE_1 + 0x1000),
])
write("finding_jit_bad.map", [
    "", "7f0000001000", "7f0000001000 100", "7f0000001000 zz name", "7f00000010000000000 10 wide",
    "ffffffffffffffff 2 beyond", "%x 100 Interpreter" % JIT])
