/* libdw over the sections of an image. A handle is for one thread: libdw 0.188 is not safe for two on one, and handles
 * over shared sections cost little. */
#pragma once

#include "symbolize/image.h"

#include <elfutils/libdw.h>

struct handle {
	Elf *elf;
	Dwarf *dwarf;
	uint8_t *shell; /* an ELF file of section headers alone */
};

/* Into a zeroed handle. The image is loaded and outlives it. The error names the image's file. handle_close, also after
 * an error. */
struct err *handle_open(struct handle *handle, const struct image *image) MUST_CHECK;
void handle_close(struct handle *handle);

/* Where the dwz forms lead; before any of them is asked for. alternate outlives handle. */
void handle_set_alternate(struct handle *handle, const struct handle *alternate);
