#include "symbolize/tool_id.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static void write_hex(const uint8_t *bytes, size_t n, char *ret)
{
	for (size_t i = 0; i < n && i < TOOL_ID_SIZE / 2; i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

static void search_notes(const uint8_t *at, size_t left, char *ret)
{
	ElfW(Nhdr) note;

	while (left >= sizeof note) {
		memcpy(&note, at, sizeof note);
		size_t desc = sizeof note + padded(note.n_namesz), end = desc + padded(note.n_descsz);

		if (end > left)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0)
			write_hex(at + desc, note.n_descsz, ret);
		at += end;
		left -= end;
	}
}

/* The first object that is told of is the program. */
static int search_program(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

		if (segment->p_type == PT_NOTE)
			search_notes((const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz, context);
	}
	return 1;
}

bool tool_id(char ret[TOOL_ID_SIZE])
{
	*ret = '\0';
	dl_iterate_phdr(search_program, ret);
	return *ret != '\0';
}
