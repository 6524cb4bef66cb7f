#include "render/when.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t SECOND = 1000000000;

static void split(int64_t nanos, time_t *seconds, int64_t *rest)
{
	bool is_before = nanos % SECOND < 0;

	*seconds = nanos / SECOND - is_before;
	*rest = nanos % SECOND + (is_before ? SECOND : 0);
}

/* What strftime makes of the time; "" when the zone's name has no room. */
static const char *format_time(char text[WHEN_TEXT], time_t seconds, const char *format)
{
	struct tm parts;

	if (getenv("TZ")) {
		tzset();
		localtime_r(&seconds, &parts);
	} else {
		gmtime_r(&seconds, &parts);
		parts.tm_zone = "UTC";
	}
	if (!strftime(text, WHEN_TEXT, format, &parts))
		*text = '\0';
	return text;
}

/* ".25": the part below a whole, of so many digits, without zeros at its end. */
static void format_fraction(char text[16], int64_t rest, int digits)
{
	if (!rest) {
		*text = '\0';
		return;
	}
	snprintf(text, 16, ".%0*" PRId64, digits, rest);
	for (char *end = text + strlen(text); end[-1] == '0'; end--)
		end[-1] = '\0';
}

const char *when_short(char text[WHEN_TEXT], int64_t nanos)
{
	time_t seconds;
	int64_t rest;

	split(nanos, &seconds, &rest);
	return format_time(text, seconds, "%Y-%m-%d %H:%M:%S %Z");
}

const char *when_full(char text[WHEN_TEXT], int64_t nanos)
{
	char format[64], fraction[16];
	time_t seconds;
	int64_t rest;

	split(nanos, &seconds, &rest);
	format_fraction(fraction, rest, 9);
	snprintf(format, sizeof format, "%%Y-%%m-%%d %%H:%%M:%%S%s %%z %%Z", fraction);
	return format_time(text, seconds, format);
}

static const char *short_span(char text[WHEN_TEXT], const char *sign, uint64_t nanos)
{
	static const struct {
		uint64_t factor;
		int digits;
		const char *name;
	} units[] = {{1000000, 6, "ms"}, {1000, 3, "µs"}, {1, 0, "ns"}};
	char fraction[16];
	size_t i = 0;

	while (nanos < units[i].factor)
		i++;
	format_fraction(fraction, (int64_t)(nanos % units[i].factor), units[i].digits);
	snprintf(text, WHEN_TEXT, "%s%" PRIu64 "%s%s", sign, nanos / units[i].factor, fraction, units[i].name);
	return text;
}

const char *when_span(char text[WHEN_TEXT], int64_t nanos)
{
	const char *sign = nanos < 0 ? "-" : "";
	uint64_t size = nanos < 0 ? -(uint64_t)nanos : (uint64_t)nanos, second = (uint64_t)SECOND;
	uint64_t hours = size / (3600 * second), minutes = size / (60 * second) % 60, seconds = size / second % 60;
	char fraction[16];

	if (size && size < second)
		return short_span(text, sign, size);
	format_fraction(fraction, (int64_t)(size % second), 9);
	if (hours)
		snprintf(text, WHEN_TEXT, "%s%" PRIu64 "h%" PRIu64 "m%" PRIu64 "%ss", sign, hours, minutes, seconds, fraction);
	else if (minutes)
		snprintf(text, WHEN_TEXT, "%s%" PRIu64 "m%" PRIu64 "%ss", sign, minutes, seconds, fraction);
	else
		snprintf(text, WHEN_TEXT, "%s%" PRIu64 "%ss", sign, seconds, fraction);
	return text;
}
