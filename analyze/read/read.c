#include "analyze/read/read.h"

#include "analyze/base/gzip.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const struct reader *const readers[] = {
	&reader_heap,
	NULL,
};

static const struct reader *find_reader(struct span head)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->probe(head))
			return readers[i];
	return NULL;
}

static bool starts_like_html(struct span head)
{
	while (head.at < head.end && isspace((unsigned char)*head.at))
		head.at++;
	return span_length(&head) > 5 &&
	       (strncasecmp(head.at, "<!doctype", 9) == 0 || strncasecmp(head.at, "<html", 5) == 0);
}

/* The first bytes, as a person can read them. */
static const char *show_head(struct span head, char *text, size_t size)
{
	size_t used = 0;

	for (const char *at = head.at; at < head.end && at < head.at + 16 && used + 5 < size; at++)
		used += (size_t)snprintf(text + used, size - used,
		                         isprint((unsigned char)*at) && *at != '\\' ? "%c" : "\\x%02x", (unsigned char)*at);
	text[used] = '\0';
	return text;
}

static struct err *unknown_format(const char *name, struct span head)
{
	char text[128];

	if (head.at == head.end)
		return err_new("%s:1: expected a profile, found an empty file", name);
	if (bytes_are_elf((const uint8_t *)head.at, span_length(&head)))
		return err_new("%s: expected a profile, found an ELF file (the program comes before the profiles)", name);
	if (starts_like_html(head))
		return err_new("%s:1: expected a profile, found an HTML page", name);
	return err_new("%s:1: expected a heap profile (its first line begins \"heap profile:\"), found \"%s\"", name,
	               show_head(head, text, sizeof text));
}

struct err *profile_read_body(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	const struct reader *reader = find_reader((struct span){in->at, in->end});

	return reader ? reader->read(in, opts, build) : unknown_format(in->name, (struct span){in->at, in->end});
}

static struct err *read_bytes(const char *name, const struct read_opts *opts, const struct bytes *bytes,
                              struct build *build)
{
	struct span head = {(const char *)bytes->data, (const char *)bytes->data + bytes->size};
	const struct reader *reader = find_reader(head);
	struct cursor in;

	if (!reader)
		return unknown_format(name, head);
	cursor_init(&in, name, bytes->data, bytes->size);
	build_source(build, name, reader->name);
	return reader->read(&in, opts, build);
}

/* Replaces *bytes by what they expand to. */
static struct err *inflate_bytes(const char *name, const struct read_opts *opts, struct bytes *bytes,
                                 struct build *build)
{
	struct arena *arena = arena_new();
	const char *damage = NULL;
	struct bytes inflated;
	struct err *err = gzip_inflate(name, bytes->data, bytes->size, opts->max_inflate, arena, &inflated, &damage);

	if (!err) {
		bytes_free(bytes);
		*bytes = inflated;
		if (damage)
			diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS, "%s; what came before it is used", damage);
	}
	arena_free(arena);
	return err;
}

struct err *profile_read(const char *path, const struct read_opts *opts, struct build **ret)
{
	const char *name = strcmp(path, "-") == 0 ? "(standard input)" : path;
	struct bytes bytes;
	struct err *err = file_read(path, &bytes);

	if (err)
		return err;
	struct build *build = build_new();
	if (gzip_probe(bytes.data, bytes.size))
		err = inflate_bytes(name, opts, &bytes, build);
	if (!err)
		err = read_bytes(name, opts, &bytes, build);
	bytes_free(&bytes);
	if (err)
		build_free(build);
	else
		*ret = build;
	return err;
}
