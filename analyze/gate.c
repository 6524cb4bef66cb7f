#include "analyze/gate.h"

#include "analyze/base/regex.h"
#include "analyze/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "10MB", "1.5", "5%": a number and what follows it. */
struct amount {
	double number;
	const char *unit;
};

struct gate_making {
	const struct table *table;
	const struct series *series;
	struct arena *arena;
	struct gate *gate;
};

/* ---- what the options say ---- */

bool gate_is_wanted(const struct gate_opts *opts)
{
	return opts->growth || opts->n_above;
}

/* Digits with at most one dot among them: no sign, no exponent. */
static bool read_amount(const char *text, struct amount *ret)
{
	size_t n = strspn(text, "0123456789.");
	char *end;

	ret->number = strtod(text, &end);
	ret->unit = text + n;
	return n && end == text + n && isfinite(ret->number);
}

static struct err *bad_growth(const char *text)
{
	return err_new("--fail-growth=%s: expected a size such as 10MB, 2000 or 5%%", text);
}

static struct err *bad_above(const char *text)
{
	return err_new("--fail-above=%s: expected a pattern, a colon and a size such as 100MB or 2000: cache:100MB", text);
}

/* The part of "R:100MB" behind its last colon; NULL: there is none, or no pattern before it. */
static const char *limit_of(const char *above)
{
	const char *colon = strrchr(above, ':');

	return colon && colon != above ? colon + 1 : NULL;
}

struct err *gate_check_opts(const struct gate_opts *opts)
{
	struct amount amount;

	if (opts->growth && !read_amount(opts->growth, &amount))
		return bad_growth(opts->growth);
	for (uint32_t i = 0; i < opts->n_above; i++) {
		const char *limit = limit_of(opts->above[i]);

		if (!limit || !read_amount(limit, &amount) || strcmp(amount.unit, "%") == 0)
			return bad_above(opts->above[i]);
	}
	return NULL;
}

/* What parts in percent are of: as percentages of the view are, the total before the filters. */
static double first_total(const struct gate_making *making)
{
	const struct view *view = making->table->view;

	return fabs(view->opts.is_relative ? making->series->total.values[0] : view->base.sum);
}

/* The limit in the unit of the view's type. */
static struct err *read_limit(const struct gate_making *making, const char *text, struct gate_limit *limit)
{
	const struct profile *p = making->table->view->profile;
	const char *unit = profile_text(p, p->types[making->table->view->opts.type].unit);
	struct amount amount = {0};
	double factor = 1;

	if (!read_amount(text, &amount))
		return bad_growth(text);
	if (strcmp(amount.unit, "%") == 0) {
		factor = first_total(making) / 100;
		limit->is_of_nothing = factor == 0;
	} else if (*amount.unit && !units_factor(amount.unit, unit, &factor)) {
		return err_new("%s: expected no unit, or one that fits values in %s, found %s", limit->option, unit,
		               amount.unit);
	}
	limit->value = amount.number * factor;
	return isfinite(limit->value) ? NULL : err_new("%s: expected a smaller limit", limit->option);
}

/* ---- names ---- */

const char *gate_name(const struct gate *gate, const struct offender *offender, struct arena *arena)
{
	bool is_total = offender->row == &gate->series->total;

	return is_total ? "total" : tree_label(gate->table, offender->row->row, arena);
}

/* ---- who is beyond ---- */

static void add_offender(struct gate_making *making, struct gate_limit *limit, const struct series_row *row,
                         double value)
{
	struct gate *gate = making->gate;

	if (gate->n_offenders == gate->cap) {
		struct offender *old = gate->offenders;

		gate->cap = gate->cap ? 2 * gate->cap : 16;
		gate->offenders = arena_alloc(making->arena, gate->cap, sizeof *gate->offenders);
		if (old)
			memcpy(gate->offenders, old, gate->n_offenders * sizeof *old);
	}
	gate->offenders[gate->n_offenders++] = (struct offender){limit, row, value};
	limit->n++;
}

