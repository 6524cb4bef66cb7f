#include "analyze/read/heap_rows.h"

#include "analyze/base/addrs.h"
#include "analyze/base/pool.h"
#include "analyze/read/maps.h"
#include "analyze/read/stack_addrs.h"

#include <stdlib.h>
#include <string.h>

/* A wave of pieces is parsed and then taken over, so that what is parsed never needs more than a wave's memory. */
enum { PIECE_BYTES = 2 << 20, WAVE = 8 };

struct row {
	int64_t counts[N_COUNTS];
	uint32_t n_frames;
};

/* Whole lines of the file, and what is in them. */
struct piece {
	struct span text;
	bool ends_file;           /* and with it its last line, which may be cut */
	struct stack_addrs stack; /* of the row at hand */
	struct addrs addrs;       /* return addresses, numbered within the piece */
	uint64_t *addr_list;      /* by number */
	uint32_t cap_addrs;
	loc_id *frames; /* row after row: numbers of addresses, which become locations when the piece is taken over */
	uint32_t n_frames, cap_frames;
	struct row *rows;
	uint32_t n_rows, cap_rows;
	struct span *comments;
	uint32_t n_comments, cap_comments;
	uint64_t n_lines;
	enum heap_end end;                /* what begins at text.at, once it was parsed */
	struct row_trouble bad, negative; /* lines counted from 1 in the piece */
};

/* ---- a line ---- */

static void push_frame(struct piece *piece, uint64_t addr)
{
	uint32_t n_known = piece->addrs.n;
	uint32_t number = addrs_number(&piece->addrs, addr);

	if (number == n_known) {
		MEM_GROW(piece->addr_list, n_known, piece->cap_addrs);
		piece->addr_list[number] = addr;
	}
	MEM_GROW(piece->frames, piece->n_frames, piece->cap_frames);
	piece->frames[piece->n_frames++].row = number;
}

/* Rows begin with digits and a colon; what has another shape (blank lines, comments) is passed over. */
static bool looks_like_row(struct span line)
{
	bool overflow = false;
	int64_t number;

	return span_int64(&line, &number, &overflow) && span_mark(&line, ':');
}

/* Where log lines are kept, a logger's words may stand before a row: "I0101 heap.cc:12] 1: 25 [1: 25] @ 0x...". Finds the
 * first word at which a whole row begins. */
static bool find_row(struct span *line)
{
	if (*line->at == '#' || !memmem(line->at, span_length(line), "] @", 3))
		return false;
	for (const char *at = line->at + 1; at < line->end; at++) {
		struct span rest = {at, line->end};
		int64_t counts[N_COUNTS];
		bool overflow = false;

		if (!span_is_blank(at[-1]) || !heap_counts(&rest, counts, &overflow) || !span_char(&rest, '@'))
			continue;
		line->at = at;
		return true;
	}
	return false;
}

static const char *parse_row(struct piece *piece, struct span line, struct row *row)
{
	bool overflow = false;

	if (!heap_counts(&line, row->counts, &overflow) || !span_char(&line, '@'))
		return "expected \"N: BYTES [N: BYTES] @ ADDRESS...\"";
	if (overflow)
		return "expected counts of at most 63 bits";
	return stack_addrs_read(&piece->stack, line);
}

static bool has_negative(const struct row *row)
{
	return (row->counts[LIVE_N] | row->counts[LIVE_B] | row->counts[ALL_N] | row->counts[ALL_B]) < 0;
}

static void take_row(struct piece *piece, const struct cursor *in, struct span line)
{
	struct row row;
	bool is_cut = piece->ends_file && cursor_line_is_cut(in);
	const char *wrong = is_cut ? "the row is cut by the end of the file" : parse_row(piece, line, &row);

	if (wrong) {
		row_trouble_add(&piece->bad, in, wrong);
		return;
	}
	if (has_negative(&row))
		row_trouble_add(&piece->negative, in, "the row has a negative count");
	row.n_frames = piece->stack.n;
	for (uint32_t i = 0; i < piece->stack.n; i++)
		push_frame(piece, piece->stack.addrs[i]);
	MEM_GROW(piece->rows, piece->n_rows, piece->cap_rows);
	piece->rows[piece->n_rows++] = row;
}

/* ---- a piece ---- */

