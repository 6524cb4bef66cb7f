#include "symbolize/object.h"
#include "analyze/base/file.h"
#include "symbolize/unpack.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct object_file {
	struct arena *arena;
	const char *path;
	int fd;
	struct bytes memory; /* with data: it stands there, and fd is -1 */
	Elf *elf;
	uint64_t n_bytes;
	int64_t time_nanos;
	uint16_t machine;
	bool is_64, is_big_endian, has_little_code;
	struct segment *segments;
	uint32_t n_segments;
	struct sections sections;
	struct symbols *symbols; /* NULL: nobody has asked yet */
	const char *build_id, *debuglink;
	uint32_t debuglink_crc;
	struct object_file *mini; /* in .gnu_debugdata; NULL: none */
	const char *mini_problem; /* NULL: none */
	const char *read_problem; /* of what was read after it was opened; NULL: none */
};

/* ---- the header, before libelf sees it ---- */

/* libelf allocates by the counts in the header as it opens a file, and names no reason when a table is cut. */
struct head {
	bool is_64, is_big_endian;
	uint64_t phoff, shoff;
	uint64_t phentsize, phnum, shentsize, shnum;
};

static uint64_t field(const struct head *head, const uint8_t *at, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++)
		value = value << 8 | at[head->is_big_endian ? i : n - 1 - i];
	return value;
}

