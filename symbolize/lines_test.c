#include "symbolize/lines.h"

#include "symbolize/test_folder.h"

#include <fcntl.h>

/* "before" keeps the others from the start of the text, where GCC's DWARF 4 range lists may begin with 0, 0: their end. */
static const char INLINED[] = "extern int sink(int); int before(int x) { return sink(x) - 1; }\n" /* line 1 */
							  "static inline __attribute__((always_inline)) int three(int x)\n"   /* 2 */
							  "{\n"
							  "	return sink(x + 3);\n" /* 4 */
							  "}\n"
							  "static inline __attribute__((always_inline)) int two(int x)\n" /* 6 */
							  "{\n"
							  "	return three(x * 2) + 2;\n" /* 8 */
							  "}\n"
							  "static inline __attribute__((always_inline)) int one(int x)\n" /* 10 */
							  "{\n"
							  "	{\n"
							  "		int y = x + 5;\n"
							  "		return two(y) + 1;\n" /* 14 */
							  "	}\n"
							  "}\n"
							  "int outer(int x)\n" /* 17 */
							  "{\n"
							  "	return one(x) * sink(9);\n" /* 19 */
							  "}\n"
							  "int unused(int x)\n"
							  "{\n"
							  "	return one(x + 1);\n"
							  "}\n"
							  "int after(int x)\n" /* 25 */
							  "{\n"
							  "	return sink(x) + 1;\n" /* 27 */
							  "}\n";

static const char PARTIAL[] = "extern void panic(const char *, int) __attribute__((noreturn, cold));\n"
							  "extern int sink(int);\n"
							  "int partial(int x, int y)\n" /* line 3 */
							  "{\n"
							  "	if (x > 1000) {\n"
							  "		sink(y); sink(x);\n"
							  "		panic(\"x\", x);\n"
							  "	}\n"
							  "	return sink(x) + y;\n"
							  "}\n"
							  "int user(int x)\n"
							  "{\n"
							  "	return partial(x, 1) + partial(x + 1, 2);\n"
							  "}\n";

static const char CLOSURES[] =
	"extern int sink(int);\n"
	"template <class F> __attribute__((noinline)) int call(F f) { return f(1) + 1; }\n"
	"namespace space {\n"
	"int function(int k)\n" /* line 4 */
	"{\n"
	"	struct Local { __attribute__((noinline)) static int run(int z) { return sink(z) + 6; } };\n"
	"	auto closure = [k](int y) __attribute__((noinline)) { return sink(y + k) + 7; };\n"
	"	return call(closure) + Local::run(k);\n"
	"}\n"
	"struct Class { int member(int); };\n" /* 10 */
	"int Class::member(int x)\n"
	"{\n"
	"	return sink(x) + 13;\n"
	"}\n"
	"}\n";

static const char ASSEMBLY[] = ".text\n"
							   ".globl routine\n"
							   ".type routine, %function\n"
							   "routine:\n"
							   "	nop\n" /* line 5 */
							   "	nop\n"
							   ".size routine, .-routine\n";

/* ---- making objects ---- */

static const char *cc(void)
{
	return test_tool("CC", "cc");
}

static const char *cxx(void)
{
	return test_tool("CXX", "c++");
}

static bool has(const char *program)
{
	return run("command -v %s", program);
}

static int setup(void **state)
{
	(void)state;
	test_folder_make();
	write_file("inlined.c", INLINED, strlen(INLINED));
	write_file("partial.c", PARTIAL, strlen(PARTIAL));
	write_file("closures.cc", CLOSURES, strlen(CLOSURES));
	write_file("assembly.s", ASSEMBLY, strlen(ASSEMBLY));
	return 0;
}

/* ---- asking them ---- */

enum { MOST_FRAMES = 8, MOST_ADDRESSES = 4096 };

struct answer {
	uint32_t n_frames;
	struct lines_frame frames[MOST_FRAMES];
};

