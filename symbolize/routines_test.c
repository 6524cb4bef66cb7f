#include "symbolize/routines.h"

#include "symbolize/test_folder.h"

/* A library without DWARF whose symbols have any place and size, profiles of it made by hand, and a script in the place of
 * objdump, which says nop for every four bytes of what it is asked for and counts how often that is. */
static const char SOURCE[] = "__asm__(\".text\\n\"\n"
							 "#define SYMBOL(name, size) \".globl \" #name \"\\n.type \" #name \",%function\\n\" \\\n"
							 "	\".size \" #name \",\" #size \"\\n\" #name \":\\n\"\n"
							 "SYMBOL(plain, 16) SYMBOL(alias, 8) \".skip 16\\n\"\n"
							 "SYMBOL(outer, 32) \".skip 8\\n\" SYMBOL(inner, 8) \".skip 24\\n\"\n"
							 "SYMBOL(last, 16) \".skip 0x5000\\n\"\n"
							 "SYMBOL(far_away, 16) \".skip 16\\n\"\n"
							 "SYMBOL(huge, 0x1800000) \".skip \" HUGE \"\\n\");\n";
static const char OBJDUMP[] = "#!/bin/sh\n"
							  "for word; do\n"
							  "	case $word in\n"
							  "	--start-address=*) at=$((${word#*=})) ;;\n"
							  "	--stop-address=*) end=$((${word#*=})) ;;\n"
							  "	esac\n"
							  "done\n"
							  "echo run >>${0%/*}/runs\n"
							  "[ $((end - at)) -lt 100000 ] || end=$((at + 16))\n"
							  "while [ $at -lt $end ]; do printf '%x:\\tnop\\n' $at; at=$((at + 4)); done\n";

enum { START = 0x7f0000000000, PAGES = 0x100000, MOST_LOCS = 16 };

static int setup(void **state)
{
	(void)state;
	test_folder_make();
	write_file("a.c", SOURCE, strlen(SOURCE));
	write_file("objdump", OBJDUMP, strlen(OBJDUMP));
	assert_true(run("chmod +x objdump && %s -fPIC -shared -DHUGE='\"16\"' a.c -o a.so", test_tool("CC", "cc")));
	assert_true(run("objcopy --only-keep-debug a.so a.debug && cp a.so b.so && nm --defined-only a.so >symbols"));
	return 0;
}

/* Behind last, where nothing is. */
enum { GAP = 0x100 };

/* nm's lines are an address, a letter and a name. */
static uint64_t vaddr_of(const char *symbol)
{
	FILE *in = fopen(in_folder("symbols"), "r");
	char line[256];

	assert_non_null(in);
	do {
		assert_non_null(fgets(line, sizeof line, in));
		line[strcspn(line, "\n")] = '\0';
	} while (strcmp(strrchr(line, ' ') + 1, symbol) != 0);
	assert_int_equal(fclose(in), 0);
	return strtoull(line, NULL, 16);
}

/* ---- a profile and its code ---- */

struct subject {
	struct build *build;
	const struct profile *p;
	map_id map;
	struct arena *arena;
	struct diag notes;
	struct code code;
	struct err *err;
	uint64_t start;
};

static struct subject begin(const char *file)
{
	struct subject s = {.build = build_new(), .arena = arena_new(), .start = START};

	s.p = build_profile(s.build);
	s.code.wanted = mem_zalloc(MOST_LOCS, sizeof *s.code.wanted);
	build_source(s.build, "p.pb", "proto");
	build_type(s.build, "samples", "count");
	build_maps_begin(s.build);
	object_id object = build_object(s.build, build_cstr(s.build, in_folder(file)), build_cstr(s.build, ""));
	s.map = build_map(s.build, &(struct mapping){.start = START, .limit = (uint64_t)START + PAGES, .object = object});
	return s;
}

static void add_object(struct subject *s, const char *file)
{
	object_id object = build_object(s->build, build_cstr(s->build, in_folder(file)), build_cstr(s->build, ""));

	s->start += PAGES;
	s->map = build_map(s->build, &(struct mapping){.start = s->start, .limit = s->start + PAGES, .object = object});
}

static loc_id add(struct subject *s, uint64_t vaddr, bool is_wanted)
{
	loc_id loc = build_placed_loc(s->build, s->start + vaddr, s->map);

	assert_true(loc.row < MOST_LOCS);
	s->code.wanted[loc.row] = is_wanted;
	return loc;
}

static void find(struct subject *s, const char *objdump)
{
	struct symbolize_opts opts = {.n_threads = 1};
	struct disasm_opts disasm = {.objdump = objdump};

	unlink(in_folder("runs"));
	s->err = routines_find(s->p, &opts, &disasm, s->arena, &s->notes, &s->code);
}

static void solve(struct subject *s)
{
	find(s, in_folder("objdump"));
	assert_null(s->err);
}

