#!/usr/bin/env python3
"""Holds everything that is said of options against the table of options itself.

options.py PPROF BUILD   PPROF is the binary, BUILD the folder that meson built it in

Each option that does something has a golden row that uses it on a heap profile and one on a CPU profile (rows of
meson.build that end well, by any spelling), each that is refused has a row that shows its message. Each stands in
the manual, in its group of the help and in the completions; these are run by the shells that are installed.
"""

import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTDATA = pathlib.Path(__file__).resolve().parent
GOLDEN = TESTDATA / 'golden'

# Where one of the two makes no sense, and why.
NOT_ON_CPU = {
    'inuse_space': 'a type of heap profiles',
    'inuse_objects': 'a type of heap profiles',
    'alloc_space': 'a type of heap profiles',
    'alloc_objects': 'a type of heap profiles',
    'total_delay': 'a type of contention profiles',
    'contentions': 'a type of contention profiles',
    'mean_delay': 'a type of contention profiles',
    'sampling_period': 'of heap profiles that were sampled by bytes',
    'no_unsample': 'of heap profiles that were sampled by bytes',
    'thread': 'CPU profiles do not tell threads apart',
    'heapcheck': 'about leaks of memory',
    'sizes': 'about blocks of memory',
}
NOT_ON_HEAP = {
    'total_delay': 'a type of contention profiles',
    'contentions': 'a type of contention profiles',
    'mean_delay': 'a type of contention profiles',
    'no_auto_signal_frm': 'the frame of a signal is in CPU profiles alone',
}
ON_NONE = {
    'help': 'needs no profile',
    'version': 'needs no profile; a golden text would know the versions of libraries',
    'symbols': 'reads addresses',
}
MOST_LINES, MOST_LINES_OF_GROUP, MOST_COLUMNS = 40, 50, 80

missing = []  # programs of the checks that were left out


class Option:
    def __init__(self, line):
        self.name, letter, self.group, self.kind, self.arg, self.help = line.split('\t')
        self.letter = '' if letter == '-' else letter
        self.dashed = self.name.replace('_', '-')
        self.is_refused = self.kind == 'refused'
        self.is_offered = self.kind not in ('refused', 'accepted')


def output(*command, **options):
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True, text=True, **options).stdout


def read_table(pprof):
    with tempfile.NamedTemporaryFile('w') as file:
        file.write('@LIST@\n')
        file.flush()
        return [Option(line) for line in output(pprof, '--fill-template', file.name).splitlines()]


# ---------------------------------------------------------------------------------------------------- golden rows

def read_rows():
    """(name, words) of each row of the golden table, and the golden text."""
    for line in (TESTDATA / 'meson.build').read_text().splitlines():
        if line.startswith("  ['"):
            name, *words = ast.literal_eval(line.strip().removesuffix(','))
            path = GOLDEN / f'{name}.txt'
            if path.exists():  # else it is no row of that table
                yield name, words, path.read_text(errors='backslashreplace')


def resolve(options, word):
    """The option that a word of a command line sets, or None."""
    found = re.match(r'--?([A-Za-z][\w-]*)', word)
    if not found:
        return None
    name = found[1].replace('-', '_')
    names = {option.name: option for option in options}
    for option in options:
        names[f'no_{option.name}'] = names[f'no{option.name}'] = option
    names.update((option.name, option) for option in options)
    begun = {id(names[known]): names[known] for known in names if known.startswith(name)}
    if name in names or len(begun) == 1:
        return names.get(name) or begun.popitem()[1]
    letters = {option.letter: option for option in options if option.letter}
    return letters.get(word[1]) if word[1] != '-' else None


def family(words):
    """What kind of profile a row is about."""
    for word in words:
        name = word.rsplit('/', 1)[-1]
        if re.search(r'\.prof$', name) or re.match(r'(cpu|raw_cpu|signal)\w*\.(pb|sym)', name):
            return 'cpu'
        if re.search(r'\.heap(\.gz)?$', name) or re.match(r'(heap|shapes)\w*\.pb', name):
            return 'heap'
    return 'other'


def config_words(words):
    """The options of the row's configuration file, as a command line says them."""
    for word in words:
        if word.startswith('config:config/'):
            text = (TESTDATA / word.removeprefix('config:')).read_text(errors='replace')
            yield from (f'--{line.strip()}' for line in text.splitlines() if line.strip()[:1].isalpha())


