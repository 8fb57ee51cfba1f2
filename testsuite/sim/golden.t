#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# golden.t: fixed seeds give the results in golden.csv, to the last digit. What is meant to change them
# runs `make update-golden` and says in its commit why.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "$top/testsuite/tap.sh"
tap_failed() { cat "$dir/err"; }

golden=$top/testsuite/sim/golden.csv
"$top/testsuite/sim/golden.sh" >"$dir/now.csv" 2>"$dir/err"
ok 'all runs are made' [ $? -eq 0 ]
ok 'the same figures are told' [ "$(head -n 1 "$golden")" = "$(head -n 1 "$dir/now.csv")" ]
same() { # same WORKLOAD
	grep "^$1," "$golden" >"$dir/1"
	grep "^$1," "$dir/now.csv" >"$dir/2"
	[ -s "$dir/1" ] && diff "$dir/1" "$dir/2"
}
for workload in $(tail -n +2 "$golden" | cut -d, -f1 | uniq); do
	if grep -q "^$workload," "$dir/now.csv"; then
		ok "$workload: the golden results" same "$workload"
	else
		tap_count=$((tap_count + 1))
		echo "ok $tap_count - $workload # SKIP no such log; PACT_TRACES names their directory"
	fi
done
ok 'no workload without golden results' [ -z "$(comm -13 <(cut -d, -f1 "$golden" | sort -u) <(cut -d, -f1 "$dir/now.csv" | sort -u))" ]

tap_end
