#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 82-shares-replay: a short replay with jobs that share nodes and burn what the model says: no promise is broken, the
# recorded decisions play equal, and jobs end when they do in the simulator, within 5 s (TAP). And: its judges can say
# no. The long one is `make check-shares-replay`.
# Runs alone: nodes that are starved make a run void.
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
build=${PACT_BUILD:-$top/build/main}
shares=$top/contrib/emulate/shares
PATH=$PATH:/usr/sbin:/sbin

need slurmctld munged
[ -r "$build/plugins/.libs/sched_qops.so" ] || skip_all "the plugins are not built"
[ -x "$build/contrib/replay/pact-replay" ] || skip_all "pact-replay is not built"
[ "$(id -u)" = 0 ] && [ -w /sys/fs/cgroup/cpu/cpu.shares ] ||
	skip_all "it needs root, and a cpu controller of control groups of version 1"

work=$(mktemp -d "${TMPDIR:-/tmp}/shares-replay.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

tap_failed() {
	cat "$work/out"
	tail -n 30 "$work/run/controller.log" 2>/dev/null
}

json() { # KEY; its value at the top level of the report
	sed -n 's/^  "'"$1"'": *\([^,]*\),\{0,1\}$/\1/p' "$work/run/replay.json"
}

is() { # KEY VALUE
	[ "$(json "$1")" = "$2" ] && return
	echo "$1 is $(json "$1"), expected $2"
	return 1
}

PACT_TOP=$top PACT_BUILD=$build "$top/testsuite/replay/check-shares-replay" --out "$work/run" --jobs 8 --nodes 4 \
	--shares 10 --seed 3 --set load=2 --set max_width=2 --set min_runtime=6 --set max_runtime=16 \
	--set overestimate=2 >"$work/out" 2>&1
rc=$?
sed 's/^/# /' "$work/out"
ok "check-shares-replay is content" test $rc = 0
ok "all jobs are submitted" is jobs_submitted 8
ok "each promise stands in a job's record" is promises_recorded "$(json promises)"
ok "no promise is broken" is promises_broken 0
ok "all are kept" is promises_kept "$(json promises)"
ok "most jobs shared nodes" test "$(awk '$4 > 20 { n++ } END { print n + 0 }' \
	<(grep -E '^ +[0-9]+ ' "$work/run/delivered.txt"))" -ge 5

# Bands of what really ran: within the row, and of the jobs that ran.
"$shares" bands "$work/run/shares.csv" "$work/run/replay.csv" "$work/run/replay.json" >"$work/bands.csv"
ok "the shares as bands" awk -F, '
	NR == 1 { if ($0 != "at,node,job,share") bad++; next }
	$2 < 0 || $2 > 3 || $3 < 1 || $3 > 8 || $1 < at || ($4 != "" && ($4 < 0 || $4 > 1)) { bad++ }
	{ at = $1; n++; if ($4 == "") gone[$2 " " $3] = 1; else { here[$2 " " $3] = 1; delete gone[$2 " " $3] } }
	END { for (x in here) if (!(x in gone)) bad++; exit !(n > 8 && !bad) }' "$work/bands.csv"

# Judges that cannot say no are none.
judge() {
	"$top/testsuite/replay/compare-ends" "$work/run/sim.csv" "$work/other.csv" >"$work/out"
}
cp "$work/run/replay.csv" "$work/other.csv"
[ $rc != 0 ] || ok "compare-ends: the replay as it was passes" judge
awk -F, -v OFS=, 'NR > 1 && $8 >= 0 { $9 = $8 + $5 } { print }' "$work/run/replay.csv" >"$work/other.csv"
ok "compare-ends: ends that depend on no share do not" not judge
awk -F, -v OFS=, '$7 == 1 && !done { $9 = $6 + 1; done = 1 } { print }' "$work/run/replay.csv" >"$work/other.csv"
ok "compare-ends: nor does a promise that is a second late" not judge
awk 'NR != 3' "$work/run/replay.csv" >"$work/other.csv"
ok "compare-ends: nor does a job that is missing" not judge
fake() { # USED PER SECOND, of a node of 100000
	awk -v used="$1" 'BEGIN { print "at,node,job,share,used,wants,cap"
		for (i = 0; i < 40; i++) printf "%d,0,7,1000000,%d,1,10\n%d,0,0,0,%d,1,10\n", i, i * used, i, i * used }' >"$work/log"
	"$shares" starved "$work/log" >"$work/out"
}
fake 99000
ok "starved: a node that got 99 % was not" test $? = 0
fake 90000
ok "starved: one that got 90 % was, by 3.9 s" test "$?$(grep -c '^n1: .* job 7 .*, 3.9 s were not' "$work/out")" = 31
awk -F, -v OFS=, 'NR > 1 { $6 = 0 } { print }' "$work/log" >"$work/idle"
"$shares" starved "$work/idle" >"$work/out"
ok "starved: unless no job wanted it" test $? = 0
tap_end
