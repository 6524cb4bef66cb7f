#include "cmd/tag_options.h"

#include "analyze/base/text.h"
#include "render/renderer.h"

#include <string.h>

static void note_range(struct diag *diag, const char *option, const char *text)
{
	const char *range = text ? tag_filter_range(text) : NULL;

	if (range)
		diag_add(diag, NOTE_INFO, NOTE_PLAIN, "--%s: '%s' is taken as a range of numbers, not as a pattern", option,
		         range);
}

/* The notes of the profile that it was made of have been told. */
static void add_new_notes(struct diag *diag, const struct profile *tagged, const struct profile *old)
{
	for (uint32_t i = old->notes.n; i < tagged->notes.n; i++) {
		const struct note *note = &tagged->notes.notes[i];

		diag_add(diag, note->level, note->kind, "%s", note->text);
	}
}

/* --info tells of the input. */
static bool shows_stacks(const struct show *show)
{
	return show->renderer != &render_info;
}

struct err *tag_options_apply(struct show *show, struct profile **ret)
{
	struct tag_frames_opts opts = show->options->tag_frames;
	struct err *err;

	note_range(show->diag, "tagfocus", show->view.tags.focus);
	note_range(show->diag, "tagignore", show->view.tags.ignore);
	if (!tag_frames_are_wanted(&opts) || !shows_stacks(show))
		return NULL;
	opts.unit = show->rows.unit;
	opts.all_frames = show->view.all_frames;
	err = tag_frames_add(show->profile, &opts, ret);
	if (err)
		return err;
	add_new_notes(show->diag, *ret, show->profile);
	show->profile = *ret;
	show->view.all_frames = true;
	return NULL;
}

static bool list_has(const char *list, const char *key)
{
	size_t n;

	for (const char *item; list && (item = text_item(&list, ',', &n));)
		if (text_is(item, n, key))
			return true;
	return false;
}

bool tag_options_make_frames_of(const struct options *options, const char *key)
{
	return list_has(options->tag_frames.root, key) || list_has(options->tag_frames.leaf, key);
}
