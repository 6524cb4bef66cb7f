#!/bin/sh
# bench/symbolize.sh [RUNS] [PROFILE...]: names, beside llvm-symbolizer, addr2line, google-pprof and google/pprof.
# Installs what is compared: Debian's ceph-osd with 230 MB of compressed DWARF 5, and the peers. Builds pprof with and
# without libdeflate. Prints the tables of docs/performance.md.
set -eu

# shellcheck disable=SC2034
me=symbolize.sh
root=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source-path=SCRIPTDIR source=../.ci/build.sh
. "$root/.ci/build.sh"

for build in build build-zlib; do
	mkdir -p "$root/$build"
done
# shellcheck disable=SC2086
install_missing "$root/build/apt.log" $packages_to_build ceph-osd ceph-osd-dbg llvm binutils google-perftools \
	golang-go golang-github-google-pprof-dev python3 time
set_up "$root/build"
set_up "$root/build-zlib" -Dlibdeflate=disabled
for build in build build-zlib; do
	compile "$root/$build" cmd/pprof
done
google=$root/build/google-pprof
[ -x "$google" ] || GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$root/build/go go build -o "$google" github.com/google/pprof
exec python3 "$root/bench/symbolize.py" "$root/build/cmd/pprof" "$root/build-zlib/cmd/pprof" "$google" "$@"
