#include "render/graphviz.h"

#include "analyze/base/child.h"
#include "analyze/base/confine.h"
#include "analyze/base/file.h"
#include "analyze/base/sanitizer.h"
#include "analyze/base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <graphviz/gvc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* libgvc may crash on a failed malloc, print what it likes and run for minutes on a thousand nodes: so it runs in a
 * child with limits, and its bytes count only when it ended well. */

enum { MOST_CPU_SECONDS = 60, MOST_MEMORY_MB = 4096, MOST_MESSAGE = 2000 };

struct plugin {
	const char *name; /* libgvplugin_NAME.so.6, gvplugin_NAME_LTX_library */
	const char *package;
};

/* dot_layout and core measure text by built-in tables; pango and gd use the host's fonts. */
static const struct plugin plugins[] = {
	{"dot_layout", "libgvc6"},
	{"core", "libgvc6"},
	{"pango", "libgvc6"},
	{"gd", "libgvc6"},
};

static size_t count_plugins(const char *format)
{
	if (strcmp(format, "svg") == 0 || strcmp(format, "ps") == 0)
		return 2;
	return strcmp(format, "gif") == 0 ? 4 : 3;
}

/* ---- in the child ---- */

static void *load_plugin(const struct plugin *plugin, char *symbol, size_t size)
{
	char path[512];

	snprintf(path, sizeof path, GRAPHVIZ_PLUGINS "/libgvplugin_%s.so.6", plugin->name);
	snprintf(symbol, size, "gvplugin_%s_LTX_library", plugin->name);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *entry = library ? dlsym(library, symbol) : NULL;
	if (!entry)
		fprintf(stderr, "graphviz's plugin %s is missing (package %s)\n", plugin->name, plugin->package);
	return entry;
}

static void set_limit(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > most)) {
		limit.rlim_cur = most;
		setrlimit(resource, &limit);
	}
}

enum { USUAL_EDGES = 200 };

/* dot places nodes by steps that it repeats until nothing gets better, which is most of its time where there are many
 * edges; twice as many steps as nodes look nearly as good. */
static void limit_steps(Agraph_t *graph)
{
	if (agnedges(graph) > USUAL_EDGES)
		agattr(graph, AGRAPH, (char *)(uintptr_t) "nslimit", (char *)(uintptr_t) "2");
}

static int lay_out(Agraph_t *graph, const char *format, int fd)
{
	static char symbols[4][64];
	lt_symlist_t builtins[5] = {{0}};
	size_t n = count_plugins(format);
	unsigned size = 0;
	char *bytes = NULL;

	for (size_t i = 0; i < n; i++) {
		builtins[i].address = load_plugin(&plugins[i], symbols[i], sizeof symbols[i]);
		builtins[i].name = symbols[i];
		if (!builtins[i].address)
			return 1;
	}
	GVC_t *gvc = gvContextPlugins(builtins, 0);
	(void)confine_to(CONFINE_LAYOUT); /* libraries are loaded; where it cannot be, the parent has said so */
	limit_steps(graph);
	if (!gvc || gvLayout(gvc, graph, "dot") != 0 || gvRenderData(gvc, graph, format, &bytes, &size) != 0 || !bytes)
		return 1;
	return file_write_all(fd, bytes, size) ? 0 : 1;
}

/* What else is open is not for a picture, the report's own stream least of all. */
static void leave_alone(int result, int messages)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	int low = result < messages ? result : messages, high = result < messages ? messages : result;

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) {
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
	}
	if (low > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, (unsigned)low - 1, 0);
	if (high > low + 1)
		close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	close_range((unsigned)high + 1, ~0U, 0);
}

static void run_child(Agraph_t *graph, const char *format, pid_t parent, int result, int messages)
{
	/* Nobody would read what outlives the parent. */
	child_end_with(parent, SIGKILL);
	leave_alone(result, messages);
	set_limit(RLIMIT_CPU, MOST_CPU_SECONDS);
	set_limit(RLIMIT_CORE, 0);
	if (!UNDER_ASAN)
		set_limit(RLIMIT_AS, (rlim_t)MOST_MEMORY_MB << 20);
	dup2(messages, STDERR_FILENO);
	agseterr(AGERR);
	_exit(lay_out(graph, format, result));
}

