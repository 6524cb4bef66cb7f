"""The picture of --flame, which has a script of its own: its boxes against --collapsed, its zoom and its search."""

import collections
import json
import xml.etree.ElementTree as ElementTree

from page import CHANGE, CPU, RECURSION, SHAPES, check, prefixes, same
from sums import is_hit

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
