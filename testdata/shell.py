#!/usr/bin/env python3
"""Drives the shell of pprof through a pseudo-terminal: what somebody sees who types.

shell.py PPROF   runs all checks; what commands answer is compared with what the command line answers for the same options

What commands mean is in the rows shell_* of meson.build. Without libedit, checks of what only it does are left out.
"""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time

import harness
from screen import TIMEOUT, Screen

PROMPT = '(pprof) '
PROFILE = ('elf/shapes', 'profiles/shapes.heap')
UP, CTRL_C, CTRL_D, CTRL_U, TAB = '\x1b[A', '\x03', '\x04', '\x15', '\t'


def expect(condition, text):
    if not condition:
        raise harness.Failure(text)


def wait_for(is_so, what):
    end = time.monotonic() + TIMEOUT
    while not is_so():
        expect(time.monotonic() < end, f'expected {what}')
        time.sleep(0.01)


class Shell(Screen):
    """A shell of pprof, and what is typed there."""

    def __init__(self, bench, *args, rows=200, columns=200, stdout=None, **env):
        super().__init__([bench.pprof, *args], rows, columns, cwd=harness.TESTDATA, **({'stdout': stdout} if stdout else {}),
                         env={**bench.environment(), 'TERM': 'xterm', **env})
        self.edits = bench.edits

    def prompt(self):
        """What is seen before the next prompt."""
        self.wait(lambda seen: seen.endswith(PROMPT), 'the prompt')
        if self.edits:  # from then on keys are those of the line
            self.wait(lambda _: not self.modes()[0] & termios.ICANON, 'a line that is edited')
        seen, self.seen = self.seen.removesuffix(PROMPT), ''
        return seen.replace('\r\n', '\n')

    def command(self, line):
        """What a command answers."""
        self.type(line + '\n')
        self.until('\r\n')
        return self.prompt()

    def child(self):
        """The process of the command that runs."""
        children = pathlib.Path(f'/proc/{self.pid}/task/{self.pid}/children')
        wait_for(children.read_text, 'a process for the command')
        return int(children.read_text())


class Bench:
    def __init__(self, pprof, folder):
        self.pprof, self.folder = pprof, pathlib.Path(folder)
        self.edits = 'libedit none' not in self.report('--version')

    def environment(self):
        return {**harness.environment(str(self.folder), 'C.UTF-8'), 'XDG_STATE_HOME': f'{self.folder}/state',
                'NO_COLOR': '1'}

    @contextlib.contextmanager
    def shell(self, *args, **options):
        """A shell that waits for its first command."""
        with Shell(self, *(args or PROFILE), **options) as shell:
            shell.greeting = shell.prompt()
            yield shell

    def report(self, *args):
        """What the command line answers; the shell's tables do not begin with lines about the profile."""
        return harness.run([self.pprof, '--compact-labels', *args], env=self.environment(), cwd=harness.TESTDATA,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)[0].decode()

    def history(self):
        return self.folder / 'state' / 'pprof' / 'history'

    def script(self, name, text):
        path = self.folder / name
        path.write_text(f'#!/bin/sh\n{text}\n')
        path.chmod(0o755)
        return str(path)


# ---------------------------------------------------------------------------------------------------- commands

def check_greeting(bench):
    last = 'Entering interactive mode (type "help" for commands, "o" for options)\n'
    with bench.shell() as shell:
        expect(shell.greeting == f'File: shapes\nType: inuse_space\n{last}', f'greeted by {shell.greeting!r}')
    with bench.shell('profiles/cpu.pb') as shell:
        told = 'Type: cpu', 'made by hand', 'Time: 2023-11-14 22:13:20 UTC', 'Duration: 2s, Total samples = 100ms ( 5.00%)', last
        for text in told:
            expect(text in shell.greeting, f'a CPU profile is greeted by {shell.greeting!r}')
        expect('Duration' not in shell.command('top'), 'what the greeting told is told again')
    with bench.shell('--alloc-space', 'elf/shapes', 'profiles/jemalloc_sampled.heap') as shell:
        expect('sample_index=TYPE shows another' in shell.greeting, f'a total of 0 is greeted by {shell.greeting!r}')
    with bench.shell('--focus=(', *PROFILE) as shell:
        expect('missing closing parenthesis' in shell.greeting, f'a bad pattern is greeted by {shell.greeting!r}')
    with bench.shell('--quiet', *PROFILE) as shell:
        expect(shell.greeting == '', f'--quiet is greeted by {shell.greeting!r}')


