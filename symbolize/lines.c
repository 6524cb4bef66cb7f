#include "symbolize/lines.h"
#include "analyze/base/addrs.h"
#include "symbolize/demangle.h"
#include "symbolize/lineprog.h"
#include "symbolize/scopes.h"
#include "symbolize/split.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A unit that holds some of the addresses. */
struct touched {
	uint64_t offset;
	uint32_t number;
	uint32_t first, n;         /* a span of the plan's candidates */
	uint64_t n_bytes, budget;  /* bytes: with split those that are read for it */
	struct split_place *split; /* NULL: its DIEs are here */
};

/* What a unit found for an address. */
struct finding {
	uint32_t vaddr, unit; /* numbers */
	uint32_t first, n;    /* a span of frames; of one without a scope only the place is known */
	bool has_scope;
};

/* What one thread needs, and what it finds. */
struct worker {
	struct lines *lines;
	struct arena *arena;
	struct handle handle, alternate;
	bool is_open;
	struct damage damage;
	struct abbrevs abbrevs;
	struct sources sources;
	struct targets targets;
	struct scopes scopes;
	struct split split;                    /* the one of the unit before stays open, for many may be in one file */
	const struct split_place *split_place; /* of that one; NULL: none is open */
	struct lines_frame *frames;
	struct finding *findings;
	uint32_t n_frames, cap_frames, n_findings, cap_findings;
	/* Split DWARF that was found and cannot be used. */
	uint32_t n_problems, problem_unit;
	const char *problem;
};

struct lines {
	struct binary *binary;
	struct arena *arena;
	struct image image, alternate;
	struct object_file *alternate_file; /* the dwz file; NULL: none is named, or it was not found */
	struct package package;
	bool has_package, has_looked_for_package;
	/* The plan. */
	const uint64_t *vaddrs;
	uint32_t n_vaddrs;
	struct touched *units, *vague; /* vague ones do not say where their code is */
	uint32_t n_units, cap_units, n_vague, cap_vague;
	uint32_t *candidates; /* numbers of addresses that a unit may hold, each unit's sorted */
	uint32_t n_candidates, cap_candidates;
	uint32_t n_lost; /* units whose split DWARF was not found */
	const char *first_lost;
	struct damage damage;
	/* The work. */
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

static void free_worker(struct worker *worker)
{
	split_close(&worker->split);
	handle_close(&worker->handle);
	handle_close(&worker->alternate);
	abbrevs_free(&worker->abbrevs);
	sources_free(&worker->sources);
	targets_free(&worker->targets);
	scopes_free(&worker->scopes);
	free(worker->frames);
	free(worker->findings);
	arena_free(worker->arena);
}

void lines_close(struct lines *lines)
{
	if (!lines)
		return;
	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++)
		free_worker(&lines->workers[i]);
	if (lines->has_looked_for_package)
		package_close(&lines->package);
	image_close(&lines->image);
	image_close(&lines->alternate);
	object_close(lines->alternate_file);
	free(lines->units);
	free(lines->vague);
	free(lines->candidates);
	arena_free(lines->arena);
	free(lines);
}

/* ---- 1. sections ---- */

uint32_t lines_n_loads(const struct lines *lines)
{
	return lines->image.n_loads + lines->alternate.n_loads;
}

uint64_t lines_bytes(const struct lines *lines)
{
	return image_bytes(&lines->image) + image_bytes(&lines->alternate);
}

struct err *lines_load(struct lines *lines, uint32_t load)
{
	if (load < lines->image.n_loads)
		return image_load(&lines->image, load);
	return image_load(&lines->alternate, load - lines->image.n_loads);
}

/* ---- handles ---- */

static struct err *open_worker(struct worker *worker, struct lines *lines)
{
	if (worker->is_open)
		return NULL;
	worker->lines = lines;
	worker->arena = arena_new();
	worker->is_open = true;
	sources_init(&worker->sources, worker->arena);
	targets_init(&worker->targets, lines->vaddrs, lines->n_vaddrs);
	struct err *err = image_check_dies(&lines->image);
	if (!err)
		err = handle_open(&worker->handle, &lines->image);
	if (err || !lines->alternate_file)
		return err;
	/* It may hold strings alone. */
	err = handle_open(&worker->alternate, &lines->alternate);
	if (!err)
		handle_set_alternate(&worker->handle, &worker->alternate);
	return err;
}

