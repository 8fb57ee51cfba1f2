#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Charm++, built with --enable-shrinkexpand for netlrts, its balancer a CentralLB. charmrun replaces itself when the program
# is resized, and binds its port again: so its remote shell may inherit nothing of it, as srun's tasks do not.
#
#	sbatch charm.sh PROGRAM [ARGUMENT...]
#
#SBATCH -N2-16 --malleable=grace:120 -t 10:00:00

nodes=$SLURM_JOB_ID.nodes
rm -f "$nodes" # of an earlier run, if the job was requeued
port=$((20000 + SLURM_JOB_ID % 10000))
pact-elastic --notice 120 --charm "localhost:$port" --nodelist "$nodes" &
elastic=$!
until [ -s "$nodes" ]; do
	sleep 1
	# It has said why.
	kill -0 $elastic 2>/dev/null || { wait $elastic; exit; }
done
# What charmrun calls as HOST COMMAND: srun, by the job's nodes as they are.
cat >"$nodes.sh" <<'END'
#!/bin/sh
unset SLURM_JOB_NODELIST SLURM_NODELIST SLURM_NNODES SLURM_JOB_NUM_NODES
unset SLURM_NTASKS SLURM_NPROCS SLURM_TASKS_PER_NODE SLURM_JOB_CPUS_PER_NODE
while case $1 in -*) true ;; *) false ;; esac; do shift; done
host=$1
shift
exec srun -w "$host" --overlap -N1 -n1 "$@"
END
chmod +x "$nodes.sh"
program=$1
shift
# As many as the list has: nodes may have come or gone since the job's variables were written.
charmrun "$program" "+p$(grep -c '^host ' "$nodes")" ++nodelist "$nodes" ++remote-shell "./$nodes.sh" \
	++server ++server-port "$port" "$@"
status=$?
kill $elastic
rm -f "$nodes" "$nodes.sh"
exit $status
