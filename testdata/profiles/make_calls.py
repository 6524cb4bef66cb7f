#!/usr/bin/env python3
"""Makes the snapshots of ../elf/calls and its brothers for other machines. Run it after ../elf/make_calls.sh. Importing
make.py makes the other snapshots anew, which changes nothing."""

from make import MB, disassemble, snapshot, write


def stacks(at):
    return [
        (4, 8 * MB, 4, 8 * MB, [at("load", 0), at("parse", 1), at("serve", 0), at("start", 0)]),
        (2, 4 * MB, 2, 4 * MB, [at("load", 1), at("serve", 2), at("start", 0)]),
        (1, 2 * MB, 1, 2 * MB, [at("parse", 0), at("serve", 0), at("start", 0)]),
        (1, 1 * MB, 1, 1 * MB, [at("serve", 1), at("start", 0)]),
        (1, 1 * MB, 1, 1 * MB, [at("load", 0), at("start", 1)]),
    ]


def map_of(path, base):
    return ["%08x-%08x r-xp 00000000 08:01 21         /srv/app/bin/%s" % (base, base + 0x1000, path),
            "%08x-%08x rw-p 00000000 08:01 21         /srv/app/bin/%s" % (base + 0x1000, base + 0x3000, path)]


def machine(name, objdump, base, offset):
    """offset: how far the program was moved from where it was linked to"""
    calls, _ = disassemble(name, objdump)
    write(name + ".heap", snapshot(stacks(lambda function, k: calls[function][k] + offset), map_of(name, base)))


PIE = 0x55E0AB000000
machine("calls", "objdump", PIE, PIE)
machine("calls_aarch64", "aarch64-linux-gnu-objdump", 0xAAAAB0000000, 0xAAAAB0000000)
machine("calls_i386", "objdump", 0x8048000, 0)
machine("calls_arm", "arm-linux-gnueabihf-objdump", 0x10000, 0)

# An unwinder by frame pointers leaves the bit that marks Thumb code; parse is ARM code.
arm_calls, _ = disassemble("calls_arm", "arm-linux-gnueabihf-objdump")
write("calls_arm_thumb.heap", snapshot(
    stacks(lambda function, k: arm_calls[function][k] | (function != "parse")), map_of("calls_arm", 0x10000)))

# Signals that came anywhere, on whose handlers' stacks memory was taken: what the handlers return to follows no call.
calls, addresses = disassemble("calls", "objdump")
restore = PIE + addresses["restore"][0]
write("calls_signal.heap", snapshot(
    [(1, MB, 1, MB, [PIE + calls["handler"][0], restore, PIE + pc, PIE + calls["serve"][0], PIE + calls["start"][0]])
     for pc in addresses["parse"][1:]], map_of("calls", PIE)))

# Addresses that no unwinder saw: 16 bytes behind the entry of a function.
write("calls_made_up.heap", snapshot(
    [(1, MB, 1, MB, [PIE + addresses[function][0] + 16 for function in ("load", "parse", "serve", "start")])],
    map_of("calls", PIE)))

# Places, which no call needs to lead to, in a row that is longer than the whole program.
write("calls_rows.txt", ["0x%x" % (PIE + addresses[function][1]) for function in ("load", "parse", "serve")] + [
    "", "MAPPED_LIBRARIES:", "%08x-%08x r-xp 00000000 08:01 21         /srv/app/bin/calls" % (PIE, PIE + 0x40000)])
