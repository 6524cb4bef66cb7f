#include "symbolize/host_path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct find_opts host_rules = {0};

/* ---- paths below a sysroot ---- */

/* A path on its way through the links of a sysroot. done never holds a link, "." or "..". */
struct walk {
	const char *root;   /* without a slash at its end */
	const char *wanted; /* the whole path, for messages */
	struct arena *arena;
	char *done; /* below root: "" or "/usr/lib" */
	char *rest; /* not looked at yet */
	unsigned n_links;
};

static void walk_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (slash)
		*slash = '\0';
}

static struct err *walk_link(struct walk *walk, const char *path)
{
	enum { MOST_LINKS = 40 };
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n < 0)
		return err_errno(walk->wanted);
	if (++walk->n_links > MOST_LINKS)
		return err_new("%s: expected at most %d symbolic links on the way", walk->wanted, MOST_LINKS);
	target[n] = '\0';
	if (target[0] == '/')
		walk->done[0] = '\0';
	if ((size_t)n + strlen(walk->rest) + 2 > PATH_MAX)
		return err_new("%s: %s", walk->wanted, strerror(ENAMETOOLONG));
	walk->rest = arena_printf(walk->arena, "%s/%s", target, walk->rest);
	return NULL;
}

static struct err *walk_into(struct walk *walk, const char *name)
{
	const char *path = arena_printf(walk->arena, "%s%s/%s", walk->root, walk->done, name);
	struct stat st;

	if (lstat(path, &st) < 0)
		return err_errno(walk->wanted);
	if (S_ISLNK(st.st_mode))
		return walk_link(walk, path);
	walk->done = arena_printf(walk->arena, "%s/%s", walk->done, name);
	return NULL;
}

static struct err *walk_step(struct walk *walk)
{
	char *name = walk->rest + strspn(walk->rest, "/");
	char *end = name + strcspn(name, "/");

	walk->rest = *end ? end + 1 : end;
	*end = '\0';
	if (*name == '\0' || strcmp(name, ".") == 0)
		return NULL;
	if (strcmp(name, "..") == 0) {
		walk_up(walk);
		return NULL;
	}
	return walk_into(walk, name);
}

/* The kernel would resolve links against the host's root, so each component is looked at by itself. */
static struct err *resolve_below(const char *root, const char *path, struct arena *arena, const char **ret)
{
	struct walk walk = {.root = root, .wanted = arena_printf(arena, "%s%s", root, path), .arena = arena};

	if (strlen(walk.wanted) >= PATH_MAX)
		return err_new("%s: %s", walk.wanted, strerror(ENAMETOOLONG));
	walk.done = arena_strndup(arena, "", 0);
	walk.rest = arena_strndup(arena, path, strlen(path));
	while (*walk.rest) {
		struct err *err = walk_step(&walk);
		if (err)
			return err;
	}
	*ret = arena_printf(arena, "%s%s", root, walk.done);
	return NULL;
}

const char *host_path_trim(const char *folder, struct arena *arena)
{
	size_t n = strlen(folder);

	while (n > 0 && folder[n - 1] == '/')
		n--;
	return arena_strndup(arena, folder, n);
}

/* ---- path maps ---- */

const char *host_path_clean(const char *path, struct arena *arena)
{
	bool is_absolute = *path == '/';
	char *clean = arena_alloc(arena, strlen(path) + 2, 1), *end = clean;

	for (size_t n; *path; path += n) {
		path += strspn(path, "/");
		n = strcspn(path, "/");
		if (n == 0 || (n == 1 && *path == '.'))
			continue;
		if (n == 2 && memcmp(path, "..", 2) == 0) {
			while (end > clean && *--end != '/')
				;
			continue;
		}
		if (end > clean || is_absolute)
			*end++ = '/';
		memcpy(end, path, n);
		end += n;
	}
	*end = '\0';
	return clean;
}

/* What follows the folder in the path: "" or "/..."; NULL: the path is not below it. */
static const char *rest_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	if (strncmp(path, folder, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return NULL;
	return path + n;
}

const char *host_path_mapped(const struct find_opts *opts, const char *path, struct arena *arena)
{
	const char *clean = opts->n_path_maps ? host_path_clean(path, arena) : NULL;

	for (uint32_t i = 0; i < opts->n_path_maps; i++) {
		const struct find_path_map *map = &opts->path_maps[i];
		const char *rest = rest_below(clean, host_path_clean(map->from, arena));

		if (rest && (*map->from == '/') == (*path == '/'))
			return arena_printf(arena, "%s%s", host_path_trim(map->to, arena), rest);
	}
	return NULL;
}

struct err *host_path(const struct find_opts *opts, const char *path, struct arena *arena, const char **ret)
{
	*ret = host_path_mapped(opts, path, arena);
	if (*ret)
		return NULL;
	if (path[0] != '/' && opts != &host_rules)
		return err_new("%s: expected an absolute path", path);
	if (opts->sysroot)
		return resolve_below(host_path_trim(opts->sysroot, arena), path, arena, ret);
	*ret = arena_strndup(arena, path, strlen(path));
	return NULL;
}

/* ---- places ---- */

const char *host_path_join(struct arena *arena, const char *folder, const char *path)
{
	return arena_printf(arena, "%s%s%s", host_path_trim(folder, arena), *path == '/' ? "" : "/", path);
}

const char *host_path_folder(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

bool host_place_of(const struct find_opts *opts, const char *real_path, struct arena *arena, struct host_place *ret)
{
	const char *root = opts->sysroot ? host_path_trim(opts->sysroot, arena) : "";
	size_t n = strlen(root);
	char resolved[PATH_MAX];

	if (opts->sysroot && strncmp(real_path, root, n) == 0 && real_path[n] == '/') {
		*ret = (struct host_place){opts, host_path_folder(real_path + n, arena)};
		return true;
	}
	if (!realpath(real_path, resolved))
		return false;
	*ret =
		(struct host_place){opts->sysroot || opts->n_path_maps ? &host_rules : opts, host_path_folder(resolved, arena)};
	return true;
}

bool host_place_is(const struct host_place *a, const struct host_place *b)
{
	return a->opts == b->opts && strcmp(a->folder, b->folder) == 0;
}
