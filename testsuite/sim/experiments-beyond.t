#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-beyond.t: a small cut of experiments/gang/beyond: all points are there and judged, what is there already is
# not run again, rows that are missing are an error, and what cannot be run is one and no judgement.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
beyond=$top/experiments/gang/beyond
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

ok 'the help' exits 0 'usage: experiments/gang/beyond' "$beyond" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$beyond" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$beyond" --seeds
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$beyond" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$beyond" --seeds 3:1
ok 'a part that is none' exits 2 '--only all: no part all' "$beyond" --only all
ok 'costs that are none' exits 2 '--costs 1;2: parts of a slice' "$beyond" --costs '1;2'
ok 'processes that are none' exits 2 '--processes 0: a number from 1 on is wanted' "$beyond" --processes 0
ok 'jobs that are none: an error, no judgement' exits 2 'a run failed' "$beyond" --jobs x:y --out "$dir/bad" --seeds 1:1

# Of so few jobs the bound may fail, and does not matter here.
cut() {
	"$beyond" --out "$dir/out" --jobs 1:60 --seeds 1:1 --costs 0,0.05 --processes 1
	[ $? -le 1 ]
}
cut >"$dir/first" 2>"$dir/first-said"
ok 'all points are there' awk '$1 ~ /^[0-9]/ && NF >= 7 && $3 >= 1 && $4 >= 1 { n++ } END { exit n != 27 }' "$dir/first"
ok 'without a cost, and so few jobs, ambgs is mbgs' awk '$1 == "0" && NF >= 8 && $4 != $5 { bad = 1 } END { exit bad || !NR }' "$dir/first"
ok 'they are judged' test "$(grep -Ec '^(adaptive|columns): [0-9]+ points hold, [0-9] fail: ' "$dir/first")" = 2
cut >"$dir/second" 2>"$dir/second-said"
ok 'runs that are there are not made again' grep -q ' 0 done now' "$dir/second-said"
ok 'and say the same' cmp "$dir/first" "$dir/second"
report() { perl -I "$top/experiments" "$top/experiments/gang/beyond-report" "$@"; }
ok 'a seed that was not run is an error' exits 2 'no run of bf' report "$dir/out" 1 2 adaptive 0
# AMBGS three times as slow as it was: now the claim fails, and that is told by the status.
slow() {
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["scheduler"] == "ambgs" { $at["slowdown_bounded10_mean"] *= 3 } { print }' \
		"$dir/out/adaptive.csv" >"$dir/slow/adaptive.csv"
}
mkdir "$dir/slow" && cp "$dir/out/adaptive-bf.csv" "$dir/slow" && slow
ok 'a claim that fails is told' exits 1 '0 points hold, 18 fail' report "$dir/slow" 1 1 adaptive 0,0.05
tap_end
