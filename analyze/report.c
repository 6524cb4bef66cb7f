#include "analyze/report_graph.h"

#include "analyze/base/regex.h"
#include "analyze/base/text.h"
#include "analyze/namesakes.h"
#include "analyze/threads.h"
#include "analyze/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_UNIT = 16, MEAN_DECIMALS = 2 };
static const double HEAVY = 0.05; /* of the total: rows of which the user should know that they are of two functions */
enum {
	PARTS_OF_GRAPH = PART_TOP | PART_GRAPH | PART_TREE | PART_PEEK | PART_CALLS,
	PARTS_OF_TABLE = PART_ROWS | PART_TABLE | PART_LISTING | PART_FLAME | PART_SERIES | PARTS_OF_GRAPH,
};

static void list_filter(struct report *report, const char *option, const char *value)
{
	if (value)
		report->filters[report->n_filters++] = arena_printf(report->arena, "%s=%s", option, value);
}

/* In google/pprof's order, which leaves prune_from out. */
static void list_filters(struct report *report)
{
	const struct view_opts *opts = &report->view->opts;

	if (opts->thread)
		report->thread = threads_title(opts->thread, report->arena);
	list_filter(report, "thread", report->thread);
	list_filter(report, "focus", opts->focus);
	list_filter(report, "ignore", opts->ignore);
	list_filter(report, "hide", opts->hide);
	list_filter(report, "show", opts->show);
	list_filter(report, "show_from", opts->show_from);
	list_filter(report, "tagfocus", opts->tags.focus);
	list_filter(report, "tagignore", opts->tags.ignore);
	list_filter(report, "tagshow", opts->tags.show);
	list_filter(report, "taghide", opts->tags.hide);
	list_filter(report, "retain", opts->retain);
	list_filter(report, "exclude", opts->exclude);
}

static const char *divisor_note(const struct view *view, const struct view_total *total)
{
	if (!total->has_gain || !total->has_loss)
		return NULL;
	return view->has_base ? "the sum of |changes|" : "the sum of |values|";
}

/* google/pprof measures a node by its flat value, or by cum where that is 0. */
static double smaller(double smallest, double flat, double cum)
{
	double value = fabs(flat != 0 ? flat : cum);

	return value != 0 && (smallest == 0 || value < smallest) ? value : smallest;
}

static double smallest_shown(const struct report *report)
{
	double smallest = 0;

	for (uint32_t i = 0; i < report->n_order; i++) {
		const struct row *row = &report->table.rows[report->order[i]];

		smallest = smaller(smallest, row->flat, row->cum);
	}
	return smallest;
}

static double smallest_of_column(const struct report *report, const struct value_column *column)
{
	double smallest = 0;

	for (uint32_t i = 0; i < report->n_order; i++)
		smallest = smaller(smallest, column->flat[report->order[i]], column->cum[report->order[i]]);
	return smallest;
}

const char *report_unit(const struct report *report, str_id unit)
{
	const char *text = text_printable(profile_text(report->profile, unit), report->arena);

	return arena_strndup(report->arena, text, text_cut(text, LONGEST_UNIT));
}

/* What percentages divide by where they are of all samples. */
static double divisor_of_all(const struct view *view)
{
	const struct view_total *whole = view_whole(view);

	if (view->opts.mean)
		return fabs(view_shown(view, whole->sum, whole->count));
	return view_divisor(view->opts.of_base ? &view->base : whole);
}

static bool unit_fits(const char *wanted, const char *unit)
{
	struct unit_style style;
	struct err *err = units_wanted(wanted, unit, 0, 0, &style);
	bool fits = !err;

	err_free(err);
	return fits;
}

/* Columns of other units have their own, where the user's fits one of them at least. */
static bool leaves_unit(const struct report *report, const char *wanted, const char *unit)
{
	const struct value_columns *columns = &report->columns;
	bool fits_another = false;

	for (uint32_t i = 0; i < columns->n && !fits_another; i++) {
		const struct value_type *type = &report->profile->types[columns->items[i].view->opts.type];

		fits_another = unit_fits(wanted, profile_text(report->profile, type->unit));
	}
	return fits_another && !unit_fits(wanted, unit);
}

