#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 70-replay-promises: a short replay with both plugins on, every job with a deadline: no promise is
# broken by the end times that Slurm recorded, at least 60 % of the deadlines are accepted, and the
# simulator was asked the same questions (TAP). The long one is `make check-replay`.
# The guard leaves five seconds of the wall's clock for whatever else the machine does. In the
# simulator 32 of the model's jobs are accepted, 13 of them to wait, and 33 of the log's.
# Runs alone: a second of the real clock is 100 of the cluster's.
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
build=${PACT_BUILD:-$top/build/main}
log=${PACT_TRACES:-$top/../shared/traces}/SDSC-SP2-1998-4-derived.swf.gz
PATH=$PATH:/usr/sbin:/sbin

need slurmctld faketime munged
[ -r "$build/plugins/.libs/sched_qops.so" ] || skip_all "the plugins are not built"
[ -x "$build/contrib/replay/pact-replay" ] || skip_all "pact-replay is not built"

work=$(mktemp -d "${TMPDIR:-/tmp}/replay-promises.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

tap_failed() {
	cat "$work/out"
	tail -n 30 "$work"/*/*.controller.log 2>/dev/null
}

json() { # KEY; its value at the top level of the report
	sed -n 's/^  "'"$1"'": *\([^,]*\),\{0,1\}$/\1/p' "$work/$what"/*.json
}

is() { # KEY VALUE
	[ "$(json "$1")" = "$2" ] && return
	echo "$1 is $(json "$1"), expected $2"
	return 1
}

share_accepted() { # PERCENT
	[ $((100 * $(json promises))) -ge $(($1 * $(json jobs_with_deadline))) ]
}

# The script's own verdict rests on the same figures: both are looked at.
replay() { # WHAT OPTION...
	local rc
	what=$1
	shift
	PACT_TOP=$top PACT_BUILD=$build "$top/testsuite/replay/check-replay" --out "$work/$what" "$@" \
		>"$work/out" 2>&1
	rc=$?
	sed 's/^/# /' "$work/out"
	ok "$what: check-replay is content" test $rc = 0
	ok "$what: all jobs are submitted" is jobs_submitted 40
	ok "$what: with a deadline each" is jobs_with_deadline 40
	ok "$what: each promise stands in a job's record" is promises_recorded "$(json promises)"
	ok "$what: no promise is broken" is promises_broken 0
	ok "$what: all promises are kept" is promises_kept "$(json promises)"
	ok "$what: at least 60 % are accepted" share_accepted 60
	ok "$what: simulator and replay had the same 40 jobs and deadlines" \
		grep -q '^  same jobs  *40 ' "$work/$what"/*.compare.txt
}

replay model --model poisson --set load=2 --set min_runtime=300 --set max_runtime=1800 --seed 6 \
	--jobs 1:40 --nodes 16 --speed 100 --guard 600 --estimates exact
if [ -r "$log" ]; then
	replay log --trace "$log" --jobs 10465:40 --nodes 32 --speed 100 --guard 600 --estimates log
else
	echo "# no $log: only the model was replayed"
fi

# A judge that cannot say no is none: a share that was not reached, and a missed deadline.
what=model
judge() { # OPTION...
	"$top/testsuite/replay/compare" "$@" "$work/model/exact.jobs.csv" "$work/model/exact.sim.csv" \
		"$work/late.csv" >"$work/out"
}
cp "$work/model/exact.replay.csv" "$work/late.csv"
judge
ok "compare: the replay as it was passes" test $? = 0
judge --accepted 101
ok "compare: too few accepted does not" test $? = 1
awk -F, -v OFS=, '$7 == 1 && !done { $9 = $6 + 1; done = 1 } { print }' "$work/model/exact.replay.csv" \
	>"$work/late.csv"
judge
ok "compare: nor does an end a second after its deadline" test $? = 1
awk -F, -v OFS=, 'NR == 2 { $6 += 60 } { print }' "$work/model/exact.replay.csv" >"$work/late.csv"
judge
ok "compare: nor does another deadline" test $? = 1

tap_end
