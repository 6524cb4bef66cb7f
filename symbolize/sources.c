#include "symbolize/sources.h"

#include <stdlib.h>
#include <string.h>

enum {
	PATH_LONGEST = 4096,
	MOST_SOURCES = 1 << 20,
};

struct source {
	const char *name;
	uint64_t folder;
	const char *path; /* NULL: not made yet */
};

void sources_init(struct sources *sources, struct arena *arena)
{
	sources->arena = arena;
}

void sources_free(struct sources *sources)
{
	free(sources->folders);
	free(sources->files);
	index_free(&sources->path_index);
	free(sources->paths);
}

void sources_clear(struct sources *sources, const char *folder)
{
	sources->folder = folder;
	sources->n_folders = sources->n_files = 0;
}

void sources_add_folder(struct sources *sources, const char *name)
{
	if (sources->n_folders == MOST_SOURCES)
		return;
	MEM_GROW(sources->folders, sources->n_folders, sources->cap_folders);
	sources->folders[sources->n_folders++] = name;
}

void sources_add_file(struct sources *sources, const char *name, uint64_t folder)
{
	if (sources->n_files == MOST_SOURCES)
		return;
	MEM_GROW(sources->files, sources->n_files, sources->cap_files);
	sources->files[sources->n_files++] = (struct source){name, folder, NULL};
}

/* ---- paths ---- */

struct path_query {
	const struct sources *sources;
	const char *path;
};

static bool is_same_path(const void *context, uint32_t row)
{
	const struct path_query *query = context;

	return strcmp(query->sources->paths[row], query->path) == 0;
}

static const char *intern_path(struct sources *sources, const char *path)
{
	struct path_query query = {sources, path};
	size_t n = strlen(path);
	uint64_t hash = hash_bytes(path, n);
	uint32_t row = index_find(&sources->path_index, hash, is_same_path, &query);

	if (row != INDEX_NONE)
		return sources->paths[row];
	MEM_GROW(sources->paths, sources->n_paths, sources->cap_paths);
	sources->paths[sources->n_paths] = arena_strndup(sources->arena, path, n);
	index_add(&sources->path_index, hash, sources->n_paths);
	return sources->paths[sources->n_paths++];
}

struct path {
	char text[PATH_LONGEST];
	size_t n;
	bool is_absolute, is_bad;
};

static void path_up(struct path *path)
{
	const char *slash = memrchr(path->text, '/', path->n);
	size_t start = slash ? (size_t)(slash - path->text) + 1 : 0;
	bool is_up = path->n - start == 2 && memcmp(path->text + start, "..", 2) == 0;

	if (path->n > 0 && !is_up)
		path->n = slash ? (size_t)(slash - path->text) : 0;
	else if (!path->is_absolute && path->n + 3 < sizeof path->text)
		path->n = (size_t)(stpcpy(path->text + path->n, path->n ? "/.." : "..") - path->text);
}

static void path_into(struct path *path, const char *name, size_t n)
{
	if (path->n + n + 2 > sizeof path->text) {
		path->is_bad = true;
		return;
	}
	if (path->n > 0 || path->is_absolute)
		path->text[path->n++] = '/';
	memcpy(path->text + path->n, name, n);
	path->n += n;
}

static void path_add(struct path *path, const char *part)
{
	/* It is gone through for each file, however little of it would fit. */
	path->is_bad |= strnlen(part, PATH_LONGEST) == PATH_LONGEST;
	if (path->is_bad)
		return;
	if (*part == '/') {
		path->n = 0;
		path->is_absolute = true;
	}
	while (*part) {
		size_t n = strcspn(part, "/");

		if (n == 2 && memcmp(part, "..", 2) == 0)
			path_up(path);
		else if (n > 0 && !(n == 1 && *part == '.'))
			path_into(path, part, n);
		part += n;
		part += *part == '/';
	}
}

/* DWARF 5 writes the unit's folder as folder 0, older versions leave it out; all others may be relative to it. */
static void add_folder(const struct sources *sources, uint64_t number, struct path *path)
{
	bool is_new = sources->version >= 5;

	path_add(path, sources->folder);
	if (is_new && sources->n_folders && strcmp(sources->folders[0], sources->folder) != 0)
		path_add(path, sources->folders[0]);
	if (number == 0)
		return;
	number -= !is_new;
	if (number < sources->n_folders)
		path_add(path, sources->folders[number]);
}

const char *sources_path(struct sources *sources, uint64_t number)
{
	struct path path;

	if (sources->version < 5 && number-- == 0)
		return NULL;
	if (number >= sources->n_files)
		return NULL;
	struct source *source = &sources->files[number];
	if (source->path || !*source->name)
		return source->path;
	path.n = 0;
	path.is_absolute = path.is_bad = false;
	add_folder(sources, source->folder, &path);
	path_add(&path, source->name);
	if (path.is_bad || path.n == 0)
		return NULL;
	path.text[path.n] = '\0';
	return source->path = intern_path(sources, path.text);
}
