#include "symbolize/calls.h"

#include "analyze/test.h"

#include <elf.h>
#include <string.h>

struct instruction {
	uint16_t machine;
	bool is_call;
	const char *text; /* as GNU as takes it, where the bytes are from */
	uint8_t n;
	uint8_t code[12];
};

static const struct instruction instructions[] = {
	{EM_X86_64, true, "call label", 5, {0xe8, 0xfb, 0x0f, 0x00, 0x00}},
	{EM_X86_64, true, "call *%rax", 2, {0xff, 0xd0}},
	{EM_X86_64, true, "call *%r11", 3, {0x41, 0xff, 0xd3}},
	{EM_X86_64, true, "call *(%rax)", 2, {0xff, 0x10}},
	{EM_X86_64, true, "call *(%rsp)", 3, {0xff, 0x14, 0x24}},
	{EM_X86_64, true, "call *(%r12)", 4, {0x41, 0xff, 0x14, 0x24}},
	{EM_X86_64, true, "call *0x8(%rbp)", 3, {0xff, 0x55, 0x08}},
	{EM_X86_64, true, "call *0x0(%r13)", 4, {0x41, 0xff, 0x55, 0x00}},
	{EM_X86_64, true, "call *0x10(%rsp)", 4, {0xff, 0x54, 0x24, 0x10}},
	{EM_X86_64, true, "call *0x1000(%rbx)", 6, {0xff, 0x93, 0x00, 0x10, 0x00, 0x00}},
	{EM_X86_64, true, "call *0x1000(%rsp)", 7, {0xff, 0x94, 0x24, 0x00, 0x10, 0x00, 0x00}},
	{EM_X86_64, true, "call *0x2f00(%rip)", 6, {0xff, 0x15, 0x00, 0x2f, 0x00, 0x00}},
	{EM_X86_64, true, "call *0x1000", 7, {0xff, 0x14, 0x25, 0x00, 0x10, 0x00, 0x00}},
	{EM_X86_64, true, "call *0x0(,%rax,8)", 7, {0xff, 0x14, 0xc5, 0x00, 0x00, 0x00, 0x00}},
	{EM_X86_64, true, "call *0x8(%rax,%rcx,8)", 4, {0xff, 0x54, 0xc8, 0x08}},
	{EM_X86_64, true, "call *0x1234(%r8,%r9,4)", 8, {0x43, 0xff, 0x94, 0x88, 0x34, 0x12, 0x00, 0x00}},
	{EM_X86_64, true, "call *%fs:0x28", 8, {0x64, 0xff, 0x14, 0x25, 0x28, 0x00, 0x00, 0x00}},
	{EM_X86_64, true, "notrack call *%rax", 3, {0x3e, 0xff, 0xd0}},
	{EM_X86_64, false, "data16 lea 0x1000(%rip),%rdi", 8, {0x66, 0x48, 0x8d, 0x3d, 0x00, 0x10, 0x00, 0x00}},
	{EM_X86_64, true, "data16 data16 rex.W call label", 8, {0x66, 0x66, 0x48, 0xe8, 0xfb, 0x0f, 0x00, 0x00}},
	{EM_X86_64, true, "lcall *(%rax)", 2, {0xff, 0x18}},
	{EM_X86_64, true, "rex.W lcall *0x8(%rbx)", 4, {0x48, 0xff, 0x5b, 0x08}},
	{EM_X86_64, true, "bnd call label", 6, {0xf2, 0xe8, 0xfa, 0x0f, 0x00, 0x00}},
	{EM_X86_64, false, "jmp *%rax", 2, {0xff, 0xe0}},
	{EM_X86_64, false, "jmp label", 5, {0xe9, 0xfb, 0x0f, 0x00, 0x00}},
	{EM_X86_64, false, "push (%rax)", 2, {0xff, 0x30}},
	{EM_X86_64, false, "incl (%rax)", 2, {0xff, 0x00}},
	{EM_X86_64, false, "jmp *0x2f00(%rip)", 6, {0xff, 0x25, 0x00, 0x2f, 0x00, 0x00}},
	{EM_X86_64, false, "mov %rax,%rbx", 3, {0x48, 0x89, 0xc3}},
	{EM_X86_64, false, "ret", 1, {0xc3}},
	{EM_X86_64, false, "syscall", 2, {0x0f, 0x05}},
	{EM_X86_64, false, "nop", 1, {0x90}},
	{EM_386, true, "call label", 5, {0xe8, 0xfb, 0x0f, 0x00, 0x00}},
	{EM_386, true, "call *%eax", 2, {0xff, 0xd0}},
	{EM_386, true, "call *(%eax)", 2, {0xff, 0x10}},
	{EM_386, true, "call *0x24(%esp)", 4, {0xff, 0x54, 0x24, 0x24}},
	{EM_386, true, "call *0x1000(%ebx)", 6, {0xff, 0x93, 0x00, 0x10, 0x00, 0x00}},
	{EM_386, true, "call *0x804a010", 6, {0xff, 0x15, 0x10, 0xa0, 0x04, 0x08}},
	{EM_386, true, "call *0x804a010(,%eax,4)", 7, {0xff, 0x14, 0x85, 0x10, 0xa0, 0x04, 0x08}},
	{EM_386, true, "call *%gs:0x10", 7, {0x65, 0xff, 0x15, 0x10, 0x00, 0x00, 0x00}},
	{EM_386, true, "lcall *(%eax)", 2, {0xff, 0x18}},
	{EM_386, false, "jmp *%eax", 2, {0xff, 0xe0}},
	{EM_386, false, "int $0x80", 2, {0xcd, 0x80}},
	{EM_AARCH64, true, "bl label", 4, {0x00, 0x04, 0x00, 0x94}},
	{EM_AARCH64, true, "bl label", 4, {0x00, 0xfc, 0xff, 0x97}},
	{EM_AARCH64, true, "blr x1", 4, {0x20, 0x00, 0x3f, 0xd6}},
	{EM_AARCH64, true, "blr x30", 4, {0xc0, 0x03, 0x3f, 0xd6}},
	{EM_AARCH64, true, "blraaz x8", 4, {0x1f, 0x09, 0x3f, 0xd6}},
	{EM_AARCH64, true, "blrabz x8", 4, {0x1f, 0x0d, 0x3f, 0xd6}},
	{EM_AARCH64, true, "blraa x8, x9", 4, {0x09, 0x09, 0x3f, 0xd7}},
	{EM_AARCH64, true, "blrab x8, sp", 4, {0x1f, 0x0d, 0x3f, 0xd7}},
	{EM_AARCH64, false, "b label", 4, {0x00, 0x04, 0x00, 0x14}},
	{EM_AARCH64, false, "br x1", 4, {0x20, 0x00, 0x1f, 0xd6}},
	{EM_AARCH64, false, "ret", 4, {0xc0, 0x03, 0x5f, 0xd6}},
	{EM_AARCH64, true, "bl label", 4, {0x00, 0x00, 0x00, 0x94}},
	{EM_AARCH64, false, "nop", 4, {0x1f, 0x20, 0x03, 0xd5}},
	{EM_AARCH64, false, "svc #0", 4, {0x01, 0x00, 0x00, 0xd4}},
	{EM_AARCH64, false, "retaa", 4, {0xff, 0x0b, 0x5f, 0xd6}},
	{EM_AARCH64, false, "braa x8, x9", 4, {0x09, 0x09, 0x1f, 0xd7}},
	{EM_ARM, true, "bl label", 4, {0xfe, 0x03, 0x00, 0xeb}},
	{EM_ARM, true, "blne label", 4, {0xfe, 0xfb, 0xff, 0x1b}},
	{EM_ARM, true, "blx r3", 4, {0x33, 0xff, 0x2f, 0xe1}},
	{EM_ARM, true, "blxeq r3", 4, {0x33, 0xff, 0x2f, 0x01}},
	{EM_ARM, true, "blx label", 4, {0xfe, 0x03, 0x00, 0xfa}},
	{EM_ARM, true, "mov lr, pc; bx r3", 8, {0x0f, 0xe0, 0xa0, 0xe1, 0x13, 0xff, 0x2f, 0xe1}},
	{EM_ARM, true, "mov lr, pc; ldr pc, [r3, #4]", 8, {0x0f, 0xe0, 0xa0, 0xe1, 0x04, 0xf0, 0x93, 0xe5}},
	{EM_ARM, false, "b label", 4, {0xfe, 0x03, 0x00, 0xea}},
	{EM_ARM, false, "bx lr", 4, {0x1e, 0xff, 0x2f, 0xe1}},
	{EM_ARM, false, "pop {r4, pc}", 4, {0x10, 0x80, 0xbd, 0xe8}},
	{EM_ARM, false, "svc 0x00000000", 4, {0x00, 0x00, 0x00, 0xef}},
	{EM_ARM, true, "bl label", 4, {0x00, 0xf0, 0xfe, 0xff}},
	{EM_ARM, true, "bl label", 4, {0xfe, 0xf7, 0xfe, 0xff}},
	{EM_ARM, true, "blx r3", 2, {0x98, 0x47}},
	{EM_ARM, true, "blx label", 4, {0x01, 0xf0, 0x00, 0xe8}},
	{EM_ARM, false, "b.w label", 4, {0x00, 0xf0, 0xfe, 0xbf}},
	{EM_ARM, false, "b.n label", 2, {0x7e, 0xe0}},
	{EM_ARM, false, "bx lr", 2, {0x70, 0x47}},
	{EM_ARM, false, "bx r3", 2, {0x18, 0x47}},
	{EM_ARM, false, "pop {r4, pc}", 2, {0x10, 0xbd}},
};

