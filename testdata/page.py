#!/usr/bin/env python3
"""page.py PPROF [NAME...]: the pages of --html and the pictures of --flame in a real browser.

Each number that is looked at is held against another report of the same binary: the tree against --collapsed, the table
against --top. The exit status is 77 where there is no browser (1 if CI=true).
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

import harness
from browser import Browser
from harness import TESTDATA, Failure, Skip

sys.path.append(str(TESTDATA / 'profiles'))

from proto_writer import Profile  # noqa: E402

READY = "document.documentElement.dataset.ready === '1'"

SCENE = ['scene/heap_profiler', 'scene/profile.0009.heap']
SCENE_CHANGE = ['--base=scene/profile.0002.heap', *SCENE]
SHAPES = ['elf/shapes', 'profiles/shapes.heap']
CHANGE = ['--base=profiles/base_old.heap', 'elf/shapes', 'profiles/base_mixed.heap']
CPU = ['profiles/cpu.pb']
CPU_SHAPES = ['elf/shapes', 'profiles/cpu64l.prof']
LOCKS = ['elf/shapes', 'profiles/locks.contention']
NAMES = ['elf/names', 'profiles/names.heap']
RECURSION = ['elf/shapes', 'profiles/recursion.heap']

faults = []


def check(holds, text):
    if not holds:
        faults.append(text)
    return holds


def same(expected, found, text):
    check(expected == found, f'{text}:\n  expected {expected!r}\n  found    {found!r}')


# ---- what pprof says ----

class Tool:
    def __init__(self, pprof, scratch):
        self.pprof, self.scratch = pprof, scratch
        self.n_pages = 0

    def run(self, *args):
        out, err, status = harness.run([self.pprof, '-q', *map(str, args)], cwd=TESTDATA,
                                       env=harness.environment(self.scratch, 'C.UTF-8'), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status:
            raise Failure(f'{args}: exit status {status}: {err.decode(errors="replace")}')
        return out

    def text(self, *args):
        return self.run(*args).decode()

    def file(self, ending):
        self.n_pages += 1
        return pathlib.Path(self.scratch, f'{self.n_pages}.{ending}')

    def page(self, *args, report='--html'):
        path = self.file('svg' if report == '--flame' else 'html')
        self.run(report, '-o', path, *args)
        return path

    def json(self, *args):
        return json.loads(self.text('--json', *args))

    def stacks(self, *args):
        """{stack: value} by --collapsed: what ends in it."""
        stacks = collections.Counter()
        for line in self.text('--collapsed', *args).splitlines():
            stack, _, value = line.rpartition(' ')
            stacks[tuple(stack.split(';'))] += int(value)
        return stacks


def prefixes(stacks):
    """{way from the root: what all stacks have that go there}."""
    sums = collections.Counter()
    for stack, value in stacks.items():
        for depth in range(len(stack) + 1):
            sums[stack[:depth]] += value
    return sums


# ---- what the page shows ----

# Each node that has something: its way from the root, what it and all below have now and in the base.
WALK = '''(() => {
  const page = window.pprofPage;
  const tree = page.model.tree({...page.state, ...%s}, %s);
  const found = [];
  const open = [[0, []]];
  while (open.length) {
    const [node, way] = open.pop();
    found.push([way, tree.now[node], tree.base ? tree.base[node] : 0]);
    for (const child of tree.children(node)) open.push([child, [...way, page.model.name(tree, child)]]);
  }
  return found; })()'''


class Page:
    """One page in the browser."""

    def __init__(self, browser, path, fragment=''):
        self.browser = browser
        browser.open(path, fragment, ready=READY)
        self.types = self.ask('pprofPage.profile.head.types.map((type) => type.name)')

    def ask(self, expression):
        return self.browser.evaluate(expression)

    def state(self):
        return self.ask('pprofPage.state')

    def set(self, **changes):
        self.ask(f'void pprofPage.set({json.dumps(changes)})')
        self.browser.wait_frames()

    def tree(self, state=None, **options):
        """[{way: value} now, the same in the base]."""
        nodes = self.ask(WALK % (json.dumps(state or {}), json.dumps(options)))
        return [{tuple(node[0]): node[side] for node in nodes if node[1] or node[2]} for side in (1, 2)]

    def clean(self, what):
        """Nothing went wrong since the last time."""
        found = self.browser.take_faults()
        check(not found, f'{what}: {found[:5]}')


# ---- the tree ----

def check_tree(browser, tool):
    """The flame graph has what --collapsed says, in each type and on both sides."""
    for args in SCENE_CHANGE, SHAPES, CHANGE, CPU, CPU_SHAPES, LOCKS, RECURSION:
        page = Page(browser, tool.page(*args))
        base = [word.removeprefix('--base=') for word in args if word.startswith('--base=')]
        words = [word for word in args if not word.startswith('--')]
        for place, name in enumerate(page.types):
            option = f'--sample_index={place}'
            sides = [tool.stacks(option, *words)]
            sides.append(tool.stacks(option, *words[:-1], *base) if base else {})
            sums = [prefixes(side) for side in sides]
            ways = {way for side in sums for way, value in side.items() if value}
            now, before = page.tree({'type': place})
            same({way: sums[0][way] for way in ways}, now, f'{args}, {name}: the nodes of the flame graph')
            same({way: sums[1][way] for way in ways}, before, f'{args}, {name}: those of the base')
        page.clean(args)


def is_hit(pattern, name):
    return re.search(pattern, name, re.IGNORECASE) is not None


def filtered(tool, args, focus=(), ignore=(), hide=()):
    """What --collapsed says with the filters of a page; a stack has to match each pattern of its focus."""
    options = [f'--{name}={"|".join(patterns)}' for name, patterns in (('ignore', ignore), ('hide', hide), ('focus', focus[:1])) if patterns]
    stacks = tool.stacks(*options, *args)
    return {stack: value for stack, value in stacks.items() if all(any(is_hit(pattern, name) for name in stack) for pattern in focus[1:])}


def check_filters(browser, tool):
    """focus, ignore and hide leave what --focus, --ignore and --hide leave."""
    for args, filters in (
            (SHAPES, [dict(focus=['inl_']), dict(ignore=['inl_']), dict(hide=['inl_']), dict(hide=['^main$', 'build']), dict(focus=['build', 'outer']),
                      dict(focus=['main'], ignore=['make|hidden'], hide=['middle']), dict(focus=['shapes$'])]),
            (RECURSION, [dict(focus=['recurse']), dict(hide=['recurse'])]),
            (CPU, [dict(focus=['handle']), dict(ignore=['libtool']), dict(hide=['handle', 'work'])]),
            (CHANGE, [dict(focus=['build|recurse']), dict(hide=['main']), dict(ignore=['hidden'])])):
        page = Page(browser, tool.page(*args))
        for state in filters:
            expected = prefixes(filtered(tool, args, **state))
            now, before = page.tree({'focus': [], 'ignore': [], 'hide': [], **state})
            found = {way: now[way] - before[way] for way in now}
            same({way: value for way, value in expected.items() if value}, {way: value for way, value in found.items() if value},
                 f'{args}: what {state} leaves')
        same(0, page.ask("pprofPage.model.total({...pprofPage.state, focus: ['nothing']}).now"), f'{args}: what a pattern leaves that nothing matches')
        page.clean(f'{args}: filters')


def check_search(browser, tool):
    """A search finds what the stacks have in which something matches, each stack once."""
    for args, patterns in (SHAPES, ['inl_', 'MAIN', '^build$', 'operator', '(', 'nothing', 'lambda(']), (RECURSION, ['recurse', 'r']), (CPU, ['0x1234', 'serve']):
        page = Page(browser, tool.page(*args))
        for place in range(len(page.types)):
            stacks = tool.stacks(f'--sample_index={place}', *args)
            for pattern in patterns:
                try:
                    re.compile(pattern)
                    match = pattern
                except re.error:
                    match = re.escape(pattern)
                found = page.ask(f'pprofPage.model.search({{...pprofPage.state, type: {place}, search: {json.dumps(pattern)}}}).total')
                same(sum(value for stack, value in stacks.items() if any(is_hit(match, name) for name in stack)), found,
                     f'{args}, {page.types[place]}: the total of {pattern}')
        page.clean(f'{args}: searches')


def callers_of(stacks, name):
    """{way upwards from a function: what it has there}, from the lowest of it in each stack."""
    sums = collections.Counter()
    for stack, value in stacks.items():
        if name in stack:
            lowest = len(stack) - 1 - stack[::-1].index(name)
            for at in range(lowest, -1, -1):
                sums[stack[at:lowest][::-1]] += value
    return sums


def callees_of(stacks, name):
    """{way downwards from a function: what it has there}, from the topmost of it in each stack."""
    sums = collections.Counter()
    for stack, value in stacks.items():
        if name in stack:
            top = stack.index(name)
            for at in range(top, len(stack)):
                sums[stack[top + 1:at + 1]] += value
    return sums


def inverted(stacks):
    return prefixes(collections.Counter({stack[::-1]: value for stack, value in stacks.items()}))


def check_sandwich(browser, tool):
    """Callers and callees of each function, and the callers of all leaves."""
    for args in SHAPES, RECURSION, CPU, CPU_SHAPES:
        page = Page(browser, tool.page(*args))
        stacks = tool.stacks(*args)
        rows = page.ask('Array.from({ length: pprofPage.profile.nRows }, (_, i) => pprofPage.profile.label(i))')
        same({name for stack in stacks for name in stack} - set(rows), set(), f'{args}: functions without a row')
        for row, name in enumerate(rows):
            for callers, expected in (True, callers_of(stacks, name)), (False, callees_of(stacks, name)):
                now, _ = page.tree(row=row, callers=callers)
                same({way: value for way, value in expected.items() if value}, now, f'{args}: {"callers" if callers else "callees"} of {name}')
        same({way: value for way, value in inverted(stacks).items() if value}, page.tree({'layout': 'inverted'})[0], f'{args}: inverted')
        page.clean(f'{args}: sandwich')


# ---- the picture ----

BOXES = """[...document.querySelectorAll('#boxes > g')].filter((g) => g.getAttribute('display') !== 'none').map((g) => {
  const rect = g.querySelector('rect');
  return [g.querySelector('title').textContent, Number(g.dataset.now), Number(g.dataset.base || 0),
          ...['x', 'y', 'width'].map((name) => Number(rect.getAttribute(name))), g.querySelector('text')?.textContent ?? '',
          g.classList.contains('hit'), g.getAttribute('class')]; })"""
Box = collections.namedtuple('Box', 'title now base x y width text is_hit classes')


class Picture:
    def __init__(self, browser, path):
        self.browser = browser
        browser.open(path)
        self.boxes = self.look()

    def look(self):
        return [Box(*box) for box in self.browser.evaluate(BOXES)]

    def ways(self, side):
        """{way: value}: a box stands on the one below it whose width it shares."""
        found, ways = {}, {}
        for box in self.boxes:
            below = [b for b in ways if b.y == box.y + 17 and b.x <= box.x + 1e-6 and box.x + box.width <= b.x + b.width + 1e-6]
            ways[box] = (*ways[below[-1]], box.title.split('\n')[0]) if below else ()
            found[ways[box]] = getattr(box, side)
        return found

    def status(self):
        return self.browser.evaluate("document.getElementById('status').textContent")

    def click(self, name):
        self.browser.click(*self.browser.wait_for(f"""(() => {{
          const group = [...document.querySelectorAll('#boxes > g')].find((g) => g.querySelector('title').textContent.startsWith({json.dumps(name)}));
          const box = group.querySelector('rect').getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2]; }})()"""))


def check_picture(browser, tool):
    """The boxes of --flame have what --collapsed says; a click zooms, a search tells what its matches have."""
    for args in SHAPES, CHANGE, CPU, RECURSION:
        path = tool.page(*args, report='--flame')
        ElementTree.parse(path)
        picture = Picture(browser, path)
        base = [word.removeprefix('--base=') for word in args if word.startswith('--base=')]
        words = [word for word in args if not word.startswith('--')]
        sides = [tool.stacks(*words), tool.stacks(*words[:-1], *base) if base else {}]
        sums = [prefixes(side) for side in sides]
        ways = {way for side in sums for way, value in side.items() if value}
        for side, values in zip(('now', 'base'), sums):
            same({way: values[way] for way in ways}, picture.ways(side), f'--flame {args}: {side} of its boxes')
        for pattern in 'r', 'main', '(':
            match = pattern if pattern != '(' else '[(]'
            browser.replies = [pattern]
            browser.press('/')
            n_hits = sum(is_hit(match, box.title.split('\n')[0]) for box in picture.boxes)
            same(n_hits, sum(box.is_hit for box in picture.look()), f'--flame {args}: boxes that {pattern} marks')
            check(f'{n_hits} box' in picture.status(), f'--flame {args}: {n_hits} of {pattern} are not told: {picture.status()}')
            same([], browser.replies, f'--flame {args}: / asks for nothing')
        browser.press('Escape')
        same(0, sum(box.is_hit for box in picture.look()), f'--flame {args}: Escape leaves marks')
        found = browser.take_faults()
        check(not found, f'--flame {args}: {found[:5]}')
    picture = Picture(browser, tool.page(*SHAPES, report='--flame'))
    browser.replies = ['inl_|make']
    browser.press('/')
    check('12MB (60.00%)' in picture.status(), f'--flame: 12 MB of 20 match, and it says {picture.status()}')
    picture.click('build')
    shown = {box.title.split('\n')[0]: box for box in picture.look()}
    same({'all', '_start', 'main', 'build', 'inl_outer', 'inl_middle', 'inl_inner'}, set(shown), '--flame: what is shown of build')
    same([1180.0] * 4, [shown[name].width for name in ('all', '_start', 'main', 'build')], '--flame: widths below build')
    check(abs(shown['inl_outer'].width - 1180 * 8 / 12) < 2, f"--flame: inl_outer is {shown['inl_outer'].width} wide")
    browser.press('Escape')
    same(picture.boxes, picture.look(), '--flame: after Escape')
    picture = Picture(browser, tool.page(*CHANGE, report='--flame'))
    kinds = {box.title.split('\n')[0]: box.classes.split() for box in picture.boxes}
    same([['more2'], ['gone'], ['gone']], [kinds[name] for name in ('build', 'make_array', 'recurse')], '--flame: how changes look')


# ---- hostile names ----

RAISE = 'window.hacked=1'
ELSEWHERE = 'http://127.0.0.1:9/x'
PAYLOADS = [
    f'<img src=x onerror={RAISE}>', f'<svg onload={RAISE}>', f'<script>{RAISE}</script>', f'</script><script>{RAISE}</script>',
    f'</SCRIPT ><script>{RAISE}</script>', f'</style><script>{RAISE}</script>', f'--><script>{RAISE}</script>',
    f'--!><script>{RAISE}</script>', '<!--<script>', f']]><script>{RAISE}</script>', f'"><img src=x onerror={RAISE}>',
    f"'><img src=x onerror={RAISE}>", f'" onmouseover="{RAISE}', f"' onfocus='{RAISE}' autofocus='", f'` onclick=`{RAISE}`',
    f'javascript:{RAISE}', f'<a href="javascript:{RAISE}">x</a>', f'data:text/html,<script>{RAISE}</script>', f'${{{RAISE}}}',
    f'`${{{RAISE}}}`', f'{{{{{RAISE}}}}}', f"';{RAISE}//", f'";{RAISE}//', f'\\";{RAISE}//', f'\\u003cscript\\u003e{RAISE}\\u003c/script\\u003e',
    f'\\x3cscript\\x3e{RAISE}', f'&lt;script&gt;{RAISE}&lt;/script&gt;', f'&#60;script&#62;{RAISE}', '&quot; &amp; &nosuch; &#0;',
    f'%3Cscript%3E{RAISE}%3C/script%3E', f'<iframe srcdoc="<script>parent.{RAISE}</script>">', f'<iframe src="javascript:parent.{RAISE}">',
    f'<object data={ELSEWHERE}>', f'<embed src={ELSEWHERE}>', f'<link rel=stylesheet href={ELSEWHERE}>',
    f'<style>*{{background:url({ELSEWHERE})}}</style>', f'}}*{{background:url({ELSEWHERE})}}', f'<meta http-equiv=refresh content="0;url={ELSEWHERE}">',
    f'<base href={ELSEWHERE}>', f'<form action={ELSEWHERE}><button autofocus>', f'<video src={ELSEWHERE} onerror={RAISE}>',
    f'<details open ontoggle={RAISE}>', f'<input autofocus onfocus={RAISE}>', f'<title>{RAISE}</title>', f'</title><script>{RAISE}</script>',
    f'</textarea><script>{RAISE}</script>', f'<noscript><p title="</noscript><img src=x onerror={RAISE}>">', f'<math><mtext><img src=x onerror={RAISE}>',
    f'<foreignObject><body onload={RAISE}>', f'<animate onbegin={RAISE} attributeName=x dur=1s>', f'<use href="data:image/svg+xml,{RAISE}">',
    f'<set attributeName=href to="javascript:{RAISE}">', f'xlink:href="javascript:{RAISE}"', '<?xml version="1.0"?>', '<!DOCTYPE html>',
    f'<!ENTITY x SYSTEM "{ELSEWHERE}">', '<![CDATA[', '</svg>', '</g></svg><svg>', '</html>', '</body></main>', '<plaintext>', '<template>',
    '\u2028' + RAISE + '\u2029', '\u202e' + RAISE, '\u200b\ufeff\u2066x\u2069', '\x1b[31mred', '\x07\x08\x7f\x85', 'one\r\ntwo\tthree', ' ', '"', "'", '<', '&',
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'location', 'document', 'data', 'graph', 'summary',
    '(', '[', '*', '\\', '(?:', 'a{1,', '$&', '$1', '$`', '%s%n%d', '#search=x&view=top', '?a=b', '../../etc/passwd', 'NaN', 'Infinity', '-0', 'null',
    '(no stack)', '(small: 3 nodes)', 'all', '\U0001f600\u0301\u0301\u0301', '\ufdfd' * 20, 'x' * 5000 + f'<img src=x onerror={RAISE}>',
    b'\xff\xfe<script>window.hacked=1</script>', b'\xc0\xbcscript\xc0\xbe', b'\xed\xa0\x80\xed\xb0\x80', b'cut \xe2\x82', b'\xf4\x90\x80\x80', b'a\0b<b>',
]
SHAPES_OF_NAMES = ['%s', 'std::map<%s, int>::at(%s const&)']
# What a name may never become; data is where the page keeps its columns.
INTRUDERS = 'img, iframe, object, embed, link, base, form, video, audio, template, noscript, math, foreignObject, animate, set, use, textarea, input[autofocus]'


def hostile_names():
    for shape in SHAPES_OF_NAMES:
        for payload in PAYLOADS:
            text = payload if isinstance(payload, bytes) else payload.encode()
            yield shape.encode().replace(b'%s', text)


def hostile_profile(path):
    """Every name in every place: functions, files, objects, build ids, labels, types, units and comments."""
    names = list(hostile_names())
    profile = Profile([(names[i], names[-1 - i]) for i in range(4)])
    for i, name in enumerate(names, 1):
        profile.mapping(i, i << 20, i + 1 << 20, 0, b'/' + name, name)
        profile.location(i, i, i << 20, (i, i))
        profile.function(i, name, b'/src/' + name)
    for i, name in enumerate(names, 1):
        stack = [1 + (i * step) % len(names) for step in (1, 7, 11)]
        profile.sample(stack, [i, i * 1000, i, i * 10], (name, names[-i].decode(errors='replace')), (name, i, name))
    for name in names:
        profile.comment(name)
    path.write_bytes(profile.whole())
    return len(names)


def check_intruders(browser, what):
    same(None, browser.evaluate('window.hacked || null'), f'{what}: a name was run')
    same([], browser.evaluate(f"[...document.querySelectorAll('{INTRUDERS}')].map((e) => e.outerHTML.slice(0, 200))"), f'{what}: elements of names')
    same([], browser.evaluate('''[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) => /^on|^srcdoc$/i.test(a.name) ||
        /^(href|src|action|xlink:href)$/.test(a.name) && !/^(#|$)/.test(a.value)).map((a) => a.name + '=' + a.value)'''), f'{what}: attributes of names')
    found = browser.take_faults()
    check(not found, f'{what}: {found[:5]}')


def check_hostile(browser, tool):
    """Names are text, wherever they come."""
    profile = tool.file('pb')
    n_names = hostile_profile(profile)
    check(n_names >= 200, f'only {n_names} names')
    page = Page(browser, tool.page(profile))
    browser.evaluate('void (window.alert = window.confirm = window.prompt = () => { window.hacked = 2; })')
    check_intruders(browser, 'hostile names')
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        for place in range(len(page.types)):
            page.set(view=view, type=place)
            check_intruders(browser, f'hostile names, {view}, type {place}')
    for layout in 'icicle', 'flame', 'inverted':
        page.set(view='flame', layout=layout)
        for x in range(20, 1200, 60):
            browser.move(x, 200)
        check_intruders(browser, f'hostile names, {layout}')
    for name in PAYLOADS[:20]:
        if isinstance(name, str):
            page.set(search=name, focus=[name], view='top')
            check_intruders(browser, f'a hostile search: {name}')
            page.set(focus=[], row=3, view='sandwich')
            link = page.ask('location.href')
            check(all(c.isprintable() and c not in '<>"' for c in link), f'a link that is no link: {link}')
    check_intruders(browser, 'hostile searches')


def check_hostile_flame(browser, tool):
    """The same in a picture, which is a document of its own."""
    profile = tool.file('pb')
    hostile_profile(profile)
    for args in [profile], ['--base', profile, profile]:
        path = tool.page(*args, report='--flame')
        ElementTree.parse(path)
        browser.open(path)
        for x in range(20, 1200, 60):
            browser.click(x, 150)
        check_intruders(browser, f'--flame {args}')


# ---- extremes ----

def deep_profile(path, depth):
    rows = ' '.join(hex(0x1000 + i) for i in range(depth))
    path.write_text(f'heap profile: 1: 64 [1: 64] @ heapprofile\n1: 64 [1: 64] @ {rows}\n')


def check_extremes(browser, tool):
    """Whatever the profile, the page opens and says what it has."""


CHECKS = [check_tree, check_filters, check_search, check_sandwich, check_picture, check_hostile, check_hostile_flame, check_extremes]


def main(pprof, names):
    checks = [check for check in CHECKS if not names or check.__name__.removeprefix('check_') in names]
    with tempfile.TemporaryDirectory(prefix='page-') as scratch, Browser() as browser:
        tool = Tool(os.path.abspath(pprof), scratch)
        for one in checks:
            start = time.monotonic()
            try:
                one(browser, tool)
            except Failure as failure:
                faults.append(f'{one.__name__}: {failure}')
            print(f'{time.monotonic() - start:6.1f} s  {one.__doc__}')
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except Skip as reason:
        print(reason)
        sys.exit(1 if os.environ.get('CI') == 'true' else 77)
