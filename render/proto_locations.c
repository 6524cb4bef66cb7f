#include "render/proto_locations.h"

#include <stdlib.h>

/* Functions, numbered from 1 in the order of their first use. */
struct functions {
	func_id *funcs; /* number 1 first */
	uint32_t n;
	uint32_t *id_of_func; /* by the profile's function; 0: not yet used */
};

static uint32_t function_id(struct functions *functions, func_id func)
{
	if (!functions->id_of_func[func.row]) {
		functions->funcs[functions->n] = func;
		functions->id_of_func[func.row] = ++functions->n;
	}
	return functions->id_of_func[func.row];
}

static void put_location(const struct place *place, uint32_t id, const struct proto_maps *maps,
                         struct functions *functions, struct proto_out *to)
{
	const struct profile *p = maps->list.p;
	const struct location *loc = &p->locs[place->loc.row];
	struct pb_writer *message = &to->message;

	pb_writer_clear(message);
	pb_put_number(message, LOCATION_ID, id);
	pb_put_number(message, LOCATION_MAPPING_ID, proto_maps_id(maps, loc));
	pb_put_number(message, LOCATION_ADDRESS, proto_maps_addr(maps, loc));
	for (uint32_t i = place->lines.first; i < place->lines.end; i++) {
		const struct line *line = &p->lines[i];

		proto_out_line(message, &to->inner, function_id(functions, line->func), line->line, line->column);
	}
	pb_put_message(&to->profile, PROFILE_LOCATION, message);
}

static void put_functions(const struct functions *functions, const struct profile *p, struct proto_out *to)
{
	for (uint32_t i = 0; i < functions->n; i++) {
		const struct function *func = &p->funcs[functions->funcs[i].row];

		proto_out_function(to, (uint64_t)i + 1, profile_text(p, func->name), profile_text(p, func->system_name),
		                   profile_text(p, func->file), func->start_line);
	}
}

void proto_locations_put(const struct places *places, struct proto_maps *maps, struct proto_out *to)
{
	const struct profile *p = maps->list.p;
	struct functions functions = {
		.funcs = mem_alloc(p->n_funcs, sizeof *functions.funcs),
		.id_of_func = mem_zalloc(p->n_funcs, sizeof *functions.id_of_func),
	};

	for (uint32_t i = 0; i < places->n; i++)
		proto_maps_note(maps, &p->locs[places->items[i].loc.row], places->items[i].lines);
	proto_maps_put(maps, to);
	for (uint32_t i = 0; i < places->n; i++)
		put_location(&places->items[i], i + 1, maps, &functions, to);
	put_functions(&functions, p, to);
	free(functions.funcs);
	free(functions.id_of_func);
}
