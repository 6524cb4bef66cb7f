#include "analyze/advice.h"

#include <string.h>

static bool lacks_a_map(const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_sources; i++)
		if (!p->sources[i].has_maps)
			return true;
	return false;
}

static const char *advise_unmapped(const struct profile *p)
{
	if (lacks_a_map(p))
		return "an input has no map: if the program is linked to fixed addresses,\n"
			   "give it as first argument";
	return "nothing was mapped there when the profile was written: a library that\n"
		   "was unloaded before (dlclose), or code made at run time";
}

static const char *advise_stripped(const struct profile *p, const struct object *object, struct arena *arena)
{
	str_id build_id = object->used_build_id.row ? object->used_build_id : object->build_id;

	if (!build_id.row)
		return "install its debug symbols (package -dbg or -dbgsym)";
	return arena_printf(arena, "install its debug symbols (package -dbg or -dbgsym), or the debug file\nof build id %s",
	                    profile_text(p, build_id));
}

static const char *advise_wrong(const struct profile *p, const struct object *object, struct arena *arena)
{
	if (!object->build_id.row)
		return "the file changed since the program ran: use the one that ran";
	return arena_printf(arena, "the file changed since the program ran: use the one with build id\n%s",
	                    profile_text(p, object->build_id));
}

static const char *advise_missing(const struct profile *p, object_id object)
{
	if (object.row == p->program.row)
		return "give the program as first argument, or its host's files: --sysroot=DIR";
	return "run pprof on the program's host, or give its files: --sysroot=DIR";
}

const char *advice_on_object(const struct profile *p, object_id object, struct arena *arena)
{
	const struct object *row = &p->objects[object.row];

	if (!object.row)
		return advise_unmapped(p);
	if (row->is_doubtful)
		return advise_wrong(p, row, arena);
	switch (row->fate) {
	case OBJECT_UNTRIED:
	case OBJECT_SPECIAL:
		return NULL;
	case OBJECT_FOUND:
	case OBJECT_STRIPPED:
		return advise_stripped(p, row, arena);
	case OBJECT_MISSING:
		return advise_missing(p, object);
	case OBJECT_WRONG:
		return advise_wrong(p, row, arena);
	}
	return NULL;
}

const char *advice_in_a_line(const struct profile *p, object_id object, struct arena *arena)
{
	const char *advice = advice_on_object(p, object, arena);
	char *line = advice ? arena_strndup(arena, advice, strlen(advice)) : NULL;

	for (char *at = line; at && *at; at++)
		if (*at == '\n')
			*at = ' ';
	return line;
}
