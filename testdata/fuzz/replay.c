/* TARGET FOLDER...: gives each file of these folders to the target, in place of libFuzzer. */
#include "testdata/fuzz/fuzz.h"

#include "analyze/base/file.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(struct err *err)
{
	fprintf(stderr, "%s\n", err_text(err));
	exit(1);
}

static void replay_file(const char *path)
{
	struct bytes bytes;
	struct err *err = file_read(path, &bytes);

	if (err)
		fail(err);
	/* Without the NUL that file_read adds, so that a sanitizer sees what is read behind the end. */
	uint8_t *data = mem_alloc(bytes.size, 1);
	memcpy(data, bytes.data, bytes.size);
	LLVMFuzzerTestOneInput(data, bytes.size);
	free(data);
	bytes_free(&bytes);
}

static uint64_t replay_folder(const char *folder)
{
	struct arena *arena = arena_new();
	DIR *dir = opendir(folder);
	uint64_t n = 0;

	if (!dir)
		fail(err_errno(folder));
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (entry->d_name[0] == '.')
			continue;
		replay_file(arena_printf(arena, "%s/%s", folder, entry->d_name));
		n++;
	}
	closedir(dir);
	arena_free(arena);
	return n;
}

int main(int argc, char **argv)
{
	uint64_t n = 0;

	for (int i = 1; i < argc; i++)
		n += replay_folder(argv[i]);
	printf("%" PRIu64 " inputs\n", n);
	return n ? 0 : 1;
}