def check_reports(bench):
    with bench.shell() as shell:
        for line, args in ('top3', ['--top', '--nodecount=3']), ('top', ['--top', '--nodecount=10']), \
                ('tree', ['--tree']), ('peek inl', ['--peek=inl']), ('dot', ['--dot']), ('tags', ['--tags']), \
                ('text 2 --cum', ['--text', '--nodecount=2', '--cum']), ('traces', ['--traces']), ('info', ['--info']):
            expect(shell.command(line) == bench.report(*args, *PROFILE), f'{line} is not {" ".join(args)}')
        expect('inl_inner' in shell.command('top --lines'), 'no answer after all these')


def check_readme(bench):
    """The session that the README shows."""
    text = (harness.ROOT / 'README.md').read_text()
    head, *commands = re.search(r'^```text\n\$ (.*?)^```', text, re.M | re.S)[1].split(PROMPT)
    start, greeting = head.split('\n', 1)
    with bench.shell(*start.replace('testdata/', '').split()[1:]) as shell:
        expect(shell.greeting == greeting, f'greeted by {shell.greeting!r}')
        for command in commands:
            line, answer = command.split('\n', 1)
            if line not in ('svg > leak.svg', 'quit'):
                found = shell.command(line)
                expect(found == answer, f'{line} is answered by {found!r}')


def check_settings(bench):
    with bench.shell() as shell:
        for line in 'focus=make|build', 'lines', 'nodecount = 4', 'notrim', 'inuse_objects':
            expect(shell.command(line) == '', f'{line} is answered')
        listed = shell.command('o')
        for name, value in ('focus', 'make|build'), ('granularity', 'lines'), ('nodecount', '4'), ('trim', 'false'), \
                ('sample_index', 'inuse_objects'), ('ignore', '""'), ('nodefraction', '0.005'), ('output', '""'):
            expect(re.search(rf'^  {name} += {re.escape(value)}( |$)', listed, re.M), f'not listed: {name} = {value}')
        expect(listed == shell.command('options'), 'o and options differ')
        shell.command(':')
        expect(re.search(r'^  focus += ""$', shell.command('o'), re.M), ': does not clear the focus')
        expect(re.search(r'^  nodecount += 4$', shell.command('o'), re.M), ': clears more than filters')


def check_help(bench):
    """Whatever --help knows, the shell's knows too, or says that it counts only at the start."""
    text = bench.report('--help=all')
    known = re.findall(r'^  (?:-\w, )?--([\w-]+)', text, re.M)
    refused = re.findall(r'^  --([\w-]+)', text.partition('\nKnown elsewhere')[2], re.M)
    known, refused = ([name.replace('-', '_') for name in names] for names in (known, refused))
    expect(len(known) > 40, f'--help=all knows but {len(known)} options')
    with bench.shell() as shell:
        listed = shell.command('help')
        expect(max(map(len, listed.splitlines())) < 80, 'help has lines that are longer than 79 columns')
        for name in known:
            answer = shell.command(f'help {name}')
            expect(answer.startswith(name), f'help {name}: {answer!r}')
            is_listed = re.search(rf'^  {name}(=| |$)', listed, re.M)
            is_a_type = re.match('(inuse|alloc|total|mean)_|contentions', name)
            is_apart = is_a_type or 'counts only when' in answer or name in refused
            expect(is_listed or is_apart, f'help does not list {name}')


