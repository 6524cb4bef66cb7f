#include "cmd/options.h"

#include "cmd/view_file.h"
#include "render/render.h"
#include "symbolize/cache_folder.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define REPORTS "Reports (one of them)"
#define VALUES "Values"
#define ROWS "Rows"
#define FILTERS "Filters"
#define GRAPH "Graph"
#define INPUT "Input"
#define OBJECTS "Programs and libraries"
#define MESSAGES "Output and messages"
#define ELSEWHERE "Known elsewhere"

#define AT(field) offsetof(struct options, field)

/* clang-format off */
static const struct opt_row fixed_rows[] = {
	{"folded", 0, OPT_NAMED, AT(report), 0, NULL, REPORTS, "the same as --collapsed", "collapsed"},
	{"gv", 0, OPT_NAMED, AT(report), 0, NULL, REPORTS, "the call graph, shown by gv"},
	{"evince", 0, OPT_NAMED, AT(report), 0, NULL, REPORTS, "the call graph, shown by evince"},
	{"web", 0, OPT_NAMED, AT(report), 0, NULL, REPORTS, "the call graph, shown by a browser"},

	{"inuse_space", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "bytes that are allocated now (the default)"},
	{"inuse_objects", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "objects that are allocated now"},
	{"alloc_space", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "bytes that were ever allocated"},
	{"alloc_objects", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "objects that were ever allocated"},
	{"total_delay", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "how long threads waited for each other (the default of contention profiles)"},
	{"contentions", 0, OPT_NAMED, AT(type), 0, NULL, VALUES, "how often threads waited for each other"},
	{"sample_index", 0, OPT_STRING, AT(sample_index), 0, "TYPE", VALUES, "the values of this type: a name of the profile's, or its number from 0"},
	{"base", 0, OPT_LIST, AT(bases), 0, "PROFILE", VALUES, "show what changed since this profile; several are summed"},
	{"drop_negative", 0, OPT_FLAG, AT(view.drop_negative), 0, NULL, VALUES, "a stack that shrank since the base counts as 0"},
	{"unit", 0, OPT_STRING, AT(rows.unit), 0, "UNIT", VALUES, "B, kB, MB, GB ..., auto (by the total) or minimum (by the smallest)"},
	{"show_bytes", 0, OPT_FLAG, AT(rows.show_bytes), 0, NULL, VALUES, "bytes instead of MB"},

	{"functions", 0, OPT_CHOICE, AT(granularity), BY_FUNCTION, NULL, ROWS, "a row for each function (the default)"},
	{"lines", 0, OPT_CHOICE, AT(granularity), BY_LINE, NULL, ROWS, "a row for each line of source"},
	{"files", 0, OPT_CHOICE, AT(granularity), BY_FILE, NULL, ROWS, "a row for each source file"},
	{"addresses", 0, OPT_CHOICE, AT(granularity), BY_ADDRESS, NULL, ROWS, "a row for each address"},
	{"cum", 0, OPT_FLAG, AT(rows.by_cum), 0, NULL, ROWS, "sort by what is below a row too, not by its own value"},
	{"all_frames", 0, OPT_FLAG, AT(view.all_frames), 0, NULL, ROWS, "keep the frames of allocators, locks and signals, and those that the profile drops"},

	{"focus", 0, OPT_STRING, AT(view.focus), 0, "REGEX", FILTERS, "only stacks with a function, file, file:line or object that matches"},
	{"ignore", 0, OPT_STRING, AT(view.ignore), 0, "REGEX", FILTERS, "no stacks with one that matches"},
	{"thread", 0, OPT_STRING, AT(read.thread), 0, "K|*", FILTERS, "what thread K did, of profiles that tell; '*': a --text table for each"},

	{"nodecount", 0, OPT_INT, AT(rows.node_count), -1, "N", GRAPH, "at most N nodes (graphs: 80; tables: no limit); 0: no limit"},
	{"nodefraction", 0, OPT_FRACTION, AT(rows.node_fraction), 0, "F", GRAPH, "drop nodes below this part of the total (0.005); not in --text"},
	{"edgefraction", 0, OPT_FRACTION, AT(rows.edge_fraction), 0, "F", GRAPH, "drop edges below this part of the total (0.001)"},
	{"maxdegree", 0, OPT_INT, AT(rows.max_degree), 0, "N", GRAPH, "at most N edges into and out of a node (8); 0: no limit"},
	{"trim", 0, OPT_FLAG, AT(rows.trim), 0, NULL, GRAPH, "on unless --notrim, which shows every node and edge"},

	{"sysroot", 0, OPT_STRING, AT(symbolize.find.sysroot), 0, "DIR", OBJECTS, "look for programs, libraries and debug files below DIR alone"},
	{"path_map", 0, OPT_LIST, AT(path_maps), 0, "FROM=TO", OBJECTS, "look for files of the profile below FROM in the folder TO instead; may be repeated"},
	{"symbol_path", 0, OPT_LIST, AT(symbol_paths), 0, "DIR", OBJECTS, "look for them in DIR first, by build id, path or name; may be repeated"},
	{"lib_prefix", 0, OPT_STRING, AT(lib_prefixes), 0, "DIR,DIR", OBJECTS, "look for /a/b/libx.so of the profile as DIR/a/b/libx.so, DIR/b/libx.so, DIR/libx.so"},
	{"add_lib", 0, OPT_LIST, AT(added_libs), 0, "FILE", OBJECTS, "look addresses in no object up in FILE, as they were linked; may be repeated"},
	{"perf_map", 0, OPT_STRING, AT(symbolize.perf_map), 0, "FILE", OBJECTS, "names of code made at run time, as in /tmp/perf-PID.map"},
	{"force_binary", 0, OPT_FLAG, AT(symbolize.find.use_other_builds), 0, NULL, OBJECTS, "use a program, library or debug file of another build where there is no right one"},
	{"cache", 0, OPT_FLAG, AT(use_cache), 0, NULL, OBJECTS, "on unless --no-cache, which takes no names from earlier runs and keeps none"},

	{"jobs", 'j', OPT_INT, AT(jobs), 0, "N", INPUT, "use N threads (as many as processors); the output is the same"},
	{"sampling_period", 0, OPT_SIZE, AT(read.sampling_period), 0, "SIZE", INPUT, "bytes from one sample to the next, where the file does not say or is wrong"},
	{"no_unsample", 0, OPT_FLAG, AT(read.no_unsample), 0, NULL, INPUT, "sampled counts as they stand, not what they stand for"},
	{"max_inflate", 0, OPT_SIZE, AT(read.max_inflate), 0, "SIZE", INPUT, "refuse compressed input that expands to more (4GB)"},
	{"strict", 0, OPT_STRICT, AT(strict), 0, "symbols", INPUT, "exit with 3 when input was cut or skipped; =symbols: or has no names"},

	{"output", 'o', OPT_STRING, AT(output), 0, "FILE", MESSAGES, "write the report to FILE"},
	{"quiet", 'q', OPT_FLAG, AT(quiet), 0, NULL, MESSAGES, "no warnings"},
	{"verbose", 'v', OPT_FLAG, AT(verbose), 0, NULL, MESSAGES, "say which files are used, and each path that is tried"},
	{"help", 'h', OPT_FLAG, AT(help), 0, NULL, MESSAGES, "show this help"},
	{"version", 0, OPT_FLAG, AT(version), 0, NULL, MESSAGES, "show the version, and those of the libraries"},

	{"trend", 0, OPT_REFUSED, 0, 0, NULL, ELSEWHERE, "not in this version; --base compares two snapshots"},
	{"http", 0, OPT_REFUSED, 0, 0, "HOST:PORT", ELSEWHERE, "there is no server here; --svg -o FILE writes a picture for a browser"},
	{"no_browser", 0, OPT_REFUSED, 0, 0, NULL, ELSEWHERE, "there is no server here; --svg -o FILE writes a picture for a browser"},
	{"seconds", 0, OPT_REFUSED, 0, 0, "N", ELSEWHERE, "nothing is fetched; use curl -o FILE 'URL?seconds=N', then give FILE"},
	{"timeout", 0, OPT_REFUSED, 0, 0, "N", ELSEWHERE, "nothing is fetched; use curl -m N -o FILE URL, then give FILE"},
	{"tls_cert", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --cert, then give the file"},
	{"tls_key", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --key, then give the file"},
	{"tls_ca", 0, OPT_REFUSED, 0, 0, "FILE", ELSEWHERE, "nothing is fetched; use curl --cacert, then give the file"},
};
/* clang-format on */
enum { N_FIXED = sizeof fixed_rows / sizeof *fixed_rows, MOST_ROWS = N_FIXED + 64 };

const struct opt_row *opt_rows(size_t *n_ret)
{
	static struct opt_row rows[MOST_ROWS];
	static size_t n;

	if (!n) {
		for (size_t i = 0; renderers[i] && n < MOST_ROWS - N_FIXED; i++) {
			const struct renderer *renderer = renderers[i];

			rows[n++] = (struct opt_row){.name = renderer->name,
			                             .kind = renderer->arg ? OPT_REPORT : OPT_NAMED,
			                             .at = AT(report),
			                             .arg = renderer->arg,
			                             .group = REPORTS,
			                             .help = renderer->help};
		}
		memcpy(rows + n, fixed_rows, sizeof fixed_rows);
		n += N_FIXED;
	}
	*n_ret = n;
	return rows;
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
static struct err *set_name(const char **field, const struct opt_row *row, const char *value)
{
	const char *name = row->same_as ? row->same_as : row->name;
	bool wanted = true;
	struct err *err = set_flag(&wanted, row, value);

	if (err)
		return err;
	if (wanted && *field && strcmp(*field, name) != 0)
		return contradiction(*field, row->name);
	if (wanted)
		*field = name;
	else if (*field && strcmp(*field, name) == 0)
		*field = NULL;
	return NULL;
}

static struct err *set_choice(int *field, const struct opt_row *row, const char *value)
{
	bool wanted = true;
	struct err *err = set_flag(&wanted, row, value);

	if (err)
		return err;
	if (wanted && *field >= 0 && *field != row->number)
		return contradiction(choice_name(row, *field), row->name);
	if (wanted)
		*field = row->number;
	else if (*field == row->number)
		*field = -1;
	return NULL;
}

static struct err *set_row(struct options *options, const struct opt_row *row, const char *value)
{
	void *field = (char *)options + row->at;

	switch (row->kind) {
	case OPT_FLAG:
		return set_flag(field, row, value);
	case OPT_STRING:
		*(const char **)field = value;
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
	case OPT_CHOICE:
		return set_choice(field, row, value);
	case OPT_NAMED:
		return set_name(field, row, value);
	case OPT_REPORT:
		options->rows.pattern = value;
		return set_name(field, row, NULL);
	case OPT_STRICT:
		if (value && strcmp(value, "symbols") != 0)
			return err_new("--strict=%s: expected --strict or --strict=symbols", value);
		*(int *)field = value ? STRICT_SYMBOLS : STRICT_LOSS;
		return NULL;
	case OPT_REFUSED:
		return err_new("--%s: %s", row->name, row->help);
	}
	return NULL;
}

/* ---- names ---- */

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

static struct err *unknown_option(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);
	const char *nearest = "help", *matches[2] = {NULL, NULL};
	unsigned best = 1000;

	for (size_t i = 0; i < n; i++) {
		unsigned d = distance(name, rows[i].name);

		if (d < best && rows[i].kind != OPT_REFUSED) {
			best = d;
			nearest = rows[i].name;
		}
		if (*name && strncmp(rows[i].name, name, strlen(name)) == 0 && !matches[1])
			matches[matches[0] != NULL] = rows[i].name;
	}
	if (matches[1])
		return err_new("option --%s: expected --%s or --%s or another whole name", name, matches[0], matches[1]);
	return err_new("unknown option --%s: the nearest is --%s (--help shows all)", name, nearest);
}

static const struct opt_row *find_row(const char *name)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* ---- the command line ---- */

/* getopt's values: a row, or its negation. */
enum { FIRST_ROW = 1000, FIRST_NEGATION = 5000 };

struct longs {
	struct option items[3 * MOST_ROWS + 1];
	char names[2 * MOST_ROWS][32]; /* of the negations */
	size_t n, n_names;
};

static void add_long(struct longs *longs, const char *name, int has_arg, int value)
{
	longs->items[longs->n++] = (struct option){name, has_arg, NULL, value};
}

static void add_negation(struct longs *longs, const char *prefix, const char *name, int value)
{
	char *text = longs->names[longs->n_names++];

	strcpy(text, prefix);
	strncat(text, name, sizeof longs->names[0] - 8);
	add_long(longs, text, no_argument, value);
}

static void make_longs(struct longs *longs)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++) {
		bool is_flag = rows[i].kind == OPT_FLAG || rows[i].kind == OPT_CHOICE || rows[i].kind == OPT_NAMED;
		bool optional = is_flag || rows[i].kind == OPT_STRICT;

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
		for (char *at = name; *at; at++)
			if (*at == '-')
				*at = '_';
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
	const struct opt_row *row = find_row(name);

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

static void set_defaults(struct options *options)
{
	*options = (struct options){
		.arena = arena_new(),
		.granularity = -1,
		.use_cache = true,
		.read = {.max_inflate = (uint64_t)4 << 30},
		.rows = {.node_count = -1, .node_fraction = 0.005, .edge_fraction = 0.001, .max_degree = 8, .trim = true},
	};
}

static struct err *settle(struct options *options)
{
	if (options->rows.show_bytes && options->rows.unit)
		return contradiction("show_bytes", "unit");
	if (options->read.no_unsample && options->read.sampling_period)
		return contradiction("no-unsample", "sampling-period");
	if (options->type && options->sample_index)
		return contradiction(options->type, "sample_index");
	if (options->output && options->report && viewer_find(options->report))
		return err_new("--%s shows the graph: -o FILE goes with --%s", options->report,
		               viewer_find(options->report)->renderer->name);
	if (options->output && !*options->output)
		return err_new("--output: expected the name of a file");
	options->rows.granularity = options->granularity < 0 ? BY_FUNCTION : (enum granularity)options->granularity;
	options->symbolize.n_threads = options->read.n_threads = (unsigned)options->jobs;
	options->symbolize.want_full_names = options->view.focus || options->view.ignore;
	options->symbolize.cache_folder = options->use_cache ? cache_folder_default(options->arena) : NULL;
	return NULL;
}

struct err *options_parse(int argc, char **argv, struct options *ret)
{
	struct longs *longs = mem_zalloc(1, sizeof *longs);
	struct err *err = NULL;
	int code;

	set_defaults(ret);
	make_longs(longs);
	unify_names(longs, argc, argv);
	opterr = 0;
	while (!err && (code = getopt_long_only(argc, argv, ":hqvj:o:", longs->items, NULL)) != -1)
		err = take(ret, argv, code);
	free(longs);
	for (int i = optind; !err && i < argc; i++)
		push(&ret->inputs, argv[i]);
	return err ? err : settle(ret);
}

void options_clear(struct options *options)
{
	free(options->bases.items);
	free(options->path_maps.items);
	free(options->symbol_paths.items);
	free(options->added_libs.items);
	free(options->inputs.items);
	arena_free(options->arena);
	*options = (struct options){0};
}
