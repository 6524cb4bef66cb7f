/* The names that a job finds: each once, and demangled once, over several threads. */
#pragma once

#include "analyze/base/addrs.h"
#include "symbolize/demangle.h"

struct name {
	const char *system_name;
	/* Of job_names_demangle. */
	const char *shown;
	const char *rule; /* NULL: as it is shown */
	const char *full; /* NULL: not asked for */
};

struct job_names {
	struct arena *arena;
	struct name **at;
	uint32_t n, cap;
	struct index index;
	/* Most names come many times, from one place. */
	struct addrs places;
	struct name **of_place;
	uint32_t cap_of_place;
	struct arena **part_arenas;
	uint32_t n_parts;
};

/* Into zeroed ones. arena is for the system names. */
void job_names_init(struct job_names *names, struct arena *arena);
void job_names_free(struct job_names *names);

/* The name, not demangled yet; the text is copied, up to SYSTEM_NAME_LONGEST. Until job_names_demangle a text may not
 * change, nor another one take its place in memory. */
struct name *job_names_intern(struct job_names *names, const char *system_name);

/* When all are there: the number of parts in which they are demangled, side by side if you like. */
uint32_t job_names_finish(struct job_names *names);
void job_names_demangle(struct job_names *names, uint32_t part, enum demangle_style style, bool want_full);
