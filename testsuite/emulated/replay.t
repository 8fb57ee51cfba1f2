#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# replay.t: pact-replay against a real slurmctld: what it says of a job is what Slurm recorded, no job
# is ever missing in its report, and refusals, interrupts and a dead controller are dealt with.
# The refusals come from a job_submit/lua script, so that nothing here depends on the plugins.
# Runs with one other: a second of the real clock is 100 of the cluster's.
# Runs first of these: it takes two minutes.
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
replay=${PACT_BUILD:-$top}/contrib/replay/pact-replay
emulate=$top/contrib/emulate/emulate
PATH=$PATH:/usr/sbin:/sbin
speed=100

[ -x "$replay" ] || skip_all "pact-replay is not built"
need slurmctld faketime munged

work=$(mktemp -d "${TMPDIR:-/tmp}/replay-t.XXXXXX") || exit 1
chmod 755 "$work" # munged insists

down() {
	"$emulate" --dir "$work/c" down --purge >/dev/null 2>&1
	rm -rf "$work"
}
trap down EXIT

tap_failed() {
	tail -n 30 "$work/out" 2>/dev/null
}

cluster() {
	"$emulate" --dir "$work/c" "$@"
}

# Runs pact-replay on the cluster's clock; its status in $rc, its output in $work/out.
replay() {
	cluster run "$replay" --json "$work/json" --jobs-csv "$work/csv" "$@" >"$work/out" 2>&1
	rc=$?
}

# The same in the background, as process $pid: emulate becomes the program.
background() {
	"$emulate" --dir "$work/c" run "$replay" --json "$work/json" --jobs-csv "$work/csv" "$@" \
		>"$work/out" 2>&1 &
	pid=$!
}

# The value of a key at the top level of the report.
json() {
	sed -n 's/^  "'"$1"'": *\([^,]*\),\{0,1\}$/\1/p' "$work/json"
}

is() { # KEY VALUE
	[ "$(json "$1")" = "$2" ] && return
	echo "$1 is $(json "$1"), expected $2"
	return 1
}

