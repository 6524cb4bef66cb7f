#include "symbolize/scopes.h"
#include "analyze/base/index.h"

#include <dwarf.h>
#include <stdlib.h>

enum { MOST_HOPS = 16 };

/* ---- the walk ---- */

struct walk {
	struct scopes *scopes;
	struct unit *unit;
	struct targets *targets;
	struct dies dies;
	uint32_t levels[SCOPES_DEEPEST]; /* the scopes that the DIEs of each level lie in */
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
	uint32_t first = targets_first(targets, start), i = first;

	for (; i < targets->n && targets_vaddr(targets, i) < end && unit_spend(pull->walk->unit, 1); i++)
		targets->scopes[i] = pull->scope;
	pull->n += i - first;
	if (pull->entry == UINT64_MAX)
		pull->entry = start;
}

/* Makes a scope of the DIE when one of the unit's targets lies in it; else INDEX_NONE. */
static uint32_t scope_of(struct walk *walk, const struct die *die, const struct code *code, uint32_t parent)
{
	struct scopes *scopes = walk->scopes;
	struct pull pull = {.walk = walk, .scope = scopes->n, .entry = UINT64_MAX};

	ranges_each(walk->unit, code, pull_targets, &pull);
	if (pull.n == 0)
		return INDEX_NONE;
	MEM_GROW(scopes->at, scopes->n, scopes->cap);
	scopes->at[scopes->n] = (struct scope){.die = die->offset, .parent = parent};
	if (parent == INDEX_NONE)
		scopes->at[scopes->n].entry = pull.entry;
	return scopes->n++;
}

/* Passes over the attributes of the DIE. Says whether its children are to be walked, and in which scope they lie. */
static bool enter(struct walk *walk, const struct die *die, uint32_t *scope, uint64_t *sibling)
{
	struct code code;

	switch (die->abbrev->tag) {
	case DW_TAG_subprogram:
		*sibling = dies_code(&walk->dies, die, &code);
		*scope = scope_of(walk, die, &code, INDEX_NONE);
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_inlined_subroutine:
		*sibling = dies_code(&walk->dies, die, &code);
		if (*scope != INDEX_NONE)
			*scope = scope_of(walk, die, &code, *scope);
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
		*sibling = dies_skip(&walk->dies, die);
		return *scope != INDEX_NONE || !walk->is_pruned;
	case DW_TAG_namespace:
	case DW_TAG_module:
		*sibling = dies_skip(&walk->dies, die);
		return true;
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		*sibling = dies_skip(&walk->dies, die);
		return !walk->is_pruned;
	default:
		*sibling = dies_skip(&walk->dies, die);
		return false;
	}
}

static bool push(struct walk *walk, uint32_t scope)
{
	if (walk->n_levels == SCOPES_DEEPEST) {
		unit_note_damage(walk->unit, "too deep a unit");
		return false;
	}
	walk->levels[walk->n_levels++] = scope;
	return true;
}

static void walk_die(struct walk *walk, const struct die *die)
{
	uint32_t scope = walk->levels[walk->n_levels - 1];
	uint64_t sibling;
	bool is_entered = enter(walk, die, &scope, &sibling);

	if (die->abbrev->has_children && !(is_entered && push(walk, scope)))
		dies_skip_children(&walk->dies, sibling);
}

static void walk_unit(struct walk *walk, const struct abbrevs *abbrevs)
{
	struct die die;

	walk->dies = dies_start(walk->unit, abbrevs);
	walk->scopes->n = 0;
	for (uint32_t i = 0; i < walk->targets->n; i++)
		walk->targets->scopes[i] = INDEX_NONE;
	if (!dies_next(&walk->dies, &die) || !die.abbrev || !die.abbrev->has_children)
		return;
	dies_skip(&walk->dies, &die);
	push(walk, INDEX_NONE);
	while (walk->n_levels > 0 && dies_next(&walk->dies, &die)) {
		if (die.abbrev)
			walk_die(walk, &die);
		else
			walk->n_levels--;
	}
}

void scopes_find(struct scopes *scopes, struct unit *unit, const struct abbrevs *abbrevs, struct targets *targets)
{
	walk_unit(&(struct walk){.scopes = scopes, .unit = unit, .targets = targets, .is_pruned = true}, abbrevs);
}

void scopes_find_everywhere(struct scopes *scopes, struct unit *unit, const struct abbrevs *abbrevs,
                            struct targets *targets)
{
	walk_unit(&(struct walk){.scopes = scopes, .unit = unit, .targets = targets}, abbrevs);
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
	const uint8_t *info = unit->image->pieces[PIECE_INFO].at;
	Dwarf_Die die = {.addr = (void *)(uintptr_t)(info + scope->die), .cu = unit->die.cu}, next;
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
	unit_note_damage(unit, "references without end in the unit");
}

const struct scope *scopes_named(struct scopes *scopes, const struct unit *unit, uint32_t number)
{
	struct scope *scope = &scopes->at[number];

	if (!scope->is_named)
		name_scope(scope, unit);
	return scope;
}
