#include "cmd/page_reports.h"

#include "cmd/listings.h"

#include <inttypes.h>

static struct err *make(const struct show *show, uint32_t type, const struct report_opts *rows, unsigned parts,
                        struct page_reports *pages, struct report **ret)
{
	struct view_opts opts = show->view;
	struct view *view;

	opts.type = type;
	struct err *err = view_new(show->profile, &opts, &view);
	if (err)
		return err;
	err = report_build(view, rows, parts, ret);
	if (err) {
		view_free(view);
		return err;
	}
	pages->views[pages->n] = view;
	pages->reports[pages->n++] = *ret;
	return NULL;
}

/* --nodecount is the limit of the flame. A unit of the user's is not one of every type. */
static struct err *add_graphs(const struct show *show, struct report *report, struct page_reports *pages,
                              struct diag *notes)
{
	struct report_opts rows = show->rows;
	const struct flame *flame = &report->flame;
	struct err *err = NULL;

	rows.node_count = -1;
	for (uint32_t i = 0; i < flame->n_types && !err; i++) {
		uint32_t type = flame->types[i];

		rows.unit = type == show->view.type ? show->rows.unit : NULL;
		err = make(show, type, &rows, PART_GRAPH | PART_PICTURE, pages, &report->graphs[i]);
		if (!err && type == show->view.type)
			diag_append(notes, &report->graphs[i]->notes);
	}
	return err;
}

static void note_types(const struct report *report, struct diag *notes)
{
	if (report->flame.n_types < report->profile->n_types)
		diag_add(notes, NOTE_WARNING, NOTE_LOSS, "the page has %" PRIu32 " of the %" PRIu32 " sample types",
		         report->flame.n_types, report->profile->n_types);
}

static struct err *add_source(const struct show *show, struct report *report, struct page_reports *pages,
                              struct diag *notes)
{
	struct err *err = make(show, show->view.type, &show->rows, PART_LISTING, pages, &report->source);
	return err ? err : listings_read(show->options, report->source, PART_LISTING, notes);
}

struct err *page_reports_add(const struct show *show, struct report *report, struct page_reports *pages,
                             struct diag *notes)
{
	*pages = (struct page_reports){0};
	if (!show->renderer->has_graphs)
		return NULL;
	note_types(report, notes);
	struct err *err = add_graphs(show, report, pages, notes);
	if (!err && show->options->embed_source)
		err = add_source(show, report, pages, notes);
	return err;
}

void page_reports_clear(struct page_reports *pages)
{
	for (uint32_t i = 0; i < pages->n; i++) {
		report_free(pages->reports[i]);
		view_free(pages->views[i]);
	}
}
