#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 98-kill-turns: the part `kill` of gang-life with six rounds: three jobs take turns, slurmctld is killed about a switch, and in two rounds
# a job ends while it is dead, one that runs and one that waits. By the states of the processes: none is stopped for longer
# than a cycle, none runs out of turn for longer than a slice, no promise is lost.
# Runs first: it takes four minutes.
use strict;
use warnings;
use FindBin;

$ENV{PACT_LIFE} = 'kill';
$ENV{PACT_ROUNDS} //= 6;
exec $^X, "$FindBin::Bin/long/gang-life.t" or die "gang-life.t: $!\n";
