#include "cmd/shell_complete.h"

#include "analyze/base/text.h"
#include "cmd/shell_command.h"
#include "cmd/shell_settings.h"

#include <stdlib.h>
#include <string.h>

/* More would fill the screen and help nobody. */
enum { MOST_CHOICES = 100 };

struct shell_completer {
	const struct profile *profile;
	struct arena *arena; /* of the last answer */
	const char *typed;   /* the word that is to be completed, */
	const char *word;    /* and as it is meant: without what a pattern escapes */
	bool is_pattern;
	size_t common; /* what all that fit have in common, from their begin */
	const char *first;
	const char **choices;
	uint32_t n_choices, cap_choices;
	bool has_more;
};

/* ---- what fits ---- */

static void begin(struct shell_completer *completer, const char *word)
{
	completer->typed = completer->word = word;
	completer->is_pattern = false;
	completer->first = NULL;
	completer->n_choices = 0;
	completer->has_more = false;
}

static size_t common_length(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n])
		n++;
	return n;
}

static bool is_chosen(const struct shell_completer *completer, const char *text)
{
	for (uint32_t i = 0; i < completer->n_choices; i++)
		if (text_compare(completer->choices[i], text) == 0)
			return true;
	return false;
}

static void offer(struct shell_completer *completer, const char *text)
{
	if (strncmp(text, completer->word, strlen(completer->word)) != 0)
		return;
	if (!completer->first) {
		completer->first = text;
		completer->common = strlen(text);
	}
	completer->common = common_length(completer->first, text, completer->common);
	if (completer->has_more || is_chosen(completer, text))
		return;
	completer->has_more = completer->n_choices == MOST_CHOICES;
	if (completer->has_more)
		return;
	MEM_GROW(completer->choices, completer->n_choices, completer->cap_choices);
	completer->choices[completer->n_choices++] = text;
}

static void offer_names(struct shell_completer *completer, bool (*fits)(const struct opt_row *row))
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (fits(&rows[i]))
			offer(completer, rows[i].name);
}

/* "cum", "focus=" */
static void offer_settings(struct shell_completer *completer)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	/* Those for the type of the values may be of other profiles. */
	for (size_t i = 0; i < n; i++)
		if (setting_is_known(&rows[i]) && rows[i].kind != OPT_NAMED)
			offer(completer, rows[i].arg ? arena_printf(completer->arena, "%s=", rows[i].name) : rows[i].name);
}

static void offer_types(struct shell_completer *completer)
{
	const struct profile *p = completer->profile;

	for (uint32_t i = 0; i < p->n_types; i++)
		offer(completer, profile_text(p, p->types[i].type));
}

static void offer_first_words(struct shell_completer *completer)
{
	static const char *const others[] = {"granularity=", "sort=", "help", "options", "quit", "exit"};

	offer_names(completer, setting_is_command);
	offer_settings(completer);
	offer_types(completer);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		offer(completer, others[i]);
}

static void offer_functions(struct shell_completer *completer)
{
	const struct profile *p = completer->profile;

	for (uint32_t i = 0; i < p->n_funcs; i++)
		offer(completer, profile_text(p, p->funcs[i].name));
}

/* ---- patterns ---- */

#define SPECIAL "\\^$.|?*+()[]{}"

/* A function's name as a pattern that is one word. */
static const char *escape(const char *name, struct arena *arena)
{
	char *text = arena_alloc(arena, 2 * strlen(name) + 1, 1), *at = text;

	for (; *name; name++) {
		bool is_blank = *name == ' ';

		if (is_blank || strchr(SPECIAL, *name))
			*at++ = '\\';
		*at++ = (char)(is_blank ? 's' : *name);
	}
	return text;
}

static const char *unescape(const char *pattern, struct arena *arena)
{
	char *text = arena_alloc(arena, strlen(pattern) + 1, 1), *at = text;

	for (; *pattern; pattern++) {
		bool is_escape = *pattern == '\\' && pattern[1];

		pattern += is_escape;
		*at++ = (char)(is_escape && *pattern == 's' ? ' ' : *pattern);
	}
	return text;
}

/* What follows the last "|": the names before it stand. */
static const char *last_alternative(const char *pattern)
{
	const char *bar = strrchr(pattern, '|');

	return bar ? bar + 1 : pattern;
}

static void offer_functions_for(struct shell_completer *completer, const char *pattern)
{
	begin(completer, last_alternative(pattern));
	completer->word = unescape(completer->typed, completer->arena);
	completer->is_pattern = true;
	offer_functions(completer);
}

/* ---- the answer ---- */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_choices(struct shell_completer *completer, struct completion *ret)
{
	const char **texts = arena_alloc(completer->arena, completer->n_choices + 1, sizeof *texts);
	uint32_t n = completer->n_choices;

	qsort(completer->choices, n, sizeof *completer->choices, by_text);
	for (uint32_t i = 0; i < n; i++)
		texts[i] = text_printable(completer->choices[i], completer->arena);
	if (completer->has_more)
		texts[n++] = "...";
	ret->choices = texts;
	ret->n_choices = n;
}

