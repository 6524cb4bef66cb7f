#include "cmd/config.h"
#include "cmd/run.h"
#include "cmd/signals.h"
#include "cmd/template.h"
#include "cmd/term.h"
#include "cmd/usage.h"

#include <fcntl.h>
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
	signals_take();

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
