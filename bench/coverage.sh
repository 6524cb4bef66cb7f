#!/bin/sh
# bench/coverage.sh [NAME...]: which lines of the tool the tests run, a row a folder, and the functions that none runs.
# Builds build-coverage and runs the whole suite there, or the tests of these names.
# FILES=1 shows a row a file too, and LINES=FOLDER the lines below that folder that were not run.
set -eu

me=coverage.sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=../.ci/build.sh
. "$root/.ci/build.sh"

folder=$root/build-coverage
mkdir -p "$folder"
# shellcheck disable=SC2086
install_missing "$folder/apt.log" $packages_to_build $packages_to_test
gcc -c -O2 -Wall -Werror -o "$folder/coverage.o" "$root/bench/coverage.c"
# Not optimized: an optimizer moves lines into one another.
[ -f "$folder/build.ninja" ] || CC=gcc set_up "$folder" --werror -Doptimization=0 -Ddebug=true -Db_coverage=true \
	"-Dc_link_args=--coverage -Wl,--wrap=_exit,--wrap=raise $folder/coverage.o"
compile "$folder"
find "$folder" -name '*.gcda' -delete
# The manual and the completions are made by the tool and tested as they are.
find "$folder/docs" -maxdepth 1 -type f -delete
compile "$folder"
# Of a test that fails the lines count as well, so the outcome is told and is no error here.
# Left out are tests that end the tool at any system call, for that may be in the middle of writing counts, and those that
# look at sources or run another build.
if [ $# -gt 0 ]; then
	printf '%s\n' "$@"
else
	meson test -C "$folder" --no-rebuild --list 2>/dev/null | sed -n 's,^pprof[^/]* / ,,p' |
		grep -vxE 'outputs|faults.*|static.*|valgrind'
fi | tr '\n' '\0' | xargs -0 meson test -C "$folder" --no-rebuild --timeout-multiplier 5 \
	>"$folder/test.log" 2>&1 || :
grep -E '^(Ok|Expected Fail|Fail|Skipped|Timeout):' "$folder/test.log" | tr -s ' ' | paste -s -d ' ' || :
exec python3 "$root/bench/coverage.py" "$folder"
