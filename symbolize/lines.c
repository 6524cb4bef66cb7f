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

struct inquiry {
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

static void take_target(struct inquiry *inquiry, uint32_t number)
{
	if (inquiry->is_done[number] || inquiry->stamps[number] == inquiry->unit.number)
		return;
	inquiry->stamps[number] = inquiry->unit.number;
	targets_add(&inquiry->targets, number);
}

static void take_targets(void *context, uint64_t start, uint64_t end)
{
	struct inquiry *inquiry = context;
	const uint64_t *vaddrs = inquiry->targets.vaddrs;
	uint32_t low = 0, high = inquiry->targets.n_vaddrs;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (vaddrs[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < inquiry->targets.n_vaddrs && vaddrs[low] < end && unit_spend(&inquiry->unit, 1); low++)
		take_target(inquiry, low);
}

/* A unit that does not say where its code is may hold any address. */
static void take_all_targets(struct inquiry *inquiry)
{
	Dwarf_Die *die = &inquiry->unit.die;
	uint32_t n = inquiry->targets.n_vaddrs;

	if (dwarf_tag(die) != DW_TAG_compile_unit || dwarf_haschildren(die) != 1 || !unit_spend(&inquiry->unit, n / 16))
		return;
	for (uint32_t i = 0; i < n; i++)
		take_target(inquiry, i);
}

static void choose_targets(struct inquiry *inquiry)
{
	targets_clear(&inquiry->targets);
	if (!ranges_each(&inquiry->unit, &inquiry->unit.die, take_targets, inquiry))
		take_all_targets(inquiry);
	targets_sort(&inquiry->targets);
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
		.column = place.column,
		.start_line = scope->start_line,
		.entry = scope->entry,
	};
}

static void answer_target(struct inquiry *inquiry, uint32_t target)
{
	struct lines_frame frames[SCOPES_DEEPEST];
	uint32_t number = inquiry->targets.numbers[target], n = 0;
	struct place place = inquiry->targets.places[target];

	for (uint32_t at = inquiry->targets.scopes[target]; at != INDEX_NONE && n < SCOPES_DEEPEST;) {
		const struct scope *scope = scopes_named(&inquiry->scopes, &inquiry->unit, at);

		frames[n++] = frame_of(scope, place);
		place = (struct place){sources_path(&inquiry->lines->sources, scope->call_file), scope->call_line,
		                       scope->call_column, true};
		at = scope->parent;
	}
	inquiry->found(inquiry->context, number, frames, n);
	inquiry->is_done[number] = true;
}

/* Answers the targets that lie in functions; the others stay the unit's. */
static void answer_targets(struct inquiry *inquiry)
{
	struct targets *targets = &inquiry->targets;
	uint32_t n = 0;

	for (uint32_t i = 0; i < targets->n; i++) {
		if (targets->scopes[i] != INDEX_NONE) {
			answer_target(inquiry, i);
			continue;
		}
		targets->numbers[n] = targets->numbers[i];
		targets->places[n++] = targets->places[i];
	}
	targets->n = n;
}

static void keep_loose_places(struct inquiry *inquiry)
{
	for (uint32_t i = 0; i < inquiry->targets.n; i++) {
		struct place *loose = &inquiry->loose[inquiry->targets.numbers[i]];

		if (!loose->is_set)
			*loose = inquiry->targets.places[i];
	}
}

static void answer_unit(struct inquiry *inquiry)
{
	struct unit *unit = &inquiry->unit;
	struct sources *sources = &inquiry->lines->sources;

	choose_targets(inquiry);
	if (inquiry->targets.n == 0)
		return;
	if (unit_is_split(unit))
		note_split(inquiry->lines);
	const char *folder = die_string(&unit->die, DW_AT_comp_dir);
	sources_clear(sources, folder ? folder : "");
	lineprog_run(unit, sources, &inquiry->targets);
	scopes_find(&inquiry->scopes, unit, &inquiry->targets);
	answer_targets(inquiry);
	/* GCC puts the code of a lambda or a local class under the struct, inside the abstract function. */
	if (inquiry->targets.n > 0) {
		scopes_find_everywhere(&inquiry->scopes, unit, &inquiry->targets);
		answer_targets(inquiry);
	}
	keep_loose_places(inquiry);
}

static void answer_loose(struct inquiry *inquiry)
{
	for (uint32_t i = 0; i < inquiry->targets.n_vaddrs; i++) {
		struct place place = inquiry->loose[i];
		struct lines_frame frame = {.file = place.file, .line = place.line, .column = place.column};

		if (!inquiry->is_done[i] && place.is_set)
			inquiry->found(inquiry->context, i, &frame, 1);
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
	struct inquiry inquiry = {
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
	targets_init(&inquiry.targets, vaddrs, n);
	while (unit_next(&inquiry.unit))
		answer_unit(&inquiry);
	answer_loose(&inquiry);
	targets_free(&inquiry.targets);
	scopes_free(&inquiry.scopes);
}
