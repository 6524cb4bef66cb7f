#include "cmd/shell_line.h"

#include <string.h>

#define BLANKS " \t\r\n\v\f"
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define COMMENT "//:"

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, BLANKS);
}

static const char *copy_trimmed(const char *text, size_t length, struct arena *arena)
{
	while (length && strchr(BLANKS, text[length - 1]))
		length--;
	return arena_strndup(arena, text, length);
}

static bool is_comment(const char *word)
{
	return strncmp(word, COMMENT, strlen(COMMENT)) == 0;
}

const char *shell_line_trim(const char *text, struct arena *arena)
{
	text = skip_blanks(text);
	return copy_trimmed(text, strlen(text), arena);
}

/* ---- settings ---- */

/* The last "//:" begins it, as in google/pprof. */
static size_t length_without_comment(const char *value)
{
	const char *comment = NULL;

	for (const char *at = value; (at = strstr(at, COMMENT)); at++)
		comment = at;
	return comment ? (size_t)(comment - value) : strlen(value);
}

static bool parse_setting(const char *text, struct arena *arena, struct shell_line *ret)
{
	size_t length = strspn(text, NAME_LETTERS);
	const char *equals = skip_blanks(text + length);

	if (!length || *equals != '=')
		return false;
	const char *value = skip_blanks(equals + 1);
	ret->is_setting = true;
	ret->name = arena_strndup(arena, text, length);
	ret->value = copy_trimmed(value, length_without_comment(value), arena);
	return true;
}

/* ---- commands ---- */

static bool ends_word(char c)
{
	return !c || strchr(BLANKS, c);
}

/* The quote that ends the word which *at begins; NULL: there is none. */
static const char *closing_quote(const char *at)
{
	for (const char *end = at + 1; (end = strchr(end, *at)); end++)
		if (ends_word(end[1]))
			return end;
	return NULL;
}

/* Only at the begin of a word and at its end are quotes quotes: a pattern may hold them too. */
static struct err *next_word(const char **at, struct arena *arena, struct shell_word *ret)
{
	const char *start = *at, *end;

	ret->is_quoted = *start == '"' || *start == '\'';
	if (ret->is_quoted) {
		end = closing_quote(start);
		if (!end)
			return err_new("expected %c at the end of %s", *start, start);
		ret->text = arena_strndup(arena, start + 1, (size_t)(end - start - 1));
		*at = skip_blanks(end + 1);
	} else {
		end = start + strcspn(start, BLANKS);
		ret->text = arena_strndup(arena, start, (size_t)(end - start));
		*at = skip_blanks(end);
	}
	return NULL;
}

/* ">file", or ">" and the file as the next word. */
static struct err *parse_redirection(const char **at, struct arena *arena, struct shell_line *line)
{
	struct shell_word file = {0};

	*at = skip_blanks(*at + 1);
	if (**at == '>' || **at == '|')
		return err_new(">%c: expected > and the name of a file, which is replaced", **at);
	struct err *err = **at ? next_word(at, arena, &file) : NULL;
	if (err)
		return err;
	if (!file.text || !*file.text)
		return err_new("expected the name of a file after >");
	line->output = file.text;
	return NULL;
}

static struct err *parse_words(const char *at, struct arena *arena, struct shell_line *line)
{
	struct err *err = NULL;

	line->words = arena_alloc(arena, strlen(at) / 2 + 1, sizeof *line->words);
	while (*at && !is_comment(at) && !err) {
		if (*at == '|')
			err = err_new("%s: no program is started here: > FILE writes to a file", at);
		else if (*at == '>')
			err = parse_redirection(&at, arena, line);
		else
			err = next_word(&at, arena, &line->words[line->n_words++]);
	}
	return err;
}

struct err *shell_line_parse(const char *text, struct arena *arena, struct shell_line *ret)
{
	const char *start = skip_blanks(text);
	size_t length = strcspn(start, BLANKS);

	*ret = (struct shell_line){.name = ""};
	if (parse_setting(start, arena, ret))
		return NULL;
	if (is_comment(start))
		return NULL;
	ret->name = arena_strndup(arena, start, length);
	return parse_words(skip_blanks(start + length), arena, ret);
}
