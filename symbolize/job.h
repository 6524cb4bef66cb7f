/* One object of the map: opens it and its debug file, and finds the functions, files and lines of its addresses. */
#pragma once

#include "analyze/base/index.h"
#include "symbolize/binary.h"
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
	struct binary binary; /* as its own header says */
	bool want_full_names;
	struct answer *answers;
	uint32_t n_answers, cap_answers;

	/* What it finds; texts live in the arena. */
	struct arena *arena;
	bool stripped;

	/* Its tools. */
	struct lines *lines;
	struct index name_index;
	struct name **names;
	uint32_t n_names, cap_names;
};

/* Fills the answers. An object that cannot be opened is a problem of the job; the error is for a program that the user
 * named. Jobs share nothing, so they may run side by side. */
struct err *job_run(struct job *job) MUST_CHECK;
void job_clear(struct job *job);
