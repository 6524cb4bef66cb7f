"""Names that somebody who reads a report might obey, and how pprof writes them."""

import functools
import re
import unicodedata

RAISE = 'window.hacked=1'  # what a browser would run
ELSEWHERE = 'http://127.0.0.1:9/x'
LONG = 1 << 16  # in bytes; what is longer is cut, and a note says so

MARKUP = [
    '<script>alert(1)</script>', f'</script><script>{RAISE}</script>', f'</SCRIPT ><script>{RAISE}</script>',
    f'</style><script>{RAISE}</script>', f'--><script>{RAISE}</script>', f'--!><script>{RAISE}</script>', '<!--', '-->', '<!--<script>',
    ']]>', f']]><script>{RAISE}</script>', '<![CDATA[', f'<img src=x onerror={RAISE}>', f'<svg onload={RAISE}>',
    f'"><img src=x onerror={RAISE}>', f"'><img src=x onerror={RAISE}>", f'" onmouseover="{RAISE}', f"' onfocus='{RAISE}' autofocus='",
    f'` onclick=`{RAISE}`', f'<a href="javascript:{RAISE}">x</a>', f'<iframe srcdoc="<script>parent.{RAISE}</script>">',
    f'<iframe src="javascript:parent.{RAISE}">', f'<object data={ELSEWHERE}>', f'<embed src={ELSEWHERE}>',
    f'<link rel=stylesheet href={ELSEWHERE}>', f'<style>*{{background:url({ELSEWHERE})}}</style>', f'}}*{{background:url({ELSEWHERE})}}',
    f'<meta http-equiv=refresh content="0;url={ELSEWHERE}">', f'<base href={ELSEWHERE}>', f'<form action={ELSEWHERE}><button autofocus>',
    f'<video src={ELSEWHERE} onerror={RAISE}>', f'<details open ontoggle={RAISE}>', f'<input autofocus onfocus={RAISE}>',
    f'<title>{RAISE}</title>', f'</title><script>{RAISE}</script>', f'</textarea><script>{RAISE}</script>',
    f'<noscript><p title="</noscript><img src=x onerror={RAISE}>">', f'<math><mtext><img src=x onerror={RAISE}>',
    f'<foreignObject><body onload={RAISE}>', f'<animate onbegin={RAISE} attributeName=x dur=1s>', f'<use href="data:image/svg+xml,{RAISE}">',
    f'<set attributeName=href to="javascript:{RAISE}">', f'xlink:href="javascript:{RAISE}"', '<?xml version="1.0"?>', '<!DOCTYPE html>',
    f'<!ENTITY x SYSTEM "{ELSEWHERE}">', '</svg>', '</g></svg><svg>', '</html>', '</body></main>', '<plaintext>', '<template>',
    '<b>bold</b>', '<', '&', '&amp;', '&lt', '&#x3c;b&#x3e;', '&#60;script&#62;', '&quot; &amp; &nosuch; &#0;', '&lt;script&gt;',
]
SCRIPTS = [
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'location', 'document', 'data', 'summary',
    f'javascript:{RAISE}', f'data:text/html,<script>{RAISE}</script>', f'${{{RAISE}}}', f'`${{{RAISE}}}`', f'{{{{{RAISE}}}}}',
    f"';{RAISE}//", f'";{RAISE}//', f'\\";{RAISE}//', f'\\u003cscript\\u003e{RAISE}', f'\\x3cscript\\x3e{RAISE}',
    f'%3Cscript%3E{RAISE}', '#search=x&view=top', '?a=b', '\u2028' + RAISE + '\u2029', '","flat":1,"x":"', '"}]}', '\\', '"', "'", 'NaN',
    'null', '-0', '(no stack)', 'all', '<unknown>', '????', '[unknown]', '(small: 3 nodes)',
]
BACKSLASHES = ['back\\slash', 'ends with \\', 'ends with two \\\\', 'quote \\" inside', "\\'", '\\n\\r\\t\\l\\0', '\\u2028', '\\ud800', '\\x1b[3J']
DOT = [
    '"];x->y[label="', '"]; N1 -> N2; "', '\\N \\G \\L \\E \\T \\H', '\\N', '<<b>bold</b>>', '<<table><tr><td>x</td></tr></table>>', 'port:n:sw',
    '{a|b|<f0>c}', 'subgraph cluster_x { a }', '/* no comment */', '// no comment', '# no line', 'strict digraph {',
]
SHEETS = [
    '=1+2', "=cmd|'/c calc'!A1", '+1', '-2', '@SUM(A1)', '=HYPERLINK("http://127.0.0.1:9/x")', "'said", '"=3"', 'a,b', 'a;b', 'a"b', '"a","b"',
    ' =1', '\t=1', '\r=1', '\uff1d1+2', '\uff0b1', '\uff0d1', '\uff20SUM(A1)',
]
TERMINAL = [
    '\x1b[2J', '\x1b[31mred', '\x1b]8;;http://127.0.0.1:9/x\x07link\x1b]8;;\x07', '\x1b]8;;x\x1b\\link', '\x1b]52;c;eA==\x07', '\x1b]52;c;eA==\x1b\\',
    '\x1b]0;title\x07', '\x1bP$q\x1b\\', '\x1b[6n', '\x1bc', '\x9b2J', b'\x9b2J', '\x9d0;title\x9c', b'\x9d0;title\x9c', '\x85next', '\x90',
    'over\rwritten', 'gone\b\b\b\b', 'one\ntwo', 'one\r\ntwo\tthree', '\n', 'fn\v\f', '\x7f', 'pager :!sh', '!sh', '-o', '--output=/tmp/x', '+G',
    '\x0eshift\x0f', ''.join(map(chr, range(1, 0x20))), 'pprof: error: no more',
]
DIRECTION = [
    '\u202eoverride', '\u202dleft\u202c', '\u2066isolate\u2069', '\u2067right\u2068first\u2069', '\u200emark\u200f', '\u061carabic', '\u202aa\u202bb',
    'zero\u200bwidth', '\ufeffbom', 'join\u2060er', 'soft\u00adhyphen', '\u180evowel', '\ufff9annotation\ufffb', '\U000e0041tag', '\ufffe\uffff',
    '\u0301\u0301\u0301mark', '\U0001f600', '\ufdfd' * 20, '\u65e5\u672c', '\u00a0',
]
NOT_UTF8 = [
    b'\x80lone', b'\xff\xfe<script>window.hacked=1</script>', b'\xc0\xbcscript\xc0\xbe', b'\xc0\x80', b'\xe0\x80\xbc', b'\xf0\x80\x80\xbc',
    b'\xf8\x88\x80\x80\x80five', b'\xed\xa0\x80\xed\xb0\x80', b'\xf4\x90\x80\x80', b'cut \xe2\x82', b'cut \xf0\x9f\x98', b'cut \xc3', b'\xc3"', b'\xe2\x82\\"',
    b'latin \xe9',
]
NUL = [b'a\0b<b>', b'\0', b'end\0']
LINES_OF_OTHERS = [
    'a;b', ';', 'ends with 7', '; 7', 'main;f 12', 'fn=(1) x', '(0)', '(1)', '(1) main', 'calls=9 0 0', '+3', '* 3 4', 'cfn=(2)', 'totals: 1', '0x1 2 3',
    'heap profile: 1: 1 [1: 1] @ heapprofile', 'MAPPED_LIBRARIES:', '--- symbol', '---',
]
PATTERNS = ['(', '[', '*', '(?:', 'a{1,', '$&', '$1', '$`', '(*FAIL)', '\\Q', '%s%n%d', '%99999999s', '{}', '{0}', '%(name)s']
SHELL = ['$(touch x)', '`touch x`', '; touch x', '| touch x', '> x', '~', '*', '$HOME', '../../etc/passwd', '/dev/tty', '/proc/self/mem', 'http://127.0.0.1:9/x', '.', '..', '/']
PRINTERS = [') showpage (', '(unbalanced', '\\) quit (', '%!PS', '%%EOF', ') (r) file deletefile (', '>> /OpenAction << /S /JavaScript', 'endstream endobj', '/URI (x)']
SHAPES = ['std::map<%s, int>::at(%s const&)', 'ns::<%s>::f', 'github.com/x/"y".(*T).<b>', '_ZN3foo3"b"Ev', 'operator<<', "f'lambda'(int)::operator()"]
BLANK = [' ', ' front', 'back ', '\u3000', 'x' * 5000 + f'<img src=x onerror={RAISE}>', '\\' * 300, '"<&' * 300, 'y' * LONG, '\u20ac' * (LONG // 3)]

GROUPS = [MARKUP, SCRIPTS, BACKSLASHES, DOT, SHEETS, TERMINAL, DIRECTION, NOT_UTF8, NUL, LINES_OF_OTHERS, PATTERNS, SHELL, PRINTERS, SHAPES, BLANK]


def encode(name):
    return name if isinstance(name, bytes) else name.encode()


# In bytes, each once.
NAMES = list(dict.fromkeys(encode(name) for group in GROUPS for name in group))


# What a demangler of C++ takes for one of its own.
DEMANGLED = {b'_ZN3foo3"b"Ev': b'foo::"b"'}


def is_harmless(code):
    """What is no control character, has a width or is a mark over what has, obeys no bidi algorithm, and is a character of XML."""
    return unicodedata.category(chr(code)) not in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp') and code & 0xfffe != 0xfffe


# Of the higher planes, tags and what is no character.
PLANES = [*range(0x10000), *range(0xe0000, 0xe1000), *(plane << 16 | 0xfffe | i for plane in range(1, 17) for i in (0, 1))]
HARMFUL = re.compile('[' + ''.join(f'\\U{code:08x}' for code in PLANES if not is_harmless(code)) + ']')


def escape(match):
    """Bytes that are not UTF-8 are surrogates here, each for itself."""
    code = ord(match[0])
    if 0xdc80 <= code <= 0xdcff:
        return f'\\x{code - 0xdc00:02x}'
    return f'\\x{code:02x}' if code < 0x80 else f'\\u{code:04x}'


@functools.lru_cache(1 << 12)
def shown(data):
    """The name as a text has it: escaped where a terminal or a reader would obey it."""
    return HARMFUL.sub(escape, data.decode(errors='surrogateescape'))


@functools.lru_cache(1 << 12)
def replaced(data):
    """The name as a format has it that knows all of Unicode."""
    return re.sub('[\ud800-\udfff]', '\ufffd', data.decode(errors='surrogateescape'))
