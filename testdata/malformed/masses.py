"""Inputs that have too much of something: rows, objects, names, labels, types, frames, or one that is too long."""

import gzip
import io
import struct
import sys

from inputs import SNAPSHOT, TESTDATA, Input

sys.path.insert(0, str(TESTDATA / 'profiles'))
from proto_writer import Profile, chunk, number, packed, varint

CPU = str(TESTDATA / 'profiles' / 'cpu.pb')
CONTENTION = str(TESTDATA / 'profiles' / 'locks.contention')
HEAP = b'heap profile: 1: 4096 [1: 4096] @ heapprofile\n'
ROW = b'1: 4096 [1: 4096] @ 0x401200 0x401300\n'
MAPS = b'\nMAPPED_LIBRARIES:\n'
MAP = b'00400000-00402000 r-xp 00000000 08:01 11 /srv/app/bin/shapes\n'
JEMALLOC = b'heap_v2/524288\n  t*: 1: 4096 [1: 4096]\n'
MILLION = 1000000
INFLATED = 16 << 20  # so much of any ratio is inflated


def packed_pieces(*parts, level=6):
    """gzip of what the iterables give, of which little is in memory at a time: the peak of this process counts as one of
    those that it starts."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode='wb', compresslevel=level, mtime=0) as stream:
        for part in parts:
            if isinstance(part, bytes):
                stream.write(part)
                continue
            buffer = io.BufferedWriter(stream, 1 << 20)
            for text in part:
                buffer.write(text)
            buffer.flush()
            buffer.detach()
    return out.getvalue()


def times(n, text):
    """n times the text, by pieces."""
    piece = max(1, (1 << 16) // max(1, len(text)))
    for done in range(0, n, piece):
        yield text * min(piece, n - done)


def filled(text, before=b'', after=b'', size=INFLATED):
    return lambda: packed_pieces(before, times(size // len(text), text), after)


def counted(form, n, before=b'', after=b'', step=1):
    """n rows that differ by a number."""
    return lambda: packed_pieces(before, (form % (i * step) for i in range(n)), after)


def bytes_without_end():
    for byte in b'\0\n\r\t 0-:@[x/\x80\xff':
        yield f'16 MB of {byte:#04x}', filled(bytes([byte]))
        yield f'a heap, then 16 MB of {byte:#04x}', filled(bytes([byte]), HEAP)
        yield f'a row that ends with 16 MB of {byte:#04x}', filled(bytes([byte]), HEAP + ROW[:-1])
        yield f'a map with a path of 16 MB of {byte:#04x}', filled(bytes([byte]), HEAP + ROW + MAPS + MAP[:-1])


LINES = (
    b'#', b'# 0x1 f+0x1 /a.c:1', b'--- symbol', b'---', b'--- heap', b'binary=/a', b'0x401200 f', b'MAPPED_LIBRARIES:', b'build=/a',
    b'heap profile: 1: 1 [1: 1] @ heapprofile', b'  t*: 1: 1 [1: 1]', b'  t1: 1: 1 [1: 1]', b'@ 0x401200', b'heap_v2/1', b'--- contention:',
    b'cycles/second = 1', b'sampling period = 1', b'ms since reset = 1', b'1 1 @ 0x401200', b'1 @ 0x401200', b'goroutine profile: total 1',
    b'# labels: {"a":"b"}', b'--- Thread 1 (name: a/1) stack: ---', b'  PC: 0x401200 f()', b'  0x401200', b'--- threadz 1 ---', b'x: 1',
    b'00400000-00402000 r-xp 00000000 08:01 11 /srv/app/bin/shapes', b'00400000-00402000: /a', b'a=b', b'$a', b'[0] E0101 00:00:00.0 1 a.cc:1] x',
    b'1: 1 [1: 1] @', b'1: 1 [1: 1] @ 0x401200')


def lines_without_end():
    """The same line again and again, behind what the format begins with."""
    for line in LINES:
        yield f'a million times {line.decode()!r}', lambda line=line: packed_pieces(times(MILLION, line + b'\n'))
        for name, before in (('a heap', HEAP + ROW), ('a map', HEAP + ROW + MAPS), ('jemalloc', JEMALLOC), ('names', b'--- symbol\n'),
                             ('contention', b'--- contentionz 1 ---\n'), ('counts', b'goroutine profile: total 1\n'),
                             ('threads', b'--- threadz 1 ---\n')):
            yield f'{name}, then 200,000 times {line.decode()!r}', lambda line=line, before=before: packed_pieces(
                before, times(200000, line + b'\n'))


def rows_that_differ():
    many = 150000
    yield 'heap rows of different addresses', counted(b'1: 1 [1: 1] @ 0x%x\n', many, HEAP, MAPS + MAP, 16)
    yield 'heap rows of different sizes', counted(b'1: %d [1: 1] @ 0x401200\n', many, HEAP, MAPS + MAP)
    yield 'heap rows of addresses in no order', counted(b'1: 1 [1: 1] @ 0x%x\n', many, HEAP, MAPS + MAP, 0x9e3779b97f4a7c15)
    yield 'jemalloc rows', counted(b'@ 0x%x\n  t*: 1: 1 [0: 0]\n', many, JEMALLOC)
    yield 'threads of jemalloc', counted(b'  t%d: 1: 1 [0: 0]\n', many, JEMALLOC + b'@ 0x401200\n  t*: 1: 1 [0: 0]\n')
    yield 'contention rows', counted(b'1 1 @ 0x%x\n', many, b'--- contentionz 1 ---\ncycles/second = 1\n')
    yield 'attributes', counted(b'a%d = 1\n', many, b'--- contentionz 1 ---\n')
    yield 'counts', counted(b'1 @ 0x%x\n#\t0x1\tf+0x1\t/a.c:1\n', many, b'goroutine profile: total 1\n')
    yield 'labels of counts', counted(b'1 @ 0x401200\n# labels: {"k%d":"v"}\n', many, b'goroutine profile: total 1\n')
    yield 'labels of one count', counted(b'"k%d":"v", ', many, b'goroutine profile: total 1\n1 @ 0x401200\n# labels: {', b'"a":"b"}\n')
    yield 'threads', counted(b'--- Thread %x (name: a/1) stack: ---\n  PC: 0x401200 f()\n', many, b'--- threadz 1 ---\n')
    yield 'names', counted(b'0x%x f\n', many, b'--- symbol\nbinary=/a\n', b'---\n--- heap\n' + HEAP + ROW, 16)
    yield 'inlined names', lambda: packed_pieces(b'--- symbol\nbinary=/a\n0x401200 f', times(many, b'--g'), b'\n---\n--- heap\n' + HEAP + ROW)
    yield 'java names', counted(b' 0x%x f (a.java:1)\n', many, b'--- heapz 1 ---\n 1 1 @ 0x1\n', b'', 16)
    yield 'addresses', counted(b'0x%x\n', many, step=16)


def maps():
    many = 150000
    row = b'%%x-%%x r-xp 00000000 08:01 11 %s\n'

    def mapped(form, n, place):
        return lambda: packed_pieces(HEAP + ROW + MAPS, (form % place(i) for i in range(n)))
    yield 'objects in a map', mapped(b'%x-%x r-xp 00000000 08:01 11 /o%d\n', many, lambda i: (i << 12, (i + 1) << 12, i))
    yield 'rows of one object', mapped(row % b'/o', many, lambda i: (i << 12, (i + 1) << 12))
    yield 'rows that hold each other', mapped(row % b'/o', many, lambda i: (i << 12, (2 * many - i) << 12))
    yield 'objects that hold each other', mapped(b'%x-%x r-xp 00000000 08:01 11 /o%d\n', many,
                                                 lambda i: (i << 12, (2 * many - i) << 12, i))
    yield 'rows that overlap', mapped(row % b'/o', many, lambda i: (i << 12, (i + 1000) << 12))
    yield 'rows in the wrong order', mapped(row % b'/o', many, lambda i: ((many - i) << 12, (many - i + 1) << 12))
    yield 'rows of no size', mapped(row % b'/o', many, lambda i: (i << 12, i << 12))
    yield 'rows of all addresses', mapped(row % b'/o', many, lambda i: (0, (1 << 64) - 1))
    yield 'variables of a map', lambda: packed_pieces(HEAP + ROW + MAPS, (b'v%d=$v%d\n' % (i, i - 1) for i in range(many)), MAP)
    yield 'objects with a sample each', lambda: packed_pieces(
        HEAP, (b'1: 1 [1: 1] @ 0x%x\n' % ((i << 12) + 8) for i in range(20000)), MAPS,
        (b'%x-%x r-xp 00000000 08:01 11 /o%d\n' % (i << 12, (i + 1) << 12, i) for i in range(20000)))


def stacks():
    for n in 65535, 65536, 65537, 200000, 1000000:
        yield f'a heap row of {n} frames', counted(b' 0x%x', n, HEAP + b'1: 1 [1: 1] @', b'\n' + MAPS + MAP)
        yield f'a heap row of one frame {n} times', lambda n=n: packed_pieces(
            HEAP + b'1: 1 [1: 1] @', times(n, b' 0x401200'), b'\n' + MAPS + MAP)
        yield f'a CPU sample of {n} frames', lambda n=n: packed_pieces(
            struct.pack('<7Q', 0, 3, 0, 10000, 0, 1, n), (struct.pack('<Q', 0x401200 + i) for i in range(n)),
            struct.pack('<3Q', 0, 1, 0) + MAP)
        yield f'a jemalloc stack of {n} frames', counted(b' 0x%x', n, JEMALLOC + b'@', b'\n  t*: 1: 1 [0: 0]\n' + MAPS + MAP)
    yield 'rows of 1000 frames', lambda: packed_pieces(
        HEAP, (b'1: 1 [1: 1] @' + b''.join(b' 0x%x' % (i * j) for j in range(1000)) + b'\n' for i in range(300)), MAPS + MAP)
    yield 'rows of 60,000 frames', lambda: packed_pieces(
        HEAP, *(part for i in range(20) for part in (b'1: 1 [1: 1] @', times(60000, b' 0x401200'), b' 0x%x\n' % i)), MAPS + MAP)


def head(types=(('samples', 'count'), ('cpu', 'nanoseconds'))):
    p = Profile(types)
    p.mapping(1, 0x10000, 0x20000, 0, '/srv/app/bin/tool', 'abcd', 0)
    p.function(1, 'f', '/f.c', 1)
    p.location(1, 1, 0x11000, (1, 2))
    return p


def proto(each, n, p=None, after=b''):
    """A good profile, and n fields more; the strings of the fields are numbered from the first free one."""
    p = p or head()
    p.sample([1], [1] * sum(field[0] == 10 for field in p.fields))
    first = len(p.strings)
    return packed_pieces(p.whole(), (each(i, first) for i in range(n)), after)


def of_message(field, *fields):
    return chunk(field, b''.join(fields))


def protos():
    many = 500000
    for field in range(1, 16):
        yield f'proto: a million empty fields of number {field}', lambda field=field: proto(lambda i, first: varint(field << 3 | 2) + b'\0', MILLION)
        yield f'proto: a million numbers of field {field}', lambda field=field: proto(lambda i, first: varint(field << 3) + b'\1', MILLION)
        yield f'proto: one field {field} of 16 MB', lambda field=field: packed_pieces(
            head().whole(), varint(field << 3 | 2) + varint(INFLATED), times(INFLATED, b'\0'))
        yield f'proto: one field {field} of 16 MB of ones', lambda field=field: packed_pieces(
            head().whole(), varint(field << 3 | 2) + varint(INFLATED), times(INFLATED, b'\x01'))
        yield f'proto: one field {field} of empty messages', lambda field=field: packed_pieces(
            head().whole(), varint(field << 3 | 2) + varint(INFLATED), times(INFLATED // 2, b'\x22\0'))
        yield f'proto: one field {field} of labels', lambda field=field: packed_pieces(
            head().whole(), varint(field << 3 | 2) + varint(INFLATED), times(INFLATED // 4, b'\x1a\2\x08\1'))
    yield 'proto: mappings', lambda: proto(lambda i, first: of_message(3, number(1, i + 2)), many)
    yield 'proto: mappings with ranges', lambda: proto(
        lambda i, first: of_message(3, number(1, i + 2), number(2, (i + 100) << 12), number(3, (i + 101) << 12), number(5, 5)), many)
    yield 'proto: objects', lambda: proto(
        lambda i, first: of_message(3, number(1, i + 2), number(2, (i + 100) << 12), number(3, (i + 101) << 12), number(5, first + i))
        + chunk(6, b'/o%d' % i), many)
    yield 'proto: objects by build id', lambda: proto(
        lambda i, first: of_message(3, number(1, i + 2), number(2, (i + 100) << 12), number(3, (i + 101) << 12), number(6, first + i))
        + chunk(6, b'%08x' % i), many)
    yield 'proto: objects with a sample each', lambda: proto(
        lambda i, first: of_message(3, number(1, i + 2), number(2, (i + 100) << 12), number(3, (i + 101) << 12), number(5, first + i))
        + of_message(4, number(1, i + 2), number(2, i + 2), number(3, ((i + 100) << 12) + 8))
        + of_message(2, packed(1, [i + 2]), packed(2, [1, 1])) + chunk(6, b'/o%d' % i), 60000)
    yield 'proto: locations', lambda: proto(lambda i, first: of_message(4, number(1, i + 2), number(3, i)), many)
    yield 'proto: locations of two bytes', lambda: proto(lambda i, first: b'\x22\2\x08' + varint(i % 100 + 2), MILLION)
    yield 'proto: locations with samples', lambda: proto(
        lambda i, first: of_message(4, number(1, i + 2), number(3, i)) + of_message(2, packed(1, [i + 2]), packed(2, [1, 1])), 200000)
    yield 'proto: functions', lambda: proto(lambda i, first: of_message(5, number(1, i + 2), number(2, first + i)) + chunk(6, b'f%d' % i), many)
    yield 'proto: functions of one name with samples', lambda: proto(
        lambda i, first: of_message(5, number(1, i + 2), number(2, 3)) + of_message(4, number(1, i + 2), of_message(4, number(1, i + 2)))
        + of_message(2, packed(1, [i + 2]), packed(2, [1, 1])), 150000)
    yield 'proto: functions with samples', lambda: proto(
        lambda i, first: of_message(5, number(1, i + 2), number(2, first + i)) + of_message(4, number(1, i + 2), of_message(4, number(1, i + 2)))
        + of_message(2, packed(1, [i + 2]), packed(2, [1, 1])) + chunk(6, b'f%d' % i), 100000)
    yield 'proto: lines of a location', lambda: proto(
        lambda i, first: b'', 0, after=of_message(4, number(1, 2), of_message(4, number(1, 1), number(2, 1)) * many)
        + of_message(2, packed(1, [2]), packed(2, [1, 1])))
    yield 'proto: samples of no frame', lambda: proto(lambda i, first: of_message(2, packed(2, [1, 1])), many)
    yield 'proto: samples of equal frames', lambda: proto(lambda i, first: of_message(2, packed(1, [1]), packed(2, [1, 1])), many)
    yield 'proto: samples of long stacks', lambda: proto(
        lambda i, first: of_message(2, chunk(1, b'\1' * 60000 + b'\1' * i), packed(2, [1, 1])), 200)
    yield 'proto: samples of 65,535 frames', lambda: proto(lambda i, first: of_message(2, chunk(1, b'\1' * (65535 - i)), packed(2, [1, 1])), 240)
    yield 'proto: labels of a sample', lambda: proto(
        lambda i, first: b'', 0, after=of_message(2, packed(1, [1]), packed(2, [1, 1]), of_message(3, number(1, 1), number(2, 2)) * many))
    yield 'proto: different labels of a sample', lambda: proto(
        lambda i, first: b'', 0, after=of_message(2, packed(1, [1]), packed(2, [1, 1]), b''.join(
            of_message(3, number(1, 1), number(3, i)) for i in range(200000))))
    yield 'proto: samples of different labels', lambda: proto(
        lambda i, first: of_message(2, packed(1, [1]), packed(2, [1, 1]), of_message(3, number(1, 1), number(3, i))), 200000)
    yield 'proto: samples of different keys', lambda: proto(
        lambda i, first: of_message(2, packed(1, [1]), packed(2, [1, 1]), of_message(3, number(1, first + i), number(3, i)))
        + chunk(6, b'k%d' % i), 100000)
    yield 'proto: strings', lambda: proto(lambda i, first: chunk(6, b's%d' % i), MILLION)
    yield 'proto: strings of 64 kB', lambda: proto(lambda i, first: chunk(6, b'%065000d' % i), 250)
    yield 'proto: comments', lambda: proto(lambda i, first: number(13, 1 + i % 5), MILLION)
    for n in 2, 16, 64, 255, 256, 257, 5000:
        yield f'proto: {n} types', lambda n=n: proto(lambda i, first: b'', 0, head([(f't{i}', 'count') for i in range(n)]))
        yield f'proto: {n} types with samples', lambda n=n: proto(
            lambda i, first: of_message(5, number(1, i + 2), number(2, first + i)) + of_message(4, number(1, i + 2), of_message(4, number(1, i + 2)))
            + of_message(2, packed(1, [i + 2, 1]), packed(2, range(n))) + chunk(6, b'f%d' % i),
            min(100000, 4000000 // n), head([(f't{i}', 'count') for i in range(n)]))
    yield 'proto: values of a sample', lambda: proto(lambda i, first: of_message(2, packed(1, [1]), chunk(2, b'\1' * MILLION)), 10)
    yield 'proto: a name of 15 MB', lambda: proto_with_name(b'a' * (15 << 20))
    yield 'proto: a mangled name of 1 MB', lambda: proto_with_name(b'_Z' + b'N' * 300000 + b'1a' * 300000 + b'Ev')
    yield 'proto: a mangled name that doubles', lambda: proto_with_name(b'_Z1fI' + b'1aIS_' * 40 + b'E' * 41 + b'v')
    yield 'proto: profiles behind each other', lambda: packed_pieces(times(20000, small_profile()))
    yield 'proto: an unknown field, nested', lambda: packed_pieces(head().whole(), times(MILLION, varint(99 << 3 | 3)))
    yield 'proto: chain of functions, each twice', lambda: proto(
        lambda i, first: of_message(5, number(1, i + 2), number(2, first + i)) + of_message(4, number(1, i + 2), of_message(4, number(1, i + 2)))
        + of_message(2, packed(1, range(2, i + 3)), packed(2, [1, 1])) + chunk(6, b'f%d' % i), 2000)
    yield 'proto: every function calls another', lambda: proto(
        lambda i, first: of_message(5, number(1, i + 2), number(2, first + i)) + of_message(4, number(1, i + 2), of_message(4, number(1, i + 2)))
        + b''.join(of_message(2, packed(1, [i + 2, j + 2]), packed(2, [1, 1])) for j in range(i)) + chunk(6, b'f%d' % i), 600)


def small_profile():
    p = head()
    p.sample([1], [1, 1])
    return p.whole()


def proto_with_name(name):
    p = head()
    p.function(2, name, name)
    p.location(2, 1, 0x11100, (2, 2))
    p.sample([2, 1], [1, 1])
    return packed_pieces(p.whole())


def inputs():
    for make in bytes_without_end, lines_without_end, rows_that_differ, maps, stacks, protos:
        for recipe, data in make():
            yield Input('mass', recipe, data, good_of(recipe), is_small=False)


def good_of(recipe):
    return CPU if recipe.startswith('proto') or 'CPU' in recipe else CONTENTION if 'contention' in recipe else SNAPSHOT
