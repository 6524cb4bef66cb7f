"""Keys, pointer and links, and what they do to a page."""

import collections
import json

from extremes import write_stacks
from page import CHANGE, CPU_SHAPES, READY, SHAPES, Page, check, filters, same
from sums import TABLE, shown_rows, top_rows


# ---- hands ----

BAR = 18  # pixels, of a level of the flame graph


def at_canvas(page, x, level):
    """The middle of a level of the flame graph; x is said of its box."""
    return page.ask(f"""(() => {{
      const box = document.querySelector('.flame-canvas').getBoundingClientRect();
      return [{x}, box.top + {(level + 0.5) * BAR}]; }})()""")


HELP = ['1 to 7', 'arrows', 'Enter', '0', 'Shift', '+ -', 'Backspace', '/', 'f x h', 'u', 's', 'i', 't', 'Escape', '?']


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

    same('4 matches: 12MB (60.00%)', page.search('INL_|make'), 'what inl_ and make_array have')
    page.press('Enter', 'f')
    same(12 << 20, page.ask('pprofPage.model.total(pprofPage.state).now'), 'what f leaves of a search')
    page.press('u')
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
    check('12MB' in lines, f'of build is shown {lines}')
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


# ---- links ----

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
