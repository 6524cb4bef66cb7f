#include "symbolize/object.h"

#include "symbolize/test_folder.h"

#include <fcntl.h>
#include <lzma.h>

static const char RULES[] =
	".text\n"
	".globl sized\n .type sized, %function\n sized: .skip 8\n inner: .skip 8\n .size sized, 16\n"
	".skip 16\n" /* padding, nobody's */
	".globl sizeless\n .type sizeless, %function\n sizeless: .skip 16\n"
	"label: .skip 16\n"
	".type datum, %object\n datum: .skip 16\n .size datum, 16\n"
	".globl outer\n .type outer, %function\n outer: .skip 8\n"
	".globl nested\n .type nested, %function\n nested: .skip 8\n .size nested, 8\n"
	".skip 16\n .size outer, 32\n"
	".weak weak_name\n .type weak_name, %function\n weak_name:\n"
	".type local_name, %function\n local_name:\n"
	".globl __global_name\n .type __global_name, %function\n __global_name:\n"
	".globl _global_name\n .type _global_name, %function\n _global_name:\n"
	".globl global_name2\n .type global_name2, %function\n global_name2:\n"
	".globl global_name1\n .type global_name1, %function\n global_name1: .skip 16\n"
	".size weak_name, 16\n .size local_name, 16\n .size __global_name, 16\n .size _global_name, 16\n"
	".size global_name1, 16\n .size global_name2, 16\n"
	".globl last\n .type last, %function\n last: .skip 32\n"
	".section other_text, \"ax\", %progbits\n"
	".skip 16\n"
	".globl other\n .type other, %function\n other: .skip 16\n .size other, 16\n"
	".globl open\n .type open, %function\n open: .skip 16\n"
	".type closed, %function\n closed: .skip 16\n .size closed, 16\n .skip 16\n"
	".data\n .globl variable\n .type variable, %object\n variable: .skip 64\n .size variable, 64\n";

static const char *compiler(void)
{
	return test_tool("CC", "cc");
}

static int setup(void **state)
{
	(void)state;
	test_folder_make();
	write_file("rules.s", RULES, strlen(RULES));
	assert_true(
		run("%s -nostdlib -shared -Wl,--build-id=0x00ff10Ab -Wl,-z,noseparate-code rules.s -o rules.so", compiler()));
	return 0;
}

static struct err *try_open(const char *name, struct object_file **ret)
{
	const char *path = in_folder(name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return object_open(fd, path, ret);
}

static struct object_file *open_file(const char *name)
{
	struct object_file *file;
	struct err *err = try_open(name, &file);

