# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh: `quickstart check`, a part of quickstart: all tests, and what they made of it in one last line.
# shellcheck shell=bash disable=SC2154

# What of testsuite/emulated runs with the Slurm of the other release, too: how the names begin.
on_both="20-admission 22-changes 23-arrays 31-reconfigure 41-restart 43-faults 58-late 63-pact 64-record"
on_both+=" 71-dynp 80-realms 85-gang 87-migration 90-resize 91-malleable 92-elastic 96-counted"

# For what is only tested: -O1 compiles in half the time, and -g1, which has what a report of a sanitizer shows, in two thirds of that.
quick_cflags='-g1 -O1'

passed=0 failed=0 skipped=0
tree=

count() { # PASSED FAILED SKIPPED
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# `make check` has its own summary: one line for each kind of result.
judge_check() { # NAME STATUS
	local log=build/check/$1.log p f s
	sum_up "$log"
	if [ "$2" != 0 ]; then
		show_failures "$1"
		[ "$f" -gt 0 ] || f=1
		[ "$p" = 0 ] || check_again "$1" # else it did not come to its summary
	fi
	[ "$p" -gt 0 ] || f=$((f + 1))
	echo "$p passed, $f failed, $s skipped"
	count "$p" "$f" "$s"
}

# Sets p, f and s.
sum_up() { # LOG
	p=$(total PASS "$1") f=$(($(total FAIL "$1") + $(total ERROR "$1") + $(total XPASS "$1")))
	s=$(total SKIP "$1")
}

show_failures() { # NAME
	grep -E '^(FAIL|ERROR|XPASS):|[Ee]rror' "build/check/$1.log" | head -n 20
	[ -r "build/check/$1.suite.log" ] && tail -n 40 "build/check/$1.suite.log"
}

results() { # KIND TEST LOG
	awk -v kind="$1:" -v test="$2" '$1 == kind && $2 == test { n++ } END { print n + 0 }' "$3"
}

# What failed is run once more, when nothing is beside it, and that counts, as with the scripts on emulated clusters (testsuite/lanes):
# a busy machine's late second does not repeat itself; a bug does. Changes p, f and s.
check_again() { # NAME
	local was=build/check/$1.log again=$1.again tests test status before=("$p" "$s")
	tests=$(sed -nE 's/^(FAIL|ERROR|XPASS): ([^ ]+).*/\2/p' "$was" | sort -u | tr '\n' ' ')
	[ -n "$tests" ] || return
	echo "---- run again, alone, and that counts: $tests"
	# shellcheck disable=SC2086
	${make_of[$1]} -j1 check check_PROGRAMS= TESTS="$tests" >"build/check/$again.log" 2>&1 </dev/null
	status=$?
	cp "${tree_of[$1]}/test-suite.log" "build/check/$again.suite.log" 2>/dev/null
	sum_up "build/check/$again.log"
	p=$((p + before[0])) s=$((s + before[1]))
	for test in $tests; do
		p=$((p - $(results PASS "$test" "$was"))) s=$((s - $(results SKIP "$test" "$was")))
	done
	[ $status = 0 ] || { show_failures "$again"; [ "$f" -gt 0 ] || f=1; }
}

total() { # KIND LOG
	sed -n "s/^# $1: *\([0-9]*\)\$/\1/p" "$2" | awk '{ n += $1 } END { print n + 0 }'
}

# ---- beside the emulated clusters ----

# These mostly wait, so all that `make` tests is built and run beside them (lanes --beside): in each build tree one after the
# other, and the trees side by side, as a part of that waits, too.
waiting_jobs=-j$((2 * $(nproc)))
beside=()
declare -A beside_in=() make_of=() tree_of=()

# WHAT is what people read, NAME is in the names of its files; COMMAND is a make, its target last. The next one in the same DIR has a
# test-suite.log of its own.
run_beside() { # WHAT NAME DIR COMMAND...
	local to=build/check/$2
	beside+=("$2 $1")
	make_of[$2]=${*:4:$#-4} tree_of[$2]=$3
	beside_in[$3]+="${*:4} >$to.log 2>&1; echo \$? >$to.status; cp $3/test-suite.log $to.suite.log 2>/dev/null; "
}

beside_command() {
	[ ${#beside[@]} = 0 ] || { printf '{ %s} & ' "${beside_in[@]}" && echo wait; }
}

judge_beside() {
	local one name what
	for one in ${beside+"${beside[@]}"}; do
		read -r name what <<<"$one"
		say "$what"
		judge_check "$name" "$(cat "build/check/$name.status" 2>/dev/null || echo 1)"
	done
}

# ---- the other release ----

this_release() {
	# shellcheck disable=SC1091
	(. /etc/os-release && echo "${VERSION_CODENAME-}")
}

other_release() {
	if [ "$(this_release)" = trixie ]; then
		echo bookworm
	else
		echo trixie
	fi
}

# Its tree is made while all else is built, as that mostly waits for the network. What it lacks in the end prepare_other() tells.
begin_tree() {
	[ -n "$units" ] && [ "${release:-$(this_release)}" = "$(this_release)" ] || return 0
	contrib/slurm-root make "$(other_release)" </dev/null >build/tree.log 2>&1 &
	tree=$!
}

# A build with its Slurm, in a tree of its own. What cannot be had is skipped; what cannot be built has failed.
prepare_other() { # RELEASE; status 1: it cannot be had, and $why tells
	local log=build/$1.log root=.deps/root-$1
	[ -z "$tree" ] || wait "$tree"
	[ -e "$root" ] || say "a tree with Debian $1, for the tests with its Slurm (once, a few minutes)"
	if ! apart contrib/slurm-root make "$1" >"$log" 2>&1 || ! apart contrib/slurm-root run "$root" true >>"$log" 2>&1 ||
		! apart contrib/get-slurm-src --release "$1" >>"$log" 2>&1; then
		why=$(tail -n 1 "$log")
		return 1
	fi
	say "building with the Slurm of $1"
	within=(contrib/slurm-root run "$root")
	# Races are the same with both: they are looked for once, as that means to compile the bridge twice.
	configure_in "build/$1" --with-slurm-src="$top/.deps/slurm-$1" --enable-werror --disable-tsan CFLAGS="$quick_cflags"
	quietly "build/$1/make.log" "${within[@]}" make -C "build/$1" "$jobs_flag"
	within=()
}

# A script that runs another one in there, for the lanes.
in_tree() { # RELEASE SCRIPT; prints it
	local own=${2##*/}
	own=build/check/${own%.t}.$1.t
	{
		echo "#!/bin/sh"
		head -n 40 "$2" | grep '^# Runs '
		echo "export PACT_BUILD=$top/build/$1 SLURM_SRC=$top/.deps/slurm-$1"
		echo "exec $top/contrib/slurm-root run $top/.deps/root-$1 $top/$2"
	} >"$own"
	chmod 755 "$own"
	echo "$own"
}

add_other() { # RELEASE NAME...
	local script why theirs
	mapfile -t theirs < <(scripts_named "${@:2}")
	prepare_other "$1" || {
		say "with the Slurm of $1"
		echo "skipped, ${#theirs[@]} scripts${units:+ and unit tests}: $why"
		count 0 0 $((${#theirs[@]} + ${units:-0}))
		return
	}
	for script in ${theirs+"${theirs[@]}"}; do
		scripts+=("$(in_tree "$1" "$script")")
	done
	[ -z "$units" ] || run_beside "unit tests of the bridge with the Slurm of $1" "$1" "build/$1" \
		contrib/slurm-root run ".deps/root-$1" make -C "build/$1" "$jobs_flag" check-bridge
}

# ---- all of it ----

# Those of testsuite/emulated whose names begin so.
scripts_named() { # NAME...
	local script pattern
	for script in testsuite/emulated/*.t; do
		for pattern; do
			[[ ${script##*/} != "$pattern"* ]] || { echo "$script"; break; }
		done
	done
}

# Some at a time, and once more what fails: see testsuite/lanes. Each waits in vain for two minutes at most: the time that one may take
# is for one that waits again and again, and long enough for the longest on a machine that is three times as slow.
run_scripts() { # SCRIPT...
	local p f s status totals=build/check/totals
	rm -f "$totals"
	apart testsuite/lanes --logs build/check --totals "$totals" \
		--timeout "${PACT_SCRIPT_TIMEOUT:-1800}" --beside "$(beside_command)" "$@"
	status=$?
	read -r p f s 2>/dev/null <"$totals" || p=0 f=1 s=0
	[ $status = 0 ] || [ "$f" -gt 0 ] || f=1
	count "$p" "$f" "$s"
}

# Whatever was started here has this in its environment.
left_processes() {
	grep -lzxF "PACT_CHECK_RUN=$PACT_CHECK_RUN" /proc/[0-9]*/environ 2>/dev/null |
		sed 's#/proc/\([0-9]*\)/.*#\1#' | while read -r pid; do
		[ -r "/proc/$pid/cmdline" ] && [ "$pid" != $$ ] && [ "$pid" != "$BASHPID" ] || continue
		case $(ps -o ppid= -p "$pid" | tr -d ' ') in
		"" | "$$" | "$BASHPID") continue ;;
		esac
		echo "$pid"
	done
}

# After Ctrl-C the scripts take down their clusters: they get the time for that.
end_check() {
	local until=$((SECONDS + 60))
	trap '' INT TERM HUP PIPE
	while [ -n "$(left_processes)" ] && [ $SECONDS -lt $until ]; do
		sleep 0.2
	done
	left_processes | xargs -r kill -KILL 2>/dev/null
	rm -rf "$check_tmp"
}

prepare_check() {
	export PACT_CHECK_RUN="$$.$RANDOM.$SECONDS"
	prepare
	rm -rf build/check
	mkdir -p build/check
	check_tmp=$(mktemp -d "${TMPDIR:-/tmp}/pact-check.XXXXXX") || die "no temporary directory"
	chmod 755 "$check_tmp"
	trap 'end_check' EXIT
	# A failure here is to be the change's, and the same tomorrow; other seeds are for `make check`.
	export PACT_SEED=${PACT_SEED:-20261121}
	export TMPDIR=$check_tmp PACT_TOP=$top PACT_BUILD=$top/build/main SLURM_SRC=$slurm_src
	if [ -z "${PACT_TRACES-}" ] && [ -d "$top/../shared/traces" ]; then
		PACT_TRACES=$(cd "$top/../shared/traces" && pwd)
		export PACT_TRACES
	fi
}

# With this machine's Slurm; with no names also what comes of another release.
check_here() { # [NAME...]
	mapfile -t scripts < <(scripts_named "${@:-}")
	[ -n "$units" ] || return
	configure_in build/sanitized --enable-werror --enable-sanitizers CFLAGS="$quick_cflags"
	run_beside "the tree and the simulator" rest build/main make -C build/main "$waiting_jobs" check-rest
	run_beside "unit tests with sanitizers" sanitized build/sanitized make -C build/sanitized "$jobs_flag" check
	# shellcheck disable=SC2086
	add_other "$(other_release)" $on_both
	# Its threads are watched here (-fsanitize=thread), for which all of it is compiled once more; the other unit tests are those of
	# the sanitized build, of the same seed.
	export BRIDGE_CFLAGS=$quick_cflags
	run_beside "unit tests of the bridge" units build/main make -C build/main "$waiting_jobs" check-bridge
}

judge_processes() {
	local pids
	mapfile -t pids < <(left_processes)
	if [ ${#pids[@]} = 0 ]; then
		count 1 0 0
		return
	fi
	echo "not ok - processes are left behind:"
	ps -o pid=,args= -p "${pids[@]}" | cut -c1-120
	kill -KILL "${pids[@]}" 2>/dev/null
	count 0 1 0
}

check() { # [NAME...]
	local scripts=() units=1 begin=$SECONDS
	[ $# = 0 ] || units=
	prepare_check
	if [ "${release:-$(this_release)}" = "$(this_release)" ]; then
		check_here "$@"
	else
		add_other "$release" "${@:-}"
	fi
	if [ ${#scripts[@]} -gt 0 ]; then
		say "emulated clusters${beside:+, and beside them all other tests}"
		run_scripts "${scripts[@]}"
		judge_beside
	elif [ "$skipped" = 0 ]; then
		echo "no such script in testsuite/emulated"
		count 0 1 0
	fi
	judge_processes
	say "all tests ($(((SECONDS - begin) / 60)) minutes)"
	printf '%d passed, %d failed' "$passed" "$failed"
	[ "$skipped" = 0 ] || printf ', %d skipped' "$skipped"
	echo
	[ "$failed" = 0 ]
}
