#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-malleable.t: a small cut of experiments/malleable: tables and claims are there, on logs, too; no run is made
# twice, a failed claim without a cause is an error, and what is damaged is not judged.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
run=$top/experiments/malleable/run
own=$(mktemp -d) || exit 99
trap 'rm -rf "$own"' EXIT
dir="$own/it's" && mkdir "$dir" || exit 99
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

need gnuplot perl
traces=${PACT_TRACES:-$top/../shared/traces}

ok 'the help' exits 0 'usage: experiments/malleable/run' "$run" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$run" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$run" --seeds
ok 'an option twice' exits 2 '--seeds 1:1: it is given already, as --seeds 1:2' "$run" --seeds 1:2 --seeds 1:1
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$run" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$run" --seeds 3:1
ok 'processes that are none' exits 2 '--processes 0: a number from 1 on is wanted' "$run" --processes 0
ok 'a part that there is none of' exits 2 '--only tables,table9: no part table9' "$run" --only tables,table9
ok 'a report of a directory that is none' exits 2 "--report: no directory $dir/y" "$run" --report --out "$dir/y"
ok '  nor is it one now' not test -e "$dir/y"
ok 'jobs that are none: an error, no judgement' exits 2 'stopped at table4.2' "$run" --jobs x:y --out "$dir/x" --only tables
ok 'a report of nothing' exits 2 'no rows' "$run" --report --out "$dir/x"

ok 'the small cut runs' exits 0 'malleable: ' "$run" --quick --only tables,streams --out "$dir/out"
all_tables() {
	local n
	for n in 4.2 4.3 4.5 4.6; do
		grep -q '</svg>' "$dir/out/table$n.svg" && [ "$(grep -cE '^[0-9.]+( [0-9.e-]+){4}$' "$dir/out/table$n.dat")" -ge 24 ] &&
			grep -q "src='table$n.svg'" "$dir/out/index.html" && grep -q "^Table $n:" "$dir/out/tables.txt" ||
			{ echo "table $n"; return 1; }
	done
	[ "$(grep -cE '^[0-9.]+ \| (adaptive|traditional) \| [0-9]' "$dir/out/tables.txt")" = 72 ]
}
ok 'all tables are there, with their data, and on the page; two with two streams' all_tables
ok 'all claims are judged' eval '[ "$(grep -cE "^(holds|FAILS) " "$dir/out/claims.txt")" = 27 ]'
ok 'no promise is broken' grep -q '^holds kept' "$dir/out/claims.txt"
ok 'adaptive jobs are ahead under every strategy' eval '[ "$(grep -c "^holds 4..-ahead" "$dir/out/claims.txt")" = 4 ]'
cat "$dir"/out/*.csv >"$dir/rows"
ok 'it runs again' exits 0 'malleable: ' "$run" --quick --only tables,streams --out "$dir/out"
ok 'and makes no run twice' eval 'cat "$dir"/out/*.csv | cmp - "$dir/rows"'
ok 'which are as many as it should' eval '[ "$(cat "$dir"/out/*.csv | grep -vc "^options,")" = 72 ]'
ok 'without the logs, that is said, and the rest is there' exits 0 'the logs are left out: cannot read /nonexistent/' \
	"$run" --quick --traces /nonexistent --out "$dir/out"
if [ -r "$traces/SDSC-SP2-1998-4-derived.swf.gz" ] && [ -r "$traces/CTC-SP2-1996-3.1-derived.swf.gz" ]; then
	ok 'logs' exits 0 'malleable: ' "$run" --quick --traces "$traces" --out "$dir/out"
	ok 'of each, every scheduler with every part of malleable jobs' eval '[ "$(grep -cE \
		"^(ctc|sdsc) \| (uniform|profit|lazy|qops-(uniform|profit|undated)) \| (0|20|50|100) % \|" "$dir/out/logs.txt")" = 48 ]'
	ok '  and what is claimed of it' eval '[ "$(grep -cE \
		"^(holds|FAILS) log-(uniform|profit|lazy|qops-(uniform|profit|undated))-(malleable|rigid|kept):" "$dir/out/claims.txt")" = 16 ]'
	ok 'under uniform malleable jobs respond sooner' grep -qE '^sdsc \| uniform \| 100 % \| [0-9]+ \| -' "$dir/out/logs.txt"
fi
ok 'a report needs no pact-sim' exits 0 'malleable: ' env PACT_BUILD=/nonexistent "$run" --quick --report \
	--only tables,streams --out "$dir/out"

# Judged in earnest: a failure that has no cause is an error, and what is damaged is not judged.
mkdir "$dir/judge" && cp "$top/experiments/"{Rows.pm,Verdicts.pm,malleable/{report,*.pm}} "$dir/judge" && : >"$dir/judge/causes"
judge() {
	perl "$dir/judge/report" --out "$dir/out" --seeds 1:1 --only tables,streams --jobs 1:1 --quick no --causes "$dir/judge/causes"
}
sed -i 's/profit => 4 }/profit => 0 }/' "$dir/judge/Paper.pm"
ok 'a claim that fails without a cause is an error' exits 1 'FAILS 4.6-adaptive-profit' judge
sed -n 's/^FAILS \([^:]*\):.*/\1: as the test\nhas it\n/p' "$dir/out/claims.txt" >"$dir/judge/causes"
ok 'with its cause it is none' exits 0 'cause: as the test has it' judge
damage() { # EXIT TEXT FILE SED-SCRIPT
	cp "$dir/out/$3" "$dir/whole" && sed -i "$4" "$dir/out/$3" && exits "$1" "$2" judge
	local status=$?
	cp "$dir/whole" "$dir/out/$3"
	return $status
}
ok 'a missing run is told' damage 1 'table4.5.csv: runs missing: 1' table4.5.csv 3d
ok '  in the last line, too' eval 'tail -n 1 "$dir/said" | grep -q "; runs are missing$"'
ok 'so are all of a file' damage 1 'two4.2.csv: no rows' two4.2.csv '2,$d'
ok 'a line that was cut is not judged' damage 2 'table4.3.csv: line 2: has ' table4.3.csv '2s/,[^,]*$//'
ok 'nor a column of another name' damage 2 'table4.6.csv: line 1: no column profit;' table4.6.csv '1s/,profit,/,gain,/'
ok 'and whole again it is judged' exits 0 'cause: as the test has it' judge

# The same of what is claimed on logs: a line for each part of malleable jobs, in which one figure at a time is made worse.
mkdir "$dir/logs" && : >"$dir/judge/causes"
log=$dir/logs/log-ctc-qops-uniform-1
judge_logs() {
	perl "$dir/judge/report" --out "$dir/logs" --seeds 1:1 --only logs --jobs 1:1 --quick no --causes "$dir/judge/causes"
}
log_lines() { # RESPONSE OF-THE-OTHERS BROKEN
	local n
	for n in 0 0.2 0.5; do
		echo "$n 10 90 100 10 100 100 5 0 1 7 0.8 10"
	done >"$log"
	echo "1 10 $1 100 10 $2 100 5 $3 1 7 0.8 10" >>"$log"
}
log_lines 90 100.9 0
ok 'claims on logs that hold' exits 0 'malleable: 3 claims hold, 0 differ' judge_logs
log_lines 101 100.9 0
ok 'malleable jobs that respond later: an error' exits 1 'FAILS log-qops-uniform-malleable' judge_logs
log_lines 90 102 0
ok 'others that do' exits 1 'FAILS log-qops-uniform-rigid' judge_logs
log_lines 90 100.9 1
ok 'a promise that is broken' exits 1 'FAILS log-qops-uniform-kept' judge_logs
tap_end