static struct unit unit_of(struct worker *worker)
{
	return (struct unit){.image = &worker->lines->image, .handle = &worker->handle, .damage = &worker->damage};
}

/* ---- 2. the plan ---- */

/* What a unit may cost besides what goes by its size and its addresses. */
enum { UNIT_LEAST = 1 << 12 };

/* What the units may cost together: ample for what compilers write, each range, each row of the line table and each DIE
 * a few times; and each address may be in a unit of its own. */
static uint64_t whole_budget(const struct image *image, uint32_t n)
{
	static const uint64_t LEAST = 1u << 26;
	const struct piece *pieces = image->pieces;

	return LEAST + (uint64_t)n * (SCOPES_DEEPEST + UNIT_LEAST) + pieces[PIECE_LINE].size +
	       16 * pieces[PIECE_INFO].size + 4 * (pieces[PIECE_RANGES].size + pieces[PIECE_RNGLISTS].size);
}

struct plan {
	struct lines *lines;
	struct unit unit;
	uint32_t first;   /* candidate of the unit at hand */
	uint32_t *stamps; /* by address: the number of the unit that took it last */
	bool is_unsorted;
	struct addrs split_ids; /* that skeletons had by now */
	struct abbrevs_tally tally;
};

static void add_candidate(struct plan *plan, uint32_t number)
{
	struct lines *lines = plan->lines;

	if (plan->stamps[number] == plan->unit.number)
		return;
	plan->stamps[number] = plan->unit.number;
	plan->is_unsorted |= lines->n_candidates > plan->first && lines->candidates[lines->n_candidates - 1] > number;
	MEM_GROW(lines->candidates, lines->n_candidates, lines->cap_candidates);
	lines->candidates[lines->n_candidates++] = number;
}

