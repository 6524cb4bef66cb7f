#!/bin/sh
# Makes heap_profiler and profile.0001.heap .. profile.0009.heap anew. Needs root (it writes to /srv), g++ and
# libgoogle-perftools-dev; writes beside itself and leaves nothing else behind.
#
# Nothing of the host may show in the snapshots, or the expected tables would hold on one machine only:
#   -ffile-prefix-map    the debug information names /srv/heapdemo/heap_profiler.cc
#   -no-pie              the program's addresses are the same in every run, and google-pprof, which looks up a
#                        PIE only where the map names it, reads the snapshots too
#   /srv/heapdemo        program, loader and libraries run from a prefix that exists on no host, so a reader
#                        never finds them and libc's frames are [libc.so.6+0x27249] everywhere
#   -O0                  create and create_destory stay functions of their own
set -eu

here=$(cd "$(dirname "$0")" && pwd)
home=/srv/heapdemo
# By default the profiler also dumps when the bytes in use grow by 100 MiB; the GiB rule comes first here, so the
# defaults give the nine. They are spelled out lest the caller's environment changes them.
unset HEAP_PROFILE_MMAP HEAP_PROFILE_ONLY_MMAP HEAP_PROFILE_MMAP_LOG
export HEAP_PROFILE_ALLOCATION_INTERVAL=1073741824 HEAP_PROFILE_DEALLOCATION_INTERVAL=0
export HEAP_PROFILE_INUSE_INTERVAL=104857600 HEAP_PROFILE_TIME_INTERVAL=0

if [ -e "$home" ]; then
	echo "make.sh: $home exists: it must be ours alone" >&2
	exit 1
fi
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$home/lib"

cd "$here"
g++ -g -O0 -no-pie -ffile-prefix-map="$here=$home" -o heap_profiler heap_profiler.cc \
	-Wl,--no-as-needed -ltcmalloc

# ldd prints "NAME => PATH (ADDRESS)" for a library and "PATH (ADDRESS)" for the loader.
ldd ./heap_profiler | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | while read -r lib; do
	cp -L "$lib" "$home/lib/"
done
cp heap_profiler "$home/"

cd "$home"
HEAPPROFILE=$home/profile lib/ld-linux-x86-64.so.2 --library-path lib ./heap_profiler

set -- "$home"/profile.*.heap
if [ $# -ne 9 ]; then
	echo "make.sh: expected 9 snapshots, found $#" >&2
	exit 1
fi
rm -f "$here"/profile.*.heap
cp "$@" "$here/"
