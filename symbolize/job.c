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

struct question {
	uint64_t vaddr;
	uint32_t answer;
};

/* The answers that have a vaddr, sorted by it. */
struct questions {
	struct job *job;
	struct question *items;
	uint64_t *vaddrs;
	uint32_t n;
};

static struct answer *answer_at(const struct questions *questions, uint32_t index)
{
	return &questions->job->answers[questions->items[index].answer];
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
	struct questions *questions = context;
	struct job *job = questions->job;
	struct answer *answer = answer_at(questions, index);
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

static int by_vaddr(const void *a, const void *b)
{
	const struct question *x = a, *y = b;

	if (x->vaddr != y->vaddr)
		return x->vaddr < y->vaddr ? -1 : 1;
	return x->answer < y->answer ? -1 : x->answer > y->answer;
}

static void collect_questions(struct job *job, struct questions *questions)
{
	questions->job = job;
	questions->items = mem_alloc(job->n_answers, sizeof *questions->items);
	questions->vaddrs = mem_alloc(job->n_answers, sizeof *questions->vaddrs);
	for (uint32_t i = 0; i < job->n_answers; i++)
		if (job->answers[i].has_vaddr)
			questions->items[questions->n++] = (struct question){job->answers[i].vaddr, i};
	qsort(questions->items, questions->n, sizeof *questions->items, by_vaddr);
	/* Twins come of segments that overlap, which no linker makes; the second one is answered by symbol alone. */
	uint32_t n = 0;
	for (uint32_t i = 0; i < questions->n; i++) {
		if (n && questions->vaddrs[n - 1] == questions->items[i].vaddr)
			continue;
		questions->items[n] = questions->items[i];
		questions->vaddrs[n++] = questions->items[i].vaddr;
	}
	questions->n = n;
}

static void answer_all(struct job *job)
{
	struct questions questions = {0};

	collect_questions(job, &questions);
	if (job->lines)
		lines_answer(job->lines, questions.vaddrs, questions.n, take_frames, &questions);
	for (uint32_t i = 0; i < job->n_answers; i++)
		if (job->answers[i].has_vaddr && !job->answers[i].n_frames)
			answer_by_symbol(job, &job->answers[i]);
	free(questions.items);
	free(questions.vaddrs);
}

/* ---- run-time addresses to link-time ones ---- */

static void place_answer(struct job *job, struct answer *answer)
{
	answer->vaddr = answer->offset;
	answer->has_vaddr = (answer->is_vaddr || object_vaddr(job->binary.file, answer->offset, &answer->vaddr)) &&
	                    object_has_code_at(job->binary.file, answer->vaddr);
}

/* ---- all together ---- */

static void open_lines(struct job *job)
{
	struct object_file *file = binary_dwarf(&job->binary);

	if (!file)
		return;
	struct err *err = lines_open(file, job->binary.find, &job->binary.diag, &job->lines);
	if (err) {
		diag_add(&job->binary.diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
		err_free(err);
	}
}

struct err *job_run(struct job *job)
{
	if (!job->binary.path || !job->n_answers)
		return NULL;
	struct err *err = binary_open(&job->binary);
	if (err || !job->binary.file)
		return err;
	open_lines(job);
	job->stripped = !job->lines && !object_has_symtab(binary_symbols(&job->binary));
	for (uint32_t i = 0; i < job->n_answers; i++)
		place_answer(job, &job->answers[i]);
	answer_all(job);
	lines_close(job->lines);
	job->lines = NULL;
	return NULL;
}

void job_clear(struct job *job)
{
	lines_close(job->lines);
	binary_close(&job->binary);
	index_free(&job->name_index);
	free(job->names);
	free(job->answers);
	arena_free(job->arena);
}
