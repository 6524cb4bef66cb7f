"""A pseudo-terminal, and a program that believes that somebody sits there."""

import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

from harness import Failure

TIMEOUT = 60  # seconds, for one answer
MODES = termios.ECHO | termios.ICANON | termios.ISIG


def log_in(fd):
    """What a login does: a session has its terminal, and signals do what they do, though a background job ignores some."""
    fcntl.ioctl(fd, termios.TIOCSCTTY, 0)
    for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM:
        signal.signal(number, signal.SIG_DFL)


class Screen:
    """What is shown gathers in `seen`. The program's streams are the terminal, but for those that options of Popen name."""

    def __init__(self, command, rows=24, columns=0, **options):
        self.seen = ''
        self.decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self.fd, theirs = pty.openpty()
        self.name = os.ttyname(theirs)
        self.resize(rows, columns)
        streams = {stream: options.pop(stream, theirs) for stream in ('stdin', 'stdout', 'stderr')}
        self.process = subprocess.Popen(command, **streams, **options, start_new_session=True, preexec_fn=lambda: log_in(theirs))
        os.close(theirs)
        self.pid = self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """The window is closed, which ends whoever is left."""
        os.close(self.fd)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def modes(self):
        """What is echoed, whether lines are edited, which key interrupts."""
        modes = termios.tcgetattr(self.fd)
        return modes[3] & MODES, modes[6][termios.VINTR]

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def read(self):
        """Waits a moment for more; False: nobody has the terminal open any more."""
        if not select.select([self.fd], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # EIO
            return False
        self.seen += self.decoder.decode(data)
        return bool(data)

    def wait(self, is_there, what):
        end = time.monotonic() + TIMEOUT
        while not is_there(self.seen):
            if time.monotonic() > end or not self.read():
                raise Failure(f'{what} is not seen; seen is {self.seen[-500:]!r}')

    def until(self, text):
        """What is seen before this text, which goes with it."""
        self.wait(lambda seen: text in seen, text)
        before, _, self.seen = self.seen.partition(text)
        return before

    def end(self):
        """Reads until the program ends: its exit status, or less a signal."""
        end = time.monotonic() + TIMEOUT
        while self.read():
            if time.monotonic() > end:
                raise Failure(f'the program does not end; seen is {self.seen[-500:]!r}')
        return self.process.wait(TIMEOUT)
