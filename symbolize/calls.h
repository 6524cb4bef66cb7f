/* Call instructions: does one end where a return address points? */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes: an x86 call without its prefixes, which change nothing behind them, has 7; mov lr, pc and the jump behind it
 * have 8. */
enum { CALLS_LONGEST = 8 };

/* False: nothing is known of this machine's calls (e_machine of its ELF header). */
bool calls_are_known(uint16_t machine);

/* code are the n bytes in front of the return address, little endian as the machine fetches them; more than CALLS_LONGEST
 * are not needed, and fewer may be there. For EM_ARM the address may have the bit that marks Thumb code; the code is what
 * lies in front of the address without it, and may be of either state. */
bool calls_end_at(uint16_t machine, uint64_t return_vaddr, const uint8_t *code, size_t n);

/* True when the code at an address, of which n bytes are given, is what the kernel lets a signal handler return to: it asks
 * for sigreturn. No call leads there, and what it returns to is where the signal came. CALLS_SIGRETURN bytes are enough. */
enum { CALLS_SIGRETURN = 9 };
bool calls_is_sigreturn(uint16_t machine, const uint8_t *code, size_t n);