	if (err)
		print_error("%s\n", err_text(err));
	assert_null(err);
	return file;
}

/* The address of a symbol, by nm. */
static uint64_t address_of(const char *object, const char *symbol)
{
	uint64_t address;

	assert_true(run("nm %s | sed -n 's/ . %s$//p' > address", object, symbol));
	assert_int_equal(read_hex("address", &address, 1), 1);
	return address;
}

static void check_symbol(struct object_file *file, uint64_t vaddr, const char *name)
{
	struct symbol symbol;

	if (!name) {
		assert_false(object_symbol(file, vaddr, &symbol));
		return;
	}
	assert_true(object_symbol(file, vaddr, &symbol));
	assert_string_equal(symbol.name, name);
	assert_true(vaddr >= symbol.vaddr && vaddr - symbol.vaddr < symbol.size);
}

static void check_rules(const char *object, const char *with_addresses)
{
	struct object_file *file = open_file(object);
	uint64_t start = address_of(with_addresses, "sized"), other = address_of(with_addresses, "other");

	check_symbol(file, 0, NULL);
	check_symbol(file, start - 1, NULL);
	check_symbol(file, start, "sized");
	check_symbol(file, start + 12, "sized"); /* behind a label in it */
	check_symbol(file, start + 16, NULL);
	check_symbol(file, start + 31, NULL);
	check_symbol(file, start + 32, "sizeless");
	check_symbol(file, start + 47, "sizeless");
	check_symbol(file, start + 48, "label");
	check_symbol(file, start + 63, "label");
	check_symbol(file, start + 64, NULL); /* a datum among code */
	check_symbol(file, start + 80, "outer");
	check_symbol(file, start + 88, "nested");
	check_symbol(file, start + 95, "nested");
	check_symbol(file, start + 96, "outer");
	check_symbol(file, start + 111, "outer");
	check_symbol(file, start + 112, "global_name1");
	check_symbol(file, start + 127, "global_name1");
	check_symbol(file, start + 128, "last");
	check_symbol(file, start + 159, "last"); /* the section ends here */
	check_symbol(file, other - 1, NULL);
	check_symbol(file, other, "other");
	check_symbol(file, other + 15, "other");
	check_symbol(file, other + 31, "open");
	check_symbol(file, other + 47, "closed");
	check_symbol(file, other + 48, NULL); /* not open's, which ended where closed began */
	check_symbol(file, address_of(with_addresses, "variable"), NULL);
	check_symbol(file, UINT64_MAX, NULL);
	object_close(file);
}

static void test_symbols(void **state)
{
	(void)state;
	check_rules("rules.so", "rules.so");
}

static void test_symbols_of_debug_file(void **state)
{
	(void)state;
	assert_true(run("objcopy --only-keep-debug rules.so rules.debug"));
	check_rules("rules.debug", "rules.so");
}

static void test_dynamic_symbols(void **state)
{
	(void)state;
	assert_true(run("strip -o stripped.so rules.so"));
	struct object_file *file = open_file("stripped.so");
	uint64_t start = address_of("rules.so", "sized");

	assert_false(object_has_symtab(file));
	check_symbol(file, start + 12, "sized");
	check_symbol(file, start + 32, "sizeless");
	check_symbol(file, start + 112, "global_name1");
	object_close(file);
}

/* ---- mini debug info ---- */

/* As rpm makes it, without what .dynsym has; but with labels and data too, which bound others, and with other numbers of
 * its sections. */
static void make_mini(void)
{
	assert_true(run("nm -D --defined-only -f posix rules.so | sed 's/ .*//' | sort > dynamic && "
	                "nm --defined-only -f posix rules.so | sed 's/ .*//' | sort | comm -13 dynamic - > kept && "
	                "objcopy --only-keep-debug rules.so rules.debug && "
	                "objcopy -S -R .note.gnu.build-id --keep-symbols=kept rules.debug rules.mini"));
}

enum { MINI_ROOM = 64 << 10 };

/* mini.so: rules.so stripped, with these bytes in its .gnu_debugdata. */
static void write_mini_so(const uint8_t *bytes, size_t n)
{
	size_t n_file;
	char *CLEANUP(mem_free_local) room = mem_alloc(MINI_ROOM, 1);

	memset(room, 'R', MINI_ROOM);
	if (access(in_folder("room.so"), R_OK) != 0) {
		write_file("room", room, MINI_ROOM);
		assert_true(run("objcopy -S --add-section .gnu_debugdata=room rules.so room.so"));
	}
	char *CLEANUP(mem_free_local) file = read_whole("room.so", &n_file);
	char *at = memmem(file, n_file, room, MINI_ROOM);
	assert_non_null(at);
	assert_true(n <= MINI_ROOM);
	memset(at, 0, MINI_ROOM);
	memcpy(at, bytes, n);
	write_file("mini.so", file, n_file);
}

static size_t compress_mini(const void *elf, size_t n, uint8_t *packed)
{
	size_t n_packed = 0;

	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, elf, n, packed, &n_packed, MINI_ROOM), LZMA_OK);
	return n_packed;
}

static void write_packed_mini_so(const void *elf, size_t n)
{
	uint8_t *CLEANUP(mem_free_local) packed = mem_alloc(MINI_ROOM, 1);

	write_mini_so(packed, compress_mini(elf, n, packed));
}

static void test_mini_debug_info(void **state)
{
	size_t n;
	struct diag diag = {0};

	(void)state;
	make_mini();
	char *CLEANUP(mem_free_local) mini = read_whole("rules.mini", &n);
	write_packed_mini_so(mini, n);
	check_rules("mini.so", "rules.so");
	struct object_file *file = open_file("mini.so");
	assert_false(object_is_stripped(file, &diag));
	assert_false(object_has_symtab(file));
	assert_false(object_has_dwarf(file));
	assert_int_equal(diag.n, 0);
	object_close(file);
}

/* .symtab has all that it could add. */
static void test_mini_debug_info_beside_symtab(void **state)
{
	struct diag diag = {0};

	(void)state;
	assert_true(run("echo damaged > junk && objcopy --add-section .gnu_debugdata=junk rules.so both.so"));
	check_rules("both.so", "rules.so");
	struct object_file *file = open_file("both.so");
	assert_false(object_is_stripped(file, &diag));
	assert_int_equal(diag.n, 0);
	object_close(file);
}

