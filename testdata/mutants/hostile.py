"""Objects that are written by hand to cost time or memory without end, to lead in circles, or to lie.

Each generator below makes the objects of one group. Of all of them a symbol covers the code, so that whatever becomes of
the debug information, the addresses have names.
"""

import lzma
import struct
import zlib

import writer
from case import Case, Fifo, Folder, Link
from writer import (END_SEQUENCE, FLAVOURS, SHT_STRTAB, SHT_SYMTAB, TEXT, TEXT_SIZE, UT_SKELETON, UT_SPLIT, Abbreviations,
                    Section, elf, good_lines, line_program, set_address, string, uleb, unit)

HALF = TEXT + TEXT_SIZE // 2
ASKED = [(vaddr, 0x1000 + vaddr - TEXT) for vaddr in writer.ASKED]
NAMED = (('victim', 'by_symbol'), ('second', 'by_symbol'))
BY_DWARF = ('victim', 'second')
F64 = FLAVOURS[0]

GROUPS = []
NAMING = 'alternate file', 'debuglink', '.dwo', '.dwp'


def group(name):
    def add(make):
        GROUPS.append((name, make))
        return make
    return add


def cases(wanted):
    """Those of one group, or of all."""
    for name, make in GROUPS:
        if wanted and name != wanted:
            continue
        for recipe, data, *options in make():
            yield Case(name, recipe, data, ASKED, (TEXT, 0x1000), names_files=name in NAMING,
                       **{'names': NAMED, **dict(*options)})


DAMAGE = dict(warnings=(1, 1))
FINE = dict(warnings=(0, 0), names=BY_DWARF)


# ---------------------------------------------------------------------------------------------------- good DWARF

class Standard(Abbreviations):
    """The abbreviations that most units here use."""

    def __init__(self):
        super().__init__()
        self.unit = self.add('compile_unit', 1, 'name:string', 'stmt_list:sec_offset', 'low_pc:addr', 'high_pc:addr')
        self.function = self.add('subprogram', 1, 'name:string', 'low_pc:addr', 'high_pc:addr')
        self.block = self.add('lexical_block', 1, 'low_pc:addr', 'high_pc:addr')
        self.sibling = self.add('subprogram', 1, 'name:string', 'low_pc:addr', 'high_pc:addr', 'sibling:ref4')
        self.origin = self.add('subprogram', 0, 'low_pc:addr', 'high_pc:addr', 'abstract_origin:ref4')
        self.specification = self.add('subprogram', 0, 'low_pc:addr', 'high_pc:addr', 'specification:ref4')
        self.to_origin = self.add('subprogram', 0, 'abstract_origin:ref4')
        self.to_specification = self.add('subprogram', 0, 'specification:ref4')
        self.inlined = self.add('inlined_subroutine', 1, 'abstract_origin:ref4', 'low_pc:addr', 'high_pc:addr')
        self.namespace = self.add('namespace', 1)
        self.structure = self.add('structure_type', 1)
        self.declared = self.add('subprogram', 0, 'name:string')


def head_of(dies, a):
    dies.die(a.unit, 'unit.c', 0, TEXT, TEXT + TEXT_SIZE)


def function(dies, a, name, low, high):
    dies.die(a.function, name, low, high)
    dies.end()


def second(dies, a):
    function(dies, a, 'second', HALF, TEXT + TEXT_SIZE)


def sections_of(f, info, abbreviations, lines=None, *more):
    return [Section('.debug_info', info), abbreviations.section(),
            Section('.debug_line', line_program(f, good_lines(f)) if lines is None else lines), *more]


def object_of(f, fill, a=None, lines=None, more=(), **head):
    """An object of one unit: fill(dies, abbreviations) writes what lies below its first DIE."""
    a = a or Standard()

    def fill_all(dies):
        head_of(dies, a)
        fill(dies, a)
        dies.end()
    return elf(f, sections_of(f, unit(f, a, fill_all, **head), a, lines, *more))


def plain(dies, a):
    function(dies, a, 'victim', TEXT, HALF)
    second(dies, a)


def plain_unit(f, a=None, **head):
    a = a or Standard()

    def fill(dies):
        head_of(dies, a)
        plain(dies, a)
        dies.end()
    return unit(f, a, fill, **head)


@group('hand-made, good')
def good():
    for f in FLAVOURS:
        for version in 2, 3, 4, 5:
            yield f'DWARF {version}, {f}', object_of(f, plain, version=version), FINE


# ---------------------------------------------------------------------------------------------------- DIEs

@group('sibling')
def siblings():
    for f in FLAVOURS:
        for name, target in [('itself', lambda dies: dies.at('here')), ('backwards', lambda dies: dies.at('first')),
                             ('the unit', lambda dies: 0), ('beyond the unit', lambda dies: 0x1000),
                             ('far', lambda dies: 0xffffffff), ('within itself', lambda dies: dies.at('here') + 3),
                             ('the end of the unit', lambda dies: dies.at('end'))]:
            def fill(dies, a, target=target):
                dies.mark('first')
                function(dies, a, 'first', TEXT + 0xf00, TEXT + 0xf01)
                dies.mark('here')
                dies.die(a.sibling, 'victim', TEXT, HALF, target(dies))
                dies.end()
                second(dies, a)
                dies.mark('end')
            yield f'{name}, {f}', object_of(f, fill), dict(names=BY_DWARF)


@group('cycle')
def cycles():
    for f in FLAVOURS:
        for first, other in ('origin', 'to_origin'), ('specification', 'to_specification'), ('origin', 'to_specification'):
            for n in 1, 2, 1000:
                def fill(dies, a, first=first, other=other, n=n):
                    dies.mark(0)
                    if n == 1:
                        dies.die(getattr(a, first), TEXT, HALF, dies.at(0))
                    else:
                        dies.die(getattr(a, first), TEXT, HALF, dies.at(1))
                        for i in range(1, n):
                            dies.mark(i)
                            dies.die(getattr(a, other), dies.at((i + 1) % n))
                    second(dies, a)
                yield f'{first}, {other}, of {n}, {f}', object_of(f, fill), dict(DAMAGE, names=('by_symbol', 'second'))

    def inlined_in_itself(dies, a):
        dies.die(a.function, 'victim', TEXT, HALF)
        dies.mark('inlined')
        dies.die(a.inlined, dies.at('inlined'), TEXT, HALF)
        dies.end(2)
        second(dies, a)

    def without_end(dies, a):
        dies.mark('last')
        for i in range(20_000):
            dies.mark(i + 1)
            dies.die(a.to_origin, dies.at(i))
        dies.die(a.origin, TEXT, HALF, dies.at(20_000))
        second(dies, a)
    yield 'inlined into itself', object_of(F64, inlined_in_itself), dict(DAMAGE, names=BY_DWARF)
    yield 'a chain of 20,000 that ends nowhere', object_of(F64, without_end), dict(DAMAGE, names=('by_symbol', 'second'))


