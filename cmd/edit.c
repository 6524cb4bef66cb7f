#include "cmd/edit.h"

#include "analyze/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBEDIT
#include <dlfcn.h>
#include <histedit.h>
#include <locale.h>
#endif

struct edit {
	const char *prompt;
	const struct edit_completer *completer;
	char *line;
	size_t cap;
	bool is_typed; /* by somebody at a terminal */
#ifdef HAVE_LIBEDIT
	EditLine *el; /* NULL: lines are read as they come */
	History *history;
	locale_t locale; /* of what is typed; all else of the tool knows none */
	bool is_given_up;
#endif
};

/* ---- as they come ---- */

static const char *read_line(struct edit *edit)
{
	if (edit->is_typed)
		fputs(edit->prompt, stderr);
	errno = 0;
	ssize_t n = getline(&edit->line, &edit->cap, stdin);
	if (n < 0 && errno == EINTR) {
		clearerr(stdin);
		fputs("\n", stderr);
		return "";
	}
	return n < 0 ? NULL : edit->line;
}

#ifdef HAVE_LIBEDIT

/* ---- libedit ---- */

/* Only a shell needs it, and each run would pay for loading it and its libraries: so the shell loads it. A host that has
 * not got it has a shell too, whose lines are read as they come. */
/* clang-format off */
#define USED(DO) \
	DO(el_deletestr) \
	DO(el_end) \
	DO(el_get) \
	DO(el_gets) \
	DO(el_init) \
	DO(el_insertstr) \
	DO(el_line) \
	DO(el_set) \
	DO(el_source) \
	DO(el_wset) \
	DO(history) \
	DO(history_end) \
	DO(history_init)
/* clang-format on */
#define DECLARE(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses): it declares the name */
#define FIND(name) is_whole = is_whole && (lib.name = dlsym(library, #name));

static struct {
	USED(DECLARE)
} lib;

static bool load_library(void)
{
	static const char *const names[] = {"libedit.so.2", "libedit.so.0"}; /* Debian's, and its author's */
	void *library = NULL;

	for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	bool is_whole = library;
	USED(FIND)
	return is_whole;
}

enum { MOST_LINES = 1000 };

static struct edit *edit_of(EditLine *el)
{
	void *edit = NULL;

	lib.el_get(el, EL_CLIENTDATA, &edit);
	return edit;
}

static char *prompt(EditLine *el)
{
	return (char *)(uintptr_t)edit_of(el)->prompt;
}

static unsigned char give_up(EditLine *el, int key)
{
	(void)key;
	edit_of(el)->is_given_up = true;
	return CC_EOF;
}

static unsigned char complete(EditLine *el, int key)
{
	struct edit *edit = edit_of(el);
	const LineInfo *line = lib.el_line(el);
	char CLEANUP(mem_free_local) *text = mem_strndup(line->buffer, (size_t)(line->cursor - line->buffer));
	struct completion found = {0};

	(void)key;
	edit->completer->complete(edit->completer->context, text, &found);
	if (found.text) {
		lib.el_deletestr(el, (int)found.n_replaced);
		return lib.el_insertstr(el, found.text) < 0 ? CC_ERROR : CC_REFRESH;
	}
	if (!found.n_choices)
		return CC_ERROR;
	fputs("\n", stderr);
	for (size_t i = 0; i < found.n_choices; i++)
		fprintf(stderr, "%s\n", found.choices[i]);
	return CC_REDISPLAY;
}

/* The key gives the line up and not the shell: it is read as any other. */
static void bind_keys(EditLine *el)
{
	/* The narrow one copies the names and never frees them. */
	lib.el_wset(el, EL_ADDFN, L"pprof-give-up", L"Give the line up", give_up);
	lib.el_wset(el, EL_ADDFN, L"pprof-complete", L"Complete the word", complete);
	lib.el_set(el, EL_SETTY, "-d", "-intr", NULL);
	lib.el_set(el, EL_BIND, "^C", "pprof-give-up", NULL);
	lib.el_set(el, EL_BIND, "^I", "pprof-complete", NULL);
	lib.el_set(el, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static void set_history(struct edit *edit)
{
	HistEvent event;

	edit->history = lib.history_init();
	if (!edit->history)
		return;
	lib.history(edit->history, &event, H_SETSIZE, MOST_LINES);
	lib.history(edit->history, &event, H_SETUNIQUE, 1);
	lib.el_set(edit->el, EL_HIST, lib.history, edit->history);
}

static void open_editor(struct edit *edit)
{
	edit->locale = newlocale(LC_CTYPE_MASK, "", NULL);
	if (edit->locale)
		uselocale(edit->locale);
	edit->el = lib.el_init("pprof", stdin, stderr, stderr);
	if (edit->el) {
		lib.el_set(edit->el, EL_CLIENTDATA, edit);
		lib.el_set(edit->el, EL_PROMPT, prompt);
		lib.el_set(edit->el, EL_EDITOR, "emacs");
		lib.el_set(edit->el, EL_SIGNAL, 1);
		set_history(edit);
		lib.el_source(edit->el, NULL);
		bind_keys(edit->el);
	}
	uselocale(LC_GLOBAL_LOCALE);
}

static const char *edited_line(struct edit *edit)
{
	int n = 0;

	edit->is_given_up = false;
	errno = 0;
	if (edit->locale)
		uselocale(edit->locale);
	const char *line = lib.el_gets(edit->el, &n);
	uselocale(LC_GLOBAL_LOCALE);
	if (edit->is_given_up || (n < 0 && errno == EINTR)) {
		fputs("^C\n", stderr);
		return "";
	}
	return n > 0 ? line : NULL;
}

#endif

/* ---- both ---- */

struct edit *edit_open(const char *prompt_text, const struct edit_completer *completer)
{
	struct edit *edit = mem_zalloc(1, sizeof *edit);

	edit->prompt = prompt_text;
	edit->completer = completer;
	edit->is_typed = isatty(STDIN_FILENO);
#ifdef HAVE_LIBEDIT
	if (edit->is_typed && isatty(STDERR_FILENO) && load_library())
		open_editor(edit);
#endif
	return edit;
}

void edit_close(struct edit *edit)
{
#ifdef HAVE_LIBEDIT
	if (edit->history)
		lib.history_end(edit->history);
	if (edit->el)
		lib.el_end(edit->el);
	if (edit->locale)
		freelocale(edit->locale);
#endif
	free(edit->line);
	free(edit);
}

const char *edit_line(struct edit *edit)
{
#ifdef HAVE_LIBEDIT
	if (edit->el)
		return edited_line(edit);
#endif
	return read_line(edit);
}

void edit_remember(struct edit *edit, const char *line)
{
#ifdef HAVE_LIBEDIT
	HistEvent event;

	if (edit->history)
		lib.history(edit->history, &event, H_ENTER, line);
#else
	(void)edit;
	(void)line;
#endif
}
