#include "analyze/read/go_labels.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"
#include "analyze/read/names.h"
#include "analyze/read/reader.h"
#include "analyze/read/stack_addrs.h"

#include <inttypes.h>
#include <string.h>

/* What the Go runtime counts by stack, with debug=1 (runtime/pprof): goroutines, threads, and what programs add.
 *   goroutine profile: total 6
 *   4 @ 0x4012b5 0x40139b
 *   # labels: {"handler":"search"}
 *   #	0x4012b4	main.f+0x10	/a/b.go:10
 *
 *   --- Memory map: ---                        (older versions) */

struct gocount {
	struct cursor *in;
	struct build *build;
	struct stack_addrs addrs; /* of the row at hand */
	struct row_trouble bad;
	struct names *names;
	struct span name; /* of what is counted */
	int64_t total;    /* that the header tells; negative: it does not fit */
	double sum;
	/* A row waits for its labels, which come below it. */
	bool is_waiting;
	stack_id stack;
	labels_id labels;
	int64_t count;
	struct row_trouble bad_labels;
};

/* "NAME profile: total N". */
static bool parse_header(struct span line, struct span *name_ret, int64_t *total_ret)
{
	static const char middle[] = " profile: total ";
	const char *at = memmem(line.at, span_length(&line), middle, sizeof middle - 1);
	bool overflow = false;

	if (!at || at == line.at)
		return false;
	struct span number = {at + sizeof middle - 1, line.end};
	if (!span_int64(&number, total_ret, &overflow) || number.at != number.end)
		return false;
	if (overflow)
		*total_ret = -1;
	*name_ret = (struct span){line.at, at};
	return true;
}

/* Blank lines and comments may stand before it. */
static bool find_header(struct cursor *in, struct span *name_ret, int64_t *total_ret)
{
	struct span line;

	while (cursor_line(in, &line))
		if (line.at < line.end && *line.at != '#')
			return parse_header(line, name_ret, total_ret);
	return false;
}

static bool probe(struct span head)
{
	struct cursor in;
	struct span name;
	int64_t total;

	cursor_init(&in, "", head.at, span_length(&head));
	return find_header(&in, &name, &total);
}

static void declare(struct gocount *g)
{
	struct build *build = g->build;
	struct arena *arena = arena_new();
	const char *name = arena_strndup(arena, g->name.at, span_length(&g->name));

	build_set_default_type(build, build_type(build, name, "count"));
	build_set_period(build, name, "count", 1);
	build_source_facts(build, arena_printf(arena, "%s profile", name), "exact", 1);
	arena_free(arena);
}

/* Adds the row that waited. */
static void end_row(struct gocount *g)
{
	if (!g->is_waiting)
		return;
	g->is_waiting = false;
	g->sum += (double)g->count;
	build_sample(g->build, g->stack, g->labels, (double[]){(double)g->count});
	build_count_row(g->build);
}

static const char *parse_row(struct gocount *g, struct span line, int64_t *count_ret)
{
	bool overflow = false;

	if (!span_int64(&line, count_ret, &overflow) || !span_mark(&line, '@'))
		return "expected \"COUNT @ ADDRESS...\"";
	return overflow ? "expected a count of at most 63 bits" : stack_addrs_read(&g->addrs, line);
}

static void read_row(struct gocount *g, struct span line)
{
	int64_t count = 0;
	const char *wrong =
		cursor_line_is_cut(g->in) ? "the row is cut by the end of the file" : parse_row(g, line, &count);

	end_row(g);
	if (wrong) {
		row_trouble_add(&g->bad, g->in, wrong);
		return;
	}
	g->is_waiting = true;
	g->stack = stack_addrs_build(&g->addrs, g->build);
	g->labels = (labels_id){0};
	g->count = count;
}

static void read_labels(struct gocount *g, struct span text)
{
	if (!g->is_waiting || go_labels_read(text, g->build, &g->labels))
		return;
	row_trouble_add(&g->bad_labels, g->in, "expected labels {\"KEY\":\"VALUE\", ...}");
}

static void read_line(struct gocount *g, struct span line)
{
	if (line.at == line.end)
		return;
	if (*line.at != '#')
		read_row(g, line);
	else if (go_labels_begin(&line))
		read_labels(g, line);
	else
		names_take_line(g->names, g->build, line);
}

/* Up to the map section, if there is one (true); a line of dashes ends the rows. */
static bool read_rows(struct gocount *g)
{
	struct span line;
	bool is_over = false, has_maps = false;

	while (!has_maps && cursor_line(g->in, &line)) {
		has_maps = maps_begin(&line);
		is_over |= span_starts(&line, "---");
		if (!is_over && !has_maps)
			read_line(g, line);
	}
	end_row(g);
	return has_maps;
}

static void note_troubles(const struct gocount *g)
{
	double total = (double)g->total;
	struct losses losses = {
		.skipped = &g->bad,
		.noun = "row",
		.percent = total > 0 ? 100 * (total - g->sum) / total : -1,
		.total = "the total",
	};

	if (g->bad_labels.n)
		diag_add(build_notes(g->build), NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu64 ": %s; %" PRIu32 " row%s left without labels", g->in->name, g->bad_labels.line,
		         g->bad_labels.what, g->bad_labels.n, g->bad_labels.n > 1 ? "s are" : " is");
	losses_note(&losses, g->in, g->build);
}

static void read_body(struct gocount *g)
{
	bool has_maps = read_rows(g);

	note_troubles(g);
	names_apply(g->names, g->build);
	if (has_maps)
		maps_read(g->in, g->build);
	build_end_source(g->build, g->in->line);
}

static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct gocount g = {.in = in, .build = build, .names = names_new()};

	(void)opts;
	if (find_header(in, &g.name, &g.total)) {
		declare(&g);
		read_body(&g);
	}
	names_free(g.names);
	stack_addrs_free(&g.addrs);
	return NULL;
}

const struct reader reader_gocount = {
	.name = "gocount",
	.help = "Go's counts by stack, with debug=1: goroutine, threadcreate and others",
	.probe = probe,
	.is_mapless = true,
	.read = read,
};
