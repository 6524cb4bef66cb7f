"""Reads back what pprof writes for other programs, as those would: a fault is a ValueError."""

import collections
import csv
import io
import json
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
        number, written = re.fullmatch(r'\((\d+)\)(?: (.*[^ ].*))?', text).groups()
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
    # Each line is rounded for itself.
    if abs(sum(reader.file.own.values()) - reader.file.total) > sum(reader.file.n_lines.values()) / 2:
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
    table = [(flat, whole, '???' if name == '<unknown>' else name) for flat, whole, name in table]
    for flat, whole, name in table:
        slack = file.n_lines[name] / 2
        if abs(file.own[name] - flat) > slack or (name not in loops and abs(cum[name] - whole) > slack):
            raise ValueError(f'{name}: callgrind has {file.own[name]} and {cum[name]}, --text {flat} and {whole}')
    missing = set(file.own) - {name for _, _, name in table}
    if missing - {'???'}:
        raise ValueError(f'not in --text: {missing}')


# ---------------------------------------------------------------------------------------------------- JSON

# What each object of docs/json.md may hold; a key with a question mark may be missing.
REPORT = {
    'format': str, 'version': int, 'program?': str, 'build_id?': str, 'inputs': list, 'period?': dict, 'time_nanos?': int,
    'duration_nanos?': int, 'comments': list, 'documentation?': str, 'types': list, 'type': str, 'unit': str,
    'is_difference': bool, 'is_mean': bool, 'filters': list, 'total': (int, float), 'kept': (int, float), 'in_rows': (int, float),
    'percent_of?': (int, float), 'samples': int, 'snapshots?': list, 'trend?': dict, 'share_of?': (int, float), 'granularity': str,
    'rows': list, 'objects': list, 'notes': list, 'verdict?': dict, 'suppressed?': dict,
}
PERIOD = {'value': int, 'type': str, 'unit': str}
INPUT = {'name': str, 'role': str, 'format': str, 'header?': str, 'values?': str, 'period?': int, 'rows': int}
TYPE = {'type': str, 'unit': str, 'total': (int, float), 'profile_total?': (int, float), 'base_total?': (int, float)}
OBJECT = {'file?': str, 'fate?': str, 'build_id?': str, 'path_used?': str, 'path_used_build_id?': str, 'leaf_percent': (int, float),
          'named_percent?': (int, float), 'cum_percent': (int, float), 'advice?': str}
NOTE = {'kind': str, 'text': str}
VERDICT = {'passed': bool, 'limits': list, 'offenders': list}
LIMIT = {'option': str, 'of': str, 'limit': (int, float), 'offenders': int}
OFFENDER = {'option': str, 'name': str, 'is_total': bool, 'growth?': (int, float), 'value?': (int, float), 'limit': (int, float)}
SUPPRESSED = {'file': str, 'suppressions': int, 'used': int, 'unused': list, 'stacks': int, 'growth?': (int, float),
              'value?': (int, float)}
ROW = {'flat': (int, float), 'cum': (int, float), 'samples': int, 'name': str, 'file?': str, 'line?': int, 'column?': int,
       'address?': str, 'object?': str}
SNAPSHOT = {'name': str, 'time_nanos?': int, 'total': (int, float)}
TREND = {'values': list, 'growth': (int, float), 'slope_per_snapshot': (int, float), 'slope_per_second?': (int, float),
         'share': (int, float), 'monotone': (int, float), 'first_seen?': int, 'churn?': (int, float), 'score': (int, float), 'shape': str}
SHAPES = ('grows', 'grew', 'new', 'returned', 'shrank', 'churn', 'level')


def check_keys(value, keys):
    known = {key.removesuffix('?'): kind for key, kind in keys.items()}
    if unknown := set(value) - set(known):
        raise ValueError(f'docs/json.md does not know {unknown}')
    for key in keys:
        if not key.endswith('?') and key not in value:
            raise ValueError(f'{key} is missing')
    for key, part in value.items():
        if not isinstance(part, known[key]):
            raise ValueError(f'{key} is {part!r}')