/* What is of one size stays as the series has it. */
static int compare(const void *left, const void *right)
{
	const struct offender *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

static void sort_offenders(const struct gate *gate, const struct gate_limit *limit, const struct series_row *total)
{
	if (!limit->n)
		return;
	struct offender *rows = gate->offenders + limit->first;
	bool has_total = rows->row == total;
	qsort(rows + has_total, limit->n - has_total, sizeof *rows, compare);
}

static void check_growth(struct gate_making *making, struct gate_limit *limit)
{
	const struct series *series = making->series;

	if (series->total.growth > limit->value)
		add_offender(making, limit, &series->total, series->total.growth);
	for (uint32_t i = 0; i < series->n_rows; i++)
		if (series->rows[i].growth > limit->value)
			add_offender(making, limit, &series->rows[i], series->rows[i].growth);
}

/* By row of the table; of whole stacks those below a row that matches too. The caller frees it. */
static bool *match_rows(const struct table *table, struct regex *regex)
{
	bool *matches = mem_zalloc(table->n, sizeof *matches);

	for (uint32_t i = 0; i < table->n; i++) {
		bool is_below = table->callers && table->callers[i] != TABLE_NONE && matches[table->callers[i]];

		matches[i] = is_below || regex_match(regex, table->rows[i].label);
	}
	return matches;
}

static void check_above(struct gate_making *making, struct regex *regex, struct gate_limit *limit)
{
	const struct series *series = making->series;
	bool *CLEANUP(mem_free_local) matches = match_rows(making->table, regex);

	for (uint32_t i = 0; i < series->n_rows; i++) {
		double value = series->rows[i].values[series->n_snapshots - 1];

		if (value > limit->value && matches[series->rows[i].row])
			add_offender(making, limit, &series->rows[i], value);
	}
}

/* ---- the gate ---- */

static struct gate_limit *begin_limit(struct gate_making *making, const char *option, const char *text)
{
	struct gate_limit *limit = &making->gate->limits[making->gate->n_limits++];

	*limit = (struct gate_limit){.option = arena_printf(making->arena, "--%s=%s", option, text),
	                             .first = making->gate->n_offenders};
	return limit;
}

static struct err *take_growth(struct gate_making *making, const char *text)
{
	struct gate_limit *limit = begin_limit(making, "fail-growth", text);
	struct err *err = read_limit(making, text, limit);

	limit->is_growth = true;
	if (!err)
		check_growth(making, limit);
	sort_offenders(making->gate, limit, &making->series->total);
	return err;
}

static struct err *take_above(struct gate_making *making, const char *text)
{
	const char *size = limit_of(text);
	assert(size); /* gate_check_opts has seen it */
	const char *pattern = arena_strndup(making->arena, text, (size_t)(size - 1 - text));
	struct gate_limit *limit = begin_limit(making, "fail-above", text);
	struct regex *regex = NULL;
	struct err *err = read_limit(making, size, limit);

	if (!err)
		err = regex_new("fail-above", pattern, &regex);
	if (err)
		return err;
	check_above(making, regex, limit);
	making->gate->n_given_up += regex_n_given_up(regex);
	regex_free(regex);
	sort_offenders(making->gate, limit, &making->series->total);
	return NULL;
}

struct err *gate_build(const struct table *table, const struct series *series, const struct gate_opts *opts,
                       struct arena *arena, struct gate *ret)
{
	struct gate_making making = {.table = table, .series = series, .arena = arena, .gate = ret};
	struct err *err = gate_check_opts(opts);

	*ret = (struct gate){.table = table, .series = series};
	ret->limits = arena_alloc(arena, (size_t)opts->n_above + 1, sizeof *ret->limits);
	if (!err && opts->growth)
		err = take_growth(&making, opts->growth);
	for (uint32_t i = 0; !err && i < opts->n_above; i++)
		err = take_above(&making, opts->above[i]);
	return err;
}