@group('depth')
def depth():
    def nest(code, *values):
        def fill(dies, a):
            dies.die(a.function, 'victim', TEXT, HALF)
            dies.die(getattr(a, code), *values, times=100_000)
            dies.end(100_001)
            second(dies, a)
        return fill

    def around(code):
        def fill(dies, a):
            dies.die(getattr(a, code), times=100_000)
            plain(dies, a)
            dies.end(100_000)
        return fill

    def inlined(dies, a):
        dies.mark('abstract')
        dies.die(a.declared, 'inlined')
        dies.die(a.function, 'victim', TEXT, HALF)
        dies.die(a.inlined, dies.at('abstract'), TEXT, HALF, times=100_000)
        dies.end(100_001)
        second(dies, a)

    def open_end(dies, a):
        plain(dies, a)
        dies.die(a.namespace, times=100_000)

    for f in FLAVOURS:
        yield f'100,000 blocks, {f}', object_of(f, nest('block', TEXT, HALF)), DAMAGE
    yield '100,000 blocks elsewhere', object_of(F64, nest('block', HALF, HALF + 1)), DAMAGE
    yield '100,000 functions', object_of(F64, nest('function', 'inner', TEXT, HALF)), \
        dict(DAMAGE, names=(('victim', 'inner', 'by_symbol'), NAMED[1]))
    yield '100,000 inlined functions', object_of(F64, inlined), dict(DAMAGE, names=(('victim', 'inlined', 'by_symbol'), NAMED[1]))
    yield '100,000 namespaces', object_of(F64, around('namespace')), DAMAGE
    yield '100,000 structures', object_of(F64, around('structure')), DAMAGE
    yield '100,000 namespaces that do not end', object_of(F64, open_end), DAMAGE


@group('overlap')
def overlap():
    """Functions and blocks that cover the same code, many times."""
    def same(dies, a):
        dies.die(a.function, 'victim', TEXT, HALF, times=50_000, end=1)
        second(dies, a)

    def stairs(dies, a):
        for i in range(10_000):
            function(dies, a, 'victim', TEXT + i % 0x800, HALF + i % 0x7ff)
        second(dies, a)

    def blocks(dies, a):
        dies.die(a.function, 'victim', TEXT, HALF)
        for i in range(20):
            dies.die(a.block, TEXT + i, HALF - i % 7, times=5_000, end=1)
        dies.end()
        second(dies, a)

    def inlined(dies, a):
        dies.mark('abstract')
        dies.die(a.declared, 'inlined')
        dies.die(a.function, 'victim', TEXT, HALF)
        dies.die(a.inlined, dies.at('abstract'), TEXT, HALF, times=50_000, end=1)
        dies.end()
        second(dies, a)

    def wild(dies, a):
        function(dies, a, 'all', 0, -1)
        function(dies, a, 'empty', TEXT, TEXT)
        function(dies, a, 'backwards', HALF, TEXT)
        function(dies, a, 'last', -2, -1)
        plain(dies, a)

    yield '50,000 functions alike', object_of(F64, same), FINE
    yield '10,000 functions in stairs', object_of(F64, stairs)
    yield '100,000 blocks', object_of(F64, blocks), FINE
    yield '50,000 inlined functions side by side', object_of(F64, inlined), dict(names=(('victim', 'inlined'), 'second'))
    for f in FLAVOURS:
        yield f'ranges at the ends of the address space, {f}', object_of(f, wild), dict(names=())


@group('unit')
def units():
    for f in FLAVOURS:
        def one(name, f=f, options=DAMAGE, **head):
            return f'{name}, {f}', object_of(f, plain, **head), options
        for length in 0, 1, 7, 0x7fffffff, 0xfffffff0, 0xfffffffe, 0xffffffff:
            yield one(f'its length is {length:#x}', length=length)
        for version in 0, 1, 6, 7, 0xffff:
            yield one(f'its version is {version}', version=version)
        for size in 0, 1, 3, 16, 255:
            yield one(f'its addresses have {size} bytes', address_size=size, options={})
        for offset in 1, 0x100000, 0xffffffff:
            yield one(f'its abbreviations are at {offset:#x}', abbrev_offset=offset, options={} if offset == 1 else DAMAGE)
        for kind in 0, 2, 3, 4, 5, 6, 7, 0x7f, 0x80, 255:
            # Types have no code, a partial unit is like any other, and what vendors add is theirs.
            options = DAMAGE if kind in (0, 7, 0x7f) else {}
            yield one(f'it is of kind {kind}', kind=kind, options=options)

        a = Standard()
        good = plain_unit(f, a)
        for name, info in [
                ('two, the first longer by 8', plain_unit(f, a, length=len(good) + 4) + good),
                ('two, the first shorter by 8', plain_unit(f, a, length=len(good) - 12) + good),
                ('of no length, before a good one', bytes(4) + good),
                ('of 64-bit DWARF without end', b'\xff' * 12 + good),
                ('of another version, before a good one', plain_unit(f, a, version=9) + good)]:
            yield f'{name}, {f}', elf(f, sections_of(f, info, a)), DAMAGE

    a = Standard()
    yield '100,000 without content', elf(F64, sections_of(F64, bytes(4) * 100_000 + plain_unit(F64, a), a)), DAMAGE
    empty = unit(F64, a, lambda dies: dies.end())
    yield '100,000 of a NULL DIE', elf(F64, sections_of(F64, empty * 100_000 + plain_unit(F64, a), a)), DAMAGE
    yield '5,000 that cover the same code', elf(F64, sections_of(F64, plain_unit(F64, a) * 5000, a))


# ---------------------------------------------------------------------------------------------------- abbreviations

