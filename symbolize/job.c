#include "symbolize/job.h"

#include "symbolize/demangle.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

struct name_key {
	const struct job *job;
	const char *system_name;
};

static bool same_name(const void *context, uint32_t row)
{
	const struct name_key *key = context;

	return strcmp(key->job->names[row]->system_name, key->system_name) == 0;
}

/* Each name is demangled once. */
static const struct name *intern_name(struct job *job, const char *system_name)
{
	struct name_key key = {job, system_name};
	uint64_t hash = hash_bytes(system_name, strlen(system_name));
	uint32_t row = index_find(&job->name_index, hash, same_name, &key);

	if (row != INDEX_NONE)
		return job->names[row];
	struct name *name = arena_alloc(job->arena, 1, sizeof *name);
	name->system_name = arena_strndup(job->arena, system_name, strlen(system_name));
	name->shown = demangle_short(name->system_name, job->arena);
	name->full = job->want_full_names ? demangle_full(name->system_name, job->arena) : NULL;
	MEM_GROW(job->names, job->n_names, job->cap_names);
	job->names[job->n_names] = name;
	index_add(&job->name_index, hash, job->n_names++);
	return name;
}

/* DWARF gives a lambda or a local class's function no linkage name, only "operator()": its symbol says whose it is. */
static const char *best_name(struct job *job, const struct lines_frame *frame)
{
	struct symbol symbol;

	if (frame->linkage_name)
		return frame->linkage_name;
	if (frame->is_cplusplus && frame->entry && object_symbol(binary_symbols(&job->binary), frame->entry, &symbol) &&
	    symbol.vaddr == frame->entry && strncmp(symbol.name, "_Z", 2) == 0)
		return symbol.name;
	return frame->name;
}

/* ---- answers ---- */

static struct answer *answer_at(const struct job *job, uint32_t question)
{
	return &job->answers[job->questions.answers[question]];
}

static const char *copy_file(struct job *job, const char *file)
{
	return file ? arena_strndup(job->arena, file, strlen(file)) : "";
}

static const char *symbol_name(struct job *job, uint64_t vaddr)
{
	struct symbol symbol;

	return object_symbol(binary_symbols(&job->binary), vaddr, &symbol) ? symbol.name : NULL;
}

static void take_frames(void *context, uint32_t index, const struct lines_frame *frames, uint32_t n)
{
	struct job *job = context;
	struct answer *answer = answer_at(job, index);
	struct answer_frame *copies = arena_alloc(job->arena, n, sizeof *copies);

	for (uint32_t i = 0; i < n; i++) {
		const char *name = best_name(job, &frames[i]);

		if (!name && i == n - 1)
			name = symbol_name(job, answer->vaddr);
		copies[i] = (struct answer_frame){intern_name(job, name ? name : ""), copy_file(job, frames[i].file),
		                                  frames[i].line, frames[i].column, frames[i].start_line};
	}
	/* A line without any function says less than the address. */
	if (!*copies[n - 1].name->system_name)
		return;
	answer->frames = copies;
	answer->n_frames = n;
}

static void answer_by_symbol(struct job *job, struct answer *answer)
{
	const char *name = symbol_name(job, answer->vaddr);

	if (!name)
		return;
	struct answer_frame *frame = arena_alloc(job->arena, 1, sizeof *frame);
	*frame = (struct answer_frame){.name = intern_name(job, name), .file = ""};
	answer->frames = frame;
	answer->n_frames = 1;
}

/* ---- questions ---- */

static void place_answer(struct job *job, struct answer *answer)
{
	answer->vaddr = answer->offset;
	answer->has_vaddr = (answer->is_vaddr || binary_vaddr(&job->binary, answer->offset, &answer->vaddr)) &&
	                    object_has_code_at(job->binary.file, answer->vaddr);
}

static int by_vaddr(const void *left, const void *right, void *context)
{
	const uint32_t *a = left, *b = right;
	const struct answer *answers = context;

	if (answers[*a].vaddr != answers[*b].vaddr)
		return answers[*a].vaddr < answers[*b].vaddr ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

static void collect_questions(struct job *job)
{
	struct questions *questions = &job->questions;
	uint32_t n = 0, n_placed = 0;

	questions->answers = mem_alloc(job->n_answers, sizeof *questions->answers);
	questions->vaddrs = mem_alloc(job->n_answers, sizeof *questions->vaddrs);
	for (uint32_t i = 0; i < job->n_answers; i++) {
		place_answer(job, &job->answers[i]);
		if (job->answers[i].has_vaddr)
			questions->answers[n_placed++] = i;
	}
	qsort_r(questions->answers, n_placed, sizeof *questions->answers, by_vaddr, job->answers);
	/* Twins come of segments that overlap, which no linker makes; the second one is answered by symbol alone. */
	for (uint32_t i = 0; i < n_placed; i++) {
		uint64_t vaddr = job->answers[questions->answers[i]].vaddr;

		if (n && questions->vaddrs[n - 1] == vaddr)
			continue;
		questions->answers[n] = questions->answers[i];
		questions->vaddrs[n++] = vaddr;
	}
	questions->n = n;
}

/* ---- the stages ---- */

static void note_unread(struct job *job, struct err *err)
{
	diag_add(&job->binary.diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
	err_free(err);
}

static void drop_lines(struct job *job, struct err *err)
{
	note_unread(job, err);
	lines_close(job->lines);
	job->lines = NULL;
}

struct err *job_open(struct job *job)
{
	if (!job->binary.path || !job->n_answers)
		return NULL;
	struct err *err = binary_open(&job->binary);
	if (err || !job->binary.file)
		return err;
	collect_questions(job);
	err = lines_open(&job->binary, &job->lines);
	if (err)
		note_unread(job, err);
	return NULL;
}

uint32_t job_n_loads(const struct job *job)
{
	return job->lines ? lines_n_loads(job->lines) : 0;
}

uint64_t job_bytes(const struct job *job)
{
	return job->lines ? lines_bytes(job->lines) : 0;
}

struct err *job_load(struct job *job, uint32_t load)
{
	return lines_load(job->lines, load);
}

void job_plan(struct job *job, struct err *load_error)
{
	struct err *err = load_error;

	if (!job->lines)
		return;
	if (!err)
		err = lines_plan(job->lines, job->questions.vaddrs, job->questions.n);
	if (err)
		drop_lines(job, err);
}

uint32_t job_n_units(const struct job *job)
{
	return job->lines ? lines_n_units(job->lines) : 0;
}

void job_work(struct job *job, uint32_t worker, lines_step_fn *step, void *context)
{
	if (job->lines)
		lines_work(job->lines, worker, step, context);
}

void job_finish(struct job *job)
{
	if (!job->binary.file)
		return;
	job->stripped = object_is_stripped(binary_symbols(&job->binary), &job->binary.diag) && !job->lines;
	if (job->lines)
		lines_finish(job->lines, take_frames, job);
	for (uint32_t i = 0; i < job->n_answers; i++)
		if (job->answers[i].has_vaddr && !job->answers[i].n_frames)
			answer_by_symbol(job, &job->answers[i]);
	lines_close(job->lines);
	job->lines = NULL;
}

void job_clear(struct job *job)
{
	lines_close(job->lines);
	binary_close(&job->binary);
	index_free(&job->name_index);
	free(job->names);
	free(job->questions.answers);
	free(job->questions.vaddrs);
	free(job->answers);
	arena_free(job->arena);
}
