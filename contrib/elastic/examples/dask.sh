#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Dask: the scheduler and the program on the first node, a worker on each. A worker that gets TERM leaves (--lifetime would do
# the same by the clock): what it was at, and the results that it alone had, the scheduler has others compute again. So a task
# may run more than once; and one that was on more workers that left than distributed.scheduler.allowed-failures (3) says fails:
# raise that where loans are called in often.
#
#	sbatch dask.sh PROGRAM.py		(it finds the scheduler in DASK_SCHEDULER_ADDRESS)
#
#SBATCH -N2-16 --malleable -t 10:00:00

DASK_SCHEDULER_ADDRESS=tcp://$(hostname):8786
export DASK_SCHEDULER_ADDRESS
dask-scheduler --port 8786 --no-dashboard &
scheduler=$!
pact-elastic -- dask-worker "$DASK_SCHEDULER_ADDRESS" --no-dashboard --death-timeout 60 &
workers=$!
python3 "$1"
status=$?
kill $workers
wait $workers
kill $scheduler
exit $status
