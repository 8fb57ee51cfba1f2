#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.t: pact-sim as its users meet it: exit codes, messages, JSON, CSV, repeatability; the worked
# examples; with the logs at hand, the figures that others have published for EASY.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
sim=$build/sim/pact-sim
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
number=0

ok() { # ok STATUS TEXT
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		sed 's/^/# /' "$dir/out" "$dir/err" | tail -20
	fi
}

skip() { # skip TEXT WHY
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# expect EXIT TEXT-IN-OUTPUT ARGUMENT...: run, compare the exit code, look for the text
expect() {
	local code=$1 text=$2 status
	shift 2
	"$sim" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -eq "$code" ] && cat "$dir/out" "$dir/err" | grep -qF -- "$text"
	ok $? "pact-sim $* exits $code, says '$text'"
}

# value FILE KEY: a number out of the JSON
value() {
	sed -n "s/^  \"$2\": *\([-0-9.e+]*\),\{0,1\}$/\1/p" "$1"
}

job() { # job ID SUBMIT RUNTIME WIDTH ESTIMATE: a line of a log
	echo "$1 $2 -1 $3 $4 -1 -1 $4 $5 -1 1 1 -1 -1 -1 -1 -1 -1"
}

# ---- usage

expect 1 'usage: pact-sim COMMAND'
expect 0 'usage: pact-sim COMMAND' --help
expect 0 'pact-sim ' --version
expect 1 "unknown command 'fly'" fly
expect 0 'usage: pact-sim run' run --help
expect 1 'either --trace FILE or --model NAME' run
expect 1 '--trace a.swf, --model poisson: only one of them' run --model poisson --nodes 4 --trace a.swf
expect 1 'needs --nodes' run --model poisson
expect 1 "unknown model 'fractal'" run --model fractal --nodes 4
expect 1 'there are' run --model poisson --nodes 4 --scheduler magic
expect 1 "'magic@0-63': no scheduler named 'magic'" run --model poisson --nodes 128 --scheduler magic@0-63+easy@64-127
expect 1 "'easy': not SCHEDULER@NODES" run --model poisson --nodes 128 --scheduler qops@0-63+easy
expect 1 'only qops, qops-best, dynp' run --model poisson --nodes 8 --scheduler fcfs@0-3+easy@4-7 --set KFactor=3
expect 1 'knows the paper mode only' run --model poisson --nodes 8 --scheduler qops@0-3+msb@4-7 --mode slurm
expect 2 '--scheduler qops@0-63+easy@60-127: '"'easy@60-127': node 60 is in two domains" \
	run --model poisson --nodes 128 --jobs 1:5 --scheduler qops@0-63+easy@60-127
expect 2 '--scheduler qops@0-63+easy@70-127: node 64 is in no domain' \
	run --model poisson --nodes 128 --jobs 1:5 --scheduler qops@0-63+easy@70-127
expect 2 'node 128, but the machine has 128' \
	run --model poisson --nodes 128 --jobs 1:5 --scheduler qops@0-63+easy@64-128
expect 1 '--nodes 0' run --model poisson --nodes 0
expect 1 '--nodes 2000000000: more than 100000000 nodes' run --model poisson --nodes 2000000000
expect 1 '--nodes 2000000000: more than 100000000 nodes' gantt --trace x.swf --nodes 2000000000
expect 1 '--nodes 99999999999999999999: not a number' run --model poisson --nodes 99999999999999999999
expect 1 '--jobs 0:5' run --model poisson --nodes 4 --jobs 0:5
expect 1 "'my.swf' belongs to no option" run my.swf --scheduler easy
expect 1 '--jobs 5' run --model poisson --nodes 4 --jobs 5
expect 1 '--estimates wild' run --model poisson --nodes 4 --estimates wild
expect 1 '--estimates omega:x: W is no number' run --model poisson --nodes 4 --estimates omega:x
expect 1 '--estimates phi:2: F is no number' run --model poisson --nodes 4 --estimates phi:2
expect 1 '--malleable fraction:2: fraction:2 is not a number from 0 to 1' run --model poisson --nodes 4 --malleable fraction:2
expect 1 '--answers refuse:2: refuse:2 is not a number from 0 to 1' run --model poisson --nodes 4 --answers refuse:2
expect 1 "--answers soon: 'soon' is not key:value" run --model poisson --nodes 4 --answers soon
expect 1 '--answers time:3: no job is given notice without --set ResizeGrace' run --model malleable --nodes 64 --scheduler uniform --answers time:3
expect 2 ': No such file' run --model poisson --nodes 4 --launch file:/nowhere
expect 1 '--launch 3,: not SECONDS or SECONDS,LATER' run --model poisson --nodes 4 --launch 3,
expect 1 '--launch -1: not SECONDS' run --model poisson --nodes 4 --launch=-1
expect 1 "--malleable half: 'half' is not key:value" run --model poisson --nodes 4 --malleable half
expect 1 '--shrink 0: not a factor' run --model poisson --nodes 4 --shrink 0
expect 1 '--load x: not a factor' run --model poisson --nodes 4 --load x
expect 1 '--load 0.8: duplicates cannot make it less than 1' run --model poisson --nodes 4 --load 0.8
expect 1 '--load-by magic: duplicate or expand' run --model poisson --nodes 4 --load-by magic
expect 1 'stringency is given twice' run --model poisson --nodes 4 \
	--deadlines stringency:0.1,stringency:0.2
expect 1 '--set =5: not KEY=VALUE' run --model poisson --nodes 4 --set =5
expect 1 'stringency:2' run --model poisson --nodes 4 --deadlines stringency:2
expect 1 '--set KFactor=-1: must be a whole number from 0 to 1000000' run --model poisson --nodes 4 --set KFactor=-1
expect 1 'Colour=red: unknown setting' run --model poisson --nodes 4 --set Colour=red
expect 1 'load=x' run --model poisson --nodes 4 --set model.load=x
expect 1 '--scheduler msb: mode: this scheduler knows the paper mode only' run --model poisson \
	--nodes 4 --scheduler msb --mode slurm
