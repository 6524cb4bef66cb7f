#!/usr/bin/env python3
"""Runs the golden tests of the pprof binary: a command, and the text that it must answer with.

golden.py PPROF NAME [DIRECTIVE...] ARG...   runs one case (a row of meson.build, where the directives are explained)
                                             and compares with golden/NAME.txt; UPDATE=1 rewrites that file
golden.py --table NAME...                    checks that rows and golden files belong to each other
golden.py --readme PPROF README.md           runs the console blocks of a README; UPDATE=1 rewrites their output

A golden file holds stdout, then "[stderr]" and what was written there, then "[exit] N" if N is not 0.
Every case runs as written, with --jobs=1, and with --jobs=4 in another locale: all three must answer the same.
"""

import copy
import locale
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import formats
import html_report
import proto
from harness import ROOT, TESTDATA, WITHOUT_SOCKETS, Failure, Skip, diff, environment, run

sys.path.append(str(ROOT / 'render/html'))
import embed  # noqa: E402

GOLDEN = TESTDATA / 'golden'
UPDATE = bool(os.environ.get('UPDATE'))

# Formats whose bytes depend on the host's fonts, clock and libraries: what they start with, what they end with, their least size.
BINARIES = {
    'PNG': (b'\x89PNG\r\n\x1a\n', b'IEND\xaeB`\x82', 500),
    'GIF': (b'GIF8', b'\x3b', 300),
    'PDF': (b'%PDF-', b'%%EOF\n', 1000),
}


# ---------------------------------------------------------------------------------------------------- a case

class Case:
    def __init__(self, name, args, env=None, fifos=()):
        self.name, self.args = name, args
        self.env, self.fifos = env or {}, list(fifos)
        self.stdin, self.stdin_is_pipe, self.stdout = '', False, ''
        self.config, self.shown, self.dated = '', [], []


def parse_case(name, words):
    """The directives are the first words; the first word that is none starts the arguments."""
    case = Case(name, [])
    for i, word in enumerate(words):
        if word.startswith(('<', '|')):
            case.stdin, case.stdin_is_pipe = word[1:], word[0] == '|'
        elif word.startswith('>'):
            case.stdout = word[1:]
        elif word.startswith('mkfifo:'):
            case.fifos.append(word.removeprefix('mkfifo:'))
        elif word.startswith('dated:'):
            case.dated.append(word.removeprefix('dated:').rsplit('=', 1))
        elif word.startswith('config:'):
            case.config = word.removeprefix('config:')
        elif word.startswith('show:'):
            case.shown.append(word.removeprefix('show:'))
        elif re.match('[A-Z_]+=', word):
            key, value = word.split('=', 1)
            case.env[key] = value
        else:
            case.args = words[i:]
            break
    return case


def hide_times(data):
    """A checkout sets them."""
    return re.sub(rb'(?<=file time )\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC', b'$TIME', data)


def hide_places(data, scratch):
    """Golden files know no path of this host, no time of a checkout, and not the random part of a viewer's file."""
    for place, name in (scratch, b'$TMP'), (str(ROOT), b'$ROOT'):
        # Only where a path begins: the root may be called /src.
        data = re.sub(rb'(?<![\w./-])' + re.escape(place.encode()) + rb'(?![\w-])', lambda _, name=name: name, data)
    data = hide_times(data)
    return re.sub(rb'/pprof-\w{6}\.', b'/pprof-XXXXXX.', data)


# What other programs read, known by its first bytes.
READERS = {b'# callgrind format\n': formats.read_callgrind, b'{\n': formats.read_json,
           b'flat,flat%': formats.read_csv}


def read_back(data):
    for head, reader in READERS.items():
        if data.startswith(head):
            try:
                reader(data)
            except (ValueError, KeyError, AttributeError) as fault:
                raise Failure(f'the output cannot be read back: {fault!r}') from None


# What pictures have inside: those of --flame, and of --trend --svg.
FLAME_STYLE, FLAME_SCRIPT, TREND_STYLE = (
    embed.read(ROOT / 'render/html' / name).encode() for name in ('flame_svg.css', 'flame_svg.js', 'trend_svg.css'))


def hide_assets(data):
    """Of our own style and script a golden file knows the names."""
    return data.replace(FLAME_STYLE, b'(flame_svg.css)').replace(FLAME_SCRIPT, b'(flame_svg.js)\n').replace(TREND_STYLE, b'(trend_svg.css)')


def check_markup(data):
    """Whatever is in a name or in a source file, pages and pictures stay well-formed, load nothing and run nothing but the
    script of the flame graph."""
    try:
        elements = list(xml.etree.ElementTree.fromstring(data).iter())
    except xml.etree.ElementTree.ParseError as error:
        raise Failure(f'the output is not well-formed: {error}') from None
    for element in elements:
        tag = element.tag.rpartition('}')[2]
        if tag == 'script' and (element.text or '').strip() == FLAME_SCRIPT.decode().strip():
            continue
        if tag in ('script', 'link', 'img', 'image', 'iframe', 'object', 'form', 'base', 'foreignObject'):
            raise Failure(f'there is a {tag} in the output')
        for name, value in element.items():
            name = name.rpartition('}')[2]
            if name.startswith('on') or name == 'src' or (name == 'href' and not value.startswith('#')):
                raise Failure(f'there is {name}="{value}" in the output')


