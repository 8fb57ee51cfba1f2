#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bound.t: pact-sim bound on a log whose answer is known by hand, and its errors.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
sim=${PACT_BUILD:-$top}/sim/pact-sim
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"

# says EXIT TEXT ARGUMENT...: pact-sim bound exits so, and its output holds the text
says() { exits "$1" "$2" "$sim" bound "${@:3}"; }

# Three jobs of 2 nodes and 100 s at once, on 2 nodes: EASY ends them at 100, 200 and 300; four fifths of
# that are 100 (its runtime), 160 and 240. Of the 600 processor-seconds 480 can be done by 240.
{
	echo '; MaxProcs: 2'
	for id in 1 2 3; do
		echo "$id 0 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 -1 -1 -1 -1"
	done
} >"$dir/log.swf"
deadlines=stringency:0.2,fraction:1

ok 'the help' says 0 'usage: pact-sim bound' --help
ok 'what is known by hand' says 0 'at most 480 of them and refuses at least 20.000 %' \
	--trace "$dir/log.swf" --deadlines $deadlines
ok 'as JSON' says 0 '"most_admitted_procsec":480' --trace "$dir/log.swf" --deadlines $deadlines \
	--quiet --json -
ok 'no deadlines, nothing refused' says 0 'refuses at least 0.000 %' --trace "$dir/log.swf"
below() {
	local bound found
	set -- --model weibull --nodes 512 --set model.histogram=ctc --jobs 1:400 --load 1.6 \
		--estimates exact --deadlines $deadlines
	"$sim" bound "$@" --quiet --json "$dir/bound.json" &&
		"$sim" run "$@" --quiet --json "$dir/run.json" || return
	bound=$(sed -n 's/.*least_unadmitted_procsec_pct": *\([0-9.]*\).*/\1/p' "$dir/bound.json")
	found=$(sed -n 's/.*"unadmitted_procsec_pct": *\([0-9.]*\).*/\1/p' "$dir/run.json")
	echo "bound $bound, QoPS $found"
	awk -v b="$bound" -v f="$found" 'BEGIN { exit !(b != "" && f != "" && b <= f) }'
}
ok 'QoPS refuses no less' below
ok 'no parts' says 1 '--parts 0: a number from 1 to' --parts 0 --trace "$dir/log.swf"
ok 'no workload' says 1 'see pact-sim bound --help' --parts 5
ok 'a log that is not there' says 2 'nowhere.swf' --trace "$dir/nowhere.swf"
ok 'a file that cannot be written' says 4 'cannot write' --trace "$dir/log.swf" --json "$dir/no/where"
tap_end
