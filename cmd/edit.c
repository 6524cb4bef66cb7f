#include "cmd/edit.h"

#include "analyze/base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_LIBEDIT
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

enum { MOST_LINES = 1000 };

static struct edit *edit_of(EditLine *el)
{
	void *edit = NULL;

	el_get(el, EL_CLIENTDATA, &edit);
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
	const LineInfo *line = el_line(el);
	char CLEANUP(mem_free_local) *text = mem_strndup(line->buffer, (size_t)(line->cursor - line->buffer));
	struct completion found = {0};

	(void)key;
	edit->completer->complete(edit->completer->context, text, &found);
	if (found.text) {
		el_deletestr(el, (int)found.n_replaced);
		return el_insertstr(el, found.text) < 0 ? CC_ERROR : CC_REFRESH;
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
	el_wset(el, EL_ADDFN, L"pprof-give-up", L"Give the line up", give_up);
	el_wset(el, EL_ADDFN, L"pprof-complete", L"Complete the word", complete);
	el_set(el, EL_SETTY, "-d", "-intr", NULL);
	el_set(el, EL_BIND, "^C", "pprof-give-up", NULL);
	el_set(el, EL_BIND, "^I", "pprof-complete", NULL);
	el_set(el, EL_BIND, "^R", "em-inc-search-prev", NULL);
}

static void set_history(struct edit *edit)
{
	HistEvent event;

	edit->history = history_init();
	if (!edit->history)
		return;
	history(edit->history, &event, H_SETSIZE, MOST_LINES);
	history(edit->history, &event, H_SETUNIQUE, 1);
	el_set(edit->el, EL_HIST, history, edit->history);
}

static void open_editor(struct edit *edit)
{
	edit->locale = newlocale(LC_CTYPE_MASK, "", NULL);
	if (edit->locale)
		uselocale(edit->locale);
	edit->el = el_init("pprof", stdin, stderr, stderr);
	if (edit->el) {
		el_set(edit->el, EL_CLIENTDATA, edit);
		el_set(edit->el, EL_PROMPT, prompt);
		el_set(edit->el, EL_EDITOR, "emacs");
		el_set(edit->el, EL_SIGNAL, 1);
		set_history(edit);
		el_source(edit->el, NULL);
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
	const char *line = el_gets(edit->el, &n);
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
	if (edit->is_typed && isatty(STDERR_FILENO))
		open_editor(edit);
#endif
	return edit;
}

void edit_close(struct edit *edit)
{
#ifdef HAVE_LIBEDIT
	if (edit->history)
		history_end(edit->history);
	if (edit->el)
		el_end(edit->el);
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
		history(edit->history, &event, H_ENTER, line);
#else
	(void)edit;
	(void)line;
#endif
}
