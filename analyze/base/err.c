#include "analyze/base/err.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct err {
	struct arena *arena;
	const char *text;
	bool is_missing, is_unreadable;
};

static struct err *err_make(void)
{
	struct err *err = mem_zalloc(1, sizeof *err);

	err->arena = arena_new();
	return err;
}

struct err *err_new(const char *format, ...)
{
	struct err *err = err_make();
	va_list args;

	va_start(args, format);
	err->text = arena_vprintf(err->arena, format, args);
	va_end(args);
	return err;
}

static bool says_unreadable(int number)
{
	static const int numbers[] = {EACCES, EPERM, EIO, EMFILE, ENFILE, ENOMEM, ESTALE};

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (number == numbers[i])
			return true;
	return false;
}

struct err *err_errno(const char *path)
{
	bool is_missing = errno == ENOENT || errno == ENOTDIR, is_unreadable = says_unreadable(errno);
	struct err *err = err_new("%s: %s", path, errno == ENOENT ? "no such file" : strerror(errno));

	err->is_missing = is_missing;
	err->is_unreadable = is_unreadable;
	return err;
}

bool err_is_missing(const struct err *err)
{
	return err->is_missing;
}

bool err_is_unreadable(const struct err *err)
{
	return err->is_unreadable;
}

struct err *err_wrap(struct err *inner, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *outer = arena_vprintf(inner->arena, format, args);
	va_end(args);
	inner->text = arena_printf(inner->arena, "%s: %s", outer, inner->text);
	return inner;
}

const char *err_text(const struct err *err)
{
	return err->text;
}

void err_free(struct err *err)
{
	if (!err)
		return;
	arena_free(err->arena);
	free(err);
}
