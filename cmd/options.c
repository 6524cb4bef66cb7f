#include "cmd/options.h"

#include "analyze/base/text.h"
#include "cmd/symbolize_words.h"
#include "cmd/view_file.h"
#include "render/render.h"
#include "symbolize/cache_folder.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct options, field)

static const struct options defaults = {
	.granularity = -1,
	.sort = -1,
	.use_cache = true,
	.use_config = true,
	.read = {.max_inflate = (uint64_t)4 << 30},
	.rows = {.node_count = -1, .node_fraction = 0.005, .edge_fraction = 0.001, .max_degree = 8, .trim = true},
};

void options_init(struct options *ret)
{
	*ret = defaults;
	ret->arena = arena_new();
}

/* ---- setting one option ---- */

static struct err *set_flag(bool *flag, const struct opt_row *row, const char *value)
{
	if (!value || strcmp(value, "true") == 0 || strcmp(value, "1") == 0)
		*flag = true;
	else if (strcmp(value, "false") == 0 || strcmp(value, "0") == 0)
		*flag = false;
	else
		return err_new("--%s=%s: expected true or false", row->name, value);
	return NULL;
}

static struct err *set_int(int *number, const struct opt_row *row, const char *value)
{
	char *end;

	errno = 0;
	long parsed = strtol(value, &end, 10);
	if (errno || end == value || *end || parsed < row->number || parsed > 1000000000)
		return err_new("--%s=%s: expected a whole number from 0", row->name, value);
	*number = (int)parsed;
	return NULL;
}

static struct err *set_size(uint64_t *size, const struct opt_row *row, const char *value)
{
	static const struct {
		const char *suffix;
		uint64_t factor;
	} units[] = {
		{"", 1}, {"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30},
	};
	char *end;

	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	for (size_t i = 0; !errno && end != value && *value != '-' && i < sizeof units / sizeof *units; i++)
		if (strcasecmp(end, units[i].suffix) == 0 && !__builtin_mul_overflow(number, units[i].factor, size))
			return NULL;
	return err_new("--%s=%s: expected a size such as 64MB or 4GB", row->name, value);
}

static struct err *set_fraction(double *fraction, const struct opt_row *row, const char *value)
{
	char *end;
	double parsed = strtod(value, &end);

	if (end == value || *end || !(parsed >= 0 && parsed <= 1))
		return err_new("--%s=%s: expected a fraction from 0 to 1", row->name, value);
	*fraction = parsed;
	return NULL;
}

static struct err *set_divisor(double *divisor, const struct opt_row *row, const char *value)
{
	char *end;
	double parsed = strtod(value, &end);

