"""Reads back what pprof writes for other programs, as those would: a fault is a ValueError."""

import collections
import re


# ---------------------------------------------------------------------------------------------------- callgrind

class Callgrind:
    """What a file says: costs of functions, and of the calls between them."""

    def __init__(self):
        self.event = None
        self.own = collections.Counter()    # by function
        self.n_lines = collections.Counter()
        self.calls = collections.Counter()  # by caller and callee
        self.total = None


class CallgrindReader:
    def __init__(self):
        self.file = Callgrind()
        self.names = {'ob': {}, 'fl': {}, 'fn': {}}
        self.at = {}
        self.callee = {}
        self.is_call = False
        self.addr = 0

    def name(self, key, text):
        known = self.names[key]
        number, written = re.fullmatch(r'\((\d+)\)(?: (.*\S.*))?', text).groups()
        if (written is None) != (number in known):
            raise ValueError(f'{key}=({number}) has no name, or a second one')
        if written is not None:
            known[number] = written
        return known[number]

    def position(self, addr):
        if addr == '*':
            return self.addr
        if addr[0] in '+-':
            return self.addr + int(addr)
        return int(addr, 16)

    def cost(self, addr, line, value):
        if (line == '*') != self.is_call:
            raise ValueError('the cost of a call stands elsewhere, or a line has none')
        self.addr = self.position(addr)
        if not 0 <= self.addr < 1 << 64:
            raise ValueError(f'address {self.addr}')
        caller = self.at['fn']
        if self.is_call:
            self.file.calls[caller, self.callee.get('cfn')] += int(value)
        else:
            self.file.own[caller] += int(value)
        self.file.n_lines[caller] += 1
        self.is_call, self.callee = False, {}

    def line(self, text):
        if match := re.fullmatch(r'(ob|fl|fn)=(.*)', text):
            self.at[match[1]] = self.name(match[1], match[2])
        elif match := re.fullmatch(r'c(ob|fl|fn)=(.*)', text):
            self.callee['c' + match[1]] = self.name(match[1], match[2])
        elif match := re.fullmatch(r'calls=([1-9]\d*) (\*|[+-]\d+|0x[0-9a-f]+) \d+', text):
            self.position(match[2])
            self.is_call = True
        elif match := re.fullmatch(r'(\*|[+-]\d+|0x[0-9a-f]+) (\*|\d+) (-?\d+)', text):
            self.cost(*match.groups())
        elif match := re.fullmatch(r'totals: (-?\d+)', text):
            self.file.total = int(match[1])
        elif text:
            raise ValueError(f'not a line of callgrind: {text}')


def read_callgrind(data):
    reader = CallgrindReader()
    head, _, body = data.decode().partition('\n\n')
    head = dict(line.split(': ', 1) for line in head.split('\n') if not line.startswith('#'))
    if head['version'] != '1' or head['positions'] != 'instr line' or ' ' in head['events']:
        raise ValueError(f'the head of callgrind is {head}')
    reader.file.event = re.fullmatch(r'(.*)\((.*)\)', head['events']).groups()
    for text in body.removesuffix('\n').split('\n'):
        reader.line(text)
    if sum(reader.file.own.values()) != reader.file.total:
        raise ValueError(f'the costs are {sum(reader.file.own.values())}, and not {reader.file.total}')
    return reader.file


def recursive(calls):
    """The functions that lie on a circle of calls: of these, costs of calls are counted more than once."""
    reach = collections.defaultdict(set)
    for caller, callee in calls:
        reach[caller].add(callee)
    while True:
        before = sum(map(len, reach.values()))
        for callees in list(reach.values()):
            for callee in list(callees):
                callees |= reach.get(callee, set())
        if sum(map(len, reach.values())) == before:
            return {function for function, callees in reach.items() if function in callees}


def compare_with_table(file, table):
    """What a reader adds up for each function is what --text says; table holds (flat, cum, name)."""
    loops = recursive(file.calls)
    cum = collections.Counter(file.own)
    for (caller, _), cost in file.calls.items():
        cum[caller] += cost
    for flat, whole, name in table:
        # Each line is rounded for itself.
        slack = file.n_lines[name] / 2
        if abs(file.own[name] - flat) > slack or (name not in loops and abs(cum[name] - whole) > slack):
            raise ValueError(f'{name}: callgrind has {file.own[name]} and {cum[name]}, --text {flat} and {whole}')
    missing = set(file.own) - {name for _, _, name in table}
    if missing - {'???'}:
        raise ValueError(f'not in --text: {missing}')
