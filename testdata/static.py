#!/usr/bin/env python3
"""static.py CHECKER BUILD: what is wrong in the sources, by a program that reads them and runs nothing.

CHECKER is analyzer (gcc -fanalyzer over the product's C), tidy (clang-tidy, as .clang-tidy says) or cppcheck (both over the
tests' C too), shellcheck or pyflakes. What a file is compiled with comes from BUILD's compile_commands.json. Findings are
printed as a compiler prints its own, with paths from the top of the tree. A finding that is wrong has its reason where it
is: NOLINT(CHECK), cppcheck-suppress ID, shellcheck disable=CODE. Exit status 1 if anything is found, 77 where the checker
is missing (1 as well if CI=true).
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import time

import harness

SKIPPED = 1 if os.environ.get('CI') == 'true' else 77
PLACE = re.compile(r'^([^\s:]+):(?=\d+:)', re.MULTILINE)
# What says which code there is; the analyzer sees most without optimisation.
KEPT_OPTIONS = ('-I', '-D', '-U', '-std=', '-isystem', '-pthread')
# Headers of the system are not ours; macros of the tests' library are more than cppcheck understands.
CPPCHECK = ['cppcheck', '--quiet', '--enable=warning,performance,portability', '--inline-suppr', '--error-exitcode=1',
            '--template={file}:{line}:{column}: {severity}: {message} [{id}]', '--suppress=*:/usr/*']


def compiled(build):
    """What is compiled, once a file: (path from the top, options)."""
    units = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        path = (pathlib.Path(entry['directory']) / entry['file']).resolve()
        if path.suffix == '.c' and path.is_relative_to(harness.ROOT) and not path.is_relative_to(build):
            units.setdefault(str(path.relative_to(harness.ROOT)), shlex.split(entry['command']))
    return sorted(units.items())


def is_of_tests(path):
    return path.startswith('testdata/') or path.endswith('_test.c')


def scripts(endings, interpreters):
    """Files of our tree that end so, or whose first line names one of the interpreters."""
    for folder, folders, names in os.walk(harness.ROOT):
        folders[:] = sorted(name for name in folders if name != '.git' and not name.startswith(('build', '__pycache__')))
        for name in sorted(names):
            path = pathlib.Path(folder) / name
            if not path.is_file():
                continue
            with path.open('rb') as file:
                first = file.readline(80)
            if name.endswith(endings) or first.startswith(b'#!') and first.split()[-1].endswith(interpreters):
                yield str(path.relative_to(harness.ROOT))


def from_the_top(text, folder):
    def place(match):
        path = (folder / match[1]).resolve()
        return f'{path.relative_to(harness.ROOT)}:' if path.is_relative_to(harness.ROOT) else match[0]

    return PLACE.sub(place, text)


def finds(command, folder):
    """What the command prints of findings; '' if there are none."""
    stdout, stderr, status = harness.run(command, cwd=folder, stdout=harness.subprocess.PIPE, stderr=harness.subprocess.PIPE)
    text = stdout.decode(errors='backslashreplace')
    # clang-tidy counts on stderr what it does not show.
    if command[0] != 'clang-tidy' or (status and not text):
        text += stderr.decode(errors='backslashreplace')
    if status and not text:
        text = f'{shlex.join(command)}: exit status {status}'
    return from_the_top(text, folder)


def analyzer(build):
    for path, command in compiled(build):
        if not is_of_tests(path):
            options = [word for word in command[1:] if word.startswith(KEPT_OPTIONS)]
            yield ['gcc', '-fanalyzer', *options, '-c', '-o', '/dev/null', str(harness.ROOT / path)], build


def tidy(build):
    for path, _ in compiled(build):
        yield ['clang-tidy', '-p', str(build), '--quiet', str(harness.ROOT / path)], build


def cppcheck(build):
    """One run a file, so that a file it cannot read does not hide the others."""
    for path, command in compiled(build):
        options = [word for word in command[1:] if word.startswith(('-I', '-D'))]
        yield [*CPPCHECK, *options, str(harness.ROOT / path)], build


def shellcheck(build):
    for path in scripts('.sh', b'sh'):
        yield ['shellcheck', '--format=gcc', '--external-sources', path], harness.ROOT
    yield ['shellcheck', '--format=gcc', '--shell=bash', 'docs/pprof'], build


def pyflakes(_):
    yield ['pyflakes3', *scripts('.py', b'python3')], harness.ROOT


CHECKERS = {'analyzer': analyzer, 'tidy': tidy, 'cppcheck': cppcheck, 'shellcheck': shellcheck, 'pyflakes': pyflakes}


def main(checker, build):
    begin = time.monotonic()
    n, found = 0, []
    for command, folder in CHECKERS[checker](pathlib.Path(build).resolve()):
        if not shutil.which(command[0]):
            print(f'{command[0]} is not installed')
            return SKIPPED
        n += 1
        text = finds(command, folder)
        if text:
            found.append(text.rstrip())
    print(*found, sep='\n', end='\n' if found else '')
    print(f'{checker}: {n} files, {len(found)} of them with findings, {time.monotonic() - begin:.0f} s')
    return 1 if found or not n else 0


if __name__ == '__main__':
    try:
        sys.exit(main(*sys.argv[1:]))
    except harness.Failure as failure:
        print(failure)
        sys.exit(1)