expect 1 '--scheduler qops: Lateness=5: must not be above Guard=0' run --model poisson --nodes 4 \
	--scheduler qops --set Lateness=5
expect 1 'Mode=fast' run --model poisson --nodes 4 --mode fast
expect 1 'Guard=-5' run --model poisson --nodes 4 --guard=-5
expect 1 '--seed -1' run --model poisson --nodes 4 --seed -1
expect 1 'a FILE is needed' scenario

# ---- several schedulers on one machine

domains='run --model poisson --nodes 128 --jobs 1:600 --seed 3 --deadlines stringency:0.3,fraction:0.5 --quiet'
for name in qops@0-63+easy@64-127 easy@1-40,50+qops@0,41-49,51-127 dynp@0-31+qops@32-95+conservative@96-127 \
	libra@0-63+qops@64-127; do
	"$sim" $domains --scheduler $name --set KFactor=3 --json "$dir/j" --record "$dir/r" >"$dir/out" 2>"$dir/err" &&
		[ "$(value "$dir/j" violations)" = 0 ] && [ "$(value "$dir/j" promises)" -gt 50 ] &&
		[ "$(value "$dir/j" promises_broken)" = 0 ]
	ok $? "$name: a valid schedule, promises kept"
	"$sim" replay "$dir/r" >"$dir/out" 2>"$dir/err"
	ok $? "$name: the recording plays"
done
for name in qops librarisk; do
	"$sim" $domains --scheduler $name --jobs-csv "$dir/one.csv" >"$dir/out" 2>"$dir/err" &&
		"$sim" $domains --scheduler $name@0-127 --jobs-csv "$dir/same.csv" >"$dir/out" 2>"$dir/err" &&
		cmp "$dir/one.csv" "$dir/same.csv" >"$dir/out" 2>&1
	ok $? "one domain of all nodes is that scheduler: $name"
done

# ---- what is given and has no part in it

small=(run --model poisson --nodes 4 --jobs 1:5)
promising='(only qops, msb, mrt, qops-best, dynp, bgs, mbgs)'
expect 1 "--set Order=llf: scheduler easy does not use it $promising;" "${small[@]}" --scheduler easy --set Order=llf
expect 1 "--set order=edf: scheduler easy does not use it $promising;" "${small[@]}" --scheduler easy --set order=edf
expect 1 '--set KFactor=5: scheduler easy does not use it (only qops, qops-best, dynp, bgs, mbgs); easy is the default without' \
	"${small[@]}" --set KFactor=5
expect 1 '--set Cost=wait: scheduler qops does not use it (only msb, qops-best); qops is the default with' \
	"${small[@]}" --deadlines stringency:0.2 --set Cost=wait
expect 1 '--set Slots=start: scheduler mrt does not use it (only msb)' "${small[@]}" --scheduler mrt --set Slots=start
expect 1 '--set Policies=sjf: scheduler qops does not use it (only dynp)' "${small[@]}" --scheduler qops \
	--set Policies=sjf
expect 1 '--set Spread=140: scheduler dynp does not use it with Decider=advanced (only with preferred)' "${small[@]}" \
	--scheduler dynp --set Spread=140
expect 1 '--set Quality=ms: scheduler dynp does not use it with Decider=basic (only with simple, advanced, preferred)' \
	"${small[@]}" --scheduler dynp --set Quality=ms Decider=basic
expect 1 '--set Gain=5: scheduler dynp does not use it without Spread' "${small[@]}" --scheduler dynp \
	--set Gain=5 --set Decider=preferred
expect 1 '--set Order=llf: scheduler msb does not use it with Slots=start (only with order)' "${small[@]}" --scheduler msb \
	--set Order=llf
expect 1 '--deadlines stringency:0.2,relax:3: scheduler easy does not use it' "${small[@]}" --scheduler easy \
	--deadlines stringency:0.2,relax:3
expect 1 '--guard 5: scheduler fcfs does not use it' "${small[@]}" --scheduler fcfs --guard 5
expect 1 '--load-by expand: there is no --load' "${small[@]}" --load-by expand
expect 1 '--set model.load=1: model.* settings need --model' run --trace x --set model.load=1
expect 1 '--set Order=llf: scheduler easy does not use it' gantt "${small[@]:1}" --set Order=llf
expect 1 '--scheduler easy: nothing is scheduled here' bound "${small[@]:1}" --scheduler easy
expect 1 '--set KFactor=1: nothing is scheduled here' bound "${small[@]:1}" --set KFactor=1
expect 1 '--guard 5: nothing is scheduled here' bound "${small[@]:1}" --guard 5
expect 0 'processor-seconds' bound "${small[@]:1}" --guard 5 --deadlines stringency:0.2
expect 0 'deadlines met' "${small[@]}" --scheduler fcfs --guard 5 --deadlines stringency:0.2
expect 0 'jobs completed' "${small[@]}" --scheduler msb --set Order=llf Slots=order
expect 0 'jobs completed' "${small[@]}" --scheduler dynp --set Decider=preferred Spread=140 Gain=150 Slackness=10
expect 1 '--nodes 5: it is given already, as --nodes 4' "${small[@]}" --nodes 5
expect 1 '--nodes 4: it is given already, as --nodes 4' "${small[@]}" --nodes 4
expect 1 '--json b: it is given already, as --json a' "${small[@]}" --json a --json b
expect 1 '--threads 2: it is given already, as --threads 1' "${small[@]}" --threads=1 --threads 2
expect 1 '--set kfactor=2: it is given already, as --set KFactor=1' "${small[@]}" --scheduler qops \
	--set KFactor=1 kfactor=2
