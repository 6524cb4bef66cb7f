#include "analyze/read/attributes.h"

#include "analyze/base/text.h"
#include "analyze/read/losses.h"
#include "analyze/read/maps.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	size_t at;
	int64_t least;
	const char *expected;
} numbers[] = {
	{"cycles/second", offsetof(struct attributes, cycles_per_second), 1, "a number from 1 to 2^63 - 1"},
	{"sampling period", offsetof(struct attributes, sampling_period), 1, "a number from 1 to 2^63 - 1"},
	{"ms since reset", offsetof(struct attributes, ms_since_reset), 0, "a number from 0 to 2^63 - 1"},
	{"discarded samples", offsetof(struct attributes, n_discarded), 0, "a number from 0 to 2^63 - 1"},
};
enum { N_NUMBERS = sizeof numbers / sizeof *numbers };

/* Lines that are passed over. */
struct fault {
	struct row_trouble trouble;
	struct span name; /* of the first */
};

struct scan {
	const struct cursor *in;
	struct attributes *attributes;
	bool is_known[N_NUMBERS];
	struct fault unknown, bad;
};

struct span attributes_title(struct span line)
{
	if (!span_word(&line, "---"))
		return (struct span){line.at, line.at};
	span_blanks(&line);
	while (line.end > line.at && (line.end[-1] == '-' || line.end[-1] == ' '))
		line.end--;
	return line;
}

bool attribute_split(struct span line, struct span *name_ret, struct span *value_ret)
{
	size_t length = span_length(&line);
	const char *equal = length ? memchr(line.at, '=', length) : NULL;

	if (!equal || memchr(line.at, '@', length) || *line.at < 'a' || *line.at > 'z')
		return false;
	*name_ret = (struct span){line.at, equal};
	*value_ret = (struct span){equal + 1, line.end};
	span_trim_end(name_ret);
	span_blanks(value_ret);
	return true;
}

static void add_fault(struct fault *fault, const struct scan *scan, struct span name, const char *expected)
{
	if (!fault->trouble.n)
		fault->name = name;
	row_trouble_add(&fault->trouble, scan->in, expected);
}

static void take_number(struct scan *scan, int i, struct span name, struct span value)
{
	int64_t *field = (int64_t *)((char *)scan->attributes + numbers[i].at);
	bool overflow = false;
	int64_t number = 0;

	if (!span_int64(&value, &number, &overflow) || value.at != value.end || overflow || number < numbers[i].least) {
		add_fault(&scan->bad, scan, name, numbers[i].expected);
	} else if (!scan->is_known[i]) {
		*field = number;
		scan->is_known[i] = true;
	} else if (*field != number) {
		add_fault(&scan->bad, scan, name, "one value in a file, of which the first is used");
	}
}

static void take_text(struct span *field, struct span value)
{
	if (field->at == field->end)
		*field = value;
}

static void take(struct scan *scan, struct span name, struct span value)
{
	for (int i = 0; i < N_NUMBERS; i++)
		if (span_is(&name, numbers[i].name)) {
			take_number(scan, i, name, value);
			return;
		}
	if (span_is(&name, "format"))
		take_text(&scan->attributes->format, value);
	else if (span_is(&name, "resolution"))
		take_text(&scan->attributes->resolution, value);
	else
		add_fault(&scan->unknown, scan, name, NULL);
}

static int shown_length(struct span name)
{
	return (int)text_cut_bytes(name.at, span_length(&name), 40);
}

/* ", as are N others", or nothing. */
static const char *others(const struct fault *fault, char text[40])
{
	uint32_t n = fault->trouble.n - 1;

	*text = '\0';
	if (n)
		snprintf(text, 40, ", as %s %" PRIu32 " other%s", n > 1 ? "are" : "is", n, n > 1 ? "s" : "");
	return text;
}

static void note_faults(const struct scan *scan, struct build *build)
{
	const struct fault *bad = &scan->bad, *unknown = &scan->unknown;
	char text[40];

	if (bad->trouble.n)
		diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu64 ": %.*s: expected %s; the line is passed over%s", scan->in->name, bad->trouble.line,
		         shown_length(bad->name), bad->name.at, bad->trouble.what, others(bad, text));
	if (unknown->trouble.n)
		diag_add(build_notes(build), NOTE_DETAIL, NOTE_PLAIN,
		         "%s:%" PRIu64 ": %.*s: an unknown attribute; the line is passed over%s", scan->in->name,
		         unknown->trouble.line, shown_length(unknown->name), unknown->name.at, others(unknown, text));
}

void attributes_read(struct cursor ahead, struct build *build, struct attributes *ret)
{
	static const char nothing[] = "";
	struct scan scan = {.in = &ahead, .attributes = ret};
	struct span line, name, value;

	*ret = (struct attributes){.format = {nothing, nothing}, .resolution = {nothing, nothing}};
	while (cursor_line(&ahead, &line) && !maps_begin(&line))
		if (attribute_split(line, &name, &value))
			take(&scan, name, value);
	note_faults(&scan, build);
}

void attributes_set_time(const struct attributes *attributes, struct build *build)
{
	int64_t nanos;

	if (!__builtin_mul_overflow(attributes->ms_since_reset, 1000000, &nanos))
		build_set_time(build, 0, nanos);
}
