/* One ELF file, libelf's door: its header, its segments, its build id. */
#pragma once

#include "analyze/base/diag.h"
#include "symbolize/symbols.h"

struct object_file;

/* A loadable segment. */
struct segment {
	uint64_t offset, n_bytes; /* in the file */
	uint64_t vaddr, n_memory;
	bool is_code;
};

/* Takes over fd, also on failure. path is for messages. The error names the path and what was expected: an ELF file;
 * one whose headers and segments lie within it. */
struct err *object_open(int fd, const char *path, struct object_file **ret) MUST_CHECK;
void object_close(struct object_file *file);

/* These belong to the file. */
const char *object_path(const struct object_file *file);
const struct sections *object_sections(const struct object_file *file);
const char *object_build_id(const struct object_file *file); /* as object_hex has it; NULL: none */
/* The name in .gnu_debuglink, without a slash; NULL: none. */
const char *object_debuglink(const struct object_file *file, uint32_t *crc_ret);
bool object_has_dwarf(const struct object_file *file);  /* a .debug_info section with content */
bool object_has_symtab(const struct object_file *file); /* .symtab, not only .dynsym */

bool object_has_code(const struct object_file *file); /* false: a separate debug file, whose code is elsewhere */
bool object_is_64(const struct object_file *file);
bool object_is_big_endian(const struct object_file *file);

/* Reads n bytes of the file; false: it has not so many there. Safe for several threads. */
bool object_read(const struct object_file *file, uint64_t offset, void *buffer, size_t n) MUST_CHECK;

/* The dwz alternate file that .gnu_debugaltlink names; *build_id_ret as object_hex has it, "" when there is none. NULL:
 * it names none. */
const char *object_alternate(struct object_file *file, struct arena *arena, const char **build_id_ret);

/* True when it has neither .symtab nor mini debug info: .gnu_debugdata, an ELF file compressed by xz, with the function
 * symbols that .dynsym lacks, as Fedora, Rocky and SUSE leave it in what they strip. One that is damaged is a note. */
bool object_is_stripped(struct object_file *file, struct diag *diag);

/* A note when symbols, code or the name of the alternate file could not be read from the disk: they seem to be missing.
 * file may be NULL. */
void object_note_problem(const struct object_file *file, struct diag *diag);

/* A build id as text: lower-case hex. */
const char *object_hex(struct arena *arena, const uint8_t *bytes, size_t n);

/* A build id that another file tells, as object_hex has it; NULL: it is no hex of whole bytes, or longer than any. */
const char *object_parse_build_id(struct arena *arena, const char *text);

/* The link-time address of a byte of the file, by the loadable segment that holds it; an executable one first.
 * False: no segment does, so the map speaks of another file. */
bool object_vaddr(const struct object_file *file, uint64_t offset, uint64_t *vaddr_ret);
/* True for a file whose code is elsewhere, and whose segments do not tell where in the object they were: the link-time
 * address and size of the only executable one. */
bool object_moved_code(const struct object_file *file, uint64_t *vaddr_ret, uint64_t *n_memory_ret);
/* True when vaddr lies in an executable loadable segment. */
bool object_has_code_at(const struct object_file *file, uint64_t vaddr);

const struct segment *object_segments(const struct object_file *file, uint32_t *n_ret);

uint16_t object_machine(const struct object_file *file); /* e_machine */
/* True when the file holds its instructions, which a separate debug file does not, in little-endian order. */
bool object_has_little_code(const struct object_file *file);
/* Reads the n bytes of an executable segment that begin at vaddr, or that end in front of it, or as many as the segment
 * has there; returns how many. */
size_t object_code_at(struct object_file *file, uint64_t vaddr, uint8_t *buffer, size_t n);
size_t object_code_before(struct object_file *file, uint64_t vaddr, uint8_t *buffer, size_t n);
uint64_t object_bytes(const struct object_file *file); /* of the file */
/* When the file was written, in nanoseconds since 1970. */
int64_t object_time(const struct object_file *file);

/* The function symbol that covers vaddr, of .symtab, or else of .dynsym and mini debug info together: within its size,
 * or, for one without a size, up to the next symbol of its section. Data symbols, and the mapping symbols of ARM and
 * RISC-V ($x, $d), never. Among equals: global before weak before local, then fewer leading underscores, then by name,
 * so that the answer does not depend on the table's order.
 * The tables are read and sorted at the first call: not for two threads at a time. */
bool object_symbol(struct object_file *file, uint64_t vaddr, struct symbol *ret);
