#include "analyze/read/heap_dump.h"

#include "analyze/base/text.h"
#include "analyze/read/unbias.h"

#include <inttypes.h>

enum { LONGEST_WARNING = 1000 };

void heap_skip_commands(struct span *head)
{
	while (span_starts(head, "%")) {
		while (head->at < head->end && *head->at++ != '\n')
			;
	}
}

void heap_take_header(struct cursor *in, struct build *build, struct span *ret)
{
	*ret = (struct span){in->end, in->end};
	while (cursor_line(in, ret) && span_starts(ret, "%")) {
		if (!span_word(ret, "%warn "))
			continue;
		int length = (int)text_cut_bytes(ret->at, span_length(ret), LONGEST_WARNING);
		diag_add(build_notes(build), NOTE_WARNING, NOTE_PLAIN, "%s:%" PRIu64 ": the profile says: %.*s", in->name,
		         in->line, length, ret->at);
	}
}

bool heap_counts(struct span *line, int64_t counts[N_COUNTS], bool *overflow)
{
	static const char marks[N_COUNTS] = {':', '[', ':', ']'}; /* what follows each number */

	for (int i = 0; i < N_COUNTS; i++)
		if (!span_int64(line, &counts[i], overflow) || !span_mark(line, marks[i]))
			return false;
	return true;
}

void heap_four_types(struct build *build)
{
	build_type(build, "alloc_objects", "count");
	build_type(build, "alloc_space", "bytes");
	build_type(build, "inuse_objects", "count");
	build_set_default_type(build, build_type(build, "inuse_space", "bytes"));
}

void heap_add(struct build *build, stack_id stack, labels_id labels, const int64_t counts[N_COUNTS], int64_t period)
{
	double live_n = (double)counts[LIVE_N], live_b = (double)counts[LIVE_B];
	double all_n = (double)counts[ALL_N], all_b = (double)counts[ALL_B];

	unbias_poisson(period, &live_n, &live_b);
	unbias_poisson(period, &all_n, &all_b);
	build_sample(build, stack, labels, (double[]){all_n, all_b, live_n, live_b});
}
