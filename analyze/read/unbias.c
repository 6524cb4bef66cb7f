#include "analyze/read/unbias.h"

#include <math.h>

void unbias_poisson(int64_t period, double *n, double *b)
{
	if (*n == 0 || *b == 0 || period <= 1)
		return;
	double factor = -1 / expm1(-fabs(*b / *n) / (double)period);

	*n *= factor;
	*b *= factor;
}
