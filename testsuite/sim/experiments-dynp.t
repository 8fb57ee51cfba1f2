#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-dynp.t: a small cut of experiments/dynp: tables, figures and claims are there, no schedule is
# invalid, what is there is not run again, and a failed claim without a cause is an error.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
run=$top/experiments/dynp/run
own=$(mktemp -d) || exit 99
trap 'rm -rf "$own"' EXIT
dir="$own/it's" && mkdir "$dir" || exit 99
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

need gnuplot perl

ok 'the help' exits 0 'usage: experiments/dynp/run' "$run" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$run" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$run" --seeds
ok 'an unknown reading' exits 2 '--fcfs lifo: fcfs or queue' "$run" --fcfs lifo
ok 'an unknown choice of factors' exits 2 '--factors some: all, ends or first' "$run" --factors some
ok 'an option twice' exits 2 '--jobs 2: it is given already, as --jobs 1' "$run" --jobs 1 --jobs 2
ok 'an unknown set, before any run' exits 2 'no set turing' "$run" --sets kth,turing --out "$dir/x"
ok '  nothing has begun' eval '! grep -q step "$dir/said"'
ok 'a report of a directory that is none' exits 2 "--report: no directory $dir/x" "$run" --report --out "$dir/x"
ok '  nor is it one now' not test -e "$dir/x"
mkdir "$dir/x"
ok 'a report of nothing' exits 2 'no rows' "$run" --report --out "$dir/x"

ok 'the small cut runs' exits 0 'advanced-kth' "$run" --quick --sets kth --out "$dir/out"
all_figures() {
	local n
	for n in 02 03 04 05 06 07 08; do
		grep -q '</svg>' "$dir/out/fig$n.svg" && grep -qE '^1.00( [0-9.]+){3}$' "$dir/out/fig$n.dat" &&
			grep -q "src='fig$n.svg'" "$dir/out/index.html" || { echo "figure $n"; return 1; }
	done
}
ok 'all figures from 2 to 8 are there, with their spread, and on the page' all_figures
ok 'beside what the paper says of each' eval '[ "$(grep -c "<b>The paper</b><p>[A-Z]" "$dir/out/index.html")" = 9 ]'
ok 'and what we find, all policies of it' grep -qE '^<p>kth at 0.60: .*SJF [0-9.]+, .*LJF [0-9.]+[,.]' "$dir/out/index.html"
ok 'and so are Tables 4 to 6' eval \
	'for t in "Table 4, kth" "Table 5" "Table 6"; do grep -q "$t" "$dir/out/index.html" || exit; done'
invalid() { # how many rows of FILE have a schedule that the validator refused; no field of it has commas
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "violations") n = i; next }
		{ bad += $n != 0; rows++ } END { print n && rows ? bad + 0 : "no rows" }' "$1"
}
ok 'no schedule is invalid' eval '[ "$(invalid "$dir/out/kth-singles.csv")" = 0 ]'
cat "$dir"/out/*.csv >"$dir/rows"
ok 'it runs again' exits 0 'advanced-kth' "$run" --quick --sets kth --out "$dir/out"
ok 'a report needs no pact-sim' exits 0 'advanced-kth' env PACT_BUILD=/nonexistent "$run" --quick --report --sets kth \
	--out "$dir/out"
ok 'and makes no run twice' eval 'cat "$dir"/out/*.csv | cmp - "$dir/rows"'
# Judged in earnest, a cut of 1000 jobs has failures that nobody has explained.
mkdir "$dir/judge" && cp "$top/experiments/"{Rows.pm,Verdicts.pm,dynp/{report,*.pm}} "$dir/judge" && : >"$dir/judge/causes"
sed -i 's/^my \$at = .*/my $at = 0.5;/' "$dir/judge/Claims.pm"
judge() {
	perl "$dir/judge/report" --out "$dir/out" --sets kth --quick no --fcfs queue --causes "$dir/judge/causes"
}
ok 'a claim that fails without a cause is an error' exits 1 'FAILS advanced-kth' judge
sed -n 's/^FAILS \([^:]*\):.*/\1: as the test\nhas it\n/p' "$dir/out/claims.txt" >"$dir/judge/causes"
ok 'with its cause it is none' exits 0 'cause: as the test has it' judge
# What is damaged, or not there, is not judged as if nothing were.
damage() { # EXIT TEXT FILE SED-SCRIPT
	cp "$dir/out/$3" "$dir/whole" && sed -i "$4" "$dir/out/$3" && exits "$1" "$2" judge
	local status=$?
	cp "$dir/whole" "$dir/out/$3"
	return $status
}
ok 'a missing run is told' damage 1 'kth-singles.csv: runs missing: 1' kth-singles.csv 3d
ok '  in the last line, too' eval 'tail -n 1 "$dir/said" | grep -q "; runs are missing$"'
ok 'so is a factor' damage 1 'kth-spread.csv: runs missing: 1' kth-spread.csv '/,0.60,/d'
ok 'a line that was cut is not judged' damage 2 'kth-basic.csv: line 2: has 4 fields, not' kth-basic.csv \
	'2s/,weibull,.*//'
ok 'nor one without a number' damage 2 "kth-exact.csv: line 3: version is 'one'" kth-exact.csv \
	'3s/,1,weibull,/,one,weibull,/'
ok 'nor a column of another name' damage 2 'kth-exact.csv: line 1: no column dynp_kept;' kth-exact.csv \
	'1s/dynp_kept/kept/'
ok 'nor one that was swept' damage 2 'kth-deciders.csv: line 1: no column Quality;' kth-deciders.csv '1s/,Quality,/,Q,/'
ok 'nor what is no sweep' damage 2 'kth-pact.csv: not the rows of a sweep' kth-pact.csv 1d
# No field of this file has commas.
seventh() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "violations") print "2s/,[^,]*/,7/" i - 1 }' "$1"; }
ok 'nor an invalid schedule' damage 2 'kth-singles.csv: line 2: a schedule with 7 violations' kth-singles.csv \
	"$(seventh "$dir/out/kth-singles.csv")"
mv "$dir/out/kth-readings.csv" "$dir/aside"
ok 'nor a set without one of its files' exits 2 'kth is left out: no runs in' judge
mv "$dir/aside" "$dir/out/kth-readings.csv"
ok 'and whole again it is judged' exits 0 'cause: as the test has it' judge
tap_end
