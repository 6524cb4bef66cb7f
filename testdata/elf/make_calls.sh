#!/bin/sh
# Makes calls and calls_next, two builds of calls.c, for each machine whose calls are known. Another compiler gives other
# addresses: run ../profiles/make_calls.py afterwards.
set -eu

cd "$(dirname "$0")"

build() {
	name=$1
	shift
	for next in "" next; do
		"$@" ${next:+-DNEXT} -O1 -ffreestanding -nostdlib -fno-stack-protector -fno-asynchronous-unwind-tables -fno-ident \
			-Wl,--build-id=none -Wl,-e,start -Wl,-z,max-page-size=4096 -Wl,-z,noseparate-code -o "$name${next:+_next}" calls.c
		chmod a-x "$name${next:+_next}"
	done
}

build calls gcc -fPIE -pie -fcf-protection=none
build calls_i386 i686-linux-gnu-gcc -fno-pie -no-pie -fcf-protection=none
build calls_aarch64 aarch64-linux-gnu-gcc -fPIE -pie -mbranch-protection=standard
build calls_arm arm-linux-gnueabihf-gcc -fno-pie -no-pie -mthumb
