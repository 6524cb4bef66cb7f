#include "symbolize/symbolize.h"

#include "analyze/advice.h"
#include "analyze/allocators.h"
#include "symbolize/added_libs.h"
#include "symbolize/answer.h"
#include "symbolize/input_names.h"
#include "symbolize/jobs.h"
#include "symbolize/object.h"
#include "symbolize/object_job.h"
#include "symbolize/perf_map.h"
#include "symbolize/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a work for each object ---- */

struct work {
	struct job job;
	object_id object;   /* row 0: addresses in no object of a map; without a map they are looked up in the program */
	uint32_t n_misfits; /* unnamed locations at which the file has no code */
	loc_id first_misfit;
	double leaf_share, any_share; /* percent of the total: allocated at, or passing through, addresses without a name */
	struct check check;
	double doubtful_share; /* percent of the total that passes through an object that is probably of another build */
};

struct works {
	struct work *items; /* the first is that of no object */
	uint32_t n, cap;
	uint32_t *of_object; /* by object: one more than its work */
	uint32_t *of_loc;    /* by location: likewise; 0: none */
	bool *is_allocator;  /* by object: what its frames at the leaf allocate is their caller's */
	bool has_unplaced;   /* the profile has unnamed locations in no object */
};

/* All executable rows of an object together. */
static void add_code(struct binary *binary, const struct mapping *map)
{
	uint64_t end = binary->code_offset + binary->code_n_bytes, n = map->limit - map->start, its_end = map->offset + n;

	if (!binary->code_n_bytes || map->offset < binary->code_offset)
		binary->code_offset = map->offset;
	binary->code_n_bytes = (its_end > end ? its_end : end) - binary->code_offset;
}

static void add_all_code(struct works *works, const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_maps; i++) {
		uint32_t work = works->of_object[p->maps[i].object.row];

		if (p->maps[i].object.row && work)
			add_code(&works->items[work - 1].job.binary, &p->maps[i]);
	}
}

static struct job *job_of(struct works *works, const struct profile *p, const struct symbolize_opts *opts,
                          object_id object, bool is_program)
{
	if (!works->of_object[object.row]) {
		MEM_GROW(works->items, works->n, works->cap);
		works->items[works->n] = (struct work){.job = object_job(p, opts, object, is_program), .object = object};
		works->of_object[object.row] = ++works->n;
	}
	return &works->items[works->of_object[object.row] - 1].job;
}

/* True for an input whose addresses the map does not place: it has none, or one in which the user's program is not. */
static bool source_lacks_map(const struct profile *p, const struct source *source, const struct symbolize_opts *opts)
{
	return !source->has_maps || (opts->program && !p->program.row);
}

static bool lacks_maps(const struct profile *p, const struct symbolize_opts *opts)
{
	for (uint32_t i = 0; i < p->n_sources; i++)
		if (source_lacks_map(p, &p->sources[i], opts))
			return true;
	return false;
}

/* A text profile has its addresses from the unwinder; what wrote a profile.proto, or names, may have moved them. */
static bool is_return(const struct profile *p, const struct location *loc)
{
	return p->maps[loc->map.row].line && !loc->is_hint;
}

static void ask(struct job *job, const struct profile *p, uint32_t loc)
{
	MEM_GROW(job->answers, job->n_answers, job->cap_answers);
	job->answers[job->n_answers++] = (struct answer){
		.loc = loc,
		.offset = p->locs[loc].offset,
		.is_vaddr = object_job_is_link_time(p, &p->locs[loc]),
		.is_return = is_return(p, &p->locs[loc]),
		.is_guess = p->locs[loc].in_hole,
	};
}

static bool *find_allocators(const struct profile *p)
{
	bool *found = mem_zalloc(p->n_objects, sizeof *found);

	for (uint32_t i = 1; i < p->n_objects && profile_family(p) == FAMILY_HEAP; i++)
		found[i] = allocator_has_object(profile_text(p, p->objects[i].file));
	return found;
}