static const size_t n_instructions = sizeof instructions / sizeof *instructions;

static bool ends(const struct instruction *instruction, uint64_t return_vaddr, size_t n)
{
	return calls_end_at(instruction->machine, return_vaddr, instruction->code + instruction->n - n, n);
}

static void calls_are_told_from_others(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_instructions; i++) {
		if (ends(&instructions[i], 0x1000, instructions[i].n) != instructions[i].is_call)
			print_error("%s\n", instructions[i].text);
		assert_int_equal(ends(&instructions[i], 0x1000, instructions[i].n), instructions[i].is_call);
	}
}

/* What lies in front of the instruction changes nothing, be it a call's beginning. */
static void what_is_in_front_does_not_count(void **state)
{
	(void)state;
	static const uint8_t fronts[] = {0x00, 0xff, 0x90, 0x14};

	for (size_t i = 0; i < n_instructions; i++)
		for (size_t k = 0; k < sizeof fronts; k++) {
			uint8_t code[CALLS_LONGEST + sizeof instructions->code];
			const struct instruction *instruction = &instructions[i];

			memset(code, fronts[k], CALLS_LONGEST);
			memcpy(code + CALLS_LONGEST, instruction->code, instruction->n);
			if (instruction->is_call)
				assert_true(calls_end_at(instruction->machine, 0x1000, code, CALLS_LONGEST + instruction->n));
		}
}

