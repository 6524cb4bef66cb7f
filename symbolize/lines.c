#include "symbolize/lines.h"
#include "analyze/base/index.h"
#include "symbolize/lineprog.h"
#include "symbolize/ranges.h"
#include "symbolize/scopes.h"

#include <dwarf.h>
#include <stdlib.h>

struct lines {
	struct arena *arena;
	struct image image;
	struct sources sources;
	bool has_split_note;
};

/* ---- open and close ---- */

struct err *lines_open(struct object_file *file, const struct find_opts *opts, struct diag *diag, struct lines **ret)
{
	if (!object_has_dwarf(file)) {
		*ret = NULL;
		return NULL;
	}
	struct lines *lines = mem_zalloc(1, sizeof *lines);
	lines->arena = arena_new();
	sources_init(&lines->sources, lines->arena);
	struct err *err = image_open(&lines->image, file, opts, diag, lines->arena);
	if (err) {
		lines_close(lines);
		return err;
	}
	*ret = lines;
	return NULL;
}

void lines_close(struct lines *lines)
{
	if (!lines)
		return;
	image_close(&lines->image);
	sources_free(&lines->sources);
	arena_free(lines->arena);
	free(lines);
}

/* ---- the answer in the making ---- */

struct answer {
	struct lines *lines;
	lines_found_fn *found;
	void *context;
	bool *is_done;
	struct place *loose; /* of addresses that no function has claimed so far */
	uint32_t *stamps;    /* the number of the unit that took the address last */
	/* These are of the unit at hand. */
	struct unit unit;
	struct targets targets;
	struct scopes scopes;
};

static void note_split(struct lines *lines)
{
	if (lines->has_split_note)
		return;
	lines->has_split_note = true;
	diag_add(lines->image.diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
	         "%s: functions and inlined calls are in split DWARF files (.dwo), which are not read", lines->image.path);
}

/* ---- the addresses that a unit may hold ---- */

static void take_target(struct answer *answer, uint32_t number)
{
	if (answer->is_done[number] || answer->stamps[number] == answer->unit.number)
		return;
	answer->stamps[number] = answer->unit.number;
	targets_add(&answer->targets, number);
}

