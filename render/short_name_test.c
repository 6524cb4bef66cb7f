#include "analyze/test.h"

#include "render/short_name.h"

#include <string.h>

static void expect(const char *name, const char *wanted)
{
	struct arena *arena = arena_new();

	assert_string_equal(short_name(name, arena), wanted);
	arena_free(arena);
}

static void paths_and_versions_of_go_go(void **state)
{
	(void)state;
	expect("runtime.mcall", "runtime.mcall");
	expect("example.org/some-one/tool/pkg.(*Server).Serve.func1", "pkg.(*Server).Serve.func1");
	expect("example.org/tool/v3.Run", "tool.Run");
	expect("example.org/tool/v3/pkg.Run", "pkg.Run");
	expect("example.org/tool/v1.Run", "v1.Run");
	expect("example.org/tool/video.Run", "video.Run");
}

static void packages_of_java_go(void **state)
{
	(void)state;
	expect("org.example.deep.Tree$Node.insert", "Tree$Node.insert");
	expect("org.example.Tree.<init>(int, java.lang.String)", "Tree.<init>");
	expect("Tree.insert", "Tree.insert");
	expect("org.example.Tree.Insert", "org.example.Tree.Insert");
}

static void namespaces_go(void **state)
{
	(void)state;
	expect("(anonymous namespace)::hidden", "hidden");
	expect("a::b::Class::method", "Class::method");
	expect("a::Outer::Inner::method", "Inner::method");
	expect("a::Class::Class", "Class::Class");
	expect("a::Class::~Class", "Class::~Class");
	expect("a::_Tree::insert", "_Tree::insert");
	expect("std::vector::push_back", "std::vector::push_back");
	expect("a::Class::Method::{lambda(int)#1}::operator()", "Class::Method::{lambda(int)#1}::operator()");
	expect("Class", "Class");
	expect("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_and_versions_of_go_go),
		cmocka_unit_test(packages_of_java_go),
		cmocka_unit_test(namespaces_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
