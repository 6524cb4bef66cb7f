#include "symbolize/binary.h"

#include <fcntl.h>
#include <string.h>

/* ---- the object ---- */

static struct err *open_program(const char *path, struct object_file **ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	return fd < 0 ? err_errno(path) : object_open(fd, path, ret);
}

/* Nobody else is asked for the file that the user named; one of another build is used only if he insists. */
static void check_build(struct binary *binary)
{
	const char *its = object_build_id(binary->file);

	if (its)
		binary->used_build_id = arena_strndup(binary->arena, its, strlen(its));
	if (!its || !binary->build_id || strcmp(binary->build_id, its) == 0)
		return;
	const char *reason = arena_printf(binary->arena, "it is build %s, but the profile is of build %s",
	                                  binary->used_build_id, binary->build_id);
	if (binary->find->use_other_builds) {
		find_note_other_build(&binary->diag, binary->path, reason);
		return;
	}
	binary->problem = arena_printf(binary->arena, "%s: not used: %s", binary->path, reason);
	binary->is_wrong = true;
	object_close(binary->file);
	binary->file = NULL;
}

/* An error is for a program that the user named: without it there is no answer. */
static struct err *open_named(struct binary *binary)
{
	binary->path_used = binary->path;
	struct err *err = open_program(binary->path, &binary->file);

	if (!err)
		check_build(binary);
	return err;
}

static void open_found(struct binary *binary)
{
	struct find_object object = {.path = binary->path, .build_id = binary->build_id};

	find_object(binary->find, &object, binary->arena, &binary->diag);
	binary->path_used = object.path_used;
	binary->used_build_id = object.used_build_id;
	binary->problem = object.problem;
	binary->is_missing = object.is_missing;
	binary->is_wrong = object.is_wrong;
	if (binary->problem)
		return;
	struct err *err = object_open(object.fd, object.path_used, &binary->file);
	if (!err)
		return;
	binary->problem = arena_strndup(binary->arena, err_text(err), strlen(err_text(err)));
	err_free(err);
}

/* ---- its debug file ---- */

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
		binary->has_bad_debug = true;
		err_free(err);
	} else {
		diag_add(&binary->diag, NOTE_DETAIL, NOTE_PLAIN, "Using debug file %s.", path);
	}
}

/* ---- both ---- */

struct err *binary_open(struct binary *binary)
{
	struct err *err = NULL;

	if (binary->is_program)
		err = open_named(binary);
	else
		open_found(binary);
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

/* The kernel maps whole pages: the row of the map that holds as many bytes as the pages of the code is the code. */
static bool place_moved_code(const struct binary *binary, uint64_t offset, uint64_t *vaddr_ret)
{
	static const uint64_t PAGES[] = {4 << 10, 16 << 10, 64 << 10};
	uint64_t vaddr, n_memory, end;

	if (!object_moved_code(binary->file, &vaddr, &n_memory) || __builtin_add_overflow(vaddr, n_memory, &end))
		return false;
	for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++) {
		uint64_t page = PAGES[i], first = vaddr & -page, limit = (end + page - 1) & -page;

		if (limit - first != binary->code_n_bytes || offset < binary->code_offset)
			continue;
		*vaddr_ret = first + (offset - binary->code_offset);
		return true;
	}
	return false;
}

bool binary_vaddr(const struct binary *binary, uint64_t offset, uint64_t *vaddr_ret)
{
	return place_moved_code(binary, offset, vaddr_ret) || object_vaddr(binary->file, offset, vaddr_ret);
}

void binary_close(struct binary *binary)
{
	object_close(binary->debug);
	object_close(binary->file);
	diag_clear(&binary->diag);
}

/* ---- a program that the user named ---- */

struct err *binary_check_program(const char *path)
{
	struct object_file *file;
	struct err *err = open_program(path, &file);

	if (!err)
		object_close(file);
	return err;
}

const char *binary_program_build_id(const char *path, struct arena *arena)
{
	struct object_file *file;
	struct err *err = open_program(path, &file);

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
