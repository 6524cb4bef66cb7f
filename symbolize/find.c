#include "symbolize/find.h"
#include "analyze/base/file.h"
#include "analyze/base/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char DEBUG_ROOT[] = "/usr/lib/debug";
static const struct find_opts HOST = {0};

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
		return err_new("%s: %s", walk->wanted, strerror(errno));
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

static const char *root_of(const char *sysroot, struct arena *arena)
{
	size_t n = strlen(sysroot);

	while (n > 0 && sysroot[n - 1] == '/')
		n--;
	return arena_strndup(arena, sysroot, n);
}

/* ---- path maps ---- */

/* The path without "//", "." and "..": nothing is climbed, so that what is joined in front of it stays in front. Links
 * are not asked, for the folders may be of another host. */
static const char *clean_path(const char *path, struct arena *arena)
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

	while (n > 0 && folder[n - 1] == '/')
		n--;
	if (strncmp(path, folder, n) != 0 || (path[n] != '\0' && path[n] != '/'))
		return NULL;
	return path + n;
}

/* The path on the host that a path map makes of this one; NULL: none of them fits. */
static const char *mapped_path(const struct find_opts *opts, const char *path, struct arena *arena)
{
	const char *clean = opts->n_path_maps ? clean_path(path, arena) : NULL;

	for (uint32_t i = 0; i < opts->n_path_maps; i++) {
		const struct find_path_map *map = &opts->path_maps[i];
		const char *rest = rest_below(clean, map->from);

		if (rest)
			return arena_printf(arena, "%s%s", root_of(map->to, arena), rest);
	}
	return NULL;
}

static struct err *resolve(const struct find_opts *opts, const char *path, struct arena *arena, const char **ret)
{
	*ret = mapped_path(opts, path, arena);
	if (*ret)
		return NULL;
	if (path[0] != '/')
		return err_new("%s: expected an absolute path", path);
	if (opts->sysroot)
		return resolve_below(root_of(opts->sysroot, arena), path, arena, ret);
	*ret = arena_strndup(arena, path, strlen(path));
	return NULL;
}

struct err *find_file(const struct find_opts *opts, const char *path, struct arena *arena, const char **path_ret,
                      int *fd_ret)
{
	const char *real;
	struct err *err = resolve(opts, path, arena, &real);

	if (!err)
		err = file_open_regular(real, fd_ret);
	if (!err)
		*path_ret = real;
	return err;
}

/* ---- separate debug files ---- */

/* A directory and the rules by which files in it are opened. */
struct place {
	const struct find_opts *opts;
	const char *folder; /* absolute, without a slash at its end */
};

static const char *folder_of(const char *path, struct arena *arena)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

/* The directory of a file whose path on the host is known: below the sysroot when it lies there, else one that the
 * user named himself, as the program argument. */
static bool place_of_real(const struct find_opts *opts, const char *real_path, struct arena *arena, struct place *ret)
{
	const char *root = opts->sysroot ? root_of(opts->sysroot, arena) : "";
	size_t n = strlen(root);
	char resolved[PATH_MAX];

	if (opts->sysroot && strncmp(real_path, root, n) == 0 && real_path[n] == '/') {
		*ret = (struct place){opts, folder_of(real_path + n, arena)};
		return true;
	}
	if (!realpath(real_path, resolved))
		return false;
	*ret = (struct place){opts->sysroot || opts->n_path_maps ? &HOST : opts, folder_of(resolved, arena)};
	return true;
}

struct search {
	const char *wanted; /* for messages */
	struct arena *arena;
	struct diag *diag;
	struct stat object; /* st_ino 0: not known */
	const char *path;   /* of what is open now */
	int fd;
};

static bool is_object(const struct search *search, int fd)
{
	struct stat st;

	return search->object.st_ino && fstat(fd, &st) == 0 && st.st_dev == search->object.st_dev &&
	       st.st_ino == search->object.st_ino;
}

