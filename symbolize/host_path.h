/* Where a path that a profile or an ELF file names lies on this host: path maps, a sysroot and the links in it. */
#pragma once

#include "symbolize/find.h"

/* The rules for files that the user named himself, which may be relative too. */
extern const struct find_opts host_rules;

/* The path on this host. The error is for one that is not absolute, and for links that lead nowhere. */
struct err *host_path(const struct find_opts *opts, const char *path, struct arena *arena, const char **ret) MUST_CHECK;

/* What a path map makes of the path; NULL: none of them fits. */
const char *host_path_mapped(const struct find_opts *opts, const char *path, struct arena *arena);

/* The path without "//", "." and "..": nothing is climbed, so that what is joined in front of it stays in front. Links
 * are not asked, for the folders may be of another host. */
const char *host_path_clean(const char *path, struct arena *arena);

/* The folder without slashes at its end. */
const char *host_path_trim(const char *folder, struct arena *arena);

/* The path below the folder, with one slash between them. */
const char *host_path_join(struct arena *arena, const char *folder, const char *path);

/* All before the last slash; "": nothing is. */
const char *host_path_folder(const char *path, struct arena *arena);

/* A folder and the rules by which files in it are opened. */
struct host_place {
	const struct find_opts *opts;
	const char *folder; /* absolute, without a slash at its end */
};

/* The folder of a file whose path on the host is known: below the sysroot when it lies there, else one that the user
 * named himself, as the program argument. */
bool host_place_of(const struct find_opts *opts, const char *real_path, struct arena *arena, struct host_place *ret);
bool host_place_is(const struct host_place *a, const struct host_place *b);
