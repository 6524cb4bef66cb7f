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
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as ElementTree

import harness
from browser import Browser, Gone
from harness import TESTDATA, Failure, Skip

sys.path.append(str(TESTDATA / 'profiles'))

from proto_writer import Profile  # noqa: E402

# The views are there, or the page says why they are not.
READY = "document.documentElement.dataset.ready === '1' || !!document.querySelector('body > p.e')"

SCENE = ['scene/heap_profiler', 'scene/profile.0009.heap']
SCENE_CHANGE = ['--base=scene/profile.0002.heap', *SCENE]
SHAPES = ['elf/shapes', 'profiles/shapes.heap']
CHANGE = ['--base=profiles/base_old.heap', 'elf/shapes', 'profiles/base_mixed.heap']
CPU = ['profiles/cpu.pb']
CPU_SHAPES = ['elf/shapes', 'profiles/cpu64l.prof']
LOCKS = ['elf/shapes', 'profiles/locks.contention']
NAMES = ['elf/names', 'profiles/names.heap']
UNITS = {CPU[-1]: 'ms'}
RECURSION = ['elf/shapes', 'profiles/recursion.heap']

faults = []


def fault(text):
    """Told at once: a test that waits in vain is ended from outside."""
    faults.append(text)
    print(text, flush=True)


def check(holds, text):
    if not holds:
        fault(text)


def same(expected, found, text):
    check(expected == found, f'{text}:\n  expected {expected!r}\n  found    {found!r}')


# ---- what pprof says ----

