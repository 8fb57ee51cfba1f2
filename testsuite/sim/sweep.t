#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sweep.t: pact-sim sweep runs every value with every other, writes what single runs find, goes on
# where it was stopped, and leaves a usable file whatever happens.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
sim=$build/sim/pact-sim
dir=$(mktemp -d) || exit 99
sweeper=
trap '[ -z "$sweeper" ] || kill -KILL $sweeper 2>/dev/null; rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
tap_failed() { tail -n 20 "$dir/out" "$dir/err"; }

# says EXIT TEXT ARGUMENT...: pact-sim sweep; compare the exit code, look for the text
says() {
	local code=$1 text=$2 status
	shift 2
	"$sim" sweep "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -eq "$code" ] && cat "$dir/out" "$dir/err" | grep -qF -- "$text"
}
expect() {
	ok "sweep ${*:3} exits $1, says '$2'" says "$@"
}

# column FILE NAME: that column of all rows (no field of ours holds a comma)
column() {
	awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"
}

model=(--model poisson --nodes 32 --jobs 1:100)

# ---- usage

expect 0 'usage: pact-sim sweep' --help
expect 1 '--out FILE is needed' "${model[@]}"
out=(--out "$dir/no.csv")
expect 1 'either --trace FILE or --model' "${out[@]}"
expect 1 '--sweep load: not KEY=VALUE' "${out[@]}" "${model[@]}" --sweep load
expect 1 '--load x: not a factor' "${out[@]}" "${model[@]}" --sweep load=1,x
expect 1 'a value is missing' "${out[@]}" "${model[@]}" --sweep load=1,,2
expect 1 '1.5 is given twice' "${out[@]}" "${model[@]}" --sweep load=1.5,1.5
expect 1 'load: given twice' "${out[@]}" "${model[@]}" --sweep load=1 --sweep load=2
expect 1 'KFactor: given twice' "${out[@]}" "${model[@]}" --sweep KFactor=1 --sweep kfactor=2
expect 1 '--sweep KFactor: it is given as an option, too' "${out[@]}" "${model[@]}" \
	--sweep KFactor=1,2 --set kfactor=3
expect 1 '--sweep Guard: it is given as an option, too' "${out[@]}" "${model[@]}" \
	--sweep Guard=1,2 --guard 3
expect 1 '--set Order=llf: scheduler easy does not use it (only qops, msb, mrt, qops-best, dynp, bgs, mbgs); so it is in all runs' \
	"${out[@]}" "${model[@]}" --set Order=llf --sweep scheduler=easy,conservative
expect 1 'KFactor=1: scheduler easy does not use it' "${out[@]}" "${model[@]}" --sweep KFactor=1,2 \
	--sweep scheduler=easy,conservative
expect 1 '--relax 2: scheduler easy does not use it' "${out[@]}" "${model[@]}" --sweep relax=2,5 \
	--sweep scheduler=easy,conservative --deadlines stringency:0.2
expect 1 '--load-by expand: there is no --load' "${out[@]}" "${model[@]}" --load-by expand
expect 1 '--sweep stringency: it is given as an option, too, as --deadlines stringency:0.2' "${out[@]}" "${model[@]}" \
	--deadlines stringency:0.2 --sweep stringency=0.1,0.2
expect 1 '--sweep fraction: it is given as an option, too, as --deadlines none' "${out[@]}" "${model[@]}" \
	--deadlines none --sweep fraction=0.1,0.2
expect 1 '--seed 3, --seeds 1:2: only one of them' "${out[@]}" "${model[@]}" --seed 3 --seeds 1:2
expect 1 '--seeds 2: it is given already, as --seeds 1' "${out[@]}" "${model[@]}" --seeds 1 --seeds 2
expect 0 'to do scheduler=qops load=2 KFactor=2 seed=7' --out "$dir/listed.csv" "${model[@]}" --sweep scheduler=easy,qops \
	--sweep load=1,2 --load-by expand --sweep KFactor=1,2 --seed 7 --set Order=llf --list
expect 1 '--processes 0: not a number from 1 to 1024' "${out[@]}" "${model[@]}" --processes 0
expect 1 '--out -: a file is needed' --out - "${model[@]}"
expect 0 'to do seed=1' --out "$dir/listed.csv" "${model[@]}" --list
ok 'a list makes no file' test ! -e "$dir/listed.csv"
expect 1 '--sweep scheduler: it is given as an option, too' "${out[@]}" "${model[@]}" \
	--scheduler easy --sweep scheduler=qops
