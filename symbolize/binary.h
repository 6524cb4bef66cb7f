/* The file of an object of the map, and its debug file: found, opened, and held against what the profile says. */
#pragma once

#include "symbolize/find.h"
#include "symbolize/object.h"

struct binary {
	/* What the caller says; all of it outlives the binary. */
	const char *path; /* as the map names it, or the program as the user typed it; NULL: there is no file to look in */
	const char *build_id; /* that the file must have, as object_hex has it, if it has one; NULL: not known */
	bool is_program;      /* path is the user's, outside any sysroot */
	/* What the map has of its code, in the file; 0 bytes: not known. It places addresses where only a debug file is. */
	uint64_t code_offset, code_n_bytes;
	const struct find_opts *find;
	struct arena *arena; /* for the texts below */

	/* What it finds. */
	struct diag diag;
	const char *path_used;            /* NULL: none */
	const char *used_build_id;        /* of the file there; NULL: none */
	const char *problem;              /* why no file is used; NULL: there is one, or nothing was asked */
	bool is_missing;                  /* the problem: nothing has that path */
	bool is_wrong;                    /* the problem: the file is of another build */
	struct object_file *file, *debug; /* NULL: none */
	bool has_bad_debug;               /* a debug file was found that cannot be read */
};

/* A file that cannot be used is a problem of the binary; the error is for a program that the user named. */
struct err *binary_open(struct binary *binary) MUST_CHECK;
void binary_close(struct binary *binary);

/* Of an open one: where its function symbols are (those of a stripped file are in its debug file), and its DWARF
 * (NULL: it has none). */
struct object_file *binary_symbols(const struct binary *binary);
struct object_file *binary_dwarf(const struct binary *binary);

/* The link-time address of a byte of the object, as object_vaddr. */
bool binary_vaddr(const struct binary *binary, uint64_t offset, uint64_t *vaddr_ret);

/* Opens what the user named as the program, and says what is wrong with it. */
struct err *binary_check_program(const char *path) MUST_CHECK;
/* Its build id, in the arena; NULL: it has none, or it cannot be opened. */
const char *binary_program_build_id(const char *path, struct arena *arena);