static void end(struct subject *s)
{
	err_free(s->err);
	code_free(&s->code);
	diag_clear(&s->notes);
	arena_free(s->arena);
	build_free(s->build);
}

/* The symbol of the routine that the location counts for; "": none. */
static const char *routine_of(const struct subject *s, loc_id loc)
{
	uint32_t number = s->code.routine_of[loc.row];

	return number ? s->code.routines[number - 1].symbol : "";
}

static size_t n_runs(void)
{
	size_t n = 0;
	char *text = access(in_folder("runs"), F_OK) == 0 ? read_whole("runs", &n) : NULL;

	free(text);
	return n / strlen("run\n");
}

static bool is_noted(const struct subject *s, const char *text)
{
	for (uint32_t i = 0; i < s->notes.n; i++)
		if (strstr(s->notes.notes[i].text, text))
			return true;
	return false;
}

/* ---- which routines ---- */

static void a_routine_has_all_that_lies_in_it(void **state)
{
	(void)state;
	struct subject s = begin("a.so");
	loc_id wanted = add(&s, vaddr_of("plain") + 12, true), beside = add(&s, vaddr_of("plain") + 4, false),
		   elsewhere = add(&s, vaddr_of("last"), false);

	solve(&s);
	assert_int_equal(s.code.n_routines, 1);
	const struct code_routine *routine = &s.code.routines[0];
	assert_string_equal(routine->symbol, "plain");
	assert_null(routine->problem);
	assert_int_equal(routine->end - routine->start, 16);
	assert_int_equal(routine->n_insts, 4);
	for (uint32_t i = 0; i < routine->n_insts; i++) {
		assert_int_equal(s.code.insts[routine->first_inst + i].vaddr, routine->start + (uint64_t)4 * i);
		assert_string_equal(s.code.insts[routine->first_inst + i].text, "nop");
	}
	assert_string_equal(routine_of(&s, wanted), "plain");
	assert_string_equal(routine_of(&s, beside), "plain");
	assert_string_equal(routine_of(&s, elsewhere), "");
	assert_int_equal(s.code.vaddr_of[beside.row], vaddr_of("plain") + 4);
	assert_int_equal(s.notes.n, 0);
	end(&s);
}

static void of_symbols_that_begin_together_the_longest_is_shown(void **state)
{
	(void)state;
	struct subject s = begin("a.so");
	loc_id both = add(&s, vaddr_of("plain") + 4, true), end_of_long = add(&s, vaddr_of("plain") + 12, true);

	solve(&s);
	assert_int_equal(s.code.n_routines, 1);
	assert_string_equal(routine_of(&s, both), "plain");
	assert_string_equal(routine_of(&s, end_of_long), "plain");
	end(&s);
}

static void a_location_counts_in_the_innermost_routine(void **state)
{
	(void)state;
	struct subject s = begin("a.so");
	loc_id inner = add(&s, vaddr_of("inner") + 4, true), before = add(&s, vaddr_of("outer"), true),
		   behind = add(&s, vaddr_of("outer") + 20, false);

	solve(&s);
	assert_int_equal(s.code.n_routines, 2);
	assert_string_equal(routine_of(&s, inner), "inner");
	assert_string_equal(routine_of(&s, before), "outer");
	assert_string_equal(routine_of(&s, behind), "outer");
	end(&s);
}

static void routines_come_by_symbol_then_object(void **state)
{
	(void)state;
	struct subject s = begin("b.so");

	add(&s, vaddr_of("inner"), true);
	add(&s, vaddr_of("last"), true);
	add_object(&s, "a.so");
	loc_id second = add(&s, vaddr_of("last") + 8, true);
	solve(&s);
	assert_int_equal(s.code.n_routines, 3);
	assert_string_equal(s.code.routines[0].symbol, "inner");
	assert_string_equal(s.code.routines[1].symbol, "last");
	assert_string_equal(s.code.routines[2].symbol, "last");
	assert_true(s.code.routines[1].object.row < s.code.routines[2].object.row);
	assert_int_equal(s.code.routine_of[second.row], 3);
	end(&s);
}

static void an_address_chooses_one_routine(void **state)
{
	(void)state;
	uint64_t vaddr = vaddr_of("last") + 8;
	const uint64_t addresses[] = {vaddr, START + vaddr};

	/* Of this run or a link-time one; and not that of the sample itself. */
	for (size_t i = 0; i < 2; i++) {
		struct subject s = begin("a.so");

		add(&s, vaddr_of("last"), true);
		add(&s, vaddr_of("plain"), true);
		s.code.by_address = true;
		s.code.address = addresses[i];
		solve(&s);
		assert_int_equal(s.code.n_routines, 1);
		assert_string_equal(s.code.routines[0].symbol, "last");
		end(&s);
	}
}

