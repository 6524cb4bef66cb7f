#include "symbolize/image.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct scan image_scan(const struct image *image, struct piece piece, uint64_t offset)
{
	struct scan in = {.is_big_endian = image->is_big_endian, .is_bad = !piece.at || offset > piece.size};

	if (!in.is_bad) {
		in.at = piece.at + offset;
		in.end = piece.at + piece.size;
	}
	return in;
}

const char *image_string(const struct image *image, struct piece piece, uint64_t offset)
{
	struct scan in = image_scan(image, piece, offset);

	return scan_string(&in);
}

void image_note_damage(struct image *image, const char *what, uint64_t offset)
{
	if (image->has_damage_note)
		return;
	image->has_damage_note = true;
	diag_add(image->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED,
	         "%s: damaged debug information (%s at .debug_info+0x%llx); some functions and lines are missing",
	         image->path, what, (unsigned long long)offset);
}

bool image_spend(struct image *image, uint64_t steps, uint64_t offset)
{
	if (image->budget < steps) {
		image->budget = 0;
		image_note_damage(image, "ranges or lines without end in the unit", offset);
		return false;
	}
	image->budget -= steps;
	return true;
}

/* ---- sections ---- */

static bool section_is(const char *name, const char *wanted)
{
	if (strcmp(name, wanted) == 0)
		return true;
	return name[0] == '.' && name[1] == 'z' && strcmp(name + 2, wanted + 1) == 0;
}

typedef struct err *section_fn(struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name);

static struct err *for_each_section(struct image *image, section_fn *fn)
{
	size_t names;
	struct err *err = NULL;

	if (elf_getshdrstrndx(image->elf, &names) != 0)
		return NULL;
	for (Elf_Scn *scn = NULL; !err && (scn = elf_nextscn(image->elf, scn));) {
		GElf_Shdr shdr;
		const char *name = gelf_getshdr(scn, &shdr) ? elf_strptr(image->elf, names, shdr.sh_name) : NULL;

		if (name && shdr.sh_type != SHT_NOBITS)
			err = fn(image, scn, &shdr, name);
	}
	return err;
}

static struct err *check_expansion(const struct image *image, const char *name, uint64_t from, uint64_t to)
{
	static const uint64_t FREE = 16u << 20, MOST = (uint64_t)4 << 30;
	enum { MOST_RATIO = 200 };

	if (to <= MOST && (to <= FREE || (to - FREE) / MOST_RATIO <= from))
		return NULL;
	return err_new("%s: its section %s expands from %llu to %llu bytes, beyond the limits", image->path, name,
	               (unsigned long long)from, (unsigned long long)to);
}

/* Before libdw inflates every debug section at once. */
static struct err *check_compression(struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name)
{
	GElf_Chdr chdr;

	if (shdr->sh_flags & SHF_COMPRESSED) {
		if (!gelf_getchdr(scn, &chdr))
			return err_new("%s: expected a compression header in its section %s", image->path, name);
		if (chdr.ch_type != ELFCOMPRESS_ZLIB && section_is(name, ".debug_info"))
			return err_new("%s: expected debug sections compressed by zlib, found type %u", image->path,
			               (unsigned)chdr.ch_type);
		return check_expansion(image, name, shdr->sh_size, chdr.ch_size);
	}
	if (strncmp(name, ".zdebug", 7) != 0)
		return NULL;
	/* GNU's older form: "ZLIB" and the size as 8 bytes, big-endian. */
	Elf_Data *data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || data->d_size < 12)
		return NULL;
	const uint8_t *bytes = data->d_buf;
	struct scan in = {.at = bytes + 4, .end = bytes + 12, .is_big_endian = true};
	return check_expansion(image, name, shdr->sh_size, scan_fixed(&in, 8));
}

static struct err *take_section(struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name)
{
	const struct {
		const char *name;
		struct piece *piece;
	} WANTED[] = {
		{".debug_info", &image->info},         {".debug_abbrev", &image->abbrev}, {".debug_line", &image->line},
		{".debug_line_str", &image->line_str}, {".debug_str", &image->str},       {".debug_ranges", &image->ranges},
		{".debug_rnglists", &image->rnglists}, {".debug_addr", &image->addr},
	};

	if (shdr->sh_flags & (SHF_GROUP | SHF_COMPRESSED)) /* still compressed: it could not be inflated */
		return NULL;
	for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
		if (WANTED[i].piece->at || !section_is(name, WANTED[i].name))
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			*WANTED[i].piece = (struct piece){data->d_buf, data->d_size};
	}
	return NULL;
}

/* libdw 0.188 trusts the last string of a section to end, and lets an index point just behind it. */
static void end_strings(Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);

	if (!data || !data->d_buf || data->d_size == 0)
		return;
	((char *)data->d_buf)[data->d_size - 1] = '\0';
	data->d_size--;
}

/* When no alternate file is set, libdw opens by itself what this section names, with a plain open(). */
static void hide(Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);

	if (data)
		data->d_size = 0;
}

static struct err *tame_section(struct image *image, Elf_Scn *scn, const GElf_Shdr *shdr, const char *name)
{
	image->zero_is_code |=
		(shdr->sh_flags & SHF_EXECINSTR) && (shdr->sh_flags & SHF_ALLOC) && shdr->sh_addr == 0 && shdr->sh_size > 0;
	if (section_is(name, ".debug_str") || section_is(name, ".debug_line_str"))
		end_strings(scn);
	else if (strstr(name, "gnu_debugaltlink"))
		hide(scn);
	return NULL;
}

