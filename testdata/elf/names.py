#!/usr/bin/env python3
"""Writes names, an ELF file whose functions have names that a table, a graph, XML or a terminal might obey, and
../profiles/names.heap, a snapshot with a row for each. Function k lies at 0x401000 + 16 k. And nested, whose functions lie in
each other, with ../profiles/nested.heap."""

import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = [
    b"_start", b'a"quoted"name', b"<b>bold</b>&amp;&lt;", b"back\\slash\\n\\N\\l", b"</text><script>alert(1)</script>",
    b"]]>", b"semi;colon{brace}|bar", b"red\033[31m", b"two\nlines", b"tab\there", b"\xe2\x80\xaeoverride", b"not\xffutf8",
    b"%s%n", b"long_" * 200, b"ns::Class::method", b"'single' `back` $(dollar)", b"-->",
]
TEXT, BASE = 0x1000, 0x401000


def section(name, kind, flags, addr, offset, size, link=0, info=0, entry=0):
    return struct.pack("<IIQQQQIIQQ", name, kind, flags, addr, offset, size, link, info, 16, entry)


# Offset, size, name: one in the middle of another, and one that begins with it and is shorter.
NESTED = [(0, 16, b"_start"), (16, 80, b"outer"), (16, 32, b"outer_head"), (64, 16, b"inner")]
NESTED_CALLS = [5, 4, 1, 3]


def elf(functions):
    strings, symbols = b"\0", bytes(24)
    for at, size, name in functions:
        symbols += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, BASE + at, size)
        strings += name + b"\0"
    headings = b"\0.text\0.symtab\0.strtab\0.shstrtab\0"
    text = b"\xe8\0\0\0\0".ljust(16, b"\x90") * (max(at + size for at, size, _ in functions) // 16)
    at_symbols = TEXT + len(text)
    at_strings = at_symbols + len(symbols)
    at_headings = at_strings + len(strings)
    at_sections = (at_headings + len(headings) + 7) // 8 * 8
    sections = bytes(64)
    sections += section(1, 1, 6, BASE, TEXT, len(text))
    sections += section(7, 2, 0, 0, at_symbols, len(symbols), link=3, info=1, entry=24)
    sections += section(15, 3, 0, 0, at_strings, len(strings))
    sections += section(23, 3, 0, 0, at_headings, len(headings))
    header = b"\x7fELF\2\1\1".ljust(16, b"\0")
    header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, BASE, 64, at_sections, 0, 64, 56, 1, 64, 5, 4)
    header += struct.pack("<IIQQQQQQ", 1, 5, TEXT, BASE, BASE, len(text), len(text), 0x1000)
    body = header.ljust(TEXT, b"\0") + text + symbols + strings + headings
    return body.ljust(at_sections, b"\0") + sections


def write(name, functions, calls, program):
    """The object, and a row for the call at the start of each of these blocks of 16 bytes."""
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(elf(functions))
    rows = [f"1: {(k + 1) << 20} [1: {(k + 1) << 20}] @ 0x{BASE + 16 * k + 5:x} 0x{BASE + 5:x}\n" for k in calls]
    total = sum(k + 1 for k in calls) << 20
    with open(os.path.join(HERE, "..", "profiles", name + ".heap"), "w", encoding="ascii") as file:
        file.write(f"heap profile: {len(rows)}: {total} [{len(rows)}: {total}] @ heapprofile\n")
        file.writelines(rows)
        file.write(f"MAPPED_LIBRARIES:\n00401000-00402000 r-xp 00001000 08:01 7 {program}\n")


write("names", [(16 * k, 16, name) for k, name in enumerate(NAMES)], range(1, len(NAMES)), "/srv/app/bin/<na\"me>&\\")
write("nested", NESTED, NESTED_CALLS, "/srv/app/bin/nested")
