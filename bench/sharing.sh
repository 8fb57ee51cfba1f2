#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/sharing.sh: prints the table of bench/sharing. Fails when a decision among 10,000 nodes of 10 jobs costs
# more than one plain pass over flat arrays in the same run, when one among 100,000 nodes costs more than 13 times as
# much, or when a part takes more than 160 bytes.

set -u
echo "sharing: decisions about deadlines on shared nodes"
table=$("$PACT_BUILD/bench/sharing") || exit 1
echo "$table"
awk '
	{
		for (i = 1; i < NF; i++)
			v[$i] = $(i + 1)
		cost[$1, $2] = v["ratio"] * v["plain"]
		lines++
		if ($2 == 10000 && !(v["ratio"] <= 1)) {
			print "sharing: " $1 ": a decision costs " v["ratio"] " of a plain pass" > "/dev/stderr"
			bad = 1
		}
		if (!(v["bytes"] <= 160)) {
			print "sharing: " $1 ": " v["bytes"] " bytes for a part" > "/dev/stderr"
			bad = 1
		}
		if ($2 == 100000 && !(cost[$1, 100000] <= 13 * cost[$1, 10000])) {
			print "sharing: " $1 ": 10 times the nodes cost more than 13 times as much" > "/dev/stderr"
			bad = 1
		}
	}
	END { exit bad || lines != 4 }' <<<"$table"
