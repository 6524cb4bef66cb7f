#include "analyze/base/file.h"
#include "cmd/config.h"
#include "cmd/interrupt.h"
#include "cmd/run.h"
#include "cmd/template.h"
#include "cmd/term.h"
#include "cmd/usage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that is opened while 0, 1 or 2 is closed would take its place, and a report would be written into it. */
static void fill_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			_exit(EXIT_ERROR);
}

static struct sigaction before_us; /* what SIGBUS did: a sanitizer tells more than the default */

static size_t append(char *line, size_t used, size_t size, const char *text)
{
	for (; *text && used < size; text++)
		line[used++] = *text;
	return used;
}

/* A profile is mapped, not read: when it gets shorter meanwhile, there is no page to give. */
static void end_for_lost_page(int number, siginfo_t *info, void *context)
{
	static const char END[] = ": became shorter while it was read\n";
	static atomic_flag is_told = ATOMIC_FLAG_INIT;
	char line[8192];
	const char *name = info->si_code > 0 ? file_mapped_at(info->si_addr) : NULL;

	(void)context;
	if (!name) {
		sigaction(number, &before_us, NULL);
		raise(number);
		return;
	}
	while (atomic_flag_test_and_set(&is_told)) /* by another thread, which ends the process */
		pause();
	size_t used = append(line, 0, sizeof line - sizeof END, "pprof: error: ");
	used = append(line, used, sizeof line - sizeof END, name);
	used = append(line, used, sizeof line, END);
	(void)!write(STDERR_FILENO, line, used);
	_exit(EXIT_ERROR);
}

static void name_lost_pages(void)
{
	struct sigaction action = {.sa_sigaction = end_for_lost_page, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before_us);
}

static struct err *write_about(const struct options *options)
{
	struct out *out = out_fd(STDOUT_FILENO, "standard output");

	if (options->help)
		usage_help(options->help, out);
	else
		usage_version(options, out);
	return out_close(out);
}

/* For the build and the tests alone: pprof --fill-template FILE */
static struct err *fill_template(const char *path)
{
	struct out *out = out_fd(STDOUT_FILENO, "standard output");
	struct err *err = template_fill(path, out);

	if (err) {
		out_discard(out);
		return err;
	}
	return out_close(out);
}

static struct err *act(int argc, char **argv, bool has_debuginfod, struct options *options, enum exit_code *code)
{
	struct err *err = config_parse(argc, argv, options);

	if (err)
		return err;
	options->has_debuginfod = has_debuginfod;
	term_set_color((enum color)options->color);
	return options->help || options->version ? write_about(options) : run(options, code);
}

int main(int argc, char **argv)
{
	/* libdw would ask the servers that this names. */
	bool has_debuginfod = getenv("DEBUGINFOD_URLS") != NULL;
	unsetenv("DEBUGINFOD_URLS");
	fill_standard_streams();
	/* A file that grows too large is a write error like any other. */
	signal(SIGXFSZ, SIG_IGN);
	name_lost_pages();
	interrupt_leave_nothing();

	enum exit_code code = EXIT_GOOD;
	struct options options = {0};
	bool for_build = argc == 3 && strcmp(argv[1], "--fill-template") == 0;
	struct err *err = for_build ? fill_template(argv[2]) : act(argc, argv, has_debuginfod, &options, &code);

	options_clear(&options);
	if (!err)
		return code;
	term_error(err);
	err_free(err);
	return EXIT_ERROR;
}
