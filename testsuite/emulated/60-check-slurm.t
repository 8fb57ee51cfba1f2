#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 60-check-slurm: ten quick tests of Slurm's own regression suite with both plugins on (TAP). Of the
# deadline: past (15.30), with less than --time-min left (15.34, 17.57), kept (15.38), in a partition
# whose limit is shorter (17.55). Without one: --immediate (15.8), constraints (15.12), sizes (17.10),
# several partitions (17.19), --overcommit (17.32).
# Runs with one other: Slurm's tests have time-outs of their own.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/../.." && pwd)}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
build=${PACT_BUILD:-$top/build}
PATH=$PATH:/usr/sbin:/sbin

need slurmctld munged expect
[ -r "$build/plugins/.libs/sched_qops.so" ] || skip_all "the plugins are not built"

tests=test15.8,test15.12,test15.30,test15.34,test15.38
tests+=,test17.10,test17.19,test17.32,test17.55,test17.57
out=$(mktemp -d "${TMPDIR:-/tmp}/check-slurm-t.XXXXXX") || exit 1
trap 'rm -rf "$out"' EXIT
PACT_TOP=$top PACT_BUILD=$build "$top/testsuite/slurm/check-slurm" --tap --out "$out" \
	--sched qops --submit deadline --timeout 240 \
	--tests "$tests"