static void an_address_outside_chooses_none_silently(void **state)
{
	(void)state;
	struct subject s = begin("a.so");

	add(&s, vaddr_of("plain"), true);
	add(&s, vaddr_of("last") + GAP, true);
	add_object(&s, "nowhere.so");
	add(&s, 0x1000, true);
	s.code.by_address = true;
	s.code.address = 1;
	solve(&s);
	assert_int_equal(s.code.n_routines, 0);
	assert_int_equal(s.notes.n, 0);
	assert_int_equal(n_runs(), 0);
	end(&s);
}

/* ---- what cannot be shown ---- */

static void addresses_without_a_symbol_are_noted(void **state)
{
	(void)state;
	struct subject s = begin("a.so");
	loc_id gap = add(&s, vaddr_of("last") + GAP, true);

	add(&s, vaddr_of("last") + GAP + 8, true);
	add(&s, vaddr_of("last"), true);
	solve(&s);
	assert_int_equal(s.code.n_routines, 1);
	assert_string_equal(routine_of(&s, gap), "");
	assert_true(is_noted(&s, "a.so: no symbol covers 2 of the addresses that match; they are not shown"));
	end(&s);
}

static void objects_without_code_are_noted(void **state)
{
	(void)state;
	static const char *const files[] = {"nowhere.so", "a.debug", "objdump"};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct subject s = begin(files[i]);

		add(&s, vaddr_of("plain"), true);
		solve(&s);
		assert_int_equal(s.code.n_routines, 0);
		assert_int_equal(s.notes.n, 1);
		assert_true(is_noted(&s, files[i]) && is_noted(&s, "; its code cannot be shown"));
		end(&s);
	}
}

static void a_symbol_that_is_too_long_is_cut(void **state)
{
	(void)state;
	assert_true(run("%s -fPIC -shared -DHUGE='\"0x1800000\"' a.c -o huge.so", test_tool("CC", "cc")));
	struct subject s = begin("huge.so");

	add(&s, vaddr_of("huge"), true);
	solve(&s);
	assert_int_equal(s.code.n_routines, 1);
	assert_int_equal(s.code.routines[0].end - s.code.routines[0].start, 16 << 20);
	assert_string_equal(s.code.routines[0].problem, "the symbol is too long");
	assert_int_equal(s.code.routines[0].n_insts, 4);
	end(&s);
}

/* ---- objdump ---- */

static void what_is_near_is_read_in_one_run(void **state)
{
	(void)state;
	struct subject s = begin("a.so");

	add(&s, vaddr_of("outer"), true);
	add(&s, vaddr_of("last"), true);
	solve(&s);
	assert_int_equal(s.code.n_routines, 2);
	assert_int_equal(n_runs(), 1);
	assert_int_equal(s.code.n_insts, 8 + 4);
	end(&s);

	s = begin("a.so");
	add(&s, vaddr_of("outer"), true);
	add(&s, vaddr_of("far_away"), true);
	solve(&s);
	assert_int_equal(s.code.n_routines, 2);
	assert_int_equal(n_runs(), 2);
	end(&s);
}

static void without_objdump_there_is_nothing(void **state)
{
	(void)state;
	struct subject s = begin("a.so");

	add(&s, vaddr_of("plain"), true);
	find(&s, "/nowhere/objdump");
	assert_non_null(s.err);
	assert_non_null(strstr(err_text(s.err), "/nowhere/objdump"));
	assert_int_equal(s.code.n_routines, 0);
	end(&s);
}

static void what_goes_wrong_in_objdump_is_said_of_the_routine(void **state)
{
	(void)state;
	struct subject s = begin("a.so");

	write_file("fails", "#!/bin/sh\nexit 1\n", strlen("#!/bin/sh\nexit 1\n"));
	assert_true(run("chmod +x fails"));
	add(&s, vaddr_of("plain"), true);
	find(&s, in_folder("fails"));
	assert_null(s.err);
	assert_int_equal(s.code.n_routines, 1);
	assert_int_equal(s.code.routines[0].n_insts, 0);
	assert_non_null(s.code.routines[0].problem);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_routine_has_all_that_lies_in_it),
		cmocka_unit_test(of_symbols_that_begin_together_the_longest_is_shown),
		cmocka_unit_test(a_location_counts_in_the_innermost_routine),
		cmocka_unit_test(routines_come_by_symbol_then_object),
		cmocka_unit_test(an_address_chooses_one_routine),
		cmocka_unit_test(an_address_outside_chooses_none_silently),
		cmocka_unit_test(addresses_without_a_symbol_are_noted),
		cmocka_unit_test(objects_without_code_are_noted),
		cmocka_unit_test(a_symbol_that_is_too_long_is_cut),
		cmocka_unit_test(what_is_near_is_read_in_one_run),
		cmocka_unit_test(without_objdump_there_is_nothing),
		cmocka_unit_test(what_goes_wrong_in_objdump_is_said_of_the_routine),
	};

	return cmocka_run_group_tests(tests, setup, test_folder_remove);
}
