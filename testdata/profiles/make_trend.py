#!/usr/bin/env python3
"""Makes the snapshots in time of this directory that are profile.protos with a time; README.md says what each one shows."""

from make import write_bytes as write
from proto_writer import Profile, number

HEAP = [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")]
CPU = [("samples", "count"), ("cpu", "nanoseconds")]
START, MB, MILLISECOND = 1700000000, 1 << 20, 10**6

# What is in use in each snapshot, in half MB, and what was allocated until then.
GROWTH = {
    "leak": ([3, 6, 9, 12, 15], [3, 6, 9, 12, 15]),
    "cache": ([0, 16, 16, 16, 16], [0, 16, 16, 16, 16]),
    "queue": ([2, 6, 2, 6, 2], [2, 6, 8, 12, 14]),
    "late": ([0, 0, 0, 1, 4], [0, 0, 0, 1, 4]),
    "batch": ([10, 10, 10, 10, 0], [10, 10, 10, 10, 10]),
    "scratch": ([0, 0, 0, 0, 0], [8, 16, 24, 32, 40]),
}


def server(types, names):
    p = Profile(types)
    p.mapping(1, 0x10000, 0x20000, 0, "/srv/app/bin/server")
    for key, name in enumerate(["main", "serve", *names], 1):
        p.function(key, name, f"/srv/app/src/{name}.c")
        p.location(key, 1, 0x10000 + 0x100 * key, (key, 10 * key))
    return p


def finish(name, p, seconds):
    if seconds is not None:
        p.add(number(9, (START + seconds) * 10**9))
    write(name, p.whole())


# Ten minutes apart.
for i in range(5):
    p = server(HEAP, GROWTH)
    for key, (held, allocated) in enumerate(GROWTH.values(), 3):
        if allocated[i]:
            p.sample([key, 2, 1], [allocated[i], allocated[i] * MB // 2, held[i], held[i] * MB // 2])
    finish(f"heap_at_{i + 1}.pb", p, 600 * i)

# Half a minute apart, of one second each.
for i, spent in enumerate([(500, 300, 200), (450, 200, 350), (300, 200, 500)]):
    p = server(CPU, ["parse", "send", "log"])
    for key, n in enumerate(spent, 3):
        p.sample([key, 2, 1], [n // 10, n * MILLISECOND])
    finish(f"cpu_at_{i + 1}.pb", p, 30 * i)

# Values below 0, at no time: what was given back since a start that is in no snapshot.
for i, values in enumerate([(-4, 2), (-2, 1), (4, 0), (0, -6)]):
    p = server([("balance", "bytes")], ["give", "take"])
    for key, value in enumerate(values, 3):
        p.sample([key, 1], [value * MB])
    finish(f"below_{i + 1}.pb", p, None)