@group('abbreviation')
def abbreviations():
    # More attributes than any compiler writes would be read once more for each DIE.
    for f in FLAVOURS[:2]:
        for n_dies in 1, 100_000:
            a = Standard()
            wide = a.add('lexical_block', 0, 'name:flag_present', times=1_000_000)

            def fill(dies, a, n_dies=n_dies, wide=wide):
                plain(dies, a)
                dies.die(wide, times=n_dies)
            yield f'1,000,000 attributes without content, {n_dies} times, {f}', object_of(f, fill, a), DAMAGE

    a = Standard()
    constants = a.add('lexical_block', 0, 'const_value:implicit_const:7', times=100_000)

    def use_constants(dies, a):
        dies.die(constants, times=50_000)
        plain(dies, a)
    yield '100,000 implicit constants, 50,000 times', object_of(F64, use_constants, a), DAMAGE

    for name, code in ('0xffffffff', 0xffffffff), ('2^64 - 1', 2 ** 64 - 1):
        a = Standard()
        a.add('lexical_block', 0, code=code)

        def use_code(dies, a, code=code):
            dies.die(code)
            plain(dies, a)
        yield f'its code is {name}', object_of(F64, use_code, a)

    a = Standard()
    a.data += b''.join(uleb(1000 + i) + b'\x0b\0\0\0' for i in range(300_000))
    yield '300,000 of them', object_of(F64, plain, a)
    a.data = a.data[:20_000]
    small = b''.join(plain_unit(F64, a) for _ in range(3000))
    yield '5,000 of them, for 3,000 units', elf(F64, sections_of(F64, small, a))

    a = Standard()
    a.data = a.data[:-1]
    yield 'cut in the last', elf(F64, [Section('.debug_info', plain_unit(F64, a)), Section('.debug_abbrev', bytes(a.data))]), DAMAGE
    yield 'none', elf(F64, [Section('.debug_info', plain_unit(F64)), Section('.debug_abbrev')]), DAMAGE
    yield 'no section', elf(F64, [Section('.debug_info', plain_unit(F64))]), DAMAGE
    yield 'numbers that do not end', elf(F64, [Section('.debug_info', plain_unit(F64)),
                                               Section('.debug_abbrev', b'\x80' * 1_000_000)])

    a = Standard()
    a.data = bytearray(bytes(a.data) * 2)
    yield 'each code twice', object_of(F64, plain, a)
    a = Standard()
    a.add('lexical_block', 0, code=a.function)
    a.forms[a.function] = ['string', 'addr', 'addr']
    yield 'a code that means two things', object_of(F64, plain, a)


@group('form')
def forms():
    def with_attribute(f, form, value, before=False, version=5):
        a = Standard()
        odd = a.add('lexical_block', 0, f'const_value:{form}')

        def fill(dies, a):
            if not before:
                plain(dies, a)
            dies.die(odd, value)
            if before:
                plain(dies, a)
        return object_of(f, fill, a, version=version)

    for f in FLAVOURS:
        for form, value in [('block', uleb(2 ** 64 - 1)), ('block', uleb(1 << 32)), ('block4', f.u(0xffffffff, 4)),
                            ('block2', b'\xff\xff'), ('exprloc', uleb(2 ** 63)), ('block', b'\x80' * 20 + b'\0'),
                            ('udata', b'\xff' * 30 + b'\1'), ('data16', b''), ('strx', 2 ** 64 - 1), ('addrx', 2 ** 64 - 1),
                            ('strp', 0xffffffff), ('line_strp', 0xfffffff0), ('ref_sig8', 1), ('strp_sup', 0),
                            ('ref_addr', 0xfffffff0), ('gnu_ref_alt', 12), ('gnu_strp_alt', 12), ('rnglistx', 2 ** 64 - 1)]:
            for before in False, True:
                place = 'before' if before else 'behind'
                shown = value.hex()[:20] if isinstance(value, bytes) else f'{value:#x}'
                yield f'{form} {shown} {place} the functions, {f}', with_attribute(f, form, value, before)

    def names_by(f, form, value, more=()):
        a = Standard()
        named = a.add('subprogram', 0, f'name:{form}', 'low_pc:addr', 'high_pc:addr')

        def fill(dies, a):
            dies.die(named, value, TEXT, HALF)
            second(dies, a)
        return object_of(f, fill, a, more=more)

    for f in FLAVOURS:
        strings = [Section('.debug_str', b'ends'), Section('.debug_line_str', b'ends too')]
        for form, value in ('strp', 0), ('strp', 4), ('strp', 5), ('line_strp', 0), ('strx', 0), ('strx', 1 << 60), \
                ('gnu_strp_alt', 0), ('strp_sup', 0), ('indirect', uleb(writer.FORM['strp']) + f.u(0, 4)):
            yield f'the name is {form} {value}, without a NUL, {f}', names_by(f, form, value, strings)
    for n in 1, 2, 100_000:
        yield f'indirect {n} times', names_by(F64, 'indirect', uleb(writer.FORM['indirect']) * n + b'\x08victim\0')
    yield 'indirect to an implicit constant', names_by(F64, 'indirect', uleb(writer.FORM['implicit_const']) + b'\5')
    yield 'a name of 4 MB', names_by(F64, 'string', 'n' * (4 << 20)), dict(names=('second',))
    yield 'a name of escapes', names_by(F64, 'string', '\x1b]0;evil\x07\x1b[31m'), dict(names=('second',), warnings=(0, 0))
    yield 'a name that demangles without end', names_by(F64, 'string', '_Z1f' + 'N1aI' * 2000), dict(names=('second',))


# ---------------------------------------------------------------------------------------------------- lines

