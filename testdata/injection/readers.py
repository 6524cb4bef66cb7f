"""Takes apart what pprof writes, by parsers that know nothing of it, into facts: tuples of texts, in which names are to be found
again. A fault is a ValueError."""

import collections
import csv
import gzip
import html
import html.parser
import io
import json
import re
import xml.parsers.expat
import zlib

import formats
import html_report
import proto
from names import HARMFUL


def check_inert(data, also=''):
    """A text that a terminal only shows."""
    text = data.decode()
    for found in re.finditer('[^\n -~]+', text):
        harm = HARMFUL.search(found[0].translate(dict.fromkeys(map(ord, also))))
        if harm:
            raise ValueError(f'U+{ord(harm[0]):04X} in {text[max(found.start() - 40, 0):found.end() + 40]!r}')
    return text


def split_blanks(line):
    return re.sub('[ \xa0]+', ' ', line).strip(' ')


TREE_HEAD = b'cum   cum%   calls calls% + context \t \t \n'  # google/pprof's


def read_text(data):
    data = data.replace(TREE_HEAD, TREE_HEAD.replace(b'\t', b''))
    text = check_inert(data)
    if text and not text.endswith('\n'):
        raise ValueError('the last line has no end')
    return [(split_blanks(line),) for line in text.split('\n')[:-1]]


def read_list(data):
    """Lines of source keep their tabs."""
    check_inert(data, '\t')
    return read_text(data.replace(b'\t', b' '))


def read_disasm(data):
    """Routines, and instructions without the names that objdump writes behind them, which may need a line more."""
    for line, in read_list(data):
        match = re.match(r'([^;\s]\S* \S+ [0-9a-f]+: [^<]*)', line)
        if line.startswith('ROUTINE') or match:
            yield (match[1].strip() if match else line,)


def read_csv(data):
    """An apostrophe in front of a text is what makes it one, and all that begins with what a spreadsheet runs has it."""
    formats.read_csv(data)
    check_inert(data, '\r')
    rows = list(csv.reader(io.StringIO(data.decode(), newline=''), strict=True))
    number = re.compile(r'-?[\d.]+(e[+-]\d+)?')
    for row in rows:
        for cell in row:
            if cell[:1] in '=+-@\t\r\uff1d\uff0b\uff0d\uff20' and cell and not number.fullmatch(cell):
                raise ValueError(f'a spreadsheet runs {cell}')
        yield tuple(cell.removeprefix("'") for cell in row)


def flat(value, path=''):
    """Facts of JSON: of each object what it holds beside objects and lists. Places in lists do not count."""
    if isinstance(value, dict):
        yield tuple(f'{path}.{key}={json.dumps(part) if not isinstance(part, str) else part}' for key, part in value.items()
                    if not isinstance(part, (dict, list)))
        for key, part in value.items():
            if isinstance(part, (dict, list)):
                yield from flat(part, f'{path}.{key}')
    elif isinstance(value, list):
        for part in value:
            yield from flat(part, path)
    else:
        yield (f'{path}={value}',)


def load_json(text):
    return json.loads(text, parse_constant=formats.no_constant, object_pairs_hook=formats.one_key_each)


def read_json(data):
    formats.read_json(data)
    return flat(load_json(data))


def read_json_rows(data):
    return [fact for fact in read_json(data) if fact[0].startswith('.rows')]


def read_speedscope(data):
    formats.read_json(data)
    scope = load_json(data)
    frames = scope['shared']['frames']
    for profile in scope['profiles']:
        for stack, weight in zip(profile['samples'], profile['weights']):
            yield (profile['name'], str(weight), *(str(frames[frame]['name']) for frame in stack))
    yield from flat({key: value for key, value in scope.items() if key not in ('shared', 'profiles')})


def read_collapsed(data):
    """https://github.com/brendangregg/FlameGraph: frames with ; between them, a blank and a number."""
    for line in check_inert(data).removesuffix('\n').split('\n'):
        stack, value = re.fullmatch(r'(.*) (-?\d+)', line).groups()
        yield (value, *stack.split(';'))


def read_callgrind(data):
    """formats reads it as the manual of valgrind says."""
    check_inert(data)
    file = formats.read_callgrind(data)
    yield (f'{file.event[0]}({file.event[1]})',)
    for function, cost in file.own.items():
        yield function, str(cost)
    for (caller, callee), cost in file.calls.items():
        yield caller, callee, str(cost)


