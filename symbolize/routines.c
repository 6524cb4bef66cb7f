#include "symbolize/routines.h"

#include "analyze/base/file.h"
#include "symbolize/jobs.h"
#include "symbolize/object_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What lies so near to each other is read in one run of objdump; and so much is read in all. Behind so many frames, an
 * instruction has its innermost one alone: a hostile file may have 512 for each. */
enum { NEAR = 16 << 10, MOST_INSTS = 1 << 20, MOST_FRAMES = 8 << 20 };
/* No routine is longer than the largest that compilers make by far. */
static const uint64_t LONGEST_ROUTINE = 16 << 20;
static const char TOO_MANY[] = "there are too many instructions";

/* An object with routines. */
struct place {
	object_id object;
	bool is_program;
	uint32_t first, end; /* of the finder's routines */
	const char *path;    /* of its file */
	struct job job;      /* for its lines */
};

struct finder {
	const struct profile *p;
	struct symbolize_opts opts;
	const struct disasm_opts *disasm;
	struct arena *arena;
	struct diag *diag;
	struct code *code;
	uint32_t *locs; /* all of them, by object */
	struct place *places;
	uint32_t n_places, cap_places, cap_routines, cap_insts, cap_frames;
	struct disasm_use use;
};

/* ---- the routines of an object ---- */

static bool find_vaddr(const struct finder *finder, const struct binary *binary, uint32_t loc, uint64_t *ret)
{
	const struct location *at = &finder->p->locs[loc];

	*ret = at->offset;
	return (object_job_is_link_time(finder->p, at) || binary_vaddr(binary, at->offset, ret)) &&
	       object_has_code_at(binary->file, *ret);
}

/* The address that the user typed is one of this run, or a link-time one. */
static bool holds_address(const struct finder *finder, const struct symbol *symbol, uint32_t loc, uint64_t vaddr)
{
	uint64_t address = finder->code->address, moved = address - (finder->p->locs[loc].addr - vaddr);

	return address - symbol->vaddr < symbol->size || moved - symbol->vaddr < symbol->size;
}

static void add_routine(struct finder *finder, object_id object, const struct symbol *symbol)
{
	struct code *code = finder->code;
	uint64_t size = symbol->size < LONGEST_ROUTINE ? symbol->size : LONGEST_ROUTINE;

	MEM_GROW(code->routines, code->n_routines, finder->cap_routines);
	code->routines[code->n_routines++] = (struct code_routine){
		.symbol = arena_strndup(finder->arena, symbol->name, strlen(symbol->name)),
		.object = object,
		.start = symbol->vaddr,
		.end = symbol->vaddr + size,
		.problem = size < symbol->size ? "the symbol is too long" : NULL,
	};
}

/* Of symbols that begin together, the longest one first, for it has the code of all. */
static int by_start(const void *x, const void *y)
{
	const struct code_routine *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return strcmp(a->symbol, b->symbol);
}

