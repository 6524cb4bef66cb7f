#include "symbolize/job.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

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

/* A unit has few files, and its frames many. */
static const char *copy_file(struct job *job, const char *file)
{
	uint32_t n = job->file_places.n, place;

	if (!file)
		return "";
	place = addrs_number(&job->file_places, (uintptr_t)file);
	if (place < n)
		return job->files[place];
	MEM_GROW(job->files, n, job->cap_files);
	return job->files[place] = arena_strndup(job->arena, file, strlen(file));
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
		copies[i] =
			(struct answer_frame){job_names_intern(&job->names, name ? name : ""), copy_file(job, frames[i].file),
		                          frames[i].line, frames[i].column, frames[i].start_line};
	}
	/* A line without any function says less than the address. */
	if (!*copies[n - 1].name->system_name)
		return;
	answer->frames = copies;
	answer->n_frames = n;
}

static int compare_vaddrs(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void answer_by_symbol(struct job *job, struct answer *answer)
{
	const char *name = symbol_name(job, answer->vaddr);

	if (!name)
		return;
	struct answer_frame *frame = arena_alloc(job->arena, 1, sizeof *frame);
	*frame = (struct answer_frame){.name = job_names_intern(&job->names, name), .file = ""};
	answer->frames = frame;
	answer->n_frames = 1;
}

/* Segments that overlap, or addresses that one input places and another gives as link-time ones. */
static bool answer_as_twin(struct job *job, struct answer *answer)
{
	const struct questions *questions = &job->questions;
	const uint64_t *found =
		bsearch(&answer->vaddr, questions->vaddrs, questions->n, sizeof answer->vaddr, compare_vaddrs);
	const struct answer *twin = found ? answer_at(job, (uint32_t)(found - questions->vaddrs)) : answer;

	answer->frames = twin->frames;
	answer->n_frames = twin->n_frames;
	return answer->n_frames > 0;
}

/* ---- the symbol cache ---- */

/* Less than this is read as fast as a cache is. */
enum { LEAST_CACHED_BYTES = 128 << 10 };

static void set_key(struct job *job)
{
	const struct binary *binary = &job->binary;
	struct cache_key *key = &job->cache_key;

	*key = (struct cache_key){.folder = job->cache_folder, .build_id = object_build_id(binary->file)};
	key->object_bytes = object_bytes(binary->file);
	key->object_mtime_ns = object_time(binary->file);
	if (!binary->debug)
		return;
	key->debug_build_id = object_build_id(binary->debug);
	key->debug_bytes = object_bytes(binary->debug);
	key->debug_mtime_ns = object_time(binary->debug);
}

static void recall_answer(struct job *job, struct answer *answer)
{
	struct cache_span span;

	if (!answer->has_vaddr || !cache_find(job->cache, answer->vaddr, &span))
		return;
	struct answer_frame *frames = arena_alloc(job->arena, span.n, sizeof *frames);
	for (uint32_t i = 0; i < span.n; i++) {
		struct cache_frame frame = cache_frame_at(job->cache, span, i);

		frames[i] = (struct answer_frame){job_names_intern(&job->names, frame.system_name), frame.file, frame.line,
		                                  frame.column, frame.start_line};
	}
	answer->frames = frames;
	answer->n_frames = span.n;
	answer->is_known = true;
}

static void recall(struct job *job)
{
	if (!job->cache_folder || job_bytes(job) < LEAST_CACHED_BYTES)
		return;
	set_key(job);
	job->cache = cache_open(&job->cache_key, &job->binary.diag);
	for (uint32_t i = 0; job->cache && i < job->n_answers; i++)
		recall_answer(job, &job->answers[i]);
}

/* A note says that something was missing or damaged: the next run must find out, too. */
static bool has_whole_answers(const struct job *job)
{
	for (uint32_t i = job->n_notes; i < job->binary.diag.n; i++)
		if (job->binary.diag.notes[i].level != NOTE_DETAIL)
			return false;
	return true;
}

static struct cache_answer cache_answer_of(struct job *job, const struct answer *answer)
{
	struct cache_frame *frames = arena_alloc(job->arena, answer->n_frames, sizeof *frames);

	for (uint32_t i = 0; i < answer->n_frames; i++)
		frames[i] =
			(struct cache_frame){answer->frames[i].name->system_name, answer->frames[i].file, answer->frames[i].line,
		                         answer->frames[i].column, answer->frames[i].start_line};
	return (struct cache_answer){answer->vaddr, frames, answer->n_frames};
}

void job_keep(struct job *job)
{
	uint32_t n = job->questions.n;

	if (!job->cache_key.folder || n == 0 || !has_whole_answers(job))
		return;
	struct cache_answer *CLEANUP(mem_free_local) answers = mem_alloc(n, sizeof *answers);
	for (uint32_t i = 0; i < n; i++)
		answers[i] = cache_answer_of(job, answer_at(job, i));
	cache_save(&job->cache_key, job->cache, answers, n, &job->binary.diag);
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
	uint32_t n = 0, n_open = 0;

	questions->answers = mem_alloc(job->n_answers, sizeof *questions->answers);
	questions->vaddrs = mem_alloc(job->n_answers, sizeof *questions->vaddrs);
	for (uint32_t i = 0; i < job->n_answers; i++)
		if (job->answers[i].has_vaddr && !job->answers[i].is_known)
			questions->answers[n_open++] = i;
	qsort_r(questions->answers, n_open, sizeof *questions->answers, by_vaddr, job->answers);
	for (uint32_t i = 0; i < n_open; i++) {
		uint64_t vaddr = job->answers[questions->answers[i]].vaddr;

		if (n && questions->vaddrs[n - 1] == vaddr)
			continue;
		questions->answers[n] = questions->answers[i];
		questions->vaddrs[n++] = vaddr;
	}
	questions->n = n;
}

/* ---- the stages ---- */

static void drop_lines(struct job *job, struct err *err)
{
	diag_add(&job->binary.diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
	err_free(err);
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
	job_names_init(&job->names, job->arena);
	for (uint32_t i = 0; i < job->n_answers; i++)
		place_answer(job, &job->answers[i]);
	job->n_notes = job->binary.diag.n;
	err = lines_open(&job->binary, &job->lines);
	if (err)
		drop_lines(job, err);
	recall(job);
	collect_questions(job);
	return NULL;
}

uint32_t job_n_loads(const struct job *job)
{
	return job->lines && job->questions.n ? lines_n_loads(job->lines) : 0;
}

uint64_t job_bytes(const struct job *job)
{
	return job->lines ? lines_bytes(job->lines) : 0;
}

void job_make_room(struct job *job)
{
	if (job_n_loads(job))
		lines_make_room(job->lines);
}

struct err *job_load(struct job *job, uint32_t load)
{
	return lines_load(job->lines, load);
}

void job_plan(struct job *job, struct err *load_error)
{
	struct err *err = load_error;

	if (!job->lines || job->questions.n == 0)
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

static void answer_rest(struct job *job)
{
	for (uint32_t i = 0; i < job->n_answers; i++) {
		struct answer *answer = &job->answers[i];

		if (answer->has_vaddr && !answer->is_known && !answer->n_frames && !answer_as_twin(job, answer))
			answer_by_symbol(job, answer);
	}
}

void job_finish(struct job *job)
{
	if (!job->binary.file)
		return;
	job->stripped = object_is_stripped(binary_symbols(&job->binary), &job->binary.diag) && !binary_dwarf(&job->binary);
	if (job->lines && job->questions.n)
		lines_finish(job->lines, take_frames, job);
	answer_rest(job);
	check_calls(&job->binary, job->answers, job->n_answers);
	object_note_problem(job->binary.file, &job->binary.diag);
	object_note_problem(job->binary.debug, &job->binary.diag);
}

void job_release(struct job *job)
{
	lines_close(job->lines);
	job->lines = NULL;
}

uint32_t job_n_names(struct job *job)
{
	return job_names_finish(&job->names);
}

void job_demangle(struct job *job, uint32_t part)
{
	job_names_demangle(&job->names, part, job->style, job->want_full_names);
}

void job_clear(struct job *job)
{
	lines_close(job->lines);
	binary_close(&job->binary);
	job_names_free(&job->names);
	cache_close(job->cache);
	addrs_free(&job->file_places);
	free(job->files);
	free(job->questions.answers);
	free(job->questions.vaddrs);
	free(job->answers);
	arena_free(job->arena);
}
