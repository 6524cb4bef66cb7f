#include "symbolize/search.h"

#include "analyze/base/gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* ---- what is wrong with a candidate ---- */

/* Always false, for rules to return. */
PRINTF_LIKE(2, 3)
static bool refuse(struct search *search, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	search->file.refusal = arena_vprintf(search->arena, format, args);
	va_end(args);
	return false;
}

static bool is_the_object(const struct search *search)
{
	struct stat st;

	return search->object.st_ino && fstat(search->file.fd, &st) == 0 && st.st_dev == search->object.st_dev &&
	       st.st_ino == search->object.st_ino;
}

static bool has_names(const struct object_file *file)
{
	return object_has_dwarf(file) || object_has_symtab(file);
}

/* The candidate is refused, but may be better than nothing. */
static bool keep(struct search *search, struct search_file *place)
{
	if (!place->path) {
		*place = search->file;
		search->file.fd = -1;
	}
	return false;
}

static bool is_of_build(struct search *search, const struct object_file *file)
{
	const char *its = object_build_id(file);

	if (!search->build_id || !its || strcmp(search->build_id, its) == 0)
		return true;
	return refuse(search, "it is build %s, but %s build %s", its, search->whose, search->build_id);
}

bool search_build(struct search *search, const struct object_file *file)
{
	return is_of_build(search, file) || keep(search, &search->other_build);
}

/* ---- objects ---- */

bool search_object(struct search *search, const struct object_file *file)
{
	if (!search_build(search, file))
		return false;
	if (!object_has_code(file) && has_names(file)) {
		refuse(search, "it is a debug file, without the code");
		return keep(search, &search->debug_file);
	}
	if (search->build_id && !object_build_id(file))
		diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "%s has no build id that could be held against %s",
		         search->file.path, search->build_id);
	return true;
}

bool search_object_by_id(struct search *search, const struct object_file *file)
{
	if (!object_build_id(file))
		return refuse(search, "it has no build id");
	return search_object(search, file);
}

bool search_object_linked(struct search *search, const struct object_file *file)
{
	return is_of_build(search, file) && search_object_by_id(search, file);
}

/* ---- debug files ---- */

static bool crc_of(int fd, uint32_t *ret)
{
	enum { CHUNK = 256 << 10 };
	uint8_t *CLEANUP(mem_free_local) chunk = mem_alloc(CHUNK, 1);
	uint32_t crc = 0;
	off_t at = 0;

	for (;;) {
		ssize_t got = pread(fd, chunk, CHUNK, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		crc = gzip_crc32(crc, chunk, (size_t)got);
		at += got;
	}
	*ret = crc;
	return true;
}

bool search_debug_by_id(struct search *search, const struct object_file *file)
{
	if (is_the_object(search))
		return refuse(search, "it is the object itself");
	if (!has_names(file))
		return refuse(search, "it holds neither DWARF nor symbols");
	return search_build(search, file);
}

bool search_debug_by_link(struct search *search, const struct object_file *file)
{
	uint32_t crc;

	if (!search_debug_by_id(search, file))
		return false;
	if (crc_of(search->file.fd, &crc) && crc == search->debuglink_crc)
		return true;
	refuse(search, "expected the checksum 0x%08x", search->debuglink_crc);
	return keep(search, &search->other_build);
}

static bool has_the_build_id(const struct search *search, const struct object_file *file)
{
	return search->build_id && object_build_id(file) && strcmp(search->build_id, object_build_id(file)) == 0;
}

bool search_debug_by_path(struct search *search, const struct object_file *file)
{
	if (has_the_build_id(search, file))
		return search_debug_by_id(search, file);
	if (search->debuglink)
		return search_debug_by_link(search, file);
	if (!search_debug_by_id(search, file))
		return false;
	return refuse(search, "neither a build id nor a checksum says that it belongs to the object");
}

bool search_debug_by_users_path(struct search *search, const struct object_file *file)
{
	if (search->build_id || object_build_id(file) || search->debuglink)
		return search_debug_by_path(search, file);
	return search_debug_by_id(search, file);
}

/* ---- candidates ---- */

static void take_reason(struct search *search, struct err *err)
{
	search->reason = arena_strndup(search->arena, err_text(err), strlen(err_text(err)));
	search->is_missing = err_is_missing(err);
	search->is_unreadable = err_is_unreadable(err);
	err_free(err);
}

static bool open_file(struct search *search, const struct find_opts *opts, const char *path)
{
	search->is_unreadable = false;
	search->file = (struct search_file){.fd = -1};
	struct err *err = find_file(opts, path, search->arena, &search->file.path, &search->file.fd);
	if (err)
		take_reason(search, err);
	return !err;
}

/* libelf closes what it reads, so it gets a descriptor of its own. */
static bool passes(struct search *search, search_rule *rule)
{
	int fd = fcntl(search->file.fd, F_DUPFD_CLOEXEC, 0);
	struct object_file *file;

	if (fd < 0) {
		take_reason(search, err_errno(search->file.path));
		return false;
	}
	struct err *err = object_open(fd, search->file.path, &file);
	if (err) {
		take_reason(search, err);
		return false;
	}
	const char *build_id = object_build_id(file);
	if (build_id)
		search->file.build_id = arena_strndup(search->arena, build_id, strlen(build_id));
	bool is_right = rule(search, file);
	if (!is_right)
		search->reason = arena_printf(search->arena, "%s: %s", search->file.path, search->file.refusal);
	object_close(file);
	return is_right;
}

static void close_file(const struct search_file *file)
{
	if (file->path && file->fd >= 0)
		close(file->fd);
}

static void note_refusal(const struct search *search)
{
	if (search->is_unreadable)
		diag_add(search->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "no %s in %s", search->wanted, search->reason);
	else
		diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "no %s in %s", search->wanted, search->reason);
}

bool search_open(struct search *search, const struct find_opts *opts, const char *path)
{
	if (open_file(search, opts, path))
		return true;
	note_refusal(search);
	return false;
}

bool search_check(struct search *search, const struct find_opts *opts, const char *path, search_rule *rule)
{
	if (!open_file(search, opts, path))
		return false;
	search->is_missing = false;
	if (passes(search, rule))
		return true;
	close_file(&search->file);
	return false;
}

bool search_try(struct search *search, const struct find_opts *opts, const char *path, search_rule *rule)
{
	if (search_check(search, opts, path, rule))
		return true;
	note_refusal(search);
	return false;
}

void search_close(struct search *search)
{
	close_file(&search->debug_file);
	close_file(&search->other_build);
}
