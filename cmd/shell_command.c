#include "cmd/shell_command.h"

#include "cmd/shell_settings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Tables show so many rows, as in all shells of the field. */
#define ROWS "10"

#define DIGITS "0123456789"

static size_t length_before_digits(const char *name)
{
	size_t length = strlen(name);

	while (length && strchr(DIGITS, name[length - 1]))
		length--;
	return length;
}

const struct opt_row *command_find(const char *name)
{
	char CLEANUP(mem_free_local) *word = mem_strndup(name, length_before_digits(name));
	const struct opt_row *row = opt_find(name);

	if (!row || !setting_is_command(row))
		row = opt_find(word);
	return row && setting_is_command(row) ? row : NULL;
}

/* ---- the words ---- */

struct patterns {
	char *text; /* "a|b"; NULL: none */
	size_t length;
};

struct words {
	struct options *options;
	size_t room; /* for all of them in one text */
	struct patterns focus, ignore;
};

static void add_pattern(const struct words *words, struct patterns *patterns, const char *pattern)
{
	size_t length = strlen(pattern);

	if (patterns->text)
		patterns->text[patterns->length++] = '|';
	else
		patterns->text = arena_alloc(words->options->arena, words->room, 1);
	memcpy(patterns->text + patterns->length, pattern, length + 1);
	patterns->length += length;
}

/* gperftools' shell has these two, with one dash or two. */
static bool is_short_option(const char *word)
{
	return strcmp(word, "cum") == 0 || strcmp(word, "lines") == 0;
}

/* "cum", "nocum", "unit=MB" */
static struct err *take_option(struct options *options, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	char CLEANUP(mem_free_local) *name = mem_strndup(text, length);
	const struct opt_row *row = opt_find(name);

	if (row && row->kind != OPT_REFUSED && !setting_is_known(row) && !setting_makes_report(row))
		return err_new("--%s is no option of a command", row->name);
	return options_set(options, name, value);
}

static struct err *take_word(struct words *words, const struct shell_word *word)
{
	const char *text = word->text;

	if (!word->is_quoted && *text && strspn(text, DIGITS) == strlen(text))
		return options_set(words->options, "nodecount", text);
	if (!word->is_quoted && strncmp(text, "--", 2) == 0)
		return take_option(words->options, text + 2);
	if (!word->is_quoted && *text == '-' && is_short_option(text + 1))
		return take_option(words->options, text + 1);
	if (!word->is_quoted && *text == '-')
		add_pattern(words, &words->ignore, text + 1);
	else
		add_pattern(words, &words->focus, text);
	return NULL;
}

/* Of tags they say which labels, not which functions. */
static struct err *set_patterns(const struct words *words, bool is_of_tags)
{
	struct err *err = NULL;

	if (words->focus.text)
		err = options_set(words->options, is_of_tags ? "tagfocus" : "focus", words->focus.text);
	if (!err && words->ignore.text)
		err = options_set(words->options, is_of_tags ? "tagignore" : "ignore", words->ignore.text);
	return err;
}

static struct err *take_words(const struct shell_line *line, uint32_t first, const struct opt_row *row,
                              struct options *options)
{
	struct words words = {.options = options};
	struct err *err = NULL;

	for (uint32_t i = first; i < line->n_words; i++)
		words.room += strlen(line->words[i].text) + 1;
	for (uint32_t i = first; i < line->n_words && !err; i++)
		err = take_word(&words, &line->words[i]);
	return err ? err : set_patterns(&words, strcmp(row->name, "tags") == 0);
}

/* ---- the command ---- */

static bool shows_few_rows(const struct opt_row *row)
{
	return strcmp(row->name, "top") == 0 || strcmp(row->name, "text") == 0;
}

static struct err *choose_report(const struct shell_line *line, const struct opt_row *row, struct options *options)
{
	const char *digits = line->name + length_before_digits(line->name);
	struct err *err = NULL;

	if (row->arg && !line->n_words)
		return err_new("%s: expected %s, as in %s main", row->name, row->arg, row->name);
	if (!opt_find(line->name))
		err = options_set(options, "nodecount", digits);
	else if (shows_few_rows(row) && options->rows.node_count < 0)
		err = options_set(options, "nodecount", ROWS);
	if (!err && setting_makes_report(row))
		err = options_set(options, "text", NULL);
	return err ? err : options_set(options, row->name, row->arg ? line->words[0].text : NULL);
}

struct err *command_options(const struct shell_line *line, const struct options *settings, struct options *ret)
{
	const struct opt_row *row = command_find(line->name);

	assert(row);
	*ret = *settings;
	struct err *err = choose_report(line, row, ret);
	if (!err)
		err = take_words(line, row->arg != NULL, row, ret);
	if (!err && line->output)
		err = options_set(ret, "output", line->output);
	return err ? err : options_settle(ret);
}