/* A file with its DWARF, and the answers for all addresses of one symbol. */
struct subject {
	struct arena *arena;
	struct find_opts opts;
	struct binary binary;
	struct err *err; /* of the last time it was asked */
	uint64_t vaddrs[MOST_ADDRESSES];
	struct answer answers[MOST_ADDRESSES];
	uint32_t n;
};

static const char *copy(struct subject *s, const char *text)
{
	return text ? arena_strndup(s->arena, text, strlen(text)) : NULL;
}

static void keep(void *context, uint32_t i, const struct lines_frame *frames, uint32_t n)
{
	struct subject *s = context;
	struct answer *answer = &s->answers[i];

	assert_true(i < s->n && n > 0);
	assert_int_equal(answer->n_frames, 0); /* only once */
	answer->n_frames = n;
	for (uint32_t k = 0; k < n && k < MOST_FRAMES; k++) {
		answer->frames[k] = frames[k];
		answer->frames[k].name = copy(s, frames[k].name);
		answer->frames[k].linkage_name = copy(s, frames[k].linkage_name);
		answer->frames[k].file = copy(s, frames[k].file);
	}
}

static struct subject *subject_new(void)
{
	struct subject *s = mem_zalloc(1, sizeof *s);

	s->arena = arena_new();
	s->binary.find = &s->opts;
	s->binary.arena = s->arena;
	return s;
}

static struct subject *subject_open_fd(int fd, const char *path)
{
	struct subject *s = subject_new();

	assert_true(fd >= 0);
	assert_null(object_open(fd, path, &s->binary.file));
	s->binary.path = s->binary.path_used = copy(s, path);
	return s;
}

static struct subject *subject_open(const char *name)
{
	const char *path = in_folder(name);

	return subject_open_fd(open(path, O_RDONLY | O_CLOEXEC), path);
}

static void subject_close(struct subject *s)
{
	binary_close(&s->binary);
	err_free(s->err);
	arena_free(s->arena);
	free(s);
}

enum { N_WORKERS = 3 };

static struct err *ask_lines(struct subject *s, struct lines *lines)
{
	struct err *err = NULL;

	lines_make_room(lines);
	for (uint32_t i = 0; i < lines_n_loads(lines) && !err; i++)
		err = lines_load(lines, i);
	if (!err)
		err = lines_plan(lines, s->vaddrs, s->n);
	if (err)
		return err;
	/* The units go to the first that comes; the others find none left, and must not mind. */
	for (uint32_t i = 0; i < N_WORKERS; i++)
		lines_work(lines, N_WORKERS - 1 - i, NULL, NULL);
	lines_finish(lines, keep, s);
	return NULL;
}

static void ask(struct subject *s, uint64_t start, uint64_t size)
{
	s->n = size < MOST_ADDRESSES ? (uint32_t)size : MOST_ADDRESSES;
	memset(s->answers, 0, sizeof s->answers);
	for (uint32_t i = 0; i < s->n; i++)
		s->vaddrs[i] = start + i;
	struct lines *lines;
	err_free(s->err);
	s->err = lines_open(&s->binary, &lines);
	if (!s->err && lines) {
		s->err = ask_lines(s, lines);
		lines_close(lines);
	}
}

/* The address and size of a symbol, by nm. */
static bool symbol_of(const char *object, const char *pattern, uint64_t *start, uint64_t *size)
{
	uint64_t numbers[2];

	assert_true(run("nm -S %s | grep -E ' [tTwW] %s$' >symbol || true", object, pattern));
	if (read_hex("symbol", numbers, 2) < 2)
		return false;
	*start = numbers[0];
	*size = numbers[1];
	return true;
}

static void ask_symbol(struct subject *s, const char *object, const char *pattern)
{
	uint64_t start = 0, size = 0;

	assert_true(symbol_of(object, pattern, &start, &size));
	ask(s, start, size);
}

struct expected {
	const char *name;
	uint32_t line, start_line;
	uint32_t column; /* 0: any */
};

