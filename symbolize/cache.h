/* The symbol cache: answers of earlier runs, one file a build id, and by which file's DWARF they are still right. */
#pragma once

#include "analyze/base/diag.h"

/* What the answers were made of. A cache is believed when all of it is the same, and this build of the tool wrote it. */
struct cache_key {
	const char *folder;         /* where the files lie; NULL: no cache */
	const char *build_id;       /* of the object, lower-case hex; NULL, or not 3 to 128 digits: no cache */
	const char *debug_build_id; /* NULL: none */
	uint64_t object_bytes, debug_bytes;
	int64_t object_mtime_ns, debug_mtime_ns; /* 0 with debug_bytes 0: there is no separate debug file */
};

/* One level of an address. */
struct cache_frame {
	const char *system_name;           /* before demangling; NULL or "": none. Never NULL when read */
	const char *file;                  /* likewise */
	uint32_t line, column, start_line; /* 0: not known */
};

struct cache_answer {
	uint64_t vaddr;
	const struct cache_frame *frames; /* innermost first */
	uint32_t n_frames;                /* 0: it is known that the address has no name */
};

struct cache;

/* The cache of this object; NULL: there is none, or it is damaged or foreign, and a NOTE_DETAIL says why. The whole file is
 * checked here and held in memory. */
struct cache *cache_open(const struct cache_key *key, struct diag *diag);
void cache_close(struct cache *cache); /* NULL is fine */

/* The frames of one address. */
struct cache_span {
	uint32_t first, n;
};

/* False: the cache does not know the address. True with n == 0: it has no name. A cache may be asked by several threads. */
bool cache_find(const struct cache *cache, uint64_t vaddr, struct cache_span *ret);
/* Level i of n, innermost first. Equal texts are one pointer, and live as long as the cache. */
struct cache_frame cache_frame_at(const struct cache *cache, struct cache_span span, uint32_t i);

/* Writes a new file with these answers and those of old, which cache_open gave for the same key (NULL: none). Of answers
 * with one vaddr the new one counts, of several new ones the first. Beyond 64 MB those of old are dropped. Equal content
 * gives equal bytes. What goes wrong is a NOTE_DETAIL. Only whole answers may be saved: those from which a damaged or
 * missing file took something would hide, in the next run, that it did. */
void cache_save(const struct cache_key *key, const struct cache *old, const struct cache_answer *answers, uint32_t n,
                struct diag *diag);