def check_verdict(verdict):
    check_keys(verdict, VERDICT)
    for limit in verdict['limits']:
        check_keys(limit, LIMIT)
        beyond = [row for row in verdict['offenders'] if row['option'] == limit['option']]
        if len(beyond) != limit['offenders']:
            raise ValueError(f'{limit["option"]}: {len(beyond)} offenders, said to be {limit["offenders"]}')
    for row in verdict['offenders']:
        check_keys(row, OFFENDER)
        if not row.get('growth', row.get('value')) > row['limit']:
            raise ValueError(f'{row["name"]} is not beyond its limit')
    if verdict['passed'] != (not verdict['offenders']):
        raise ValueError('the verdict is not what its offenders say')


def no_constant(text):
    raise ValueError(f'{text} is no number of JSON')


def one_key_each(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError('a key stands twice')
    return dict(pairs)


def check_text(value):
    """Nothing in it that a terminal or a browser would obey."""
    text = value.decode()
    if re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069<]', text):
        raise ValueError('a character is not escaped')
    return text


def about(a, b, scale):
    return abs(a - b) <= 1e-9 * max(abs(scale), 1)


def slope(places, values):
    """Of the line with the least squares."""
    mean_x, mean = sum(places) / len(places), sum(values) / len(values)
    return sum((x - mean_x) * (value - mean) for x, value in zip(places, values)) / sum((x - mean_x) ** 2 for x in places)


def check_trend(trend, seconds, share_of):
    """What is said of the values of a row against these values. seconds: when they were taken, or None."""
    values = trend['values']
    growth, peak = values[-1] - values[0], max(map(abs, values))
    seen = [i + 1 for i, value in enumerate(values) if value]
    falls = sum(b < a for a, b in zip(values, values[1:]))
    if not about(trend['growth'], growth, growth) or not about(trend['share'] * share_of, growth, peak):
        raise ValueError(f'a growth of {trend["growth"]}, share {trend["share"]}: {values}')
    if not about(trend['slope_per_snapshot'], slope(range(len(values)), values), peak):
        raise ValueError(f'a slope of {trend["slope_per_snapshot"]} a snapshot: {values}')
    if seconds and not about(trend['slope_per_second'], slope(seconds, values), peak):
        raise ValueError(f'a slope of {trend["slope_per_second"]} a second: {values}')
    if trend.get('first_seen') != (seen[0] if seen else None):
        raise ValueError(f'first seen in {trend.get("first_seen")}: {values}')
    if not about(trend['monotone'], 1 - falls / (len(values) - 1), 1):
        raise ValueError(f'{trend["monotone"]} monotone: {values}')
    if trend['shape'] not in SHAPES or trend['score'] < 0 or (growth <= 0 < trend['score']) or trend['score'] > max(growth, 0):
        raise ValueError(f'{trend["shape"]}, score {trend["score"]}: {values}')


def check_order(scores):
    if scores != sorted(scores, reverse=True):
        raise ValueError('the rows are not in the order of their scores')


def check_series(report):
    snapshots, total = report['snapshots'], report['trend']
    for part in snapshots:
        check_keys(part, SNAPSHOT)
    seconds = [part['time_nanos'] / 1e9 for part in snapshots] if 'slope_per_second' in total else None
    for part in report['rows']:
        check_keys(part, {**ROW, **TREND, **({'stack': list} if report['granularity'] == 'stacks' else {})})
        if 'stack' in part and not all(isinstance(frame, str) for frame in part['stack']):
            raise ValueError(f'a stack of {part["stack"]}')
    check_keys(total, TREND)
    if total['values'] != [part['total'] for part in snapshots]:
        raise ValueError('the totals of the snapshots are others than those of the trend')
    for trend in [total, *report['rows']]:
        if len(trend['values']) != len(snapshots):
            raise ValueError(f'{len(trend["values"])} values of {len(snapshots)} snapshots')
        check_trend(trend, seconds, report['share_of'])
    check_order([row['score'] for row in report['rows']])


def check_report(report):
    check_keys(report, REPORT)
    if 'snapshots' in report:
        check_series(report)
    else:
        for part in report['rows']:
            check_keys(part, ROW)
    for name, keys in ('inputs', INPUT), ('types', TYPE), ('objects', OBJECT), ('notes', NOTE):
        for part in report[name]:
            check_keys(part, keys)
    if 'period' in report:
        check_keys(report['period'], PERIOD)
    if 'verdict' in report:
        check_verdict(report['verdict'])
    check_keys(report.get('suppressed', {}), SUPPRESSED if 'suppressed' in report else {})
    flat = sum(row['flat'] for row in report['rows'])
    if not report['is_mean'] and abs(flat) < 1 << 53 and abs(flat - report['in_rows']) > 1e-9 * abs(flat):
        raise ValueError(f'the rows are {flat}, and not {report["in_rows"]}')