static bool is_chain(const struct answer *answer, const struct expected *chain, uint32_t n)
{
	if (answer->n_frames != n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!answer->frames[i].name || strcmp(answer->frames[i].name, chain[i].name) != 0 ||
		    answer->frames[i].line != chain[i].line || answer->frames[i].start_line != chain[i].start_line ||
		    (chain[i].column && answer->frames[i].column != chain[i].column))
			return false;
	return true;
}

static const struct answer *find_chain(const struct subject *s, const struct expected *chain, uint32_t n)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (is_chain(&s->answers[i], chain, n))
			return &s->answers[i];
	return NULL;
}

static void check_all_in(const struct subject *s, const char *name, const char *file)
{
	assert_true(s->n > 0);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct answer *answer = &s->answers[i];

		assert_true(answer->n_frames > 0);
		const struct lines_frame *frame = &answer->frames[answer->n_frames - 1];
		assert_string_equal(frame->name, name);
		assert_string_equal(frame->file, file);
	}
}

/* ---- tests ---- */

static const struct expected CHAIN[] = {
	{"three", 4, 2, 0}, {"two", 8, 6, 9}, {"one", 14, 10, 10}, {"outer", 19, 17, 9}};

static void check_inlined(const char *compiler, const char *options)
{
	const struct expected after[] = {{"after", 27, 25, 0}};

	if (!run("%s -g -fPIC -shared %s inlined.c -o inlined.so", compiler, options)) {
		print_error("%s %s\n", compiler, options);
		fail();
	}
	struct subject *s = subject_open("inlined.so");
	ask_symbol(s, "inlined.so", "outer");
	check_all_in(s, "outer", in_folder("inlined.c"));
	const struct answer *answer = find_chain(s, CHAIN, 4);
	if (!answer)
		print_error("%s %s\n", compiler, options);
	assert_non_null(answer);
	for (uint32_t i = 0; i < 4; i++)
		assert_string_equal(answer->frames[i].file, in_folder("inlined.c"));
	assert_int_equal(answer->frames[0].entry, 0);
	assert_int_equal(answer->frames[3].entry, s->vaddrs[0]);
	assert_false(answer->frames[0].is_cplusplus);
	ask_symbol(s, "inlined.so", "after");
	check_all_in(s, "after", in_folder("inlined.c"));
	assert_non_null(find_chain(s, after, 1));
	assert_int_equal(s->binary.diag.n, 0);
	subject_close(s);
}

static void test_inlined(void **state)
{
	static const char *const OPTIONS[] = {
		"-O2 -gdwarf-5",
		"-O2 -gdwarf-4",
		"-O1 -gdwarf-3",
		"-O0 -gdwarf-2",
		"-O2 -gz=zlib",
		"-O2 -fdebug-types-section",
		"-O2 -ffunction-sections -Wl,--gc-sections",
		"-O2 -flto -fno-fat-lto-objects",
		"-O2 -gdwarf-5 -gno-as-loc-support",
	};
	static const char *const CLANG_OPTIONS[] = {"-O2 -gdwarf-5", "-O2 -gdwarf-4", "-O0 -gdwarf-5", "-O2 -gz=zlib"};

	(void)state;
	for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
		if (run("%s %s -c inlined.c -o /dev/null", cc(), OPTIONS[i]))
			check_inlined(cc(), OPTIONS[i]);
	for (size_t i = 0; has("clang") && i < sizeof CLANG_OPTIONS / sizeof *CLANG_OPTIONS; i++)
		check_inlined("clang", CLANG_OPTIONS[i]);
}

/* Of the rows of the line table: a call, and what is done with its result. */
static void check_columns(const char *compiler, const char *options)
{
	static const struct expected call[] = {{"after", 27, 25, 9}}, sum[] = {{"after", 27, 25, 17}};

	assert_true(run("%s -g -O2 -fPIC -shared %s inlined.c -o columns.so", compiler, options));
	struct subject *s = subject_open("columns.so");
	ask_symbol(s, "columns.so", "after");
	assert_non_null(find_chain(s, call, 1));
	assert_non_null(find_chain(s, sum, 1));
	ask_symbol(s, "columns.so", "outer");
	const struct answer *answer = find_chain(s, CHAIN, 4);
	assert_non_null(answer);
	assert_true(answer->frames[0].column > 0);
	subject_close(s);
}