def describe_page(data):
    try:
        return html_report.describe(data).encode()
    except (ValueError, KeyError, IndexError, OSError) as fault:
        raise Failure(f'the page cannot be read back: {fault!r}') from None


def describe(data, scratch):
    """What the golden file says of an output: the text itself, or what kind of picture it is."""
    for kind, (head, tail, least) in BINARIES.items():
        if data.startswith(head):
            if data.endswith(tail) and len(data) >= least:
                return f'(a whole {kind})\n'.encode()
            return f'(a damaged {kind} of {len(data)} bytes)\n'.encode()
    if data.startswith(b'\x1f\x8b'):
        return ''.join(f'{line}\n' for line in proto.describe(data)).encode()
    if data.startswith((b'<?xml', b'<!DOCTYPE html>')):
        check_markup(data)
        data = hide_assets(data)
    if data.startswith(b'<!doctype html>'):
        data = describe_page(data)
    read_back(data)
    data = hide_places(data, scratch)
    if data and not data.endswith(b'\n'):
        data += b'\n(no newline at the end)\n'
    return data


def answer(pprof, case, extra_args, lang):
    """Runs the case once, in a scratch folder of its own, and returns what its golden file should hold."""
    with tempfile.TemporaryDirectory(prefix='golden-') as folder:
        scratch = os.path.realpath(folder)

        def expand(word):
            return word.replace('$TMP', scratch)

        for fifo in map(expand, case.fifos):
            os.makedirs(os.path.dirname(fifo), exist_ok=True)
            os.mkfifo(fifo)
        for path, time in case.dated:
            copied = shutil.copy(TESTDATA / path, scratch)
            os.utime(copied, (int(time), int(time)))
        if case.config:
            config = pathlib.Path(scratch, '.config/pprof/config')
            config.parent.mkdir(parents=True)
            shutil.copyfile(TESTDATA / case.config, config)
        env = environment(scratch, lang)
        env.update((key, expand(value)) for key, value in case.env.items())
        with open(TESTDATA / expand(case.stdin or os.devnull), 'rb') as stdin, \
                open(TESTDATA / expand(case.stdout or os.devnull), 'wb') as stdout:
            out, err, status = run(
                [*WITHOUT_SOCKETS, pprof, *extra_args, *map(expand, case.args)],
                data=stdin.read() if case.stdin_is_pipe else None,
                stdin=subprocess.PIPE if case.stdin_is_pipe else stdin,
                stdout=stdout if case.stdout else subprocess.PIPE,
                stderr=subprocess.PIPE, cwd=TESTDATA, env=env)

        text = describe(out or b'', scratch)
        for path in case.shown:
            text += f'[{path}]\n'.encode() + describe(pathlib.Path(TESTDATA, expand(path)).read_bytes(), scratch)
        for path in pathlib.Path(scratch).glob('pprof-*'):
            text += b'[a file for a viewer]\n' + describe(path.read_bytes(), scratch)
        if err:
            text += b'[stderr]\n' + describe(err, scratch)
        if status:
            text += f'[exit] {status}\n'.encode()
        return text


def another_locale():
    """One with a decimal comma if there is one."""
    for name in ('de_DE.UTF-8', 'fr_FR.UTF-8', 'ru_RU.UTF-8', 'C.UTF-8'):
        try:
            locale.setlocale(locale.LC_ALL, name)
            return name
        except locale.Error:
            pass
    return 'POSIX'


def table_of(pprof, case, event):
    """The rows (flat, cum, name) of --text for the same command line, in whole numbers."""
    kind, unit = event
    case = copy.copy(case)
    case.args = ['--text' if arg == '--callgrind' else arg for arg in case.args
                 if not arg.startswith(('--addresses', '--nodecount'))]
    units = {'bytes': ['--unit=B'], 'ns': ['--unit=ns']}.get(unit, [])
    text = answer(pprof, case, [f'--sample_index={kind}', *units], 'C').decode()
    rows = re.findall(r'^ *(-?\d+) +\S+ +\S+ +(-?\d+) +\S+ (.*)$', text, re.M)
    return [(int(flat), int(cum), name) for flat, cum, name in rows]


def check_callgrind(pprof, case, actual):
    file = formats.read_callgrind(actual.partition(b'[stderr]\n')[0])
    try:
        formats.compare_with_table(file, table_of(pprof, case, file.event))
    except ValueError as fault:
        raise Failure(str(fault)) from None


def check_tools(case):
    """Reports of instructions are made with objdump."""
    if any(arg.startswith(('--disasm', '--weblist')) for arg in case.args) and not shutil.which('objdump'):
        raise Skip('there is no objdump (binutils)')


