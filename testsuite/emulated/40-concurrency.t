#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 40-concurrency: many submissions in flight on a nearly full cluster. Slurm decides under one lock and makes
# the record under another: a place that was promised must be kept in between, and every promise in the end.
# Runs alone: it loads the machine, and its clock is fast.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $n = $ENV{PACT_SUBMISSIONS} // 60;
my $c = Cluster->up(nodes => 8, speed => 30, pact => "Guard=300\nAdmissionTime=5000\n");

subtest "$n submissions at one instant, room for half of them" => sub {
	my $wall = $c->plain(['-N8', '-t5'], runs => 3600);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	# 8 nodes x slots of 2 minutes and the guard; the deadline leaves room for n/2 jobs of one node.
	my $slots = int($n / 16) || 1;
	my $deadline = $c->in_seconds(300 + 300 + $slots * (120 + 300) + 240);
	my @commands = map { ['sbatch', '-o', '/dev/null', '-N1', '-t2', "--deadline=$deadline", '--wrap',
		$_ % 3 ? 'exec sleep 30' : 'exec sleep 600'] } 1 .. $n;
	my @all = $c->at_once(@commands);
	my @accepted = grep { $_->{by} && $_->{id} } @all;
	my @refused = grep { $_->{text} =~ /deadline: refused: / && !$_->{id} } @all;
	is(@accepted + @refused, $n, 'each was answered') or diag(map { $_->{text} } grep { !$_->{id} } @all);
	cmp_ok(scalar(@accepted), '<=', 8 * $slots, 'no more were accepted than there are places');
	cmp_ok(scalar(@accepted), '>=', 8, 'and not too few');
	diag(@accepted . ' accepted, ' . @refused . ' refused');
	my %seen;
	is(scalar(grep { $seen{ $c->field($_->{id}, 'AdminComment') }++ } @accepted), 0, 'each has a token of its own');
	$c->promises_kept('every accepted one is kept');
	$c->clear;
};

subtest 'mixed with dry runs, plain jobs, changes and cancels' => sub {
	my $wall = $c->plain(['-N8', '-t5'], runs => 3600);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $deadline = $c->in_seconds(300 + 300 + 4 * 420 + 240);
	my @commands;
	for my $i (1 .. $n) {
		my @base = ('sbatch', '-o', '/dev/null', '-N' . (1 + $i % 3), '-t2');
		push @base, '--test-only' if $i % 5 == 0;
		push @base, "--deadline=$deadline" if $i % 7;
		push @commands, [@base, '--wrap', 'exec sleep 30'];
	}
	my @all = $c->at_once(@commands);
	my @accepted = grep { $_->{by} && $_->{id} } @all;
	cmp_ok(scalar(@accepted), '>=', 4, 'some are accepted');
	my @gone = splice @accepted, 0, 2;
	$c->at_once((map { ['scancel', $_->{id}] } @gone),
		(map { ['sbatch', '-o', '/dev/null', '-N1', '-t2', "--deadline=$deadline", '--wrap', 'exec sleep 30'] } 1 .. 20),
		(map { ['scontrol', 'update', "JobId=$_->{id}", 'TimeLimit=1'] } @accepted[0, 1]));
	$c->excuse(map { $_->{id} } @gone);
	my @plain = grep { $_->{id} && !$_->{by} } @all;
	$c->promises_kept('every promise is kept');
	$c->reaches("plain job $_->{id} ran", $_->{id}, 'COMPLETED') for @plain;
	is($c->out('squeue', '-h', '-t', 'PD', '-o', '%A'), '', 'nothing is left over');
};

$c->clear;
$c->healthy;
done_testing;
