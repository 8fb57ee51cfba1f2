#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 00-emulate: the emulated cluster itself, with stock Slurm only (TAP).
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
emulate=$top/contrib/emulate/emulate
PATH=$PATH:/usr/sbin:/sbin

need slurmctld munged

work=$(mktemp -d "${TMPDIR:-/tmp}/emulate-t.XXXXXX") || exit 1
chmod 755 "$work"
finish() {
	"$emulate" --dir "$work/a" down >/dev/null 2>&1
	"$emulate" --dir "$work/b" down >/dev/null 2>&1
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

a() { "$emulate" --dir "$work/a" "$@"; }
b() { "$emulate" --dir "$work/b" "$@"; }
says() { # PATTERN COMMAND...
	local pattern=$1
	shift
	"$@" 2>&1 | tee /dev/stderr | grep -qE -- "$pattern"
}
eventually() { # COMMAND...
	local until=$((SECONDS + 60))
	until "$@"; do
		[ $SECONDS -lt $until ] || return 1
		sleep 0.2
	done
}
ended() { # JOB
	grep -q "^JobId=$1 .*JobState=COMPLETED" "$work/a/jobcomp.log"
}
seconds_of_jobs() { # from the first submission to the last end, on the cluster's clock
	date -d "$(sed -n "s/.* EndTime=\([^ ]*\) .*/\1/p" "$work/a/jobcomp.log" | tail -n 1)" +%s
}
knows_no_job() { # CLUSTER
	[ -z "$("$1" run squeue -h -t all)" ] && says "^[0-9]+ " "$1" run sinfo -h -o "%D %T"
}
is_there() { # PID
	[ -e "/proc/$1" ] && ! grep -qs '^State:.Z' "/proc/$1/status"
}
leftovers() {
	pgrep -af -- "$work/"
}

ok "two clusters start side by side" a up --nodes 4 --speed 30 \
	--features 2-3:big --partition "debug Nodes=n[1-2] MaxTime=10"
if [ "$(id -u)" = 0 ] && [ -e /proc/self/autogroup ]; then
	for name in munged controller; do
		ok "$name comes before the nodes" grep -q "nice -20$" "/proc/$(cat "$work/a/run/$name.pid")/autogroup"
	done
fi
printf 'KillWait=7\nMessageTimeout=77\n' >"$work/conf"
ok "the second one, with lines of its own" b up --nodes 2 --cpus 4 --select cons_tres --conf "$work/conf"
ok "a running cluster is not started again" says "already running" a up
ok "all nodes of the first are idle" says "^4 idle$" a run sinfo -h -p batch -o "%D %T"
ok "features" says "^big n\[2-3\]$" a run sinfo -h -p batch -o "%f %N"
ok "a partition more" says "^debug 10:00 2$" a run sinfo -h -p debug -o "%R %l %D"
ok "a line of --conf wins" says "MessageTimeout *= 77" b run scontrol show config
ok "a default that it does not name stays" says "JobCompType *= jobcomp/filetxt" b run scontrol show config
ok "cpus and select plugin" says "^4 2$" b run sinfo -h -o "%c %D"

before=$(a run date +%s)
real=$(date +%s)
ok "a batch job runs" a run sbatch -N3 -o /dev/null --wrap "sleep 300"
ok "and ends, on the fast clock" eventually ended 1
ok "sooner than in real time" test $(($(date +%s) - real)) -lt 150
ok "but not before its 300 seconds" test $(($(seconds_of_jobs) - before)) -ge 300
ok "srun" says "^n1$" a run srun -w n1 printenv SLURMD_NODENAME
ok "the other cluster knows nothing of it" knows_no_job b

ok "kill-controller" a kill-controller
ok "it is dead" not a kill-controller
ok "start-controller" a start-controller
ok "it takes jobs again" says "^Submitted batch job [23]$" \
	a run sbatch -J again -w n4 -o /dev/null --wrap "echo \$\$ >$work/job; (setsid sh -c 'echo \$\$ >$work/astray; exec sleep 90000' &); exec sleep 90000"
ok "the job runs, with a process that it has let go of" eventually test -s "$work/job" -a -s "$work/astray"
ok "kill-node" a kill-node 4
ok "it takes the node's job with it" not is_there "$(cat "$work/job")"
ok "and what that has let go of" not is_there "$(cat "$work/astray")"
ok "start-node" a start-node 4
ok "the node comes back" eventually says "^(idle|mixed|allocated)$" a run sinfo -h -N -n n4 -p batch -o %T

ok "a job that ignores SIGTERM runs" b run sbatch -o /dev/null --wrap "trap '' TERM; sleep 9000 & wait; sleep 9000"
ok "and is running" eventually says "^RUNNING$" b run squeue -h -o %T
# A slurmstepd that hangs, and has written its title over its mark.
cp "$(command -v sleep)" "$work/slurmstepd"
env -i setsid "$work/slurmstepd" 9000 >>"$work/b/log/n1.log" &
stray=$!
ok "down" b down
ok "what only has a file of it open is ended, too" not is_there $stray
ok "down again is no error" b down
ok "down, the first" a down
ok "no process is left" not leftovers
ok "a run without a cluster says so" says "there is no cluster" a run true

# With accounting: the second cluster again.
has_accounting() {
	command -v slurmdbd && command -v mariadbd
}
if has_accounting >/dev/null; then
	ok "a cluster with accounting" b up --nodes 1 --accounting
	ok "it is registered" says "^pact\\|127.0.0.1\\|[1-9]" b run sacctmgr -n -P list cluster format=cluster,controlhost,controlport
	ok "limits are enforced" says "AccountingStorageEnforce *= associations,limits,qos" \
		b run scontrol show config
	ok "a job runs" says "^n1$" b run srun printenv SLURMD_NODENAME
	ok "the database knows it" eventually says "^COMPLETED$" b run sacct -n -X -P -j 1 -o state
	ok "status names its daemons" says "^slurmdbd: running" b status
	ok "nobody else can reach the database" test "$(stat -c %a "$work/b/db")" = 700
	ok "down, with accounting" b down
	ok "nothing is left of it" not leftovers
	ok "its database neither" test ! -e "$work/b/db"
	ok "no fast clock for a database" says "accounting and --speed 2" b up --speed 2 --accounting
else
	tap_count=$((tap_count + 1))
	echo "ok $tap_count # SKIP slurmdbd or mariadb-server-core is not installed"
fi

# Another machine's hierarchy, or none, over our own /sys/fs/cgroup.
beside_cgroups() { # MOUNT-COMMAND COMMAND...
	unshare --mount --propagation private sh -c "umount -R /sys/fs/cgroup; $1 && exec \"\$@\"" "$@"
}
cgroups() { find /sys/fs/cgroup -name '*slurm*'; }
cgroups_before=$(cgroups)
if [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null; then
	ok "a cluster starts where no cgroups are mounted" \
		beside_cgroups "mount -t tmpfs none /sys/fs/cgroup" "$emulate" --dir "$work/b" up --nodes 2
	ok "down" b down
	ok "and where they are of version 2" \
		beside_cgroups "mount -t cgroup2 none /sys/fs/cgroup" "$emulate" --dir "$work/b" up --nodes 2
	ok "none has been made" test "$(cgroups)" = "$cgroups_before"
	ok "down" b down
	# As in root's home.
	mkdir -m 700 "$work/closed"
	cp "$(find /usr/lib -name sched_builtin.so | head -n 1)" "$work/closed/sched_own.so"
	ok "plugins in a directory that is closed to others" b up --nodes 2 --plugin-dir "$work/closed"
	ok "are no obstacle to their commands" says "^2 idle$" \
		b run setpriv --reuid=65534 --regid=65534 --clear-groups sinfo -h -o "%D %T"
	ok "down" b down
else
	for what in "no cgroups" "version 2" "closed plugins"; do
		ok "$what # SKIP mounting and other users need root" true
	done
fi
# In the tree of another Debian, where there is one.
tree=$(find "$top/.deps" -maxdepth 2 -follow -name .made-by-slurm-root 2>/dev/null | head -n 1)
ok "a directory that is no such tree" says "--root $work/closed: not made by slurm-root" b up --root "$work/closed"
if [ -n "$tree" ] && [ "$(id -u)" = 0 ] && [ -z "${PACT_ROOT-}" ] && unshare --mount true 2>/dev/null; then
	tree=${tree%/*}
	theirs=$("$top/contrib/slurm-root" run "$tree" slurmctld -V)
	mounts=$(wc -l </proc/self/mountinfo)
	ok "a cluster with another Debian's Slurm" b up --root "$tree" --nodes 2 --speed 30
	ok "its slurmctld is that" says "SLURM_VERSION *= ${theirs##* }" b run scontrol show config
	ok "so are the commands" says "^$theirs$" b run sinfo -V
	ok "a job runs there, on the fast clock" says "^n1$" b run srun -w n1 sh -c 'sleep 30; echo "$SLURMD_NODENAME"'
	ok "its status, without --root" says "^slurmd: 2 of 2 running" b status
	ok "kill-controller" b kill-controller
	ok "start-controller" b start-controller
	ok "down" b down
	ok "no process is left" not leftovers
	ok "and no mount" test "$(wc -l </proc/self/mountinfo)" = "$mounts"
	ok "a directory that cannot be seen from there" says "--dir /var/pact-emulate-t: is not seen" \
		"$emulate" --dir /var/pact-emulate-t up --root "$tree"
	rmdir /var/pact-emulate-t
	chmod 755 "$work/closed"
	ok "it is root's" says "root needs root" setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$emulate" --dir "$work/d" up --root "$tree"
	ok "and namespaces have to be allowed" says "allows no mount namespaces" setpriv \
		--bounding-set=-sys_admin --inh-caps=-sys_admin "$emulate" --dir "$work/d" up --root "$tree"
	rmdir "$work/d"
else
	tap_count=$((tap_count + 1))
	echo "ok $tap_count # SKIP there is no tree of slurm-root, or no right to use it"
fi

ok "down --purge after down" b down --purge
ok "leaves no directory" not test -e "$work/b"

ok "a bad value is named" says "speed 0" a up --speed 0
ok "a bad profile is named" says "no-such" a up --profile no-such
ok "an option twice is an error" says "--nodes 3: it is given already, as --nodes 2" a up --nodes 2 --speed 5 --nodes=3
printf 'SelectType=select/no-such\n' >"$work/conf"
ok "a slurmctld that does not start: its log is shown" says "no-such" \
	b up --nodes 2 --conf "$work/conf"
ok "and nothing is left" not leftovers
mkdir -p "$work/c" && touch "$work/c/mine"
ok "down --purge of a directory that is no cluster's" "$emulate" --dir "$work/c" down --purge
ok "leaves it alone" test -e "$work/c/mine"
tap_end
