#include "render/label_groups.h"
#include "render/proto_locations.h"
#include "render/renderer.h"

#include <stdlib.h>

/* The profile as google/pprof's profile.proto, with the names that were found: what the view keeps of it. */

struct writer {
	const struct report *report;
	const struct profile *p;
	const struct view *view;
	struct proto_out to;
	struct proto_maps maps;
	struct places places;
	double *values; /* of a sample, as its labels */
	struct label_list labels;
	const struct shown_label **sorted; /* the same */
	uint32_t cap_sorted;
};

static const char *text_of(const struct writer *w, str_id id)
{
	return profile_text(w->p, id);
}

/* ---- samples ---- */

static void put_stack(struct writer *w, stack_id id)
{
	struct pb_writer *packed = &w->to.inner;

	pb_writer_clear(packed);
	for (uint32_t i = w->view->starts[id.row].frame; i < w->p->stacks[id.row].n; i++)
		if (view_has_frame(w->view, id, i))
			pb_put_varint(packed, places_number(&w->places, w->view, id, i));
	if (packed->size)
		pb_put_message(&w->to.message, SAMPLE_LOCATION_ID, packed);
}

static void sort_labels(struct writer *w, uint32_t sample)
{
	view_labels(w->view, sample, &w->labels);
	if (w->labels.n > w->cap_sorted)
		w->sorted = mem_realloc(w->sorted, w->cap_sorted = w->labels.n, sizeof *w->sorted);
	for (uint32_t i = 0; i < w->labels.n; i++)
		w->sorted[i] = &w->labels.items[i];
	labels_sort(w->sorted, w->labels.n);
}

static void put_labels(struct writer *w, uint32_t sample)
{
	struct pb_writer *message = &w->to.inner;

	sort_labels(w, sample);
	for (uint32_t i = 0; i < w->labels.n; i++) {
		const struct shown_label *label = w->sorted[i];

		pb_writer_clear(message);
		pb_put_number(message, LABEL_KEY, proto_out_str(&w->to, label->key));
		pb_put_number(message, LABEL_STR, proto_out_str(&w->to, label->text ? label->text : ""));
		pb_put_number(message, LABEL_NUM, (uint64_t)label->number);
		pb_put_number(message, LABEL_NUM_UNIT, proto_out_str(&w->to, label->unit));
		pb_put_message(&w->to.message, SAMPLE_LABEL, message);
	}
}

static void put_sample(struct writer *w, uint32_t sample)
{
	pb_writer_clear(&w->to.message);
	put_stack(w, w->p->sample_stacks[sample]);
	for (uint32_t i = 0; i < w->p->n_types; i++)
		w->values[i] = view_value(w->view, sample, i);
	proto_out_values(&w->to.message, &w->to.inner, w->values, w->p->n_types);
	put_labels(w, sample);
	pb_put_message(&w->to.profile, PROFILE_SAMPLE, &w->to.message);
}

static void put_samples(struct writer *w)
{
	w->values = mem_alloc(w->p->n_types, sizeof *w->values);
	for (uint32_t i = 0; i < w->p->n_samples; i++)
		if (w->view->passes[i])
			put_sample(w, i);
}

/* ---- all together ---- */

static void put_types(struct writer *w)
{
	for (uint32_t i = 0; i < w->p->n_types; i++)
		proto_out_type(&w->to, PROFILE_SAMPLE_TYPE, text_of(w, w->p->types[i].type), text_of(w, w->p->types[i].unit));
}

static void put_header(struct writer *w)
{
	const struct profile *p = w->p;
	struct pb_writer *profile = &w->to.profile;

	/* Where the frames have been cut already, the patterns that cut them would cut what they left. */
	if (w->view->opts.all_frames) {
		pb_put_number(profile, PROFILE_DROP_FRAMES, proto_out_str(&w->to, text_of(w, p->drop_frames)));
		pb_put_number(profile, PROFILE_KEEP_FRAMES, proto_out_str(&w->to, text_of(w, p->keep_frames)));
	}
	proto_out_times(&w->to, p);
	for (uint32_t i = 0; i < p->n_comments; i++)
		pb_put_number(profile, PROFILE_COMMENT, proto_out_str(&w->to, text_of(w, p->comments[i])));
	/* A reader that is told nothing shows the last. */
	if (p->default_is_named || w->view->opts.type + 1 != p->n_types)
		pb_put_number(profile, PROFILE_DEFAULT_SAMPLE_TYPE, proto_out_str(&w->to, w->report->type));
	pb_put_number(profile, PROFILE_DOC_URL, proto_out_str(&w->to, text_of(w, p->doc_url)));
}

static void free_writer(struct writer *w)
{
	proto_maps_free(&w->maps);
	places_free(&w->places);
	free(w->values);
	free(w->labels.items);
	free(w->sorted);
}

static struct err *write(const struct report *report, struct out *out)
{
	struct writer w = {.report = report, .p = report->profile, .view = report->view};

	proto_out_init(&w.to);
	proto_maps_init(&w.maps, w.p);
	put_types(&w);
	put_samples(&w);
	proto_locations_put(&w.places, &w.maps, &w.to);
	put_header(&w);
	proto_out_finish(&w.to, out);
	free_writer(&w);
	return NULL;
}

const struct renderer render_proto = {
	.name = "proto",
	.help = "the profile with its names, as google/pprof's profile.proto",
	.ext = "pb.gz",
	.binary = true,
	.holds_sums = true,
	.write = write,
};
