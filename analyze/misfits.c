#include "analyze/misfits.h"

#include "analyze/base/file.h"
#include "analyze/snapshots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	OTHER_PROGRAM,
	OTHER_MEASURE,
	EARLIER,     /* by the clock */
	LOWER,       /* by the number in its name */
	STARTED_NEW, /* the program, in between */
	MISSING,     /* one in between, by the numbers in the names */
	SAME_VALUES,
	GIVEN_AGAIN,
	N_KINDS,
};

/* How often a kind is met, and the first two snapshots of which it is true. */
struct found {
	uint32_t n, before, after;
};

struct misfits {
	const struct profile *p;
	struct arena *arena;
	uint32_t n; /* snapshots */
	const struct source **sources;
	struct found found[N_KINDS];
	object_id *programs; /* by snapshot; row 0: not known */
	bool *starts_new;    /* by snapshot: the program was started again since the one before */
	int64_t *steps;      /* by snapshot: from the number in the name of the one before; 0: not known */
	int64_t usual_step;  /* of more than half of them; 0: there is none */
	uint32_t n_times;    /* snapshots that know when they were taken */
};

static void find(struct misfits *misfits, enum kind kind, uint32_t before, uint32_t after)
{
	struct found *found = &misfits->found[kind];

	if (!found->n++) {
		found->before = before;
		found->after = after;
	}
}

/* ---- the program ---- */

static bool is_file(const struct profile *p, object_id object)
{
	return object.row && p->objects[object.row].fate != OBJECT_SPECIAL;
}

/* The first file of the map that is no library. */
static object_id program_of(const struct profile *p, const struct source *source)
{
	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		object_id object = p->maps[i].object;

		if (is_file(p, object) && !file_is_library(profile_text(p, p->objects[object.row].file)))
			return object;
	}
	return (object_id){0};
}

static void compare_programs(struct misfits *misfits)
{
	uint32_t before = misfits->n;

	for (uint32_t i = 0; i < misfits->n; i++) {
		misfits->programs[i] = program_of(misfits->p, misfits->sources[i]);
		if (!misfits->programs[i].row)
			continue;
		if (before < misfits->n && misfits->programs[i].row != misfits->programs[before].row)
			find(misfits, OTHER_PROGRAM, before, i);
		before = i;
	}
}

/* ---- how values came about ---- */

/* A proto may be made of any of the others, and one with symbols is. */
static bool is_converted(const struct profile *p, const struct source *source)
{
	const char *format = profile_text(p, source->format);

	return strcmp(format, "proto") == 0 || strcmp(format, "symbolized") == 0;
}

static bool is_measured_alike(const struct profile *p, const struct source *a, const struct source *b)
{
	if (a->format.row != b->format.row)
		return is_converted(p, a) || is_converted(p, b);
	return a->rule.row == b->rule.row && a->period == b->period;
}

static void compare_measures(struct misfits *misfits)
{
	for (uint32_t i = 1; i < misfits->n; i++)
		if (!is_measured_alike(misfits->p, misfits->sources[i - 1], misfits->sources[i]))
			find(misfits, OTHER_MEASURE, i - 1, i);
}

/* ---- time and number ---- */

