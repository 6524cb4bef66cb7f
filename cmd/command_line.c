#include "cmd/command_line.h"

#include <getopt.h>
#include <string.h>

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

static int has_arg(const struct opt_row *row)
{
	if (opt_is_negatable(row) || opt_arg_is_optional(row))
		return optional_argument;
	return row->arg ? required_argument : no_argument;
}

static void add_row(struct longs *longs, const struct opt_row *row, int number)
{
	const char *behind_no = row->kind == OPT_FLAG ? opt_behind_no(row->name) : NULL;

	add_long(longs, row->name, has_arg(row), FIRST_ROW + number);
	if (behind_no)
		add_long(longs, arena_printf(longs->arena, "no%s%s", row->name[2] == '_' ? "" : "_", behind_no), has_arg(row),
		         FIRST_ROW + number);
	if (!opt_is_negatable(row))
		return;
	add_negation(longs, "no", row->name, FIRST_NEGATION + number);
	add_negation(longs, "no_", row->name, FIRST_NEGATION + number);
}

static void make_longs(struct longs *longs)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	longs->items = arena_alloc(longs->arena, 4 * n + 1, sizeof *longs->items);
	for (size_t i = 0; i < n; i++)
		add_row(longs, &rows[i], (int)i);
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
		opt_unify_name(name);
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
	return opt_unknown(name);
}

static struct err *take(struct options *options, char **argv, int code)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	if (code == '?' || code == ':')
		return bad_argument(argv, code);
	if (code >= FIRST_NEGATION)
		return options_set_row(options, &rows[code - FIRST_NEGATION], "false");
	if (code >= FIRST_ROW)
		return options_set_row(options, &rows[code - FIRST_ROW], optarg);
	for (size_t i = 0; i < n; i++)
		if (rows[i].letter == code)
			return options_set_row(options, &rows[i], optarg);
	return NULL;
}

static struct err *parse(int argc, char **argv, const struct longs *longs, struct options *options)
{
	struct err *err = NULL;
	int code;

	optind = 0; /* from the start, where this is not the first command line */
	while (!err && (code = getopt_long_only(argc, argv, ":hqvj:o:", longs->items, NULL)) != -1)
		err = take(options, argv, code);
	for (int i = optind; !err && i < argc; i++)
		strings_add(&options->inputs, argv[i]);
	return err;
}

struct err *command_line_take(int argc, char **argv, struct options *options)
{
	struct longs longs = {.arena = arena_new()};

	make_longs(&longs);
	unify_names(&longs, argc, argv);
	opterr = 0;
	struct err *err = parse(argc, argv, &longs, options);
	arena_free(longs.arena);
	return err;
}

struct err *command_line_parse(int argc, char **argv, struct options *ret)
{
	options_init(ret);
	struct err *err = command_line_take(argc, argv, ret);
	return err ? err : options_settle(ret);
}
