/* DWARF alone, in an ELF file that is well: a byte that says which kind of ELF file, addresses of 32 bits that are asked
 * for, and then the sections in the order of PIECE_NAMES, with MARK before each. So what grows or shrinks in one section
 * moves no other. */
#include "symbolize/image.h"
#include "testdata/fuzz/fuzz_elf.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VADDRS = 32, N_SECTIONS = N_PIECES + 2 }; /* with the NULL section and .shstrtab */

static const char MARK[] = {'\xf7', 'S', 'E', 'C'};
static const char SHSTRTAB[] = ".shstrtab";

/* ---- the file that is made of it ---- */

struct file {
	uint8_t *bytes;
	size_t size;
	bool is_64, is_big_endian;
};

static void put_bytes(struct file *file, const void *bytes, size_t n)
{
	if (n)
		memcpy(file->bytes + file->size, bytes, n);
	file->size += n;
}

static void put(struct file *file, uint64_t value, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		file->bytes[file->size++] = (uint8_t)(value >> 8 * (file->is_big_endian ? n - 1 - i : i));
}

static void put_word(struct file *file, uint64_t value)
{
	put(file, value, file->is_64 ? 8 : 4);
}

static size_t header_size(const struct file *file)
{
	return file->is_64 ? 64 : 52;
}

static size_t segment_size(const struct file *file)
{
	return file->is_64 ? 56 : 32;
}

static size_t section_size(const struct file *file)
{
	return file->is_64 ? 64 : 40;
}

static void put_header(struct file *file, size_t sections_at)
{
	put_bytes(file,
	          "\x7f"
	          "ELF",
	          4);
	put(file, file->is_64 ? 2 : 1, 1);
	put(file, file->is_big_endian ? 2 : 1, 1);
	put(file, 1, 1);
	file->size += 9;
	put(file, 2, 2);                    /* ET_EXEC */
	put(file, file->is_64 ? 62 : 3, 2); /* EM_X86_64, EM_386 */
	put(file, 1, 4);
	put_word(file, 0);
	put_word(file, header_size(file));
	put_word(file, sections_at);
	put(file, 0, 4);
	put(file, header_size(file), 2);
	put(file, segment_size(file), 2);
	put(file, 1, 2);
	put(file, section_size(file), 2);
	put(file, N_SECTIONS, 2);
	put(file, N_SECTIONS - 1, 2);
}

/* Any address but those near 0 lies in its code. */
static void put_segment(struct file *file)
{
	put(file, 1, 4); /* PT_LOAD */
	if (file->is_64)
		put(file, 5, 4);
	put_word(file, 0);
	put_word(file, 0x1000);
	put_word(file, 0x1000);
	put_word(file, header_size(file));
	put_word(file, 0xffff0000);
	if (!file->is_64)
		put(file, 5, 4);
	put_word(file, 0x1000);
}

struct content {
	const uint8_t *at;
	size_t size;
};

static void put_section(struct file *file, size_t name, unsigned type, size_t offset, size_t size)
{
	put(file, name, 4);
	put(file, type, 4);
	put_word(file, 0);
	put_word(file, 0);
	put_word(file, offset);
	put_word(file, size);
	put(file, 0, 8);
	put_word(file, 1);
	put_word(file, 0);
}

static void put_names(struct file *file)
{
	put(file, 0, 1);
	for (size_t i = 0; i < N_PIECES; i++)
		put_bytes(file, PIECE_NAMES[i], strlen(PIECE_NAMES[i]) + 1);
	put_bytes(file, SHSTRTAB, sizeof SHSTRTAB);
}

static void put_sections(struct file *file, const struct content *contents, size_t offset, size_t names_at)
{
	size_t name = 1;

	file->size += section_size(file);
	for (size_t i = 0; i < N_PIECES; i++) {
		put_section(file, name, 1, offset, contents[i].size); /* SHT_PROGBITS */
		offset += contents[i].size;
		name += strlen(PIECE_NAMES[i]) + 1;
	}
	put_section(file, name, 3, names_at, name + sizeof SHSTRTAB); /* SHT_STRTAB */
}

static void put_file(struct file *file, const struct content *contents, size_t n_bytes)
{
	size_t start = header_size(file) + segment_size(file), names_at = start + n_bytes, n_names = 1 + sizeof SHSTRTAB;

	for (size_t i = 0; i < N_PIECES; i++)
		n_names += strlen(PIECE_NAMES[i]) + 1;
	put_header(file, (names_at + n_names + 7) & ~(size_t)7);
	put_segment(file);
	for (size_t i = 0; i < N_PIECES; i++)
		put_bytes(file, contents[i].at, contents[i].size);
	put_names(file);
	file->size = (file->size + 7) & ~(size_t)7;
	put_sections(file, contents, start, names_at);
}

/* ---- the input ---- */

static struct content next_content(struct content *rest)
{
	const uint8_t *end = rest->size ? memmem(rest->at, rest->size, MARK, sizeof MARK) : NULL;
	struct content content = {rest->at, end ? (size_t)(end - rest->at) : rest->size};
	size_t taken = content.size + (end ? sizeof MARK : 0);

	*rest = (struct content){rest->at + taken, rest->size - taken};
	return content;
}

static uint32_t read_vaddrs(const struct content *from, uint64_t *ret)
{
	uint32_t n = 0;

	for (size_t at = 1; at + 4 <= from->size && n < MOST_VADDRS; at += 4)
		ret[n++] = (uint32_t)from->at[at] | (uint32_t)from->at[at + 1] << 8 | (uint32_t)from->at[at + 2] << 16 |
		           (uint32_t)from->at[at + 3] << 24;
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct content rest = {data, size}, head = next_content(&rest), contents[N_PIECES];
	uint64_t vaddrs[MOST_VADDRS];
	struct file file = {.bytes = mem_zalloc(size + 4096, 1)};

	if (head.size) {
		file.is_64 = !(head.at[0] & 1);
		file.is_big_endian = head.at[0] & 2;
	}
	for (size_t i = 0; i < N_PIECES; i++)
		contents[i] = next_content(&rest);
	size_t n_bytes = 0;
	for (size_t i = 0; i < N_PIECES; i++)
		n_bytes += contents[i].size;
	put_file(&file, contents, n_bytes);
	fuzz_elf(file.bytes, file.size, vaddrs, read_vaddrs(&head, vaddrs));
	free(file.bytes);
	return 0;
}
