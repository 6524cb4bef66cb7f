/* Gives the locations of a profile their functions, files and lines, from ELF and DWARF, in this process. */
#pragma once

#include "analyze/build.h"
#include "symbolize/demangle.h"
#include "symbolize/find.h"
#include "symbolize/progress.h"

struct symbolize_opts {
	const char *program;           /* stands for the main program of the map; NULL: the map's paths are used */
	struct find_opts find;         /* where objects and debug files are looked for */
	const char *perf_map;          /* names of code made at run time; NULL: none */
	const char *const *added_libs; /* what is in no object is looked up in them */
	uint32_t n_added_libs;
	const char *cache_folder;  /* where answers are kept for the next run; NULL: nowhere */
	unsigned n_threads;        /* 0: as many as there are processors */
	enum demangle_style names; /* how they are shown */
	bool want_full_names;
	bool is_off;         /* nothing is looked up: names are those that the input brings */
	bool replaces_names; /* what the input brings is looked up too, and stays where nothing is found */
	const char
		*build_id; /* hexadecimal digits: that of the main program, whatever the profile says; NULL: as it says */
	progress_fn *progress; /* NULL: nobody is told */
};

/* Adds lines to every location it can name. A missing or broken object is a note of the profile, not an error;
 * the error is for a program argument that cannot be used. */
struct err *symbolize(struct build *build, const struct symbolize_opts *opts) MUST_CHECK;
