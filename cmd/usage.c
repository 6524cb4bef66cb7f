#include "cmd/usage.h"

#include "analyze/base/file.h"
#include "analyze/read/read.h"
#include "versions.h"

#include <stdio.h>
#include <string.h>

static void show_name(const char *name, char *text, size_t size)
{
	snprintf(text, size, "%s", name);
	for (char *at = text; *at; at++)
		if (*at == '_')
			*at = '-';
}

/* "-j, --jobs=N" */
static void option_spelling(const struct opt_row *row, char *text, size_t size)
{
	char name[40], letter[8] = "";
	const char *open = "", *close = "";

	if (row->kind == OPT_STRICT) {
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

static void write_option(const struct opt_row *row, struct out *out)
{
	char spelling[80];

	option_spelling(row, spelling, sizeof spelling);
	out_printf(out, "  %-22s %s\n", spelling, row->help);
}

void usage_help(struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	out_text(out,
	         "Usage: pprof [OPTION...] [PROGRAM] PROFILE...\n\n"
	         "Shows who holds the memory, or the time, in profiles of tcmalloc, jemalloc, gperftools, Go and Java.\n\n"
	         "  pprof --text PROGRAM profile.0001.heap\n"
	         "  pprof --gv PROGRAM --base=profile.0001.heap profile.0002.heap\n"
	         "  pprof --svg PROGRAM profile.0009.heap > leak.svg\n");
	for (size_t i = 0; i < n; i++) {
		if (!i || strcmp(rows[i].group, rows[i - 1].group) != 0)
			out_printf(out, "\n%s:\n", rows[i].group);
		write_option(&rows[i], out);
	}
	out_text(out, "\nA name may be cut short and begun by one dash or two (-text, --inuse-obj); --nocum undoes --cum. "
	              "PROGRAM may be\n"
	              "left out: the files that the profile names are used. A PROFILE of - is standard input.\n\n"
	              "Exit: 0 well; 1 a filter matched nothing; 2 wrong usage, unreadable input or unwritable output; 3 "
	              "one of several\n"
	              "inputs failed, or with --strict something was lost.\n\nInput formats:\n");
	for (size_t i = 0; readers[i]; i++)
		out_printf(out, "  %-22s %s\n", readers[i]->name, readers[i]->help);
}

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

/* ---- the manual ---- */

/* A leading dot or quote would be a command to troff; a minus that is typed must stay one. */
static void write_roff(const char *text, struct out *out)
{
	if (*text == '.' || *text == '\'')
		out_text(out, "\\&");
	for (; *text; text++) {
		if (*text == '\\')
			out_text(out, "\\e");
		else if (*text == '-')
			out_text(out, "\\-");
		else
			out_bytes(out, text, 1);
	}
}

static void write_roff_item(const char *term, const char *text, struct out *out)
{
	out_text(out, ".TP\n.B ");
	write_roff(term, out);
	out_text(out, "\n");
	write_roff(text, out);
	out_text(out, "\n");
}

static void manual_options(struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++) {
		char spelling[80];

		if (!i || strcmp(rows[i].group, rows[i - 1].group) != 0)
			out_printf(out, ".SS %s\n", rows[i].group);
		option_spelling(&rows[i], spelling, sizeof spelling);
		write_roff_item(spelling, rows[i].help, out);
	}
}

static void manual_inputs(struct out *out)
{
	for (size_t i = 0; readers[i]; i++)
		write_roff_item(readers[i]->name, readers[i]->help, out);
}

struct err *usage_manual(const char *template_path, struct out *out)
{
	struct bytes bytes;
	struct err *err = file_read(template_path, &bytes);

	if (err)
		return err;
	const char *at = (const char *)bytes.data, *mark;
	while ((mark = strchr(at, '@'))) {
		out_bytes(out, at, (size_t)(mark - at));
		at = mark + 1;
		if (strncmp(mark, "@OPTIONS@\n", 10) == 0) {
			manual_options(out);
			at = mark + 10;
		} else if (strncmp(mark, "@INPUTS@\n", 9) == 0) {
			manual_inputs(out);
			at = mark + 9;
		} else {
			out_text(out, "@");
		}
	}
	out_text(out, at);
	bytes_free(&bytes);
	return NULL;
}
