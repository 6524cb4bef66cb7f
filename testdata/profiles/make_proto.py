#!/usr/bin/env python3
"""Makes the files of this directory that are profile.protos; README.md says what each one shows.

The addresses of shapes.pb.gz come from make.py, which is run on the way: it writes its own snapshots again.
"""

import gzip

from make import shapes, write_bytes as write
from proto_writer import Profile, chunk, number, packed, unpacked, varint

MILLION = 1000000

CPU = [("samples", "count"), ("cpu", "nanoseconds")]


def tables(p):
    """work inlined into handle, which serve calls; a helper of the library at address 0x7f..."""
    p.mapping(1, 0x10000, 0x20000, 0, "/srv/app/bin/tool", "ABCD1234ABCD1234", 0b1111)
    p.mapping(2, 0x7F0000001000, 0x7F0000002000, 0x1000, "/srv/app/lib/libtool.so")
    p.location(1, 1, 0x11000, (1, 12), (2, 40))
    p.location(2, 1, 0x12000, (3, 99))
    p.location(3, 2, 0x7F0000001234)
    p.location(4, 1, 0x11100, (1, 14), (2, 41))
    p.function(1, "work", "/srv/app/src/work.c", 10)
    p.function(2, "handle", "/srv/app/src/handle.c", 30)
    p.function(3, "_ZN3net5serveEi", "/srv/app/src/serve.cc", 90)


def samples(p):
    p.sample([1, 2], [3, 30 * MILLION], ("request", "get"))
    p.sample([4, 2], [1, 10 * MILLION], ("size", 3, "megabytes"))
    p.sample([1, 2], [2, 20 * MILLION], ("size", 5, "kilobytes"), ("request", "put"))
    p.sample([3, 2], [4, 40 * MILLION], ("depth", 0))
    p.sample([2], [0, 0])


def tail(p):
    p.add(number(9, 1700000000 * 10**9), number(10, 2 * 10**9), p.value_type(11, "cpu", "nanoseconds"),
          number(12, 10 * MILLION), number(13, p.string("made by hand")), number(15, p.string("https://example.com/doc")))


def cpu(repeated=packed):
    p = Profile(CPU, repeated)
    samples(p)
    tables(p)
    tail(p)
    return p


# ---- good input ------------------------------------------------------------------------------------------------

write("cpu.pb", cpu().whole())
write("cpu.pb.gz", cpu().whole())
write("cpu_unpacked.pb", cpu(unpacked).whole())

# The last field first, the types last; fields of numbers that no version has, of each type.
p = cpu()
unknown = number(77, 5) + varint(78 << 3 | 1) + b"8 bytes!" + varint(79 << 3 | 5) + b"four" + chunk(80, b"new")
write("cpu_reversed.pb", b"".join(p.table() + [unknown] + p.fields[:1:-1] + p.fields[:2]))

p = cpu()
p.add(number(14, p.string("samples")))
write("cpu_default.pb", p.whole())

# Two files, one behind the other: as bytes, and as members of gzip.
write("cpu_joined.pb", cpu().whole() + cpu().whole())
write("cpu_joined.pb.gz", gzip.compress(cpu().whole(), 9, mtime=0) + gzip.compress(cpu().whole(), 9, mtime=0))

# Ids far apart; addresses of nothing; a kernel; a mapping without a file.
p = Profile(CPU)
p.mapping(1 << 40, 0, 0, 0, "/srv/app/bin/tool")
p.mapping(7, 0xFFFFFFFF81000000, 0xFFFFFFFF82000000, 0xFFFFFFFF81000000, "[kernel.kallsyms]_stext")
p.mapping(9, 0x30000, 0x40000, 0, "")
for key, mapping, address in (1 << 63, 1 << 40, 0x5000), (12345678901, 7, 0xFFFFFFFF81000100), (5, 9, 0x30010), (6, 0, 0):
    p.location(key, mapping, address)
