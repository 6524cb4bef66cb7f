#include "cmd/shell_help.h"

#include "analyze/base/text.h"
#include "cmd/shell_command.h"
#include "cmd/shell_settings.h"
#include "cmd/usage.h"

#include <stdio.h>

#define WORDS "[N] [FOCUS...] [-IGNORE...] [--OPTION...] [> FILE]"

/* What is no option. */
static const struct other {
	const char *spelling, *help;
} others[] = {
	{"TYPE", "the values of this type, such as inuse_space"},
	{":", "take the filters back: focus, ignore, hide, show, tagfocus and tagignore"},
	{"o, options", "show the settings"},
	{"help [NAME]", "this, or what one command or setting does"},
	{"q, quit, exit, Ctrl-D", "end the shell"},
};
enum { N_OTHERS = sizeof others / sizeof *others };

static void write_item(const char *name, const char *arg, const char *sign, const char *help, struct out *out)
{
	char spelling[80];

	snprintf(spelling, sizeof spelling, "%s%s%s", name, arg ? sign : "", arg ? arg : "");
	usage_item(spelling, help, out);
}

static void write_commands(struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (setting_is_command(&rows[i]))
			write_item(rows[i].name, rows[i].arg, " ", rows[i].help, out);
}

static void write_settings(struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (setting_is_known(&rows[i]) && rows[i].kind != OPT_NAMED)
			write_item(rows[i].name, rows[i].arg, "=", rows[i].help, out);
}

void shell_help(struct out *out)
{
	out_text(out, "Commands, each with " WORDS ";\n"
	              "top and text show 10 rows unless N says how many:\n");
	write_commands(out);
	out_text(out, "\nSettings, which hold until they are changed (NAME=VALUE; NAME alone where there\n"
	              "is no value; NAME= takes it back):\n");
	write_settings(out);
	out_text(out, "\nOthers:\n");
	for (size_t i = 0; i < N_OTHERS; i++)
		write_item(others[i].spelling, NULL, "", others[i].help, out);
}

/* ---- about one ---- */

/* "options" is one of "o, options". */
static bool has_name(const struct other *other, const char *name)
{
	const char *spelling = other->spelling;
	size_t n;

	for (const char *word; (word = text_item(&spelling, ' ', &n));)
		if (text_is(word, n - (word[n - 1] == ','), name))
			return true;
	return false;
}

static const struct other *find_other(const char *name)
{
	for (size_t i = 0; i < N_OTHERS; i++)
		if (has_name(&others[i], name))
			return &others[i];
	return NULL;
}

static void help_on_group(const char *group, struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	out_printf(out, "%s=NAME, or NAME alone\n", group);
	for (size_t i = 0; i < n; i++)
		if (setting_is_member(group, &rows[i]))
			write_item(rows[i].name, NULL, "", rows[i].help, out);
}

static void help_on_row(const struct opt_row *row, struct out *out)
{
	if (setting_is_command(row))
		out_printf(out, "%s%s%s " WORDS "\n", row->name, row->arg ? " " : "", row->arg ? row->arg : "");
	else
		out_printf(out, "%s%s%s\n", row->name, row->arg ? "=" : "", row->arg ? row->arg : "");
	out_printf(out, "  %s\n", row->help);
	if (row->kind != OPT_REFUSED && !setting_is_command(row) && !setting_is_known(row))
		out_text(out, "  It counts only when pprof starts.\n");
}

struct err *shell_help_on(const char *name, struct out *out)
{
	const struct other *other = find_other(name);
	const struct opt_row *row = opt_find(name);

	if (!row)
		row = command_find(name);
	if (other)
		out_printf(out, "%s\n  %s\n", other->spelling, other->help);
	else if (setting_is_group(name))
		help_on_group(name, out);
	else if (row)
		help_on_row(row, out);
	else
		return setting_unknown("command or option", name);
	return NULL;
}
