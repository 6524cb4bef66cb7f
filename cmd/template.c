#include "cmd/template.h"

#include "analyze/base/file.h"
#include "cmd/completion.h"
#include "cmd/manual.h"

#include <string.h>

static const struct mark {
	const char *line;
	void (*write)(struct out *out);
} marks[] = {
	{"@OPTIONS@\n", manual_options},
	{"@INPUTS@\n", manual_inputs},
	{"@BASH_ARGUMENTS@\n", completion_bash_arguments},
	{"@BASH_NAMES@\n", completion_bash_names},
	{"@BASH_NEGATIONS@\n", completion_bash_negations},
	{"@ZSH_OPTIONS@\n", completion_zsh},
	{"@FISH_OPTIONS@\n", completion_fish},
	{"@LIST@\n", completion_list},
};

static const struct mark *find_mark(const char *at)
{
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strncmp(at, marks[i].line, strlen(marks[i].line)) == 0)
			return &marks[i];
	return NULL;
}

struct err *template_fill(const char *path, struct out *out)
{
	struct bytes bytes;
	struct err *err = file_read(path, &bytes);

	if (err)
		return err;
	for (const char *at = (const char *)bytes.data; *at;) {
		const struct mark *mark = find_mark(at);
		size_t length = mark ? strlen(mark->line) : strcspn(at, "\n") + (strchr(at, '\n') != NULL);

		if (mark)
			mark->write(out);
		else
			out_bytes(out, at, length);
		at += length;
	}
	bytes_free(&bytes);
	return NULL;
}
