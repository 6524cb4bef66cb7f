#include "render/out.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"
#include "analyze/base/unfinished.h"
#include "analyze/units.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 << 10, NO_CHARACTER = 0xfffd };

struct out {
	int fd; /* -1: in memory */
	bool owns_fd;
	char *name;      /* for messages */
	char *temporary; /* the file that is renamed at the end; NULL: none */
	char *target;    /* to this */
	int failure;     /* errno of the first write that failed */
	char *buffer;
	size_t used, cap;
	struct out_look look;
	bool is_page;
	enum out_style style;
	uint32_t column; /* where the next character goes, where look has columns */
};

static struct out *out_new(int fd, const char *name)
{
	struct out *out = mem_zalloc(1, sizeof *out);

	out->fd = fd;
	out->name = mem_strndup(name, strlen(name));
	out->cap = BUFFER_BYTES;
	out->buffer = mem_alloc(out->cap, 1);
	return out;
}

struct out *out_fd(int fd, const char *name)
{
	return out_new(fd, name);
}

void out_set_look(struct out *out, struct out_look look)
{
	out->look = look;
}

uint32_t out_columns(const struct out *out)
{
	return out->look.n_columns;
}

struct out *out_memory(void)
{
	return out_new(-1, "memory");
}

const char *out_memory_bytes(const struct out *out, size_t *size_ret)
{
	*size_ret = out->used;
	return out->buffer;
}

size_t out_memory_size(const struct out *out)
{
	return out->used;
}

static char *name_beside(const char *target)
{
	static const char NAME[] = ".pprof-XXXXXX";
	size_t folder = (size_t)(file_base(target) - target);
	char *path = mem_alloc(folder + sizeof NAME, 1);

	memcpy(path, target, folder);
	memcpy(path + folder, NAME, sizeof NAME);
	return path;
}

/* A file beside the target, which the rename then needs no copy for. */
static struct err *open_beside(const char *target, struct out **ret)
{
	char *path = name_beside(target);
	int fd = unfinished_begin(AT_FDCWD, path);

	if (fd < 0) {
		int problem = errno;

		free(path);
		return err_new("%s: %s", target, strerror(problem));
	}
	*ret = out_new(fd, target);
	(*ret)->owns_fd = true;
	(*ret)->temporary = path;
	(*ret)->target = mem_strndup(target, strlen(target));
	return NULL;
}

