#!/usr/bin/env python3
"""Chromium without a window, and the page that it shows.

browser.py screenshot PAGE OUT.png [--size WxH] [--dark] [--eval JS]

with Browser() as browser:
    browser.open('out.html')
    browser.press('/')
    browser.type('malloc')
    browser.wait_for("document.title !== ''")
    browser.screenshot('out.png')
    print(browser.take_faults())

The browser is driven by the DevTools protocol on two pipes: nothing listens on a port, and it ends when its pipes do.
"""

import argparse
import base64
import collections
import contextlib
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from harness import Failure, Skip

NAMES = 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'
TIMEOUT = 90  # seconds, for one answer or for something to hold
MOMENT = 0.01  # seconds, between two looks at the same thing
READY = "document.readyState === 'complete'"

# What tests see is pages that they made themselves, and a container may have no room for a sandbox.
OPTIONS = [
    '--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
    '--no-default-browser-check', '--disable-background-networking', '--disable-component-update', '--disable-default-apps',
    '--disable-extensions', '--disable-sync', '--disable-breakpad', '--disable-crash-reporter', '--no-proxy-server',
    '--disable-background-timer-throttling', '--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows',
    '--disable-features=Translate,MediaRouter,OptimizationHints,PaintHolding', '--hide-scrollbars', '--mute-audio',
    '--force-color-profile=srgb', '--password-store=basic', '--use-mock-keychain', '--window-size=1280,800', '--lang=en-US',
]

# Puts its pipes where the browser looks for them, and becomes the browser.
LAUNCHER = '''
import os, sys
theirs_in, theirs_out = int(sys.argv[1]), int(sys.argv[2])
os.dup2(theirs_in, 3)
os.dup2(theirs_out, 4)
os.closerange(5, 64)
os.execvp(sys.argv[3], sys.argv[3:])
'''
FIRST_FD = 10

MODIFIERS = {'Alt': 1, 'Control': 2, 'Meta': 4, 'Shift': 8}
SHIFTED = '~!@#$%^&*()_+{}|:"<>?'
CODES = {
    'Enter': 13, 'Escape': 27, 'Backspace': 8, 'Tab': 9, 'Delete': 46, 'Home': 36, 'End': 35, 'PageUp': 33, 'PageDown': 34,
    'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Space': 32,
}
TEXTS = {'Enter': '\r', 'Tab': '\t', 'Space': ' '}


def find_browser():
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    raise Skip(f'there is no {NAMES[0]}')