@group('lines')
def lines():
    for f in FLAVOURS:
        def one(name, program, f=f, **options):
            return f'{name}, {f}', object_of(f, plain, lines=program), dict(options, names=BY_DWARF)

        begin = set_address(f, TEXT)
        heads = [dict(line_range=0), dict(opcode_base=0), dict(opcode_base=1), dict(opcode_base=255), dict(min_instruction=0),
                 dict(max_operations=0), dict(line_base=-128, line_range=1), dict(header_length=0),
                 dict(header_length=0xffffffff), dict(header_length=0x7fffffff), dict(length=0), dict(length=5),
                 dict(length=0xfffffff0), dict(length=0xffffffff), dict(length=0x7fffffff)]
        for head in heads:
            for version in 4, 5:
                text = ', '.join(f'{key} {value}' for key, value in head.items())
                options = DAMAGE if {'length', 'line_range', 'max_operations'} & head.keys() and len(head) == 1 else {}
                yield one(f'{text}, DWARF {version}', line_program(f, good_lines(f), version=version, **head), **options)
        for version in 0, 1, 6, 0xffff:
            yield one(f'version {version}', line_program(f, good_lines(f), version=version), **DAMAGE)
        for name, opcodes in [
                ('backwards', begin + b'\1' + set_address(f, TEXT - 0x100) + b'\1' + begin + b'\1' + END_SEQUENCE),
                ('no end of the sequence', good_lines(f)[:-3]),
                ('only ends', END_SEQUENCE * 1000),
                ('an extended opcode of no length', begin + b'\1\0\0\1' + END_SEQUENCE),
                ('an extended opcode that is too long', begin + b'\1\0' + uleb(1 << 60) + b'\2'),
                ('an address of three bytes', b'\0\4\2abc\1' + END_SEQUENCE),
                ('an address of 16 bytes', b'\0\x11\2' + bytes(16) + b'\1' + END_SEQUENCE),
                ('an unknown extended opcode', begin + b'\1\0\3\x99ab' + END_SEQUENCE),
                ('advance of 2^64 - 1', begin + b'\1\2' + uleb(2 ** 64 - 1) + b'\1' * 3 + END_SEQUENCE),
                ('line of -2^63', begin + b'\3' + writer.sleb(-2 ** 63) + b'\1\2\x10' + END_SEQUENCE),
                ('line of 2^63', begin + (b'\3' + writer.sleb(2 ** 63 - 1)) * 3 + b'\1\2\x10' + END_SEQUENCE),
                ('file 2^64 - 1', begin + b'\4' + uleb(2 ** 64 - 1) + b'\1\2' + uleb(TEXT_SIZE) + END_SEQUENCE),
                ('column 2^64 - 1', begin + b'\5' + uleb(2 ** 64 - 1) + b'\1\2' + uleb(TEXT_SIZE) + END_SEQUENCE),
                ('numbers that do not end', begin + b'\2' + b'\x80' * 1000),
                ('empty', b'')]:
            yield one(name, line_program(f, opcodes))
        for name, tables in [
                ('2^32 files without content', b'\0\0\0' + uleb(1 << 32)),
                ('2^64 - 1 files without content', b'\0\0\0' + uleb(2 ** 64 - 1)),
                ('2^32 folders without content', b'\0' + uleb(1 << 32) + b'\0\0'),
                ('2^32 files of flags', b'\0\0\1\1\x19' + uleb(1 << 32)),
                ('2^32 files of names', b'\0\0\1\1\x08' + uleb(1 << 32)),
                ('255 fields a file', b'\0\0' + b'\xff' + b'\1\x08' * 255 + b'\1'),
                ('an unknown form', b'\0\0\1\1\x7f\1'),
                ('an unknown content', b'\0\0\2\1\x08\x7f\x0b\1' + string('a.c') + b'\0'),
                ('a folder out of the table', b'\0\0\2\1\x08\2\x0b\2' + string('a.c') + b'\xff' + string('b.c') + b'\xff'),
                ('a name out of the section', b'\0\0\1\1\x1f\1' + f.u(0x7fffffff, 4))]:
            options = DAMAGE if name.startswith('2^') else {}
            yield one(name, line_program(f, good_lines(f), version=5, tables=tables), **options)

    begin = set_address(F64, TEXT)
    for name, opcodes in [
            ('2,000,000 rows at one address', begin + b'\1' * 2_000_000 + END_SEQUENCE),
            ('1,000,000 times advance_pc 0', begin + b'\2\0' * 1_000_000 + b'\1' + END_SEQUENCE),
            ('1,000,000 rows that do not end', begin + b'\2\0\1' * 700_000),
            ('500,000 sequences backwards', b''.join(set_address(F64, TEXT + i % 0x1000) + b'\1\2\1' + END_SEQUENCE
                                                     for i in range(100_000, 0, -1))),
            ('100,000 sequences alike', (begin + b'\1\2\x10' + END_SEQUENCE) * 100_000),
            ('200,000 files that it defines', begin + b'\0\5\3a\0\0\0' * 200_000 + b'\1\2\x10' + END_SEQUENCE),
            ('2,000,000 special opcodes', begin + b'\x4b' * 2_000_000 + END_SEQUENCE)]:
        program = line_program(F64, opcodes)
        yield name, object_of(F64, plain, lines=program), dict(names=BY_DWARF)
        a = Standard()
        many = elf(F64, sections_of(F64, plain_unit(F64, a) * 2000, a, program))
        yield f'{name}, for 2,000 units', many, DAMAGE

    program = line_program(F64, good_lines(F64), files=[f'{i}.c' for i in range(200_000)])
    a = Standard()
    yield '200,000 files', object_of(F64, plain, lines=program), dict(names=BY_DWARF)
    yield '200,000 files, for 2,000 units', elf(F64, sections_of(F64, plain_unit(F64, a) * 2000, a, program)), DAMAGE


# ---------------------------------------------------------------------------------------------------- ranges

def ranged_units(f, n, lists, version, offset=0, section=None):
    """n units whose code is told by the same list."""
    a = Standard()
    ranged = a.add('compile_unit', 1, 'name:string', 'stmt_list:sec_offset', 'ranges:sec_offset')

    def fill(dies):
        dies.die(ranged, 'unit.c', 0, offset)
        plain(dies, a)
        dies.end()
    name = section or ('.debug_rnglists' if version >= 5 else '.debug_ranges')
    return elf(f, sections_of(f, unit(f, a, fill, version=version) * n, a, None, Section(name, lists)))


def rnglists(f, body, n_offsets=0, length=None):
    head = f.u(5, 2) + bytes([f.address_size, 0]) + f.u(n_offsets, 4)
    return f.u(len(head) + len(body) if length is None else length, 4) + head + body


@group('ranges')
def ranges():
    for f in FLAVOURS:
        w, all_ones = f.word, f.word(-1)
        pair = w(TEXT) + w(TEXT + TEXT_SIZE)
        for name, data in [
                ('good', pair + bytes(2 * f.address_size)), ('empty', b''), ('no end', pair),
                ('cut in an address', pair + w(0) + b'\0'), ('backwards', w(HALF) + w(TEXT) + bytes(2 * f.address_size)),
                ('1,000 bases', (all_ones + w(0)) * 1000 + pair), ('the base passes the end', all_ones + all_ones + pair),
                ('everything', w(0) + w(-2) + bytes(2 * f.address_size))]:
            yield f'{name}, DWARF 4, {f}', ranged_units(f, 1, data, 4)
        yield f'out of the section, DWARF 4, {f}', ranged_units(f, 1, pair, 4, offset=0xfffffff0), DAMAGE

        start_end = b'\6' + pair
        for name, body in [
                ('good', start_end + b'\0'), ('no end', start_end), ('cut in an address', b'\6' + w(TEXT)[:-1]),
                ('an unknown kind', b'\x7f' + start_end), ('a base by a wild index', b'\1' + uleb(2 ** 64 - 1) + start_end),
                ('wild indices', b'\2' + uleb(2 ** 64 - 1) + uleb(2 ** 63) + b'\3' + uleb(1 << 32) + b'\1' + start_end + b'\0'),
                ('a length that passes the end', b'\7' + w(TEXT) + uleb(2 ** 64 - 1) + b'\0'),
                ('offsets that pass the end', b'\5' + w(-1) + b'\4' + uleb(2 ** 64 - 1) + uleb(2 ** 64 - 1) + start_end + b'\0'),
                ('1,000 bases', (b'\5' + w(0)) * 1000 + start_end), ('numbers that do not end', b'\4' + b'\x80' * 1000)]:
            head = len(rnglists(f, b''))
            yield f'{name}, DWARF 5, {f}', ranged_units(f, 1, rnglists(f, body), 5, offset=head)
        for n_offsets in 1, 0xffffffff:
            yield f'{n_offsets} offsets, DWARF 5, {f}', \
                ranged_units(f, 1, rnglists(f, start_end + b'\0', n_offsets), 5, offset=12)
        yield f'a wild length, DWARF 5, {f}', \
            ranged_units(f, 1, rnglists(f, start_end + b'\0', length=0xfffffff0), 5, offset=12)

    w = F64.word
    for n in 1, 20_000:
        for name, data in [('100,000 bases', (w(-1) + w(TEXT)) * 50_000), ('100,000 pairs', (w(TEXT) + w(HALF)) * 50_000),
                           ('100,000 empty pairs', (w(TEXT) + w(TEXT)) * 50_000)]:
            yield f'{name} that do not end, for {n} units, DWARF 4', ranged_units(F64, n, data, 4), DAMAGE
        for name, body in [('300,000 bases', (b'\5' + w(TEXT)) * 100_000), ('300,000 offset pairs', b'\4\1\2' * 300_000),
                           ('300,000 empty offset pairs', b'\4\1\1' * 300_000)]:
            yield f'{name} that do not end, for {n} units, DWARF 5', \
                ranged_units(F64, n, rnglists(F64, body), 5, offset=12), DAMAGE
    yield '100,000 units with a list each of the rest', ranged_units(F64, 100_000, w(TEXT) + w(TEXT + 1) + bytes(16), 4)


