#include "symbolize/input_names.h"

#include "symbolize/demangle.h"

static void demangle(struct build *build, func_id id, bool want_full_names)
{
	const struct function *func = &build_profile(build)->funcs[id.row];
	const char *system_name = profile_text(build_profile(build), func->system_name);
	str_id name = func->name, full_name = func->full_name;
	struct arena *arena = arena_new();

	if (name.row == func->system_name.row)
		name = build_cstr(build, demangle_short(system_name, arena));
	if (want_full_names && !full_name.row)
		full_name = build_cstr(build, demangle_full(system_name, arena));
	build_func_names(build, id, name, full_name);
	arena_free(arena);
}

void input_names_demangle(struct build *build, bool want_full_names)
{
	const struct profile *p = build_profile(build);

	for (uint32_t i = 1; i < p->n_funcs; i++)
		if (p->funcs[i].system_name.row)
			demangle(build, (func_id){i}, want_full_names);
}
