"""Inputs that carry names, each of which can carry harmless ones in their places instead: words that no format escapes."""

import json
import os
import re

import writer

from proto_writer import Profile, number

TOKEN = re.compile(r'(?<![a-z])([a-z]{2})q(\d{3})q\b')

# Function, its linker's name, file, object, type, unit, comment, key and text of a label, key and unit of one with a number,
# address of the documentation, line of source, symbol, comment of the user, build id.
ROLES = ['fn', 'sn', 'fi', 'ob', 'ty', 'un', 'co', 'lk', 'lv', 'nk', 'lu', 'do', 'sl', 'sy', 'ac', 'bi']


class Harmless:
    """The names of the twin: for each role and number a word that says which they are."""

    def name(self, role, number):
        return f'{role}q{number:03}q'.encode()


class Hostile:
    def __init__(self, names):
        self.names = names

    def name(self, role, number):
        """Two roles of one thing have other names. A comment with # in front is for other programs, and tables leave it out; an
        object in brackets or of /dev has no file; a line of source ends with its end, and has tabs as they are."""
        data = self.names[(number + 37 * ROLES.index(role)) % len(self.names)]
        if role == 'sl':
            return re.sub(rb'[\n\t]', b' ', data)
        is_other = role == 'co' and data.startswith(b'#') or role == 'ob' and re.match(rb'\[|/dev/', data)
        return b'!' + data if is_other else data


class Apart(Hostile):
    """What becomes a frame, or a comment of the user, has other names than the frames and comments that are there."""

    def name(self, role, number):
        half = len(self.names) // 2
        at = (number + 40 * (role == 'nk')) % half + half * (role in ('lk', 'lv', 'nk', 'lu', 'ac'))
        return self.names[at]


def value_of(i):
    """No two sums of a few are the same, so that rows are in one order whatever they are called."""
    return 1000003 * (i + 1) + (i * i * 7919) % 104729


def proto(give, n, n_types=4):
    """profile.proto: functions, files, objects, labels, types, units, comments."""
    profile = Profile([(give.name('ty', i), give.name('un', i)) for i in range(n_types)])
    for i in range(n):
        key = i + 1
        profile.mapping(key, key << 20, (key + 1) << 20, 0, give.name('ob', i), give.name('bi', i))
        profile.location(key, key, (key << 20) + 16, (key, i + 1))
        profile.function(key, give.name('fn', i), give.name('fi', i), 1, give.name('sn', i))
    for i in range(n):
        labels = [(give.name('lk', i % 30), give.name('lv', i)), (give.name('nk', i % 30), i + 1, give.name('lu', i % 30))]
        stack = [i + 1, i % 5 + 1] if i > 5 else [i + 1]
        profile.sample(stack, [value_of(i) * (t + 1) for t in range(n_types)], *labels)
    for i in range(n):
        profile.comment(give.name('co', i))
    profile.add(number(15, profile.string(give.name('do', 0))))
    return profile.whole()



def header(text):
    """profile.proto that says this of all of it: what is dropped and kept, the period, the type to show; and a name that is too long."""
    profile = Profile([('space', 'bytes'), (text, text)])
    profile.location(1, 0, 0, (1, 2))
    profile.function(1, b'main', text * 2000, 1)
    profile.sample([1], [5, 6])
    profile.add(number(7, profile.string(text)), number(8, profile.string(text)), profile.value_type(11, text, text), number(12, 7),
                number(14, profile.string(text)), number(15, profile.string(text)))
    return profile.whole()


# ---------------------------------------------------------------------------------------------------- source

def sources(give, numbers, folder):
    """profile.proto whose functions lie in files of that name, and these files; of three lines the second counts."""
    profile = Profile([('space', 'bytes')])
    files = {}
    for i in numbers:
        path = os.path.join(folder.encode(), b'src', give.name('fi', i))
        files[b'src/' + give.name('fi', i)] = b'\n'.join([b'first', give.name('sl', i), b'last\n'])
        profile.location(i + 1, 0, 0, (i + 1, 2))
        profile.function(i + 1, give.name('fn', i), path, 1)
        profile.sample([i + 1], [value_of(i)])
    return {**files, b'source.pb': profile.whole()}


# ---------------------------------------------------------------------------------------------------- programs

STEP = 14  # bytes of code of each function