static void compare_times(struct misfits *misfits)
{
	uint32_t before = misfits->n;

	for (uint32_t i = 0; i < misfits->n; i++) {
		int64_t time = misfits->sources[i]->time_nanos;

		if (!time)
			continue;
		if (before < misfits->n && time < misfits->sources[before]->time_nanos)
			find(misfits, EARLIER, before, i);
		before = i;
		misfits->n_times++;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* False: these are too many digits for a number, or none. *at moves behind them. */
static bool take_number(const char **at, int64_t *ret)
{
	const char *begin = *at;

	*ret = 0;
	for (; is_digit(**at) && *at - begin < 18; (*at)++)
		*ret = 10 * *ret + (**at - '0');
	return *at > begin && !is_digit(**at);
}

/* Equal, but for numbers in them. */
static bool are_alike(const char *a, const char *b)
{
	while (*a && (*a == *b || (is_digit(*a) && is_digit(*b)))) {
		bool is_number = is_digit(*a);

		a += is_number ? strspn(a, "0123456789") : 1;
		b += is_number ? strspn(b, "0123456789") : 1;
	}
	return *a == *b;
}

/* By how much the first number goes up that two names do not share; 0: they differ in more than numbers. */
static int64_t step_between(const char *a, const char *b)
{
	size_t at = 0;
	int64_t from, to;

	while (a[at] && a[at] == b[at])
		at++;
	while (at && is_digit(a[at - 1]))
		at--;
	a += at;
	b += at;
	return take_number(&a, &from) && take_number(&b, &to) && are_alike(a, b) ? to - from : 0;
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static int64_t usual_step(const int64_t *steps, uint32_t n)
{
	int64_t *sorted = mem_alloc(n, sizeof *sorted);
	uint32_t n_equal = 0;

	memcpy(sorted, steps, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_number);
	int64_t middle = sorted[n / 2];
	for (uint32_t i = 0; i < n; i++)
		n_equal += steps[i] == middle;
	free(sorted);
	return n_equal > n / 2 && middle > 0 ? middle : 0;
}

static void list_steps(struct misfits *misfits)
{
	for (uint32_t i = 1; i < misfits->n; i++)
		misfits->steps[i] = step_between(profile_text(misfits->p, misfits->sources[i - 1]->name),
		                                 profile_text(misfits->p, misfits->sources[i]->name));
	misfits->usual_step = usual_step(misfits->steps + 1, misfits->n - 1);
}

static void compare_numbers(struct misfits *misfits)
{
	int64_t usual = misfits->usual_step;

	for (uint32_t i = 1; i < misfits->n; i++) {
		if (misfits->starts_new[i])
			continue;
		if (misfits->steps[i] < 0 && misfits->n_times < misfits->n)
			find(misfits, LOWER, i - 1, i);
		if (usual && misfits->steps[i] / 2 >= usual)
			find(misfits, MISSING, i - 1, i);
	}
}

/* ---- runs of the program ---- */

/* Where an object was in the snapshot that had it last. */
struct place {
	uint32_t snapshot; /* and one more; 0: in none */
	uint64_t start;
};

/* Whether most of the objects that both snapshots have are at other addresses; places become those of the later one. */
static bool has_moved(const struct misfits *misfits, struct place *places, uint32_t before, uint32_t after)
{
	const struct profile *p = misfits->p;
	const struct source *source = misfits->sources[after];
	uint32_t n_moved = 0, n_same = 0;

	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		const struct mapping *map = &p->maps[i];
		struct place *place = &places[map->object.row];
		uint64_t start = map->start - map->offset;

		if (!is_file(p, map->object) || place->snapshot == after + 1)
			continue;
		if (place->snapshot == before + 1)
			*(place->start == start ? &n_same : &n_moved) += 1;
		*place = (struct place){after + 1, start};
	}
	return n_moved > n_same;
}

static void compare_addresses(struct misfits *misfits)
{
	struct place *places = mem_zalloc(misfits->p->n_objects, sizeof *places);
	uint32_t before = misfits->n;

	for (uint32_t i = 0; i < misfits->n; i++) {
		if (!misfits->sources[i]->n_maps)
			continue;
		misfits->starts_new[i] = has_moved(misfits, places, before, i) && before < misfits->n;
		before = i;
	}
	free(places);
}

/* The type of which a process only ever has more, or n_types. */
static uint32_t find_rising_type(const struct profile *p)
{
	return profile_find_type(p, profile_family(p) == FAMILY_CONTENTION ? "contentions" : "alloc_space");
}

/* Sums of [snapshot] of this type; n_types: zeros. */
static double *sum_type(const struct misfits *misfits, uint32_t type)
{
	const struct profile *p = misfits->p;
	double *sums = mem_zalloc(misfits->n, sizeof *sums);

	for (uint32_t i = 0; type < p->n_types && i < p->n_samples; i++)
		for (uint32_t k = 0; k < misfits->n; k++)
			sums[k] += profile_value(p, i, profile_snapshot_set(p, k), type);
	return sums;
}

/* Rather in the wrong order than of another run. */
static bool is_out_of_order(const struct misfits *misfits, uint32_t snapshot)
{
	int64_t before = misfits->sources[snapshot - 1]->time_nanos, time = misfits->sources[snapshot]->time_nanos;

	return misfits->steps[snapshot] < 0 || (time && time < before);
}

/* Where all is still in use, nothing tells what was ever allocated: some writers repeat there what is in use. */
static void compare_sums(struct misfits *misfits)
{
	static const double SLACK = 0.05; /* estimates from samples waver */
	const struct profile *p = misfits->p;
	double slack = p->period > 1 ? SLACK : 0;
	double *risen = sum_type(misfits, find_rising_type(p));
	double *held = sum_type(misfits, profile_find_type(p, "inuse_space"));

	for (uint32_t i = 1; i < misfits->n; i++)
		misfits->starts_new[i] |=
			risen[i] < risen[i - 1] * (1 - slack) && risen[i - 1] > held[i - 1] && !is_out_of_order(misfits, i);
	free(risen);
	free(held);
}

/* Of profiles of time each has its own time anyway. */
static void find_runs(struct misfits *misfits)
{
	enum profile_family family = profile_family(misfits->p);

	if (family != FAMILY_HEAP && family != FAMILY_CONTENTION)
		return;
	compare_addresses(misfits);
	compare_sums(misfits);
	for (uint32_t i = 1; i < misfits->n; i++)
		if (misfits->starts_new[i] && misfits->programs[i].row == misfits->programs[i - 1].row)
			find(misfits, STARTED_NEW, i - 1, i);
}

/* ---- what is there twice ---- */

static void find_same_names(struct misfits *misfits)
{
	uint32_t *first = mem_zalloc(misfits->p->n_strs, sizeof *first); /* by name: a snapshot, and one more */

	for (uint32_t i = 0; i < misfits->n; i++) {
		uint32_t *known = &first[misfits->sources[i]->name.row];

		if (*known)
			find(misfits, GIVEN_AGAIN, *known - 1, i);
		*known = i + 1;
	}
	free(first);
}

static const double *values_of(const struct profile *p, uint32_t sample, uint32_t snapshot)
{
	return p->values + ((size_t)sample * p->n_sets + profile_snapshot_set(p, snapshot)) * p->n_types;
}

static void find_same_values(struct misfits *misfits)
{
	const struct profile *p = misfits->p;
	bool *differs = mem_zalloc(misfits->n, sizeof *differs);

	for (uint32_t i = 0; i < p->n_samples; i++)
		for (uint32_t k = 1; k < misfits->n; k++)
			differs[k] =
				differs[k] || memcmp(values_of(p, i, k - 1), values_of(p, i, k), p->n_types * sizeof *p->values) != 0;
	for (uint32_t k = 1; k < misfits->n; k++)
		if (!differs[k] && misfits->sources[k - 1]->name.row != misfits->sources[k]->name.row)
			find(misfits, SAME_VALUES, k - 1, k);
	free(differs);
}

/* ---- notes ---- */

static const char *name_of(const struct misfits *misfits, uint32_t snapshot)
{
	return profile_text(misfits->p, misfits->sources[snapshot]->name);
}

/* The program of a snapshot, such that it is told from that of another. */
static const char *show_program(const struct misfits *misfits, uint32_t snapshot, uint32_t other)
{
	const struct profile *p = misfits->p;
	const struct object *object = &p->objects[misfits->programs[snapshot].row];
	const char *file = profile_text(p, object->file);

	if (object->file.row != p->objects[misfits->programs[other].row].file.row)
		return file;
	return arena_printf(misfits->arena, "%s (build id %s)", file, profile_text(p, object->build_id));
}

static const char *show_measure(const struct misfits *misfits, uint32_t snapshot)
{
	const struct source *source = misfits->sources[snapshot];
	const char *format = profile_text(misfits->p, source->format), *rule = profile_text(misfits->p, source->rule);

	if (source->period > 1)
		return arena_printf(misfits->arena, "%s, %s, period %" PRId64, format, rule, source->period);
	return arena_printf(misfits->arena, "%s, %s", format, rule);
}

static const char *describe(const struct misfits *misfits, enum kind kind)
{
	struct arena *arena = misfits->arena;
	uint32_t i = misfits->found[kind].before, k = misfits->found[kind].after;
	const char *before = name_of(misfits, i), *after = name_of(misfits, k);

	switch (kind) {
	case OTHER_PROGRAM:
		return arena_printf(arena, "%s is of %s, but %s of %s: snapshots of one program belong together", before,
		                    show_program(misfits, i, k), after, show_program(misfits, k, i));
	case OTHER_MEASURE:
		return arena_printf(arena, "%s (%s) and %s (%s) were not measured alike, and may differ by that alone", before,
		                    show_measure(misfits, i), after, show_measure(misfits, k));
	case EARLIER:
		return arena_printf(arena, "%s was taken before %s, which stands before it; nothing is told per second", after,
		                    before);
	case LOWER:
		return arena_printf(arena, "%s stands before %s; --sort-files puts them in the order of their numbers", before,
		                    after);
	case STARTED_NEW:
		return arena_printf(arena, "the program was started again between %s and %s, and its counts began anew", before,
		                    after);
	case MISSING:
		return arena_printf(arena,
		                    "no snapshot between %s and %s, where the others go by %" PRId64
		                    "; growth a snapshot counts snapshots, not numbers",
		                    before, after, misfits->usual_step);
	case SAME_VALUES:
		return arena_printf(arena, "%s holds what %s holds", after, before);
	default:
		return arena_printf(arena, "%s is given twice", after);
	}
}

static bool is_wrong(enum kind kind)
{
	return kind <= STARTED_NEW;
}

static void note(const struct misfits *misfits, enum kind kind, struct diag *notes)
{
	uint32_t n = misfits->found[kind].n;
	const char *more = n > 1 ? arena_printf(misfits->arena, " (and %" PRIu32 " more like this)", n - 1) : "";

	if (n)
		diag_add(notes, is_wrong(kind) ? NOTE_WARNING : NOTE_INFO, kind == OTHER_PROGRAM ? NOTE_LOSS : NOTE_PLAIN,
		         "%s%s", describe(misfits, kind), more);
}

static void note_missing_times(const struct misfits *misfits, struct diag *notes)
{
	if (misfits->n_times && misfits->n_times < misfits->n)
		diag_add(notes, NOTE_INFO, NOTE_PLAIN,
		         "%" PRIu32 " of %" PRIu32 " snapshots do not say when they were taken, so nothing is told per second; "
		         "--file-times takes the times of the files",
		         misfits->n - misfits->n_times, misfits->n);
}

static void list_sources(struct misfits *misfits)
{
	misfits->sources = arena_alloc(misfits->arena, misfits->n, sizeof(struct source *));
	for (uint32_t i = 0; i < misfits->n; i++)
		misfits->sources[i] = snapshots_source(misfits->p, i);
}

void misfits_note(struct build *build)
{
	const struct profile *p = build_profile(build);
	struct misfits misfits = {.p = p, .arena = arena_new(), .n = p->n_sets};

	list_sources(&misfits);
	misfits.programs = arena_alloc(misfits.arena, misfits.n, sizeof *misfits.programs);
	misfits.starts_new = arena_alloc(misfits.arena, misfits.n, sizeof *misfits.starts_new);
	misfits.steps = arena_alloc(misfits.arena, misfits.n, sizeof *misfits.steps);
	compare_programs(&misfits);
	compare_measures(&misfits);
	compare_times(&misfits);
	list_steps(&misfits);
	find_runs(&misfits);
	compare_numbers(&misfits);
	find_same_names(&misfits);
	find_same_values(&misfits);
	for (enum kind kind = 0; kind < N_KINDS; kind++)
		note(&misfits, kind, build_notes(build));
	note_missing_times(&misfits, build_notes(build));
	arena_free(misfits.arena);
}
