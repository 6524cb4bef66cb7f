#include "analyze/read/read.h"

#include "analyze/base/gzip.h"
#include "analyze/read/foreign.h"

#include <inttypes.h>
#include <string.h>

/* In the order in which they are tried: those that say what they are, then those that are guessed. */
/* clang-format off */
const struct reader *const readers[] = {
	&reader_symbolized,
	&reader_heap,
	&reader_jeheap,
	&reader_java, /* before contention, of which it takes those that say java */
	&reader_contention,
	&reader_gocount,
	&reader_threadz,
	&reader_cpu,
	&reader_addresses,
	&reader_proto,
	NULL,
};
/* clang-format on */

/* How far a profile may begin behind what a program logged before it. */
enum { MOST_LOG_LINES = 100, MOST_LOG_BYTES = 64 << 10 };

const struct reader *profile_find_reader(struct span head)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->probe(head))
			return readers[i];
	return NULL;
}

/* A log may well hold bytes that a binary format begins with, so those formats do not count. The head is short, for it is
 * looked at once a line. */
static const struct reader *find_text_reader(const struct cursor *in)
{
	size_t left = (size_t)(in->end - in->at);
	struct span head = {in->at, in->at + (left < MOST_LOG_BYTES ? left : MOST_LOG_BYTES)};

	for (size_t i = 0; readers[i]; i++)
		if (!readers[i]->is_binary && readers[i]->probe(head))
			return readers[i];
	return NULL;
}

static void note_log_lines(const struct cursor *in, struct build *build)
{
	if (in->line == 1)
		diag_add(build_notes(build), NOTE_INFO, NOTE_PLAIN, "%s:1: the line before the profile is passed over",
		         in->name);
	else
		diag_add(build_notes(build), NOTE_INFO, NOTE_PLAIN,
		         "%s:1: %" PRIu64 " lines before the profile are passed over", in->name, in->line);
}

/* Goes on to the line at which a text profile begins; NULL: none does. */
static const struct reader *skip_log_lines(struct cursor *in, bool *has_text_ret)
{
	const struct reader *reader = NULL;
	struct span line;

	while (!reader && in->line < MOST_LOG_LINES && cursor_line(in, &line)) {
		if (in->at - in->start > MOST_LOG_BYTES || memchr(line.at, '\0', span_length(&line)))
			return NULL;
		*has_text_ret |= span_length(&line) > 0;
		reader = find_text_reader(in);
	}
	return reader;
}

static uint32_t count_losses(struct build *build)
{
	const struct diag *notes = build_notes(build);
	uint32_t n = 0;

	for (uint32_t i = 0; i < notes->n; i++)
		n += notes->notes[i].kind == NOTE_LOSS;
	return n;
}

/* For what is lost without a trace: a header or a name of which a part is as good as the whole. */
static void note_cut_line(const struct cursor *in, struct build *build)
{
	if (cursor_line_is_cut(in))
		diag_add(build_notes(build), NOTE_WARNING, NOTE_LOSS,
		         "%s:%" PRIu64 ": expected a newline, found the end of the file; the last line may be cut", in->name,
		         in->line);
}

static struct err *run_reader(const struct reader *reader, struct cursor *in, const struct read_opts *opts,
                              struct build *build)
{
	if (opts->thread && !reader->has_threads)
		return err_new(
			"%s: --thread: expected a profile that tells threads apart: a jemalloc heap that has threads, or a "
			"profile.proto with the label \"thread\"",
			in->name);
	uint32_t n_losses = count_losses(build);
	struct err *err = reader->read(in, opts, build);
	if (!err && !reader->is_binary && !reader->ends_anywhere && count_losses(build) == n_losses)
		note_cut_line(in, build);
	return err;
}

struct err *profile_read_body(struct cursor *in, const struct read_opts *opts, struct build *build)
{
	struct span head = {in->at, in->end};
	const struct reader *reader = profile_find_reader(head);
	char text[FOREIGN_TEXT];

	/* A symbolized one within another would nest as deep as the file says. */
	if (reader && reader != &reader_symbolized)
		return run_reader(reader, in, opts, build);
	if (head.at == head.end)
		return cursor_err(in, "expected a profile behind the symbols, found the end of the file");
	in->line++;
	return cursor_err(in, "expected a profile behind the symbols, found \"%s\"", foreign_show(head, text));
}

static void skip_byte_order_mark(struct cursor *in)
{
	struct span head = {in->at, in->end};

	if (span_word(&head, "\xef\xbb\xbf"))
		in->at = head.at;
}

/* The reader of a file that begins there, and *in goes to where its profile does. has_log_ret: lines were passed over. */
static const struct reader *begin(struct cursor *in, bool *has_log_ret)
{
	struct span head = {in->at, in->end};
	const struct reader *reader = profile_find_reader(head);

	return reader || foreign_is_html(head) ? reader : skip_log_lines(in, has_log_ret);
}

static bool is_known(const uint8_t *data, size_t size)
{
	struct cursor in;
	bool has_log = false;

	cursor_init(&in, "", data, size);
	skip_byte_order_mark(&in);
	return gzip_probe(data, size) || begin(&in, &has_log);
}

static struct err *read_bytes(const char *name, const struct read_opts *opts, const struct bytes *bytes,
                              struct build *build)
{
	struct cursor in;
	bool has_log = false;

	cursor_init(&in, name, bytes->data, bytes->size);
	skip_byte_order_mark(&in);
	struct span head = {in.at, in.end};
	const struct reader *reader = begin(&in, &has_log);
	if (!reader)
		return foreign_format(name, head);
	if (has_log)
		note_log_lines(&in, build);
	build_source(build, name, reader->name);
	if (reader->is_mapless)
		build_mapless(build);
	return run_reader(reader, &in, opts, build);
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
	const char *name = file_shown(path);
	struct bytes bytes;
	struct err *err = file_read_known(path, is_known, &bytes);

	if (err)
		return err;
	struct build *build = build_new();
	/* What was compressed twice (a server's Content-Encoding, then gzip) is inflated twice. */
	for (int i = 0; i < 2 && !err && gzip_probe(bytes.data, bytes.size); i++)
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
