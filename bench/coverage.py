#!/usr/bin/env python3
"""coverage.py BUILD: what gcov counted in a build folder, as bench/coverage.sh shows it.

A line counts as run when any object that it is part of ran it (a header is part of many). Unit tests are no lines to cover.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ('analyze/base', 'analyze/read', 'analyze', 'symbolize', 'render', 'cmd')


class Source:
    def __init__(self):
        self.lines = collections.Counter()  # line -> how often it was run
        self.functions = collections.Counter()

    def never(self):
        return sorted(line for line, runs in self.lines.items() if not runs)


def add(sources, file, folder):
    path = os.path.relpath(os.path.normpath(os.path.join(folder, file['file'])), ROOT)
    name = os.path.basename(path)
    if name.endswith('_test.c') or name.startswith('test_') or not path.startswith(tuple(folder + '/' for folder in FOLDERS)):
        return
    source = sources[path]
    for line in file['lines']:
        source.lines[line['line_number']] += line['count']
    for function in file['functions']:
        source.functions[function['name']] += function['execution_count']


def read_counts(build):
    """The sources of the tool, by their path. An object whose code never ran has notes (.gcno) and no counts."""
    sources = collections.defaultdict(Source)
    notes = sorted(str(path.relative_to(build)) for path in build.rglob('*.gcno'))
    output = subprocess.run(['gcov', '--json-format', '--stdout', *notes], cwd=build, check=True, stdout=subprocess.PIPE).stdout
    for line in output.splitlines():
        unit = json.loads(line)
        for file in unit['files']:
            add(sources, file, unit['current_working_directory'])
    return sources


def folder_of(path):
    return next(folder for folder in FOLDERS if path.startswith(folder + '/'))


def row(name, sources):
    lines = sum(len(source.lines) for source in sources)
    run = lines - sum(len(source.never()) for source in sources)
    return f'{name:32}{lines:8}{run:8}{100 * run / max(lines, 1):8.1f} %'


def spans(numbers):
    """1, 2, 3, 7 is 1-3, 7; what lies between numbers and is no line of code is for the reader to see."""
    result = []
    for number in numbers:
        if result and number == result[-1][1] + 1:
            result[-1][1] = number
        else:
            result.append([number, number])
    return ', '.join(str(first) if first == last else f'{first}-{last}' for first, last in result)


def show(sources):
    print(f'{"":32}{"lines":>8}{"run":>8}')
    for folder in FOLDERS:
        below = {path: source for path, source in sources.items() if folder_of(path) == folder}
        print(row(folder, below.values()))
        if os.environ.get('FILES'):
            for path in sorted(below):
                print(row('  ' + path, [below[path]]))
    print(row('all', sources.values()))

    print('\nfunctions that no test runs:')
    for path in sorted(sources):
        for function in sorted(name for name, runs in sources[path].functions.items() if not runs):
            print(f'  {path}: {function}')

    shown = os.environ.get('LINES')
    for path in sorted(sources):
        if shown and path.startswith(shown) and sources[path].never():
            print(f'{path}: {spans(sources[path].never())}')


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    show(read_counts(pathlib.Path(sys.argv[1]).resolve()))
