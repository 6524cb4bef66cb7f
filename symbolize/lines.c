#include "symbolize/lines.h"
#include "symbolize/worker.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct lines {
	struct binary *binary;
	struct arena *arena;
	struct image image, alternate;
	struct object_file *alternate_file; /* the dwz file; NULL: none is named, or it was not found */
	struct plan plan;
	atomic_uint next, n_done;
	struct worker workers[LINES_MOST_WORKERS];
};

/* ---- open and close ---- */

static struct err *open_alternate_file(struct lines *lines, int fd, const char *path, const char *build_id)
{
	struct err *err = object_open(fd, path, &lines->alternate_file);

	if (err)
		return err;
	const char *found = object_build_id(lines->alternate_file);
	if (found && strcmp(found, build_id) != 0)
		return err_new("%s: expected build id %s, found %s", path, build_id, found);
	return image_open(&lines->alternate, lines->alternate_file, "");
}

static bool find_and_open_alternate(struct lines *lines, const char *name, const char *build_id)
{
	struct binary *binary = lines->binary;
	const char *path;
	int fd;

	if (!find_alternate_file(binary->find, lines->image.path, name, build_id, lines->arena, &binary->diag, &path, &fd))
		return false;
	struct err *err = open_alternate_file(lines, fd, path, build_id);
	if (!err)
		return true;
	diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "no dwz file: %s", err_text(err));
	err_free(err);
	image_close(&lines->alternate);
	lines->alternate = (struct image){0};
	object_close(lines->alternate_file);
	lines->alternate_file = NULL;
	return false;
}

static void open_alternate(struct lines *lines)
{
	const char *build_id, *name = object_alternate(lines->image.file, lines->arena, &build_id);

	if (!name || find_and_open_alternate(lines, name, build_id))
		return;
	diag_add(&lines->binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
	         "%s: its dwz file %s was not found; some names are missing", lines->image.path, name);
}

struct err *lines_open(struct binary *binary, struct lines **ret)
{
	struct object_file *file = binary_dwarf(binary);

	*ret = NULL;
	if (!file)
		return NULL;
	struct lines *lines = mem_zalloc(1, sizeof *lines);
	lines->binary = binary;
	lines->arena = arena_new();
	struct err *err = image_open(&lines->image, file, "");
	if (err) {
		lines_close(lines);
		return err;
	}
	open_alternate(lines);
	*ret = lines;
	return NULL;
}

void lines_close(struct lines *lines)
{
	if (!lines)
		return;
	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++)
		worker_close(&lines->workers[i]);
	plan_free(&lines->plan);
	image_close(&lines->image);
	image_close(&lines->alternate);
	object_close(lines->alternate_file);
	arena_free(lines->arena);
	free(lines);
}

/* ---- 1. sections ---- */

uint32_t lines_n_loads(const struct lines *lines)
{
	return image_n_parts(&lines->image) + image_n_parts(&lines->alternate);
}

uint64_t lines_bytes(const struct lines *lines)
{
	return image_bytes(&lines->image) + image_bytes(&lines->alternate);
}

void lines_make_room(struct lines *lines)
{
	image_make_room(&lines->image);
	image_make_room(&lines->alternate);
}

struct err *lines_load(struct lines *lines, uint32_t load)
{
	uint32_t n = image_n_parts(&lines->image);

	if (load < n)
		return image_load(&lines->image, load);
	return image_load(&lines->alternate, load - n);
}

/* ---- 2. the plan ---- */

static struct err *open_worker(struct lines *lines, uint32_t number)
{
	return worker_open(&lines->workers[number], &lines->image, lines->alternate_file ? &lines->alternate : NULL);
}

struct err *lines_plan(struct lines *lines, const uint64_t *vaddrs, uint32_t n)
{
	struct err *err = open_worker(lines, 0);

	return err ? err : plan_make(&lines->plan, worker_unit(&lines->workers[0]), vaddrs, n, lines->binary);
}

uint32_t lines_n_units(const struct lines *lines)
{
	return lines->plan.n_units;
}

/* ---- 3. the work ---- */

void lines_work(struct lines *lines, uint32_t number, lines_step_fn *step, void *context)
{
	struct worker *worker = &lines->workers[number];
	struct err *err = open_worker(lines, number);

	/* The first worker's handle was opened for the plan: one that cannot be opened now leaves its work to others. */
	if (err) {
		err_free(err);
		return;
	}
	for (uint32_t i; (i = atomic_fetch_add(&lines->next, 1)) < lines->plan.n_units;) {
		worker_answer(worker, &lines->plan, &lines->plan.units[i]);
		if (step)
			step(context, atomic_fetch_add(&lines->n_done, 1) + 1);
	}
}

