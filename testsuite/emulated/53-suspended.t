#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 53-suspended: whose are the nodes of a job that was suspended by hand? Stock Slurm lends them, and a resume
# asks nobody: two jobs share whole nodes then. So does sched/qops without promises; with them, nobody gets
# these nodes, for a promise counts on having its own (doc/guide.md).
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

sub suspended {
	my $c = shift;
	my $job = $c->plain(['-N2', '-t10']);
	$c->reaches('a job runs', $job, 'RUNNING');
	is($c->cmd('scontrol', 'suspend', $job)->{rc}, 0, 'it is suspended by hand');
	$c->reaches('so it is', $job, 'SUSPENDED');
	return $job;
}

sub resumed {
	my ($c, $job) = @_;
	is($c->cmd('scontrol', 'resume', $job)->{rc}, 0, 'it is resumed');
	$c->reaches('so it is', $job, 'RUNNING');
}

for my $with ({ name => 'stock', sched => 'stock', conf => "SchedulerParameters=bf_interval=1,sched_interval=2\n" },
	{ name => 'sched/qops alone', submit => 'none' }) {
	subtest $with->{name} => sub {
		my $c = Cluster->up(nodes => 2, %$with);
		my $job = suspended($c);
		my $other = $c->plain(['-N2', '-t10']);
		$c->reaches('another gets its nodes', $other, 'RUNNING');
		resumed($c, $job);
		is($c->state($other), 'RUNNING', 'Slurm runs both');
		is($c->field($job, 'NodeList'), $c->field($other, 'NodeList'), 'on the same whole nodes');
		$c->clear;
		$c->down;
	};
}

subtest 'with promises' => sub {
	my $c = Cluster->up(nodes => 2);
	my $job = suspended($c);
	my $other = $c->plain(['-N2', '-t10']);
	my $r = $c->accepted('a promise behind it', ['-N2', '-t1', '--deadline=now+60minutes']);
	$c->settle for 1 .. 2;
	is($c->state($_), 'PENDING', "job $_ does not get its nodes") for $other, $r->{id};
	resumed($c, $job);
	$c->settle;
	is($c->state($_), 'PENDING', "job $_ waits for its end") for $other, $r->{id};
	is($c->promise($r->{id}), 'promised', 'the promise stands');
	$c->cmd('scancel', $job);
	$c->reaches('the nodes go to one that waited', $other, 'RUNNING');
	$c->clear;
	$c->healthy;
};

done_testing;
