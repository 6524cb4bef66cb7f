"""What an input is, how several are asked for in one run, and through which reports they go."""

import dataclasses
import pathlib
import typing

TESTDATA = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(TESTDATA / 'elf' / 'shapes')
SNAPSHOT = str(TESTDATA / 'scene' / 'profile.0001.heap')

# By turns. GOOD is the legal sample that the input was made of; a report that may find nothing may end with 1.
REPORTS = (
    (('--raw',), (0, 2, 3)),
    (('--top', '--base=GOOD'), (0, 2, 3)),
    (('--proto',), (0, 2, 3)),
    (('--json', '--strict'), (0, 2, 3)),
    (('--list=.', PROGRAM), (0, 1, 2, 3)),
    (('--trend', 'GOOD'), (0, 2, 3)),
    (('--html',), (0, 2, 3)),
    (('--collapsed', '--strict=symbols'), (0, 2, 3)),
    (('--callgrind', PROGRAM), (0, 2, 3)),
    (('--svg', '--nodecount=20'), (0, 2, 3)),
    (('--tags',), (0, 2, 3)),
    (('--symbols', PROGRAM), (0, 2, 3)),
    (('--traces', '--addresses'), (0, 2, 3)),
    (('--flame', '--diff_base=GOOD'), (0, 2, 3)),
    (('--info',), (0, 2, 3)),
    (('--tree', '--lines', PROGRAM), (0, 2, 3)),
    (('--speedscope',), (0, 2, 3)),
    (('--trend', '--html', 'GOOD'), (0, 2, 3)),
    (('--stacks', '--all_frames', '--tagleaf=bytes,thread'), (0, 2, 3)),
    (('--csv', '--mean'), (0, 2, 3)),
    (('--peek=.',), (0, 1, 2, 3)),
    (('--topproto', '--files', PROGRAM), (0, 2, 3)),
    (('--dot', '--call_tree', '--tagnodes'), (0, 2, 3)),
    (('--text', '--focus=.', '--ignore=x', '--hide=y'), (0, 1, 2, 3)),
    (('--weblist=.', PROGRAM), (0, 1, 2, 3)),
    (('--top', '--sizes', '--cum'), (0, 2, 3)),
    (('--comments',), (0, 2, 3)),
    (('--raw', '--normalize', '--base=GOOD', '--drop_negative'), (0, 2, 3)),
    (('--text', '--fail-growth=1', '--base=GOOD'), (0, 2, 3, 4)),
)
FIRST = ('--text',), (0, 2, 3)
USUAL = (0, 2, 3)


class Profiles:
    """Inputs of one sample, asked for in one run."""

    most = 32
    goes_everywhere = False  # those that are alone go through all reports

    def __init__(self, inputs, number):
        self.inputs, self.number = inputs, number

    def name(self):
        more = f' and {len(self.inputs) - 1} more' if len(self.inputs) > 1 else ''
        return f'{self.inputs[0]}{more}'

    def singles(self):
        return [type(self)([each], self.number) for each in self.inputs]

    def skipped(self, n_commands):
        """Where only one command is wanted, --text has every second turn."""
        return self.number % 2 if n_commands == 1 else 0

    def lay_out(self, folder):
        names = []
        for i, each in enumerate(self.inputs):
            (folder / str(i)).write_bytes(each.bytes())
            names.append(str(i))
        return [(self.words(options, names), ends) for options, ends in self.reports()]

    def reports(self):
        if self.goes_everywhere and not self.inputs[0].is_small:
            return (FIRST, *REPORTS)
        return FIRST, REPORTS[self.number // 2 % len(REPORTS)]

    def words(self, options, names):
        good = self.inputs[0].good
        return [word.replace('GOOD', good) for word in options] + names


class Benches(Profiles):
    """Always one."""

    def lay_out(self, folder):
        for name, content in self.inputs[0].files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content() if callable(content) else content)
        return list(self.inputs[0].commands)

    def skipped(self, n_commands):
        return self.number % len(self.inputs[0].commands) if n_commands == 1 else 0


@dataclasses.dataclass
class Input:
    """A profile that is wrong somewhere. Its bytes are made when they are needed."""
    group: str
    recipe: str  # how it was made, in words; unique with the group
    data: bytes | typing.Callable[[], bytes]
    good: str = SNAPSHOT
    is_small: bool = True  # may be asked for beside others
    batch: typing.ClassVar = Profiles

    def __str__(self):
        return f'{self.group}: {self.recipe}'

    def bytes(self):
        return self.data() if callable(self.data) else self.data


@dataclasses.dataclass
class Bench:
    """What is wrong lies beside the profile; it brings its commands along."""
    group: str
    recipe: str
    files: dict  # below the folder of the run
    commands: tuple  # (words, good ends)
    batch: typing.ClassVar = Benches
    is_small: typing.ClassVar = False

    def __str__(self):
        return f'{self.group}: {self.recipe}'


def batches(inputs):
    """Small inputs of one group and sample together, as they follow each other."""
    together, number = [], 0
    for each in inputs:
        if together and (not each.is_small or len(together) == each.batch.most or
                         (each.group, each.good) != (together[0].group, together[0].good)):
            yield batch_of(together, number)
            together, number = [], number + 1
        if each.is_small:
            together.append(each)
            continue
        yield batch_of([each], number)
        number += 1
    if together:
        yield batch_of(together, number)


def batch_of(inputs, number):
    return inputs[0].batch(inputs, number)
