#include "symbolize/find.h"

#include "analyze/base/file.h"
#include "symbolize/host_path.h"
#include "symbolize/search.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static const char DEBUG_ROOT[] = "/usr/lib/debug";

struct err *find_file(const struct find_opts *opts, const char *path, struct arena *arena, const char **path_ret,
                      int *fd_ret)
{
	const char *real;
	struct err *err = host_path(opts, path, arena, &real);

	if (!err)
		err = file_open_regular(real, fd_ret);
	if (!err)
		*path_ret = real;
	return err;
}

/* ---- build ids ---- */

/* What is no build id may be a way out of the folder. */
static bool is_build_id(const char *build_id)
{
	enum { SHORTEST = 3, LONGEST = 128 };
	size_t n = strspn(build_id, "0123456789abcdef");

	return build_id[n] == '\0' && n >= SHORTEST && n <= LONGEST;
}

static const char *checked_build_id(const char *build_id, struct diag *diag)
{
	if (!build_id || is_build_id(build_id))
		return build_id;
	diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "build id %.128s is not looked for: expected 3 to 128 hex digits",
	         build_id);
	return NULL;
}

static bool try_build_id(struct search *search, const struct find_opts *opts, const char *root, const char *ending,
                         search_rule *rule)
{
	const char *id = search->build_id;

	return id && search_try(search, opts,
	                        arena_printf(search->arena, "%s/.build-id/%.2s/%s%s", root, id, id + 2, ending), rule);
}

/* ---- symbol paths ---- */

/* One of the user's folders, and the path of the map below it. */
struct shelf {
	const char *folder; /* without a slash at its end */
	const char *path;   /* without ".." and the slash in front */
	const char *parent; /* of the path, likewise; "": none */
	const char *base;
	search_rule *by_id, *by_path;
};

static bool try_shelf(struct search *search, search_rule *rule, const char *path)
{
	return search_try(search, &host_rules, path, rule);
}

static int is_no_dot(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* By name whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* All that lies in DIR/BUILDID, apart from DIR/BUILDID/base, which was tried. */
static bool try_folder_of_id(struct search *search, const struct shelf *shelf)
{
	const char *folder = arena_printf(search->arena, "%s/%s", shelf->folder, search->build_id);
	struct dirent **entries;
	int n = scandir(folder, &entries, is_no_dot, by_name);
	bool is_found = false;

	if (n < 0)
		return false;
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (!is_found && strcmp(name, shelf->base) != 0)
			is_found = try_shelf(search, shelf->by_id, arena_printf(search->arena, "%s/%s", folder, name));
		free(entries[i]);
	}
	free(entries);
	return is_found;
}

static bool try_ids(struct search *search, const struct shelf *shelf)
{
	const char *id = search->build_id, *folder = shelf->folder;
	struct arena *arena = search->arena;

	if (!id)
		return false;
	const char *paths[] = {
		arena_printf(arena, "%s/%s/%s", folder, shelf->path, id),
		arena_printf(arena, "%s/%.2s/%s.debug", folder, id, id + 2),
		arena_printf(arena, "%s/.build-id/%.2s/%s", folder, id, id + 2),
		arena_printf(arena, "%s/.build-id/%.2s/%s.debug", folder, id, id + 2),
		arena_printf(arena, "%s%s/.build-id/%.2s/%s.debug", folder, DEBUG_ROOT, id, id + 2),
	};

	if (try_shelf(search, shelf->by_id, arena_printf(arena, "%s/%s/%s", folder, id, shelf->base)) ||
	    try_folder_of_id(search, shelf))
		return true;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (try_shelf(search, shelf->by_id, paths[i]))
			return true;
	return false;
}

