#!/usr/bin/env python3
"""Makes C of the page's style and script: embed.py OUTPUT FILE...

Files that end in .css are the style; those that end in .js are one script, in the order in which they are given, but for
flame_svg.css, flame_svg.js and trend_svg.css, which are those of pictures. Each text has its hash, by which the policy of a
page knows it.

Comments and blanks are left out (minify.py). What is left of a page's script is at most 60 KB, and of its style 8 KB.
"""

import base64
import hashlib
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from minify import minify_script, minify_style

PICTURES = {'flame_svg': 'flame', 'trend_svg': 'trend'}
MOST = {'html_script': 60 * 1024, 'html_style': 8 * 1024}  # bytes
ENDING = ('</script', '</style', '<!--', ']]>')  # of the element in which they stand, in HTML and in XML


def literal(text):
    """A string literal for each line."""
    escapes = str.maketrans({'\\': '\\\\', '"': '\\"', '\t': '\\t', '?': '\\?'})
    return '\n'.join(f'\t"{line.translate(escapes)}\\n"' for line in text.splitlines()) or '\t""'


def scoped(style, scope):
    """The style for what is inside the scope alone."""
    def prefix(match):
        selectors = match[1]
        return match[0] if selectors.startswith('@') else ','.join(f'{scope} {one}' for one in selectors.split(',')) + '{'
    return re.sub(r'([^{}\s][^{}]*)\{', prefix, style)


def define(name, text):
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return (f'const char {name}[] =\n{literal(text)};\n'
            f'const char {name}_hash[] = "sha256-{digest}";\n')


def read(path):
    text = path.read_text(encoding='utf-8')
    if not text.isascii():
        sys.exit(f'{path}: expected ASCII, for the page is to be the same in every encoding')
    try:
        text = (minify_style if path.suffix == '.css' else minify_script)(text)
    except ValueError as error:
        sys.exit(f'{path}: {error}')
    if any(end in text.lower() for end in ENDING):
        sys.exit(f'{path}: expected nothing that ends the element it is put into')
    return text


def main():
    output, *names = sys.argv[1:]
    texts = {'html_style': '', 'html_script': '"use strict";\n', 'flame_style': '', 'flame_script': '', 'trend_style': ''}
    for path in map(pathlib.Path, names):
        owner = PICTURES.get(path.stem, 'html')
        texts[f'{owner}_style' if path.suffix == '.css' else f'{owner}_script'] += read(path)
    texts['timeline_style'] = scoped(texts['trend_style'], '#timeline')
    for name, most in MOST.items():
        if len(texts[name]) > most:
            sys.exit(f'expected at most {most} bytes of {name}, found {len(texts[name])}')
    parts = [define(name, text) for name, text in texts.items()]
    pathlib.Path(output).write_text('#include "render/html_assets.h"\n\n' + '\n'.join(parts), encoding='ascii')


if __name__ == '__main__':
    main()
