#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 98-turns: the part `turns` of gang-life with 42 switches: three jobs on 16 nodes, of the default kind, for more than ten cycles, and
# then such as catch SIGTSTP (SwitchGap), by the states of the processes on all nodes.
# Runs first: it takes four minutes.
use strict;
use warnings;
use FindBin;

$ENV{PACT_LIFE} = 'turns';
$ENV{PACT_TURNS} //= '32,10';    # of each kind
exec $^X, "$FindBin::Bin/long/gang-life.t" or die "gang-life.t: $!\n";
