#include "symbolize/input_names.h"

#include "symbolize/demangle.h"

static void show(struct build *build, struct function *names, const struct symbolize_opts *opts, struct arena *arena)
{
	const char *system_name = profile_text(build_profile(build), names->system_name);

	names->name = build_cstr(build, demangle_as(opts->names, system_name, arena));
	if (opts->names != DEMANGLE_SHORT)
		names->rule_name = build_cstr(build, demangle_short(system_name, arena));
}

static void demangle(struct build *build, func_id id, const struct symbolize_opts *opts)
{
	struct function names = build_profile(build)->funcs[id.row];
	const char *system_name = profile_text(build_profile(build), names.system_name);
	struct arena *arena = arena_new();

	if (names.name.row == names.system_name.row || opts->replaces_names)
		show(build, &names, opts, arena);
	if (opts->want_full_names && !names.full_name.row)
		names.full_name = build_cstr(build, demangle_full(system_name, arena));
	build_func_names(build, id, &names);
	arena_free(arena);
}

void input_names_demangle(struct build *build, const struct symbolize_opts *opts)
{
	const struct profile *p = build_profile(build);

	for (uint32_t i = 1; i < p->n_funcs; i++)
		if (p->funcs[i].system_name.row)
			demangle(build, (func_id){i}, opts);
}