def read_proto(data):
    """Each thing with all that it names."""
    data = gzip.decompress(data)
    proto.check_profile(data)
    profile = proto.grouped(data)
    strings = [text.decode(errors='surrogateescape') for text in profile[6]]
    one = proto.one
    functions, mappings, locations = {}, {}, {}
    for message in map(proto.grouped, profile[5]):
        functions[one(message, 1)] = tuple(strings[one(message, n)] for n in (2, 3, 4))
    for message in map(proto.grouped, profile[3]):
        mappings[one(message, 1)] = tuple(strings[one(message, n)] for n in (5, 6))
    for message in map(proto.grouped, profile[4]):
        lines = [text for line in map(proto.grouped, message[4]) for text in (*functions[one(line, 1)], str(one(line, 2)))]
        locations[one(message, 1)] = (*mappings.get(one(message, 2), ()), *lines)
    for message in map(proto.grouped, profile[1]):
        yield 'type', strings[one(message, 1)], strings[one(message, 2)]
    for message in map(proto.grouped, profile[2]):
        values = ' '.join(map(str, proto.numbers(message[2])))
        yield ('sample', values, *(text for key in proto.numbers(message[1]) for text in locations[key]))
        for label in map(proto.grouped, message[3]):
            yield 'label', values, strings[one(label, 1)], strings[one(label, 2)], str(one(label, 3)), strings[one(label, 4)]
    for number in proto.numbers(profile[13]):
        yield 'comment', strings[number]
    for number in 7, 8, 15:
        yield str(number), strings[one(profile, number)]


# ---------------------------------------------------------------------------------------------------- XML

class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent, self.text, self.children = tag, attributes, parent, '', []

    def walk(self):
        """All elements, with the way to each."""
        waiting = [(self, self.tag)]
        while waiting:
            element, path = waiting.pop()
            yield element, path
            waiting += [(child, f'{path}/{child.tag}') for child in reversed(element.children)]


def parse_xml(data):
    """The tree; entities and instructions are none of ours."""
    root = at = Element('', {}, None)
    parser = xml.parsers.expat.ParserCreate()

    def start(tag, attributes):
        nonlocal at
        at.children.append(Element(tag, attributes, at))
        at = at.children[-1]

    def end(_):
        nonlocal at
        at = at.parent

    def text(part):
        at.text += part

    def refuse(*args):
        raise ValueError(f'an instruction or entity: {args}')

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.ProcessingInstructionHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as fault:
        raise ValueError(f'no XML: {fault}: {data.splitlines()[fault.lineno - 1][:300]}') from None
    return root.children[0]


def read_picture(data):
    """A picture of --flame or --trend: what each element says; where it lies and what colour it has does not count."""
    check_inert(data)
    for element, path in parse_xml(data).walk():
        if element.tag in ('style', 'script'):
            yield path, ''.join(element.text.split())
        elif element.tag != 'text':  # where a box has room for it
            yield path, ' '.join(sorted(element.attributes)), split_blanks(element.text)


def texts_of(element):
    return [part.text for part, _ in element.walk() if part.tag == 'text']


def read_graph_svg(data):
    """The lines of a node depend on its name: they are held against the graph's (nodes_of_svg)."""
    check_inert(data)
    for element, path in parse_xml(data).walk():
        if element.tag not in ('text', 'polygon'):
            title = element.attributes.get('xlink:title', '')
            yield path, ' '.join(sorted(element.attributes)), split_blanks(element.text.replace('\n', ' ')), split_blanks(title)


def nodes_of_svg(data):
    """{title of the node: its lines}."""
    nodes = {}
    for element, _ in parse_xml(data).walk():
        if element.tag == 'g' and element.attributes.get('class') == 'node':
            title = next(part.text for part in element.children if part.tag == 'title')
            nodes[title] = [line.strip() for line in texts_of(element)]
    return nodes


# ---------------------------------------------------------------------------------------------------- DOT

LINE_END = re.compile(r'\\([nlr])')


def entities(text):
    return re.sub(r'&(#\d+|#x[0-9a-fA-F]+|\w+);', lambda match: html.unescape(match[0]), text)


def decode_label(label):
    """Lines of an escString, as graphviz's documentation has it. One that means a name of the graph is none of ours."""
    lines, line, at = [], '', 0
    while at < len(label):
        char = label[at]
        if char != '\\':
            line += char
            at += 1
            continue
        what = label[at + 1:at + 2]
        if what in 'NGLETH' or not what:
            raise ValueError(f'\\{what} in the label {label}')
        if what in 'nlr':
            lines.append(line)
            line = ''
        else:
            line += what
        at += 2
    return [entities(part).strip() for part in (lines + [line] if line else lines)]


def read_dot_json(data):
    """What dot makes of it: facts, and the lines of each node by its name."""
    graph = json.loads(data)
    facts, nodes, names = [], {}, {}
    for item in graph.get('objects', []):
        names[item['_gvid']] = item['name']
        if 'nodes' in item and 'label' not in item:
            facts.append(('subgraph', item['name']))
            continue
        nodes[item['name']] = decode_label(item.get('label', ''))
        facts.append(('node', item['name'], ' '.join(sorted(item))))
    for edge in graph.get('edges', []):
        facts.append(('edge', names[edge['tail']], names[edge['head']], ' '.join(sorted(edge)), *decode_label(edge.get('label', ''))))
    return facts, nodes