def check_rows(options):
    used = {option.name: set() for option in options}
    for name, words, golden in read_rows():
        ends_well = '[exit] 2' not in golden
        for word in [*words, *config_words(words)]:
            option = resolve(options, word)
            if option and option.is_refused and f'--{option.name}: {option.help}' in golden:
                used[option.name].add('refused')
            elif option and ends_well:
                used[option.name].add(family(words))

    for option in options:
        found = used[option.name]
        if option.is_refused:
            if 'refused' not in found:
                yield f'--{option.name}: no golden row shows that it is refused'
        elif option.name not in ON_NONE:
            for kind, exceptions in (('heap', NOT_ON_HEAP), ('cpu', NOT_ON_CPU)):
                if kind not in found and option.name not in exceptions:
                    yield f'--{option.name}: no golden row uses it on a {kind} profile'
            if not found:
                yield f'--{option.name}: no golden row uses it'


# ---------------------------------------------------------------------------------------------------- help, manual

def check_help(pprof, options):
    overview = output(pprof, '--help').splitlines()
    groups = list(dict.fromkeys(option.group for option in options))
    everything = output(pprof, '--help=all')

    if len(overview) > MOST_LINES:
        yield f'--help has {len(overview)} lines, which is more than a screen of {MOST_LINES}'
    for group in groups:
        if not any(line.startswith(f'  {group} ') for line in overview):
            yield f'--help does not tell of the group {group}'
        text = output(pprof, f'--help={group}')
        for option in options:
            is_there = re.search(rf'^  (-\w, )?--{re.escape(option.dashed)}\b[^-]', text, re.M) is not None
            if is_there != (option.group == group):
                yield f'--{option.name} is {"" if is_there else "not "}in --help={group}'
        if len(text.splitlines()) > MOST_LINES_OF_GROUP:
            yield f'--help={group} has more than {MOST_LINES_OF_GROUP} lines'
        if text not in everything:
            yield f'--help=all lacks --help={group}'
    for line in overview + everything.splitlines():
        if len(line) >= MOST_COLUMNS:
            yield f'a line of the help is longer than {MOST_COLUMNS - 1} columns: {line}'
        if line != line.rstrip():
            yield f'a line of the help ends with a blank: {line!r}'


def check_manual(path, options):
    text = path.read_text()
    for option in options:
        spelled = option.dashed.replace('-', '\\-')
        if not re.search(rf'^\.B (\\-\w, )?\\-\\-{re.escape(spelled)}(\[?=|$)', text, re.M):
            yield f'--{option.name} is not in the manual'
    if not shutil.which('groff'):
        missing.append('groff')
        return
    faults = subprocess.run(['groff', '-ww', '-man', '-Tutf8', '-z', path], stderr=subprocess.PIPE, text=True, check=False)
    if faults.stderr or faults.returncode:
        yield f'groff about the manual:\n{faults.stderr}'


# ---------------------------------------------------------------------------------------------------- completions

# Each line of its input holds the words of a command line with tabs between them.
BASH_DRIVER = '''
source "$1"
complete -p pprof
compopt() { printf 'compopt %s\\t' "$*"; }
while IFS=$'\\t' read -ra COMP_WORDS
do
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_pprof
	printf '%s\\t' "${COMPREPLY[@]}"
	echo
done
'''


def bash(script, lines):
    """How the command is completed, and what is answered for each list of words."""
    typed = ''.join('\t'.join(['pprof', *words]) + '\n' for words in lines)
    complete, *answers = output('bash', '--norc', '-c', BASH_DRIVER, 'bash', script, input=typed).splitlines()
    return complete, [answer.split('\t')[:-1] for answer in answers]


def spellings(options):
    """(option, what is typed of it, what is offered)"""
    for dashes in '--', '-':
        for option in options:
            for name in dict.fromkeys((option.name, option.dashed)):
                yield option, dashes + name, dashes + name + ('=' if option.kind == 'argument' else '')


