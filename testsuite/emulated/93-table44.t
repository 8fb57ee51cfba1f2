#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 93-table44: ten jobs of Table 4.4 of malleable on eight nodes: a program over libpact-malleable whose live workers do its work grows and
# shrinks with its job, and the same jobs as traditional ones (TAP): the adaptive ones respond sooner and use more of the machine. And:
# the judge can say no. The whole table is `make check-malleable-replay`. Jobs of a few seconds are off by what a busy machine does to
# them while they are measured: within a quarter of the simulator's is well here, a tenth in the whole table.
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
build=${PACT_BUILD:-$top/build/main}
PATH=$PATH:/usr/sbin:/sbin

need slurmctld munged faketime
[ -r "$build/plugins/.libs/sched_malleable.so" ] || skip_all "the plugins are not built"
[ -x "$build/testsuite/replay/.libs/table41" ] || skip_all "table41 is not built"

work=$(mktemp -d "${TMPDIR:-/tmp}/table44.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
run=$work/run
compare=$top/testsuite/replay/compare-malleable

tap_failed() {
	cat "$work/out"
}

PACT_TOP=$top PACT_BUILD=$build "$top/testsuite/replay/check-malleable-replay" --out "$run" --jobs 10 --nodes 8 --rates 500 \
	--work 0.03 --speed 6 --notice 6 --within 25 >"$work/out" 2>&1
rc=$?
sed 's/^/# /' "$work/out"
ok "all jobs have run, adaptive ones are ahead, and all is as simulated" test $rc = 0

# Each job's work was done, by workers that it was told of.
done_all() { # KIND
	local log
	for log in "$run/$1-500.logs"/*; do
		awk '$2 == "done" && $3 >= $5 { n++ } END { exit n != 1 }' "$log" || { cat "$log"; return 1; }
	done
	test "$(cat "$run/$1-500.logs"/* | grep -c ' done ')" = 10
}
ok "the live workers of each adaptive job have done its work" done_all adaptive
ok "and those of each traditional one" done_all traditional
ok "adaptive jobs were asked for nodes, and gave them back" grep -q ' gave n' -r "$run/adaptive-500.logs"
ok "and grew" grep -q 'sched/malleable: JobId=[0-9]*: it has grown' "$run/controller.log"
traditional_width() {
	awk -F, 'NR > 1 { print $1, $3 }' "$run/traditional-500.sim.csv" | while read -r id width; do
		[ "$(sed -n 's/.* live //p' "$run/traditional-500.logs/$id" | sort -n | tail -n 1)" -le "$width" ] || return 1
	done
}
ok "a traditional job never has more workers than nodes" traditional_width
ok "no traditional one was asked for any" not grep -q ' wish ' -r "$run/traditional-500.logs"

# Judges that cannot say no are none.
figures() { # KIND RESPONSE UTILISATION SIMULATED
	printf '{"response": %s, "utilisation": %s, "resizes": 3, "start": 1, "grow": 1, "answer": 1, "end": 1}\n' "$2" "$3" >"$work/j/$1-60.live"
	printf '{"response_mean_s": %s000, "utilization": 0.5}\n' "$4" >"$work/j/$1-60.sim.json"
}
judge() { # STATUS
	"$compare" judge "$work/j" 60 10
	test $? = "$1"
}
mkdir "$work/j"
figures adaptive 100 90 105
figures traditional 200 60 190
ok "judge: jobs that are ahead, and as simulated" judge 0
figures adaptive 100 90 112
ok "judge: not with a response that is 11 % off" judge 1
figures adaptive 201 90 201
ok "judge: nor with adaptive jobs that respond later" judge 1
figures adaptive 100 59 100
ok "judge: nor when they use less of the machine" judge 1
: >"$run/adaptive-500.logs/7"
measure() {
	"$compare" measure "$run" adaptive 500 8 6 2>&1 | grep -q "job 7 has not said that it is done"
}
ok "measure: nor when a job has not said that it is done" measure
tap_end
