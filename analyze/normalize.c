#include "analyze/normalize.h"

#include <math.h>

static double sum_of(const struct profile *profile, uint32_t set, uint32_t type)
{
	double sum = 0;

	for (uint32_t i = 0; i < profile->n_samples; i++)
		sum += profile_value(profile, i, set, type);
	return sum;
}

struct ratio *normalize_ratios(const struct profile *profile)
{
	struct ratio *ratios = mem_zalloc(profile->n_types, sizeof *ratios);

	for (uint32_t i = 0; i < profile->n_types; i++)
		ratios[i] = (struct ratio){sum_of(profile, SET_MAIN, i), sum_of(profile, SET_BASE, i)};
	return ratios;
}

/* The product as a sum of two doubles, so that dividing it is rounded once: 3 * 7 / 7 is 3, whatever the sizes. */
double ratio_apply(const struct ratio *ratio, double value)
{
	if (ratio->of == 0)
		return 0;
	double product = value * ratio->to, rest = fma(value, ratio->to, -product);
	double quotient = product / ratio->of;

	return quotient + (fma(-quotient, ratio->of, product) + rest) / ratio->of;
}

double ratio_difference(double scaled, double base)
{
	static const double PRECISION = 0x1p-40;
	double difference = scaled - base;

	return fabs(difference) <= PRECISION * fabs(base) ? 0 : difference;
}