/* ---- in the parent ---- */

struct layout {
	pid_t pid;
	int result, messages; /* read ends */
	int n_nodes, n_edges;
};

static void close_pair(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

static struct err *start_child(Agraph_t *graph, const char *format, struct layout *layout)
{
	int result[2], messages[2];

	if (pipe2(result, O_CLOEXEC) < 0)
		return err_new("laying out the graph: %s", strerror(errno));
	if (pipe2(messages, O_CLOEXEC) < 0) {
		close_pair(result);
		return err_new("laying out the graph: %s", strerror(errno));
	}
	pid_t parent = getpid();
	layout->pid = fork();
	if (layout->pid == 0)
		run_child(graph, format, parent, result[1], messages[1]);
	close(result[1]);
	close(messages[1]);
	layout->result = result[0];
	layout->messages = messages[0];
	if (layout->pid > 0)
		return NULL;
	close(result[0]);
	close(messages[0]);
	return err_new("laying out the graph: %s", strerror(errno));
}

/* Reads both pipes to their ends: the picture into result, the first line of the messages into message. 0, or errno of
 * what kept it from an end. */
static int collect(const struct layout *layout, struct out *result, char message[MOST_MESSAGE])
{
	struct pollfd fds[2] = {{.fd = layout->result, .events = POLLIN}, {.fd = layout->messages, .events = POLLIN}};
	static char buffer[64 << 10];
	size_t used = 0;
	int failure = 0;

	while (!failure && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
		if (poll(fds, 2, -1) < 0) {
			failure = errno == EINTR ? 0 : errno;
			continue; /* what the last round said of them no longer holds */
		}
		for (int i = 0; i < 2; i++) {
			if (fds[i].fd < 0 || !fds[i].revents)
				continue;
			ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
			if (n < 0 && errno != EINTR)
				failure = errno;
			if (n == 0)
				fds[i].fd = -1;
			else if (n > 0 && i == 0)
				out_bytes(result, buffer, (size_t)n);
			for (ssize_t k = 0; i == 1 && k < n && used + 1 < MOST_MESSAGE; k++)
				message[used++] = buffer[k];
		}
	}
	message[used] = '\0';
	message[strcspn(message, "\n")] = '\0';
	return failure;
}

/* What mem_exhausted says in the child is an error of ours already. */
static const char OURS[] = "pprof: error: ";

static struct err *judge(const struct layout *layout, int status, const char *message)
{
	struct arena *arena = arena_new();
	const char *said = text_printable(message + (strncmp(message, OURS, strlen(OURS)) == 0 ? strlen(OURS) : 0), arena);
	const char *why = *said ? said : "graphviz gave no reason";
	struct err *err = NULL;

	if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
		why = "graphviz took more than a minute or too much memory";
	else if (WIFSIGNALED(status))
		why = arena_printf(arena, "graphviz died of signal %d", WTERMSIG(status));
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		err = err_new("laying out %d nodes and %d edges: %s (--nodecount shows less, --dot writes the graph alone)",
		              layout->n_nodes, layout->n_edges, why);
	arena_free(arena);
	return err;
}

struct err *graphviz_start(Agraph_t *graph, const char *format, struct layout **ret)
{
	struct layout *layout = mem_zalloc(1, sizeof *layout);
	struct err *err = start_child(graph, format, layout);

	if (err) {
		free(layout);
		return err;
	}
	layout->n_nodes = agnnodes(graph);
	layout->n_edges = agnedges(graph);
	*ret = layout;
	return NULL;
}

struct err *layout_finish(struct layout *layout, struct out *out)
{
	char message[MOST_MESSAGE];
	struct out *picture = out_memory();

	int failure = collect(layout, picture, message);
	close(layout->result);
	close(layout->messages);
	int status = child_wait(layout->pid);
	struct err *err = failure ? err_new("laying out the graph: %s", strerror(failure)) : judge(layout, status, message);
	if (!err) {
		size_t size;
		const char *bytes = out_memory_bytes(picture, &size);

		out_bytes(out, bytes, size);
	}
	out_discard(picture);
	free(layout);
	return err;
}
