"""Reads a page of --html back: its markup as a browser takes it, its policy, its graphs and its data. A fault is a
ValueError. describe() is what a golden text shows of it, which does not change with the script and the style.
"""

import array
import base64
import collections
import gzip
import hashlib
import html.parser
import json
import re
import sys

TAGS = set('''html head meta title style body main header section h1 h2 h3 p pre code span div table caption thead tbody
              tr th td ul li dl dt dd details summary figure figcaption script button nav'''.split())
SVG_TAGS = {'svg', 'g', 'a', 'title', 'polygon', 'polyline', 'path', 'ellipse', 'text',
            'rect', 'circle', 'defs', 'pattern'}
VOID = {'meta'}
HIDDEN = re.compile(r"'sha256-([^']*)'")

FOLDED, NO_STACK = 0xffffffff, 0xfffffffe
NO_SHAPE = 255
# What docs/html-report.md says of the head; other keys are the views' own.
HEAD = ('version', 'program', 'type', 'sets', 'nodes', 'nodes_before')
TYPE = ('name', 'unit', 'total', 'divisor', 'shown_unit')
KINDS = {'u8': ('B', 1), 'u32': ('I', 4), 'f64': ('d', 8)}


# ---------------------------------------------------------------------------------------------------- the markup

class Graph:
    """A picture in the page: the row and the title of each box, and how many edges there are. place: of its type; None: it
    is that of the snapshots."""

    def __init__(self, place):
        self.place, self.nodes, self.n_edges, self.size = place, [], 0, ''