p.sample([1 << 63], [1, 8 * MILLION])
p.sample([12345678901], [1, 4 * MILLION])
p.sample([5], [1, 2 * MILLION])
p.sample([6], [1, MILLION])
p.sample([], [1, MILLION // 2])
write("cpu_sparse.pb", p.whole())

# The second segment of a program at 4 MiB, alone, as the Go runtime says it.
p = Profile(CPU)
p.mapping(1, 0x403000, 0x40C000, 0x3000, "/srv/app/bin/tool")
p.location(1, 1, 0x404000)
p.sample([1], [1, MILLION])
write("cpu_segment.pb", p.whole())

# Bytes that are not UTF-8, and a NUL.
p = Profile(CPU)
p.location(1, 0, 0x10, (1, 1))
p.location(2, 0, 0x20, (2, 1))
p.function(1, b"caf\xe9", b"\xff\xfe.c")
p.function(2, b"a\0b")
p.sample([1, 2], [1, MILLION])
write("cpu_not_utf8.pb", p.whole())

# A sampled heap: blocks of 7048 bytes, which 527820 / 75 does not give; of 48 and 200; of a size that is not said.
def heap(*labels):
    p = Profile([("inuse_objects", "count"), ("inuse_space", "bytes")])
    for key, name in (1, "large"), (2, "mixed"), (3, "unsaid"):
        p.location(key, 0, 0x1000 * key, (key, 1))
        p.function(key, name)
    p.sample([1], [75, 527820], *labels[:1])
    p.sample([2], [100, 4800], *labels[1:2])
    p.sample([2], [10, 2000], *labels[2:])
    p.sample([3], [4, 400])
    return p.whole()


write("heap_blocks.pb", heap(("bytes", 7048), ("bytes", 48), ("bytes", 200)))
write("heap_no_blocks.pb", heap())

# A heap with labels: texts, one of them a number; several values of one key; numbers of time, and an id without a unit.
# Allocators at the leaf, and one inlined into its caller.
p = Profile([("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")])
for key, name, file in (1, "main", "main.c"), (2, "serve", "serve.c"), (3, "parse", "parse.c"), (4, "malloc", ""), \
        (5, "grow", "grow.cc"), (6, "operator new", "new.cc"):
    p.function(key, name, file)
p.location(1, 0, 0x1000, (1, 7))
p.location(2, 0, 0x2000, (2, 12))
p.location(3, 0, 0x3000, (3, 30))
p.location(4, 0, 0x4000, (4, 0))
p.location(5, 0, 0x5000, (6, 3), (5, 21))
for stack, n, size, labels in (
        ([4, 3, 1], 4, 1 << 20, [("tenant", "blue"), ("shard", "5")]),
        ([5, 2, 1], 2, 1 << 20, [("deadline", 250, "milliseconds"), ("tenant", "green"), ("tenant", "blue")]),
        ([4, 3, 1], 1, 1 << 20, [("tenant", "green"), ("shard", "15"), ("deadline", 2, "seconds")]),
        ([4, 2, 1], 128, 64 << 10, [("worker", 5)]),
        ([4, 1], 1, 512 << 10, [])):
    p.sample(stack, [n, n * size, n, n * size], *labels, ("bytes", size))
write("heap_tags.pb", p.whole())

# What the program of make.py allocates, as a Go heap would say it: sizes of blocks as labels, no names.
p = Profile([("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")])
p.mapping(1, 0x400000, 0x402000, 0, "/srv/app/bin/shapes")
ids = {}
for n, b, n2, b2, stack in shapes():
    keys = [ids.setdefault(a - 1, len(ids) + 1) for a in stack]
    half = b // 2 if n > 1 else b
    if n:
        p.sample(keys, [n2, b2, n - (n > 1), half], ("bytes", half // n))
    if n != 1:
        p.sample(keys, [0, 0, 1, b - half] if n else [n2, b2, 0, 0], ("bytes", 48))
for address, key in ids.items():
    p.location(key, 1, address)
p.add(p.value_type(11, "space", "bytes"), number(12, 524288))
write("shapes.pb.gz", p.whole())

# Frames that the profile drops by itself, and one that it keeps all the same.
p = Profile(CPU)
for key, name in enumerate(("main", "grab", "pool::take", "pool::keep", "leaf"), 1):
    p.location(key, 0, 0x100 * key, (key, key))
    p.function(key, name)
p.sample([5, 3, 2, 1], [1, MILLION])
p.sample([5, 4, 2, 1], [1, MILLION])
p.add(number(7, p.string("pool::.*")), number(8, p.string("pool::keep")))
write("cpu_drop_frames.pb", p.whole())

# Two static functions of one name; two more that are of no weight; and one function that has lines of two files.
p = Profile(CPU)
for key, (name, file, start) in enumerate((("main", "main.c", 30), ("dup", "a.c", 4), ("dup", "b.c", 3), ("tiny", "a.c", 10),
                                           ("tiny", "b.c", 20), ("loop", "a.c", 40), ("loop", "loop.h", 40)), 1):
    p.function(key, name, file, start)
    p.location(key, 0, 0x100 * key, (key, start + 1))
    p.sample([key, 1] if key > 1 else [1], [1 if name == "tiny" else 50, MILLION * (1 if name == "tiny" else 50)])
write("cpu_namesakes.pb", p.whole())

# More types than a page has, the last of which is the default.
p = Profile([(f"kind{i}", "count" if i % 2 else "bytes") for i in range(20)])
p.sample([1, 2], [1000 * i for i in range(20)])
p.sample([3, 2], [i % 3 for i in range(20)])
tables(p)
write("cpu_types.pb", p.whole())

# ---- bad input -------------------------------------------------------------------------------------------------

whole = cpu().whole()
write("bad_proto_cut.pb", whole[:-20])                      # within a comment: no name is lost
write("bad_proto_cut_names.pb", whole[:whole.index(b"handle.c")])
write("bad_proto_cut_types.pb", whole[:whole.index(b"samples")])
write("bad_proto_cut_second.pb", whole + whole[:60])

# Strings and tables first, so that what comes before the damage is of use.
def damaged(bad):
    q = Profile(CPU)
    tables(q)
    samples(q)
    q.string("")
    types, rest = q.fields[:2], q.fields[2:]
    return b"".join(q.table() + types + rest[:-2]) + bad + rest[-2]


write("bad_proto_length.pb", damaged(b"\x12" + varint(1 << 62)))
write("bad_proto_varint.pb", damaged(b"\x48" + b"\xff" * 11))
write("bad_proto_group.pb", damaged(b"\x13\x08\x01\x14"))
write("bad_proto_wire.pb", damaged(number(2, 5)))
write("bad_proto_field.pb", damaged(b"\x00\x00\x00\x00"))

# Samples that cannot be used, one of each kind; the others count.
p = cpu()
p.sample([1, 2], [5])
p.sample([9, 2], [1, MILLION])
p.add(chunk(2, packed(1, [1]) + packed(2, [1, 1]) + chunk(3, number(1, 999))))
p.add(chunk(2, packed(1, [1]) + b"\x12\x7f"))
p.add(chunk(2, b"\x0a\x01\xff" + packed(2, [1, 1])))
p.add(chunk(2, packed(1, [1] * 70000) + packed(2, [1, 1])))
write("bad_proto_samples.pb.gz", p.whole())

p = Profile(CPU)
p.sample([1, 2], [5])
p.sample([1, 2], [5])
tables(p)
write("bad_proto_values.pb", p.whole())

p = Profile(CPU)
p.sample([9, 2], [1, MILLION])
tables(p)
write("bad_proto_location.pb", p.whole())

# Tables that contradict themselves: an id twice, an id 0, a function, a mapping and a name that are not there, and lines
# without end.
p = cpu()
p.location(1, 1, 0x99999, (3, 1))
p.location(0, 1, 0x99998, (3, 1))
p.mapping(2, 5, 6, 7, "/srv/app/bin/other")
p.location(10, 33, 0x13000, (44, 1), (2, 50))
p.sample([10, 2], [1, 10 * MILLION])
p.add(chunk(5, number(1, 11) + number(2, 888)))
p.location(11, 1, 0x14000, (11, 1))
p.sample([11, 2], [1, 10 * MILLION])
p.location(12, 1, 0x15000, *[(2, 60)] * 1500)
p.sample([12], [1, 10 * MILLION])
write("bad_proto_tables.pb.gz", p.whole())

p = cpu()
write("bad_proto_first_string.pb", b"".join(p.fields + [chunk(6, b"?")] + p.table()[1:]))

p = Profile([])
p.sample([], [])
write("bad_proto_no_types.pb", p.whole())

# Every member of two whole ones, but the second has other types.
p = Profile([("contentions", "count"), ("delay", "nanoseconds")])
p.sample([], [1, 2])
write("bad_proto_joined.pb", cpu().whole() + p.whole())
