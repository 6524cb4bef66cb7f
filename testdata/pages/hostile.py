"""Names that would be more than text, in every place of a profile."""

import xml.etree.ElementTree as ElementTree

from page import Page, check, filters, same
from proto_writer import Profile

RAISE = 'window.hacked=1'
ELSEWHERE = 'http://127.0.0.1:9/x'
PAYLOADS = [
    f'<img src=x onerror={RAISE}>', f'<svg onload={RAISE}>', f'<script>{RAISE}</script>', f'</script><script>{RAISE}</script>',
    f'</SCRIPT ><script>{RAISE}</script>', f'</style><script>{RAISE}</script>', f'--><script>{RAISE}</script>',
    f'--!><script>{RAISE}</script>', '<!--<script>', f']]><script>{RAISE}</script>', f'"><img src=x onerror={RAISE}>',
    f"'><img src=x onerror={RAISE}>", f'" onmouseover="{RAISE}', f"' onfocus='{RAISE}' autofocus='", f'` onclick=`{RAISE}`',
    f'javascript:{RAISE}', f'<a href="javascript:{RAISE}">x</a>', f'data:text/html,<script>{RAISE}</script>', f'${{{RAISE}}}',
    f'`${{{RAISE}}}`', f'{{{{{RAISE}}}}}', f"';{RAISE}//", f'";{RAISE}//', f'\\";{RAISE}//', f'\\u003cscript\\u003e{RAISE}\\u003c/script\\u003e',
    f'\\x3cscript\\x3e{RAISE}', f'&lt;script&gt;{RAISE}&lt;/script&gt;', f'&#60;script&#62;{RAISE}', '&quot; &amp; &nosuch; &#0;',
    f'%3Cscript%3E{RAISE}%3C/script%3E', f'<iframe srcdoc="<script>parent.{RAISE}</script>">', f'<iframe src="javascript:parent.{RAISE}">',
    f'<object data={ELSEWHERE}>', f'<embed src={ELSEWHERE}>', f'<link rel=stylesheet href={ELSEWHERE}>',
    f'<style>*{{background:url({ELSEWHERE})}}</style>', f'}}*{{background:url({ELSEWHERE})}}', f'<meta http-equiv=refresh content="0;url={ELSEWHERE}">',
    f'<base href={ELSEWHERE}>', f'<form action={ELSEWHERE}><button autofocus>', f'<video src={ELSEWHERE} onerror={RAISE}>',
    f'<details open ontoggle={RAISE}>', f'<input autofocus onfocus={RAISE}>', f'<title>{RAISE}</title>', f'</title><script>{RAISE}</script>',
    f'</textarea><script>{RAISE}</script>', f'<noscript><p title="</noscript><img src=x onerror={RAISE}>">', f'<math><mtext><img src=x onerror={RAISE}>',
    f'<foreignObject><body onload={RAISE}>', f'<animate onbegin={RAISE} attributeName=x dur=1s>', f'<use href="data:image/svg+xml,{RAISE}">',
    f'<set attributeName=href to="javascript:{RAISE}">', f'xlink:href="javascript:{RAISE}"', '<?xml version="1.0"?>', '<!DOCTYPE html>',
    f'<!ENTITY x SYSTEM "{ELSEWHERE}">', '<![CDATA[', '</svg>', '</g></svg><svg>', '</html>', '</body></main>', '<plaintext>', '<template>',
    '\u2028' + RAISE + '\u2029', '\u202e' + RAISE, '\u200b\ufeff\u2066x\u2069', '\x1b[31mred', '\x07\x08\x7f\x85', 'one\r\ntwo\tthree', ' ', '"', "'", '<', '&',
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'then', 'location', 'document', 'data', 'graph', 'summary',
    '(', '[', '*', '\\', '(?:', 'a{1,', '$&', '$1', '$`', '%s%n%d', '#search=x&view=top', '?a=b', '../../etc/passwd', 'NaN', 'Infinity', '-0', 'null',
    '(no stack)', '(small: 3 nodes)', 'all', '\U0001f600\u0301\u0301\u0301', '\ufdfd' * 20, 'x' * 5000 + f'<img src=x onerror={RAISE}>',
    b'\xff\xfe<script>window.hacked=1</script>', b'\xc0\xbcscript\xc0\xbe', b'\xed\xa0\x80\xed\xb0\x80', b'cut \xe2\x82', b'\xf4\x90\x80\x80', b'a\0b<b>',
]
SHAPES_OF_NAMES = ['%s', 'std::map<%s, int>::at(%s const&)']
# What a name may never become; data is where the page keeps its columns.
INTRUDERS = 'img, iframe, object, embed, link, base, form, video, audio, template, noscript, math, foreignObject, animate, set, use, textarea, input[autofocus]'


