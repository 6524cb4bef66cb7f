"""Samples in which one number is another: of a text, of a profile.proto, or a word of a CPU profile."""

import re
import struct
import sys

from inputs import TESTDATA, Input
from samples import named, samples

sys.path.insert(0, str(TESTDATA / 'profiles'))
from proto_writer import chunk, varint

NUMBER = re.compile(rb'(?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE]\d+)?|[0-9a-fA-F]{6,16})(?!\w)')
NUMBERS = (0, 1, -1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30)
TEXTS = tuple(str(number).encode() for number in NUMBERS) + (
    b'', b'-', b'NaN', b'inf', b'1e999', b'-1e999', b'0x', b'0xffffffffffffffff', b'ffffffffffffffff', b'1' + 400 * b'0',
    b'0.' + 400 * b'0' + b'1', b'-9223372036854775808', b'x', b'\xd9\xa1', b'1 1', b'\0')
FEW = 5  # values for each number where there are many samples

REPRESENTATIVES = (
    'shapes.heap', 'sampled_v1.heap', 'sampled_v2.heap', 'growth.heap', 'fragmentation.heap', 'jemalloc.heap', 'jemalloc_old.heap',
    'jemalloc_sampled.heap', 'go_debug1.heap', 'go_block.contention', 'go_mutex.contention', 'locks.contention',
    'locks_mapped.contention', 'goroutine.count', 'goroutine_names.count', 'threads.threadz', 'java.heap', 'java.contention',
    'symbolized.heap', 'raw_cpu.sym', 'locks_named.sym', 'addresses_mapped.txt', 'maps_freebsd.heap', 'cpu_java.prof')
PROTOS = 'cpu.pb', 'cpu_unpacked.pb', 'heap_tags.pb', 'cpu_at_1.pb', 'cpu_drop_frames.pb'
CPUS = (('cpu32l.prof', '<I'), ('cpu32b.prof', '>I'), ('cpu64l.prof', '<Q'), ('cpu64b.prof', '>Q'))


def is_text(sample):
    return b'\0' not in sample.data and not sample.name.endswith(('.pb', '.gz', 'gzip', 'zlib', 'twice'))


def texts():
    first = named(*REPRESENTATIVES)
    for sample in first:
        yield from text_extremes(sample, lambda i: TEXTS)
    for sample in samples():
        if sample not in first and is_text(sample):
            yield from text_extremes(sample, lambda i: [TEXTS[(i + j * FEW) % len(TEXTS)] for j in range(FEW)])


def text_extremes(sample, values_of):
    for i, found in enumerate(NUMBER.finditer(sample.data[:4096])):
        for value in values_of(i):
            yield Input('number of a text', f'{sample.name}: {value[:30]!r} at byte {found.start()}',
                        sample.data[:found.start()] + value + sample.data[found.end():], sample.path)


# Which fields of a message are messages, and which are numbers side by side.
VALUE_TYPE, LINE, LABEL = {}, {}, {}
SAMPLE = {1: None, 2: None, 3: LABEL}
PROFILE = {1: VALUE_TYPE, 2: SAMPLE, 3: {}, 4: {4: LINE}, 5: {}, 11: VALUE_TYPE}


def read_varint(data, at):
    shift = value = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def decode(data, inner=PROFILE):
    """A list of [field, value], where a value is a number, bytes, a list of numbers or such a list again."""
    at, fields = 0, []
    while at < len(data):
        key, at = read_varint(data, at)
        value, at = read_varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
            if key >> 3 in inner:
                below = inner[key >> 3]
                value = numbers_of(value) if below is None else decode(value, below)
        fields.append([key >> 3, value])
    return fields


def numbers_of(data):
    at, numbers = 0, []
    while at < len(data):
        value, at = read_varint(data, at)
        numbers.append(value)
    return numbers


def encode(fields):
    return b''.join(varint(field << 3) + varint(value) if isinstance(value, int) else
                    chunk(field, value if isinstance(value, bytes) else encode_inner(value)) for field, value in fields)


def encode_inner(value):
    return b''.join(map(varint, value)) if value and isinstance(value[0], int) else encode(value)


def places(fields):
    """(list, index) of each number in it."""
    for pair in fields:
        if isinstance(pair, int):
            continue
        value = pair[1]
        if isinstance(value, int):
            yield pair, 0
            yield pair, 1
        elif not isinstance(value, bytes):
            if value and isinstance(value[0], int):
                yield from ((value, i) for i in range(len(value)))
            else:
                yield from places(value)


def protos():
    for sample in named(*PROTOS):
        fields = decode(sample.data)
        for n, (where, i) in enumerate(list(places(fields))):
            old = where[i]
            for value in NUMBERS[:-2] + (2, 3, 7, 200, 65536):
                where[i] = value if len(where) != 2 or i else min(value & 0xffff, (1 << 29) - 1)
                yield Input('number of a proto', f'{sample.name}: {value} as number {n}', encode(fields), sample.path)
            where[i] = old


def words():
    for name, form in CPUS:
        sample, = named(name)
        size = struct.calcsize(form)
        for n in range(min(len(sample.data), 2048) // size):
            for value in (0, 1, 2, 3, 0xff, 0x10000, 0x10001, 2**24, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1):
                if value < 1 << 8 * size:
                    data = bytearray(sample.data)
                    struct.pack_into(form, data, n * size, value)
                    yield Input('word of a CPU profile', f'{name}: {value:#x} as word {n}', bytes(data), sample.path)


def inputs():
    yield from texts()
    yield from protos()
    yield from words()