/* The object is as if it had none: .dynsym answers. n_notes of it are told. */
static void check_no_mini(uint32_t n_notes, const char *reason)
{
	struct object_file *file = open_file("mini.so");
	uint64_t start = address_of("rules.so", "sized");
	struct diag diag = {0};

	assert_true(object_is_stripped(file, &diag));
	assert_int_equal(diag.n, n_notes);
	if (n_notes) {
		assert_non_null(strstr(diag.notes[0].text, "mini.so: "));
		assert_non_null(strstr(diag.notes[0].text, reason));
	}
	check_symbol(file, start + 12, "sized");
	check_symbol(file, start + 112, "global_name1");
	object_close(file);
	diag_clear(&diag);
}

static void test_damaged_mini_debug_info(void **state)
{
	size_t n;

	(void)state;
	make_mini();
	char *CLEANUP(mem_free_local) mini = read_whole("rules.mini", &n);
	uint8_t *CLEANUP(mem_free_local) packed = mem_alloc(MINI_ROOM, 1);
	size_t n_packed = compress_mini(mini, n, packed);
	write_mini_so(packed, 0);
	check_no_mini(1, "expected a whole xz stream in its section .gnu_debugdata");
	write_mini_so(packed, n_packed / 2);
	check_no_mini(1, "expected a whole xz stream in its section .gnu_debugdata");
	write_packed_mini_so("no ELF", 6);
	check_no_mini(1, "its section .gnu_debugdata: expected an ELF file");
	write_packed_mini_so(mini, n - 100);
	check_no_mini(1, "its section .gnu_debugdata: expected a whole ELF file, its section table ends at");
	assert_true(run("objcopy -S rules.debug rules.mini")); /* for .debug_frame alone */
	char *CLEANUP(mem_free_local) without = read_whole("rules.mini", &n);
	write_packed_mini_so(without, n);
	check_no_mini(0, NULL);
}

/* Each byte that its headers, symbols and names consist of. */
static void test_mutants_of_mini_debug_info(void **state)
{
	size_t n;

	(void)state;
	make_mini();
	char *CLEANUP(mem_free_local) mini = read_whole("rules.mini", &n);
	for (size_t at = 4; at < n; at++) {
		struct object_file *file;
		struct symbol symbol;
		struct diag diag = {0};
		char old = mini[at];

		if (old == 0 && at > sizeof(Elf64_Ehdr) && at % 8 != 0)
			continue;
		mini[at] = (char)(old == 1 ? 2 : 0xff);
		write_packed_mini_so(mini, n);
		mini[at] = old;
		assert_null(try_open("mini.so", &file));
		object_is_stripped(file, &diag);
		object_symbol(file, 0x1000, &symbol);
		object_close(file);
		diag_clear(&diag);
	}
}

static void test_properties(void **state)
{
	(void)state;
	assert_true(
		run("objcopy --only-keep-debug rules.so p.debug && objcopy --add-gnu-debuglink=p.debug rules.so linked.so"));
	struct object_file *file = open_file("linked.so");
	uint32_t crc = 0;

	assert_string_equal(object_build_id(file), "00ff10ab");
	assert_string_equal(object_debuglink(file, &crc), "p.debug");
	assert_int_not_equal(crc, 0);
	assert_false(object_has_dwarf(file));
	assert_true(object_has_symtab(file));
	object_close(file);

	file = open_file("rules.so");
	assert_null(object_debuglink(file, &crc));
	object_close(file);
}

static void test_dwarf(void **state)
{
	static const char SOURCE[] = "int f(int x) { return x + 1; }\n";

	(void)state;
	write_file("f.c", SOURCE, strlen(SOURCE));
	assert_true(run("%s -g -nostdlib -shared -fPIC f.c -o f.so && strip -o g.so f.so", compiler()));
	struct object_file *file = open_file("f.so");
	assert_true(object_has_dwarf(file));
	object_close(file);
	file = open_file("g.so");
	assert_false(object_has_dwarf(file));
	object_close(file);
	/* Its contents taken away, as a debug file has those of the object's own sections. */
	if (!run("objcopy --set-section-type .debug_info=8 f.so h.so"))
		return;
	file = open_file("h.so");
	assert_false(object_has_dwarf(file));
	object_close(file);
}

