#include "symbolize/demangle.h"
#include "analyze/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct row {
	const char *system_name, *name;
};

static const struct row SHORT[] = {
	/* functions, templates, return types */
	{"_Z3fooi", "foo"},
	{"_ZN1A1B3fooEv", "A::B::foo"},
	{"_Z8tmpl_newI3FooEPT_i", "tmpl_new"},
	{"_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_", "std::move"},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector::push_back"},
	{"_ZNSs6appendEPKc", "std::string::append"},
	{"_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv", "std::__cxx11::basic_string::size"},
	{"_ZN1AIXgtLi4ELi3EEE1fEv", "A::f"},
	{"_Z1fILi3EEvDTcl1gT_EE", "f"},
	{"_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f"},
	{"_ZNKRSt8optionalIiEdeEv", "std::optional::operator*"},
	/* operators */
	{"_ZlsRSoRK3Foo", "operator<<"},
	{"_ZltRK3FooS1_", "operator<"},
	{"_ZN3FooltIiEEbT_", "Foo::operator<"},
	{"_ZssRK3FooS1_", "operator<=>"},
	{"_ZN3FooptEv", "Foo::operator->"},
	{"_ZN3FooclEii", "Foo::operator()"},
	{"_ZN3FooixEm", "Foo::operator[]"},
	{"_ZN3FoonaEm", "Foo::operator new[]"},
	{"_Znwm", "operator new"},
	{"_Znam", "operator new[]"},
	{"_ZdlPv", "operator delete"},
	{"_Zli2_xy", "operator\"\" _x"},
	{"_ZN3FoocviEv", "Foo::operator int"},
	{"_ZN3FoocvT_IiEEv", "Foo::operator int"},
	{"_ZN3FoocvPT_IiEEv", "Foo::operator int*"},
	{"_ZN3FooIiEcvbEv", "Foo::operator bool"},
	{"_ZN3FoocvSt6vectorIiSaIiEEEv", "Foo::operator std::vector"},
	{"_ZN1AcvPFviEEv", "A::operator void (*)(int)"},
	/* constructors, destructors */
	{"_ZN3FooC1Ev", "Foo::Foo"},
	{"_ZN3FooC2ERKS_", "Foo::Foo"},
	{"_ZN3FooIiED0Ev", "Foo::~Foo"},
	{"_ZNSt8functionIFvvEEC2IZ4mainEUlvE_vEEOT_", "std::function::function"},
	/* lambdas, local classes, unnamed types */
	{"_ZZ3foovENKUlvE_clEv", "foo()::{lambda()#1}::operator()"},
	{"_ZZ3fooiENKUliE_clEi", "foo()::{lambda(int)#1}::operator()"},
	{"_ZZN1A3barEidENKUlRKSt6vectorIiSaIiEEE0_clES4_", "A::bar()::{lambda(std::vector const&)#2}::operator()"},
	{"_ZZ4tmplIiEvT_ENKUlvE_clEv", "tmpl()::{lambda()#1}::operator()"},
	{"_ZZN1AC1EvENKUlT_E_clIiEEDaS0_", "A::A()::{lambda(auto:1)#1}::operator()"},
	{"_ZZZ3foovENKUlvE_clEvENKUlvE_clEv", "foo()::{lambda()#1}::operator()()::{lambda()#1}::operator()"},
	{"_ZZ4mainEN5Local3runEv", "main::Local::run"},
	{"_ZZ3fooiEN5Local3runEv", "foo()::Local::run"},
	{"_ZNK3foo3$_0clEv", "foo::$_0::operator()"},
	{"_ZNUt_3barEv", "{unnamed type#1}::bar"},
	/* special names */
	{"_ZThn16_N1A1fEi", "non-virtual thunk to A::f"},
	{"_ZTv0_n24_N1A1fEv", "virtual thunk to A::f"},
	{"_ZGVZ3fooiE1x", "guard variable for foo()::x"},
	{"_ZTV3FooIiE", "vtable for Foo"},
	{"_Z1fIZN1AD1EvEUlvE_EvT_", "f"},
	{"_ZN3FooIZN1BD1EvEUlvE_Ev11xEv", "Foo::operator x"},
	{"_ZZ1fiEd_NKUlvE_clEv", "f()::{default arg}::{lambda()#1}::operator()"},
	{"_ZN1A1fB5cxx11Ev", "A::f[abi:cxx11]"},
	/* clones and versions */
	{"_Z3fooi.part.0", "foo"},
	{"_ZN1A3fooEv.isra.0.cold", "A::foo"},
	{"_ZN1A3fooEv.llvm.123", "A::foo"},
	{"foo.part.0", "foo"},
	{"foo.constprop.1", "foo"},
	{"foo.isra.0", "foo"},
	{"foo.cold", "foo"},
	{"foo.llvm.123", "foo"},
	{"foo.constprop.0.isra.0.cold", "foo"},
	{"malloc@@GLIBC_2.2.5", "malloc"},
	{"_ZNSs6appendEPKc@@GLIBCXX_3.4", "std::string::append"},
	/* Rust */
	{"_RNvC7mycrate3foo", "mycrate::foo"},
	{"_RNvYNtC1r1ANtB4_4Grab4grab", "<r::A as r::Grab>::grab"},
	{"_RNvXs_C1rNtB4_1ANtB4_4Grab4grab", "<r::A as r::Grab>::grab"},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place"},
	{"_ZN29_$LT$A$u20$as$u20$r..Grab$GT$4grab17h1b2a3c4d5e6f7081E", "<A as r::Grab>::grab"},
	{"_ZN29_$LT$A$u20$as$u20$r..Grab$GT$4grab17h1b2a3c4d5e6f7081E.llvm.12", "<A as r::Grab>::grab"},
	{"_RMCs4fqI2P2rA04_13const_genericINtB0_8UnsignedKhb_E", "<const_generic::Unsigned<11>>"},
	{"_RMCs4fqI2P2rA04_13const_genericINtB0_6SignedKanb_E", "<const_generic::Signed<-11>>"},
	{"_RMCs4fqI2P2rA04_13const_genericINtB0_4BoolKb0_E", "<const_generic::Bool<false>>"},
	{"_RMCs4fqI2P2rA04_13const_genericINtB0_4CharKc76_E", "<const_generic::Char<'v'>>"},
	{"_RINvC1r1fKpE", "r::f::<_>"},
	{"_RINvC1r1fKj1_KB8_E", "r::f::<1, 1>"},
	{"_RINvC1r1fDNtB2_4Grabp4ItemjEL_E", "r::f::<dyn r::Grab<Item = usize>>"},
	{"_RINvC1r1fFUKCjEhE", "r::f::<unsafe extern \"C\" fn(usize) -> u8>"},
	{"_RINvC1r1fFK8C_unwindjEhE", "r::f::<extern \"C-unwind\" fn(usize) -> u8>"},
	{"_RINvC1r1fFG_RL0_hEuE", "r::f::<for<'a> fn(&'a u8)>"},
	{"_RINvC1r1fQhShThjEPhOhAhj7b_E", "r::f::<&mut u8, [u8], (u8, usize), *const u8, *mut u8, [u8; 123]>"},
	{"_RINvC1r1fL_E", "r::f::<'_>"},
	{"_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3new", "<std::path::PathBuf>::new"},
	{"_RNvC1ru30____7hkackfecea1cbdathfdh9hlq6y", "r::საჭმელად_გემრიელი_სადილი"},
	/* cut, or with references to what is not before them: as they are */
	{"_RINvC1r1fKj1_KB9_E", "_RINvC1r1fKj1_KB9_E"},
	{"_RINvC1r1fKj1", "_RINvC1r1fKj1"},
	{"_RINvC1r1fK", "_RINvC1r1fK"},
	{"_RINvC1r1fAh", "_RINvC1r1fAh"},
	{"_RINvC1r1fDNtB9_4GrabEL_E", "_RINvC1r1fDNtB9_4GrabEL_E"},
	{"_RINvC1r1fDNtB2_4Grabp4ItemZEL_E", "_RINvC1r1fDNtB2_4Grabp4ItemZEL_E"},
	{"_RINvC1r1fDNtB2_4GrabEhE", "_RINvC1r1fDNtB2_4GrabEhE"},
	{"_RNvC9r1f", "_RNvC9r1f"},
	{"_RNvC1r99999999999999999999999f", "_RNvC1r99999999999999999999999f"},
	{"_RZ", "_RZ"},
	/* D */
	{"_D3app3fooFiZv", "app.foo(int)"},
	{"_Dmain", "D main"},
	/* as DWARF has them where there is no name of the linker's */
	{"__invoke_impl<void, foo(int)::<lambda()>&>", "__invoke_impl"},
	{"_M_insert<A<B<int> > >", "_M_insert"},
	{"operator()<int>", "operator()"},
	{"operator-><int>", "operator->"},
	{"operator<", "operator<"},
	{"operator<=>", "operator<=>"},
	{"operator<< <char>", "operator<< <char>"},
	{"operator std::vector<int>", "operator std::vector<int>"},
	{"operators<int>", "operators"},
	/* as they are */
	{"", ""},
	{"f<", "f<"},
	{"f<int>::g<int>", "f<int>::g<int>"},
	{"<init>", "<init>"},
	{"main.<int>", "main.<int>"},
	{"3<int>", "3<int>"},
	{"_", "_"},
	{"_Z", "_Z"},
	{"_ZN", "_ZN"},
	{"_R", "_R"},
	{"_D", "_D"},
	{"main", "main"},
	{"main.func1", "main.func1"},
	{"net/http.(*conn).serve", "net/http.(*conn).serve"},
	{"std::vector<int>::push_back(int const&)", "std::vector<int>::push_back(int const&)"},
	{"foo.part", "foo.part"},
	{".cold", ".cold"},
	{"a.b.c.3", "a.b.c.3"},
};

