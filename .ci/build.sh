# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by run.sh and test.sh, which set $root and $me: what they install, and how they build.
# Nothing here writes to stdout or reads stdin: both belong to the tool.

packages_to_build='meson ninja-build gcc pkg-config libelf-dev libdw-dev zlib1g-dev libgraphviz-dev libpcre2-dev
	libiberty-dev libdeflate-dev libedit-dev liblzma-dev libzstd-dev'
packages_to_test='libcmocka-dev g++ clang libclang-rt-14-dev llvm google-perftools libgoogle-perftools-dev libjemalloc-dev
	libc6-dbg graphviz binutils python3 file dwz fonts-dejavu-core locales
	groff-base zsh fish xz-utils ghostscript valgrind strace clang-tidy cppcheck shellcheck pyflakes3'
# What tests need that are skipped without it: not every host has it as a package.
packages_to_look=chromium

say()
{
	echo "$me: $*" >&2
}

# die LOG TEXT: the last lines of the log, and the end.
die()
{
	tail -n 40 "$1" >&2
	say "$2; the whole log is $1"
	exit 2
}

missing_packages()
{
	command -v dpkg-query >/dev/null || return 0
	# Names asked for, and once more those that are installed: what is there once only is missing.
	{
		printf '%s\n' "$@"
		dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u
	} | sort | uniq -u | paste -s -d ' '
}

# install_missing LOG PACKAGE...
install_missing()
{
	log=$1
	shift
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0

	as_root=
	if [ "$(id -u)" != 0 ]; then
		# A sudo that asks for a password needs somebody who sees the question.
		if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || [ -t 2 ]; }; then
			say "packages are missing; install them as root: apt-get install $missing"
			exit 2
		fi
		as_root=sudo
	fi
	say "installing $missing"
	# A failed update (one stale source is enough) matters only if the packages are not found after it.
	# shellcheck disable=SC2086
	{
		$as_root apt-get update </dev/null || :
		$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
			--no-install-recommends $missing </dev/null
	} >"$log" 2>&1 || die "$log" "apt-get install $missing: no success"
}

# set_up FOLDER [OPTION...]: configures a new folder, and an old one again when there are options.
set_up()
{
	folder=$1
	log=$1/build.log
	shift
	# A build folder knows its tree by an absolute path: that of a tree that was moved or copied starts anew.
	if [ -f "$folder/build.ninja" ] && ! grep -qsF "\"source\": \"$root\"" "$folder/meson-info/meson-info.json"; then
		find "$folder" -mindepth 1 -delete
	fi
	if [ ! -f "$folder/build.ninja" ]; then
		say "building in $folder"
		meson setup "$@" "$folder" "$root" </dev/null >"$log" 2>&1 || die "$log" 'meson setup: no success'
	elif [ $# -gt 0 ]; then
		meson setup --reconfigure "$@" "$folder" "$root" </dev/null >"$log" 2>&1 ||
			die "$log" 'meson setup: no success'
	fi
}

# set_up_asan FOLDER [OPTION...]: a build by clang with its address and undefined behaviour sanitizers.
set_up_asan()
{
	CC=clang set_up "$@" --werror --buildtype=debugoptimized -Doptimization=1 -Db_sanitize=address,undefined \
		-Db_lundef=false -Dc_args=-fno-sanitize-recover=all -Darena_debug=true
}

# with_room_for_asan COMMAND: where addresses are more random than clang 14 knew, its asan finds no room for its shadow at times.
with_room_for_asan()
{
	if setarch -R true 2>/dev/null; then
		setarch -R "$@"
	else
		"$@"
	fi
}

# compile FOLDER [TARGET...]
compile()
{
	log=$1/build.log
	if ! ninja -C "$@" -n 2>&1 </dev/null | grep -q 'no work to do'; then
		say "compiling in $1"
		ninja -C "$@" </dev/null >"$log" 2>&1 || die "$log" 'the build: no success'
	fi
}
