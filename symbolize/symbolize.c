#include "symbolize/symbolize.h"

#include "analyze/allocators.h"
#include "analyze/base/file.h"
#include "analyze/base/pool.h"
#include "symbolize/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- which object of the map the program stands for ---- */

static bool is_program_like(const struct object *object, const char *file)
{
	/* Devices, and what the kernel or a loader names like files without there being any. */
	static const char *const others[] = {"/dev/", "//anon", "/memfd:"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strncmp(file, others[i], strlen(others[i])) == 0)
			return false;
	return object->fate != OBJECT_SPECIAL && *file == '/' && !file_is_library(file);
}

/* How sure it is that the user's program is this object: 0 not at all, then the base name, the inode, the path. */
static int match_program(const struct profile *p, const struct object *object, const char *program, const char *real,
                         ino_t inode)
{
	const char *file = profile_text(p, object->file);

	if (object->fate == OBJECT_SPECIAL)
		return 0;
	if (strcmp(file, program) == 0 || strcmp(file, real) == 0)
		return 3;
	if (object->inode && object->inode == inode && is_program_like(object, file))
		return 2;
	return strcmp(file_base(file), file_base(program)) == 0 || strcmp(file_base(file), file_base(real)) == 0;
}

static object_id first_program(const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_maps; i++) {
		const struct object *object = &p->objects[p->maps[i].object.row];

		if (is_program_like(object, profile_text(p, object->file)))
			return p->maps[i].object;
	}
	return (object_id){0};
}

/* Marks the objects that the program stands for in stands[], by row; returns the main one. */
static object_id choose_program(const struct profile *p, const char *program, bool *stands, struct diag *diag)
{
	char *real = realpath(program, NULL);
	struct stat st = {0};
	object_id chosen = {0};
	int best = 0;

	stat(program, &st);
	for (uint32_t i = 1; i < p->n_objects; i++) {
		int match = match_program(p, &p->objects[i], program, real ? real : program, st.st_ino);

		if (match > best) {
			best = match;
			chosen = (object_id){i};
			memset(stands, 0, p->n_objects * sizeof *stands);
		}
		stands[i] = match && match == best;
	}
	free(real);
	if (!chosen.row && (chosen = first_program(p)).row) {
		stands[chosen.row] = true;
		diag_add(diag, NOTE_INFO, NOTE_PLAIN, "%s is taken for %s, the first program of the map", program,
		         profile_text(p, p->objects[chosen.row].file));
	} else if (chosen.row) {
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s is taken for %s of the map", program,
		         profile_text(p, p->objects[chosen.row].file));
	}
	return chosen;
}

/* ---- a work for each object ---- */

struct work {
	struct job job;
	object_id object; /* row 0: addresses in no object of a map; without a map they are looked up in the program */
	double leaf_share, any_share; /* percent of the total: allocated at, or passing through, addresses without a name */
};

struct works {
	struct work *items;
	uint32_t n, cap;
	uint32_t *of_object; /* by object: one more than its work */
	uint32_t *of_loc;    /* by location: likewise; 0: none */
};

static const char *path_of(const struct profile *p, const struct symbolize_opts *opts, object_id object,
                           bool is_program)
{
	if (is_program)
		return opts->program;
	return object.row ? profile_text(p, p->objects[object.row].file) : NULL;
}