expect 1 '--set Guard=6: it is given already, as --guard 5' "${small[@]}" --guard 5 --set Guard=6
expect 1 '--mode slurm: it is given already, as --set Mode=paper' "${small[@]}" --set Mode=paper --mode slurm
expect 1 '--set Relaxation=2: it is given already, as --deadlines stringency:0.2,relax:3' "${small[@]}" \
	--deadlines stringency:0.2,relax:3 --set Relaxation=2
expect 1 '--deadlines relax:3,stringency:0.2: it is given already, as --set Relaxation=2' "${small[@]}" \
	--set Relaxation=2 --deadlines relax:3,stringency:0.2
expect 1 '--set model.load=2: it is given already, as --set model.load=1' "${small[@]}" \
	--set model.load=1 model.load=2
expect 1 '--jobs 1:2: it is given already, as --jobs 1:3' trace x --jobs 1:3 --jobs 1:2
expect 1 '--title b: it is given already, as --title a' gantt "${small[@]:1}" --title a --title b
expect 1 '--parts 5: it is given already, as --parts 4' bound "${small[@]:1}" --parts 4 --parts 5
for deadlines in '' none stringency:0.2; do
	"$sim" "${small[@]}" ${deadlines:+--deadlines "$deadlines"} --quiet --json "$dir/json" >"$dir/out" 2>"$dir/err"
	default=easy
	[ "$deadlines" != stringency:0.2 ] || default=qops
	grep -q "\"scheduler\": *\"$default\"" "$dir/json"
	ok $? "the default scheduler is easy, qops with deadlines (--deadlines $deadlines)"
done
expect 0 'usage: pact-sim scenario' scenario --help

# ---- logs

expect 2 'No such file' run --trace "$dir/nothing"
echo '; MaxProcs: 8' >"$dir/empty.swf"
expect 2 'no job in 1 line' run --trace "$dir/empty.swf"
job 1 0 10 4 20 >"$dir/bare.swf"
expect 2 '--nodes N is needed' run --trace "$dir/bare.swf"
expect 0 'jobs completed ' run --trace "$dir/bare.swf" --nodes 4
expect 2 'no job is left' run --trace "$dir/bare.swf" --nodes 2
expect 2 'dropped 1 job wider than 2 nodes' run --trace "$dir/bare.swf" --nodes 2
expect 2 '--jobs 2:5: there is only 1 job' run --trace "$dir/bare.swf" --nodes 4 --jobs 2:5
expect 2 "$dir: Is a directory" run --trace "$dir"
expect 1 'pact-sim run: unrecognized option' run --fly
{
	echo '; MaxNodes: 8'
	job 1 0 10 4 20
	job 2 0 30 4 20
	job 3 5 10 9 20
	job 4 5 -1 4 20
	echo '5 6'
	job 6 7 0 8 20
} >"$dir/mixed.swf"
expect 0 'mixed.swf:6: 2 of 18 columns' run --trace "$dir/mixed.swf" --scheduler easy \
	--json "$dir/json" --jobs-csv "$dir/csv"
[ "$(value "$dir/json" jobs_submitted) $(value "$dir/json" jobs_dropped)" = '3 3' ]
ok $? 'three jobs are submitted, three dropped'
[ "$(value "$dir/json" jobs_completed) $(value "$dir/json" jobs_killed)" = '2 1' ]
ok $? 'a job beyond its estimate is killed'
cat >"$dir/expected" <<END
id,submit,width,estimate,runtime,deadline,promised,start,end,state,chance
1,0,4,20,10,-1,0,0,10,completed,0
2,0,4,20,20,-1,0,0,20,killed,0
6,7,8,20,1,-1,0,20,21,completed,0
END
diff "$dir/expected" "$dir/csv" >"$dir/out"
ok $? 'the line per job is as expected'
gzip -c "$dir/mixed.swf" >"$dir/mixed.swf.gz"
expect 0 'jobs completed ' run --trace "$dir/mixed.swf.gz" --scheduler easy --jobs-csv "$dir/csv2"
cmp "$dir/csv" "$dir/csv2" >"$dir/out" 2>&1
ok $? 'compressed gives the same'
for nodes in 100000001 2000000000 3000000000 99999999999999999999; do
	sed "s/MaxNodes: .*/MaxProcs: $nodes/" "$dir/mixed.swf" >"$dir/vast.swf"
	expect 2 'nodes in the header, more than 100000000; --nodes N is needed' run --trace "$dir/vast.swf" \
		--scheduler easy --quiet
	[ "$(grep -c . "$dir/err")" -le 4 ]
	ok $? '  and nothing else but what was dropped'
done
expect 0 'jobs completed ' run --trace "$dir/vast.swf" --scheduler easy --nodes 8
{ echo '; MaxNodes: 8' && job 1 50000000000 50000000000 8 50000000000; } >"$dir/long.swf"
expect 0 'jobs completed ' run --trace "$dir/long.swf"
expect 2 'job 1: its estimate grows beyond 100000000000 seconds' run --trace "$dir/long.swf" --load 3 --load-by expand
for log in mixed.swf mixed.swf.gz; do
	rm -f "$dir/csv2"
	# shellcheck disable=SC2002 # a pipe is wanted
	cat "$dir/$log" | expect 0 'jobs completed ' run --trace - --scheduler easy --jobs-csv "$dir/csv2"
	number=$((number + 1)) # of the pipe's own shell
	cmp "$dir/csv" "$dir/csv2" >"$dir/out" 2>&1
	ok $? "$log out of a pipe gives the same"
