#include "symbolize/check.h"

#include "analyze/build.h"
#include "analyze/test.h"
#include "symbolize/job.h"

#include <stdlib.h>

/* ---- which addresses are return addresses ---- */

enum { LEAF = 1, SIGRETURN, INTERRUPTED, CALLER, VDSO, BEHIND_VDSO, N_LOCS };

struct fixture {
	struct build *build;
	const struct profile *p;
	bool *is_pc;
};

static loc_id add_loc(struct fixture *f, unsigned number, map_id map)
{
	loc_id loc = build_placed_loc(f->build, 0x1000 + number, map);

	assert_int_equal(loc.row, number);
	return loc;
}

/* One stack of each location, innermost first. */
static void setup(struct fixture *f, const char *type)
{
	loc_id frames[N_LOCS - 1];
	bool is_sigreturn[N_LOCS] = {[SIGRETURN] = true};
	double value = 1;

	f->build = build_new();
	f->p = build_profile(f->build);
	build_source(f->build, "p.heap", "heap");
	build_type(f->build, type, "count");
	object_id program = build_object(f->build, build_cstr(f->build, "/bin/a"), (str_id){0});
	object_id kernels = build_object(f->build, build_cstr(f->build, "[vdso]"), (str_id){0});
	build_object_fate(f->build, kernels, OBJECT_SPECIAL, (str_id){0});
	map_id map = build_map(f->build, &(struct mapping){.start = 0x1000, .limit = 0x2000, .object = program});
	map_id vdso = build_map(f->build, &(struct mapping){.start = 0x1000, .limit = 0x2000, .object = kernels});
	for (unsigned i = LEAF; i < N_LOCS; i++)
		frames[i - 1] = add_loc(f, i, i == VDSO ? vdso : map);
	build_sample(f->build, build_stack(f->build, frames, N_LOCS - 1), (labels_id){0}, &value);
	f->is_pc = check_find_pcs(f->p, is_sigreturn);
}

static void teardown(struct fixture *f)
{
	free(f->is_pc);
	build_free(f->build);
}

static void signals_interrupt(void **state)
{
	(void)state;
	struct fixture f;

	setup(&f, "inuse_space");
	assert_false(f.is_pc[SIGRETURN]);
	assert_true(f.is_pc[INTERRUPTED]);
	assert_false(f.is_pc[CALLER]);
	assert_true(f.is_pc[BEHIND_VDSO]);
	teardown(&f);
}

static void leaves_depend_on_what_is_measured(void **state)
{
	(void)state;
	static const struct {
		const char *type;
		bool is_pc;
	} cases[] = {{"inuse_space", false}, {"contentions", false}, {"cpu", true}, {"samples", true}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f;

		setup(&f, cases[i].type);
		assert_int_equal(f.is_pc[LEAF], cases[i].is_pc);
		assert_false(f.is_pc[CALLER]);
		teardown(&f);
	}
}

/* ---- what counts ---- */

static void only_what_was_looked_at_counts(void **state)
{
	(void)state;
	static const bool is_pc[] = {false, false, true};
	static const struct answer answers[] = {
		{.loc = 1, .has_vaddr = true, .call = CALL_FOUND},
		{.loc = 1, .has_vaddr = true, .call = CALL_MISSING},
		{.loc = 2, .has_vaddr = true, .call = CALL_MISSING},
		{.loc = 1, .has_vaddr = true, .call = CALL_SIGRETURN},
		{.loc = 1, .has_vaddr = true, .call = CALL_UNKNOWN},
		{.loc = 1, .has_vaddr = true, .call = CALL_MADE_UP},
		{.loc = 1, .call = CALL_MISSING},
		{.loc = 1},
	};
	struct check check = {0};

	check_count(answers, sizeof answers / sizeof *answers, is_pc, &check);

	assert_int_equal(check.n_checked, 4);
	assert_int_equal(check.n_bad, 3);
	assert_int_equal(check.n_nowhere, 1);
	assert_int_equal(check.n_made_up, 1);
}

static void a_few_bad_ones_are_normal(void **state)
{
	(void)state;
	static const struct {
		struct check check;
		bool is_other;
	} cases[] = {
		{{0}, false},
		{{.n_checked = 100}, false},
		{{.n_checked = 1, .n_bad = 1}, false},
		{{.n_checked = 2, .n_bad = 2}, true},
		/* Of a few more than half, of more a quarter. */
		{{.n_checked = 6, .n_bad = 3}, false},
		{{.n_checked = 5, .n_bad = 3}, true},
		{{.n_checked = 16, .n_bad = 7}, false},
		{{.n_checked = 32, .n_bad = 8}, true},
		{{.n_checked = 33, .n_bad = 8}, false},
		{{.n_checked = 2000, .n_bad = 499}, false},
		{{.n_checked = 2000, .n_bad = 500}, true},
		/* Addresses that nobody saw. */
		{{.n_checked = 6, .n_bad = 6, .n_made_up = 6}, false},
		{{.n_checked = 6, .n_bad = 6, .n_made_up = 4}, false},
		{{.n_checked = 6, .n_bad = 6, .n_made_up = 3}, true},
		{{.n_checked = 100, .n_bad = 90, .n_made_up = 6}, true},
		{{.n_checked = UINT32_MAX, .n_bad = UINT32_MAX}, true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(check_is_other_build(&cases[i].check), cases[i].is_other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signals_interrupt),
		cmocka_unit_test(leaves_depend_on_what_is_measured),
		cmocka_unit_test(only_what_was_looked_at_counts),
		cmocka_unit_test(a_few_bad_ones_are_normal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
