#!/bin/sh
# A step of a test job: writes a report of the snapshots that a test run has left, and fails where memory grew beyond a limit.
#   ci.sh PROGRAM SNAPSHOT...
# From the environment: LIMIT (5%), BASE (a profile to compare the last snapshot with; else the first snapshot counts),
# SUPPRESSIONS (a file of known leaks), REPORTS (the folder of the reports; leaks), PPROF (pprof).
set -u

program=$1
shift
pprof=${PPROF:-pprof}
reports=${REPORTS:-leaks}
mkdir -p "$reports"

if [ -n "${BASE:-}" ]; then
	for last; do :; done
	set -- "--base=$BASE" "$program" "$last"
else
	set -- --trend --sort-files "$program" "$@"
fi

# The page is for people, and shows known leaks too; the verdict is for other programs.
"$pprof" -q --html -o "$reports/leaks.html" "$@" 2>/dev/null
"$pprof" --json "--fail-growth=${LIMIT:-5%}" ${SUPPRESSIONS:+"--suppressions=$SUPPRESSIONS"} -o "$reports/leaks.json" "$@"
status=$?

case $status in
0) echo "memory: within the limit" ;;
4) echo "memory: beyond the limit; see $reports/leaks.html" ;;
3) echo "memory: within the limit, but not all snapshots could be read" ;;
*) echo "memory: not looked at" ;;
esac
exit $status
