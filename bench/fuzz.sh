#!/bin/sh
# bench/fuzz.sh TARGET SECONDS [OPTION...]: fuzzes one target (or "all", one after the other) for longer than the tests do:
# so many seconds of a processor. Builds in build-fuzz. New inputs that reach new code are kept in
# build-fuzz/kept/TARGET/corpus, from which the next run goes on; one that fails is left beside that folder. Options are
# those of testdata/fuzz/fuzz.py.
set -eu

# shellcheck disable=SC2034
me=fuzz.sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=../.ci/build.sh
. "$root/.ci/build.sh"

if [ $# -lt 2 ]; then
	say "expected TARGET SECONDS; the targets: $(cd "$root/testdata/corpus" && echo *)"
	exit 2
fi
targets=$1
seconds=$2
shift 2
[ "$targets" != all ] || targets=$(ls "$root/testdata/corpus")

mkdir -p "$root/build-fuzz"
# shellcheck disable=SC2086
install_missing "$root/build-fuzz/apt.log" $packages_to_build clang libclang-rt-14-dev python3
set_up_asan "$root/build-fuzz" -Dfuzz=true
for target in $targets; do
	compile "$root/build-fuzz" "testdata/fuzz/fuzz_$target"
	with_room_for_asan python3 "$root/testdata/fuzz/fuzz.py" "$root/build-fuzz/testdata/fuzz/fuzz_$target" \
		"$root/testdata/corpus/$target" "$root/testdata/fuzz/$target.dict" --seconds "$seconds" \
		--keep "$root/build-fuzz/kept/$target" "$@"
done