def run_case(pprof, name, words):
    case = parse_case(name, words)
    check_tools(case)
    golden = GOLDEN / f'{name}.txt'
    actual = answer(pprof, case, [], 'C')
    if actual.startswith(b'# callgrind format\n'):
        check_callgrind(pprof, case, actual)

    for extra, lang in (['--jobs=1'], 'C'), (['--jobs=4'], another_locale()):
        other = answer(pprof, case, extra, lang)
        if other != actual:
            what = f'{extra[0]}, LC_ALL={lang}'
            raise Failure(f'the answer changes with {what}\n' + diff(actual, other, 'as written', what))

    expected = golden.read_bytes() if golden.exists() else b''
    if golden.exists() and actual == expected:
        return
    if UPDATE:
        GOLDEN.mkdir(exist_ok=True)
        golden.write_bytes(actual)
        print(f'wrote {golden.name}')
        return
    if not golden.exists():
        print(f'golden/{name}.txt is missing')
    changes = diff(expected, actual, f'golden/{name}.txt', 'this run')
    raise Failure(f'{changes}\nUPDATE=1 ./test.sh {name} takes this as the golden text')


def check_table(names):
    files = {path.stem for path in GOLDEN.glob('*.txt')}
    faults = [f'two rows are named {name}' for name in sorted(set(names)) if names.count(name) > 1]
    faults += [f'golden/{name}.txt belongs to no row' for name in sorted(files - set(names))]
    if faults:
        raise Failure('\n'.join(faults))


# ---------------------------------------------------------------------------------------------------- the README

class Command:
    """A command of a console block: its lines as they stand, and the lines it is said to print."""

    def __init__(self, line):
        self.lines, self.output = [line], []

    def text(self):
        return '\n'.join([self.lines[0].removeprefix('$ ')] + self.lines[1:])


def parse_readme(text):
    """The pieces of a README in order: lines (str) and commands (Command)."""
    pieces, in_block = [], False
    for line in text.splitlines():
        command = pieces[-1] if pieces and isinstance(pieces[-1], Command) else None
        if line.startswith('```'):
            in_block = line.strip() == '```console'
            pieces.append(line)
        elif in_block and line.startswith('$ '):
            pieces.append(Command(line))
        elif in_block and command and not command.output and command.lines[-1].endswith('\\'):
            command.lines.append(line)
        elif in_block and command:
            command.output.append(line)
        else:
            pieces.append(line)
    return pieces


def without_blank_end(lines):
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]


def matches(expected, actual):
    """A line "..." stands for any lines."""
    pattern = ''.join('(?:.*\n)*' if line == '...' else re.escape(line) + '\n' for line in expected)
    return re.fullmatch(pattern, ''.join(line + '\n' for line in actual)) is not None


def run_shell(text, folder, env):
    """What a terminal would show."""
    return run(['sh', '-c', text], cwd=folder, env=env, stdin=subprocess.DEVNULL,
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)[0]


def run_readme(pprof, readme):
    """The commands run in a folder that looks like the root of the tree, but where run.sh is the built binary."""
    pieces = parse_readme(readme.read_text(encoding='utf-8'))
    faults, n_run = [], 0

    with tempfile.TemporaryDirectory(prefix='golden-') as folder:
        scratch = pathlib.Path(os.path.realpath(folder))
        root = scratch / 'root'
        root.mkdir()
        for entry in ROOT.iterdir():
            (root / entry.name).symlink_to(entry)
        (root / 'run.sh').unlink(missing_ok=True)
        for name in ('root/run.sh', 'pprof'):
            (scratch / name).symlink_to(pathlib.Path(pprof).resolve())
        env = environment(str(scratch), 'C')
        env['PATH'] = f'{scratch}:{env["PATH"]}'

        for command in (piece for piece in pieces if isinstance(piece, Command)):
            if command.text().startswith('./test.sh'):
                continue  # that is where we are
            if not command.text().startswith(('./run.sh ', 'pprof ', 'sh docs/', 'python3 docs/')):
                faults.append(f'not a command of pprof, so it needs another fence than console: {command.text()}')
                continue
            n_run += 1
            out = hide_places(run_shell(command.text(), root, env), str(scratch))
            expected = without_blank_end([hide_times(line.encode()).decode() for line in command.output])
            actual = without_blank_end(out.decode(errors='backslashreplace').splitlines())
            if matches(expected, actual):
                continue
            if UPDATE and '...' not in expected:
                command.output = actual + command.output[len(expected):]
                continue
            faults.append(f'$ {command.text()}\n' + diff(
                '\n'.join(expected).encode(), '\n'.join(actual).encode(), readme.name, 'this run'))

    if UPDATE:
        lines = []
        for piece in pieces:
            lines += piece.lines + piece.output if isinstance(piece, Command) else [piece]
        readme.write_text('\n'.join(lines) + '\n', encoding='utf-8')
    if not n_run:
        faults.append(f'{readme.name} has no console block that runs pprof')
    if faults:
        raise Failure('\n'.join(faults))


def main(args):
    try:
        if args[0] == '--table':
            check_table(args[1:])
        elif args[0] == '--readme':
            run_readme(args[1], pathlib.Path(args[2]))
        else:
            run_case(os.path.abspath(args[0]), args[1], args[2:])
    except Skip as reason:
        print(reason)
        return 77
    except (Failure, OSError) as fault:
        print(fault)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
