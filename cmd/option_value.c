#include "cmd/option_value.h"

#include "analyze/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- read ---- */

/* What google/pprof's shell and Go's flags take for true (1) and false (0); -1: neither. */
static int truth_of(const char *value)
{
	static const char *const words[][2] = {{"false", "true"}, {"0", "1"}, {"f", "t"}, {"no", "yes"}, {"n", "y"}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (int truth = 0; truth < 2; truth++)
			if (strcasecmp(value, words[i][truth]) == 0)
				return truth;
	return -1;
}

/* As in google/pprof, an empty one takes back what was set before; but where a place is expected, a variable of somebody's
 * script is empty. */
static struct err *read_text(const char **text, const struct opt_row *row, const char *value)
{
	if (!*value && strcmp(row->arg, "FILE") == 0)
		return err_new("--%s: expected the name of a file", row->name);
	if (!*value && strcmp(row->arg, "DIR") == 0)
		return err_new("--%s: expected the name of a folder", row->name);
	*text = *value ? value : NULL;
	return NULL;
}

static struct err *read_flag(bool *flag, const struct opt_row *row, const char *value)
{
	int truth = value ? truth_of(value) : true;

	if (truth < 0)
		return err_new("--%s=%s: expected true or false", row->name, value);
	*flag = truth;
	return NULL;
}

static struct err *read_int(int *number, const struct opt_row *row, const char *value)
{
	enum { MOST = 1000000000 };
	char *end;

	errno = 0;
	long parsed = strtol(value, &end, 10);
	if (errno || end == value || *end || parsed < row->number || parsed > MOST)
		return err_new("--%s=%s: expected a whole number from 0 to %d", row->name, value, MOST);
	*number = (int)parsed;
	return NULL;
}

static struct err *read_count(int *count, const struct opt_row *row, const char *value)
{
	*count = row->number;
	return value ? read_int(count, row, value) : NULL;
}

static struct err *read_size(uint64_t *size, const struct opt_row *row, const char *value)
{
	static const struct {
		const char *suffix;
		uint64_t factor;
	} units[] = {
		{"", 1}, {"B", 1}, {"kB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30},
	};
	char *end;

	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	for (size_t i = 0; !errno && end != value && *value != '-' && i < sizeof units / sizeof *units; i++)
		if (strcasecmp(end, units[i].suffix) == 0 && !__builtin_mul_overflow(number, units[i].factor, size))
			return NULL;
	return err_new("--%s=%s: expected a size such as 64MB or 4GB", row->name, value);
}

static struct err *read_fraction(double *fraction, const struct opt_row *row, const char *value)
{
	char *end;
	double parsed = strtod(value, &end);

	if (end == value || *end || !(parsed >= 0 && parsed <= 1))
		return err_new("--%s=%s: expected a fraction from 0 to 1", row->name, value);
	*fraction = parsed;
	return NULL;
}

static struct err *read_divisor(double *divisor, const struct opt_row *row, const char *value)
{
	char *end;
	double parsed = strtod(value, &end);

	if (end == value || *end || parsed == 0 || !isfinite(parsed))
		return err_new("--%s=%s: expected a number other than 0", row->name, value);
	*divisor = parsed;
	return NULL;
}

static struct err *read_word(int *number, const struct opt_row *row, const char *value)
{
	const char *words = row->arg, *word;
	size_t n;

	for (int i = 0; (word = text_item(&words, '|', &n)); i++) {
		if (text_is(word, n, value)) {
			*number = i;
			return NULL;
		}
	}
	return err_new("--%s=%s: expected %s", row->name, value, row->arg);
}

static struct err *read_strictness(int *strictness, const struct opt_row *row, const char *value)
{
	if (value && strcmp(value, row->arg) != 0)
		return err_new("--%s=%s: expected --%s or --%s=%s", row->name, value, row->name, row->name, row->arg);
	*strictness = value ? STRICT_SYMBOLS : STRICT_LOSS;
	return NULL;
}

static struct err *read_help(const char **field, const struct opt_row *row, const char *value)
{
	const char *known = "";
	size_t n;
	const struct opt_group *groups = opt_groups(&n);
	bool is_known = !value || strcmp(value, "all") == 0;
	struct arena *arena = arena_new();

	for (size_t i = 0; i < n; i++) {
		is_known |= value && strcmp(value, groups[i].key) == 0;
		known = arena_printf(arena, "%s%s, ", known, groups[i].key);
	}
	struct err *err = is_known ? NULL : err_new("--%s=%s: expected %sor all", row->name, value, known);
	arena_free(arena);
	if (!err)
		*field = value ? value : "";
	return err;
}

struct err *option_value_read(void *field, const struct opt_row *row, const char *text)
{
	switch (row->kind) {
	case OPT_FLAG:
		return read_flag(field, row, text);
	case OPT_INT:
		return read_int(field, row, text);
	case OPT_COUNT:
		return read_count(field, row, text);
	case OPT_SIZE:
		return read_size(field, row, text);
	case OPT_FRACTION:
		return read_fraction(field, row, text);
	case OPT_DIVISOR:
		return read_divisor(field, row, text);
	case OPT_STRICT:
		return read_strictness(field, row, text);
	case OPT_WORD:
		return read_word(field, row, text);
	case OPT_HELP:
		return read_help(field, row, text);
	case OPT_STRING:
		return read_text(field, row, text);
	case OPT_LIST:
	case OPT_CHOICE:
	case OPT_NAMED:
	case OPT_REPORT:
	case OPT_ACCEPTED:
	case OPT_REFUSED:
		return NULL;
	}
	return NULL;
}

/* ---- shown ---- */

/* Of "auto|always|never" the one of this number. */
static const char *word_text(const char *words, int number, struct arena *arena)
{
	size_t n = 0;
	const char *word = "";

	for (int i = 0; i <= number; i++)
		word = text_item(&words, '|', &n);
	return arena_strndup(arena, word, n);
}

const char *option_value_text(const void *field, const struct opt_row *row, struct arena *arena)
{
	switch (row->kind) {
	case OPT_FLAG:
		return *(const bool *)field ? "true" : "false";
	case OPT_STRING:
		return *(const char *const *)field ? *(const char *const *)field : "\"\"";
	case OPT_INT:
		return arena_printf(arena, "%d", *(const int *)field);
	case OPT_DIVISOR:
		return arena_printf(arena, "%g", *(const double *)field ? *(const double *)field : 1);
	case OPT_FRACTION:
		return arena_printf(arena, "%g", *(const double *)field);
	case OPT_WORD:
		return word_text(row->arg, *(const int *)field, arena);
	case OPT_COUNT:
	case OPT_SIZE:
	case OPT_LIST:
	case OPT_CHOICE:
	case OPT_NAMED:
	case OPT_REPORT:
	case OPT_STRICT:
	case OPT_HELP:
	case OPT_ACCEPTED:
	case OPT_REFUSED:
		return "";
	}
	return "";
}