	if (end == value || *end || parsed == 0 || !isfinite(parsed))
		return err_new("--%s=%s: expected a number other than 0", row->name, value);
	*divisor = parsed;
	return NULL;
}

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

static void push(struct strings *list, const char *item)
{
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = item;
}

/* --text, or --text=true; --notext and --text=false take it back. */
static struct err *set_name(const struct options *options, const char **field, const struct opt_row *row,
                            const char *value)
{
	const char *name = row->same_as ? row->same_as : row->name;
	bool wanted = true;
	struct err *err = set_flag(&wanted, row, value);

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
	bool wanted = true;
	struct err *err = set_flag(&wanted, row, value);

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

static struct err *set_word(int *number, const struct opt_row *row, const char *value)
{
	const char *words = row->arg, *word;
	size_t n;

	for (int i = 0; (word = text_item(&words, '|', &n)); i++) {
		if (text_is(word, n, value)) {
			*number = i;
			return NULL;
		}
	}
	return err_new("--%s=%s: expected %s", row->name, value, row->arg);
}

static struct err *set_help(const char **field, const struct opt_row *row, const char *value)
{
	const char *known = "";
	size_t n;
	const struct opt_group *groups = opt_groups(&n);
	bool is_known = !value || strcmp(value, "all") == 0;
	struct arena *arena = arena_new();

	for (size_t i = 0; i < n; i++) {
		is_known |= value && strcmp(value, groups[i].key) == 0;
		known = arena_printf(arena, "%s%s, ", known, groups[i].key);
	}
	struct err *err = is_known ? NULL : err_new("--%s=%s: expected %sor all", row->name, value, known);
	arena_free(arena);
	if (!err)
		*field = value ? value : "";
	return err;
}

/* ---- options that exclude each other ---- */

/* Beside those of one group. */
static const struct exclusion {
	size_t one, other; /* in struct options */
} exclusions[] = {
	{AT(rows.show_bytes), AT(rows.unit)}, {AT(read.no_unsample), AT(read.sampling_period)},
	{AT(type), AT(sample_index)},         {AT(bases), AT(diff_bases)},
	{AT(interactive), AT(report)},        {AT(interactive), AT(rows.stacks)},
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
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].at == at && rows[i].kind != OPT_REFUSED)
			return &rows[i];
	return NULL;
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

static void unset(struct options *options, size_t at)
{
	memcpy((char *)options + at, (const char *)&defaults + at, size_of(row_at(at)->kind));
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

/* ---- by its row ---- */

static struct err *set_row(struct options *options, const struct opt_row *row, const char *value)
{
	void *field = (char *)options + row->at;

	if (options->replaces && row->kind != OPT_REFUSED)
		unset_excluded(options, row->at);
	switch (row->kind) {
	case OPT_FLAG:
		return set_flag(field, row, value);
	case OPT_STRING:
		/* As in google/pprof, an empty one takes back what was set before. */
		*(const char **)field = *value ? value : NULL;
		return NULL;
	case OPT_LIST:
		push(field, value);
		return NULL;
	case OPT_INT:
		return set_int(field, row, value);
	case OPT_SIZE:
		return set_size(field, row, value);
	case OPT_FRACTION:
		return set_fraction(field, row, value);
	case OPT_DIVISOR:
		return set_divisor(field, row, value);
	case OPT_CHOICE:
		return set_choice(options, field, row, value);
	case OPT_NAMED:
		return set_name(options, field, row, value);
	case OPT_REPORT:
		options->rows.pattern = value;
		return set_name(options, field, row, NULL);
	case OPT_STRICT:
		if (value && strcmp(value, "symbols") != 0)
			return err_new("--strict=%s: expected --strict or --strict=symbols", value);
		*(int *)field = value ? STRICT_SYMBOLS : STRICT_LOSS;
		return NULL;
	case OPT_WORD:
		return set_word(field, row, value);
	case OPT_HELP:
		return set_help(field, row, value);
	case OPT_ACCEPTED:
		return set_flag(&(bool){false}, row, value);
	case OPT_REFUSED:
		return err_new("--%s: %s", row->name, row->help);
	}
	return NULL;
}

/* ---- names ---- */

static void unify_name(char *name)
{
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* How many letters must be added, removed or changed to make one of the other. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[64];
	size_t length = strlen(b);

	if (length >= sizeof row / sizeof *row)
		return 1000;
	for (unsigned i = 0; i <= length; i++)
		row[i] = i;
	for (unsigned i = 1; *a; a++, i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned k = 1; k <= length; k++) {
			unsigned above = row[k];

			row[k] = min3(row[k] + 1, row[k - 1] + 1, diagonal + (*a != b[k - 1]));
			diagonal = above;
		}
	}
	return row[length];
}

static const char *nearest(const char *name, unsigned *distance_ret)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	const char *found = "help";

	*distance_ret = 1000;
	for (size_t i = 0; i < n; i++) {
		unsigned d = distance(name, rows[i].name);

		if (d < *distance_ret && rows[i].kind != OPT_REFUSED) {
			*distance_ret = d;
			found = rows[i].name;
		}
	}
	return found;
}

