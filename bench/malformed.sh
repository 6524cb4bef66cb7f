#!/bin/sh
# bench/malformed.sh [OPTION...]: all inputs of testdata/malformed, of which the test `malformed` takes a third, under gcc and
# under clang's sanitizers. Options are those of malformed.py: --source cuts, or --alone --every-report, which takes hours.
set -eu

# shellcheck disable=SC2034
me=malformed.sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=../.ci/build.sh
. "$root/.ci/build.sh"

mkdir -p "$root/build" "$root/build-asan"
# shellcheck disable=SC2086
install_missing "$root/build/apt.log" $packages_to_build python3 clang libclang-rt-14-dev
CC=gcc set_up "$root/build"
set_up_asan "$root/build-asan"
for build in build build-asan; do
	compile "$root/$build" cmd/pprof
done

status=0
echo 'gcc:'
python3 "$root/testdata/malformed/malformed.py" "$root/build/cmd/pprof" "$@" || status=1
echo
echo 'clang, address and undefined behaviour sanitizers:'
with_room_for_asan python3 "$root/testdata/malformed/malformed.py" "$root/build-asan/cmd/pprof" --factor 5 --no-memory "$@" || status=1
exit $status
