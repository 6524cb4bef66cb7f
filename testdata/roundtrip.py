#!/usr/bin/env python3
"""Checks that a profile which went through --proto answers as the file it was made of.

roundtrip.py PPROF NAME [DIRECTIVE...] ARG...   takes a row of meson.build (golden.py runs the same), turns each of its
                                                profiles into a profile.proto, checks that one with a decoder of its own,
                                                and runs the row on them: stdout must be that of golden/NAME.txt

The rows are those that are about a profile which can be read, and tell nothing of the file itself.

Exact profiles must answer with the same bytes; a build id, which a text profile does not know, does not count. Where
values were scaled from samples (or from clock ticks), they become whole numbers in the file, so each may be off by one
half for each sample, and numbers in the answer by as much.
"""

import collections
import gzip
import os
import pathlib
import re
import sys
import tempfile

import golden
import harness

# What a profile was read by, and what its names come from: the file that is made has it inside.
READING = ('--sysroot', '--all-frames', '--max-inflate', '--no-unsample', '--sampling-period', '--thread', '--path-map',
           '--symbol-path', '--lib-prefix', '--add-lib', '--force-binary', '--symbolize', '--perf-map',
           '--buildid', '--no-strip-temp')
# Of these, what would be asked twice: the file holds what came out.
ONCE = ('--no-unsample', '--sampling-period')
BASES = ('--base', '--diff-base')
# What stands in a row with its argument behind it.
WITH_ARGUMENT = ('-j', '-o', '--focus')

SAMPLED = (rb'^(%.*\n)*heap profile:.*@ *(heap|heap_v[0-9]+|heapz_v2)(/|\s*$)', rb'^heap_v2/', rb'^--- contention',
           rb'^--- heapz? ', rb'^heap profile:[^@]*$')
UNITS = {'B': 1, 'kB': 1 << 10, 'MB': 1 << 20, 'GB': 1 << 30, 'TB': 1 << 40, 'PB': 1 << 50,
         'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9, 'hrs': 3600e9}


# ---------------------------------------------------------------------------------------------------- decoding

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
            raise harness.Failure(f'a number of more than 10 bytes at {at}')


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
                raise harness.Failure(f'a field of {size} bytes ends behind the message')
        else:
            raise harness.Failure(f'a field of wire type {tag & 7}')
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
            raise harness.Failure(f'{kind} id {key} is 0 or there twice')
        table[key] = message
    return table


def check_profile(data):
    """What google/pprof's CheckValid asks for, and more: returns the sums of |values|, by type, and the samples' number."""
    profile = grouped(data)
    strings = profile[6]
    if not strings or strings[0]:
        raise harness.Failure('the first string is not empty')
    if len(set(strings)) != len(strings):
        raise harness.Failure('a string is there twice')

    def text(number):
        if number >= len(strings):
            raise harness.Failure(f'string {number} of {len(strings)}')
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
            raise harness.Failure(f'no mapping {one(location, 2)}')
        if mapping and one(mapping, 3) and not one(mapping, 2) <= one(location, 3) < one(mapping, 3):
            raise harness.Failure(f'location {one(location, 3):#x} is outside its mapping')
        for line in map(grouped, location[4]):
            if one(line, 1) not in functions:
                raise harness.Failure(f'no function {one(line, 1)}')
    used = set()
    sums = [0] * len(types)
    for sample in map(grouped, profile[2]):
        values = numbers(sample[2])
        if len(values) != len(types):
            raise harness.Failure(f'{len(values)} values for {len(types)} types')
        sums = [total + abs(value) for total, value in zip(sums, values)]
        for location in numbers(sample[1]):
            if location not in locations:
                raise harness.Failure(f'no location {location}')
            used.add(location)
        keys = [text(one(label, 1)) for label in map(grouped, sample[3])]
        if keys != sorted(keys) or '' in keys:
            raise harness.Failure(f'labels {keys} are not in order')
        for label in map(grouped, sample[3]):
            text(one(label, 2)), text(one(label, 4))
    if used != set(locations):
        raise harness.Failure('a location is in no sample')
    for number in numbers(profile[13]) + [one(profile, number) for number in (7, 8, 14, 15)]:
        text(number)
    return dict(zip((name for name, _ in types), sums)), len(profile[2]), text(one(profile, 14))


# ---------------------------------------------------------------------------------------------------- a row

def option(word):
    """Its name, of two spellings the one with dashes."""
    return word.split('=', 1)[0].replace('_', '-')


def is_elf(path):
    try:
        with open(harness.TESTDATA / path, 'rb') as file:
            return file.read(4) == b'\x7fELF'
    except OSError:
        return False


def split(args):
    """The positions of the profiles in args, the program before them or None, and the options that reading obeys."""
    inputs, reading, at = [], [], 0
    while at < len(args):
        word = args[at]
        if word == '--':
            inputs += range(at + 1, len(args))
            break
        if option(word) in READING:
            reading.append(word)
        if option(word) in BASES or not word.startswith('-'):
            inputs.append(at)
        at += 1 + (word in WITH_ARGUMENT)
    positional = [i for i in inputs if option(args[i]) not in BASES]
    program = args[positional[0]] if positional and is_elf(args[positional[0]]) else None
    return [i for i in inputs if program is None or i != positional[0]], program, reading


def path_of(word):
    return word.split('=', 1)[1] if option(word) in BASES else word


def is_sampled(path):
    data = (harness.TESTDATA / path).read_bytes()
    if data[:2] == b'\x1f\x8b':
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError):
            return False
    return any(re.search(pattern, data[:100000], re.M) for pattern in SAMPLED)


