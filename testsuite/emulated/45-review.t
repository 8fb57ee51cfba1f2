#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 45-review: promises that share a record, or that belong to jobs already running, or that meet limits
# and reservations which Slurm itself stretches.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4);

sub count {
	my ($pattern, $from) = @_;
	my $text = $c->log_text($from);
	return scalar(() = $text =~ /$pattern/g);
}

subtest 'an array with one late task is told once' => sub {
	my $wall = $c->plain(['-N3', '-t10']);
	my $one = $c->plain(['-N1', '-t5']);
	$c->reaches('nodes are busy', $_, 'RUNNING') for $wall, $one;
	# One task per slot of the fourth node, the last one just in time.
	my $array = $c->accepted('two tasks, one after another', ['-a', '0-1', '-N4', '-t10', '--deadline=now+34minutes']);
	my $mark = $c->log_mark;
	ok($c->update($wall, 'TimeLimit=15'), 'what is in their way lasts longer');
	ok($c->wait_for('the breach', sub { $c->promise($array->{id}) eq 'broken' }), 'the promise is broken');
	$c->settle for 1 .. 5;
	is(count(qr/can no longer be kept/, $mark), 1, 'told once');
	is(count(qr/will be kept after all/, $mark), 0, 'and not taken back');
	is($c->promise($array->{id}), 'broken', 'for the whole record');
	ok($c->update($wall, 'TimeLimit=10'), 'the way is free again');
	ok($c->wait_for('the mending', sub { $c->promise($array->{id}) eq 'promised' }), 'then it is promised again');
	is(count(qr/will be kept after all/, $mark), 1, 'told once, too');
	$c->clear;
};

subtest 'a running job that is given more time' => sub {
	my $job = $c->accepted('it runs at once', ['-N2', '-t10', '--deadline=now+15minutes']);
	$c->reaches('it runs', $job->{id}, 'RUNNING');
	my $mark = $c->log_mark;
	ok($c->update($job->{id}, 'TimeLimit=14'), 'more time, and still by its deadline');
	$c->settle;
	is($c->promise($job->{id}), 'promised', 'its promise holds');
	ok($c->update($job->{id}, 'TimeLimit=20'), 'more than that');
	ok($c->wait_for('the breach', sub { $c->promise($job->{id}) eq 'broken' }), 'its promise is broken');
	like($c->log_text($mark), qr/JobId=$job->{id}: the promised completion by \S+ can no longer be kept/,
		'and this is told');
	ok($c->update($job->{id}, 'TimeLimit=10'), 'the old limit');
	ok($c->wait_for('the mending', sub { $c->promise($job->{id}) eq 'promised' }), 'mends it');
	$c->settle for 1 .. 3;
	is(count(qr/can no longer be kept/, $mark), 1, 'told once');
	$c->clear;
};

subtest 'a suspended job keeps its nodes' => sub {
	my $job = $c->accepted('a promised job', ['-N2', '-t10', '--deadline=now+15minutes']);
	$c->reaches('it runs', $job->{id}, 'RUNNING');
	is($c->cmd('scontrol', 'suspend', $job->{id})->{rc}, 0, 'it is suspended');
	$c->reaches('so it is', $job->{id}, 'SUSPENDED');
	$c->accepted('what it leaves is promised', ['-N2', '-t10', '--deadline=now+12minutes']);
	$c->refused('but not its nodes', ['-N2', '-t1', '--deadline=now+9minutes']);
	is($c->cmd('scontrol', 'resume', $job->{id})->{rc}, 0, 'it is resumed');
	$c->reaches('so it is', $job->{id}, 'RUNNING');
	$c->settle;
	is($c->promise($job->{id}), 'promised', 'its promise holds');
	$c->clear;
};

subtest 'a partition whose jobs outlive their limits' => sub {
	my @job = ('-N1', '-t10', '--deadline=now+10hours');
	my $mark = $c->log_mark;
	my $set = sub { is($c->cmd('scontrol', 'update', 'PartitionName=batch', "OverTimeLimit=$_[0]")->{rc}, 0, "OverTimeLimit=$_[0]") };
	$set->('UNLIMITED');
	ok($c->log_has(qr/no promise is made from now on: .*PartitionName=batch: OverTimeLimit=UNLIMITED/, $mark), 'is told');
	$c->refused('no promise is made', \@job, qr/OverTimeLimit=UNLIMITED/);
	$set->('5');
	ok($c->log_has(qr/warning: pact.conf: Guard=60: Slurm may take 360 s/, $mark), 'a guard that is too short is told');
	$c->accepted('but promises are made again', \@job);
	$set->('0');
	$c->clear;
};