/* What the user wants values of this unit to be in; NULL: nothing of it. */
static const char *wanted_unit(const struct report *report, const char *unit)
{
	const char *wanted = report->opts.unit;

	if (report->opts.show_bytes && strcmp(unit, "bytes") == 0)
		return "B";
	return wanted && leaves_unit(report, wanted, unit) ? NULL : wanted;
}

static struct err *choose_units(struct report *report)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];
	const char *unit = report_unit(report, type->unit);
	const char *wanted = wanted_unit(report, unit);
	double total = report->divisor_of_all, smallest = smallest_shown(report);
	bool is_mean = report->view->opts.mean;
	struct err *err = units_wanted(wanted ? wanted : "minimum", unit, total, smallest, &report->modern);

	if (is_mean)
		report->modern.decimals = MEAN_DECIMALS;
	report->classic = units_classic(report->type, unit);
	if (err || (!wanted && !is_mean))
		return err;
	report->classic = report->modern;
	if (is_mean)
		return NULL;
	report->classic.decimals = report->modern.factor == 1 ? 0 : 1;
	return NULL;
}

static struct err *choose_unit_of_column(const struct report *report, struct value_column *column)
{
	const struct value_type *type = &report->profile->types[column->view->opts.type];
	const char *unit = report_unit(report, type->unit), *wanted = wanted_unit(report, unit);
	struct err *err = units_wanted(wanted ? wanted : "minimum", unit, divisor_of_all(column->view),
	                               smallest_of_column(report, column), &column->unit);

	if (column->view->opts.mean)
		column->unit.decimals = MEAN_DECIMALS;
	return err;
}

static struct err *choose_units_of_columns(struct report *report)
{
	struct err *err = NULL;

	for (uint32_t i = 0; i < report->columns.n && !err; i++)
		err = choose_unit_of_column(report, &report->columns.items[i]);
	return err;
}

static void list_touched_rows(struct report *report)
{
	report->order = mem_alloc(report->table.n, sizeof *report->order);
	for (uint32_t i = 0; i < report->table.n; i++) {
		const struct row *row = &report->table.rows[i];

		if (row->flat != 0 || row->cum != 0)
			report->order[report->n_order++] = i;
	}
}

static void limit_order(struct report *report)
{
	int most = report->opts.node_count;

	if (report->opts.trim && most > 0 && report->n_order > (uint32_t)most)
		report->n_order = (uint32_t)most;
}

static void build_table(struct report *report)
{
	const struct report_opts *opts = &report->opts;

	list_touched_rows(report);
	table_sort(&report->table, ORDER_CLASSIC, opts->by_cum, report->order, report->n_order);
	limit_order(report);
}

/* What is listed needs its own kind of rows. */
static enum granularity granularity_for(const struct report_opts *opts, unsigned parts)
{
	if (parts & PART_CALLS)
		return BY_ADDRESS;
	return parts & PART_LISTING ? BY_LINE : opts->granularity;
}

/* google/pprof's tables tell columns of addresses by themselves; what is listed has rows of its own. */
static struct row_opts rows_for(const struct report_opts *opts, unsigned parts)
{
	struct row_opts rows = {.granularity = granularity_for(opts, parts)};
	bool is_classic = parts & (PART_TABLE | PART_GRAPH);

	if (parts & (PART_LISTING | PART_CALLS))
		return rows;
	rows.columns = opts->show_columns || (rows.granularity == BY_ADDRESS && !is_classic);
	rows.addresses = opts->show_addresses;
	rows.returns = opts->return_addresses;
	return rows;
}

/* What is shown was chosen by sums, but for the order of tables. */
static void take_means(struct report *report)
{
	table_take_means(&report->table);
	graph_take_means(report->view, &report->graph);
}

/* What sums are parts of, where divisor_of_all is a mean too. */
static double sum_divisor(const struct report *report)
{
	return report->view->opts.mean ? view_divisor(view_whole(report->view)) : report->divisor_of_all;
}

static void choose_divisors(struct report *report)
{
	const struct view *view = report->view;

	report->total = view_shown(view, view_whole(view)->sum, view_whole(view)->count);
	report->divisor = view_divisor(&view->in_rows);
	report->divisor_note = divisor_note(view, &view->in_rows);
	report->divisor_of_all = divisor_of_all(view);
	report->divisor_of_all_note = divisor_note(view, view_whole(view));
	if (view->opts.of_base) {
		report->divisor = report->divisor_of_all;
		report->divisor_note = report->divisor_of_all_note = "the total of the base";
	}
	if (view->opts.mean) {
		report->divisor = report->divisor_of_all;
		report->divisor_note = report->divisor_of_all_note = NULL;
	}
}

