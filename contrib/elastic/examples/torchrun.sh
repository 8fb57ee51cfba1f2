#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Elastic training: torchrun on each node finds the others by the first node. When nodes come or go it starts the workers
# anew, from the program's latest checkpoint: PROGRAM.py has to write and read one. On each node it has a worker for each GPU
# that it sees there, which Slurm is not to hand out (--gpus, --gres): such a job is not resized. Without any, one for each CPU.
# Its options are spelled as all of its releases know them. --nnodes is to be what -N is.
#
#	sbatch torchrun.sh PROGRAM.py [ARGUMENT...]
#
#SBATCH -N4-16 --malleable -t 10:00:00

exec pact-elastic --restarts 3 -- torchrun --nnodes=4:16 --nproc_per_node=auto --max_restarts=100 \
	--rdzv_backend=c10d --rdzv_endpoint="$(hostname):29400" --rdzv_id="$SLURM_JOB_ID" "$@"
