"""Names that would be more than text, in every place of a profile."""

import xml.etree.ElementTree as ElementTree

from page import Page, check, filters, same
# What stands in folders that page.py knows of.
import carriers
import names

# What a name may never become; data is where the page keeps its columns.
INTRUDERS = 'img, iframe, object, embed, link, base, form, video, audio, template, noscript, math, foreignObject, animate, set, use, textarea, input[autofocus]'


# What there is in a page: each kind of element with the names of its attributes.
KINDS = '''[...new Set([...document.querySelectorAll('*')].map((element) =>
    [element.tagName, ...[...element.attributes].map((attribute) => attribute.name).sort()].join(' ')))]'''


def write_twins(tool):
    """The paths of a profile with harmless names, and of the same with hostile ones."""
    paths = []
    for give in carriers.Harmless(), carriers.Hostile(names.NAMES):
        paths.append(tool.file('pb'))
        paths[-1].write_bytes(carriers.proto(give, len(names.NAMES)))
    return paths


def check_intruders(browser, what):
    same(None, browser.evaluate('window.hacked || null'), f'{what}: a name was run')
    same([], browser.evaluate(f"[...document.querySelectorAll('{INTRUDERS}')].map((e) => e.outerHTML.slice(0, 200))"), f'{what}: elements of names')
    same([], browser.evaluate('''[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) => /^on|^srcdoc$/i.test(a.name) ||
        /^(href|src|action|xlink:href)$/.test(a.name) && !/^(#|$)/.test(a.value)).map((a) => a.name + '=' + a.value)'''), f'{what}: attributes of names')
    found = browser.take_faults()
    check(not found, f'{what}: {found[:5]}')


def visit(browser, tool, profile, what):
    """The kinds of elements that all views together have."""
    page = Page(browser, tool.page(profile))
    kinds = set()

    def look(state):
        check_intruders(browser, f'{what}, {state}')
        kinds.update(browser.evaluate(KINDS))

    browser.evaluate('void (window.alert = window.confirm = window.prompt = () => { window.hacked = 2; })')
    look('at first')
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        for place in range(len(page.types)):
            page.set(view=view, type=place)
            look(f'{view}, type {place}')
    for layout in 'icicle', 'flame', 'inverted':
        page.set(view='flame', layout=layout)
        for x in range(20, 1200, 60):
            browser.move(x, 200)
        look(layout)
    return page, kinds


def check_hostile(browser, tool):
    """Names are text, wherever they come: a page of hostile ones has no other elements than one of harmless ones."""
    harmless, hostile = write_twins(tool)
    _, known = visit(browser, tool, harmless, 'harmless names')
    page, kinds = visit(browser, tool, hostile, 'hostile names')
    check(kinds <= known, f'elements that harmless names do not have: {sorted(kinds - known)}')
    for name in names.MARKUP[:20]:
        page.set(search=name, filters=filters(focus=[name]), view='top')
        check_intruders(browser, f'a hostile search: {name}')
        page.set(filters=[], row=3, view='sandwich')
        link = page.ask('location.href')
        check(all(c.isprintable() and c not in '<>"' for c in link), f'a link that is no link: {link}')
    check_intruders(browser, 'hostile searches')


def check_hostile_flame(browser, tool):
    """The same in a picture, which is a document of its own."""
    _, profile = write_twins(tool)
    for args in [profile], ['--base', profile, profile]:
        path = tool.page(*args, report='--flame')
        ElementTree.parse(path)
        browser.open(path)
        for x in range(20, 1200, 60):
            browser.click(x, 150)
        check_intruders(browser, f'--flame {args}')