static bool open_candidate(struct search *search, const struct find_opts *opts, const char *path)
{
	struct err *err = find_file(opts, path, search->arena, &search->path, &search->fd);

	if (err) {
		diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "no %s in %s", search->wanted, err_text(err));
		err_free(err);
		return false;
	}
	if (is_object(search, search->fd)) {
		diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "no %s in %s: it is the object itself", search->wanted,
		         search->path);
		close(search->fd);
		return false;
	}
	return true;
}

static bool finish(const struct search *search, const char **path_ret, int *fd_ret)
{
	diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "%s is looked for in %s", search->wanted, search->path);
	*path_ret = search->path;
	*fd_ret = search->fd;
	return true;
}

static bool is_build_id(const char *build_id)
{
	enum { SHORTEST = 3, LONGEST = 128 };
	size_t n = strspn(build_id, "0123456789abcdef");

	return build_id[n] == '\0' && n >= SHORTEST && n <= LONGEST;
}

static bool find_by_build_id(struct search *search, const struct find_opts *opts, const char *root,
                             const char *build_id, const char *ending)
{
	if (!build_id)
		return false;
	if (!is_build_id(build_id)) {
		diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN,
		         "build id %.128s is not looked for: expected 3 to 128 hex digits", build_id);
		return false;
	}
	const char *path = arena_printf(search->arena, "%s/.build-id/%.2s/%s%s", root, build_id, build_id + 2, ending);
	return open_candidate(search, opts, path);
}

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

static bool open_with_crc(struct search *search, const struct find_opts *opts, const char *path, uint32_t expected)
{
	uint32_t crc;

	if (!open_candidate(search, opts, path))
		return false;
	if (crc_of(search->fd, &crc) && crc == expected)
		return true;
	diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "no debug information in %s: expected the checksum 0x%08x",
	         search->path, expected);
	close(search->fd);
	return false;
}

static bool is_link_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool find_by_link(struct search *search, const struct place *place, const struct find_debug *debug)
{
	const char *paths[] = {
		arena_printf(search->arena, "%s/%s", place->folder, debug->debuglink),
		arena_printf(search->arena, "%s/.debug/%s", place->folder, debug->debuglink),
		arena_printf(search->arena, "%s%s/%s", DEBUG_ROOT, place->folder, debug->debuglink),
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (open_with_crc(search, place->opts, paths[i], debug->debuglink_crc))
			return true;
	return false;
}

static bool is_same_place(const struct place *a, const struct place *b)
{
	return a->opts == b->opts && strcmp(a->folder, b->folder) == 0;
}

/* The map may name a link to the object: its debug file lies beside the file itself. */
static bool find_by_any_link(struct search *search, const struct find_opts *opts, const struct find_debug *debug)
{
	struct place named, real;

	if (!is_link_name(debug->debuglink))
		return false;
	bool has_named = debug->object_path[0] == '/';
	if (has_named) {
		named = (struct place){opts, folder_of(debug->object_path, search->arena)};
		if (find_by_link(search, &named, debug))
			return true;
	}
	if (!place_of_real(opts, debug->real_path, search->arena, &real) || (has_named && is_same_place(&named, &real)))
		return false;
	return find_by_link(search, &real, debug);
}

bool find_debug_file(const struct find_opts *opts, const struct find_debug *debug, struct arena *arena,
                     struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "debug information", .arena = arena, .diag = diag};

	if (stat(debug->real_path, &search.object) < 0)
		search.object.st_ino = 0;
	if (!find_by_build_id(&search, opts, DEBUG_ROOT, debug->build_id, ".debug") &&
	    !find_by_any_link(&search, opts, debug))
		return false;
	return finish(&search, path_ret, fd_ret);
}