# ---------------------------------------------------------------------------------------------------- ELF

@group('ELF')
def elf_headers():
    for f in FLAVOURS:
        a = Standard()
        sections = sections_of(f, plain_unit(f, a), a)
        for header in [dict(shnum=0xffff), dict(shnum=0xff00), dict(shnum=0), dict(shnum=1), dict(shstrndx=0xffff),
                       dict(shstrndx=0xfff0), dict(shstrndx=0), dict(shstrndx=1), dict(shentsize=0), dict(shentsize=1),
                       dict(shentsize=0xffff), dict(shoff=1), dict(shoff=-1), dict(shoff=-64), dict(shoff=0), dict(phnum=0),
                       dict(phnum=0xffff), dict(phnum=0xfffe), dict(phoff=0), dict(phoff=-1), dict(phoff=-56),
                       dict(phentsize=0), dict(ehsize=0), dict(ehsize=0xffff), dict(machine=0xffff), dict(type=0),
                       dict(type=1), dict(type=4), dict(version=0), dict(version=0xffffffff)]:
            text = ', '.join(f'{key} {value:#x}' for key, value in header.items())
            yield f'{text}, {f}', elf(f, sections, header), dict(names=())

        for at, size in [(0, 64), (0, 1 << 31), (-1, 1), (-1, -1), (1, -1), (0x1000, 0x1000), (0x7fffffff, 4)]:
            for name in '.debug_info', '.debug_abbrev', '.debug_line', '.symtab', '.strtab', '.shstrtab':
                moved = elf_with(f, sections, name, at, size)
                yield f'{name} at {at:#x} of {size:#x} bytes, {f}', moved, dict(names=())


def elf_with(f, sections, name, offset, size):
    """One section's header says that it lies elsewhere."""
    data = bytearray(elf(f, sections))
    shoff = int.from_bytes(data[40:48] if f.bits == 64 else data[32:36], f.order)
    order = ['', '.text', *[section.name for section in sections], '.symtab', '.strtab', '.shstrtab']
    width, at = (8, 24) if f.bits == 64 else (4, 16)
    at += shoff + order.index(name) * (64 if f.bits == 64 else 40)
    data[at:at + 2 * width] = f.word(offset) + f.word(size)
    return bytes(data)


@group('symbols')
def symbols():
    for f in FLAVOURS:
        for name, table, strings in [
                ('a name out of the table', [(0xffffffff, TEXT, TEXT_SIZE)], b'\0a\0'),
                ('a name without a NUL', [(1, TEXT, TEXT_SIZE)], b'\0abc'),
                ('no strings', [(1, TEXT, TEXT_SIZE)], b''),
                ('a size of -1', [(1, TEXT, -1)], b'\0a\0'),
                ('an address of -1', [(1, -1, -1), (1, -1, 1), (1, TEXT, 0)], b'\0a\0'),
                ('an empty name', [(0, TEXT, TEXT_SIZE)], b'\0')]:
            yield f'{name}, {f}', elf(f, [], symbols=table, strings=strings), dict(names=())
        good = [(1, TEXT, TEXT_SIZE)]
        for field, values in ('link', (0, 1, 3, 0xffffffff)), ('entsize', (0, 1, 7, 23, 1 << 31)), \
                ('info', (0, 0xffffffff)), ('size', (1, 25, -1, 1 << 31)), ('type', (11, 0, 0xffffffff)):
            for value in values:
                table, strings = writer.symbol_table(f, good, b'\0by_symbol\0')
                table.link = 3
                setattr(table, field, value)
                yield f'{field} of the table is {value:#x}, {f}', elf(f, [table, strings], symbols=None), dict(names=())
    for name, table in [
            ('200,000 alike', [(1, TEXT, TEXT_SIZE)] * 200_000),
            ('200,000 nested', [(1, TEXT + i % 0x800, TEXT_SIZE - i % 0x800) for i in range(200_000)]),
            ('200,000 nested before the addresses', [(1, TEXT + i % 0x10, 1 + i % 3) for i in range(200_000)] +
             [(1, TEXT, TEXT_SIZE)]),
            ('200,000 without a size', [(1, TEXT + i % 0x1000, 0) for i in range(200_000)])]:
        yield name, elf(F64, [], symbols=table), dict(names=())
    text = b'\0' + b'n' * (4 << 20) + b'\0'
    yield '10,000 that share a name of 4 MB', elf(F64, [], symbols=[(1 + i, TEXT, TEXT_SIZE) for i in range(10_000)],
                                                  strings=text), dict(names=())
    head = writer.symbol_table(F64, [(1, TEXT, TEXT_SIZE)], b'')[0]
    yield 'two tables', elf(F64, [Section('.symtab', head.data, SHT_SYMTAB, link=3, entsize=24),
                                  Section('.strtab', b'\0by_symbol\0', SHT_STRTAB)]), dict(names=())


@group('string tables')
def string_tables():
    for f in FLAVOURS:
        a = Standard()
        sections = sections_of(f, plain_unit(f, a), a)
        data = elf(f, sections)
        # The names of the sections lose their last NUL.
        place = data.rindex(b'.shstrtab\0') + 9
        yield f'section names without a NUL, {f}', data[:place] + b'x' + data[place + 1:], dict(names=())
        for build_id in b'', b'\1' * 64, b'\1' * 65, b'\1' * 5000:
            yield f'a build id of {len(build_id)} bytes, {f}', elf(f, [writer.note(f, build_id), *sections])
        for size in f.u(0xffffffff, 4), f.u(0x7fffffff, 4), f.u(0xfffffffd, 4):
            lying = Section('.note.gnu.build-id', f.u(4, 4) + size + f.u(3, 4) + b'GNU\0' + bytes(20), writer.SHT_NOTE)
            yield f'a note of {size.hex()} bytes, {f}', elf(f, [lying, *sections])


