#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/admission.sh: one QoPS admission with 10, 1000 and 10,000 promised jobs waiting, first without a
# budget, then with the plugin's default AdmissionTime of 20 ms. Prints the tables of bench/admission.
# Fails when an accepted answer among 10,000 costs more than half of placing the waiting jobs once into a
# plain sorted array, measured in the same run. Milliseconds are told, not judged.

set -u
admission="$PACT_BUILD/bench/admission"

echo "admission: no budget"
table=$("$admission") || exit 1
echo "$table"
echo "admission: budget 20 ms"
"$admission" --budget 20 || exit 1
ratio=$(awk '$1 == 10000 { for (i = 1; i < NF; i++) if ($i == "ratio") print $(i + 1) }' <<<"$table")
awk -v x="${ratio:-9}" 'BEGIN { exit !(x <= 0.5) }' || {
	echo "admission: accepted among 10,000 costs $ratio of the reference, more than 0.5" >&2
	exit 1
}
