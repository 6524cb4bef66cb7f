/* Split DWARF: the file (.dwo), or the package of such files (.dwp), that holds the DIEs of a skeleton unit. */
#pragma once

#include "symbolize/abbrevs.h"
#include "symbolize/binary.h"

#include <sys/types.h>

/* A .dwp file: all its sections, and the index by ids (DWARF 5, 7.3.5; GNU's version 2 before it). */
struct package {
	struct object_file *file;
	struct image image;
};

/* Into a zeroed package: finds and reads the one of the binary. False: there is none, or it cannot be used, which is a
 * note of the binary. package_close, also after false. */
bool package_open(struct package *package, struct binary *binary);
void package_close(struct package *package);

/* Where the DIEs of a skeleton unit are. */
struct split_place {
	bool is_packed;
	const char *path;              /* of the .dwo, in the arena of the binary; NULL: in the package, or not found */
	const char *name;              /* as the skeleton names it */
	dev_t device;                  /* of the .dwo: it may have several paths */
	ino_t inode;                   /* likewise */
	uint64_t n_bytes;              /* of the .dwo, or of the unit in the package */
	struct piece pieces[N_PIECES]; /* in the package */
};

/* Looks in the package (NULL: there is none), then for the file. False: it is in neither. Paths that were tried are
 * details of the binary's notes. */
bool split_find(struct unit *skeleton, const struct package *package, struct binary *binary, struct split_place *ret);

/* A unit of a split file: LTO may put all of a program into one. */
struct split_row {
	uint64_t id, offset;
	uint32_t number;
};

/* The sections and the unit that a skeleton stands for. */
struct split {
	struct object_file *file;
	struct image image;
	struct handle handle;
	struct split_row *rows; /* by id */
	uint32_t n_rows, cap_rows;
	struct unit unit;
};

/* Opens the file that split_find has found, into a zeroed split, which may not move; safe for several threads. NULL, or
 * the problem, in the arena. split_close, also after a problem. */
const char *split_open(struct split *split, const struct unit *skeleton, const struct split_place *place,
                       const struct package *package, struct arena *arena);
/* Goes to the skeleton's unit in the file that is open; place is of this file, be it by another path. NULL, or the
 * problem, likewise. */
const char *split_go_to(struct split *split, struct unit *skeleton, const struct split_place *place,
                        struct arena *arena);
void split_close(struct split *split);
