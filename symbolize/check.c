#include "symbolize/check.h"

#include "symbolize/calls.h"
#include "symbolize/fit.h"
#include "symbolize/job.h"

#include <stdlib.h>

/* More say the same at a higher price. */
enum { MOST_CHECKED = 2048, MOST_ROWS = 64 };

/* ---- the code in front of an address ---- */

static bool are_compared(const struct binary *binary)
{
	return binary->build_id && binary->used_build_id;
}

static bool can_tell(const struct binary *binary)
{
	return !are_compared(binary) && calls_are_known(object_machine(binary->file)) &&
	       object_has_little_code(binary->file);
}

static bool follows_call(struct object_file *file, uint64_t return_vaddr)
{
	uint8_t code[CALLS_LONGEST];
	size_t n = object_code_before(file, return_vaddr, code, sizeof code);

	return calls_end_at(object_machine(file), return_vaddr, code, n);
}

static bool is_sigreturn(struct object_file *file, uint64_t return_vaddr)
{
	uint8_t code[CALLS_SIGRETURN];
	size_t n = object_code_at(file, return_vaddr, code, sizeof code);

	return calls_is_sigreturn(object_machine(file), code, n);
}

/* Addresses that people and tools make of symbols lie at a round distance behind the entries of functions. In another build
 * one in 16 does so by chance. */
static bool looks_made_up(struct object_file *symbols, uint64_t return_vaddr)
{
	struct symbol symbol;

	return object_symbol(symbols, return_vaddr, &symbol) && (return_vaddr - symbol.vaddr) % 16 == 0;
}

/* A location is the last byte of its call. On ARM that is even where the return address was marked as one of Thumb code. */
static uint64_t return_vaddr_of(const struct object_file *file, const struct answer *answer)
{
	uint64_t vaddr = answer->vaddr + 1;

	return object_machine(file) == EM_ARM ? vaddr & ~UINT64_C(1) : vaddr;
}

static enum check_call look(const struct binary *binary, const struct answer *answer)
{
	uint64_t return_vaddr = return_vaddr_of(binary->file, answer);

	if (!answer->has_vaddr)
		return CALL_MISSING;
	if (follows_call(binary->file, return_vaddr))
		return CALL_FOUND;
	if (is_sigreturn(binary->file, return_vaddr))
		return CALL_SIGRETURN;
	return looks_made_up(binary_symbols(binary), return_vaddr) ? CALL_MADE_UP : CALL_MISSING;
}

/* An address that was placed by a guess says nothing where the guess turns out wrong. */
static bool is_evidence(const struct answer *answer)
{
	return answer->is_return && (answer->has_vaddr || !answer->is_guess);
}

static uint32_t count_evidence(const struct answer *answers, uint32_t n)
{
	uint32_t n_found = 0;

	for (uint32_t i = 0; i < n; i++)
		n_found += is_evidence(&answers[i]);
	return n_found;
}

void check_calls(const struct binary *binary, struct answer *answers, uint32_t n_answers)
{
	if (!can_tell(binary))
		return;
	uint32_t step = count_evidence(answers, n_answers) / MOST_CHECKED + 1, n_seen = 0;
	for (uint32_t i = 0; i < n_answers; i++)
		if (is_evidence(&answers[i]) && n_seen++ % step == 0)
			answers[i].call = look(binary, &answers[i]);
}

/* ---- the rows of the map ---- */

/* Of a separate debug file objcopy has packed the segments anew: no kernel maps those. */
static bool has_rows(const struct binary *binary)
{
	return binary->file && object_has_code(binary->file);
}

void check_row(const struct binary *binary, const struct mapping *row, bool end_is_open, struct check *check)
{
	struct fit_row part = {row->offset, row->limit - row->start, end_is_open};
	uint32_t n;

	if (!has_rows(binary) || are_compared(binary) || row->guesses_offset || check->n_rows == MOST_ROWS)
		return;
	const struct segment *segments = object_segments(binary->file, &n);
	check->n_rows++;
	check->n_misfit_rows += !fit_row(segments, n, &part);
}

/* ---- which addresses are return addresses ---- */

/* In other profiles the innermost address is where a thread was. */
static bool leaf_is_return(const struct profile *p)
{
	enum profile_family family = profile_family(p);

	return family == FAMILY_HEAP || family == FAMILY_CONTENTION;
}

/* By location: what lies above it in a stack was interrupted. The kernel's own code lets signal handlers return, too. Returns
 * whether there is any. */
static bool find_returns_from_signals(const struct profile *p, const bool *is_sigreturn, bool *found)
{
	bool is_any = false;

	for (uint32_t i = 1; i < p->n_locs; i++) {
		found[i] = is_sigreturn[i] || p->objects[p->locs[i].object.row].fate == OBJECT_SPECIAL;
		is_any |= found[i];
	}
	return is_any;
}

static void add_leaves(const struct profile *p, bool *is_pc)
{
	for (uint32_t i = 0; i < p->n_stacks; i++)
		if (p->stacks[i].n)
			is_pc[p->frames[p->stacks[i].first].row] = true;
}

static void add_interrupted(const struct profile *p, const bool *interrupts, bool *is_pc)
{
	for (uint32_t i = 0; i < p->n_stacks; i++) {
		const loc_id *frames = &p->frames[p->stacks[i].first];

		for (uint32_t k = 1; k < p->stacks[i].n; k++)
			is_pc[frames[k].row] |= interrupts[frames[k - 1].row];
	}
}

bool *check_find_pcs(const struct profile *p, const bool *is_sigreturn)
{
	bool *is_pc = mem_zalloc(p->n_locs, sizeof *is_pc), *interrupts = mem_zalloc(p->n_locs, sizeof *interrupts);

	if (!leaf_is_return(p))
		add_leaves(p, is_pc);
	if (find_returns_from_signals(p, is_sigreturn, interrupts))
		add_interrupted(p, interrupts, is_pc);
	free(interrupts);
	return is_pc;
}

/* ---- what they say together ---- */

void check_count(const struct answer *answers, uint32_t n_answers, const bool *is_pc, struct check *check)
{
	for (uint32_t i = 0; i < n_answers; i++) {
		enum check_call call = answers[i].call;

		if (is_pc[answers[i].loc] || call == CALL_UNKNOWN || call == CALL_SIGRETURN)
			continue;
		check->n_checked++;
		check->n_bad += call != CALL_FOUND;
		check->n_nowhere += !answers[i].has_vaddr;
		check->n_made_up += call == CALL_MADE_UP;
	}
}

/* Contexts of a program's own and code by hand make a few bad ones in any build: a quarter of a few is nothing. */
enum { LEAST_BAD = 2, LEAST_FOR_QUARTER = 8 };

bool check_is_other_build(const struct check *check)
{
	uint64_t n_bad = check->n_bad, n_checked = check->n_checked;

	if (!n_checked)
		return check->n_misfit_rows > 0;
	if (n_bad < LEAST_BAD || check->n_made_up > n_bad / 2)
		return false;
	bool quarter_counts = n_bad >= LEAST_FOR_QUARTER || check->n_misfit_rows > 0;
	return 2 * n_bad > n_checked || (quarter_counts && 4 * n_bad >= n_checked);
}
