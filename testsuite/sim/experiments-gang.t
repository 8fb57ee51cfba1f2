#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# experiments-gang.t: a small cut of experiments/gang: the whole table is there, claims are judged by it, and what
# cannot be run is an error and no judgement.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
table1=$top/experiments/gang/table1
. "$top/testsuite/tap.sh"
export PACT_BUILD=$build

ok 'the help' exits 0 'usage: experiments/gang/table1' "$table1" --help
ok 'an unknown option' exits 2 'unknown option --fast' "$table1" --fast
ok 'an option without its value' exits 2 '--seeds needs a value' "$table1" --seeds
ok 'malformed seeds' exits 2 '--seeds 5: FIRST:LAST wanted' "$table1" --seeds 5
ok 'seeds that are none' exits 2 '--seeds 3:1: the first is above the last' "$table1" --seeds 3:1
ok 'processes that are none' exits 2 '--processes 0: a number from 1 on is wanted' "$table1" --processes 0
ok 'jobs that are none: an error, no judgement' exits 2 'a run failed' "$table1" --jobs x:y --seeds 1:1

# So few jobs never fill the machine: the bounds cannot hold.
ok 'a small cut runs, and is judged' exits 1 ' claims hold, ' "$table1" --jobs 1:100 --seeds 1:2
whole_table() {
	"$table1" --jobs 1:100 --seeds 1:1 | awk '
		/^(bgs|mbgs|gs|mgs|bf) / && NF == 7 && $3 > 0 && $3 < 1 && $4 >= 1 { rows++ }
		/^(holds|FAILS) / { claims++ }
		END { exit rows != 45 || claims != 13 }'
}
ok 'all points, all claims' whole_table
tap_end
