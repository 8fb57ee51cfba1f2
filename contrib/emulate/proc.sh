# SPDX-License-Identifier: GPL-2.0-or-later
# proc.sh: part of emulate; starts, watches and ends the processes of a cluster.
# run/NAME.pid holds a daemon's number; it is running while that process has our directory on its
# command line. Descriptor 9 is the lock on the choice of ports: no daemon may inherit it.
# shellcheck shell=bash disable=SC2154

find_tool() { # NAME; prints its path
	PATH="$PATH:/usr/sbin:/sbin:/usr/local/sbin" command -v "$1"
}

# A cluster begins empty: what an earlier one has left in the directory goes.
prepare_dir() {
	local i
	(umask 022 && mkdir -p "$dir" && chmod 755 "$dir" &&
		rm -rf "$dir"/run/* "$dir"/log/* "$dir"/state/* "$dir"/spool/* "$dir"/etc/* \
			"$dir/db" "$dir/jobcomp.log" &&
		mkdir -p "$dir/etc" "$dir/run/own" "$dir/log" "$dir/state" "$dir/spool") || return 1
	for ((i = 1; i <= nodes; i++)); do
		echo "$dir/spool/n$i"
	done | xargs mkdir -p
	(umask 077 && mkdir -p "$dir/munge" && rm -f "$dir/munge/key" &&
		head -c 1024 /dev/urandom >"$dir/munge/key" && chmod 400 "$dir/munge/key") &&
		chmod 755 "$dir/munge"
}

# ---- ports ----

# Held until the daemons listen, so that two clusters do not choose the same ports.
lock_ports() {
	local lock="${TMPDIR:-/tmp}/pact-emulate.lock"
	(umask 000 && : >>"$lock") 2>/dev/null
	if { exec 9<"$lock"; } 2>/dev/null; then
		flock -w 120 9 || die "another cluster has been starting for two minutes ($lock)"
	fi
}

# A free block below the kernel's range for clients: slurmctld, one port for each node, slurmdbd, and where
# slurmctld hears what nodes report.
choose_ports() {
	local used try base
	used=$(awk 'FNR > 1 { split($2, a, ":"); print a[2] }' /proc/net/tcp /proc/net/tcp6 \
		2>/dev/null | while read -r p; do echo $((16#$p)); done | sort -un)
	for ((try = 0; try < 200; try++)); do
		base=$((11000 + RANDOM % (20000 - nodes - 2)))
		if awk -v a="$base" -v b=$((base + nodes + 2)) '$1 >= a && $1 <= b { hit = 1 } END { exit hit }' \
			<<<"$used"; then
			ctld_port=$base slurmd_port=$base dbd_port=$((base + nodes + 1))
			pact_port=$((base + nodes + 2))
			return
		fi
	done
	die "found no $((nodes + 3)) free ports side by side between 11000 and 31000"
}

# ---- the clock ----

# All processes have to share one base of time: it lies in shared memory that `faketime` makes and
# removes, so one faketime stays for the life of the cluster, around a process that only waits.
start_clock() {
	clock=()
	[ "$speed" != 1 ] || return 0
	PACT_CLOCK="$dir/run/clock.env" setsid faketime -f "+0 x$speed" bash -c '
		printf "%s\n" "LD_PRELOAD=$LD_PRELOAD" "FAKETIME=$FAKETIME" \
			"FAKETIME_SHARED=$FAKETIME_SHARED" >"$PACT_CLOCK.new"
		mv "$PACT_CLOCK.new" "$PACT_CLOCK"
		unset LD_PRELOAD
		exec -a "clock of $PACT_CLOCK" sleep infinity' \
		>"$dir/log/clock.log" 2>&1 9>&- </dev/null &
	wait_until 10 test -s "$dir/run/clock.env" ||
		fail_up "faketime does not start" "$dir/log/clock.log"
	load_clock
	# The waiting process, not faketime: when it ends, faketime cleans up and ends too.
	pgrep -P $! >"$dir/run/clock.pid"
	echo $! >"$dir/run/faketime"
	share_clock
}

# Jobs of other users need the clock too.
share_clock() {
	[ "$(id -u)" = 0 ] || return 0
	local name
	for name in ${clock[2]#FAKETIME_SHARED=}; do
		chmod 666 "/dev/shm/${name#/}" "/dev/shm/sem.${name#/}" 2>/dev/null
	done
	return 0
}

load_clock() {
	clock=()
	if [ -r "$dir/run/clock.env" ]; then
		mapfile -t clock <"$dir/run/clock.env"
	fi
}

in_cluster() {
	env ${clock+"${clock[@]}"} "$@"
}

# ---- starting ----

wait_until() { # SECONDS COMMAND...; polls in real time
	local until=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $until ] || return 1
		sleep 0.1
	done
}

# The environment of the daemons is marked, so that what they leave behind can be told from others.
start_daemon() { # NAME COMMAND...
	local name=$1
	shift
	setsid env ${clock+"${clock[@]}"} PACT_EMULATE_DAEMON="$dir" "$@" \
		>>"$dir/log/$name.out" 2>&1 9>&- </dev/null &
	echo $! >"$dir/run/$name.pid"
	wait_until 10 replaced $! || true
	disown
}

# On a busy machine a process that has just been started may for a while still be a copy of this script, which
# would not be known as a daemon.
replaced() { # PID
	! cmp -s "/proc/$1/cmdline" "/proc/$$/cmdline"
}

# What all nodes wait for, first. Linux shares the processors among sessions before it looks at how nice a process is
# (sched_autogroup), and each daemon, and each step on a node, has one of its own: without this a step on hundreds of nodes
# leaves munged a few hundredths of a processor. Only root may; without it hundreds of nodes are a matter of luck.
put_first() { # NAME
	local pid
	{ read -r pid <"$dir/run/$1.pid" && echo -20 >"/proc/$pid/autogroup"; } 2>/dev/null || true
}

# On the real clock: the life of its credentials is then real time, which is what a loaded machine
# needs. A step on all nodes makes hundreds of processes ask at one instant.
start_munged() {
	local -a clock=()
	start_daemon munged "$(find_tool munged)" --foreground --socket="$dir/munge/socket" \
		--key-file="$dir/munge/key" --pid-file="$dir/munge/pid" \
		--seed-file="$dir/munge/seed" --log-file="$dir/log/munged.log" --num-threads=10
	wait_until 20 munged_settled && alive munged ||
		fail_up "munged does not start" "$dir/log/munged.out"
	put_first munged
	# Only wide jobs need it, so a system that does not let us is no reason to stop.
	"$here/widen-backlog" "$(cat "$dir/run/munged.pid")" "$dir/munge/socket" \
		>>"$dir/log/munged.out" 2>&1
	return 0
}

munged_settled() {
	[ -S "$dir/munge/socket" ] || ! alive munged
}

controller_name() { # primary|backup
	if [ "$1" = primary ]; then
		echo controller
	else
		echo backup
	fi
}

# From 23.11 on `scontrol reconfigure` and SIGHUP start a new slurmctld, and the old one goes on if that fails:
# but for `slurmctld -D`, which becomes the new one in place, and is gone if it fails. So it runs as a daemon
# there, as packages have it. A wrapper needs -D: it would not see the daemon.
controller_forks() {
	local version
	[ -z "$wrapper" ] || return 1
	version=$("$(find_tool slurmctld)" -V | sed 's/^[^ ]* //')
	printf '%s\n' 23.11 "$version" | sort -CV
}

# It writes its number into its own pid file, and that of each process that takes over.
start_forking() { # NAME COMMAND...
	local name=$1 own=$dir/run/own/slurmctld.pid
	shift
	[ "$backup" = no ] || own=$dir/run/own-$name/slurmctld.pid
	rm -f "$own" "$dir/run/$name.pid"
	ln -s "$own" "$dir/run/$name.pid"
	setsid env ${clock+"${clock[@]}"} PACT_EMULATE_DAEMON="$dir" "$@" >>"$dir/log/$name.out" 2>&1 9>&- </dev/null &&
		wait_until 20 test -s "$own"
}

start_controller() { # primary|backup
	local name start=start_daemon foreground=-D
	local -a words
	name=$(controller_name "$1")
	! controller_forks || { start=start_forking foreground=; }
	# shellcheck disable=SC2206,SC2086
	words=($wrapper "$(find_tool slurmctld)" $foreground -f "$dir/etc/slurm.conf" -L "$dir/log/$name.log")
	if [ "$backup" = yes ]; then
		write_hosts
		# A host of its own: name, hosts file, and place for its pid file, because a slurmctld
		# ends the process that it finds in there. unshare execs, so the number stays right.
		mkdir -p "$dir/run/own-$name"
		# shellcheck disable=SC2016
		words=(unshare --mount --uts sh -c '
			mount --bind "$0/etc/hosts" /etc/hosts && mount --bind "$0/run/own-$1" "$0/run/own" &&
			hostname "$2" && shift 2 && exec "$@"'
			"$dir" "$name" "$host-$([ "$1" = primary ] && echo 1 || echo 2)" "${words[@]}")
	fi
	"$start" "$name" "${words[@]}"
	if [ "$1" = primary ]; then
		wait_until $([ -n "$wrapper" ] && echo 300 || echo 60) controller_settled && alive "$name" ||
			fail_up "slurmctld does not start" "$dir/log/$name.log" "$dir/log/$name.out"
	fi
	put_first "$name"
}

write_hosts() {
	{
		echo "127.0.0.1 localhost $host-1"
		echo "127.0.0.2 $host-2"
		echo "127.0.0.1 $host"
	} >"$dir/etc/hosts"
}

controller_settled() {
	! alive controller && return
	in_cluster timeout $((5 * speed)) scontrol ping 2>/dev/null | grep -q '(primary).* is UP'
}

# Nicer than munged, slurmctld and clients, which hundreds of them would otherwise keep waiting, where there is no
# sched_autogroup (see put_first()): at speed 60, munge's clients give up after 2 s / 60.
start_node() { # NUMBER [SLURMD-OPTION]
	local -a pin=()
	[ "$shares" = 0 ] || pin_node "$1"
	start_daemon "n$1" ${pin+"${pin[@]}"} nice -n 10 "$(find_tool slurmd)" -D -N "n$1" -f "$dir/etc/slurm.conf" ${2+"$2"}
}

# Slurm's own packages are built for one slurmd on a machine. There slurmds become idle all the same, but slurmctld has no
# address of any but the first: a job of these stays COMPLETING. A controller that does not answer is for others to tell.
shares_host() {
	local config
	config=$(in_cluster scontrol show config 2>/dev/null) || return 0
	[[ $config == *MULTIPLE_SLURMD* ]]
}

all_idle() {
	[ "$(in_cluster sinfo -h -N -o '%N %T' 2>/dev/null | sort -u |
		awk '$2 == "idle" { n++ } END { print n + 0 }')" = "$nodes" ] || ! alive controller || ! alive n1
}

wait_idle() {
	local bad
	wait_until $((60 + nodes / 4)) all_idle && alive controller && alive n1 && return
	alive controller || fail_up "slurmctld has ended" "$dir/log/controller.log" "$dir/log/controller.out"
	alive n1 || fail_up "slurmd has ended" "$dir/log/n1.log" "$dir/log/n1.out"
	in_cluster sinfo -l >&2
	bad=$(in_cluster sinfo -h -N -o '%N %T' | awk '$2 != "idle" { print $1; exit }')
	fail_up "not all nodes are idle; the first that is not: $bad" "$dir/log/${bad:-n1}.log"
}

# ---- ending ----

# Is NAME still the process that was recorded?
alive() { # NAME
	local pid
	[ -r "$dir/run/$1.pid" ] && read -r pid <"$dir/run/$1.pid" && ours "$pid"
}

# A process that is becoming another program has no command line for a moment, a zombie never.
ours() { # PID
	local try line
	[ -n "$1" ] || return 1
	for try in 1 2 3 4 5 6 7 8 9 10; do
		line=$({ tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null)
		[ -z "$line" ] && [ -d "/proc/$1" ] || break
		! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null || return 1
		sleep 0.02
	done
	grep -qF -e "$dir/" <<<"$line"
}

any_alive() {
	local f
	for f in "$dir"/run/*.pid; do
		f=${f##*/}
		alive "${f%.pid}" && return
	done
	return 1
}

