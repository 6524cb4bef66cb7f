"""What pprof says, and what a page of it shows; what is looked at is held against each other by check() and same()."""

import collections
import json
import pathlib
import subprocess
import sys

sys.path += [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ('', 'profiles', 'mutants', 'injection')]

import harness  # noqa: E402
from harness import TESTDATA, Failure  # noqa: E402

# The views are there, or the page says why they are not.
READY = "document.documentElement.dataset.ready === '1' || !!document.querySelector('body > p.e')"

SCENE_CHANGE = ['--base=scene/profile.0002.heap', 'scene/heap_profiler', 'scene/profile.0009.heap']
SHAPES = ['elf/shapes', 'profiles/shapes.heap']
CHANGE = ['--base=profiles/base_old.heap', 'elf/shapes', 'profiles/base_mixed.heap']
CPU = ['profiles/cpu.pb']
CPU_SHAPES = ['elf/shapes', 'profiles/cpu64l.prof']
LOCKS = ['elf/shapes', 'profiles/locks.contention']
RECURSION = ['elf/shapes', 'profiles/recursion.heap']

faults = []


def fault(text):
    """Told at once: a test that waits in vain is ended from outside."""
    faults.append(text)
    print(text, flush=True)


def check(holds, text):
    if not holds:
        fault(text)


def same(expected, found, text):
    check(expected == found, f'{text}:\n  expected {expected!r}\n  found    {found!r}')


# ---- what pprof says ----

class Tool:
    def __init__(self, pprof, scratch):
        self.pprof, self.scratch = pprof, scratch
        self.n_files = 0
        self.outputs, self.pages = {}, {}  # by arguments, for many checks ask for the same

    def run(self, *args):
        out, err, status = harness.run([self.pprof, '-q', *map(str, args)], cwd=TESTDATA,
                                       env=harness.environment(self.scratch, 'C.UTF-8'), stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if status:
            raise Failure(f'{args}: exit status {status}: {err.decode(errors="replace")}')
        return out

    def text(self, *args):
        if args not in self.outputs:
            self.outputs[args] = self.run(*args).decode()
        return self.outputs[args]

    def file(self, ending):
        self.n_files += 1
        return pathlib.Path(self.scratch, f'{self.n_files}.{ending}')

    def page(self, *args, report='--html'):
        if (report, args) not in self.pages:
            path = self.file('svg' if report == '--flame' else 'html')
            self.run(report, '-o', path, *args)
            self.pages[report, args] = path
        return self.pages[report, args]

    def json(self, *args):
        return json.loads(self.text('--json', *args))

    def stacks(self, *args):
        """{stack: value} by --collapsed: what ends in it."""
        stacks = collections.Counter()
        for line in self.text('--collapsed', *args).splitlines():
            stack, _, value = line.rpartition(' ')
            stacks[tuple(stack.split(';'))] += int(value)
        return stacks


def prefixes(stacks):
    """{way from the root: what all stacks have that go there}."""
    sums = collections.Counter()
    for stack, value in stacks.items():
        for depth in range(len(stack) + 1):
            sums[stack[:depth]] += value
    return sums


# ---- what the page shows ----

def filters(**kinds):
    """As a page has them in its state."""
    return [{'kind': kind, 'pattern': pattern} for kind, patterns in kinds.items() for pattern in patterns]


# Each node that has something: its way from the root, what it and all below have now and in the base.
WALK = '''(() => {
  const page = window.pprofPage;
  const tree = page.model.tree({...page.state, ...%s}, %s);
  const found = [];
  const open = [[0, []]];
  while (open.length) {
    const [node, way] = open.pop();
    found.push([way, tree.now[node], tree.base ? tree.base[node] : 0]);
    for (const child of tree.children(node)) open.push([child, [...way, page.model.name(tree, child)]]);
  }
  return found; })()'''


class Page:
    """One page in the browser."""

    def __init__(self, browser, path, fragment=''):
        self.browser = browser
        browser.open(path, fragment, ready=READY)
        note = self.text('body > p.e')
        if note:
            raise Failure(f'{path}: {note}')
        self.types = self.ask('pprofPage.profile.head.types.map((type) => type.name)')

    def ask(self, expression):
        return self.browser.evaluate(expression)

    def state(self):
        return self.ask('pprofPage.state')

    def set(self, **changes):
        self.ask(f'void pprofPage.set({json.dumps(changes)})')

    def tree(self, state=None, **options):
        """[{way: value} now, the same in the base]."""
        nodes = self.ask(WALK % (json.dumps(state or {}), json.dumps(options)))
        return [{tuple(node[0]): node[side] for node in nodes if node[1] or node[2]} for side in (1, 2)]

    def text(self, selector):
        """What is seen of an element; None where nothing is."""
        return self.ask(f"""(() => {{
          const element = document.querySelector({json.dumps(selector)});
          return element && element.getClientRects().length ? element.innerText : null; }})()""")

    def said(self):
        return self.text('.status')

    def press(self, *keys):
        for key in keys:
            self.browser.press(key)

    def search(self, text):
        """Types it into the search field, and gives what is said to be found."""
        self.press('/')
        self.browser.wait_for("document.activeElement.type === 'search'")
        self.press('Control+a', 'Backspace')
        self.browser.type(text)
        self.browser.wait_for(f'pprofPage.state.search === {json.dumps(text)}')
        return self.text('.found')

    def choose(self, name, value):
        """As if it were chosen from a list."""
        self.ask(f"""(() => {{
          const list = document.querySelector('select[name={name}]');
          list.value = {json.dumps(str(value))};
          list.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()""")

    def clean(self, what):
        """Nothing went wrong since the last time."""
        found = self.browser.take_faults()
        check(not found, f'{what}: {found[:5]}')
