#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# golden.sh: prints the table of golden results: workload x scheduler x figure, for fixed seeds.
#   golden.sh           all workloads at hand (those of logs need PACT_TRACES)
#   golden.sh --update  the same; a workload that is not at hand keeps the rows that golden.csv has
# A change of this table is a change of what the schedulers decide: its commit says why.

top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top}
sim=$build/sim/pact-sim
traces=${PACT_TRACES:-$top/../shared/traces}
old=$top/testsuite/sim/golden.csv
update=${1-}
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

figures=jobs_submitted,jobs_refused,jobs_killed,promises,deadlines_met,utilization,loss_of_capacity
figures+=,makespan_s,wait_mean_s,artww_s,slowdown_mean,slowdown_bounded10_mean,sldww60,events,max_waiting

# rows WORKLOAD ARGUMENT...: one row per scheduler and seed
rows() {
	local name=$1
	shift
	"$sim" sweep --out "$dir/$name.csv" --quiet "$@" || exit 1
	# The columns by name. No field before a figure holds a comma but the options, which are first.
	sed 's/^"[^"]*"/options/' "$dir/$name.csv" | awk -F, -v name="$name" -v figures="$figures" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(figures, f, ","); next }
		{
			printf "%s,%s,%s", name, $at["scheduler"], $at["seed"]
			for (k = 1; k <= n; k++)
				printf ",%s", $at[f[k]]
			print ""
		}'
}

# log WORKLOAD FILE ARGUMENT...: the same over a log, if it is at hand
log() {
	local name=$1 file=$traces/$2
	shift 2
	if [ -r "$file" ]; then
		rows "$name" --trace "$file" "$@"
	elif [ "$update" = --update ]; then
		grep "^$name," "$old"
	fi
}

echo "workload,scheduler,seed,$figures"
for load in 0.7 1.1; do
	rows "poisson-$load" --model poisson --nodes 64 --jobs 1:600 --set model.load=$load \
		--deadlines stringency:0.2,fraction:0.5 --seeds 1:3 \
		--sweep scheduler=fcfs,easy,conservative,qops
done
for load in 0.9 1.4; do
	rows "poisson-promises-$load" --model poisson --nodes 64 --jobs 1:600 \
		--set model.load=$load --deadlines stringency:0.2,fraction:0.7 --seeds 1:2 \
		--sweep scheduler=qops,msb,mrt,qops-best,dynp
done
rows poisson-exact --model poisson --nodes 100 --jobs 1:600 --estimates exact --load 1.4 \
	--deadlines stringency:0.5 --seeds 1:3 --sweep scheduler=easy,conservative,qops
rows poisson-phi --model poisson --nodes 100 --jobs 1:600 --estimates phi:0.2 --shrink 0.8 \
	--seeds 1:2 --sweep scheduler=fcfs,easy,conservative
rows poisson-slurm --model poisson --nodes 64 --jobs 1:600 --mode slurm --guard 60 \
	--deadlines stringency:0.1,fraction:0.3,relax:5 --set model.load=1.0 --seeds 1:2 \
	--sweep scheduler=qops
rows poisson-start --model poisson --nodes 100 --jobs 1:600 --estimates phi:0.2 --shrink 0.8 \
	--seeds 1:2 --set Compress=start --sweep scheduler=conservative
rows blue --model hypererlang --nodes 320 --jobs 1:2000 --set model.workload=5 --estimates phi:0.2 \
	--seeds 1:2 --sweep scheduler=fcfs,easy,conservative
log kth KTH-SP2-1996-2.1-cln.swf.gz --sweep scheduler=easy,conservative
log sdsc SDSC-SP2-1998-4-derived.swf.gz --sweep scheduler=easy,conservative
log ctc CTC-SP2-1996-3.1-derived.swf.gz --sweep scheduler=easy,conservative
log sdsc-expand SDSC-SP2-1998-4-derived.swf.gz --jobs 1:1000 --estimates exact --load 1.4 \
	--load-by expand --deadlines stringency:0.2,fraction:0.8 --seeds 1:2 --sweep scheduler=easy,qops
log sdsc-promises SDSC-SP2-1998-4-derived.swf.gz --jobs 40001:1000 --estimates exact --load 1.6 \
	--deadlines stringency:0.2,fraction:1 --seeds 1:2 --sweep scheduler=qops,msb,mrt,qops-best,dynp
