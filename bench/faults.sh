#!/bin/sh
# bench/faults.sh [OPTION...]: the whole of the fault injection, of which the test `faults` runs a part: each of the first
# 2,000 calls of each kind fails, then every 97th, in each way and in each scenario. OPTIONs are those of
# testdata/faults/faults.py: --only PATTERN, --jobs N.
set -eu

# shellcheck disable=SC2034
me=faults.sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=../.ci/build.sh
. "$root/.ci/build.sh"

mkdir -p "$root/build"
# shellcheck disable=SC2086
install_missing "$root/build/apt.log" $packages_to_build binutils python3
set_up "$root/build"
compile "$root/build" cmd/pprof testdata/faults/faults.so
exec python3 "$root/testdata/faults/faults.py" "$root/build/cmd/pprof" "$root/build/testdata/faults/faults.so" --all "$@"
