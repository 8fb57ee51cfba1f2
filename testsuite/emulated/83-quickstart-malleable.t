#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 83-quickstart-malleable: `quickstart malleable`, made short: two jobs grow, give nodes back for promised ones and end, each change
# is shown, the result has what Pact's history has, and nothing is left (TAP).
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
# shellcheck source=testsuite/emulated/show.sh
. "$top/testsuite/emulated/show.sh"
show malleable sched_qops

tap_failed() {
	cat "$output"
	tail -n 20 "$shown"/*.out 2>/dev/null
}

number() { # TEXT BEFORE IT
	sed -n "s/.*$1 *\([0-9]*\).*/\1/p" "$output"
}

PACT_SHOW_WORK='160 120' "$top/quickstart" malleable --no-packages </dev/null >"$output" 2>&1
rc=$?
ok "it ends well" test $rc = 0
ok "jobs have more than their own two nodes" grep -qE '^ +[0-9]+ s   .*([AB]).*\1.*\1' "$output"
ok "a promised one has four of these" grep -qE '^ +[0-9]+ s   [AB ]*P P P P ' "$output"
ok "after it they are lent again" sh -c "sed '1,/ P P /d' '$output' | grep -qE '([AB]).*\1.*\1.*  A '"
ok "both promises were kept" grep -qx 'Promises kept: 2 of 2\.' "$output"
grown=$(sed -n 's/^\([0-9]*\) times a job grew.*/\1/p' "$output")
ok "growths were counted" test "${grown:-0}" -ge 2
given=$(number 'grew,')
ok "and what was given back" test "${given:-0}" -ge 2
ok "nothing was taken" grep -q ' 0 times they were taken\.$' "$output"
ok "all of A's work was done" test "$(wc -l <"$shown/A-train.done")" -ge 160
ok "and all of B's" test "$(wc -l <"$shown/B-train.done")" -ge 120
ok "by more nodes than two" test "$(sort -u "$shown/A-train.done" | wc -l)" -gt 2
ok "nothing is left" test -z "$(show_left)"
tap_end
