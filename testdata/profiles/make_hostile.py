#!/usr/bin/env python3
"""Makes the profiles that ask for more time or memory than their bytes are worth."""

import gzip
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
DEEPEST = 65536


def write(name, data):
    (HERE / name).write_bytes(gzip.compress(data, 9, mtime=0))


# As many names at one address as make frames times names 2^32, for a stack of nothing else.
write('bad_levels.count.gz', b'goroutine profile: total 1\n1 @' + b' 0x401234' * DEEPEST + b'\n' +
      b'#\t0x401234\tf+0x1\t/a.go:1\n' * (DEEPEST - 1))

# A path longer than any file's.
write('bad_long_path.heap.gz', b'heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ 0x401234\n\nMAPPED_LIBRARIES:\n' +
      b'00400000-00500000 r-xp 00000000 00:00 1 ' + b'/path' * 2000 + b'\n')

# Names that other programs would take for their own: formulas, markup, and lines of a callgrind file.
OBEYED = ['=1+2', '+1', '-2', '@SUM', "'said", '"=3', '</script><script>alert', 'fn=(1) main', '(2) two', 'calls=9 0 0', '* 3 4',
          '\x1b[31mred', 'a;b,c']
(HERE / 'obeyed.count').write_text('goroutine profile: total 1378\n' + ''.join(
    f'{100 + i} @ {0x2001 + 16 * i:#x} 0x1051\n#\t{0x2000 + 16 * i:#x}\t{name}+0x1\t=a.go:{i + 1}\n'
    '#\t0x1050\tmain.main+0x1\t/a.go:1\n\n' for i, name in enumerate(OBEYED)))

# Names that end what a page or a picture in it puts them into, or begin something there.
BREAKING = ['</title><img src=x onerror=alert(1)>', '<![CDATA[', ']]>', '-->', '<!--', '<style>', '</style>', '<script>alert(1)', '</svg>',
            '</pre></details>', '&lt', '&#60;b&#62;', '" onload="alert(1)', "' onclick='alert(1)", '<svg onload=alert(1)>', '<title>',
            '<desc><b>', '</a>', 'N1</title>', '<foreignObject>', '<?xml', '{{constructor}}', 'javascript:alert(1)']
(HERE / 'breaking.count').write_text(f'goroutine profile: total {sum(range(100, 100 + len(BREAKING)))}\n' + ''.join(
    f'{100 + i} @ {0x4001 + 16 * i:#x} {0x5001 + 16 * i:#x}\n#\t{0x4000 + 16 * i:#x}\t{name}+0x1\t{name}:{i + 1}\n'
    f'#\t{0x5000 + 16 * i:#x}\tmain.main+0x1\t/a.go:1\n\n' for i, name in enumerate(BREAKING)))

# More rows beyond a limit than anybody wants to read.
(HERE / 'crowd.count').write_text('goroutine profile: total 9685\n' + ''.join(
    f'{10 + i} @ {0x6001 + 16 * i:#x}\n#\t{0x6000 + 16 * i:#x}\tmain.crowd{i}+0x1\t/a.go:{i + 1}\n\n' for i in range(130)))