/* The number of the routine that holds the address, or the finder's n_routines. */
static uint32_t routine_at(const struct code *code, uint32_t first, uint64_t vaddr)
{
	uint32_t low = first, high = code->n_routines;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (code->routines[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first && vaddr < code->routines[low - 1].end ? low - 1 : code->n_routines;
}

static void sort_routines(struct code *code, uint32_t first)
{
	uint32_t n = first;

	if (code->n_routines == first)
		return;
	qsort(code->routines + first, code->n_routines - first, sizeof *code->routines, by_start);
	for (uint32_t i = first; i < code->n_routines; i++)
		if (i == first || code->routines[i].start != code->routines[n - 1].start)
			code->routines[n++] = code->routines[i];
	code->n_routines = n;
}

/* Those that hold a location that is wanted; counts the wanted ones without a routine. */
static uint32_t add_routines(struct finder *finder, struct binary *binary, const uint32_t *locs, uint32_t n)
{
	struct object_file *symbols = binary_symbols(binary);
	struct symbol last = {0}, symbol;
	uint32_t n_without = 0;
	uint64_t vaddr;

	for (uint32_t i = 0; i < n; i++) {
		if (!finder->code->wanted[locs[i]] || !find_vaddr(finder, binary, locs[i], &vaddr))
			continue;
		if (!object_symbol(symbols, vaddr, &symbol)) {
			n_without++;
		} else if (symbol.name == last.name && symbol.vaddr == last.vaddr) {
			continue;
		} else if (!finder->code->by_address || holds_address(finder, &symbol, locs[i], vaddr)) {
			add_routine(finder, finder->p->locs[locs[i]].object, &symbol);
			last = symbol;
		}
	}
	return n_without;
}

/* Whatever lies in a routine that is shown counts there, wanted or not; of those that lie in each other, in the innermost. */
static void place_locs(struct finder *finder, const struct binary *binary, uint32_t first, const uint32_t *locs,
                       uint32_t n)
{
	struct object_file *symbols = binary_symbols(binary);
	struct code *code = finder->code;

	for (uint32_t i = 0; i < n; i++) {
		struct symbol symbol;
		uint64_t vaddr;

		if (!find_vaddr(finder, binary, locs[i], &vaddr))
			continue;
		uint32_t routine = routine_at(code, first, object_symbol(symbols, vaddr, &symbol) ? symbol.vaddr : vaddr);
		if (routine == code->n_routines)
			continue;
		code->routine_of[locs[i]] = routine + 1;
		code->vaddr_of[locs[i]] = vaddr;
	}
}

static void look_into(struct finder *finder, struct binary *binary, struct place *place, const uint32_t *locs,
                      uint32_t n)
{
	uint32_t n_without = add_routines(finder, binary, locs, n);

	sort_routines(finder->code, place->first);
	place->end = finder->code->n_routines;
	place_locs(finder, binary, place->first, locs, n);
	place->path = arena_strndup(finder->arena, binary->path_used, strlen(binary->path_used));
	if (n_without && !finder->code->by_address)
		diag_add(finder->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
		         "%s: no symbol covers %" PRIu32 " of the addresses that match; they are not shown", binary->path_used,
		         n_without);
}

/* ---- all objects ---- */

static bool is_any_wanted(const struct finder *finder, const uint32_t *locs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (finder->code->wanted[locs[i]])
			return true;
	return false;
}

static const char *why_not(const struct finder *finder, const struct binary *binary)
{
	if (binary->problem)
		return binary->problem;
	return arena_printf(finder->arena, "%s: expected a program or library, found a debug file", binary->path_used);
}

static void open_object(struct finder *finder, object_id object, const uint32_t *locs, uint32_t n)
{
	bool is_program = finder->opts.program && object.row == finder->p->program.row;
	struct place place = {.object = object, .is_program = is_program, .first = finder->code->n_routines};
	struct job job = object_job(finder->p, &finder->opts, object, is_program);
	struct binary *binary = &job.binary;

	/* The program was opened before; it is still no error when it cannot be now. */
	struct err *err = binary->path ? binary_open(binary) : NULL;
	if (!err && binary->file && object_has_code(binary->file))
		look_into(finder, binary, &place, locs, n);
	else if (binary->path && !finder->code->by_address)
		diag_add(finder->diag, NOTE_WARNING, NOTE_PLAIN, "%s; its code cannot be shown",
		         err ? err_text(err) : why_not(finder, binary));
	err_free(err);
	job_clear(&job);
	if (place.end <= place.first)
		return;
	MEM_GROW(finder->places, finder->n_places, finder->cap_places);
	finder->places[finder->n_places++] = place;
}

static int by_object(const void *x, const void *y, void *context)
{
	const uint32_t *a = x, *b = y;
	const struct profile *p = context;
	uint32_t a_object = p->locs[*a].object.row, b_object = p->locs[*b].object.row;

	return a_object != b_object ? (a_object < b_object ? -1 : 1) : (*a > *b) - (*a < *b);
}

static void open_objects(struct finder *finder)
{
	const struct profile *p = finder->p;
	uint32_t n = p->n_locs;

	finder->locs = mem_alloc(n, sizeof *finder->locs);
	for (uint32_t i = 0; i < n; i++)
		finder->locs[i] = i;
	qsort_r(finder->locs, n, sizeof *finder->locs, by_object, (void *)(uintptr_t)p);
	for (uint32_t i = 0, end; i < n; i = end) {
		object_id object = p->locs[finder->locs[i]].object;

		for (end = i; end < n && p->locs[finder->locs[end]].object.row == object.row;)
			end++;
		if (is_any_wanted(finder, finder->locs + i, end - i))
			open_object(finder, object, finder->locs + i, end - i);
	}
}

/* ---- instructions ---- */

/* The first instruction at the address or behind it. */
static uint32_t inst_from(const struct disasm_insts *insts, uint64_t vaddr)
{
	uint32_t low = 0, high = insts->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (insts->at[middle].vaddr < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_insts(struct finder *finder, struct code_routine *routine, const struct disasm_insts *insts,
                       const char *problem)
{
	struct code *code = finder->code;

	routine->first_inst = code->n_insts;
	for (uint32_t i = inst_from(insts, routine->start); i < insts->n && insts->at[i].vaddr < routine->end; i++) {
		if (code->n_insts == MOST_INSTS) {
			problem = TOO_MANY;
			break;
		}
		MEM_GROW(code->insts, code->n_insts, finder->cap_insts);
		code->insts[code->n_insts++] = (struct code_inst){.vaddr = insts->at[i].vaddr, .text = insts->at[i].text};
	}
	routine->n_insts = code->n_insts - routine->first_inst;
	if (problem)
		routine->problem = problem;
}

/* Routines first .. end-1, in one run. */
static struct err *disassemble(struct finder *finder, int fd, uint32_t first, uint32_t end)
{
	struct code_routine *routines = finder->code->routines;
	struct disasm_insts insts = {0};
	const char *problem = finder->code->n_insts == MOST_INSTS ? TOO_MANY : NULL;
	struct err *err = problem ? NULL
	                          : disasm_range(finder->disasm, fd, routines[first].start, routines[end - 1].end,
	                                         &finder->use, finder->arena, &insts, &problem);

	for (uint32_t i = first; i < end && !err; i++)
		take_insts(finder, &routines[i], &insts, problem);
	free(insts.at);
	return err;
}

static void say_problem(struct finder *finder, const struct place *place, const char *problem)
{
	for (uint32_t i = place->first; i < place->end; i++)
		finder->code->routines[i].problem = problem;
}

static struct err *disassemble_place(struct finder *finder, const struct place *place)
{
	const struct code_routine *routines = finder->code->routines;
	int fd;

	struct err *err = file_open_regular(place->path, &fd);
	if (err) {
		say_problem(finder, place, arena_strndup(finder->arena, err_text(err), strlen(err_text(err))));
		err_free(err);
		return NULL;
	}
	for (uint32_t i = place->first, end; i < place->end && !err; i = end) {
		for (end = i + 1; end < place->end && routines[end].start - routines[end - 1].end <= NEAR;)
			end++;
		err = disassemble(finder, fd, i, end);
	}
	close(fd);
	return err;
}

static struct err *disassemble_all(struct finder *finder)
{
	struct err *err = NULL;

	for (uint32_t i = 0; i < finder->n_places && !err; i++)
		err = disassemble_place(finder, &finder->places[i]);
	return err;
}

/* ---- functions, files and lines ---- */

static void ask_lines(struct finder *finder, struct place *place)
{
	const struct code *code = finder->code;
	struct job *job = &place->job;

	*job = object_job(finder->p, &finder->opts, place->object, place->is_program);
	for (uint32_t i = place->first; i < place->end; i++)
		for (uint32_t k = 0; k < code->routines[i].n_insts; k++) {
			uint32_t inst = code->routines[i].first_inst + k;

			MEM_GROW(job->answers, job->n_answers, job->cap_answers);
			job->answers[job->n_answers++] =
				(struct answer){.loc = inst, .offset = code->insts[inst].vaddr, .is_vaddr = true};
		}
}

/* Copies texts that die with their job, each once. */
struct copies {
	struct arena *arena;
	struct addrs places;
	const char **texts;
	uint32_t cap;
};

static const char *copy_text(struct copies *copies, const char *text)
{
	uint32_t n = copies->places.n, place = addrs_number(&copies->places, (uintptr_t)text);

	if (place < n)
		return copies->texts[place];
	MEM_GROW(copies->texts, n, copies->cap);
	return copies->texts[place] = arena_strndup(copies->arena, text, strlen(text));
}

static void take_frames(struct finder *finder, struct copies *copies, const struct answer *answer)
{
	struct code *code = finder->code;
	struct code_inst *inst = &code->insts[answer->loc];
	uint32_t n = answer->n_frames && code->n_frames > MOST_FRAMES ? 1 : answer->n_frames;

	inst->first_frame = code->n_frames;
	inst->n_frames = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct answer_frame *frame = &answer->frames[i];

		MEM_GROW(code->frames, code->n_frames, finder->cap_frames);
		code->frames[code->n_frames++] = (struct code_frame){
			.name = copy_text(copies, frame->name->shown),
			.file = copy_text(copies, frame->file),
			.line = frame->line,
		};
	}
}

/* The function that has code of its own is the symbol's, if its name says so. */
static void name_routine(struct code_routine *routine, struct copies *copies, const struct answer *answer)
{
	const struct name *name = answer->n_frames ? answer->frames[answer->n_frames - 1].name : NULL;

	if (name && name->full && strcmp(name->system_name, routine->symbol) == 0 &&
	    strcmp(name->full, routine->symbol) != 0)
		routine->name = copy_text(copies, name->full);
}

static void take_lines(struct finder *finder, const struct place *place)
{
	struct copies copies = {.arena = finder->arena};
	const struct answer *answer = place->job.answers;

	for (uint32_t i = place->first; i < place->end; i++)
		for (uint32_t k = 0; k < finder->code->routines[i].n_insts; k++, answer++) {
			take_frames(finder, &copies, answer);
			if (k == 0)
				name_routine(&finder->code->routines[i], &copies, answer);
		}
	addrs_free(&copies.places);
	free(copies.texts);
}

static bool is_told(const struct diag *diag, const char *text)
{
	for (uint32_t i = 0; i < diag->n; i++)
		if (strcmp(diag->notes[i].text, text) == 0)
			return true;
	return false;
}

/* What is wrong with an object was told when it gave names, but for what went wrong since. */
static void tell_news(struct finder *finder, const struct diag *notes)
{
	for (uint32_t i = 0; i < notes->n; i++) {
		const struct note *note = &notes->notes[i];

		if (note->level == NOTE_WARNING && !is_told(&finder->p->notes, note->text) &&
		    !is_told(finder->diag, note->text))
			diag_add(finder->diag, note->level, note->kind, "%s", note->text);
	}
}

static struct err *find_lines(struct finder *finder)
{
	struct job **CLEANUP(mem_free_local) jobs = mem_alloc(finder->n_places, sizeof *jobs);

	for (uint32_t i = 0; i < finder->n_places; i++) {
		ask_lines(finder, &finder->places[i]);
		jobs[i] = &finder->places[i].job;
	}
	struct err *err = jobs_run(jobs, finder->n_places, finder->opts.n_threads, NULL);
	for (uint32_t i = 0; i < finder->n_places; i++) {
		if (!err)
			take_lines(finder, &finder->places[i]);
		tell_news(finder, &finder->places[i].job.binary.diag);
		job_clear(&finder->places[i].job);
	}
	return err;
}

/* ---- the order ---- */

static int by_symbol(const void *x, const void *y, void *context)
{
	const struct code_routine *routines = context;
	const struct code_routine *a = &routines[*(const uint32_t *)x], *b = &routines[*(const uint32_t *)y];
	int order = strcmp(a->symbol, b->symbol);

	if (!order)
		order = (a->object.row > b->object.row) - (a->object.row < b->object.row);
	return order ? order : by_start(a, b);
}

static void put_in_order(struct finder *finder)
{
	struct code *code = finder->code;
	uint32_t n = code->n_routines;
	uint32_t *order = mem_alloc(n, sizeof *order), *place = mem_alloc(n, sizeof *place);
	struct code_routine *sorted = mem_alloc(n, sizeof *sorted);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof *order, by_symbol, code->routines);
	for (uint32_t i = 0; i < n; i++) {
		sorted[i] = code->routines[order[i]];
		place[order[i]] = i;
	}
	for (uint32_t i = 0; i < finder->p->n_locs; i++)
		if (code->routine_of[i])
			code->routine_of[i] = place[code->routine_of[i] - 1] + 1;
	free(code->routines);
	code->routines = sorted;
	free(order);
	free(place);
}

struct err *routines_find(const struct profile *profile, const struct symbolize_opts *opts,
                          const struct disasm_opts *disasm, struct arena *arena, struct diag *diag, struct code *code)
{
	struct finder finder = {.p = profile, .opts = *opts, .disasm = disasm, .arena = arena, .diag = diag, .code = code};

	/* One address of a profile stands for many of its routine: they would crowd the cache. */
	finder.opts.cache_folder = NULL;
	finder.opts.want_full_names = true;
	code->routine_of = mem_zalloc(profile->n_locs, sizeof *code->routine_of);
	code->vaddr_of = mem_zalloc(profile->n_locs, sizeof *code->vaddr_of);
	open_objects(&finder);
	struct err *err = disassemble_all(&finder);
	if (!err)
		err = find_lines(&finder);
	if (!err && code->n_routines)
		put_in_order(&finder);
	if (err)
		code->n_routines = 0;
	free(finder.locs);
	free(finder.places);
	return err;
}
