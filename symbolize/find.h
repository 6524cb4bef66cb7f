/* Finds the files behind a map: objects and their separate debug files, under a sysroot if there is one. */
#pragma once

#include "analyze/base/diag.h"
#include "analyze/base/err.h"

struct find_opts {
	const char *sysroot; /* everything is looked for under it alone, links included; NULL: the host's root */
};

/* Opens the file of this absolute path. *path_ret is the path on this host (in the arena), *fd_ret the caller's.
 * Only a regular file is opened. */
struct err *find_file(const struct find_opts *opts, const char *path, struct arena *arena, const char **path_ret,
                      int *fd_ret) MUST_CHECK;

/* Opens an object by its build id alone: the folders in which packages of debug files leave a link to it. False: there
 * is none. Each path that was tried is a NOTE_DETAIL of the diag. What it opens may still be another build. */
bool find_file_by_build_id(const struct find_opts *opts, const char *build_id, struct arena *arena, struct diag *diag,
                           const char **path_ret, int *fd_ret);

/* What an object says of its separate debug file. */
struct find_debug {
	const char *object_path; /* as the map names it, absolute; "" when not known */
	const char *real_path;   /* of the object on this host */
	const char *build_id;    /* lower-case hex; NULL: none */
	const char *debuglink;   /* a file name without a slash; NULL: none */
	uint32_t debuglink_crc;
};

/* Opens the separate debug file: by build id (/usr/lib/debug/.build-id/xx/yyy.debug), else by debuglink (beside the
 * object, in .debug/ beside it, below /usr/lib/debug) with the right CRC. A link that leads back to the object is
 * refused. Returns false when there is none. Each path that was tried is a NOTE_DETAIL of the diag. */
bool find_debug_file(const struct find_opts *opts, const struct find_debug *debug, struct arena *arena,
                     struct diag *diag, const char **path_ret, int *fd_ret);

/* Opens a file by build id alone (a dwz alternate file), or by its name relative to the file that names it. */
bool find_alternate_file(const struct find_opts *opts, const char *from_path, const char *name, const char *build_id,
                         struct arena *arena, struct diag *diag, const char **path_ret, int *fd_ret);
