#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A worker on each node, which takes tasks from a directory that all nodes see. A task is a file; a worker renames it, so that
# no other one takes it, and puts it back when it has to go.
#
#	sbatch workers.sh DIRECTORY
#
#SBATCH -N4-16 --malleable -t 10:00:00

case $1 in
--work)
	dir=$2 task=
	trap '[ ! "$task" ] || mv "$dir/$task.taken" "$dir/$task"; exit 0' TERM
	while task=$(find "$dir" -maxdepth 1 -name '*.task' -printf '%f\n' | shuf -n1) && [ "$task" ]; do
		mv "$dir/$task" "$dir/$task.taken" 2>/dev/null || { task=; continue; }
		# In the background, so that TERM is heard at once.
		sh "$dir/$task.taken" &
		wait $! && mv "$dir/$task.taken" "$dir/${task%.task}.done"
	done
	;;
*)
	exec pact-elastic -- "$(readlink -f "$0")" --work "$1"
	;;
esac
