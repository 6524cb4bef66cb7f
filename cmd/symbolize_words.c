#include "cmd/symbolize_words.h"

#include "analyze/base/text.h"

static void local(struct symbolize_opts *opts)
{
	opts->is_off = false;
}

static void off(struct symbolize_opts *opts)
{
	opts->is_off = true;
}

static void force(struct symbolize_opts *opts)
{
	opts->replaces_names = true;
}

static void demangle_none(struct symbolize_opts *opts)
{
	opts->names = DEMANGLE_NONE;
}

static void demangle_templates(struct symbolize_opts *opts)
{
	opts->names = DEMANGLE_TEMPLATES;
}

static void demangle_whole(struct symbolize_opts *opts)
{
	opts->names = DEMANGLE_FULL;
}

static void demangle_default(struct symbolize_opts *opts)
{
	opts->names = DEMANGLE_SHORT;
}

static const struct {
	const char *word;
	void (*set)(struct symbolize_opts *opts);
} table[] = {
	{"none", off},
	{"local", local},
	{"fastlocal", local}, /* names without lines; both come from the same place here */
	{"force", force},
	{"demangle=none", demangle_none},
	{"demangle=full", demangle_whole},
	{"demangle=templates", demangle_templates},
	{"demangle=default", demangle_default},
};

static struct err *read_word(const char *at, size_t n, struct symbolize_opts *opts)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (text_is(at, n, table[i].word)) {
			table[i].set(opts);
			return NULL;
		}
	}
	if (text_is(at, n, "remote"))
		return err_new("--symbolize=remote: nothing is fetched from the network: names come from local files");
	return err_new(
		"--symbolize=%.*s: expected none, local, fastlocal, force or demangle=none, full, templates, default", (int)n,
		at);
}

struct err *symbolize_words_read(const char *words, struct symbolize_opts *ret)
{
	struct err *err = NULL;
	size_t n;

	for (const char *word; !err && (word = text_item(&words, ':', &n));)
		err = read_word(word, n, ret);
	return err;
}
