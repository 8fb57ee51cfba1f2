#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 43-faults: nodes fail, are drained and come back; reservations appear; what can no longer be promised is
# told at once, and nothing else is broken.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, conf => "SlurmdTimeout=10\n", pact => "Guard=60\nAdmissionTime=5000\nPlanInterval=5\n");

sub setting {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	return $wall;
}

sub becomes {
	my ($r, $state, $name) = @_;
	return ok($c->wait_for("job $r->{id} $state", sub { $c->promise($r->{id}) eq $state }), $name);
}

sub node {
	my ($state, @nodes) = @_;
	my $r = $c->cmd('scontrol', 'update', 'NodeName=' . join(',', @nodes), "State=$state", 'Reason=test');
	diag($r->{err}) if $r->{rc};
	return !$r->{rc};
}

subtest 'drain and resume' => sub {
	my $wall = setting();
	my $all = $c->accepted('all nodes are promised', ['-N4', '-t10', '--deadline=now+40minutes']);
	my $some = $c->accepted('and two', ['-N2', '-t10', '--deadline=now+60minutes']);
	my $mark = $c->log_mark;
	ok(node('DRAIN', 'n4'), 'a node is drained');
	becomes($all, 'broken', 'the promise that needs it is given up at once');
	ok($c->log_has(qr/JobId=$all->{id}: the promised completion by .* can no longer be kept/, $mark), 'and it is logged');
	ok($c->wait_field($all->{id}, 'Reason', qr/can.no.longer.be.kept/), 'squeue says so');
	is($c->promise($some->{id}), 'promised', 'the other stands');
	$c->refused('nothing more is promised there', ['-N4', '-t10', '--deadline=now+10hours'], qr/lost (?:or reserved )?nodes|nodes are more/);
	ok(node('RESUME', 'n4'), 'resumed');
	becomes($all, 'promised', 'it can be kept again');
	$c->cmd('scancel', $wall);
	my @on = $c->run_all($all->{id}, $some->{id});
	is($on[0], 'n[1-4]', 'the one runs');
	like($on[1], qr/^n/, 'and the other');
};

subtest 'the plan moves to other nodes' => sub {
	$c->clear;
	my $half = $c->plain(['-N2', '-w', 'n[1-2]', '-t60']);
	$c->reaches('half is busy', $half, 'RUNNING');
	my $next = $c->plain(['-N2', '-w', 'n[3-4]', '-t10']);
	$c->reaches('and half for less long', $next, 'RUNNING');
	my $r = $c->accepted('promised behind that', ['-N2', '-t10', '--deadline=now+80minutes']);
	ok(node('DRAIN', 'n3'), 'one of its nodes is drained');
	$c->settle(2);
	is($c->promise($r->{id}), 'promised', 'the promise stands');
	ok($c->wait_for('a later start', sub { my $s = $c->field($r->{id}, 'StartTime'); $s =~ /^\d+$/ && $s > $r->{start} }),
		'planned later, when others are free');
	ok(node('RESUME', 'n3'), 'resumed');
};

subtest 'a node fails under a promised job' => sub {
	$c->clear;
	my $r = $c->accepted('accepted', ['-N2', '-w', 'n[1-2]', '-t10', '--requeue', '--deadline=now+3hours']);
	my $other = $c->accepted('another', ['-N1', '-t10', '--deadline=now+3hours']);
	$c->reaches('it runs', $r->{id}, 'RUNNING');
	is($c->emulate('kill-node', 1)->{rc}, 0, 'its first node dies');
	$c->reaches('Slurm sees it and requeues the job', $r->{id}, 'PENDING|COMPLETING');
	ok($c->promise($r->{id}) =~ /^(promised|broken)$/, 'its promise is not forgotten: ' . $c->promise($r->{id}));
	is($c->emulate('start-node', 1)->{rc}, 0, 'the node is back');
	ok($c->wait_for('the node', sub { $c->out('sinfo', '-h', '-n', 'n1', '-o', '%T') =~ /idle|allocated|mixed/ }), 'and up');
	becomes($r, 'promised', 'the promise stands');
	is($c->state($other->{id}), 'RUNNING', 'the other never noticed');
	ok($c->wait_for('a planned start', sub {
		my $s = $c->field($r->{id}, 'StartTime');
		return $s =~ /^\d+$/ && $s + 660 <= $r->{by};
	}), 'it will run again in time');
};

subtest 'reservations' => sub {
	my $wall = setting();
	my $first = $c->accepted('promised', ['-N2', '-t10', '--deadline=now+30minutes']);
	my $hit = $c->accepted('promised too', ['-N4', '-t10', '--deadline=now+40minutes']);
	my $start = $c->now + 24 * 60;
	my $r = $c->cmd('scontrol', 'create', 'reservation', 'ReservationName=work', 'StartTime=' . $c->stamp($start),
		'Duration=120', 'Nodes=ALL', 'Users=' . getpwuid($>), 'Flags=MAINT,IGNORE_JOBS');
	is($r->{rc}, 0, 'a maintenance reservation appears') or diag($r->{err});
	becomes($hit, 'broken', 'the promise that it makes impossible is given up');
	is($c->promise($first->{id}), 'promised', 'the other stands');
	$c->refused('nothing is promised into it', ['-N1', '-t20', '--deadline=now+60minutes']);
	my $after = $c->accepted('but behind it', ['-N4', '-t20', '--deadline=now+5hours']);
	cmp_ok($after->{start}, '>=', $start + 7200, 'planned there');
	is($c->cmd('scontrol', 'delete', 'ReservationName=work')->{rc}, 0, 'it is gone again');
	becomes($hit, 'promised', 'and the promise is back');
	$r = $c->cmd('scontrol', 'create', 'reservation', 'ReservationName=flex', 'StartTime=' . $c->stamp($start),
		'Duration=60', 'Nodes=n4', 'Users=' . getpwuid($>), 'Flags=FLEX,IGNORE_JOBS');
	is($r->{rc}, 0, 'a flexible reservation of one node') or diag($r->{err});
	becomes($hit, 'broken', 'its node is out of reach as well');
	is($c->cmd('scontrol', 'delete', 'ReservationName=flex')->{rc}, 0, 'gone');
	becomes($hit, 'promised', 'back');
	$c->refused('a job in a reservation is not promised, by name', ['--reservation=none', '-N1', '-t10',
		'--deadline=now+10hours'], qr/--reservation/);
};

subtest 'the partition changes' => sub {
	my $wall = setting();
	my $r = $c->accepted('promised', ['-N4', '-t10', '--deadline=now+40minutes']);
	is($c->cmd('scontrol', 'update', 'PartitionName=batch', 'Nodes=n[1-3]')->{rc}, 0, 'the partition shrinks');
	becomes($r, 'broken', 'the promise is given up');
	is($c->cmd('scontrol', 'update', 'PartitionName=batch', 'Nodes=n[1-4]')->{rc}, 0, 'it grows again');
	becomes($r, 'promised', 'and back');
};

$c->clear;
$c->healthy;
done_testing;
