#include "render/render.h"

#include <string.h>

/* clang-format off */
const struct renderer *const renderers[] = {
	&render_text,
	&render_top,
	&render_symbols,
	&render_info,
	&render_tree, &render_peek,
	&render_list, &render_disasm, &render_weblist,
	&render_traces, &render_tags, &render_comments, &render_raw,
	&render_collapsed,
	&render_callgrind,
	&render_json,
	&render_speedscope,
	&render_csv,
	&render_html,
	&render_flame,
	&render_dot, &render_svg, &render_ps, &render_pdf, &render_png, &render_gif,
	&render_proto, &render_topproto,
	NULL,
};
/* clang-format on */

const struct renderer *renderer_find(const char *name)
{
	for (size_t i = 0; renderers[i]; i++)
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
	return NULL;
}
