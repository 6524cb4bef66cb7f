#include "cmd/options.h"

#include "cmd/option_value.h"
#include "cmd/symbolize_words.h"
#include "cmd/view_file.h"
#include "render/render.h"
#include "symbolize/cache_folder.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct options, field)

/* The word of --by behind those of enum granularity. */
enum { BY_STACK = BY_ADDRESS + 1 };

static const struct options defaults = {
	.granularity = -1,
	.sort = -1,
	.trend = TREND_OFF,
	.use_cache = true,
	.use_sandbox = true,
	.use_config = true,
	.read = {.max_inflate = (uint64_t)4 << 30},
	.rows = {.node_count = -1, .node_fraction = 0.005, .edge_fraction = 0.001, .max_degree = 8, .trim = true},
};

struct gate_opts options_gate(const struct options *options)
{
	return (struct gate_opts){
		.growth = options->fail_growth, .above = options->fail_above.items, .n_above = options->fail_above.n};
}

void options_init(struct options *ret)
{
	*ret = defaults;
	ret->arena = arena_new();
}

/* ---- setting one option ---- */

static struct err *contradiction(const char *one, const char *other)
{
	return err_new("--%s and --%s contradict each other: give one of them", one, other);
}

static const char *choice_name(const struct opt_row *row, int number)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].kind == OPT_CHOICE && rows[i].at == row->at && rows[i].number == number)
			return rows[i].name;
	return "";
}

void strings_add(struct strings *list, const char *item)
{
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = item;
}

/* --text, or --text=true; --notext and --text=false take it back. */
static struct err *read_wanted(const struct opt_row *row, const char *value, bool *ret)
{
	const struct opt_row flag = {.name = row->name, .kind = OPT_FLAG};

	return option_value_read(ret, &flag, value);
}

static struct err *set_name(const struct options *options, const char **field, const struct opt_row *row,
                            const char *value)
{
	const char *name = row->same_as ? row->same_as : row->name;
	bool wanted;
	struct err *err = read_wanted(row, value, &wanted);

	if (err)
		return err;
	if (wanted && *field && strcmp(*field, name) != 0 && !options->replaces)
		return contradiction(*field, row->name);
	if (wanted)
		*field = name;
	else if (*field && strcmp(*field, name) == 0)
		*field = NULL;
	return NULL;
}

static struct err *set_choice(const struct options *options, int *field, const struct opt_row *row, const char *value)
{
	bool wanted;
	struct err *err = read_wanted(row, value, &wanted);

	if (err)
		return err;
	if (wanted && *field >= 0 && *field != row->number && !options->replaces)
		return contradiction(choice_name(row, *field), row->name);
	if (wanted)
		*field = row->number;
	else if (*field == row->number)
		*field = -1;
	return NULL;
}

/* One word of several, where each may also be an option of its own. */
static struct err *set_word(const struct options *options, int *field, const struct opt_row *row, const char *value)
{
	int before = *field;
	struct err *err = option_value_read(field, row, value);
	const char *other = choice_name(row, before);

	if (!err && *other && before != *field && !options->replaces)
		return contradiction(other, arena_printf(options->arena, "%s=%s", row->name, value));
	return err;
}

/* ---- options that exclude each other ---- */

/* Beside those of one group. */
static const struct exclusion {
	size_t one, other; /* in struct options */
} exclusions[] = {
	{AT(rows.show_bytes), AT(rows.unit)},
	{AT(read.no_unsample), AT(read.sampling_period)},
	{AT(type), AT(sample_index)},
	{AT(bases), AT(diff_bases)},
	{AT(interactive), AT(report)},
	{AT(interactive), AT(rows.stacks)},
	{AT(interactive), AT(trend)},
	{AT(interactive), AT(fail_growth)},
	{AT(interactive), AT(fail_above)},
	{AT(trend), AT(rows.stacks)},
	{AT(trend), AT(bases)},
	{AT(trend), AT(diff_bases)},
	{AT(trend), AT(view.drop_negative)},
	{AT(trend), AT(view.mean)},
	{AT(columns), AT(view.mean)},
};