until_true() { # SECONDS COMMAND...
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# Each job that ended, by the CSV: the same end and start as Slurm's own completion log.
ends_agree() {
	local start
	start=$(json started_at)
	awk -v start="$start" '
		function epoch(t) { gsub(/[-T:]/, " ", t); return mktime(t) }
		FILENAME ~ /csv$/ {
			if ($11 == 0 || $10 == "state") next
			if ($9 >= 0) { s[$11] = $8; e[$11] = $9; n++ }
			next
		}
		{
			split($0, word, " ")
			for (i in word) {
				k = index(word[i], "=")
				field[substr(word[i], 1, k - 1)] = substr(word[i], k + 1)
			}
			id = field["JobId"]
			if (!(id in e)) next
			seen++
			if (epoch(field["EndTime"]) != e[id] + start ||
			    (s[id] >= 0 && epoch(field["StartTime"]) != s[id] + start)) {
				print "job " id " differs: " $0
				bad++
			}
		}
		END { print n " ended, " seen " in the completion log"; exit !(n > 0 && n == seen && !bad) }
	' FS=, "$work/csv" FS=' ' "$work/c/jobcomp.log"
}

# ---- without a cluster ----

"$replay" --help >"$work/out"
ok "--help shows every option of the command line" test "$(grep -c '^  -' "$work/out")" -ge 22
"$replay" 2>"$work/out"
ok "no source of jobs: status 1" test $? = 1
"$replay" --model poisson --estimates wrong 2>"$work/out"
ok "a wrong value is named" grep -q -- '--estimates wrong: log or exact' "$work/out"
told() { # EXIT TEXT ARGUMENT...
	local code=$1 text=$2
	shift 2
	"$replay" "$@" >"$work/out" 2>&1
	[ $? = "$code" ] && grep -qF -- "$text" "$work/out"
}
ok "an option twice is an error" told 1 '--nodes 5: it is given already, as --nodes 4' --model poisson --nodes 4 --nodes 5
ok "so is a setting" told 1 '--set load=2: it is given already, as --set load=1' --model poisson --set load=1 \
	--set load=2
ok "and a slack in two places" told 1 '--slack 4: it is given already, as slack:3' --model poisson --slack 4 \
	--deadlines stringency:0.2,slack:3
ok "what would be of no use is an error" told 1 "relax is a scheduler's setting" --model poisson \
	--deadlines stringency:0.2,relax:3
ok "one way to be shown it" told 1 '--show, --verbose, --quiet: only one of them' --model poisson --show -q
ok "and one thing for jobs to do" told 1 '--burn, --turns: only one of them' --model poisson --burn --turns
ok "a job that counts its own time names a bad number" told 1 '--turns-here soon: seconds are wanted' --turns-here soon 0.1

# A job that takes turns, of 1.5 s, stopped for 3: it ends 4.5 s after it began, less or more by half a look.
counts_its_own() {
	local began pid took
	began=$(date +%s%N)
	"$replay" --turns-here 1.5 0.1 &
	pid=$!
	sleep 0.5
	kill -STOP $pid
	sleep 3
	kill -CONT $pid
	wait $pid || return 1
	took=$((($(date +%s%N) - began) / 1000000))
	echo "it took $took ms"
	[ $took -ge 4350 ]
}
ok "a job that is stopped does not count that time" counts_its_own
echo "this is no log" >"$work/bad.swf"
"$replay" --trace "$work/bad.swf" --nodes 4 --guard 60 --dry-run >"$work/out" 2>&1
ok "a file that is no log: status 2" test $? = 2
dry="--model poisson --jobs 1:50 --nodes 16 --guard 60 --slack 5 --dry-run"
# shellcheck disable=SC2086
"$replay" $dry --deadlines stringency:0.2,fraction:0.5 --seed 7 >"$work/a"
# shellcheck disable=SC2086
"$replay" $dry --deadlines stringency:0.2,fraction:0.5 --seed 7 >"$work/b"
ok "the same seed, the same jobs" cmp -s "$work/a" "$work/b"
ok "some jobs have a deadline, some have none" awk -F, '
	NR > 1 { if ($6 > 0) with++; else without++; if ($6 > 0 && $6 < $2 + $4 + 65) bad++ }
	END { exit !(with > 10 && without > 10 && !bad) }' "$work/a"
printf '3,400\n5,-\n7,50\n' >"$work/due.csv"
# shellcheck disable=SC2086
"$replay" $dry --deadlines "file:$work/due.csv" >"$work/a"
ok "deadlines from a file, with the slack" test "$(awk -F, 'NR > 1 && $6 > 0 { printf "%d:%d ", $1, $6 - $2 }' \
	"$work/a")" = '3:405 7:55 '
echo '51,5' >>"$work/due.csv"
# shellcheck disable=SC2086
ok "an unknown job there is an error" told 2 "due.csv:4: '51,5': there is no such job" $dry \
	--deadlines "file:$work/due.csv"
ok "no job sleeps that burns" told 1 '--raw-sleep: with --burn no job sleeps' --model poisson --burn --raw-sleep
ok "what burns has to be in a group of pactd's" told 1 '--burn-here 5: this job is in no control group of pactd' \
	--burn-here 5
ok "and to be told how much" told 1 '--burn-here 5x: microseconds are wanted' --burn-here 5x
SLURM_CONF=/nonexistent/slurm.conf "$replay" --model poisson >"$work/out" 2>&1
ok "no slurm.conf: not status 0" test $? != 0

# ---- on a cluster ----

cat >"$work/job_submit.lua" <<'LUA'
function slurm_job_submit(desc, parts, uid)
	if desc.min_nodes == 3 then
		slurm.log_user("deadline: refused: no feasible plan; ask for 2025-01-01T10:00:00")
		return slurm.ERROR
	elseif desc.min_nodes >= 4 then
		slurm.log_user("deadline: refused: job " .. desc.min_nodes .. " would starve")
		return slurm.ERROR
	end
	return slurm.SUCCESS
end
function slurm_job_modify(desc, job, parts, uid)
	return slurm.SUCCESS
end
return slurm.SUCCESS
LUA
printf 'MinJobAge=100\nEnforcePartLimits=ALL\n' >"$work/conf"
if ! cluster up --nodes 8 --speed $speed --conf "$work/conf" \
	--partition 'short Nodes=n[1-8] MaxTime=1' >"$work/out" 2>&1; then
	sed 's/^/# /' "$work/out"
	echo "Bail out! the emulated cluster does not start"
	exit 1
fi

replay --model poisson --jobs 1:40 --set max_runtime=600 --time-scale 4 --show \
	--deadlines stringency:0.2,fraction:0.5
ok "status 0 or 3, by the promises" test $rc = $([ "$(json promises_broken)" = 0 ] && echo 0 || echo 3)
ok "all are submitted" is jobs_submitted 40
ok "all are taken" is jobs_accepted 40
ok "none is lost or open" test "$(json jobs_lost)$(json jobs_open)" = 00
ok "starts and ends are those of Slurm's completion log" ends_agree
ok "a broken promise is an end after the deadline, or a kill" test "$(json promises_broken)" = \
	"$(awk -F, '$7 == 1 && ($9 > $6 || ($10 != "completed" && $10 != "killed"))' "$work/csv" | wc -l)"
ok "the CSV has a line per job" test "$(wc -l <"$work/csv")" = 41
ok "it says that nobody promised anything" grep -q "no job carries Pact's promise" "$work/out"

replay --model poisson --jobs 1:20 --set max_runtime=600 --time-scale 20 --partition short
ok "what Slurm does not take is not lost in the figures" \
	test $(($(json jobs_not_taken) + $(json jobs_completed) + $(json jobs_killed))) = 20
ok "and has a status of its own" test $rc = 6
ok "and its reason is told" grep -q 'Requested time limit is invalid' "$work/json"
replay --model poisson --partition nosuch
ok "no such partition: status 2" test $rc = 2

replay --model poisson --burn
ok "no job burns on a fast clock: status 2" test $rc = 2
ok "and it says why" grep -q -- "--burn: the cluster's clock is [0-9]* times as fast as the wall's" "$work/out"

# A job that outlives its limit in the log is killed by Slurm at it.
echo '1 0 -1 200 1 -1 -1 1 60 -1 -1 -1 -1 -1 -1 -1 -1 -1' >"$work/over.swf"
echo '2 0 -1 30 1 -1 -1 1 600 -1 -1 -1 -1 -1 -1 -1 -1 -1' >>"$work/over.swf"
replay --trace "$work/over.swf" --deadlines stringency:0,fraction:1 --guard 1000
ok "killed at its own limit: the promise is kept" is promises_kept 2
ok "and counted apart" is promises_kept_killed 1

# Interrupted with jobs running and waiting.
background --model poisson --jobs 1:200 \
	--set min_runtime=20000 --time-scale 200
running() { [ "$(cluster run squeue -h -t R | wc -l)" -ge 2 ]; }
until_true 30 running
kill -INT $pid
wait $pid
ok "interrupted: status 5" test $? = 5
ok "it says so" grep -q '^  "interrupted": true' "$work/json"
ok "nothing of it is left in the queue" test -z "$(cluster run squeue -h -t PD,R)"
ok "what it cancelled is counted" test "$(json jobs_cancelled)" -ge 2

# The controller dies in the middle and comes back.
background --model poisson --jobs 1:40 \
	--set max_runtime=300 --set interarrival=40
several() { [ "$(grep -c Name=replay-$pid- "$work/c/jobcomp.log")" -ge 3 ]; }
until_true 30 several
cluster kill-controller >/dev/null
sleep 0.5
cluster start-controller >/dev/null
# What slurmctld had not saved when it was killed it has forgotten: a job that had been started since then
# it starts once more under the same number, the node refuses that, and it is held ("launch failed requeued
# held"). An administrator releases or cancels such a job; so do we, or the replay would wait for ever.
over() { ! kill -0 $pid 2>/dev/null; }
for ((i = 0; i < 40; i++)); do
	! until_true 3 over || break
	cluster run squeue -h -t PD -o '%A %r' | sed -n 's/ .*held$//p' |
		xargs -r -n 1 "$emulate" --dir "$work/c" run scontrol release
done
over || cluster run scancel -t PD
wait $pid
rc=$?
ok "a controller killed and started again: the replay ends" test $rc = 0 -o $rc = 3
ok "all are submitted" is jobs_submitted 40
ok "and every job is accounted for" \
	test $(($(json jobs_completed) + $(json jobs_killed) + $(json jobs_lost) +
	$(json jobs_cancelled) + $(json jobs_ended_otherwise))) = 40
# Twice under one number is Slurm's doing: see above.
ok "no job was submitted twice" test -z "$(sed -nE "s/.*(JobId=[0-9]+).*(Name=replay-$pid-[0-9]+).*/\2 \1/p" \
	"$work/c/jobcomp.log" | sort -u | cut -d ' ' -f 1 | uniq -d)"

# Records purged while nobody looked: the completion log tells.
background --model poisson --jobs 1:5 \
	--set max_runtime=100 --time-scale 100
submitted() { [ "$(cluster run squeue -h -t all -o %j | grep -c "^replay-$pid-")" -ge 5 ]; }
purged() { ! cluster run squeue -h -t all -o %j | grep -q "^replay-$pid-"; }
until_true 30 submitted
kill -STOP $pid
until_true 60 purged
kill -CONT $pid
wait $pid
ok "purged records: the ends come from the completion log" test "$(json jobs_lost)" = 0
ok "and agree with it" ends_agree
ok "and it says where they come from" grep -q 'jobs that slurmctld forgot' "$work/out"

# Refusals, in a plugin's words.
echo 'JobSubmitPlugins=lua' >>"$work/conf"
cluster down >/dev/null 2>&1
if [ -e "$(find /usr/lib -name job_submit_lua.so 2>/dev/null | head -n 1)" ] &&
	cluster up --nodes 8 --speed $speed --conf "$work/conf" \
		--file job_submit.lua="$work/job_submit.lua" >"$work/out" 2>&1; then
	replay --model poisson --jobs 1:40 --set max_width=5 --set max_runtime=100 --time-scale 40 \
		--deadlines stringency:0.2,fraction:1 --verbose
	three=$(awk -F, '$3 == 3' "$work/csv" | wc -l)
	more=$(awk -F, 'NR > 1 && $3 > 3' "$work/csv" | wc -l)
	ok "refused jobs are counted" is jobs_refused $((three + more))
	ok "by reason" test "$(sed -n '/no feasible plan/,/jobs/s/.*"jobs": \([0-9]*\).*/\1/p' \
		"$work/json")" = "$three"
	ok "whatever numbers the reason has" test "$(sed -n '/job N would starve/,/jobs/s/.*"jobs": \([0-9]*\).*/\1/p' \
		"$work/json")" = "$more"
	ok "in the plugin's words while it runs" grep -q 'refused .* | job 4 would starve$' "$work/out"
	ok "with its offer, on the replay's clock" grep -qE \
		'refused .* \| no feasible plan; ask for 2025-01-01T10:00:00$' "$work/out"
else
	echo "# job_submit/lua is not installed: refusals not tested"
fi

tap_end
