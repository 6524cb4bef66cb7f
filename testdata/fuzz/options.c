/* What people and their files say: three parts with a line "%%" between them. The first is a command line, an argument a
 * line; the second a configuration file, over which the same command line counts; the third what is typed into a shell. */
#include "analyze/gate.h"
#include "cmd/command_line.h"
#include "cmd/config.h"
#include "cmd/shell_command.h"
#include "cmd/shell_settings.h"
#include "testdata/fuzz/fuzz_profile.h"

#include <stdlib.h>
#include <string.h>

static const char MARK[] = "\n%%\n";
enum { MOST_WORDS = 64 };

/* Ends the part at the mark; *text is what follows it. */
static char *next_part(char **text)
{
	char *part = *text, *mark = strstr(part, MARK);

	*text = mark ? mark + sizeof MARK - 1 : part + strlen(part);
	if (mark)
		*mark = '\0';
	return part;
}

/* ---- the command line and the file ---- */

static int split(char *lines, char **argv)
{
	static char program[] = "pprof";
	int argc = 0;

	argv[argc++] = program;
	for (char *line; argc < MOST_WORDS && (line = strsep(&lines, "\n"));)
		argv[argc++] = line;
	argv[argc] = NULL;
	return argc;
}

static void look_at(const struct options *options)
{
	const struct gate_opts gate = options_gate(options);

	options_report(options);
	err_free(gate_check_opts(&gate));
}

static bool take_line(char *lines, struct options *options)
{
	char *argv[MOST_WORDS + 1];
	struct err *err = command_line_parse(split(lines, argv), argv, options);

	if (!err)
		look_at(options);
	err_free(err);
	return !err;
}

static struct err *take_both(char *lines, const char *file, struct options *options)
{
	char *argv[MOST_WORDS + 1];
	struct cursor in;

	cursor_init(&in, "config", file, strlen(file));
	struct err *err = config_take(&in, options);
	if (!err)
		err = options_settle(options);
	if (err)
		return err;
	options->replaces = true;
	err = command_line_take(split(lines, argv), argv, options);
	options->replaces = false;
	return err ? err : options_settle(options);
}

/* ---- the shell ---- */

static struct err *obey_command(const struct shell_line *line, const struct options *settings)
{
	struct options options;
	struct err *err = command_options(line, settings, &options);

	if (!err)
		look_at(&options);
	return err;
}

static struct err *obey(const struct shell_line *line, struct options *settings, const struct profile *profile)
{
	if (line->is_setting)
		return setting_set(settings, profile, line->name, line->value);
	if (command_find(line->name))
		return obey_command(line, settings);
	if (setting_is_group(line->name))
		return setting_unknown("command", line->name);
	return setting_set(settings, profile, line->name, NULL);
}

static void type_line(const char *text, struct options *settings, const struct profile *profile)
{
	struct shell_line line;
	struct err *err = shell_line_parse(text, settings->arena, &line);

	if (!err)
		err = obey(&line, settings, profile);
	err_free(err);
}

static void type_lines(char *lines, struct options *settings)
{
	struct profile *profile = fuzz_profile();
	struct out *out = out_memory();

	for (char *line; (line = strsep(&lines, "\n"));)
		type_line(line, settings, profile);
	setting_list(settings, profile, out);
	out_discard(out);
	profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size), *rest = text;
	char *line = next_part(&rest), *same_line = mem_strndup(line, strlen(line)), *file = next_part(&rest);
	struct options options, both;

	options_init(&both);
	take_line(line, &options);
	err_free(take_both(same_line, file, &both));
	if (*rest)
		type_lines(rest, &both);
	options_clear(&both);
	options_clear(&options);
	free(same_line);
	free(text);
	return 0;
}
