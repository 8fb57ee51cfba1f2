# SPDX-License-Identifier: GPL-2.0-or-later
# shares.sh: part of emulate; nodes whose jobs share them (--shares): each slurmd, and so its jobs, on one processor, and a
# pactd that gives the jobs so much of it and no more.
# The groups are named after slurmctld's port, which no other running cluster of this machine has.
# shellcheck shell=bash disable=SC2154,SC2034

sharing_jobs=10 # on a node at most

# In a build tree it lies beside the plugins.
find_pactd() {
	local built=$plugin_dir/../../node/pactd
	if [ -n "$plugin_dir" ] && [ -x "$built" ]; then
		readlink -f "$built"
	else
		find_tool pactd
	fi
}

# Mount points of the controllers that are used; one that has several has several names.
group_mounts() {
	local d
	for d in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpuacct /sys/fs/cgroup/cpu,cpuacct; do
		[ ! -d "$d" ] || echo "$d"
	done
}

check_shares() {
	[ "$(id -u)" = 0 ] || die "--shares needs root, for control groups"
	[ "$speed" = 1 ] || die "--shares and --speed $speed: processors have the real clock only"
	local probe=/sys/fs/cgroup/cpu/pact_probe_$$
	mkdir "$probe" 2>/dev/null && [ -w "$probe/cpu.cfs_quota_us" ] && rmdir "$probe" ||
		die "--shares: no cpu controller of control groups, version 1, that can be written" \
			"(/sys/fs/cgroup/cpu)"
	need_plugin spank_pact.so
	find_pactd >/dev/null || die "pactd is neither beside --plugin-dir nor installed"
	find_tool taskset >/dev/null || die "taskset is not installed (apt-get install util-linux)"
}

shares_lines() {
	echo "PrologFlags=Alloc"
	echo "DefMemPerNode=$((4000 / sharing_jobs))"
	echo "PlugStackConfig=$dir/etc/plugstack.conf"
}

# Of the partition of all nodes.
shares_words() {
	[ "$shares" = 0 ] || echo " OverSubscribe=FORCE:$sharing_jobs"
}

# Behind what the user's --file plugstack.conf=FILE has.
shares_plugstack() {
	echo "required spank_pact.so dir=$dir/run/%n"
}

# The processors that we may use, one a line.
processors() {
	local part list
	IFS=, read -ra list < <(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	for part in "${list[@]}"; do
		seq "${part%-*}" "${part#*-}"
	done
}

pin_node() { # NUMBER; sets pin
	local -a all
	mapfile -t all < <(processors)
	pin=(taskset -c "${all[$1 % ${#all[@]}]}")
}

start_pactd() { # NUMBER; false: it has ended, or does not listen
	start_daemon "pactd-n$1" "$(find_pactd)" -D --dir "$dir/run/n$1" --node "n$1" \
		--controller "127.0.0.1:$pact_port" --slurm-user "$(id -un)" \
		--munge-socket "$dir/munge/socket" --interval 5 --processors 1 --cap "$shares" \
		--group "pact_${ctld_port}_n$1"
	wait_until 20 pactd_settled "$1" && alive "pactd-n$1"
}

pactd_settled() { # NUMBER
	[ -S "$dir/run/n$1/sock" ] || ! alive "pactd-n$1"
}

count_pactds() {
	local i up=0
	for ((i = 1; i <= nodes; i++)); do
		! alive "pactd-n$i" || up=$((up + 1))
	done
	echo "$up"
}

# When nothing runs any more. A process that has just been killed holds its group for a moment.
remove_groups() {
	wait_until 10 groups_gone || note "control groups are left: pact_${ctld_port}_*"
}

groups_gone() {
	local mount group left=0
	for mount in $(group_mounts); do
		for group in "$mount/pact_${ctld_port}_n"*; do
			[ -d "$group" ] || continue
			find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
			[ ! -d "$group" ] || left=1
		done
	done
	return $left
}
