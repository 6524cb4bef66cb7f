#!/usr/bin/env python3
"""count.py BUILD...: adds up what `meson test` found in these build folders.

Shows the logs of what failed and the reasons of what was skipped; the last line is "N passed, N failed".
A build without a test log failed as a whole, and so did a run in which nothing passed.
"""

import json
import pathlib
import sys

MOST_LOGS = 20
MOST_LINES = 60
PASSED = ('OK', 'EXPECTEDFAIL')


def read_log(build):
    """The tests of a build, or None when they were not run."""
    log = build / 'meson-logs' / 'testlog.json'
    if not log.exists():
        return None
    return [json.loads(line) for line in log.read_text(encoding='utf-8', errors='replace').splitlines() if line]


def output_of(test):
    return (test.get('stdout', '') + test.get('stderr', '')).rstrip().splitlines()


def show_failed(build, test):
    lines = output_of(test)
    print(f'--- {build}: {test["name"]}: {test["result"]}')
    if len(lines) > MOST_LINES:
        print(f'[{len(lines) - MOST_LINES} lines before these]')
    print('\n'.join(lines[-MOST_LINES:]))


def main(builds):
    passed, failed, skipped = 0, [], []
    for build in map(pathlib.Path, builds):
        tests = read_log(build)
        if tests is None:
            failed.append((build, {'name': 'the build', 'result': 'FAIL', 'stdout': 'its errors are above'}))
            continue
        counts = [len(failed), len(skipped)]
        ok = [test for test in tests if test['result'] in PASSED]
        skipped += [(build, test) for test in tests if test['result'] == 'SKIP']
        failed += [(build, test) for test in tests if test['result'] not in PASSED + ('SKIP',)]
        passed += len(ok)
        print(f'{build}: {len(ok)} passed, {len(failed) - counts[0]} failed, {len(skipped) - counts[1]} skipped')

    for build, test in skipped:
        print(f'{build}: {test["name"]} skipped: {(output_of(test) or ["no reason given"])[-1]}')
    for build, test in failed[:MOST_LOGS]:
        show_failed(build, test)
    for build, test in failed[MOST_LOGS:]:
        print(f'--- {build}: {test["name"]}: {test["result"]}')
    if skipped:
        print(f'{len(skipped)} skipped, for the reasons above')
    print(f'{passed} passed, {len(failed)} failed')
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
