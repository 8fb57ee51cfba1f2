#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/gang.sh: prints the table of bench/gang. Fails when a pass of gs over 320 nodes x 5 rows with 500 jobs costs more
# than 100 us, one of mbgs with 200 more that wait more than 1 ms, or one over 10,000 nodes x 8 rows with 2000 jobs and
# 1000 that wait more than 10 ms.

set -u
echo "gang: passes over a full matrix"
echo "      nodes rows jobs waits plain us  pass us   ratio turns us place us"
table=$("$PACT_BUILD/bench/gang") || exit 1
echo "$table"
awk '
	function most(us) {
		found++
		if ($7 > us || $9 > us || $10 > us) {
			print "gang: " $1 ": a pass over " $2 " nodes costs " $7 ", " $9 " and " $10 " us, not " us > "/dev/stderr"
			bad = 1
		}
	}
	$1 == "gs" && $2 == 320 && $4 == 500 { most(100) }
	$1 == "mbgs" && $2 == 320 && $5 == 200 { most(1000) }
	$1 ~ /^mbgs/ && $2 == 10000 { most(10000) }
	END { exit bad || found != 4 }' <<<"$table"