/* Of the RPM world, older and newer; others link the debug file alone, whose segments do not say where they were. */
bool find_file_by_build_id(const struct find_opts *opts, const char *build_id, struct arena *arena, struct diag *diag,
                           const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "object", .arena = arena, .diag = diag};

	if (!find_by_build_id(&search, opts, DEBUG_ROOT, build_id, "") &&
	    !find_by_build_id(&search, opts, "/usr/lib", build_id, ""))
		return false;
	return finish(&search, path_ret, fd_ret);
}

static bool find_by_name(struct search *search, const struct find_opts *opts, const char *from_path, const char *name)
{
	struct place place;

	if (!name || !*name)
		return false;
	if (name[0] == '/')
		return open_candidate(search, opts, name);
	if (!place_of_real(opts, from_path, search->arena, &place))
		return false;
	return open_candidate(search, place.opts, arena_printf(search->arena, "%s/%s", place.folder, name));
}

bool find_alternate_file(const struct find_opts *opts, const char *from_path, const char *name, const char *build_id,
                         struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "debug information", .arena = arena, .diag = diag};

	if (!find_by_build_id(&search, opts, DEBUG_ROOT, build_id, ".debug") &&
	    !find_by_name(&search, opts, from_path, name))
		return false;
	return finish(&search, path_ret, fd_ret);
}

/* ---- split DWARF ---- */

static const char *join(struct arena *arena, const char *folder, const char *path)
{
	return arena_printf(arena, "%s%s%s", root_of(folder, arena), *path == '/' ? "" : "/", path);
}

/* Folders that the user typed are the host's. */
static bool find_in_symbol_paths(struct search *search, const struct find_opts *opts, const char *path)
{
	for (uint32_t i = 0; i < opts->n_symbol_paths; i++)
		if (open_candidate(search, &HOST, join(search->arena, opts->symbol_paths[i], path)))
			return true;
	return false;
}

static bool find_beside(struct search *search, const struct find_opts *opts, const char *from_path, const char *name)
{
	struct place place;

	return place_of_real(opts, from_path, search->arena, &place) &&
	       open_candidate(search, place.opts, join(search->arena, place.folder, clean_path(name, search->arena)));
}

bool find_split_file(const struct find_opts *opts, const char *from_path, const char *comp_dir, const char *name,
                     struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "split DWARF", .arena = arena, .diag = diag};
	bool has_folder = name[0] != '/' && strchr(name, '/');
	const char *base = file_base(name);

	if (!*base)
		return false;
	const char *path = name[0] == '/' || !comp_dir ? name : join(arena, comp_dir, name);
	if (!open_candidate(&search, opts, path) && !(has_folder && find_beside(&search, opts, from_path, name)) &&
	    !find_beside(&search, opts, from_path, base) && !find_in_symbol_paths(&search, opts, clean_path(path, arena)) &&
	    !find_in_symbol_paths(&search, opts, base))
		return false;
	return finish(&search, path_ret, fd_ret);
}

static bool find_package_beside(struct search *search, const struct find_opts *opts, const char *object_path,
                                const char *real_path)
{
	struct place named = {opts, folder_of(object_path, search->arena)}, real;

	if (object_path[0] == '/' && open_candidate(search, opts, arena_printf(search->arena, "%s.dwp", object_path)))
		return true;
	if (!place_of_real(opts, real_path, search->arena, &real) ||
	    (is_same_place(&named, &real) && strcmp(file_base(object_path), file_base(real_path)) == 0))
		return false;
	return open_candidate(search, real.opts,
	                      arena_printf(search->arena, "%s/%s.dwp", real.folder, file_base(real_path)));
}

bool find_split_package(const struct find_opts *opts, const char *object_path, const char *real_path,
                        struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "split DWARF", .arena = arena, .diag = diag};
	const char *base = arena_printf(arena, "%s.dwp", file_base(*object_path ? object_path : real_path));

	if (!find_package_beside(&search, opts, object_path, real_path) && !find_in_symbol_paths(&search, opts, base))
		return false;
	return finish(&search, path_ret, fd_ret);
}
