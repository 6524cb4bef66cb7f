/* Finds the files behind a map: objects and their separate debug files, under a sysroot if there is one. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/err.h"

/* What lies at or below from is looked for at the same place below to, a folder of the host. */
struct find_path_map {
	const char *from, *to;
};

/* Folders that the user typed are the host's own: they do not lie below the sysroot, and links in them are followed as
 * the host does. */
struct find_opts {
	const char *sysroot; /* everything else is looked for under it alone, links included; NULL: the host's root */
	const struct find_path_map *path_maps; /* the first that fits wins, and the sysroot is not asked then */
	uint32_t n_path_maps;
	const char *const *symbol_paths; /* folders of objects and debug files, looked into first */
	uint32_t n_symbol_paths;
	const char *const *lib_prefixes; /* folders for the objects of the map: DIR/a/b/x, DIR/b/x, DIR/x */
	uint32_t n_lib_prefixes;
	bool use_other_builds; /* where no file of the right build is found */
};

/* Opens the file of this path, which is absolute, or begins as a path map does. *path_ret is the path on this host (in
 * the arena), *fd_ret the caller's. Only a regular file is opened. */
struct err *find_file(const struct find_opts *opts, const char *path, struct arena *arena, const char **path_ret,
                      int *fd_ret) MUST_CHECK;

/* An object of the map, and what became of it. Texts are in the arena. */
struct find_object {
	const char *path;     /* as the map names it */
	const char *build_id; /* that it must have, as object_hex has it, if it has one; NULL: not known */

	/* What is found. */
	const char *path_used;     /* also of a file of another build; NULL: none */
	const char *used_build_id; /* NULL: none */
	const char *problem;       /* why no file is used; NULL: one is */
	bool is_missing;           /* the problem: nothing has that path */
	bool is_wrong;             /* the problem: the file is of another build */
	int fd;                    /* the caller's, if there is no problem */
};

/* Opens an object: in the folders that the user typed (lib_prefixes, then symbol_paths); else at its path; else by its
 * build id, in the folders where packages of debug files leave a link to it. Its debug file stands in for an object that
 * is nowhere. What is of another build is passed over. Each path that was tried is a NOTE_DETAIL of the diag. */
void find_object(const struct find_opts *opts, struct find_object *object, struct arena *arena, struct diag *diag);

/* The warning that stays when a file is used for which use_other_builds was needed. */
void find_note_other_build(struct diag *diag, const char *path, const char *reason);

/* What an object says of its separate debug file. */
struct find_debug {
	const char *object_path; /* as the map names it, absolute; "" when not known */
	const char *real_path;   /* of the object on this host */
	const char *build_id;    /* lower-case hex; NULL: none */
	const char *debuglink;   /* a file name without a slash; NULL: none */
	uint32_t debuglink_crc;
};

/* Opens the separate debug file: in the symbol_paths; by build id (/usr/lib/debug/.build-id/xx/yyy.debug); by debuglink
 * (beside the object, in .debug/ beside it, below /usr/lib/debug) with the right CRC; or below /usr/lib/debug by the path
 * of the object. It must have names, and may not be of another build or the object itself. Returns false when there is
 * none. Each path that was tried is a NOTE_DETAIL of the diag. */
bool find_debug_file(const struct find_opts *opts, const struct find_debug *debug, struct arena *arena,
                     struct diag *diag, const char **path_ret, int *fd_ret);

/* Opens a dwz alternate file: by build id, in the symbol paths and below /usr/lib/debug; else by its name, relative to
 * the file that names it; else by that name in the symbol paths. Not one of another build. */
bool find_alternate_file(const struct find_opts *opts, const char *from_path, const char *name, const char *build_id,
                         struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret);

/* Opens the file of a split unit (.dwo) by what its skeleton says: its name, joined to comp_dir (NULL: none) if it is
 * relative; else below the folder of the object, from_path, by that name or by its base name; else in the symbol paths,
 * likewise. Whether it belongs to the unit is for the caller to see. */
bool find_split_file(const struct find_opts *opts, const char *from_path, const char *comp_dir, const char *name,
                     struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret);

/* Opens the package of an object's split units (.dwp): the path of the map and the real one with ".dwp" behind, else
 * DIR/base.dwp of a symbol path. */
bool find_split_package(const struct find_opts *opts, const char *object_path, const char *real_path,
                        struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret);
