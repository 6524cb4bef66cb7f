#include "symbolize/source.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"
#include "symbolize/host_path.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FOLDERS = 64, MOST_PARTS = 64, LARGEST_SOURCE = 32 << 20, LONGEST_SHOWN = 4096 };

struct look {
	const struct source_opts *opts;
	const char *folders[MOST_FOLDERS];
	uint32_t n_folders;
	const char *path; /* all folders, for messages */
	struct arena *arena;
	struct diag *diag;
	const char *refused; /* why the first file that is there was not opened; NULL: none is there */
	struct bytes found;  /* what the file holds; data is NULL: nothing yet */
};

/* ---- one path ---- */

/* Takes the error over. */
static void note_miss(struct look *look, struct err *err)
{
	diag_add(look->diag, NOTE_DETAIL, NOTE_PLAIN, "no source in %s", err_text(err));
	if (!look->refused && !err_is_missing(err))
		look->refused = arena_strndup(look->arena, err_text(err), strlen(err_text(err)));
	err_free(err);
}

static bool try_path(struct look *look, const char *path)
{
	struct err *err = strlen(path) < PATH_MAX ? file_read_regular(path, LARGEST_SOURCE, &look->found)
	                                          : err_new("%.80s...: %s", path, strerror(ENAMETOOLONG));

	if (!err) {
		diag_add(look->diag, NOTE_DETAIL, NOTE_PLAIN, "using the source %s", path);
		return true;
	}
	note_miss(look, err);
	return false;
}

static bool try_in(struct look *look, const char *folder, const char *file)
{
	if (strlen(folder) + 1 + strlen(file) < PATH_MAX)
		return try_path(look, host_path_join(look->arena, folder, file));
	note_miss(look, err_new("%.40s/%.40s...: %s", folder, file, strerror(ENAMETOOLONG)));
	return false;
}

/* By the rules for paths that a profile names. */
static bool try_named(struct look *look, const char *file)
{
	const char *path;
	struct err *err = host_path(look->opts->find, file, look->arena, &path);

	if (!err)
		return try_path(look, path);
	note_miss(look, err);
	return false;
}

/* ---- folders ---- */

static void split_folders(struct look *look, const char *list)
{
	size_t n;

	for (const char *item; look->n_folders < MOST_FOLDERS && (item = text_item(&list, ':', &n));)
		look->folders[look->n_folders++] = arena_strndup(look->arena, item, n);
}

static void list_folders(struct look *look)
{
	char current[PATH_MAX];

	look->path = look->opts->path;
	if (!look->path && getcwd(current, sizeof current))
		look->path = arena_strndup(look->arena, current, strlen(current));
	if (!look->path)
		look->path = ".";
	split_folders(look, look->path);
}

/* NULL: the folder lies in none that its path names. */
static const char *parent_of(const char *folder, struct arena *arena)
{
	const char *trimmed = host_path_trim(folder, arena), *parent = host_path_folder(trimmed, arena);

	if (*parent)
		return parent;
	return *trimmed == '/' ? "/" : NULL;
}

/* In the folder, and in those that it lies in. */
static bool try_upwards(struct look *look, const char *folder, const char *file)
{
	for (; folder; folder = parent_of(folder, look->arena))
		if (try_in(look, folder, file))
			return true;
	return false;
}

static bool try_folders(struct look *look, const char *file)
{
	for (uint32_t i = 0; i < look->n_folders; i++)
		if (try_upwards(look, look->folders[i], file))
			return true;
	return false;
}

/* By what the path ends with, longest first: DIR/b/c.cc and DIR/c.cc for /a/b/c.cc. */
static bool try_parts(struct look *look, const char *file)
{
	for (uint32_t i = 0; i < look->n_folders; i++) {
		const char *part = file;

		for (unsigned k = 0; k < MOST_PARTS && part; k++) {
			part += *part == '/';
			if (try_in(look, look->folders[i], part))
				return true;
			part = strchr(part, '/');
		}
	}
	return false;
}

/* ---- which part of a path is looked for in the folders ---- */

/* google/pprof's guess: what follows a folder of the same name as one of the user's. */
static const char *trim_by_name(const struct look *look, const char *file)
{
	for (uint32_t i = 0; i < look->n_folders; i++) {
		const char *base = file_base(host_path_trim(look->folders[i], look->arena));
		const char *name = arena_printf(look->arena, "/%s/", base), *at = *base ? strstr(file, name) : NULL;

		if (at)
			return at + strlen(name);
	}
	return NULL;
}

/* What follows the prefix, which ends with a folder; NULL: the path has it not. */
static const char *behind(const char *file, const char *prefix, size_t length)
{
	if (length && prefix[length - 1] == '/')
		length--;
	return strncmp(file, prefix, length) == 0 && file[length] == '/' ? file + length + 1 : NULL;
}

static const char *trim_by_prefix(const char *file, const char *list)
{
	size_t n;

	for (const char *item; (item = text_item(&list, ':', &n));) {
		const char *rest = behind(file, item, n);

		if (rest)
			return rest;
	}
	return NULL;
}

/* NULL: the path is looked for as it stands. */
static const char *trim(const struct look *look, const char *file)
{
	const char *prefixes = look->opts->trim;
	const char *rest = prefixes ? trim_by_prefix(file, prefixes) : trim_by_name(look, file);

	/* Where Bazel builds. */
	return rest ? rest : trim_by_prefix(file, "/proc/self/cwd/.:/proc/self/cwd");
}

/* ---- all together ---- */

/* Folders that the user named go before the path, as with google/pprof; the current one does not, for its name may be that
 * of another by chance. */
static bool find(struct look *look, const char *file)
{
	bool is_asked = look->opts->path || look->opts->trim;
	bool is_whole = *file == '/' || host_path_mapped(look->opts->find, file, look->arena);
	const char *rest = trim(look, file);

	if (is_whole && !is_asked && try_named(look, file))
		return true;
	if (rest ? try_folders(look, rest) : !is_whole && try_folders(look, file))
		return true;
	if (is_whole && is_asked && try_named(look, file))
		return true;
	return look->opts->path && try_parts(look, file);
}

static const char *miss_text(const struct look *look, const char *file)
{
	if (look->refused)
		return look->refused;
	if (*file == '/' && !look->opts->path)
		return arena_printf(look->arena, "open %s: no such file or directory", file);
	/* Ten thousand files may be missing. */
	return arena_printf(look->arena, "could not find file %s on path %.*s", file, LONGEST_SHOWN, look->path);
}

void source_read(const struct source_opts *opts, const char *file, struct arena *arena, struct diag *diag,
                 struct text_lines *ret, const char **problem_ret)
{
	struct arena *scratch = arena_new();
	struct look look = {.opts = opts, .arena = scratch, .diag = diag};
	const char *clean = host_path_clean(file, scratch);

	list_folders(&look);
	const char *problem = find(&look, clean) ? NULL : miss_text(&look, clean);
	if (!problem)
		text_lines_find(arena_strndup(arena, (char *)look.found.data, look.found.size), look.found.size, arena, ret);
	*problem_ret = problem ? arena_strndup(arena, problem, strlen(problem)) : NULL;
	bytes_free(&look.found);
	arena_free(scratch);
}
