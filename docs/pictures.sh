#!/bin/sh
# Draws the pictures of the README anew, with the tool alone.
#   docs/pictures.sh [PPROF]           writes them to docs/; those of the page need Chromium, and stay as they are without it
#   docs/pictures.sh --check [PPROF]   fails where one that is text is not what the tool draws
set -eu

mode=draw
if [ "${1-}" = --check ]; then
	mode=check
	shift
fi
docs=$(dirname "$(readlink -f "$0")")
pprof=$(readlink -f "${1:-$docs/../build/cmd/pprof}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# vector NAME ARGS...: a picture that is text
vector()
{
	name=$1
	shift
	"$pprof" -o "$scratch/$name" "$@"
	case $mode in
	draw) cp "$scratch/$name" "$docs/$name" ;;
	check) cmp "$scratch/$name" "$docs/$name" || status=1 ;;
	esac
}

# is_shown: an expression that waits until the page is
is_shown='new Promise((done) => {
	const look = () => (document.documentElement.dataset.ready ? done() : setTimeout(look, 10));
	look();
})'

# photograph NAME SIZE ARGS...: a page
photograph()
{
	name=$1 size=$2
	shift 2
	[ "$mode" = draw ] || return 0
	"$pprof" --html -o "$scratch/page.html" "$@"
	python3 browser.py screenshot "$scratch/page.html" "$docs/$name" --size "$size" --eval "$is_shown" ||
		echo "docs/$name stays as it is" >&2
}

# Names of files stand in pictures, so these are short. What the user has set up does not count.
cd "$docs/../testdata"
export XDG_CONFIG_HOME=/dev/null XDG_CACHE_HOME="$scratch"
heap=scene/heap_profiler
second=scene/profile.0002.heap
before_the_end=scene/profile.0008.heap
end=scene/profile.0009.heap

vector graph.svg --svg $heap $second
vector flame.svg --flame $heap $second
vector difference.svg --flame --base=$before_the_end $heap $end
vector trend.svg --trend --svg $heap scene/profile.000?.heap
photograph page.png 1200x300 --base=$before_the_end $heap $end
photograph timeline.png 1200x600 --trend $heap scene/profile.000?.heap
exit $status
