#!/usr/bin/env python3
"""pages.py PPROF [NAME...]: the pages of --html and the pictures of --flame in a real browser.

Each number that is looked at is held against another report of the same binary. The exit status is 77 where there is no
browser (1 if CI=true).
"""

import os
import signal
import sys
import tempfile
import time
import traceback

import damage
import extremes
import hands
import hostile
import looks
import picture
import sums
import timeline
from page import Tool, fault, faults
# What stands in folders that page.py knows of.
from browser import Browser, Gone
from harness import Failure, Skip

CHECKS = [
    sums.check_tree, sums.check_filters, sums.check_search, sums.check_sandwich, sums.check_top, sums.check_units, sums.check_sort,
    sums.check_normalised, sums.check_sections, hands.check_keys, hands.check_mouse, hands.check_graph, hands.check_change, hands.check_links,
    hands.check_zoom_link, looks.check_theme, looks.check_paper, looks.check_everybody, picture.check_picture,
    timeline.check_spans, timeline.check_timeline_keys, timeline.check_growth,
    hostile.check_hostile, hostile.check_hostile_flame, damage.check_damage,
    extremes.check_extremes,
]


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
