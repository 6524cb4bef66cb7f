#include "analyze/read/unbias.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void unbias_poisson(int64_t period, double *n, double *b)
{
	if (*n == 0 || *b == 0 || period <= 1)
		return;
	double factor = -1 / expm1(-fabs(*b / *n) / (double)period);

	*n *= factor;
	*b *= factor;
}

int64_t unbias_period(const struct read_opts *opts, int64_t file_period)
{
	if (!opts->sampling_period)
		return file_period;
	return opts->sampling_period < INT64_MAX ? (int64_t)opts->sampling_period : INT64_MAX;
}

const char *unbias_rule(const struct read_opts *opts, int64_t period, char text[UNBIAS_RULE])
{
	if (period <= 1)
		snprintf(text, UNBIAS_RULE, "exact");
	else if (opts->no_unsample)
		snprintf(text, UNBIAS_RULE, "sampled counts as they stand (--no-unsample)");
	else
		snprintf(text, UNBIAS_RULE, "each row scaled by 1/(1-exp(-size/%" PRId64 "))", period);
	return text;
}
