#include "cmd/view_file.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char *const ps_viewers[] = {"gv", "evince", "okular", NULL};
static const char *const pdf_viewers[] = {"evince", "okular", "xdg-open", NULL};
static const char *const png_viewers[] = {"eog", "xdg-open", NULL};
static const char *const call_viewers[] = {"kcachegrind", "qcachegrind", NULL};
static const char *const browsers[] = {"xdg-open", "sensible-browser", "firefox", "chromium", "google-chrome", NULL};

static const struct viewer viewers[] = {
	{"gv", &render_ps, ps_viewers, false, true},
	{"evince", &render_pdf, pdf_viewers, false, false},
	{"eog", &render_png, png_viewers, false, false},
	{"web", &render_svg, browsers, true, false},
	{"kcachegrind", &render_callgrind, call_viewers, false, false},
};

const struct viewer *viewer_find(const char *name)
{
	for (size_t i = 0; i < sizeof viewers / sizeof *viewers; i++)
		if (strcmp(viewers[i].name, name) == 0)
			return &viewers[i];
	return NULL;
}

static const char *folder_for_files(void)
{
	static const char *const names[] = {"XDG_RUNTIME_DIR", "TMPDIR"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *folder = getenv(names[i]);

		if (folder && *folder == '/' && access(folder, W_OK | X_OK) == 0)
			return folder;
	}
	return "/tmp";
}

static struct err *write_file(const struct viewer *viewer, const struct report *report, const char *path, int fd)
{
	struct out *out = out_fd(fd, path);
	struct err *err = viewer->renderer->write(report, out);

	if (err) {
		out_discard(out);
		return err;
	}
	return out_close(out);
}

enum { GRACE_MS = 1000, STEP_MS = 20 };

/* Waits for the viewer to end, or only as long as one that cannot open the file needs to say so. One that fails later
 * has shown it. */
static bool has_shown(pid_t pid, bool waits)
{
	int status = 0, ms = 0;

	for (; ms < GRACE_MS; ms += STEP_MS) {
		pid_t ended = waitpid(pid, &status, WNOHANG);

		if (ended == pid)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		if (ended < 0 && errno != EINTR)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
	}
	while (waits && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return true;
}

static bool start(const char *program, const char *path, int scale, bool waits)
{
	char zoom[32];
	char *argv[4] = {(char *)(uintptr_t)program}, **next = argv + 1;
	pid_t pid;

	snprintf(zoom, sizeof zoom, "--scale=%d", scale);
	if (scale && strcmp(program, "gv") == 0)
		*next++ = zoom;
	*next = (char *)(uintptr_t)path;
	return posix_spawnp(&pid, program, NULL, NULL, argv, environ) == 0 && has_shown(pid, waits);
}

/* Starts the first viewer that shows the file; *tried_ret lists those that did not, "gv, evince". */
static bool start_any(const struct viewer *viewer, int scale, const char *path, struct arena *arena,
                      const char **tried_ret)
{
	const char *browser = viewer->uses_browser ? getenv("BROWSER") : NULL;

	*tried_ret = "";
	if (browser && *browser) {
		if (start(browser, path, scale, viewer->waits))
			return true;
		*tried_ret = arena_printf(arena, "%s, ", browser);
	}
	for (size_t i = 0; viewer->programs[i]; i++) {
		if (start(viewer->programs[i], path, scale, viewer->waits))
			return true;
		*tried_ret = arena_printf(arena, "%s%s%s", *tried_ret, i ? ", " : "", viewer->programs[i]);
	}
	return false;
}

static struct err *show_file(const struct viewer *viewer, int scale, const char *path, struct arena *arena,
                             struct diag *diag)
{
	const char *tried;

	if (start_any(viewer, scale, path, arena, &tried)) {
		if (viewer->waits)
			unlink(path);
		return NULL;
	}
	diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "no viewer for --%s could be started (tried %s); the graph is in %s",
	         viewer->name, tried, path);
	struct out *out = out_fd(STDOUT_FILENO, "standard output");
	out_name(out, path);
	out_text(out, "\n");
	return out_close(out);
}

struct err *viewer_show(const struct viewer *viewer, int scale, const struct report *report, struct diag *diag)
{
	struct arena *arena = arena_new();
	char *path = arena_printf(arena, "%s/pprof-XXXXXX.%s", folder_for_files(), viewer->renderer->ext);
	int fd = mkostemps(path, (int)strlen(viewer->renderer->ext) + 1, O_CLOEXEC);
	struct err *err = fd < 0 ? err_new("%s: %s", path, strerror(errno)) : write_file(viewer, report, path, fd);

	if (fd >= 0) {
		close(fd);
		if (err)
			unlink(path);
		else
			err = show_file(viewer, scale, path, arena, diag);
	}
	arena_free(arena);
	return err;
}