def check_errors(bench):
    with bench.shell() as shell:
        for line, text in ('focus=(', '--focus=(: column 2: missing closing parenthesis'), ('top | less', 'no program is started here'), \
                ('unit=parsecs', '--unit=parsecs: expected auto'), ('granularity', 'please specify a value'), \
                ('topp', 'unrecognized command topp: did you mean top?'), \
                ('x', 'unrecognized command x (help'), ('focus', 'please specify a value, e.g. focus=<val>'), \
                ('jobs=1', 'jobs counts only when pprof starts'), ('peek', 'peek: expected REGEX'), \
                ('dot > /nowhere/x', '/nowhere/x: No such file'), ('svg >', 'expected the name of a file after >'), \
                ('proto', '--proto writes binary data'), ('png', '--png writes binary data'), ('peek (', 'missing closing'):
            answer = shell.command(line)
            expect(text in answer and bool(answer) == bool(text), f'{line} is answered by {answer!r}')
        expect('inl_inner' in shell.command('top1'), 'no answer after all these')


def check_files(bench):
    with bench.shell() as shell:
        for line, path, args in (('dot > {}', 'a.dot', ['--dot']), ('top2 >{} make', 'a b.txt', None), \
                ('svg > {}', 'a.svg', ['--svg']), \
                ('html > {}', 'a.html', ['--html']), ('flame > {}', 'b.svg', ['--flame'])):
            path = bench.folder / path
            if args is None:
                line = line.replace('>{}', "> '{}'")
                args = ['--top', '--nodecount=2', '--focus=make']
            answer = shell.command(line.format(path))
            expect(not answer or 'After focus' in answer, f'{line} is answered by {answer!r}')
            expect(path.read_text() == bench.report(*args, *PROFILE), f'{path.name} is not {" ".join(args)}')
        shell.command(f'proto > {bench.folder}/a.pb.gz')
        expect(bench.report('--text', f'{bench.folder}/a.pb.gz') == bench.report('--text', *PROFILE), 'another profile')
        old = bench.folder / 'a.dot'
        expect('missing' in shell.command(f'dot > {old} ('), 'a bad pattern is not told')
        expect(old.read_text() == bench.report('--dot', *PROFILE), 'a report that failed has changed the file')
        expect(not list(bench.folder.glob('*.pprof-*')) + list(bench.folder.glob('.pprof-*')), 'files are left over')


def check_streams(bench):
    """Results go to stdout, all else to stderr; without a terminal there is neither prompt nor greeting."""
    out = bench.folder / 'out.txt'
    with open(out, 'wb') as stdout, Shell(bench, '--interactive', *PROFILE, stdout=stdout) as shell:
        shell.type('top2\nquit\n')
        expect(shell.end() == 0, 'another exit status')
        seen = shell.seen
    expect(PROMPT in seen and 'Entering' in seen and 'inl_inner' not in seen, f'seen is {seen!r}')
    expect(out.read_text() == bench.report('--top', '--nodecount=2', *PROFILE), 'not the report alone')


def check_when(bench):
    """Only where nobody asked for a report, and somebody is there."""
    for args in ['--text'], ['-o', str(bench.folder / 'x.txt')]:
        with Shell(bench, *args, *PROFILE) as shell:
            expect(shell.end() == 0 and PROMPT not in shell.seen, f'{args[0]} opens a shell')
    expect(bench.report(*PROFILE) == bench.report('--text', *PROFILE), 'without a terminal it is not --text')


def check_viewers(bench):
    """The shell goes on while the picture is there; the file goes with it."""
    shown = bench.folder / 'shown'
    bench.script('gv', 'echo "$1" > "$TMPDIR/new"; mv "$TMPDIR/new" "$TMPDIR/shown"\n'
                 'while [ ! -e "$TMPDIR/closed" ]; do sleep 0.1; done')
    with bench.shell(PATH=f'{bench.folder}:/usr/bin:/bin', BROWSER='cat -u') as shell:
        expect(shell.command('gv make') == 'pprof: After focus: 4.0 of 20.0 MB (20.0%)\n', 'something else is said')
        wait_for(shown.exists, 'the viewer to start')
        path = pathlib.Path(shown.read_text().strip())
        expect(path.read_bytes().startswith(b'%!PS'), 'no PostScript')
        shell.type(CTRL_C)
        shell.until('\r\n')
        shell.prompt()
        expect('inl_inner' in shell.command('top1') and path.exists(), 'the file is gone too early')
        (bench.folder / 'closed').touch()
        wait_for(lambda: not path.exists(), 'the file to go')
        for line, end in ('weblist make', '</html>'), ('html', '</html>'), ('flame', '</svg>'):
            shell.type(line + '\n')
            shell.until(end)
            shell.prompt()


