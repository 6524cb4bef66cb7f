"""Inputs that carry names, each of which can carry harmless ones in their places instead: words that no format escapes."""

import re

from proto_writer import Profile, number

TOKEN = re.compile(r'(?<![a-z])([a-z]{2})q(\d{3})q\b')

# Function, its linker's name, file, object, type, unit, comment, key and text of a label, key and unit of one with a number,
# address of the documentation.
ROLES = ['fn', 'sn', 'fi', 'ob', 'ty', 'un', 'co', 'lk', 'lv', 'nk', 'lu', 'do']


class Harmless:
    """The names of the twin: for each role and number a word that says which they are."""

    def name(self, role, number):
        return f'{role}q{number:03}q'.encode()


class Hostile:
    def __init__(self, names):
        self.names = names

    def name(self, role, number):
        """Two roles of one thing have other names. A comment with # in front is for other programs, and tables leave it out; an
        object in brackets or of /dev has no file."""
        data = self.names[(number + 37 * ROLES.index(role)) % len(self.names)]
        is_other = role == 'co' and data.startswith(b'#') or role == 'ob' and re.match(rb'\[|/dev/', data)
        return b'!' + data if is_other else data


def value_of(i):
    """No two sums of a few are the same, so that rows are in one order whatever they are called."""
    return 1000003 * (i + 1) + (i * i * 7919) % 104729


def proto(give, n, n_types=4):
    """profile.proto: functions, files, objects, labels, types, units, comments."""
    profile = Profile([(give.name('ty', i), give.name('un', i)) for i in range(n_types)])
    for i in range(n):
        key = i + 1
        profile.mapping(key, key << 20, (key + 1) << 20, 0, give.name('ob', i), f'{key:040x}')
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

