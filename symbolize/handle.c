#include "symbolize/handle.h"

#include <stdlib.h>
#include <string.h>

/* libdw opens ELF files only, and inflates all that is in one by itself. So it gets an ELF file in memory whose sections
 * have no bytes, and is shown the image's bytes as theirs. */

enum { BYTES_OF_SECTION = 1 }; /* libelf gives no data for an empty one */

struct shell {
	uint8_t *at;
	size_t n;
	bool is_64, is_big_endian;
};

static void put(struct shell *shell, uint64_t value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		shell->at[shell->n + (shell->is_big_endian ? n - 1 - i : i)] = (uint8_t)(value >> 8 * i);
	shell->n += n;
}

/* A field that is as wide as the class. */
static void put_wide(struct shell *shell, uint64_t value)
{
	put(shell, value, shell->is_64 ? 8 : 4);
}

static void put_header(struct shell *shell, uint64_t table_offset, unsigned n_sections)
{
	const uint8_t ident[EI_NIDENT] = {ELFMAG0,
	                                  ELFMAG1,
	                                  ELFMAG2,
	                                  ELFMAG3,
	                                  shell->is_64 ? ELFCLASS64 : ELFCLASS32,
	                                  shell->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB,
	                                  EV_CURRENT};

	memcpy(shell->at, ident, sizeof ident);
	shell->n = sizeof ident;
	put(shell, ET_EXEC, 2);
	put(shell, EM_NONE, 2);
	put(shell, EV_CURRENT, 4);
	put_wide(shell, 0);            /* entry */
	put_wide(shell, 0);            /* segments */
	put_wide(shell, table_offset); /* sections */
	put(shell, 0, 4);              /* flags */
	put(shell, shell->is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
	put(shell, 0, 2);
	put(shell, 0, 2);
	put(shell, shell->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	put(shell, n_sections, 2);
	put(shell, n_sections - 1, 2); /* the one of names is last */
}

static void put_section(struct shell *shell, uint64_t name, uint64_t type, uint64_t offset, uint64_t n_bytes)
{
	put(shell, name, 4);
	put(shell, type, 4);
	put_wide(shell, 0); /* flags */
	put_wide(shell, 0); /* address */
	put_wide(shell, offset);
	put_wide(shell, n_bytes);
	put(shell, 0, 4);   /* link */
	put(shell, 0, 4);   /* info */
	put_wide(shell, 1); /* alignment */
	put_wide(shell, 0); /* size of entries */
}

/* The pieces that libdw reads, or wants to be there when it reads an offset into them; by their plain names, split or not.
 * Not the index of a package, out of which they are cut already. */
enum { N_SHOWN = PIECE_CU_INDEX, N_SECTIONS = N_SHOWN + 2, BYTES_OF_NAMES = 192 };

static struct shell make_shell(const struct image *image)
{
	struct shell shell = {.is_64 = image->is_64, .is_big_endian = image->is_big_endian};
	size_t names_at = sizeof(Elf64_Ehdr), table_at = names_at + BYTES_OF_NAMES, name = 1;
	char *names;

	shell.at = mem_zalloc(table_at + N_SECTIONS * sizeof(Elf64_Shdr), 1);
	names = (char *)shell.at + names_at;
	put_header(&shell, table_at, N_SECTIONS);
	shell.n = table_at;
	put_section(&shell, 0, SHT_NULL, 0, 0);
	for (size_t i = 0; i < N_SHOWN; i++) {
		size_t n = strlen(PIECE_NAMES[i]) + 1;

		memcpy(names + name, PIECE_NAMES[i], n);
		put_section(&shell, name, SHT_PROGBITS, names_at, BYTES_OF_SECTION);
		name += n;
	}
	put_section(&shell, 0, SHT_STRTAB, names_at, BYTES_OF_NAMES);
	return shell;
}

/* libelf keeps one Elf_Data a section, which libdw is given too. */
static void show_pieces(struct handle *handle, const struct image *image)
{
	for (size_t i = 0; i < N_SHOWN; i++) {
		Elf_Data *data = elf_getdata(elf_getscn(handle->elf, i + 1), NULL);
		const struct piece *piece = &image->pieces[i];

		/* libdw takes no file without .debug_info: that of strings alone keeps the byte of the shell, which is no unit. */
		if (!data || (!piece->at && i == PIECE_INFO))
			continue;
		/* libdw only reads them. */
		data->d_buf = (void *)(uintptr_t)piece->at;
		data->d_size = piece->size;
	}
}

struct err *handle_open(struct handle *handle, const struct image *image)
{
	struct shell shell = make_shell(image);

	handle->shell = shell.at;
	handle->elf = elf_memory((char *)shell.at, shell.n);
	if (handle->elf) {
		show_pieces(handle, image);
		handle->dwarf = dwarf_begin_elf(handle->elf, DWARF_C_READ, NULL);
	}
	if (!handle->dwarf)
		return err_new("%s: expected DWARF: %s", image->path, dwarf_errmsg(-1));
	dwarf_new_oom_handler(handle->dwarf, mem_exhausted);
	return NULL;
}

void handle_close(struct handle *handle)
{
	dwarf_end(handle->dwarf);
	elf_end(handle->elf);
	free(handle->shell);
}

void handle_set_alternate(struct handle *handle, const struct handle *alternate)
{
	dwarf_setalt(handle->dwarf, alternate->dwarf);
}
