#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-libra.t: a small cut of experiments/libra: figures and claims are there, no schedule is invalid and no
# promise broken, what is there is not run again, and a failed claim without a cause is an error.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
run=$top/experiments/libra/run
own=$(mktemp -d) || exit 99
trap 'rm -rf "$own"' EXIT
dir="$own/it's" && mkdir "$dir" || exit 99
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

need gnuplot perl
traces=${PACT_TRACES:-$top/../shared/traces}
[ -r "$traces/SDSC-SP2-1998-4-derived.swf.gz" ] ||
	skip_all "no SDSC-SP2-1998-4-derived.swf.gz; PACT_TRACES names the logs' directory"

ok 'the help' exits 0 'usage: experiments/libra/run' "$run" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$run" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$run" --seeds
ok 'an option twice' exits 2 '--seeds 1:1: it is given already, as --seeds 1:2' "$run" --seeds 1:2 --seeds 1:1
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$run" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$run" --seeds 3:1
ok 'a log that is not there' exits 2 'cannot read /nonexistent/' "$run" --traces /nonexistent --out "$dir/x"
ok 'a report of a directory that is none' exits 2 "--report: no directory $dir/y" "$run" --report --out "$dir/y"
ok '  nor is it one now' not test -e "$dir/y"
ok 'a report of nothing' exits 2 'no rows' "$run" --report --out "$dir/x"
ok 'jobs that are none: an error, no judgement' exits 2 'stopped at figure1' "$run" --jobs x:y --traces "$traces" \
	--out "$dir/x"

ok 'the small cut runs' exits 0 'libra: ' "$run" --quick --traces "$traces" --out "$dir/out"
all_figures() {
	local n
	for n in 1 2 3 4; do
		grep -q '</svg>' "$dir/out/fig$n.svg" && [ "$(grep -cE '^[0-9.]+( [0-9.e-]+){3}$' "$dir/out/fig$n.dat")" -ge 60 ] &&
			grep -q "src='fig$n.svg'" "$dir/out/index.html" || { echo "figure $n"; return 1; }
	done
}
ok 'all figures from 1 to 4 are there, with their data, and on the page' all_figures
ok 'there are runs of every scheduler' eval \
	'for s in edf libra librarisk demand qops; do cat "$dir"/out/*.csv | grep -q ",$s," || exit; done'
ok 'no promise is broken' grep -q '^holds kept' "$dir/out/claims.txt"
ok 'with NodeChoice=best LibraRisk decides as Libra does' grep -q '^holds best-alike: .*300 jobs, 0 decided otherwise' \
	"$dir/out/claims.txt"
ok 'LibraRisk and demand are far over Libra with the estimates of the log' grep -q '^holds librarisk-leads' "$dir/out/claims.txt"
cat "$dir"/out/*.csv >"$dir/rows"
ok 'it runs again' exits 0 'libra: ' "$run" --quick --traces "$traces" --out "$dir/out"
ok 'and makes no run twice' eval 'cat "$dir"/out/*.csv | cmp - "$dir/rows"'
ok 'a report needs no pact-sim' exits 0 'libra: ' env PACT_BUILD=/nonexistent "$run" --quick --report --out "$dir/out"

# Judged in earnest: a failure that nobody has explained is an error, and what is damaged is not judged.
mkdir "$dir/judge" && cp "$top/experiments/"{Rows.pm,Verdicts.pm,libra/{report,*.pm}} "$dir/judge" && : >"$dir/judge/causes"
sed -i 's/ - \$v\[0\] <= 6/ - $v[0] < 0/' "$dir/judge/Claims.pm"
judge() {
	perl "$dir/judge/report" --out "$dir/out" --jobs 1:1 --quick no --causes "$dir/judge/causes"
}
ok 'a claim that fails without a cause is an error' exits 1 'FAILS libra-barely' judge
sed -n 's/^FAILS \([^:]*\):.*/\1: as the test\nhas it\n/p' "$dir/out/claims.txt" >"$dir/judge/causes"
ok 'with its cause it is none' exits 0 'cause: as the test has it' judge
damage() { # EXIT TEXT FILE SED-SCRIPT
	cp "$dir/out/$3" "$dir/whole" && sed -i "$4" "$dir/out/$3" && exits "$1" "$2" judge
	local status=$?
	cp "$dir/whole" "$dir/out/$3"
	return $status
}
ok 'a missing run is told' damage 1 'figure1.csv: runs missing: 1' figure1.csv 3d
ok '  in the last line, too' eval 'tail -n 1 "$dir/said" | grep -q "; runs are missing$"'
ok 'so are all of a file' damage 1 'figure4.csv: no rows' figure4.csv '2,$d'
ok 'a comparison that is not there does not hold' damage 1 'FAILS best-alike' best-1 d
ok 'a line that was cut is not judged' damage 2 'figure2.csv: line 2: has ' figure2.csv '2s/,[^,]*$//'
ok 'nor a column of another name' damage 2 'figure3.csv: line 1: no column deadlines_met_pct;' figure3.csv \
	'1s/,deadlines_met_pct,/,met,/'
ok 'and whole again it is judged' exits 0 'cause: as the test has it' judge
tap_end
