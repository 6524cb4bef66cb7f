"""The numbers of a page: the tree against --collapsed, the table against --top."""

import collections
import json
import re

from hostile import check_intruders
from page import CHANGE, CPU, CPU_SHAPES, LOCKS, RECURSION, SCENE_CHANGE, SHAPES, Page, check, filters, prefixes, same

UNITS = {CPU[-1]: 'ms'}


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
                'object': lambda name: rows[name].get('object', ''), 'base cum': lambda name: base.get(name, 0),
                'new cum': lambda name: base.get(name, 0) + rows[name]['cum']}
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


# ---- source and information ----

def check_sections(browser, tool):
    """Source and what the profile is, as other reports tell them."""
    page = Page(browser, tool.page('--embed-source', '--source-path=elf', *SHAPES))
    page.press('6')
    open_all = "document.querySelectorAll('#source details').forEach((details) => (details.open = true))"
    page.ask(open_all)
    source = page.text('#source') or ''
    listed = tool.text('--list=^build$', '--source-path=elf', *SHAPES)
    for line in [line.split(':', 1)[1].strip() for line in listed.splitlines() if re.search(r'kB|MB', line) and ':' in line][:5]:
        check(' '.join(line.split()) in ' '.join(source.split()), f'the source does not show {line}')
    page.press('7')
    info = page.text('#info') or ''
    for args, words in (SHAPES, ['shapes', 'heap']), (CPU, ['tool', 'abcd1234abcd1234', 'made by hand', 'libtool.so']):
        if args is CPU:
            page.clean('source and information')
            page = Page(browser, tool.page(*args))
            page.press('7')
            info = page.text('#info') or ''
        check(all(word in info for word in words), f'{args}: what is told of the profile lacks some of {words}: {info[:600]}')
    page = Page(browser, tool.page('--embed-source', '--path-map=/srv/app/src/shapes.cc=profiles/bad_source.cc', *SHAPES))
    page.press('6')
    page.ask(open_all)
    check('not a colour' in (page.text('#source') or ''), 'a hostile source is not shown')
    check_intruders(browser, 'a hostile source')
