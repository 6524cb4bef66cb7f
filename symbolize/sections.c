#include "symbolize/sections.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

bool strings_read(Elf_Scn *scn, struct strings *ret)
{
	GElf_Shdr shdr;

	if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_STRTAB || (shdr.sh_flags & SHF_COMPRESSED))
		return false;
	const Elf_Data *data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size == 0)
		return false;
	*ret = (struct strings){data->d_buf, data->d_size};
	return ret->at[ret->size - 1] == '\0';
}

const char *strings_at(const struct strings *strings, uint64_t offset)
{
	return offset < strings->size ? strings->at + offset : "";
}

static struct err *add_section(struct sections *sections, Elf_Scn *scn, const struct strings *names, const char *path)
{
	struct section *section = &sections->at[sections->n++];
	GElf_Shdr shdr;

	*section = (struct section){.name = ""};
	if (!gelf_getshdr(scn, &shdr))
		return err_new("%s: expected an ELF file: %s", path, elf_errmsg(-1));
	*section = (struct section){
		.name = strings_at(names, shdr.sh_name),
		.offset = shdr.sh_offset,
		.size = shdr.sh_size,
		.vaddr = shdr.sh_addr,
		.type = shdr.sh_type,
		.is_code = (shdr.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR),
		.is_compressed = shdr.sh_flags & SHF_COMPRESSED,
	};
	return NULL;
}

struct err *sections_read(struct sections *sections, Elf *elf, const char *path)
{
	struct strings names = {"", 1};
	size_t n = 0, names_index;
	Elf_Scn *scn = NULL;

	sections->elf = elf;
	if (elf_getshdrnum(elf, &n) != 0 || n == 0)
		return NULL;
	/* libdw looks names up one by one, and each costs the length of a table that has no NUL at its end. */
	if (elf_getshdrstrndx(elf, &names_index) != 0 ||
	    (names_index != SHN_UNDEF && !strings_read(elf_getscn(elf, names_index), &names)))
		return err_new("%s: expected a table of section names that ends with a NUL", path);
	sections->at = mem_alloc(n, sizeof *sections->at);
	sections->at[sections->n++] = (struct section){.name = ""}; /* number 0 is none */
	while (sections->n < n && (scn = elf_nextscn(elf, scn))) {
		struct err *err = add_section(sections, scn, &names, path);
		if (err)
			return err;
	}
	return NULL;
}

void sections_free(struct sections *sections)
{
	free(sections->at);
}

Elf_Scn *sections_named(const struct sections *sections, const char *name)
{
	for (uint32_t i = 1; i < sections->n; i++)
		if (sections->at[i].type != SHT_NOBITS && strcmp(sections->at[i].name, name) == 0)
			return elf_getscn(sections->elf, i);
	return NULL;
}

uint32_t sections_of_type(const struct sections *sections, uint32_t type)
{
	for (uint32_t i = 1; i < sections->n; i++)
		if (sections->at[i].type == type && sections->at[i].size > 0)
			return i;
	return 0;
}
