#include "analyze/test.h"

#include "analyze/read/readable.h"

#include <string.h>

static const struct {
	const char *name, *text;
} NAMES[] = {
	{"main", "main"},
	{"foo(int)", "foo"},
	{"(anonymous namespace)::hidden(unsigned long)", "(anonymous namespace)::hidden"},
	{"void make<int>(unsigned long)", "make"},
	{"std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"},
	{"f(unsigned long)::{lambda(unsigned long)#1}::operator()(unsigned long) const", "f()::{lambda()#1}::operator()"},
	{"a::f() const::{lambda()#1}::operator()() const", "a::f()::{lambda()#1}::operator()"},
	{"table::operator<(table const&) const", "table::operator<"},
	{"bool operator< <int>(a<int> const&, int)", "operator<"},
	{"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<"},
	{"a::operator--(int)", "a::operator--"},
	{"a::operator->() const", "a::operator->"},
	{"auto f::operator()<int>(int) const", "f::operator()"},
	{"f::operator()", "f::operator()"},
	{"int& a::operator[]<int>(int)", "a::operator[]"},
	{"operator new[](unsigned long)", "operator new[]"},
	{"a::operator unsigned long() const", "a::operator unsigned long"},
	{"a::operator std::vector<int>() const &", "a::operator std::vector"},
	{"std::function<void (int)>::operator()(int) const", "std::function::operator()"},
	{"int f<(b)1, (1>0)>(int)", "f"},
	{"decltype (x->y) g<int>(int)", "g"},
	{"work(int) [clone .part.0]", "work"},
	{"std::string name[abi:cxx11](int)", "name[abi:cxx11]"},
	{"int h<&(a::f(int))>(int)", "h"},
	/* no parameters: other languages, or none of them */
	{"main.(*T).f", "main.(*T).f"},
	{"<a::B as c::D>::f", "<a::B as c::D>::f"},
	{"alloc::vec::Vec<T>::push", "alloc::vec::Vec<T>::push"},
	{"-[NSObject init]", "-[NSObject init]"},
	/* nonsense stays */
	{"", ""},
	{"(", "("},
	{")", ")"},
	{"()", "()"},
	{"f<(int)", "f<(int)"},
	{"f>)(int)", "f>)"},
	{"void (*f(int))(char)", "void (*f(int))(char)"},
	{"x (int)", "x (int)"},
	{"(int) const", "(int) const"},
};

static void names_are_shortened(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
		char text[128];

		memset(text, 'x', sizeof text);
		readable_short((struct span){NAMES[i].name, NAMES[i].name + strlen(NAMES[i].name)}, text);
		assert_string_equal(text, NAMES[i].text);
		assert_true(strlen(text) <= strlen(NAMES[i].name));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_shortened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
