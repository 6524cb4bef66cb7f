#include "cmd/usage.h"

#include "analyze/read/read.h"
#include "versions.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *code, *meaning;
} exit_codes[] = {
	{"0", "the report is whole"},
	{"1", "a filter or a pattern matched nothing"},
	{"2", "wrong usage, unreadable input or unwritable output"},
	{"3", "one of several inputs failed, or with --strict something was lost"},
};

enum { NAME_COLUMNS = 22, HELP_COLUMN = 25, LAST_COLUMN = 79 };

/* ---- pieces ---- */

static void show_name(const char *name, char *text, size_t size)
{
	snprintf(text, size, "%s", name);
	for (char *at = text; *at; at++)
		if (*at == '_')
			*at = '-';
}

void usage_spelling(const struct opt_row *row, char *text, size_t size)
{
	char name[40], letter[8] = "";
	const char *open = "", *close = "";

	if (opt_arg_is_optional(row)) {
		open = "[";
		close = "]";
	}
	show_name(row->name, name, sizeof name);
	if (row->letter)
		snprintf(letter, sizeof letter, "-%c, ", row->letter);
	if (row->arg)
		snprintf(text, size, "%s--%s%s=%s%s", letter, name, open, row->arg, close);
	else
		snprintf(text, size, "%s--%s", letter, name);
}

/* Its words, in lines that end before the 80th column and begin in that of the first. */
static void write_wrapped(const char *text, struct out *out)
{
	size_t column = HELP_COLUMN;

	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > HELP_COLUMN && column + length >= LAST_COLUMN) {
			out_printf(out, "\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		}
		out_printf(out, "%s%.*s", column > HELP_COLUMN ? " " : "", (int)length, text);
		column += length + (column > HELP_COLUMN);
		text += length + (text[length] == ' ');
	}
	out_text(out, "\n");
}

void usage_item(const char *name, const char *help, struct out *out)
{
	if (strlen(name) > NAME_COLUMNS)
		out_printf(out, "  %s\n%*s", name, HELP_COLUMN, "");
	else
		out_printf(out, "  %-*s ", NAME_COLUMNS, name);
	write_wrapped(help, out);
}

static void write_option(const struct opt_row *row, struct out *out)
{
	char spelling[80];

	usage_spelling(row, spelling, sizeof spelling);
	usage_item(spelling, row->help, out);
}

static void write_inputs(struct out *out)
{
	out_text(out, "\nInput formats:\n");
	for (size_t i = 0; readers[i]; i++)
		usage_item(readers[i]->name, readers[i]->help, out);
}

static void write_exit_codes(struct out *out)
{
	out_text(out, "\nExit status:\n");
	for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++)
		usage_item(exit_codes[i].code, exit_codes[i].meaning, out);
}

/* ---- help ---- */

static void help_group(const struct opt_group *group, struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	out_printf(out, "%s:\n", group->title);
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].group, group->key) == 0)
			write_option(&rows[i], out);
	if (strcmp(group->key, "input") == 0)
		write_inputs(out);
	if (strcmp(group->key, "output") == 0)
		write_exit_codes(out);
}

static void help_groups(const char *key, struct out *out)
{
	size_t n, n_written = 0;
	const struct opt_group *groups = opt_groups(&n);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(key, "all") != 0 && strcmp(key, groups[i].key) != 0)
			continue;
		out_text(out, n_written++ ? "\n" : "");
		help_group(&groups[i], out);
	}
}

static void write_often_used(struct out *out)
{
	static const char *const names[] = {"text",  "top",   "list", "html",  "gv",    "base",
	                                    "trend", "lines", "cum",  "focus", "output"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		write_option(opt_find(names[i]), out);
}

static void help_overview(struct out *out)
{
	size_t n;
	const struct opt_group *groups = opt_groups(&n);

	out_text(out, "Usage: pprof [OPTION...] [PROGRAM] PROFILE...\n\n"
	              "Shows who holds the memory, or the time, in profiles of tcmalloc, jemalloc,\n"
	              "gperftools, Go and Java.\n\n"
	              "  pprof --text PROGRAM profile.0001.heap\n"
	              "  pprof --gv PROGRAM --base=profile.0001.heap profile.0002.heap\n"
	              "  pprof --svg PROGRAM profile.0009.heap > leak.svg\n\n");
	write_often_used(out);
	out_text(out, "\nA name may be cut short and begun by one dash or two (-text, --inuse-obj);\n"
	              "--nocum undoes --cum. Without PROGRAM the files that the profile names count.\n"
	              "- is standard input. Without a report a terminal gets a shell, others --text.\n\n"
	              "All options, by --help=GROUP or --help=all:\n");
	for (size_t i = 0; i < n; i++)
		out_printf(out, "  %-10s %s\n", groups[i].key, groups[i].title);
}

void usage_help(const char *group, struct out *out)
{
	if (*group)
		help_groups(group, out);
	else
		help_overview(out);
}

/* ---- version ---- */

void usage_version(const struct options *options, struct out *out)
{
	const char *folder = options->symbolize.cache_folder;

	out_printf(out, "pprof %s (%s)\n", VERSION_PPROF, VERSION_LIBRARIES);
	if (!options->verbose)
		return;
	if (folder)
		out_line(out, "Symbol cache: ", folder);
	else if (options->use_cache)
		out_text(out, "Symbol cache: none (neither XDG_CACHE_HOME nor HOME is an absolute path)\n");
	else
		out_text(out, "Symbol cache: none (--no-cache)\n");
}
