#!/bin/sh
# Makes the objects of this directory anew from shapes.cc, plain.s and libshapes.c. Another compiler gives other
# addresses: run ../profiles/make.py afterwards and look at what changed.
set -eu

cd "$(dirname "$0")"

common="-g -O1 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -Wl,--build-id=sha1
	-ffile-prefix-map=$PWD=/srv/app/src"
cxx="g++ -std=c++17 $common -fno-exceptions -fno-rtti"
cc="gcc -std=c17 $common"

rm -rf shapes shapes_pie libshapes.so linked sysroot minidebug minidebug_cut
as -o plain.o plain.s   # on its own: g++ -g would give it debug information
# shellcheck disable=SC2086  # the words of $cxx and $cc are meant to be split
{
	$cxx -fno-pie -no-pie -o shapes shapes.cc plain.o
	$cxx -fPIE -pie -o shapes_pie shapes.cc plain.o
	$cc -fPIC -shared -Wl,-soname,libshapes.so -o libshapes.so libshapes.c
}
rm plain.o

# A stripped program that names its debug file: beside it, by debuglink.
mkdir linked
objcopy --only-keep-debug shapes linked/shapes.debug
objcopy --strip-all --add-gnu-debuglink=linked/shapes.debug shapes linked/shapes

# A tree of another machine, for --sysroot: stripped objects without a debuglink, found by build id alone.
split() {
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p')
	dir=sysroot/usr/lib/debug/.build-id/$(printf %.2s "$id")
	mkdir -p "$dir" "$(dirname "$2")"
	objcopy --only-keep-debug "$1" "$dir/${id#??}.debug"
	objcopy --strip-all "$1" "$2"
}
split shapes_pie sysroot/srv/app/bin/shapes_pie
split libshapes.so sysroot/srv/app/lib/libshapes.so

# It leads out of the tree on a host that asks its own root.
ln -s ../../../../libshapes.so sysroot/srv/app/lib/liblink.so
# Stripped as rpm does it: .gnu_debugdata holds the function symbols that .dynsym lacks; then one that is cut.
mini() {
	mkdir -p "$1/srv/app/lib"
	objcopy -S --add-section .gnu_debugdata=mini.xz libshapes.so "$1/srv/app/lib/libshapes.so"
}
objcopy --only-keep-debug libshapes.so full
objcopy -S --keep-symbol=lib_inner full mini
xz --check=crc32 mini
mini minidebug
truncate -s 200 mini.xz
mini minidebug_cut
rm full mini.xz

# They are read, never run.
find shapes shapes_pie libshapes.so linked sysroot minidebug minidebug_cut -type f -exec chmod a-x {} +
