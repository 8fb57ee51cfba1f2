#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments.t: a small cut of experiments/qops: every figure of QoPS is drawn, no promise is
# broken, claims are judged and a failed one without a cause is an error; what is there is not run again.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
run=$top/experiments/qops/run
own=$(mktemp -d) || exit 99
trap 'rm -rf "$own"' EXIT
dir="$own/it's" && mkdir "$dir" || exit 99
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

need gnuplot perl
traces=${PACT_TRACES:-$top/../shared/traces}
for log in CTC-SP2-1996-3.1-derived SDSC-SP2-1998-4-derived; do
	[ -r "$traces/$log.swf.gz" ] || skip_all "no $log.swf.gz; PACT_TRACES names the logs' directory"
done
gnuplot -e 'set terminal pngcairo' >/dev/null 2>&1 || skip_all 'gnuplot draws no PNG with cairo'

ok 'the help' exits 0 'usage: experiments/qops/run' "$run" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$run" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$run" --seeds
ok 'an option twice' exits 2 '--seeds 1:1: it is given already, as --seeds 1:2' "$run" --seeds 1:2 --seeds 1:1
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$run" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$run" --seeds 3:1
ok 'an unknown order' exits 2 '--order fcfs: llf or edf' "$run" --order fcfs
ok 'logs that are not there' exits 2 'cannot read /nonexistent/' "$run" --traces /nonexistent --out "$dir/x"
ok 'a report of a directory that is none' exits 2 "--report: no directory $dir/y" "$run" --report --out "$dir/y"
ok '  nor is it one now' not test -e "$dir/y"
ok 'a report of nothing' exits 2 'no rows' "$run" --report --out "$dir/x"

ok 'jobs that are none: an error, no judgement' exits 2 'stopped at ctc-duplicate-best' "$run" --ctc-jobs x:y \
	--traces "$traces" --out "$dir/x"

# Told to stop, each alone: what it runs has ended with it, and another may go on.
mkdir -p "$dir/build/sim" && cat >"$dir/build/sim/pact-sim" <<'EOF'
#!/bin/sh
echo $$ >"$TOLD"
exec "$REAL" "$@"
EOF
chmod 755 "$dir/build/sim/pact-sim"
runs() { # PID, unless it is somebody else's by now
	kill -0 "$1" 2>/dev/null && tr '\0' ' ' <"/proc/$1/cmdline" | grep -qF "$dir"
}
stops() { # SIGNAL CODE FILE COMMAND... is stopped while it writes FILE
	local signal=$1 code=$2 file=$dir/$3 pid sim status tries
	shift 3
	rm -f "$dir/sim"
	# a shell's background ignores INT, and passes that on
	TOLD=$dir/sim REAL=$build/sim/pact-sim PACT_BUILD=$dir/build PACT_TRACES=$traces \
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$@" &
	pid=$!
	for ((tries = 0; tries < 600; tries++)); do
		[ ! -s "$file" ] || break
		kill -0 $pid 2>/dev/null || break
		sleep 0.1
	done
	kill -s "$signal" $pid
	for ((tries = 0; tries < 600; tries++)); do
		[ -n "$(jobs -pr)" ] || break
		sleep 0.1
	done
	[ -z "$(jobs -pr)" ] || kill -9 $pid
	wait $pid
	status=$?
	sim=$(cat "$dir/sim")
	if runs "$sim"; then
		echo "pact-sim has not ended"
		kill "$sim"
		status=none
	fi
	echo "exit $status"
	[ -s "$file" ] && [ $status = "$code" ] && flock -n "$file" true
}
ok 'TERM ends what it runs, too' stops TERM 143 a/ctc-duplicate-best.csv "$run" --processes 1 --out "$dir/a"
ok '  as does INT, of dynp' stops INT 130 b/ctc-deciders.csv "$top/experiments/dynp/run" --processes 1 --out "$dir/b"
ok '  and HUP, of both' stops HUP 129 c/qops/ctc-duplicate-best.csv "$top/experiments/check" --processes 1 \
	--out "$dir/c"
ok '  and TERM, of gang' stops TERM 143 d/table1.csv "$top/experiments/gang/run" --processes 1 --out "$dir/d"
ok 'the small cut runs' exits 0 index.html "$run" --quick --traces "$traces" --out "$dir/out"
all_figures() {
	local n
	for ((n = 4; n <= 58; n++)); do
		head -c 8 "$dir/out/fig$n.png" | grep -qa PNG && grep -q '</svg>' "$dir/out/fig$n.svg" &&
			grep -q '^1.6 ' "$dir/out/fig$n.dat" && grep -q "src=\"fig$n.svg\"" "$dir/out/index.html" ||
			{ echo "figure $n"; return 1; }
	done
}
ok 'all figures from 4 to 58 are there, as data, SVG and PNG, and on the page' all_figures
ok 'no promise is broken' grep -A 2 '^kept  *section 1  holds' "$dir/out/claims.txt"
ok 'there are runs of every scheme' eval \
	'for s in qops msb mrt easy conservative; do cat "$dir"/out/*.csv | grep -q ",$s," || exit; done'
