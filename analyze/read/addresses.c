#include "analyze/read/maps.h"
#include "analyze/read/reader.h"

/* What gperftools' pprof --symbols takes on its standard input: rows of a map, and addresses, one a line. An address is
 * what it says: nothing is subtracted. */

static bool take_address(struct span line, uint64_t *addr)
{
	bool overflow = false;

	return span_starts(&line, "0x") && span_hex(&line, addr, &overflow) && !overflow && line.at == line.end;
}

/* Rows of a map may come first; a map alone has nothing to ask. */
static bool probe(struct span head)
{
	struct cursor in;
	struct span line;
	uint64_t addr;

	cursor_init(&in, "", head.at, span_length(&head));
	while (cursor_line(&in, &line)) {
		if (take_address(line, &addr))
			return true;
		if (line.at < line.end && !maps_is_row(line))
			return false;
	}
	return false;
}

/* Each line is a sample of its own, in the order of the input. */
static void add_address(struct build *build, str_id key, uint64_t number, uint64_t addr)
{
	struct label label = {.key = key, .number = (int64_t)number};
	loc_id frame = build_loc(build, addr);

	build_sample(build, build_stack(build, &frame, 1), build_labels(build, &label, 1), &(double){1});
	build_count_row(build);
}

/* Says whether there are rows of a map among them. */
static bool read_addresses(struct cursor in, struct build *build)
{
	str_id key = build_cstr(build, "line");
	bool has_maps = false;
	struct span line;

	while (cursor_line(&in, &line)) {
		uint64_t addr;

		if (take_address(line, &addr))
			add_address(build, key, in.line, addr);
		else
			has_maps = has_maps || maps_is_row(line);
	}
	return has_maps;
}

/* The rows of the map may stand anywhere between the addresses, so each kind has its turn. */
static struct err *read(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	(void)opts;
	build_set_default_type(build, build_type(build, "addresses", "count"));
	build_set_period(build, "addresses", "count", 1);
	build_source_facts(build, "", "each line counts as one", 1);
	if (read_addresses(*in, build))
		maps_read(in, build);
	build_end_source(build, in->line);
	return NULL;
}

const struct reader reader_addresses = {
	.name = "addresses",
	.help = "addresses in hex, one a line (0x401226), and rows of a map; for --symbols",
	.probe = probe,
	.ends_anywhere = true,
	.is_mapless = true,
	.read = read,
};