expect 1 '--sweep KFactor: it is given as an option, too' "${out[@]}" "${model[@]}" \
	--set KFactor=1 --sweep KFactor=2
expect 1 'Colour=red: unknown setting' "${out[@]}" "${model[@]}" --sweep Colour=red
expect 1 'colour' "${out[@]}" "${model[@]}" --sweep model.colour=3
expect 1 'there is --seeds for it' "${out[@]}" "${model[@]}" --sweep seed=1,2
expect 1 '--seeds 5:1' "${out[@]}" "${model[@]}" --seeds 5:1
expect 1 '--seed x: not a whole number' "${out[@]}" "${model[@]}" --seeds 1,x
expect 1 'cannot make it less than 1' "${out[@]}" "${model[@]}" --sweep load=0.5,1
expect 1 '--processes' "${out[@]}" "${model[@]}" --processes 0
ok 'none of these made a file' [ ! -e "$dir/no.csv" ]
expect 4 'cannot write /nonexistent/a.csv' --out /nonexistent/a.csv "${model[@]}"

# ---- rows

a=("${model[@]}" --sweep 'scheduler=easy,qops' --sweep 'model.load=0.7,1.1'
	--sweep 'deadlines=none;stringency:0.2,fraction:0.5' --seeds 1:2)
ok '2 x 2 x 2 x 2 runs' says 0 '16 of 16 runs are there, 16 done now, 0 failed' --out "$dir/a.csv" "${a[@]}"
ok 'a header and a row for each' [ "$(wc -l <"$dir/a.csv")" = 17 ]
ok 'in order' [ "$(sed -n '2p;3p;17p' "$dir/a.csv" | sed 's/"stringency[^"]*"/some/' | cut -d, -f2-5 | tr '\n' ' ')" = \
	'easy,0.7,none,1 easy,0.7,none,2 qops,1.1,some,2 ' ]
"$sim" run "${model[@]}" --scheduler qops --set model.load=1.1 --deadlines stringency:0.2,fraction:0.5 \
	--seed 2 --quiet --json "$dir/run.json" 2>"$dir/err"
same_as_run() { # every figure of the last row but for what it cost
	local key value json n=0
	while read -r key value; do
		json=$(sed -n "s/^  \"$key\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$dir/run.json")
		case $key in wall_s | peak_rss_kib) continue ;; esac
		n=$((n + 1))
		[ "$json" = "$value" ] || { echo "$key: $value in the sweep, $json in the run"; return 1; }
	done < <(sed 's/"stringency[^"]*"/some/' "$dir/a.csv" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
		END { for (i = 5; i <= NF; i++) print name[i], $i }')
	[ $n -gt 25 ]
}
ok 'the last row has the figures of that run' same_as_run
"$sim" sweep --out "$dir/b.csv" "${a[@]}" --processes 1 --quiet >"$dir/out" 2>"$dir/err"
cut -d, -f1-31 "$dir/a.csv" >"$dir/1"
cut -d, -f1-31 "$dir/b.csv" >"$dir/2"
ok 'one process finds the same as all' cmp "$dir/1" "$dir/2"
ok 'quiet is quiet' [ ! -s "$dir/err" ]

# ---- the table

# table CSV COLUMN SEEDS T: scheduler, load, deadlines, mean and half the interval by awk alone, from the rows;
# T: Student's t as it is printed in tables, for SEEDS - 1 degrees of freedom
table() {
	sed 's/"stringency[^"]*"/some/' "$1" | awk -F, -v name="$2" -v seeds="$3" -v t="$4" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next }
		{ key = $2 " " $3 " " $4; if (!(key in n)) order[++keys] = key; x[key, ++n[key]] = $c; sum[key] += $c }
		END { for (k = 1; k <= keys; k++) {
			key = order[k]; mean = sum[key] / n[key]; s = 0
			for (i = 1; i <= n[key]; i++) s += (x[key, i] - mean) ^ 2
			printf "%s %d %.10g %.10g\n", key, n[key], mean, t * sqrt(s / (seeds - 1) / seeds)
		} }'
}
same_table() { # COLUMN SEEDS T PLACE: the PLACE-th pair of columns of the table in $dir/out is that
	table "$dir/a.csv" "$1" "$2" "$3" >"$dir/mine"
	sed -n '2,9p' "$dir/out" | sed 's/stringency[^ ]*/some/' | awk -v p="$4" '{ print $1, $2, $3, $4, $(3 + 2 * p), $(4 + 2 * p) }' |
		paste -d' ' - "$dir/mine" >"$dir/both"
	cat "$dir/both"
	[ "$(wc -l <"$dir/both")" = 8 ] && awk 'function off(a, b, by) { return a - b > by * b + 1e-9 || b - a > by * b + 1e-9 }
		$1 != $7 || $2 != $8 || $3 != $9 || $4 != $10 || off($5, $11, 1e-5) || off($6, $12, 6e-3) { exit 1 }' "$dir/both"
}
columns=(--columns wait_mean_s,slowdown_bounded10_p90,utilization)
cp "$dir/a.csv" "$dir/before.csv"
ok 'a table of rows that are there' says 0 'Means over the seeds, +- 95 % confidence intervals' --out "$dir/a.csv" "${a[@]}" \
	"${columns[@]}" --quiet
ok 'the file is what it was' cmp "$dir/a.csv" "$dir/before.csv"
ok 'its head' [ "$(head -n 1 "$dir/out" | tr -s ' ')" = \
	'scheduler model.load deadlines seeds wait_mean_s +- slowdown_bounded10_p90 +- utilization +-' ]
ok 'means and intervals of two seeds' same_table wait_mean_s 2 12.7062 1
ok '  of each column' same_table slowdown_bounded10_p90 2 12.7062 2
ok '  to the last' same_table utilization 2 12.7062 3
five=("${model[@]}" --sweep 'scheduler=easy,qops' --sweep 'model.load=0.7,1.1'
	--sweep 'deadlines=none;stringency:0.2,fraction:0.5' --seeds 1:5)
ok 'five seeds: three are added, and all are in the table' says 0 '40 of 40 runs are there, 24 done now' --out "$dir/a.csv" \
	"${five[@]}" --columns response_mean_s
ok '  with their interval' same_table response_mean_s 5 2.77645 1
cp "$dir/before.csv" "$dir/a.csv"
ok 'one seed has no interval' says 0 'One seed: there is no interval.' --out "$dir/a.csv" "${model[@]}" \
	--sweep 'scheduler=easy,qops' --sweep 'model.load=0.7,1.1' --sweep 'deadlines=none' --columns wait_mean_s
ok '  but a mean' [ "$(sed -n 2p "$dir/out" | awk '{ print $4, $5, $6 }')" = \
	"1 $(column "$dir/before.csv" wait_mean_s | awk 'NR == 1 { printf "%.6g", $1 }') -" ]
cp "$dir/before.csv" "$dir/a.csv"
expect 1 '--columns wait: there is no such column' --out "$dir/a.csv" "${a[@]}" --columns wait
expect 1 '--columns scheduler: it is swept, not a figure' --out "$dir/a.csv" "${a[@]}" --columns scheduler
expect 1 '--columns seed: it is swept' --out "$dir/a.csv" "${a[@]}" --columns seed
expect 1 '--columns source: no number' --out "$dir/a.csv" "${a[@]}" --columns source
expect 1 '--columns options: no number' --out "$dir/a.csv" "${a[@]}" --columns options
expect 1 '--columns events: given twice' --out "$dir/a.csv" "${a[@]}" --columns events,nodes,events
expect 1 '--columns events,: a name is missing' --out "$dir/a.csv" "${a[@]}" --columns events,
expect 1 '--list, --columns: only one of them' --out "$dir/a.csv" "${a[@]}" --columns events --list

# ---- going on

cp "$dir/a.csv" "$dir/old.csv"
ok 'again: nothing is run' says 0 '16 of 16 runs are there, 0 done now' --out "$dir/a.csv" "${a[@]}"
ok 'the file stays as it is' cmp "$dir/a.csv" "$dir/old.csv"
head -n 9 "$dir/old.csv" >"$dir/a.csv"
sed -n 10p "$dir/old.csv" | head -c 40 >>"$dir/a.csv"
ok 'a row written by half is done again' says 0 '16 of 16 runs are there, 8 done now, 0 failed; 1 damaged rows dropped' \
	--out "$dir/a.csv" "${a[@]}"
head -n 9 "$dir/a.csv" >"$dir/1"
head -n 9 "$dir/old.csv" >"$dir/2"
ok 'rows that were there were not run again' cmp "$dir/1" "$dir/2"
cut -d, -f1-31 "$dir/a.csv" >"$dir/1"
cut -d, -f1-31 "$dir/old.csv" >"$dir/2"
ok 'all in all it is the same' cmp "$dir/1" "$dir/2"
sed '5s/,[^,]*$//' "$dir/old.csv" >"$dir/a.csv"
ok 'so is a row with a field too few' says 0 '1 done now' --out "$dir/a.csv" "${a[@]}"
b=("${model[@]}" --sweep 'scheduler=easy' --sweep 'model.load=0.7,0.9' --sweep 'deadlines=none' --seeds 2:3)
ok 'more values: rows of others are kept' says 0 '4 of 4 runs are there, 3 done now, 0 failed; 15 rows of other values kept' \
	--out "$dir/a.csv" "${b[@]}"
ok 'there are all of them' [ "$(wc -l <"$dir/a.csv")" = 20 ]
head -c 20 "$dir/old.csv" >"$dir/c.csv"
ok 'a header written by half' says 0 '16 done now' --out "$dir/c.csv" "${a[@]}"
expect 2 'its columns are not those of this sweep' --out "$dir/a.csv" "${model[@]}" --sweep scheduler=easy
expect 2 'a row of a sweep with other options' --out "$dir/a.csv" "${a[@]}" --guard 60
echo 'something else' >"$dir/text"
expect 2 'its columns are not those' --out "$dir/text" "${model[@]}"
ok 'and is left alone' [ "$(cat "$dir/text")" = 'something else' ]
lock() { # while another one has it
	(
		flock 9 || exit 1
		says 2 'another sweep is writing to it' --out "$dir/a.csv" "${a[@]}"
	) 9>>"$dir/a.csv"
}
ok 'two sweeps cannot write one file' lock

# ---- runs that fail

echo '; MaxProcs: 8' >"$dir/empty.swf"
echo '1 0 -1 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1' >"$dir/good.swf"
t=(--nodes 8 --scheduler easy --sweep "trace=$dir/empty.swf,$dir/good.swf,$dir/none.swf")
ok 'a failed run is told, with its values; the others are done' says 2 '1 of 3 runs are there, 1 done now, 2 failed' \
	--out "$dir/t.csv" "${t[@]}"
ok 'why it failed' grep -q "trace=$dir/empty.swf seed=1: $dir/empty.swf: no job in 1 line" "$dir/err"
cp "$dir/good.swf" "$dir/none.swf"
ok 'it is run again' says 2 '2 of 3 runs are there, 1 done now, 1 failed' --out "$dir/t.csv" "${t[@]}"
ok 'combinations without a run are left out, and told' says 2 '1 of 3 combinations have no run and are left out.' \
	--out "$dir/t.csv" "${t[@]}" --columns events
ok '  the others are there' [ "$(sed -n '2,3p' "$dir/out" | awk '{ print $2, $3, $4 }' | tr '\n' ' ')" = '1 3 - 1 3 - ' ]

# ---- stopped

rows() { # rows FILE: whole ones
	awk 'END { print NR - 1 }' "$1" 2>/dev/null || echo 0
}
stop_with() { # stop_with SIGNAL: begin a sweep that takes long, stop it after some rows
	local i status
	rm -f "$dir/s.csv"
	"$sim" sweep --out "$dir/s.csv" --model poisson --nodes 32 --jobs 1:2000 --seeds 1:5000 \
		--scheduler easy >"$dir/out" 2>"$dir/err" &
	sweeper=$!
	for ((i = 0; i < 1200; i++)); do
		[ "$(rows "$dir/s.csv")" -ge 3 ] && break
		sleep 0.1
	done
	kill -"$1" $sweeper
	wait $sweeper
	status=$?
	sweeper=
	[ $status -eq "$2" ] && grep -q 'stopped: the same command goes on' "$dir/err" &&
		[ "$(rows "$dir/s.csv")" -ge 3 ]
}
for s in 'INT 130' 'TERM 143'; do
	ok "stopped by SIG${s% *} it exits ${s#* }" stop_with $s
	ok 'every row is whole' [ "$(awk -F, '{ print NF }' "$dir/s.csv" | sort -u | wc -l)" = 1 ]
	"$sim" sweep --out "$dir/s.csv" --model poisson --nodes 32 --jobs 1:2000 --seeds 1:5000 \
		--scheduler easy --list >"$dir/out" 2>"$dir/err"
	ok 'and none will be done again' [ "$(grep -c '^done' "$dir/out")" = "$(rows "$dir/s.csv")" ]
done

# Killed at once, with nothing said: its workers end, too, and the rows stay.
stop_with KILL 137 >"$dir/out" 2>&1
before=$(rows "$dir/s.csv")
says 0 '' --out "$dir/s.csv" --model poisson --nodes 32 --jobs 1:2000 --seeds 1:5000 --scheduler easy --list
ok 'after a kill the whole rows are there' [ "$(grep -c '^done' "$dir/out")" -ge 3 -a "$(grep -c '^done' "$dir/out")" -le "$before" ]

tap_end
