#!/usr/bin/env python3
"""Holds the answers against what google/pprof printed for the same inputs, against right answers that were worked out
without this program, and real profiles of strangers against totals that were added up elsewhere.

cases.py PPROF    the folder of cases is $PPROF_CASES, or ../shared/cases beside the root of this tree. It holds handmade/
                  (profiles), tnp (the program they speak of) and peers/NAME.REPORT.txt (google/pprof's answers).
                  Beside it may lie strangers/ (profiles that others published). Without the folder the exit status is 77.

Where we and google/pprof differ by intent, EXCEPTIONS turns google/pprof's text into ours, and the rest is still compared.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import harness

# ---------------------------------------------------------------------------------------------------- google/pprof

REPORTS = {
    'top': ['--top'],
    'top.cum.lines': ['--top', '--cum', '--lines'],
    'tree': ['--tree'],
    'peek': ['--peek=burn|main'],
    'traces': ['--traces'],
    'tags': ['--tags'],
    'raw': ['--raw'],
}

# google/pprof gives two columns to a heap whose header says that nothing was freed.
TWO_COLUMN_HEAPS = ('leaf.heap', 'rec.heap', 'trim.heap', 'v2.heap')
FOUR_TYPES = 'alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes'

# Profiles, reports, the row of DIFFERENCES, why, and what turns google/pprof's text into ours (regular expressions).
EXCEPTIONS = [
    (TWO_COLUMN_HEAPS, ('top', 'top.cum.lines', 'tree', 'peek', 'traces'), 1, 'a heap always has four columns',
     [(r'^Type: space$', 'Type: inuse_space')]),
    (('v2.heap',), ('raw',), 16, 'sampled values are rounded, not cut',
     [(r'^          1     749475:', '          2     749476:'), (r'^          9     553822:', '         10     553823:')]),
    (TWO_COLUMN_HEAPS, ('raw',), 1, 'a heap always has four columns',
     [(r'^objects/count space/bytes$', FOUR_TYPES), (r'^( +\d+ +\d+): ', r'\1\1: ')]),
    (('trim.heap',), ('top', 'top.cum.lines', 'tree'), 52, 'the test is <, and the text says so',
     [(r'\(cum <= ', '(cum < ')]),
    (('p1.pb',), ('tags', 'traces'), 49, 'a label of 5 kilobytes stays one beside 3 megabytes', [(r'5MB', '5kB')]),
]

# ---------------------------------------------------------------------------------------------------- handmade

TNP = '../tnp'
SEVEN_OF_TEN = ' 7 70.0% 70.0% 7 70.0% burn', ' 3 30.0% 100.0% 8 80.0% burn2'

# The row of DIFFERENCES (or the chapter), the arguments, the exit status, what must stand in the answer (blanks count as
# one; a ! before it: must not), worked out by the formulas of the specification.
ANSWERS = [
    # Sampling: n / (1 - exp(-b / n / N)).
    (16, ('--show_bytes', TNP, 'v2.heap'), 0, ('Total: 3925189 B', '1573014 40.1%', '749476 19.1%', '553823 14.1%', '1048876 26.7%')),
    (16, ('--inuse_objects', TNP, 'v2.heap'), 0, ('Total: 19238 objects',)),
    (16, ('--show_bytes', TNP, 'vz2.heap'), 0, ('Total: 3925189 B',)),
    (16, ('--show_bytes', TNP, 'v2.heap', 'vz2.heap'), 0, ('Total: 7850377 B',)),
    (16, ('--show_bytes', '--no-unsample', TNP, 'v2.heap'), 0, ('Total: 458900 B',)),
    (13, ('--show_bytes', TNP, 'v1.heap'), 0, ('Total: 2114519 B', '511136 24.2% 86.2% 511136 24.2% burn')),  # 2114518.88
    (12, ('--show_bytes', TNP, 'v1zero.heap'), 0, ('Total: 511136 B',)),
    (14, ('--show_bytes', TNP, 'v0.heap'), 0, ('Total: 458900 B', 'warning: v0.heap:1: the header does not tell how')),
    (14, ('--show_bytes', '--sampling_period=524288', TNP, 'v0.heap'), 0, ('Total: 3925189 B', '!warning:')),
    (15, ('--show_bytes', TNP, 'v2nop.heap'), 0, ('Total: 524488 B', 'warning: v2nop.heap:1: the header names no sampling period')),
    (17, ('--show_bytes', '--traces', TNP, 'v2z.heap'), 0, ('0 burn', '749476B burn2')),
    (17, ('--inuse_objects', TNP, 'v2z.heap'), 0, ('Total: 3 objects', '1 34.8% 100.0% 1 34.8% burn')),  # 1 + 1.87
    ('1.1', ('--show_bytes', TNP, 'hp.heap'), 0, ('Total: 458900 B', '!warning:')),
    ('1.1', ('--show_bytes', TNP, 'hpn.heap'), 0, ('Total: 400 B',)),
    ('1.1', ('--show_bytes', TNP, 'other.heap'), 0, ('Total: 400 B', 'warning: other.heap:1: the label "heap_v3/524288"')),
    ('1.1', ('--show_bytes', TNP, 'growth.heap'), 0, ('Total: 2097152 B',)),
    ('1.1', ('--show_bytes', TNP, 'growth2.heap'), 0, ('Total: 2097152 B',)),
    ('1.1', ('--show_bytes', TNP, 'growthurl.heap'), 0, ('Total: 2097152 B',)),
    ('1.1', ('--show_bytes', TNP, 'frag.heap'), 0, ('Total: 2097152 B',)),
    ('1.1', ('--inuse_space', TNP, 'growth.heap'), 0, ('Total: 2.0 MB',)),
    # Rows.
    (18, ('--show_bytes', TNP, 'garb.heap'), 0, ('Total: 1200000 B', '800000 100.0% 100.0% 800000 100.0% burn', '33.3% of the total has no stack')),
    (19, ('--show_bytes', TNP, 'zc.heap'), 0, ('Total: 400300 B', '300 0.1% 100.0% 300 0.1% (anonymous namespace)::anon_alloc')),
    (19, ('--show_bytes', TNP, 'neg.heap'), 0, ('Total: 399700 B', '-300 -0.1%')),
    (44, ('--show_bytes', TNP, 'no0x.heap'), 0, ('Total: 5242880 B', '2097152 40.0% 40.0% 2097152 40.0% burn2', '20.0% burn', '20.0% rburn',
                                                 '20.0% recurse', 'no0x.heap:7: expected a hexadecimal address; the row is skipped')),
    (45, ('--show_bytes', TNP, 'long.heap'), 0, ('Total: 1048576 B', '1048576 100.0% 100.0% 1048576 100.0% burn')),
    (46, (TNP, 'a.heap.gz'), 0, ('Total: 6.0 MB', '3.0 50.0% 50.0% 3.0 50.0% (anonymous namespace)::anon_alloc')),
    (48, (TNP, 'x@2'), 0, ('Total: 6.0 MB',)),
    ('1.2', (TNP, 'big.heap'), 0, ('Total: 0.0 MB', '2 rows like this are skipped, 100.0% of the header')),
    ('0', (TNP, 'warn.heap'), 0, ('Total: 6.0 MB', 'warning: warn.heap:1: the profile says: be careful')),
    ('0', (TNP, 'nil.heap'), 2, ('found an empty file',)),
    ('0', ('no-such.heap',), 2, ('no such file',)),
    (55, (TNP, 'empty.heap'), 0, ('Total: 0.0 MB',)),
    (55, ('--focus=nobody', TNP, 'a.heap'), 1, ('no stack is left',)),
    ('1.2', (TNP, 'crlf.heap'), 0, ('Total: 6.0 MB', '!warning:')),
    ('9.2', (TNP, 'w.heap'), 0, ('Total: 6.0 MB', '2.0 33.3% 83.3% 2.0 33.3% burn')),
    (47, (TNP, 'a.heap', 'no-such.heap'), 3, ('Total: 6.0 MB', 'warning: no-such.heap: no such file')),
    # Stacks.
    (7, (TNP, 'leaf.heap'), 0, ('0.4 100.0% 100.0% 0.4 100.0% recurse', '!burn')),
    (8, (TNP, 'leafcpu.prof'), 0, ('Total: 6 samples', '4 66.7% 66.7% 4 66.7% burn', '2 33.3% 100.0% 2 33.3% burn2')),
    (9, (TNP, 'one.prof'), 0, ('7 100.0% 100.0% 7 100.0% burn', '7 100.0% burn2', '7 100.0% rburn', '7 100.0% main')),
    (9, (TNP, 'mostly.prof'), 0, ('Total: 42 samples', '40 95.2% recurse')),
    (10, (TNP, 'zero2.prof'), 0, ('Total: 10 samples', '5 50.0% 50.0% 5 50.0% burn', '3 30.0% 80.0% 3 30.0% <unknown>', '2 20.0% 100.0%')),
    (10, (TNP, 'zero.prof'), 0, ('Total: 10 samples', '7 70.0% 70.0% 7 70.0% burn')),
    (28, ('--top', TNP, 'rec.heap'), 0, ('0 0% 100% 2MB 100% recurse', '0 0% 100% 1MB 50.00% burn')),
    (50, (TNP, 'main.heap'), 0, ('../tnp is taken for /srv/app/bin/server', '1.0 100.0% 100.0% 1.0 100.0% burn')),
    ('9.4', (TNP, 'ms.heap'), 0, ('1.0 100.0% main',)),
    ('9.4', (TNP, 'ms2.heap'), 0, ('1.0 100.0% 100.0% 1.0 100.0% burn', '1.0 100.0% main')),
    (43, ('sym.heap',), 0, ('3.0 50.0% 50.0% 3.0 50.0% inl_bar', '3.0 50.0% foo', '3.0 50.0% base::baz', '6.0 100.0% main')),
    (43, ('sym2.heap',), 0, ('3.0 50.0% 50.0% 3.0 50.0% inl_bar', '3.0 50.0% foo', '3.0 50.0% base::baz', '6.0 100.0% main')),
    (43, (TNP, 'sym2.heap'), 0, ('3.0 50.0% 50.0% 3.0 50.0% (anonymous namespace)::anon_alloc', '2.0 33.3% burn')),
    (43, ('sym3',), 0, ('Total: 0.003 seconds', '0.003 100.0% main')),
    (62, (TNP, 'ms.heap'), 0, ('[libc.so.6+0x3ffdf]',)),
    # CPU profiles: 7 of 10 in burn, whatever the machine.
    ('4', (TNP, 'cpu32l.prof'), 0, ('Total: 10 samples', *SEVEN_OF_TEN)),
    ('4', (TNP, 'cpu32b.prof'), 0, SEVEN_OF_TEN),
    ('4', (TNP, 'cpu64l.prof'), 0, SEVEN_OF_TEN),
    ('4', (TNP, 'cpu64b.prof'), 0, SEVEN_OF_TEN),
    ('4', (TNP, 'hdr4.prof'), 0, SEVEN_OF_TEN),
    ('4', (TNP, 'notrail.prof'), 0, (*SEVEN_OF_TEN, 'without a trailer')),
    ('4', (TNP, 'dup.prof'), 0, ('5 50.0% 50.0% 5 50.0% burn', '3 30.0% 80.0% 8 80.0% burn2', '2 20.0% 100.0% 5 50.0% rburn')),
    # Locks: cycles * period / GHz.
    (22, (TNP, 'cont1'), 0, ('Total: 0.003 seconds', '0.002 60.0% 60.0% 0.002 60.0% burn2')),
    (22, ('--top', TNP, 'cont1'), 0, ('of 2.50ms total', '1ms 40.00% 100% 1ms 40.00% burn')),
    (22, ('--contentions', TNP, 'cont1m'), 0, ('Total: 500 samples', '400 80.0%')),
    (23, (TNP, 'cont2'), 0, ('Total: 500000 cycles', 'warning: cont2:1: expected "cycles/second = N"')),
    (23, (TNP, 'cont2m'), 0, ('Total: 500000 cycles',)),
    (23, ('--top', TNP, 'cont3'), 0, ('of 50us total', '!warning:')),
    (23, ('--top', TNP, 'cont3m'), 0, ('of 50us total',)),
    (23, ('--top', TNP, 'cont4'), 0, ('of 50us total',)),
    (23, ('--top', TNP, 'cont4m'), 0, ('of 50us total',)),
    (24, ('--top', TNP, 'cont5'), 0, ('of 1ms total',)),
    (24, ('--top', TNP, 'cont5m'), 0, ('of 1ms total',)),
    ('3', (TNP, 'cont6'), 0, ('Total: 20000 cycles',)),
    ('8', ('--top', 'cont7'), 0, ('of 100us total',)),
    ('6', ('gor',), 0, ('Total: 6 samples', '4 66.7% 66.7% 4 66.7% main.f')),
    ('7', (TNP, 'thr'), 0, ('Total: 2 samples', '2 100.0% 100.0% 2 100.0% burn')),
    # Differences.
    (25, ('--base=a.heap', TNP, 'b.heap'), 0, ('Total: 1.0 MB (percentages of 7.0 MB', '3.0 42.9% 42.9% 3.0 42.9% burn', '1.0 14.3% 57.1% 1.0 14.3% rburn',
                                               '-1.0 -14.3%', '-2.0 -28.6% 14.3%', '-2.0 -28.6% recurse')),
    (25, ('--base=a.heap', TNP, 'b2.heap'), 0, ('Total: -1.0 MB (percentages of 5.0 MB', '1.0 20.0% 20.0% 1.0 20.0% burn', '-2.0 -40.0%')),
    (60, ('--top', '--base=a.heap', TNP, 'b.heap'), 0, ('1MB, 14.29% of 7MB total', '-2MB -28.57% 14.29%')),
    (26, ('--base=q0.heap', TNP, 'q1.heap'), 0, ('Total: 2.0 MB', '2.0 100.0% 100.0% 2.0 100.0% burn')),
    (26, ('--base=q0.heap', TNP, 'q2.heap'), 0, ('Total: 2.0 MB', '2.0 100.0% 100.0% 2.0 100.0% burn')),
    (61, ('--base=q1.heap', TNP, 'q0.heap'), 0, ('Total: -2.0 MB', '-2.0 -100.0% -100.0% -2.0 -100.0% burn')),
    (27, ('--drop_negative', '--base=a.heap', TNP, 'b.heap'), 0, ('Total: 4.0 MB', '3.0 75.0% 75.0% 3.0 75.0% burn', '4.0 100.0% main', '!-')),
    (3, ('--base=b.heap', TNP, 'b.heap'), 0, ('Total: 0.0 MB', '!burn')),
    (58, (TNP, 'a.heap', 'cpu64l.prof'), 2, ('a.heap and cpu64l.prof cannot be combined',)),
    (58, ('--base=cpu64l.prof', TNP, 'a.heap'), 2, ('cannot be combined',)),
    (4, ('--base=a.heap', TNP, 'a.pb.gz'), 0, ('Total: 0.0 MB', '!percentages')),  # which names another path
    (1, (TNP, 'a.heap', 'b.heap'), 0, ('Total: 13.0 MB',)),
    (1, (TNP, 'a.heap', 'leaf.heap'), 0, ('Total: 6.4 MB',)),
    (53, ('--unit=foo', TNP, 'a.heap'), 2, ('foo',)),
    (53, ('--unit=seconds', TNP, 'a.heap'), 2, ('seconds',)),
    # profile.proto.
    (49, ('--tags', 'p1.pb'), 0, ('0 ( 0%): 5kB', '50ns (33.33%): 3MB')),
    (49, ('--tags', 'p1.pb.gz'), 0, ('0 ( 0%): 5kB',)),
    ('10', ('--top', 'p1u.pb'), 0, ('of 100ns total',)),
    ('10', ('--top', 'pcat.pb'), 0, ('of 300ns total', 'holds 2 profiles')),
    ('10', ('--top', 'pt.pb'), 0, ('of 200ns total', 'holds 2 profiles')),
    ('10', ('--top', 'pd.pb'), 0, ('Type: samples',)),
    ('10', ('--top', 'pbad.pb'), 0, ('of 150ns total', 'warning: pbad.pb+0x125:')),
    ('10', ('--strict', '--top', 'pbad.pb'), 3, ('of 150ns total',)),
    ('10', ('--top', 'pmis.pb'), 2, ('pmis.pb+0xc: expected 2 values in a sample, found 1',)),
    ('10', ('--top', 'pnoloc.pb'), 2, ('pnoloc.pb+0x10: expected a location of id 9',)),
    ('10', ('--top', '--sample_index=cum', 'tp.pb.gz'), 0, ('6MB 40.00% 40.00% 6MB 40.00% main',)),
    ('10', ('a.pb.gz',), 0, ('Total: 6.0 MB', '3.0 50.0% 50.0% 3.0 50.0% (anonymous namespace)::anon_alloc')),
]

# ---------------------------------------------------------------------------------------------------- strangers

# The exit status, and the total as --text --show_bytes shows it, or words of the error. Totals were added up by a script
# that knows nothing of this program, sampled ones by the formula above.
STRANGERS = {
    'arena__macos_profile.heap': (0, '46137344 B'),
    'chromium_trace-memory-test__zero_addresses.heap': (0, '73486 B'),
    'felixge-pprofutils__anon.in.pprof': (0, '6385 samples'),
    'felixge-pprofutils__heapage.in.pprof': (0, '1374249148 B'),
    'felixge-pprofutils__json.in.pprof': (0, '38 samples'),
    'felixge-pprofutils__pprof.lines.pb.gz': (0, '308 samples'),
    'felixge-pprofutils__pprof.samples.cpu.001.pb.gz': (0, '38 samples'),
    'google-pprof__cppbench.contention': (0, '0.691 seconds'),
    'google-pprof__cppbench.cpu': (0, '712 samples'),
    'google-pprof__cppbench.growth': (0, '178257920 B'),
    'google-pprof__cppbench.heap': (0, '80935306 B'),
    'google-pprof__cppbench.thread': (0, '4 samples'),
    'google-pprof__cppbench.thread.all': (0, '4 samples'),
    'google-pprof__cppbench.thread.none': (0, '4 samples'),
    'google-pprof__driver_cppbench.cpu_no_samples_type': (0, '7.120 seconds'),
    'google-pprof__driver_cppbench.small.contention': (0, '0.000 seconds'),
    'google-pprof__driver_go.nomappings.crash': (0, '1765955 B'),
    'google-pprof__fuzz_7e3c': (2, 'format = java'),
    'google-pprof__go.crc32.cpu': (0, '211 samples'),
    'google-pprof__go.godoc.thread': (0, '7 samples'),
    'google-pprof__gobench.cpu': (0, '305 samples'),
    'google-pprof__gobench.heap': (0, '7721321 B'),
    'google-pprof__java.contention': (0, '0.002 seconds'),
    'google-pprof__java.cpu': (0, '7 samples'),
    'google-pprof__java.heap': (0, '9968705 B'),
    'google-pprof__report_sample.cpu': (0, '176 samples'),
    'gperftools-docs__growth.excerpt.growth': (0, '2621440 B'),
    'gperftools-docs__heap_v1_noperiod.excerpt.heap': (0, '390526638 B'),
    'gperftools-docs__heap_v2.excerpt.heap': (0, '551452140 B'),
    'holmes__go_debug1_b.heap': (0, '374107852 B'),
    'issue_google-pprof-489__java_nostack.excerpt.heap': (0, '270549613 B'),
    'issue_gperftools-1245__openwrt_musl.heap': (0, '1024 B'),
    'issue_gperftools-1245__ubuntu.heap': (0, '1024 B'),
    'issue_gperftools-395__windows_vs2010.excerpt.heap': (0, '1064960 B'),
    'issue_gperftools-657__maps_android_chrome.maps': (2, 'a memory map alone'),
    'issue_gperftools-822__mips_uclibc_nostack.heap': (0, '20815390 B'),
    'issue_gperftools-841__arm_nostack.heap': (0, '221 B'),
    'issue_gperftools-849__maps_split_segments.maps': (2, 'a memory map alone'),
    'issue_jemalloc-1466__lg_prof_sample0.header.heap': (0, '0 B'),
    'issue_jemalloc-2561__foundationdb.excerpt.heap': (0, '1048592 B'),
    'note_cpp_blog__heapprofile_zero_tail.excerpt.heap': (0, '38996132 B'),
    'parca__fib.pb.gz': (0, '2974 samples'),
    'parca__inlining-disabled-cpu.stripped.pprof': (0, '1020 samples'),
    'parca__normal-cpu.stripped.pprof': (0, '907 samples'),
    'parca__profile.pb.gz': (0, '930 samples'),
    'parca__two-stacks.pb.gz': (0, '0.368 seconds'),
    'pyroscope__heap-js.pprof': (0, '6388384 B'),
    'pyroscope__heap.pb.gz': (0, '1602645059 B'),
    'pyroscope__invalid_utf8.pb.gz': (0, '0.000 seconds'),
    'pyroscope__nodejs-heap.pb.gz': (0, '8357762 B'),
    'pyroscope__pyspy-1.pb.gz': (0, '781 samples'),
    'speedscope__simple.prof': (0, '150 samples'),
}


# ---------------------------------------------------------------------------------------------------- running

# All runs share it: what an earlier one left there must change no answer.
CACHE = tempfile.TemporaryDirectory(prefix='cases-')


def run(pprof, args, folder):
    """stdout, stderr and the exit status; of a run that came to no end, what became of it and -1."""
    try:
        out, err, status = harness.run([pprof, *args], cwd=folder, env=harness.environment(CACHE.name, 'C'),
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except harness.Failure as fault:
        return '', f'{fault}\n', -1
    return *(text.decode(errors='backslashreplace') for text in (out, err)), status


def say(fault, *words):
    """One line for each check; fault is what is wrong with it, or nothing."""
    print('FAILED ' if fault else 'ok     ', *words)
    if fault:
        print(fault)
    return not fault


def unlike(expected, actual, *names):
    return harness.diff(expected.encode(), actual.encode(), *names)


# ---------------------------------------------------------------------------------------------------- the checks

def split_name(path):
    """a.heap.top.cum.lines.txt is the report top.cum.lines of a.heap."""
    for report in REPORTS:
        if path.stem.endswith('.' + report):
            return path.stem.removesuffix('.' + report), report
    return None


def expected_of(name, report, text):
    """google/pprof's text as we would say it, and the rows of DIFFERENCES that this took."""
    rows = []
    for names, reports, row, why, changes in EXCEPTIONS:
        if name not in names or report not in reports:
            continue
        rows.append(f'(difference {row}: {why})')
        for pattern, ours in changes:
            text = re.sub(pattern, ours, text, flags=re.M)
    return text, rows


