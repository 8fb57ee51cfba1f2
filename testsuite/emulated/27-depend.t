#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 27-depend: deadline jobs that wait for others: one that never comes takes its promise along, many are
# refused by name, tasks of arrays are known one by one. A faster clock.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, speed => 20, pact => "Guard=120\nAdmissionTime=5000\nPlanInterval=20\n");

sub wall {
	my $id = $c->plain(['-N4', '-t600']);
	$c->wait_state($id, 'RUNNING');
	$c->settle;
	return $id;
}

subtest 'a predecessor that fails' => sub {
	my %ends = (
		'by itself' => ['-t60', { script => 'sleep 20; exit 1' }],
		'at its limit' => ['-t1', { runs => 6000 }],
	);
	for my $how (sort keys %ends) {
		my ($limit, $o) = @{ $ends{$how} };
		my $first = $c->plain(['-N1', $limit], %$o);
		$c->wait_state($first, 'RUNNING');
		my $r = $c->accepted("$how: its successor is promised", ['-N4', '-t60', '-d', "afterok:$first",
			'--deadline=now+3hours']);
		ok($c->wait_for('the withdrawal', sub { $c->promise($r->{id}) eq 'withdrawn' }), "$how: withdrawn");
		ok($c->wait_field($r->{id}, 'Reason', qr/no_longer_promised|DependencyNeverSatisfied/), "$how: told");
		$c->excuse($r->{id});
		$c->accepted("$how: its place is free", ['-N4', '-t60', '--deadline=now+90minutes'], runs => 1);
		$c->promises_kept("$how: at once");
		$c->refused("$how: nothing is promised on it any more", ['-N1', '-t5', '-d', "afterok:$first",
			'--deadline=now+10hours'], qr/dependency on job $first, which has failed/);
		$c->accepted("$how: what waits for any end is", ['-N1', '-t5', '-d', "afterany:$first", '--deadline=now+10hours']);
		$c->clear;
	}
};

subtest 'many predecessors' => sub {
	my $wall = wall();
	my @ids = map { $c->plain(['-N1', '-t5']) } 1 .. 65;
	$c->settle(3);
	my @late = ('-N1', '-t5', '--deadline=now+300hours');
	$c->accepted('64 jobs', [@late, '-d', 'afterany:' . join(':', @ids[0 .. 63])]);
	$c->refused('65 jobs', [@late, '-d', 'afterany:' . join(':', @ids)], qr/dependencies on more than 64 jobs/);
	$c->refused('in several conditions', [@late, '-d', join(',', map { "afterok:$_" } @ids)], qr/more than 64 jobs/);
	ok($c->plain(['-N1', '-t5', '-d', 'afterany:' . join(':', @ids)]), 'without a deadline they are taken');
	$c->clear;
};

subtest 'arrays' => sub {
	my $wall = wall();
	my @late = ('-N1', '-t5', '--deadline=now+300hours');
	my $array = $c->plain(['-N4', '-t60', '--array=0-3', '-J', 'whole'], runs => 1);
	my $huge = $c->plain(['-N1', '-t5', '--array=0-299'], runs => 1);
	$c->settle;
	my $all = $c->accepted('after a whole array', [@late, '-d', "afterany:$array"]);
	my $one = $c->accepted('after one task', [@late, '-d', "afterany:${array}_0"]);
	cmp_ok($one->{start}, '<=', $all->{start}, 'which is not later');
	my $star = $c->accepted('after all tasks', [@late, '-d', "afterany:${array}_*"]);
	is($star->{start}, $all->{start}, 'as the whole array');
	$c->refused('more tasks than are planned', [@late, '-d', "afterany:$huge"], qr/job $huge, which has no planned end/);
	$c->cmd('scancel', $wall, $huge);
	$c->promises_kept('kept');
	my $ended = $c->ended_jobs;
	my @ends = sort { $a <=> $b } map { $_->{EndTime} } grep { $_->{Name} eq 'whole' } values %$ended;
	is(scalar @ends, 4, 'the array ran');
	cmp_ok($ended->{ $all->{id} }{StartTime}, '>=', $ends[-1], 'and who waited for it, after it');
	$c->clear;
};

subtest 'a chain in one breath' => sub {
	my $last = $c->accepted('its first', ['-N4', '-t5', '--deadline=now+1hour'], runs => 1);
	for my $n (2 .. 8) {
		my $next = $c->accepted("number $n", ['-N4', '-t5', '-d', "afterok:$last->{id}",
			"--deadline=now+${n}hours"], runs => 1) or last;
		cmp_ok($next->{start}, '>', $last->{start}, 'after the one before it');
		$last = $next;
	}
	$c->promises_kept('kept');
	$c->clear;
};

subtest 'arrays that are over' => sub {
	my @soon = ('-N1', '-t5', '--deadline=now+3hours');
	my %arrays = (good => 0, bad => 1);
	for my $how (sort keys %arrays) {
		$arrays{$how} = $c->plain(['-N1', '-t5', '--array=0-1'], script => "exit $arrays{$how}");
		$c->wait_for("the end of the $how one", sub { $c->out('squeue', '-h', '-t', 'PD,R,CG', '-o', '%F') !~ /\b$arrays{$how}\b/ });
		$c->accepted("after any end of the $how one", [@soon, '-d', "afterany:$arrays{$how}"], runs => 1);
	}
	$c->accepted('after its success', [@soon, '-d', "afterok:$arrays{good}"], runs => 1);
	$c->refused('after a success that did not come', [@soon, '-d', "afterok:$arrays{bad}"],
		qr/dependency on job $arrays{bad}, which has failed/);
	$c->promises_kept('kept');
	$c->clear;
};

$c->healthy;
done_testing;
