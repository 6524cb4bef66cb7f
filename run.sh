#!/bin/sh
# ./run.sh ARGS... is pprof ARGS...; what is missing is installed, and what is out of date is built, before.
set -eu

me=run.sh
root=$(dirname "$(readlink -f "$0")")
tool=$root/build/cmd/pprof
stamp=$root/build/run.stamp # when the build began that was the last to succeed

# The folders are in the list themselves, so that a file that came or went is seen too.
is_up_to_date()
{
	[ -x "$tool" ] && [ -e "$stamp" ] && [ -z "$(
		cd "$root" &&
			find meson.build meson_options.txt cmd analyze symbolize render docs -newer "$stamp" -print -quit
	)" ]
}

build_tool()
{
	is_up_to_date && return # another run.sh built it while this one waited
	# shellcheck disable=SC2086
	install_missing "$root/build/apt.log" $packages_to_build
	set_up "$root/build"
	: >"$stamp.new"
	compile "$root/build" cmd/pprof
	mv "$stamp.new" "$stamp"
}

if ! is_up_to_date; then
	# shellcheck source=.ci/build.sh
	. "$root/.ci/build.sh"
	mkdir -p "$root/build" || exit 2
	(
		flock 9
		build_tool 9<&-
	) 9<"$root/build"
fi
exec "$tool" "$@"
