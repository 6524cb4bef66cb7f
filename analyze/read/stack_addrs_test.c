#include "analyze/read/test_read.h"

#include "analyze/read/stack_addrs.h"

#include <stdlib.h>
#include <string.h>

static const char *read_row(struct stack_addrs *stack, const char *row)
{
	return stack_addrs_read(stack, (struct span){row, row + strlen(row)});
}

static void a_row_is_hexadecimal_addresses_and_blanks(void **state)
{
	(void)state;
	static const struct {
		const char *row;
		uint32_t n;
		uint64_t first, last;
	} cases[] = {
		{"0x401000 0x402000", 2, 0x401000, 0x402000},
		{"  401000\t\t0X40aBcD ", 2, 0x401000, 0x40abcd},
		{"0", 1, 0, 0},
		{"0xffffffffffffffff", 1, UINT64_MAX, UINT64_MAX},
		{"00000000000000000000401000", 1, 0x401000, 0x401000},
		{"", 0, 0, 0},
		{" \t ", 0, 0, 0},
	};
	struct stack_addrs stack = {0};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_null(read_row(&stack, cases[i].row));
		assert_int_equal(stack.n, cases[i].n);
		if (!stack.n)
			continue;
		assert_int_equal(stack.addrs[0], cases[i].first);
		assert_int_equal(stack.addrs[stack.n - 1], cases[i].last);
	}
	stack_addrs_free(&stack);
}

static void anything_else_is_told(void **state)
{
	(void)state;
	static const char *const bad[] = {"0x401000,0x402000", "main",    "0x401000 main",  "-1",       "0x",
	                                  "0x 401000",         "401000g", "0x401000 @ 0x1", "0x40100\n"};
	struct stack_addrs stack = {0};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_string_equal(read_row(&stack, bad[i]), "expected a hexadecimal address");
	assert_string_equal(read_row(&stack, "0x1 0x10000000000000000"), "expected an address of at most 64 bits");
	/* The next row begins anew. */
	assert_null(read_row(&stack, "0x7"));
	assert_int_equal(stack.n, 1);
	stack_addrs_free(&stack);
}

static void a_stack_has_at_most_so_many_frames(void **state)
{
	(void)state;
	struct stack_addrs stack = {0};
	char *row = mem_alloc(DEEPEST_STACK + 1, 2);

	const char *room = row + 2 * (size_t)DEEPEST_STACK; /* behind what a stack may have */

	for (char *at = row; at <= room; at += 2) {
		at[0] = '1';
		at[1] = ' ';
	}
	assert_null(stack_addrs_read(&stack, (struct span){row, room}));
	assert_int_equal(stack.n, DEEPEST_STACK);
	assert_string_equal(stack_addrs_read(&stack, (struct span){row, room + 1}), "expected at most 65536 frames");
	free(row);
	stack_addrs_free(&stack);
}

/* The call's last byte is one in front of what it returns to; 0 is no address, and nothing in front of it. */
static void addresses_are_those_that_calls_return_to(void **state)
{
	(void)state;
	struct build *build = build_new();
	const struct profile *p = build_profile(build);
	struct stack_addrs stack = {0};

	assert_null(read_row(&stack, "0x401005 0x0"));
	stack_id id = stack_addrs_build(&stack, build);
	assert_int_equal(p->stacks[id.row].n, 2);
	const loc_id *frames = p->frames + p->stacks[id.row].first;
	assert_int_equal(p->locs[frames[0].row].addr, 0x401004);
	assert_int_equal(p->locs[frames[1].row].addr, 0);
	assert_null(read_row(&stack, "0x401005 0x0"));
	assert_int_equal(stack_addrs_build(&stack, build).row, id.row);
	stack_addrs_free(&stack);
	build_free(build);
}

static void a_leaf_may_come_again(void **state)
{
	(void)state;
	assert_true(is_leaf_again(0x401005, 0x401005));
	assert_true(is_leaf_again(0x401005, 0x401004));
	assert_false(is_leaf_again(0x401005, 0x401006));
	assert_true(is_leaf_again(0, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_hexadecimal_addresses_and_blanks),
		cmocka_unit_test(anything_else_is_told),
		cmocka_unit_test(a_stack_has_at_most_so_many_frames),
		cmocka_unit_test(addresses_are_those_that_calls_return_to),
		cmocka_unit_test(a_leaf_may_come_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
