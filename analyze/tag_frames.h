/* Frames made of labels: the stacks of a profile with what their samples are marked with at the root or at the leaf. */
#pragma once

#include "analyze/base/err.h"
#include "analyze/profile.h"

struct tag_frames_opts {
	const char *root, *leaf; /* keys with commas between them; NULL: none */
	const char *unit;        /* of the numbers, where it measures what they do; NULL: the one each reads best in */
	bool all_frames;         /* the stacks are whole; else those that a view would drop are dropped first */
};

bool tag_frames_are_wanted(const struct tag_frames_opts *opts);

/* The profile with a frame more for each key in each stack: the first key of root is the root, the last one of leaf the
 * leaf. The function is called by the values of the label, "5kB,get", its file by the key; where a sample has no such
 * label, the name is empty. Samples, and the rows of all but stacks and frames, stay what they are; the frames of
 * allocators and the like are gone, so that nothing more is to be dropped. The profile points into the one it was made
 * of, which has to outlive it; its notes are those of that one, and then those of this. The error says that there are
 * too many frames. */
struct err *tag_frames_add(const struct profile *profile, const struct tag_frames_opts *opts,
                           struct profile **ret) MUST_CHECK;
