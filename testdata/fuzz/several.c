/* Several profiles, of any formats: their sum, a difference, or snapshots in time. The first byte says which; between two
 * stands "%%%%", and one alone is taken twice. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/misfits.h"
#include "analyze/read/read.h"
#include "analyze/report.h"
#include "analyze/snapshots.h"

#include <string.h>

enum { MOST_PROFILES = 4 };
enum way { WAY_SUM, WAY_BASE, WAY_NORMALIZED, WAY_SNAPSHOTS, N_WAYS };

static const char mark[] = "%%%%";

static struct span take_part(struct span *rest)
{
	const char *end = memmem(rest->at, span_length(rest), mark, sizeof mark - 1);
	struct span part = {rest->at, end ? end : rest->end};

	rest->at = end ? end + sizeof mark - 1 : rest->end;
	return part;
}

static struct build *read_part(struct span part)
{
	const struct reader *reader = profile_find_reader(part);

	return reader ? fuzz_read(reader, &fuzz_read_opts, (const uint8_t *)part.at, span_length(&part)) : NULL;
}

static uint32_t read_parts(struct span rest, struct build *builds[MOST_PROFILES])
{
	struct span first = {0};
	uint32_t n = 0;

	while (n < MOST_PROFILES && rest.at < rest.end) {
		struct span part = take_part(&rest);

		builds[n] = read_part(part);
		if (builds[n] && n++ == 0)
			first = part;
	}
	if (n == 1)
		builds[n++] = read_part(first);
	return n;
}

static struct err *join_snapshots(struct build *builds[], uint32_t n)
{
	struct err *err = NULL;

	snapshots_begin(builds[0], n);
	for (uint32_t i = 1; i < n && !err; i++)
		err = snapshots_add(builds[0], build_profile(builds[i]), i);
	if (err)
		return err;
	snapshots_end(builds[0], n);
	misfits_note(builds[0]);
	return NULL;
}

static struct err *join(enum way way, struct build *builds[], uint32_t n)
{
	struct err *err = NULL;

	if (way == WAY_SNAPSHOTS)
		return join_snapshots(builds, n);
	for (uint32_t i = 1; i < n && !err; i++)
		err = build_append(builds[0], build_profile(builds[i]), way == WAY_SUM ? SET_MAIN : SET_BASE);
	return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct build *builds[MOST_PROFILES];

	if (!size)
		return 0;
	enum way way = data[0] % N_WAYS;
	uint32_t n = read_parts((struct span){(const char *)data + 1, (const char *)data + size}, builds);
	if (n == 0)
		return 0;
	struct err *err = join(way, builds, n);
	if (err)
		build_free(builds[0]);
	else
		fuzz_look_at_parts(builds[0], way == WAY_NORMALIZED, PART_TOP | PART_FLAME | PART_SERIES);
	err_free(err);
	for (uint32_t i = 1; i < n; i++)
		build_free(builds[i]);
	return 0;
}
