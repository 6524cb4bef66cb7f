/* The function symbols of an ELF file, as ranges of addresses that do not overlap. */
#pragma once

#include "symbolize/sections.h"

struct symbols;

struct symbol {
	const char *name; /* mangled; belongs to the file */
	uint64_t vaddr, size;
};

/* Reads and sorts .symtab, or else .dynsym, and with them the .symtab of the mini debug info (NULL: none), which leaves
 * out what .dynsym has; a damaged table gives no symbols. machine is the ELF header's. Both sections must outlive the
 * symbols. */
struct symbols *symbols_new(const struct sections *sections, const struct sections *mini, uint16_t machine);
void symbols_free(struct symbols *symbols);

/* The symbol that covers vaddr, by the rules of object_symbol. */
bool symbols_at(const struct symbols *symbols, uint64_t vaddr, struct symbol *ret);