const char *opt_similar(const char *name)
{
	unsigned d;
	const char *found = nearest(name, &d);

	return d * 3 <= strlen(name) ? found : NULL;
}

static struct err *unknown_option(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	const char *matches[2] = {NULL, NULL};
	unsigned d;

	for (size_t i = 0; i < n; i++)
		if (*name && strncmp(rows[i].name, name, strlen(name)) == 0 && !matches[1])
			matches[matches[0] != NULL] = rows[i].name;
	if (matches[1])
		return err_new("option --%s: expected --%s or --%s or another whole name", name, matches[0], matches[1]);
	return err_new("unknown option --%s: the nearest is --%s (--help=all shows all)", name, nearest(name, &d));
}

bool opt_arg_is_optional(const struct opt_row *row)
{
	return row->kind == OPT_STRICT || row->kind == OPT_HELP;
}

const struct opt_row *opt_find(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	char CLEANUP(mem_free_local) *unified = mem_strndup(name, strlen(name));

	unify_name(unified);
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, unified) == 0)
			return &rows[i];
	return NULL;
}

/* ---- the command line ---- */

/* getopt's values: a row, or its negation. */
enum { FIRST_ROW = 1000, FIRST_NEGATION = 5000 };

struct longs {
	struct arena *arena;
	struct option *items; /* ends with zeros, as getopt wants it */
	size_t n;
};

static void add_long(struct longs *longs, const char *name, int has_arg, int value)
{
	longs->items[longs->n++] = (struct option){name, has_arg, NULL, value};
}

static void add_negation(struct longs *longs, const char *prefix, const char *name, int value)
{
	add_long(longs, arena_printf(longs->arena, "%s%s", prefix, name), no_argument, value);
}

static void make_longs(struct longs *longs)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	longs->items = arena_alloc(longs->arena, 3 * n + 1, sizeof *longs->items);
	for (size_t i = 0; i < n; i++) {
		bool is_flag = rows[i].kind == OPT_FLAG || rows[i].kind == OPT_CHOICE || rows[i].kind == OPT_NAMED ||
		               rows[i].kind == OPT_ACCEPTED;
		bool optional = is_flag || opt_arg_is_optional(&rows[i]);

		add_long(longs, rows[i].name,
		         optional      ? optional_argument
		         : rows[i].arg ? required_argument
		                       : no_argument,
		         FIRST_ROW + (int)i);
		if (!is_flag)
			continue;
		add_negation(longs, "no", rows[i].name, FIRST_NEGATION + (int)i);
		add_negation(longs, "no_", rows[i].name, FIRST_NEGATION + (int)i);
	}
	longs->items[longs->n] = (struct option){0};
}

/* The long option that this begins, or NULL. name has '_' for '-' and ends before a '='. */
static const struct option *find_long(const struct longs *longs, const char *name)
{
	for (size_t i = 0; i < longs->n; i++)
		if (strncmp(longs->items[i].name, name, strlen(name)) == 0)
			return &longs->items[i];
	return NULL;
}

/* Inside a name, '-' and '_' are the same: --drop-negative. What is no name, or the argument of the option before it,
 * stays as it is. */
static void unify_names(const struct longs *longs, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		char *start = argv[i] + strspn(argv[i], "-");
		size_t length = strcspn(start, "=");

		if (start == argv[i] || start > argv[i] + 2 || !length)
			continue;
		char CLEANUP(mem_free_local) *name = mem_strndup(start, length);
		unify_name(name);
		const struct option *known = find_long(longs, name);
		if (!known)
			continue;
		memcpy(start, name, length);
		i += known->has_arg == required_argument && !start[length];
	}
}

static struct err *bad_argument(char **argv, int code)
{
	const char *text = argv[optind - 1];

	text += strspn(text, "-");
	char CLEANUP(mem_free_local) *name = mem_strndup(text, strcspn(text, "="));
	const struct opt_row *row = opt_find(name);

