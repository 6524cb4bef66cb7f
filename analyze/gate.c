#include "analyze/gate.h"

#include "analyze/base/regex.h"

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
	uint32_t cap;
};

/* ---- what the options say ---- */

bool gate_is_wanted(const struct gate_opts *opts)
{
	return opts->growth || opts->n_above;
}

static bool read_amount(const char *text, struct amount *ret)
{
	char *end;

	ret->number = strtod(text, &end);
	ret->unit = end;
	return end != text && strchr("0123456789.", *text) && isfinite(ret->number);
}

static struct err *bad_amount(const char *option, const char *text)
{
	return err_new("--%s=%s: expected a size such as 10MB, 2000%s", option, text,
	               strcmp(option, "fail_growth") == 0 ? " or 5%" : " behind a pattern and a colon: cache:100MB");
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
		return bad_amount("fail_growth", opts->growth);
	for (uint32_t i = 0; i < opts->n_above; i++) {
		const char *limit = limit_of(opts->above[i]);

		if (!limit || !read_amount(limit, &amount) || strcmp(amount.unit, "%") == 0)
			return bad_amount("fail_above", opts->above[i]);
	}
	return NULL;
}

/* The limit in the unit of the view's type. */
static struct err *read_limit(const struct gate_making *making, const char *option, const char *text, double whole,
                              double *ret)
{
	const struct view *view = making->table->view;
	const struct profile *p = view->profile;
	const char *unit = profile_text(p, p->types[view->opts.type].unit);
	struct amount amount;
	double factor = 1;

	if (!read_amount(text, &amount))
		return bad_amount(option, text);
	if (strcmp(amount.unit, "%") == 0)
		factor = fabs(whole) / 100;
	else if (*amount.unit && !units_factor(amount.unit, unit, &factor))
		return err_new("--%s: %s: expected a unit in which %s can be said", option, text, unit);
	*ret = amount.number * factor;
	return NULL;
}

/* ---- who is beyond ---- */

static void add_offender(struct gate_making *making, struct offender offender)
{
	struct gate *gate = making->gate;

	if (gate->n_offenders == making->cap) {
		struct offender *old = gate->offenders;

		making->cap = making->cap ? 2 * making->cap : 16;
		gate->offenders = arena_alloc(making->arena, making->cap, sizeof *gate->offenders);
		if (old)
			memcpy(gate->offenders, old, gate->n_offenders * sizeof *old);
	}
	gate->offenders[gate->n_offenders++] = offender;
}

static struct err *check_growth(struct gate_making *making, const char *text)
{
	const struct series *series = making->series;
	struct offender offender = {.option = arena_printf(making->arena, "--fail-growth=%s", text), .is_growth = true};
	struct err *err = read_limit(making, "fail-growth", text, series->total.values[0], &offender.limit);

	for (uint32_t i = 0; !err && i <= series->n_rows; i++) {
		offender.row = i ? &series->rows[i - 1] : &series->total;
		offender.name = i ? making->table->rows[offender.row->row].label : "total";
		offender.value = offender.row->growth;
		if (offender.value > offender.limit)
			add_offender(making, offender);
	}
	return err;
}

static struct err *check_above(struct gate_making *making, const char *text)
{
	const struct series *series = making->series;
	const char *limit = limit_of(text), *pattern = arena_strndup(making->arena, text, (size_t)(limit - 1 - text));
	struct offender offender = {.option = arena_printf(making->arena, "--fail-above=%s", text)};
	struct err *err = read_limit(making, "fail-above", limit, 0, &offender.limit);
	struct regex *regex = NULL;

	if (!err)
		err = regex_new("fail_above", pattern, &regex);
	for (uint32_t i = 0; !err && i < series->n_rows; i++) {
		offender.row = &series->rows[i];
		offender.name = making->table->rows[offender.row->row].label;
		offender.value = offender.row->values[series->n_snapshots - 1];
		if (offender.value > offender.limit && regex_match(regex, offender.name))
			add_offender(making, offender);
	}
	if (regex)
		making->gate->n_given_up += regex_n_given_up(regex);
	regex_free(regex);
	return err;
}

struct err *gate_build(const struct table *table, const struct series *series, const struct gate_opts *opts,
                       struct arena *arena, struct gate *ret)
{
	struct gate_making making = {.table = table, .series = series, .arena = arena, .gate = ret};
	struct err *err = gate_check_opts(opts);

	*ret = (struct gate){0};
	if (!err && opts->growth)
		err = check_growth(&making, opts->growth);
	for (uint32_t i = 0; !err && i < opts->n_above; i++)
		err = check_above(&making, opts->above[i]);
	return err;
}
