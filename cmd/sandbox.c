#include "cmd/sandbox.h"

#include "analyze/base/confine.h"
#include "cmd/view_file.h"
#include "render/render.h"

#include <errno.h>
#include <string.h>

static void give_up(enum confine what, struct diag *diag)
{
	if (!confine_to(what))
		diag_add(diag, NOTE_DETAIL, NOTE_PLAIN, "No sandbox: the kernel takes no filter of system calls (%s).",
		         strerror(errno));
}

static bool starts_objdump(const struct options *options)
{
	const char *name = options_report(options);
	const struct renderer *renderer = name ? renderer_find(name) : NULL;

	return renderer && renderer->parts & PART_CODE;
}

void sandbox_enter(const struct options *options, struct diag *diag)
{
	const char *name = options_report(options);

	if (!options->use_sandbox)
		confine_never();
	if (options->interactive || (name && viewer_find(name)))
		return;
	give_up(starts_objdump(options) ? CONFINE_NETWORK : CONFINE_PROGRAMS, diag);
}

void sandbox_close(struct diag *diag)
{
	give_up(CONFINE_PROGRAMS, diag);
}
