#include "cmd/completion.h"

#include "analyze/base/text.h"
#include "cmd/options.h"

#include <string.h>

/* ---- what stands behind a name ---- */

enum follows { NOTHING, TEXT, FILES, FOLDERS, WORDS };

struct argument {
	enum follows follows;
	const char *words; /* with blanks between */
};

static const struct {
	const char *arg;
	struct argument argument;
} arguments[] = {
	{"FILE", {FILES, NULL}},
	{"PROFILE", {FILES, NULL}},
	{"DIR", {FOLDERS, NULL}},
	{"DIR,DIR", {FOLDERS, NULL}},
	{"DIR:DIR", {FOLDERS, NULL}},
	{"symbols", {WORDS, "symbols"}},
	{"TYPE",
     {WORDS, "inuse_space inuse_objects alloc_space alloc_objects space objects cpu samples delay contentions"}},
	{"TYPE,TYPE",
     {WORDS, "inuse_space inuse_objects alloc_space alloc_objects space objects cpu samples delay contentions mean"}},
	{"UNIT", {WORDS, "auto minimum B kB MB GB ns us ms s"}},
};

static const char *group_words(struct arena *arena)
{
	size_t n;
	const struct opt_group *groups = opt_groups(&n);
	const char *words = "all";

	for (size_t i = 0; i < n; i++)
		words = arena_printf(arena, "%s %s", words, groups[i].key);
	return words;
}

static const char *words_of(const char *arg, struct arena *arena)
{
	char *words = arena_strndup(arena, arg, strlen(arg));

	for (char *at = words; *at; at++)
		if (*at == '|')
			*at = ' ';
	return words;
}

static struct argument argument_of(const struct opt_row *row, struct arena *arena)
{
	if (!row->arg)
		return (struct argument){NOTHING, NULL};
	if (row->kind == OPT_WORD)
		return (struct argument){WORDS, words_of(row->arg, arena)};
	if (row->kind == OPT_HELP)
		return (struct argument){WORDS, group_words(arena)};
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
		if (strcmp(row->arg, arguments[i].arg) == 0)
			return arguments[i].argument;
	return (struct argument){TEXT, NULL};
}

static bool is_negatable(const struct opt_row *row)
{
	return row->kind == OPT_FLAG && strncmp(row->name, "no_", 3) != 0;
}

/* Calls write for each option that does something. */
static void for_each(void (*write)(const struct opt_row *row, struct arena *arena, struct out *out), struct out *out)
{
	struct arena *arena = arena_new();
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		if (rows[i].kind != OPT_REFUSED && rows[i].kind != OPT_ACCEPTED)
			write(&rows[i], arena, out);
	arena_free(arena);
}

/* As the help spells it. */
static const char *dashed(const char *name, struct arena *arena)
{
	char *copy = arena_strndup(arena, name, strlen(name));

	for (char *at = copy; *at; at++)
		if (*at == '_')
			*at = '-';
	return copy;
}

/* The text with a backslash before each of these characters. */
static const char *escape(const char *text, const char *special, struct arena *arena)
{
	char *copy = arena_alloc(arena, 2 * strlen(text) + 1, 1), *to = copy;

	for (; *text; text++) {
		if (strchr(special, *text))
			*to++ = '\\';
		*to++ = *text;
	}
	return copy;
}

/* ---- bash ---- */

/* What an option may stand before: its argument, or '=' and that. */
static const char *bash_pattern(const struct opt_row *row, struct arena *arena)
{
	const char *letter = row->letter ? arena_printf(arena, "|%c", row->letter) : "";

	if (opt_arg_is_optional(row))
		return arena_printf(arena, "%s=", row->name);
	return arena_printf(arena, "%s|%s=%s", row->name, row->name, letter);
}

static void bash_argument(const struct opt_row *row, struct arena *arena, struct out *out)
{
	struct argument argument = argument_of(row, arena);

	if (argument.follows == NOTHING)
		return;
	out_printf(out, "\t%s) ", bash_pattern(row, arena));
	if (argument.follows == TEXT)
		out_text(out, "compopt +o default ");
	if (argument.follows == FOLDERS)
		out_text(out, "compopt +o default -o dirnames ");
	if (argument.follows == WORDS)
		out_printf(out, "compopt +o default && _pprof_reply \"$2\" \"$3\" %s ", argument.words);
	out_text(out, ";;\n");
}

static void bash_name(const struct opt_row *row, struct arena *arena, struct out *out)
{
	(void)arena;
	out_printf(out, "\t%s%s\n", row->name, row->arg && !opt_arg_is_optional(row) ? "=" : "");
}

static void bash_negation(const struct opt_row *row, struct arena *arena, struct out *out)
{
	(void)arena;
	if (is_negatable(row))
		out_printf(out, "\tno_%s\n", row->name);
}

void completion_bash_arguments(struct out *out)
{
	for_each(bash_argument, out);
}

void completion_bash_names(struct out *out)
{
	for_each(bash_name, out);
}

