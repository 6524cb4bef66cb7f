#include "analyze/read/foreign.h"

#include "analyze/base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* How far into a file a word is looked for that tells what it is. */
enum { LOOK = 4096 };

/* By how they begin. */
static const struct magic {
	const char *bytes;
	const char *found; /* what the file is; then, behind a semicolon, a way to go on */
} magics[] = {
	{"PERFILE2", "perf.data, which perf alone reads; perf_to_profile makes a profile.proto of it"},
	{"JAVA PROFILE 1.0", "a Java heap dump (hprof), which holds objects and no stacks that allocated them"},
	{"\xff\xfe", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes it readable"},
	{"\xfe\xff", "UTF-16 text; iconv -f UTF-16 -t UTF-8 makes it readable"},
	{"\x1f\x8b", "gzip within gzip within gzip; unpack it first"},
	{"\x28\xb5\x2f\xfd", "a zstd file; unpack it first"},
	{"\xfd\x37zXZ", "an xz file; unpack it first"},
	{"BZh", "a bzip2 file; unpack it first"},
	{"PK\x03\x04", "a zip file; unpack it first"},
	{"___ Begin jemalloc statistics ___", "jemalloc's statistics; its heap profile is what prof.dump writes"},
};

static void skip_white(struct span *head)
{
	while (head->at < head->end && isspace((unsigned char)*head->at))
		head->at++;
}

bool foreign_is_html(struct span head)
{
	skip_white(&head);
	return span_length(&head) > 5 &&
	       (strncasecmp(head.at, "<!doctype", 9) == 0 || strncasecmp(head.at, "<html", 5) == 0);
}

static bool mentions(const struct span *head, const char *word)
{
	size_t length = span_length(head) < LOOK ? span_length(head) : LOOK;

	return memmem(head->at, length, word, strlen(word)) != NULL;
}

/* "goroutine 1 [running]:" */
static bool is_goroutine_dump(struct span head)
{
	bool overflow = false;
	int64_t number;

	return span_word(&head, "goroutine ") && span_int64(&head, &number, &overflow) && span_word(&head, " [");
}

/* "00400000-00401000 r-xp " */
static bool is_map(struct span head)
{
	bool overflow = false;
	uint64_t start, limit;

	if (!span_hex(&head, &start, &overflow) || !span_char(&head, '-') || !span_hex(&head, &limit, &overflow) ||
	    !span_char(&head, ' '))
		return false;
	return (span_char(&head, 'r') || span_char(&head, '-')) && (span_char(&head, 'w') || span_char(&head, '-')) &&
	       (span_char(&head, 'x') || span_char(&head, '-'));
}

static const char *json_kind(const struct span *head)
{
	if (mentions(head, "speedscope"))
		return "a speedscope file, which is drawn from profiles and not read";
	if (mentions(head, "\"jemalloc\""))
		return "jemalloc's statistics; its heap profile is what prof.dump writes";
	if (mentions(head, "\"traceEvents\""))
		return "a trace of events in JSON";
	return "JSON";
}

/* What the file is, or NULL. */
static const char *kind_of(struct span head)
{
	if (bytes_are_elf((const uint8_t *)head.at, span_length(&head)))
		return "an ELF file (the program comes before the profiles)";
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (span_starts(&head, magics[i].bytes))
			return magics[i].found;
	skip_white(&head);
	if (is_goroutine_dump(head))
		return "a dump of goroutines (debug=2); one with debug=1, or without debug, is read";
	if (is_map(head))
		return "a memory map alone; it belongs behind the rows of a profile";
	if (span_starts(&head, "{"))
		return json_kind(&head);
	return NULL;
}

const char *foreign_show(struct span head, char text[FOREIGN_TEXT])
{
	size_t used = 0;

	for (const char *at = head.at; at < head.end && at < head.at + 16; at++)
		used += (size_t)snprintf(text + used, FOREIGN_TEXT - used,
		                         isprint((unsigned char)*at) && *at != '\\' ? "%c" : "\\x%02x", (unsigned char)*at);
	text[used] = '\0';
	return text;
}

struct err *foreign_format(const char *name, struct span head)
{
	const char *kind = kind_of(head);
	char text[FOREIGN_TEXT];

	if (head.at == head.end)
		return err_new("%s:1: expected a profile, found an empty file", name);
	if (foreign_is_html(head))
		return err_new("%s:1: expected a profile, found an HTML page", name);
	if (kind)
		return err_new("%s: expected a profile, found %s", name, kind);
	return err_new("%s:1: expected a profile of heap, CPU, contention or threads, found \"%s\"", name,
	               foreign_show(head, text));
}