def check_bash(script, options):
    spelled = list(spellings(options))
    complete, answers = bash(script, [[typed] for _, typed, _ in spelled])
    if complete != 'complete -o default -F _pprof pprof':
        yield f'bash completes pprof by {complete}'
    for (option, _, word), answer in zip(spelled, answers, strict=True):
        if (word in answer) != option.is_offered:
            yield f'bash {"does not offer" if option.is_offered else "offers"} {word}'
    # What was typed, what is offered, and what is done about files: the default is to offer them.
    expected = (
        (['--inuse-'], ['--inuse-space', '--inuse-objects']),
        (['--inuse_'], ['--inuse_space', '--inuse_objects']),
        (['-alloc_s'], ['-alloc_space']),
        (['--no-cach'], ['--no-cache']),
        (['--nosuch'], ['']),
        (['--nodecount'], ['compopt -o nospace', '--nodecount=']),
        (['--help', '=', 'gra'], ['compopt +o default', 'graph']),
        (['--help=gra'], ['compopt +o default', '--help=graph']),
        (['--help', 'gra'], ['']),
        (['--strict', '='], ['compopt +o default', 'symbols']),
        (['--sample-index', 'inuse_s'], ['compopt +o default', 'inuse_space']),
        (['--unit', '=', 'MB'], ['compopt +o default', 'MB']),
        (['--focus', 'x'], ['compopt +o default', '']),
        (['--symbol_path', '=', '/'], ['compopt +o default -o dirnames', '']),
        (['--base', '=', 'x'], ['']),
        (['-o', 'x'], ['']),
        (['--text', 'x'], ['']))
    answers = bash(script, [words for words, _ in expected])[1]
    for (words, wanted), answer in zip(expected, answers, strict=True):
        if answer != wanted:
            yield f'bash completes {words} by {answer}, expected {wanted}'


def check_zsh(script, options):
    """The arguments that _arguments gets."""
    driver = '_arguments() { print -l -- "$@" }; source "$1"'
    specs = output('zsh', '-f', '-c', driver, 'zsh', script).splitlines()
    for option in options:
        behind = {'argument': '=', 'optional': '=-'}.get(option.kind, '')
        begin = re.compile(rf'\*?--{re.escape(option.dashed)}{behind}\[')
        is_offered = any(begin.match(spec) for spec in specs)
        if is_offered != option.is_offered:
            yield f'zsh {"offers" if is_offered else "does not offer"} --{option.dashed}'


def check_fish(script, options):
    offered = output('fish', '--no-config', '-c', 'source $argv[1]; complete -C "pprof --"', script)
    names = {line.split('\t')[0].rstrip('=') for line in offered.splitlines()}
    for option in options:
        if (f'--{option.dashed}' in names) != option.is_offered:
            yield f'fish {"does not offer" if option.is_offered else "offers"} --{option.dashed}'


def check_completions(folder, options):
    for shell, name, check in (('bash', 'pprof', check_bash), ('zsh', '_pprof', check_zsh), ('fish', 'pprof.fish', check_fish)):
        if not shutil.which(shell):
            missing.append(shell)
            continue
        syntax = subprocess.run([shell, '-n', folder / name], stderr=subprocess.PIPE, text=True, check=False)
        if syntax.returncode or syntax.stderr:
            yield f'{shell} -n {name}: {syntax.stderr}'
        else:
            yield from check(folder / name, options)


# ---------------------------------------------------------------------------------------------------- installed

def check_installed(build):
    with tempfile.TemporaryDirectory(prefix='options-') as folder:
        subprocess.run(['meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', folder], check=True,
                       stdout=subprocess.DEVNULL)
        files = {str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob('*') if path.is_file()}
    for name in ('bin/pprof', 'share/man/man1/pprof.1', 'share/bash-completion/completions/pprof',
                 'share/zsh/site-functions/_pprof', 'share/fish/vendor_completions.d/pprof.fish'):
        if not any(file.endswith(name) for file in files):
            yield f'meson install leaves no {name}'


def main(pprof, build):
    options = read_table(pprof)
    docs = pathlib.Path(build, 'docs').resolve()
    faults = [
        *check_rows(options), *check_help(pprof, options), *check_manual(docs / 'pprof.1', options),
        *check_completions(docs, options), *check_installed(build)]
    print('\n'.join(faults))
    if missing:
        print(f'all else was checked, but not what needs {", ".join(missing)}')
    return 1 if faults else 77 if missing else 0


if __name__ == '__main__':
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
