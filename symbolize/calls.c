#include "symbolize/calls.h"

#include <elf.h>
#include <string.h>

static uint32_t half_at(const uint8_t *code)
{
	return code[0] | (uint32_t)code[1] << 8;
}

static uint32_t word_at(const uint8_t *code)
{
	return half_at(code) | half_at(code + 2) << 16;
}

/* ---- x86-64 and i386 ---- */

enum { CALL_REL32 = 0xe8, GROUP_5 = 0xff };

/* The length of an instruction of one opcode byte with this ModRM byte, and the SIB byte that may follow it. Memory without
 * a base has a disp32, whether it counts from 0 or from the instruction pointer. */
static size_t modrm_length(uint8_t modrm, uint8_t sib)
{
	unsigned mode = modrm >> 6, base = modrm & 7;
	size_t length = 2;

	if (mode == 3)
		return length;
	if (base == 4) {
		base = sib & 7;
		length++;
	}
	if (mode == 1)
		return length + 1;
	return length + (mode == 2 || base == 5 ? 4 : 0);
}

/* FF /2 is call *, FF /3 the far call. */
static bool is_indirect_call(const uint8_t *code, size_t n)
{
	unsigned operation = code[1] >> 3 & 7;

	return code[0] == GROUP_5 && (operation == 2 || (operation == 3 && code[1] < 0xc0)) &&
	       modrm_length(code[1], n > 2 ? code[2] : 0) == n;
}

/* Prefixes stand in front and change no length: what is behind them is enough. */
static bool x86_call_ends(const uint8_t *end, size_t n)
{
	if (n >= 5 && end[-5] == CALL_REL32)
		return true;
	for (size_t length = 2; length <= 7 && length <= n; length++)
		if (is_indirect_call(end - length, length))
			return true;
	return false;
}

/* ---- aarch64 ---- */

/* BL; BLR; BLRAAZ and BLRABZ, BLRAA and BLRAB, which authenticate the pointer. */
static bool aarch64_call_ends(const uint8_t *end, size_t n, uint64_t vaddr)
{
	if (n < 4 || vaddr % 4 != 0)
		return false;
	uint32_t word = word_at(end - 4);
	return (word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000 ||
	       (word & 0xfffff81f) == 0xd63f081f || (word & 0xfffff800) == 0xd73f0800;
}

/* ---- arm ---- */

/* BLX with an immediate has no condition; BL and BLX with a register have one. */
static bool is_arm_call(uint32_t word)
{
	bool has_condition = word >> 28 != 0xf;

	return (word & 0xfe000000) == 0xfa000000 ||
	       (has_condition && ((word & 0x0f000000) == 0x0b000000 || (word & 0x0ffffff0) == 0x012fff30));
}

/* mov lr, pc gives the address two instructions on: the one between jumps. */
static bool is_mov_lr_pc(uint32_t word)
{
	return word >> 28 != 0xf && (word & 0x0fffffff) == 0x01a0e00f;
}

static bool arm_state_call_ends(const uint8_t *end, size_t n, uint64_t vaddr)
{
	if (n < 4 || vaddr % 4 != 0)
		return false;
	return is_arm_call(word_at(end - 4)) || (n >= 8 && is_mov_lr_pc(word_at(end - 8)));
}

/* BL and BLX with an immediate, in two halves; BLX with a register. */
static bool thumb_call_ends(const uint8_t *end, size_t n)
{
	if (n >= 2 && (half_at(end - 2) & 0xff87) == 0x4780)
		return true;
	if (n < 4 || (half_at(end - 4) & 0xf800) != 0xf000)
		return false;
	uint32_t second = half_at(end - 2);
	return (second & 0xd000) == 0xd000 || (second & 0xd001) == 0xc000;
}

/* ---- all of them ---- */

bool calls_are_known(uint16_t machine)
{
	return machine == EM_X86_64 || machine == EM_386 || machine == EM_AARCH64 || machine == EM_ARM;
}

bool calls_end_at(uint16_t machine, uint64_t return_vaddr, const uint8_t *code, size_t n)
{
	const uint8_t *end = code + n;

	switch (machine) {
	case EM_X86_64:
	case EM_386:
		return x86_call_ends(end, n);
	case EM_AARCH64:
		return aarch64_call_ends(end, n, return_vaddr);
	case EM_ARM:
		return arm_state_call_ends(end, n, return_vaddr & ~UINT64_C(1)) || thumb_call_ends(end, n);
	default:
		return false;
	}
}

/* ---- signals ---- */

struct sigreturn {
	uint16_t machine;
	uint8_t n;
	uint8_t code[CALLS_SIGRETURN];
};

/* As glibc, musl and the kernels have them: the number of rt_sigreturn, or sigreturn, and the way into the kernel. */
static const struct sigreturn sigreturns[] = {
	{EM_X86_64, 9, {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}}, /* mov $15, %rax; syscall */
	{EM_X86_64, 7, {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05}},             /* mov $15, %eax; syscall */
	{EM_386, 7, {0xb8, 0xad, 0, 0, 0, 0xcd, 0x80}},                /* mov $173, %eax; int $0x80 */
	{EM_386, 8, {0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80}},          /* pop %eax; mov $119, %eax; int $0x80 */
	{EM_AARCH64, 8, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}},   /* mov x8, #139; svc #0 */
	{EM_ARM, 8, {0xad, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef}},          /* mov r7, #173; svc #0 */
	{EM_ARM, 8, {0x77, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef}},          /* mov r7, #119; svc #0 */
	{EM_ARM, 4, {0xad, 0x27, 0x00, 0xdf}},                         /* movs r7, #173; svc #0 */
	{EM_ARM, 4, {0x77, 0x27, 0x00, 0xdf}},                         /* movs r7, #119; svc #0 */
};

bool calls_is_sigreturn(uint16_t machine, const uint8_t *code, size_t n)
{
	for (size_t i = 0; i < sizeof sigreturns / sizeof *sigreturns; i++) {
		const struct sigreturn *sigreturn = &sigreturns[i];

		if (sigreturn->machine == machine && sigreturn->n <= n && memcmp(code, sigreturn->code, sigreturn->n) == 0)
			return true;
	}
	return false;
}