static enum heap_end end_of_rows(const struct span *line)
{
	if (maps_begin(line))
		return END_AT_MAPS;
	return span_starts(line, "heap profile:") ? END_AT_PROFILE : END_OF_FILE;
}

static struct err *parse_piece(void *context, uint32_t number)
{
	struct piece *piece = &((struct piece *)context)[number];
	struct cursor in;
	struct span line;

	cursor_init(&in, "", piece->text.at, span_length(&piece->text));
	while (piece->end == END_OF_FILE && cursor_line(&in, &line)) {
		piece->n_lines = in.line;
		if (line.at == line.end)
			continue;
		if (span_starts(&line, "#\t0x")) {
			MEM_GROW(piece->comments, piece->n_comments, piece->cap_comments);
			piece->comments[piece->n_comments++] = line;
		} else if (looks_like_row(line)) {
			take_row(piece, &in, line);
		} else {
			piece->end = end_of_rows(&line);
			if (piece->end == END_OF_FILE && find_row(&line))
				take_row(piece, &in, line);
		}
	}
	piece->text.at = in.at;
	return NULL;
}

/* About PIECE_BYTES of the file, to the end of a line. */
static struct span cut_piece(struct span *rest)
{
	struct span text = *rest;

	if (span_length(rest) > PIECE_BYTES) {
		const char *newline = memchr(rest->at + PIECE_BYTES, '\n', span_length(rest) - PIECE_BYTES);

		if (newline)
			text.end = newline + 1;
	}
	rest->at = text.end;
	return text;
}

static uint32_t cut_wave(struct span *rest, struct piece pieces[WAVE])
{
	uint32_t n = 0;

	for (; n < WAVE && rest->at < rest->end; n++) {
		struct piece *piece = &pieces[n];

		piece->text = cut_piece(rest);
		piece->ends_file = rest->at == rest->end;
		addrs_free(&piece->addrs);
		piece->n_rows = piece->n_frames = piece->n_comments = 0;
		piece->n_lines = 0;
		piece->bad = piece->negative = (struct row_trouble){0};
	}
	return n;
}

static void free_pieces(struct piece pieces[WAVE])
{
	for (int i = 0; i < WAVE; i++) {
		addrs_free(&pieces[i].addrs);
		stack_addrs_free(&pieces[i].stack);
		free(pieces[i].addr_list);
		free(pieces[i].frames);
		free(pieces[i].rows);
		free(pieces[i].comments);
	}
}

/* ---- what was parsed goes into the profile ---- */

static loc_id *number_locations(const struct piece *piece, struct build *build)
{
	loc_id *locs = mem_alloc(piece->addrs.n, sizeof *locs);

	for (uint32_t i = 0; i < piece->addrs.n; i++)
		locs[i] = stack_addrs_return(build, piece->addr_list[i]);
	return locs;
}

static void take_piece(struct piece *piece, struct cursor *in, struct build *build, struct heap_rows *rows)
{
	loc_id *locs = number_locations(piece, build);
	uint32_t first = 0;

	for (uint32_t i = 0; i < piece->n_frames; i++)
		piece->frames[i] = locs[piece->frames[i].row];
	free(locs);
	for (uint32_t i = 0; i < piece->n_rows; i++) {
		const struct row *row = &piece->rows[i];

		/* Where no row has a stack there are no frames to point into. */
		const loc_id *frames = row->n_frames ? piece->frames + first : NULL;

		rows->row(rows->context, row->counts, build_stack(build, frames, row->n_frames));
		first += row->n_frames;
	}
	for (uint32_t i = 0; i < piece->n_comments; i++)
		rows->comment(rows->context, piece->comments[i]);
	row_trouble_join(&rows->bad, &piece->bad, in->line);
	row_trouble_join(&rows->negative, &piece->negative, in->line);
	rows->end = piece->end;
	in->line += piece->n_lines;
	in->at = piece->text.at;
}

void heap_rows_read(struct cursor *in, struct build *build, unsigned n_threads, struct heap_rows *rows)
{
	struct piece pieces[WAVE] = {0};
	struct span rest = {in->at, in->end};

	while (rows->end == END_OF_FILE && rest.at < rest.end) {
		uint32_t n = cut_wave(&rest, pieces);

		err_free(pool_run(n_threads, n, parse_piece, pieces));
		for (uint32_t i = 0; i < n && rows->end == END_OF_FILE; i++)
			take_piece(&pieces[i], in, build, rows);
	}
	free_pieces(pieces);
}