# ---------------------------------------------------------------------------------------------------- compression

def zeros_by_zlib(n_mb):
    """n_mb MB of zeros; the same bytes again and again, which only the checksum does not like."""
    packer = zlib.compressobj(9)
    head = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + again * (n_mb - 1) + packer.flush()


def zstd_frame(content_size, blocks, window=0x50):
    """A frame of the blocks; content_size None: it does not say."""
    if content_size is None:
        return b'\x28\xb5\x2f\xfd\0' + bytes([window]) + blocks
    return b'\x28\xb5\x2f\xfd\xe0' + content_size.to_bytes(8, 'little') + blocks


def zstd_block(kind, size, data, is_last=False):
    return (size << 3 | kind << 1 | is_last).to_bytes(3, 'little') + data


def zstd_zeros(n):
    """n blocks of 128 KB each, in four bytes."""
    return zstd_block(1, 128 << 10, b'\0') * (n - 1) + zstd_block(1, 128 << 10, b'\0', True)


@group('compressed by hand')
def compressed():
    def with_info(f, section):
        a = Standard()
        lines_section = Section('.debug_line', line_program(f, good_lines(f)))
        return elf(f, [section, a.section(), lines_section])

    for f in FLAVOURS:
        info = plain_unit(f)
        packed = zlib.compress(info)
        stored = zstd_block(0, len(info), info, True)
        yield f'good, by zlib, {f}', with_info(f, writer.compressed(f, '.debug_info', 1, len(info), packed)), FINE
        for size in 0, 1, len(info) - 1, len(info) + 1, 1 << 20, 0x7fffffff, -1:
            yield f'by zlib, said to be {size} bytes, {f}', \
                with_info(f, writer.compressed(f, '.debug_info', 1, size, packed))
            yield f'by zstd, said to be {size} bytes, {f}', \
                with_info(f, writer.compressed(f, '.debug_info', 2, size, zstd_frame(len(info), stored)))
            old = Section('.zdebug_info', b'ZLIB' + (size % 2 ** 64).to_bytes(8, 'big') + packed)
            yield f'.zdebug, said to be {size} bytes, {f}', with_info(f, old)
        for size in 0, len(info) + 1, 1 << 40, 2 ** 64 - 1:
            yield f'by zstd, whose frame says {size} bytes, {f}', \
                with_info(f, writer.compressed(f, '.debug_info', 2, len(info), zstd_frame(size, stored)))
        for kind in 0, 3, 0x60000000, 0xffffffff:
            yield f'by kind {kind:#x}, {f}', with_info(f, writer.compressed(f, '.debug_info', kind, len(info), packed))
        for n in 0, 1, 11:
            cut = Section('.debug_info', bytes(n), flags=writer.SHF_COMPRESSED)
            yield f'a head of {n} bytes, {f}', with_info(f, cut)
            yield f'.zdebug of {n} bytes, {f}', with_info(f, Section('.zdebug_info', b'ZLIB\0\0\0\0\0\0\0\0'[:n]))

    bomb = zeros_by_zlib(2048)
    for size in 1000, 1 << 20, 1 << 31, 1 << 40:
        yield f'2 GB of zeros by zlib, said to be {size} bytes', \
            with_info(F64, writer.compressed(F64, '.debug_info', 1, size, bomb))
        zeros = zstd_frame(None, zstd_zeros(16 << 10))
        yield f'2 GB of zeros by zstd, said to be {size} bytes', \
            with_info(F64, writer.compressed(F64, '.debug_info', 2, size, zeros))
        yield f'2 GB of zeros by zstd, in .debug_str, said to be {size} bytes', \
            elf(F64, [*sections_of(F64, plain_unit(F64), Standard()), writer.compressed(F64, '.debug_str', 2, size, zeros)])
        old = Section('.zdebug_info', b'ZLIB' + size.to_bytes(8, 'big') + bomb)
        yield f'2 GB of zeros in .zdebug, said to be {size} bytes', with_info(F64, old)
    yield 'a window of 2^41 bytes by zstd', \
        with_info(F64, writer.compressed(F64, '.debug_info', 2, 1000, zstd_frame(None, zstd_zeros(1), window=0xff)))
    frames = zstd_frame(0, zstd_block(0, 0, b'', True)) * 100_000
    yield '100,000 frames of nothing by zstd', \
        with_info(F64, writer.compressed(F64, '.debug_info', 2, 1000, frames))
    blocks = zstd_block(0, 0, b'') * 300_000
    yield '300,000 blocks of nothing by zstd', \
        with_info(F64, writer.compressed(F64, '.debug_info', 2, 1000, zstd_frame(None, blocks)))
    many = [writer.compressed(F64, '.debug_str', 1, 15 << 20, zeros_by_zlib(15)) for _ in range(60)]
    yield '60 sections of 15 MB', elf(F64, [*sections_of(F64, plain_unit(F64), Standard()), *many])
    others = [writer.compressed(F64, f'.debug_other{i}', 1, 15 << 20, zeros_by_zlib(15)) for i in range(60)]
    yield '60 sections of 15 MB that nobody needs', elf(F64, [*sections_of(F64, plain_unit(F64), Standard()), *others]), FINE


@group('.gnu_debugdata')
def debugdata():
    def with_xz(data, **options):
        return elf(F64, [Section('.gnu_debugdata', data)], symbols=None), dict(names=(), **options)

    inner = elf(F64, [])
    packed = lzma.compress(inner)
    yield 'good', elf(F64, [Section('.gnu_debugdata', packed)], symbols=None), dict(names=('by_symbol',), warnings=(0, 0))
    for n in 0, 5, 12, 13, len(packed) // 2, len(packed) - 1:
        yield f'cut after {n} bytes', *with_xz(packed[:n])
    for place in 6, 8, 12, 13, 15, 20, len(packed) // 2, len(packed) - 20, len(packed) - 5:
        yield f'byte {place} is 0xff', *with_xz(packed[:place] + b'\xff' + packed[place + 1:])
    yield 'no xz', *with_xz(b'no xz at all' * 10)
    zeros = lzma.compress(bytes(8 << 20), preset=0)
    yield '2 GB of zeros', *with_xz(zeros * 256)
    yield '2 GB behind a good one', *with_xz(packed + zeros * 256)
    yield '1,000,000 bytes of padding', *with_xz(packed + bytes(1_000_000))
    large = lzma.compress(elf(F64, [Section('.debug_str', bytes(16 << 20))]), preset=0)
    yield 'an object of 16 MB', *with_xz(large)
    nested = packed
    for _ in range(3):
        nested = lzma.compress(elf(F64, [Section('.gnu_debugdata', nested)], symbols=None))
    yield 'one in another', *with_xz(nested)
    yield 'a dictionary of 4 GB', *with_xz(with_dictionary(packed, 40))
    yield 'a dictionary that is none', *with_xz(with_dictionary(packed, 63))