static size_t size_of(enum opt_kind kind)
{
	switch (kind) {
	case OPT_FLAG:
		return sizeof(bool);
	case OPT_STRING:
	case OPT_NAMED:
	case OPT_REPORT:
	case OPT_HELP:
		return sizeof(const char *);
	case OPT_LIST:
		return sizeof(struct strings);
	case OPT_INT:
	case OPT_COUNT:
	case OPT_CHOICE:
	case OPT_STRICT:
	case OPT_WORD:
		return sizeof(int);
	case OPT_SIZE:
		return sizeof(uint64_t);
	case OPT_FRACTION:
	case OPT_DIVISOR:
		return sizeof(double);
	case OPT_ACCEPTED:
	case OPT_REFUSED:
		return 0;
	}
	return 0;
}

static const struct opt_row *row_at(size_t at)
{
	size_t n, i = 0;
	const struct opt_row *rows = opt_rows(&n);

	while (i < n && (rows[i].at != at || rows[i].kind == OPT_REFUSED))
		i++;
	assert(i < n); /* who asks names a field that has a row */
	return &rows[i];
}

static bool is_set(const struct options *options, size_t at)
{
	return memcmp((const char *)options + at, (const char *)&defaults + at, size_of(row_at(at)->kind)) != 0;
}

/* As the user gave it. */
static const char *name_at(const struct options *options, size_t at)
{
	const struct opt_row *row = row_at(at);

	return row->kind == OPT_NAMED ? *(const char *const *)((const char *)options + at) : row->name;
}

/* Lists that exclude others are no settings of the shell, so no copy of the options shares them. */
static void unset(struct options *options, size_t at)
{
	enum opt_kind kind = row_at(at)->kind;
	void *field = (char *)options + at;

	if (kind == OPT_LIST)
		free(((struct strings *)field)->items);
	memcpy(field, (const char *)&defaults + at, size_of(kind));
}

/* The later of two counts. */
static void unset_excluded(struct options *options, size_t at)
{
	for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++) {
		if (exclusions[i].one == at)
			unset(options, exclusions[i].other);
		if (exclusions[i].other == at)
			unset(options, exclusions[i].one);
	}
}

/* --stacks is --text with more: it excludes the other reports alone. */
static void unset_beside_stacks(struct options *options, const struct opt_row *row)
{
	bool is_text = strcmp(row->same_as ? row->same_as : row->name, "text") == 0;

	if (row->at == AT(report) && !is_text)
		options->rows.stacks = false;
	if (row->at == AT(rows.stacks) && options->report && strcmp(options->report, "text") != 0)
		options->report = NULL;
}

/* ---- by its row ---- */

static struct err *set_field(struct options *options, const struct opt_row *row, const char *value)
{
	void *field = (char *)options + row->at;

	switch (row->kind) {
	case OPT_LIST:
		strings_add(field, value);
		return NULL;
	case OPT_CHOICE:
		return set_choice(options, field, row, value);
	case OPT_NAMED:
		return set_name(options, field, row, value);
	case OPT_WORD:
		return set_word(options, field, row, value);
	case OPT_REPORT:
		options->rows.pattern = value;
		return set_name(options, field, row, NULL);
	case OPT_ACCEPTED:
		return read_wanted(row, value, &(bool){false});
	case OPT_REFUSED:
		return err_new("--%s: %s", row->name, row->help);
	case OPT_FLAG:
	case OPT_STRING:
	case OPT_INT:
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_FRACTION:
	case OPT_DIVISOR:
	case OPT_STRICT:
	case OPT_HELP:
		return option_value_read(field, row, value);
	}
	return NULL;
}

struct err *options_set_row(struct options *options, const struct opt_row *row, const char *value)
{
	struct err *err = set_field(options, row, value);

	if (err || !options->replaces || !is_set(options, row->at))
		return err;
	unset_excluded(options, row->at);
	unset_beside_stacks(options, row);
	return NULL;
}

/* ---- all of them ---- */

static struct err *check_exclusions(const struct options *options)
{
	for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++)
		if (is_set(options, exclusions[i].one) && is_set(options, exclusions[i].other))
			return contradiction(name_at(options, exclusions[i].one), name_at(options, exclusions[i].other));
	if (options->rows.stacks && options->report && strcmp(options->report, "text") != 0)
		return contradiction("stacks", options->report);
	return NULL;
}