def check_interrupted_viewer(bench):
    """Without a shell pprof waits for the viewer; where a signal ends that, the file goes too."""
    shown = bench.folder / 'shown'
    bench.script('gv', 'echo "$1" > "$TMPDIR/new"; mv "$TMPDIR/new" "$TMPDIR/shown"; exec sleep 1000')
    with Shell(bench, '--gv', *PROFILE, PATH=f'{bench.folder}:/usr/bin:/bin') as shell:
        wait_for(shown.exists, 'the viewer to start')
        path, viewer = pathlib.Path(shown.read_text().strip()), shell.child()
        expect(path.exists(), 'there is no file')
        os.kill(shell.pid, signal.SIGTERM)
        expect(shell.process.wait(TIMEOUT) == -signal.SIGTERM, 'another exit status')
        with contextlib.suppress(ProcessLookupError):
            os.kill(viewer, signal.SIGKILL)
    expect(not path.exists(), 'the file is left')


# ---------------------------------------------------------------------------------------------------- keys

def entered(bench, shell, keys):
    """The line that these keys make: it is the last of the history."""
    shell.type(keys + '\n')
    shell.until('\r\n')
    shell.prompt()
    return bench.history().read_text().splitlines()[-1]


def check_completion(bench):
    if not bench.edits:
        return
    with bench.shell() as shell:
        for keys, text in (f'pe{TAB}', 'peek'), (f'focu{TAB}x', 'focus=x'), (f'focus=mak{TAB}', 'focus=make_array'), \
                (f'ignore = a|mak{TAB}', 'ignore = a|make_array'), \
                (f'peek inl_o{TAB}', 'peek inl_outer'), (f'top -rec{TAB}3', 'top -recurse 3'), (f':{TAB}', ':'), \
                (f'help ignor{TAB}', 'help ignore'), (f'top --sho{TAB}_bytes', 'top --show_bytes'), \
                (f'alloc_o{TAB}', 'alloc_objects'), (f'sample_index=alloc_o{TAB}', 'sample_index=alloc_objects'), \
                (f'columns=inuse_space,alloc_o{TAB}', 'columns=inuse_space,alloc_objects'), \
                (f'columns=inuse_space,me{TAB}', 'columns=inuse_space,mean'), \
                (f'nothing{TAB}', 'nothing'), (f'peek (anon{TAB}', 'peek \\(anonymous\\snamespace\\)::hidden'), \
                (f'cum {TAB}', 'cum'), (f'gran{TAB}li{TAB}', 'granularity=lines'), \
                (f'peek \\(a{TAB}', 'peek \\(anonymous\\snamespace\\)::hidden'), (f'top > mak{TAB}/x', 'top > mak/x'):
            line = entered(bench, shell, keys)
            expect(line == text, f'{keys!r} becomes {line!r}')
        shell.type(f'inuse_{TAB}')
        shell.wait(lambda seen: 'inuse_objects\r\ninuse_space\r\n' in seen, 'the list')
        shell.type(CTRL_C)
        shell.prompt()


def check_completion_is_inert(bench):
    if not bench.edits:
        return
    with bench.shell('elf/names', 'profiles/names.heap') as shell:
        shell.type(f'peek {TAB}')
        shell.wait(lambda seen: 'two\\x0alines' in seen, 'the list')
        shell.type(f'red{TAB}')
        shell.type(CTRL_C)
        shell.until('^C')
        seen = shell.prompt()
        expect('\x1b[31m' not in seen and '\u202e' not in seen, f'seen is {seen!r}')


