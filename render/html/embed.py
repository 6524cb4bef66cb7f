#!/usr/bin/env python3
"""Makes C of the page's style and script: embed.py OUTPUT FILE...

Files that end in .css are the style; those that end in .js are one script, in the order in which they are given, but for
flame_svg.css and flame_svg.js, which are those of the picture. Each text has its hash, by which the page's policy knows it.

Comments, indents and blanks that mean nothing are left out.
"""

import base64
import hashlib
import pathlib
import re
import sys

QUOTED = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`"""
COMMENT = r'//[^\n]*|/\*.*?\*/'
PATTERN = r'/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*'
TOKEN = {
    'js': re.compile(rf'(?P<kept>{QUOTED}|(?<=[(,=:!&|?]){PATTERN}|(?<=[(,=:!&|?] ){PATTERN})|(?P<blank>(?:\s|{COMMENT})+)|.', re.S),
    'css': re.compile(rf'(?P<kept>{QUOTED})|(?P<blank>(?:\s|/\*.*?\*/)+)|.', re.S),
}


def literal(text):
    """A string literal for each line."""
    escapes = str.maketrans({'\\': '\\\\', '"': '\\"', '\t': '\\t', '?': '\\?'})
    return '\n'.join(f'\t"{line.translate(escapes)}\\n"' for line in text.splitlines()) or '\t""'


def blank_between(kind, before, after, has_line_end):
    """The end of a line may stand for a semicolon, but not where none can be."""
    if kind == 'css':
        return '' if before in '{};,' or after in '{};,' else ' '
    if has_line_end:
        return '' if before in '\n{([,' or after in '})]?:|&.' else '\n'
    both_in_names = all(char.isalnum() or char in '_$' for char in (before, after))
    return ' ' if both_in_names or before + after in ('++', '--') else ''


def squeeze(name, text):
    """Without comments, and without blanks that part nothing."""
    kind = name.suffix[1:]
    text = text.strip()
    parts = ['\n']
    for token in TOKEN[kind].finditer(text):
        word = token[0]
        if word[0] == '`' and word.count('{') != word.count('}'):
            sys.exit(f'{name}: expected no template in a template')
        if token.lastgroup == 'blank':
            word = blank_between(kind, parts[-1][-1:], text[token.end():token.end() + 1] or '}', '\n' in word)
        if word:
            parts.append(word)
    return ''.join(parts).strip() + '\n'


def define(name, text):
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return (f'const char {name}[] =\n{literal(text)};\n'
            f'const char {name}_hash[] = "sha256-{digest}";\n')


def main():
    output, *names = sys.argv[1:]
    texts = {'html_style': '', 'html_script': '"use strict";\n', 'flame_style': '', 'flame_script': ''}
    for name in map(pathlib.Path, names):
        text = name.read_text(encoding='utf-8')
        if not text.isascii():
            sys.exit(f'{name}: expected ASCII, for the page is to be the same in every encoding')
        if '</script' in text or '</style' in text or ']]>' in text:
            sys.exit(f'{name}: expected nothing that ends the element it is put into')
        owner = 'flame' if name.stem == 'flame_svg' else 'html'
        texts[f'{owner}_style' if name.suffix == '.css' else f'{owner}_script'] += squeeze(name, text)
    parts = [define(name, text) for name, text in texts.items()]
    pathlib.Path(output).write_text('#include "render/html_assets.h"\n\n' + '\n'.join(parts), encoding='ascii')


if __name__ == '__main__':
    main()
