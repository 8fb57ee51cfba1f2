#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 12-preempt: preemption works as under stock Slurm; a job that could be preempted is not promised.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 2, partition => [
		'low Nodes=ALL PriorityTier=1 PreemptMode=REQUEUE',
		'high Nodes=ALL PriorityTier=10 PreemptMode=OFF Default=YES' ],
	conf => "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n");

my $low = $c->plain(['-N2', '-p', 'low', '-t30']);
$c->reaches('a job of the low partition runs', $low, 'RUNNING');
my $high = $c->plain(['-N1', '-p', 'high', '-t1']);
$c->reaches('one of the high partition preempts it', $high, 'RUNNING');
$c->reaches('it waits again', $low, 'PENDING');
$c->cmd('scancel', $high);
$c->clear;

$c->refused('a preemptable job is not promised', ['-N1', '-p', 'low', '-t10', '--deadline=now+10hours'],
	qr/partition low can be preempted by .*; use another partition, account or QOS, or submit without/);
my $r = $c->accepted('one that is not is', ['-N1', '-p', 'high', '-t10', '--deadline=now+10hours']);
$c->reaches('it runs', $r->{id}, 'RUNNING');
my $other = $c->plain(['-N2', '-p', 'low', '-t30']);
$c->settle;
is($c->state($other), 'PENDING', 'nobody pushes it aside');

$c->clear;
$c->healthy;
done_testing;
