#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/retell.sh: how long the bridge's mutex is held when a recording begins. Prints the table of
# bench/retell. Fails when the copy of 10,000 jobs costs more than a quarter of telling them in one go,
# measured in the same run. Milliseconds are told, not judged.

set -u
echo "retell: the beginning of a recording"
table=$("$PACT_BUILD/bench/retell") || exit 1
echo "$table"
awk '
	$1 == 10000 {
		for (i = 1; i < NF; i++)
			if ($i == "ratio") {
				seen++
				if (!($(i + 1) <= 0.25)) {
					print "retell: the copy of 10,000 jobs costs " $(i + 1) \
						" of telling them, more than 0.25" > "/dev/stderr"
					bad = 1
				}
			}
	}
	END { exit bad || seen != 1 }' <<<"$table"