class Converted:
    """The profiles of a row as files of the other format."""

    def __init__(self, pprof, case, scratch):
        positions, program, reading = split(case.args)
        self.args = list(case.args)
        self.profiles = []  # (sums of |values|, number of samples, default type), for each
        self.is_sampled = False
        for i in positions:
            word = case.args[i]
            path = path_of(word)
            target = os.path.join(scratch, f'{i}.pb.gz')
            if not os.path.isfile(harness.TESTDATA / path):
                continue
            asked = golden.Case(case.name, ['-q', '--proto', '-o', target, *reading] + [program] * bool(program) + [path],
                                env=case.env, fifos=case.fifos)
            golden.answer(pprof, asked, [], 'C')
            if not os.path.exists(target):
                continue  # it cannot be read, and stays as it is
            self.profiles.append(check_profile(gzip.decompress(pathlib.Path(target).read_bytes())))
            self.is_sampled |= is_sampled(path)
            self.args[i] = word.removesuffix(path) + target
        self.args = [word for word in self.args if option(word) not in ONCE]


def output(text):
    """What was written to stdout and to files."""
    return re.split(rb'^(?:\[stderr\]|\[exit\] )', text, flags=re.M)[0].decode(errors='surrogateescape')


def without_build_ids(text):
    text = re.sub(r'^Build ID: .*\n', '', text, flags=re.M)
    return re.sub(r'^(\d+: 0x[0-9a-f]+/0x[0-9a-f]+/0x[0-9a-f]+ .*?) [0-9a-f]{8,}(?= |$)', r'\1 ', text, flags=re.M)


# ---------------------------------------------------------------------------------------------------- about equal

# A number that stands alone, with its unit.
NUMBER = re.compile(r'(?<![\w.:/+\[-])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(%|[kMGTP]?B|[num]?s|hrs)?(?![\w:])')


def skeletons(text):
    """Each line without its numbers, and these: (value, unit, worth of the last digit)."""
    lines = collections.defaultdict(list)
    for line in text.replace('\\n', '\n').splitlines():
        found = [(float(number), unit, 10.0 ** -len(number.partition('.')[2]) if 'e' not in number else float(number) / 10)
                 for number, unit in NUMBER.findall(line)]
        lines[re.sub(' +', ' ', NUMBER.sub('#', line))].append(found)
    return lines


def check_close(expected, actual, converted, args):
    n_samples = sum(profile[1] for profile in converted.profiles)
    wanted = [word.lstrip('-') for word in args if word.lstrip('-') in converted.profiles[0][0]]
    shown = wanted[0] if wanted else converted.profiles[0][2]
    total = sum(profile[0].get(shown, 0) for profile in converted.profiles)
    off = n_samples / 2
    share = 200 * off / total if total else 100

    def close(a, b):
        if a[1] == '%':
            return abs(a[0] - b[0]) <= share + a[2]
        # A number without a unit is one of the table's unit, and that is never below the file's.
        return abs(a[0] - b[0]) * UNITS.get(a[1], 1) <= off + a[2] * UNITS.get(a[1], 1)

    ours, theirs = skeletons(expected), skeletons(actual)
    for line in {**ours, **theirs}:
        if len(ours[line]) != len(theirs[line]):
            raise harness.Failure(f'{len(ours[line])} lines like this in the golden file, {len(theirs[line])} now: {line}')
        for a, b in zip(ours[line], theirs[line]):
            if not all(map(close, a, b)):
                raise harness.Failure(f'more than {n_samples} roundings apart: {line}\n{a}\n{b}')


# ---------------------------------------------------------------------------------------------------- all together

def run(pprof, name, words):
    case = golden.parse_case(name, words)
    golden.check_tools(case)
    expected = (golden.GOLDEN / f'{case.name}.txt').read_bytes()
    with tempfile.TemporaryDirectory(prefix='roundtrip-') as folder:
        converted = Converted(pprof, case, os.path.realpath(folder))
        if not converted.profiles:
            raise harness.Failure('no profile of the row can be read')
        args, case.args = case.args, converted.args
        actual = golden.answer(pprof, case, [], 'C')
    expected, actual = (without_build_ids(output(text)) for text in (expected, actual))
    if expected == actual:
        return
    if not converted.is_sampled:
        raise harness.Failure(harness.diff(expected.encode(errors='surrogateescape'),
                                         actual.encode(errors='surrogateescape'), f'golden/{name}.txt', 'through --proto'))
    check_close(expected, actual, converted, args)


def main(args):
    try:
        run(os.path.abspath(args[0]), args[1], args[2:])
    except harness.Skip as reason:
        print(reason)
        return 77
    except (harness.Failure, OSError) as fault:
        print(fault)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