/* The whole path says more than the name alone: two objects may have one. */
static bool try_paths(struct search *search, const struct shelf *shelf)
{
	struct arena *arena = search->arena;
	const char *folder = shelf->folder, *base = shelf->base;
	const char *slash = *shelf->parent ? "/" : "";
	const char *paths[] = {
		arena_printf(arena, "%s/%s", folder, shelf->path),
		arena_printf(arena, "%s/%s", folder, base),
		arena_printf(arena, "%s/%s.debug", folder, shelf->path),
		arena_printf(arena, "%s/%s%s.debug/%s.debug", folder, shelf->parent, slash, base),
		arena_printf(arena, "%s%s/%s%s%s.debug", folder, DEBUG_ROOT, shelf->parent, slash, base),
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if ((i != 1 || *shelf->parent) && try_shelf(search, shelf->by_path, paths[i]))
			return true;
	return false;
}

static const char *relative(const char *path, struct arena *arena)
{
	const char *clean = host_path_clean(path, arena);

	return clean + (*clean == '/');
}

static bool try_symbol_paths(struct search *search, const struct find_opts *opts, const char *path, search_rule *by_id,
                             search_rule *by_path)
{
	const char *below = relative(path, search->arena);
	struct shelf shelf = {
		.path = below,
		.parent = host_path_folder(below, search->arena),
		.base = file_base(below),
		.by_id = by_id,
		.by_path = by_path,
	};

	for (uint32_t i = 0; i < opts->n_symbol_paths && *shelf.base; i++) {
		shelf.folder = host_path_trim(opts->symbol_paths[i], search->arena);
		if (try_ids(search, &shelf) || try_paths(search, &shelf))
			return true;
	}
	return false;
}

/* ---- objects ---- */

/* The names of a path's own folders are seldom those of the user's: they are taken off from the left. */
static bool try_lib_prefixes(struct search *search, const struct find_opts *opts, const char *path)
{
	enum { MOST_FOLDERS = 40 }; /* a path of thousands would be as many to try */
	const char *below = relative(path, search->arena);

	for (unsigned depth = 0; *below && depth < MOST_FOLDERS; depth++) {
		const char *slash = strchr(below, '/');

		for (uint32_t i = 0; i < opts->n_lib_prefixes; i++)
			if (search_try(search, &host_rules, host_path_join(search->arena, opts->lib_prefixes[i], below),
			               search_object))
				return true;
		below = slash ? slash + 1 : "";
	}
	return false;
}

static bool try_own_path(struct search *search, const struct find_opts *opts, struct find_object *object)
{
	bool is_relative = object->path[0] != '/' && !host_path_mapped(opts, object->path, search->arena);

	if (!is_relative && search_check(search, opts, object->path, search_object))
		return true;
	object->problem =
		is_relative
			? arena_printf(search->arena, "%s: not found: expected an absolute path in the profile", object->path)
			: search->reason;
	object->is_missing = is_relative || search->is_missing;
	return false;
}

/* The second and third are of the RPM world, older and newer. */
static bool try_links_of_packages(struct search *search, const struct find_opts *opts, const struct find_object *object)
{
	if (!try_build_id(search, opts, DEBUG_ROOT, "", search_object_linked) &&
	    !try_build_id(search, opts, "/usr/lib", "", search_object_linked) &&
	    !try_build_id(search, opts, DEBUG_ROOT, ".debug", search_object_linked))
		return false;
	diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "%s; %s has the build id of the profile", object->problem,
	         search->file.path);
	return true;
}

/* ---- second best ---- */

void find_note_other_build(struct diag *diag, const char *path, const char *reason)
{
	diag_add(diag, NOTE_WARNING, NOTE_LOSS, "%s: used all the same: %s; its names may be wrong", path, reason);
}

static bool take_kept(struct search *search, struct search_file *kept)
{
	search->file = *kept;
	*kept = (struct search_file){0};
	return true;
}

static bool take_debug_file(struct search *search)
{
	if (!search->debug_file.path)
		return false;
	diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "%s stands in for the object", search->debug_file.path);
	return take_kept(search, &search->debug_file);
}

static bool take_other_build(struct search *search, const struct find_opts *opts)
{
	const struct search_file *other = &search->other_build;

	if (!other->path || !opts->use_other_builds)
		return false;
	find_note_other_build(search->diag, other->path, other->refusal);
	return take_kept(search, &search->other_build);
}

/* That a file is of another build says more than that nothing has the path. */
static void tell_other_build(const struct search *search, struct find_object *object)
{
	const struct search_file *other = &search->other_build;

	if (!other->path)
		return;
	object->problem = arena_printf(search->arena, "%s: not used: %s", other->path, other->refusal);
	object->path_used = other->path;
	object->used_build_id = other->build_id;
	object->is_wrong = true;
	object->is_missing = false;
}

void find_object(const struct find_opts *opts, struct find_object *object, struct arena *arena, struct diag *diag)
{
	struct search search = {.wanted = "object", .whose = "the profile is of", .arena = arena, .diag = diag};

	search.build_id = checked_build_id(object->build_id, diag);
	bool is_found = try_lib_prefixes(&search, opts, object->path) ||
	                try_symbol_paths(&search, opts, object->path, search_object_by_id, search_object) ||
	                try_own_path(&search, opts, object) || try_links_of_packages(&search, opts, object);
	if (!is_found && (search.debug_file.path || search.other_build.path))
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "no object in %s", object->problem);
	if (is_found || take_debug_file(&search) || take_other_build(&search, opts)) {
		object->problem = NULL;
		object->path_used = search.file.path;
		object->used_build_id = search.file.build_id;
		object->fd = search.file.fd;
		object->is_missing = false;
	} else {
		tell_other_build(&search, object);
	}
	search_close(&search);
}

