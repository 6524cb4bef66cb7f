#include "analyze/read/losses.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHARE_TEXT = 80 };

void row_trouble_add(struct row_trouble *trouble, const struct cursor *in, const char *what)
{
	if (trouble->n++)
		return;
	trouble->line = in->line;
	trouble->what = what;
}

void row_trouble_join(struct row_trouble *sum, const struct row_trouble *piece, uint64_t n_lines_before)
{
	if (piece->n && !sum->n) {
		sum->line = n_lines_before + piece->line;
		sum->what = piece->what;
	}
	sum->n += piece->n;
}

const char *row_trouble_which(const struct row_trouble *trouble, const char *noun, char text[TROUBLE_TEXT])
{
	if (trouble->n > 1)
		snprintf(text, TROUBLE_TEXT, "%" PRIu32 " %ss like this are", trouble->n, noun);
	else
		snprintf(text, TROUBLE_TEXT, "the %s is", noun);
	return text;
}

static const char *share_of(const struct losses *losses, char text[SHARE_TEXT])
{
	if (losses->percent < 0)
		return "the share that is lost is not known";
	if (losses->percent < 0.05)
		snprintf(text, SHARE_TEXT, "less than 0.1%% of %s is lost", losses->total);
	else
		snprintf(text, SHARE_TEXT, "%.1f%% of %s is lost", losses->percent, losses->total);
	return text;
}

static void note_skipped(const struct losses *losses, const struct cursor *in, struct build *build)
{
	const struct row_trouble *skipped = losses->skipped;
	char share[SHARE_TEXT], which[TROUBLE_TEXT];

	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped, %s", in->name, skipped->line,
	         skipped->what, row_trouble_which(skipped, losses->noun, which), share_of(losses, share));
}

static void note_early_end(const struct losses *losses, const struct cursor *in, struct build *build)
{
	char share[SHARE_TEXT];

	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": the %ss end here, but %s%s", in->name,
	         in->line, losses->noun, share_of(losses, share), losses->guess ? losses->guess : "");
}

void losses_note(const struct losses *losses, const struct cursor *in, struct build *build)
{
	if (losses->skipped->n)
		note_skipped(losses, in, build);
	else if (losses->percent > 0)
		note_early_end(losses, in, build);
}

void losses_note_next_profile(const struct cursor *in, struct build *build)
{
	diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
	         "%s:%" PRIu64 ": another profile begins here; only the first one of a file is read", in->name, in->line);
}
