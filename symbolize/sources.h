/* The table of files of a unit's line program, and the paths that its numbers stand for. */
#pragma once

#include "analyze/base/index.h"

struct sources {
	unsigned version;   /* of the line table: says how it numbers its files and folders */
	const char *folder; /* DW_AT_comp_dir, or "" */
	const char **folders;
	struct source *files;
	uint32_t n_folders, cap_folders, n_files, cap_files;
	/* All paths that were asked for, each once, in the arena. */
	struct arena *arena;
	struct index path_index;
	const char **paths;
	uint32_t n_paths, cap_paths;
};

/* From zeroed ones; paths are put into the arena. */
void sources_init(struct sources *sources, struct arena *arena);
void sources_free(struct sources *sources);

/* Begins the table of another unit. Names are not copied: they and the folder must outlive the table. Those beyond the
 * largest table are dropped. */
void sources_clear(struct sources *sources, const char *folder);
void sources_add_folder(struct sources *sources, const char *name);
void sources_add_file(struct sources *sources, const char *name, uint64_t folder);

/* The path of a file of the table, by the number that line rows and DW_AT_call_file use; NULL: none. Absolute where the
 * unit says enough, without "." and ".."; outlives the table. Made when it is first asked for. */
const char *sources_path(struct sources *sources, uint64_t number);
