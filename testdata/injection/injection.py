#!/usr/bin/env python3
"""injection.py PPROF: hostile names through every input that carries them and every format.

Each profile is made twice: once with hostile names and once with words that no format escapes. What parsers find in the two
reports must be the same but for the names, and these must read back as they are.
"""

import collections
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ('', 'profiles', 'mutants')]

import carriers  # noqa: E402
import harness  # noqa: E402
import names  # noqa: E402
import readers  # noqa: E402
import writer  # noqa: E402
from harness import Failure  # noqa: E402
from screen import Screen  # noqa: E402

# In bytes; what is beyond is left out.
LONGEST_FUNCTION, LONGEST_SYMBOL, LONGEST_PATH, LONGEST_UNIT, LONGEST_DRAWN = 4096, 32768, 4095, 16, 4000
MOST_TOLD, MOST_FAULTS = 4, 60
MOST_TYPES = 256  # of one profile
MOST_NAMES = 12  # in one text, for each may have a few forms

# Names that a file can have.
FILE_NAMES = [name for name in names.NAMES if 0 < len(name) < 200 and not re.search(rb'[/\0]', name) and name not in (b'.', b'..')]
# What writes an input, what of a name would be another line or field of it, and how pprof reads it.
TEXT_CARRIERS = [
    (carriers.goroutines, rb'[\n\t\0]|^\s|\s$|^$', ['@/goroutines']),
    (carriers.symbolized, rb'[\n\0]|^\s|\s$|^$|--', ['@/symbolized.heap']),
    (carriers.java, rb'[\n\0]|^\s|\s$|^$', ['@/java.heap']),
    (carriers.perf_map, rb'[\n\0]|^\s|\s$|^$', ['--perf-map=@/jit.map', '@/jit.heap']),
    (carriers.mapped, rb'[\n\0]|^\s|\s$|^$|^\[', ['-v', '@/mapped.heap']),
]

faults = []
n_runs = 0


def fault(text):
    faults.append(text)
    if len(faults) <= MOST_FAULTS:
        print(text[:2000].encode(errors='backslashreplace').decode(), flush=True)


def check(holds, text):
    if not holds:
        fault(text)


# ---------------------------------------------------------------------------------------------------- names in a report

def cut(data, most):
    """At the end of a character."""
    if len(data) <= most:
        return data
    while most and data[most] & 0xc0 == 0x80:
        most -= 1
    return data[:most]


def escaped_nul(data):
    """Text inside pprof ends with a NUL, so a reader of profile.proto escapes those in a name."""
    return data.replace(b'\0', b'\\x00')


def forms_of(data, role):
    """The bytes of a name that may be shown: a file without its folders, a function that is demangled or cut."""
    data = escaped_nul(data)
    forms = [data]
    if role in ('fn', 'sn', 'sy'):
        forms = [names.DEMANGLED.get(data, data), data]
        if len(data) > LONGEST_FUNCTION:
            forms = [cut(data, LONGEST_FUNCTION - 3) + b'...', cut(data, LONGEST_SYMBOL), data]
    if role in ('ob', 'fi'):
        forms += [data.rsplit(b'/', 1)[-1], cut(data, LONGEST_PATH)]
    return forms


def as_shown(data):
    return [names.shown(data)]


def as_text(data):
    """Blanks count once there (readers.read_text)."""
    return [names.shown(data)]


def as_drawn(data):
    """XML and HTML; a picture cuts what is too long for a tooltip."""
    text = names.shown(data)
    cut_text = cut(text.encode(), LONGEST_DRAWN).decode()
    return [text] if cut_text == text else [text, names.shown(cut(data, LONGEST_DRAWN)) + '\u2026']


def as_grind(data):
    """A name of blanks alone would be read as none."""
    return [names.shown(data)] if data.strip(b' ') else ['???']


def as_unicode(data):
    return [names.replaced(data)]


def as_data(data):
    """Of a page: rows are ready to be shown, and what is said of types is not."""
    return as_shown(data) + as_unicode(data)


def as_bytes(data):
    return [data.decode(errors='surrogateescape')]


def as_folded(data):
    return [names.shown(data).replace(';', '\\x3b')]


