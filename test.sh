#!/bin/sh
# ./test.sh runs the whole suite in three builds, and the fuzz targets in one of their own; the last line is "N passed, N failed".
# ./test.sh NAME... runs the tests of these names in build/ alone; UPDATE=1 ./test.sh [NAME...] rewrites golden texts.
set -eu

me=test.sh
root=$(dirname "$(readlink -f "$0")")
# shellcheck source=.ci/build.sh
. "$root/.ci/build.sh"

# The options of a build; --werror here and not in run.sh, whose user may have a compiler newer than these sources.
build_for_tests()
{
	case $1 in
	build) CC=gcc set_up "$root/$1" --werror ;;
	build-clang) CC=clang set_up "$root/$1" --werror ;;
	build-asan) set_up_asan "$root/$1" ;;
	build-fuzz)
		set_up_asan "$root/$1" -Dfuzz=true
		compile "$root/$1" fuzz_targets
		return
		;;
	esac
	compile "$root/$1"
}

# run_tests BUILD NAME...
run_tests()
{
	folder=$root/$1
	shift
	watched=
	case $folder in
	*/build-asan) watched=with_room_for_asan ;;
	*/build-fuzz)
		watched=with_room_for_asan
		# What the other tests find in these targets they find in build-asan.
		set -- --suite fuzz
		;;
	esac
	# A locale with a decimal comma, for the golden cases; without it they take one of the host's.
	if [ ! -e "$folder/locale/de_DE.UTF-8" ]; then
		mkdir -p "$folder/locale"
		localedef -i de_DE -f UTF-8 "$folder/locale/de_DE.UTF-8" >/dev/null 2>&1 || :
	fi
	# count.py reads the outcome from meson's log; a log that is missing is a failure to it.
	$watched env "LOCPATH=$folder/locale" meson test -C "$folder" --no-rebuild --timeout-multiplier 3 "$@" </dev/null \
		>"$folder/test.log" 2>&1 || :
}

builds='build build-clang build-asan build-fuzz'
if [ $# -gt 0 ] || [ -n "${UPDATE:-}" ]; then
	builds=build
fi

mkdir -p "$root/build"
# shellcheck disable=SC2086
install_missing "$root/build/apt.log" $packages_to_build $packages_to_test
(install_missing "$root/build/apt-look.log" "$packages_to_look") ||
	say "$packages_to_look cannot be installed: the tests that need it are skipped"

for build in $builds; do
	mkdir -p "$root/$build"
	rm -f "$root/$build/meson-logs/testlog.json"
	if (
		flock 9
		build_for_tests "$build" 9<&-
	) 9<"$root/$build"; then
		say "testing in $root/$build"
		run_tests "$build" "$@"
	fi
done
# shellcheck disable=SC2086
cd "$root" && exec python3 testdata/count.py $builds
