#include "analyze/base/text.h"
#include "render/proto_out.h"
#include "render/renderer.h"

#include <stdlib.h>
#include <string.h>

/* google/pprof's table as a profile.proto: one sample a row, with the types cum and flat in the table's unit. */

/* A function for each pair of a name and a file; rows of one function differ in the line. */
struct functions {
	const struct table *table;
	uint32_t *rows; /* by function: the first row of it */
	uint32_t n, cap;
	struct index index;
};

struct func_key {
	const struct functions *functions;
	const struct row *row;
};

static bool same_func(const void *context, uint32_t at)
{
	const struct func_key *key = context;
	const struct row *row = &key->functions->table->rows[key->functions->rows[at]];

	return text_compare(row->name, key->row->name) == 0 && text_compare(row->file, key->row->file) == 0;
}

/* The function's id, which counts from 1. */
static uint64_t function_of(struct functions *functions, uint32_t at)
{
	const struct row *row = &functions->table->rows[at];
	struct func_key key = {functions, row};
	uint64_t hash = hash_pair(hash_bytes(row->name, strlen(row->name)), hash_bytes(row->file, strlen(row->file)));
	uint32_t found = index_find(&functions->index, hash, same_func, &key);

	if (found != INDEX_NONE)
		return (uint64_t)found + 1;
	MEM_GROW(functions->rows, functions->n, functions->cap);
	functions->rows[functions->n] = at;
	index_add(&functions->index, hash, functions->n);
	return (uint64_t)++functions->n;
}

static void put_row(struct proto_out *to, const struct report *report, const struct row *row, uint64_t location)
{
	double factor = report->modern.factor;

	pb_writer_clear(&to->message);
	pb_put_number(&to->message, SAMPLE_LOCATION_ID, location);
	proto_out_values(&to->message, &to->inner, (double[]){row->cum / factor, row->flat / factor}, 2);
	pb_put_message(&to->profile, PROFILE_SAMPLE, &to->message);
}

static void put_location(struct proto_out *to, const struct row *row, uint64_t id, uint64_t function)
{
	pb_writer_clear(&to->message);
	pb_put_number(&to->message, LOCATION_ID, id);
	proto_out_line(&to->message, &to->inner, function, row->line, 0);
	pb_put_message(&to->profile, PROFILE_LOCATION, &to->message);
}

static void put_rows(struct proto_out *to, const struct report *report)
{
	const struct row *rows = report->table.rows;
	struct functions functions = {.table = &report->table};

	for (uint32_t i = 0; i < report->n_order; i++)
		put_row(to, report, &rows[report->order[i]], (uint64_t)i + 1);
	for (uint32_t i = 0; i < report->n_order; i++)
		put_location(to, &rows[report->order[i]], (uint64_t)i + 1, function_of(&functions, report->order[i]));
	for (uint32_t i = 0; i < functions.n; i++) {
		const struct row *row = &rows[functions.rows[i]];

		/* No system name, as in google/pprof's own: it takes one that equals the name for mangled, and shortens it. */
		proto_out_function(to, (uint64_t)i + 1, row->name, "", row->file, 0);
	}
	free(functions.rows);
	index_free(&functions.index);
}

static const char *unit_of(const struct report *report)
{
	str_id unit = report->profile->types[report->view->opts.type].unit;
	bool is_own = !*report->modern.name || strcmp(report->modern.name, report_unit(report, unit)) == 0;

	return is_own ? profile_text(report->profile, unit) : report->modern.name;
}

static struct err *write(const struct report *report, struct out *out)
{
	struct proto_out to;

	proto_out_init(&to);
	proto_out_type(&to, PROFILE_SAMPLE_TYPE, "cum", unit_of(report));
	proto_out_type(&to, PROFILE_SAMPLE_TYPE, "flat", unit_of(report));
	put_rows(&to, report);
	proto_out_times(&to, report->profile);
	proto_out_finish(&to, out);
	return NULL;
}

const struct renderer render_topproto = {
	.name = "topproto",
	.help = "the table of google/pprof as a profile.proto, one sample a row",
	.ext = "pb.gz",
	.parts = PART_TOP,
	.binary = true,
	.write = write,
};
