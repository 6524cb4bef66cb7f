"""Writes ELF and DWARF by hand, in both classes and byte orders: whatever it is told, right or wrong."""

import dataclasses

PT_LOAD, PF_RX = 1, 5
SHT_PROGBITS, SHT_SYMTAB, SHT_STRTAB, SHT_NOTE, SHT_NOBITS = 1, 2, 3, 7, 8
SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 2, 4, 0x800
ET_EXEC = 2

TEXT = 0x401000  # link-time address and size of the code of every object here
TEXT_SIZE = 0x1000
ASKED = TEXT + 0x11, TEXT + 0x851  # the last bytes of calls


@dataclasses.dataclass(frozen=True)
class Flavour:
    bits: int
    order: str  # 'little' or 'big'

    def __str__(self):
        return f'{self.bits}-bit {self.order}-endian'

    @property
    def address_size(self):
        return self.bits // 8

    def u(self, value, size):
        return (value % (1 << 8 * size)).to_bytes(size, self.order)

    def word(self, value):
        """An address, or a size of ELF."""
        return self.u(value, self.address_size)


FLAVOURS = [Flavour(64, 'little'), Flavour(64, 'big'), Flavour(32, 'little'), Flavour(32, 'big')]
MACHINES = {(64, 'little'): 62, (64, 'big'): 22, (32, 'little'): 3, (32, 'big'): 8}


def uleb(value):
    out = bytearray()
    while True:
        byte, value = value & 0x7f, value >> 7
        out.append(byte | (0x80 if value else 0))
        if not value:
            return bytes(out)


