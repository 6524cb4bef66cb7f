"""The broken and hostile ELF and DWARF of the test "mutants", through other reports: that test asks whether the names are
right, this one what happens in all that is done with them."""

import dataclasses
import sys

from inputs import TESTDATA, USUAL, Profiles

sys.path.insert(0, str(TESTDATA / 'mutants'))
import hostile
import mutants
import mutations

MAY_MISS = (0, 1, 2, 3)
REPORTS = (
    (('--text', '--lines'), USUAL),
    (('--list=.',), MAY_MISS),
    (('--raw', '--symbolize=force'), USUAL),
    (('--callgrind',), USUAL),
    (('--weblist=.',), MAY_MISS),
    (('--html', '--embed-source'), USUAL),
    (('--svg', '--addresses', '--nodecount=10'), USUAL),
    (('--proto',), USUAL),
    (('--info', '-v'), USUAL),
    (('--disasm=.',), MAY_MISS),
    (('--json', '--showcolumns', '--lines', '--noinlines'), USUAL),
    (('--tree', '--no-strip-temp', '--force-binary'), USUAL),
)
# objdump needs a minute for some that are large, and pprof waits two.
WITHOUT_OBJDUMP = [(words, ends) for words, ends in REPORTS if words[0] not in ('--weblist=.', '--disasm=.')]


class Objects(Profiles):
    """A sysroot of mutants, and a profile of all of them; alone, a mutant is the program too."""

    most = mutants.MOST_TOGETHER

    def lay_out(self, folder):
        placed = mutants.place([each.case for each in self.inputs])
        root = mutants.lay_out(placed, folder)
        reports = REPORTS if all(each.is_small for each in self.inputs) else WITHOUT_OBJDUMP
        words, ends = reports[self.number % len(reports)]
        program = root / placed[0].path
        return [((*words, f'--sysroot={root}', 'profile.heap'), ends),
                ((*words, f'--sysroot={root}', str(program), 'profile.heap'), ends)]


@dataclasses.dataclass
class Object:
    case: object
    batch = Objects
    group = 'ELF and DWARF'
    good = ''

    @property
    def is_small(self):
        return not self.case.files and len(self.case.data) <= mutants.SMALL

    def __str__(self):
        return f'{self.group}: {self.case}'


def inputs():
    for cases in mutations.cases(), hostile.cases(None):
        for case in cases:
            yield Object(case)