static void make_works(struct works *works, const struct profile *p, const struct symbolize_opts *opts,
                       const bool *stands)
{
	bool program_has_unmapped = opts->program && lacks_maps(p, opts);

	works->of_object = mem_zalloc(p->n_objects, sizeof *works->of_object);
	works->of_loc = mem_zalloc(p->n_locs, sizeof *works->of_loc);
	works->is_allocator = find_allocators(p);
	job_of(works, p, opts, (object_id){0}, program_has_unmapped);
	for (uint32_t i = 1; i < p->n_locs; i++) {
		const struct location *loc = &p->locs[i];
		bool is_program = loc->object.row ? stands[loc->object.row] : program_has_unmapped;

		/* Names that the input brings along give way to those of the program that the user named, and to no other. */
		if (loc->n_lines && !(loc->is_hint && is_program) && !opts->replaces_names)
			continue;
		works->has_unplaced |= !loc->object.row && !loc->n_lines;
		struct job *job = job_of(works, p, opts, loc->object, is_program);
		if (job->binary.path)
			ask(job, p, i);
		works->of_loc[i] = works->of_object[loc->object.row];
	}
	add_all_code(works, p);
}

static struct err *run_works(struct works *works, const struct symbolize_opts *opts)
{
	struct job **CLEANUP(mem_free_local) jobs = mem_alloc(works->n, sizeof *jobs);

	for (uint32_t i = 0; i < works->n; i++)
		jobs[i] = &works->items[i].job;
	return jobs_run(jobs, works->n, opts->n_threads, opts->progress);
}

static bool has_program_job(const struct works *works)
{
	for (uint32_t i = 0; i < works->n; i++)
		if (works->items[i].job.binary.is_program && works->items[i].job.n_answers)
			return true;
	return false;
}

static void free_works(struct works *works)
{
	for (uint32_t i = 0; i < works->n; i++)
		job_clear(&works->items[i].job);
	free(works->items);
	free(works->of_object);
	free(works->of_loc);
	free(works->is_allocator);
}

/* ---- the answers go into the profile ---- */

/* The file has no code there. A neighbour's row that was stretched over a hole was a guess; other rows speak of another
 * build. */
static void write_misfit(struct build *build, struct works *works, struct work *work, loc_id id)
{
	const struct location *loc = &build_profile(build)->locs[id.row];

	if (loc->in_hole) {
		build_unplace(build, id);
		works->of_loc[id.row] = works->of_object[0];
	} else if (!loc->n_lines && !work->n_misfits++) {
		work->first_misfit = id;
	}
}

static void write_fate(struct build *build, const struct work *work)
{
	const struct job *job = &work->job;
	enum object_fate fate = job->binary.is_wrong  ? OBJECT_WRONG
	                        : job->binary.problem ? OBJECT_MISSING
	                        : job->stripped       ? OBJECT_STRIPPED
	                                              : OBJECT_FOUND;

	build_object_fate(build, work->object, fate,
	                  job->binary.path_used ? build_cstr(build, job->binary.path_used) : (str_id){0});
	if (job->binary.file)
		build_object_time(build, work->object, object_time(job->binary.file));
	if (job->binary.used_build_id)
		build_object_build_id(build, work->object, build_cstr(build, job->binary.used_build_id));
}

static void write_work(struct build *build, struct works *works, struct work *work)
{
	const struct job *job = &work->job;

	for (uint32_t i = 0; i < job->n_answers && !job->binary.problem; i++) {
		const struct answer *answer = &job->answers[i];

		if (answer->has_vaddr)
			build_vaddr(build, (loc_id){answer->loc}, answer->vaddr);
		else
			write_misfit(build, works, work, (loc_id){answer->loc});
	}
	answers_write(build, job->answers, job->n_answers);
	if (work->object.row && job->n_answers)
		write_fate(build, work);
	diag_append(build_notes(build), &job->binary.diag);
}

/* ---- what it costs ---- */

static double weight_of(const struct profile *p, uint32_t sample)
{
	double weight = 0;

	for (uint32_t set = 0; set < p->n_sets; set++)
		weight += fabs(profile_value(p, sample, set, p->default_type));
	return weight;
}

