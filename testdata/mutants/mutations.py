"""Mutants of the objects that are committed: cut, or with single bytes that differ."""

import pathlib
import random
import struct
import zlib

from case import Case

ELF = pathlib.Path(__file__).resolve().parent.parent / 'elf'
BIAS = 0x55d0c0de0000


class Object:
    """A 64-bit little-endian ELF file that is known to be good."""

    def __init__(self, path):
        self.name, self.data = str(path.relative_to(ELF)), path.read_bytes()
        self.type, = struct.unpack_from('<H', self.data, 16)
        self.phoff, self.shoff = struct.unpack_from('<QQ', self.data, 32)
        self.phnum, _, self.shnum, names = struct.unpack_from('<HHHH', self.data, 56)
        headers = [struct.unpack_from('<IIQQQQIIQQ', self.data, self.shoff + 64 * i) for i in range(self.shnum)]
        start = headers[names][4]
        self.sections = {}
        for i, (name, kind, flags, addr, offset, size, *_) in enumerate(headers):
            end = self.data.index(b'\0', start + name)
            self.sections[self.data[start + name:end].decode()] = i, kind, flags, addr, offset, size

    def span(self, name):
        """Where a section's bytes are, if the file holds them."""
        _, kind, _, _, offset, size = self.sections.get(name, (0, 8, 0, 0, 0, 0))
        return range(offset, offset + size) if kind != 8 else range(0)

    def case(self, group, recipe, data, symbols=None, **more):
        """symbols: the object that has those of this one."""
        _, _, _, addr, offset, _ = self.sections['.text']
        asked = [(vaddr, offset + vaddr - addr) for vaddr in self.covered(list((symbols or self).functions()))]
        return Case(group, f'{self.name}: {recipe}', bytes(data), asked, (addr, offset), 0 if self.type == 2 else BIAS,
                    **more)

    def functions(self):
        for at in self.span('.symtab')[::24]:
            _, info, _, _, vaddr, length = struct.unpack_from('<IBBHQQ', self.data, at)
            if info & 15 == 2:
                yield range(vaddr, vaddr + length)

    def covered(self, functions):
        """Addresses within the functions: those of calls, by their last byte, and a few others."""
        _, _, _, start, offset, size = self.sections['.text']
        calls, others = [], []
        for i in range(size - 5):
            vaddr = start + i + 4
            if not any(vaddr in function for function in functions):
                continue
            code = self.data[offset + i:offset + i + 5]
            is_call = code[0] == 0xe8 and abs(struct.unpack('<i', code[1:])[0]) < size
            (calls if is_call else others).append(vaddr)
        # So few others do not make an object that of another build.
        n = len(calls) // 4
        return sorted(calls + others[::len(others) // max(n, 1) + 1])


def objects():
    found = []
    for path in sorted(ELF.iterdir()):
        if path.is_file() and path.read_bytes()[:6] == b'\x7fELF\2\1':
            found.append(Object(path))
    return [each for each in found if '.debug_info' in each.sections and each.span('.text')]


def cuts(each):
    places = {0, 1, 4, 15, 16, 63, 64, 65, each.phoff + 55, each.shoff - 1, each.shoff, each.shoff + 1, each.shoff + 64,
              len(each.data) - 1, len(each.data) - 63, len(each.data) - 64}
    for _, _, _, _, offset, size in each.sections.values():
        places |= {offset, offset + 1, offset + size - 1, offset + size}
    for place in sorted(place for place in places if 0 <= place < len(each.data)):
        yield each.case('cut', f'after {place} bytes', each.data[:place])


def with_byte(data, place, value):
    out = bytearray(data)
    out[place] = value
    return out


def byte_mutants(each, group, places, n, rng):
    """n mutants, spread over the places; the values are those at which fields turn over."""
    for place in sorted(rng.sample(places, min(n, len(places)))):
        old = each.data[place]
        value = rng.choice([v for v in (0, 1, 0x7f, 0x80, 0xff, old ^ 1, old ^ 0x80, (old + 1) % 256) if v != old])
        yield each.case(group, f'byte {place:#x} is {value:#04x} instead of {old:#04x}', with_byte(each.data, place, value))


N_BYTES = {'.debug_info': 40, '.debug_abbrev': 30, '.debug_line': 30, '.debug_rnglists': 20, '.debug_str': 6,
           '.debug_line_str': 4, '.debug_addr': 10, '.debug_str_offsets': 10, '.symtab': 10, '.strtab': 4,
           '.note.gnu.build-id': 6, '.dynsym': 4}


def bytes_of(each, rng):
    yield from byte_mutants(each, 'ELF header', range(4, 64), 24, rng)
    yield from byte_mutants(each, 'segment table', range(each.phoff, each.phoff + 56 * each.phnum), 12, rng)
    yield from byte_mutants(each, 'section table', range(each.shoff, each.shoff + 64 * each.shnum), 30, rng)
    for section, n in N_BYTES.items():
        yield from byte_mutants(each, f'bytes of {section}', each.span(section), n, rng)


def cut_sections(each):
    """The header says that a section is shorter than it is; by all lengths near its ends."""
    for section in '.debug_info', '.debug_abbrev', '.debug_line', '.debug_rnglists', '.debug_str', '.symtab', '.strtab':
        if not each.span(section):
            continue
        number, _, _, _, _, size = each.sections[section]
        for n in sorted({0, 1, 3, 4, 11, 12, size // 2, size - 2, size - 1}):
            data = bytearray(each.data)
            struct.pack_into('<Q', data, each.shoff + 64 * number + 32, n)
            yield each.case('shorter section', f'{section} has {n} bytes instead of {size}', data)


def with_compressed(each, name, data, size):
    """The section's bytes are moved to the end of the file, compressed; the section table stays where it is."""
    out = bytearray(each.data) + bytes(-len(each.data) % 8)
    number = each.sections[name][0]
    content = struct.pack('<IIQQ', 1, 0, size, 1) + data
    struct.pack_into('<Q', out, each.shoff + 64 * number + 8, 0x800)
    struct.pack_into('<QQ', out, each.shoff + 64 * number + 24, len(out), len(content))
    return out + content


def compressed(each, rng):
    for section in '.debug_info', '.debug_line', '.debug_str', '.debug_abbrev':
        span = each.span(section)
        packed = zlib.compress(each.data[span.start:span.stop])
        good = with_compressed(each, section, packed, len(span))
        yield each.case('compressed', f'{section} by zlib', good, warnings=(0, 0))
        for size in 0, 1, len(span) - 1, len(span) + 1, len(packed) * 100, 1 << 32, 1 << 62, (1 << 64) - 1:
            yield each.case('compressed', f'{section} by zlib, said to be {size} bytes',
                            with_compressed(each, section, packed, size))
        for kept in 0, 1, len(packed) // 2, len(packed) - 1:
            yield each.case('compressed', f'{section} by zlib, cut after {kept} bytes',
                            with_compressed(each, section, packed[:kept], len(span)))
        head = len(good) - len(packed) - 24
        for place in sorted(rng.sample(range(head, head + 32), 6)):
            yield each.case('compressed', f'{section} by zlib, byte {place - head} of its head is 0xff',
                            with_byte(good, place, 0xff))


def separate(rng):
    """Mutants of a debug file, beside a stripped object that is good."""
    good, debug = Object(ELF / 'linked' / 'shapes'), Object(ELF / 'linked' / 'shapes.debug')
    folder = 'usr/lib/debug/.build-id'
    build_id = good.data[good.span('.note.gnu.build-id').stop - 20:][:20].hex()
    place = f'{folder}/{build_id[:2]}/{build_id[2:]}.debug'
    yield good.case('debug file', 'good', good.data, debug, files={place: debug.data}, warnings=(0, 0), names=('recurse',))
    inner = [*cuts(debug), *byte_mutants(debug, '', range(4, 64), 10, rng),
             *byte_mutants(debug, '', range(debug.shoff, len(debug.data)), 20, rng)]
    for mutant in inner:
        yield good.case('debug file', mutant.recipe.removeprefix(f'{debug.name}: '), good.data, debug, files={place: mutant.data},
                        warnings=(0, 2))


def cases():
    for each in objects():
        rng = random.Random(each.name)
        yield each.case('as it is', 'untouched', each.data, warnings=(0, 0))
        yield from cuts(each)
        yield from bytes_of(each, rng)
        yield from cut_sections(each)
        if each.name == 'shapes':
            yield from compressed(each, rng)
    yield from separate(random.Random('separate'))
