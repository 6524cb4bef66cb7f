"""What is run: one object that is wrong somewhere, and what must be answered all the same."""

import dataclasses


@dataclasses.dataclass
class Case:
    group: str
    recipe: str  # how it was made, in words; unique with the group
    data: bytes  # the object
    asked: list  # (link-time address, offset in the file) of code in it
    at: tuple  # link-time address and offset of its code
    bias: int = 0  # what is added to link-time addresses at run time
    files: dict = dataclasses.field(default_factory=dict)  # more files below the sysroot: bytes, or what stands there
    names_files: bool = False  # names in it are those of other files
    warnings: tuple = (0, 1)  # how many name the object, at least and at most
    names: tuple = ()  # of functions, that must be in the answer; of a tuple in it, one

    def __str__(self):
        return f'{self.group}: {self.recipe}'[:150]


class Fifo:
    """Nobody ever writes into it."""


class Folder:
    pass


@dataclasses.dataclass
class Link:
    target: str
