#!/usr/bin/env python3
"""Holds the reports against what google/pprof printed for the same inputs, to the letter.

cases.py PPROF    the folder of cases is $PPROF_CASES, or ../shared/cases beside the root of this tree. It holds handmade/
                  (profiles), tnp (the program they speak of) and peers/NAME.REPORT.txt (google/pprof's answers).
                  Without the folder the exit status is 77.

Where the two differ by intent, EXCEPTIONS turns google/pprof's text into ours, and the rest is still compared.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMEOUT = 60  # seconds, for one run

REPORTS = {
    'top': ['--top'],
    'top.cum.lines': ['--top', '--cum', '--lines'],
    'tree': ['--tree'],
    'peek': ['--peek=burn|main'],
    'traces': ['--traces'],
    'tags': ['--tags'],
    'raw': ['--raw'],
}

# google/pprof gives two columns to a heap whose header says that nothing was freed.
TWO_COLUMN_HEAPS = ('leaf.heap', 'rec.heap', 'trim.heap', 'v2.heap')
FOUR_TYPES = 'alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes'

# Profiles, reports, the row of DIFFERENCES, why, and what turns google/pprof's text into ours (regular expressions).
EXCEPTIONS = [
    (TWO_COLUMN_HEAPS, ('top', 'top.cum.lines', 'tree', 'peek', 'traces'), 1, 'a heap always has four columns',
     [(r'^Type: space$', 'Type: inuse_space')]),
    (('v2.heap',), ('raw',), 16, 'sampled values are rounded, not cut',
     [(r'^          1     749475:', '          2     749476:'), (r'^          9     553822:', '         10     553823:')]),
    (TWO_COLUMN_HEAPS, ('raw',), 1, 'a heap always has four columns',
     [(r'^objects/count space/bytes$', FOUR_TYPES), (r'^( +\d+ +\d+): ', r'\1\1: ')]),
    (('trim.heap',), ('top', 'top.cum.lines', 'tree'), 52, 'the test is <, and the text says so',
     [(r'\(cum <= ', '(cum < ')]),
    (('p1.pb',), ('tags', 'traces'), 49, 'a label of 5 kilobytes stays one beside 3 megabytes', [(r'5MB', '5kB')]),
]


def expected_of(name, report, text):
    """google/pprof's text as we would say it, and the rows of DIFFERENCES that this took."""
    rows = []
    for names, reports, row, why, changes in EXCEPTIONS:
        if name not in names or report not in reports:
            continue
        rows.append(f'{row}: {why}')
        for pattern, ours in changes:
            text = re.sub(pattern, ours, text, flags=re.M)
    return text, rows


def split_name(path):
    """a.heap.top.cum.lines.txt is the report top.cum.lines of a.heap."""
    for report in sorted(REPORTS, key=len, reverse=True):
        if path.stem.endswith('.' + report):
            return path.stem.removesuffix('.' + report), report
    return None


def run(pprof, folder, name, report):
    env = {'PATH': '/usr/bin:/bin', 'LC_ALL': 'C', 'TZ': 'UTC'}
    env.update((key, value) for key, value in os.environ.items() if key.endswith('SAN_OPTIONS'))
    done = subprocess.run([pprof, *REPORTS[report], '../tnp', name], cwd=folder / 'handmade', env=env, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    text = done.stdout.decode(errors='backslashreplace')
    if done.returncode:
        text += done.stderr.decode(errors='backslashreplace') + f'[exit] {done.returncode}\n'
    return text


def check(pprof, folder, path):
    """Says whether our answer is the expected one, and shows what is not."""
    name, report = split_name(path)
    expected, rows = expected_of(name, report, path.read_text(encoding='utf-8'))
    actual = run(pprof, folder, name, report)
    notes = ''.join(f' (difference {row})' for row in rows)
    if actual == expected:
        print(f'ok      {report:14} {name}{notes}')
        return True
    print(f'FAILED  {report:14} {name}{notes}')
    lines = [text.splitlines() for text in (expected, actual)]
    print('\n'.join(difflib.unified_diff(*lines, 'google/pprof', 'pprof', lineterm='')))
    return False


def main(pprof):
    folder = pathlib.Path(os.environ.get('PPROF_CASES') or ROOT.parent / 'shared' / 'cases')
    if not folder.is_dir():
        print(f'{folder}: no such folder; PPROF_CASES=DIR names another')
        return 77
    paths = [path for path in sorted((folder / 'peers').glob('*.txt')) if split_name(path)]
    n_good = sum(check(os.path.abspath(pprof), folder, path) for path in paths)
    print(f'{n_good} passed, {len(paths) - n_good} failed')
    return 0 if paths and n_good == len(paths) else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