class Tool:
    def __init__(self, pprof, scratch):
        self.pprof, self.scratch = pprof, scratch
        self.n_files = 0
        self.outputs, self.pages = {}, {}  # by arguments, for many checks ask for the same

    def run(self, *args):
        out, err, status = harness.run([self.pprof, '-q', *map(str, args)], cwd=TESTDATA,
                                       env=harness.environment(self.scratch, 'C.UTF-8'), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status:
            raise Failure(f'{args}: exit status {status}: {err.decode(errors="replace")}')
        return out

    def text(self, *args):
        if args not in self.outputs:
            self.outputs[args] = self.run(*args).decode()
        return self.outputs[args]

    def file(self, ending):
        self.n_files += 1
        return pathlib.Path(self.scratch, f'{self.n_files}.{ending}')

    def page(self, *args, report='--html'):
        if (report, args) not in self.pages:
            path = self.file('svg' if report == '--flame' else 'html')
            self.run(report, '-o', path, *args)
            self.pages[report, args] = path
        return self.pages[report, args]

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

def filters(**kinds):
    """As a page has them in its state."""
    return [{'kind': kind, 'pattern': pattern} for kind, patterns in kinds.items() for pattern in patterns]


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
        note = self.text('body > p.e')
        if note:
            raise Failure(f'{path}: {note}')
        self.types = self.ask('pprofPage.profile.head.types.map((type) => type.name)')

    def ask(self, expression):
        return self.browser.evaluate(expression)

    def state(self):
        return self.ask('pprofPage.state')

    def set(self, **changes):
        self.ask(f'void pprofPage.set({json.dumps(changes)})')

    def tree(self, state=None, **options):
        """[{way: value} now, the same in the base]."""
        nodes = self.ask(WALK % (json.dumps(state or {}), json.dumps(options)))
        return [{tuple(node[0]): node[side] for node in nodes if node[1] or node[2]} for side in (1, 2)]

    def text(self, selector):
        """What is seen of an element; None where nothing is."""
        return self.ask(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          return element && element.getClientRects().length ? element.innerText : null; }})()""")

    def said(self):
        return self.text('.status')

    def press(self, *keys):
        for key in keys:
            self.browser.press(key)

    def search(self, text):
        """Types it into the search field, and gives what is said to be found."""
        self.press('/')
        self.browser.wait_for("document.activeElement.type === 'search'")
        self.press('Control+a', 'Backspace')
        self.browser.type(text)
        self.browser.wait_for(f'pprofPage.state.search === {json.dumps(text)}')
        return self.text('.found')

    def choose(self, name, value):
        """As if it were chosen from a list."""
        self.ask(f"""(() => {{
          const list = document.querySelector('select[name={name}]');
          list.value = {json.dumps(str(value))};
          list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()""")

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


def is_hit(pattern, name, flags=re.IGNORECASE):
    return re.search(pattern, name, flags) is not None


def filtered(tool, args, focus=(), ignore=(), hide=()):
    """What --collapsed says with the filters of a page; a stack has to match each pattern of its focus."""
    kinds = ('ignore', ignore), ('hide', hide), ('focus', focus[:1])
    options = [f'--{name}={"|".join(patterns)}' for name, patterns in kinds if patterns]
    stacks = tool.stacks(*options, *args)
    return {stack: value for stack, value in stacks.items() if all(any(is_hit(pattern, name, 0) for name in stack) for pattern in focus[1:])}


def check_filtered_top(page, tool, args, state):
    """Top after a filter of one pattern a kind is --top after the option."""
    if len(state.get('focus', [])) > 1:
        return
    options = [f'--{name}={"|".join(patterns)}' for name, patterns in state.items()]
    page.set(view='top', unit=UNITS.get(args[-1], 'kB'), filters=filters(**state))
    expected = top_rows(tool.text('--top', '--unit=' + UNITS.get(args[-1], 'kB'), *options, *args))
    same(expected, split_dropped(args, shown_rows(page), {row[5] for row in expected}), f'{args}: Top after {state}')


def check_filters(browser, tool):
    """focus, ignore and hide leave what --focus, --ignore and --hide leave."""
    for args, states in (
            (SHAPES, [dict(focus=['inl_']), dict(ignore=['inl_']), dict(hide=['inl_']), dict(hide=['^main$', 'build']),
                      dict(focus=['build', 'outer']),
                      dict(focus=['main'], ignore=['make|hidden'], hide=['middle']), dict(focus=['shapes$']),
                      dict(focus=['inl_|MAIN']), dict(ignore=['Build|MAKE']), dict(hide=['Main'])]),
            (RECURSION, [dict(focus=['recurse']), dict(hide=['recurse'])]),
            (CPU, [dict(focus=['handle']), dict(ignore=['libtool']), dict(hide=['handle', 'work'])]),
            (CHANGE, [dict(focus=['build|recurse']), dict(hide=['main']), dict(ignore=['hidden'])])):
        page = Page(browser, tool.page(*args))
        for state in states:
            expected = prefixes(filtered(tool, args, **state))
            now, before = page.tree({'filters': filters(**state)})
            found = {way: now[way] - before[way] for way in now}
            same({way: value for way, value in expected.items() if value}, {way: value for way, value in found.items() if value},
                 f'{args}: what {state} leaves')
            check_filtered_top(page, tool, args, state)
        left = page.ask("pprofPage.model.total({...pprofPage.state, filters: [{kind: 'focus', pattern: 'nothing'}]}).now")
        same(0, left, f'{args}: what a pattern leaves that nothing matches')
        page.clean(f'{args}: filters')


def check_search(browser, tool):
    """A search finds what the stacks have in which something matches, each stack once."""
    for args, patterns in ((SHAPES, ['inl_', 'MAIN', '^build$', 'operator', '(', 'nothing', 'lambda(']),
                           (RECURSION, ['recurse', 'r']), (CPU, ['0x1234', 'serve'])):
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


# ---- the table ----

INLINED = re.compile(r' \((partial-)?inline\)$')


def top_rows(text):
    """[flat, flat%, sum%, cum, cum%, name] of each row of --top."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.split() == ['flat', 'flat%', 'sum%', 'cum', 'cum%'])
    return [[*line.split(None, 5)[:5], INLINED.sub('', line.split(None, 5)[5])] for line in lines[start + 1:]]


# The cells of Top by the name of their column.
TABLE = """(() => {
  const table = document.querySelector('[data-view=top] table');
  const names = [...table.querySelectorAll('thead th')].map((th) => th.textContent.trim());
  return [...table.querySelectorAll('tbody tr[data-at]')].map((line) =>
    Object.fromEntries([...line.children].map((cell, i) => [names[i], cell.textContent]))); })()"""


def shown_rows(page):
    return [[row[name] for name in ('flat', 'flat%', 'sum%', 'cum', 'cum%', 'name')] for row in page.ask(TABLE)]


def check_top(browser, tool):
    """Top has the rows, the texts and the order of --top, in each type, by flat and by cum."""
    by_place = ['--lines', *SHAPES], ['--files', *CHANGE], ['--addresses', *CPU_SHAPES]
    for args in SHAPES, CHANGE, SCENE_CHANGE, CPU, CPU_SHAPES, LOCKS, *by_place:
        page = Page(browser, tool.page(*args))
        browser.set_window(1280, 2000)
        for place, name in enumerate(page.types):
            for sort, option in ('flat', []), ('cum', ['--cum']):
                page.set(view='top', type=place, sort=sort, up=False)
                expected = top_rows(tool.text('--top', *option, f'--sample_index={place}', *args))
                found = split_dropped(args, shown_rows(page), {row[5] for row in expected})
                same(expected, found, f'{args}, {name}: Top by {sort}')
        page.clean(f'{args}: Top')


def split_dropped(args, rows, names):
    """The rows of the page that --top has too; it drops those that are too small for a terminal."""
    kept = [row for row in rows if row[5] in names]
    for row in rows:
        check(row in kept or float(row[4].rstrip('%')) < 0.5, f'{args}: --top does not have {row}')
    return kept


def check_units(browser, tool):
    """The units that can be picked are those of --unit."""
    for args, units in (SHAPES, ['B', 'kB', 'MB', 'GB', 'auto']), (CPU_SHAPES, ['ns', 'ms', 's', 'auto']), (CHANGE, ['kB', 'auto']):
        page = Page(browser, tool.page(*args))
        page.set(view='top')
        for unit in units:
            page.choose('unit', unit)
            same(top_rows(tool.text('--top', f'--unit={unit}', *args)), shown_rows(page), f'{args}: Top in {unit}')
        place = (page.state()['type'] + 1) % len(page.types)
        page.choose('unit', '')
        page.choose('type', place)
        same(top_rows(tool.text('--top', f'--sample_index={place}', *args)), shown_rows(page), f'{args}: Top after a switch of the type')
        page.clean(f'{args}: units')


def check_sort(browser, tool):
    """Each column of Top sorts by what it shows, down and up."""
    for args in SHAPES, CHANGE, CPU_SHAPES:
        page = Page(browser, tool.page(*args))
        page.set(view='top')
        rows = {row['name']: row for row in tool.json('--notrim', *args)['rows']}
        base = {}
        if args is CHANGE:
            before = tool.json('--notrim', args[1], args[0].removeprefix('--base='))['rows']
            base = {row['name']: row['cum'] for row in before}
        keys = {'flat': lambda name: abs(rows[name]['flat']), 'cum': lambda name: abs(rows[name]['cum']), 'name': lambda name: name,
                'object': lambda name: rows[name].get('object', ''), 'base': lambda name: base.get(name, 0),
                'new': lambda name: base.get(name, 0) + rows[name]['cum']}
        keys |= {'flat%': keys['flat'], 'sum%': keys['flat'], 'cum%': keys['cum']}
        for column in page.ask("[...document.querySelectorAll('[data-view=top] table thead th')].map((th) => th.textContent.trim())"):
            orders = set()
            for _ in range(2):
                page.ask(f"""void [...document.querySelectorAll('[data-view=top] table thead button')]
                    .find((button) => button.textContent.trim() === {json.dumps(column)}).click()""")
                names = [row['name'] for row in page.ask(TABLE)]
                same(set(rows), set(names), f'{args}: rows by {column}')
                found = [keys[column](name) for name in names if name in rows]
                order = page.ask(f"""[...document.querySelectorAll('[data-view=top] table thead th')]
                    .find((th) => th.textContent.trim() === {json.dumps(column)}).getAttribute('aria-sort')""")
                orders.add(order)
                same(sorted(found, reverse=order == 'descending'), found, f'{args}: the rows by {column}, {order}')
            same({'ascending', 'descending'}, orders, f'{args}: the ways in which {column} sorts')
        page.clean(f'{args}: sorting')


# ---- hands ----

BAR = 18  # pixels, of a level of the flame graph


def at_canvas(page, x, level):
    """The middle of a level of the flame graph; x is said of its box."""
    return page.ask(f"""(() => {{
      const box = document.querySelector('.flame-canvas').getBoundingClientRect();
      return [{x}, box.top + {(level + 0.5) * BAR}]; }})()""")


HELP = ['1 to 6', 'arrows', 'Enter', '0', '+ -', 'Backspace', '/', 'f x h', 'u', 's', 'i', 't', 'Escape', '?']


def check_keys(browser, tool):
    """Each key does what the help says."""
    page = Page(browser, tool.page(*SHAPES))
    page.set(unit='MB')
    for keys, said in (['ArrowDown'], 'all, 20MB, 100%'), (['ArrowDown', 'ArrowDown'], 'main, 20MB, 100% of 20MB, self 0.25MB'), \
            (['ArrowDown'], 'build, 12MB, 60.00% of 20MB, self 4MB'), (['ArrowRight'], 'make_array, 4MB'), (['ArrowRight'], 'recurse, 2MB'), \
            (['ArrowLeft'], 'make_array, 4MB'), (['ArrowUp'], 'main, '), (['ArrowDown', 'ArrowDown'], 'inl_outer, 8MB'), (['ArrowUp'], 'build, '):
        page.press(*keys)
        check((page.said() or '').startswith(said), f'{keys} says {page.said()}, and not {said}')
    # What is zoomed is as wide as all, and so is found where it was not before.
    x, y = at_canvas(page, 'box.right - 40', 3)
    for key, said in (None, 'with_lambda'), ('Enter', 'build'), ('Backspace', 'with_lambda'), ('Enter', 'build'), ('0', 'with_lambda'):
        if key:
            zoomed = page.state()['zoom']
            if key == 'Enter':
                select_build(page)
            page.press(key)
            browser.wait_for(f'pprofPage.state.zoom !== {json.dumps(zoomed)}')
            browser.wait_frames()
        browser.click(x, y)
        check((page.said() or '').startswith(said), f'{key}: at {x}, {y} is {page.said()}, and not {said}')

    same('4 matches: 12MB (60.00%)', page.search('inl_|make'), 'what inl_ and make_array have')
    page.press('Escape')
    same('', page.state()['search'], 'Escape leaves the search')

    for key, kind in ('f', 'focus'), ('x', 'ignore'), ('h', 'hide'):
        page.set(zoom='')
        select_build(page)
        page.press(key)
        same(filters(**{kind: ['^build$']}), page.state()['filters'], f'{key} on build')
        expected = tool.text('--top', '--unit=MB', f'--{kind}=^build$', *SHAPES)
        page.set(view='top')
        same([row[3] for row in top_rows(expected)], [row[3] for row in shown_rows(page)], f'{key} on build: what the rows have')
        check('^build$' in (page.text('.chips') or ''), f'{key}: the filter is not shown: {page.text(".chips")}')
        page.press('u')
        same([], page.state()['filters'], f'{key}, then u')
        same(None, page.text('.chips'), f'{key}, then u: filters that are shown')
        page.press('1')

    select_build(page)
    page.press('s')
    state = page.state()
    same(('sandwich', 'build'), (state['view'], page.ask(f"pprofPage.profile.label({state['row']})")), 's on build')
    page.press('1')
    for layout in 'flame', 'inverted', 'icicle':
        page.press('i')
        same(layout, page.state()['layout'], 'i')
    for theme in 'light', 'dark', '':
        page.press('t')
        same(theme, page.ask("pprofPage.state.theme"), 't')
    page.press('?')
    shown = page.ask("[...document.querySelectorAll('dialog[open] dt')].map((dt) => dt.textContent)")
    same(HELP, shown, 'the keys that the help tells of; each needs a test here')
    page.press('Escape')
    browser.wait_for("!document.querySelector('dialog[open]')")
    for number, view in page.ask('pprofPage.views.map((view) => [view.key, view.name])'):
        page.press(number)
        shown = page.ask("[...document.querySelectorAll('main > *')].filter((e) => e.getClientRects().length).map((e) => e.dataset.view)")
        same([view], shown, f'{number} shows')
    page.press('3', 'ArrowDown', 'ArrowDown', 'Enter')
    same('sandwich', page.state()['view'], 'Enter on a row of Top')
    page.press('Backspace')
    browser.wait_for("pprofPage.state.view === 'top'")
    # Others are the browser's, and what is typed is text.
    state = page.state()
    page.press('Control+f', 'Control+s', 'Control+u', 'Meta+t', 'Control+1', 'Alt+2')
    same(state, page.state(), 'keys with Control, Alt and Meta')
    same('0 matches: 0 (0%)', page.search('fxhsit1?'), 'keys that are typed')
    same(dict(state, search='fxhsit1?'), page.state(), 'the state when keys are typed')
    page.clean('keys')


def select_build(page):
    """Moves with the arrows from the root of the flame graph."""
    page.press('1')
    page.ask('void (pprofPage.view.pane.focus = -1)')
    page.press('0', *['ArrowDown'] * 4)
    check((page.said() or '').startswith('build, '), f'four times down from the root is {page.said()}')


def check_mouse(browser, tool):
    """A click chooses, a double click zooms, the pointer shows what is below it."""
    page = Page(browser, tool.page(*SHAPES))
    x, y = at_canvas(page, 'box.left + 100', 3)
    browser.move(x, y)
    lines = (page.text('.tip') or '').splitlines()
    same('build', lines[0] if lines else None, 'what the pointer shows')
    check('12288kB' in lines, f'of build is shown {lines}')
    browser.double_click(x, y)
    browser.wait_for("pprofPage.state.zoom !== ''")
    browser.wait_frames()
    browser.click(1200, y)
    check((page.said() or '').startswith('build, '), f'a double click zooms, and right is {page.said()}')
    page.press('3')
    browser.click_on('[data-view=top] table tbody tr[data-at="1"]')
    name = page.ask(TABLE)[1]['name']
    check((page.said() or '').startswith(name + ','), f'a click on {name} says {page.said()}')
    same(1, page.ask("""document.querySelectorAll('[data-view=top] table tr[aria-current="true"]').length"""), 'rows that are chosen')
    page.clean('mouse')


def check_graph(browser, tool):
    """The graph is moved and zoomed, and a click on a box chooses its row."""
    for args in SHAPES, CHANGE, CPU_SHAPES:
        page = Page(browser, tool.page(*args))
        page.press('4')
        box = """(() => { const svg = [...document.querySelectorAll('#graph svg')].find((svg) => svg.getClientRects().length);
            const { x, y, width, height } = svg.viewBox.baseVal; return [x, y, width, height].map((n) => Math.round(n * 1000) / 1000); })()"""
        whole = page.ask(box)
        browser.wheel(640, 400, -300)
        browser.wait_for(f'{box}[2] < {whole[2]} * 0.9')
        zoomed = page.ask(box)
        browser.drag(640, 400, 700, 450)
        moved = page.ask(box)
        check(moved[0] < zoomed[0] and moved[1] < zoomed[1] and moved[2:] == zoomed[2:], f'{args}: a drag moves {zoomed} to {moved}')
        page.press('0')
        same(whole, page.ask(box), f'{args}: 0 shows all of the graph')
        page.press('+')
        check(page.ask(box)[2] < whole[2], f'{args}: + does not zoom')
        page.press('-')
        check(abs(page.ask(box)[2] - whole[2]) < 1e-3 * whole[2], f'{args}: - does not undo +')
        for row in page.ask("[...document.querySelectorAll('#graph figure:not([hidden]) [data-row]')].map((g) => Number(g.dataset.row))"):
            browser.click_on(f'#graph figure:not([hidden]) [data-row="{row}"]')
            name = page.ask(f'pprofPage.profile.label({row})')
            same(row, page.state()['row'], f'{args}: a click on the box of {name}')
            check((page.said() or '').startswith(name), f'{args}: a click on {name} says {page.said()}')
        for place, name in enumerate(page.types):
            page.choose('type', place)
            shown = page.ask("[...document.querySelectorAll('#graph figure')].filter((f) => f.getClientRects().length).map((f) => f.dataset.type)")
            same([str(place)], shown, f'{args}: the graph of {name}')
        page.clean(f'{args}: graph')
    check_tall_graph(browser, tool)


# Of the box of a row: pixels for a unit, and whether all of it is seen.
BOX_SEEN = """(() => {
  const svg = document.querySelector('#graph svg');
  const [box, room] = [svg.querySelector('[data-row="%d"]'), svg].map((element) => element.getBoundingClientRect());
  return [svg.getScreenCTM().a, room.left <= box.left && box.right <= room.right && room.top <= box.top && box.bottom <= room.bottom]; })()"""


def check_tall_graph(browser, tool):
    """It begins where names can be read, and shows what is chosen."""
    path = tool.file('pb')
    write_stacks(path, [f'step_{i}' for i in range(60)], [(range(60, 0, -1), 10**9)])
    page = Page(browser, tool.page(path))
    first, last = page.ask("['step_0', 'step_59'].map((name) => Array.from({ length: 60 }, (_, i) => pprofPage.profile.label(i)).indexOf(name))")
    page.press('4')
    (scale, first_is_seen), (_, last_is_seen) = page.ask(BOX_SEEN % first), page.ask(BOX_SEEN % last)
    check(scale > 0.79 and first_is_seen and not last_is_seen, f'a tall graph begins at {scale}, its ends are seen: {first_is_seen}, {last_is_seen}')
    page.press('0')
    check(page.ask(BOX_SEEN % first)[1] and page.ask(BOX_SEEN % last)[1], '0 does not show all of a tall graph')
    page = Page(browser, tool.page(path))
    page.press('3', 'ArrowDown', 'End', '4')
    row = page.state()['row']
    scale, is_seen = page.ask(BOX_SEEN % row)
    check(scale > 0.79 and is_seen, f'the row {row} that is chosen is not seen in the graph, at {scale}')
    page.clean('a tall graph')


# ---- links, theme, paper ----

SEEN = """[pprofPage.state.view, ...['.total', '.chips', '.found', '[data-view=top]', '[data-view=sandwich]', '#graph', '#info'].map((selector) => {
  const element = document.querySelector(selector);
  return element && element.getClientRects().length ? element.innerText : null; })]"""


def check_links(browser, tool):
    """A link opens the same view anew; the way back goes through what was seen."""
    path = tool.page(*CHANGE)
    page = Page(browser, path)
    place = page.types.index('inuse_space')
    links = []
    for change in (dict(view='top', sort='cum', up=True), dict(type=place - 1), dict(search='a|b'), dict(filters=filters(focus=['main', 'x?&=#%+ \u00e4'])),
                   dict(filters=filters(hide=['^build$'], ignore=['z'])), dict(unit='kB', type=place), dict(scale='normalised'), dict(view='sandwich', row=2), dict(view='flame', layout='flame'),
                   dict(layout='inverted'), dict(view='graph'), dict(layout='icicle', view='flame', theme='dark')):
        page.set(**change)
        links.append((page.ask('location.hash'), page.state(), page.ask(SEEN)))
    for (link, state, seen), (before, old, old_seen) in zip(links[::-1], links[-2::-1]):
        browser.back()
        browser.wait_for(f'location.hash === {json.dumps(before)}')
        same(dict(old, theme=''), dict(page.state(), theme=''), f'back from {link}')
        same(old_seen, page.ask(SEEN), f'what is seen, back from {link}')
    browser.forward()
    browser.wait_for(f'location.hash === {json.dumps(links[1][0])}')
    browser.reload(READY)
    same(links[1][1:], (page.state(), page.ask(SEEN)), 'after a reload')
    page.clean('links')
    for link, state, seen in links[1::3]:
        page = Page(browser, path, link)
        same((state, seen), (page.state(), page.ask(SEEN)), f'the link {link}')
    for link in ('#view=nothing&type=99&row=-5&unit=parsec&sort=__proto__&up=x', '#type=NaN&zoom=1e9&row=1e99', '#=&&%%%=%zz',
                 '#focus=(&hide=[', '#' + 'focus=a&' * 300):
        page = Page(browser, path, link)
        check(page.text('.total'), f'the link {link[:60]} shows nothing')
        page.clean(f'the link {link[:60]}')


def check_zoom_link(browser, tool):
    """A zoom goes into the link, in each layout, and with filters."""
    path = tool.page(*SHAPES)
    for state in {}, {'layout': 'flame'}, {'layout': 'inverted'}, {'filters': filters(hide=['^main$'])}, {'filters': filters(focus=['build'])}:
        page = Page(browser, path)
        page.set(**state)
        page.press('ArrowDown', *[{'flame': 'ArrowUp'}.get(state.get('layout'), 'ArrowDown')] * 2)
        said = page.said()
        page.press('Enter')
        browser.wait_for("pprofPage.state.zoom !== ''")
        link = page.ask('location.hash')
        page = Page(browser, path, link)
        page.press('ArrowDown')
        same(said, page.said(), f'what is zoomed in {link}')
        page.clean(link)


def check_theme(browser, tool):
    """The theme is the system's until the user chooses one, which is kept."""
    page = Page(browser, tool.page(*SHAPES))
    back = 'getComputedStyle(document.documentElement).backgroundColor'
    light = page.ask(back)
    browser.set_window(dark=True)
    dark = page.ask(back)
    check(light == 'rgb(255, 255, 255)' and light != dark, f'light is {light}, dark {dark}')
    pixel = """(() => {
      const canvas = document.querySelector('.flame-canvas');
      return [...canvas.getContext('2d').getImageData(canvas.width - 2, canvas.height - 2, 1, 1).data.slice(0, 3)]; })()"""
    browser.wait_frames()
    same(dark, 'rgb(%d, %d, %d)' % tuple(page.ask(pixel)), 'the flame graph in the dark')
    page.press('t')
    same(light, page.ask(back), 'light where the system is dark')
    browser.reload(READY)
    same(light, page.ask(back), 'a chosen theme after a reload')
    page.press('t', 't')
    same(dark, page.ask(back), "the system's again")
    page.clean('theme')


def check_paper(browser, tool):
    """Each view can be printed, with the heaviest rows behind it."""
    page = Page(browser, tool.page(*SHAPES))
    browser.set_window(dark=True)
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        page.set(view=view)
        pdf = browser.print_pdf()
        n_pages = len(re.findall(rb'/Type\s*/Page\b', pdf))
        check(n_pages >= 1 and b'/Font' in pdf, f'{view} on paper: {n_pages} pages, {len(pdf)} bytes')
    browser.set_window(media='print')
    names = [row[5] for row in top_rows(tool.text('--top', *SHAPES))]
    text = page.text('#summary') or ''
    check(all(name in text for name in names), f'on paper the heaviest rows are {text[:300]}')
    page.clean('paper')


# ---- for everybody ----

CONTRAST = """(() => {
  const channel = (v) => (v <= 10.31475 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (a, b) => { const [high, low] = [light(a), light(b)].sort((x, y) => y - x); return (high + 0.05) / (low + 0.05); };
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = read(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll('body *:not(svg *)')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim());
    const text = texts.join(' ').trim() || element.value;
    if (!text || !element.checkVisibility()) continue;
    const found = ratio(read(getComputedStyle(element).color), behind(element));
    if (found < 4.5) poor.push([element.tagName, String(text).slice(0, 40), Math.round(found * 100) / 100]);
  }
  for (const view of [pprofPage.view])
    for (const pane of [view.pane, view.callers, view.callees]) {
      if (!pane) continue;
      for (let node = 0; node < Math.min(pane.tree.row.length, 500); node++)
        for (const dim of [false, true]) {
          const { fill, ink } = pane.colours(node, dim);
          const found = ratio(read(fill), read(ink));
          if (found < 4.5) poor.push(['canvas', node, Math.round(found * 100) / 100]);
        }
    }
  return poor; })()"""
ROLES = {'button', 'textbox', 'searchbox', 'combobox', 'ComboBoxMenuList', 'tab', 'tabpanel', 'link', 'listbox', 'dialog', 'img',
         'image', 'Canvas', 'columnheader', 'option'}


def check_everybody(browser, tool):
    """Every control has a name, every text enough contrast, in each view, light and dark."""
    for args in SHAPES, CHANGE:
        page = Page(browser, tool.page(*args))
        page.set(filters=filters(focus=['main']), search='build')
        for dark in False, True:
            browser.set_window(dark=dark)
            for view in page.ask('pprofPage.views.map((view) => view.name)'):
                page.set(view=view)
                if view == 'top':
                    page.press('ArrowDown')
                same([], page.ask(CONTRAST), f'{args}, {view}, {"dark" if dark else "light"}: texts with too little contrast')
                if not dark:
                    nameless = [role for role, name in browser.accessible() if role in ROLES and not name.strip()]
                    same([], nameless, f'{args}, {view}: what has no name')
        same([], page.ask("[...document.querySelectorAll('canvas:not([aria-label])')].map((canvas) => canvas.parentElement.outerHTML)"),
             f'{args}: flame graphs without a name')
        page.set(view='flame')
        page.press('?')
        same([], page.ask(CONTRAST), f'{args}: help with too little contrast')
        page.press('Escape')
        same(1, page.ask("document.querySelectorAll('[aria-live]').length"), f'{args}: lines that tell where the focus is')
        page.clean(f'{args}: names and contrast')


def check_change(browser, tool):
    """A difference shows what came and what went, with both sides."""
    page = Page(browser, tool.page(*CHANGE))
    said = {}
    page.press('ArrowDown')
    for key in 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight':
        page.press(key)
        name, _, rest = page.said().partition(', ')
        said[name] = rest
    same({'_start', 'main', 'build', '(anonymous namespace)::hidden', 'make_array', 'recurse'}, set(said), 'frames of the difference')
    for name, words in (('build', ['+3MB', '75', '7MB', '4MB']), ('make_array', ['-2MB', '2MB']),
                        ('(anonymous namespace)::hidden', ['+1MB', '33', '4MB', '3MB'])):
        check(all(word in said.get(name, '') for word in words), f'of {name} is said {said.get(name)}, without some of {words}')
    # How wide each is, as the pointer finds it.
    _, y = at_canvas(page, '0', 3)
    widths = collections.Counter()
    for x in range(4, 1264, 8):
        browser.move(x, y)
        widths[(page.text('.tip') or '').split('\n')[0]] += 8
    for name, size in {'build': 7, '(anonymous namespace)::hidden': 4, 'make_array': 2, 'recurse': 1}.items():
        check(abs(widths[name] - 1264 * size / 14) <= 16, f'{name} is {widths[name]} pixels wide, of {dict(widths)}')
    check(all(('only in the base' in said[name]) == (name != 'build') for name in ('make_array', 'recurse', 'build')), f'what went is not told: {said}')
    page.clean('difference')


def check_normalised(browser, tool):
    """Scaled to its base, a profile has the numbers of --normalize, whether the page scales it or the command line."""
    for args in CHANGE, SCENE_CHANGE, ['--base=profiles/shapes.heap', 'elf/shapes', 'profiles/base_mixed.heap'], ['--base=profiles/cpu.pb', *CPU]:
        for options, state in ([], {'scale': 'normalised'}), (['--normalize'], {}):
            page = Page(browser, tool.page(*options, *args))
            for place, name in enumerate(page.types):
                page.set(view='top', type=place, **state)
                same(top_rows(tool.text('--top', '--normalize', f'--sample_index={place}', *args)), shown_rows(page), f'{args}, {name}: Top with {options or state}')
                total = page.ask('pprofPage.model.total(pprofPage.state)')
                check(abs(total['now'] - total['base']) < 1e-6 * total['base'], f'{args}, {name}: normalised totals are {total}')
            page.clean(f'{args}: normalised')


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
          const groups = [...document.querySelectorAll('#boxes > g')];
          const group = groups.find((g) => g.querySelector('title').textContent.startsWith({json.dumps(name)}));
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
            page.set(search=name, filters=filters(focus=[name]), view='top')
            check_intruders(browser, f'a hostile search: {name}')
            page.set(filters=[], row=3, view='sandwich')
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

def write_deep(path, depth=60000):
    rows = ' '.join(hex(0x1000 + i) for i in range(depth))
    path.write_text(f'heap profile: 1: 64 [1: 64] @ heapprofile\n1: 64 [1: 64] @ {rows}\n')


def write_stacks(path, names, stacks):
    """stacks: numbers of names, from 1, leaf first, and a value."""
    profile = Profile([('cpu', 'nanoseconds')])
    for i, name in enumerate(names, 1):
        profile.location(i, 0, 0x1000 * i, (i, 1))
        profile.function(i, name)
    for stack, value in stacks:
        profile.sample(stack, [value])
    path.write_bytes(profile.whole())


def write_wide(path, side=500):
    """side * side leaves, more than a page keeps; each is less than a ten thousandth."""
    write_stacks(path, [f'function_{i}' for i in range(1, 2 * side + 1)],
                 [((side + 1 + j, i), 1 + i * j % 7) for i in range(1, side + 1) for j in range(side)])


def look_at_all(page, what):
    """Each view, each layout, a search and a filter, without a fault; what Top and the flame graph show."""
    page.browser.press('ArrowDown')
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        page.set(view=view)
    page.set(view='flame')
    for layout in 'flame', 'inverted', 'icicle':
        page.set(layout=layout)
        page.press('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'Enter', '0')
    page.set(search='1', row=0, view='sandwich')
    page.set(filters=filters(focus=['1']), view='top')
    page.set(filters=[], search='')
    page.clean(what)


def check_extremes(browser, tool):
    """Whatever the profile, the page opens and says what it has."""
    for name, write, total, row in (
            ('no samples', lambda path: write_stacks(path, [], []), '0', 'No row'),
            ('one node', lambda path: write_stacks(path, ['alone'], [([1], 10**9)]), '1s', 'alone'),
            ('negative values', lambda path: write_stacks(path, ['less', 'more'], [([1, 2], -3 * 10**9), ([2], 10**9)]), '-2s', 'less'),
            ('the largest values', lambda path: write_stacks(path, ['large'], [([1], (1 << 63) - 1)] * 4), '', 'large'),
            ('names of 64 KB', lambda path: write_stacks(path, ['x' * 65536, 'y ' * 32768, '\u00e9' * 32768], [([1, 2, 3], 10**9)]), '1s', 'xxxxxxxx'),
            ('60,000 frames', write_deep, '64B', '0x'),
            ('250,500 nodes', write_wide, '', 'Show 1000 more')):
        path = tool.file('pb')
        write(path)
        page = Page(browser, tool.page(path))
        shown = page.text('.total') or ''
        check(shown.endswith(total), f'{name}: the total is {total}, and shown is {shown}')
        page.set(view='top')
        check(row in (page.text('[data-view=top]') or ''), f'{name}: Top shows {(page.text("[data-view=top]") or "")[:200]}')
        look_at_all(page, name)
    page.set(view='flame')
    sums = page.ask("""(() => {
        const { model, state } = pprofPage;
        const tree = model.tree(state);
        let [folded, n] = [0, 0];
        for (const open = [0]; open.length;) {
          const node = open.pop();
          const stands = /^.small: (\\d+) nodes/.exec(model.name(tree, node));
          n += stands ? Number(stands[1]) : 1;
          folded += stands ? 1 : 0;
          open.push(...tree.children(node));
        }
        return [tree.now[0], n - 1, folded]; })()""")
    same(sum(1 + i * j % 7 for i in range(1, 501) for j in range(500)), sums[0], 'the total of 250,500 nodes')
    check(sums[1] == 250500 and sums[2] > 0, f'250,500 nodes, and some folded into one; there are {sums}')


def check_sections(browser, tool):
    """Source and what the profile is, as other reports tell them."""
    page = Page(browser, tool.page('--embed-source', '--source-path=elf', *SHAPES))
    page.press('5')
    open_all = "document.querySelectorAll('#source details').forEach((details) => (details.open = true))"
    page.ask(open_all)
    source = page.text('#source') or ''
    listed = tool.text('--list=^build$', '--source-path=elf', *SHAPES)
    for line in [line.split(':', 1)[1].strip() for line in listed.splitlines() if re.search(r'kB|MB', line) and ':' in line][:5]:
        check(' '.join(line.split()) in ' '.join(source.split()), f'the source does not show {line}')
    page.press('6')
    info = page.text('#info') or ''
    for args, words in (SHAPES, ['shapes', 'heap']), (CPU, ['tool', 'abcd1234abcd1234', 'made by hand', 'libtool.so']):
        if args is CPU:
            page.clean('source and information')
            page = Page(browser, tool.page(*args))
            page.press('6')
            info = page.text('#info') or ''
        check(all(word in info for word in words), f'{args}: what is told of the profile lacks some of {words}: {info[:600]}')
    page = Page(browser, tool.page('--embed-source', '--path-map=/srv/app/src/shapes.cc=profiles/bad_source.cc', *SHAPES))
    page.press('5')
    page.ask(open_all)
    check('not a colour' in (page.text('#source') or ''), 'a hostile source is not shown')
    check_intruders(browser, 'a hostile source')


CHECKS = [check_tree, check_filters, check_search, check_sandwich, check_top, check_units, check_sort, check_keys, check_mouse, check_graph, check_links,
          check_zoom_link, check_theme, check_paper, check_everybody, check_change, check_normalised, check_sections, check_picture, check_hostile, check_hostile_flame, check_extremes]


def run(checks, browser, tool):
    for one in checks:
        start = time.monotonic()
        try:
            one(browser, tool)
        except Gone:
            raise
        except Failure as failure:
            fault(f'{one.__name__}: {failure}')
            browser.leave()
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # what is seen is not what is looked for
            fault(f'{one.__name__}: {traceback.format_exc()}')
        print(f'{time.monotonic() - start:6.1f} s  {one.__doc__}', flush=True)


def main(pprof, names):
    checks = [check for check in CHECKS if not names or check.__name__.removeprefix('check_') in names]
    with tempfile.TemporaryDirectory(prefix='page-') as scratch, Browser() as browser:
        run(checks, browser, Tool(os.path.abspath(pprof), scratch))
    return 1 if faults else 0


if __name__ == '__main__':
    signal.signal(signal.SIGTERM, lambda *_: sys.exit('ended from outside'))
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except Failure as failure:
        sys.exit(str(failure))
    except Skip as reason:
        print(reason)
        sys.exit(1 if os.environ.get('CI') == 'true' else 77)
