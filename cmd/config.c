#include "cmd/config.h"

#include "analyze/base/file.h"
#include "cmd/command_line.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 16 << 10 };

static const char *find_path(struct arena *arena)
{
	const char *folder = file_user_folder("XDG_CONFIG_HOME", ".config", arena);

	return folder ? arena_printf(arena, "%s/config", folder) : NULL;
}

/* ---- a line ---- */

static struct err *check_place(const char *name, const struct opt_row *row)
{
	static const char *const elsewhere[] = {"help", "version", "output", "config", "interactive"};

	if (row && row->kind == OPT_REPORT)
		return err_new("--%s: its %s belongs to one report: expected it on the command line", name, row->arg);
	for (size_t i = 0; row && i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (strcmp(row->name, elsewhere[i]) == 0)
			return err_new("--%s: expected on the command line alone", name);
	return NULL;
}

static struct err *set_line(struct options *options, const char *name, const char *value)
{
	struct err *err = check_place(name, opt_find(name));

	return err ? err : options_set(options, name, value);
}

/* NAME or NAME = VALUE */
static struct err *read_line(const struct cursor *in, const struct span *line, struct options *options)
{
	const char *equals = memchr(line->at, '=', span_length(line));
	struct span name = {line->at, equals ? equals : line->end}, value = {equals ? equals + 1 : line->end, line->end};

	span_trim_end(&name);
	span_blanks(&value);
	if (!span_length(&name) || memchr(line->at, '\0', span_length(line)))
		return cursor_err(in, "expected NAME or NAME = VALUE, the long name of an option");
	const char *shown = arena_strndup(options->arena, name.at, span_length(&name));
	struct err *err =
		set_line(options, shown, equals ? arena_strndup(options->arena, value.at, span_length(&value)) : NULL);
	return err ? err_wrap(err, "%s:%llu", in->name, (unsigned long long)in->line) : NULL;
}

struct err *config_take(struct cursor *in, struct options *options)
{
	struct err *err = NULL;
	struct span line;

	while (!err && cursor_line(in, &line))
		if (span_length(&line) && *line.at != '#')
			err = read_line(in, &line, options);
	return err;
}

/* ---- the file ---- */

static struct err *read_file(const char *path, struct options *options, bool *found_ret)
{
	struct bytes bytes;
	struct cursor in;
	struct err *err = file_read_regular(path, MOST_BYTES, &bytes);

	if (err && err_is_missing(err)) {
		err_free(err);
		return NULL;
	}
	if (err)
		return err;
	*found_ret = true;
	cursor_init(&in, path, bytes.data, bytes.size);
	err = config_take(&in, options);
	bytes_free(&bytes);
	return err;
}

/* The options of the file, which must go together by themselves, and then the command line over them. */
static struct err *take_both(int argc, char **argv, const char *path, struct options *options)
{
	struct err *err = options_settle(options);

	if (err)
		return err_wrap(err, "%s", path);
	options->replaces = true;
	err = command_line_take(argc, argv, options);
	options->replaces = false;
	if (!err)
		err = options_settle(options);
	return err ? err_wrap(err, "with the options of %s", path) : NULL;
}

struct err *config_parse(int argc, char **argv, struct options *ret)
{
	bool found = false;
	struct err *err = command_line_parse(argc, argv, ret);

	if (err || !ret->use_config || ret->help || ret->version)
		return err;
	struct options both;
	options_init(&both);
	const char *path = find_path(both.arena);
	if (path)
		err = read_file(path, &both, &found);
	if (!err && found)
		err = take_both(argc, argv, path, &both);
	if (err || !found) {
		options_clear(&both);
		return err;
	}
	options_clear(ret);
	*ret = both;
	ret->config_path = path;
	return NULL;
}