def check_peer(pprof, folder, path):
    """Our answer is google/pprof's, to the letter."""
    name, report = split_name(path)
    expected, rows = expected_of(name, report, path.read_text(encoding='utf-8'))
    actual, errors, status = run(pprof, [*REPORTS[report], TNP, name], folder / 'handmade')
    if status:
        actual += f'{errors}[exit] {status}\n'
    return say(unlike(expected, actual, 'google/pprof', 'pprof'), f'{report:14} {name}', *rows)


def missing_in(answer, words):
    plain = re.sub(r'[ \t]+', ' ', answer)
    wrong = [word for word in words if (' '.join(word.lstrip('!').split()) in plain) == word.startswith('!')]
    return ''.join(f'not as expected: {word}\n' for word in wrong)


def check_answer(pprof, folder, row, args, status, words):
    """What must stand in the answer does."""
    *texts, actual = run(pprof, args, folder / 'handmade')
    answer = ''.join(texts)
    fault = missing_in(answer, words)
    if actual != status:
        fault += f'exit {actual}, not {status}\n'
    return say(fault and fault + answer, f'{row:>3}', *args)


def without_flags(text):
    """Of names that lie in no mapping, --raw says more after a round trip."""
    return re.sub(r'^(\d+: 0x0/0xffffffffffffffff/0x0 ).*', r'\1', text, flags=re.M)


