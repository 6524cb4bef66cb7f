"""The timeline of a page of snapshots, and what it chooses for the other views."""

import re

from page import Page, check, same
from proto_writer import Profile
from sums import TABLE, shown_rows, top_rows

BIN = 'scene/heap_profiler'
SNAPSHOTS = [f'scene/profile.000{i}.heap' for i in range(1, 10)]


def write_snapshots(tool, n, step=60):
    """Files of one function that leaks, one that stays, and one with a hostile name; a minute from each to the next."""
    files = []
    for k in range(n):
        profile = Profile([('inuse_objects', 'count'), ('inuse_space', 'bytes')])
        for i, name in enumerate(['leak', 'stay', '<img src=x onerror=window.hacked=1>'], 1):
            profile.location(i, 0, 0x1000 * i, (i, 1))
            profile.function(i, name)
            profile.sample([i], [1, [4096 * (k + 1), 1 << 16, 1024 + 512 * (k % 3)][i - 1]])
        profile.add(b'\x48' + varint((1700000000 + step * k) * 10**9))
        files.append(tool.file('pb'))
        files[-1].write_bytes(profile.whole())
    return files


def varint(n):
    data = b''
    while n >= 0x80:
        data, n = data + bytes([n & 0x7f | 0x80]), n >> 7
    return data + bytes([n])


def place_of(page, k):
    x, y = page.ask(f"""(() => {{ const box = document.querySelector('.time canvas').getBoundingClientRect();
        return [box.left + pprofPage.view.x({k}), box.top + 60]; }})()""")
    return x, y


def check_spans(browser, tool):
    """A click on a snapshot shows what --top has of it, a drag what it has of the difference."""
    page = Page(browser, tool.page('--trend', BIN, *SNAPSHOTS))
    same('timeline', page.state()['view'], 'a page of snapshots opens with')
    for first, last in (2, 2), (8, 8), (1, 4), (7, 8), (4, 0), (0, 8):
        page.press('5')
        browser.drag(*place_of(page, first), *place_of(page, last)) if first != last else browser.click(*place_of(page, first))
        low, high = sorted((first, last))
        span = {(0, 8): ''}.get((low, high), str(low + 1) if low == high else f'{low + 1}-{high + 1}')
        same(span, page.state()['span'], f'the span from {first} to {last}')
        base = [] if low == high else ['--base=' + SNAPSHOTS[low]]
        for place in range(len(page.types)):
            page.set(view='top', type=place)
            expected = top_rows(tool.text('--top', f'--sample_index={place}', *base, BIN, SNAPSHOTS[high]))
            same(expected, shown_rows(page), f'{span or "all"}, {page.types[place]}: Top')
        seen = page.text('.total')
        link = page.ask('location.hash')
        again = Page(browser, tool.page('--trend', BIN, *SNAPSHOTS), link)
        same((span, seen), (again.state()['span'], again.text('.total')), f'the link {link}')
        page = again
    for link in '#span=0', '#span=10', '#span=4-2', '#span=3-10', '#span=x', '#span=1-1', '#span=1-9':
        page = Page(browser, tool.page('--trend', BIN, *SNAPSHOTS), link)
        same('', page.state()['span'], link)
    page.clean('spans')


def check_timeline_keys(browser, tool):
    """Arrows tell what a snapshot has; Enter, Shift, 0 and Escape choose."""
    page = Page(browser, tool.page('--trend', BIN, *SNAPSHOTS))
    page.press('ArrowRight', 'ArrowRight')
    same('2 profile.0002.heap, total 2GB, 2 main: 1GB, 1 create: 1GB', page.said(), 'the second snapshot')
    for key, span in ('Enter', '2'), ('Shift+ArrowRight', '2-3'), ('Shift+ArrowRight', '2-4'), ('Escape', ''), ('Enter', '4'), ('0', ''):
        page.press(key)
        same(span, page.state()['span'], f'{key} chooses')
    page.press('ArrowDown', 'Enter')
    same(('sandwich', 'create'), (page.state()['view'], page.ask('pprofPage.profile.label(pprofPage.state.row)')), 'Enter on a row of the growth table')
    page.clean('keys of the timeline')


SIZES = {'': 1, 'B': 1, 'kB': 2**10, 'MB': 2**20, 'GB': 2**30, '%': 0.01}


def worth(text):
    """What a cell says, as a number."""
    number, unit = re.fullmatch(r'(-?[\d.]+(?:e-?\d+)?)([a-zA-Z%]*)', text).groups()
    return float(number) * SIZES[unit]


def check_cells(wanted, cells):
    pairs = {'share': 'share', 'churn': 'churn', 'a second': 'slope_per_second', 'first': 0, 'last': -1}
    for column, key in pairs.items():
        if column not in cells:
            continue
        value = wanted['values'][key] if isinstance(key, int) else wanted[key]
        check(abs(worth(cells[column]) - value) <= max(0.006 * abs(value), 1e-4 if column == 'share' else 0.5),
              f'{wanted["name"]}: {column} is {cells[column]}, and {value} in --trend --json')


def check_growth(browser, tool):
    """The growth table has what --trend --json has, however many snapshots there are."""
    inputs = [[BIN, *SNAPSHOTS], *(write_snapshots(tool, n) for n in (2, 100))]
    for files in inputs:
        page = Page(browser, tool.page('--trend', *files))
        rows = tool.json('--trend', *files)['rows']
        found = page.ask("""(() => { const { rows, series } = pprofPage.view.table;
            return rows.map((row) => ({ name: pprofPage.profile.label(row), values: series.values(row), ...series.facts(row) })); })()""")
        for wanted, row in zip(rows, found, strict=True):
            pairs = [(wanted[name], row[mine]) for name, mine in (('name', 'name'), ('values', 'values'), ('growth', 'growth'))]
            pairs += [(round(wanted['monotone'], 9), round(row['mono'], 9)), (wanted.get('first_seen', 0), row['since'])]
            for expected, mine in pairs:
                same(expected, mine, f'{len(files)} files: growth of {wanted["name"]}')
            check(abs(wanted['slope_per_snapshot'] - row['step']) <= 1e-9 * abs(row['step']), f'growth a snapshot of {wanted["name"]}: {row["step"]}')
        cells = page.ask(TABLE.replace('[data-view=top]', '[data-view=timeline]'))
        for wanted, row in zip(rows, cells):
            check_cells(wanted, row)
        check(len(files) == 10 or 'a second' in cells[0], f'{len(files)} files: nothing is told per second')
        shapes = [row['shape'] for row in cells]
        same([row['shape'] for row in rows], shapes, f'{len(files)} files: shapes')
        for k in range(min(len(files), 9)):
            browser.move(*place_of(page, k))
        same(None, page.ask('window.hacked || null'), 'a hostile name in the timeline')
        page.clean(f'growth of {len(files)} files')