static mode_t mode_of_new_file(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Where a link leads, whether a file is there or not; the last name alone is followed. */
static bool follow_links(const char *path, char target[PATH_MAX])
{
	enum { MOST_LINKS = 40 };
	char link[PATH_MAX];

	if (snprintf(target, PATH_MAX, "%s", path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (int i = 0; i < MOST_LINKS; i++) {
		ssize_t length = readlink(target, link, sizeof link - 1);

		if (length < 0)
			return errno == EINVAL || errno == ENOENT;
		link[length] = '\0';
		size_t folder = *link == '/' ? 0 : (size_t)(file_base(target) - target);
		if (folder + (size_t)length >= PATH_MAX) {
			errno = ENAMETOOLONG;
			return false;
		}
		memcpy(target + folder, link, (size_t)length + 1);
	}
	errno = ELOOP;
	return false;
}

static struct err *open_new(const char *target, struct out **ret)
{
	struct err *err = open_beside(target, ret);

	if (!err)
		fchmod((*ret)->fd, mode_of_new_file());
	return err;
}

/* The new file is whose the old one was, where that is allowed, and is not run as its owner. */
static struct err *open_existing(const char *target, const struct stat *st, struct out **ret)
{
	if (access(target, W_OK) < 0)
		return err_new("%s: %s", target, strerror(errno));
	struct err *err = open_beside(target, ret);
	if (err)
		return err;
	if (fchown((*ret)->fd, st->st_uid, st->st_gid) < 0)
		(void)!fchown((*ret)->fd, (uid_t)-1, st->st_gid);
	fchmod((*ret)->fd, st->st_mode & 0777);
	return NULL;
}

/* The descriptor that /dev/stdout, /dev/fd/3 and the like stand for; -1: it is another path. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		const char *digits = text_after(path, folders[i]);
		size_t n = digits ? strspn(digits, "0123456789") : 0;

		if (n && !digits[n] && strtoul(digits, NULL, 10) <= INT_MAX)
			return (int)strtoul(digits, NULL, 10);
	}
	return -1;
}

static struct err *open_directly(const char *path, struct out **ret)
{
	int original = descriptor_of(path);
	/* Opened anew, a redirected file would be written from its start. */
	int fd = original >= 0 ? fcntl(original, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return err_new("%s: %s", path, strerror(errno));
	*ret = out_new(fd, path);
	(*ret)->owns_fd = true;
	return NULL;
}

struct err *out_file(const char *path, struct out **ret)
{
	char target[PATH_MAX];
	struct stat st;

	if (descriptor_of(path) >= 0)
		return open_directly(path, ret);
	bool is_there = stat(path, &st) == 0;
	if (is_there && !S_ISREG(st.st_mode))
		return open_directly(path, ret);
	if ((!is_there && errno != ENOENT) || !follow_links(path, target))
		return err_new("%s: %s", path, strerror(errno));
	return is_there ? open_existing(target, &st, ret) : open_new(target, ret);
}

static void flush(struct out *out)
{
	if (!out->failure && !file_write_all(out->fd, out->buffer, out->used))
		out->failure = errno;
	out->used = 0;
}

static void count_columns(struct out *out, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		out->column = text[i] == '\n' ? 0 : out->column + !text_is_inside(text[i]);
}

static void put(struct out *out, const void *bytes, size_t size)
{
	if (out->fd >= 0 && size > out->cap - out->used)
		flush(out);
	if (size > out->cap - out->used) {
		out->cap = out->cap * 2 + size;
		out->buffer = mem_realloc(out->buffer, out->cap, 1);
	}
	memcpy(out->buffer + out->used, bytes, size);
	out->used += size;
}

static const char *entity_of(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	}
	return NULL;
}

static void put_escaped(struct out *out, const char *text, size_t size)
{
	const char *end = text + size;

	for (const char *at = text; at < end; at++) {
		const char *entity = entity_of(*at);

		if (!entity)
			continue;
		put(out, text, (size_t)(at - text));
		put(out, entity, strlen(entity));
		text = at + 1;
	}
	put(out, text, (size_t)(end - text));
}

void out_set_page(struct out *out)
{
	out->is_page = true;
}

void out_markup(struct out *out, const char *markup)
{
	put(out, markup, strlen(markup));
}

void out_markup_collected(struct out *out, struct out *memory)
{
	put(out, memory->buffer, memory->used);
	out_discard(memory);
}

void out_bytes(struct out *out, const void *bytes, size_t size)
{
	if (out->is_page)
		put_escaped(out, bytes, size);
	else
		put(out, bytes, size);
	if (out->look.n_columns)
		count_columns(out, bytes, size);
}

void out_printf(struct out *out, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (length < (int)sizeof text) {
		out_bytes(out, text, length > 0 ? (size_t)length : 0);
		return;
	}
	char CLEANUP(mem_free_local) *longer = mem_alloc((size_t)length + 1, 1);
	va_start(args, format);
	vsnprintf(longer, (size_t)length + 1, format, args);
	va_end(args);
	out_bytes(out, longer, (size_t)length);
}

void out_number(struct out *out, uint64_t value)
{
	char digits[TEXT_DIGITS];

	out_text(out, text_decimal(digits, value));
}

void out_address(struct out *out, uint64_t address)
{
	static const char zeros[] = "0000000000000000";
	char digits[TEXT_DIGITS];
	const char *text = text_hex(digits, address);
	size_t length = strlen(text);

	out_bytes(out, zeros, sizeof zeros - 1 - length);
	out_bytes(out, text, length);
}

void out_name(struct out *out, const char *name)
{
	if (text_is_printable(name)) {
		out_text(out, name);
		return;
	}
	struct arena *arena = arena_new();

	out_text(out, text_printable(name, arena));
	arena_free(arena);
}

/* In two halves where it takes more than 16 bits. */
static void out_json_escape(struct out *out, uint32_t code)
{
	if (code < 0x10000)
		out_printf(out, "\\u%04x", code);
	else
		out_printf(out, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
}

/* How many of the first characters are ASCII's, and stand for themselves. */
static size_t count_plain(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] <= '~' && text[n] != '"' && text[n] != '\\' && text[n] != '<')
		n++;
	return n;
}

void out_json(struct out *out, const char *text)
{
	out_text(out, "\"");
	for (;;) {
		size_t n_plain = count_plain(text);
		uint32_t code;

		out_bytes(out, text, n_plain);
		text += n_plain;
		if (!*text)
			break;
		size_t length = text_first(text, &code);

		if (!length)
			out_json_escape(out, NO_CHARACTER);
		else if (!text_is_harmless(code) || code == '<')
			out_json_escape(out, code);
		else if (code == '"' || code == '\\')
			out_printf(out, "\\%c", (char)code);
		else
			out_bytes(out, text, length);
		text += length ? length : 1;
	}
	out_text(out, "\"");
}

void out_json_number(struct out *out, double value)
{
	char text[UNITS_TEXT];

	if (value == trunc(value)) {
		out_text(out, units_whole(text, value));
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	out_text(out, text);
}

void out_name_fitting(struct out *out, const char *name, const char *behind)
{
	enum { LEAST = 16 }; /* less tells nothing: the line may be too long then */

	if (!out->look.n_columns) {
		out_name(out, name);
		out_text(out, behind);
		return;
	}
	struct arena *arena = arena_new();
	const char *shown = text_printable(name, arena);
	uint32_t taken = out->column + text_columns(behind), all = out->look.n_columns;

	out_text(out, text_fit(shown, all > taken + LEAST ? all - taken : LEAST, arena));
	out_text(out, behind);
	arena_free(arena);
}

void out_style(struct out *out, enum out_style style)
{
	static const char *const codes[] = {
		[OUT_PLAIN] = "\033[0m", [OUT_BOLD] = "\033[1m", [OUT_GROWN] = "\033[31m", [OUT_SHRUNK] = "\033[32m"};

	if (out->look.has_colours && style != out->style)
		put(out, codes[style], strlen(codes[style]));
	out->style = style;
}

void out_line(struct out *out, const char *label, const char *name)
{
	out_text(out, label);
	out_name(out, name);
	out_text(out, "\n");
}

bool out_has_failed(const struct out *out)
{
	return out->failure != 0;
}

static void out_free(struct out *out)
{
	if (out->owns_fd && out->fd >= 0)
		close(out->fd);
	if (out->temporary) {
		unlink(out->temporary);
		unfinished_end(out->temporary);
	}
	free(out->name);
	free(out->temporary);
	free(out->target);
	free(out->buffer);
	free(out);
}

static void finish(struct out *out)
{
	if (out->owns_fd) {
		if (close(out->fd) < 0 && !out->failure)
			out->failure = errno;
		out->fd = -1;
	}
	if (out->failure || !out->temporary)
		return;
	if (rename(out->temporary, out->target) < 0) {
		out->failure = errno;
		return;
	}
	unfinished_end(out->temporary);
	free(out->temporary);
	out->temporary = NULL;
}

struct err *out_close(struct out *out)
{
	struct err *err = NULL;

	if (out->fd >= 0) {
		flush(out);
		finish(out);
	}
	if (out->failure && out->failure != EPIPE)
		err = err_new("%s: the output cannot be written: %s", out->name, strerror(out->failure));
	out_free(out);
	return err;
}

void out_discard(struct out *out)
{
	if (out)
		out_free(out);
}