/* What has lines by now costs nothing. False: nothing else is left. */
static bool forget_named(struct works *works, const struct profile *p)
{
	bool is_any_left = false;

	for (uint32_t i = 0; i < p->n_locs; i++) {
		if (p->locs[i].n_lines)
			works->of_loc[i] = 0;
		is_any_left |= works->of_loc[i] != 0;
	}
	return is_any_left;
}

/* Adds a sample to the works whose addresses it has no names for. */
static void weigh_sample(struct works *works, const struct profile *p, uint32_t sample, uint32_t *last, double weight)
{
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];
	bool at_leaf = true;

	for (uint32_t i = stack->first; i < stack->first + stack->n; i++) {
		uint32_t at = works->of_loc[p->frames[i].row];
		bool is_leaf = at_leaf && !works->is_allocator[p->locs[p->frames[i].row].object.row];

		at_leaf &= !is_leaf;
		if (!at)
			continue;
		if (is_leaf)
			works->items[at - 1].leaf_share += weight;
		if (last[at - 1] != sample + 1)
			works->items[at - 1].any_share += weight;
		last[at - 1] = sample + 1;
	}
}

static void weigh(struct works *works, const struct profile *p)
{
	if (!forget_named(works, p))
		return;
	uint32_t *last = mem_zalloc(works->n, sizeof *last);
	double total = 0;

	for (uint32_t i = 0; i < p->n_samples; i++) {
		double weight = weight_of(p, i);

		total += weight;
		weigh_sample(works, p, i, last, weight);
	}
	for (uint32_t i = 0; i < works->n; i++) {
		works->items[i].leaf_share = total > 0 ? 100 * works->items[i].leaf_share / total : 0;
		works->items[i].any_share = total > 0 ? 100 * works->items[i].any_share / total : 0;
	}
	free(last);
}

/* ---- is it the right build? ---- */

static bool *find_sigreturns(const struct works *works, const struct profile *p)
{
	bool *found = mem_zalloc(p->n_locs, sizeof *found);

	for (uint32_t i = 0; i < works->n; i++) {
		const struct job *job = &works->items[i].job;

		for (uint32_t k = 0; k < job->n_answers; k++)
			found[job->answers[k].loc] |= job->answers[k].call == CALL_SIGRETURN;
	}
	return found;
}

/* Rows of a text map alone: in others the writer has joined what it liked. */
static void check_rows(struct works *works, const struct profile *p, const struct source *source)
{
	uint32_t end = source->first_map + source->n_maps;

	for (uint32_t i = source->first_map; i < end; i++) {
		const struct mapping *map = &p->maps[i];
		uint32_t at = works->of_object[map->object.row];
		bool end_is_open = i + 1 == end || p->maps[i + 1].start == map->limit;

		if (at && map->object.row && map->line)
			check_row(&works->items[at - 1].job.binary, map, end_is_open, &works->items[at - 1].check);
	}
}

static void check_works(struct works *works, const struct profile *p)
{
	bool *is_sigreturn = find_sigreturns(works, p), *is_pc = check_find_pcs(p, is_sigreturn);

	for (uint32_t i = 0; i < works->n; i++)
		check_count(works->items[i].job.answers, works->items[i].job.n_answers, is_pc, &works->items[i].check);
	for (uint32_t i = 0; i < p->n_sources; i++)
		check_rows(works, p, &p->sources[i]);
	free(is_sigreturn);
	free(is_pc);
}

static bool is_doubtful(const struct work *work)
{
	return check_is_other_build(&work->check);
}

static bool has_doubtful(const struct works *works)
{
	for (uint32_t i = 0; i < works->n; i++)
		if (is_doubtful(&works->items[i]))
			return true;
	return false;
}

static void weigh_doubtful_sample(struct works *works, const struct profile *p, uint32_t sample, uint32_t *last,
                                  double share)
{
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];

	for (uint32_t i = stack->first; i < stack->first + stack->n; i++) {
		uint32_t at = works->of_object[p->locs[p->frames[i].row].object.row];

		if (!at || last[at - 1] == sample + 1)
			continue;
		works->items[at - 1].doubtful_share += share;
		last[at - 1] = sample + 1;
	}
}