void completion_bash_negations(struct out *out)
{
	for_each(bash_negation, out);
}

/* ---- zsh ---- */

static const char *zsh_action(const struct argument *argument, struct arena *arena)
{
	switch (argument->follows) {
	case NOTHING:
	case TEXT:
		return "";
	case FILES:
		return "_files";
	case FOLDERS:
		return "_files -/";
	case WORDS:
		return arena_printf(arena, "(%s)", argument->words);
	}
	return "";
}

/* Inside '...' of a spec of _arguments. */
static const char *zsh_quote(const char *text, struct arena *arena)
{
	const char *quoted = escape(text, "[]:\\", arena);
	const char *result = "", *quote;

	for (; (quote = strchr(quoted, '\'')); quoted = quote + 1)
		result = arena_printf(arena, "%s%.*s'\\''", result, (int)(quote - quoted), quoted);
	return arena_printf(arena, "%s%s", result, quoted);
}

static void zsh_option(const struct opt_row *row, struct arena *arena, struct out *out)
{
	struct argument argument = argument_of(row, arena);
	const char *name = dashed(row->name, arena), *help = zsh_quote(row->help, arena), *behind = "", *message = "";

	if (row->arg) {
		behind = opt_arg_is_optional(row) ? "=-" : "=";
		message = arena_printf(arena, "%s%s:%s", opt_arg_is_optional(row) ? "::" : ":", zsh_quote(row->arg, arena),
		                       zsh_action(&argument, arena));
	}
	out_printf(out, "\t'%s--%s%s[%s]%s' \\\n", row->kind == OPT_LIST ? "*" : "", name, behind, help, message);
	if (row->letter && opt_arg_is_optional(row))
		out_printf(out, "\t'-%c[%s]' \\\n", row->letter, help);
	else if (row->letter)
		out_printf(out, "\t'-%c%s[%s]%s' \\\n", row->letter, row->arg ? "+" : "", help, message);
	if (is_negatable(row))
		out_printf(out, "\t'--no-%s[the opposite of --%s]' \\\n", name, name);
}

void completion_zsh(struct out *out)
{
	for_each(zsh_option, out);
}

/* ---- fish ---- */

static const char *fish_action(const struct argument *argument, struct arena *arena)
{
	switch (argument->follows) {
	case NOTHING:
		return "";
	case TEXT:
		return " -x";
	case FILES:
		return " -r -F";
	case FOLDERS:
		return " -x -a '(__fish_complete_directories)'";
	case WORDS:
		return arena_printf(arena, " -x -a '%s'", argument->words);
	}
	return "";
}

/* An argument that may be left out stands behind "=" alone, which fish has no word for: such an option is a flag to it. */
static void fish_option(const struct opt_row *row, struct arena *arena, struct out *out)
{
	struct argument argument = argument_of(row, arena);
	const char *action = opt_arg_is_optional(row) ? "" : fish_action(&argument, arena);
	const char *letter = row->letter ? arena_printf(arena, " -s %c", row->letter) : "";

	out_printf(out, "complete -c pprof%s -l %s%s -d '%s'\n", letter, dashed(row->name, arena), action,
	           escape(row->help, "'\\", arena));
}

/* So its words are names of their own. */
static void fish_words(const struct opt_row *row, struct arena *arena, struct out *out)
{
	struct argument argument = argument_of(row, arena);

	if (!opt_arg_is_optional(row) || argument.follows != WORDS)
		return;
	const char *name = dashed(row->name, arena);
	size_t n;
	for (const char *word; (word = text_item(&argument.words, ' ', &n));)
		out_printf(out, "complete -c pprof -n 'string match -q -- \"--%s*\" (commandline -ct)' -a '--%s=%.*s'\n", name,
		           name, (int)n, word);
}

static void fish_negation(const struct opt_row *row, struct arena *arena, struct out *out)
{
	const char *name = dashed(row->name, arena);

	if (is_negatable(row))
		out_printf(out, "complete -c pprof -l no-%s -d 'the opposite of --%s'\n", name, name);
}

void completion_fish(struct out *out)
{
	for_each(fish_option, out);
	for_each(fish_words, out);
	for_each(fish_negation, out);
}

/* ---- for other programs ---- */

static const char *kind_of(const struct opt_row *row)
{
	if (row->kind == OPT_REFUSED)
		return "refused";
	if (row->kind == OPT_ACCEPTED)
		return "accepted";
	if (opt_arg_is_optional(row))
		return "optional";
	return row->arg ? "argument" : "flag";
}

void completion_list(struct out *out)
{
	size_t n;
	const struct opt_row *rows = opt_rows(&n);

	for (size_t i = 0; i < n; i++)
		out_printf(out, "%s\t%c\t%s\t%s\t%s\t%s\n", rows[i].name, rows[i].letter ? rows[i].letter : '-', rows[i].group,
		           kind_of(&rows[i]), rows[i].arg ? rows[i].arg : "", rows[i].help);
}
