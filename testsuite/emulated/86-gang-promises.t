#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 86-gang-promises: deadlines are promised beside jobs that take turns. A promised job has its nodes in every row and is
# never suspended, by the states of its process; what takes turns holds its nodes until the end that its limit allows in
# slices, also over kill -9 of slurmctld and a changed limit.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(time);
use Cluster;
use Turns;

my $slice = 5;
my $base = "Guard=60\nAdmissionTime=5000\n";
my $c = Cluster->up(nodes => 16, pact => $base,
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n");

sub nodes {
	my ($id) = @_;
	return map { $_ => 1 } split /\s+/, $c->out('scontrol', 'show', 'hostnames', $c->field($id, 'NodeList'));
}

sub is_alone {
	my ($name, $id, @others) = @_;
	my %has = nodes($id);
	my @shared = grep { my %its = nodes($_); grep { $has{$_} } keys %its } @others;
	ok(%has && !@shared, $name) or diag("its nodes: @{[sort keys %has]}; also there: @shared");
}

# Of the processes of some jobs for a cycle and a bit: that one is not stopped, and the others have their turns.
sub turns_beside {
	my ($name, $id, @others) = @_;
	my $seconds = 3 * $slice + 2;
	my $runs = watch($c, $seconds, $id, @others);
	my @all = @{ $runs->{$id} // [] };
	ok(@all == 1 && $all[0][1] - $all[0][0] > $seconds - 1, "$name: it is never stopped")
		or diag(join ' ', map { sprintf '%.1f-%.1f', @$_ } @all);
	my @bad = grep { !@{ $runs->{$_} // [] } } @others;
	for my $i (0 .. $#others) {
		push @bad, map { "$others[$i] with $_" } grep { overlap($runs, $others[$i], $_) > 1 } @others[$i + 1 .. $#others];
	}
	ok(!@bad, 'while the others take their turns') or diag("@bad");
}

# ---- three rows of ten nodes, and what is promised beside them ----

my @ids = map { $c->plain(['-N10', '-t10'], script => work($c)) } 1 .. 3;
ok($c->wait_for('all three to have run', sub { !grep { look($c, $_) eq '-' } @ids }),
	'three jobs take turns on ten nodes');
my $unseen = $c->plain(['-N1-2', '-t10'], script => work($c));
ok($c->wait_for('its process', sub { look($c, $unseen) eq 'R' }), 'one that no plan sees has a node');
my $now = $c->accepted('a promise on the nodes that are left', ['-N4', '-t5', '--deadline=now+8minutes'],
	script => work($c))->{id};
$c->refused('none within the slices of the others', ['-N7', '-t1', '--deadline=now+20minutes'], qr/busy|hold|running/);
my $later = $c->accepted('but one behind them', ['-N8', '-t1', '--deadline=now+2hours'], runs => 5)->{id};
ok($c->wait_for('its process', sub { look($c, $now) eq 'R' }), 'the first one starts');
my $waits = $c->plain(['-N2', '-t10'], script => work($c)); # one node is free
turns_beside('promised', $now, @ids);
is_alone('it has its nodes for itself', $now, @ids, $unseen);
is($c->state($waits), 'PENDING', 'in every row: the next one that takes turns waits');
my $start = $c->field($later, 'StartTime');
cmp_ok($start, '>', time + 20 * 60, 'squeue shows the planned start of what is promised: behind all slices of the others');
like($c->field($waits, 'StartTime'), qr/^\d+$/, 'and that of what waits for turns');
my ($stopped) = grep { $_->{JobState} eq 'SUSPENDED' } map { $c->job($_) } @ids;
cmp_ok($stopped->{EndTime}, '>', $stopped->{StartTime} + 25 * 60, 'what is suspended for others shows an end that it can have');

# ---- a controller that dies ----

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
watch($c, 2 * $slice, @ids);
turns_beside('after kill -9', $now, @ids);
is(join(' ', map { $c->promise($_) } $now, $later), 'promised promised', 'both promises stand');
is($c->state($waits), 'PENDING', 'and what has its nodes for itself still has');
cmp_ok($c->field($later, 'StartTime'), '<=', $start, 'nor is the second one planned later');

# ---- limits that change, and ends ----

ok(!(grep { !$c->update($_, 'TimeLimit=3') } @ids), 'shorter limits of those that take turns');
ok($c->wait_for('an earlier plan', sub { $c->field($later, 'StartTime') < $start - 15 * 60 }),
	'what is promised behind them is planned earlier');
$c->cmd('scancel', @ids);
$c->reaches('and starts when they have ended', $later, 'RUNNING|COMPLETED', 40);
$c->cmd('scancel', $now);
$c->excuse($now);
$c->promises_kept('it ends by its deadline');
$c->reaches('what waited has its turns', $waits, 'RUNNING', 30);
$c->cmd('scancel', $waits, $unseen);

# ---- without promises ----

my $mark = $c->log_mark;
is($c->reconfigure("${base}PartitionName=batch Gang=gs\n")->{rc}, 0, 'Gang=gs');
ok($c->log_has(qr/nodes by scheduler: gs/, $mark), 'is in force');
$c->refused('it promises nothing', ['-N1', '-t1', '--deadline=now+2hours'],
	qr/partition batch is scheduled by gs \(Gang=gs\), which makes no promises/);
$c->healthy;
$c->down;
done_testing;
