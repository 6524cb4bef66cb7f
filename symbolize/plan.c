#include "symbolize/plan.h"
#include "analyze/base/addrs.h"
#include "symbolize/lineprog.h"
#include "symbolize/scopes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* What a unit may cost besides what goes by its size and its addresses. */
enum { UNIT_LEAST = 1 << 12 };

/* What the units may cost together: ample for what compilers write, each range, each row of the line table and each DIE
 * a few times; and each address may be in a unit of its own. */
uint64_t plan_budget(const struct image *image, uint32_t n)
{
	static const uint64_t LEAST = 1u << 26;
	const struct piece *pieces = image->pieces;

	return LEAST + (uint64_t)n * (SCOPES_DEEPEST + UNIT_LEAST) + pieces[PIECE_LINE].size +
	       16 * pieces[PIECE_INFO].size + 4 * (pieces[PIECE_RANGES].size + pieces[PIECE_RNGLISTS].size);
}

/* The plan in the making. */
struct planning {
	struct plan *plan;
	struct binary *binary;
	struct unit unit;
	uint32_t first;   /* candidate of the unit at hand */
	uint32_t *stamps; /* by address: the number of the unit that took it last */
	bool is_unsorted;
	struct addrs split_ids; /* that skeletons had by now */
	struct abbrevs_tally tally;
};

static void add_candidate(struct planning *planning, uint32_t number)
{
	struct plan *plan = planning->plan;

	if (planning->stamps[number] == planning->unit.number)
		return;
	planning->stamps[number] = planning->unit.number;
	planning->is_unsorted |= plan->n_candidates > planning->first && plan->candidates[plan->n_candidates - 1] > number;
	MEM_GROW(plan->candidates, plan->n_candidates, plan->cap_candidates);
	plan->candidates[plan->n_candidates++] = number;
}

