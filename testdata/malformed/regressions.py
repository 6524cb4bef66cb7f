"""All that was wrong once: the files bad_*, and the seeds and finds of the fuzzers."""

from inputs import TESTDATA, Input


def inputs():
    for path in sorted((TESTDATA / 'profiles').glob('bad_*')):
        yield Input('regression', path.name, path.read_bytes(), is_small=False)
    for path in sorted((TESTDATA / 'corpus').rglob('*')):
        if path.is_file():
            yield Input('corpus', str(path.relative_to(TESTDATA / 'corpus')), path.read_bytes(), is_small=False)
