#include "cmd/view_file.h"

#include "analyze/base/child.h"
#include "analyze/base/unfinished.h"
#include "cmd/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
static bool has_shown(pid_t pid)
{
	int status;

	for (int ms = 0; ms < GRACE_MS; ms += STEP_MS) {
		if (child_has_ended(pid, &status))
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
	}
	return true;
}

/* command: its name, or what the user has in $BROWSER, which may have words behind it. NULL: it has none. */
static const char **make_argv(const char *command, int scale, const char *path, struct arena *arena)
{
	const char **words = child_words(command, arena);
	size_t n = 0;

	while (words[n])
		n++;
	const char **argv = arena_alloc(arena, n + 3, sizeof *argv);
	memcpy(argv, words, n * sizeof *argv);
	if (scale && strcmp(command, "gv") == 0)
		argv[n++] = arena_printf(arena, "--scale=%d", scale);
	argv[n] = path;
	return *words ? argv : NULL;
}

static bool start(const char *command, const struct viewer *viewer, int scale, const char *path, pid_t *pid_ret)
{
	struct arena *arena = arena_new();
	/* One that stays behind is not for Ctrl-C, which is for those who stay. */
	const struct child_opts child = {.argv = make_argv(command, scale, path, arena),
	                                 .input = CHILD_OURS,
	                                 .output = CHILD_OURS,
	                                 .messages = CHILD_OURS,
	                                 .has_own_group = viewer->stays_behind};
	bool is_started = child.argv && child_start(&child, pid_ret) == 0;

	arena_free(arena);
	return is_started && has_shown(*pid_ret);
}

/* Starts the first viewer that shows the file; *tried_ret lists those that did not, "gv, evince". */
static bool start_any(const struct viewer *viewer, int scale, const char *path, struct arena *arena,
                      const char **tried_ret, pid_t *pid_ret)
{
	const char *browser = viewer->uses_browser ? getenv("BROWSER") : NULL;

	*tried_ret = "";
	if (browser && *browser) {
		if (start(browser, viewer, scale, path, pid_ret))
			return true;
		*tried_ret = arena_printf(arena, "%s, ", browser);
	}
	for (size_t i = 0; viewer->programs[i]; i++) {
		if (start(viewer->programs[i], viewer, scale, path, pid_ret))
			return true;
		*tried_ret = arena_printf(arena, "%s%s%s", *tried_ret, i ? ", " : "", viewer->programs[i]);
	}
	return false;
}

/* A process that is left alone with it: no child of its own, so waitpid is not for it. */
static void unlink_after_end(pid_t pid, const char *path)
{
	int viewer = pidfd_open(pid, 0);
	struct pollfd end = {.fd = viewer, .events = POLLIN};

	if (viewer < 0 && errno == ESRCH)
		unlink(path);
	if (viewer < 0 || fork() != 0)
		return;
	setpgid(0, 0);
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
	unlink(path);
	_exit(0);
}

static void take_away(const struct viewer *viewer, pid_t pid, const char *path)
{
	if (viewer->stays_behind) {
		unlink_after_end(pid, path);
		return;
	}
	child_wait(pid);
	unlink(path);
}

static struct err *show_file(const struct viewer *viewer, int scale, const char *path, struct arena *arena,
                             struct diag *diag)
{
	const char *tried;
	pid_t pid;

	bool is_shown = start_any(viewer, scale, path, arena, &tried, &pid);
	sandbox_close(diag);
	if (is_shown) {
		if (viewer->waits)
			take_away(viewer, pid, path);
		return NULL;
	}
	diag_add(diag, NOTE_WARNING, NOTE_PLAIN, "no viewer for --%s could be started (tried %s); the file is %s",
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
	int fd = unfinished_begin(AT_FDCWD, path);
	struct err *err = fd < 0 ? err_errno(path) : NULL;

	if (!err) {
		err = write_file(viewer, report, path, fd);
		close(fd);
		if (err)
			unlink(path);
		else
			err = show_file(viewer, scale, path, arena, diag);
		unfinished_end(path);
	}
	arena_free(arena);
	return err;
}