def sleb(value):
    out = bytearray()
    while True:
        byte, value = value & 0x7f, value >> 7
        if (value == 0 and not byte & 0x40) or (value == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def string(text):
    return text.encode() + b'\0'


# ---------------------------------------------------------------------------------------------------- ELF

@dataclasses.dataclass
class Section:
    name: str
    data: bytes = b''
    type: int = SHT_PROGBITS
    flags: int = 0
    addr: int = 0
    link: int = 0
    info: int = 0
    entsize: int = 0
    # What the header says where it lies.
    offset: int | None = None
    size: int | None = None


def symbol_table(f, symbols, strings):
    """symbols: (name's offset in the strings, value, size); all are global functions of the first section."""
    known = {}
    out = bytearray(24 if f.bits == 64 else 16)
    for symbol in symbols:
        if symbol not in known:
            name, value, size = f.u(symbol[0], 4), f.word(symbol[1]), f.word(symbol[2])
            kind = b'\x12\0' + f.u(1, 2)
            known[symbol] = name + kind + value + size if f.bits == 64 else name + value + size + kind
        out += known[symbol]
    return Section('.symtab', bytes(out), SHT_SYMTAB, entsize=24 if f.bits == 64 else 16, info=1), \
        Section('.strtab', strings, SHT_STRTAB)


def text_of(f):
    """Calls end at the addresses that are asked for; the big-endian machines here are none whose calls are known."""
    call = b'\xe8\0\0\0\0' if f.order == 'little' else b''
    text = bytearray(b'\x90' * TEXT_SIZE)
    for address in ASKED:
        end = address + 1 - TEXT
        text[end - len(call):end] = call
    return bytes(text)


def elf(f, sections, header=None, symbols=((1, TEXT, TEXT_SIZE),), strings=b'\0by_symbol\0'):
    """An executable whose .text is section 1, with these behind it; a symbol covers all of .text.

    header: fields of the ELF header that lie, by name.
    """
    sections = [Section('.text', text_of(f), flags=SHF_ALLOC | SHF_EXECINSTR, addr=TEXT), *sections]
    if symbols is not None:
        symtab, strtab = symbol_table(f, symbols, strings)
        symtab.link = len(sections) + 2
        sections += [symtab, strtab]
    names, name_at = b'\0', []
    for section in [*sections, Section('.shstrtab')]:
        name_at.append(len(names))
        names += string(section.name)
    sections.append(Section('.shstrtab', names, SHT_STRTAB))

    ehsize, phsize, shsize = (64, 56, 64) if f.bits == 64 else (52, 32, 40)
    body, offsets = bytearray(), []
    start = 0x1000  # of .text; the headers lie before it
    for section in sections:
        body += bytes(-len(body) % 8)
        offsets.append(start + len(body))
        if section.type != SHT_NOBITS:
            body += section.data
    body += bytes(-len(body) % 8)

    fields = dict(type=ET_EXEC, machine=MACHINES[f.bits, f.order], version=1, entry=TEXT, phoff=ehsize,
                  shoff=start + len(body), flags=0, ehsize=ehsize, phentsize=phsize, phnum=1, shentsize=shsize,
                  shnum=len(sections) + 1, shstrndx=len(sections))
    fields.update(header or {})
    sizes = dict(type=2, machine=2, version=4, entry=f.address_size, phoff=f.address_size, shoff=f.address_size, flags=4,
                 ehsize=2, phentsize=2, phnum=2, shentsize=2, shnum=2, shstrndx=2)
    out = bytearray(b'\x7fELF' + bytes([f.bits // 32, 1 if f.order == 'little' else 2, 1]) + bytes(9))
    for name, size in sizes.items():
        out += f.u(fields[name], size)
    w, u = f.word, f.u
    if f.bits == 64:
        out += u(PT_LOAD, 4) + u(PF_RX, 4) + w(start) + w(TEXT) + w(TEXT) + w(TEXT_SIZE) + w(TEXT_SIZE) + w(0x1000)
    else:
        out += u(PT_LOAD, 4) + w(start) + w(TEXT) + w(TEXT) + w(TEXT_SIZE) + w(TEXT_SIZE) + u(PF_RX, 4) + w(0x1000)
    out += bytes(start - len(out)) + body + bytes(shsize)
    for section, name, at in zip(sections, name_at, offsets):
        size = len(section.data) if section.size is None else section.size
        out += u(name, 4) + u(section.type, 4) + w(section.flags) + w(section.addr)
        out += w(at if section.offset is None else section.offset) + w(size)
        out += u(section.link, 4) + u(section.info, 4) + w(1) + w(section.entsize)
    return bytes(out)


def compressed(f, name, kind, size, data):
    """A section with SHF_COMPRESSED: kind 1 is zlib, 2 zstd; size is what its header says of the content."""
    head = f.u(kind, 4) + (f.u(0, 4) if f.bits == 64 else b'') + f.word(size) + f.word(1)
    return Section(name, head + data, flags=SHF_COMPRESSED)


def note(f, build_id):
    return Section('.note.gnu.build-id', f.u(4, 4) + f.u(len(build_id), 4) + f.u(3, 4) + b'GNU\0' + build_id, SHT_NOTE,
                   flags=SHF_ALLOC)


# ---------------------------------------------------------------------------------------------------- DWARF

AT = dict(sibling=0x01, location=0x02, name=0x03, stmt_list=0x10, low_pc=0x11, high_pc=0x12, comp_dir=0x1b, const_value=0x1c,
          abstract_origin=0x31, decl_line=0x3b, specification=0x47, type=0x49, ranges=0x55, call_file=0x58, call_line=0x59,
          linkage_name=0x6e, str_offsets_base=0x72, addr_base=0x73, rnglists_base=0x74, dwo_name=0x76,
          gnu_dwo_name=0x2130, gnu_dwo_id=0x2131)
TAG = dict(lexical_block=0x0b, compile_unit=0x11, structure_type=0x13, inlined_subroutine=0x1d, subprogram=0x2e,
           namespace=0x39, partial_unit=0x3c, imported_unit=0x3d, type_unit=0x41, skeleton_unit=0x4a)
FORM = dict(addr=0x01, block2=0x03, block4=0x04, data2=0x05, data4=0x06, data8=0x07, string=0x08, block=0x09, block1=0x0a,
            data1=0x0b, flag=0x0c, sdata=0x0d, strp=0x0e, udata=0x0f, ref_addr=0x10, ref4=0x13, ref8=0x14, ref_udata=0x15,
            indirect=0x16, sec_offset=0x17, exprloc=0x18, flag_present=0x19, strx=0x1a, addrx=0x1b, ref_sup4=0x1c,
            strp_sup=0x1d, data16=0x1e, line_strp=0x1f, ref_sig8=0x20, implicit_const=0x21, loclistx=0x22, rnglistx=0x23,
            gnu_ref_alt=0x1f20, gnu_strp_alt=0x1f21)
UT_COMPILE, UT_SKELETON, UT_SPLIT = 1, 4, 5
FIXED = dict(data1=1, flag=1, data2=2, data4=4, strp=4, ref4=4, sec_offset=4, line_strp=4, ref_sup4=4, strp_sup=4,
             ref_addr=4, data8=8, ref8=8, ref_sig8=8, gnu_ref_alt=4, gnu_strp_alt=4)
LEBS = ('udata', 'ref_udata', 'strx', 'addrx', 'rnglistx', 'loclistx')


class Abbreviations:
    def __init__(self):
        self.data = bytearray()
        self.forms = {}

    def add(self, tag, children, *attributes, code=None, times=1):
        """attributes: 'name:form' or 'name:implicit_const:5', all of them so many times; returns the code.

        Where a constant or a flag is the whole content, a DIE has no value for it.
        """
        code = code or len(self.forms) + 1
        forms, out = [], bytearray()
        for attribute in attributes:
            name, form, *constant = attribute.split(':')
            if form not in ('implicit_const', 'flag_present'):
                forms.append(form)
            out += uleb(AT[name]) + uleb(FORM[form])
            if constant:
                out += sleb(int(constant[0]))
        self.data += uleb(code) + uleb(TAG[tag]) + bytes([children]) + out * times + b'\0\0'
        self.forms[code] = forms
        return code

    def section(self):
        return Section('.debug_abbrev', bytes(self.data) + b'\0')


def encode(f, form, value):
    if isinstance(value, bytes):
        return value
    if form == 'addr':
        return f.word(value)
    if form == 'string':
        return string(value)
    if form in FIXED:
        return f.u(value, FIXED[form])
    if form in LEBS:
        return uleb(value)
    if form == 'sdata':
        return sleb(value)
    raise ValueError(form)


class Dies:
    """The content of a unit. Where a DIE lies is marked, and known to the others in the second of two passes."""

    def __init__(self, f, abbreviations, base, marks):
        self.f, self.abbreviations, self.base, self.data = f, abbreviations, base, bytearray()
        self.known, self.marks = marks, {}

    def mark(self, name):
        self.marks[name] = self.base + len(self.data)

    def at(self, name):
        """Its offset in the unit."""
        return self.known.get(name, 0)

    def die(self, code, *values, times=1, end=0):
        """times: alike, each with so many NULL DIEs behind it."""
        values, out = list(values), bytearray(uleb(code))
        for form in self.abbreviations.forms[code]:
            out += encode(self.f, form, values.pop(0))
        assert not values
        self.data += (out + bytes(end)) * times

    def end(self, n=1):
        self.data += bytes(n)


def unit(f, abbreviations, fill, version=5, kind=UT_COMPILE, length=None, address_size=None, abbrev_offset=0, extra=b''):
    """A unit of .debug_info, filled by fill(dies)."""
    size = f.address_size if address_size is None else address_size
    head = f.u(version, 2)
    if version >= 5:
        head += bytes([kind, size]) + f.u(abbrev_offset, 4) + extra
    else:
        head += f.u(abbrev_offset, 4) + bytes([size])
    marks = {}
    for _ in range(2):
        dies = Dies(f, abbreviations, 4 + len(head), marks)
        fill(dies)
        marks = dies.marks
    body = head + bytes(dies.data)
    return f.u(len(body) if length is None else length, 4) + body


LINE_HEAD = dict(min_instruction=1, max_operations=1, default_is_stmt=1, line_base=-5, line_range=14, opcode_base=13)


def line_program(f, opcodes, files=('victim.c',), version=4, tables=None, length=None, header_length=None, **head):
    """A program of .debug_line; tables: the raw directory and file tables."""
    fields = {**LINE_HEAD, **head}
    middle = bytes([fields['min_instruction']])
    if version >= 4:
        middle += bytes([fields['max_operations']])
    middle += bytes([fields['default_is_stmt'], fields['line_base'] % 256, fields['line_range'], fields['opcode_base']])
    middle += bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    if tables is None and version >= 5:
        entry = bytes([1, 1, 8])  # DW_LNCT_path as DW_FORM_string
        tables = entry + b'\1' + string('/src') + entry + uleb(len(files)) + b''.join(map(string, files))
    elif tables is None:
        tables = b'\0' + b''.join(string(file) + b'\0\0\0' for file in files) + b'\0'
    middle += tables
    body = f.u(version, 2) + (bytes([f.address_size, 0]) if version >= 5 else b'')
    body += f.u(len(middle) if header_length is None else header_length, 4) + middle + opcodes
    return f.u(len(body) if length is None else length, 4) + body


def set_address(f, address):
    return b'\0' + uleb(1 + f.address_size) + b'\2' + f.word(address)


END_SEQUENCE = b'\0\1\1'


def good_lines(f):
    """Line 10 for each 16 bytes of .text, then 11, and so on."""
    step = b'\2\x10\3\1\1'  # advance_pc 16, advance_line 1, copy
    return set_address(f, TEXT) + b'\3\x09\1' + step * 0x20 + b'\2' + uleb(TEXT_SIZE - 0x200) + END_SEQUENCE
