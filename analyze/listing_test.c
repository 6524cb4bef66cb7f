#include "analyze/test.h"

#include "analyze/base/index.h"
#include "analyze/build.h"
#include "analyze/code.h"
#include "analyze/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* f starts at line 10 of a.c and calls itself from line 12; inline g of a.h is in line 14 of f; h has no file, and idle
 * no sample. The addresses are link-time ones of one routine f, 0x100 to 0x140. */
struct fixture {
	struct build *build;
	struct profile *profile;
	struct view *view;
	struct arena *arena;
	struct table table;
	struct listing listing;
	struct code code;
};

static func_id func(struct build *build, const char *name, const char *full, const char *file, uint32_t start)
{
	return build_func(build, &(struct function){.name = build_cstr(build, name),
	                                            .full_name = build_cstr(build, full),
	                                            .file = build_cstr(build, file),
	                                            .start_line = start});
}

static loc_id place(struct build *build, uint64_t addr, const struct line *lines, uint32_t n)
{
	loc_id loc = build_loc(build, addr);

	build_lines(build, loc, lines, n);
	return loc;
}

static void sample(struct build *build, const loc_id *frames, uint32_t n, double value)
{
	build_sample(build, build_stack(build, frames, n), (labels_id){0}, &value);
}

static void build_all(struct build *build)
{
	func_id f = func(build, "f", "f(int)", "a.c", 10), g = func(build, "g", "g<char>()", "a.h", 300);
	func_id h = func(build, "h", "h", "", 0);
	loc_id leaf = place(build, 0x104, (struct line[]){{f, 11, 0}}, 1);
	loc_id again = place(build, 0x112, (struct line[]){{f, 12, 0}}, 1);
	loc_id inlined = place(build, 0x124, (struct line[]){{g, 7, 0}, {f, 14, 0}}, 2);
	loc_id root = place(build, 0x204, (struct line[]){{h, 0, 0}}, 1);

	place(build, 0x304, (struct line[]){{func(build, "idle", "idle", "a.c", 50), 51, 0}}, 1);
	sample(build, (loc_id[]){leaf, again, again, root}, 4, 5);
	sample(build, (loc_id[]){inlined, again, root}, 3, 2);
	sample(build, (loc_id[]){root}, 1, 1);
}

/* f of a.c, and f of which nothing else is known. */
static void build_half_known(struct build *build)
{
	loc_id known = place(build, 0x104, (struct line[]){{func(build, "f", "f", "a.c", 10), 11, 0}}, 1);
	loc_id other = place(build, 0x204, (struct line[]){{func(build, "f", "f", "", 0), 0, 0}}, 1);

	sample(build, (loc_id[]){other, known}, 2, 5);
}

/* Two functions that are longer than any. */
static void build_long(struct build *build)
{
	func_id f = func(build, "f", "f", "a.c", 1), g = func(build, "g", "g", "a.c", 1);
	loc_id leaf = place(build, 0x104, (struct line[]){{f, 1500000, 0}}, 1);
	loc_id root = place(build, 0x204, (struct line[]){{g, UINT32_MAX, 0}}, 1);

	sample(build, (loc_id[]){leaf, root}, 2, 5);
}

enum { N_HEAVY = LISTING_HEAVIEST + 20 };

/* So many functions in one file, of which the first has 20, and each next one a little less. */
static void build_heavy(struct build *build)
{
	for (uint32_t i = 0; i < N_HEAVY; i++) {
		char name[16];

		snprintf(name, sizeof name, "f%03u", i);
		loc_id leaf = place(build, 0x104 + i, (struct line[]){{func(build, name, name, "a.c", 1), 1 + i, 0}}, 1);
		sample(build, &leaf, 1, 20 - i * 0.005);
	}
}

static void build_deep(struct build *build)
{
	loc_id stack[N_HEAVY];

	for (uint32_t i = 0; i < N_HEAVY; i++) {
		char name[16];

		snprintf(name, sizeof name, "f%03u", i);
		stack[i] = place(build, 0x104 + i, (struct line[]){{func(build, name, name, "a.c", 1), 1 + i, 0}}, 1);
	}
	sample(build, stack, N_HEAVY, 5);
}

