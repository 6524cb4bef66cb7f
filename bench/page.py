#!/usr/bin/env python3
"""How long a browser needs to open a page of --html.

    bench/page.py PPROF FOLDER [NODES...]

Makes in FOLDER, unless they are there, CPU profiles of call trees of about NODES (200,000, 1,000,000 and 3,000,000) nodes
and their pages, with all nodes in them. Opens each five times in Chromium without a window, and prints the size of the
page, the time that pprof takes to write it, and the medians of the time from the start of the navigation until the first
view is drawn, and of that until the browser has the script.
"""

import os
import pathlib
import random
import statistics
import subprocess
import sys
import time

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / "testdata" / name) for name in ("", "profiles")]

from browser import Browser  # noqa: E402
from proto_writer import Profile  # noqa: E402

RUNS = 5
FUNCTIONS, OBJECTS = 20000, 40
DEEPEST = 80
READY = "document.documentElement.dataset.ready === '1'"
TIMES = """(() => {
    const entry = performance.getEntriesByType('navigation')[0];
    return [window.pprofReady, entry.domInteractive]; })()"""
# Tells when the page is ready; set before its own script runs.
WATCH = """new MutationObserver((_, self) => {
    if (document.documentElement?.dataset.ready !== '1') return;
    window.pprofReady = performance.now();
    self.disconnect();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-ready'] });"""


def stacks(n_nodes, choose):
    """Root first; each is the one before, cut somewhere, and new frames."""
    stack = []
    while n_nodes > 0:
        del stack[int(len(stack) * choose.random() ** 0.3):]
        new = min(n_nodes, DEEPEST - len(stack), choose.randint(1, 8))
        stack += [1 + int(FUNCTIONS * choose.random() ** 2) for _ in range(new)]
        n_nodes -= new
        yield stack


def make_profile(path, n_nodes):
    choose = random.Random(n_nodes)
    profile = Profile([("samples", "count"), ("cpu", "nanoseconds")])
    for i in range(1, OBJECTS + 1):
        profile.mapping(i, i << 32, (i << 32) + (1 << 24), 0, f"/srv/app/lib/libpart{i}.so")
    for i in range(1, FUNCTIONS + 1):
        at = 1 + i % OBJECTS
        profile.location(i, at, (at << 32) + i * 64, (i, i % 900))
        profile.function(i, f"app::module{i % 300}::Service{i % 7}::handle_{i}(request const&)", f"/srv/app/src/module{i % 300}.cc", i % 900)
    for stack in stacks(n_nodes, choose):
        count = int(choose.paretovariate(1))
        profile.sample(stack[::-1], [count, count * 10_000_000])
    pathlib.Path(path).write_bytes(profile.whole())


def make_page(pprof, folder, n_nodes):
    """(page, seconds that pprof took)."""
    profile = os.path.join(folder, f"{n_nodes}.pb")
    page = os.path.join(folder, f"{n_nodes}.html")
    if not os.path.exists(profile):
        make_profile(profile, n_nodes)
    start = time.monotonic()
    subprocess.run([pprof, "-q", "--html", "--nodecount=0", "--symbolize=none", "-o", page, profile], check=True)
    return page, time.monotonic() - start


def open_times(browser, page):
    browser.leave()
    browser.on_start = WATCH
    browser.open(page, ready=READY)
    return browser.evaluate(TIMES)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pprof, folder = sys.argv[1:3]
    sizes = [int(word) for word in sys.argv[3:]] or [200_000, 1_000_000, 3_000_000]
    os.makedirs(folder, exist_ok=True)
    print(f"{'nodes':>10}{'MB':>8}{'written s':>11}{'opened s':>10}{'parsed s':>10}")
    with Browser() as browser:
        for n_nodes in sizes:
            page, written = make_page(pprof, folder, n_nodes)
            runs = [open_times(browser, page) for _ in range(RUNS)]
            nodes = browser.evaluate("window.pprofPage.profile.n")
            ready, parsed = (statistics.median(run[k] for run in runs) / 1000 for k in range(2))
            print(f"{nodes:10}{os.path.getsize(page) / 1e6:8.1f}{written:11.2f}{ready:10.2f}{parsed:10.2f}")


if __name__ == "__main__":
    main()