def check_stranger(pprof, folder, name, scratch):
    """The total is right, or the error; each report comes out; what --proto writes is the same profile."""
    status, word = STRANGERS.get(name, (None, ''))
    copy = os.path.join(scratch, 'copy.pb.gz')
    runs = [run(pprof, [*args, name], folder)
            for args in (['--text', '--show_bytes'], ['--top'], ['--info'], ['--raw'], ['--proto', '-o', copy])]
    faults = [f'exit {actual}, not {status}' for _, _, actual in runs if actual != status]
    first = runs[0][0].partition('\n')[0] if status == 0 else runs[0][1]
    if (f'Total: {word}' != first) if status == 0 else (word not in first):
        faults.append(f'expected {word}, found {first}')
    if not faults and status == 0:
        again = run(pprof, ['--raw', copy], folder)
        faults.append(unlike(without_flags(runs[3][0]), without_flags(again[0]), '--raw', '--raw of --proto'))
    return say('\n'.join(filter(None, faults)), name)


def main(pprof):
    pprof = os.path.abspath(pprof)
    folder = pathlib.Path(os.environ.get('PPROF_CASES') or harness.ROOT.parent / 'shared' / 'cases')
    if not folder.is_dir():
        print(f'{folder}: no such folder; PPROF_CASES=DIR names another')
        return 77
    good = [check_peer(pprof, folder, path) for path in sorted((folder / 'peers').glob('*.txt')) if split_name(path)]
    if not good:
        print(f'{folder}: no peers/NAME.REPORT.txt')
    good += [bool(good)] + [check_answer(pprof, folder, *answer) for answer in ANSWERS]
    strangers = folder.parent / 'strangers'
    with tempfile.TemporaryDirectory(prefix='cases-') as scratch:
        good += [check_stranger(pprof, strangers, path.name, scratch) for path in sorted(strangers.glob('*'))
                 if not path.name.endswith('.expected.string')]
    print(f'{sum(good)} passed, {len(good) - sum(good)} failed')
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