static void setup_with(struct fixture *f, void (*fill)(struct build *build))
{
	*f = (struct fixture){.build = build_new(), .arena = arena_new()};
	build_source(f->build, "test", "test");
	build_type(f->build, "samples", "count");
	fill(f->build);
	f->profile = build_finish(f->build);
	assert_null(view_new(f->profile, &(struct view_opts){0}, &f->view));
	tally(f->view, &(struct row_opts){.granularity = BY_LINE}, f->arena, &f->table);
}

static void setup(struct fixture *f)
{
	setup_with(f, build_all);
}

/* The caller frees it. */
static bool *match(const struct fixture *f, const char *pattern)
{
	struct regex *regex;

	assert_null(regex_new("list", pattern, &regex));
	bool *matches = listing_match(f->profile, regex);
	regex_free(regex);
	return matches;
}

static void list(struct fixture *f, const char *pattern)
{
	bool *matches = match(f, pattern);

	listing_free(&f->listing);
	listing_build(&f->table, matches, f->arena, &f->listing);
	free(matches);
}

static void want(struct fixture *f, const char *pattern)
{
	bool *matches = match(f, pattern);

	code_want(f->view, matches, &f->code);
	free(matches);
}

static void teardown(struct fixture *f)
{
	listing_free(&f->listing);
	code_free(&f->code);
	table_free(&f->table);
	arena_free(f->arena);
	view_free(f->view);
	profile_free(f->profile);
}

/* ---- listings ---- */

static void expect_line(const struct listing *listing, const struct listing_part *part, uint32_t at, uint32_t number,
                        double flat, double cum)
{
	const struct listing_line *line = &listing->lines[part->first_line + at];

	assert_true(at < part->n_lines);
	assert_int_equal(line->number, number);
	assert_true(line->values.flat == flat);
	assert_true(line->values.cum == cum);
}

static void a_stack_counts_once_in_a_function(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	list(&f, "^f$");
	const struct listing_part *part = f.listing.parts;
	assert_int_equal(f.listing.n_parts, 1);
	assert_true(part->values.flat == 5);
	assert_true(part->values.cum == 7);
	assert_int_equal(part->n_lines, 3);
	expect_line(&f.listing, part, 0, 11, 5, 5);
	expect_line(&f.listing, part, 1, 12, 0, 7);
	expect_line(&f.listing, part, 2, 14, 0, 2);
	assert_int_equal(part->first, 10);
	assert_int_equal(part->last, 19);
	teardown(&f);
}

/* Its declaration at line 300 says nothing about a definition at line 7. */
static void a_start_behind_the_lines_is_none(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	list(&f, "g<char>");
	assert_int_equal(f.listing.n_parts, 1);
	assert_string_equal(f.listing.sources[f.listing.parts[0].source].file, "a.h");
	assert_int_equal(f.listing.parts[0].first, 2);
	assert_int_equal(f.listing.parts[0].last, 12);
	teardown(&f);
}

static void functions_are_in_order(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	list(&f, ".");
	assert_int_equal(f.listing.n_parts, 3);
	assert_string_equal(f.listing.parts[0].name, "f");
	assert_string_equal(f.listing.parts[1].name, "g");
	assert_string_equal(f.listing.parts[2].name, "h");
	assert_int_equal(f.listing.parts[2].source, INDEX_NONE);
	assert_int_equal(f.listing.n_sources, 2);
	list(&f, "nothing");
	assert_int_equal(f.listing.n_parts, 0);
	teardown(&f);
}

static void a_source_is_enough_for_a_function(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, build_half_known);
	list(&f, ".");
	assert_int_equal(f.listing.n_parts, 1);
	assert_int_equal(f.listing.parts[0].source, 0);
	assert_true(f.listing.parts[0].values.cum == 5);
	teardown(&f);
}

