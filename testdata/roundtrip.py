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
import proto

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
            # Reports of several snapshots call them by their names, and sort by them.
            target = os.path.join(scratch, path.replace('../', ''))
            if not os.path.isfile(harness.TESTDATA / path):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            asked = golden.Case(case.name, ['-q', '--proto', '-o', target, *reading] + [program] * bool(program) + [path],
                                env=case.env, fifos=case.fifos)
            golden.answer(pprof, asked, [], 'C')
            if not os.path.exists(target):
                continue  # it cannot be read, and stays as it is
            self.profiles.append(proto.check_profile(gzip.decompress(pathlib.Path(target).read_bytes())))
            self.is_sampled |= is_sampled(path)
            self.args[i] = word.removesuffix(path) + target
        self.args = [word for word in self.args if option(word) not in ONCE]


def output(text):
    """What was written to stdout and to files."""
    return re.split(rb'^(?:\[stderr\]|\[exit\] )', text, flags=re.M)[0].decode(errors='surrogateescape')


def without_build_ids(text):
    """Nor without what a page says of its files."""
    text = re.sub(r'^<section id="info">\n.*?^</section>\n', '', text, flags=re.M | re.S)
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
        actual = golden.answer(pprof, case, [], 'C').replace(f'{os.path.realpath(folder)}/'.encode(), b'')
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