ok 'qops-best stands beside QoPS and the bound of any method' eval \
	'[ "$(grep -c "^beyond: .* no method less than [0-9]" "$dir/out/claims.txt")" = 4 ] &&
		grep -q "<h2>Beyond the paper" "$dir/out/index.html"'
ok 'no schedule is invalid' eval '! cut -d, -f 19 "$dir"/out/*.csv | grep -q "[1-9]"'
cat "$dir"/out/*.csv >"$dir/rows"
cp "$dir/out/index.html" "$dir/page"
ok 'it runs again' exits 0 index.html "$run" --quick --traces "$traces" --out "$dir/out"
ok 'and makes no run twice' eval 'cat "$dir"/out/*.csv | cmp - "$dir/rows"'
ok 'and the same page' cmp "$dir/page" "$dir/out/index.html"
ok 'another relaxation than that of the rows is an error' exits 2 "--relax 0: $dir/out has the runs of --relax 2; give" \
	"$run" --quick --relax 0 --traces "$traces" --out "$dir/out"
mkdir "$dir/relaxed" && printf 'options,relax,fraction\n"--jobs 1,""2"" ",0,1\n' >"$dir/relaxed/ctc-duplicate-best.csv"
ok '  also when theirs is not the default' exits 2 "--relax 2: $dir/relaxed has the runs of --relax 0; give" "$run" \
	--report --out "$dir/relaxed"

# Both at once, over what is there: the cut lacks runs, and of dynp there are none.
check=$top/experiments/check
ok 'the help of all experiments' exits 0 'usage: experiments/check' "$check" --help
ok 'an unknown option of theirs' exits 2 'unknown option --fast' "$check" --fast
mkdir "$dir/both" && cp -r "$dir/out" "$dir/both/qops"
ok 'what could not be run is an error' exits 2 'dynp: not judged, it exited 2' "$check" --report --out "$dir/both"
ok 'and what is not whole is not judged' grep -q '^qops: .* not judged, as runs are missing$' "$dir/said"
ok 'which is an error of its own' exits 1 'as runs are missing' "$run" --report --out "$dir/both/qops"

# What is damaged, or not there, is not judged as if nothing were.
damage() { # EXIT TEXT FILE SED-SCRIPT
	cp "$dir/out/$3" "$dir/whole" && sed -i "$4" "$dir/out/$3" && exits "$1" "$2" "$run" --report --out "$dir/out"
	local status=$?
	cp "$dir/whole" "$dir/out/$3"
	return $status
}
ok 'a missing run is told' damage 1 'ctc-expand.csv: runs missing: 1' ctc-expand.csv 3d
ok 'so are all of a file' damage 1 'sdsc-duplicate-best.csv: runs missing: 1' sdsc-duplicate-best.csv '2,$d'
ok 'and a bound' damage 1 'ctc-duplicate-bound-1-1.json: not there' ctc-duplicate-bound-1-1.json d
ok 'a line that was cut is not judged' damage 2 'relaxation.csv: line 2: has ' relaxation.csv '2s/,[^,]*$//'
ok 'nor one without a number' damage 2 "ctc-duplicate.csv: line 4: jobs_dropped is 'nan'" ctc-duplicate.csv \
	'4s/,0,/,nan,/'
ok 'nor what is no sweep' damage 2 'ctc-duplicate-reference.csv: not the rows of a sweep' \
	ctc-duplicate-reference.csv 1d
ok 'nor a column of another name' damage 2 'ctc-expand.csv: line 1: no column utilization;' ctc-expand.csv \
	'1s/,utilization,/,utilisation,/'
ok 'nor one that was swept' damage 2 'relaxation.csv: line 1: no column relax;' relaxation.csv '1s/,relax,/,R,/'
ok 'nor one that is there twice' damage 2 'relaxation.csv: line 1: two columns events;' relaxation.csv \
	'1s/,source,/,events,source,/'
ok 'nor an empty file' damage 2 'relaxation.csv: not the rows of a sweep' relaxation.csv d

# Judging: rows in which the references are too good, without and with causes.
mkdir "$dir/judge" && cp "$top/experiments/"{Rows.pm,Verdicts.pm,qops/{run,report,*.pm}} "$dir/judge"
for csv in "$dir"/out/*.csv; do
	# Broken promises that the simulator would never have let pass.
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "promises_broken") c = i }
		NR > 1 { $c = 1 } { print }' "$csv" >"$dir/new" && mv "$dir/new" "$csv"
done
: >"$dir/judge/causes"
report() {
	perl "$dir/judge/report" --out "$dir/out" --ctc-jobs 1:1 --sdsc-jobs 1:1 "$@"
}
ok 'a claim that fails without a known cause is an error' exits 1 'CAUSE NOT KNOWN' report
ok 'but not for a small cut' exits 0 'CAUSE NOT KNOWN' report --quick yes
sed -n 's/^\([a-z-]*\) .*CAUSE NOT KNOWN.*/\1: because of the\n  weather\n/p' "$dir/said" >"$dir/judge/causes"
# the cut has not all runs: those claims are left out
sed -i 's/ || $claims->unjudged//' "$dir/judge/report"
ok 'a known cause is none' exits 0 'cause known' report
ok 'and stands on the page' grep -q '<i>Why:</i> because of the weather' "$dir/out/index.html"
tap_end
