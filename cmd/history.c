#include "cmd/history.h"

#include "analyze/base/file.h"
#include "render/out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes: a file that is longer is cut to half of that when it is read. */
enum { LARGEST_FILE = 128 << 10, KEPT = LARGEST_FILE / 2, LARGEST_READ = 16 << 20 };

const char *history_path(struct arena *arena)
{
	const char *folder = file_user_folder("XDG_STATE_HOME", ".local/state", arena);

	return folder ? arena_printf(arena, "%s/history", folder) : NULL;
}

/* ---- reading ---- */

/* Anything but a file of this user could be a trap, or wait for ever. */
static bool is_ours(int fd, size_t *size_ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_size > LARGEST_READ)
		return false;
	*size_ret = (size_t)st.st_size;
	return true;
}

static int open_ours(const char *path, int flags, size_t *size_ret)
{
	int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);

	if (fd >= 0 && !is_ours(fd, size_ret)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void replace(const char *path, const char *text)
{
	struct out *out = NULL;

	chmod(path, 0600); /* the new file takes it over */
	struct err *err = out_file(path, &out);
	if (!err) {
		out_text(out, text);
		err = out_close(out);
	}
	err_free(err);
}

static const char *last_lines(const char *text, size_t size)
{
	const char *newline = strchr(text + size - KEPT, '\n');

	return newline ? newline + 1 : text + size;
}

static void take_lines(char *text, void (*take)(void *context, const char *line), void *context)
{
	char *rest;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		take(context, line);
}

void history_read(const char *path, void (*take)(void *context, const char *line), void *context)
{
	size_t size;
	int fd = open_ours(path, O_RDONLY, &size);

	if (fd < 0)
		return;
	char CLEANUP(mem_free_local) *text = mem_alloc(size + 1, 1);
	size = file_read_open(fd, text, size);
	text[size] = '\0';
	close(fd);
	size = strlen(text);
	if (size <= LARGEST_FILE) {
		take_lines(text, take, context);
		return;
	}
	const char *last = last_lines(text, size);
	char CLEANUP(mem_free_local) *kept = mem_strndup(last, strlen(last));
	replace(path, kept);
	take_lines(kept, take, context);
}

/* ---- writing ---- */

/* The folders behind the home, which is not for us to make. */
static void make_folders(const char *path)
{
	char CLEANUP(mem_free_local) *folder = mem_strndup(path, strlen(path));
	const char *home = getenv("HOME");
	size_t known = home && strncmp(path, home, strlen(home)) == 0 ? strlen(home) : 0;

	for (char *slash = strchr(folder + known + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
}

void history_add(const char *path, const char *line)
{
	struct arena *arena = arena_new();
	const char *text = arena_printf(arena, "%s\n", line);
	size_t size;
	int fd = open_ours(path, O_WRONLY | O_APPEND | O_CREAT, &size);

	if (fd < 0 && errno == ENOENT) {
		make_folders(path);
		fd = open_ours(path, O_WRONLY | O_APPEND | O_CREAT, &size);
	}
	if (fd >= 0) {
		(void)!file_write_all(fd, text, strlen(text));
		close(fd);
	}
	arena_free(arena);
}
