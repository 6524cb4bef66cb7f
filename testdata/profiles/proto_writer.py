"""Writes profile.protos, good and bad."""

import functools


@functools.lru_cache(1 << 16)
def varint(n):
    n &= (1 << 64) - 1      # a negative number has ten bytes
    out = b""
    while n >= 0x80:
        out += bytes([n & 0x7F | 0x80])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n) if n else b""


def chunk(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field, numbers):
    return chunk(field, b"".join(map(varint, numbers))) if numbers else b""


def unpacked(field, numbers):
    return b"".join(varint(field << 3) + varint(n) for n in numbers)


class Profile:
    """Fields in the order in which they were made; strings get their numbers as they come."""

    def __init__(self, types, repeated=packed):
        self.strings = {b"": 0}
        self.repeated = repeated
        self.fields = [self.value_type(1, *pair) for pair in types]

    def string(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        return self.strings.setdefault(data, len(self.strings))

    def value_type(self, field, name, unit):
        return chunk(field, number(1, self.string(name)) + number(2, self.string(unit)))

    def add(self, *fields):
        self.fields += fields

    def label(self, key, value, unit=""):
        if isinstance(value, (str, bytes)):
            return chunk(3, number(1, self.string(key)) + number(2, self.string(value)))
        return chunk(3, number(1, self.string(key)) + number(3, value) + number(4, self.string(unit)))

    def sample(self, locations, values, *labels):
        self.add(chunk(2, self.repeated(1, locations) + self.repeated(2, values) +
                       b"".join(self.label(*label) for label in labels)))

    def mapping(self, key, start, limit, offset, file, build_id="", flags=0):
        self.add(chunk(3, number(1, key) + number(2, start) + number(3, limit) + number(4, offset) +
                       number(5, self.string(file)) + number(6, self.string(build_id)) +
                       b"".join(number(7 + i, flags >> i & 1) for i in range(4))))

    def location(self, key, mapping, address, *lines):
        self.add(chunk(4, number(1, key) + number(2, mapping) + number(3, address) +
                       b"".join(chunk(4, number(1, f) + number(2, line)) for f, line in lines)))

    def function(self, key, name, file="", start=0, system_name=None):
        self.add(chunk(5, number(1, key) + number(2, self.string(name)) +
                       number(3, self.string(name if system_name is None else system_name)) +
                       number(4, self.string(file)) + number(5, start)))

    def comment(self, text):
        self.add(number(13, self.string(text)))

    def table(self):
        return [chunk(6, text) for text in self.strings]

    def whole(self):
        return b"".join(self.fields + self.table())