class Page(html.parser.HTMLParser):
    """Refuses whatever runs, loads or breaks out. What is shown: the markup, without the style, the scripts, the data and
    the insides of graphs."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.shown, self.open, self.ids = [], [], set()
        self.texts = {}  # of the elements that are not shown, by their kind
        self.hidden = None
        self.policy = ''
        self.graphs = []
        self.place = None

    def is_in_svg(self):
        return 'svg' in self.open

    def show(self, text):
        if not self.is_in_svg():
            self.shown.append(text)

    def check(self, tag, attributes):
        if tag not in (SVG_TAGS if self.is_in_svg() or tag == 'svg' else TAGS):
            raise ValueError(f'there is a {tag} in the page, in {self.open}')
        for name, value in attributes:
            if name.startswith('on') or name in ('src', 'style', 'srcdoc', 'action') or \
                    (name.endswith('href') and not value.startswith('#')):
                raise ValueError(f'there is {name}="{value}" in the page')
            if name == 'id' and value in self.ids:
                raise ValueError(f'id="{value}" is there twice')
            if name == 'id':
                self.ids.add(value)

    def begin_graph(self, tag, attributes):
        named = dict(attributes)
        if tag == 'figure':
            self.place = int(named['data-type'])
        if tag == 'svg':
            self.graphs.append(Graph(self.place))
            self.graphs[-1].size = f'{named.get("width")} x {named.get("height")}'
        if tag == 'g' and named.get('class') == 'node' and 'data-row' in named:
            self.graphs[-1].nodes.append([int(named['data-row']), None])
        if tag == 'g' and named.get('class') == 'edge':
            self.graphs[-1].n_edges += 1
        nodes = self.graphs[-1].nodes if self.graphs else []
        if tag == 'a' and self.place is not None and nodes and nodes[-1][1] is None:
            nodes[-1][1] = named['xlink:title']

    def handle_starttag(self, tag, attributes):
        text = self.get_starttag_text()
        self.check(tag, attributes)
        self.begin_graph(tag, attributes)
        if tag == 'meta' and 'http-equiv' in dict(attributes):
            self.policy = dict(attributes)['content']
            text = HIDDEN.sub("'sha256-...'", text)
        self.show(text)
        if tag in VOID:
            return
        self.open.append(tag)
        if tag in ('style', 'script'):
            self.hidden = dict(attributes).get('id', tag)
            if self.hidden in self.texts:
                self.hidden = 'style of the timeline'
            self.texts[self.hidden] = ''

    def handle_startendtag(self, tag, attributes):
        if not self.is_in_svg() and tag != 'svg':
            raise ValueError(f'<{tag}/> is no HTML')
        self.check(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError(f'</{tag}> where that is not open')
        if self.hidden:
            self.show(f'(the {self.hidden})')
        self.hidden = None
        if tag == 'svg':
            graph = self.graphs[-1]
            if graph.place is None:
                self.graphs.pop()
                return
            self.show(f'(a graph of {len(graph.nodes)} nodes and {graph.n_edges} edges, {graph.size}:\n')
            for _, title in graph.nodes:
                self.show(f'  {html.escape(title, quote=False)}\n')
            self.show(')')
            return
        self.show(f'</{tag}>')

    def handle_data(self, data):
        if self.hidden:
            self.texts[self.hidden] += data
        elif '<' in data or '>' in data:
            raise ValueError(f'a text is not escaped: {data}')
        else:
            self.show(data)

    def handle_entityref(self, name):
        if name not in ('lt', 'gt', 'amp', 'quot'):
            raise ValueError(f'&{name}; is nothing that is escaped here')
        self.show(f'&{name};')

    def handle_charref(self, name):
        self.show(f'&#{name};')

    def handle_decl(self, decl):
        self.show(f'<!{decl}>')
        if self.open or decl != 'doctype html':
            raise ValueError(f'<!{decl}> in the page')

    def handle_comment(self, data):
        raise ValueError(f'there is a comment: {data}')

    def handle_pi(self, data):
        raise ValueError(f'there is <?{data}>')

    def unknown_decl(self, data):
        raise ValueError(f'there is <![{data}')


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_policy(page):
    """Only what stands in the page may run, and nothing may be loaded."""
    styles = [kind for kind in page.texts if kind.startswith('style')]
    rules = dict(rule.strip().split(' ', 1) for rule in page.policy.split(';'))
    wanted = {'default-src': "'none'", 'script-src': f"'sha256-{digest(page.texts['script'])}'",
              'style-src': ' '.join(f"'sha256-{digest(page.texts[kind])}'" for kind in styles), 'base-uri': "'none'", 'form-action': "'none'"}
    if rules != wanted:
        raise ValueError(f'the policy is {rules}, and not {wanted}')
    for kind in 'script', *styles:
        if re.search(r'url\((?!#)|@import|https?://(?!www\.w3\.org/)', page.texts[kind]):
            raise ValueError(f'the {kind} names another place')


def read_markup(data):
    page = Page()
    text = data.decode()
    if re.search('[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]', text):
        raise ValueError('a character is not escaped')
    page.feed(text)
    page.close()
    if page.open:
        raise ValueError(f'not closed: {page.open}')
    check_policy(page)
    return page


# ---------------------------------------------------------------------------------------------------- the data

class Data:
    """The head, and by name the columns, as docs/html-report.md has them."""

    def __init__(self, text):
        bytes_ = gzip.decompress(base64.b64decode(re.sub(r'\s', '', text), validate=True))
        length = int.from_bytes(bytes_[:4], 'little')
        self.head = json.loads(bytes_[4:4 + length].decode())
        start = (4 + length + 7) // 8 * 8
        self.columns = collections.defaultdict(list)
        end = 0
        for name, kind, n, at in self.head.pop('columns'):
            code, size = KINDS[kind]
            if at % 8 or at < end or at - end >= 8 or start + at + n * size > len(bytes_):
                raise ValueError(f'the column {name} does not lie where it should')
            end = at + n * size
            column = array.array(code, bytes_[start + at:start + end])
            if sys.byteorder == 'big':
                column.byteswap()
            self.columns[name].append(column)
        if start + end != len(bytes_):
            raise ValueError('there is more than the columns')
        self.take_nodes()
        self.take_rows()
        self.check()
        if 'snapshots' in self.head:
            self.take_snapshots()
            self.check_snapshots()

    def take_nodes(self):
        up, = self.columns['up']
        if any(step > i for i, step in enumerate(up)):
            raise ValueError('a node stands before its caller')
        self.caller = [i - step if step else None for i, step in enumerate(up)]
        self.row = list(self.columns['row'][0])
        folded = iter(self.columns['folded'][0])
        self.n_folded = [next(folded) if row == FOLDED else 0 for row in self.row]
        if next(folded, None) is not None or self.head['nodes'] != len(self.row):
            raise ValueError('not as many nodes as there should be')
        ends, at = [], 0
        for step in self.columns['end'][0]:
            at += step
            ends.append(at)
        self.self = [[0.0] * len(self.row) for _ in self.columns['self']]
        for values, column in zip(self.self, self.columns['self']):
            for node, value in zip(ends, column, strict=True):
                values[node] = value

    def take_rows(self):
        *texts, rest = bytes(self.columns['strings'][0]).decode().split('\0')
        self.labels, self.files, self.objects = ([texts[i] for i in self.columns[name][0]]
                                                 for name in ('label', 'file', 'object'))
        self.flat, self.cum = self.columns['flat'], self.columns['cum']
        n = len(self.head['types']) * self.head['sets']
        if rest or not len(self.flat) == len(self.cum) == len(self.self) == n:
            raise ValueError('texts that do not end, or a column too few')
        for column in self.flat + self.cum + [self.files, self.objects]:
            if len(column) != len(self.labels):
                raise ValueError('not a value for each row')

    def take_snapshots(self):
        """Sets in the order of time; by type score, churn and shape."""
        self.order = [snapshot['set'] for snapshot in self.head['snapshots']]
        self.score, self.churn = self.columns['score'], self.columns['churn']
        self.shape = [[self.head['shapes'][i] if i != NO_SHAPE else None for i in column] for column in self.columns['shape']]
        if sorted(self.order) != list(range(self.head['sets'])) or self.order[0] != 1 or self.order[-1] != 0:
            raise ValueError(f'the sets of the snapshots are {self.order}')
        for columns in self.score, self.churn, self.shape:
            if [len(column) for column in columns] != [len(self.labels)] * len(self.head['types']):
                raise ValueError('not a judgement for each row and type')

    def values(self, columns, kind, row):
        """What a row has of a type, in the order of time."""
        return [columns[kind * self.head['sets'] + place][row] for place in self.order]

    def check_snapshots(self):
        for kind, about in enumerate(self.head['types']):
            for place, total in zip(self.order, about['totals'], strict=True):
                values = self.self[kind * self.head['sets'] + place]
                if abs(sum(values) - total) > 1e-9 * (sum(map(abs, values)) or 1):
                    raise ValueError(f'the nodes of set {place} are {sum(values)}, the total {total}')
            for row in range(len(self.labels)):
                self.check_judgement(kind, row)

    def check_judgement(self, kind, row):
        values = self.values({'flat': self.flat, 'cum': self.cum}[self.head['by']], kind, row)
        growth, shape = values[-1] - values[0], self.shape[kind][row]
        has_any = any(values) or self.churn[kind][row] > 0
        if has_any != (shape is not None) or (self.score[kind][row] > 0 and growth <= 0) or \
                (shape in ('grows', 'grew', 'new') and growth <= 0) or (shape == 'new' and any(values[:-1])) or \
                (shape == 'shrank' and growth >= 0) or (shape == 'level' and any(a < b for a, b in zip(values, values[1:])) and
                                                        growth > 0):
            raise ValueError(f'{self.labels[row]} has {values}, and is said to be {shape}, {self.score[kind][row]}')

    def snapshot_lines(self):
        yield 'Snapshots, with the total of each type:'
        for i, snapshot in enumerate(self.head['snapshots']):
            totals = ' '.join(number(kind['totals'][i]) for kind in self.head['types'])
            yield '  ' + snapshot['name'] + (f' at {snapshot["time"]}' if 'time' in snapshot else '') + f': {totals}'
        yield f'By {self.head["by"]}, score, churn and shape of each type:'
        for row, label in enumerate(self.labels):
            judged = ', '.join(f'{score[row]:.4g} {number(churn[row])} {shape[row]}'
                               for score, churn, shape in zip(self.score, self.churn, self.shape))
            if any(shape[row] for shape in self.shape):
                yield f'  {label}: {judged}'

    def cum_of_nodes(self, column):
        """By row, each sample once."""
        cum, below = [0.0] * len(self.labels), list(self.self[column])
        for i in range(len(self.row) - 1, -1, -1):
            if self.caller[i] is not None:
                below[self.caller[i]] += below[i]
        above = []
        for i, row in enumerate(self.row):
            caller = self.caller[i]
            rows = above[caller] if caller is not None else frozenset()
            if row < len(cum) and row not in rows:
                cum[row] += below[i]
            above.append(rows | {row})
        return cum

    def check_order(self):
        """All that is below a node follows it."""
        path = []
        for i, caller in enumerate(self.caller):
            while path and path[-1] != caller:
                path.pop()
            if caller is not None and not path:
                raise ValueError(f'node {i} does not stand below its caller')
            path.append(i)

    def check(self):
        if any(row >= len(self.labels) and row not in (FOLDED, NO_STACK) for row in self.row):
            raise ValueError('a node of no row')
        if any(row == NO_STACK and caller is not None for row, caller in zip(self.row, self.caller)):
            raise ValueError('samples without a stack have a caller')
        self.check_order()
        is_whole = FOLDED not in self.row
        for i, values in enumerate(self.self):
            stackless = sum(value for value, row in zip(values, self.row) if row == NO_STACK)
            size = sum(map(abs, values)) or 1
            if abs(sum(values) - sum(self.flat[i]) - stackless) > 1e-9 * size:
                raise ValueError(f'column {i}: the nodes are {sum(values)}, the rows {sum(self.flat[i])} and {stackless}')
            for label, cum, own in zip(self.labels, self.cum[i], self.cum_of_nodes(i)):
                if abs(own - cum) > 1e-9 * size and (is_whole or own > cum):
                    raise ValueError(f'column {i}, {label}: cum is {cum}, and of the nodes {own}')

    # How a golden text shows it.

    def name(self, node):
        row = self.row[node]
        if row == FOLDED:
            return f'(small: {self.n_folded[node]} nodes)'
        return '(no stack)' if row == NO_STACK else self.labels[row]

    def lines(self):
        yield json.dumps({key: self.head[key] for key in HEAD})
        for kind in self.head['types']:
            yield json.dumps({key: kind[key] for key in TYPE})
        yield 'Nodes, with what they have of each type and set:'
        depth = []
        for i, caller in enumerate(self.caller):
            depth.append(0 if caller is None else depth[caller] + 1)
            values = ' '.join(number(values[i]) for values in self.self)
            yield '  ' + '. ' * depth[i] + self.name(i) + (f': {values}' if any(v[i] for v in self.self) else '')
        yield 'Rows, with flat and cum of each type and set:'
        for i, label in enumerate(self.labels):
            values = ' '.join(f'{number(flat[i])}/{number(cum[i])}' for flat, cum in zip(self.flat, self.cum))
            if any(column[i] for column in self.flat + self.cum):
                yield f'  {label} | {self.files[i]} | {self.objects[i]}: {values}'
        if 'snapshots' in self.head:
            yield from self.snapshot_lines()


def number(value):
    return str(int(value)) if value == int(value) else repr(value)


# ---------------------------------------------------------------------------------------------------- both

def blanks(text):
    """graphviz writes several of them as such that do not break a line."""
    return re.sub('[ \xa0]+', ' ', text).strip()


def check_graphs(page, data):
    """Each box says of which row it is, and there is at most one graph a type, first that of the type that is shown."""
    places = [graph.place for graph in page.graphs]
    first = data.head['type']
    if len(set(places)) != len(places) or any(place >= len(data.head['types']) for place in places) or \
            (first in places and places[0] != first):
        raise ValueError(f'graphs of the types {places}')
    for graph in page.graphs:
        for row, title in graph.nodes:
            label = blanks(title.rpartition('(')[0])
            whole = blanks(data.labels[row])
            if label != whole and not (label.endswith('\u2026') and whole.startswith(label[:-1])):
                raise ValueError(f'row {row} is {data.labels[row]}, and its box {label}')


def describe(page_bytes):
    page = read_markup(page_bytes)
    data = Data(page.texts['data'])
    check_graphs(page, data)
    markup = re.sub(r'(?<=Written by pprof )\d[\w.]*(?=\.<)', '$VERSION', ''.join(page.shown))
    return markup + '[data]\n' + ''.join(f'{line}\n' for line in data.lines())
