#include "analyze/read/names.h"

#include "analyze/base/addrs.h"

#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT32_MAX

struct name_row {
	str_id func, full, file; /* full: none where it is func */
	uint32_t line;
	uint32_t next; /* the next outer one of the same address; NO_ROW: the last */
};

struct chain {
	uint32_t first, last; /* rows of one address */
};

struct names {
	struct addrs addrs;
	struct chain *chains; /* by the number of the address */
	struct name_row *rows;
	uint32_t n, cap, cap_chains;
};

struct names *names_new(void)
{
	return mem_zalloc(1, sizeof(struct names));
}

void names_free(struct names *names)
{
	if (!names)
		return;
	addrs_free(&names->addrs);
	free(names->chains);
	free(names->rows);
	free(names);
}

static void add(struct names *names, uint64_t addr, const struct name_row *row)
{
	uint32_t n = names->addrs.n, number = addrs_number(&names->addrs, addr);

	MEM_GROW(names->rows, names->n, names->cap);
	names->rows[names->n] = *row;
	names->rows[names->n].next = NO_ROW;
	if (number == n) {
		MEM_GROW(names->chains, n, names->cap_chains);
		names->chains[n].first = names->n;
	} else {
		names->rows[names->chains[number].last].next = names->n;
	}
	names->chains[number].last = names->n++;
}

void names_add(struct names *names, uint64_t addr, str_id func, str_id full)
{
	add(names, addr, &(struct name_row){.func = func, .full = full});
}

bool names_know(const struct names *names, uint64_t addr)
{
	return addrs_find(&names->addrs, addr) != ADDRS_NONE;
}

/* "main.f+0x10": the offset in the function goes. */
static struct span without_offset(struct span name)
{
	for (const char *at = name.end; at > name.at + 1; at--)
		if (at[-1] == '+') {
			name.end = at - 1;
			break;
		}
	return name;
}

static struct span take_field(struct span *line)
{
	struct span field;

	span_blanks(line);
	field.at = line->at;
	while (line->at < line->end && *line->at != '\t')
		line->at++;
	field.end = line->at;
	span_trim_end(&field);
	return field;
}

bool names_split_place(struct span text, struct span *file_ret, uint32_t *line_ret)
{
	const char *colon = memrchr(text.at, ':', span_length(&text));
	bool overflow = false;
	int64_t line;

	if (!colon || colon == text.at)
		return false;
	struct span number = {colon + 1, text.end};
	if (!span_int64(&number, &line, &overflow) || number.at != number.end)
		return false;
	*file_ret = (struct span){text.at, colon};
	*line_ret = !overflow && line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0;
	return true;
}

bool names_take_line(struct names *names, struct build *build, struct span line)
{
	struct name_row row = {0};
	bool overflow = false;
	uint64_t addr;

	if (!span_char(&line, '#'))
		return false;
	span_blanks(&line);
	if (!span_starts(&line, "0x") || !span_hex(&line, &addr, &overflow) || overflow || !span_char(&line, '\t'))
		return false;
	struct span func = without_offset(take_field(&line));
	struct span file = take_field(&line);
	names_split_place(file, &file, &row.line);
	if (func.at == func.end)
		return false;
	row.func = build_str(build, func.at, span_length(&func));
	row.file = build_str(build, file.at, span_length(&file));
	add(names, addr, &row);
	return true;
}

static void apply(const struct names *names, struct build *build, uint32_t loc, uint32_t first)
{
	struct line *lines = NULL;
	uint32_t n = 0, cap = 0;

	for (uint32_t at = first; at != NO_ROW; at = names->rows[at].next) {
		const struct name_row *row = &names->rows[at];
		struct function func = {
			.name = row->func,
			.full_name = row->full,
			.system_name = row->full.row ? row->full : row->func,
			.file = row->file,
		};

		MEM_GROW(lines, n, cap);
		lines[n++] = (struct line){.func = build_func(build, &func), .line = row->line};
	}
	build_hint(build, (loc_id){loc}, lines, n);
	free(lines);
}

void names_apply(struct names *names, struct build *build)
{
	static const int64_t distances[] = {0, 1, -1};

	for (uint32_t i = build_first_loc(build); i < build_profile(build)->n_locs; i++) {
		const struct location *loc = &build_profile(build)->locs[i];
		uint32_t found = ADDRS_NONE;

		for (int k = 0; k < 3 && found == ADDRS_NONE && !loc->n_lines; k++)
			found = addrs_find(&names->addrs, loc->addr + (uint64_t)distances[k]);
		if (found != ADDRS_NONE)
			apply(names, build, i, names->chains[found].first);
	}
}
