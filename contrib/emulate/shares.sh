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

# The version of control groups that has the cpu controller here, 1 or 2; false: none that can be written.
group_version() {
	local probe=/sys/fs/cgroup/cpu/pact_probe_$$
	if grep -qw cpu /sys/fs/cgroup/cgroup.controllers 2>/dev/null; then
		[ -w /sys/fs/cgroup/cgroup.subtree_control ] && echo 2
	else
		mkdir "$probe" 2>/dev/null && [ -w "$probe/cpu.cfs_quota_us" ] && rmdir "$probe" && echo 1
	fi
}

check_shares() {
	[ "$(id -u)" = 0 ] || die "--shares needs root, for control groups"
	[ "$speed" = 1 ] || die "--shares and --speed $speed: processors have the real clock only"
	group_version >/dev/null ||
		die "--shares: no cpu controller of control groups, of version 1 or 2, that can be written" \
			"(/sys/fs/cgroup/cpu, /sys/fs/cgroup/cgroup.controllers)"
	[ "$(group_version)" = 1 ] || { slurm_groups_free && slurm_groups_begin; }
	need_plugin spank_pact.so
	find_pactd >/dev/null || die "pactd is neither beside --plugin-dir nor installed"
	find_tool taskset >/dev/null || die "taskset is not installed (apt-get install util-linux)"
}

# All controllers for what is below.
enable_below() { # DIR
	local word
	for word in $(cat "$1/cgroup.controllers"); do
		echo "+$word" >"$1/cgroup.subtree_control" 2>/dev/null || [ "$word" != cpu ] ||
			die "--shares: cannot have the cpu controller below $1"
	done
}

# What Slurm has from systemd elsewhere: the directory above those of its nodes, with all controllers. Of 22.05 one that
# is the last of cgroup.controllers is not seen, and two nodes that make that directory at once do not start. The cap is of
# a node's slurmd, too, and jobs would starve it, had it not their weight.
slurm_groups_begin() {
	local i part scope root=/sys/fs/cgroup
	mkdir -p "$root/system.slice" || die "--shares: cannot make $root/system.slice"
	enable_below "$root"
	enable_below "$root/system.slice"
	for ((i = 1; i <= nodes; i++)); do
		scope=$root/system.slice/n${i}_slurmstepd.scope
		mkdir -p "$scope" && enable_below "$scope"
		for part in slurmd system; do
			mkdir -p "$scope/$part" && echo 10000 >"$scope/$part/cpu.weight" ||
				die "--shares: cannot weigh $scope/$part"
		done
	done
}

# Slurm names its directories after nodes alone.
slurm_groups_free() {
	local i scope
	for ((i = 1; i <= nodes; i++)); do
		scope=/sys/fs/cgroup/system.slice/n${i}_slurmstepd.scope
		! grep -qx 'populated 1' "$scope/cgroup.events" 2>/dev/null ||
			die "--shares: another cluster has a node n$i, and with version 2 of control groups" \
				"its directory would be the same ($scope)"
	done
}

shares_lines() {
	echo "PrologFlags=Alloc"
	echo "DefMemPerNode=$((4000 / sharing_jobs))"
	echo "PlugStackConfig=$dir/etc/plugstack.conf"
}

# With version 2 the weights are written to directories that Slurm makes.
slurm_groups() {
	[ "$shares" != 0 ] && [ "$(group_version)" = 2 ]
}

proctrack() {
	if slurm_groups; then echo cgroup; else echo linuxproc; fi
}

cgroup_lines() {
	if slurm_groups; then
		printf 'CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n'
	else
		echo "CgroupPlugin=cgroup/v1"
	fi
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
slurm_groups_gone() {
	local i scope left=0
	for ((i = 1; i <= nodes; i++)); do
		scope=/sys/fs/cgroup/system.slice/n${i}_slurmstepd.scope
		[ -d "$scope" ] || continue
		find "$scope" -depth -type d -exec rmdir {} + 2>/dev/null
		[ ! -d "$scope" ] || left=1
	done
	return $left
}

remove_groups() {
	wait_until 10 groups_gone || note "control groups are left: pact_${ctld_port}_*, or with version 2 n*_slurmstepd.scope"
}

groups_gone() {
	local mount group left=0
	if slurm_groups; then
		slurm_groups_gone
		return
	fi
	for mount in $(group_mounts); do
		for group in "$mount/pact_${ctld_port}_n"*; do
			[ -d "$group" ] || continue
			find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
			[ ! -d "$group" ] || left=1
		done
	done
	return $left
}
