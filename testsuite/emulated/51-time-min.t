#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 51-time-min: a job with --time-min is shortened to start in a hole, as by sched/backfill, and never at the
# cost of a promise.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

# One node is busy for 10 minutes, a job that needs all of them waits for it.
sub hole {
	my $c = shift;
	$c->clear;
	my $wall = $c->plain(['-N1', '-t10', '--exclusive']);
	$c->reaches('one node is busy', $wall, 'RUNNING');
	my $wide = $c->plain(['-N2', '-t10', '--exclusive']);
	$c->wait_field($wide, 'StartTime', qr/^\d+$/);
	return ($wide, $c->field($wide, 'StartTime'));
}

sub minutes {
	my $limit = shift;
	return $limit =~ /^(\d+):(\d+):\d+$/ ? 60 * $1 + $2 : 0;
}

sub in_the_hole {
	my ($c, $name) = @_;
	my ($wide, $end) = hole($c);
	my $job = $c->plain(['-N1', '-t60', '--time-min=5']);
	$c->reaches("$name: it starts in the hole", $job, 'RUNNING');
	my $got = minutes($c->field($job, 'TimeLimit'));
	ok($got >= 5 && $got <= 10, "$name: with a limit between its least and the hole") or diag($got);
	cmp_ok($c->field($job, 'EndTime'), '<=', $end, "$name: it is over when the wide one is due");
	is($c->state($wide), 'PENDING', "$name: that waits, as before");
	my $long = $c->plain(['-N1', '-t60', '--time-min=30']);
	my $other = $c->plain(['-N1', '-t60']);
	$c->cmd('scancel', $job);
	my $small = $c->plain(['-N1', '-t5', '--time-min=2']);
	$c->reaches("$name: what fits starts", $small, 'RUNNING');
	is($c->field($small, 'TimeLimit'), '00:05:00', "$name: with its whole limit, if that fits")
		if $name ne 'stock';
	is($c->state($long), 'PENDING', "$name: what does not fit with its least either waits");
	is($c->field($long, 'TimeLimit'), '01:00:00', "$name: and keeps its limit");
	is($c->state($other), 'PENDING', "$name: as what may not be shortened");
	return $got;
}

subtest 'stock' => sub {
	my $c = Cluster->up(nodes => 2, sched => 'stock', conf => "SchedulerParameters=bf_interval=1,sched_interval=2\n");
	my $got = in_the_hole($c, 'stock');
	$c->clear;
	$c->down;
};

my $c = Cluster->up(nodes => 2);

subtest 'whole nodes' => sub {
	my $got = in_the_hole($c, 'qops');
	cmp_ok($got, '>=', 9, 'it gets as much as fits');
};

subtest 'a promise' => sub {
	$c->clear;
	my $wall = $c->plain(['-N1', '-t10']);
	$c->reaches('one node is busy', $wall, 'RUNNING');
	my $r = $c->accepted('a promised job needs both', ['-N2', '-t10', '--deadline=now+23minutes']);
	$c->settle;
	my $job = $c->plain(['-N1', '-t60', '--time-min=5']);
	$c->reaches('a shortened one starts before it', $job, 'RUNNING');
	my $long = $c->plain(['-N1', '-t60', '--time-min=9']);
	$c->settle;
	is($c->state($long), 'PENDING', 'not one that would touch it');
	cmp_ok($c->field($job, 'EndTime') + 60, '<=', $c->field($r->{id}, 'StartTime'), 'its place is not touched');
	is($c->promise($r->{id}), 'promised', 'nor the promise');
};

subtest 'an array' => sub {
	my ($wide, $end) = hole($c);
	my $id = $c->plain(['-a', '0-2', '-N1', '-t60', '--time-min=5']);
	ok($c->wait_for('a task', sub { grep { $_->{JobState} eq 'RUNNING' } $c->jobs($id) }), 'a task starts in the hole');
	$c->settle;
	my @running = grep { $_->{JobState} eq 'RUNNING' } $c->jobs($id);
	is(scalar @running, 1, 'one only, there is one node');
	cmp_ok(minutes($running[0]{TimeLimit}), '>=', 9, 'with what fits');
	my ($head) = grep { $_->{JobState} eq 'PENDING' } $c->jobs($id);
	is($head->{TimeLimit}, '01:00:00', 'the others keep their limit');
};

$c->clear;
$c->healthy;
$c->down;

subtest 'parts of nodes' => sub {
	$c = Cluster->up(nodes => 2, cpus => 2, select => 'cons_tres', conf => "SelectTypeParameters=CR_CPU\n");
	my ($wide, $end) = hole($c);
	my $job = $c->plain(['-n1', '-t60', '--time-min=5']);
	$c->reaches('starts in the hole', $job, 'RUNNING');
	is($c->field($job, 'TimeLimit'), '00:05:00', 'with its least');
	my $long = $c->plain(['-n1', '-t60', '--time-min=30']);
	$c->settle;
	is($c->state($long), 'PENDING', 'what does not fit waits');
	is($c->field($long, 'TimeLimit'), '01:00:00', 'and keeps its limit');
	$c->clear;
	$c->healthy;
};

done_testing;
