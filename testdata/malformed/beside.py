"""What lies beside a profile, or is said of it: configuration, suppressions, perf maps, caches, bases, patterns, options."""

import random
import re

from extremes import TEXTS
from inputs import PROGRAM, SNAPSHOT, TESTDATA, USUAL, Bench
from samples import named, samples

ALL_ENDS = 0, 1, 2, 3, 4
SHAPES = str(TESTDATA / 'profiles' / 'shapes.heap')
SECOND = str(TESTDATA / 'scene' / 'profile.0009.heap')
JIT = str(TESTDATA / 'profiles' / 'finding_jit.heap')
CONFIG = '../config/pprof/config'

OPTIONS = '''text top symbols info tree peek list disasm weblist traces tags comments raw collapsed callgrind json speedscope csv
    html flame dot svg ps proto topproto folded stacks trend by sort-files file-times fail-growth fail-above suppressions
    inuse-space alloc-objects total-delay mean-delay contentions sample-index base diff-base normalize drop-negative mean divide-by
    columns sizes unit show-bytes functions filefunctions lines files addresses noinlines showcolumns show-addresses return-addresses
    cum flat compact-labels no-strip-temp all-frames source-path trim-path embed-source intel-syntax focus ignore show hide show-from
    prune-from retain exclude relative-percentages thread tagfocus tagignore tagshow taghide tagroot tagleaf nodecount nodefraction
    edgefraction maxdegree trim call-tree tagnodes heapcheck scale sysroot path-map symbol-path lib-prefix add-lib perf-map
    force-binary symbolize buildid debug-syms-by-id tools cache jobs sampling-period no-unsample add-comment no-auto-signal-frm
    max-inflate strict interactive output color config quiet verbose help version http no-browser test seconds timeout
    tls-cert'''.split()

PATTERNS = (
    '(a+)+$', '(a|a)*$', '(.*)*x', '((((a*)*)*)*)*b', '(?=.*){1000}', 'a{65535}', '(a{1000}){1000}', '(' * 5000, ')' * 10, '[' * 1000,
    '(?R)', '(?1)', '(a(?R)?b)', '(?>a)*' * 300, '\\' * 11, '\\p{L}*' * 200, '(?#' + 'x' * 60000, '(?C)', '*', '+', '?', 'a**', '(?<n>a)\\k<n>',
    '(*LIMIT_MATCH=4294967295)(a+)+$', '(*LIMIT_HEAP=1)(a+)+$', '(*LIMIT_DEPTH=4294967295)(a+)+$', '(*UTF)(*UCP)\\w+', '\\C', '^' * 1000,
    '|' * 50000, '.' * 60000, '(?i)' * 5000, '\x01', '\xff', '(?(R)a|b)', '(?(DEFINE)(?<x>a))', '(?<=a{1,200})b', '((?:a|b|ab)*)*c',
    '0x', '0xffffffffffffffffffff', '0x401200', '\\Q' + 'a' * 60000, '(?s:.*)' * 100 + 'x', '(?<!a|b|c)d', '[[:alpha:]]+' * 1000, '\\K' * 500)

MB = 1000000


def options():
    """Each option with extreme values, on the command line and in the file."""
    for i, option in enumerate(OPTIONS):
        for j, value in enumerate((*TEXTS, b'1' * 100000, b'=', b',,,', b':', b'..', b'1MB', b'1e308GB', b'%', b'100%', b'0.5', b'\xff\xfe')):
            if b'\0' in value or (option == 'output' and value):
                continue
            text = value.decode(errors='surrogateescape')
            yield Bench('option', f'--{option}={text[:30]!r}', {}, (((f'--{option}={text}', PROGRAM, SHAPES), ALL_ENDS),))
            if (i + j) % 3 == 0:
                yield config(f'{option} = {text[:30]!r}', f'{option} = '.encode() + value + b'\n')


def config(recipe, content):
    return Bench('configuration', recipe, {CONFIG: content}, ((('--text', PROGRAM, SHAPES), ALL_ENDS),
                                                              (('--top', '--trend', SNAPSHOT, SECOND), ALL_ENDS)))


def configs():
    for byte in b'\0\n\r\t =#-[]"\\a\x80\xff':
        yield config(f'a megabyte of {byte:#04x}', bytes([byte]) * MB)
        yield config(f'a value of a megabyte of {byte:#04x}', b'focus = ' + bytes([byte]) * MB)
    for line in b'focus = x', b'path-map = /a=/b', b'add-comment = x', b'cum', b'nosuch = 1', b'# x', b'fail-above = a:1', b'symbol-path = /a':
        yield config(f'100,000 times {line.decode()}', (line + b'\n') * 100000)
    rng = random.Random('configurations')
    good = b'# of ours\ncum\nnodecount = 20\nfocus = main\npath-map = /srv/app/lib=elf\nunit = kB\ncolor = never\n'
    for place in range(len(good)):
        yield config(f'cut after {place} bytes', good[:place])
        yield config(f'another byte {place}', good[:place] + rng.randbytes(1) + good[place + 1:])