static uint64_t count_abbreviations(const struct image *image, uint64_t offset, uint64_t most)
{
	struct scan in = image_scan(image, image->abbrev, offset);
	uint64_t n = 0;

	while (n <= most && scan_uleb(&in) != 0) {
		uint64_t name, form;

		n++;
		scan_uleb(&in);    /* its tag */
		scan_skip(&in, 1); /* whether it has children */
		do {
			name = scan_uleb(&in);
			form = scan_uleb(&in);
			if (form == DW_FORM_implicit_const)
				scan_sleb(&in);
		} while ((name || form) && !in.is_bad);
	}
	return n;
}

/* libdw copies the whole abbreviation table for each unit: many small units that share a large one cost n * m.
 * Compilers write no more abbreviations than DIEs; dwz lets units share tables, but not small ones. */
static struct err *check_units(const struct image *image)
{
	enum { BYTES_OF_UNIT = 32, BYTES_OF_ABBREVIATION = 4, FREE = 1 << 20 };
	uint64_t most = FREE + image->info.size / BYTES_OF_ABBREVIATION, n = 0, n_units = 0;
	uint64_t last_offset = UINT64_MAX, last_count = 0;
	Dwarf_Off offset = 0, next, abbrev_offset = 0;
	size_t head_bytes;

	for (; dwarf_next_unit(image->dwarf, offset, &next, &head_bytes, NULL, &abbrev_offset, NULL, NULL, NULL, NULL) == 0;
	     offset = next) {
		if (abbrev_offset != last_offset)
			last_count = count_abbreviations(image, abbrev_offset, most - n);
		last_offset = abbrev_offset;
		n += last_count;
		if (n > most || ++n_units > FREE / BYTES_OF_UNIT + image->info.size / BYTES_OF_UNIT)
			return err_new("%s: expected as many units and abbreviations as its .debug_info has room for", image->path);
	}
	return NULL;
}

/* ---- open and close ---- */

static __attribute__((noreturn)) void out_of_memory(void)
{
	mem_alloc(SIZE_MAX, 2); /* does not return: the one place that reports it */
	abort();
}

static struct err *open_alone(struct image *image, struct object_file *file)
{
	GElf_Ehdr ehdr;

	image->path = object_path(file);
	image->elf = object_elf(file);
	image->is_big_endian = gelf_getehdr(image->elf, &ehdr) && ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	struct err *err = for_each_section(image, check_compression);
	if (err)
		return err;
	image->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
	if (!image->dwarf)
		return err_new("%s: expected DWARF: %s", image->path, dwarf_errmsg(-1));
	dwarf_new_oom_handler(image->dwarf, out_of_memory);
	for_each_section(image, take_section);
	if (!image->info.at)
		return err_new("%s: expected a section .debug_info that can be inflated", image->path);
	return check_units(image);
}

static struct err *open_alternate_file(struct image *image, int fd, const char *path, const char *build_id)
{
	struct err *err = object_open(fd, path, &image->alternate_file);

	if (err)
		return err;
	const char *found = object_build_id(image->alternate_file);
	if (found && strcmp(found, build_id) != 0)
		return err_new("%s: expected build id %s, found %s", path, build_id, found);
	return open_alone(image->alternate, image->alternate_file);
}

static bool find_and_open_alternate(struct image *image, const char *name, const char *build_id,
                                    const struct find_opts *opts, struct arena *arena)
{
	const char *path;
	int fd;

	if (!find_alternate_file(opts, image->path, name, build_id, arena, image->diag, &path, &fd))
		return false;
	image->alternate = arena_alloc(arena, 1, sizeof *image->alternate);
	struct err *err = open_alternate_file(image, fd, path, build_id);
	if (!err)
		return true;
	diag_add(image->diag, NOTE_DETAIL, NOTE_PLAIN, "no dwz file: %s", err_text(err));
	err_free(err);
	return false;
}

/* Before the sections are tamed: that hides the link to the alternate file from libdw, and so from here. */
static void open_alternate(struct image *image, const struct find_opts *opts, struct arena *arena)
{
	enum { MOST_ID = 64 };
	const char *name;
	const void *id;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(image->dwarf, &name, &id);
	const char *build_id = n > 0 && n <= MOST_ID ? object_hex(arena, id, (size_t)n) : "";

	if (n <= 0)
		return;
	if (find_and_open_alternate(image, name, build_id, opts, arena)) {
		for_each_section(image->alternate, tame_section);
		dwarf_setalt(image->dwarf, image->alternate->dwarf);
		return;
	}
	diag_add(image->diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s: its dwz file %s was not found; some names are missing",
	         image->path, name);
}

struct err *image_open(struct image *image, struct object_file *file, const struct find_opts *opts, struct diag *diag,
                       struct arena *arena)
{
	image->diag = diag;
	struct err *err = open_alone(image, file);
	if (err)
		return err;
	open_alternate(image, opts, arena);
	for_each_section(image, tame_section);
	return NULL;
}

void image_close(struct image *image)
{
	dwarf_end(image->dwarf);
	if (image->alternate)
		dwarf_end(image->alternate->dwarf);
	object_close(image->alternate_file);
}
