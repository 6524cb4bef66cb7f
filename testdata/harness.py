"""What the tests share: how pprof is run on every host alike, and what a failure is."""

import difflib
import os
import pathlib
import shlex
import signal
import subprocess

TESTDATA = pathlib.Path(__file__).resolve().parent
ROOT = TESTDATA.parent
TIMEOUT = 100  # seconds, for one run
MOST_DIFF_LINES = 200
# What runs a program that the kernel kills when it asks for a socket.
WITHOUT_SOCKETS = [os.environ['DENY'], 'sockets'] if 'DENY' in os.environ else []


class Failure(Exception):
    """The case failed; the text says why."""


class Skip(Exception):
    """The case cannot run here; the text says why."""


def environment(scratch, lang):
    """The same on every host; only what a sanitizer or the allocator wants to be told comes from outside."""
    env = {
        'PATH': '/usr/local/bin:/usr/bin:/bin',
        'HOME': scratch,
        'TMPDIR': scratch,
        'XDG_CACHE_HOME': scratch,
        'LC_ALL': lang,
        'DEBUGINFOD_URLS': 'http://127.0.0.1:1/',  # what libdw asks, if it is let
        'TZ': 'UTC',  # the time of a profile is shown in the user's zone
    }
    for key, value in os.environ.items():
        if key == 'MALLOC_PERTURB_' or key.endswith('SAN_OPTIONS'):
            env[key] = value
    # Only for a locale that is not built in: setlocale keeps a copy, which a sanitizer calls a leak.
    if lang != 'C.UTF-8' and 'LOCPATH' in os.environ:
        env['LOCPATH'] = os.environ['LOCPATH']
    return env


def run(command, data=None, **options):
    """Runs a command to its end, and kills it with its children when it hangs: (stdout, stderr, exit status)."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            stdout, stderr = process.communicate(data, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise Failure(f'still running after {TIMEOUT} s: {shlex.join(map(str, command))}') from None
        except SystemExit:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    text = (stderr or b'').decode(errors='backslashreplace')
    if process.returncode < 0:
        name = signal.Signals(-process.returncode).name
        raise Failure(f'ended by {name}: {shlex.join(map(str, command))}\n{text}')
    if 'Sanitizer: ' in text or ': runtime error: ' in text:
        raise Failure(f'a sanitizer reports on {shlex.join(map(str, command))}\n{text}')
    return stdout, stderr, process.returncode


def diff(expected, actual, expected_name, actual_name):
    lines = [text.decode(errors='backslashreplace').splitlines() for text in (expected, actual)]
    lines = list(difflib.unified_diff(*lines, expected_name, actual_name, lineterm=''))
    if len(lines) > MOST_DIFF_LINES:
        lines[MOST_DIFF_LINES:] = [f'[{len(lines) - MOST_DIFF_LINES} more lines]']
    return '\n'.join(lines)