static void of_too_many_lines_those_with_values_stay(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, build_long);
	list(&f, ".");
	assert_int_equal(f.listing.n_cut, 1);
	assert_int_equal(f.listing.parts[0].first, 1);
	assert_int_equal(f.listing.parts[0].last, 1500005);
	assert_int_equal(f.listing.parts[1].n_lines, 1);
	assert_true(f.listing.parts[1].first > f.listing.parts[1].last);
	teardown(&f);
}

static void list_heaviest(struct fixture *f, double total)
{
	listing_free(&f->listing);
	listing_build_heaviest(&f->table, total, f->arena, &f->listing);
}

static void the_heaviest_come_first(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	list_heaviest(&f, 8);
	assert_int_equal(f.listing.n_parts, 3);
	assert_string_equal(f.listing.parts[0].name, "h");
	assert_string_equal(f.listing.parts[1].name, "f");
	assert_string_equal(f.listing.parts[2].name, "g");
	assert_true(f.listing.parts[2].values.cum == 2);
	assert_string_equal(f.listing.sources[f.listing.parts[2].source].file, "a.h");
	teardown(&f);
}

static void light_functions_are_not_among_the_heaviest(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	list_heaviest(&f, 7 / LISTING_FRACTION);
	assert_int_equal(f.listing.n_parts, 2);
	assert_string_equal(f.listing.parts[1].name, "f");
	assert_int_equal(f.listing.n_sources, 1);
	expect_line(&f.listing, &f.listing.parts[1], 0, 11, 5, 5);
	teardown(&f);
}

static void of_many_the_heaviest_are_so_many(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, build_heavy);
	list_heaviest(&f, 20);
	assert_int_equal(f.listing.n_parts, LISTING_HEAVIEST);
	assert_string_equal(f.listing.parts[0].name, "f000");
	assert_string_equal(f.listing.parts[LISTING_HEAVIEST - 1].name, "f199");
	teardown(&f);
}

/* As deep a stack as many functions: all have the same. */
static void of_many_that_have_the_same_not_all_are_kept(void **state)
{
	(void)state;
	struct fixture f;

	setup_with(&f, build_deep);
	list_heaviest(&f, 5);
	assert_int_equal(f.listing.n_parts, LISTING_HEAVIEST);
	assert_true(f.listing.parts[LISTING_HEAVIEST - 1].values.cum == 5);
	teardown(&f);
}

/* ---- instructions ---- */

/* A routine of four instructions of 0x10 bytes, as one who can open files would find it. */
static void fill_routine(struct fixture *f)
{
	struct code *code = &f->code;

	code->routines = mem_zalloc(1, sizeof *code->routines);
	code->routines[0] = (struct code_routine){.symbol = "f", .start = 0x100, .end = 0x140, .n_insts = 4};
	code->insts = mem_zalloc(4, sizeof *code->insts);
	for (uint32_t i = 0; i < 4; i++)
		code->insts[i] = (struct code_inst){.vaddr = 0x100 + 0x10 * i, .text = "nop"};
	code->n_routines = 1;
	code->n_insts = 4;
	code->routine_of = mem_zalloc(f->profile->n_locs, sizeof *code->routine_of);
	code->vaddr_of = mem_zalloc(f->profile->n_locs, sizeof *code->vaddr_of);
	for (uint32_t i = 1; i < f->profile->n_locs; i++) {
		code->vaddr_of[i] = f->profile->locs[i].addr;
		code->routine_of[i] = f->profile->locs[i].addr < 0x200;
	}
}

static void expect_inst(const struct code *code, uint32_t at, double flat, double cum)
{
	assert_true(code->insts[at].values.flat == flat);
	assert_true(code->insts[at].values.cum == cum);
}

static void values_go_to_the_instruction_that_holds_them(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	want(&f, "^f$");
	assert_int_equal(f.code.n_wanted, 3);
	fill_routine(&f);
	code_add_values(f.view, &f.code);
	assert_true(f.code.routines[0].values.flat == 7);
	assert_true(f.code.routines[0].values.cum == 7);
	expect_inst(&f.code, 0, 5, 5);
	expect_inst(&f.code, 1, 0, 7);
	expect_inst(&f.code, 2, 2, 2);
	expect_inst(&f.code, 3, 0, 0);
	teardown(&f);
}