def check_interrupt(bench):
    with bench.shell() as shell:
        shell.type('top1 nothing at all')
        shell.wait(lambda seen: 'at all' in seen, 'the echo')
        shell.type(CTRL_C)
        shell.until('\r\n')
        shell.prompt()
        expect('inl_inner' in shell.command('top1'), 'the line that was given up counts')
        os.kill(shell.pid, signal.SIGINT)  # which is no key
        shell.until('\r\n')
        shell.prompt()
        expect('inl_inner' in shell.command('top1'), 'SIGINT ends the shell')
        fifo = bench.folder / 'fifo'
        os.mkfifo(fifo)
        shell.type(f'top > {fifo}\n')  # nobody reads, so it waits
        shell.until('\r\n')
        shell.child()
        shell.type(CTRL_C)
        answer = shell.prompt()
        expect(answer.strip() in ('', '^C'), f'Ctrl-C is answered by {answer!r}')
        expect('inl_inner' in shell.command('top1'), 'no answer after Ctrl-C')


def check_interrupted_file(bench):
    """The file stays as it was, and nothing lies beside it."""
    path = bench.folder / 'kept'
    path.write_text('kept\n')
    slow = bench.script('objdump', 'touch "$TMPDIR/started"; exec sleep 1000')

    def wait_for_start():
        wait_for((bench.folder / 'started').exists, 'objdump to start')
        (bench.folder / 'started').unlink()

    with bench.shell() as shell:
        shell.command(f'tools=objdump:{slow}')
        shell.type(f'disasm build > {path}\n')
        shell.until('\r\n')
        wait_for_start()
        expect(list(bench.folder.glob('.pprof-*')), 'the test tests nothing: there is no file to take away')
        shell.type(CTRL_C)
        shell.prompt()
        expect(path.read_text() == 'kept\n' and not list(bench.folder.glob('.pprof-*')), 'a part of a file is left')
        expect('inl_inner' in shell.command('top1'), 'no answer after it')


def check_killed_command(bench):
    with bench.shell() as shell:
        fifo = bench.folder / 'fifo_of_killed'
        os.mkfifo(fifo)
        shell.type(f'top > {fifo}\n')
        shell.until('\r\n')
        os.kill(shell.child(), signal.SIGKILL)
        answer = shell.prompt()
        expect('the command was ended by signal 9' in answer, f'answered by {answer!r}')
        expect('inl_inner' in shell.command('top1'), 'no answer after it')


def check_end(bench):
    for keys in CTRL_D, 'quit\n', 'q\n', 'exit\n', 'top1\nexit\n':
        with bench.shell() as shell:
            shell.type(keys)
            status = shell.end()
            expect(status == 0, f'after {keys!r} the exit status is {status}')
    with bench.shell() as shell:
        if bench.edits:
            shell.type(f'to{CTRL_D}p1\n')
            expect('inl_inner' in shell.prompt(), 'Ctrl-D within a line ends it')


def check_terminal_is_left_as_it_was(bench):
    """Also where the shell ends by a signal."""
    with Shell(bench, '--text', *PROFILE) as shell:
        before = shell.modes()
    for how in 'quit\n', CTRL_D, signal.SIGTERM, signal.SIGHUP:
        with bench.shell() as shell:
            held = os.open(shell.name, os.O_RDWR | os.O_NOCTTY)  # else the last one who closes it resets it
            if isinstance(how, str):
                shell.type(how)
            else:
                os.kill(shell.pid, how)
            shell.process.wait(TIMEOUT)
            after = shell.modes()
            os.close(held)
            expect(after == before, f'after {how!r} the terminal has {after}, not {before}')


# ---------------------------------------------------------------------------------------------------- history

