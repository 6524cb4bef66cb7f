"""Runs pprof over inputs that are wrong, and says what is wrong with the runs."""

import concurrent.futures
import os
import pathlib
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import harness

N_WORKERS = 2
MOST_SECONDS = 2  # of CPU time
MOST_KILOBYTES = 256 << 10
MOST_WALL_SECONDS = 30  # a run that waits needs no CPU time
MOST_ADDRESS_SPACE = 8 << 30  # where it is measured: a run without bounds must not end the host's
MOST_SHOWN = 2000
GOOD_ENDS = 0, 2, 3
SAID, ERROR = b'pprof: ', b'pprof: error: '


class Limits:
    """What a run may cost."""

    def __init__(self, factor, has_memory):
        self.seconds = MOST_SECONDS * factor
        self.wall_seconds = MOST_WALL_SECONDS * factor
        self.kilobytes = MOST_KILOBYTES if has_memory else None


class Run:
    """One run to its end: its status, how much it wrote, what it said, what it cost."""

    def __init__(self, command, folder, env, limits):
        self.command = command
        with tempfile.TemporaryFile(dir=folder) as out, tempfile.TemporaryFile(dir=folder) as err:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder, env=env) as process:
                if limits.kilobytes:
                    resource.prlimit(process.pid, resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
                self.hangs = not ended_within(process.pid, limits.wall_seconds)
                if self.hangs:
                    process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.n_out = os.fstat(out.fileno()).st_size
            err.seek(0)
            self.err = err.read(1 << 20)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.kilobytes = usage.ru_maxrss


def ended_within(pid, seconds):
    fd = os.pidfd_open(pid)
    try:
        return bool(select.select([fd], [], [], seconds)[0])
    finally:
        os.close(fd)


def end_faults(run, ends, limits):
    if run.hangs:
        yield f'still running after {limits.wall_seconds} s'
    elif run.status < 0:
        yield f'ended by {signal.Signals(-run.status).name}'
    elif run.status not in ends:
        yield f'ended with {run.status}'
    if b'Sanitizer' in run.err or b'runtime error: ' in run.err:
        yield 'a sanitizer reports'


def word_faults(run):
    """Nothing on stdout when there is an error, and nothing but messages on stderr."""
    lines = run.err.splitlines()
    for line in lines:
        if not line.startswith(SAID):
            yield f'a line of stderr is no message: {line[:100]!r}'
            break
    if run.status == 2:
        if run.n_out:
            yield f'{run.n_out} bytes on stdout beside an error'
        if not any(line.startswith(ERROR) for line in lines):
            yield 'ended with 2 and no error'


def cost_faults(run, limits):
    if run.seconds > limits.seconds:
        yield f'took {run.seconds:.1f} s of CPU time'
    if limits.kilobytes and run.kilobytes > limits.kilobytes:
        yield f'took {run.kilobytes >> 10} MB'


class Totals:
    """What all runs together came to; threads add to it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.runs = 0
        self.seconds = 0.0
        self.most_seconds = 0.0, ''
        self.most_kilobytes = 0, ''
        self.ends = {}

    def add(self, run, name):
        with self.lock:
            self.runs += 1
            self.seconds += run.seconds
            self.most_seconds = max(self.most_seconds, (run.seconds, name))
            self.most_kilobytes = max(self.most_kilobytes, (run.kilobytes, name))
            self.ends[run.status] = self.ends.get(run.status, 0) + 1


class Replayer:
    """Runs batches of inputs: together first, and one by one where something is wrong with them."""

    def __init__(self, pprof, limits, kept, n_commands):
        self.pprof, self.limits, self.kept, self.n_commands = pprof, limits, kept, n_commands
        self.totals = Totals()
        self.n_failed = 0

    def replay(self, batch):
        faults = self.run(batch)
        if len(batch.inputs) > 1 and faults:
            alone = [fault for single in batch.singles() for fault in self.run(single)]
            faults = alone or [f'none of these alone: {faults[0]}']
        for fault in faults:
            print(fault, flush=True)
        self.n_failed += len(faults)

    def run(self, batch):
        """The faults of all commands of a batch, each with how to make it again."""
        with tempfile.TemporaryDirectory(prefix='malformed-') as name:
            folder = pathlib.Path(name)
            env = harness.environment(name, 'C.UTF-8') | {'XDG_CONFIG_HOME': f'{name}/config'}
            place = folder / 'input'
            place.mkdir()
            commands = batch.lay_out(place)[batch.skipped(self.n_commands):][:self.n_commands]
            found = []
            for words, ends in commands:
                run = Run([self.pprof, *words], place, env, self.limits)
                self.totals.add(run, batch.name())
                faults = [*end_faults(run, ends, self.limits), *word_faults(run), *cost_faults(run, self.limits)]
                if faults:
                    found.append(f'{batch.name()}\n    {shlex.join(["pprof", *words])}\n    {"; ".join(faults)}\n'
                                 + run.err[:MOST_SHOWN].decode(errors='backslashreplace'))
            if self.kept and len(batch.inputs) == 1:
                keep(place, self.kept / str(batch.number))
            return found

    def replay_all(self, batches):
        """Takes them as they are made, so that few are in memory."""
        slots = threading.Semaphore(3 * N_WORKERS)

        def take(batch):
            try:
                self.replay(batch)
            finally:
                slots.release()

        with concurrent.futures.ThreadPoolExecutor(N_WORKERS) as workers:
            futures = []
            for batch in batches:
                slots.acquire()
                futures.append(workers.submit(take, batch))
                if len(futures) > 1000:
                    futures = [future for future in futures if not future.done() or future.result()]
            for future in futures:
                future.result()


def keep(folder, kept):
    """FIFOs are not copied: somebody would wait for them."""
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder, kept, symlinks=True, ignore=lambda at, names: [
        name for name in names if pathlib.Path(at, name).is_fifo()])
