#include "analyze/tag_keys.h"

#include "analyze/base/regex.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, SHOWN, HIDDEN };

struct tag_keys {
	uint8_t *of_key; /* by string, for those that are keys */
	uint8_t blocks;  /* the size of blocks, whose key "bytes" need be none of the profile's strings */
};

/* A pattern of one of the two options; regex NULL: it is not given. */
struct pattern {
	const char *option, *text;
	struct regex *regex;
	bool any;
};

static struct err *compile(const char *option, const char *text, struct pattern *ret)
{
	*ret = (struct pattern){.option = option, .text = text};
	return text ? regex_new(option, text, &ret->regex) : NULL;
}

static bool match(struct pattern *pattern, const char *key)
{
	bool found = regex_match(pattern->regex, key);

	pattern->any |= found;
	return found;
}

static uint8_t judge(struct pattern *show, struct pattern *hide, const char *key)
{
	bool is_shown = !show->regex || match(show, key);
	bool is_hidden = hide->regex && match(hide, key);

	return is_shown && !is_hidden ? SHOWN : HIDDEN;
}

static bool has_blocks(const struct profile *p)
{
	int64_t size;

	for (uint32_t i = 0; i < p->n_samples; i++)
		if (labels_block_size(p, i, &size))
			return true;
	return false;
}

static void judge_all(struct tag_keys *keys, const struct profile *p, struct pattern *show, struct pattern *hide)
{
	keys->of_key = mem_zalloc(p->n_strs, sizeof *keys->of_key);
	for (uint32_t i = 0; i < p->n_labels; i++) {
		str_id key = p->labels[i].key;

		if (keys->of_key[key.row] == UNKNOWN)
			keys->of_key[key.row] = judge(show, hide, profile_text(p, key));
	}
	if (has_blocks(p))
		keys->blocks = judge(show, hide, "bytes");
}

static void note_pattern(const struct pattern *pattern, struct diag *notes)
{
	if (!pattern->regex)
		return;
	if (!pattern->any)
		diag_add(notes, NOTE_WARNING, NOTE_PLAIN, "--%s=%s: no label has such a key", pattern->option, pattern->text);
	if (regex_n_given_up(pattern->regex))
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "--%s=%s: %u keys took too long to match and count as no match",
		         pattern->option, pattern->text, regex_n_given_up(pattern->regex));
}

static struct tag_keys *make(const struct profile *p, struct pattern *show, struct pattern *hide, struct diag *notes)
{
	struct tag_keys *keys;

	if (!show->regex && !hide->regex)
		return NULL;
	keys = mem_zalloc(1, sizeof *keys);
	judge_all(keys, p, show, hide);
	note_pattern(show, notes);
	note_pattern(hide, notes);
	return keys;
}

struct err *tag_keys_new(const struct profile *p, const struct tag_opts *opts, struct diag *notes,
                         struct tag_keys **ret)
{
	struct pattern show = {0}, hide = {0};
	struct err *err = compile("tagshow", opts->show, &show);

	if (!err)
		err = compile("taghide", opts->hide, &hide);
	if (!err)
		*ret = make(p, &show, &hide, notes);
	regex_free(show.regex);
	regex_free(hide.regex);
	return err;
}

void tag_keys_free(struct tag_keys *keys)
{
	if (!keys)
		return;
	free(keys->of_key);
	free(keys);
}

void tag_keys_keep(const struct tag_keys *keys, struct label_list *list)
{
	uint32_t n = 0;

	if (!keys)
		return;
	for (uint32_t i = 0; i < list->n; i++) {
		const struct shown_label *label = &list->items[i];

		if ((label->is_block_size ? keys->blocks : keys->of_key[label->key_id.row]) == SHOWN)
			list->items[n++] = *label;
	}
	list->n = n;
}