def check_history(bench):
    with bench.shell() as shell:
        shell.command('top2')
        shell.command('focus=build')
        shell.command('')
        shell.type('quit\n')
        expect(shell.end() == 0, 'another exit status')
    path = bench.history()
    expect(path.read_text() == 'top2\nfocus=build\nquit\n', f'the history is {path.read_text()!r}')
    expect(path.stat().st_mode & 0o777 == 0o600, f'its mode is {path.stat().st_mode:o}')
    expect(path.parent.stat().st_mode & 0o777 == 0o700, f'that of its folder is {path.parent.stat().st_mode:o}')
    if bench.edits:
        with bench.shell() as shell:
            shell.type(UP + UP + UP + '\n')
            answer = shell.prompt()
            expect('Showing top 2 nodes' in answer, f'three lines back is {answer!r}')
    lines = path.read_text()
    subprocess.run([bench.pprof, '--interactive', *PROFILE], input=b'top1\n', check=True, cwd=harness.TESTDATA,
                   env=bench.environment(), capture_output=True)
    expect(path.read_text() == lines, 'lines that nobody typed are kept')


def check_long_history(bench):
    path = bench.history()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(''.join(f'focus={i:06}\n' for i in range(30000)))
    with bench.shell() as shell:
        shell.command('top1')
    lines = path.read_text().splitlines()
    expect(1000 < len(lines) < 10000 and lines[-2:] == ['focus=029999', 'top1'], f'{len(lines)} lines, {lines[-2:]}')
    expect(all(re.fullmatch(r'focus=\d{6}|top1', line) for line in lines), 'a line was cut')
    expect(path.stat().st_mode & 0o777 == 0o600, f'its mode is {path.stat().st_mode:o}')
    expect(not list(path.parent.glob('.pprof-*')), 'files are left over')


def check_strange_history(bench):
    """No place for it, or a trap in its place: the shell works all the same."""
    path = bench.history()
    target = bench.folder / 'precious'
    target.write_text('precious\n')
    path.parent.mkdir(parents=True)
    for make in (lambda: os.mkfifo(path), lambda: path.symlink_to(target), path.mkdir, \
                 lambda: path.write_bytes(b'\0\xff\x1b[31m\n' * 3)):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        make()
        with bench.shell() as shell:
            expect('inl_inner' in shell.command('top1'), 'no answer')
        if path.is_dir():
            path.rmdir()
    expect(target.read_text() == 'precious\n', 'it was written through a link')
    with bench.shell(XDG_STATE_HOME='/proc/nowhere') as shell:
        expect('inl_inner' in shell.command('top1'), 'no answer')
    with bench.shell(XDG_STATE_HOME='relative', HOME='') as shell:
        expect('inl_inner' in shell.command('top1'), 'no answer')
    expect(not (harness.TESTDATA / 'relative').exists(), 'a relative folder is made')


# ---------------------------------------------------------------------------------------------------- the pager

def check_pager(bench):
    pager = bench.script('pager', 'echo "[$#:$1]"; sed "s/^/paged: /"')
    with bench.shell(rows=12, PAGER=f'{pager}  -x') as shell:
        expect('paged' not in shell.command('top3'), 'what fits goes to the pager')
        answer = shell.command('top')
        expect(answer.startswith('[1:-x]\npaged: Showing nodes'), f'top answers {answer!r}')
        n_lines = len(bench.report('--top', '--nodecount=10', *PROFILE).splitlines())
        expect(answer.count('\npaged: ') == n_lines, 'lines are missing')
        expect('paged: ' in shell.command('o') and 'paged: ' in shell.command('help'), 'help does not go to the pager')
        expect('paged' not in shell.command(f'top > {bench.folder}/not_paged.txt'), 'a file goes to the pager')
        shell.resize(100, 200)
        expect('paged' not in shell.command('top'), 'what fits a window that grew goes to the pager')
        shell.resize(12, 20)
        expect('paged' in shell.command('top3'), 'lines that need several rows of the screen do not count')


def check_colours(bench):
    """As on the command line; a sequence for a colour takes no room of the screen."""
    with bench.shell(rows=17, columns=100, NO_COLOR='', PAGER='sed s/^/paged:/') as shell:
        answer = shell.command('top')
        expect('\x1b[1m' in answer and 'paged' not in answer, f'top answers {answer!r}')
        plain = bench.report('--top', '--nodecount=10', *PROFILE)
        expect(re.sub(r'\x1b\[\d*m', '', answer) == plain, 'not only the colours differ')
        shell.resize(8, 100)
        expect('paged' in shell.command('top'), 'colours end the paging')
        expect('\x1b[1m' not in shell.command('top --color=never'), '--color is not obeyed')


