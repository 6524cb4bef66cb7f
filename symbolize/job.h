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
	uint32_t line, column, start_line;
};

struct answer {
	uint32_t loc;    /* whose it is; the caller's number */
	uint64_t offset; /* in the file; with is_vaddr the link-time address itself */
	bool is_vaddr;
	uint64_t vaddr;
	bool has_vaddr;                    /* the file has code there */
	const struct answer_frame *frames; /* innermost first */
	uint32_t n_frames;
};

struct job {
	/* What the caller says. */
	const char *path; /* as the map names it, or the program as the user typed it; NULL: there is no file to look in */
	const char *sysroot;  /* NULL: the host's root */
	const char *build_id; /* that the file must have, as object_hex has it, if it has one; NULL: not known */
	bool is_program;      /* path is the user's, outside any sysroot */
	bool want_full_names;
	struct answer *answers;
	uint32_t n_answers, cap_answers;

	/* What it finds; texts live in the arena. */
	struct arena *arena;
	struct diag diag;
	const char *path_used;     /* NULL: none */
	const char *used_build_id; /* of the file there; NULL: none */
	const char *problem;       /* why no file is used; NULL: there is one, or nothing was asked */
	bool is_missing;           /* the problem: nothing has that path */
	bool is_wrong;             /* the problem: the file is of another build */
	bool stripped;

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
/* Its build id, in the arena; NULL: it has none, or it cannot be opened. */
const char *job_program_build_id(const char *path, struct arena *arena);
