#include "analyze/profilers.h"

#include "analyze/base/file.h"
#include "analyze/base/text.h"

#include <stddef.h>
#include <string.h>

/* The lists of gperftools' pprof and google/pprof together. */
static const char *const classes[] = {
	"base::Mutex::", "base::MutexLock::", "base::", "Mutex::", "MutexLock::", "SpinLock::", "SpinLockHolder::",
};
static const char *const methods[] = {
	"RecordLockProfileData",
	"SubmitMutexProfileData",
	"SubmitSpinLockProfileData",
	"AwaitCommon",
	"Unlock",
	"UnlockSlow",
	"ReaderUnlock",
	"SlowUnlock",
	"~MutexLock",
	"~SpinLockHolder",
};

static bool is_any(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static bool begins_with_method(const char *name)
{
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
		if (text_after(name, methods[i]))
			return true;
	return false;
}

bool profiler_has_lock_function(const char *name)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		const char *method = text_after(name, classes[i]);

		if (method && begins_with_method(method))
			return true;
	}
	/* Without a class it must be the whole name: users' functions begin with "Unlock", too. */
	return is_any(name, methods, sizeof methods / sizeof *methods);
}

bool profiler_has_signal_function(const char *name)
{
	static const char *const names[] = {
		"ProfileData::Add", "ProfileData::prof_handler", "CpuProfiler::prof_handler",
		"__FRAME_END__",    "__pthread_sighandler",      "__restore",
		"__restore_rt",
	};

	return is_any(name, names, sizeof names / sizeof *names);
}

bool profiler_has_object(const char *file)
{
	return text_after(file_base(file), "libprofiler");
}
