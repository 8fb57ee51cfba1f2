#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 49-refused: jobs whose nodes are free in the plan and that Slurm refuses to start again and again. They
# hold up nobody for long: what is not promised keeps no place, what is promised keeps it while the promise
# can be kept, and each is started when Slurm does.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

# A node that does not answer is idle to the plan, and out of select_nodes()'s reach. With this time-out it is
# not down for a long time.
my $c = Cluster->up(nodes => 4, conf => "SlurmdTimeout=30000\n",
	pact => "Guard=60\nAdmissionTime=5000\nPlanInterval=5\n");

sub silent {
	is($c->emulate('kill-node', 4)->{rc}, 0, 'a node dies');
	my $r = $c->cmd('scontrol', 'update', 'NodeName=n4', 'State=NoResp');
	return is($c->out('sinfo', '-h', '-n', 'n4', '-o', '%T'), 'idle*', 'and does not answer') || diag($r->{err});
}

sub speaks {
	is($c->emulate('start-node', 4)->{rc}, 0, 'the node is started');
	return ok($c->wait_for('the node', sub {
		return $c->out('sinfo', '-h', '-n', 'n4', '-o', '%T') =~ /^(idle|allocated|completing)$/;
	}), 'and answers');
}

subtest 'a refused promise keeps its place, and is told; broken, it keeps none' => sub {
	silent();
	my $mark = $c->log_mark;
	my $by = $c->now + 60 + 60 + 45;
	my $p = $c->accepted('promised, as the plan has it', ['-N4', '-t1', '--deadline=' . $c->stamp($by)]);
	my $plain = $c->plain(['-N1', '-t120']);
	ok($c->log_has(qr/JobId=$p->{id}: promised to complete by .*Slurm does not start it/, $mark),
		'that Slurm does not start it is told');
	ok($c->wait_field($p->{id}, 'Reason', qr/Promised.*but.not.started/), 'squeue says so');
	is($c->promise($p->{id}), 'promised', 'the promise can be kept yet');
	is($c->state($plain), 'PENDING', 'its place is kept for it');
	ok($c->wait_for('the promise', sub { $c->promise($p->{id}) eq 'broken' }), 'it can be kept no longer');
	ok($c->log_has(qr/JobId=$p->{id}: the promised completion by .* can no longer be kept/, $mark), 'that is told');
	$c->reaches('and its place is given up: another job starts', $plain, 'RUNNING');
	is($c->state($p->{id}), 'PENDING', 'the job still waits');
	ok($c->wait_field($p->{id}, 'Reason', qr/can.no.longer.be.kept/), 'squeue says why');
	$c->cmd('scancel', $plain);
	speaks();
	$c->reaches('and runs when it can', $p->{id}, 'RUNNING');
	$c->clear;
};

subtest 'a refused head does not keep the others waiting' => sub {
	silent();
	my $head = $c->plain(['-N4', '-t60']);
	my @behind = map { $c->plain(['-N1', '-t120']) } 1 .. 2;
	my @array = ($c->plain(['-N4', '-a1-9', '-t60']));
	my $last = $c->plain(['-N1', '-t120']);
	$c->reaches('those behind it start', $_, 'RUNNING') for @behind, $last;
	is($c->state($head), 'PENDING', 'while it waits');
	like($c->field($head, 'Reason'), qr/^(Resources|ReqNodeNotAvail.*)$/, 'for nodes, as Slurm says');
	$c->cmd('scancel', @behind, @array, $last);
	ok($c->wait_for('their nodes', sub { $c->out('squeue', '-h', '-o', '%A') eq $head }), 'they are gone');
	is($c->state($head), 'PENDING', 'it waits yet');
	speaks();
	$c->reaches('and starts then', $head, 'RUNNING');
	$c->clear;
};

$c->healthy;
$c->down;

# What the planner cannot see is refused as a matter of course; a place for it is kept where something may
# end that it waits for, not where nodes are idle.
$c = Cluster->up(nodes => 2, cpus => 4, select => 'cons_tres', node => ['1:Gres=card:1'],
	files => { 'gres.conf' => 'NodeName=n1 Name=card Count=1' },
	conf => "GresTypes=card\nSelectTypeParameters=CR_Core\n");

subtest 'a job that waits for more than nodes' => sub {
	my $holder = $c->plain(['-n1', '--gres=card:1', '-t600']);
	$c->reaches('one has the card', $holder, 'RUNNING');
	my $waits = $c->plain(['-n1', '--gres=card:1', '-t600']);
	my $behind = $c->plain(['-N1', '--exclusive', '-t60']);
	$c->reaches('a job behind the next one starts on the idle node', $behind, 'RUNNING');
	is($c->state($waits), 'PENDING', 'which waits for the card');
	$c->cmd('scancel', $holder);
	$c->reaches('and runs then', $waits, 'RUNNING');
	$c->clear;
};

$c->healthy;
done_testing;