def check_widths(bench):
    """What does not fit is cut as on the command line, though it goes through the hands of the shell."""
    with Shell(bench, '--compact-labels', '--text', '--lines', '--nodecount=10', *PROFILE, columns=60) as shell:
        shell.end()
        expected = shell.seen.replace('\r\n', '\n')
    expect('...' in expected, f'nothing is cut: {expected!r}')
    with bench.shell(columns=60) as shell:
        answer = shell.command('text --lines')
        expect(answer == expected, f'text --lines answers {answer!r}')


def check_pager_that_ends(bench):
    with bench.shell(rows=5, PAGER='head -n 2') as shell:
        answer = shell.command('traces')
        expect(answer == ''.join(bench.report('--traces', *PROFILE).splitlines(True)[:2]), f'answered by {answer!r}')
        expect('inl_inner' in shell.command('top1'), 'no answer after it')


def check_strange_pagers(bench):
    """None, one that is not there, one that would need a shell."""
    whole = bench.report('--top', '--nodecount=10', *PROFILE)
    mark = bench.folder / 'mark'
    for pager in '', '   ', '/nowhere/pager', f'cat;touch {mark}':
        with bench.shell(rows=5, PAGER=pager) as shell:
            answer = shell.command('top')
            expect(answer == whole, f'PAGER={pager}: {answer!r}')
    expect(not mark.exists(), 'the pager is started by a shell')


def check_interrupted_pager(bench):
    """Ctrl-C is the pager's own affair, as less has it: the shell waits for its end."""
    pager = bench.script('stubborn', 'trap "" INT; cat > /dev/null; echo waiting; read key < /dev/tty; echo "key $key"')
    with bench.shell(rows=5, PAGER=pager) as shell:
        shell.type('top\n')
        shell.until('waiting')
        shell.type(CTRL_C)
        shell.type('k\n')
        shell.until('key k')
        shell.prompt()
        expect('inl_inner' in shell.command('top1 > /dev/stdout'), 'no answer after it')


def check_long_lines(bench):
    """Whatever they hold, a line of a megabyte is answered at once, and the next one too."""
    for line in b'top ' + b'a ' * 500000, b'top ' + b'-a ' * 300000, b'"' * 1000000, b'help ' + b'x' * 1000000:
        done = subprocess.run([bench.pprof, '--interactive', *PROFILE], input=line + b'\ntop1\n', check=True,
                              capture_output=True, cwd=harness.TESTDATA, env=bench.environment(), timeout=TIMEOUT)
        expect(b'inl_inner' in done.stdout, f'{line[:10]!r}: no answer after it')
        expect(done.stderr.startswith(b'pprof: error: ') and b'did you mean' not in done.stderr,
               f'{line[:10]!r}: {done.stderr!r}')


CHECKS = (check_greeting, check_reports, check_readme, check_settings, check_help, check_errors, check_files, check_streams,
          check_when, check_viewers, check_interrupted_viewer, check_completion, check_completion_is_inert, check_interrupt,
          check_interrupted_file, check_killed_command, check_end, check_terminal_is_left_as_it_was, check_history,
          check_long_history, check_strange_history, check_pager, check_colours, check_widths, check_pager_that_ends,
          check_strange_pagers, check_interrupted_pager, check_long_lines)


def main(pprof):
    n_failed = 0
    for check in CHECKS:
        with tempfile.TemporaryDirectory(prefix='shell-') as folder:
            try:
                check(Bench(os.path.abspath(pprof), os.path.realpath(folder)))
                print(f'ok      {check.__name__}')
            except (harness.Failure, OSError) as fault:
                n_failed += 1
                print(f'FAILED  {check.__name__}: {fault}')
    print(f'{len(CHECKS) - n_failed} passed, {n_failed} failed')
    return 1 if n_failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
