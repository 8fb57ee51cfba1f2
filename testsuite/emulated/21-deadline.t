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
my $c = Cluster->up(nodes => 4, speed => 30, partition => ['short Nodes=ALL MaxTime=5 DefaultTime=3'],
	# What a requeued job has to wait for.
	conf => 'AuthInfo=socket=@DIR@/munge/socket,cred_expire=300',
	pact => "Guard=$guard\nAdmissionTime=5000\n");

sub minutes {
	my $limit = shift;
	return $1 * 1440 + $2 * 60 + $3 if $limit =~ /^(?:(\d+)-)?(\d+):(\d+):/ && defined $1;
	return $1 * 60 + $2 if $limit =~ /^(\d+):(\d+):/;
	return $limit;
}

subtest 'without -t the limit becomes what is left' => sub {
	my $r = $c->accepted('accepted', ['-N1', '--deadline=now+60minutes'], runs => 60);
	$c->reaches('it starts', $r->{id}, 'RUNNING|COMPLETED');
	my $limit = minutes($c->field($r->{id}, 'TimeLimit'));
	cmp_ok($limit, '<=', 60 - $guard / 60, 'no more than the time left');
	cmp_ok($limit, '>=', 1, 'and something');
};

subtest 'a longer limit with --time-min is trimmed' => sub {
	my $r = $c->accepted('accepted', ['-N1', '-t120', '--time-min=10', '--deadline=now+60minutes'], runs => 60);
	$c->reaches('it starts', $r->{id}, 'RUNNING|COMPLETED');
	my $limit = minutes($c->field($r->{id}, 'TimeLimit'));
	cmp_ok($limit, '<=', 60 - $guard / 60, 'trimmed to the deadline');
	cmp_ok($limit, '>=', 10, 'not below --time-min');
	$c->refused('not when --time-min does not fit', ['-N1', '-t120', '--time-min=59', '--deadline=now+60minutes']);
	my $slurm = $c->sbatch(['-N1', '-t10', '--time-min=20', '--deadline=now+60minutes']);
	ok(!$slurm->{id}, 'a --time-min beyond the limit is refused');
};

subtest 'the partition\'s limits' => sub {
	my $r = $c->accepted('its default limit', ['-N1', '-p', 'short', '--deadline=now+2hours'], runs => 30);
	$c->reaches('it starts', $r->{id}, 'RUNNING|COMPLETED');
	cmp_ok(minutes($c->field($r->{id}, 'TimeLimit')), '<=', 5, 'at most the partition\'s');
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
