#include "symbolize/tool_id.h"

#include "symbolize/object.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

struct finder {
	struct arena *arena;
	const char *id;
};

static void search_notes(struct finder *finder, const uint8_t *at, size_t left)
{
	ElfW(Nhdr) note;

	while (left >= sizeof note) {
		memcpy(&note, at, sizeof note);
		size_t desc = sizeof note + padded(note.n_namesz), end = desc + padded(note.n_descsz);

		if (end > left)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(at + sizeof note, "GNU", 4) == 0 &&
		    note.n_descsz > 0)
			finder->id = object_hex(finder->arena, at + desc, note.n_descsz);
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
			search_notes(context, (const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr), segment->p_memsz);
	}
	return 1;
}

const char *tool_id(struct arena *arena)
{
	struct finder finder = {.arena = arena};

	dl_iterate_phdr(search_program, &finder);
	return finder.id;
}