static void test_vaddr(void **state)
{
	static const char SOURCE[] = "void _start(void) { for (;;) ; }\n";
	uint64_t vaddr = 0;

	(void)state;
	write_file("fixed.c", SOURCE, strlen(SOURCE));
	assert_true(run("%s -nostdlib -static -no-pie -Wl,-z,separate-code,-Ttext=0x500000 fixed.c -o fixed", compiler()));
	struct object_file *file = open_file("fixed");
	assert_true(object_has_code_at(file, 0x500000));
	assert_false(object_has_code_at(file, 0x700000));
	assert_false(object_vaddr(file, 1u << 30, &vaddr));
	for (uint64_t offset = 0; vaddr != 0x500000; offset += 16) {
		assert_true(offset < 1u << 20);
		object_vaddr(file, offset, &vaddr);
	}
	check_symbol(file, vaddr, "_start");
	object_close(file);
}

static void check_other_machine(const char *target, const char *assembly)
{
	write_file("machine.s", assembly, strlen(assembly));
	if (!run("clang --target=%s -c machine.s -o machine.o", target))
		skip();
	struct object_file *file = open_file("machine.o");
	check_symbol(file, 0, "first");
	check_symbol(file, 3, "first");
	check_symbol(file, 4, "second");
	check_symbol(file, 11, "second");
	check_symbol(file, 12, NULL);
	object_close(file);
}

static void test_other_machines(void **state)
{
	static const char PLAIN[] = ".text\n .type first, %function\n first: .long 0\n .size first, 4\n"
								".type second, %function\n second: .long 0, 0\n .size second, 8\n";
	static const char ARM[] = ".text\n .type first, %function\n first: .long 0\n .thumb\n"
							  ".thumb_func\n second: .short 0, 0\n .long 0\n";

	(void)state;
	check_other_machine("armv7-linux-gnueabi", ARM);
	check_other_machine("aarch64-linux-gnu", PLAIN);
	check_other_machine("riscv64-linux-gnu", PLAIN);
	check_other_machine("powerpc-linux-gnu", PLAIN);
	check_other_machine("mips64-linux-gnu", PLAIN);
	check_other_machine("s390x-linux-gnu", PLAIN);
	check_other_machine("i386-linux-gnu", PLAIN);
}

static void check_refused(const char *name, const char *reason)
{
	struct object_file *file = NULL;
	struct err *err = try_open(name, &file);

	assert_non_null(err);
	if (!strstr(err_text(err), reason) || !strstr(err_text(err), name))
		print_error("%s\n", err_text(err));
	assert_non_null(strstr(err_text(err), reason));
	assert_non_null(strstr(err_text(err), name));
	assert_null(file);
	err_free(err);
}

static void test_refused(void **state)
{
	struct object_file *file;
	int ends[2];

	(void)state;
	write_file("empty", "", 0);
	write_file("text", "#!/bin/sh\nexit 0\n", 17);
	write_file("archive", "!<arch>\nfoo/            0           0     0     644     4         `\nabcd", 72);
	write_file("short", "\177ELF\2\1\1", 7);
	check_refused("empty", "expected an ELF file");
	check_refused("text", "expected an ELF file");
	check_refused("archive", "expected an ELF file");
	check_refused("short", "expected an ELF file");
	assert_int_equal(pipe(ends), 0);
	close(ends[1]);
	struct err *err = object_open(ends[0], "a pipe", &file);
	assert_string_equal(err_text(err), "a pipe: expected an ELF file");
	err_free(err);
}

static void test_build_id_without_sections(void **state)
{
	size_t n;
	char *bytes = read_whole("rules.so", &n);

	(void)state;
	memset(bytes + offsetof(Elf64_Ehdr, e_shoff), 0, sizeof(Elf64_Off));
	memset(bytes + offsetof(Elf64_Ehdr, e_shnum), 0, 4); /* and e_shstrndx */
	write_file("bare.so", bytes, n);
	free(bytes);
	struct object_file *file = open_file("bare.so");
	assert_string_equal(object_build_id(file), "00ff10ab");
	assert_false(object_has_symtab(file));
	check_symbol(file, 0x1000, NULL);
	object_close(file);
}

/* Linkers give the segment of a .bss alone an offset as its address wants it, which may be behind all that is there. */
static void test_segment_without_bytes(void **state)
{
	static const char BSS_ALONE[] = ".text\n .globl code\n .type code, %function\n code: .skip 16\n .size code, 16\n"
									".bss\n .skip 64\n";
	struct object_file *file;

	(void)state;
	write_file("bss.s", BSS_ALONE, strlen(BSS_ALONE));
	assert_true(run("%s -nostdlib -static -no-pie -Wl,-z,max-page-size=65536,-z,noseparate-code,-e,code,-Tbss=0x61fff0 "
	                "bss.s -o bss",
	                compiler()));
	assert_true(run("readelf -lW bss | grep -q 'LOAD *0x00fff0 .* 0x000000 '"));
	file = open_file("bss");
	check_symbol(file, address_of("bss", "code"), "code");
	object_close(file);
}

