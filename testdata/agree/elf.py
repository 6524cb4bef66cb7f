"""As much of ELF as it takes to choose addresses: sections of code, and symbols."""

import bisect
import collections
import struct

Section = collections.namedtuple('Section', 'name type flags addr offset size link entsize')
Symbol = collections.namedtuple('Symbol', 'name addr size type section')

SHT_SYMTAB, SHT_NOBITS, SHT_DYNSYM = 2, 8, 11
SHF_ALLOC, SHF_EXECINSTR = 2, 4
STT_FUNC = 2
EM_X86, EM_ARM, EM_X86_64 = 3, 40, 62


class Elf:
    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        if self.data[:4] != b'\x7fELF':
            raise ValueError(f'{path}: expected an ELF file')
        self.is_64 = self.data[4] == 2
        self.order = '<' if self.data[5] == 1 else '>'
        header = self.unpack('HHIQQQIHHHHHH' if self.is_64 else 'HHIIIIIHHHHHH', 16)
        self.machine, offset, size, n, names = header[1], header[5], header[10], header[11], header[12]
        rows = [self.unpack('IIQQQQIIQQ' if self.is_64 else 'IIIIIIIIII', offset + i * size) for i in range(n)]
        self.sections = [Section(self.string(rows[names][4], row[0]), *row[1:7], row[9]) for row in rows]
        self.code = sorted((s for s in self.sections if s.flags & SHF_EXECINSTR and s.flags & SHF_ALLOC and s.size),
                           key=lambda section: section.addr)

    def unpack(self, form, at):
        return struct.unpack_from(self.order + form, self.data, at)

    def string(self, table, at):
        return self.data[table + at:self.data.index(b'\0', table + at)].decode(errors='replace')

    def contents(self, section):
        return b'' if section.type == SHT_NOBITS else self.data[section.offset:section.offset + section.size]

    def symbols(self):
        """Those that lie in a section, by address; of .symtab, or else of .dynsym."""
        tables = {section.type: section for section in self.sections}
        table = tables.get(SHT_SYMTAB) or tables.get(SHT_DYNSYM)
        found = []
        for at in range(table.offset, table.offset + table.size, table.entsize) if table else ():
            if self.is_64:
                name, info, _, section, addr, size = self.unpack('IBBHQQ', at)
            else:
                name, addr, size, info, _, section = self.unpack('IIIBBH', at)
            if self.machine == EM_ARM and info & 15 == STT_FUNC:
                addr &= ~1
            if 0 < section < len(self.sections) and name:
                found.append(Symbol(self.string(self.sections[table.link].offset, name), addr, size, info & 15,
                                    self.sections[section]))
        return sorted(found, key=lambda symbol: symbol.addr)

    def build_id(self):
        for section in self.sections:
            if section.name == '.note.gnu.build-id':
                return self.contents(section)[16:].hex()
        return None

    def code_at(self, addr):
        """The section of code that the address lies in, or None."""
        at = bisect.bisect_right(self.code, addr, key=lambda section: section.addr) - 1
        return self.code[at] if at >= 0 and addr < self.code[at].addr + self.code[at].size else None