	if (code == ':')
		return err_new("--%s: expected an argument", name);
	if (row && !row->arg && strchr(text, '='))
		return err_new("--%s: expected no argument", name);
	return unknown_option(name);
}

static struct err *take(struct options *options, char **argv, int code)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	if (code == '?' || code == ':')
		return bad_argument(argv, code);
	if (code >= FIRST_NEGATION)
		return set_row(options, &rows[code - FIRST_NEGATION], "false");
	if (code >= FIRST_ROW)
		return set_row(options, &rows[code - FIRST_ROW], optarg);
	for (size_t i = 0; i < n; i++)
		if (rows[i].letter == code)
			return set_row(options, &rows[i], optarg);
	return NULL;
}

struct err *options_settle(struct options *options)
{
	for (size_t i = 0; i < sizeof exclusions / sizeof *exclusions; i++)
		if (is_set(options, exclusions[i].one) && is_set(options, exclusions[i].other))
			return contradiction(name_at(options, exclusions[i].one), name_at(options, exclusions[i].other));
	if (options->view.normalize && !options->bases.n && !options->diff_bases.n)
		return err_new("--normalize: expected --base=PROFILE or --diff_base=PROFILE, to whose totals it scales");
	if (options->output && options->report && viewer_find(options->report))
		return err_new("--%s shows the graph: -o FILE goes with --%s", options->report,
		               viewer_find(options->report)->renderer->name);
	if (options->rows.stacks && options->report && strcmp(options->report, "text") != 0)
		return contradiction("stacks", options->report);
	if (options->rows.stacks)
		options->report = "text";
	if (options->output && !*options->output)
		return err_new("--output: expected the name of a file");
	options->rows.granularity = options->granularity < 0 ? BY_FUNCTION : (enum granularity)options->granularity;
	options->rows.by_cum = options->sort == SORT_CUM;
	options->view.of_base = options->diff_bases.n > 0;
	options->symbolize.n_threads = options->read.n_threads = (unsigned)options->jobs;
	options->symbolize.want_full_names = options->rows.pattern || view_drops_samples(&options->view);
	options->symbolize.names = options->no_strip_temp ? DEMANGLE_TEMPLATES : DEMANGLE_SHORT;
	options->symbolize.is_off = options->symbolize.replaces_names = false;
	options->symbolize.cache_folder = options->use_cache ? cache_folder_default(options->arena) : NULL;
	return options->symbolize_words ? symbolize_words_read(options->symbolize_words, &options->symbolize) : NULL;
}

static struct err *parse(int argc, char **argv, const struct longs *longs, struct options *options)
{
	struct err *err = NULL;
	int code;

	optind = 0; /* from the start, where this is not the first command line */
	while (!err && (code = getopt_long_only(argc, argv, ":hqvj:o:", longs->items, NULL)) != -1)
		err = take(options, argv, code);
	for (int i = optind; !err && i < argc; i++)
		push(&options->inputs, argv[i]);
	return err;
}

struct err *options_take(int argc, char **argv, struct options *options)
{
	struct longs longs = {.arena = arena_new()};

	make_longs(&longs);
	unify_names(&longs, argc, argv);
	opterr = 0;
	struct err *err = parse(argc, argv, &longs, options);
	arena_free(longs.arena);
	return err;
}

struct err *options_parse(int argc, char **argv, struct options *ret)
{
	options_init(ret);
	struct err *err = options_take(argc, argv, ret);
	return err ? err : options_settle(ret);
}

struct err *options_set(struct options *options, const char *name, const char *value)
{
	const struct opt_row *row = opt_find(name);

	if (!row)
		return unknown_option(name);
	if (row->arg && !value && !opt_arg_is_optional(row))
		return err_new("--%s: expected an argument", row->name);
	return set_row(options, row, value ? arena_strndup(options->arena, value, strlen(value)) : NULL);
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
	free(options->inputs.items);
	arena_free(options->arena);
	*options = (struct options){0};
}
