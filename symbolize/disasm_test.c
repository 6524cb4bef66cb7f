#include "symbolize/test_folder.h"

#include "analyze/base/file.h"
#include "symbolize/disasm.h"

#include <sys/stat.h>
#include <time.h>

/* ---- lines ---- */

static void lines_are_instructions_or_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *line, *text;
		uint64_t vaddr;
	} cases[] = {
		{"4010e4:\tsub    $0x18,%rsp", "sub    $0x18,%rsp", 0x4010e4},
		{"ffffffff81000000:\tret", "ret", 0xffffffff81000000},
		{"1020:      \tsubq\t$24, %rsp", "subq\t$24, %rsp", 0x1020},
		{"10: (bad)", "(bad)", 0x10},
		{"00000000004010e4 <main>:", NULL, 0},
		{"Disassembly of section .text:", NULL, 0},
		{"elf/shapes:     file format elf64-x86-64", NULL, 0},
		{"...", NULL, 0},
		{"4010e4:", NULL, 0},
		{"4010e4:x\tnop", NULL, 0},
		{"10000000000000000:\tnop", NULL, 0},
		{"", NULL, 0},
		{":", NULL, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct span line = {cases[i].line, cases[i].line + strlen(cases[i].line)}, text;
		uint64_t vaddr;
		bool is_inst = disasm_parse(&line, &vaddr, &text);

		assert_int_equal(is_inst, cases[i].text != NULL);
		if (!is_inst)
			continue;
		assert_int_equal(vaddr, cases[i].vaddr);
		assert_true(span_is(&text, cases[i].text));
	}
}

/* ---- runs, of a script in the place of objdump ---- */

struct fixture {
	struct arena *arena;
	struct disasm_insts insts;
	struct disasm_use use;
	struct err *err;
	const char *problem;
	int fd;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void write_script(const char *text)
{
	const char *path = in_folder("objdump");
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", text);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

static void disassemble(struct fixture *f, const char *objdump, bool intel_syntax)
{
	struct disasm_opts opts = {.objdump = objdump, .intel_syntax = intel_syntax};

	*f = (struct fixture){.arena = arena_new(), .use = {now_ms() + 20000}};
	assert_null(file_open_regular(in_folder("objdump"), &f->fd));
	f->err = disasm_range(&opts, f->fd, 0x10, 0x20, &f->use, f->arena, &f->insts, &f->problem);
}

static void run_script(struct fixture *f, const char *text)
{
	write_script(text);
	disassemble(f, in_folder("objdump"), true);
	assert_null(f->err);
}

static void teardown(struct fixture *f)
{
	close(f->fd);
	err_free(f->err);
	free(f->insts.at);
	arena_free(f->arena);
}

static void instructions_are_read(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "printf 'head\\n  10:\\tone\\n  12:\\ttwo\\there\\n  1f:\\tlast'");
	assert_null(f.problem);
	assert_int_equal(f.insts.n, 3);
	assert_int_equal(f.insts.at[1].vaddr, 0x12);
	assert_string_equal(f.insts.at[1].text, "two here");
	assert_string_equal(f.insts.at[2].text, "last");
	teardown(&f);
}

static void names_are_demangled(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "printf '  10:\\tcall   50 <_ZN1a1fEi+0x4>\\n  11:\\tlea 0x9(%%rip),%%rbp   # 60 <_Z1gv@@VERS_1>\\n"
	               "  12:\\tjmp 70 <main.part.0>\\n  13:\\tnop <\\n  14:\\tnop <>\\n  15:\\t<_Z1gv\\n'");
	assert_int_equal(f.insts.n, 6);
	assert_string_equal(f.insts.at[0].text, "call   50 <a::f(int)+0x4>");
	assert_string_equal(f.insts.at[1].text, "lea 0x9(%rip),%rbp   # 60 <g()@@VERS_1>");
	assert_string_equal(f.insts.at[2].text, "jmp 70 <main.part.0>");
	assert_string_equal(f.insts.at[3].text, "nop <");
	assert_string_equal(f.insts.at[4].text, "nop <>");
	assert_string_equal(f.insts.at[5].text, "<_Z1gv");
	teardown(&f);
}

/* A hostile file can make objdump print such lines. */
static void other_addresses_do_not_count(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "printf '  f:\\tbefore\\n  14:\\tright\\n  14:\\ttwice\\n  12:\\tback\\n  20:\\tbehind\\n'");
	assert_int_equal(f.insts.n, 1);
	assert_string_equal(f.insts.at[0].text, "right");
	teardown(&f);
}

