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
CC=clang set_up "$root/build-asan" --buildtype=debugoptimized -Doptimization=1 -Db_sanitize=address,undefined \
	-Db_lundef=false -Dc_args=-fno-sanitize-recover=all -Darena_debug=true
for build in build build-asan; do
	compile "$root/$build" cmd/pprof
done

# Where addresses are more random than clang 14 knew, its asan finds no room for its shadow at times.
no_aslr=
if setarch -R true 2>/dev/null; then
	no_aslr='setarch -R'
fi
status=0
echo 'gcc:'
python3 "$root/testdata/malformed/malformed.py" "$root/build/cmd/pprof" "$@" || status=1
echo
echo 'clang, address and undefined behaviour sanitizers:'
$no_aslr python3 "$root/testdata/malformed/malformed.py" "$root/build-asan/cmd/pprof" --factor 5 --no-memory "$@" || status=1
exit $status