def program(give, numbers):
    """An ELF file whose symbols have these names, and a heap profile with a row for the call in each."""
    f = writer.FLAVOURS[0]
    strings, symbols, rows = b'\0', [], []
    for i, number_ in enumerate(numbers):
        symbols.append((len(strings), writer.TEXT + STEP * i, STEP))
        strings += give.name('sy', number_) + b'\0'
        rows.append(f'1: {value_of(i)} [1: {value_of(i)}] @ {writer.TEXT + STEP * i + 5:#x} {writer.TEXT + 5:#x}\n')
    data = bytearray(writer.elf(f, [], symbols=symbols, strings=strings))
    for i in range(len(symbols)):
        at = 0x1000 + STEP * i  # of .text in the file
        data[at:at + 5] = b'\xe8\0\0\0\0'
    total = f'{len(rows)}: {sum(value_of(i) for i in range(len(rows)))}'
    heap = f'heap profile: {total} [{total}] @ heapprofile\n' + ''.join(rows) + '\nMAPPED_LIBRARIES:\n'
    row = f'{writer.TEXT:08x}-{writer.TEXT + writer.TEXT_SIZE:08x} r-xp 00001000 08:01 7 /srv/program\n'
    addresses = ''.join(f'{writer.TEXT + STEP * i:#x}\n' for i in range(len(symbols)))
    return {b'program': bytes(data), b'program.heap': (heap + row).encode(), b'addresses': (row + addresses).encode()}


# ---------------------------------------------------------------------------------------------------- texts

def goroutines(give, numbers):
    rows = []
    for i, number_ in enumerate(numbers):
        rows.append(b'%d @ %#x\n#\t%#x\t%s+0x1\t%s:%d\n\n' % (value_of(i), 0x2001 + 16 * i, 0x2000 + 16 * i, give.name('fn', number_),
                                                       give.name('fi', number_), i + 1))
    return {b'goroutines': b'goroutine profile: total %d\n' % sum(value_of(i) for i in range(len(rows))) + b''.join(rows)}


def go_labels(give, numbers):
    rows = []
    for i, number_ in enumerate(numbers):
        label = json.dumps({give.name('lk', number_ % 9).decode(): give.name('lv', number_).decode()}).encode()
        rows.append(b'%d @ %#x\n# labels: %s\n#\t%#x\tf+0x1\t/a.go:1\n\n' % (value_of(i), 0x2001, label, 0x2000))
    return {b'go_labels': b'goroutine profile: total %d\n' % sum(value_of(i) for i in range(len(rows))) + b''.join(rows)}


def symbolized(give, numbers):
    names = b''.join(b'%#018x %s\n' % (0x401000 + 16 * i, give.name('fn', number_)) for i, number_ in enumerate(numbers))
    rows = b''.join(b'1: %d [1: %d] @ %#x\n' % (value_of(i), value_of(i), 0x401001 + 16 * i) for i in range(len(numbers)))
    total = b'%d: %d' % (len(numbers), sum(value_of(i) for i in range(len(numbers))))
    return {b'symbolized.heap': b'--- symbol\nbinary=%s\n%s---\n--- heap\nheap profile: %s [%s] @ heapprofile\n%s' %
                                (give.name('ob', numbers[0]), names, total, total, rows)}


def java(give, numbers):
    names = b''.join(b' %#010x %s (%s:%d)\n' % (0x2000 + 16 * i, give.name('fn', number_), give.name('fi', number_), i + 1)
                     for i, number_ in enumerate(numbers))
    rows = b''.join(b' %d 1 @ %#010x\n' % (value_of(i), 0x2000 + 16 * i) for i in range(len(numbers)))
    return {b'java.heap': b'--- heapz 1 ---\nformat = java\nresolution = bytes\n' + rows + b'\n\n' + names}


def perf_map(give, numbers):
    lines = b''.join(b'%x 10 %s\n' % (0x7f0000001000 + 16 * i, give.name('fn', number_)) for i, number_ in enumerate(numbers))
    rows = b''.join(b'1: %d [1: %d] @ %#x\n' % (value_of(i), value_of(i), 0x7f0000001005 + 16 * i) for i in range(len(numbers)))
    total = b'%d: %d' % (len(numbers), sum(value_of(i) for i in range(len(numbers))))
    return {b'jit.map': lines, b'jit.heap': b'heap profile: %s [%s] @ heapprofile\n%s\nMAPPED_LIBRARIES:\n' % (total, total, rows)}


def mapped(give, numbers):
    """A row of the map for each object; a blank is a part of its path."""
    maps = b''.join(b'%08x-%08x r-xp 00000000 08:01 %d %s\n' % (i + 1 << 20, i + 2 << 20, i + 1, give.name('ob', number_))
                    for i, number_ in enumerate(numbers))
    rows = b''.join(b'1: %d [1: %d] @ %#x\n' % (value_of(i), value_of(i), (i + 1 << 20) + 0x101) for i in range(len(numbers)))
    total = b'%d: %d' % (len(numbers), sum(value_of(i) for i in range(len(numbers))))
    return {b'mapped.heap': b'heap profile: %s [%s] @ heapprofile\n%s\nMAPPED_LIBRARIES:\n%s' % (total, total, rows, maps)}