def hostile_names():
    for shape in SHAPES_OF_NAMES:
        for payload in PAYLOADS:
            text = payload if isinstance(payload, bytes) else payload.encode()
            yield shape.encode().replace(b'%s', text)


def hostile_profile(path):
    """Every name in every place: functions, files, objects, build ids, labels, types, units and comments."""
    names = list(hostile_names())
    profile = Profile([(names[i], names[-1 - i]) for i in range(4)])
    for i, name in enumerate(names, 1):
        profile.mapping(i, i << 20, i + 1 << 20, 0, b'/' + name, name)
        profile.location(i, i, i << 20, (i, i))
        profile.function(i, name, b'/src/' + name)
    for i, name in enumerate(names, 1):
        stack = [1 + (i * step) % len(names) for step in (1, 7, 11)]
        profile.sample(stack, [i, i * 1000, i, i * 10], (name, names[-i].decode(errors='replace')), (name, i, name))
    for name in names:
        profile.comment(name)
    path.write_bytes(profile.whole())
    return len(names)


def check_intruders(browser, what):
    same(None, browser.evaluate('window.hacked || null'), f'{what}: a name was run')
    same([], browser.evaluate(f"[...document.querySelectorAll('{INTRUDERS}')].map((e) => e.outerHTML.slice(0, 200))"), f'{what}: elements of names')
    same([], browser.evaluate('''[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]).filter((a) => /^on|^srcdoc$/i.test(a.name) ||
        /^(href|src|action|xlink:href)$/.test(a.name) && !/^(#|$)/.test(a.value)).map((a) => a.name + '=' + a.value)'''), f'{what}: attributes of names')
    found = browser.take_faults()
    check(not found, f'{what}: {found[:5]}')


def check_hostile(browser, tool):
    """Names are text, wherever they come."""
    profile = tool.file('pb')
    n_names = hostile_profile(profile)
    check(n_names >= 200, f'only {n_names} names')
    page = Page(browser, tool.page(profile))
    browser.evaluate('void (window.alert = window.confirm = window.prompt = () => { window.hacked = 2; })')
    check_intruders(browser, 'hostile names')
    for view in page.ask('pprofPage.views.map((view) => view.name)'):
        for place in range(len(page.types)):
            page.set(view=view, type=place)
            check_intruders(browser, f'hostile names, {view}, type {place}')
    for layout in 'icicle', 'flame', 'inverted':
        page.set(view='flame', layout=layout)
        for x in range(20, 1200, 60):
            browser.move(x, 200)
        check_intruders(browser, f'hostile names, {layout}')
    for name in PAYLOADS[:20]:
        if isinstance(name, str):
            page.set(search=name, filters=filters(focus=[name]), view='top')
            check_intruders(browser, f'a hostile search: {name}')
            page.set(filters=[], row=3, view='sandwich')
            link = page.ask('location.href')
            check(all(c.isprintable() and c not in '<>"' for c in link), f'a link that is no link: {link}')
    check_intruders(browser, 'hostile searches')


def check_hostile_flame(browser, tool):
    """The same in a picture, which is a document of its own."""
    profile = tool.file('pb')
    hostile_profile(profile)
    for args in [profile], ['--base', profile, profile]:
        path = tool.page(*args, report='--flame')
        ElementTree.parse(path)
        browser.open(path)
        for x in range(20, 1200, 60):
            browser.click(x, 150)
        check_intruders(browser, f'--flame {args}')
