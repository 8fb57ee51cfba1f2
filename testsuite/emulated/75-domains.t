#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 75-domains: a partition with a scheduler of its own: promises beside it, a controller that is killed, another
# pact.conf, partitions that change, and partitions that share nodes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $base = "Guard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\n";
my $own = "PartitionName=gpu Scheduler=easy\n";
my @partitions = ('batch Nodes=n[1-4] Default=YES MaxTime=INFINITE', 'gpu Nodes=n[5-6] MaxTime=INFINITE');
my $c = Cluster->up(nodes => 6, partition => \@partitions, pact => $base . $own);
my $pact = "$Cluster::build/contrib/pact/pact";

ok($c->wait_for('the schedulers in the log', sub { $c->log_has(qr/nodes by scheduler: qops\@0-3\+easy\@4-5$/m) }),
	'each scheduler has its nodes');

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? {} : decode_json($r->{out});
}

# A job of the plan; waits until the plan has it.
sub planned {
	my $id = shift;
	my $job;
	$c->wait_for("job $id in the plan", sub {
		($job) = grep { $_->{job} == $id } @{ answer('plan')->{jobs} // [] };
		return $job;
	});
	return $job // {};
}

my $wall = $c->plain(['-N4', '-t10']);
my $gpu = $c->plain(['-p', 'gpu', '-N1', '-t20']);
$c->reaches('a job runs', $wall, 'RUNNING');
$c->reaches('one runs beside it', $gpu, 'RUNNING');
is($c->field($gpu, 'NodeList'), 'n5', 'on nodes of its partition');

my ($promised, $both);
subtest 'promises' => sub {
	$promised = $c->accepted('a promise in the one', ['-N4', '-t10', '--deadline=now+2hours']);
	$c->refused('none in the other', ['-p', 'gpu', '-N1', '-t10', '--deadline=now+2hours'],
		qr/partition gpu is scheduled by easy \(Scheduler=easy\), which makes no promises/);
	$both = $c->accepted('of both, the one that makes some', ['-p', 'gpu,batch', '-N2', '-t10', '--deadline=now+3hours']);
	$c->refused('too early', ['-p', 'gpu,batch', '-N2', '-t10', '--deadline=now+12minutes'], qr/now|earliest/);
	my $ask = $c->cmd($pact, 'ask', '-p', 'gpu', '-N1', '-t10', '--deadline=now+2hours');
	like($ask->{out} . $ask->{err}, qr/Scheduler=easy/, 'pact ask says it, too');
};

# EASY: the head of the queue waits for two nodes, a short job goes before it, a long one does not.
my ($head, $long);
subtest 'the other plans as it does' => sub {
	$head = $c->plain(['-p', 'gpu', '-N2', '-t10']);
	$long = $c->plain(['-p', 'gpu', '-N1', '-t120']);
	my $short = $c->plain(['-p', 'gpu', '-N1', '-t5']);
	$c->reaches('a short job is backfilled', $short, 'RUNNING');
	is($c->field($short, 'NodeList'), 'n6', 'on the other node');
	is($c->state($head), 'PENDING', 'the head waits');
	is($c->state($long), 'PENDING', 'so does the long one');
	$c->cmd('scancel', $short);
	is(planned($head)->{scheduler}, 'easy', 'the plan shows whose it is');
	is(planned($promised->{id})->{scheduler}, 'qops', 'and whose the promised one');
	like($c->cmd($pact, 'explain', $head)->{out}, qr/easy/, 'explain names it');
	is_deeply(answer('status')->{schedulers}, { gpu => 'easy' }, 'so does status');
};

subtest 'kill -9' => sub {
	my @before = map { $c->field($_->{id}, 'Deadline') } $promised, $both;
	ok($c->wait_for('the promises in the saved state', sub {
		my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
		return !grep {
			my ($id) = $c->field($_->{id}, 'AdminComment') =~ /(pact1\(id=[0-9a-f]+)/;
			!$id || index($state, $id) < 0;
		} $promised, $both;
	}), 'the promises are saved');
	my $mark = $c->log_mark;
	is($c->emulate('kill-controller')->{rc}, 0, 'killed');
	is($c->emulate('start-controller')->{rc}, 0, 'started');
	$c->remember_controller;
	ok($c->wait_for('the schedulers again', sub { $c->log_has(qr/nodes by scheduler: qops\@0-3\+easy\@4-5$/m, $mark) }),
		'each scheduler has its nodes again');
	is($c->promise($_->{id}), 'promised', "job $_->{id} is promised") for $promised, $both;
	is_deeply([map { $c->field($_->{id}, 'Deadline') } $promised, $both], \@before, 'by the same time');
	is(planned($head)->{scheduler}, 'easy', 'the head waits where it did');
	is($c->state($_), 'PENDING', 'it waits') for $head, $long;
	$c->refused('still none there', ['-p', 'gpu', '-N1', '-t10', '--deadline=now+2hours'], qr/Scheduler=easy/);
};

sub logs {
	my ($name, $words, $mark) = @_;
	return ok($c->wait_for($name, sub { $c->log_has($words, $mark) }), $name);
}

subtest 'partitions that change' => sub {
	my $mark = $c->log_mark;
	$c->cmd('scontrol', 'update', 'PartitionName=batch', 'Nodes=n[1-5]');
	logs('a node of two', qr/PartitionName=gpu Scheduler=easy: it shares nodes with partition batch, whose scheduler is qops; each keeps/, $mark);
	$c->refused('each keeps its nodes', ['-N5', '-t10', '--deadline=now+10hours'], qr/./);
	$c->cmd('scancel', $gpu);
	$mark = $c->log_mark;
	$c->cmd('scontrol', 'update', 'PartitionName=gpu', 'Nodes=n6');
	logs('it moves', qr/nodes by scheduler: qops\@0-4\+easy\@5$/m, $mark);
	ok($c->wait_for('five nodes', sub {
		$c->sbatch(['--test-only', '-N5', '-t10', '--deadline=now+10hours'])->{text} =~ /to start|accepted/;
	}), 'where it is now, promises are made');
	is($c->promise($_->{id}), 'promised', "job $_->{id} is promised") for $promised, $both;
	$c->cmd('scontrol', 'update', 'PartitionName=batch', 'Nodes=n[1-4]');
	$c->cmd('scontrol', 'update', 'PartitionName=gpu', 'Nodes=n[5-6]');
	logs('and back', qr/nodes by scheduler: qops\@0-3\+easy\@4-5$/m, $mark);
	# While one scheduler has all nodes, the job of both partitions may start on these if they are free.
	$c->reaches('the head has the nodes', $head, 'RUNNING');
};

subtest 'another pact.conf' => sub {
	my $mark = $c->log_mark;
	for (['Scheduler=magic', qr/PartitionName=gpu Scheduler=magic: no scheduler named 'magic'/],
		['Scheduler=msb', qr/PartitionName=gpu Scheduler=msb: mode: .*paper mode only/],
		['Scheduler=dynp', qr/PartitionName=gpu Scheduler=dynp: only SchedulerType can name it/],
		['Scheduler=qops@0+easy@1', qr/one scheduler is wanted/],
		['', qr/PartitionName=gpu: Admission=, Scheduler= or Gang= is missing/]) {
		$c->reconfigure("${base}PartitionName=gpu $_->[0]\n");
		logs("refused: $_->[0]", $_->[1], $mark);
	}
	$c->refused('the one in force stays', ['-p', 'gpu', '-N1', '-t10', '--deadline=now+2hours'], qr/Scheduler=easy/);
	$mark = $c->log_mark;
	$c->reconfigure($base);
	# A new slurmctld says nothing of it: there never were two.
	logs('one for all', qr/nodes by scheduler: qops$/m, $mark) if !$c->respawns;
	ok($c->wait_for('one scheduler', sub {
		my $status = answer('status');
		return $status->{planned} && !%{ $status->{schedulers} // {} };
	}), 'one for all, says pact status');
	my $r;
	ok($c->wait_for('a promise', sub {
		$r = $c->sbatch(['-p', 'gpu', '-N2', '-t10', '--deadline=now+9hours']);
		return $r->{id};
	}), 'then both make promises') or diag($r->{text});
	$mark = $c->log_mark;
	$c->reconfigure($base . $own);
	logs('two again', qr/nodes by scheduler: qops\@0-3\+easy\@4-5$/m, $mark);
	ok($c->wait_for('withdrawn', sub { !$c->job($r->{id}) || $c->promise($r->{id}) eq 'withdrawn' ||
		$c->state($r->{id}) ne 'PENDING' }), 'a promise in a partition that makes none any more is withdrawn');
	is($c->promise($_->{id}), 'promised', "job $_->{id} is promised") for $promised, $both;
};

$c->cmd('scancel', $wall, $head, $long);
my @on = $c->run_all($promised->{id}, $both->{id});
like($on[1], qr/^n\[?[1-4]/, 'the one of both partitions runs where it was promised');
$c->healthy;
$c->down;

subtest 'shared nodes at start-up' => sub {
	my $bad = Cluster->up(nodes => 4, may_fail => 1, pact => $base . $own,
		partition => ['batch Nodes=ALL Default=YES', 'gpu Nodes=n[3-4]']);
	ok(!$bad, 'slurmctld does not start') or return;
	like($Cluster::why, qr/PartitionName=gpu Scheduler=easy: it shares nodes with partition batch, whose scheduler is qops/,
		'and says why');
};

done_testing;
