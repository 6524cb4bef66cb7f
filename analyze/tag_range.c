#include "analyze/tag_range.h"

#include "analyze/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* "+64kb". Moves on to what follows; false: no number that fits stands there. */
static bool parse_bound(const char **text, struct tag_bound *bound)
{
	const char *at = *text;
	size_t sign = *at == '+' || *at == '-', digits = strspn(at + sign, DIGITS);
	const char *unit = at + sign + digits;
	size_t length = strspn(unit, LETTERS);

	if (!digits || length >= sizeof bound->unit)
		return false;
	errno = 0;
	bound->number = strtoll(at, NULL, 10);
	if (errno)
		return false;
	bound->is_set = true;
	memcpy(bound->unit, unit, length);
	bound->unit[length] = '\0';
	*text = unit + length;
	return true;
}

static void share_unit(struct tag_bound *a, const struct tag_bound *b)
{
	if (!*a->unit)
		memcpy(a->unit, b->unit, sizeof a->unit);
}

bool tag_range_parse(const char *text, struct tag_range *ret)
{
	struct tag_range range = {0};

	if (*text != ':' && !parse_bound(&text, &range.low))
		return false;
	if (!*text)
		range.high = range.low;
	else if (*text++ != ':' || (*text && !parse_bound(&text, &range.high)))
		return false;
	if (*text || !(range.low.is_set || range.high.is_set))
		return false;
	share_unit(&range.low, &range.high);
	share_unit(&range.high, &range.low);
	*ret = range;
	return true;
}

/* Each unit is a whole number of each smaller one, so the smaller of the two is used, and all is exact. */
static bool scale_bound(const struct tag_bound *bound, const char *unit, int64_t *factor, __int128 *limit)
{
	double up = 1, down = 1;

	*factor = 1;
	*limit = bound->number;
	if (!*bound->unit)
		return true;
	if (!units_factor(unit, bound->unit, &up) || !units_factor(bound->unit, unit, &down))
		return false;
	if (up >= 1)
		*factor = (int64_t)up;
	else
		*limit *= (int64_t)down;
	return true;
}

struct tag_limits tag_range_in(const struct tag_range *range, const char *unit)
{
	static const __int128 END = (__int128)1 << 126; /* beyond each number by each factor */
	struct tag_limits limits = {true, 1, 1, -END, END};

	if (range->low.is_set)
		limits.is_measured &= scale_bound(&range->low, unit, &limits.low_factor, &limits.low);
	if (range->high.is_set)
		limits.is_measured &= scale_bound(&range->high, unit, &limits.high_factor, &limits.high);
	return limits;
}