static void test_columns(void **state)
{
	(void)state;
	check_columns(cc(), "-gdwarf-5");
	check_columns(cc(), "-gdwarf-4");
	if (has("clang"))
		check_columns("clang", "-gdwarf-5");
}

/* The linker drops "unused": its lines are a sequence at 0, which must take no other with it. */
static void test_dropped_function(void **state)
{
	(void)state;
	assert_true(run("%s -g -O2 -fPIC -shared -ffunction-sections -fvisibility=hidden -Wl,--gc-sections"
	                " '-Dunused=unused' -Douter='__attribute__((visibility(\"default\"))) outer'"
	                " -Dafter='__attribute__((visibility(\"default\"))) after' inlined.c -o dropped.so",
	                cc()));
	struct subject *s = subject_open("dropped.so");
	uint64_t start = 0, size = 0;

	assert_false(symbol_of("dropped.so", "unused", &start, &size));
	ask_symbol(s, "dropped.so", "outer");
	assert_non_null(find_chain(s, CHAIN, 4));
	ask_symbol(s, "dropped.so", "after");
	check_all_in(s, "after", in_folder("inlined.c"));
	ask(s, 0, 64);
	for (uint32_t i = 0; i < s->n; i++)
		assert_int_equal(s->answers[i].n_frames, 0);
	subject_close(s);
}

static void test_partial(void **state)
{
	uint64_t start = 0, size = 0;

	(void)state;
	assert_true(run("%s -g -O2 -fPIC -shared partial.c -o partial.so", cc()));
	struct subject *s = subject_open("partial.so");
	ask_symbol(s, "partial.so", "partial");
	check_all_in(s, "partial", in_folder("partial.c"));
	if (symbol_of("partial.so", "partial.(part.0|cold)", &start, &size)) {
		ask(s, start, size);
		check_all_in(s, "partial", in_folder("partial.c"));
	}
	subject_close(s);
}

/* GCC cuts what is cold off, and linkers put it below all other code. */
static void test_torn(void **state)
{
	static const char TORN[] = "extern int sink(int);\n"
							   "int torn(int x)\n"
							   "{\n"
							   "	if (sink(x) > 1000)\n"
							   "		__builtin_abort();\n"
							   "	return sink(x) + 1;\n"
							   "}\n";
	uint64_t start, size, cold;

	(void)state;
	write_file("torn.c", TORN, strlen(TORN));
	assert_true(run("%s -g -O2 -fPIC -shared torn.c -o torn.so", cc()));
	assert_true(symbol_of("torn.so", "torn", &start, &size));
	struct subject *s = subject_open("torn.so");
	ask_symbol(s, "torn.so", "torn");
	assert_int_equal(s->answers[0].frames[0].entry, start);
	if (symbol_of("torn.so", "torn.cold", &cold, &size)) {
		ask(s, cold, size);
		check_all_in(s, "torn", in_folder("torn.c"));
		assert_int_equal(s->answers[0].frames[0].entry, start);
	}
	subject_close(s);
}

/* DWARF 2 without extensions cannot say that the code of a unit is in several sections. */
static void test_strict(void **state)
{
	static const char SECTIONS[] =
		"extern int sink(int);\n"
		"template <int N> __attribute__((noinline)) int times(int x) { return sink(x) * N; }\n"
		"int plain(int x) { return times<3>(x) + 1; }\n";

	(void)state;
	write_file("sections.cc", SECTIONS, strlen(SECTIONS));
	assert_true(run("%s -O2 -gdwarf-2 -gstrict-dwarf -fPIC -shared sections.cc -o strict.so", cxx()));
	struct subject *s = subject_open("strict.so");
	ask_symbol(s, "strict.so", "_Z5plaini");
	check_all_in(s, "plain", in_folder("sections.cc"));
	ask_symbol(s, "strict.so", "_Z5timesILi3EEii");
	assert_int_equal(s->answers[0].n_frames, 1);
	check_all_in(s, "times<3>", in_folder("sections.cc"));
	subject_close(s);
}