/* The file comes as a descriptor, and nothing else of ours is open there. */
static void the_child_gets_words_and_a_file(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "i=16\n"
	               "for word; do printf '  %x:\\t%s\\n' $i \"$word\"; i=$((i + 1)); done\n"
	               "printf '  1e:\\t%s\\n' \"$LC_ALL\"\n"
	               "head -n1 /dev/fd/0 | sed 's/^/  1f:\t/'");
	static const char *const expected[] = {
		"--disassemble",
		"--no-show-raw-insn",
		"--wide",
		"--start-address=0x10",
		"--stop-address=0x20",
		"-M",
		"intel",
		"/dev/fd/0",
		"C",
		"#!/bin/sh",
	};
	assert_int_equal(f.insts.n, sizeof expected / sizeof *expected);
	for (size_t i = 0; i < f.insts.n; i++)
		assert_string_equal(f.insts.at[i].text, expected[i]);
	teardown(&f);
}

static void a_failure_is_a_problem_of_the_file(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "printf '  10:\\tone\\n'; exit 1");
	assert_string_equal(f.problem, "objdump cannot read it");
	assert_int_equal(f.insts.n, 1);
	teardown(&f);
	run_script(&f, ":");
	assert_string_equal(f.problem, "objdump finds no instructions there");
	teardown(&f);
}

static void check_hanging(const char *script)
{
	struct disasm_opts opts = {.objdump = in_folder("objdump")};
	struct fixture f = {.arena = arena_new(), .use = {now_ms() + 300}};
	int64_t start = now_ms();

	write_script(script);
	assert_null(file_open_regular(in_folder("objdump"), &f.fd));
	assert_null(disasm_range(&opts, f.fd, 0x10, 0x20, &f.use, f.arena, &f.insts, &f.problem));
	assert_string_equal(f.problem, "objdump takes too long");
	assert_true(now_ms() - start < 20000);
	assert_int_equal(f.insts.n, 1);
	teardown(&f);
}

static void a_child_that_hangs_is_ended(void **state)
{
	(void)state;
	check_hanging("printf '  10:\\tone\\n'; exec sleep 60");
	check_hanging("printf '  10:\\tone\\n'; exec sleep 60 >&-");
}

static void a_child_that_floods_is_ended(void **state)
{
	(void)state;
	struct fixture f;

	run_script(&f, "exec cat /dev/zero");
	assert_string_equal(f.problem, "objdump prints too much");
	teardown(&f);
}

/* Each would be started and ended for nothing, and a hostile file may ask for thousands. */
static void none_is_started_behind_a_limit(void **state)
{
	(void)state;
	struct disasm_opts opts = {.objdump = "/nowhere/objdump"};
	struct disasm_use late = {.end_ms = 1}, full = {now_ms() + 20000, UINT64_MAX};
	const char *problem;

	assert_null(disasm_range(&opts, -1, 0x10, 0x20, &late, NULL, &(struct disasm_insts){0}, &problem));
	assert_string_equal(problem, "objdump takes too long");
	assert_null(disasm_range(&opts, -1, 0x10, 0x20, &full, NULL, &(struct disasm_insts){0}, &problem));
	assert_string_equal(problem, "objdump prints too much");
}

static void no_objdump_is_an_error(void **state)
{
	(void)state;
	struct fixture f;

	write_script(":");
	disassemble(&f, "/nowhere/objdump", false);
	assert_non_null(f.err);
	assert_string_equal(err_text(f.err), "/nowhere/objdump: no such program; disassembly needs binutils' objdump");
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_instructions_or_nothing),
		cmocka_unit_test(instructions_are_read),
		cmocka_unit_test(names_are_demangled),
		cmocka_unit_test(other_addresses_do_not_count),
		cmocka_unit_test(the_child_gets_words_and_a_file),
		cmocka_unit_test(a_failure_is_a_problem_of_the_file),
		cmocka_unit_test(a_child_that_hangs_is_ended),
		cmocka_unit_test(a_child_that_floods_is_ended),
		cmocka_unit_test(no_objdump_is_an_error),
		cmocka_unit_test(none_is_started_behind_a_limit),
	};

	test_folder_make();
	return cmocka_run_group_tests(tests, NULL, test_folder_remove);
}
