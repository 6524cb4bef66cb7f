#include "symbolize/worker.h"
#include "analyze/base/index.h"
#include "symbolize/demangle.h"
#include "symbolize/lineprog.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* ---- open and close ---- */

struct err *worker_open(struct worker *worker, const struct image *image, const struct image *alternate)
{
	if (worker->image)
		return NULL;
	worker->image = image;
	worker->arena = arena_new();
	sources_init(&worker->sources, worker->arena);
	struct err *err = image_check_dies(image);
	if (!err)
		err = handle_open(&worker->handle, image);
	if (err || !alternate)
		return err;
	/* It may hold strings alone. */
	err = handle_open(&worker->alternate, alternate);
	if (!err)
		handle_set_alternate(&worker->handle, &worker->alternate);
	return err;
}

void worker_close(struct worker *worker)
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

struct unit worker_unit(struct worker *worker)
{
	return (struct unit){.image = worker->image, .handle = &worker->handle, .damage = &worker->damage};
}

/* ---- what a unit knows ---- */

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

/* NULL, or the problem, which stands for all units of the file. */
static const char *open_split(struct worker *worker, const struct plan *plan, const struct unit *unit,
                              const struct split_place *place)
{
	if (plan_is_same_file(worker->split_place, place))
		return worker->split_problem;
	worker->abbrevs.image = NULL; /* they may be of an image that is gone */
	split_close(&worker->split);
	worker->split = (struct split){0};
	worker->split_place = place;
	worker->split_problem = split_open(&worker->split, unit, place, &plan->package, worker->arena);
	return worker->split_problem;
}

/* The unit that has the skeleton's DIEs: the skeleton itself, where split DWARF cannot be used. */
static struct unit *dies_of(struct worker *worker, const struct plan *plan, struct unit *unit,
                            const struct touched *touched)
{
	if (!touched->split)
		return unit;
	const char *problem = open_split(worker, plan, unit, touched->split);
	if (!problem)
		problem = split_go_to(&worker->split, unit, touched->split, worker->arena);
	if (!problem)
		return &worker->split.unit;
	keep_problem(worker, unit, problem);
	return unit;
}

void worker_answer(struct worker *worker, const struct plan *plan, const struct touched *touched)
{
	struct unit unit = worker_unit(worker);

	if (!worker->targets.numbers)
		targets_init(&worker->targets, plan->vaddrs, plan->n_vaddrs);
	if (!unit_at(&unit, touched->offset, touched->number))
		return;
	unit.budget = touched->budget;
	targets_take(&worker->targets, plan->candidates + touched->first, touched->n);
	const char *folder = die_string(&unit.die, DW_AT_comp_dir);
	sources_clear(&worker->sources, folder ? folder : "");
	lineprog_run(&unit, &worker->sources, &worker->targets);
	struct unit *dies = dies_of(worker, plan, &unit, touched);
	find_scopes(worker, dies);
	find_places(worker, dies);
}
