#include "symbolize/answer.h"

#include <stdlib.h>

static func_id write_func(struct build *build, const struct answer_frame *frame)
{
	struct function func = {
		.name = build_cstr(build, frame->name->shown),
		.full_name = frame->name->full ? build_cstr(build, frame->name->full) : (str_id){0},
		.system_name = build_cstr(build, frame->name->system_name),
		.file = build_cstr(build, frame->file),
		.start_line = frame->start_line,
	};

	return build_func(build, &func);
}

void answer_write(struct build *build, const struct answer *answer)
{
	struct line *lines = mem_alloc(answer->n_frames, sizeof *lines);

	for (uint32_t i = 0; i < answer->n_frames; i++)
		lines[i] =
			(struct line){write_func(build, &answer->frames[i]), answer->frames[i].line, answer->frames[i].column};
	build_lines(build, (loc_id){answer->loc}, lines, answer->n_frames);
	free(lines);
}
