#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ten: ten tests of Slurm's own regression suite with both plugins on (TAP). They are quick ones: a
# deadline that is past, beyond the partition's limit, below --time-min or before --begin, with
# salloc and sbatch; and jobs without a deadline, run, signalled, held back, by priority.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${PACT_BUILD:-$top/build}
PATH=$PATH:/usr/sbin:/sbin

skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

command -v slurmctld >/dev/null && command -v munged >/dev/null ||
	skip_all "slurmctld or munged is not installed"
command -v expect >/dev/null || skip_all "expect is not installed"
[ -r "$build/plugins/.libs/sched_qops.so" ] || skip_all "the plugins are not built"

out=$(mktemp -d "${TMPDIR:-/tmp}/ten-t.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
PACT_TOP=$top PACT_BUILD=$build "$top/testsuite/slurm/check-slurm" --tap --out "$out" \
	--sched qops --submit deadline --timeout 240 \
	--tests "test15.30,test15.32,test15.34,test15.36,test17.57"