static void check_closures(const char *compiler)
{
	const struct expected member[] = {{"member", 13, 11, 0}};

	assert_true(run("%s -g -O2 -fPIC -shared closures.cc -o closures.so", compiler));
	struct subject *s = subject_open("closures.so");
	ask_symbol(s, "closures.so", "_ZZN5space8functionEiENK.*clEi(\\..*)?");
	check_all_in(s, "operator()", in_folder("closures.cc"));
	assert_true(s->answers[0].frames[0].is_cplusplus);
	ask_symbol(s, "closures.so", "_ZZN5space8functionEiEN5Local3runEi(\\..*)?");
	check_all_in(s, "run", in_folder("closures.cc"));
	ask_symbol(s, "closures.so", "_ZN5space5Class6memberEi");
	check_all_in(s, "member", in_folder("closures.cc"));
	const struct answer *answer = find_chain(s, member, 1);
	assert_non_null(answer);
	assert_string_equal(answer->frames[0].linkage_name, "_ZN5space5Class6memberEi");
	subject_close(s);
}

static void test_closures(void **state)
{
	(void)state;
	check_closures(cxx());
	if (has("clang++"))
		check_closures("clang++");
}

static void test_assembly(void **state)
{
	(void)state;
	assert_true(run("%s -g -nostdlib -shared assembly.s -o assembly.so", cc()));
	struct subject *s = subject_open("assembly.so");
	ask_symbol(s, "assembly.so", "routine");
	assert_int_equal(s->answers[0].n_frames, 1);
	assert_string_equal(s->answers[0].frames[0].file, in_folder("assembly.s"));
	assert_int_equal(s->answers[0].frames[0].line, 5);
	assert_int_equal(s->answers[s->n - 1].frames[0].line, 6);
	subject_close(s);
}

static void check_path(const char *command, const char *expected)
{
	assert_true(run(command, cc()));
	struct subject *s = subject_open("path.so");
	ask_symbol(s, "path.so", "after");
	check_all_in(s, "after", expected);
	subject_close(s);
}

static void test_paths(void **state)
{
	(void)state;
	assert_true(run("mkdir -p a/b && ln -sf ../inlined.c a/linked.c"));
	check_path("cd a/b && %s -g -O2 -fPIC -shared ../../a/./b/../..//inlined.c -o ../../path.so",
	           in_folder("inlined.c"));
	check_path("cd a && %s -g -O2 -fPIC -shared linked.c -o ../path.so", in_folder("a/linked.c"));
	check_path("cd a && %s -g -O2 -gdwarf-4 -fPIC -shared ../inlined.c -o ../path.so", in_folder("inlined.c"));
	check_path("cd a && %s -g -O2 -gdwarf-5 -fPIC -shared ../inlined.c -fdebug-prefix-map=$PWD=./obj/x -o ../path.so",
	           "obj/inlined.c");
	check_path("cd a && %s -g -O2 -gdwarf-4 -fPIC -shared ../inlined.c -fdebug-prefix-map=$PWD=./obj/x -o ../path.so",
	           "obj/inlined.c");
	check_path("cd a && %s -g -O2 -fPIC -shared ../inlined.c -fdebug-prefix-map=$PWD=. -o ../path.so", "../inlined.c");
}

