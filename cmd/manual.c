#include "cmd/manual.h"

#include "analyze/read/read.h"
#include "cmd/usage.h"

#include <string.h>

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

static void manual_group(const struct opt_group *group, struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	out_printf(out, ".SS %s\n", group->title);
	for (size_t i = 0; i < n; i++) {
		char spelling[80];

		if (strcmp(rows[i].group, group->key) != 0)
			continue;
		usage_spelling(&rows[i], spelling, sizeof spelling);
		write_roff_item(spelling, rows[i].help, out);
	}
}

void manual_options(struct out *out)
{
	size_t n;
	const struct opt_group *groups = opt_groups(&n);

	for (size_t i = 0; i < n; i++)
		manual_group(&groups[i], out);
}

void manual_inputs(struct out *out)
{
	for (size_t i = 0; readers[i]; i++)
		write_roff_item(readers[i]->name, readers[i]->help, out);
}
