#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 52-expiry: a waiting job whose deadline nobody promised ends in state DEADLINE as soon as the deadline is
# impossible, as under stock Slurm, and not when the next full pass happens to be made.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 2, pact => "Guard=60\nAdmissionTime=5000\nAdmissionMode=observe\nPlanInterval=3600\n");

# Nothing else happens meanwhile that would cause a pass.
my $wall = $c->plain(['-N2', '-t60']);
$c->reaches('the cluster is full', $wall, 'RUNNING');

sub expires {
	my ($name, $after, @args) = @_;
	my $deadline = $c->now + $after;
	my $r = $c->sbatch([@args, '--deadline=' . $c->stamp($deadline)]);
	return [$name, $r->{id}, $deadline - 60];
}

my @jobs = (expires('its limit does not fit any more', 90, '-N1', '-t1'),
	expires('another, earlier', 75, '-N1', '-t1'),
	expires('the shortest that it may be trimmed to does not', 80, '-N1', '-t50', '--time-min=1'));
for my $job (@jobs) {
	my ($name, $id, $at) = @$job;
	ok($id, $name) or next;
	is($c->state($id), 'PENDING', 'it waits');
}
for my $job (@jobs) {
	my ($name, $id, $at) = @$job;
	$c->reaches("$name: it ends", $id, 'DEADLINE');
	my $end = $c->field($id, 'EndTime');
	cmp_ok($end, '>', $at, 'not as long as there is time');
	cmp_ok($end, '<=', $at + 10, 'and at once then');
}
is($c->state($wall), 'RUNNING', 'the other job still runs');

$c->clear;
$c->healthy;
done_testing;