static const struct row FULL[] = {
	{"_Z3fooi", "foo(int)"},
	{"_Z8tmpl_newI3FooEPT_i", "Foo* tmpl_new<Foo>(int)"},
	{"_ZZ3fooiENKUlvE_clEv", "foo(int)::{lambda()#1}::operator()() const"},
	{"_Z3fooi.part.0", "foo(int) [clone .part.0]"},
	{"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place"},
	{"foo.part.0", "foo.part.0"},
	{"_Z3foo!", "_Z3foo!"},
};

static void test_short(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof SHORT / sizeof *SHORT; i++)
		assert_string_equal(demangle_short(SHORT[i].system_name, arena), SHORT[i].name);
	arena_free(arena);
}

static void test_full(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof FULL / sizeof *FULL; i++)
		assert_string_equal(demangle_full(FULL[i].system_name, arena), FULL[i].name);
	arena_free(arena);
}

static void append_substitution(char *text, unsigned number)
{
	static const char DIGITS[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (number == 0)
		strcat(text, "S_");
	else if (number <= 36)
		sprintf(text + strlen(text), "S%c_", DIGITS[number - 1]);
	else
		sprintf(text + strlen(text), "S%c%c_", DIGITS[(number - 1) / 36], DIGITS[(number - 1) % 36]);
}

/* Each level names the one before it twice: 40 levels stand for 2^40 types. */
static char *doubling(const char *start, const char *before, unsigned step, const char *after, const char *end)
{
	char *text = mem_zalloc(4096, 1);

	strcpy(text, start);
	for (unsigned i = 0; i < 40; i++) {
		strcat(text, before);
		append_substitution(text, step * i + 1);
		append_substitution(text, step * i + 1);
		strcat(text, after);
	}
	return strcat(text, end);
}

static char *repeated(const char *start, const char *part, unsigned n, const char *end)
{
	char *text = mem_zalloc(strlen(start) + n * strlen(part) + strlen(end) + 1, 1);
	char *at = stpcpy(text, start);

	while (n-- > 0)
		at = stpcpy(at, part);
	strcpy(at, end);
	return text;
}

static void check_bounded(char *name)
{
	struct arena *arena = arena_new();
	clock_t start = clock();

	assert_true(strlen(demangle_short(name, arena)) <= DEMANGLE_LONGEST);
	assert_true(strlen(demangle_full(name, arena)) <= DEMANGLE_LONGEST);
	assert_true(clock() - start < CLOCKS_PER_SEC / 4);
	arena_free(arena);
	free(name);
}

static void test_hostile(void **state)
{
	(void)state;
	check_bounded(doubling("_Z1f1AIiiE", "S_I", 1, "E", ""));
	check_bounded(doubling("_Z1fPFviiE", "PFv", 2, "E", ""));
	check_bounded(doubling("_ZZ1fvENKUlPFviiE", "PFv", 2, "E", "E_clEv"));
	check_bounded(doubling("_Z1fIJEEvDpPFviiE", "DpPFv", 2, "E", ""));
	check_bounded(repeated("_ZN1Acv", "T_IcvT_I", 30, "iE"));
	check_bounded(repeated("_Z1f", "P", 16000, "i"));
	check_bounded(repeated("_Z1f", "P", 1000000, "i"));
	check_bounded(repeated("_ZN", "1A", 8000, "E"));
	check_bounded(repeated("_Z1fI1AIiEEv", "RT_", 5000, ""));
	check_bounded(repeated("_RNvMIC0FGzzzzzzzzzz_EuEu1c", "", 0, ""));
	check_bounded(repeated("_RMC0FGzzzzzzzz_Eu", "", 0, ""));
	check_bounded(repeated("_RINvC1a1bTuE", "TB8_B8_E", 40, "E"));
	check_bounded(repeated("_RINvC1a1b", "T", 8000, "E"));
	check_bounded(repeated("_D1aFAya", "Qb", 300, "Zv"));
	check_bounded(repeated("_D1aF", "A", 2000, "Zv"));
	check_bounded(repeated("", "x", 100000, ""));
}

static void test_cut(void **state)
{
	struct arena *arena = arena_new();
	char *name = repeated("", "\xc3\xa4", DEMANGLE_LONGEST, "");
	const char *cut = demangle_short(name, arena);
	size_t n = strlen(cut);

	(void)state;
	assert_true(n <= DEMANGLE_LONGEST && n > DEMANGLE_LONGEST - 8);
	assert_string_equal(cut + n - 3, "...");
	assert_int_equal((unsigned char)cut[n - 4], 0xa4);
	free(name);
	arena_free(arena);
}

static void test_styles(void **state)
{
	static const struct {
		enum demangle_style style;
		const char *system_name, *name;
	} rows[] = {
		{DEMANGLE_SHORT, "_ZN3FooIiE1gEi", "Foo::g"},
		{DEMANGLE_TEMPLATES, "_ZN3FooIiE1gEi", "Foo<int>::g"},
		{DEMANGLE_TEMPLATES, "_Z8tmpl_newI3FooEPT_i", "tmpl_new<Foo>"},
		{DEMANGLE_TEMPLATES, "_ZN3FooIiE1gEi@@VERS_1", "Foo<int>::g"},
		{DEMANGLE_TEMPLATES, "f<int>", "f<int>"},
		{DEMANGLE_TEMPLATES, "work.constprop.0", "work"},
		{DEMANGLE_FULL, "_ZN3FooIiE1gEi", "Foo<int>::g(int)"},
		{DEMANGLE_NONE, "_ZN3FooIiE1gEi", "_ZN3FooIiE1gEi"},
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(demangle_as(rows[i].style, rows[i].system_name, arena), rows[i].name);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
