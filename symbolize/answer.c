#include "symbolize/answer.h"

#include <stdlib.h>

/* Knows the texts that it has written by their place in memory: most come many times. */
struct writer {
	struct build *build;
	struct addrs places;
	str_id *ids; /* beside places */
	uint32_t cap;
};

static str_id write_text(struct writer *writer, const char *text)
{
	uint32_t n = writer->places.n, place = addrs_number(&writer->places, (uintptr_t)text);

	if (place < n)
		return writer->ids[place];
	MEM_GROW(writer->ids, n, writer->cap);
	return writer->ids[place] = build_cstr(writer->build, text);
}

static func_id write_func(struct writer *writer, const struct answer_frame *frame)
{
	struct function func = {
		.name = write_text(writer, frame->name->shown),
		.rule_name = frame->name->rule ? write_text(writer, frame->name->rule) : (str_id){0},
		.full_name = frame->name->full ? write_text(writer, frame->name->full) : (str_id){0},
		.system_name = write_text(writer, frame->name->system_name),
		.file = write_text(writer, frame->file),
		.start_line = frame->start_line,
	};

	return build_func(writer->build, &func);
}

static void write_answer(struct writer *writer, const struct answer *answer)
{
	struct line *lines = mem_alloc(answer->n_frames, sizeof *lines);

	for (uint32_t i = 0; i < answer->n_frames; i++)
		lines[i] =
			(struct line){write_func(writer, &answer->frames[i]), answer->frames[i].line, answer->frames[i].column};
	build_lines(writer->build, (loc_id){answer->loc}, lines, answer->n_frames);
	free(lines);
}

void answers_write(struct build *build, const struct answer *answers, uint32_t n)
{
	struct writer writer = {.build = build};

	for (uint32_t i = 0; i < n; i++)
		if (answers[i].n_frames)
			write_answer(&writer, &answers[i]);
	addrs_free(&writer.places);
	free(writer.ids);
}
