# SPDX-License-Identifier: GPL-2.0-or-later
# show-malleable.sh - `quickstart malleable`; a part of quickstart, which gives it emulate(), say(), die() and their variables
# shellcheck shell=bash disable=SC2154
#
# Two jobs keep a worker on each node that they have: one second of a worker is one piece of work, written down in a
# directory that all nodes see. What is done when, and on which nodes, is what the show is about.

malleable_nodes=8
# Pieces of work of each of the two (the tests have fewer); the promised jobs come and run in proportion.
read -r -a malleable_work <<<"${PACT_SHOW_WORK:-300 240}"
promised_seconds=$((malleable_work[0] / 12))

write_malleable_files() { # DIR
	local built=$top/build/main
	printf '%s\n' Guard=20 AdmissionTime=5000 PlanInterval=2 Loans=uniform ResizeGrace=10 LoanTime=5 ResizeInterval=0 \
		"History=$1/history.db" >"$1/pact.conf"
	printf '%s\n' SchedulerParameters=sched_interval=-1,defer,permit_job_expansion \
		"PlugStackConfig=$cluster/etc/plugstack.conf" >"$1/slurm.conf"
	printf 'required %s\n' "$built/plugins/.libs/spank_pact.so" >"$1/plugstack.conf"
	# TERM comes before a node is given back: the piece in hand is done again by another worker.
	cat >"$1/worker" <<'EOF'
#!/bin/sh
trap 'exit 0' TERM
while [ "$(wc -l <"$1")" -lt "$2" ]; do
	sleep 1 &
	wait $!
	echo "$SLURMD_NODENAME" >>"$1"
done
EOF
	cat >"$1/job" <<EOF
#!/bin/sh
export LD_LIBRARY_PATH=$built/client/.libs PACT_MALLEABLE_CALL=$built/client/pact-malleable-call
exec $built/contrib/elastic/.libs/pact-elastic --notice 10 -- "\$1/worker" "\$2" "\$3"
EOF
	chmod 755 "$1/worker" "$1/job"
}

# A malleable job; prints its number.
submit_malleable() { # NAME PIECES
	: >"$shown/$1.done"
	emulate run sbatch --parsable -J "$1" -N2-$malleable_nodes --malleable=grace:10 -t 10 -o "$shown/$1.out" \
		"$shown/job" "$shown" "$shown/$1.done" "$2" </dev/null
}

submit_promised() { # NAME NODES MINUTES
	printf '\n%s: sbatch -N%d --deadline=now+%dminutes ...\n' "$1" "$2" "$3"
	emulate run sbatch -J "$1" -N "$2" -t 1 --deadline="now+$3minutes" -o /dev/null --wrap "sleep $promised_seconds" \
		</dev/null 2>&1 | sed 's/^/  /'
	echo
}

# Pieces done of all; workers that finish one at the same time make a few too many.
done_of() { # NAME PIECES
	local n
	n=$(wc -l <"$shown/$1.done")
	printf '%s %3d of %d' "${1:0:1}" $((n < $2 ? n : $2)) "$2"
}

# Whose each node is, by the first letter of a job's name; a dot: nobody's.
draw_nodes() {
	emulate run squeue -h -t RUNNING,COMPLETING -o '%j %N' | while read -r name nodes; do
		emulate run scontrol show hostnames "$nodes" | sed "s/^/${name:0:1} /"
	done | awk -v n=$malleable_nodes '{ sub(/^n0*/, "", $2); who[$2] = $1 }
		END { for (i = 1; i <= n; i++) printf "%s ", i in who ? who[i] : "." }'
}

# A line whenever that has changed, until no job is left; the promised ones come in between.
watch_malleable() {
	local line last='' now begin=$SECONDS due=($((malleable_work[0] / 10)) $((malleable_work[0] / 4))) given=0
	while :; do
		now=$((SECONDS - begin))
		if [ $given -lt 2 ] && [ $now -ge "${due[given]}" ]; then
			submit_promised "$([ $given = 0 ] && echo P || echo Q)-promised" 4 2
			given=$((given + 1))
		fi
		line=$(draw_nodes)
		[ "$line" = "$last" ] || printf '%4d s   %s  %s, %s\n' "$now" "$line" \
			"$(done_of A-train "${malleable_work[0]}")" "$(done_of B-train "${malleable_work[1]}")"
		last=$line
		[ -n "$(emulate run squeue -h)" ] || [ $given -lt 2 ] || return 0
		[ $now -lt 420 ] || die "the jobs do not end; the cluster's logs are in $cluster/log"
		sleep 1
	done
}

