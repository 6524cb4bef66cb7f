#include "analyze/read/rows.h"

#include "analyze/read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void rows_clear(struct rows *rows)
{
	free(rows->addrs);
	free(rows->frames);
}

struct span rows_header(struct span line)
{
	span_word(&line, "---");
	span_blanks(&line);
	while (line.end > line.at && (line.end[-1] == '-' || line.end[-1] == ' '))
		line.end--;
	return line;
}

const char *rows_take_addrs(struct rows *rows, struct span line)
{
	rows->n_addrs = 0;
	for (;;) {
		bool overflow = false;
		uint64_t addr;

		span_blanks(&line);
		if (line.at == line.end)
			return NULL;
		if (!span_hex(&line, &addr, &overflow) || (line.at < line.end && *line.at != ' ' && *line.at != '\t'))
			return "expected a hexadecimal address";
		if (overflow)
			return "expected an address of at most 64 bits";
		if (rows->n_addrs == DEEPEST_STACK)
			return "expected at most 65536 frames";
		MEM_GROW(rows->addrs, rows->n_addrs, rows->cap_addrs);
		rows->addrs[rows->n_addrs++] = addr;
	}
}

loc_id *rows_frames(struct rows *rows)
{
	if (rows->cap_frames < rows->n_addrs) {
		rows->cap_frames = rows->cap_addrs;
		rows->frames = mem_realloc(rows->frames, rows->cap_frames, sizeof *rows->frames);
	}
	return rows->frames;
}

stack_id rows_stack(struct rows *rows)
{
	loc_id *frames = rows_frames(rows);

	for (uint32_t i = 0; i < rows->n_addrs; i++)
		frames[i] = build_loc(rows->build, rows->addrs[i] ? rows->addrs[i] - 1 : 0);
	return build_stack(rows->build, frames, rows->n_addrs);
}

void rows_skip(struct rows *rows, const char *what)
{
	if (rows->n_bad++)
		return;
	rows->first_bad = what;
	rows->first_bad_line = rows->in->line;
}

void rows_note_losses(const struct rows *rows, double lost)
{
	char share[64] = "the share that is lost is not known", skipped[64];
	struct diag *notes = build_notes(rows->build);

	if (lost >= 0 && lost < 0.05)
		snprintf(share, sizeof share, "less than 0.1%% of the total is lost");
	else if (lost >= 0)
		snprintf(share, sizeof share, "%.1f%% of the total is lost", lost);
	if (rows->n_bad > 1)
		snprintf(skipped, sizeof skipped, "%" PRIu32 " %ss like this are", rows->n_bad, rows->noun);
	else
		snprintf(skipped, sizeof skipped, "the %s is", rows->noun);
	if (rows->n_bad)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": %s; %s skipped, %s", rows->in->name,
		         rows->first_bad_line, rows->first_bad, skipped, share);
	else if (lost > 0)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "%s:%" PRIu64 ": the %ss end here, but %s", rows->in->name,
		         rows->in->line, rows->noun, share);
}