/* In the order of the rows. Those of a call tree are no functions, and have none. */
static void list_namesakes(struct report *report)
{
	if (report->table.callers)
		return;
	bool CLEANUP(mem_free_local) *found = namesakes_find(&report->table);

	report->namesakes = arena_alloc(report->arena, report->n_order, sizeof *report->namesakes);
	for (uint32_t i = 0; i < report->n_order; i++) {
		const struct row *row = &report->table.rows[report->order[i]];

		if (found[report->order[i]] && fabs(row->cum) >= HEAVY * sum_divisor(report))
			report->namesakes[report->n_namesakes++] = row->name;
	}
}

static void match_rows(struct report *report, struct regex *regex)
{
	report->matches = mem_zalloc(report->table.n, sizeof *report->matches);
	report->no_match = true;
	for (uint32_t i = 0; i < report->n_order; i++) {
		uint32_t row = report->order[i];

		report->matches[row] = regex_match(regex, report->table.rows[row].label);
		report->no_match &= !report->matches[row];
	}
}

/* The routine at an address is not known before its object is opened, nor are its functions. */
static void list_functions(struct report *report, struct regex *regex, unsigned parts)
{
	struct code *code = &report->code;

	code->by_address = (parts & PART_CODE) && code_parse_address(report->opts.pattern, &code->address);
	bool *CLEANUP(mem_free_local) matches = code->by_address ? NULL : listing_match(report->profile, regex);
	if (parts & PART_CODE)
		code_want(report->view, matches, code);
	if ((parts & PART_LISTING) && matches)
		listing_build(&report->table, matches, report->arena, &report->listing);
	report->no_match = !report->listing.n_parts;
}

static struct err *match_pattern(struct report *report, unsigned parts)
{
	struct regex *regex;
	struct err *err = regex_new(report->opts.pattern_option, report->opts.pattern, &regex);

	if (err)
		return err;
	if (parts & PART_PEEK)
		match_rows(report, regex);
	else
		list_functions(report, regex, parts);
	report->n_given_up = regex_n_given_up(regex);
	regex_free(regex);
	return NULL;
}

void report_take_code(struct report *report)
{
	const struct code *code = &report->code;

	code_add_values(report->view, &report->code);
	if (code->by_address && report->table.rows) {
		bool *CLEANUP(mem_free_local) matches = code_functions(report->profile, code);

		listing_build(&report->table, matches, report->arena, &report->listing);
	}
	report->no_match = !code->n_routines && !report->listing.n_parts;
}

double report_sum(const struct report *report, double shown, double count)
{
	return report->view->opts.mean ? shown * count : shown;
}

double report_share(const struct report *report, double shown, double count)
{
	double divisor = sum_divisor(report);

	return divisor == 0 ? 0 : report_sum(report, shown, count) / divisor;
}

struct unit_style report_unit_alone(const struct report *report, double value)
{
	const struct value_type *type = &report->profile->types[report->view->opts.type];
	const char *wanted = report->opts.unit;

	if (report->opts.show_bytes || (wanted && strcmp(wanted, "auto") != 0 && strcmp(wanted, "minimum") != 0))
		return report->modern;
	struct unit_style style = units_alone(profile_text(report->profile, type->unit), value);
	if (report->view->opts.mean)
		style.decimals = MEAN_DECIMALS;
	return style;
}

struct unit_style report_unit_of_type(const struct report *report, uint32_t type, double value)
{
	const char *unit = profile_text(report->profile, report->profile->types[type].unit);
	const char *wanted = wanted_unit(report, unit);
	struct unit_style style = units_alone(unit, value);

	/* Of another unit than the user's, the error is no news: it stays as it is. */
	if (wanted)
		err_free(units_wanted(wanted, unit, value, value, &style));
	return style;
}

const char *report_label_alone(char text[UNITS_TEXT], const struct report *report, double value)
{
	struct unit_style style = report_unit_alone(report, value);

	return units_label(text, &style, value);
}