done
expect 2 'standard input:1: 3 of 18 columns; line skipped' run --trace - <<<'1 2 3'
expect 2 'standard input: no job in 1 line' run --trace - <<<'1 2 3'
expect 1 '--trace -: a sweep reads the log once for each run' sweep --out "$dir/rows" --trace - --sweep load=1,2
expect 1 '--trace -: a sweep reads the log once for each run' sweep --out "$dir/rows" \
	--sweep "trace=$dir/mixed.swf,-"
head -c 60 "$dir/mixed.swf.gz" >"$dir/cut.swf.gz"
expect 2 'truncated' run --trace "$dir/cut.swf.gz"
{ cat "$dir/mixed.swf.gz" && echo "$(job 9 9 9 1 9)"; } >"$dir/more.swf.gz"
expect 2 "at byte $(wc -c <"$dir/mixed.swf.gz"), is no gzip member" run --trace "$dir/more.swf.gz"
job 9 9 9 1 9 | gzip -c | cat "$dir/mixed.swf.gz" - >"$dir/more.swf.gz"
expect 0 'jobs completed ' run --trace "$dir/more.swf.gz" --scheduler easy --json "$dir/json2"
[ "$(value "$dir/json2" jobs_submitted)" = 4 ]
ok $? 'two members are one log'
expect 4 'cannot write /nonexistent/json' run --trace "$dir/bare.swf" --nodes 4 \
	--json /nonexistent/json

# ---- JSON and repeatability

model=(run --model poisson --nodes 64 --jobs 1:400 --set model.max_width=60 --deadlines 'stringency:0.2,fraction:0.5')
expect 0 'promises' "${model[@]}" --set model.load=1.1 KFactor=10 --json "$dir/a.json" \
	--jobs-csv "$dir/a.csv"
for key in scheduler seed nodes jobs_submitted jobs_dropped jobs_refused jobs_completed jobs_killed \
	promises promises_broken unadmitted_jobs_pct unadmitted_procsec_pct utilization \
	loss_of_capacity makespan_s wait_mean_s response_mean_s artww_s slowdown_mean \
	slowdown_bounded10_mean sldww60 nondeadline_response_mean_s nondeadline_slowdown_mean \
	switches switch_loss_s switching_node_s switching_share migrations migrated_tasks migrating_node_s \
	migrating_share wait_sd_s slowdown_bounded10_sd small_jobs small_wait_sd_s large_jobs large_slowdown_bounded10_sd \
	jobs_accepted response_submitted_mean_s profit profit_possible malleable_jobs resizes malleable_response_mean_s \
	rigid_response_mean_s wall_s peak_rss_kib; do
	grep -q "^ *\"$key\":" "$dir/a.json" || echo "$key is missing"
done >"$dir/out"
[ ! -s "$dir/out" ]
ok $? 'the JSON has every key'
sed -n 's/^ *"\([^"]*\)":.*/\1/p' "$dir/a.json" >"$dir/keys"
sed -n '/^\.SH FIGURES/,/^\.SH "EXIT/p' "$top/doc/pact-sim.1" | tr -c 'a-z0-9_' '\n' >"$dir/told"
[ -s "$dir/keys" ] && ! grep -vxFf "$dir/told" "$dir/keys" >"$dir/out"
ok $? 'each of them stands in the man page'
# percentile P FROM TO LEAST BELOW COLUMN: by sort and awk, out of the line per job: wait (1), bounded slowdown (2)
percentile() {
	awk -F, -v from="$2" -v to="$3" -v least="$4" -v below="$5" 'NR > 1 && ($10 == "completed" || $10 == "killed") {
		run = $9 - $8
		if ($3 < from || $3 > to || run < least || run >= below)
			next
		slow = ($9 - $2) / (run < 10 ? 10 : run)
		printf "%d %.10g\n", $8 - $2, slow < 1 ? 1 : slow
	}' "$dir/a.csv" | cut -d' ' -f"$6" | sort -g >"$dir/values"
	local n
	n=$(wc -l <"$dir/values")
	sed -n "$((($1 * n + 99) / 100))p" "$dir/values"
}
# of LIST WANTED-KEY KEY VALUE...: a figure of the class in that list that has these values
of() {
	perl -MJSON::PP -e 'my ($f, $list, $wanted, %is) = @ARGV; local $/; open my $h, "<", $f or die;
		my $all = JSON::PP->new->allow_bignum->decode(<$h>);
		for my $c ($list ? @{ $all->{$list} } : $all) {
			print "$c->{$wanted}\n" if !grep { $c->{$_} != $is{$_} } keys %is;
		}' "$dir/a.json" "$@"
}
# deviation COLUMN FROM TO: jobs, mean and standard deviation of it, in two passes over the lines
deviation() {
	percentile 50 "$2" "$3" 0 1e18 "$1" >/dev/null
	awk '{ v[NR] = $1; sum += $1 }
		END { mean = sum / NR; for (i in v) s += (v[i] - mean) ^ 2; print NR, mean, sqrt(s / NR) }' "$dir/values"
}
deviations() {
	local group from to
	for group in '' small_ large_; do
		from=1 to=64
		[ "$group" != small_ ] || to=32
		[ "$group" != large_ ] || from=33
		echo "${group}wait $(of '' "${group}wait_mean_s") $(of '' "${group}wait_sd_s") $(deviation 1 $from $to)"
		echo "${group}slowdown $(of '' "${group}slowdown_bounded10_mean") $(
			of '' "${group}slowdown_bounded10_sd") $(deviation 2 $from $to)"
	done
}
deviations >"$dir/deviations"
awk '{ if (NF != 6 || ($2 - $5) ^ 2 > 1e-8 * $5 ^ 2 || ($3 - $6) ^ 2 > 1e-8 * $6 ^ 2) { print; bad = 1 } }
	END { exit NR != 6 || bad }' "$dir/deviations" >"$dir/out"