static struct job *job_of(struct works *works, const struct profile *p, const struct symbolize_opts *opts,
                          object_id object, bool is_program)
{
	if (!works->of_object[object.row]) {
		MEM_GROW(works->items, works->n, works->cap);
		works->items[works->n] = (struct work){.object = object};
		works->items[works->n].job = (struct job){
			.path = path_of(p, opts, object, is_program),
			.sysroot = opts->sysroot,
			.is_program = is_program,
			.has_no_map = !object.row,
			.want_full_names = opts->want_full_names,
			.arena = arena_new(),
		};
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

static void make_works(struct works *works, const struct profile *p, const struct symbolize_opts *opts,
                       const bool *stands)
{
	bool program_has_unmapped = opts->program && lacks_maps(p, opts);

	works->of_object = mem_zalloc(p->n_objects, sizeof *works->of_object);
	works->of_loc = mem_zalloc(p->n_locs, sizeof *works->of_loc);
	for (uint32_t i = 1; i < p->n_locs; i++) {
		const struct location *loc = &p->locs[i];
		bool is_program = loc->object.row ? stands[loc->object.row] : program_has_unmapped;

		if (loc->n_lines || p->objects[loc->object.row].fate == OBJECT_SPECIAL)
			continue;
		struct job *job = job_of(works, p, opts, loc->object, is_program);
		MEM_GROW(job->answers, job->n_answers, job->cap_answers);
		job->answers[job->n_answers++] = (struct answer){.loc = i, .offset = loc->offset};
		works->of_loc[i] = works->of_object[loc->object.row];
	}
}

static struct err *run_work(void *context, uint32_t number)
{
	return job_run(&((struct work *)context)[number].job);
}

static bool has_program_job(const struct works *works)
{
	for (uint32_t i = 0; i < works->n; i++)
		if (works->items[i].job.is_program)
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
}

/* ---- the answers go into the profile ---- */

static func_id write_func(struct build *build, const struct answer_frame *frame)
{
	struct function func = {
		.name = build_cstr(build, frame->name->shown),
		.full_name = frame->name->full ? build_cstr(build, frame->name->full) : (str_id){0},
		.system_name = build_cstr(build, frame->name->system_name),
		.file = build_cstr(build, frame->file),
		.start_line = frame->start_line,
	};

	return build_func(build, &func);
}

static void write_answer(struct build *build, const struct answer *answer)
{
	struct line *lines = mem_alloc(answer->n_frames, sizeof *lines);

	for (uint32_t i = 0; i < answer->n_frames; i++)
		lines[i] = (struct line){write_func(build, &answer->frames[i]), answer->frames[i].line};
	build_lines(build, (loc_id){answer->loc}, lines, answer->n_frames);
	free(lines);
}

static void write_answers(struct build *build, const struct work *work)
{
	const struct job *job = &work->job;
	str_id path = job->path_used ? build_cstr(build, job->path_used) : (str_id){0};

	for (uint32_t i = 0; i < job->n_answers; i++) {
		if (job->answers[i].has_vaddr)
			build_vaddr(build, (loc_id){job->answers[i].loc}, job->answers[i].vaddr);
		if (job->answers[i].n_frames)
			write_answer(build, &job->answers[i]);
	}
	if (work->object.row)
		build_object_fate(build, work->object, job->problem ? OBJECT_MISSING : OBJECT_FOUND, path);
	diag_append(build_notes(build), &job->diag);
}

/* ---- what it costs ---- */

static double weight_of(const struct profile *p, uint32_t sample)
{
	double weight = 0;

	for (uint32_t set = 0; set < p->n_sets; set++)
		weight += fabs(profile_value(p, sample, set, p->default_type));
	return weight;
}

/* Adds a sample to the works whose addresses it has no names for. */
static void weigh_sample(struct works *works, const struct profile *p, uint32_t sample, uint32_t *last, double weight)
{
	const struct stack *stack = &p->stacks[p->sample_stacks[sample].row];
	bool at_leaf = true;

	for (uint32_t i = stack->first; i < stack->first + stack->n; i++) {
		const struct location *loc = &p->locs[p->frames[i].row];
		uint32_t at = works->of_loc[p->frames[i].row];
		bool is_leaf = at_leaf && !allocator_has_object(profile_text(p, p->objects[loc->object.row].file));

		at_leaf &= !is_leaf;
		if (!at || loc->n_lines)
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

/* ---- notes: one an object ---- */

/* An object that nothing is allocated in costs no answer: its frames are callers, and -v tells. */
static enum note_level level_of(const struct work *work)
{
	return work->leaf_share >= 0.05 ? NOTE_WARNING : NOTE_DETAIL;
}

static const char *source_of_map(const struct profile *p, map_id map)
{
	for (uint32_t i = 0; i < p->n_sources; i++)
		if (map.row >= p->sources[i].first_map && map.row < p->sources[i].first_map + p->sources[i].n_maps)
			return profile_text(p, p->sources[i].name);
	return "";
}

static void note_misfit(const struct work *work, const struct profile *p, struct diag *diag)
{
	const struct job *job = &work->job;
	map_id map = p->locs[job->answers[job->first_misfit].loc].map;

	diag_add(diag, NOTE_WARNING, NOTE_LOSS,
	         "%s:%" PRIu32 ": the map does not fit %s: expected code at file offset 0x%" PRIx64
	         "; %.1f%% of the total has frames without names (is it another build?)",
	         source_of_map(p, map), p->maps[map.row].line, job->path_used, p->maps[map.row].offset, work->any_share);
}

static void note_problem(const struct work *work, const struct profile *p, const struct symbolize_opts *opts,
                         struct diag *diag)
{
	bool is_strange = work->object.row && !work->job.is_missing;
	map_id map = p->locs[work->job.answers[0].loc].map;

	/* Something that is no file, where the map says that the program ran from it. */
	if (is_strange)
		diag_add(diag, NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu32 ": %s; %.1f%% of the total is allocated there and has no names", source_of_map(p, map),
		         p->maps[map.row].line, work->job.problem, work->leaf_share);
	/* What lies in no object for want of a map gets one note for its whole source. */
	else if (work->object.row || !lacks_maps(p, opts))
		diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED, "%s; %.1f%% of the total is allocated there and has no names",
		         work->job.problem, work->leaf_share);
}

static void note_work(const struct work *work, const struct profile *p, const struct symbolize_opts *opts,
                      struct diag *diag)
{
	const struct job *job = &work->job;
	const struct object *object = &p->objects[work->object.row];

	if (job->problem) {
		note_problem(work, p, opts, diag);
		return;
	}
	if (!work->object.row)
		return;
	if (job->n_misfits)
		note_misfit(work, p, diag);
	else if (work->any_share > 0)
		diag_add(diag, level_of(work), NOTE_UNSYMBOLIZED,
		         "%s: %s; %.1f%% of the total is allocated there and has no names", job->path_used,
		         job->stripped ? "stripped, and no debug file was found" : "no symbol covers some addresses",
		         work->leaf_share);
	if (object->deleted)
		diag_add(diag, NOTE_WARNING, NOTE_PLAIN,
		         "%s: was deleted or replaced while the program ran; the names are from %s, which may be another build",
		         profile_text(p, object->file), job->path_used);
}

/* Addresses of a profile without a map are looked up in the program as they are. */
static void note_sources_without_maps(const struct works *works, const struct profile *p,
                                      const struct symbolize_opts *opts, struct diag *diag)
{
	const struct work *work = works->of_object[0] ? &works->items[works->of_object[0] - 1] : NULL;

	for (uint32_t i = 0; i < p->n_sources; i++) {
		const struct source *source = &p->sources[i];
		struct arena *arena = arena_new();

		if (source_lacks_map(p, source, opts) && source->n_rows)
			diag_add(diag, NOTE_WARNING, NOTE_LOSS,
			         "%s:%" PRIu64 ": expected %s; %s%.1f%% of the total has frames without names",
			         profile_text(p, source->name), source->n_input_lines,
			         source->has_maps ? "the program in the map" : "a map section (MAPPED_LIBRARIES:)",
			         opts->program ? arena_printf(arena, "addresses%s are looked up in %s as they are, ",
			                                      source->has_maps ? " outside it" : "", opts->program)
			                       : "",
			         work ? work->any_share : 0.0);
		arena_free(arena);
	}
}

/* ---- all together ---- */

static void finish(struct build *build, struct works *works, const struct symbolize_opts *opts)
{
	const struct profile *p = build_profile(build);

	for (uint32_t i = 0; i < works->n; i++)
		write_answers(build, &works->items[i]);
	weigh(works, p);
	for (uint32_t i = 0; i < works->n; i++)
		note_work(&works->items[i], p, opts, build_notes(build));
	note_sources_without_maps(works, p, opts, build_notes(build));
}

struct err *symbolize(struct build *build, const struct symbolize_opts *opts)
{
	const struct profile *p = build_profile(build);
	struct works works = {0};
	bool *stands = mem_zalloc(p->n_objects, sizeof *stands);
	build_set_program(build,
	                  opts->program ? choose_program(p, opts->program, stands, build_notes(build)) : first_program(p));
	make_works(&works, p, opts, stands);
	free(stands);
	struct err *err = pool_run(opts->n_threads, works.n, run_work, works.items);
	/* A program without a job is not opened otherwise; one that cannot be used is refused all the same. */
	if (!err && opts->program && !has_program_job(&works))
		err = job_check_program(opts->program);
	if (!err)
		finish(build, &works, opts);
	free_works(&works);
	return err;
}
