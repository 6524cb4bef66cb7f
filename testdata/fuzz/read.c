/* A whole file, compressed or not, with what may stand before a profile, and files that are none. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/base/file.h"
#include "analyze/read/read.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void read_file(int fd)
{
	char path[64];
	struct build *build;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	struct err *err = profile_read(path, &fuzz_read_opts, &build);
	if (err)
		err_free(err);
	else
		fuzz_look_at(build);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_expect(fd >= 0 && file_write_all(fd, data, size));
	read_file(fd);
	close(fd);
	return 0;
}
