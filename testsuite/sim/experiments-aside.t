#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-aside.t: a small cut of experiments/gang/aside: all points are there and judged, what is there already is not
# run again nor mixed with others, and what cannot be run is an error and no judgement.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
aside=$top/experiments/gang/aside
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

ok 'the help' exits 0 'usage: experiments/gang/aside' "$aside" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$aside" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$aside" --seeds
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$aside" --seeds 5
ok 'a scheduler that sets none aside' exits 2 '--scheduler gs: mbgs or bgs' "$aside" --scheduler gs
ok 'jobs that are none: an error, no judgement' exits 2 'a run failed' "$aside" --jobs x:y --out "$dir/bad" --seeds 1:1

# Of so few jobs the claim may fail, and does not matter here.
cut() {
	"$aside" --out "$dir/out" --jobs 1:120 --seeds 1:1 --deadlines stringency:0.2,fraction:0.4
	[ $? -le 1 ]
}
cut >"$dir/first" 2>"$dir/first-said"
ok 'all points are there' awk '$1 ~ /^[0-8]$/ && NF >= 12 && $2 > 0 && $5 >= 1 { n++ } END { exit n != 9 }' "$dir/first"
ok 'jobs were set aside' awk '$1 ~ /^[0-8]$/ && $7 > 0 && $8 > 0 && $10 >= 1 { n++ } END { exit !n }' "$dir/first"
ok 'they are judged' grep -Eq '^aside: [0-9] points hold, [0-9] fail: ' "$dir/first"
touch -d 2001-01-01 "$dir/out"/*.csv
cut >"$dir/second" 2>"$dir/second-said"
ok 'runs that are there are not made again' test -z "$(find "$dir/out" -name '*.csv' -newermt 2001-01-02)"
ok 'and say the same' cmp "$dir/first" "$dir/second"
ok 'nor mixed with others' exits 2 'has runs of other options: mbgs 1:120' "$aside" --out "$dir/out" --jobs 1:60
# Without a promise where jobs are set aside: now the claim fails, and that is told by the status.
for file in "$dir/out"/*-yes.csv; do
	awk -F, -v OFS=, 'NR > 1 { $7 = 0 } { print }' "$file" >"$file.none" && mv "$file.none" "$file"
done
ok 'a claim that fails is told' exits 1 '0 points hold, 9 fail' perl "$top/experiments/gang/aside-report" "$dir/out" 1 1
ok 'a seed that was not run is an error' exits 2 'No such file' perl "$top/experiments/gang/aside-report" "$dir/out" 1 2
tap_end
