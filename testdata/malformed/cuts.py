"""Samples that end too early, at each of their first bytes, and those with single bytes that differ."""

import random

from inputs import Input
from samples import samples

MOST_PLACES = 4096
N_MUTANTS = 48
BYTES = b'\0\x01\t\n\r -09:@\\x\x7f\x80\xff'


def cuts():
    for sample in samples():
        for place in range(min(len(sample.data), MOST_PLACES)):
            yield Input('cut', f'{sample.name} after {place} bytes', sample.data[:place], sample.path)


def mutants():
    for sample in samples():
        rng = random.Random(sample.name)
        size = min(len(sample.data), MOST_PLACES)
        for place in sorted(rng.sample(range(size), min(size, N_MUTANTS))):
            yield from mutants_at(sample, place, rng)


def mutants_at(sample, place, rng):
    """One byte is another, is missing, or is there twice."""
    before, old, after = sample.data[:place], sample.data[place:place + 1], sample.data[place + 1:]
    for value in rng.sample(BYTES, 2):
        yield Input('byte', f'{sample.name}: byte {place} is {value:#04x} instead of {old[0]:#04x}',
                    before + bytes([value]) + after, sample.path)
    yield Input('byte', f'{sample.name}: without byte {place}', before + after, sample.path)
    yield Input('byte', f'{sample.name}: byte {place} twice', before + old + old + after, sample.path)


def inputs():
    yield from cuts()
    yield from mutants()
