/* One object of the map: opens it and its debug file, and finds the functions, files and lines of its addresses. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/err.h"
#include "analyze/base/index.h"
#include "symbolize/lines.h"

struct name {
	const char *system_name, *shown;
	const char *full; /* NULL: not asked for */
};

struct answer_frame {
	const struct name *name;
	const char *file; /* "": not known */
	uint32_t line, start_line;
};

struct answer {
	uint32_t loc;    /* whose it is; the caller's number */
	uint64_t offset; /* in the file; with has_no_map the link-time address itself */
	uint64_t vaddr;
	bool has_vaddr;
	const struct answer_frame *frames; /* innermost first */
	uint32_t n_frames;
};

struct job {
	/* What the caller says. */
	const char *path; /* as the map names it, or the program as the user typed it; NULL: there is no file to look in */
	const char *sysroot; /* NULL: the host's root */
	bool is_program;     /* path is the user's, outside any sysroot */
	bool has_no_map;
	bool want_full_names;
	struct answer *answers;
	uint32_t n_answers, cap_answers;

	/* What it finds; texts live in the arena. */
	struct arena *arena;
	struct diag diag;
	const char *path_used; /* NULL: none */
	const char *problem;   /* why there is no file; NULL: there is one */
	bool is_missing;       /* the problem: nothing has that path */
	bool stripped;
	uint32_t n_misfits;    /* answers whose offset is no code of the file */
	uint32_t first_misfit; /* the first of them */

	/* Its tools. */
	struct object_file *file, *debug;
	struct lines *lines;
	struct index name_index;
	struct name **names;
	uint32_t n_names, cap_names;
};

/* Fills the answers. An object that cannot be opened is a problem of the job; the error is for a program that the user
 * named. Jobs share nothing, so they may run side by side. */
struct err *job_run(struct job *job) MUST_CHECK;
void job_clear(struct job *job);

/* Opens what the user named as the program, and says what is wrong with it. */
struct err *job_check_program(const char *path) MUST_CHECK;
