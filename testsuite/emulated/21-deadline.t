#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 21-deadline: Slurm's own semantics of --deadline, and promises kept to the end. A faster clock.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

# A guard of minutes: on this clock a loaded machine's second is 30.
my $guard = 240;
my $c = Cluster->up(nodes => 4, speed => 30, partition => ['short Nodes=ALL MaxTime=5 DefaultTime=3',
		'longer Nodes=ALL DefaultTime=9', 'most Nodes=ALL MaxTime=20'],
	# What a requeued job has to wait for.
	conf => 'AuthInfo=socket=@DIR@/munge/socket,cred_expire=300',
	pact => "Guard=$guard\nAdmissionTime=5000\n");

sub minutes {
	my $limit = shift;
	return $1 * 1440 + $2 * 60 + $3 if $limit =~ /^(?:(\d+)-)?(\d+):(\d+):/ && defined $1;
	return $1 * 60 + $2 if $limit =~ /^(\d+):(\d+):/;
	return $limit;
}

# A limit that nobody has chosen is not promised: MaxTime, or the time left until the deadline, is none.
subtest 'without -t it is the partition\'s DefaultTime, or nothing' => sub {
	my $none = qr/without a time limit cannot be promised an end; add --time/;
	$c->refused('neither of them', ['-N1', '--deadline=now+60minutes'], $none);
	$c->refused('--time-min is none', ['-N1', '--time-min=5', '--deadline=now+60minutes'], $none);
	$c->refused('MaxTime is none', ['-N1', '-p', 'most', '--deadline=now+60minutes'], $none);
	$c->refused('nor is UNLIMITED', ['-N1', '-p', 'most', '-t', 'UNLIMITED', '--deadline=now+60minutes'], $none);
	$c->refused('held or not', ['-H', '-N1', '--deadline=now+60minutes'], $none);
	$c->refused('of two partitions the first one\'s counts', ['-N1', '-p', 'batch,short', '--deadline=now+60minutes'], $none);
	$c->refused('the whole of it has to fit', ['-N1', '-p', 'short', '--deadline=now+6minutes'], qr/1 node for 00:03:00/);
	my $ask = sub { return $c->cmd("$Cluster::build/contrib/pact/pact", 'ask', '-N1', '--deadline=now+60minutes', @_) };
	like($ask->()->{out}, $none, 'pact ask says so, too');
	my $said = qr/planned start \S+ \(time limit 00:03:00: the partition's DefaultTime\)$/m;
	like($ask->('-p', 'short')->{out}, qr/time limit 00:03:00/, 'or names the limit');
	for my $parts ('short', 'short,longer', 'short,batch') {
		my $r = $c->accepted("-p $parts: accepted", ['-N1', '-p', $parts, '--deadline=now+60minutes'], runs => 30);
		like($r->{text}, $said, 'the limit is told');
		$c->reaches('it starts', $r->{id}, 'RUNNING|COMPLETED');
		is(minutes($c->field($r->{id}, 'TimeLimit')), 3, 'with the whole of it');
	}
	my $r = $c->accepted('one\'s own limit', ['-N1', '-p', 'short', '-t2', '--deadline=now+60minutes'], runs => 30);
	unlike($r->{text}, qr/time limit/, 'need not be told');
	ok($r = $c->plain(['-N1', '--begin=now+30minutes']), 'a job without a deadline needs none');
	ok(!$c->update($r, 'Deadline=now+60minutes'), 'it gets no deadline by a change without one');
	ok($c->update($r, 'TimeLimit=5', 'Deadline=now+60minutes'), 'but with one') or diag($c->{text});
	$c->cmd('scancel', $r);
};

subtest 'a longer limit with --time-min is trimmed' => sub {
	my $r = $c->accepted('accepted', ['-N1', '-t120', '--time-min=10', '--deadline=now+60minutes'], runs => 60);
	$c->reaches('it starts', $r->{id}, 'RUNNING|COMPLETED');
	my $limit = minutes($c->field($r->{id}, 'TimeLimit'));
	my ($told) = $r->{text} =~ / \(time limit (\d+:\d+:\d+): shortened, as --time-min allows\)$/m;
	is(minutes($told // ''), $limit, 'the limit is told');
	cmp_ok($limit, '<=', 60 - $guard / 60, 'trimmed to the deadline');
	cmp_ok($limit, '>=', 10, 'not below --time-min');
	$c->refused('not when --time-min does not fit', ['-N1', '-t120', '--time-min=59', '--deadline=now+60minutes']);
	my $slurm = $c->sbatch(['-N1', '-t10', '--time-min=20', '--deadline=now+60minutes']);
	ok(!$slurm->{id}, 'a --time-min beyond the limit is refused');
};

subtest 'the partition\'s limits' => sub {
	my $over = $c->sbatch(['-N1', '-p', 'short', '-t10', '--deadline=now+2hours']);
	if ($over->{id}) {
		ok($c->wait_for('the reason', sub { $c->field($over->{id}, 'Reason') eq 'PartitionTimeLimit' }),
			'a job over the partition\'s limit waits with PartitionTimeLimit');
		$c->cmd('scancel', $over->{id});
	} else {
		like($over->{text}, qr/limit/i, 'a job over the partition\'s limit is refused, naming it');
	}
	$c->excuse($over->{id}) if $over->{id};
};

subtest 'promises are kept to the second that Slurm records' => sub {
	my @walls = map { $c->plain(['-N2', '-t3'], runs => 400) } 1, 2;
	$c->reaches('busy', $_, 'RUNNING') for @walls;
	my $n = 0;
	for my $width (1, 2, 4, 1, 3, 2) {
		my $deadline = 1500 + 600 * $n++;
		$c->accepted("$width nodes", ["-N$width", '-t3', '--deadline=' . $c->in_seconds($deadline)],
			runs => $n % 2 ? 400 : 60);
	}
	my @plain = map { $c->plain(["-N$_", '-t5'], runs => 120) } 1 .. 4;
	$c->promises_kept('all kept, those that Slurm ended at their limit too');
	$c->reaches('the plain ones ran as well', $_, 'COMPLETED') for @plain;
	is($c->ended_jobs->{ $walls[0] }{JobState}, 'TIMEOUT', 'limits were enforced');
};

subtest 'begin times' => sub {
	my $begin = $c->now + 900;
	my $r = $c->accepted('accepted', ['-N4', '-t5', '--begin=' . $c->stamp($begin), '--deadline=' .
		$c->stamp($begin + 300 + $guard + 60)], runs => 60);
	cmp_ok($r->{start}, '>=', $begin, 'planned from then on');
	$c->refused('a deadline before the begin and the limit', ['-N1', '-t5', '--begin=now+15minutes',
		'--deadline=now+20minutes']);
	my $long = $c->plain(['-N4', '-t60'], runs => 60);
	ok($c->wait_for('a planned start', sub { $c->out('squeue', '-h', '-j', $long, '-o', '%S') =~ /^\d+$/ }),
		'a job that would run into it is planned');
	my $short = $c->plain(['-N4', '-t5'], runs => 60);
	$c->reaches('a short one still runs before', $short, 'RUNNING|COMPLETED');
	$c->promises_kept('it ran at its time');
	cmp_ok($c->ended_jobs->{ $r->{id} }{StartTime}, '>=', $begin, 'and not before');
	$c->clear;
};

subtest 'a range of nodes' => sub {
	my $begin = $c->now + 2400;
	$c->accepted('three nodes later', ['-N3', '-t5', '--begin=' . $c->stamp($begin), '--deadline=' .
		$c->stamp($begin + 300 + $guard + 60)], runs => 60);
	my $long = $c->plain(['-N1-4', '-t60'], runs => 600);
	$c->reaches('one that would run into it', $long, 'RUNNING');
	is($c->field($long, 'NumNodes'), 1, '  has the one that is left');
	my $r = $c->accepted('a promise', ['-N2-8', '-t5', '--deadline=now+60minutes'], runs => 240);
	$c->reaches('of one that ends before', $r->{id}, 'RUNNING');
	is($c->field($r->{id}, 'NumNodes'), 3, '  has all others');
	$c->clear;
};

subtest 'requeue' => sub {
	my $r = $c->accepted('accepted', ['-N1', '-t5', '--requeue', '--deadline=now+60minutes'], runs => 240);
	$c->reaches('it runs', $r->{id}, 'RUNNING');
	$c->cmd('scontrol', 'requeue', $r->{id});
	$c->reaches('requeued', $r->{id}, 'PENDING');
	is($c->promise($r->{id}), 'promised', 'the promise stands');
	$c->promises_kept('and it is kept');
	cmp_ok($c->ended_jobs->{ $r->{id} }{JobState}, 'eq', 'COMPLETED', 'it ran to its end');
};

subtest 'an early end brings others forward and breaks nothing' => sub {
	my @first = map { $c->plain(['-N2', '-t60'], runs => 60) } 1, 2;
	$c->reaches('busy', $_, 'RUNNING') for @first;
	my @p = map { $c->accepted("promised $_", ["-N$_", '-t10', '--deadline=' . $c->in_seconds(7200 + 600 * $_)],
		runs => 60) } 4, 3, 2;
	my $planned = $p[0]{start};
	$c->promises_kept('all kept');
	cmp_ok($c->ended_jobs->{ $p[0]{id} }{StartTime}, '<', $planned, 'started before the first planned start');
};

$c->clear;
$c->healthy;
done_testing;
