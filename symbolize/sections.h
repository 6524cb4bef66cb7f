/* The sections of an ELF file: their names, addresses and tables of strings. */
#pragma once

#include "analyze/base/err.h"

#include <libelf.h>
#include <stdbool.h>

struct section {
	const char *name;
	uint64_t offset, size; /* size is of memory */
	uint64_t vaddr;
	uint32_t type;
	bool is_code;
	bool is_compressed; /* SHF_COMPRESSED */
};

/* at[0] is none; n is 0 in a file without sections. Texts belong to the Elf. */
struct sections {
	Elf *elf;
	struct section *at;
	uint32_t n;
};

/* The error names path. sections_free, also after an error. */
struct err *sections_read(struct sections *sections, Elf *elf, const char *path) MUST_CHECK;
void sections_free(struct sections *sections);

/* The section with this name that has bytes in the file; NULL: none. */
Elf_Scn *sections_named(const struct sections *sections, const char *name);

/* The number of the first section of this type that is not empty; 0: none. */
uint32_t sections_of_type(const struct sections *sections, uint32_t type);

/* A table of strings that ends with a NUL, so that each offset in it is a string. */
struct strings {
	const char *at;
	size_t size;
};

/* False: this is no such table. */
bool strings_read(Elf_Scn *scn, struct strings *ret);

/* "" when the offset lies behind the table. */
const char *strings_at(const struct strings *strings, uint64_t offset);