static void weigh_doubtful(struct works *works, const struct profile *p)
{
	uint32_t *last = mem_zalloc(works->n, sizeof *last);
	double total = 0;

	for (uint32_t i = 0; i < p->n_samples; i++)
		total += weight_of(p, i);
	for (uint32_t i = 0; i < p->n_samples && total > 0; i++)
		weigh_doubtful_sample(works, p, i, last, 100 * weight_of(p, i) / total);
	free(last);
}

static void write_check(struct build *build, const struct work *work)
{
	const struct check *check = &work->check;

	if (work->object.row)
		build_object_calls(build, work->object, check->n_checked, check->n_checked - check->n_bad, is_doubtful(work));
}

/* ---- notes: one an object ---- */

/* An object that nothing is allocated in costs no answer: its frames are callers, and -v tells. */
static enum note_level level_of(const struct work *work)
{
	return work->leaf_share >= 0.05 ? NOTE_WARNING : NOTE_DETAIL;
}

static const char *place_in(const char *name, uint64_t line, struct arena *arena)
{
	return line ? arena_printf(arena, "%s:%" PRIu64, name, line) : name;
}

static const char *source_of_map(const struct profile *p, map_id map)
{
	for (uint32_t i = 0; i < p->n_sources; i++)
		if (map.row >= p->sources[i].first_map && map.row < p->sources[i].first_map + p->sources[i].n_maps)
			return profile_text(p, p->sources[i].name);
	return "";
}

/* The row of the input's map that gave the location its place. */
static const char *place_of_map(const struct profile *p, loc_id loc, struct arena *arena)
{
	map_id map = p->locs[loc.row].map;

	return place_in(source_of_map(p, map), p->maps[map.row].line, arena);
}

static void note_misfit(const struct work *work, const struct profile *p, struct diag *diag)
{
	const struct mapping *map = &p->maps[p->locs[work->first_misfit.row].map.row];

	diag_add(diag, NOTE_WARNING, NOTE_LOSS,
	         "%s: the map does not fit %s: expected code at file offset 0x%" PRIx64
	         "; %.1f%% of the total has frames without names (is it another build?)",
	         place_of_map(p, work->first_misfit, work->job.arena), work->job.binary.path_used, map->offset,
	         work->any_share);
}

/* What a share of the total does in an object. */
static const char *verb_of(const struct profile *p)
{
	return profile_family(p) == FAMILY_HEAP ? "is allocated" : "lies";
}

static void note_problem(const struct work *work, const struct profile *p, struct diag *diag)
{
	const struct job *job = &work->job;
	const char *place = place_of_map(p, (loc_id){job->answers[0].loc}, job->arena);

	if (job->binary.is_missing)
		diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED, "%s; %.1f%% of the total %s there and has no names",
		         job->binary.problem, work->leaf_share, verb_of(p));
	/* Another build, or something that is no file, where the map says that the program ran from it. */
	else
		diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: %s; %.1f%% of the total %s there and has no names", place,
		         job->binary.problem, work->leaf_share, verb_of(p));
}

static void note_special(const struct work *work, const struct profile *p, struct diag *diag)
{
	const char *file = profile_text(p, p->objects[work->object.row].file);

	/* The kernel's own: no file would name more of it. */
	if (*file == '[' || strncmp(file, "linux-vdso", 10) == 0)
		return;
	diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED,
	         "%s: memory or a device, and no file to look in; %.1f%% of the total %s there and has no names",
	         *file ? file : "[anon]", work->leaf_share, verb_of(p));
}

/* What lies in no object for want of a map gets a note for its source. */
static void note_unmapped(const struct work *work, const struct profile *p, const struct symbolize_opts *opts,
                          struct diag *diag)
{
	if (work->any_share > 0 && !lacks_maps(p, opts))
		diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED,
		         "%.1f%% of the total %s at addresses in no object of the map: a library that was unloaded "
		         "before the dump, or code made at run time",
		         work->leaf_share, verb_of(p));
}

/* Where the map speaks of no code at all, the note on that says as much. */
static bool should_note_doubt(const struct work *work)
{
	const struct check *check = &work->check;

	return is_doubtful(work) && (check->n_checked ? check->n_bad > check->n_nowhere : !work->n_misfits);
}

