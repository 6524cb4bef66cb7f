#!/usr/bin/env python3
"""Writes signal.sym: a symbolized CPU profile in which the second frame of some stacks is the signal's."""
import pathlib
import struct

NAMES = {0x1010: 'hot', 0x1020: '__restore_rt', 0x1030: 'CpuProfiler::prof_handler(int)', 0x1040: 'caller', 0x1050: 'main'}
# (samples, addresses from the leaf): the leaf is where the program was, the others are return addresses.
STACKS = [
    (4, [0x1010, 0x1021, 0x1041, 0x1051]),
    (3, [0x1010, 0x1031, 0x1041, 0x1051]),
    (2, [0x1010, 0x1041, 0x1021, 0x1051]),
    (1, [0x1020, 0x1041, 0x1051]),
]


def main():
    words = [0, 3, 0, 10000, 0]
    for count, addrs in STACKS:
        words += [count, len(addrs)] + addrs
    words += [0, 1, 0]
    names = ''.join(f'0x{addr:016x} {name}\n' for addr, name in NAMES.items())
    head = f'--- symbol\nbinary=/srv/app/bin/server\n{names}---\n--- profile\n'
    path = pathlib.Path(__file__).with_name('signal.sym')
    path.write_bytes(head.encode() + b''.join(struct.pack('<Q', word) for word in words))


if __name__ == '__main__':
    main()
