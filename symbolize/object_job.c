#include "symbolize/object_job.h"

static const char *path_of(const struct profile *p, const struct symbolize_opts *opts, object_id object,
                           bool is_program)
{
	if (is_program)
		return opts->program;
	bool is_file = object.row && p->objects[object.row].fate != OBJECT_SPECIAL;
	return is_file ? profile_text(p, p->objects[object.row].file) : NULL;
}

struct job object_job(const struct profile *p, const struct symbolize_opts *opts, object_id object, bool is_program)
{
	struct arena *arena = arena_new();

	return (struct job){
		.binary =
			{
				.path = path_of(p, opts, object, is_program),
				.build_id = object_parse_build_id(arena, profile_text(p, p->objects[object.row].build_id)),
				.is_program = is_program,
				.find = &opts->find,
				.arena = arena,
			},
		.style = opts->names,
		.want_full_names = opts->want_full_names,
		.cache_folder = opts->cache_folder,
		.arena = arena,
	};
}

/* No mapping begins at 0: it is what converters write that knew none, and its addresses are link-time ones. */
bool object_job_is_link_time(const struct profile *p, const struct location *loc)
{
	const struct mapping *map = &p->maps[loc->map.row];

	return !loc->object.row || (map->start == 0 && map->offset == 0);
}