# How many rows of a history in JSON are of a kind.
outcomes() { # FILE WHAT
	grep -o "\"what\": *\"$2\"" "$1" | wc -l
}

seconds_of() { # JOB
	emulate run scontrol show job "$1" | sed -n 's/.*RunTime=\([^ ]*\).*/\1/p' |
		awk -F'[-:]' '{ print $(NF - 2) * 3600 + $(NF - 1) * 60 + $NF }'
}

# What has become of a promise is written down a moment after its job's end.
save_history() {
	local until=$((SECONDS + 10))
	while
		emulate run build/main/contrib/pact/pact history --json >"$shown/history.json"
		[ "$(outcomes "$shown/history.json" '\(kept\|broken\)')" -lt 2 ] && [ $SECONDS -lt $until ]
	do
		sleep 0.5
	done
	emulate run build/main/contrib/pact/pact history --resizes --json >"$shown/resizes.json"
}

result_of_malleable() { # JOB JOB
	local i took names=(A-train B-train) ids=("$@")
	save_history
	say "the result"
	printf '%d times a job grew, %d times it gave nodes back when asked, %d times they were taken.\n' \
		"$(outcomes "$shown/resizes.json" grown)" "$(outcomes "$shown/resizes.json" given_back)" \
		"$(outcomes "$shown/resizes.json" taken)"
	printf 'Promises kept: %d of %d.\n' "$(outcomes "$shown/history.json" kept)" \
		"$(($(outcomes "$shown/history.json" kept) + $(outcomes "$shown/history.json" broken)))"
	for i in 0 1; do
		took=$(seconds_of "${ids[i]}")
		printf '%s took %d s; on its own 2 nodes alone its work takes %d.\n' "${names[i]}" "$took" $((malleable_work[i] / 2))
	done
	echo "All of that is in $shown (A-train.out, A-train.done, resizes.json, history.json, ...)."
	[ "$keep" = yes ] || return 0
	cat <<EOF
The cluster is still up. Watch one that grows, and ask for its nodes back:
  export PACT_EMULATE_DIR=$cluster
  : >$shown/C.done
  contrib/emulate/emulate run sbatch -J C -N2-$malleable_nodes --malleable=grace:10 -t 10 -o /dev/null \\
      $shown/job $shown $shown/C.done 1000
  contrib/emulate/emulate run build/main/contrib/pact/pact plan
  contrib/emulate/emulate run sbatch -N4 -t 1 --deadline=now+3minutes -o /dev/null --wrap 'sleep 30'
  contrib/emulate/emulate run build/main/contrib/pact/pact history --resizes
  contrib/emulate/emulate down --purge
EOF
}

show_malleable() {
	local ids
	cluster=${TMPDIR:-/tmp}/pact-quickstart-$(id -u)
	shown=$top/build/malleable
	emulate -q down --purge
	trap 'end_show' EXIT
	rm -rf "$shown"
	mkdir -p "$shown"
	write_malleable_files "$shown"
	say "starting $malleable_nodes nodes"
	apart emulate up --nodes $malleable_nodes --sched qops --submit deadline --conf "$shown/slurm.conf" \
		--plugin-dir build/main/plugins/.libs --pact-conf "$shown/pact.conf" --file "plugstack.conf=$shown/plugstack.conf" || {
		keep=no
		cp -r "$cluster/log" "$shown" && die "the cluster's logs are in $shown/log"
		exit 1
	}
	say "two jobs of 2 to $malleable_nodes nodes; then promised ones"
	cat <<EOF
A line for each change: whose each of the nodes is, and how much of its work each
job has done. Two nodes of A and of B are theirs until they end, and more are on
loan: a promised job (P, Q) is planned on these, and they are called in for it.

EOF
	ids=("$(submit_malleable A-train "${malleable_work[0]}")" "$(submit_malleable B-train "${malleable_work[1]}")")
	[[ ${ids[0]} =~ ^[0-9]+$ && ${ids[1]} =~ ^[0-9]+$ ]] || die "the jobs were not taken"
	watch_malleable
	result_of_malleable "${ids[@]}"
}
