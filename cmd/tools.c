#include "cmd/tools.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOOL "objdump"

static bool is_program(const char *path)
{
	return access(path, X_OK) == 0 && !file_is_folder(path);
}

/* "nm:/opt/nm": a word of letters in front, so that a folder with a colon in its name is none. */
static size_t tool_length(const char *item)
{
	size_t n = strspn(item, "abcdefghijklmnopqrstuvwxyz+0123456789");

	return item[n] == ':' ? n : 0;
}

static const char *path_of(const char *item, struct arena *arena)
{
	size_t n = tool_length(item);

	if (n)
		item += n + 1;
	if (file_is_folder(item))
		return arena_printf(arena, "%s/" TOOL, item);
	return n ? item : arena_printf(arena, "%s" TOOL, item);
}

static bool tells_of_tool(const char *item)
{
	size_t n = tool_length(item);

	return !n || text_is(item, n, TOOL);
}

static const char *environment_tools(void)
{
	const char *tools = getenv("PPROF_TOOLS");

	if (!tools || !*tools)
		tools = getenv("JEPROF_TOOLS");
	return tools ? tools : "";
}

struct err *tools_objdump(const char *tools, struct arena *arena, const char **ret)
{
	const char *list = tools ? tools : environment_tools(), *path = TOOL;
	bool is_said = false;
	size_t n;

	for (const char *at; (at = text_item(&list, ',', &n));) {
		const char *item = arena_strndup(arena, at, n);

		if (!tells_of_tool(item))
			continue;
		is_said = true;
		path = path_of(item, arena);
		if (is_program(path))
			break;
	}
	if (is_said && !is_program(path))
		return err_new("--tools: %s: expected a program that can be started", path);
	*ret = path;
	return NULL;
}