def high_pipe():
    """Both ends, with numbers that are not in the way of 3 and 4."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, FIRST_FD) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Gone(Failure):
    """The browser ended, or does not answer; the text has what it wrote."""


class Refused(Failure):
    """The browser does not do what it was asked for, as where the page that was asked has gone."""


class Browser:
    """One browser with one page. What goes wrong in the page gathers in `faults` as (kind, text): what it writes to the
    console, what it throws, what it asks the network for, what its policy forbids, dialogs and windows that it opens."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='browser-')
        self.process = None
        self.faults = []
        self.session = self.context = None
        self.url = ''
        self.n_opened = 0
        self.replies = []  # to the next prompts, which are no faults then
        self.on_start = ''  # a script that each page of the next window runs before its own
        self.last_id = 0
        self.answers = {}
        self.events = collections.Counter()
        self.received = b''
        try:
            self.start(find_browser())
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- the process ----

    def start(self, program):
        self.process = None
        theirs_in, self.to = high_pipe()
        self.fd, theirs_out = high_pipe()
        home = pathlib.Path(self.folder, 'home')
        home.mkdir()
        env = {'PATH': os.environ.get('PATH', '/usr/bin:/bin'), 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'HOME': str(home), 'TMPDIR': self.folder,
               'XDG_CONFIG_HOME': str(home), 'XDG_CACHE_HOME': str(home), 'XDG_RUNTIME_DIR': str(home),
               'DBUS_SESSION_BUS_ADDRESS': 'disabled:'}
        with open(self.log_path(), 'wb') as log:
            self.process = subprocess.Popen(
                [sys.executable, '-S', '-E', '-c', LAUNCHER, str(theirs_in), str(theirs_out), program, *OPTIONS,
                 f'--user-data-dir={self.folder}/profile', 'about:blank'],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env, cwd=self.folder, pass_fds=(theirs_in, theirs_out),
                start_new_session=True)
        os.close(theirs_in)
        os.close(theirs_out)
        self.version = self.call('Browser.getVersion', session=None)['product']

    def log_path(self):
        return pathlib.Path(self.folder, 'log')

    def close(self):
        """Ends the browser with all its children."""
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            self.process = None
            os.close(self.to)
            os.close(self.fd)
        shutil.rmtree(self.folder, ignore_errors=True)

    def gone(self, text):
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        return Gone(f'{text}, exit status {self.process.returncode}; it wrote:\n' + self.log_path().read_text(errors='replace')[-2000:])

    # ---- the protocol: JSON with a NUL behind it ----

    def send(self, method, params, session):
        self.last_id += 1
        message = {'id': self.last_id, 'method': method, 'params': params}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        try:
            while data:
                data = data[os.write(self.to, data):]
        except BrokenPipeError:
            raise self.gone('the browser is gone') from None
        return self.last_id

    def pump(self, seconds):
        """Takes what comes within this time; returns with the first."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return
        data = os.read(self.fd, 1 << 20)
        if not data:
            raise self.gone('the browser is gone')
        *whole, self.received = (self.received + data).split(b'\0')
        for message in map(json.loads, whole):
            if 'id' in message:
                self.answers[message['id']] = message
            elif message.get('sessionId') == self.session:
                self.take_event(message['method'], message.get('params', {}))

    def answer(self, number, what):
        end = time.monotonic() + TIMEOUT
        while number not in self.answers:
            if time.monotonic() > end:
                raise self.gone(f'{what}: no answer in {TIMEOUT} s')
            self.pump(1)
        return self.answers.pop(number)

    def call(self, method, session='page', **params):
        """One command and its result."""
        answer = self.answer(self.send(method, params, self.session if session else None), method)
        if 'error' in answer:
            raise Refused(f"{method}: {answer['error']}")
        return answer['result']

    # ---- what goes wrong ----

    def fault(self, kind, text):
        self.faults.append((kind, text))

    def take_event(self, method, params):
        self.events[method] += 1
        take = getattr(self, 'on_' + method.replace('.', '_'), None)
        if take:
            take(params)

    def on_Runtime_consoleAPICalled(self, params):
        if params['type'] in ('error', 'warning', 'assert'):
            self.fault('console', ' '.join(str(arg.get('value', arg.get('description'))) for arg in params['args']))

    def on_Runtime_exceptionThrown(self, params):
        details = params['exceptionDetails']
        self.fault('exception', details.get('exception', {}).get('description') or details['text'])

    def on_Log_entryAdded(self, params):
        entry = params['entry']
        if entry['level'] in ('error', 'warning'):
            self.fault('log', f"{entry['source']}: {entry['text']}")

    def on_Audits_issueAdded(self, params):
        if params['issue']['code'] == 'ContentSecurityPolicyIssue':
            self.fault('policy', json.dumps(params['issue']['details']))

    def on_Network_requestWillBeSent(self, params):
        if params['request']['url'] != self.url or params.get('type') != 'Document':
            self.fault('request', params['request']['url'][:200])

    def on_Page_javascriptDialogOpening(self, params):
        reply = {'accept': False}
        if self.replies:
            reply = {'accept': True, 'promptText': self.replies.pop(0)}
        else:
            self.fault('dialog', params['message'])
        self.send('Page.handleJavaScriptDialog', reply, self.session)

    def on_Page_windowOpen(self, params):
        self.fault('window', params['url'])

    def on_Inspector_targetCrashed(self, params):
        raise self.gone('the page crashed')

    def take_faults(self):
        """All that went wrong since the last time."""
        self.evaluate('0')
        faults, self.faults = self.faults, []
        return faults

    # ---- pages ----

    def open(self, path, fragment='', ready=READY):
        """Opens a file as if for the first time, and waits until `ready` holds."""
        self.show(pathlib.Path(path).resolve().as_uri(), fragment)
        self.wait_for(ready)

    def show(self, url, fragment=''):
        if not self.session:
            self.open_window()
        self.evaluate_once('localStorage.clear()')
        self.set_window()
        # A page of the same address would not be read again.
        self.n_opened += 1
        self.url = f'{url}?{self.n_opened}'
        self.events.clear()
        self.call('Page.navigate', url=self.url + (fragment and '#' + fragment.lstrip('#')))
        self.wait_loaded()

    def open_window(self):
        self.context = self.call('Target.createBrowserContext', session=None)['browserContextId']
        target = self.call('Target.createTarget', session=None, url='about:blank', browserContextId=self.context)['targetId']
        self.session = self.call('Target.attachToTarget', session=None, targetId=target, flatten=True)['sessionId']
        for domain in 'Page', 'Runtime', 'Log', 'Network', 'Audits', 'Inspector':
            self.call(domain + '.enable')
        self.call('Emulation.setFocusEmulationEnabled', enabled=True)
        if self.on_start:
            self.call('Page.addScriptToEvaluateOnNewDocument', source=self.on_start)

    def leave(self):
        """Closes the window with its history and storage; the next page gets a new one, in a process of its own."""
        if self.context:
            self.call('Target.disposeBrowserContext', session=None, browserContextId=self.context)
        self.context = self.session = None

    def wait_loaded(self):
        self.until(lambda: self.events['Page.loadEventFired'], lambda: 'the page is not loaded')

    def reload(self, ready=READY):
        self.events.clear()
        self.call('Page.reload')
        self.wait_loaded()
        self.wait_for(ready)

    def back(self):
        self.evaluate('history.back()')

    def forward(self):
        self.evaluate('history.forward()')

    # ---- what the page knows ----

    def until(self, holds, text):
        """Looks again and again, with a short wait, until something holds."""
        end = time.monotonic() + TIMEOUT
        while True:
            value = holds()
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f'{text()}, after {TIMEOUT} s; {self.faults}')
            self.pump(MOMENT)

    def evaluate_once(self, expression):
        """(value, what was thrown)."""
        result = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        details = result.get('exceptionDetails')
        if details:
            return None, details.get('exception', {}).get('description') or details['text']
        return result['result'].get('value'), None

    def evaluate(self, expression):
        """What an expression of JavaScript gives, or the promise that it gives, as JSON."""
        value, thrown = self.evaluate_once(expression)
        if thrown:
            raise Failure(f'{expression}: {thrown}')
        return value

    def wait_for(self, condition):
        """Waits until an expression gives something true, and returns that. What it throws counts as false, as does a page that goes."""
        thrown = None

        def look():
            nonlocal thrown
            try:
                value, thrown = self.evaluate_once(condition)
            except Refused as refusal:
                value, thrown = None, refusal
            return value

        return self.until(look, lambda: f'never true: {condition}; it threw {thrown}')

    def wait_frames(self):
        """Waits until what was asked to be drawn is drawn."""
        self.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))')

    # ---- keys and pointer ----

    def press(self, keys, times=1):
        """A key with its modifiers as 'Control+Shift+a', 'ArrowUp', '?'."""
        *modifiers, key = keys.split('+') if len(keys) > 1 else [keys]
        key = key or '+'
        mask = sum(MODIFIERS[name] for name in modifiers)
        if len(key) == 1 and (key.isupper() or key in SHIFTED):
            mask |= MODIFIERS['Shift']
        text = key if len(key) == 1 else TEXTS.get(key, '')
        if mask & (MODIFIERS['Control'] | MODIFIERS['Alt'] | MODIFIERS['Meta']):
            text = ''
        event = {'key': ' ' if key == 'Space' else key, 'modifiers': mask,
                 'code': 'Key' + key.upper() if len(key) == 1 and key.isalpha() else 'Digit' + key if key.isdigit() else key,
                 'windowsVirtualKeyCode': CODES.get(key, ord(key[0].upper()) if key.isalnum() else 0)}
        for _ in range(times):
            self.call('Input.dispatchKeyEvent', type='keyDown' if text else 'rawKeyDown', **event, **({'text': text} if text else {}))
            self.call('Input.dispatchKeyEvent', type='keyUp', **event)

    def type(self, text):
        for key in text:
            self.press('Space' if key == ' ' else key)

    def mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def move(self, x, y):
        self.mouse('mouseMoved', x, y)

    def click(self, x, y, times=1, modifiers=0):
        self.move(x, y)
        for count in range(1, times + 1):
            for kind in 'mousePressed', 'mouseReleased':
                self.mouse(kind, x, y, button='left', clickCount=count, modifiers=modifiers)

    def double_click(self, x, y):
        self.click(x, y, 2)

    def wheel(self, x, y, down, modifiers=0):
        self.mouse('mouseWheel', x, y, deltaX=0, deltaY=down, modifiers=modifiers)

    def drag(self, x, y, to_x, to_y, steps=4):
        self.move(x, y)
        self.mouse('mousePressed', x, y, button='left', clickCount=1)
        for step in range(1, steps + 1):
            self.mouse('mouseMoved', x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, button='left', buttons=1)
        self.mouse('mouseReleased', to_x, to_y, button='left', clickCount=1)

    def middle_of(self, selector):
        """Where the first element of a selector is seen: (x, y)."""
        return tuple(self.wait_for(f'''(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: 'nearest'}});
            const box = element.getBoundingClientRect();
            return box.width > 0 && [box.x + box.width / 2, box.y + box.height / 2]; }})()'''))

    def click_on(self, selector):
        self.click(*self.middle_of(selector))

    # ---- the window, and what it shows ----

    def set_window(self, width=1280, height=800, dark=False, media=''):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia', media=media,
                  features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def screenshot(self, path):
        self.wait_frames()
        pathlib.Path(path).write_bytes(base64.b64decode(self.call('Page.captureScreenshot', format='png')['data']))

    def print_pdf(self):
        return base64.b64decode(self.call('Page.printToPDF', printBackground=True)['data'])

    def accessible(self):
        """What a screen reader sees: (role, name) of each node."""
        nodes = self.call('Accessibility.getFullAXTree')['nodes']
        return [(node.get('role', {}).get('value'), node.get('name', {}).get('value', '')) for node in nodes if not node.get('ignored')]


def screenshot(args):
    width, height = map(int, args.size.split('x'))
    with Browser() as browser:
        browser.open(args.page)
        browser.set_window(width, height, args.dark)
        browser.wait_frames()
        for expression in args.eval:
            value = browser.evaluate(expression)
            if value is not None:
                print(json.dumps(value, ensure_ascii=False))
        browser.screenshot(args.out)
        for kind, text in browser.take_faults():
            print(f'{kind}: {text}', file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser('screenshot', help='a picture of a page')
    command.add_argument('page')
    command.add_argument('out')
    command.add_argument('--size', default='1280x800')
    command.add_argument('--dark', action='store_true')
    command.add_argument('--eval', action='append', default=[], metavar='JS', help='before the picture is taken; what it gives is printed')
    command.set_defaults(run=screenshot)
    args = parser.parse_args()
    try:
        args.run(args)
    except (Failure, Skip) as reason:
        sys.exit(f'browser.py: {reason}')


if __name__ == '__main__':
    main()