ok $? 'standard deviations, of all jobs and of both sides of 32 nodes, are what awk says'
percentiles() { # MEDIAN-OR-PERCENTILE P: of all jobs, of one class of each kind, and of one of both
	local suffix=$1 p=$2 kind key column
	for kind in wait slowdown_bounded10; do
		key=${kind}_$suffix column=2
		[ $kind != wait ] || { key=${kind}_${suffix}_s; column=1; }
		echo "$key $(of '' "$key") $(percentile "$p" 1 64 0 1e18 $column)"
		echo "$key $(of by_width "$key" width_from 9 width_to 16) $(percentile "$p" 9 16 0 1e18 $column)"
		echo "$key $(of by_runtime "$key" runtime_from_s 60) $(percentile "$p" 1 64 60 600 $column)"
		echo "$key $(of by_width_and_runtime "$key" width_from 3 runtime_from_s 3600) $(
			percentile "$p" 3 4 3600 21600 $column)"
	done >"$dir/out"
	[ "$(grep -c '^[^ ]* [0-9.]* [0-9.]*$' "$dir/out")" = 8 ] &&
		awk '$2 - $3 > 1e-8 * $3 || $3 - $2 > 1e-8 * $3 { exit 1 }' "$dir/out"
}
for p in 'median 50' 'p90 90' 'p99 99'; do
	percentiles $p
	ok $? "the percentile ($p) of all and of classes is that of the line per job"
done
"$sim" "${model[@]}" --set model.load=1.1 KFactor=10 >"$dir/out" 2>"$dir/err"
grep -qx "median wait, s  *$(value "$dir/a.json" wait_median_s)" "$dir/out" &&
	grep -qx "  9 to 16  *$(of by_width jobs width_from 9)  *$(of by_width wait_median_s width_from 9) .*" "$dir/out" &&
	grep -qx "  1 to 10 min  *$(of by_runtime jobs runtime_from_s 60) .*" "$dir/out"
ok $? 'and stands in the text'
"$sim" run --model poisson --nodes 8 --jobs 1:20 --json - >"$dir/out" 2>"$dir/err" &&
	[ "$(head -c 1 "$dir/out")" = '{' ] && [ "$(tail -n 1 "$dir/out")" = '}' ]
ok $? 'JSON on standard output stands there alone'
"$sim" run --model poisson --nodes 8 --jobs 1:20 --jobs-csv - >"$dir/out" 2>"$dir/err" &&
	[ "$(wc -l <"$dir/out")" -eq 21 ]
ok $? 'so does a line per job'
"$sim" run --model poisson --nodes 8 --jobs 1:20 --record - 2>"$dir/err" |
	"$sim" replay - >"$dir/out" 2>>"$dir/err"
[ "${PIPESTATUS[*]}" = '0 0' ]
ok $? 'a recording goes through a pipe into replay'
"$sim" "${model[@]}" --set model.load=1.1 --set KFactor=10 --quiet --jobs-csv "$dir/b.csv" \
	>"$dir/out" 2>"$dir/err"
cmp "$dir/a.csv" "$dir/b.csv" >>"$dir/out" 2>&1
ok $? 'the same seed gives the same run'
"$sim" "${model[@]}" --set model.load=1.1 --set KFactor=10 --quiet --seed 2 --jobs-csv "$dir/c.csv" \
	>"$dir/out" 2>"$dir/err"
! cmp -s "$dir/a.csv" "$dir/c.csv"
ok $? 'another seed gives another run'
[ "$(value "$dir/a.json" promises)" -gt 100 ] && [ "$(value "$dir/a.json" promises_broken)" -eq 0 ]
ok $? 'promises are made and none is broken'
for s in fcfs easy conservative; do
	"$sim" "${model[@]}" --quiet --scheduler $s --json "$dir/s.json" >"$dir/out" 2>"$dir/err" &&
		[ "$(value "$dir/s.json" jobs_completed)" -eq 400 ] &&
		[ "$(value "$dir/s.json" promises)" -eq 0 ]
	ok $? "$s promises nothing and refuses nobody"
done
"$sim" "${model[@]}" --mode slurm --guard 60 --set Order=llf Lateness=30 --quiet \
	--json "$dir/s.json" >"$dir/out" 2>"$dir/err" &&
	[ "$(value "$dir/s.json" promises_broken)" -eq 0 ]
ok $? 'Slurm mode with guard, lateness and LLF keeps its promises'

# ---- jobs that take turns

# Two nodes, two rows, slices of 10 s, a switch loses 1 s. Job 1 has row 0: 0-10, 20-30, and from 32 on, when job 2 has
# ended, which has row 1: 10-20 and 30-32.
{
	job 1 0 20 2 20
	job 2 0 10 1 10
} >"$dir/turns.swf"
turns=(run --trace "$dir/turns.swf" --nodes 2 --set Rows=2 Slice=10 Switch=0.1)
"$sim" "${turns[@]}" --scheduler gs --json "$dir/t.json" --jobs-csv "$dir/t.csv" >"$dir/out" 2>"$dir/err"
[ "$(tail -n +2 "$dir/t.csv" | cut -d, -f1,8,9 | tr '\n' ' ')" = '1,0,35 2,10,32 ' ] &&
	[ "$(for k in switches switch_loss_s switching_node_s migrations migrated_tasks migrating_node_s; do
		value "$dir/t.json" "$k"
	done | tr '\n' ' ')" = '5 1 8 0 0 0 ' ] &&
	[ "$(value "$dir/t.json" switching_share)" = 0.1142857143 ] && # 8 of 70 node seconds
	[ "$(value "$dir/t.json" loss_of_capacity)" = 0 ]
ok $? 'switches and what they cost, by hand'
grep -q '^switches: jobs that began to run  *5$' "$dir/out" &&
	"$sim" run --trace "$dir/turns.swf" --nodes 2 --scheduler easy >"$dir/out" && ! grep -q switches "$dir/out"
