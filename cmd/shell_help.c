#include "cmd/shell_help.h"

#include "cmd/shell_command.h"
#include "cmd/shell_settings.h"

#include <stdio.h>

#define WORDS "[N] [FOCUS...] [-IGNORE...] [--OPTION...] [> FILE]"

static void write_item(const char *name, const char *arg, const char *sign, const char *help, struct out *out)
{
	char spelling[80];

	snprintf(spelling, sizeof spelling, "%s%s%s", name, arg ? sign : "", arg ? arg : "");
	out_printf(out, "  %-22s %s\n", spelling, help);
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
	out_text(out, "Commands, each with " WORDS "; top and text show 10 rows unless N says how many:\n");
	write_commands(out);
	out_text(
		out,
		"\nSettings, which hold until they are changed (NAME=VALUE; NAME alone where there is no value; NAME= takes "
		"it back):\n");
	write_settings(out);
	out_text(out, "\nOthers:\n");
	write_item("TYPE", NULL, "", "the values of this type, such as inuse_space", out);
	write_item(":", NULL, "", "take the filters back: focus, ignore, hide, show, tagfocus and tagignore", out);
	write_item("o, options", NULL, "", "show the settings", out);
	write_item("help [NAME]", NULL, "", "this, or what one command or setting does", out);
	write_item("q, quit, exit, Ctrl-D", NULL, "", "end the shell", out);
}

struct err *shell_help_on(const char *name, struct out *out)
{
	const struct opt_row *row = opt_find(name);

	if (!row)
		row = command_find(name);
	if (!row)
		return setting_unknown("command or option", name);
	if (setting_is_command(row))
		out_printf(out, "%s%s%s " WORDS "\n", row->name, row->arg ? " " : "", row->arg ? row->arg : "");
	else
		out_printf(out, "%s%s%s\n", row->name, row->arg ? "=" : "", row->arg ? row->arg : "");
	out_printf(out, "  %s\n", row->help);
	if (row->kind != OPT_REFUSED && !setting_is_command(row) && !setting_is_known(row))
		out_text(out, "  It counts only when pprof starts.\n");
	return NULL;
}