def suppressions():
    def made(recipe, content):
        return Bench('suppressions', recipe, {'s': content}, ((('--trend', '--suppressions=s', SNAPSHOT, SECOND), ALL_ENDS),
                                                              (('--text', '--suppressions=s', PROGRAM, SHAPES), ALL_ENDS)))
    for pattern in PATTERNS:
        yield made(f'pattern {pattern[:40]!r}', b'leak:' + pattern.encode() + b'\n')
    for byte in b'\0\n\r\t *^$.#:a\x80\xff':
        yield made(f'a megabyte of {byte:#04x}', bytes([byte]) * MB)
        yield made(f'a pattern of a megabyte of {byte:#04x}', b'leak:' + bytes([byte]) * MB)
    for text in b'leak:a*b*c*d*e*f*', b'leak:*', b'leak:^$', b'race:x', b'leak:main', b'leak:' + b'*a' * 100:
        yield made(f'many times {text[:20].decode()}', (text + b'\n') * (MB // (len(text) + 1)))
    yield made('many patterns', b''.join(b'leak:f%d*g\n' % i for i in range(60000)))
    good = (TESTDATA / 'suppressions' / 'scene').read_bytes()
    for place in range(len(good)):
        yield made(f'cut after {place} bytes', good[:place])
        yield made(f'without byte {place}', good[:place] + good[place + 1:])


def patterns():
    deep = b'goroutine profile: total 1\n1 @ 0x1\n#\t0x1\t' + b'a' * 60000 + b'+0x1\t/a.c:1\n'
    for pattern in PATTERNS:
        for option in 'focus', 'hide', 'list', 'tagfocus', 'fail-above', 'prune-from':
            word = f'--{option}={pattern}' + (':1' if option == 'fail-above' else '')
            yield Bench('pattern', f'--{option}={pattern[:40]!r}', {'0': deep},
                        (((word, '0'), ALL_ENDS), ((word, PROGRAM, SHAPES), ALL_ENDS)))


def perf_maps():
    good = (TESTDATA / 'profiles' / 'finding_jit.map').read_bytes()

    def made(recipe, content):
        return Bench('perf map', recipe, {'m': content}, ((('--text', '--perf-map=m', JIT), USUAL),))
    for place in range(len(good)):
        yield made(f'cut after {place} bytes', good[:place])
    for found in re.finditer(rb'[0-9a-fx]+', good):
        for value in TEXTS:
            yield made(f'{value[:30]!r} at byte {found.start()}', good[:found.start()] + value + good[found.end():])
    for byte in b'\0\n\r\t 0fx\x80\xff':
        yield made(f'a megabyte of {byte:#04x}', bytes([byte]) * MB)
        yield made(f'a name of a megabyte of {byte:#04x}', b'7f0000001000 100 ' + bytes([byte]) * MB)
    n = 40000
    yield made('rows', b''.join(b'%x 10 f%d\n' % (0x7f0000000000 + 16 * i, i) for i in range(n)))
    yield made('rows of one place', b''.join(b'7f0000001000 100 f%d\n' % i for i in range(n)))
    yield made('rows that hold each other', b''.join(b'%x %x f%d\n' % (0x7f0000000000 + i, 2 * (n - i), i) for i in range(n)))
    yield made('rows that overlap', b''.join(b'%x 10000 f%d\n' % (0x7f0000000000 + i, i) for i in range(n)))
    yield made('rows from the end', b''.join(b'%x 10000 f%d\n' % (0x7f0000100000 - i, i) for i in range(n)))
    yield made('rows of all addresses', b''.join(b'%x ffffffffffffffff f\n' % i for i in range(n)))
    yield made('a mangled name that doubles', b'7f0000001000 100 _Z1fI' + b'1aIS_' * 40 + b'E' * 41 + b'v\n')


def bases():
    """Wrong ones where the base is expected, and first and last of snapshots in time."""
    for sample in samples():
        rng = random.Random('base of ' + sample.name)
        size = len(sample.data)
        for place in sorted(rng.sample(range(size), min(size, 6))):
            for recipe, data in ((f'{sample.name} after {place} bytes', sample.data[:place]),
                                 (f'{sample.name} without byte {place}', sample.data[:place] + sample.data[place + 1:])):
                words = (('--text', '--base=0', sample.path), ('--top', '--diff_base=0', '--normalize', sample.path),
                         ('--trend', '0', sample.path, sample.path), ('--trend', '--svg', sample.path, sample.path, '0'))
                yield Bench('base', recipe, {'0': data}, tuple((each, USUAL) for each in words))
    good, = named('shapes.heap')
    other, = named('cpu.pb')
    for words in (('--base=0', SHAPES), ('--trend', SHAPES, '0'), ('--trend', '0', SHAPES), (SHAPES, '0')):
        yield Bench('base', f'of another type: {" ".join(words[:-1])[:20]}', {'0': other.data}, (((*words, '--text'), USUAL),))
    yield Bench('base', 'a thousand of them', {'0': good.data}, ((('--text', *['--base=0'] * 1000, SHAPES), USUAL),
                                                               (('--text', *['0'] * 1000), USUAL),
                                                               (('--trend', *['0'] * 1000), USUAL)))


def inputs():
    for make in options, configs, suppressions, patterns, perf_maps, bases:
        yield from make()