static void add_range(void *context, uint64_t start, uint64_t end)
{
	struct plan *plan = context;
	const struct lines *lines = plan->lines;
	uint32_t low = 0, high = lines->n_vaddrs;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (lines->vaddrs[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < lines->n_vaddrs && lines->vaddrs[low] < end && unit_spend(&plan->unit, 1); low++)
		add_candidate(plan, low);
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* All that is in a split unit is gone through for each skeleton that has its id: a hostile file could ask for that without
 * end. */
static bool spend_on_split(struct plan *plan, const struct split_place *place)
{
	uint32_t n = plan->split_ids.n;
	uint64_t id;

	if (!unit_split_id(&plan->unit, &id) || addrs_number(&plan->split_ids, id) == n)
		return true;
	return unit_spend(&plan->unit, place->n_bytes);
}

/* NULL, which is told: it is not there, or is asked for too often. */
static struct split_place *place_split(struct plan *plan)
{
	struct lines *lines = plan->lines;
	struct split_place place;

	if (!lines->has_looked_for_package) {
		lines->has_looked_for_package = true;
		lines->has_package = package_open(&lines->package, lines->binary);
	}
	if (!split_find(&plan->unit, lines->has_package ? &lines->package : NULL, lines->binary, &place)) {
		if (!lines->n_lost++)
			lines->first_lost = arena_strndup(lines->arena, place.name, strlen(place.name));
		return NULL;
	}
	if (!spend_on_split(plan, &place))
		return NULL;
	struct split_place *copy = arena_alloc(lines->arena, 1, sizeof *copy);
	*copy = place;
	return copy;
}

static struct touched touch(struct plan *plan)
{
	const struct unit *unit = &plan->unit;

	return (struct touched){
		.offset = unit->offset,
		.number = unit->number,
		.first = plan->first,
		.n = plan->lines->n_candidates - plan->first,
		.n_bytes = unit->end - unit->offset,
	};
}

/* Its share of the budget, while there is any: which unit is the first to get none does not depend on threads. */
static bool give_budget(struct plan *plan, struct touched *touched)
{
	uint64_t share = UNIT_LEAST + 16 * touched->n_bytes + (uint64_t)touched->n * SCOPES_DEEPEST;

	share += lineprog_bytes(&plan->unit);
	touched->budget = share;
	return unit_spend(&plan->unit, share);
}

static void add_unit(struct plan *plan)
{
	struct lines *lines = plan->lines;
	uint32_t n = lines->n_candidates - plan->first;

	if (n == 0)
		return;
	if (plan->is_unsorted)
		qsort(lines->candidates + plan->first, n, sizeof *lines->candidates, compare_numbers);
	struct touched touched = touch(plan);
	if (!give_budget(plan, &touched))
		return;
	if (unit_is_split(&plan->unit))
		touched.split = place_split(plan);
	if (touched.split)
		touched.n_bytes = touched.split->n_bytes;
	MEM_GROW(lines->units, lines->n_units, lines->cap_units);
	lines->units[lines->n_units++] = touched;
}

/* A unit that does not say where its code is may hold any address; it is asked only for those that no other has. */
static void add_vague_unit(struct plan *plan)
{
	struct lines *lines = plan->lines;

	int tag = dwarf_tag(&plan->unit.die);

	if (tag == DW_TAG_invalid)
		unit_note_damage(&plan->unit, "abbreviations of the unit");
	if (tag != DW_TAG_compile_unit || dwarf_haschildren(&plan->unit.die) != 1)
		return;
	MEM_GROW(lines->vague, lines->n_vague, lines->cap_vague);
	lines->vague[lines->n_vague++] = touch(plan);
}

/* DWARF 2 has no lists of ranges: where it is kept to strictly, the unit says where a part of its code is. */
static bool is_partly_vague(const struct unit *unit, const struct code *code)
{
	return unit->version == 2 && !code->has_ranges;
}

static struct err *plan_unit(struct plan *plan)
{
	const struct image *image = &plan->lines->image;

	if (!abbrevs_are_few(&plan->tally, &plan->unit))
		return err_new("%s: expected as many units and abbreviations as its .debug_info has room for", image->path);
	struct code code = code_of_unit(&plan->unit);
	plan->first = plan->lines->n_candidates;
	plan->is_unsorted = false;
	bool says_where = ranges_each(&plan->unit, &code, add_range, plan);
	if (says_where)
		add_unit(plan);
	if (!says_where || is_partly_vague(&plan->unit, &code))
		add_vague_unit(plan);
	return NULL;
}

static int compare_files(const struct split_place *a, const struct split_place *b)
{
	if (!a || !b)
		return !a - !b;
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return (a->inode > b->inode) - (a->inode < b->inode);
}

/* The largest first, so that no thread is left with one at the end. Those of one .dwo come one after the other, so that a
 * thread opens it once. */
static int compare_units(const void *left, const void *right)
{
	const struct touched *a = left, *b = right;
	int order = compare_files(a->split, b->split);

	if (a->n_bytes != b->n_bytes)
		return a->n_bytes > b->n_bytes ? -1 : 1;
	if (order)
		return order;
	return (a->number > b->number) - (a->number < b->number);
}

struct err *lines_plan(struct lines *lines, const uint64_t *vaddrs, uint32_t n)
{
	struct worker *worker = &lines->workers[0];
	uint32_t *CLEANUP(mem_free_local) stamps = mem_zalloc(n, sizeof *stamps);
	struct plan plan = {.lines = lines, .stamps = stamps};

	lines->vaddrs = vaddrs;
	lines->n_vaddrs = n;
	struct err *err = open_worker(worker, lines);
	plan.unit = unit_of(worker);
	plan.unit.budget = whole_budget(&lines->image, n);
	while (!err && unit_next(&plan.unit))
		err = plan_unit(&plan);
	if (lines->n_units)
		qsort(lines->units, lines->n_units, sizeof *lines->units, compare_units);
	addrs_free(&plan.split_ids);
	return err;
}

uint32_t lines_n_units(const struct lines *lines)
{
	return lines->n_units;
}

/* ---- 3. a unit ---- */

static struct lines_frame frame_of(const struct scope *scope, struct place place)
{
	return (struct lines_frame){
		.linkage_name = scope->linkage_name,
		.name = scope->name,
		.is_cplusplus = scope->is_cplusplus,
		.file = place.file,
		.line = place.line,
		.column = place.column,
		.start_line = scope->start_line,
		.entry = scope->entry,
	};
}

/* A .dwo file is closed when its unit is done, one of the object not before the end. */
static const char *keep_name(struct worker *worker, const struct unit *unit, const char *name)
{
	if (!name || unit->image != &worker->split.image || !worker->split.file)
		return name;
	return arena_strndup(worker->arena, name, strnlen(name, SYSTEM_NAME_LONGEST));
}

static void add_frame(struct worker *worker, struct lines_frame frame)
{
	MEM_GROW(worker->frames, worker->n_frames, worker->cap_frames);
	worker->frames[worker->n_frames++] = frame;
}

static void add_finding(struct worker *worker, uint32_t vaddr, uint32_t unit, uint32_t first, bool has_scope)
{
	MEM_GROW(worker->findings, worker->n_findings, worker->cap_findings);
	worker->findings[worker->n_findings++] = (struct finding){vaddr, unit, first, worker->n_frames - first, has_scope};
}

static void find_frames(struct worker *worker, const struct unit *unit, uint32_t target)
{
	uint32_t first = worker->n_frames;
	struct place place = worker->targets.places[target];

	for (uint32_t at = worker->targets.scopes[target], n = 0; at != INDEX_NONE && n < SCOPES_DEEPEST; n++) {
		const struct scope *scope = scopes_named(&worker->scopes, unit, at);

		struct lines_frame frame = frame_of(scope, place);
		frame.name = keep_name(worker, unit, frame.name);
		frame.linkage_name = keep_name(worker, unit, frame.linkage_name);
		add_frame(worker, frame);
		place = (struct place){sources_path(&worker->sources, scope->call_file), scope->call_line, scope->call_column,
		                       true};
		at = scope->parent;
	}
	add_finding(worker, worker->targets.numbers[target], unit->number, first, true);
}

/* Those that lie in functions; the others stay targets. */
static void find_scoped(struct worker *worker, const struct unit *unit)
{
	struct targets *targets = &worker->targets;
	uint32_t n = 0;

	for (uint32_t i = 0; i < targets->n; i++) {
		if (targets->scopes[i] != INDEX_NONE) {
			find_frames(worker, unit, i);
			continue;
		}
		targets->numbers[n] = targets->numbers[i];
		targets->places[n++] = targets->places[i];
	}
	targets->n = n;
}

/* Addresses that no function has claimed. */
static void find_places(struct worker *worker, const struct unit *unit)
{
	for (uint32_t i = 0; i < worker->targets.n; i++) {
		struct place place = worker->targets.places[i];
		struct lines_frame frame = {.file = place.file, .line = place.line, .column = place.column};
		uint32_t first = worker->n_frames;

		if (!place.is_set)
			continue;
		add_frame(worker, frame);
		add_finding(worker, worker->targets.numbers[i], unit->number, first, false);
	}
}

static void find_scopes(struct worker *worker, struct unit *unit)
{
	if (!abbrevs_read(&worker->abbrevs, unit))
		return;
	scopes_find(&worker->scopes, unit, &worker->abbrevs, &worker->targets);
	find_scoped(worker, unit);
	/* GCC puts the code of a lambda or a local class under the struct, inside the abstract function. */
	if (worker->targets.n == 0)
		return;
	scopes_find_everywhere(&worker->scopes, unit, &worker->abbrevs, &worker->targets);
	find_scoped(worker, unit);
}

static void keep_problem(struct worker *worker, const struct unit *unit, const char *problem)
{
	if (!worker->n_problems++ || unit->number < worker->problem_unit) {
		worker->problem = problem;
		worker->problem_unit = unit->number;
	}
}

static bool is_same_file(const struct split_place *a, const struct split_place *b)
{
	return a && a->path && b->path && compare_files(a, b) == 0;
}

/* The unit that has the skeleton's DIEs: the skeleton itself, where split DWARF cannot be used. */
static struct unit *dies_of(struct worker *worker, struct unit *unit, const struct touched *touched)
{
	struct split *split = &worker->split;
	const char *problem;

	if (!touched->split)
		return unit;
	worker->abbrevs.image = NULL; /* they may be of an image that is gone */
	if (is_same_file(worker->split_place, touched->split)) {
		problem = split_go_on(split, unit, touched->split, worker->arena);
	} else {
		split_close(split);
		*split = (struct split){0};
		problem = split_open(split, unit, touched->split, &worker->lines->package, worker->arena);
	}
	worker->split_place = problem ? NULL : touched->split;
	if (!problem)
		return &split->unit;
	keep_problem(worker, unit, problem);
	return unit;
}

static void answer_unit(struct worker *worker, const struct touched *touched)
{
	struct lines *lines = worker->lines;
	struct unit unit = unit_of(worker);

	if (!unit_at(&unit, touched->offset, touched->number))
		return;
	unit.budget = touched->budget;
	targets_take(&worker->targets, lines->candidates + touched->first, touched->n);
	const char *folder = die_string(&unit.die, DW_AT_comp_dir);
	sources_clear(&worker->sources, folder ? folder : "");
	lineprog_run(&unit, &worker->sources, &worker->targets);
	struct unit *dies = dies_of(worker, &unit, touched);
	find_scopes(worker, dies);
	find_places(worker, dies);
}

void lines_work(struct lines *lines, uint32_t number, lines_step_fn *step, void *context)
{
	struct worker *worker = &lines->workers[number];
	struct err *err = open_worker(worker, lines);

	/* The first worker's handle was opened for the plan: one that cannot be opened now leaves its work to others. */
	if (err) {
		err_free(err);
		return;
	}
	for (uint32_t i; (i = atomic_fetch_add(&lines->next, 1)) < lines->n_units;) {
		answer_unit(worker, &lines->units[i]);
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

static uint32_t gather_unanswered(struct lines *lines, const struct best *best)
{
	uint32_t n = 0;

	lines->n_candidates = 0;
	for (uint32_t i = 0; i < lines->n_vaddrs; i++) {
		if (best[i].worker && finding_of(&best[i])->has_scope)
			continue;
		MEM_GROW(lines->candidates, lines->n_candidates, lines->cap_candidates);
		lines->candidates[lines->n_candidates++] = i;
		n++;
	}
	return n;
}

/* All that are left to one unit after the other; what the first ones find only makes the later ones cheaper. */
static void ask_vague_units(struct lines *lines, struct best *best)
{
	uint32_t n = lines->n_vague ? gather_unanswered(lines, best) : 0;
	uint64_t budget = whole_budget(&lines->image, lines->n_vaddrs);
	struct worker *worker = &lines->workers[0];

	for (uint32_t i = 0; i < lines->n_vague && n > 0; i++) {
		struct touched *unit = &lines->vague[i];
		uint64_t cost = unit->n_bytes + n;

		if (cost > budget)
			return;
		budget -= cost;
		unit->first = 0;
		unit->n = n;
		unit->budget = cost * 16;
		answer_unit(worker, unit);
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
	if (lines->n_lost)
		diag_add(&lines->binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s: functions and inlined calls of %" PRIu32 " unit%s are in split DWARF files that were not found, "
		         "the first is %s",
		         lines->image.path, lines->n_lost, lines->n_lost == 1 ? "" : "s", lines->first_lost);
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
	struct best *CLEANUP(mem_free_local) best = mem_zalloc(lines->n_vaddrs, sizeof *best);

	for (uint32_t i = 0; i < LINES_MOST_WORKERS; i++)
		choose(&lines->workers[i], 0, best);
	uint32_t n = lines->workers[0].n_findings;
	ask_vague_units(lines, best);
	choose(&lines->workers[0], n, best);
	for (uint32_t i = 0; i < lines->n_vaddrs; i++)
		if (best[i].worker)
			found(context, i, best[i].worker->frames + finding_of(&best[i])->first, finding_of(&best[i])->n);
	note_damage(lines);
	note_lost(lines);
	note_problems(lines);
}
