#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 83-quickstart-shares: `quickstart shares`, made short: three jobs are answered and shown with their shares, report and
# picture are there, and nothing is left; and what is interrupted takes all down (TAP).
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
# shellcheck source=testsuite/emulated/show.sh
. "$top/testsuite/emulated/show.sh"
if [ "$(id -u)" != 0 ] || [ ! -w /sys/fs/cgroup/cpu/cpu.shares ]; then
	skip_all "it needs root, and a cpu controller of control groups of version 1"
fi
show shares sched_qops
pid=

tap_failed() {
	cat "$output"
	tail -n 20 "$shown/replay.err" "$shown/schedule.err" 2>/dev/null
}

left() {
	show_left
	ls -d /sys/fs/cgroup/cpu/pact_"${port:-none}"_* 2>/dev/null
}

port_of() {
	port=$(sed -n 's/^ctld_port="\{0,1\}\([0-9]*\).*/\1/p' "$cluster/settings" 2>/dev/null)
	[ -n "$port" ]
}

until_true() { # SECONDS COMMAND...
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.2
	done
}

began() { grep -qE '^ *[0-9:]+  n[1-8] +job ' "$output"; }

"$top/quickstart" shares --no-packages --jobs 26:3 </dev/null >"$output" 2>&1 &
pid=$!
ok "a cluster" until_true 200 port_of
wait "$pid"
rc=$?
pid=
ok "it ends well" test $rc = 0
ok "deadlines are answered" grep -qE '^ *[0-9:]+  accepted +job 28 .* now, with [0-9]+ %' "$output"
ok "shares are shown as they change: a job, two of them, one again" awk '
	$2 ~ /^n[1-8]$/ { two += /job 26 [0-9]+ %, job 28 [0-9]+ %/; one += /^[^,]*job 27 100 %$/; free += /is free$/ }
	END { exit !(two && one && free) }' "$output"
ok "the report has promises" grep -qE '^  promises kept +[1-3]  of [1-3]' "$shown/report.txt"
ok "and what was only expected" grep -q '^  expected  *1 ' "$shown/report.txt"
ok "and shares" awk '/job +nodes/ { head = 1 } head && $1 == 28 { found = 1 } END { exit !found }' "$shown/shares.txt"
ok "which are those that were asked for" awk '
	/were off by/ { for (i = 1; i < NF; i++) if ($i == "by") off = $(i + 1); exit !(off < 10) }' "$shown/shares.txt"
ok "the picture has all jobs that ran" test "$(grep -c '<title>job ' "$shown/schedule.svg")" = \
	"$(awk -F, 'NR > 1 && $9 >= 0' "$shown/jobs.csv" | wc -l)"
ok "and bands of parts of rows" awk '/<rect class="i / { match($0, /height="[0-9.]+/)
	h = substr($0, RSTART + 8, RLENGTH - 8); if (!least || h < least) least = h; if (h > most) most = h }
	END { exit !(least && least < 0.8 * most) }' "$shown/schedule.svg"
ok "nothing is left" test -z "$(left)"

"$top/quickstart" shares --no-packages --jobs 26:3 </dev/null >"$output" 2>&1 &
pid=$!
ok "once more, until jobs run" until_true 200 began
port_of
kill -TERM "$pid"
wait "$pid"
rc=$?
pid=
ok "interrupted, it says so" test $rc = 143
ok "and takes all down" test -z "$(left)"
tap_end