ok $? 'are in the text, but not of a scheduler that switches nothing'

# ---- other workloads out of one

small=(run --model poisson --nodes 64 --jobs 1:200 --scheduler easy --quiet)
# csv FILE ARGUMENT...: the line per job of a run
csv() {
	local file=$1
	shift
	"$sim" "${small[@]}" --jobs-csv "$file" "$@" >"$dir/out" 2>"$dir/err"
}
csv "$dir/plain.csv"
csv "$dir/more.csv" --load 1.2 && csv "$dir/most.csv" --load 1.6 &&
	[ "$(wc -l <"$dir/more.csv") $(wc -l <"$dir/most.csv")" = '241 321' ] &&
	cut -d, -f1-5 "$dir/plain.csv" | sort >"$dir/1" && cut -d, -f1-5 "$dir/more.csv" | sort >"$dir/2" &&
	cut -d, -f1-5 "$dir/most.csv" | sort >"$dir/3" &&
	[ -z "$(comm -23 "$dir/1" "$dir/2")$(comm -23 "$dir/2" "$dir/3")" ]
ok $? 'load by duplication: a higher load has all jobs of a lower one'
csv "$dir/e.csv" --load 2 --load-by expand &&
	cut -d, -f1,2,3 "$dir/plain.csv" >"$dir/1" && cut -d, -f1,2,3 "$dir/e.csv" >"$dir/2" &&
	cmp "$dir/1" "$dir/2" && paste -d, "$dir/plain.csv" "$dir/e.csv" |
	awk -F, 'NR > 1 && ($15 != 2 * $4 || $16 != 2 * $5) { exit 1 }'
ok $? 'load by expansion: runtimes and estimates grow, arrivals stay'
csv "$dir/s.csv" --shrink 0.5 && paste -d, "$dir/plain.csv" "$dir/s.csv" |
	awk -F, 'NR == 2 { f = $2 } NR > 1 && $13 != f + int(($2 - f) / 2) { exit 1 }'
ok $? 'shrinking halves the times between submissions'
csv "$dir/o.csv" --estimates omega:2 && csv "$dir/o2.csv" --estimates omega:2 &&
	cmp "$dir/o.csv" "$dir/o2.csv" &&
	awk -F, 'NR > 1 && ($4 < $5 || $4 > 3 * $5 + 1) { exit 1 }' "$dir/o.csv"
ok $? 'omega:2 gives limits of one to three runtimes, the same each time'
csv "$dir/p.csv" --estimates phi:0.5 &&
	awk -F, 'NR > 1 { n += $4 == $5 } END { exit !(n > 60 && n < 140) }' "$dir/p.csv"
ok $? 'phi:0.5 gives about half of the jobs an exact limit'
job 1 0 10 4 20 >"$dir/$(printf 'l\344g').swf"
"$sim" run --trace "$dir/$(printf 'l\344g').swf" --nodes 4 --quiet --json "$dir/u.json" >"$dir/out" 2>"$dir/err" &&
	iconv -f UTF-8 -t UTF-8 "$dir/u.json" >"$dir/out" && grep -q 'l.*g\.swf' "$dir/u.json"
ok $? 'a name that is not UTF-8 is made valid in JSON'

# ---- a deadline for each job

{
	echo '; MaxProcs: 4'
	job 5 0 100 4 100
	job 3 10 100 4 100
	job 9 20 100 4 100
	job 12 30 100 5 100 # too wide
	job 7 40 100 4 100
	job 6 50 100 4 100
} >"$dir/due.swf"
due=(run --trace "$dir/due.swf" --deadlines "file:$dir/due.csv" --jobs-csv "$dir/due.jobs")
printf 'job,seconds after submission\n# one\n5,100\n 9 , -\r\n\n3,189\n12,9\n7,260\n' >"$dir/due.csv"
expect 0 'deadlines met' "${due[@]}"
[ "$(tail -n +2 "$dir/due.jobs" | cut -d, -f1,6,7,8 | tr '\n' ' ')" = \
	'5,100,1,0 3,199,0,-1 9,-1,0,200 7,300,1,100 6,-1,0,300 ' ]
ok $? 'each job has its own: kept to the second, refused for one second, none, promised, not in the file'
"$sim" "${due[@]}" --jobs 3:2 --quiet 2>"$dir/out" && [ "$(tail -n +2 "$dir/due.jobs" | cut -d, -f1,6)" = '9,-1' ]
ok $? 'jobs that a slice leaves out are no unknown ones'
"$sim" "${due[@]}" --scheduler easy --quiet --load 3 --shrink 2 2>"$dir/out" && awk -F, 'NR > 1 {
	is[$2 < 0 ? "" : $6 < 0 ? "none" : $6 - $2]++
} END { exit !(NR == 16 && is["100"] == 3 && is["189"] == 3 && is["260"] == 3 && is["none"] == 6) }' "$dir/due.jobs"
ok $? 'a job submitted once more has the deadline after its own submission'
printf '5,100' >"$dir/due.csv" # no end of the line
expect 0 'deadlines met                                1' "${due[@]}"
expect 1 'that is the file to be read' "${due[@]}" --json "$dir/due.csv"
expect 1 '--deadlines none: it is given already, as --deadlines file:' "${due[@]}" --deadlines none
expect 0 'at most 400 of them' bound --trace "$dir/due.swf" --deadlines "file:$dir/due.csv"
while IFS='|' read -r lines told; do
	printf '%b' "$lines" >"$dir/due.csv"
	expect 2 "$dir/due.csv$told" "${due[@]}"
