#include "symbolize/binary.h"

#include <fcntl.h>
#include <string.h>

/* ---- the object ---- */

static struct err *open_program(const char *path, int *fd_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return err_errno(path);
	*fd_ret = fd;
	return NULL;
}

static struct err *open_file(struct binary *binary)
{
	int fd = -1;
	struct err *err;

	if (binary->is_program) {
		binary->path_used = binary->path;
		err = open_program(binary->path, &fd);
	} else {
		err = find_file(binary->find, binary->path, binary->arena, &binary->path_used, &fd);
	}
	return err ? err : object_open(fd, binary->path_used, &binary->file);
}

static bool is_other_build(const struct binary *binary)
{
	const char *its = object_build_id(binary->file);

	return binary->build_id && its && strcmp(binary->build_id, its) != 0;
}

static void close_file(struct binary *binary)
{
	object_close(binary->file);
	binary->file = NULL;
}

/* The file at the path, or why it is not used. */
static struct err *try_path(struct binary *binary)
{
	if (!binary->is_program && binary->path[0] != '/') {
		binary->problem =
			arena_printf(binary->arena, "%s: not found: expected an absolute path in the profile", binary->path);
		binary->is_missing = true;
		return NULL;
	}
	struct err *err = open_file(binary);
	if (err) {
		binary->problem = arena_strndup(binary->arena, err_text(err), strlen(err_text(err)));
		binary->is_missing = err_is_missing(err);
		return err;
	}
	if (object_build_id(binary->file))
		binary->used_build_id = arena_printf(binary->arena, "%s", object_build_id(binary->file));
	if (is_other_build(binary)) {
		binary->problem = arena_printf(binary->arena, "%s: not used: it is build %s, but the profile is of build %s",
		                               binary->path_used, binary->used_build_id, binary->build_id);
		binary->is_wrong = true;
		close_file(binary);
	}
	return NULL;
}

/* Another path, where the one of the map leads nowhere. */
static void try_build_id(struct binary *binary)
{
	const char *path;
	int fd;

	if (!binary->build_id ||
	    !find_file_by_build_id(binary->find, binary->build_id, binary->arena, &binary->diag, &path, &fd))
		return;
	struct err *err = object_open(fd, path, &binary->file);
	if (err) {
		diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "%s", err_text(err));
		err_free(err);
		return;
	}
	const char *its = object_build_id(binary->file);
	if (!its || strcmp(binary->build_id, its) != 0) {
		close_file(binary);
		return;
	}
	diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "%s; %s has the build id of the profile", binary->problem, path);
	binary->path_used = path;
	binary->used_build_id = binary->build_id;
	binary->problem = NULL;
	binary->is_missing = binary->is_wrong = false;
}

/* An error is for a program that the user named: without it there is no answer. */
static struct err *open_object(struct binary *binary)
{
	struct err *err = try_path(binary);

	if (binary->is_program)
		return err;
	err_free(err);
	if (!binary->file)
		try_build_id(binary);
	return NULL;
}

/* ---- its debug file ---- */

/* A debug file of another build would give wrong names. */
static bool is_same_build(struct binary *binary, const char *path)
{
	const char *ours = object_build_id(binary->file), *its = object_build_id(binary->debug);

	if (!ours || !its || strcmp(ours, its) == 0)
		return true;
	diag_add(&binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s: not used: it belongs to build %s, but %s is build %s",
	         path, its, binary->path_used, ours);
	return false;
}

static void open_debug(struct binary *binary)
{
	struct find_debug debug = {.object_path = binary->is_program ? "" : binary->path, .real_path = binary->path_used};
	const char *path;
	int fd;

	if (object_has_dwarf(binary->file) && object_has_symtab(binary->file))
		return;
	debug.build_id = binary->used_build_id ? binary->used_build_id : binary->build_id;
	debug.debuglink = object_debuglink(binary->file, &debug.debuglink_crc);
	if (!find_debug_file(binary->find, &debug, binary->arena, &binary->diag, &path, &fd))
		return;
	struct err *err = object_open(fd, path, &binary->debug);
	if (err) {
		diag_add(&binary->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", err_text(err));
		err_free(err);
	} else if (is_same_build(binary, path)) {
		diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "Using debug file %s.", path);
	} else {
		object_close(binary->debug);
		binary->debug = NULL;
	}
}

/* ---- both ---- */

struct err *binary_open(struct binary *binary)
{
	struct err *err = open_object(binary);

	if (err || !binary->file)
		return err;
	diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "Using local file %s.", binary->path_used);
	open_debug(binary);
	return NULL;
}

struct object_file *binary_symbols(const struct binary *binary)
{
	if (object_has_symtab(binary->file) || !binary->debug || !object_has_symtab(binary->debug))
		return binary->file;
	return binary->debug;
}

struct object_file *binary_dwarf(const struct binary *binary)
{
	if (object_has_dwarf(binary->file))
		return binary->file;
	return binary->debug && object_has_dwarf(binary->debug) ? binary->debug : NULL;
}

void binary_close(struct binary *binary)
{
	object_close(binary->debug);
	object_close(binary->file);
	diag_clear(&binary->diag);
}

/* ---- a program that the user named ---- */

static struct err *open_program_object(const char *path, struct object_file **ret)
{
	int fd = -1;
	struct err *err = open_program(path, &fd);

	return err ? err : object_open(fd, path, ret);
}

struct err *binary_check_program(const char *path)
{
	struct object_file *file;
	struct err *err = open_program_object(path, &file);

	if (!err)
		object_close(file);
	return err;
}

const char *binary_program_build_id(const char *path, struct arena *arena)
{
	struct object_file *file;
	struct err *err = open_program_object(path, &file);

	if (err) {
		err_free(err);
		return NULL;
	}
	const char *build_id = object_build_id(file);
	if (build_id)
		build_id = arena_strndup(arena, build_id, strlen(build_id));
	object_close(file);
	return build_id;
}