/* A name may hold anything, and the terminal shows what is put into the line: up to what would be escaped. */
static const char *cut_to_printable(const char *text, size_t length, struct arena *arena)
{
	const char *copy = arena_strndup(arena, text, length);

	return arena_strndup(arena, copy, common_length(copy, text_printable(copy, arena), length));
}

/* What is certain of the word, as it is typed; with a blank where nothing can follow. */
static const char *certain_text(struct shell_completer *completer)
{
	struct arena *arena = completer->arena;
	const char *text = cut_to_printable(completer->first, completer->common, arena);
	bool is_whole = completer->n_choices == 1 && strcmp(text, completer->first) == 0;
	bool has_value = is_whole && *text && text[strlen(text) - 1] == '=';

	if (completer->is_pattern)
		text = escape(text, arena);
	return is_whole && !has_value ? arena_printf(arena, "%s ", text) : text;
}

static void answer(struct shell_completer *completer, struct completion *ret)
{
	if (!completer->first)
		return;
	const char *text = certain_text(completer);
	if (strlen(text) < strlen(completer->typed) || strcmp(text, completer->typed) == 0) {
		list_choices(completer, ret);
		return;
	}
	ret->text = text;
	ret->n_replaced = text_width(completer->typed);
}

static void offer_members(struct shell_completer *completer, const char *group)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (setting_is_member(group, &rows[i]))
			offer(completer, rows[i].name);
}

/* The last of several, which follows a comma. */
static void offer_columns(struct shell_completer *completer, const char *value)
{
	const char *comma = strrchr(value, ',');

	begin(completer, comma ? comma + 1 : value);
	offer_types(completer);
	offer(completer, "mean");
}

/* The value of a setting: a type, one of a group, or functions where it is a pattern. */
static void complete_value(struct shell_completer *completer, const char *name, const char *value,
                           struct completion *ret)
{
	const struct opt_row *row = opt_find(name);

	begin(completer, value);
	if (row && row->arg && strcmp(row->arg, "REGEX") == 0)
		offer_functions_for(completer, value);
	else if (row && strcmp(row->name, "sample_index") == 0)
		offer_types(completer);
	else if (row && strcmp(row->name, "columns") == 0)
		offer_columns(completer, value);
	else
		offer_members(completer, name);
	answer(completer, ret);
}

static bool is_any(const struct opt_row *row)
{
	return setting_is_command(row) || setting_is_known(row);
}

static bool takes_functions(const char *command)
{
	return command_find(command) && strcmp(command, "tags") != 0;
}

static void complete_name(struct shell_completer *completer, const char *name, struct completion *ret)
{
	begin(completer, name);
	offer_first_words(completer);
	answer(completer, ret);
}

static void complete_word(struct shell_completer *completer, const char *command, const char *word,
                          struct completion *ret)
{
	if (strncmp(word, "--", 2) == 0) {
		begin(completer, word + 2);
		offer_settings(completer);
	} else if (strcmp(command, "help") == 0) {
		begin(completer, word);
		offer_names(completer, is_any);
	} else if (takes_functions(command)) {
		offer_functions_for(completer, word + (*word == '-'));
	} else {
		return;
	}
	answer(completer, ret);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The word of a command that the text ends with. NULL: it is the name of a file. */
static const char *last_word(const char *text)
{
	const char *word = text + strlen(text);

	while (word > text && !is_blank(word[-1]))
		word--;
	const char *before = word;
	while (before > text && is_blank(before[-1]))
		before--;
	return *word == '>' || (before > text && before[-1] == '>') ? NULL : word;
}

void completer_complete(void *context, const char *line, struct completion *ret)
{
	struct shell_completer *completer = context;

	arena_free(completer->arena);
	completer->arena = arena_new();
	while (is_blank(*line))
		line++;
	size_t length = strcspn(line, " \t=");
	const char *name = arena_strndup(completer->arena, line, length), *rest = line + length;
	const char *equals = rest + strspn(rest, " \t"), *word = last_word(rest);
	if (!*rest)
		complete_name(completer, name, ret);
	else if (*equals == '=')
		complete_value(completer, name, equals + 1 + strspn(equals + 1, " \t"), ret);
	else if (word)
		complete_word(completer, name, word, ret);
}

struct shell_completer *completer_new(const struct profile *profile)
{
	struct shell_completer *completer = mem_zalloc(1, sizeof *completer);

	completer->profile = profile;
	return completer;
}

void completer_free(struct shell_completer *completer)
{
	arena_free(completer->arena);
	free(completer->choices);
	free(completer);
}
