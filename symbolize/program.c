#include "symbolize/program.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"
#include "symbolize/binary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool program_is_special_name(const char *file)
{
	static const char *const prefixes[] = {"[",           "//anon",     "/memfd:",   "/anon_hugepage",
	                                       "anon_inode:", "linux-vdso", "linux-gate"};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (text_after(file, prefixes[i]))
			return true;
	/* A tmpfs with files like any other. */
	bool is_device = text_after(file, "/dev/") && !text_after(file, "/dev/shm/");
	return is_device || !*file;
}

static const char *file_of(const struct profile *p, object_id object)
{
	return profile_text(p, p->objects[object.row].file);
}

/* ---- the surest match ---- */

/* Rising. */
enum match { MATCH_NONE, MATCH_BASE, MATCH_INODE, MATCH_PATH, MATCH_BUILD_ID };

struct program {
	const char *path, *real;
	const char *build_id; /* NULL: none */
	ino_t inode;
	struct arena *arena;
};

static bool is_program_like(const struct profile *p, object_id object)
{
	return p->objects[object.row].fate != OBJECT_SPECIAL && !file_is_library(file_of(p, object));
}

/* Kernels are special objects with build ids, but of images that no program is. */
static bool has_build_id_of(const struct profile *p, object_id object, const struct program *program)
{
	const struct object *row = &p->objects[object.row];

	if (!program->build_id || !row->build_id.row || (row->fate == OBJECT_SPECIAL && *file_of(p, object)))
		return false;
	const char *build_id = object_parse_build_id(program->arena, profile_text(p, row->build_id));
	return build_id && strcmp(build_id, program->build_id) == 0;
}

static enum match match_object(const struct profile *p, object_id object, const struct program *program)
{
	const struct object *row = &p->objects[object.row];
	const char *file = file_of(p, object);

	if (has_build_id_of(p, object, program))
		return MATCH_BUILD_ID;
	if (row->fate == OBJECT_SPECIAL)
		return MATCH_NONE;
	if (strcmp(file, program->path) == 0 || strcmp(file, program->real) == 0)
		return MATCH_PATH;
	if (row->inode && row->inode == program->inode && is_program_like(p, object))
		return MATCH_INODE;
	bool has_base = strcmp(file_base(file), file_base(program->path)) == 0 ||
	                strcmp(file_base(file), file_base(program->real)) == 0;
	return has_base ? MATCH_BASE : MATCH_NONE;
}

static object_id match_objects(const struct profile *p, const struct program *program, bool *stands)
{
	enum match best = MATCH_NONE;
	object_id chosen = {0};

	for (uint32_t i = 1; i < p->n_objects; i++) {
		enum match match = match_object(p, (object_id){i}, program);

		if (match > best) {
			best = match;
			chosen = (object_id){i};
			memset(stands, 0, p->n_objects * sizeof *stands);
		}
		stands[i] = match && match == best;
	}
	return chosen;
}

/* ---- the program at hand ---- */

static bool has_build_ids(const struct profile *p)
{
	for (uint32_t i = 1; i < p->n_objects; i++)
		if (p->objects[i].build_id.row)
			return true;
	return false;
}

static struct program describe(const struct profile *p, const char *path, struct arena *arena)
{
	struct stat st = {0};
	char *real = realpath(path, NULL);
	struct program program = {.path = path, .real = path, .arena = arena};

	if (real)
		program.real = arena_strndup(arena, real, strlen(real));
	free(real);
	if (stat(path, &st) == 0)
		program.inode = st.st_ino;
	if (has_build_ids(p))
		program.build_id = binary_program_build_id(path, arena);
	return program;
}

/* ---- the choice ---- */

static object_id first_in(const struct profile *p, uint32_t first_map, uint32_t end_map)
{
	for (uint32_t i = first_map; i < end_map; i++)
		if (p->maps[i].object.row && is_program_like(p, p->maps[i].object))
			return p->maps[i].object;
	return (object_id){0};
}

object_id program_first(const struct profile *p)
{
	return first_in(p, 1, p->n_maps);
}

/* Converters that knew no map leave one mapping without a name. */
static object_id nameless_in(const struct profile *p, uint32_t first_map, uint32_t end_map)
{
	for (uint32_t i = first_map; i < end_map; i++)
		if (p->maps[i].object.row && !*file_of(p, p->maps[i].object))
			return p->maps[i].object;
	return (object_id){0};
}

static bool stands_in(const struct profile *p, const struct source *source, const bool *stands)
{
	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++)
		if (stands[p->maps[i].object.row])
			return true;
	return false;
}

/* The program is surely in another input's map: in this one a lesser match will do. */
static object_id match_in(const struct profile *p, const struct source *source, const struct program *program)
{
	enum match best = MATCH_NONE;
	object_id chosen = {0};

	for (uint32_t i = source->first_map; i < source->first_map + source->n_maps; i++) {
		enum match match = p->maps[i].object.row ? match_object(p, p->maps[i].object, program) : MATCH_NONE;

		if (match <= best)
			continue;
		best = match;
		chosen = p->maps[i].object;
	}
	return chosen;
}

static object_id take_first(const struct profile *p, const struct source *source, const char *program,
                            struct diag *diag)
{
	uint32_t end = source->first_map + source->n_maps;
	object_id chosen = first_in(p, source->first_map, end);

	if (!chosen.row)
		chosen = nameless_in(p, source->first_map, end);
	if (chosen.row)
		diag_add(diag, NOTE_INFO, NOTE_PLAIN, "%s is taken for %s, the first program of the map", program,
		         *file_of(p, chosen) ? file_of(p, chosen) : "what has no name");
	return chosen;
}

static bool has_own_program(const struct profile *p, const struct source *source)
{
	struct stat st;
	object_id first = first_in(p, source->first_map, source->first_map + source->n_maps);

	return first.row && stat(file_of(p, first), &st) == 0;
}

/* What the program stands for in an input where no sure match is. If it was found in another input, this one may be of
 * another program, which is at hand. */
static object_id choose_in(const struct profile *p, const struct source *source, const struct program *program,
                           bool found, struct diag *diag)
{
	object_id chosen = match_in(p, source, program);

	if (chosen.row || (found && has_own_program(p, source)))
		return chosen;
	return take_first(p, source, program->path, diag);
}

object_id program_choose(const struct profile *p, const char *program, bool *stands, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct program facts = describe(p, program, arena);
	object_id chosen = match_objects(p, &facts, stands);

	if (chosen.row)
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "%s is taken for %s of the map", program, file_of(p, chosen));
	for (uint32_t i = 0; i < p->n_sources; i++) {
		if (stands_in(p, &p->sources[i], stands))
			continue;
		object_id other = choose_in(p, &p->sources[i], &facts, chosen.row != 0, diag);
		if (!chosen.row)
			chosen = other;
		stands[other.row] = other.row != 0;
	}
	arena_free(arena);
	return chosen;
}
