#include "symbolize/job.h"

#include "symbolize/demangle.h"
#include "symbolize/find.h"
#include "symbolize/object.h"

#include <fcntl.h>
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

/* Where the function symbols are: those of a stripped file are in its debug file. */
static struct object_file *symbols_of(struct job *job)
{
	if (object_has_symtab(job->file) || !job->debug || !object_has_symtab(job->debug))
		return job->file;
	return job->debug;
}

/* DWARF gives a lambda or a local class's function no linkage name, only "operator()": its symbol says whose it is. */
static const char *best_name(struct job *job, const struct lines_frame *frame)
{
	struct symbol symbol;

	if (frame->linkage_name)
		return frame->linkage_name;
	if (frame->is_cplusplus && frame->entry && object_symbol(symbols_of(job), frame->entry, &symbol) &&
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

	return object_symbol(symbols_of(job), vaddr, &symbol) ? symbol.name : NULL;
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
	answer->has_vaddr = (answer->is_vaddr || object_vaddr(job->file, answer->offset, &answer->vaddr)) &&
	                    object_has_code_at(job->file, answer->vaddr);
}

/* ---- opening ---- */

static struct err *open_program(const char *path, int *fd_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return err_errno(path);
	*fd_ret = fd;
	return NULL;
}

static struct err *open_file(struct job *job)
{
	struct find_opts find = {.sysroot = job->sysroot};
	int fd = -1;
	struct err *err;

	if (job->is_program) {
		job->path_used = job->path;
		err = open_program(job->path, &fd);
	} else {
		err = find_file(&find, job->path, job->arena, &job->path_used, &fd);
	}
	return err ? err : object_open(fd, job->path_used, &job->file);
}

static bool is_other_build(const struct job *job)
{
	const char *its = object_build_id(job->file);

	return job->build_id && its && strcmp(job->build_id, its) != 0;
}

static void close_file(struct job *job)
{
	object_close(job->file);
	job->file = NULL;
}

/* The file at the path, or why it is not used. */
static struct err *try_path(struct job *job)
{
	if (!job->is_program && job->path[0] != '/') {
		job->problem = arena_printf(job->arena, "%s: not found: expected an absolute path in the profile", job->path);
		job->is_missing = true;
		return NULL;
	}
	struct err *err = open_file(job);
	if (err) {
		job->problem = arena_strndup(job->arena, err_text(err), strlen(err_text(err)));
		job->is_missing = err_is_missing(err);
		return err;
	}
	if (object_build_id(job->file))
		job->used_build_id = arena_printf(job->arena, "%s", object_build_id(job->file));
	if (is_other_build(job)) {
		job->problem = arena_printf(job->arena, "%s: not used: it is build %s, but the profile is of build %s",
		                            job->path_used, job->used_build_id, job->build_id);
		job->is_wrong = true;
		close_file(job);
	}
	return NULL;
}

/* Another path, where the one of the map leads nowhere. */
static void try_build_id(struct job *job)
{
	struct find_opts find = {.sysroot = job->sysroot};
	const char *path;
	int fd;

	if (!job->build_id || !find_file_by_build_id(&find, job->build_id, job->arena, &job->diag, &path, &fd))
		return;
	struct err *err = object_open(fd, path, &job->file);
	if (err) {
		diag_add(&job->diag, NOTE_DETAIL, NOTE_PLAIN, "%s", err_text(err));
		err_free(err);
		return;
	}
	const char *its = object_build_id(job->file);
	if (!its || strcmp(job->build_id, its) != 0) {
		close_file(job);
		return;
	}
	diag_add(&job->diag, NOTE_DETAIL, NOTE_PLAIN, "%s; %s has the build id of the profile", job->problem, path);
	job->path_used = path;
	job->used_build_id = job->build_id;
	job->problem = NULL;
	job->is_missing = job->is_wrong = false;
}

/* An error is for a program that the user named: without it there is no answer. */
static struct err *open_object(struct job *job)
{
	struct err *err = try_path(job);

	if (job->is_program)
		return err;
	err_free(err);
	if (!job->file)
		try_build_id(job);
	return NULL;
}

/* A debug file of another build would give wrong names. */
static bool is_same_build(struct job *job, const char *path)
{
	const char *ours = object_build_id(job->file), *its = object_build_id(job->debug);

	if (!ours || !its || strcmp(ours, its) == 0)
		return true;
	diag_add(&job->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s: not used: it belongs to build %s, but %s is build %s",
	         path, its, job->path_used, ours);
	return false;
}

static void open_debug(struct job *job)
{
	struct find_opts find = {.sysroot = job->sysroot};
	struct find_debug debug = {.object_path = job->is_program ? "" : job->path, .real_path = job->path_used};
	const char *path;
	int fd;

	if (object_has_dwarf(job->file) && object_has_symtab(job->file))
		return;
	debug.build_id = job->used_build_id ? job->used_build_id : job->build_id;
	debug.debuglink = object_debuglink(job->file, &debug.debuglink_crc);
	if (!find_debug_file(&find, &debug, job->arena, &job->diag, &path, &fd))
		return;
	struct err *err = object_open(fd, path, &job->debug);
	if (err) {
		diag_add(&job->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
		err_free(err);
	} else if (is_same_build(job, path)) {
		diag_add(&job->diag, NOTE_DETAIL, NOTE_PLAIN, "Using debug file %s.", path);
	} else {
		object_close(job->debug);
		job->debug = NULL;
	}
}

static void open_lines(struct job *job)
{
	struct find_opts *find = arena_alloc(job->arena, 1, sizeof *find);
	struct object_file *file = object_has_dwarf(job->file) ? job->file : job->debug;

	if (!file)
		return;
	find->sysroot = job->sysroot;
	struct err *err = lines_open(file, find, &job->diag, &job->lines);
	if (err) {
		diag_add(&job->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
		err_free(err);
	}
}

struct err *job_run(struct job *job)
{
	if (!job->path || !job->n_answers)
		return NULL;
	struct err *err = open_object(job);
	if (err || !job->file)
		return err;
	diag_add(&job->diag, NOTE_DETAIL, NOTE_PLAIN, "Using local file %s.", job->path_used);
	open_debug(job);
	open_lines(job);
	job->stripped = !job->lines && !object_has_symtab(symbols_of(job));
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
	object_close(job->debug);
	object_close(job->file);
	index_free(&job->name_index);
	free(job->names);
	free(job->answers);
	diag_clear(&job->diag);
	arena_free(job->arena);
}

static struct err *open_program_object(const char *path, struct object_file **ret)
{
	int fd = -1;
	struct err *err = open_program(path, &fd);

	return err ? err : object_open(fd, path, ret);
}

struct err *job_check_program(const char *path)
{
	struct object_file *file;
	struct err *err = open_program_object(path, &file);

	if (!err)
		object_close(file);
	return err;
}

const char *job_program_build_id(const char *path, struct arena *arena)
{
	struct object_file *file;
	struct err *err = open_program_object(path, &file);

	if (err) {
		err_free(err);
		return NULL;
	}
	const char *build_id = object_build_id(file);
	if (build_id)
		build_id = arena_strndup(arena, build_id, strlen(build_id));
	object_close(file);
	return build_id;
}
