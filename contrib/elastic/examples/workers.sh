#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A worker on each node, which takes tasks from a directory that all nodes see. A task is a file, NAME.task; a worker renames it,
# so that no other one takes it, to NAME.done when it is done, or NAME.failed, and puts it back when it has to go. What a worker
# that was killed had taken is for the next round, and runs again. If a task failed, so has the job. Each directory is for one job.
#
#	sbatch workers.sh DIRECTORY
#
#SBATCH -N4-16 --malleable -t 10:00:00

case $1 in
--work)
	# By its node, what this one has taken: a TERM can come at any moment.
	dir=$2 mine=taken-by-$(hostname)-$$
	give_up() {
		if [ "$child" ] && kill "$child" 2>/dev/null; then
			wait "$child" 2>/dev/null
		fi
		for task in "$dir"/*."$mine"; do
			[ ! -e "$task" ] || mv "$task" "${task%."$mine"}"
		done
		exit 0
	}
	child=
	trap give_up TERM
	while task=$(find "$dir" -maxdepth 1 -name '*.task' -printf '%f\n' | shuf -n1) && [ "$task" ]; do
		mv "$dir/$task" "$dir/$task.$mine" 2>/dev/null || continue
		# In the background, so that TERM is heard at once.
		sh "$dir/$task.$mine" &
		child=$!
		if wait $child; then end=done; else end=failed; fi
		mv "$dir/$task.$mine" "$dir/${task%.task}.$end"
		child=
	done
	;;
*)
	# The batch script is a copy that only the job's first node has.
	cp "$0" "$1/workers.sh" || exit
	# Between two rounds there is no worker: what is taken then was taken by one that was killed.
	put_back() {
		for task in "$1"/*.task.taken-by-*; do
			[ ! -e "$task" ] || mv "$task" "${task%.taken-by-*}"
		done
	}
	put_back "$1"
	# What a worker puts back when no other one looks for tasks any more is for another round.
	while [ "$(find "$1" -maxdepth 1 -name '*.task' -print -quit)" ]; do
		pact-elastic -- sh "$1/workers.sh" --work "$1" || exit
		put_back "$1"
	done
	[ ! "$(find "$1" -maxdepth 1 -name '*.failed' -print -quit)" ]
	;;
esac
