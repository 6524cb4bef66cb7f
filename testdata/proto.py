"""Decodes profile.proto, and says what is wrong with one."""

import collections
import gzip
import zlib

from harness import Failure


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value & (1 << 64) - 1, at
        if shift > 63:
            raise Failure(f'a number of more than 10 bytes at {at}')


def fields(data):
    """(number, value) of each field of a message: an int, or bytes."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise Failure(f'a field of {size} bytes ends behind the message')
        else:
            raise Failure(f'a field of wire type {tag & 7}')
        yield tag >> 3, value


def numbers(values):
    """Repeated numbers, packed or not; as int64."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
        else:
            at = 0
            while at < len(value):
                number, at = varint(value, at)
                found.append(number)
    return [number - (1 << 64) if number >> 63 else number for number in found]


def grouped(data):
    found = collections.defaultdict(list)
    for number, value in fields(data):
        found[number].append(value)
    return found


def one(message, number):
    return message[number][-1] if message[number] else 0


def by_id(kind, messages):
    table = {}
    for message in map(grouped, messages):
        key = one(message, 1)
        if not key or key in table:
            raise Failure(f'{kind} id {key} is 0 or there twice')
        table[key] = message
    return table


def check_profile(data):
    """What google/pprof's CheckValid asks for, and more: returns the sums of |values|, by type, and the samples' number."""
    profile = grouped(data)
    strings = profile[6]
    if not strings or strings[0]:
        raise Failure('the first string is not empty')
    if len(set(strings)) != len(strings):
        raise Failure('a string is there twice')

    def text(number):
        if number >= len(strings):
            raise Failure(f'string {number} of {len(strings)}')
        return strings[number].decode(errors='backslashreplace')

    types = [(text(one(message, 1)), text(one(message, 2))) for message in map(grouped, profile[1])]
    mappings, locations, functions = (by_id(kind, profile[number]) for kind, number in
                                      (('mapping', 3), ('location', 4), ('function', 5)))
    for mapping in mappings.values():
        text(one(mapping, 5)), text(one(mapping, 6))
    for function in functions.values():
        text(one(function, 2)), text(one(function, 3)), text(one(function, 4))
    for location in locations.values():
        mapping = mappings.get(one(location, 2))
        if one(location, 2) and mapping is None:
            raise Failure(f'no mapping {one(location, 2)}')
        if mapping and one(mapping, 3) and not one(mapping, 2) <= one(location, 3) < one(mapping, 3):
            raise Failure(f'location {one(location, 3):#x} is outside its mapping')
        for line in map(grouped, location[4]):
            if one(line, 1) not in functions:
                raise Failure(f'no function {one(line, 1)}')
    used = set()
    sums = [0] * len(types)
    for sample in map(grouped, profile[2]):
        values = numbers(sample[2])
        if len(values) != len(types):
            raise Failure(f'{len(values)} values for {len(types)} types')
        sums = [total + abs(value) for total, value in zip(sums, values)]
        for location in numbers(sample[1]):
            if location not in locations:
                raise Failure(f'no location {location}')
            used.add(location)
        keys = [one(label, 1) for label in map(grouped, sample[3])]
        names = [strings[key] for key in keys if text(key)]
        if names != sorted(names) or len(names) != len(keys):
            raise Failure(f'labels {names} are not in order')
        for label in map(grouped, sample[3]):
            text(one(label, 2)), text(one(label, 4))
    if used != set(locations):
        raise Failure('a location is in no sample')
    for number in numbers(profile[13]) + [one(profile, number) for number in (7, 8, 14, 15)]:
        text(number)
    return dict(zip((name for name, _ in types), sums)), len(profile[2]), text(one(profile, 14))


def describe(data):
    """What a golden text says of a compressed one: its types, and each sample with the names of its stack, the leaf first."""
    try:
        data = gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as fault:
        raise Failure(f'not a whole gzip member: {fault}') from None
    _, n_samples, default = check_profile(data)
    profile = grouped(data)
    strings = [string.decode(errors='backslashreplace') for string in profile[6]]
    names = {one(function, 1): strings[one(function, 2)] for function in map(grouped, profile[5])}
    frames = {one(location, 1): [names[one(line, 1)] for line in map(grouped, location[4])] or [f'{one(location, 3):#x}']
              for location in map(grouped, profile[4])}
    types = [strings[one(kind, 1)] for kind in map(grouped, profile[1])]
    yield f'(a whole profile.proto of {n_samples} samples: {" ".join(types)}; {default or "no"} default)'
    for sample in map(grouped, profile[2]):
        labels = [f'{strings[one(label, 1)]}={strings[one(label, 2)] or one(label, 3)}{strings[one(label, 4)]}'
                  for label in map(grouped, sample[3])]
        stack = [name for location in numbers(sample[1]) for name in frames[location]]
        yield f'{" ".join(map(str, numbers(sample[2])))} {" ".join(labels)}: {", ".join(stack)}'
