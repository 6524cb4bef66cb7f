"""Legal samples of all formats, which the inputs are made of."""

import functools
import gzip
import pathlib
import zlib

from inputs import SNAPSHOT, TESTDATA

NO_PROFILES = '.py', '.md', '.cc', '.map'


class Sample:
    def __init__(self, path, wrapper='', wrap=bytes):
        self.path = str(path)
        self.name = f'{path.name}{wrapper}'
        self.data = wrap(path.read_bytes())


def legal_paths():
    for path in sorted((TESTDATA / 'profiles').iterdir()):
        if path.is_file() and not path.name.startswith('bad_') and path.suffix not in NO_PROFILES:
            yield path
    yield from (pathlib.Path(SNAPSHOT), TESTDATA / 'scene' / 'profile.0009.heap')


@functools.cache
def samples():
    found = [Sample(path) for path in legal_paths()]
    for name in 'shapes.heap', 'cpu.pb', 'cpu64l.prof':
        path = TESTDATA / 'profiles' / name
        found.append(Sample(path, ' by zlib', zlib.compress))
        found.append(Sample(path, ' by gzip', lambda data: gzip.compress(data, mtime=0)))
        found.append(Sample(path, ' by gzip, twice', lambda data: gzip.compress(gzip.compress(data, mtime=0), mtime=0)))
    return found


def named(*names):
    """Those of these names, in this order."""
    by_name = {sample.name: sample for sample in samples()}
    return [by_name[name] for name in names]
