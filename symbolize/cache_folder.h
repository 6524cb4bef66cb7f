/* The folder of the symbol cache: who may write there, how its files are read and replaced, and how large it grows. */
#pragma once

#include "analyze/base/file.h"

#include <sys/uio.h>

enum { CACHE_LARGEST_FILE = 64 << 20 };

/* $XDG_CACHE_HOME/pprof, else $HOME/.cache/pprof; NULL: neither is an absolute path. */
const char *cache_folder_default(struct arena *arena);

/* The name of a file in it: BUILDID.v1. NULL: not the 3 to 128 lower-case hex digits of a build id. */
const char *cache_folder_name(const char *build_id, struct arena *arena);

/* Reads a file into memory, for one that is mapped may be cut under our feet. Folder and file must be this user's, and no
 * other may write to them; the file is a regular one of at most CACHE_LARGEST_FILE bytes, and no link. The caller frees
 * *ret. */
struct err *cache_folder_read(const char *folder, const char *name, struct bytes *ret) MUST_CHECK;

/* Writes the pieces beside the file and renames: a reader finds the old file or the new one, and after an error nothing
 * new lies there. Makes the folder and the one that it lies in (0700). Then the oldest files go until those of the
 * folder have 512 MB at most, and what writers left behind that were killed. Safe for several processes and threads. */
struct err *cache_folder_write(const char *folder, const char *name, const struct iovec *pieces,
                               unsigned n_pieces) MUST_CHECK;
