#!/usr/bin/env python3
"""Runs the pprof binary on a pseudo-terminal: colours, widths, binary data.

terminal.py PPROF
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import harness
from harness import TESTDATA
from screen import Screen

HEAP = ['elf/shapes', 'profiles/shapes.heap']
CHANGED = ['--base=profiles/base_old.heap', 'elf/shapes', 'profiles/base_mixed.heap']
CPU = ['--lines', 'elf/shapes', 'profiles/cpu64l.prof']
TABLES = ['--text', '--top', '--tree', '--traces']
BINARIES = ['--png', '--pdf', '--gif', '--proto', '--topproto', '--html']
ESCAPE = re.compile(r'\x1b\[[0-9;]*m')
BOLD, RED, GREEN, END = '\x1b[1m', '\x1b[31m', '\x1b[32m', '\x1b[0m'

faults = []


def check(holds, text):
    if not holds:
        faults.append(text)


class Tool:
    def __init__(self, pprof, scratch):
        self.pprof, self.scratch = pprof, scratch

    def environment(self, **env):
        return {**harness.environment(self.scratch, 'C'), 'TERM': 'xterm', **env}

    def pipe(self, *args, **env):
        """(stdout, stderr, status) without a terminal."""
        out, err, status = harness.run([self.pprof, *args], cwd=TESTDATA, env=self.environment(**env), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return out.decode(errors='replace'), err.decode(), status

    def terminal(self, *args, columns=0, stderr=False, **env):
        """(what the terminal shows, status): of stdout, or of stderr alone."""
        with Screen([self.pprof, *args], columns=columns, cwd=TESTDATA, env=self.environment(**env), stdin=subprocess.DEVNULL,
                    **{'stdout' if stderr else 'stderr': subprocess.DEVNULL}) as screen:
            status = screen.end()
        return screen.seen.replace('\r\n', '\n'), status


def check_colours(tool):
    for report in TABLES:
        for args in HEAP, CPU, CHANGED:
            plain = tool.pipe(report, *args)[0]
            shown = tool.terminal(report, *args)[0]
            what = f'{report} {args}'
            check('\x1b' not in plain, f'{what}: a pipe gets colours')
            check(ESCAPE.sub('', shown) == plain, f'{what}: without its colours a terminal shows another text:\n{shown}')
            check(all(line.count('\x1b') in (0, 2) and (line.startswith('\x1b') == line.endswith(END))
                      for line in shown.splitlines()), f'{what}: a colour does not end with its line:\n{shown}')
            if report != '--traces':
                check('\x1b' in shown, f'{what}: a terminal gets no colours')
            check(tool.pipe(report, *args, '--color=always')[0] == shown, f'{what}: --color=always is not what a terminal gets')
            for option, env in (['--color=never'], {}), ([], {'NO_COLOR': '1'}), ([], {'TERM': 'dumb'}), ([], {'TERM': ''}):
                check(tool.terminal(report, *args, *option, **env)[0] == plain, f'{what}: {option} {env} leaves colours')
            check(tool.terminal(report, *args, NO_COLOR='')[0] == shown, f'{what}: an empty NO_COLOR takes the colours')
            check(tool.pipe(report, *args, '--color=always', NO_COLOR='1')[0] == shown, f'{what}: NO_COLOR wins over --color')

    lines = tool.terminal('--text', *HEAP)[0].splitlines()
    bold = [line.split()[-1].removesuffix(END) for line in lines if line.startswith(BOLD)]
    check(bold == ['inl_inner', 'build', 'make_array', 'recurse'], f'the rows of a tenth or more are not bold: {bold}')
    for line in tool.terminal('--text', *CHANGED)[0].splitlines()[1:]:
        flat, cum = (float(ESCAPE.sub('', line).split()[i]) for i in (0, 3))
        check(line.startswith(RED if (flat or cum) > 0 else GREEN), f'what grows is red, what shrinks green: {line!r}')

    for args, word in (['--text', 'profiles/library.heap'], 'warning: '), (['--text', 'no/such'], 'error: '):
        shown = tool.terminal(*args, stderr=True)[0]
        check(re.match(rf'pprof: \x1b\[1;3[13]m{word}\x1b\[0m', shown), f'the word {word} has no colour: {shown!r}')
        check(ESCAPE.sub('', shown) == tool.pipe(*args)[1], f'without its colour the {word} is another: {shown!r}')
        check(tool.terminal(*args, stderr=True, NO_COLOR='1')[0] == tool.pipe(*args)[1], f'NO_COLOR leaves the {word}')


def check_widths(tool):
    for report in TABLES:
        for args in (CPU, ['--lines', *HEAP]):
            plain = tool.pipe(report, *args)[0]
            for columns, env in (100, {}), (200, {'COLUMNS': '100'}), (0, {'COLUMNS': '100'}):
                shown = tool.terminal(report, *args, '--color=never', columns=columns, **env)[0]
                for line, whole in zip(shown.splitlines(), plain.splitlines()):
                    if len(whole) <= 100 or re.match('-+\\+|File|Type|Showing|Total', whole):
                        check(line == whole, f'{report}: a line that fits is changed: {line}')
                    else:
                        check(len(line) == 100, f'{report}: a line of {len(line)} columns: {line}')
                        check(is_cut(line, whole), f'{report}: not the middle goes: {line}\n{whole}')
            check(tool.pipe(report, *args, COLUMNS='60')[0] == plain, f'{report}: a pipe is cut to COLUMNS')
            for value in 'x', '0', '-1', '99999999999999999999', '':
                check(tool.terminal(report, *args, '--color=never', columns=0, COLUMNS=value)[0] == plain,
                      f'{report}: COLUMNS={value} cuts names')
            narrow = tool.terminal(report, *args, '--color=never', columns=1)[0].splitlines()
            check(len(narrow) == len(plain.splitlines()), f'{report}: a terminal of one column loses lines')


def is_cut(line, whole):
    return any(whole.startswith(line[:dots.start()]) and whole.endswith(line[dots.end():]) for dots in re.finditer(r'\.\.\.', line))


TREND = ['--trend', '--color=never', 'scene/heap_profiler']
SNAPSHOTS = [f'scene/profile.000{i}.heap' for i in range(1, 10)]
# What of the nine snapshots stands in the picture of each row.
BARS = {'total': '\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588\u2584', 'create': '\u2582\u2582\u2584\u2584\u2586\u2586\u2588\u2588\u2588',
        'main': ' \u2582\u2582\u2584\u2584\u2586\u2586\u2588 ', 'create_destory': ' ' * 9}


def check_trend(tool):
    """Where the columns of the snapshots do not fit, there are the first, the last and a picture of all."""
    check(tool.terminal(*TREND, *SNAPSHOTS, columns=200)[0] == tool.pipe(*TREND, *SNAPSHOTS)[0],
          '--trend: there is no room in 200 columns')
    for columns, gone in (100, ''), (90, 'mono'), (80, 'share, mono'), (60, 'per snap, share, mono, since, churn'):
        table = tool.terminal(*TREND, *SNAPSHOTS, columns=columns)[0]
        lines = table.splitlines()
        check(all(len(line) <= columns for line in lines if not line.startswith('No room')),
              f'--trend: a line is wider than {columns}:\n{table}')
        check(lines[-1].startswith(f'No room for {gone}: ') if gone else 'No room' not in table,
              f'--trend in {columns} columns does not say that it lacks {gone}:\n{table}')
        check(lines[3].split()[:4] == ['0001', 'trend', '0009', 'growth'], f'--trend in {columns} columns: {lines[3]}')
        bars = {line.split()[-1]: line[6:15] for line in lines[4:8]}
        check(bars == BARS, f'--trend in {columns} columns draws {bars}')
    check(tool.terminal(*TREND, *SNAPSHOTS, columns=200, COLUMNS='80')[0] == tool.terminal(*TREND, *SNAPSHOTS, columns=80)[0],
          '--trend does not mind COLUMNS')
    many = tool.terminal(*TREND, *[SNAPSHOTS[0], SNAPSHOTS[8]] * 50, columns=100)[0]
    check(all(len(line) <= 100 for line in many.splitlines()), f'--trend of 100 snapshots is too wide:\n{many}')


def check_binaries(tool):
    for report in BINARIES:
        for args in HEAP, CPU:
            shown, status = tool.terminal(report, *args)
            check(not shown and status == 2, f'{report} on a terminal: exit {status}, {shown[:100]!r}')
            path = pathlib.Path(tool.scratch, 'out')
            shown, status = tool.terminal(report, *args, '-o', str(path))
            check(not shown and status == 0 and path.stat().st_size > 100, f'{report} -o FILE on a terminal: exit {status}')
            path.unlink()
        message = tool.terminal(report, *HEAP, stderr=True)[1]
        check(message == 0, f'{report} to /dev/null: exit {message}')
    for report in '--dot', '--svg', '--raw':
        shown, status = tool.terminal(report, *HEAP)
        check(shown == tool.pipe(report, *HEAP)[0] and status == 0, f'{report} is not the same on a terminal')


def main(pprof):
    with tempfile.TemporaryDirectory(prefix='terminal-') as scratch:
        tool = Tool(pprof, scratch)
        for part in check_colours, check_widths, check_trend, check_binaries:
            part(tool)
    print('\n'.join(faults))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1])))