static struct err *check_trend(const struct options *options)
{
	const struct gate_opts gate = options_gate(options);
	bool compares = options->trend != TREND_OFF || options->bases.n || options->diff_bases.n;

	if (options->granularity == BY_STACK && options->trend == TREND_OFF && !gate_is_wanted(&gate))
		return err_new("--by=stack: expected --trend");
	if (options->fail_growth && !compares)
		return err_new("--fail-growth: expected --trend or --base=PROFILE, since when it grew");
	if (options->suppressions && options->trend == TREND_OFF && !gate_is_wanted(&gate))
		return err_new(
			"--suppressions: expected --trend, --fail-growth or --fail-above, from which they leave out leaks");
	return gate_check_opts(&gate);
}

/* An option that --top alone obeys; NULL: none is set. */
static const char *option_of_top(const struct options *options)
{
	return options->columns ? "columns" : options->rows.sizes ? "sizes" : NULL;
}

const char *options_report(const struct options *options)
{
	if (options->report || options->trend != TREND_OFF)
		return options->report;
	return option_of_top(options) ? "top" : NULL;
}

/* As a setting of the shell they hold for the commands that obey them. */
static struct err *check_top(const struct options *options)
{
	const char *option = option_of_top(options);

	if (!option || options->replaces)
		return NULL;
	if (options->trend != TREND_OFF)
		return err_new("--%s: expected --top, not --trend", option);
	if (options->report && strcmp(options->report, "top") != 0)
		return err_new("--%s: expected --top, not --%s", option, options->report);
	return NULL;
}

static struct err *check(const struct options *options)
{
	const struct viewer *viewer = options->report ? viewer_find(options->report) : NULL;

	struct err *err = check_trend(options);
	if (!err)
		err = check_top(options);
	if (err)
		return err;
	if (options->view.normalize && !options->bases.n && !options->diff_bases.n)
		return err_new("--normalize: expected --base=PROFILE or --diff_base=PROFILE, to whose totals it scales");
	if (options->output && viewer)
		return err_new("--%s opens a viewer: -o FILE goes with --%s", viewer->name, viewer->renderer->name);
	return check_exclusions(options);
}

struct err *options_settle(struct options *options)
{
	struct err *err = check(options);

	if (err)
		return err;
	if (options->rows.stacks)
		options->report = "text";
	options->rows.by_stack = options->granularity == BY_STACK;
	options->rows.granularity =
		options->granularity < 0 || options->rows.by_stack ? BY_FUNCTION : (enum granularity)options->granularity;
	options->rows.by_cum = options->sort == SORT_CUM;
	options->view.of_base = options->diff_bases.n > 0;
	options->symbolize.n_threads = options->read.n_threads = (unsigned)options->jobs;
	options->symbolize.want_full_names =
		options->rows.pattern || options->suppressions || view_drops_samples(&options->view);
	options->symbolize.names = options->no_strip_temp ? DEMANGLE_TEMPLATES : DEMANGLE_SHORT;
	options->symbolize.is_off = options->symbolize.replaces_names = false;
	options->symbolize.cache_folder = options->use_cache ? cache_folder_default(options->arena) : NULL;
	return options->symbolize_words ? symbolize_words_read(options->symbolize_words, &options->symbolize) : NULL;
}

struct err *options_set(struct options *options, const char *name, const char *value)
{
	const struct opt_row *row = opt_find(name), *negated = opt_find_negated(name);

	if (!row && negated && !value)
		return options_set_row(options, negated, "false");
	if (!row)
		return opt_unknown(name);
	if (row->arg && !value && !opt_arg_is_optional(row))
		return err_new("--%s: expected an argument", row->name);
	return options_set_row(options, row, value ? arena_strndup(options->arena, value, strlen(value)) : NULL);
}

void options_unset(struct options *options, const struct opt_row *row)
{
	unset(options, row->at);
}

void options_clear(struct options *options)
{
	free(options->bases.items);
	free(options->diff_bases.items);
	free(options->path_maps.items);
	free(options->symbol_paths.items);
	free(options->added_libs.items);
	free(options->comments.items);
	free(options->fail_above.items);
	free(options->inputs.items);
	arena_free(options->arena);
	*options = (struct options){0};
}
