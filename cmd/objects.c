#include "cmd/objects.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists of folders ---- */

struct folders {
	const char **items;
	uint32_t n;
};

static uint32_t count(const char *list, char mark)
{
	uint32_t n = 1;

	for (; (list = strchr(list, mark)); list++)
		n++;
	return n;
}

static void add_list(struct folders *folders, const char *list, char mark, struct arena *arena)
{
	size_t n;

	for (const char *item; (item = text_item(&list, mark, &n));)
		folders->items[folders->n++] = arena_strndup(arena, item, n);
}

static struct folders new_folders(size_t most, struct arena *arena)
{
	return (struct folders){.items = arena_alloc(arena, most, sizeof(const char *))};
}

/* ---- the options ---- */

static struct err *fill_path_maps(const struct options *options, struct arena *arena, struct find_opts *ret)
{
	uint32_t n = options->path_maps.n;
	struct find_path_map *maps = arena_alloc(arena, n, sizeof *maps);

	for (uint32_t i = 0; i < n; i++) {
		const char *text = options->path_maps.items[i], *mark = strchr(text, '=');

		if (!mark || mark == text)
			return err_new("--path-map=%s: expected FROM=TO, where FROM is the start of a path in the profile", text);
		maps[i] = (struct find_path_map){arena_strndup(arena, text, (size_t)(mark - text)), mark + 1};
	}
	ret->path_maps = maps;
	ret->n_path_maps = n;
	return NULL;
}

/* As for google/pprof: a colon between folders, and a place of its own where nothing is said. */
static const char *environment_paths(struct arena *arena)
{
	const char *paths = getenv("PPROF_BINARY_PATH"), *home = getenv("HOME");

	if (paths && *paths)
		return paths;
	if (!home || !*home)
		return "";
	const char *usual = arena_printf(arena, "%s/pprof/binaries", home);
	return file_is_folder(usual) ? usual : "";
}

static struct err *fill_symbol_paths(const struct options *options, struct arena *arena, struct find_opts *ret)
{
	const char *environment = environment_paths(arena);
	struct folders folders = new_folders(options->symbol_paths.n + (size_t)count(environment, ':'), arena);

	for (uint32_t i = 0; i < options->symbol_paths.n; i++) {
		const char *path = options->symbol_paths.items[i];

		if (!file_is_folder(path))
			return err_new("--symbol-path=%s: expected a folder", path);
		folders.items[folders.n++] = path;
	}
	add_list(&folders, environment, ':', arena);
	ret->symbol_paths = folders.items;
	ret->n_symbol_paths = folders.n;
	return NULL;
}

static void fill_lib_prefixes(const struct options *options, struct arena *arena, struct find_opts *ret)
{
	const char *list = options->lib_prefixes ? options->lib_prefixes : "";
	struct folders folders = new_folders(count(list, ','), arena);

	add_list(&folders, list, ',', arena);
	ret->lib_prefixes = folders.items;
	ret->n_lib_prefixes = folders.n;
}

/* One that is not there would be a warning for each object. */
static struct err *check_sysroot(const char *sysroot)
{
	return !sysroot || file_is_folder(sysroot) ? NULL : err_new("--sysroot=%s: expected a folder", sysroot);
}

static struct err *fill_build_id(const char *text, struct arena *arena, const char **ret)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	if (!text)
		return NULL;
	if (!*text || text[strspn(text, digits)])
		return err_new("--buildid=%s: expected hexadecimal digits", text);
	char *lower = arena_strndup(arena, text, strlen(text));
	for (char *at = lower; *at; at++)
		*at |= 0x20; /* digits have that bit already */
	*ret = lower;
	return NULL;
}

struct err *objects_fill(const struct options *options, struct arena *arena, struct symbolize_opts *ret)
{
	struct err *err = check_sysroot(options->symbolize.find.sysroot);

	if (!err)
		err = fill_path_maps(options, arena, &ret->find);
	if (!err)
		err = fill_symbol_paths(options, arena, &ret->find);
	fill_lib_prefixes(options, arena, &ret->find);
	if (!err)
		err = fill_build_id(options->build_id, arena, &ret->build_id);
	ret->added_libs = options->added_libs.items;
	ret->n_added_libs = options->added_libs.n;
	return err;
}