class Expected:
    """What the facts of harmless names are with hostile ones."""

    def __init__(self, hostile, spell):
        self.hostile, self.spell = hostile, spell
        self.known = {}

    def spellings(self, role, number):
        key = role, number
        if key not in self.known:
            data = self.hostile.name(role, number)
            texts = [text for form in forms_of(data, role) for text in self.spell(form)]
            if role == 'un':
                texts += [cut(text.encode(), LONGEST_UNIT).decode() for text in texts if self.spell in (as_text, as_drawn)]
            if role in ('ty', 'un') and self.spell is as_grind:  # a blank ends an event there
                texts = [text.replace(' ', '_') for text in as_shown(data)]
            self.known[key] = list(dict.fromkeys(texts))
        return self.known[key]

    def texts(self, text):
        parts = carriers.TOKEN.split(text)  # text, role, number, text ...
        if len(parts) > 3 * MOST_NAMES:
            raise Failure(f'too many names in one fact: {text:.300}')
        choices = [[part] if i % 3 == 0 else self.spellings(part, int(parts[i + 1])) for i, part in enumerate(parts) if i % 3 != 2]
        return [''.join(choice) for choice in itertools.product(*choices)]

    def facts(self, fact):
        for texts in itertools.product(*map(self.texts, fact)):
            yield tuple(map(readers.split_blanks, texts)) if self.spell in (as_text, as_drawn) else texts


def compare(expected, harmless, hostile, what):
    """The same facts, in any order."""
    left = collections.Counter(hostile)
    missing = []
    for fact in harmless:
        found = next((one for one in expected.facts(fact) if left[one] > 0), None)
        if found is None and next(expected.facts(fact)) != ('',):  # blanks are no text of a page
            missing.append(fact)
        elif found is not None:
            left[found] -= 1
    more = [fact for fact, n in left.items() if n > 0]
    if missing or more:
        fault(f'{what}: {len(missing)} facts are missing, {len(more)} came')
        for fact in missing[:MOST_TOLD]:
            told = next(iter(expected.facts(fact)))
            print(f'  missing: {str(fact)[:160]}\n           {told!r:.160}')
        for fact in more[:MOST_TOLD]:
            print(f'  came:    {fact!r:.160}')


# ---------------------------------------------------------------------------------------------------- runs