static void test_truncated(void **state)
{
	size_t n;
	char *bytes = read_whole("rules.so", &n);

	(void)state;
	for (size_t cut = 0; cut < n; cut += cut < 4096 ? 61 : 509) {
		write_file("cut.so", bytes, cut);
		check_refused("cut.so", cut < 64 ? "expected an ELF file" : "section table ends at");
	}
	free(bytes);
}

/* Each byte of the headers set to 0xff: an error or an answer, nothing else. */
static void test_damaged(void **state)
{
	size_t n;
	char *bytes = read_whole("rules.so", &n);
	uint64_t shoff;

	(void)state;
	memcpy(&shoff, bytes + offsetof(Elf64_Ehdr, e_shoff), sizeof shoff);
	for (size_t at = 4; at < n; at += at == 1024 ? (size_t)shoff - 1024 : 1) {
		struct object_file *file;
		struct symbol symbol;
		char old = bytes[at];

		bytes[at] = (char)0xff;
		write_file("damaged.so", bytes, n);
		bytes[at] = old;
		struct err *err = try_open("damaged.so", &file);
		if (err) {
			err_free(err);
			continue;
		}
		object_symbol(file, 0x1000, &symbol);
		object_close(file);
	}
	free(bytes);
}

static void test_huge_counts(void **state)
{
	size_t n;
	char *bytes = read_whole("rules.so", &n);
	uint64_t huge = UINT64_MAX / 2;

	(void)state;
	memcpy(bytes + offsetof(Elf64_Ehdr, e_shoff), &huge, sizeof huge);
	write_file("huge.so", bytes, n);
	check_refused("huge.so", "section table ends at");
	free(bytes);
}

/* What is asked for beyond a segment is not read. */
static void test_code(void **state)
{
	static const char CODE[] = ".text\n.globl _start\n_start: .byte 1, 2, 3, 4, 5, 6, 7, 8\n";
	uint8_t bytes[16] = {0};

	(void)state;
	write_file("code.s", CODE, strlen(CODE));
	assert_true(run("%s -nostdlib -static -Wl,--build-id=none -Wl,-z,separate-code code.s -o code", compiler()));
	assert_true(run("objcopy --only-keep-debug code code.debug"));
	struct object_file *file = open_file("code");
	uint64_t start = address_of("code", "_start");
	assert_true(object_has_little_code(file));
	assert_int_equal(object_code_at(file, start + 2, bytes, 3), 3);
	assert_memory_equal(bytes, "\3\4\5", 3);
	assert_int_equal(object_code_at(file, start + 6, bytes, sizeof bytes), 2);
	assert_memory_equal(bytes, "\7\10", 2);
	assert_int_equal(object_code_at(file, start + 8, bytes, 1), 0);
	assert_int_equal(object_code_before(file, start + 5, bytes, 3), 3);
	assert_memory_equal(bytes, "\3\4\5", 3);
	assert_int_equal(object_code_before(file, start + 8, bytes, 2), 2);
	assert_memory_equal(bytes, "\7\10", 2);
	assert_int_equal(object_code_before(file, start + 2, bytes, sizeof bytes), 2);
	assert_memory_equal(bytes, "\1\2", 2);
	assert_int_equal(object_code_before(file, start, bytes, 1), 0);
	assert_int_equal(object_code_before(file, 0, bytes, 1), 0);
	assert_true(object_time(file) > INT64_C(1700000000) * 1000000000);
	object_close(file);
	file = open_file("code.debug");
	assert_false(object_has_little_code(file));
	object_close(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_symbols_of_debug_file),
		cmocka_unit_test(test_dynamic_symbols),
		cmocka_unit_test(test_mini_debug_info),
		cmocka_unit_test(test_mini_debug_info_beside_symtab),
		cmocka_unit_test(test_damaged_mini_debug_info),
		cmocka_unit_test(test_mutants_of_mini_debug_info),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_dwarf),
		cmocka_unit_test(test_vaddr),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_build_id_without_sections),
		cmocka_unit_test(test_segment_without_bytes),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_huge_counts),
	};

	return cmocka_run_group_tests(tests, setup, test_folder_remove);
}
