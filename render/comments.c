#include "render/renderer.h"

/* What people wrote into the profile, a comment a line. */

static struct err *write(const struct report *report, struct out *out)
{
	const struct profile *profile = report->profile;

	for (uint32_t i = 0; i < profile->n_comments; i++)
		out_line(out, "", profile_text(profile, profile->comments[i]));
	return NULL;
}

const struct renderer render_comments = {
	.name = "comments",
	.help = "the comments in the profile, one a line",
	.ext = "txt",
	.write = write,
};
