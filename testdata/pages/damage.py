"""Pages whose data is damaged, and links that say anything."""

import base64
import gzip
import json
import re

from hostile import check_intruders
from page import CHANGE, READY, check


def repack(page, change):
    """The page with other data: change(head, columns) changes both where they are, and gives nothing."""
    before, text, behind = re.fullmatch(r'(.* id="data">)(.*?)(</script>.*)', page, re.DOTALL).groups()
    data = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(data[:4], 'little')
    head, columns = json.loads(data[4:4 + length]), bytearray(data[(4 + length + 7) // 8 * 8:])
    change(head, columns)
    json_head = json.dumps(head).encode()
    data = len(json_head).to_bytes(4, 'little') + json_head
    return before + base64.b64encode(gzip.compress(data + bytes(-len(data) % 8) + columns)).decode() + behind


def put_number(name, place, value):
    def change(head, columns):
        at = next(column[3] for column in head['columns'] if column[0] == name) + 4 * place
        columns[at:at + 4] = value.to_bytes(4, 'little')
    return change


def put_column(name, part, value):
    def change(head, _):
        next(column for column in head['columns'] if column[0] == name)[part] = value
    return change


def damage_snapshots(browser, tool):
    path = tool.page('--trend', 'elf/shapes', 'profiles/base_old.heap', 'profiles/base_mixed.heap')
    page = path.read_text(encoding='utf-8')
    for what, change in (
            ('a set twice', lambda head, _: head['snapshots'][0].update(set=head['snapshots'][1]['set'])),
            ('a snapshot less', lambda head, _: head['snapshots'].pop()), ('a total less', lambda head, _: head['types'][1]['totals'].pop()),
            ('few scores', put_column('score', 2, 1)), ('few shapes', put_column('shape', 2, 1)), ('no churn', put_column('churn', 0, 'x')),
            ('a shape that is not there', lambda head, _: head.update(shapes=[]))):
        path.write_text(repack(page, change), encoding='utf-8')
        browser.open(path, ready=READY)
        check('damaged' in (browser.evaluate("document.querySelector('body > p.e')?.textContent") or ''), f'{what}: the page does not say so')
        browser.take_faults()
    path.write_text(page, encoding='utf-8')


def check_damage(browser, tool):
    """Damaged data: the page says so, and what needs no script can be read. A link may say anything."""
    path = tool.page(*CHANGE)
    page = path.read_text(encoding='utf-8')
    data = page.index(' id="data">') + 201
    damaged = [('cut base64', page[:data] + page[page.index('</script>', data):]),
               ('no gzip', page.replace('id="data">\nH4', 'id="data">\nAA'))]
    damaged += [(what, repack(page, change)) for what, change in (
        ('a column outside', put_column('self', 3, 1 << 30)), ('a column in the head', put_column('up', 3, -8)),
        ('a short column', put_column('row', 2, 3)), ('few values', put_column('self', 2, 1)), ('few rows', put_column('cum', 2, 1)),
        ('a caller that is not there', put_number('up', 1, 5)), ('a caller that stands behind', put_number('up', 1, (1 << 32) - 1)),
        ('a row that is not there', put_number('row', 1, 1 << 20)), ('a folded node that is not counted', put_number('row', 1, (1 << 32) - 1)),
        ('an end behind all', put_number('end', 0, 1 << 20)), ('a text that is not there', put_number('label', 0, 1 << 20)),
        ('three sets', lambda head, _: head.update(sets=3)), ('a type too high', lambda head, _: head.update(type=9)),
        ('a type of which nothing is known', lambda head, _: head['types'][3].update(units=[7])))]
    for what, text in damaged:
        path.write_text(text, encoding='utf-8')
        browser.open(path, ready=READY)
        check('damaged' in (browser.evaluate("document.querySelector('body > p.e')?.textContent") or ''), f'{what}: the page does not say so')
        for place in 'summary', 'graph', 'info':
            check(browser.evaluate(f"document.getElementById('{place}').getClientRects().length"), f'{what}: #{place} is not shown')
        browser.take_faults()
    damage_snapshots(browser, tool)
    path.write_text(page, encoding='utf-8')
    for link in 'search=' + 'a' * 100000, 'focus=' + '(' * 50000, 'view=__proto__&type=constructor&unit=toString&row=1e400&sort=__proto__&__proto__=1':
        browser.open(path, link, READY)
        check(browser.evaluate('document.documentElement.dataset.ready'), f'the link {link[:40]} keeps the page from opening')
        check_intruders(browser, f'the link {link[:40]}')