static void take_targets(void *context, uint64_t start, uint64_t end)
{
	struct answer *answer = context;
	const uint64_t *vaddrs = answer->targets.vaddrs;
	uint32_t low = 0, high = answer->targets.n_vaddrs;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (vaddrs[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < answer->targets.n_vaddrs && vaddrs[low] < end && unit_spend(&answer->unit, 1); low++)
		take_target(answer, low);
}

/* A unit that does not say where its code is may hold any address. */
static void take_all_targets(struct answer *answer)
{
	Dwarf_Die *die = &answer->unit.die;
	uint32_t n = answer->targets.n_vaddrs;

	if (dwarf_tag(die) != DW_TAG_compile_unit || dwarf_haschildren(die) != 1 || !unit_spend(&answer->unit, n / 16))
		return;
	for (uint32_t i = 0; i < n; i++)
		take_target(answer, i);
}

static void choose_targets(struct answer *answer)
{
	targets_clear(&answer->targets);
	if (!ranges_each(&answer->unit, &answer->unit.die, take_targets, answer))
		take_all_targets(answer);
	targets_sort(&answer->targets);
}

/* ---- answers ---- */

static struct lines_frame frame_of(const struct scope *scope, struct place place)
{
	return (struct lines_frame){
		.linkage_name = scope->linkage_name,
		.name = scope->name,
		.is_cplusplus = scope->is_cplusplus,
		.file = place.file,
		.line = place.line,
		.start_line = scope->start_line,
		.entry = scope->entry,
	};
}

static void answer_target(struct answer *answer, uint32_t target)
{
	struct lines_frame frames[SCOPES_DEEPEST];
	uint32_t number = answer->targets.numbers[target], n = 0;
	struct place place = answer->targets.places[target];

	for (uint32_t at = answer->targets.scopes[target]; at != INDEX_NONE && n < SCOPES_DEEPEST;) {
		const struct scope *scope = scopes_named(&answer->scopes, &answer->unit, at);

		frames[n++] = frame_of(scope, place);
		place = (struct place){sources_path(&answer->lines->sources, scope->call_file), scope->call_line, true};
		at = scope->parent;
	}
	answer->found(answer->context, number, frames, n);
	answer->is_done[number] = true;
}

/* Answers the targets that lie in functions; the others stay the unit's. */
static void answer_targets(struct answer *answer)
{
	struct targets *targets = &answer->targets;
	uint32_t n = 0;

	for (uint32_t i = 0; i < targets->n; i++) {
		if (targets->scopes[i] != INDEX_NONE) {
			answer_target(answer, i);
			continue;
		}
		targets->numbers[n] = targets->numbers[i];
		targets->places[n++] = targets->places[i];
	}
	targets->n = n;
}

static void keep_loose_places(struct answer *answer)
{
	for (uint32_t i = 0; i < answer->targets.n; i++) {
		struct place *loose = &answer->loose[answer->targets.numbers[i]];

		if (!loose->is_set)
			*loose = answer->targets.places[i];
	}
}

static void answer_unit(struct answer *answer)
{
	struct unit *unit = &answer->unit;
	struct sources *sources = &answer->lines->sources;

	choose_targets(answer);
	if (answer->targets.n == 0)
		return;
	if (unit_is_split(unit))
		note_split(answer->lines);
	const char *folder = die_string(&unit->die, DW_AT_comp_dir);
	sources_clear(sources, folder ? folder : "");
	lineprog_run(unit, sources, &answer->targets);
	scopes_find(&answer->scopes, unit, &answer->targets);
	answer_targets(answer);
	/* GCC puts the code of a lambda or a local class under the struct, inside the abstract function. */
	if (answer->targets.n > 0) {
		scopes_find_everywhere(&answer->scopes, unit, &answer->targets);
		answer_targets(answer);
	}
	keep_loose_places(answer);
}

static void answer_loose(struct answer *answer)
{
	for (uint32_t i = 0; i < answer->targets.n_vaddrs; i++) {
		struct lines_frame frame = {.file = answer->loose[i].file, .line = answer->loose[i].line};

		if (!answer->is_done[i] && answer->loose[i].is_set)
			answer->found(answer->context, i, &frame, 1);
	}
}

/* Ample for what compilers write: each range and each row of the line table once, and each address a few times. */
static uint64_t budget_for(const struct image *image, uint32_t n)
{
	static const uint64_t LEAST = 1u << 26;

	return LEAST + (uint64_t)n * SCOPES_DEEPEST + image->line.size +
	       4 * ((uint64_t)image->ranges.size + image->rnglists.size);
}

void lines_answer(struct lines *lines, const uint64_t *vaddrs, uint32_t n, lines_found_fn *found, void *context)
{
	bool *CLEANUP(mem_free_local) is_done = mem_zalloc(n, sizeof *is_done);
	struct place *CLEANUP(mem_free_local) loose = mem_zalloc(n, sizeof *loose);
	uint32_t *CLEANUP(mem_free_local) stamps = mem_zalloc(n, sizeof *stamps);
	struct answer answer = {
		.lines = lines,
		.found = found,
		.context = context,
		.is_done = is_done,
		.loose = loose,
		.stamps = stamps,
		.unit = {.image = &lines->image},
	};

	if (n == 0)
		return;
	lines->image.budget = budget_for(&lines->image, n);
	targets_init(&answer.targets, vaddrs, n);
	while (unit_next(&answer.unit))
		answer_unit(&answer);
	answer_loose(&answer);
	targets_free(&answer.targets);
	scopes_free(&answer.scopes);
}