static const char *evidence_text(const struct check *check, struct arena *arena)
{
	if (!check->n_checked)
		return "the rows of the map do not fit its program headers";
	return arena_printf(arena, "%" PRIu32 " of %" PRIu32 " return addresses follow no call there", check->n_bad,
	                    check->n_checked);
}

static void note_doubt(const struct work *work, struct diag *diag)
{
	diag_add(diag, NOTE_WARNING, NOTE_LOSS,
	         "%s: probably another build than the profile's: %s; names of %.1f%% of the total are doubtful",
	         work->job.binary.path_used, evidence_text(&work->check, work->job.arena), work->doubtful_share);
}

/* What was told of this file's own damage; NULL: nothing was. */
static struct note *damage_of(const struct diag *diag, const char *path)
{
	size_t length = strlen(path);

	for (uint32_t i = 0; i < diag->n; i++) {
		const struct note *note = &diag->notes[i];

		if (note->level == NOTE_WARNING && note->kind == NOTE_UNSYMBOLIZED && strncmp(note->text, path, length) == 0 &&
		    note->text[length] == ':')
			return &diag->notes[i];
	}
	return NULL;
}

static const char *reason_of(const struct job *job)
{
	if (!job->stripped)
		return "no symbol covers some addresses";
	return job->binary.has_bad_debug ? "stripped, and its debug file cannot be read"
	                                 : "stripped, and no debug file was found";
}

/* Of an object that is damaged, one note says that and what it costs. */
static void note_unnamed(const struct work *work, const struct profile *p, struct diag *diag)
{
	const struct job *job = &work->job;
	struct note *damage = damage_of(diag, job->binary.path_used);

	if (damage)
		damage->text = arena_printf(diag->arena, "%s; %.1f%% of the total %s there and has no names", damage->text,
		                            work->leaf_share, verb_of(p));
	else
		diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED, "%s: %s; %.1f%% of the total %s there and has no names",
		         job->binary.path_used, reason_of(job), work->leaf_share, verb_of(p));
}

static void note_object(const struct work *work, const struct profile *p, struct diag *diag)
{
	const struct job *job = &work->job;
	const struct object *object = &p->objects[work->object.row];

	if (should_note_doubt(work)) {
		note_doubt(work, diag);
		return;
	}
	if (work->n_misfits)
		note_misfit(work, p, diag);
	else if (work->any_share > 0)
		note_unnamed(work, p, diag);
	if (object->deleted && !(job->binary.build_id && job->binary.used_build_id))
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN,
		         "%s: was deleted or replaced while the program ran; the names are from %s, which may be another build",
		         profile_text(p, object->file), job->binary.path_used);
}

static void note_work(const struct work *work, const struct profile *p, struct diag *diag)
{
	if (!work->job.binary.path)
		note_special(work, p, diag);
	else if (work->job.binary.problem)
		note_problem(work, p, diag);
	else
		note_object(work, p, diag);
}

/* A warning says what can be done; one after the other that says the same does not repeat it. */
static void add_advice(const struct work *work, const struct profile *p, struct diag *diag, uint32_t first,
                       const char **last)
{
	const char *advice = advice_in_a_line(p, work->object, work->job.arena);
	struct note *note = first < diag->n ? &diag->notes[first] : NULL;
	bool is_other_build = work->n_misfits && !is_doubtful(work); /* which the note asks */

	if (!note || !advice || note->level != NOTE_WARNING || note->kind == NOTE_PLAIN || is_other_build)
		return;
	if (!*last || strcmp(*last, advice) != 0)
		note->text = arena_printf(diag->arena, "%s; %s", note->text, advice);
	*last = advice;
}

static void note_works(struct works *works, const struct profile *p, struct diag *diag)
{
	const char *last = NULL;

	for (uint32_t i = 1; i < works->n; i++) {
		uint32_t first = diag->n;

		note_work(&works->items[i], p, diag);
		add_advice(&works->items[i], p, diag, first, &last);
	}
}

static bool should_have_map(const struct profile *p, const struct source *source, const struct symbolize_opts *opts,
                            double any_share)
{
	return source_lacks_map(p, source, opts) && source->n_rows &&
	       (any_share > 0 || (opts->program && !source->is_mapless));
}