def with_dictionary(packed, size):
    """The xz block's header asks for a dictionary of another size, and its checksum agrees."""
    out = bytearray(packed)
    length = (out[12] + 1) * 4
    at = out.index(b'\x21\x01', 12, 12 + length) + 2
    out[at] = size
    out[12 + length - 4:12 + length] = struct.pack('<I', zlib.crc32(bytes(out[12:12 + length - 4])))
    return bytes(out)


# ---------------------------------------------------------------------------------------------------- other files

HERE = 'srv/app/bin'


def other_files():
    """What a name in an object may lead to: how it is called, the name, what lies where it leads."""
    yield 'a FIFO', 'other', {f'{HERE}/other': Fifo()}
    yield 'itself', 'mutant', {}
    yield 'itself by its path', f'/{HERE}/mutant', {}
    yield 'a directory', 'other', {f'{HERE}/other': Folder()}
    yield 'an empty file', 'other', {f'{HERE}/other': b''}
    yield 'a text', 'other', {f'{HERE}/other': b'text\n' * 1000}
    yield 'a link to itself', 'other', {f'{HERE}/other': Link('other')}
    yield 'a link to the object', 'other', {f'{HERE}/other': Link('mutant')}
    yield 'a link to a device', 'other', {f'{HERE}/other': Link('/dev/zero')}
    yield 'a device', '/dev/zero', {}
    yield 'the library', '/srv/app/lib/libshapes.so', {}
    yield 'nothing', 'other', {}
    yield 'a place above', '../' * 50 + 'etc/passwd', {}
    yield 'no name', '', {}
    yield 'a name of 100,000 bytes', 'n' * 100_000, {}
    yield 'a name of escapes', '\x1b[31m\n', {}


@group('alternate file')
def alternate_files():
    for build_id in b'', b'\1' * 20, b'\1' * 200:
        for name, path, files in other_files():
            a = Standard()
            by_alternate = a.add('subprogram', 0, 'name:gnu_strp_alt', 'low_pc:addr', 'high_pc:addr')

            def fill(dies, a, by_alternate=by_alternate):
                dies.die(by_alternate, 5, TEXT, HALF)
                second(dies, a)
            link = Section('.gnu_debugaltlink', string(path) + build_id)
            yield f'{name}, build id of {len(build_id)} bytes', object_of(F64, fill, a, more=[link]), \
                dict(names=(), files=files)
    yield 'a name without a NUL', object_of(F64, plain, more=[Section('.gnu_debugaltlink', b'other')])
    yield 'an empty section', object_of(F64, plain, more=[Section('.gnu_debugaltlink')])
    other = object_of(F64, plain, more=[Section('.gnu_debugaltlink', string('mutant'))])
    link = Section('.gnu_debugaltlink', string('other'))
    yield 'of each other', object_of(F64, plain, more=[link]), dict(files={f'{HERE}/other': other})


@group('debuglink')
def debuglinks():
    def linked(path, crc):
        name = string(path)
        return elf(F64, [Section('.gnu_debuglink', name + bytes(-len(name) % 4) + struct.pack('<I', crc))], symbols=None)

    for name, path, files in other_files():
        # An empty file has the checksum that is asked for, and then is none of ELF: that has a warning of its own.
        yield name, linked(path, 0), dict(names=(), files=files, warnings=(0, 2))
    text = elf(F64, [])
    yield 'good', linked('other', zlib.crc32(text)), dict(names=('by_symbol',), files={f'{HERE}/other': text}, warnings=(0, 0))
    other = linked('other', 0)
    yield 'of each other', linked('other', zlib.crc32(other)), dict(names=(), files={f'{HERE}/other': other}, warnings=(0, 1))
    yield 'cut in the checksum', elf(F64, [Section('.gnu_debuglink', b'other\0\0\0ab')], symbols=None), dict(names=())
    yield 'a name without a NUL', elf(F64, [Section('.gnu_debuglink', b'other')], symbols=None), dict(names=())


def skeleton(f, path, dwo_id=0x1122334455667788, version=5, folder='/srv/app/bin', n=1):
    return skeletons(f, path, [dwo_id] * n, version, folder)


def skeletons(f, path, dwo_ids, version=5, folder='/srv/app/bin'):
    a = Standard()
    if version >= 5:
        top = a.add('skeleton_unit', 0, 'stmt_list:sec_offset', 'dwo_name:string', 'comp_dir:string', 'low_pc:addr',
                    'high_pc:addr')
    else:
        top = a.add('compile_unit', 0, 'stmt_list:sec_offset', 'gnu_dwo_name:string', 'comp_dir:string', 'low_pc:addr',
                    'high_pc:addr', 'gnu_dwo_id:data8')

    def skeleton_of(dwo_id):
        def fill(dies):
            values = [0, path, folder, TEXT, TEXT + TEXT_SIZE]
            dies.die(top, *values, *([] if version >= 5 else [dwo_id]))
        extra = f.u(dwo_id, 8) if version >= 5 else b''
        return unit(f, a, fill, version=version, kind=UT_SKELETON, extra=extra)
    return elf(f, sections_of(f, b''.join(skeleton_of(each) for each in dwo_ids), a))


def split_info(f, dwo_id=0x1122334455667788, version=5, names=('victim', 'second')):
    """.debug_info.dwo and .debug_abbrev.dwo of a .dwo file."""
    a = Abbreviations()
    top = a.add('compile_unit', 1, 'name:string', *([] if version >= 5 else ['gnu_dwo_id:data8']))
    code = a.add('subprogram', 0, 'name:string', 'low_pc:addr', 'high_pc:addr')

    def fill(dies):
        dies.die(top, 'unit.c', *([] if version >= 5 else [dwo_id]))
        dies.die(code, names[0], TEXT, HALF)
        dies.die(code, names[1], HALF, TEXT + TEXT_SIZE)
        dies.end()
    extra = f.u(dwo_id, 8) if version >= 5 else b''
    return unit(f, a, fill, version=version, kind=UT_SPLIT, extra=extra), a.section().data


def dwo(f, **options):
    info, abbrev = split_info(f, **options)
    return elf(f, [Section('.debug_info.dwo', info), Section('.debug_abbrev.dwo', abbrev)], symbols=None)