# As in https://www.speedscope.app/file-format-schema.json.
SCOPE = {'$schema': str, 'exporter?': str, 'name?': str, 'shared': dict, 'profiles': list, 'activeProfileIndex?': int}
SCOPE_FRAME = {'name': str, 'file?': str, 'line?': int, 'col?': int}
SCOPE_PROFILE = {'type': str, 'name': str, 'unit': str, 'startValue': int, 'endValue': (int, float), 'samples': list,
                 'weights': list}
SCOPE_UNITS = ('none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes')


def check_scope_profile(profile, n_frames):
    """Returns which frames it uses."""
    check_keys(profile, SCOPE_PROFILE)
    samples, weights = profile['samples'], profile['weights']
    used = {frame for stack in samples for frame in stack}
    if profile['type'] != 'sampled' or profile['unit'] not in SCOPE_UNITS:
        raise ValueError(f'a profile of {profile["type"]} and {profile["unit"]}')
    if len(samples) != len(weights) or not all(samples) or not all(weight > 0 for weight in weights):
        raise ValueError('not a weight for each stack')
    if not used <= set(range(n_frames)):
        raise ValueError('a frame that is not there')
    if abs(sum(weights) - profile['endValue']) > 1e-9 * profile['endValue'] and sum(weights) < 1 << 53:
        raise ValueError(f'the weights are {sum(weights)}, and not {profile["endValue"]}')
    return used


def check_scope(scope):
    check_keys(scope, SCOPE)
    frames = scope['shared']['frames']
    for frame in frames:
        check_keys(frame, SCOPE_FRAME)
    used = set()
    for profile in scope['profiles']:
        used |= check_scope_profile(profile, len(frames))
    if len(used) != len(frames):
        raise ValueError('a frame that no stack has')
    if scope['activeProfileIndex'] >= len(scope['profiles']):
        raise ValueError('the profile to show is not there')


def read_json(data):
    value = json.loads(check_text(data), parse_constant=no_constant, object_pairs_hook=one_key_each)
    if '$schema' in value:
        check_scope(value)
    else:
        check_report(value)


# ---------------------------------------------------------------------------------------------------- CSV

def cells_of_trend(head, row):
    """A row of --trend, with its values as check_trend takes them. first: where the values of the snapshots begin."""
    first, last = head.index('unit') + 1, head.index('growth')
    named = dict(zip(head[last:], row[last:]))
    trend = {name: float(cell) for name, cell in named.items() if cell and name not in ('first_seen', 'shape')}
    if named['first_seen']:
        trend['first_seen'] = int(named['first_seen'])
    return {**trend, 'values': [float(cell) for cell in row[first:last]], 'shape': named['shape']}


def check_trend_csv(head, rows):
    """Returns where numbers are."""
    trends = [cells_of_trend(head, row) for row in rows]
    whole = next((trend['growth'] / trend['share'] for trend in trends if trend['share']), 0)
    for trend in trends:
        check_trend(trend, None, whole)
    check_order([trend['score'] for trend in trends])
    if [row[0] for row in rows] != [str(i + 1) for i in range(len(rows))]:
        raise ValueError('the ranks are not 1, 2, 3')
    return range(head.index('unit') + 1, len(head) - 1)


def read_csv(data):
    text = data.decode()
    if text.count('\n') != text.count('\r\n') or text.count('\r') != text.count('\r\n'):
        raise ValueError('lines end otherwise than by CR and LF')
    head, *rows = csv.reader(io.StringIO(text, newline=''), strict=True)
    is_table = head[0] == 'flat'
    numbers = [head.index(name) for name in ('flat', 'flat%', 'sum%', 'cum', 'cum%')] if is_table else check_trend_csv(head, rows)
    for row in rows:
        if len(row) != len(head):
            raise ValueError(f'{len(row)} cells below {len(head)} names')
        for i, cell in enumerate(row):
            if i in numbers:
                float(cell or 0)
            elif cell.startswith(('=', '+', '-', '@', '\t', '\r')):
                raise ValueError(f'a spreadsheet runs {cell}')