# ---------------------------------------------------------------------------------------------------- HTML

class Markup(html.parser.HTMLParser):
    """What html_report takes for a whole page, by elements and texts; those of pictures depend on names (read_graph_svg)."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.facts, self.text, self.depth_of_picture, self.is_hidden = [], '', 0, False

    def flush(self):
        if not self.is_hidden and not self.depth_of_picture:
            self.facts += [(split_blanks(line),) for line in self.text.split('\n') if split_blanks(line)]
        self.text = ''

    def handle_starttag(self, tag, attributes):
        self.flush()
        self.depth_of_picture += tag == 'svg'
        self.is_hidden = tag in ('style', 'script')
        if tag not in ('text', 'polygon'):
            title = split_blanks(dict(attributes).get('xlink:title') or '')
            self.facts.append((tag, ' '.join(sorted(name for name, _ in attributes)), title))

    def handle_endtag(self, tag):
        self.flush()
        self.is_hidden = False
        self.depth_of_picture -= tag == 'svg'

    def handle_data(self, data):
        self.text += data


def read_page(data):
    markup = Markup()
    markup.feed(data.decode())
    return markup.facts


def read_page_data(data):
    """The rows of the data, and what stands before them."""
    page = html_report.read_markup(data)
    content = html_report.Data(page.texts['data'])
    html_report.check_graphs(page, content)
    for row in zip(content.labels, content.files, content.objects, *content.flat, *content.cum):
        yield tuple(map(str, row))
    yield from flat(content.head)


# ---------------------------------------------------------------------------------------------------- paper and pixels

def strip_strings(data):
    """PostScript without its strings and comments, and the strings."""
    out, strings, at = [], [], 0
    while at < len(data):
        plain = re.compile(rb'[^(%]*').match(data, at)
        out.append(plain[0])
        at = plain.end()
        if data[at:at + 1] == b'%':
            at = (data.find(b'\n', at) + 1) or len(data)
        elif at < len(data):
            text, at = read_string(data, at)
            strings.append(text)
            out.append(b' () ')
    return b''.join(out), strings


def read_string(data, at):
    """From its bracket: it may hold others that are closed."""
    depth, text = 0, b''
    while True:
        char = data[at:at + 1]
        if not char:
            raise ValueError('a string of PostScript has no end')
        at += 1
        if char == b'\\':
            digits = re.compile(rb'[0-7]{1,3}').match(data, at)
            text += bytes([int(digits[0], 8) & 0xff]) if digits else data[at:at + 1]
            at = digits.end() if digits else at + 1
            continue
        depth += (char == b'(') - (char == b')')
        if not depth:
            return text[1:], at
        text += char


def read_ps(data):
    """Names of operators, once each; how many strings there are depends on the lines of names."""
    if data.count(b'\n%%Page: ') != 1 or not data.startswith(b'%!PS-Adobe'):
        raise ValueError(f'{data.count(b"%%Page: ")} pages')
    program, _ = strip_strings(data)
    words = set(re.findall(rb'[^\s\[\]{}()/<>]+', program)) - {b'stroke', b'fill'}
    for word in sorted(words):
        if not re.fullmatch(rb'[-+.\d]+(e[-+]?\d+)?', word):
            yield (word.decode(),)


# What a reader of PDF acts by.
ACTIONS = ('/A', '/AA', '/AcroForm', '/Annots', '/EmbeddedFile', '/JS', '/JavaScript', '/Launch', '/Names', '/OpenAction', '/RichMedia', '/SubmitForm', '/URI', '/XFA')


def read_pdf(data):
    """How often there is something to act by, outside of streams, and how many pages there are."""
    if not data.startswith(b'%PDF-') or not data.rstrip().endswith(b'%%EOF'):
        raise ValueError('no whole PDF')
    body = re.sub(rb'stream\r?\n.*?endstream', b'', data, flags=re.S)
    words = collections.Counter(word.decode(errors='replace') for word in re.findall(rb'/[^\s\[\]{}()/<>]+', body))
    yield ('pages', str(len(re.findall(rb'/Type\s*/Page\b', body))))
    for word in ACTIONS:
        yield word, str(words[word])


def read_png(data):
    """The kinds of its parts; each is as its sum says."""
    if not data.startswith(b'\x89PNG\r\n\x1a\n'):
        raise ValueError('no PNG')
    at, kinds = 8, set()
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], 'big'), data[at + 4:at + 8]
        part, check = data[at + 4:at + 8 + size], data[at + 8 + size:at + 12 + size]
        if zlib.crc32(part) != int.from_bytes(check, 'big'):
            raise ValueError(f'the sum of {kind} is wrong')
        kinds.add(kind)
        at += 12 + size
    for kind in sorted(kinds):
        yield (kind.decode(),)