class Tool:
    def __init__(self, pprof, scratch):
        self.pprof, self.scratch = pprof, pathlib.Path(scratch)

    def run(self, *args, status=(0,), data=None, **env):
        """stdout; stderr is looked at each time."""
        global n_runs
        n_runs += 1
        out, err, code = harness.run([self.pprof, *args], data, cwd=self.scratch, env={**harness.environment(str(self.scratch), 'C.UTF-8'), **env},
                                     stdin=subprocess.DEVNULL if data is None else subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        what = ' '.join(map(repr, args))[:300]
        try:
            readers.check_inert(err)
        except ValueError as reason:
            fault(f'{what}: stderr: {reason}')
        if status is not None and code not in status:
            raise Failure(f'{what}: exit status {code}: {err[:1000]!r}')
        return out


class Twins:
    """The same files with harmless and with hostile names. In arguments, @ stands for the folder that they lie in, and a harmless
    name for its hostile one too."""

    def __init__(self, tool, make, hostile):
        self.tool, self.hostile = tool, hostile
        for kind, give in ('harmless', carriers.Harmless()), ('hostile', hostile):
            for name, data in make(give, kind).items():
                path = os.path.join(os.fsencode(tool.scratch), kind.encode(), name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'wb') as file:
                    file.write(data)

    def outputs(self, *args, **options):
        outs = [self.tool.run(*(self.argument(arg, kind, give) for arg in args), **options)
                for kind, give in (('harmless', carriers.Harmless()), ('hostile', self.hostile))]
        return [outs[0].replace(b'harmless/', b'hostile/'), outs[1]]

    def argument(self, text, kind, give):
        parts = carriers.TOKEN.split(text.replace('@/', f'{kind}/'))
        return b''.join(part.encode() if i % 3 == 0 else give.name(part, int(parts[i + 1])) for i, part in enumerate(parts) if i % 3 != 2)

    def compare(self, read, spell, *args, **options):
        """The outputs, or None where one of them cannot be read."""
        outs = self.outputs(*args, **options)
        what = ' '.join(args)
        found = []
        for out in outs:
            try:
                found.append(list(read(out)))
            except (Failure, ValueError, LookupError, AttributeError) as reason:
                fault(f'{what}: {type(reason).__name__}: {reason}\n{traceback.format_exc(limit=-2)}')
                return None
        check(found[0], f'{what}: nothing is read')
        compare(Expected(self.hostile, spell), *found, what)
        return outs

    def compare_shape(self, read, *args, **options):
        """Likewise where names are shortened, as a reader of them likes: the same rows in the same order, with any names."""
        found = [list(read(out)) for out in self.outputs(*args, **options)]
        what = ' '.join(args)
        check(len(found[0]) == len(found[1]) > 1, f'{what}: {len(found[0])} facts, and {len(found[1])} with hostile names')
        for fact, other in zip(*found):
            if len(fact) != len(other) or not all(map(fits, fact, other)):
                fault(f'{what}:\n  {fact!r:.300}\n  {other!r:.300}')
                return


def fits(text, other):
    parts = carriers.TOKEN.split(text)
    return re.fullmatch('.*'.join(map(re.escape, parts[::3])).replace('\\ ', ' ?'), other, flags=re.S)


# ---------------------------------------------------------------------------------------------------- checks

ALL = ['--notrim', '--nodecount=0', '@/all.pb']
TEXTS = ['--text', '--top', '--tree', '--peek=(?s).', '--traces', '--tags', '--comments', '--raw', '--info', '--stacks']
GRANULARITIES = ['--functions', '--files', '--lines', '--filefunctions', '--addresses']


def check_texts(twins):
    for report in TEXTS:
        twins.compare(readers.read_text, as_text, report, *ALL)
    for granularity in GRANULARITIES:
        twins.compare(readers.read_text, as_text, '--text', granularity, *ALL)
    for report in '--list=(?s).', '--weblist=(?s).':
        readers.check_inert(twins.outputs(report, *ALL)[1], '\t')
    for by in 'line', 'stack':
        twins.compare(readers.read_json, as_unicode, '--json', '--fail-above=(?s).:1', f'--by={by}', *ALL, status=(4,))
    commands = b'top 300\ntags\noptions\npeek (?s).\ntraces\ncomments\ncolumns\nsample_index=\nhelp\nfocus=(\n'
    twins.compare(readers.read_list, as_text, '--interactive', '--notrim', '@/all.pb', data=commands.replace(b'top 300', b'top 300 --notrim'))


def check_data(twins):
    for granularity in GRANULARITIES:
        twins.compare(readers.read_csv, as_shown, '--csv', granularity, *ALL)
        twins.compare(readers.read_json, as_unicode, '--json', granularity, *ALL)
        twins.compare(readers.read_collapsed, as_folded, '--collapsed', granularity, *ALL)
        twins.compare(readers.read_callgrind, as_grind, '--callgrind', granularity, *ALL)
    for granularity in '--functions', '--lines':
        twins.compare(readers.read_speedscope, as_unicode, '--speedscope', granularity, *ALL)
    twins.compare(readers.read_proto, as_bytes, '--proto', '@/all.pb')
    twins.compare(readers.read_proto, as_bytes, '--topproto', *ALL)


GRAPH = ['--notrim', '--nodecount=0', '--maxdegree=0', '@/all.pb']


def graph_of(dot):
    done = subprocess.run(['dot', '-Tdot_json'], input=dot, capture_output=True, check=False, timeout=harness.TIMEOUT)
    if done.returncode or done.stderr:
        raise ValueError(f'dot: {done.stderr[:500]!r}')
    return readers.read_dot_json(done.stdout)


def check_lines(lines, label, what):
    """The lines of a box are parts of the name, in their order."""
    at = 0
    for line in lines:
        for part in [line] if line in label else line.split('...'):
            found = label.find(part.strip(), at)
            if found < 0:
                fault(f'{what}: the line {line!r} is not in {label!r:.300}')
                return
            at = found


def node_numbers(lines):
    return [line for line in lines if re.match(r'(of )?-?[\d.]+ \(-?[\d.]+%\)$', line)]


def check_graph(twins, *args):
    """As dot reads it, and as it draws it."""
    outs = twins.compare(lambda dot: graph_of(dot)[0], as_text, '--dot', *GRAPH, *args)
    pictures = twins.compare(readers.read_graph_svg, as_drawn, '--svg', *GRAPH, *args)
    if not outs or not pictures:
        return
    harmless, hostile = (graph_of(out)[1] for out in outs)
    check(set(harmless) == set(hostile), 'other nodes')
    expected = Expected(twins.hostile, as_text)
    for out, nodes in zip(pictures, (harmless, hostile)):
        drawn = {title: list(map(readers.split_blanks, lines)) for title, lines in readers.nodes_of_svg(out).items()}
        for title, lines in nodes.items():
            lines = list(map(readers.split_blanks, lines))
            check(drawn.get(title) == lines, f'{args}: {title} has {lines!r:.300} in dot, and is drawn as {drawn.get(title)!r:.300}')
    for title, lines in harmless.items():
        numbers, shown = node_numbers(lines), hostile.get(title, [])
        check(node_numbers(shown) == numbers, f'{args}: {title} has the numbers {shown}, and should have {numbers}')
        if title.startswith('N') and '_' not in title:
            label = max(expected.texts(' '.join(lines[:len(lines) - len(numbers)])), key=len)
            check_lines(shown[:len(shown) - len(numbers)], label, f'{args} {title}')


def check_paper(data, what):
    """ghostscript takes it for one page, and has nothing to say."""
    done = subprocess.run(['gs', '-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=bbox', '-'], input=data, capture_output=True, check=False,
                          timeout=harness.TIMEOUT)
    boxes = done.stderr.decode(errors='replace').splitlines()
    check(not done.returncode and not done.stdout and [line.split(':')[0] for line in boxes] == ['%%BoundingBox', '%%HiResBoundingBox'],
          f'{what}: ghostscript ends with {done.returncode}: {done.stdout[:500]!r} {boxes[:10]}')


def check_page(twins):
    outs = twins.compare(readers.read_page, as_drawn, '--html', '@/all.pb')
    found = [list(readers.read_page_data(out)) for out in outs or []]
    if found:
        compare(Expected(twins.hostile, as_data), *found, 'the data of a page')


def check_words(tool):
    """Names that somebody types: of types, labels, comments."""
    hostile = carriers.Apart([name for name in names.NAMES if not re.fullmatch(rb'<unknown>|\[.*\]|\[.|#.*| *', name) and len(name) < 1000])
    twins = Twins(tool, lambda give, _: {b'all.pb': carriers.proto(give, len(hostile.names) // 2)}, hostile)
    for granularity in '--lines', '--files', '--filefunctions':
        check_graph(twins, granularity)
    for number in range(4):
        twins.compare(readers.read_text, as_text, '--text', f'--sample-index=tyq{number:03}q', *ALL)
        twins.compare(readers.read_json, as_unicode, '--json', f'--add-comment=acq{number:03}q', *ALL)
        twins.compare(readers.read_proto, as_bytes, '--proto', f'--add-comment=acq{number:03}q', '@/all.pb')
    for option in '--tagroot=lkq002q', '--tagroot=lkq020q', '--tagleaf=lkq003q', '--tagleaf=lkq021q':
        twins.compare(readers.read_text, as_text, '--text', option, *ALL)
        twins.compare(readers.read_collapsed, as_folded, '--collapsed', option, *ALL)
    twins.compare(readers.read_graph_svg, as_drawn, '--svg', '--tagroot=lkq002q', *GRAPH)
    for option in '--call-tree', '--show-addresses', '--noinlines':
        twins.compare(readers.read_text, as_text, '--top', option, *ALL)
    twins.compare(readers.read_graph_svg, as_drawn, '--svg', '--tagnodes', *GRAPH)
    twins.compare(readers.read_text, as_text, '--text', '--base=@/all.pb', '--normalize', *ALL)


def check_pictures(twins):
    twins.compare(readers.read_picture, as_drawn, '--flame', '@/all.pb')
    check_graph(twins, '--functions')
    twins.compare(readers.read_png, as_text, '--png', '@/all.pb')
    for read, report in (readers.read_ps, '--ps'), (readers.read_pdf, '--pdf'):
        outs = twins.compare(read, as_text, report, '@/all.pb')
        if outs and shutil.which('gs'):
            check_paper(outs[1], report)
    check_page(twins)
    snapshots = ['@/all.pb', '@/all.pb', '@/all.pb']
    twins.compare(readers.read_text, as_text, '--trend=0', '--text', *snapshots)
    twins.compare(readers.read_picture, as_drawn, '--trend=0', '--svg', *snapshots)
    twins.compare(readers.read_page, as_drawn, '--trend=0', '--html', '--by=line', *snapshots)


def check_proto(tool):
    """Every place of a profile.proto."""
    twins = Twins(tool, lambda give, _: {b'all.pb': carriers.proto(give, len(names.NAMES))}, carriers.Hostile(names.NAMES))
    check_texts(twins)
    check_data(twins)
    check_pictures(twins)


def check_types(tool):
    """Types of values and their units."""
    hostile = carriers.Hostile([name for name in names.NAMES if len(name) < 1000 and b'\0' not in name][:MOST_TYPES])
    n = len(hostile.names)
    twins = Twins(tool, lambda give, _: {b'all.pb': carriers.proto(give, 3, n)}, hostile)
    for read, spell, report in (readers.read_text, as_text, '--info'), (readers.read_json, as_unicode, '--json'), \
            (readers.read_speedscope, as_unicode, '--speedscope'), (readers.read_proto, as_bytes, '--proto'):
        twins.compare(read, spell, report, *ALL)
    for i in range(0, n, 4):
        index = f'--sample-index=tyq{i:03}q'
        read, spell, report = (
            (readers.read_callgrind, as_grind, '--callgrind'), (readers.read_csv, as_shown, '--csv'), (readers.read_text, as_text, '--traces'),
            (readers.read_picture, as_drawn, '--flame'), (lambda dot: graph_of(dot)[0], as_text, '--dot'))[i // 4 % 5]
        twins.compare(read, spell, report, index, *ALL)


def check_source(tool):
    """Names of files, and their lines."""
    hostile = carriers.Hostile(FILE_NAMES)
    twins = Twins(tool, lambda give, kind: carriers.sources(give, range(len(FILE_NAMES)), kind), hostile)
    twins.compare(readers.read_list, as_text, '--list=(?s).', '@/source.pb')
    twins.compare(readers.read_page, as_drawn, '--weblist=(?s).', '@/source.pb')
    twins.compare(readers.read_page, as_drawn, '--html', '--embed-source', '@/source.pb')


def check_program(tool):
    """Symbols of an ELF file."""
    numbers = [i for i, name in enumerate(names.NAMES) if b'\0' not in name][:writer.TEXT_SIZE // carriers.STEP]
    hostile = carriers.Hostile([names.NAMES[i] for i in numbers])
    twins = Twins(tool, lambda give, _: carriers.program(give, range(len(numbers))), hostile)
    program = ['@/program', '@/program.heap']
    twins.compare(readers.read_text, as_text, '--text', '--symbolize=demangle=none', *program)
    twins.compare(readers.read_json, as_unicode, '--json', '--symbolize=demangle=none', *program)
    twins.compare_shape(readers.read_text, '--text', *program)
    twins.compare(readers.read_disasm, as_text, '--disasm=(?s).', '--symbolize=demangle=none', *program)
    for report in ['--columns=inuse_space,alloc_objects'], ['--sizes']:
        twins.compare(readers.read_text, as_text, '--top', *report, *ALL[:2], '--symbolize=demangle=none', *program)
    snapshots = ['--trend=0', '--no-cache', '--symbolize=demangle=none', *program, '@/program.heap', '@/program.heap']
    for read, spell, report in (readers.read_text, as_text, '--text'), (readers.read_csv, as_shown, '--csv'), \
            (readers.read_json, as_unicode, '--json'), (readers.read_picture, as_drawn, '--svg'), (readers.read_page, as_drawn, '--html'):
        for by in 'function', 'stack':
            if by == 'function' or report != '--html':
                twins.compare(read, spell, report, f'--by={by}', *snapshots)
    for style in 'none', 'full':
        outs = [tool.run('--symbols', f'--symbolize=demangle={style}', f'{kind}/program', f'{kind}/addresses') for kind in ('harmless', 'hostile')]
        lines = [readers.read_text(out) for out in outs]
        check(len(lines[0]) == len(lines[1]) == len(numbers), f'--symbols, {style}: {len(lines[0])} and {len(lines[1])} lines')


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_readers(tool):
    """Texts that bring names along."""
    for make, avoid, args in TEXT_CARRIERS:
        hostile = carriers.Hostile([name for name in names.NAMES if len(name) < 1000 and not re.search(avoid, name)])
        twins = Twins(tool, lambda give, _, make=make, n=len(hostile.names): make(give, range(n)), hostile)
        for read, report in (readers.read_text, '--text'), (readers.read_csv, '--csv'), (readers.read_json_rows, '--json'):
            twins.compare_shape(read, report, *args)
    hostile = carriers.Apart([name for name in names.NAMES if len(name) < 1000 and is_utf8(name) and b'\0' not in name and name.strip()])
    twins = Twins(tool, lambda give, _: carriers.go_labels(give, range(len(hostile.names) // 2 - 1)), hostile)
    twins.compare(readers.read_text, as_text, '--tags', '@/go_labels')
    twins.compare(readers.read_text, as_text, '--traces', '@/go_labels')


# What a name can do, in one argument.
MIXTURE = (b'\x1b[2J\x1b]52;c;eA==\x07\xe2\x80\xae\xc2\x9b2J\x9b2J\xe2\x82\xff\xed\xa0\x80\x7f\r\nover\b\ttab "\'\\<b>&amp;%s%n\xe2\x80\xa8\xef\xbb\xbf(',
           b'(*FAIL)\x1b]8;;x\x1b\\[', b'\x1b[31m', b'\xe2\x81\xa6=\x9d0;t\x9c:1')


def check_headers(tool):
    """What a profile.proto says of all of it."""
    for text in *MIXTURE, *map(names.encode, names.PATTERNS), b'\0':
        path = tool.scratch / 'header.pb'
        path.write_bytes(carriers.header(text))
        for args in ['-v', '--text', '--lines'], ['--info'], ['--raw'], ['--json'], ['--dot'], ['--traces']:
            out = tool.run(*args, 'header.pb', status=None)
            check(args != ['--info'] or out, f'--info says nothing of {text!r}')
            readers.check_inert(out, '\t' if args == ['--dot'] else '')


def check_options(tool):
    """Arguments: each option that takes one, what is none, a command of the shell, lines of files of the user."""
    profile = carriers.sources(carriers.Harmless(), range(3), 'src')[b'source.pb']
    (tool.scratch / 'small.pb').write_bytes(profile)
    rows = tool.run('--help=all').decode()
    options = sorted(set(re.findall(r'^ +(?:-\w, )?(--[\w-]+)\[?=', rows, flags=re.M)))
    check(len(options) > 50, f'only {len(options)} options take a value')
    for i, option in enumerate(options):
        for mixture in MIXTURE[i % 2::2]:
            if option != '--output':
                tool.run(option.encode() + b'=' + mixture, 'small.pb', status=None)
    for mixture in MIXTURE:
        for args in [b'--' + mixture], [b'-' + mixture], [mixture], [b'--text', b'small.pb', mixture], [b'--base=' + mixture, b'small.pb'], \
                [b'-v', b'--path-map=/=' + mixture, b'--source-path=' + mixture, b'--list=.', b'small.pb'], [mixture, b'small.pb'], \
                [b'--text', b'-o', b'no/' + mixture, b'small.pb'], [b'--help=' + mixture]:
            tool.run(*args, status=None)
        tool.run('--interactive', 'small.pb', data=b''.join(word + mixture.replace(b'\n', b' ') + b'\n' for word in
                                                          (b'', b'list ', b'peek ', b'top ', b'focus=', b'sample_index=', b'help ', b'text >no/')), status=None)
        for name, text in (b'a.config', mixture + b'\nfocus = ' + mixture + b'\nnodecount = ' + mixture), \
                (b'a.suppressions', b'leak:' + mixture + b'\n' + mixture + b'\n'), (b'a.map', mixture + b'\n401000 10 ' + mixture + b'\n'):
            (tool.scratch / name.decode()).write_bytes(text)
        tool.run('--config=a.config', 'small.pb', status=None)
        tool.run('--suppressions=a.suppressions', '--base=small.pb', '--fail-growth=1', 'small.pb', status=None)
        tool.run('--perf-map=a.map', '-v', 'small.pb', status=None)


def check_files(tool):
    """Names of files on the command line, that are there and that are not."""
    folder = os.path.join(os.fsencode(tool.scratch), b'named')
    os.makedirs(folder)
    content = carriers.sources(carriers.Harmless(), range(3), 'src')[b'source.pb']
    paths = []
    for i, name in enumerate(FILE_NAMES):
        paths.append(b'named/' + name)
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(content)
    wanted = {names.shown(b'named/' + name) for name in FILE_NAMES}
    info = readers.check_inert(tool.run('--info', *paths))
    shown = {line.removeprefix('Input: ') for line in info.split('\n') if line.startswith('Input: ')}
    check(shown == wanted, f'--info: {sorted(shown ^ wanted)[:5]}')
    report = readers.load_json(tool.run('--json', *paths))
    check({part['name'] for part in report['inputs']} == {names.replaced(path) for path in paths}, '--json: other inputs')
    for report in ['--text'], ['--json'], ['--csv'], ['--svg'], ['--html'], ['--info', '-v']:
        out = tool.run('--trend', *report, *paths[:200]) if len(report) == 1 and report != ['--info'] else tool.run(*report, *paths)
        readers.check_inert(out, '\r')
    missing = [b'gone/' + name for name in FILE_NAMES]
    env = harness.environment(str(tool.scratch), 'C.UTF-8')
    _, err, _ = harness.run([tool.pprof, '--text', 'small.pb', *missing], cwd=tool.scratch, env=env, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    told = readers.check_inert(err)
    lost = [path for path in missing if f'{names.shown(path)}: no such file' not in told]
    check(not lost, f'{len(lost)} files are missing, and nothing tells: {lost[:5]}')


COLOUR = re.compile(r'\x1b\[(0|1|31|32|1;31|1;33)m')


def check_terminal(tool):
    """What a terminal gets: the tool's own colours, and nothing else to obey."""
    Twins(tool, lambda give, _: {b'all.pb': carriers.proto(give, len(names.NAMES))}, carriers.Hostile(names.NAMES))
    env = {**harness.environment(str(tool.scratch), 'C.UTF-8'), 'TERM': 'xterm'}
    for args in [[report] for report in TEXTS] + [['--text', '--lines'], ['--trend', 'hostile/all.pb'], ['-v', '--text', *MIXTURE], ['--dot'], ['--svg'],
                                                  ['--csv'], ['--json'], ['--collapsed'], ['--html', '-o', 'page.html']]:
        with Screen([tool.pprof, *args, *ALL[:2], 'hostile/all.pb'], columns=100, cwd=tool.scratch, env=env) as screen:
            screen.end()
        shown = COLOUR.sub('', screen.seen).replace('\r\n', '\n').replace(readers.TREE_HEAD.decode(), '')
        try:
            readers.check_inert(shown.encode(), {'--csv': '\r', '--dot': '\t'}.get(args[0], ''))
        except ValueError as reason:
            fault(f'{args} on a terminal: {reason}')
        check(len(shown) > 100 or '-o' in args, f'{args} shows nothing on a terminal: {shown!r}')


CHECKS = [check_proto, check_words, check_types, check_source, check_program, check_readers, check_headers, check_options, check_files, check_terminal]


def main(pprof, wanted):
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='injection-') as scratch:
        tool = Tool(os.path.abspath(pprof), scratch)
        for one in CHECKS:
            if wanted and one.__name__.removeprefix('check_') not in wanted:
                continue
            begin = time.monotonic()
            try:
                one(tool)
            except (Failure, ValueError) as failure:
                fault(f'{one.__name__}: {failure}')
            print(f'{time.monotonic() - begin:6.1f} s  {one.__doc__}', flush=True)
    print(f'{len(names.NAMES)} names, {n_runs} runs, {time.monotonic() - start:.0f} s, {len(faults)} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
