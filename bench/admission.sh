#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/admission.sh: one QoPS admission with 10, 1000 and 10,000 jobs waiting, first without a budget,
# then with the plugin's default AdmissionTime of 20 ms. Prints the tables of bench/admission. Fails when
# an accepted answer among 10,000, promised or not, costs more than half of placing the waiting jobs once
# into a plain sorted array, measured in the same run. Milliseconds are told, not judged.

set -u
admission="$PACT_BUILD/bench/admission"

echo "admission: no budget"
table=$("$admission") || exit 1
echo "$table"
echo "admission: budget 20 ms"
"$admission" --budget 20 || exit 1
awk '
	$2 == 10000 {
		for (i = 1; i < NF; i++)
			if ($i == "ratio" && !($(i + 1) <= 0.5)) {
				print "admission: accepted among 10,000 " $1 " jobs costs " $(i + 1) \
					" of the reference, more than 0.5" > "/dev/stderr"
				bad = 1
			} else if ($i == "ratio")
				seen++
	}
	END { exit bad || seen != 2 }' <<<"$table"
