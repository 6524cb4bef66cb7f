"""minify_test.py FILE...: what minify.py makes of texts, and that it leaves the tokens of the files as they are, but for const."""

import pathlib
import sys

sys.dont_write_bytecode = True
from minify import SHORTER, Script, minify_script, minify_style

SCRIPTS = [
    ('const a = 1;\n\n// of b\nlet b = [ 1, 2 ];\n', 'let a=1;let b=[1,2];\n'),
    ('a = \'const b\'; const c = /const/', "a='const b';let c=/const/\n"),
    ('a = b\n(c)\n', 'a=b\n(c)\n'),
    ('if (a) {\n  b()\n}\nc()\n', 'if(a){b()}\nc()\n'),
    ('a /* one\n two */ b\n', 'a\nb\n'),
    ('return /* c */ a;', 'return a;\n'),
    ('a + +b - -c + ++d - --e', 'a+ +b- -c+ ++d- --e\n'),
    ('a++ + b', 'a++ +b\n'),
    ('a = b / c / d; // e', 'a=b/c/d;\n'),
    ("a = ' // b  \\' c ' + \" /* d \" ", "a=' // b  \\' c '+\" /* d \"\n"),
    ("a = / [/'\"] \\/ b  /g.test(c)", "a=/ [/'\"] \\/ b  /g.test(c)\n"),
    ("return / '/.test(a)", "return/ '/.test(a)\n"),
    ("/a/ in b", "/a/ in b\n"),
    ("a / / b/", "a/ / b/\n"),
    ("f(a) / 2 + a[0] / 2 // it's", 'f(a)/2+a[0]/2\n'),
    ("a.in / 2 + b.of / 2 // '", 'a.in/2+b.of/2\n'),
    ('a = `b  ${ c + `d  ${ {e : 1}.e }  ` }  // f\n  g`', 'a=`b  ${c+`d  ${{e:1}.e}  `}  // f\n  g`\n'),
    ("a = `\\` ${ /'/.test('}') }`", "a=`\\` ${/'/.test('}')}`\n"),
    ('a = `$ \\${ b`', 'a=`$ \\${ b`\n'),
    ('a ? .5 : 1 .b', 'a? .5:1 .b\n'),
    ('a < !--b', 'a< !--b\n'),
    ('({ a }) => a in b', '({a})=>a in b\n'),
    ('class A { #b = 1; static c() { return this.#b } }', 'class A{#b=1;static c(){return this.#b}}\n'),
    ('', ''),
]
NO_SCRIPTS = ['a = "b', "a = 'b\n'", 'a = `b', 'a = `${b', 'f(a', 'f(a]', 'a }', '} /b/', 'if (a) /b/.c()', 'a++ / b', 'a = /b\n/', 'a \\ b',
              '@a class B {}', 'a = /* b']
STYLES = [
    ('a {\n  b: c;\n  d: e f;\n}\n', 'a{b:c;d:e f}\n'),
    ('/* a\n b */ c > d , e :is(f) { g: calc(1px + 2px) }\nh{}', 'c>d,e :is(f){g:calc(1px + 2px)}\nh{}\n'),
    ("a::after { content: ' ;  } ' '/* b */' }", "a::after{content:' ;  } ' '/* b */'}\n"),
    ('@media (a: b) and (c) { d { e: f !important; } }', '@media (a:b) and (c){d{e:f !important}}\n'),
    ('a /**/ b { font: 1px/2 c }', 'a b{font:1px/2 c}\n'),
    ('a { fill: url(#b) }', 'a{fill:url(#b)}\n'),
]
NO_STYLES = ['a {', 'a }', "a { b: 'c }", 'a { b: url(c) }', 'a\\62 {}', 'a { } /* b']


def check(minify, text, wanted):
    found = minify(text)
    if found != wanted:
        sys.exit(f'{minify.__name__} of {text!r}:\nexpected {wanted!r}\nfound    {found!r}')
    if minify(found) != found:
        sys.exit(f'{minify.__name__}: {found!r} becomes {minify(found)!r}')


def check_refused(minify, text):
    try:
        found = minify(text)
    except ValueError:
        return
    sys.exit(f'{minify.__name__} of {text!r}: expected an error, found {found!r}')


def solid(text):
    return [SHORTER.get(token, token) for token in Script(text).read() if token[0] != 'space']


def check_file(path):
    text = path.read_text(encoding='ascii')
    minify = minify_style if path.suffix == '.css' else minify_script
    found = minify(text)
    check(minify, found, found)
    if path.suffix == '.js' and solid(found) != solid(text):
        sys.exit(f'{path}: its tokens became others')


for text, wanted in SCRIPTS:
    check(minify_script, text, wanted)
for text, wanted in STYLES:
    check(minify_style, text, wanted)
for text in NO_SCRIPTS:
    check_refused(minify_script, text)
for text in NO_STYLES:
    check_refused(minify_style, text)
for path in map(pathlib.Path, sys.argv[1:]):
    check_file(path)
