#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# bench/admission.sh: one admission of QoPS, of qops-best and of dynP with 10, 1000 and 10,000 jobs waiting, first
# without a budget, then with the plugin's default AdmissionTime of 20 ms. Prints the tables of
# bench/admission, then qops-best beside qops. Fails when an accepted answer among 10,000, promised or
# not, by qops in the plugin's mode, by qops-best or by dynp, costs more than half of placing the waiting jobs once
# into a plain sorted array, measured in the same run, or when the core holds more than 1024 bytes a job
# with 1000 waiting or more. Milliseconds are told, not judged.

set -u
admission="$PACT_BUILD/bench/admission"

echo "admission: no budget"
table=$("$admission") || exit 1
echo "$table"
echo "admission: budget 20 ms"
"$admission" --budget 20 || exit 1
awk '
	# The fields of bench/admission: 7 and 11 are the medians of accepted and refused answers.
	{
		bytes = 1e9
		for (i = 13; i < NF; i++)
			if ($i == "ratio")
				ratio = $(i + 1)
			else if ($i == "bytes/job")
				bytes = $(i + 1)
		at = $3 " " $4
		if ($4 >= 1000 && !(bytes <= 1024)) {
			print "admission: " $1 " (" $2 ") holds " bytes " bytes a job with " $4 " " $3 \
				" jobs waiting, more than 1024" > "/dev/stderr"
			bad = 1
		}
		accepted[$1, $2, at] = $7
		refused[$1, $2, at] = $11
	}
	$4 == 10000 && ($1 == "qops-best" || $2 == "slurm") {
		seen++
		if (!(ratio <= 0.5)) {
			print "admission: accepted among 10,000 " $3 " jobs costs " $1 " " ratio \
				" of the reference, more than 0.5" > "/dev/stderr"
			bad = 1
		}
	}
	function beside(ms, at) {
		return sprintf("%.3f ms, %.2f of qops in slurm mode, %.2f in paper mode", \
			ms["qops-best", "paper", at], \
			ms["qops-best", "paper", at] / ms["qops", "slurm", at], \
			ms["qops-best", "paper", at] / ms["qops", "paper", at])
	}
	END {
		target["promised 1000"] = ", target 1 ms"
		target["promised 10000"] = ", target 15 ms"
		n = split("promised 1000,promised 10000,ordinary 10000", cases, ",")
		for (i = 1; i <= n && seen == 6; i++) {
			print "qops-best, " cases[i] ": accepted " beside(accepted, cases[i]) target[cases[i]]
			print "qops-best, " cases[i] ": refused, without a budget, " beside(refused, cases[i])
		}
		exit bad || seen != 6
	}' <<<"$table"