/* ---- separate debug files ---- */

static bool finish(struct search *search, const char **path_ret, int *fd_ret)
{
	diag_add(search->diag, NOTE_DETAIL, NOTE_PLAIN, "%s is looked for in %s", search->wanted, search->file.path);
	*path_ret = search->file.path;
	*fd_ret = search->file.fd;
	return true;
}

static bool is_link_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Where all of /lib is a link to /usr/lib, packages may still say /lib. */
static const char *before_usr_merge(const char *folder)
{
	enum { USR = sizeof "/usr" - 1 };

	return strncmp(folder, "/usr/", USR + 1) == 0 ? folder + USR : NULL;
}

static bool try_links(struct search *search, const struct host_place *place)
{
	const char *name = search->debuglink, *merged = before_usr_merge(place->folder);
	struct arena *arena = search->arena;
	const char *paths[] = {
		arena_printf(arena, "%s/%s", place->folder, name),
		arena_printf(arena, "%s/.debug/%s", place->folder, name),
		arena_printf(arena, "%s%s/%s", DEBUG_ROOT, place->folder, name),
		merged ? arena_printf(arena, "%s%s/%s", DEBUG_ROOT, merged, name) : NULL,
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (paths[i] && search_try(search, place->opts, paths[i], search_debug_by_link))
			return true;
	return false;
}

/* Of old, without a debuglink. */
static bool try_debug_root(struct search *search, const struct host_place *place, const char *base)
{
	const char *merged = before_usr_merge(place->folder);
	struct arena *arena = search->arena;
	const char *paths[] = {
		arena_printf(arena, "%s%s/%s.debug", DEBUG_ROOT, place->folder, base),
		arena_printf(arena, "%s%s/%s", DEBUG_ROOT, place->folder, base),
		merged ? arena_printf(arena, "%s%s/%s.debug", DEBUG_ROOT, merged, base) : NULL,
		merged ? arena_printf(arena, "%s%s/%s", DEBUG_ROOT, merged, base) : NULL,
	};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		if (paths[i] && search_try(search, place->opts, paths[i], search_debug_by_path))
			return true;
	return false;
}

/* Where an object lies: by the path of the map, and by the file itself, to which that may be a link. */
struct places {
	struct host_place at[2];
	const char *bases[2];
	unsigned n;
};

static void find_places(struct places *places, const struct find_opts *opts, const char *path, const char *real_path,
                        struct arena *arena)
{
	struct host_place real;

	if (path[0] == '/') {
		places->at[places->n] = (struct host_place){opts, host_path_folder(path, arena)};
		places->bases[places->n++] = file_base(path);
	}
	if (!host_place_of(opts, real_path, arena, &real) ||
	    (places->n && host_place_is(&places->at[0], &real) && strcmp(places->bases[0], file_base(real_path)) == 0))
		return;
	places->at[places->n] = real;
	places->bases[places->n++] = file_base(real_path);
}

static bool try_places(struct search *search, const struct places *places)
{
	for (unsigned i = 0; i < places->n && is_link_name(search->debuglink); i++)
		if ((i == 0 || !host_place_is(&places->at[0], &places->at[i])) && try_links(search, &places->at[i]))
			return true;
	for (unsigned i = 0; i < places->n && (search->build_id || search->debuglink); i++)
		if (try_debug_root(search, &places->at[i], places->bases[i]))
			return true;
	return false;
}

/* The name in .gnu_debuglink, where the user put all of them into one folder. */
static bool try_link_in_symbol_paths(struct search *search, const struct find_opts *opts)
{
	for (uint32_t i = 0; i < opts->n_symbol_paths && is_link_name(search->debuglink); i++)
		if (search_try(search, &host_rules, host_path_join(search->arena, opts->symbol_paths[i], search->debuglink),
		               search_debug_by_path))
			return true;
	return false;
}

static void warn_of_other_build(const struct search *search)
{
	if (search->other_build.path)
		diag_add(search->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s: not used: %s", search->other_build.path,
		         search->other_build.refusal);
}

bool find_debug_file(const struct find_opts *opts, const struct find_debug *debug, struct arena *arena,
                     struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {
		.wanted = "debug information",
		.build_id = checked_build_id(debug->build_id, diag),
		.whose = arena_printf(arena, "%s is", debug->real_path),
		.debuglink = debug->debuglink,
		.debuglink_crc = debug->debuglink_crc,
		.arena = arena,
		.diag = diag,
	};
	struct places places = {0};

	if (stat(debug->real_path, &search.object) < 0)
		search.object.st_ino = 0;
	find_places(&places, opts, debug->object_path, debug->real_path, arena);
	bool is_found = try_symbol_paths(&search, opts, *debug->object_path ? debug->object_path : debug->real_path,
	                                 search_debug_by_id, search_debug_by_users_path) ||
	                try_link_in_symbol_paths(&search, opts) ||
	                try_build_id(&search, opts, DEBUG_ROOT, ".debug", search_debug_by_id) ||
	                try_places(&search, &places) || take_other_build(&search, opts);
	if (!is_found)
		warn_of_other_build(&search);
	search_close(&search);
	return is_found && finish(&search, path_ret, fd_ret);
}

/* ---- dwz ---- */

static bool try_name(struct search *search, const struct find_opts *opts, const char *from_path, const char *name)
{
	struct host_place place;

	if (name[0] == '/')
		return search_try(search, opts, name, search_build);
	if (!host_place_of(opts, from_path, search->arena, &place))
		return false;
	return search_try(search, place.opts, arena_printf(search->arena, "%s/%s", place.folder, name), search_build);
}

bool find_alternate_file(const struct find_opts *opts, const char *from_path, const char *name, const char *build_id,
                         struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {
		.wanted = "debug information",
		.build_id = checked_build_id(build_id, diag),
		.whose = arena_printf(arena, "%s wants", from_path),
		.arena = arena,
		.diag = diag,
	};

	bool is_found = try_build_id(&search, opts, DEBUG_ROOT, ".debug", search_build) ||
	                (name && *name &&
	                 (try_name(&search, opts, from_path, name) ||
	                  try_symbol_paths(&search, opts, name, search_build, search_build)));
	search_close(&search);
	return is_found && finish(&search, path_ret, fd_ret);
}

/* ---- split DWARF ---- */

/* Of these the ids are not in the ELF file: it is only opened. */
static bool open_in_symbol_paths(struct search *search, const struct find_opts *opts, const char *path)
{
	for (uint32_t i = 0; i < opts->n_symbol_paths; i++)
		if (search_open(search, &host_rules, host_path_join(search->arena, opts->symbol_paths[i], path)))
			return true;
	return false;
}

static bool open_beside(struct search *search, const struct find_opts *opts, const char *from_path, const char *name)
{
	struct host_place place;

	return host_place_of(opts, from_path, search->arena, &place) &&
	       search_open(search, place.opts,
	                   host_path_join(search->arena, place.folder, host_path_clean(name, search->arena)));
}

bool find_split_file(const struct find_opts *opts, const char *from_path, const char *comp_dir, const char *name,
                     struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "split DWARF", .arena = arena, .diag = diag};
	bool has_folder = name[0] != '/' && strchr(name, '/');
	const char *base = file_base(name);

	if (!*base)
		return false;
	const char *path = name[0] == '/' || !comp_dir ? name : host_path_join(arena, comp_dir, name);
	bool is_found = search_open(&search, opts, path) || (has_folder && open_beside(&search, opts, from_path, name)) ||
	                open_beside(&search, opts, from_path, base) ||
	                open_in_symbol_paths(&search, opts, relative(path, arena)) ||
	                open_in_symbol_paths(&search, opts, base);
	return is_found && finish(&search, path_ret, fd_ret);
}

bool find_split_package(const struct find_opts *opts, const char *object_path, const char *real_path,
                        struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret)
{
	struct search search = {.wanted = "split DWARF", .arena = arena, .diag = diag};
	struct places places = {0};
	bool is_found = false;

	find_places(&places, opts, object_path, real_path, arena);
	for (unsigned i = 0; i < places.n && !is_found; i++)
		is_found = search_open(&search, places.at[i].opts,
		                       arena_printf(arena, "%s/%s.dwp", places.at[i].folder, places.bases[i]));
	is_found = is_found ||
	           open_in_symbol_paths(&search, opts,
	                                arena_printf(arena, "%s.dwp", file_base(*object_path ? object_path : real_path)));
	return is_found && finish(&search, path_ret, fd_ret);
}