static void code_is_wanted_by_each_of_its_names(void **state)
{
	(void)state;
	static const struct {
		const char *pattern;
		uint32_t n_wanted;
	} cases[] = {{"^g", 1}, {"g<char>", 1}, {"^f", 3}, {"^h$", 1}, {"nothing", 0}};
	struct fixture f;

	setup(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		want(&f, cases[i].pattern);
		assert_int_equal(f.code.n_wanted, cases[i].n_wanted);
		code_free(&f.code);
	}
	code_want(f.view, NULL, &f.code);
	assert_int_equal(f.code.n_wanted, 4);
	teardown(&f);
}

static void a_routine_is_that_of_the_outermost_function(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f);
	want(&f, "^g$");
	fill_routine(&f);
	bool *found = code_functions(f.profile, &f.code);
	listing_build(&f.table, found, f.arena, &f.listing);
	assert_int_equal(f.listing.n_parts, 1);
	assert_string_equal(f.listing.parts[0].name, "f");
	free(found);
	teardown(&f);
}

static void addresses_are_hexadecimal(void **state)
{
	(void)state;
	static const char *const others[] = {"0x", "0x12z", "12", "0x12|f", "0x12345678123456789", ""};
	uint64_t address;

	assert_true(code_parse_address("0x4010E4", &address));
	assert_int_equal(address, 0x4010e4);
	assert_true(code_parse_address("0xffffffffffffffff", &address));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_false(code_parse_address(others[i], &address));
}

static void add_waits(struct build *build, loc_id loc, double waits, double delay)
{
	build_sample(build, build_stack(build, &loc, 1), (labels_id){0}, (double[]){waits, delay});
}

/* A wait that took no time counts too, though its line has no value. */
static void means_count_what_took_no_time(void **state)
{
	(void)state;
	struct fixture f = {.build = build_new(), .arena = arena_new()};

	build_source(f.build, "test", "test");
	build_type(f.build, "contentions", "count");
	build_type(f.build, "delay", "nanoseconds");
	func_id function = func(f.build, "f", "f", "a.c", 10);
	add_waits(f.build, place(f.build, 0x104, (struct line[]){{function, 11, 0}}, 1), 2, 50);
	add_waits(f.build, place(f.build, 0x112, (struct line[]){{function, 12, 0}}, 1), 8, 0);
	f.profile = build_finish(f.build);
	assert_null(view_new(f.profile, &(struct view_opts){.type = 1, .mean = true, .count_type = 0}, &f.view));
	tally(f.view, &(struct row_opts){.granularity = BY_LINE}, f.arena, &f.table);
	list(&f, "f");
	const struct listing_part *part = f.listing.parts;
	assert_true(part->values.flat == 5);
	assert_true(part->values.cum == 5);
	expect_line(&f.listing, part, 0, 11, 25, 25);
	expect_line(&f.listing, part, 1, 12, 0, 0);
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_counts_once_in_a_function),
		cmocka_unit_test(a_start_behind_the_lines_is_none),
		cmocka_unit_test(functions_are_in_order),
		cmocka_unit_test(a_source_is_enough_for_a_function),
		cmocka_unit_test(of_too_many_lines_those_with_values_stay),
		cmocka_unit_test(the_heaviest_come_first),
		cmocka_unit_test(light_functions_are_not_among_the_heaviest),
		cmocka_unit_test(of_many_the_heaviest_are_so_many),
		cmocka_unit_test(of_many_that_have_the_same_not_all_are_kept),
		cmocka_unit_test(values_go_to_the_instruction_that_holds_them),
		cmocka_unit_test(code_is_wanted_by_each_of_its_names),
		cmocka_unit_test(a_routine_is_that_of_the_outermost_function),
		cmocka_unit_test(addresses_are_hexadecimal),
		cmocka_unit_test(means_count_what_took_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
