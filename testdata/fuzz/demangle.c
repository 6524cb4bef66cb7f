/* A name as a linker knows it, in every style that names are shown in, and what boxes of a picture make of them. */
#include "render/short_name.h"
#include "symbolize/demangle.h"
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void demangle(const char *name)
{
	struct arena *arena = arena_new();

	for (enum demangle_style style = DEMANGLE_SHORT; style <= DEMANGLE_NONE; style++) {
		const char *shown = demangle_as(style, name, arena);

		if (style != DEMANGLE_NONE && strlen(shown) > DEMANGLE_LONGEST + SYSTEM_NAME_LONGEST)
			abort();
		short_name(shown, arena);
	}
	arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *name = mem_strndup((const char *)data, size);

	demangle(name);
	free(name);
	return 0;
}
