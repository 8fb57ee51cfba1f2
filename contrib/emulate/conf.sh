# SPDX-License-Identifier: GPL-2.0-or-later
# conf.sh: part of emulate; writes slurm.conf and what lies beside it.
# A key of the user's --conf file replaces the default of the same key; NodeName and PartitionName
# lines are added to ours.
# shellcheck shell=bash disable=SC2154,SC2034

# The machines of the papers: name, nodes, what it was.
profiles="
ctc-sp2 430 Cornell Theory Center, IBM SP2
sdsc-sp2 128 San Diego Supercomputer Center, IBM SP2
kth-sp2 100 Royal Institute of Technology Stockholm, IBM SP2
pc2-hpcline 96 Paderborn Center for Parallel Computing, Fujitsu-Siemens hpcLine
llnl-blue 320 Lawrence Livermore National Laboratory, ASCI Blue-Pacific
turing 64 a cluster of 64 nodes
"

list_profiles() {
	local name n what
	while read -r name n what; do
		[ -z "$name" ] || printf '%-12s %4d nodes  %s\n' "$name" "$n" "$what"
	done <<<"$profiles"
}

set_profile() { # NAME
	local name n what
	while read -r name n what; do
		if [ -n "$name" ] && [ "$name" = "$1" ]; then
			profile=$name nodes=$n
			return
		fi
	done <<<"$profiles"
	die "--profile $1: no such profile ($prog list shows them)"
}

cluster_name=pact

stock_plugin_dir() {
	local d
	for d in /usr/lib/*/slurm-wlm /usr/lib/*/slurm /usr/lib64/slurm /usr/lib/slurm \
		/usr/local/lib/slurm; do
		if [ -r "$d/auth_munge.so" ]; then
			echo "$d"
			return
		fi
	done
	return 1
}