/* Stripped, with its DWARF in a sysroot, once under its build id and once by its debuglink. */
static void check_separate(const char *place, const char *build_id)
{
	struct find_opts opts = {in_folder("root")};
	struct arena *arena = arena_new();
	struct object_file *file;
	struct diag diag = {0};
	const char *path;
	uint32_t crc;
	int fd;

	assert_true(
		run("rm -rf root && mkdir -p root/usr/lib $(dirname root/%s) && cp inlined.debug root/%s", place, place));
	assert_true(run("objcopy -S --add-gnu-debuglink=inlined.debug inlined.so root/usr/lib/inlined.so"));
	assert_null(find_file(&opts, "/usr/lib/inlined.so", arena, &path, &fd));
	assert_null(object_open(fd, path, &file));
	assert_false(object_has_dwarf(file));
	const char *debuglink = object_debuglink(file, &crc);
	struct find_debug debug = {"/usr/lib/inlined.so", path, object_build_id(file), debuglink, crc};
	assert_string_equal(debug.build_id, build_id);
	assert_true(find_debug_file(&opts, &debug, arena, &diag, &path, &fd));
	struct subject *s = subject_open_fd(fd, path);
	assert_string_equal(object_build_id(s->binary.file), build_id);
	ask_symbol(s, "inlined.so", "outer");
	assert_non_null(find_chain(s, CHAIN, 4));
	subject_close(s);
	object_close(file);
	diag_clear(&diag);
	arena_free(arena);
}

static void test_separate(void **state)
{
	(void)state;
	assert_true(run("%s -g -O2 -fPIC -shared -Wl,--build-id=0x1234abcd inlined.c -o inlined.so", cc()));
	assert_true(run("objcopy --only-keep-debug inlined.so inlined.debug"));
	check_separate("usr/lib/debug/.build-id/12/34abcd.debug", "1234abcd");
	check_separate("usr/lib/.debug/inlined.debug", "1234abcd");
}

static void test_no_dwarf(void **state)
{
	(void)state;
	assert_true(run("%s -O2 -fPIC -shared inlined.c -o plain.so", cc()));
	struct subject *s = subject_open("plain.so");
	ask_symbol(s, "plain.so", "outer");
	assert_int_equal(s->answers[0].n_frames, 0);
	assert_null(s->err);
	assert_int_equal(s->binary.diag.n, 0);
	subject_close(s);
}

static bool has_warning(const struct subject *s, const char *text)
{
	for (uint32_t i = 0; i < s->binary.diag.n; i++)
		if (s->binary.diag.notes[i].level == NOTE_WARNING && strstr(s->binary.diag.notes[i].text, text))
			return true;
	return false;
}

static void check_split(const char *options)
{
	assert_true(run("%s -g -O2 -fPIC %s -gsplit-dwarf -c inlined.c -o split.o && %s -shared split.o -o split.so", cc(),
	                options, cc()));
	struct subject *s = subject_open("split.so");
	ask_symbol(s, "split.so", "outer");
	assert_non_null(find_chain(s, CHAIN, 4));
	assert_false(has_warning(s, ""));
	assert_true(run("rm split.dwo"));
	ask_symbol(s, "split.so", "after");
	assert_int_equal(s->answers[0].n_frames, 1);
	assert_null(s->answers[0].frames[0].name);
	assert_string_equal(s->answers[0].frames[0].file, in_folder("inlined.c"));
	assert_true(has_warning(s, "1 unit are in split DWARF files that were not found, the first is split.dwo"));
	/* One of another build. */
	assert_true(run("%s -g -O1 -fPIC %s -gsplit-dwarf -DOTHER=1 -c path.c -o split.o", cc(), options));
	ask_symbol(s, "split.so", "after");
	assert_null(s->answers[0].frames[0].name);
	assert_true(has_warning(s, "split.dwo: expected the unit of split.dwo"));
	subject_close(s);
}

/* Then there are many sections of one name in the .dwo. */
static void check_split_types(const char *options)
{
	static const char TYPES[] = "struct Pair { long a, b; long sum() const { return a + b; } };\n"
								"struct Tree { Pair pair; Tree *left, *right; };\n"
								"extern long sink(const Tree &);\n"
								"long grow(long x)\n"
								"{\n"
								"	Tree tree{{x, 1}, nullptr, nullptr};\n"
								"	return sink(tree) + tree.pair.sum();\n"
								"}\n";

	write_file("types.cc", TYPES, strlen(TYPES));
	assert_true(run("%s -g -O2 -fPIC %s -gsplit-dwarf -fdebug-types-section -c types.cc -o types.o && "
	                "%s -shared types.o -o types.so",
	                cxx(), options, cxx()));
	struct subject *s = subject_open("types.so");
	ask_symbol(s, "types.so", "_Z4growl");
	assert_non_null(s->answers[0].frames[0].name);
	check_all_in(s, "grow", in_folder("types.cc"));
	assert_false(has_warning(s, ""));
	subject_close(s);
}