static struct report *begin(const struct view *view, const struct report_opts *opts)
{
	struct report *report = mem_zalloc(1, sizeof *report);
	const struct profile *profile = view->profile;

	report->profile = profile;
	report->view = view;
	report->opts = *opts;
	report->arena = arena_new();
	report->program = opts->program ? opts->program : "";
	report->type = text_printable(profile_text(profile, profile->types[view->opts.type].type), report->arena);
	list_filters(report);
	choose_divisors(report);
	return report;
}

/* Each node has a value for each type and set, of which snapshots have many. */
static uint32_t most_nodes(const struct profile *p)
{
	uint32_t n_columns = p->n_sets * (p->n_types < FLAME_MOST_TYPES ? p->n_types : FLAME_MOST_TYPES);
	uint32_t most = FLAME_TREND_VALUES / n_columns;

	return p->n_sets <= N_SETS || most > FLAME_NODES ? FLAME_NODES : most ? most : 1;
}

/* A count of the user's is kept to: no node has twice a total. */
static void build_flame(struct report *report)
{
	const struct report_opts *opts = &report->opts;
	struct flame_opts limits = {
		.most = most_nodes(report->profile), .fraction = FLAME_FRACTION, .most_values = FLAME_MOST_VALUES};

	if (opts->node_count >= 0) {
		limits.most = (uint32_t)opts->node_count;
		limits.fraction = 2;
	}
	if (!opts->trim)
		limits.most = 0;
	flame_build(&report->table, &limits, &report->notes, &report->flame);
}

static void build_series(struct report *report)
{
	const struct report_opts *opts = &report->opts;

	if (opts->by_stack && !report->table.callers)
		tree_split(&report->table, TREE_MOST_ROWS, &report->notes);
	series_build(&report->table, opts->by_cum, report->arena, &report->series);
}

static void build_rows(struct report *report, unsigned parts)
{
	const struct view *view = report->view;
	const struct report_opts *opts = &report->opts;
	struct row_opts rows = rows_for(opts, parts);

	tally(view, &rows, report->arena, &report->table);
	if ((parts & (PART_GRAPH | PART_CALLS)) && opts->call_tree)
		tree_split(&report->table, TREE_MOST_ROWS, &report->notes);
	if (parts & PART_FLAME)
		build_flame(report);
	if (parts & PART_SERIES)
		build_series(report);
	if (parts & PART_TABLE)
		build_table(report);
	else if (parts & PARTS_OF_GRAPH)
		report_build_graph(report, parts);
	if (parts & PART_TOP)
		columns_build(&report->table, &opts->columns, &report->notes, &report->columns);
	if (granularity_for(opts, parts) == BY_FUNCTION && report->order)
		list_namesakes(report);
	if (report->view->opts.mean && report->order)
		take_means(report);
}

struct err *report_build(const struct view *view, const struct report_opts *opts, unsigned parts, struct report **ret)
{
	struct report *report = begin(view, opts);

	if (parts & PARTS_OF_TABLE)
		build_rows(report, parts);
	if (parts & PART_TAGS)
		tags_tally(view, report->arena, &report->tags);
	if (parts & PART_INFO)
		info_build(view, report->arena, &report->info);
	struct err *err = choose_units(report);
	if (!err)
		err = choose_units_of_columns(report);
	if (!err && opts->sizes && (parts & PART_TOP))
		err = sizes_build(&report->table, opts->by_cum, &report->sizes);
	if (!err && opts->pattern && (parts & (PART_PEEK | PART_LISTING | PART_CODE)))
		err = match_pattern(report, parts);
	if (!err && !opts->pattern && (parts & PART_LISTING))
		listing_build_heaviest(&report->table, report->divisor_of_all, report->arena, &report->listing);
	if (err) {
		report_free(report);
		return err;
	}
	*ret = report;
	return NULL;
}

void report_free(struct report *report)
{
	if (!report)
		return;
	table_free(&report->table);
	graph_free(&report->graph);
	columns_free(&report->columns);
	sizes_free(&report->sizes);
	nodelets_free(&report->nodelets);
	info_free(&report->info);
	tags_free(&report->tags);
	listing_free(&report->listing);
	diag_clear(&report->notes);
	code_free(&report->code);
	flame_free(&report->flame);
	report_free(report->source);
	free(report->matches);
	free(report->order);
	arena_free(report->arena);
	free(report);
}
