#include "render/html_source.h"

#include "render/source_page.h"

/* A page that holds more is slow to open. */
enum { MOST_BYTES = 8 << 20 };

/* False: the page is full. */
static bool write_lines(const struct report *source, const struct listing_part *part, struct out *page)
{
	struct source_walk walk = source_walk_start(&source->listing, part);
	const struct listing_line *line;
	uint32_t number;

	while (source_walk_next(&walk, &number, &line)) {
		if (out_memory_size(page) > MOST_BYTES)
			return false;
		out_markup(page, "<span class=\"s");
		out_markup(page, source_page_weight(source, line));
		out_markup(page, "\">");
		source_page_line(page, source, part, number, line);
		out_markup(page, "</span>\n");
	}
	return true;
}

static void write_heading(const struct report *source, const struct listing_part *part, struct out *page)
{
	const char *file = source_of(&source->listing, part)->file;

	out_name(page, part->name);
	out_markup(page, *file ? " <span class=\"d\">" : "");
	out_name(page, file);
	out_markup(page, *file ? "</span> <span class=\"v\">" : " <span class=\"v\">");
	source_page_values(page, source, &part->values);
	out_markup(page, "</span>");
}

/* Where it was looked for is not for everyone who gets the page. */
static void write_missing(const struct report *source, const struct listing_part *part, struct out *page)
{
	bool is_known = *source_of(&source->listing, part)->file;

	out_markup(page, "<p>");
	write_heading(source, part, page);
	out_markup(page, " <span class=\"e\">");
	out_text(page, is_known ? "its source file cannot be read" : "its source file is not known");
	out_markup(page, "</span></p>\n");
}

static bool write_part(const struct report *source, const struct listing_part *part, const struct html_rows *rows,
                       struct out *page)
{
	out_markup(page, "<details");
	html_rows_write(html_rows_find(rows, part->name), page);
	out_markup(page, ">\n<summary>");
	write_heading(source, part, page);
	out_markup(page, "</summary>\n<pre>");
	bool has_room = write_lines(source, part, page);
	out_markup(page, "</pre>\n</details>\n");
	return has_room;
}

static bool has_text(const struct report *source, const struct listing_part *part)
{
	const struct listing_source *file = source_of(&source->listing, part);

	return *file->file && !file->problem;
}

/* Those without source come last. */
static void write_parts(const struct report *source, const struct html_rows *rows, struct out *page)
{
	const struct listing *listing = &source->listing;
	bool has_room = true;

	for (uint32_t i = 0; i < listing->n_parts && has_room; i++)
		if (has_text(source, &listing->parts[i]))
			has_room = write_part(source, &listing->parts[i], rows, page);
	if (!has_room)
		out_markup(page, "<p class=\"e\">There is no more: it would be too much for a page.</p>\n");
	for (uint32_t i = 0; i < listing->n_parts; i++)
		if (!has_text(source, &listing->parts[i]))
			write_missing(source, &listing->parts[i], page);
	if (!listing->n_parts)
		out_markup(page, "<p>No function has a value.</p>\n");
}

void html_source_write(const struct report *report, const struct html_rows *rows, struct out *out)
{
	const struct report *source = report->source;
	struct out *page = out_memory();

	out_set_page(page);
	out_markup(page, "<section id=\"source\">\n<h2>Source</h2>\n<p>The heaviest functions by ");
	out_text(page, source->type);
	out_markup(page, ". Columns: line, flat, cum.</p>\n");
	write_parts(source, rows, page);
	out_markup(page, "</section>\n");
	out_markup_collected(out, page);
}