static void test_split(void **state)
{
	(void)state;
	assert_true(run("echo 'int other(void) { return 1; }' >path.c"));
	check_split("-gdwarf-4");
	check_split("-gdwarf-5");
	check_split_types("-gdwarf-4");
	check_split_types("-gdwarf-5");
}

/* The texts of a .dwo are gone when the next one is open. */
static void test_damaged_split(void **state)
{
	(void)state;
	assert_true(run("%s -g -O2 -fPIC -gsplit-dwarf -c inlined.c -o one.o", cc()));
	assert_true(run("%s -g -O2 -fPIC -gsplit-dwarf -c path.c -o two.o", cc()));
	assert_true(run("%s -shared one.o two.o -o damaged_split.so", cc()));
	assert_true(
		run("objcopy --dump-section .debug_abbrev.dwo=abbrev one.dwo && "
	        "head -c $(($(wc -c <abbrev) - 8)) abbrev >cut && objcopy --update-section .debug_abbrev.dwo=cut one.dwo"));
	struct subject *s = subject_open("damaged_split.so");
	ask(s, 0x1000, MOST_ADDRESSES);
	assert_true(has_warning(s, "one.dwo: damaged debug information (abbreviations of the unit"));
	subject_close(s);
}

/* Each a unit of its own, two bytes long. */
static void write_small_units(const char *name, unsigned n_units, unsigned n_attributes)
{
	FILE *out = fopen(in_folder(name), "w");

	assert_non_null(out);
	fprintf(out,
	        ".text\n.globl all\nall: .fill %u, 1, 0\n.size all, %u\n.section .debug_abbrev,\"\",%%progbits\n"
	        ".uleb128 1, 0x11\n.byte 1\n.uleb128 0x11, 1, 0x12, 6, 0, 0\n" /* low_pc, high_pc */
	        ".uleb128 2, 0x2e\n.byte 0\n.uleb128 3, 8, 0x11, 1, 0x12, 6\n" /* name, low_pc, high_pc */
	        ".rept %u\n.uleb128 0x3f, 0x19\n.endr\n.uleb128 0, 0, 0\n"     /* external */
	        ".section .debug_info,\"\",%%progbits\n.set at, 0\n.rept %u\n"
	        ".4byte 2f - 1f\n1: .2byte 4\n.4byte 0\n.byte 8\n"
	        ".uleb128 1\n.8byte all + at\n.4byte 2\n"
	        ".uleb128 2\n.asciz \"function\"\n.8byte all + at\n.4byte 2\n.byte 0\n"
	        "2: .set at, at + 2\n.endr\n",
	        2 * n_units, 2 * n_units, n_attributes, n_units);
	assert_int_equal(fclose(out), 0);
}

static void ask_small_units(struct subject **s, unsigned n_units, unsigned n_attributes)
{
	write_small_units("units.s", n_units, n_attributes);
	assert_true(run("%s -shared -nostdlib units.s -o units.so", cc()));
	*s = subject_open("units.so");
	ask_symbol(*s, "units.so", "all");
}

/* A program may have thousands of units, and addresses in each. */
static void test_small_units(void **state)
{
	enum { N = MOST_ADDRESSES / 2 };
	struct subject *s;

	(void)state;
	ask_small_units(&s, N, 1);
	assert_int_equal(s->binary.diag.n, 0);
	assert_null(s->err);
	assert_int_equal(s->n, MOST_ADDRESSES);
	for (uint32_t i = 0; i < s->n; i++) {
		assert_int_equal(s->answers[i].n_frames, 1);
		assert_string_equal(s->answers[i].frames[0].name, "function");
	}
	subject_close(s);
}