static void a_cut_call_is_none(void **state)
{
	(void)state;
	static const uint8_t call[] = {0xe8, 0xfb, 0x0f, 0x00, 0x00};
	static const uint8_t bl[] = {0x00, 0x04, 0x00, 0x94};

	for (size_t n = 0; n < sizeof call; n++)
		assert_false(calls_end_at(EM_X86_64, 0x1000, call + sizeof call - n, n));
	for (size_t n = 0; n < sizeof bl; n++)
		assert_false(calls_end_at(EM_AARCH64, 0x1000, bl + sizeof bl - n, n));
	/* One byte too early or too late. */
	assert_false(calls_end_at(EM_X86_64, 0x1000, call, sizeof call - 1));
	assert_false(calls_end_at(EM_X86_64, 0x1000, (const uint8_t[]){0xe8, 0xfb, 0x0f, 0x00, 0x00, 0x90}, 6));
}

static void words_are_aligned(void **state)
{
	(void)state;
	static const uint8_t bl[] = {0x00, 0x04, 0x00, 0x94}, arm_bl[] = {0xfe, 0x03, 0x00, 0xeb};
	static const uint8_t thumb_blx[] = {0x98, 0x47};

	assert_true(calls_end_at(EM_AARCH64, 0x1004, bl, sizeof bl));
	assert_false(calls_end_at(EM_AARCH64, 0x1002, bl, sizeof bl));
	assert_true(calls_end_at(EM_ARM, 0x1004, arm_bl, sizeof arm_bl));
	assert_false(calls_end_at(EM_ARM, 0x1002, arm_bl, sizeof arm_bl));
	assert_true(calls_end_at(EM_ARM, 0x1002, thumb_blx, sizeof thumb_blx));
	assert_true(calls_end_at(EM_ARM, 0x1003, thumb_blx, sizeof thumb_blx));
}

