#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/malleable.sh: prints the table of bench/malleable. Fails when a decision on 10,000 nodes, where 1000 malleable jobs run
# and under lazy 1000 more are accepted and wait, takes more than 0.2 ms under uniform, 3 ms under profit or 30 ms under
# lazy; costs more than so many plain passes in the same run; or more than 13 times as much as one on 1000 nodes.

set -u
echo "malleable: decisions about jobs that grow and shrink"
table=$("$PACT_BUILD/bench/malleable") || exit 1
echo "$table"
awk '
	BEGIN {
		most["uniform"] = 3; most["profit"] = 15; most["lazy"] = 30
		us["uniform"] = 200; us["profit"] = 3000; us["lazy"] = 30000
	}
	function judge(what) {
		if ($2 == 10000 && !(v[what] <= us[$1])) {
			print "malleable: " $1 ": " what " takes " v[what] " us, not " us[$1] > "/dev/stderr"
			bad = 1
		}
	}
	{
		for (i = 1; i < NF; i++)
			v[$i] = $(i + 1)
		cost[$1, $2] = v["ratio"] * v["plain"]
		lines++
		judge("submit")
		judge("finish")
		judge("ask")
		judge("pass")
		if ($2 == 10000 && !(v["ratio"] <= most[$1])) {
			print "malleable: " $1 ": a decision costs " v["ratio"] " plain passes" > "/dev/stderr"
			bad = 1
		}
		if ($2 == 10000 && !(cost[$1, 10000] <= 13 * cost[$1, 1000])) {
			print "malleable: " $1 ": 10 times the nodes cost more than 13 times as much" > "/dev/stderr"
			bad = 1
		}
	}
	END { exit bad || lines != 6 }' <<<"$table"