/* A DIE costs as many steps as its abbreviation has attributes, which need no bytes in it. */
static void test_many_attributes(void **state)
{
	struct subject *s;

	(void)state;
	ask_small_units(&s, 2, 200000);
	assert_non_null(s->err);
	assert_non_null(strstr(err_text(s->err), "units and abbreviations"));
	subject_close(s);
}

/* What programs share may be no more than strings. */
static void test_alternate_of_strings(void **state)
{
	(void)state;
	if (!has("dwz"))
		skip();
	assert_true(run("echo 'int a_name_that_is_worth_sharing(void) { return 1; }' >shared.c"));
	assert_true(run("%s -g -O2 -fPIC -shared shared.c -o dwz1.so && cp dwz1.so dwz2.so && "
	                "dwz -m common -M %s dwz1.so dwz2.so && ! readelf -S common | grep -q debug_info",
	                cc(), in_folder("common")));
	struct subject *s = subject_open("dwz1.so");
	ask_symbol(s, "dwz1.so", "a_name_that_is_worth_sharing");
	check_all_in(s, "a_name_that_is_worth_sharing", in_folder("shared.c"));
	assert_false(has_warning(s, ""));
	subject_close(s);
}

static void test_twice(void **state)
{
	(void)state;
	assert_true(run("%s -g -O2 -fPIC -shared inlined.c -o twice.so", cc()));
	struct subject *s = subject_open("twice.so");
	for (int i = 0; i < 2; i++) {
		ask_symbol(s, "twice.so", "outer");
		assert_non_null(find_chain(s, CHAIN, 4));
	}
	ask(s, 0, 0);
	ask(s, UINT64_MAX - 16, 16);
	subject_close(s);
}

static void try_damaged(const char *bytes, size_t n)
{
	struct subject *s = subject_new();
	const char *path = in_folder("damaged.so");
	uint32_t n_warnings = 0;

	write_file("damaged.so", bytes, n);
	s->binary.path = s->binary.path_used = path;
	struct err *err = object_open(open(path, O_RDONLY | O_CLOEXEC), path, &s->binary.file);
	if (!err) {
		ask(s, 0, MOST_ADDRESSES); /* the first page of code lies at 0x1000 at most */
		ask(s, 0x1000, MOST_ADDRESSES);
	}
	for (uint32_t i = 0; i < s->binary.diag.n; i++)
		n_warnings += s->binary.diag.notes[i].level == NOTE_WARNING;
	assert_true(n_warnings <= 6); /* one a file and reason, each time */
	err_free(err);
	subject_close(s);
}

/* Bytes of a whole file changed one after another: an answer or an error, in time. */
static void check_damaged(const char *options)
{
	static const unsigned char VALUES[] = {0, 0xff, 0x80, 0x7f};
	size_t n;

	assert_true(run("%s -g -O2 -fPIC -shared %s inlined.c -o whole.so", cc(), options));
	char *bytes = read_whole("whole.so", &n);
	unsigned random = 1;
	for (int i = 0; i < 400; i++) {
		char *damaged = mem_strndup(bytes, n);

		for (int k = 0; k < 4; k++) {
			random = random * 1103515245 + 12345;
			size_t at = n * 3 / 4 - (random >> 8) % (n / 2); /* the debug sections lie in the middle */
			damaged[at] = (char)VALUES[random >> 4 & 3];
		}
		try_damaged(damaged, n);
		free(damaged);
	}
	free(bytes);
}

static void test_damaged(void **state)
{
	(void)state;
	check_damaged("-gdwarf-5");
	check_damaged("-gdwarf-4");
	check_damaged("-gz=zlib");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_dropped_function),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_torn),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_closures),
		cmocka_unit_test(test_assembly),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_separate),
		cmocka_unit_test(test_no_dwarf),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_damaged_split),
		cmocka_unit_test(test_small_units),
		cmocka_unit_test(test_many_attributes),
		cmocka_unit_test(test_alternate_of_strings),
	};

	return cmocka_run_group_tests(tests, setup, test_folder_remove);
}