# Commands load plugins too. A directory of root's that is closed to other users is copied: else their
# commands would not start.
open_plugin_dir() {
	local copies="$dir/etc/plugins"
	# shellcheck disable=SC2016
	if [ -z "$plugin_dir" ] || [ "$(id -u)" != 0 ] ||
		setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
			for f in "$0"/*.so; do [ -r "$f" ] || exit 1; done' "$plugin_dir"; then
		echo "$plugin_dir"
		return
	fi
	mkdir -p -m 755 "$copies"
	install -m 755 "$plugin_dir"/*.so "$copies"
	echo "$copies"
}

# Seconds that stand for the work of real machines pass N times faster too: N times as many of them.
scaled() { # SECONDS
	local s=$(($1 * speed))
	echo $((s > 65000 ? 65000 : s))
}

controller_lines() {
	if [ "$backup" = yes ]; then
		echo "SlurmctldHost=$host-1(127.0.0.1)"
		echo "SlurmctldHost=$host-2(127.0.0.2)"
		echo "CommunicationParameters=NoCtldInAddrAny"
	else
		echo "SlurmctldHost=$host(127.0.0.1)"
	fi
}

scheduler_lines() {
	if [ "$sched" = stock ]; then
		echo "SchedulerType=sched/backfill"
	else
		echo "SchedulerType=sched/$sched"
		echo "SchedulerParameters=sched_interval=-1,defer"
	fi
	[ "$submit" = none ] || echo "JobSubmitPlugins=$submit"
	if [ "$select" = linear ]; then
		echo "SelectType=select/linear"
		[ "$shares" = 0 ] || echo "SelectTypeParameters=CR_Memory"
	else
		echo "SelectType=select/cons_tres"
		echo "SelectTypeParameters=CR_Core$([ "$shares" = 0 ] || echo _Memory)"
	fi
}

default_lines() {
	local user plugins
	user=$(id -un)
	plugins=$(open_plugin_dir)
	cat <<EOF
ClusterName=$cluster_name
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=$(scaled 120)
PluginDir=${plugins:+$plugins:}$(stock_plugin_dir)
SlurmctldPort=$ctld_port
SlurmctldPidFile=$dir/run/own/slurmctld.pid
SlurmctldLogFile=$dir/log/controller.log
SlurmctldDebug=info
SlurmdPidFile=$dir/run/own/%n.pid
SlurmdLogFile=$dir/log/%n.log
SlurmdDebug=info
SlurmdSpoolDir=$dir/spool/%n
StateSaveLocation=$dir/state
ProctrackType=proctrack/$(proctrack)
TaskPlugin=task/none
PriorityType=priority/basic
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/jobcomp.log
SlurmdParameters=config_overrides
ReturnToService=2
MessageTimeout=$(scaled $((speed > 1 ? 30 : 10)))
TCPTimeout=$(scaled $((speed > 1 ? 10 : 2)))
SlurmctldTimeout=$(scaled 120)
SlurmdTimeout=$(scaled 300)
BatchStartTimeout=$(scaled 30)
EioTimeout=$(scaled 60)
UnkillableStepTimeout=$(scaled 60)
EOF
	controller_lines
	scheduler_lines
	accounting_lines
	[ "$shares" = 0 ] || shares_lines
}

# The --conf file, and the defaults that it does not replace.
merged_lines() {
	default_lines >"$dir/etc/defaults"
	awk -F= '
		function key(line) { sub(/^[ \t]*/, "", line); sub(/[ \t]*=.*/, "", line); return tolower(line) }
		FILENAME != defaults { if ($0 !~ /^[ \t]*(#|$)/) own[key($0)] = 1; next }
		!(key($0) in own)
	' defaults="$dir/etc/defaults" "${conf:-/dev/null}" "$dir/etc/defaults"
	rm -f "$dir/etc/defaults"
	if [ -n "$conf" ]; then
		cat "$conf"
		echo
	fi
}

# One NodeName line for each run of nodes that are alike.
node_lines() {
	local -a extra=()
	local i first entry part from to list
	for ((i = 1; i <= nodes + 1; i++)); do
		extra[i]=
	done
	for entry in ${node_extra+"${node_extra[@]}"}; do
		IFS=, read -ra list <<<"${entry%%:*}"
		for part in "${list[@]}"; do
			from=${part%-*} to=${part#*-}
			[ "$to" -le "$nodes" ] || die "--node $entry: there are only $nodes nodes"
			for ((i = from; i <= to; i++)); do
				extra[i]+=" ${entry#*:}"
			done
		done
	done
	extra[nodes + 1]=end
	first=1
	for ((i = 1; i <= nodes; i++)); do
		if [ "${extra[i]}" != "${extra[i + 1]}" ]; then
			node_line "$first" "$i" "${extra[i]}"
			first=$((i + 1))
		fi
	done
}

node_line() { # FIRST LAST EXTRA
	local range="$1-$2" ports="$((slurmd_port + $1))-$((slurmd_port + $2))" words=
	[[ $3 == *CPUs=* || $3 == *Sockets=* ]] || words+=" CPUs=$cpus"
	[[ $3 == *RealMemory=* ]] || words+=" RealMemory=4000"
	echo "NodeName=n[$range] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$ports]$words$3 State=UNKNOWN"
}

partition_lines() {
	local line
	if ! printf '%s\n' ${partitions+"${partitions[@]}"} | cat - "${conf:-/dev/null}" |
		grep -qiE '^[^#]*Default=YES'; then
		echo "PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE State=UP$(shares_words)"
	fi
	for line in ${partitions+"${partitions[@]}"}; do
		echo "PartitionName=$line"
	done
}

# Written whole and moved into place: daemons and clients may read it at any time.
write_conf() {
	local entry
	{
		merged_lines
		node_lines
		partition_lines
	} >"$dir/etc/slurm.conf.new" || die "cannot write $dir/etc/slurm.conf"
	mv "$dir/etc/slurm.conf.new" "$dir/etc/slurm.conf"
	# slurmd loads a cgroup plugin whether anything uses it or not, and does not start where there is
	# no hierarchy, or one that is systemd's. Version 1 touches nothing until it is asked.
	cgroup_lines >"$dir/etc/cgroup.conf"
	rm -f "$dir/etc/pact.conf"
	[ -z "$pact_conf" ] || cp "$pact_conf" "$dir/etc/pact.conf"
	# The query socket is our own too; what cannot be read as a file is left for the plugin to refuse.
	if [ "$sched" != stock ] && { [ ! -e "$dir/etc/pact.conf" ] || [ -f "$dir/etc/pact.conf" ]; } &&
		! grep -qi '^[[:space:]]*socket=' "$dir/etc/pact.conf" 2>/dev/null; then
		printf '\nSocket=%s\n' "$dir/run/pact.sock" >>"$dir/etc/pact.conf"
	fi
	[ "$shares" = 0 ] || [ ! -f "$dir/etc/pact.conf" ] ||
		grep -qi '^[[:space:]]*reportport=' "$dir/etc/pact.conf" ||
		printf '\nReportPort=%s\n' "$pact_port" >>"$dir/etc/pact.conf"
	rm -f "$dir/etc/plugstack.conf"
	for entry in ${files+"${files[@]}"}; do
		cp "${entry#*=}" "$dir/etc/${entry%%=*}"
	done
	[ "$shares" = 0 ] || shares_plugstack >>"$dir/etc/plugstack.conf"
}
