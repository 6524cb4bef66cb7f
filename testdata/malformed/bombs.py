"""gzip and zlib that expand without end, that are damaged, or that lie; what is given as PROFILE and is no file."""

import gzip
import io
import struct
import zlib

from inputs import SNAPSHOT, TESTDATA, USUAL, Bench, Input
from masses import HEAP, ROW, packed_pieces, times

SHAPES = (TESTDATA / 'profiles' / 'shapes.heap').read_bytes()
MB = 1 << 20


def zeros(n, wbits=31):
    """n MB of zeros."""
    packer, out = zlib.compressobj(9, wbits=wbits), io.BytesIO()
    for _ in range(n):
        out.write(packer.compress(bytes(MB)))
    out.write(packer.flush())
    return out.getvalue()


def nested(data, levels):
    for _ in range(levels):
        data = gzip.compress(data, mtime=0)
    return data


def member(data, flags=0, extra=b'', crc=None, size=None):
    """A member whose head has these flags and what belongs to them, and whose trailer says so."""
    packer = zlib.compressobj(wbits=-15)
    return (b'\x1f\x8b\x08' + bytes([flags]) + b'\0\0\0\0\0\xff' + extra + packer.compress(data) + packer.flush() +
            struct.pack('<II', zlib.crc32(data) if crc is None else crc, len(data) if size is None else size))


def stored(data):
    packer = zlib.compressobj(0, wbits=31)
    return packer.compress(data) + packer.flush()


def expanding():
    for n in 1, 15, 16, 17, 64, 300, 1000:
        yield f'{n} MB of zeros', lambda n=n: zeros(n)
        yield f'{n} MB of zeros by zlib', lambda n=n: zeros(n, 15)
        yield f'a heap and {n} MB of the same row', lambda n=n: packed_pieces(HEAP, times(n * MB // len(ROW), ROW))
        yield f'{n} MB of zeros, twice compressed', lambda n=n: nested(zeros(n), 1)
        yield f'a good one, and {n} MB of zeros as a second member', lambda n=n: gzip.compress(SHAPES, mtime=0) + zeros(n)
    yield 'members of 1 MB of zeros', lambda: zeros(1) * 900
    yield 'members of 1 MB of zeros by zlib', lambda: zeros(1, 15) * 900
    for n in 2, 3, 4, 10, 1000:
        yield f'compressed {n} times', nested(SHAPES, n)
    for n in 10, 1000, 50000:
        yield f'{n} empty members', lambda n=n: gzip.compress(b'', mtime=0) * n
        yield f'{n} empty members before a good one', lambda n=n: gzip.compress(b'', mtime=0) * n + gzip.compress(SHAPES, mtime=0)
        yield f'{n} members of a byte', lambda n=n: b''.join(gzip.compress(b'%c' % byte, mtime=0) for byte in SHAPES) * (n // 1000)
        yield f'{n} members of a good one', lambda n=n: gzip.compress(SHAPES, mtime=0) * min(n, 2000)
    yield 'stored blocks of nothing', lambda: b'\x1f\x8b\x08\0\0\0\0\0\0\xff' + b'\0\0\0\xff\xff' * 200000
    yield 'fixed blocks of nothing', lambda: b'\x1f\x8b\x08\0\0\0\0\0\0\xff' + b'\x02\x08\x20\x80\x00' * 200000
    yield 'stored', stored(SHAPES)


def damaged():
    yield 'a name without end', member(SHAPES, 8, b'n' * 900000)
    yield 'a name of 900 kB', member(SHAPES, 8, b'n' * 900000 + b'\0')
    yield 'a comment of 900 kB', member(SHAPES, 16, b'n' * 900000 + b'\0')
    yield 'an extra field of 64 kB', member(SHAPES, 4, b'\xff\xff' + b'x' * 65535)
    yield 'an extra field that is cut', member(SHAPES, 4, b'\xff\xff' + b'x' * 100)
    yield 'a checksum of the head', member(SHAPES, 2, b'\0\0')
    for flags in 32, 64, 128, 255:
        yield f'flags {flags:#x}', member(SHAPES, flags)
    for crc in 0, 0xffffffff:
        yield f'checksum {crc:#x}', member(SHAPES, crc=crc)
    for size in 0, 1, len(SHAPES) - 1, len(SHAPES) + 1, 0x7fffffff, 0x80000000, 0xffffffff:
        yield f'size {size:#x}', member(SHAPES, size=size)
    good = gzip.compress(SHAPES, mtime=0)
    for junk in b'\0', bytes(1000), b'junk', b'\x1f', b'\x1f\x8b', b'\x1f\x8b\x08', good[:20], good[:-1], zlib.compress(SHAPES)[:-5]:
        yield f'{len(junk)} bytes behind it: {junk[:5]!r}', good + junk
    for method in 0, 7, 9, 255:
        yield f'method {method}', good[:2] + bytes([method]) + good[3:]
    for second in range(0, 256, 8):
        yield f'zlib head 0x78{second:02x}', b'\x78' + bytes([second]) + zlib.compress(SHAPES)[2:]


def limits():
    """Small bounds of the user's, and those that are none."""
    packed = gzip.compress(SHAPES, mtime=0)
    for size in '0', '1', '100B', '1kB', '1TB', '18446744073709551615', '18446744073709551616', '-1', '1e30GB', '0.1', 'NaN', '':
        for what, data in (('a good one', packed), ('20 MB of zeros', lambda: zeros(20))):
            yield Bench('bomb', f'--max-inflate={size} of {what}', {'0': data}, ((('--text', f'--max-inflate={size}', '0'), USUAL),))


def no_files():
    for path in '/dev/null', '/dev/zero', '/dev/full', '/dev/urandom', '/', '/proc/self/mem', '/proc/self/environ', '/proc/self/maps', \
            '/nonexistent', 'x' * 5000, 'a\nb', '\x1b[31m', '/dev/tty', '/proc/self/fd', '/dev/stdin', '', '-':
        words = (('--text', path), ('--text', path, SNAPSHOT), ('--top', f'--base={path}', SNAPSHOT), ('--trend', SNAPSHOT, path),
                 ('--text', f'--suppressions={path}', '--trend', SNAPSHOT, SNAPSHOT), ('--text', f'--perf-map={path}', SNAPSHOT),
                 ('--text', f'--add-lib={path}', SNAPSHOT), ('--list=.', f'--source-path={path}', SNAPSHOT),
                 ('--text', f'--sysroot={path}', SNAPSHOT), ('--text', f'--symbol-path={path}', SNAPSHOT))
        yield Bench('no file', repr(path)[:40], {}, tuple((each, (0, 1, 2, 3)) for each in words))


def inputs():
    for make in expanding, damaged:
        for recipe, data in make():
            yield Input('bomb', recipe, data, is_small=False)
    yield from limits()
    yield from no_files()
