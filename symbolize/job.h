/* One object of the map, in stages: opens it and its debug file, and finds the functions, files and lines of its
 * addresses. */
#pragma once

#include "symbolize/cache.h"
#include "symbolize/check.h"
#include "symbolize/lines.h"
#include "symbolize/job_names.h"

struct answer_frame {
	const struct name *name;
	const char *file; /* "": not known */
	uint32_t line, column, start_line;
};

struct answer {
	uint32_t loc;    /* whose it is; the caller's number */
	uint64_t offset; /* in the file; with is_vaddr the link-time address itself */
	bool is_vaddr;
	bool is_return; /* the input has it from an unwinder, less one */
	bool is_guess;  /* it may turn out to lie in no object */
	uint64_t vaddr;
	bool has_vaddr; /* the file has code there */
	bool is_known;  /* from an earlier run, even when there are no frames */
	enum check_call call;
	const struct answer_frame *frames; /* innermost first */
	uint32_t n_frames;
};

/* The addresses that have a vaddr and no answer from an earlier run, each vaddr once, sorted. */
struct questions {
	uint32_t *answers; /* their numbers */
	uint64_t *vaddrs;  /* beside them */
	uint32_t n;
};

struct job {
	/* What the caller says. */
	struct binary binary; /* as its own header says */
	enum demangle_style style; /* of the names that are shown */
	bool want_full_names;
	const char *cache_folder; /* NULL: no cache */
	struct answer *answers;
	uint32_t n_answers, cap_answers;

	/* What it finds; texts live in the arena. */
	struct arena *arena;
	bool stripped;

	/* Its tools. */
	struct questions questions;
	struct lines *lines;
	struct job_names names;
	struct addrs file_places; /* files are copied once, too */
	const char **files;
	uint32_t cap_files;
	struct cache_key cache_key;
	struct cache *cache;
	uint32_t n_notes; /* before the DWARF was opened */
};

/* The stages, one after the other for each job; stages of different jobs may run side by side, and so may loads and
 * workers of one. */

/* 1. Opens the object. One that cannot be opened is a problem of the job, and the other stages have nothing to do; the
 * error is for a program that the user named. */
struct err *job_open(struct job *job) MUST_CHECK;

/* 2. Reads what the answers are looked up in; a section that cannot be read is kept for the next stage. */
uint32_t job_n_loads(const struct job *job);
uint64_t job_bytes(const struct job *job); /* that they take */
void job_make_room(struct job *job);
struct err *job_load(struct job *job, uint32_t load) MUST_CHECK;

/* 3. Finds the units to look in. */
void job_plan(struct job *job, struct err *load_error);
uint32_t job_n_units(const struct job *job);

/* 4. Looks in them; worker and step as lines_work has them. */
void job_work(struct job *job, uint32_t worker, lines_step_fn *step, void *context);

/* 5. Fills the answers. */
void job_finish(struct job *job);

/* 6. Makes the names readable, in parts; beside that, gives back what the stages before took. */
uint32_t job_n_names(struct job *job);
void job_demangle(struct job *job, uint32_t part);
void job_release(struct job *job);

/* 7. Keeps the answers for the next run. Not side by side: objects of one build id share a file. */
void job_keep(struct job *job);

void job_clear(struct job *job);
