#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/loans.sh: prints the table of bench/loans. Fails when a decision on 10,000 nodes, where 1000 jobs run that nodes are lent
# to, takes more than 0.2 ms where these are lent to all alike, or 3 ms where they go by profit; costs more than so many
# plain passes in the same run; or more than 13 times as much as one on 1000 nodes.

set -u
echo "loans: decisions about what a plan leaves idle"
table=$("$PACT_BUILD/bench/loans") || exit 1
echo "$table"
awk '
	BEGIN {
		most["uniform"] = 4.25; most["profit"] = 6
		us["uniform"] = 200; us["profit"] = 3000
	}
	function judge(what) {
		if ($2 == 10000 && !(v[what] <= us[$1])) {
			print "loans: " $1 ": " what " takes " v[what] " us, not " us[$1] > "/dev/stderr"
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
		judge("answer")
		if ($2 == 10000 && !(v["ratio"] <= most[$1])) {
			print "loans: " $1 ": a decision costs " v["ratio"] " plain passes" > "/dev/stderr"
			bad = 1
		}
		if ($2 == 10000 && !(cost[$1, 10000] <= 13 * cost[$1, 1000])) {
			print "loans: " $1 ": 10 times the nodes cost more than 13 times as much" > "/dev/stderr"
			bad = 1
		}
	}
	END { exit bad || lines != 4 }' <<<"$table"