done <<'END'
5,100\n4,100\n|:2: '4,100': there is no such job
5,100\n\n3,-\n5,-\n|:4: '5,-': the job stands in line 1, too
5,100\n5 100\n|:2: '5 100': not JOB,SECONDS or JOB,-
x,100\n|:1: 'x,100': not JOB,SECONDS or JOB,-
-5,100\n|:1: '-5,100': not JOB,SECONDS or JOB,-
5,100\njob,seconds\n|:2: 'job,seconds': not JOB,SECONDS or JOB,-
5,0\n|:1: '5,0': the deadline is not a number of seconds from 1 to 10^11, nor -
5,-1\n|:1: '5,-1': the deadline is not
5,1.5\n|:1: '5,1.5': the deadline is not
5,\n|:1: '5,': the deadline is not
5,100000000001\n|:1: '5,100000000001': the deadline is not
5,1,2\n|:1: '5,1,2': the deadline is not
5,1\00002\n|:1: '5,1': there is a zero byte behind it
# nothing\n|: no job in 1 line
END
rm "$dir/due.csv"
expect 2 "$dir/due.csv: No such file or directory" "${due[@]}"
expect 1 "names no file, as in file:deadlines.csv" "${due[@]:0:3}" --deadlines file:
{
	cat "$dir/due.swf"
	echo '20 60 -1 10 4 -1 -1 4 20 -1 2 1 -1 -1 -1 -1 -1 -1' # two parts without their whole
	echo '20 70 -1 10 4 -1 -1 4 20 -1 3 1 -1 -1 -1 -1 -1 -1'
} >"$dir/parts.swf"
echo '20,50' >"$dir/due.csv"
expect 2 "$dir/due.csv:1: '20,50': there are several jobs of this number" run --trace "$dir/parts.swf" \
	--deadlines "file:$dir/due.csv"
echo '20,50' >"$dir/due.csv"
expect 0 'jobs with a deadline                         1' run --model poisson --nodes 4 --jobs 1:30 \
	--deadlines "file:$dir/due.csv"
expect 0 '3 of 3 runs' sweep --out "$dir/due.rows" --model poisson --nodes 4 --jobs 1:30 \
	--sweep "deadlines=none;stringency:0.2,fraction:1;file:$dir/due.csv"

# ---- worked examples

"$sim" scenario "$top"/testsuite/scenarios/*.scn >"$dir/out" 2>"$dir/err"
ok $? 'the worked examples come out as written'
for scn in "$top"/testsuite/scenarios/conservative*.scn; do
	sed 's/scheduler=conservative/scheduler=qops mode=slurm/' "$scn" >"$dir/same-$(basename "$scn")"
done
"$sim" scenario "$dir"/same-*.scn >"$dir/out" 2>"$dir/err"
ok $? 'QoPS in slurm mode plans jobs of one priority without deadlines as conservative backfilling does'
sed 's/start=600/start=601/' "$top/testsuite/scenarios/easy.scn" >"$dir/wrong.scn"
expect 3 'not ok 4 - wrong.scn: job 2: expected start 601, got 600' scenario "$dir/wrong.scn"
echo 'nodes many' >"$dir/bad.scn"
expect 2 "bad.scn:1: 'nodes N' wanted" scenario "$dir/bad.scn"

# ---- recordings

expect 0 'usage: pact-sim replay' replay --help
expect 1 'a FILE is needed' replay
expect 1 "unknown option '--fast'" replay --fast x
expect 2 'No such file' replay "$dir/nothing"
expect 4 'cannot write' run --model poisson --nodes 4 --record "$dir/no/such/dir"
echo '{"hello":1}' >"$dir/bad.rec"
expect 2 'bad.rec:1: line: neither a head' replay "$dir/bad.rec"
: >"$dir/empty.rec"
expect 2 'no recording begins in it' replay "$dir/empty.rec"
for scheduler in $("$sim" run --model poisson --nodes 1 --scheduler '?' 2>&1 |
	sed -n 's/.*there are \(.*\); see.*/\1/p'); do
	"$sim" run --model poisson --nodes 32 --set model.load=1.3 --jobs 1:200 --quiet \
		--scheduler "$scheduler" --deadlines stringency:0.2,fraction:0.5 \
		--record "$dir/$scheduler.rec" >"$dir/out" 2>"$dir/err" &&
		"$sim" replay "$dir/$scheduler.rec" >"$dir/out" 2>"$dir/err" &&
		grep -q '^no difference: .* 200 starts\|^no difference: .* decisions, 1[0-9][0-9] starts' \
			"$dir/out"
	ok $? "what $scheduler decides is recorded, and decided again"
done
rec=$dir/qops.rec
expect 0 'from 2 beginnings' replay "$rec" "$dir/easy.rec"
"$sim" replay - <"$rec" >"$dir/out" 2>"$dir/err"
ok $? 'a recording is played from standard input'
line=$(grep -n '"event":{"type":"submit"' "$rec" | sed -n '40s/:.*//p')
sed "${line}s/\"limit\":[0-9]*/\"limit\":1/" "$rec" >"$dir/changed.rec"
expect 3 'differs: ' replay "$dir/changed.rec"
line=$(grep -n '"next":{"type":"start"' "$rec" | sed -n '40s/:.*//p')
sed "${line}s/\"id\":/\"id\":1/" "$rec" >"$dir/changed.rec"
expect 3 "changed.rec:$line: call" replay "$dir/changed.rec"
head -c 20000 "$rec" >"$dir/cut.rec"
expect 0 'the last line is cut off' replay "$dir/cut.rec"
sed 5d "$dir/cut.rec" | sed 's/^/x/' >"$dir/torn.rec"
expect 2 'torn.rec:1: ' replay "$dir/torn.rec"

