#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-gang.t: a small cut of experiments/gang: figures, Table 1 and claims are there, on a log, too; no run is
# made twice, a failed claim without a cause is an error, and what is damaged is not judged.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
run=$top/experiments/gang/run
own=$(mktemp -d) || exit 99
trap 'rm -rf "$own"' EXIT
dir="$own/it's" && mkdir "$dir" || exit 99
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

need gnuplot perl
traces=${PACT_TRACES:-$top/../shared/traces}

ok 'the help' exits 0 'usage: experiments/gang/run' "$run" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$run" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$run" --seeds
ok 'an option twice' exits 2 '--seeds 1:1: it is given already, as --seeds 1:2' "$run" --seeds 1:2 --seeds 1:1
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$run" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$run" --seeds 3:1
ok 'processes that are none' exits 2 '--processes 0: a number from 1 on is wanted' "$run" --processes 0
ok 'a part that there is none of' exits 2 '--only rows,table9: no part table9' "$run" --only rows,table9
ok 'a report of a directory that is none' exits 2 "--report: no directory $dir/y" "$run" --report --out "$dir/y"
ok '  nor is it one now' not test -e "$dir/y"
ok 'jobs that are none: an error, no judgement' exits 2 'stopped at table1' "$run" --jobs x:y --out "$dir/x" --only table1
ok 'a report of nothing' exits 2 'no rows' "$run" --report --out "$dir/x"

parts=table1,policies,estimates,phases,rows,discrete,migration,jobs
ok 'the small cut runs' exits 0 'gang: ' "$run" --quick --only $parts --out "$dir/out"
table1() {
	awk '/^(bgs|mbgs|gs|mgs|bf) / && NF == 8 && $3 > 0 && $3 < 1 && $5 >= 1 { rows++ } END { exit rows != 15 }' \
		"$dir/out/table1.txt"
}
ok 'Table 1 is there: five schedulers, three workloads' table1
all_figures() {
	local n
	for n in {1..3} {5..8} {11..21} {23..25}; do
		grep -q '</svg>' "$dir/out/fig$n.svg" && [ "$(grep -cE '^[0-9.]+( [0-9.e-]+)+$' "$dir/out/fig$n.dat")" -ge 6 ] &&
			grep -q "src='fig$n.svg'" "$dir/out/index.html" || { echo "figure $n"; return 1; }
	done
}
ok 'so are all figures, with their data, and on the page' all_figures
ok 'and a matrix, Figure 9' eval 'grep -q "</svg>" "$dir/out/fig9.svg" && grep -q fig9.svg "$dir/out/index.html"'
ok 'all claims are judged' eval '[ "$(grep -cE "^(holds|FAILS) " "$dir/out/claims.txt")" -ge 105 ]'
ok 'GS without CleanMatrix is worse in wait' grep -q '^holds clean-gs-wait' "$dir/out/claims.txt"
cat "$dir"/out/*.csv "$dir"/out/jobs-* >"$dir/rows"
ok 'it runs again' exits 0 'gang: ' "$run" --quick --only $parts --out "$dir/out"
ok 'and makes no run twice' eval 'cat "$dir"/out/*.csv "$dir"/out/jobs-* | cmp - "$dir/rows"'
ok 'which are as many as it should' eval '[ "$(cat "$dir"/out/*.csv | grep -vc "^options,")" = 254 ]'
ok 'without a log, that is said, and the rest is there' exits 0 'the logs are left out: cannot read /nonexistent/' \
	"$run" --quick --traces /nonexistent --only table1,logs --out "$dir/out"
if [ -r "$traces/KTH-SP2-1996-2.1-cln.swf.gz" ]; then
	ok 'a log' exits 0 'kth1' "$run" --quick --traces "$traces" --only table1,logs --out "$dir/out"
	ok 'what became of the claims on it' eval '[ "$(grep -cE "^[a-z0-9-]+ +(holds|no) " "$dir/out/logs.txt")" -ge 40 ]'
	ok 'BGS is better than BF on it' grep -qE '^bf-slow +holds' "$dir/out/logs.txt"
fi
ok 'a report needs no pact-sim' exits 0 'gang: ' env PACT_BUILD=/nonexistent "$run" --quick --report --only $parts --out "$dir/out"

# Judged in earnest: a failure that has no cause is an error, and what is damaged is not judged.
mkdir "$dir/judge" && cp "$top/experiments/"{Rows.pm,Verdicts.pm,gang/{report,*.pm}} "$dir/judge" && : >"$dir/judge/causes"
judge() {
	perl "$dir/judge/report" --out "$dir/out" --seeds 1:1 --only $parts --jobs 1:1 --quick no --causes "$dir/judge/causes"
}
ok 'a claim that fails without a cause is an error' exits 1 'FAILS top-bf' judge
sed -n 's/^FAILS \([^:]*\):.*/\1: as the test\nhas it\n/p' "$dir/out/claims.txt" >"$dir/judge/causes"
ok 'with its cause it is none' exits 0 'cause: as the test has it' judge
damage() { # EXIT TEXT FILE SED-SCRIPT
	cp "$dir/out/$3" "$dir/whole" && sed -i "$4" "$dir/out/$3" && exits "$1" "$2" judge
	local status=$?
	cp "$dir/whole" "$dir/out/$3"
	return $status
}
ok 'a missing run is told' damage 1 'phases.csv: runs missing: 1' phases.csv 3d
ok '  in the last line, too' eval 'tail -n 1 "$dir/said" | grep -q "; runs are missing$"'
ok 'so are all of a file' damage 1 'quota.csv: no rows' quota.csv '2,$d'
ok 'a line that was cut is not judged' damage 2 'table1.csv: line 2: has ' table1.csv '2s/,[^,]*$//'
ok 'nor a run that two files have' damage 2 'is in another file, too' discrete.csv 's/,yes,/,no,/'
ok 'and whole again it is judged' exits 0 'cause: as the test has it' judge
tap_end