@group('.dwo')
def dwos():
    place = f'{HERE}/other'
    for version in 4, 5:
        for name, path, files in other_files():
            yield f'{name}, DWARF {version}', skeleton(F64, path, version=version), dict(files=files)
        for f in FLAVOURS:
            yield f'good, DWARF {version}, {f}', skeleton(f, 'other', version=version), \
                dict(FINE, files={place: dwo(f, version=version)})
            yield f'of another id, DWARF {version}, {f}', skeleton(f, 'other', version=version), \
                dict(names=('by_symbol',), files={place: dwo(f, dwo_id=1, version=version, names=('wrong', 'too'))})
            yield f'a skeleton itself, DWARF {version}, {f}', skeleton(f, 'other', version=version), \
                dict(names=('by_symbol',), files={place: skeleton(f, 'mutant', version=version)})
        whole = dwo(F64, version=version)
        for n in 1, 63, 100, 0x1000, 0x2000, 0x2010, len(whole) // 2, len(whole) - 1:
            yield f'cut after {n} bytes, DWARF {version}', skeleton(F64, 'other', version=version), \
                dict(files={place: whole[:n]})
        start = whole.index(b'unit.c') - 30
        for i in range(start, start + 70, 5):
            yield f'byte {i:#x} is 0xff, DWARF {version}', skeleton(F64, 'other', version=version), \
                dict(names=(), files={place: whole[:i] + b'\xff' + whole[i + 1:]})
        yield f'1,000 skeletons of one, DWARF {version}', skeleton(F64, 'other', version=version, n=1000), \
            dict(files={place: whole}, warnings=(0, 2))
        info, abbrev = split_info(F64, version=version)
        many = elf(F64, [Section('.debug_info.dwo', info * 2000), Section('.debug_abbrev.dwo', abbrev)], symbols=None)
        yield f'3,000 skeletons of units that it does not have, DWARF {version}', \
            skeletons(F64, 'other', range(1, 3001), version=version), \
            dict(names=('by_symbol',), files={place: many}, warnings=(0, 2))
        yield f'1,000 skeletons of a missing one, DWARF {version}', skeleton(F64, 'other', version=version, n=1000)
        yield f'1,000 skeletons of a FIFO, DWARF {version}', skeleton(F64, 'other', version=version, n=1000), \
            dict(files={place: Fifo()})
        yield f'a folder that is none, DWARF {version}', skeleton(F64, 'other', version=version, folder='\1' * 5000)


def index_of(f, signatures, columns, rows, offsets, sizes, version=5, counts=None):
    """.debug_cu_index: signatures by slot, each with its row; a table of offsets and one of sizes."""
    n_columns, n_units, n_slots = counts or (len(columns), len(offsets), len(signatures))
    head = f.u(version, 2) + bytes(2) if version == 5 else f.u(version, 4)
    out = head + f.u(n_columns, 4) + f.u(n_units, 4) + f.u(n_slots, 4)
    out += b''.join(f.u(each, 8) for each in signatures) + b''.join(f.u(each, 4) for each in rows)
    out += b''.join(f.u(each, 4) for each in columns)
    for table in offsets, sizes:
        out += b''.join(f.u(each, 4) for row in table for each in row)
    return out


@group('.dwp')
def dwps():
    ident = 0x1122334455667788
    for f in FLAVOURS:
        info, abbrev = split_info(f)

        def package(index, f=f, info=info, abbrev=abbrev):
            return elf(f, [Section('.debug_info.dwo', info), Section('.debug_abbrev.dwo', abbrev),
                           Section('.debug_cu_index', index)], symbols=None)
        slots = [0] * 4
        slots[ident & 3] = ident
        rows = [1 if slot else 0 for slot in slots]
        sizes = [[len(info), len(abbrev)]]
        good = index_of(f, slots, [1, 3], rows, [[0, 0]], sizes)
        for name, index in [
                ('good', good),
                ('version 2', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, version=2)),
                ('version 77', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, version=77)),
                ('all slots are of others', index_of(f, [5] * 4, [1, 3], [1] * 4, [[0, 0]], sizes)),
                ('a row out of the table', index_of(f, slots, [1, 3], [0xffffffff] * 4, [[0, 0]], sizes)),
                ('row 0', index_of(f, slots, [1, 3], [0] * 4, [[0, 0]], sizes)),
                ('three slots', index_of(f, [ident] * 3, [1, 3], [1] * 3, [[0, 0]], sizes)),
                ('no slots', index_of(f, [], [1, 3], [], [[0, 0]], sizes)),
                ('2^32 - 1 slots', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, counts=(2, 1, 0xffffffff))),
                ('2^31 slots', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, counts=(2, 1, 1 << 31))),
                ('2^32 - 1 columns', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, counts=(0xffffffff, 1, 4))),
                ('2^32 - 1 units', index_of(f, slots, [1, 3], rows, [[0, 0]], sizes, counts=(2, 0xffffffff, 4))),
                ('no columns', index_of(f, slots, [], rows, [[]], [[]])),
                ('unknown columns', index_of(f, slots, [99, 0xffffffff], rows, [[0, 0]], sizes)),
                ('a column twice', index_of(f, slots, [1, 1], rows, [[0, 0]], sizes)),
                ('offsets out of the sections', index_of(f, slots, [1, 3], rows, [[0xfffffff0] * 2], sizes)),
                ('sizes out of the sections', index_of(f, slots, [1, 3], rows, [[0, 0]], [[0xffffffff] * 2])),
                ('offsets that pass the end with their sizes', index_of(f, slots, [1, 3], rows, [[8, 8]], [[0xfffffff8] * 2])),
                ('empty', b''), ('cut', good[:30])]:
            yield f'{name}, {f}', skeleton(f, 'gone.dwo'), \
                dict(FINE if name == 'good' else {}, files={f'{HERE}/mutant.dwp': package(index)})
        if f is F64:
            n = 300_000
            wide = index_of(f, slots, [1, 3] + [99] * n, rows, [[0] * (n + 2)], [sizes[0] + [0] * n])
            yield f'3,000 skeletons of a row of {n:,} columns', skeleton(f, 'gone.dwo', n=3000), \
                dict(files={f'{HERE}/mutant.dwp': package(wide)}, warnings=(0, 2))
            slots = list(range(4096))
            shared = index_of(f, slots, [1, 3], [1] * 4096, [[0, 0]], [[len(info) * 2000, len(abbrev)]])
            yield '3,000 skeletons of rows that share 2,000 units', skeletons(f, 'gone.dwo', slots[1:3001]), \
                dict(names=('by_symbol',), files={f'{HERE}/mutant.dwp': package(shared, info=info * 2000)}, warnings=(0, 2))
    for name, what in ('a FIFO', Fifo()), ('a directory', Folder()), ('the object', Link('mutant')), ('a text', b'text'):
        yield name, skeleton(F64, 'gone.dwo'), dict(files={f'{HERE}/mutant.dwp': what}, warnings=(0, 2))