kill_hard() { # NAME
	local pid
	alive "$1" || return 1
	read -r pid <"$dir/run/$1.pid"
	kill -KILL "$pid" 2>/dev/null
	wait_until 10 gone "$pid"
}

# A zombie is gone: where nobody collects orphans, they stay.
gone() { # PID...
	local pid
	for pid; do
		[ ! -e "/proc/$pid" ] || grep -qs '^State:.Z' "/proc/$pid/status" || return 1
	done
}

# Processes with this in their environment.
marked() { # NAME=VALUE
	grep -lzxF -e "$1" /proc/[0-9]*/environ 2>/dev/null | sed 's#^/proc/##; s#/environ$##'
}

# slurmstepd writes its title over its command line, and over what follows: its mark may be gone, too. Then, as for which
# node's it is, the files tell that it has open.
step_daemons() { # [NODE]
	local pid ours theirs
	ours=$(marked "PACT_EMULATE_DAEMON=$dir")
	theirs=$(grep -lz '^PACT_EMULATE_DAEMON=' /proc/[0-9]*/environ 2>/dev/null | sed 's#^/proc/##; s#/environ$##')
	for pid in $(pgrep -x slurmstepd); do
		if [ $# != 0 ] || ! is_among "$pid" "$theirs"; then
			! has_open "$pid" "${1-*}" || echo "$pid"
		else
			! is_among "$pid" "$ours" || echo "$pid"
		fi
	done
}

is_among() { # WORD LINES
	[[ $'\n'$2$'\n' == *$'\n'$1$'\n'* ]]
}

# NODE may be a pattern.
has_open() { # PID NODE; any of the node's files
	local file
	while read -r file; do
		# shellcheck disable=SC2053
		[[ $file != "$dir/log/"$2.log && $file != "$dir/spool/"$2/* ]] || return 0
	done < <(readlink "/proc/$1/fd"/* 2>/dev/null)
	return 1
}

# What is left of a node whose slurmd is gone: a step that it was just starting, which is still a copy of it or has become a
# slurmstepd, all below, and what a job has let go of.
node_leftovers() { # NODE
	local pid
	for pid in $(marked "PACT_EMULATE_DAEMON=$dir"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != slurmd ] || ! has_open "$pid" "$1" || echo "$pid"
	done
	step_daemons "$1"
	for pid in $(marked "SLURMD_NODENAME=$1"); do
		! grep -qzxF "SLURM_CONF=$dir/etc/slurm.conf" "/proc/$pid/environ" 2>/dev/null || [ "$pid" = $$ ] || echo "$pid"
	done
}

# A process and all below it.
trees() { # PID...
	local pid
	for pid; do
		echo "$pid"
		# shellcheck disable=SC2046
		trees $(pgrep -P "$pid")
	done
}

kill_node() { # NUMBER; as if its plug were pulled
	local -a pids
	local round
	alive "n$1" || return 1
	# shellcheck disable=SC2046
	mapfile -t pids < <(trees $(step_daemons "n$1"))
	kill_hard "n$1"
	# Nothing new comes once a round finds nothing.
	for round in 1 2 3 4 5 6 7 8 9 10; do
		if [ ${#pids[@]} -gt 0 ]; then
			kill -KILL "${pids[@]}" 2>/dev/null
			wait_until 5 gone "${pids[@]}"
		fi
		# shellcheck disable=SC2046
		mapfile -t pids < <(trees $(node_leftovers "n$1"))
		[ ${#pids[@]} -gt 0 ] || return 0
	done
	die "processes of n$1 do not end: ${pids[*]}"
}

# A job in its ending phase still has a slurmstepd: wait for it, or it would be left over.
cancel_jobs() {
	alive controller || alive backup || return 0
	local jobs
	jobs=$(timeout 20 env ${clock+"${clock[@]}"} squeue -h -a -o %A 2>/dev/null | sort -u)
	[ -n "$jobs" ] || return 0
	# shellcheck disable=SC2086
	echo $jobs | timeout 60 env ${clock+"${clock[@]}"} xargs -n 500 scancel -Q >/dev/null 2>&1
	wait_until 10 no_steps
}

no_steps() {
	[ -z "$(step_daemons)" ]
}

# Processes that jobs of this cluster have left: they know its slurm.conf and a job number.
job_leftovers() {
	local pid
	for pid in $(marked "SLURM_CONF=$dir/etc/slurm.conf"); do
		grep -qz '^SLURM_JOB_ID=' "/proc/$pid/environ" 2>/dev/null && [ "$pid" != $$ ] && echo "$pid"
	done
}

# What is still there after that: a slurmstepd ignores SIGTERM, and a slurmd may have been about to
# start one. Nothing new comes once a round finds nothing.
sweep() {
	local -a pids
	local round
	for round in 1 2 3 4 5; do
		# shellcheck disable=SC2046
		mapfile -t pids < <(trees $({ marked "PACT_EMULATE_DAEMON=$dir"; step_daemons; } | sort -u); job_leftovers)
		[ ${#pids[@]} -gt 0 ] || return 0
		kill -KILL "${pids[@]}" 2>/dev/null
		wait_until 5 gone "${pids[@]}"
	done
}

take_down() {
	local -a pids=()
	local f pid faketime=
	trap '' INT HUP
	cancel_jobs
	# shellcheck disable=SC2046
	mapfile -t pids < <(trees $(step_daemons))
	for f in "$dir"/run/*.pid; do
		[ -e "$f" ] && read -r pid <"$f" && ours "$pid" && pids+=("$pid")
	done
	mapfile -t -O ${#pids[@]} pids < <(job_leftovers)
	if [ -r "$dir/run/faketime" ] && read -r pid <"$dir/run/faketime" &&
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = faketime ]; then
		faketime=$pid
	fi
	if [ ${#pids[@]} -gt 0 ]; then
		kill -TERM "${pids[@]}" 2>/dev/null
		wait_until 15 gone "${pids[@]}" || kill -KILL "${pids[@]}" 2>/dev/null
		wait_until 5 gone "${pids[@]}"
	fi
	sweep
	[ "${shares:-0}" = 0 ] || remove_groups
	# It removes its shared memory and ends after the process that it was waiting for.
	[ -z "$faketime" ] || wait_until 5 gone "$faketime"
	rm -rf "$dir"/run/*.pid "$dir/run/clock.env" "$dir/run/faketime" "$dir/settings" "$dir/db"
}