/* ---- 4. the answers ---- */

/* By address: the finding that counts, and the worker that has it. */
struct best {
	const struct worker *worker; /* NULL: none has any */
	uint32_t finding;
};

static const struct finding *finding_of(const struct best *best)
{
	return &best->worker->findings[best->finding];
}

static bool is_better(const struct finding *a, const struct best *best)
{
	const struct finding *b = best->worker ? finding_of(best) : NULL;

	if (!b || a->has_scope != b->has_scope)
		return !b || a->has_scope;
	return a->unit < b->unit;
}

static void choose(const struct worker *worker, uint32_t from, struct best *best)
{
	for (uint32_t i = from; i < worker->n_findings; i++) {
		const struct finding *finding = &worker->findings[i];

		if (is_better(finding, &best[finding->vaddr]))
			best[finding->vaddr] = (struct best){worker, i};
	}
}

static uint32_t gather_unanswered(struct plan *plan, const struct best *best)
{
	plan->n_candidates = 0;
	for (uint32_t i = 0; i < plan->n_vaddrs; i++) {
		if (best[i].worker && finding_of(&best[i])->has_scope)
			continue;
		MEM_GROW(plan->candidates, plan->n_candidates, plan->cap_candidates);
		plan->candidates[plan->n_candidates++] = i;
	}
	return plan->n_candidates;
}

/* All that are left to one unit after the other; what the first ones find only makes the later ones cheaper. */
static void ask_vague_units(struct lines *lines, struct best *best)
{
	uint32_t n = lines->plan.n_vague ? gather_unanswered(&lines->plan, best) : 0;
	uint64_t budget = plan_budget(&lines->image, lines->plan.n_vaddrs);
	struct worker *worker = &lines->workers[0];

	for (uint32_t i = 0; i < lines->plan.n_vague && n > 0; i++) {
		struct touched *unit = &lines->plan.vague[i];
		uint64_t cost = unit->n_bytes + n;

		if (cost > budget)
			return;
		budget -= cost;
		unit->first = 0;
		unit->n = n;
		unit->budget = cost * 16;
		worker_answer(worker, &lines->plan, unit);
	}
}

static void note_damage(struct lines *lines)
{
	const struct damage *first = NULL;

	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++) {
		const struct damage *damage = &lines->workers[i].damage;

		if (damage->what && (!first || damage->unit < first->unit))
			first = damage;
	}
	if (first)
		diag_add(&lines->binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s: damaged debug information (%s at .debug_info+0x%" PRIx64
		         "); some functions and lines are missing",
		         first->path, first->what, first->offset);
}

static void note_lost(struct lines *lines)
{
	if (lines->plan.n_lost)
		diag_add(&lines->binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s: functions and inlined calls of %" PRIu32 " unit%s are in split DWARF files that were not found, "
		         "the first is %s",
		         lines->image.path, lines->plan.n_lost, lines->plan.n_lost == 1 ? "" : "s", lines->plan.first_lost);
}

static void note_problems(struct lines *lines)
{
	const struct worker *first = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++) {
		const struct worker *worker = &lines->workers[i];

		n += worker->n_problems;
		if (worker->problem && (!first || worker->problem_unit < first->problem_unit))
			first = worker;
	}
	if (first)
		diag_add(&lines->binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s; so functions and inlined calls of %" PRIu32 " unit%s of %s are missing", first->problem, n,
		         n == 1 ? "" : "s", lines->image.path);
}

void lines_finish(struct lines *lines, lines_found_fn *found, void *context)
{
	struct best *CLEANUP(mem_free_local) best = mem_zalloc(lines->plan.n_vaddrs, sizeof *best);

	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++)
		choose(&lines->workers[i], 0, best);
	uint32_t n = lines->workers[0].n_findings;
	ask_vague_units(lines, best);
	choose(&lines->workers[0], n, best);
	for (uint32_t i = 0; i < lines->plan.n_vaddrs; i++)
		if (best[i].worker)
			found(context, i, best[i].worker->frames + finding_of(&best[i])->first, finding_of(&best[i])->n);
	note_damage(lines);
	note_lost(lines);
	note_problems(lines);
}
