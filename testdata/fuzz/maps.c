/* The map behind a text profile, and the places of addresses at the edges of its rows. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/read/map_rows.h"
#include "analyze/read/maps.h"

static void ask_for(struct build *build, uint64_t addr)
{
	loc_id frame = build_loc(build, addr);

	build_sample(build, build_stack(build, &frame, 1), (labels_id){0}, &(double){1});
}

static void ask_for_edges(struct build *build, struct cursor in)
{
	struct map_fields row;
	struct span line;

	while (cursor_line(&in, &line)) {
		if (!map_row_parse(line, &row))
			continue;
		ask_for(build, row.start - 1);
		ask_for(build, row.start);
		ask_for(build, row.limit - 1);
		ask_for(build, row.limit);
	}
}

/* A location lies in its mapping, and each mapping holds something. */
static void check(const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_maps; i++)
		fuzz_expect(p->maps[i].start < p->maps[i].limit);
	for (uint32_t i = 1; i < p->n_locs; i++) {
		const struct location *loc = &p->locs[i];
		const struct mapping *map = &p->maps[loc->map.row];

		fuzz_expect(!loc->map.row || loc->in_hole || (map->start <= loc->addr && loc->addr < map->limit));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct build *build = build_new();
	struct cursor in;

	cursor_init(&in, "t", data, size);
	build_source(build, "t", "maps");
	build_type(build, "addresses", "count");
	ask_for_edges(build, in);
	maps_read(&in, build);
	build_end_source(build, in.line);
	check(build_profile(build));
	fuzz_look_at(build);
	return 0;
}
