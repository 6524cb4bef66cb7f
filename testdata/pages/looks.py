"""What a page looks like: its theme, on paper, and for those who see little."""

import re

from page import CHANGE, READY, SHAPES, Page, check, filters, same
from sums import top_rows


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
    page.ask("void history.replaceState(null, '', location.pathname + location.search)")
    browser.reload(READY)
    same(light, page.ask(back), 'a chosen theme after a reload without a link')
    page.press('t', 't')
    same(dark, page.ask(back), "the system's again")
    page.clean('theme')


def check_paper(browser, tool):
    """Each view can be printed, with the heaviest rows behind it."""
    page = Page(browser, tool.page(*SHAPES))
    page.ask("""void window.addEventListener('beforeprint', () => {
        window.paper = getComputedStyle(document.documentElement).backgroundColor; })""")
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        page.set(view=view)
        browser.set_window(dark=True)
        pdf = browser.print_pdf()
        same('rgb(255, 255, 255)', page.ask('window.paper'), f'{view}: the paper where the system is dark')
        n_pages = len(re.findall(rb'/Type\s*/Page\b', pdf))
        check(n_pages >= 2 and b'/Font' in pdf, f'{view} on paper: {n_pages} pages, {len(pdf)} bytes')
        browser.set_window(media='print')
        check(page.text(f'[data-view={view}]') is not None and page.text('.tools') is None, f'{view} on paper is not seen, or what it is set with is')
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
    for args in SHAPES, CHANGE, ['--trend', 'scene/heap_profiler', *(f'scene/profile.000{i}.heap' for i in range(1, 10))]:
        page = Page(browser, tool.page(*args))
        page.set(filters=filters(focus=['main']), search='main')
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