# Make a reservation and wait until the plan knows it: the code gives true when it does.
sub reserve {
	my ($name, @terms) = @_;
	my $r = $c->cmd('scontrol', 'create', 'reservation', "ReservationName=$name", 'Users=daemon', @terms);
	is($r->{rc}, 0, "reservation $name") or diag($r->{err});
	$c->settle;
}

subtest 'a repeated reservation' => sub {
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('the nodes are busy', $wall, 'RUNNING');
	reserve('daily', 'StartTime=now+1hour', 'Duration=10', 'Nodes=ALL', 'Flags=DAILY');
	my @job = ('-N1', '-t120', '--begin=now+24hours');
	$c->refused('no promise across tomorrow\'s', [@job, '--deadline=now+27hours']);
	my $after = $c->accepted('but behind it', [@job, '--deadline=now+28hours']);
	cmp_ok($after->{start}, '>=', $c->now + 25 * 3600 + 500, 'where it is planned') if $after->{start};
	is($c->cmd('scontrol', 'delete', 'ReservationName=daily')->{rc}, 0, 'it goes');
	$c->settle;
	$c->accepted('now there is room', [@job, '--deadline=now+27hours']);
	$c->clear;
};

subtest 'a floating reservation' => sub {
	my $wall = $c->plain(['-N4', '-t1']);
	$c->reaches('the nodes are busy', $wall, 'RUNNING');
	reserve('float', 'StartTime=now+30minutes', 'Duration=UNLIMITED', 'Nodes=n4', 'Flags=TIME_FLOAT');
	$c->refused('nothing runs into it', ['-N4', '-t40', '--deadline=now+2hours']);
	$c->accepted('but beside it', ['-N3', '-t40', '--deadline=now+2hours']);
	$c->accepted('and before it', ['-N1', '-t10', '--deadline=now+25minutes']);
	is($c->cmd('scontrol', 'delete', 'ReservationName=float')->{rc}, 0, 'it goes');
	$c->clear;
};

subtest 'a dependency that fails' => sub {
	my $first = $c->plain(['-N1', '-t10']);
	$c->reaches('it runs', $first, 'RUNNING');
	my $job = $c->accepted('one that waits for it', ['-N4', '-t1', '-d', "afterok:$first", '--deadline=now+30minutes']);
	$c->cmd('scancel', $first);
	ok($c->wait_for('the withdrawal', sub { $c->promise($job->{id}) eq 'withdrawn' }), 'loses its promise');
	$c->wait_field($job->{id}, 'Reason', qr/no_longer_promised/);
	$c->accepted('its place is free', ['-N4', '-t1', '--deadline=now+4minutes']);
	ok($c->update($job->{id}, 'Dependency='), 'the dependency goes');
	ok($c->wait_for('the promise', sub { $c->promise($job->{id}) eq 'promised' }), 'then it is promised again');
	$c->clear;
};

subtest 'nodes that take a promised job with them' => sub {
	my $job = $c->accepted('it may not be requeued', ['-N1', '-t10', '--no-requeue', '--deadline=now+30minutes']);
	$c->reaches('it runs', $job->{id}, 'RUNNING');
	my $node = $c->field($job->{id}, 'NodeList');
	my $mark = $c->log_mark;
	is($c->cmd('scontrol', 'update', "NodeName=$node", 'State=DOWN', 'Reason=test')->{rc}, 0, 'its node goes down');
	ok($c->wait_for('the breach', sub { $c->promise($job->{id}) eq 'broken' }), 'its promise is broken');
	$c->settle(3) for 1 .. 3;
	is(count(qr/is lost/, $mark), 1, 'told once');
	# Where ReturnToService lets a node that answers come back by itself, this is refused.
	$c->cmd('scontrol', 'update', "NodeName=$node", 'State=RESUME');
	$c->clear;
};

$c->clear;
$c->healthy;
done_testing;