static void other_machines_are_not_known(void **state)
{
	(void)state;
	static const uint16_t known[] = {EM_X86_64, EM_386, EM_AARCH64, EM_ARM}, others[] = {EM_NONE, EM_RISCV, EM_PPC64};
	static const uint8_t call[] = {0xe8, 0xfb, 0x0f, 0x00, 0x00};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		assert_true(calls_are_known(known[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_false(calls_are_known(others[i]));
		assert_false(calls_end_at(others[i], 0x1000, call, sizeof call));
	}
}

static void sigreturn_is_told(void **state)
{
	(void)state;
	static const struct instruction trampolines[] = {
		{EM_X86_64, true, "mov $15, %rax; syscall", 9, {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}},
		{EM_X86_64, true, "mov $15, %eax; syscall", 7, {0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}},
		{EM_X86_64, false, "mov $60, %eax; syscall", 7, {0xb8, 0x3c, 0x00, 0x00, 0x00, 0x0f, 0x05}},
		{EM_386, true, "mov $173, %eax; int $0x80", 7, {0xb8, 0xad, 0x00, 0x00, 0x00, 0xcd, 0x80}},
		{EM_386, true, "pop %eax; mov $119, %eax; int $0x80", 8, {0x58, 0xb8, 0x77, 0x00, 0x00, 0x00, 0xcd, 0x80}},
		{EM_AARCH64, true, "mov x8, #139; svc #0", 8, {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4}},
		{EM_ARM, true, "mov r7, #173; svc 0", 8, {0xad, 0x70, 0xa0, 0xe3, 0x00, 0x00, 0x00, 0xef}},
		{EM_ARM, true, "mov r7, #119; svc 0", 8, {0x77, 0x70, 0xa0, 0xe3, 0x00, 0x00, 0x00, 0xef}},
		{EM_ARM, true, "movs r7, #173; svc 0", 4, {0xad, 0x27, 0x00, 0xdf}},
		{EM_ARM, true, "movs r7, #119; svc 0", 4, {0x77, 0x27, 0x00, 0xdf}},
		{EM_RISCV, false, "li a7, 139; ecall", 8, {0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00}},
	};

	for (size_t i = 0; i < sizeof trampolines / sizeof *trampolines; i++) {
		const struct instruction *it = &trampolines[i];

		assert_int_equal(calls_is_sigreturn(it->machine, it->code, it->n), it->is_call);
		assert_int_equal(calls_is_sigreturn(it->machine, it->code, sizeof it->code), it->is_call);
		assert_false(calls_is_sigreturn(it->machine, it->code, it->n - 1));
		assert_false(calls_end_at(it->machine, 0x1000, it->code, it->n));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_told_from_others),   cmocka_unit_test(what_is_in_front_does_not_count),
		cmocka_unit_test(a_cut_call_is_none),           cmocka_unit_test(words_are_aligned),
		cmocka_unit_test(other_machines_are_not_known), cmocka_unit_test(sigreturn_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