static bool read_at_fd(int fd, void *buffer, size_t n, uint64_t offset)
{
	char *to = buffer;

	if (offset > INT64_MAX - n)
		return false;
	/* One call gives 2 GB at most. */
	while (n > 0) {
		ssize_t got = pread(fd, to, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

bool object_read(const struct object_file *file, uint64_t offset, void *buffer, size_t n)
{
	if (!file->memory.data)
		return read_at_fd(file->fd, buffer, n, offset);
	if (offset > file->memory.size || n > file->memory.size - offset)
		return false;
	memcpy(buffer, file->memory.data + offset, n);
	return true;
}

static bool read_counts_of_section_0(const struct object_file *file, struct head *head)
{
	uint8_t bytes[sizeof(Elf64_Shdr)];
	size_t n = head->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (head->shoff == 0 || (head->shnum != 0 && head->phnum != PN_XNUM))
		return true;
	if (!object_read(file, head->shoff, bytes, n))
		return false;
	if (head->shnum == 0)
		head->shnum = head->is_64 ? field(head, bytes + offsetof(Elf64_Shdr, sh_size), 8)
		                          : field(head, bytes + offsetof(Elf32_Shdr, sh_size), 4);
	if (head->phnum == PN_XNUM)
		head->phnum =
			field(head, bytes + (head->is_64 ? offsetof(Elf64_Shdr, sh_info) : offsetof(Elf32_Shdr, sh_info)), 4);
	return true;
}

static bool read_head(const struct object_file *file, struct head *head)
{
	uint8_t b[sizeof(Elf64_Ehdr)] = {0};

	if (!object_read(file, 0, b, sizeof(Elf32_Ehdr)) || !bytes_are_elf(b, sizeof b))
		return false;
	head->is_64 = b[EI_CLASS] == ELFCLASS64;
	head->is_big_endian = b[EI_DATA] == ELFDATA2MSB;
	if ((!head->is_64 && b[EI_CLASS] != ELFCLASS32) || (!head->is_big_endian && b[EI_DATA] != ELFDATA2LSB))
		return false;
	if (head->is_64 && !object_read(file, 0, b, sizeof(Elf64_Ehdr)))
		return false;
#define FIELD(name, n) field(head, b + (head->is_64 ? offsetof(Elf64_Ehdr, name) : offsetof(Elf32_Ehdr, name)), n)
	head->phoff = FIELD(e_phoff, head->is_64 ? 8 : 4);
	head->shoff = FIELD(e_shoff, head->is_64 ? 8 : 4);
	head->phentsize = FIELD(e_phentsize, 2);
	head->phnum = FIELD(e_phnum, 2);
	head->shentsize = FIELD(e_shentsize, 2);
	head->shnum = FIELD(e_shnum, 2);
#undef FIELD
	return true;
}

static struct err *check_range(const struct object_file *file, const char *what, uint64_t offset, uint64_t n_bytes)
{
	uint64_t end;

	if (__builtin_add_overflow(offset, n_bytes, &end))
		end = UINT64_MAX;
	if (end <= file->n_bytes)
		return NULL;
	return err_new("%s: expected a whole ELF file, its %s ends at %llu but the file at %llu", file->path, what,
	               (unsigned long long)end, (unsigned long long)file->n_bytes);
}

static struct err *check_table(const struct object_file *file, const char *what, uint64_t offset, uint64_t n,
                               uint64_t entry_size, size_t expected_size)
{
	if (n == 0)
		return NULL;
	if (entry_size != expected_size)
		return err_new("%s: expected entries of %zu bytes in its %s, found %llu", file->path, expected_size, what,
		               (unsigned long long)entry_size);
	return check_range(file, what, offset, n > UINT64_MAX / entry_size ? UINT64_MAX : n * entry_size);
}

static struct err *check_head(const struct object_file *file)
{
	struct head head = {0};

	if (!read_head(file, &head))
		return err_new("%s: expected an ELF file", file->path);
	struct err *err = check_range(file, "section table", head.shoff, 0);
	if (err)
		return err;
	if (!read_counts_of_section_0(file, &head))
		return check_range(file, "section table", head.shoff, sizeof(Elf32_Shdr));
	if (head.shoff != 0)
		err = check_table(file, "section table", head.shoff, head.shnum, head.shentsize,
		                  head.is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	if (!err)
		err = check_table(file, "segment table", head.phoff, head.phnum, head.phentsize,
		                  head.is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	return err;
}

/* ---- segments and sections ---- */

static void read_segments(struct object_file *file)
{
	size_t n = 0;

	if (elf_getphdrnum(file->elf, &n) != 0)
		return;
	file->segments = mem_alloc(n, sizeof *file->segments);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(file->elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		file->segments[file->n_segments++] = (struct segment){
			.offset = phdr.p_offset,
			.n_bytes = phdr.p_filesz,
			.vaddr = phdr.p_vaddr,
			.n_memory = phdr.p_memsz,
			.is_code = phdr.p_flags & PF_X,
		};
	}
}

static struct err *read_sections(struct object_file *file)
{
	struct err *err = sections_read(&file->sections, file->elf, file->path);

	for (uint32_t i = 1; i < file->sections.n && !err; i++) {
		const struct section *section = &file->sections.at[i];

		if (section->type != SHT_NULL && section->type != SHT_NOBITS)
			err = check_range(file, *section->name ? section->name : "section", section->offset, section->size);
	}
	return err;
}

/* In a separate debug file the segments are those of the object, whose bytes it does not hold. */
bool object_has_code(const struct object_file *file)
{
	for (uint32_t i = 0; i < file->sections.n; i++)
		if (file->sections.at[i].is_code && file->sections.at[i].type != SHT_NOBITS)
			return true;
	return file->sections.n == 0;
}

static struct err *check_segments(const struct object_file *file)
{
	struct err *err = NULL;

	if (!object_has_code(file))
		return NULL;
	for (uint32_t i = 0; i < file->n_segments && !err; i++) {
		const struct segment *segment = &file->segments[i];

		/* One of .bss alone has no bytes, and its offset may lie behind the end of the file. */
		if (segment->n_bytes > 0)
			err = check_range(file, "loadable segment", segment->offset, segment->n_bytes);
	}
	return err;
}

/* ---- build id and debuglink ---- */

enum { LONGEST_BUILD_ID = 64 }; /* bytes */

const char *object_hex(struct arena *arena, const uint8_t *bytes, size_t n)
{
	static const char DIGITS[] = "0123456789abcdef";
	char *text = arena_alloc(arena, 2 * n + 1, 1);

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = DIGITS[bytes[i] >> 4];
		text[2 * i + 1] = DIGITS[bytes[i] & 15];
	}
	return text;
}

const char *object_parse_build_id(struct arena *arena, const char *text)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");

	if (text[n] != '\0' || n == 0 || n % 2 != 0 || n / 2 > LONGEST_BUILD_ID)
		return NULL;
	char *lower = arena_strndup(arena, text, n);
	for (size_t i = 0; i < n; i++)
		if (lower[i] >= 'A' && lower[i] <= 'F')
			lower[i] += 'a' - 'A';
	return lower;
}

static void look_for_build_id(struct object_file *file, Elf_Data *data)
{
	GElf_Nhdr note;
	size_t name, desc, at = 0;

	while (data && !file->build_id && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const uint8_t *bytes = data->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
		    memcmp(bytes + name, "GNU", sizeof "GNU") == 0 && note.n_descsz > 0 && note.n_descsz <= LONGEST_BUILD_ID)
			file->build_id = object_hex(file->arena, bytes + desc, note.n_descsz);
	}
}

static void read_build_id(struct object_file *file)
{
	size_t n = 0;

	for (uint32_t i = 1; i < file->sections.n && !file->build_id; i++)
		if (file->sections.at[i].type == SHT_NOTE)
			look_for_build_id(file, elf_getdata(elf_getscn(file->elf, i), NULL));
	if (file->build_id || !object_has_code(file) || elf_getphdrnum(file->elf, &n) != 0)
		return;
	for (size_t i = 0; i < n && !file->build_id; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(file->elf, (int)i, &phdr) && phdr.p_type == PT_NOTE && phdr.p_offset <= file->n_bytes &&
		    phdr.p_filesz <= file->n_bytes - phdr.p_offset)
			look_for_build_id(file, elf_getdata_rawchunk(file->elf, (int64_t)phdr.p_offset, phdr.p_filesz,
			                                             phdr.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
	}
}

static void read_debuglink(struct object_file *file)
{
	Elf_Scn *scn = sections_named(&file->sections, ".gnu_debuglink");
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (!data || !data->d_buf)
		return;
	const char *name = data->d_buf;
	size_t n = strnlen(name, data->d_size);
	size_t crc_at = (n + 4) & ~(size_t)3; /* the NUL, then zeros up to a multiple of 4 */
	if (n == 0 || memchr(name, '/', n) || crc_at + 4 > data->d_size)
		return;
	struct head head = {.is_big_endian = file->is_big_endian};
	file->debuglink = arena_strndup(file->arena, name, n);
	file->debuglink_crc = (uint32_t)field(&head, (const uint8_t *)name + crc_at, 4);
}

/* ---- open and close ---- */

/* The instructions of aarch64 always are, and those of ARM by what is called BE8. */
static bool is_code_little(const GElf_Ehdr *ehdr)
{
	return ehdr->e_ident[EI_DATA] == ELFDATA2LSB || ehdr->e_machine == EM_AARCH64 ||
	       (ehdr->e_machine == EM_ARM && (ehdr->e_flags & EF_ARM_BE8));
}

/* libelf writes down that it was asked, and several threads open objects: so it is asked before there are any. */
__attribute__((constructor)) static void agree_on_version(void)
{
	elf_version(EV_CURRENT);
}

static struct err *read_file(struct object_file *file)
{
	GElf_Ehdr ehdr;

	file->elf = file->memory.data ? elf_memory((char *)file->memory.data, file->memory.size)
	                              : elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &ehdr))
		return err_new("%s: expected an ELF file: %s", file->path, elf_errmsg(-1));
	file->machine = ehdr.e_machine;
	file->is_64 = ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	file->is_big_endian = ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
	file->has_little_code = is_code_little(&ehdr);
	read_segments(file);
	struct err *err = read_sections(file);
	if (!err)
		err = check_segments(file);
	if (err)
		return err;
	read_build_id(file);
	read_debuglink(file);
	return NULL;
}

static int64_t nanos_of(const struct timespec *time)
{
	int64_t nanos;

	if (__builtin_mul_overflow(time->tv_sec, INT64_C(1000000000), &nanos) ||
	    __builtin_add_overflow(nanos, time->tv_nsec, &nanos))
		return 0;
	return nanos;
}

static struct object_file *new_file(const char *path, int fd)
{
	struct object_file *file = mem_zalloc(1, sizeof *file);

	file->arena = arena_new();
	file->path = arena_strndup(file->arena, path, strlen(path));
	file->fd = fd;
	return file;
}

/* libelf calls a file invalid that cannot be read, or leaves out what it holds there, so errno is 0 before. NULL: it could
 * be read. */
static struct err *read_error(const struct object_file *file)
{
	struct err *err = errno ? err_errno(file->path) : NULL;

	if (!err || err_is_unreadable(err))
		return err;
	err_free(err);
	return NULL;
}

/* Whatever is missing in a file that could not be read says nothing of the file. */
static struct err *prefer_read_error(const struct object_file *file, struct err *err)
{
	struct err *better = read_error(file);

	if (!better)
		return err;
	err_free(err);
	return better;
}

static struct err *check_and_read(struct object_file *file, struct object_file **ret)
{
	errno = 0;
	struct err *err = check_head(file);

	if (!err)
		err = read_file(file);
	err = prefer_read_error(file, err);
	if (err)
		object_close(file);
	else
		*ret = file;
	return err;
}

struct err *object_open(int fd, const char *path, struct object_file **ret)
{
	struct object_file *file = new_file(path, fd);
	struct stat st;

	if (fstat(fd, &st) < 0) {
		struct err *err = err_errno(path);
		object_close(file);
		return err;
	}
	file->n_bytes = (uint64_t)st.st_size;
	file->time_nanos = nanos_of(&st.st_mtim);
	return check_and_read(file, ret);
}

/* Takes over memory, also on failure. */
static struct err *open_in_memory(struct bytes memory, const char *path, struct object_file **ret)
{
	struct object_file *file = new_file(path, -1);

	file->memory = memory;
	file->n_bytes = memory.size;
	return check_and_read(file, ret);
}

void object_close(struct object_file *file)
{
	if (!file)
		return;
	symbols_free(file->symbols);
	object_close(file->mini);
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	bytes_free(&file->memory);
	free(file->segments);
	sections_free(&file->sections);
	arena_free(file->arena);
	free(file);
}

const char *object_path(const struct object_file *file)
{
	return file->path;
}

const struct sections *object_sections(const struct object_file *file)
{
	return &file->sections;
}

uint64_t object_bytes(const struct object_file *file)
{
	return file->n_bytes;
}

bool object_is_64(const struct object_file *file)
{
	return file->is_64;
}

bool object_is_big_endian(const struct object_file *file)
{
	return file->is_big_endian;
}

const char *object_build_id(const struct object_file *file)
{
	return file->build_id;
}

const char *object_debuglink(const struct object_file *file, uint32_t *crc_ret)
{
	*crc_ret = file->debuglink_crc;
	return file->debuglink;
}

bool object_has_dwarf(const struct object_file *file)
{
	for (uint32_t i = 1; i < file->sections.n; i++) {
		const struct section *section = &file->sections.at[i];

		if (section->type != SHT_NOBITS && section->size > 0 &&
		    (strcmp(section->name, ".debug_info") == 0 || strcmp(section->name, ".zdebug_info") == 0))
			return true;
	}
	return false;
}

bool object_has_symtab(const struct object_file *file)
{
	return sections_of_type(&file->sections, SHT_SYMTAB) != 0;
}

bool object_vaddr(const struct object_file *file, uint64_t offset, uint64_t *vaddr_ret)
{
	const struct segment *best = NULL;

	for (uint32_t i = 0; i < file->n_segments; i++) {
		const struct segment *segment = &file->segments[i];

		if (offset >= segment->offset && offset - segment->offset < segment->n_bytes &&
		    (!best || (segment->is_code && !best->is_code)))
			best = segment;
	}
	if (best)
		*vaddr_ret = best->vaddr + (offset - best->offset);
	return best != NULL;
}

/* eu-strip leaves the segments as they were; objcopy packs them anew, and says that none has bytes. */
bool object_moved_code(const struct object_file *file, uint64_t *vaddr_ret, uint64_t *n_memory_ret)
{
	const struct segment *code = NULL;

	if (object_has_code(file))
		return false;
	for (uint32_t i = 0; i < file->n_segments; i++) {
		if (!file->segments[i].is_code)
			continue;
		if (code || file->segments[i].n_bytes)
			return false;
		code = &file->segments[i];
	}
	if (!code)
		return false;
	*vaddr_ret = code->vaddr;
	*n_memory_ret = code->n_memory;
	return true;
}

static const struct segment *code_segment(const struct object_file *file, uint64_t vaddr)
{
	for (uint32_t i = 0; i < file->n_segments; i++) {
		const struct segment *segment = &file->segments[i];

		if (segment->is_code && vaddr >= segment->vaddr && vaddr - segment->vaddr < segment->n_memory)
			return segment;
	}
	return NULL;
}

bool object_has_code_at(const struct object_file *file, uint64_t vaddr)
{
	return code_segment(file, vaddr) != NULL;
}

uint16_t object_machine(const struct object_file *file)
{
	return file->machine;
}

bool object_has_little_code(const struct object_file *file)
{
	return file->has_little_code && object_has_code(file);
}

static void keep_read_error(struct object_file *file)
{
	struct err *err = read_error(file);

	if (err)
		file->read_problem = arena_strndup(file->arena, err_text(err), strlen(err_text(err)));
	err_free(err);
}

void object_note_problem(const struct object_file *file, struct diag *diag)
{
	if (file && file->read_problem)
		diag_add(diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", file->read_problem);
}

static size_t read_code(struct object_file *file, uint64_t offset, uint8_t *buffer, size_t n)
{
	errno = 0;
	if (object_read(file, offset, buffer, n))
		return n;
	keep_read_error(file);
	return 0;
}

size_t object_code_at(struct object_file *file, uint64_t vaddr, uint8_t *buffer, size_t n)
{
	const struct segment *segment = code_segment(file, vaddr);
	uint64_t at = segment ? vaddr - segment->vaddr : 0;

	if (!segment || at >= segment->n_bytes)
		return 0;
	if (n > segment->n_bytes - at)
		n = (size_t)(segment->n_bytes - at);
	return read_code(file, segment->offset + at, buffer, n);
}

size_t object_code_before(struct object_file *file, uint64_t vaddr, uint8_t *buffer, size_t n)
{
	const struct segment *segment = vaddr ? code_segment(file, vaddr - 1) : NULL;
	uint64_t end = segment ? vaddr - segment->vaddr : 0;

	if (!segment || end > segment->n_bytes)
		return 0;
	if (n > end)
		n = (size_t)end;
	return read_code(file, segment->offset + (end - n), buffer, n);
}

const struct segment *object_segments(const struct object_file *file, uint32_t *n_ret)
{
	*n_ret = file->n_segments;
	return file->segments;
}

int64_t object_time(const struct object_file *file)
{
	return file->time_nanos;
}

const char *object_alternate(struct object_file *file, struct arena *arena, const char **build_id_ret)
{
	errno = 0;
	Elf_Scn *scn = sections_named(&file->sections, ".gnu_debugaltlink");
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	keep_read_error(file);
	if (!data || !data->d_buf)
		return NULL;
	const char *name = data->d_buf;
	size_t n = strnlen(name, data->d_size), id_at = n + 1;
	if (n == 0 || n == data->d_size)
		return NULL;
	*build_id_ret = "";
	if (id_at < data->d_size && data->d_size - id_at <= LONGEST_BUILD_ID)
		*build_id_ret = object_hex(arena, (const uint8_t *)name + id_at, data->d_size - id_at);
	return arena_strndup(arena, name, n);
}

/* ---- symbols ---- */

static const char MINI_SECTION[] = ".gnu_debugdata";

static struct err *open_mini(struct object_file *file, Elf_Data *data)
{
	static const uint64_t MOST_BYTES = 256 << 20;
	struct bytes plain;
	struct err *err = unpack_xz(file->path, MINI_SECTION, data->d_buf, data->d_size, MOST_BYTES, &plain);

	if (err)
		return err;
	return open_in_memory(plain, arena_printf(file->arena, "%s: its section %s", file->path, MINI_SECTION),
	                      &file->mini);
}

static void look_for_mini(struct object_file *file)
{
	Elf_Scn *scn = object_has_symtab(file) ? NULL : sections_named(&file->sections, MINI_SECTION);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	if (!data || !data->d_buf)
		return;
	struct err *err = open_mini(file, data);
	if (err)
		file->mini_problem = arena_strndup(file->arena, err_text(err), strlen(err_text(err)));
	err_free(err);
}

static void need_symbols(struct object_file *file)
{
	if (file->symbols)
		return;
	errno = 0;
	look_for_mini(file);
	file->symbols = symbols_new(&file->sections, file->mini ? &file->mini->sections : NULL, file->machine);
	keep_read_error(file);
}

bool object_is_stripped(struct object_file *file, struct diag *diag)
{
	if (object_has_symtab(file))
		return false;
	need_symbols(file);
	if (file->mini_problem)
		diag_add(diag, NOTE_WARNING, NOTE_UNSYMBOLIZED, "%s", file->mini_problem);
	return !file->mini || !object_has_symtab(file->mini);
}

bool object_symbol(struct object_file *file, uint64_t vaddr, struct symbol *ret)
{
	need_symbols(file);
	return symbols_at(file->symbols, vaddr, ret);
}
