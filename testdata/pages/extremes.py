"""Profiles of nothing, and of more than a page is made for."""

from page import Page, check, filters, same
from proto_writer import Profile


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
    sandwiches = page.ask("""[1, 300, 700].flatMap((row) => [true, false].map((callers) => {
        const { model, state } = pprofPage;
        const tree = model.tree(state, { row, callers });
        return [model.rows(state).cum[0][row], tree.now[0], [...tree.children(0)].map((node) => model.name(tree, node))]; }))""")
    for cum, whole, _ in sandwiches:
        same(cum, whole, 'what the sandwich has of a function that is in small nodes too')
    check(any('(in small nodes)' in names for _, _, names in sandwiches), f'no sandwich tells of small nodes: {sandwiches}')
