/* Files: whole files read into memory, and the rules for opening what a profile names. */
#pragma once

#include "analyze/base/err.h"

#include <stdbool.h>

struct bytes {
	uint8_t *data; /* followed by one NUL that size does not count; not to be written to */
	size_t size;
	size_t mapped; /* bytes of address space that are mapped; 0: data is malloc'd */
};

/* Reads what the user typed: a file, a pipe, a device; "-" is standard input. The caller frees with bytes_free.
 * A regular file is mapped, so that a large one costs no memory of ours; when it gets shorter in the meantime, a page
 * that is lost ends the process with SIGBUS, and file_mapped_at says which file it was. */
struct err *file_read(const char *path, struct bytes *ret) MUST_CHECK;
/* Says of the first bytes of a pipe or a device whether the rest is worth reading. */
typedef bool file_known_fn(const uint8_t *head, size_t size);
/* The same, but a device may never end: of what is not known by its first 16 MB, no more is read. */
struct err *file_read_known(const char *path, file_known_fn *is_known, struct bytes *ret) MUST_CHECK;
void bytes_free(struct bytes *bytes);
/* What messages call it: "(standard input)" for "-", else the path. */
const char *file_shown(const char *path);

/* The printable name of the file that is mapped there; NULL: none is. For a signal handler: it takes no lock and
 * allocates nothing, whatever other threads map and free. */
const char *file_mapped_at(const void *address);

/* Reads a regular file of at most so many bytes; the rules are those of file_open_regular. */
struct err *file_read_regular(const char *path, size_t most, struct bytes *ret) MUST_CHECK;

/* Opens a file that a profile or an ELF file names: only regular files, never below /proc or /sys, and without
 * waiting on a FIFO. The error says what it is instead. The caller closes *fd_ret. */
struct err *file_open_regular(const char *path, int *fd_ret) MUST_CHECK;

/* Reads an open file to its end, or so many bytes: their number, fewer where an error ended it. */
size_t file_read_open(int fd, void *data, size_t size);
/* False: errno says why not all was written. Waits where the descriptor does not block. */
bool file_write_all(int fd, const void *data, size_t size) MUST_CHECK;

/* The tool's folder of one kind: "pprof" in the folder that the variable names (XDG_CONFIG_HOME), else in this one of the
 * user's home (".config"). NULL: neither is an absolute path. */
const char *file_user_folder(const char *variable, const char *in_home, struct arena *arena);
bool file_is_folder(const char *path);

/* True when the bytes begin as an ELF file does. */
bool bytes_are_elf(const uint8_t *data, size_t size);
/* True when the path can be read and begins as an ELF file does; never waits on a FIFO. */
bool file_is_elf(const char *path);

/* True when the file's name says that it is a shared library: libx.so, libx.so.1. */
bool file_is_library(const char *path);
/* The part after the last slash. */
const char *file_base(const char *path);