# Jobs whose width changes while they run, on loan or by the strategies of malleable jobs, with notices and answers to them.
for how in 'qops Loans=uniform' 'qops Loans=profit' 'dynp Loans=uniform' 'conservative Loans=profit' \
	'uniform Guard=0' 'profit Guard=0' 'lazy Guard=0'; do
	wide="--model poisson --nodes 32 --set model.load=1.2 --jobs 1:200 --quiet --malleable fraction:0.6
		--answers time:0-40,refuse:0.2 --deadlines stringency:0.2,fraction:0.5 --set ResizeGrace=30
		--scheduler ${how% *} --set ${how#* }"
	rm -f "$dir"/*.wide
	"$sim" run $wide --record "$dir/1.wide" >"$dir/out" 2>"$dir/err" &&
		"$sim" run $wide --record "$dir/2.wide" >"$dir/out" 2>"$dir/err" &&
		cmp "$dir/1.wide" "$dir/2.wide" >"$dir/out" 2>"$dir/err" &&
		[ "$(grep -c '"event":{"type":"resized"' "$dir/1.wide")" -gt 50 ] &&
		[ "$(grep -c '"event":{"type":"leaving"' "$dir/1.wide")" -gt 20 ] &&
		"$sim" replay "$dir/1.wide" >"$dir/out" 2>"$dir/err"
	ok $? "$how: changes of width are recorded, twice the same, and decided again"
	bad=
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		"$sim" run $wide --seed "$seed" >"$dir/out" 2>"$dir/err" || bad="$bad $seed"
	done
	[ -z "$bad" ]
	ok $? "$how: with ten seeds width, work, notice and floors are as they have to be, and no promise is broken$bad"
	line=$(grep -n '"next":{"type":"resize"' "$dir/1.wide" | sed -n '20s/:.*//p')
	sed "${line}s/\"allowed\":\"[^\"]*/&,31/" "$dir/1.wide" >"$dir/changed.wide"
	expect 3 "changed.wide:$line: call" replay "$dir/changed.wide"
done

# ---- results that could not arrive

model="--model poisson --nodes 8 --jobs 1:20"
expect 1 'only one of them can go to standard output' run $model --json - --jobs-csv -
expect 1 'only one of them can go to standard output' run $model --record - --json - --quiet
expect 1 'only one of them can go to standard output' run $model --jobs-csv - --record -
expect 1 'they are the same file' run $model --json "$dir/one" --jobs-csv "$dir/one"
expect 0 '' run $model --json /dev/null --jobs-csv /dev/null --record /dev/null
{ echo '; MaxProcs: 8'; job 1 0 10 2 20; } >"$dir/mine.swf"
cp "$dir/mine.swf" "$dir/copy.swf"
ln -s mine.swf "$dir/link.swf"
for option in json jobs-csv record; do
	expect 1 'that is the file to be read' run --trace "$dir/mine.swf" "--$option" "$dir/link.swf"
done
expect 1 'that is the file to be read' trace "$dir/mine.swf" --json "$dir/mine.swf"
expect 1 'that is the file to be read' bound --trace "$dir/mine.swf" --json "$dir/mine.swf"
expect 1 'that is the file to be read' gantt --trace "$dir/mine.swf" --output "$dir/mine.swf"
expect 1 'only one of them can go to standard output' trace "$dir/mine.swf" --json - --write -
cmp "$dir/mine.swf" "$dir/copy.swf" >"$dir/out" 2>&1
ok $? 'and the log is as it was'
# before the run, which might have taken hours
expect 4 "cannot write $dir/none/x: No such file" run --model poisson --nodes 8 --jobs 1:100000000 \
	--json "$dir/none/x"
expect 4 "cannot write $dir: Is a directory" run $model --jobs-csv "$dir"
if [ -w /dev/full ]; then
	for command in "run $model" "run $model --json - --quiet" "trace $dir/mine.swf" "gantt $model" \
		'run --help' --help --version; do
		"$sim" $command >/dev/full 2>"$dir/err"
		status=$?
		: >"$dir/out"
		[ $status -eq 4 ] && grep -q 'cannot write standard output: No space' "$dir/err"
		ok $? "a full disk: pact-sim $command exits 4, and says so"
	done
else
	skip 'a full disk' 'no /dev/full here'
fi

# ---- logs of real machines

traces=${PACT_TRACES:-$top/../shared/traces}
published() { # published FILE FIGURE: mean bounded slowdown under EASY within 1 %
	local log=$traces/$1
	if [ ! -r "$log" ]; then
		skip "EASY on $1: published slowdown $2" "no such log; PACT_TRACES names their directory"
		return
	fi
	"$sim" run --trace "$log" --scheduler easy --quiet --json "$dir/p.json" >"$dir/out" \
		2>"$dir/err" &&
		value "$dir/p.json" slowdown_bounded10_mean |
		awk -v p="$2" '{ exit !($1 > 0.99 * p && $1 < 1.01 * p) }'
	ok $? "EASY on $1: slowdown $(value "$dir/p.json" slowdown_bounded10_mean), published $2"
}
published KTH-SP2-1996-2.1-cln.swf.gz 92.6
published SDSC-SP2-1998-4-derived.swf.gz 87.9
published CTC-SP2-1996-3.1-derived.swf.gz 49.6

log=$traces/SDSC-SP2-1998-4-derived.swf.gz
if [ -r "$log" ]; then
	"$sim" run --trace "$log" --jobs 1:5000 --estimates exact --quiet --json "$dir/q.json" \
		--deadlines stringency:0.2,fraction:1 >"$dir/out" 2>"$dir/err" &&
		[ "$(value "$dir/q.json" promises_broken)" -eq 0 ] &&
		[ "$(value "$dir/q.json" promises)" -gt 3000 ]
	ok $? 'QoPS on 5000 jobs of SDSC SP2 accepts most and breaks no promise'
else
	skip 'QoPS on 5000 jobs of SDSC SP2' 'no such log; PACT_TRACES names their directory'
fi

echo "1..$number"
