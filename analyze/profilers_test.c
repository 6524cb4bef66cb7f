#include "analyze/test.h"

#include "analyze/profilers.h"

static void profilers_are_known(void **state)
{
	(void)state;
	static const char *const locks[] = {
		"Mutex::Unlock",
		"base::Mutex::Unlock",
		"SpinLock::SlowUnlock",
		"Unlock",
		"MutexLock::~MutexLock",
		"base::RecordLockProfileData",
		"Mutex::UnlockSlow",
		"~SpinLockHolder",
		"SpinLockHolder::~SpinLockHolder",
		"Mutex::AwaitCommon",
		"base::SubmitSpinLockProfileDataV2",
	};
	static const char *const signals[] = {"__restore_rt", "CpuProfiler::prof_handler", "ProfileData::Add"};

	for (size_t i = 0; i < sizeof locks / sizeof *locks; i++)
		assert_true(profiler_has_lock_function(locks[i]));
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		assert_true(profiler_has_signal_function(signals[i]));
	assert_true(profiler_has_object("/usr/lib/x86_64-linux-gnu/libprofiler.so.0"));
}

static void users_functions_stay(void **state)
{
	(void)state;
	static const char *const names[] = {
		"UnlockDoor", "my::Mutex::Unlock", "Mutex::Lock", "SpinLock::Lock", "base::Run", "malloc", "__restore_it", "",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_false(profiler_has_lock_function(names[i]));
		assert_false(profiler_has_signal_function(names[i]));
	}
	assert_false(profiler_has_object("/opt/libprofiler/app"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profilers_are_known),
		cmocka_unit_test(users_functions_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
