#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 83-quickstart-slices: `quickstart slices`, made short: three jobs take turns, the matrix is shown, the result has what was
# measured, and nothing is left (TAP).
set -u

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
# shellcheck source=testsuite/emulated/show.sh
. "$top/testsuite/emulated/show.sh"
show slices select_gang

tap_failed() {
	cat "$output"
	tail -n 20 "$shown/replay.err" 2>/dev/null
}

"$top/quickstart" slices --no-packages --jobs 14:3 </dev/null >"$output" 2>&1
rc=$?
ok "it ends well" test $rc = 0
ok "the matrix has five rows" grep -qE '^[> ] row 4: ' "$output"
ok "and jobs with their shares" grep -qE '^[123] .* [0-9.]+ % +[0-9.]+ %  (runs|stopped)' "$output"
ok "which is kept" grep -q '^JOBID ' "$shown/matrix.txt"
ok "all jobs ended" grep -qE '"jobs_completed": 3,' "$shown/report.json"
ok "the result has what was measured" grep -qE \
	'^With slices jobs waited [0-9]+ s and took [0-9.]+ times as long as they ran, in the mean, over [1-9][0-9]* switches;$' "$output"
ok "and what was simulated" grep -qE '^without them \(sched/qops, simulated\) [0-9]+ s and [0-9.]+ times\.$' "$output"
ok "nothing is left" test -z "$(show_left)"
tap_end