static const char *missing_in(const struct source *source)
{
	if (source->has_maps)
		return "the program in the map";
	return source->n_input_lines ? "a map section (MAPPED_LIBRARIES:)" : "mappings";
}

/* Addresses of a profile without a map are looked up in the program as they are. */
static void note_sources_without_maps(const struct works *works, const struct profile *p,
                                      const struct symbolize_opts *opts, struct diag *diag)
{
	const struct work *work = &works->items[0];
	struct arena *arena = work->job.arena;
	const struct source *first = NULL;
	const char *others = "", *program = "";
	uint32_t n = 0;

	if (!works->has_unplaced)
		return;
	for (uint32_t i = 0; i < p->n_sources; i++)
		if (should_have_map(p, &p->sources[i], opts, work->any_share) && n++ == 0)
			first = &p->sources[i];
	if (!first)
		return;
	if (n > 1)
		others = arena_printf(arena, " here and in %" PRIu32 " other profile%s", n - 1, n > 2 ? "s" : "");
	if (opts->program)
		program = arena_printf(arena, "addresses%s are looked up in %s as they are, ",
		                       first->has_maps ? " outside it" : "", opts->program);
	diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: expected %s%s; %s%.1f%% of the total has frames without names",
	         place_in(profile_text(p, first->name), first->n_input_lines, arena), missing_in(first), others, program,
	         work->any_share);
}

/* ---- all together ---- */

static void finish(struct build *build, struct works *works, const struct symbolize_opts *opts)
{
	const struct profile *p = build_profile(build);

	for (uint32_t i = 0; i < works->n; i++)
		write_work(build, works, &works->items[i]);
	weigh(works, p);
	check_works(works, p);
	if (has_doubtful(works))
		weigh_doubtful(works, p);
	for (uint32_t i = 0; i < works->n; i++)
		write_check(build, &works->items[i]);
	note_works(works, p, build_notes(build));
	note_unmapped(&works->items[0], p, opts, build_notes(build));
	note_sources_without_maps(works, p, opts, build_notes(build));
}

static void mark_specials(struct build *build)
{
	const struct profile *p = build_profile(build);

	for (uint32_t i = 1; i < p->n_objects; i++)
		if (program_is_special_name(profile_text(p, p->objects[i].file)))
			build_object_fate(build, (object_id){i}, OBJECT_SPECIAL, (str_id){0});
}

static void set_build_id(struct build *build, const struct symbolize_opts *opts)
{
	object_id object = program_first(build_profile(build));

	if (!opts->build_id)
		return;
	if (object.row)
		build_set_build_id(build, object, build_cstr(build, opts->build_id));
	else
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN, "--buildid=%s: the profile has no program to be its",
		         opts->build_id);
}

/* What the user gave for addresses that no file of the map has code for. */
static struct err *name_fileless(struct build *build, const struct symbolize_opts *opts)
{
	struct err *err = opts->perf_map ? perf_map_name(build, opts->perf_map, opts->names) : NULL;

	return err ? err : added_libs_name(build, opts);
}

struct err *symbolize(struct build *build, const struct symbolize_opts *opts)
{
	const struct profile *p = build_profile(build);
	struct works works = {0};
	bool *stands = mem_zalloc(p->n_objects, sizeof *stands);

	mark_specials(build);
	set_build_id(build, opts);
	input_names_demangle(build, opts);
	build_set_program(build,
	                  opts->program ? program_choose(p, opts->program, stands, build_notes(build)) : program_first(p));
	build_join_objects(build, stands, p->program);
	if (opts->is_off) {
		free(stands);
		return NULL;
	}
	struct err *err = name_fileless(build, opts);
	make_works(&works, p, opts, stands);
	free(stands);
	if (!err)
		err = run_works(&works, opts);
	/* A program without a job is not opened otherwise; one that cannot be used is refused all the same. */
	if (!err && opts->program && !has_program_job(&works))
		err = binary_check_program(opts->program);
	if (!err)
		finish(build, &works, opts);
	free_works(&works);
	return err;
}