/* The first address that is not below vaddr; n_vaddrs: none. */
static uint32_t first_at(const struct plan *plan, uint64_t vaddr)
{
	uint32_t low = 0, high = plan->n_vaddrs;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (plan->vaddrs[middle] < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_range(void *context, uint64_t start, uint64_t end)
{
	struct planning *planning = context;
	const struct plan *plan = planning->plan;

	for (uint32_t i = first_at(plan, start);
	     i < plan->n_vaddrs && plan->vaddrs[i] < end && unit_spend(&planning->unit, 1); i++)
		add_candidate(planning, i);
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* All that is in a split unit is gone through for each skeleton that has its id, and rows of a package may share their bytes:
 * a hostile file could ask for that without end. */
static bool spend_on_split(struct planning *planning, const struct split_place *place)
{
	uint32_t n = planning->split_ids.n;
	uint64_t id;

	if (!place->is_packed && (!unit_split_id(&planning->unit, &id) || addrs_number(&planning->split_ids, id) == n))
		return true;
	return unit_spend(&planning->unit, place->n_bytes);
}

/* The plan can pay for each byte of the package once. */
static void open_package(struct planning *planning)
{
	struct plan *plan = planning->plan;

	plan->has_looked_for_package = true;
	plan->has_package = package_open(&plan->package, planning->binary);
	planning->unit.budget += plan->package.image.pieces[PIECE_INFO].size;
}

/* NULL, which is told: it is not there, or is asked for too often. */
static struct split_place *place_split(struct planning *planning)
{
	struct plan *plan = planning->plan;
	struct split_place place;

	if (!plan->has_looked_for_package)
		open_package(planning);
	if (!split_find(&planning->unit, plan->has_package ? &plan->package : NULL, planning->binary, &place)) {
		if (!plan->n_lost++)
			plan->first_lost = arena_strndup(planning->binary->arena, place.name, strlen(place.name));
		return NULL;
	}
	if (!spend_on_split(planning, &place))
		return NULL;
	struct split_place *copy = arena_alloc(planning->binary->arena, 1, sizeof *copy);
	*copy = place;
	return copy;
}

static struct touched touch(struct planning *planning)
{
	const struct unit *unit = &planning->unit;

	return (struct touched){
		.offset = unit->offset,
		.number = unit->number,
		.first = planning->first,
		.n = planning->plan->n_candidates - planning->first,
		.n_bytes = unit->end - unit->offset,
	};
}

/* Its share of the budget, while there is any. */
static bool give_budget(struct planning *planning, struct touched *touched)
{
	uint64_t share = UNIT_LEAST + 16 * touched->n_bytes + (uint64_t)touched->n * SCOPES_DEEPEST;

	share += lineprog_bytes(&planning->unit);
	touched->budget = share;
	return unit_spend(&planning->unit, share);
}

static void add_unit(struct planning *planning)
{
	struct plan *plan = planning->plan;
	uint32_t n = plan->n_candidates - planning->first;

	if (n == 0)
		return;
	if (planning->is_unsorted)
		qsort(plan->candidates + planning->first, n, sizeof *plan->candidates, compare_numbers);
	struct touched touched = touch(planning);
	if (!give_budget(planning, &touched))
		return;
	if (unit_is_split(&planning->unit))
		touched.split = place_split(planning);
	if (touched.split)
		touched.n_bytes = touched.split->n_bytes;
	MEM_GROW(plan->units, plan->n_units, plan->cap_units);
	plan->units[plan->n_units++] = touched;
}

/* A unit that does not say where its code is may hold any address; it is asked only for those that no other has. */
static void add_vague_unit(struct planning *planning)
{
	struct plan *plan = planning->plan;
	int tag = dwarf_tag(&planning->unit.die);

	if (tag == DW_TAG_invalid)
		unit_note_damage(&planning->unit, "abbreviations of the unit");
	if (tag != DW_TAG_compile_unit || dwarf_haschildren(&planning->unit.die) != 1)
		return;
	MEM_GROW(plan->vague, plan->n_vague, plan->cap_vague);
	plan->vague[plan->n_vague++] = touch(planning);
}

/* DWARF 2 has no lists of ranges: where it is kept to strictly, the unit says where a part of its code is. */
static bool is_partly_vague(const struct unit *unit, const struct code *code)
{
	return unit->version == 2 && !code->has_ranges;
}

static struct err *plan_unit(struct planning *planning)
{
	const struct image *image = planning->unit.image;

	if (!abbrevs_are_few(&planning->tally, &planning->unit))
		return err_new("%s: expected as many units and abbreviations as its .debug_info has room for", image->path);
	struct code code = code_of_unit(&planning->unit);
	planning->first = planning->plan->n_candidates;
	planning->is_unsorted = false;
	bool says_where = ranges_each(&planning->unit, &code, add_range, planning);
	if (says_where)
		add_unit(planning);
	if (!says_where || is_partly_vague(&planning->unit, &code))
		add_vague_unit(planning);
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

bool plan_is_same_file(const struct split_place *a, const struct split_place *b)
{
	return a && a->path && b->path && compare_files(a, b) == 0;
}

struct err *plan_make(struct plan *plan, struct unit start, const uint64_t *vaddrs, uint32_t n, struct binary *binary)
{
	uint32_t *CLEANUP(mem_free_local) stamps = mem_zalloc(n, sizeof *stamps);
	struct planning planning = {.plan = plan, .binary = binary, .unit = start, .stamps = stamps};
	struct err *err = NULL;

	plan->vaddrs = vaddrs;
	plan->n_vaddrs = n;
	planning.unit.budget = plan_budget(start.image, n);
	while (!err && unit_next(&planning.unit))
		err = plan_unit(&planning);
	if (plan->n_units)
		qsort(plan->units, plan->n_units, sizeof *plan->units, compare_units);
	addrs_free(&planning.split_ids);
	return err;
}

void plan_free(struct plan *plan)
{
	package_close(&plan->package);
	free(plan->units);
	free(plan->vague);
	free(plan->candidates);
}
