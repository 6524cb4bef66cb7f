#include "symbolize/scopes.h"
#include "analyze/base/index.h"
#include "symbolize/ranges.h"

#include <dwarf.h>
#include <stdlib.h>

enum { MOST_HOPS = 16 };

/* ---- the walk ---- */

struct level {
	Dwarf_Die die;
	uint32_t scope; /* that the DIE lies in */
};

struct walk {
	struct scopes *scopes;
	struct unit *unit;
	struct targets *targets;
	struct level *levels;
	unsigned n_levels;
	bool is_pruned; /* passes over types, abstract functions and functions without a target */
};

/* The targets in the ranges of one DIE. */
struct pull {
	struct walk *walk;
	uint32_t scope;
	uint32_t n;
	uint64_t entry;
};

static void pull_targets(void *context, uint64_t start, uint64_t end)
{
	struct pull *pull = context;
	struct targets *targets = pull->walk->targets;
	uint32_t from = targets_first(targets, start), n = 0;

	while (from + n < targets->n && targets_vaddr(targets, from + n) < end)
		targets->scopes[from + n++] = pull->scope;
	unit_spend(pull->walk->unit, n);
	pull->n += n;
	if (start < pull->entry)
		pull->entry = start;
}

/* Makes a scope of the DIE when one of the unit's targets lies in it; else INDEX_NONE. */
static uint32_t scope_of(struct walk *walk, Dwarf_Die *die, uint32_t parent)
{
	struct scopes *scopes = walk->scopes;
	struct pull pull = {.walk = walk, .scope = scopes->n, .entry = UINT64_MAX};

	ranges_each(walk->unit, die, pull_targets, &pull);
	if (pull.n == 0)
		return INDEX_NONE;
	MEM_GROW(scopes->at, scopes->n, scopes->cap);
	scopes->at[scopes->n] = (struct scope){.die = *die, .parent = parent};
	if (parent == INDEX_NONE)
		scopes->at[scopes->n].entry = pull.entry;
	return scopes->n++;
}

/* Says whether the DIE's children are to be walked, and in which scope they lie. */
static bool enter(struct walk *walk, Dwarf_Die *die, uint32_t *scope)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		*scope = scope_of(walk, die, INDEX_NONE);
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_inlined_subroutine:
		if (*scope == INDEX_NONE)
			return !walk->is_pruned;
		*scope = scope_of(walk, die, *scope);
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return !walk->is_pruned;
	default:
		return false;
	}
}

/* Goes on behind the NUL that ends the children of the level that was the last: so each byte is passed once, where
 * dwarf_siblingof would skip those children again. False at the end of the unit. */
static bool climb(struct walk *walk, const uint8_t *nul)
{
	const struct piece *info = &walk->unit->image->info;
	const uint8_t *end = info->at + (walk->unit->end < info->size ? walk->unit->end : info->size);
	Dwarf_CU *cu = walk->unit->die.cu;

	while (nul && --walk->n_levels > 0) {
		nul++;
		if (nul >= end)
			return false;
		if (*nul != 0) {
			walk->levels[walk->n_levels - 1].die = (Dwarf_Die){.addr = (void *)(uintptr_t)nul, .cu = cu};
			return true;
		}
	}
	return false;
}

static bool go_on(struct walk *walk)
{
	struct level *level = &walk->levels[walk->n_levels - 1];
	Dwarf_Die next;

	switch (dwarf_siblingof(&level->die, &next)) {
	case 0:
		level->die = next;
		return true;
	case 1:
		return climb(walk, next.addr);
	default:
		unit_note_damage(walk->unit, "unit");
		return false;
	}
}

static bool push_child(struct walk *walk, Dwarf_Die *parent, uint32_t scope)
{
	struct level *level = &walk->levels[walk->n_levels];
	Dwarf_Die child;

	if (walk->n_levels == SCOPES_DEEPEST) {
		unit_note_damage(walk->unit, "too deep a unit");
		return false;
	}
	if (dwarf_child(parent, &child) != 0)
		return false;
	*level = (struct level){child, scope};
	walk->n_levels++;
	return true;
}

static void walk_unit(struct walk *walk)
{
	struct level *CLEANUP(mem_free_local) levels = mem_alloc(SCOPES_DEEPEST, sizeof *levels);
	bool has_more;

	walk->levels = levels;
	walk->scopes->n = 0;
	for (uint32_t i = 0; i < walk->targets->n; i++)
		walk->targets->scopes[i] = INDEX_NONE;
	has_more = push_child(walk, &walk->unit->die, INDEX_NONE);
	while (has_more) {
		struct level *level = &walk->levels[walk->n_levels - 1];
		uint32_t scope = level->scope;

		if (!enter(walk, &level->die, &scope) || !push_child(walk, &level->die, scope))
			has_more = go_on(walk);
	}
}

void scopes_find(struct scopes *scopes, struct unit *unit, struct targets *targets)
{
	walk_unit(&(struct walk){.scopes = scopes, .unit = unit, .targets = targets, .is_pruned = true});
}

void scopes_find_everywhere(struct scopes *scopes, struct unit *unit, struct targets *targets)
{
	walk_unit(&(struct walk){.scopes = scopes, .unit = unit, .targets = targets});
}

void scopes_free(struct scopes *scopes)
{
	free(scopes->at);
}

/* ---- names ---- */

static void take_names(const struct unit *unit, Dwarf_Die *die, struct scope *scope)
{
	if (!scope->linkage_name)
		scope->linkage_name = die_string(die, DW_AT_linkage_name);
	if (!scope->linkage_name)
		scope->linkage_name = die_string(die, DW_AT_MIPS_linkage_name);
	if (!scope->start_line)
		scope->start_line = die_small_number(die, DW_AT_decl_line);
	if (scope->name)
		return;
	scope->name = die_string(die, DW_AT_name);
	if (scope->name && die->cu != unit->die.cu) {
		Dwarf_Die unit_die;

		if (dwarf_diecu(die, &unit_die, NULL, NULL))
			scope->is_cplusplus = die_is_cplusplus(&unit_die, unit->is_cplusplus);
	}
}

/* Names stand at the abstract function or its declaration, a few references away. */
static void name_scope(struct scope *scope, const struct unit *unit)
{
	Dwarf_Die die = scope->die, next;
	Dwarf_Attribute attribute;

	scope->is_named = true;
	scope->is_cplusplus = unit->is_cplusplus;
	scope->call_file = die_small_number(&die, DW_AT_call_file);
	scope->call_line = die_small_number(&die, DW_AT_call_line);
	scope->call_column = die_small_number(&die, DW_AT_call_column);
	for (int hop = 0; hop < MOST_HOPS; hop++) {
		take_names(unit, &die, scope);
		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) && !dwarf_attr(&die, DW_AT_specification, &attribute))
			return;
		if (!dwarf_formref_die(&attribute, &next))
			return;
		die = next;
	}
}

const struct scope *scopes_named(struct scopes *scopes, const struct unit *unit, uint32_t number)
{
	struct scope *scope = &scopes->at[number];

	if (!scope->is_named)
		name_scope(scope, unit);
	return scope;
}
