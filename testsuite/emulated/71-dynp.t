#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 71-dynp: sched/dynp on real daemons: it switches and says why, promises hold under each policy, pact.conf
# decides while it runs, a killed controller goes on with the policy that was running, a thousand jobs come
# at once; and all of it without job_submit/deadline, too.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $base = "Guard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\n";
my $pact = "$Cluster::build/contrib/pact/pact";
my $c = Cluster->up(nodes => 4, sched => 'dynp', pact => $base);

# A job of all nodes that waits behind the first one; its limit in minutes.
sub wide {
	my ($minutes, @more) = @_;
	return $c->plain(['-N4', "-t$minutes", @more], runs => 0);
}

# A planned start, as squeue shows it, once there is one.
sub planned {
	my $id = shift;
	my $start;
	$c->wait_for("a planned start of $id", sub {
		$start = $c->field($id, 'StartTime');
		return $start =~ /^\d+$/;
	});
	return $start;
}

# Are these planned in this order?
sub in_order {
	my ($name, @ids) = @_;
	my @starts;
	return ok($c->wait_for($name, sub {
		@starts = map { $c->field($_, 'StartTime') } @ids;
		return !grep { $starts[$_] !~ /^\d+$/ || ($_ && $starts[$_] <= $starts[ $_ - 1 ]) } 0 .. $#ids;
	}), $name) || diag("@ids are planned at @starts");
}

sub switched {
	my ($from, $to, $mark, $why) = @_;
	ok($c->log_has(qr/sched\/dynp: switches from $from to $to: $why/, $mark), "from $from to $to, and the log says why");
}

my $wall = $c->plain(['-N4', '-t60']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');

subtest 'it switches' => sub {
	my $mark = $c->log_mark;
	my $long = wide(500);
	planned($long);
	is($c->log_text($mark) =~ /switches from/ ? 1 : 0, 0, 'one job is no reason to');
	my @short = map { wide($_) } 3, 2, 1;
	switched('fcfs', 'sjf', $mark, qr/artww of the plans, less is better: fcfs [\d.]+, sjf [\d.]+, ljf [\d.]+ \(Decider=advanced, case /);
	in_order('shortest first', reverse(@short), $long);
	$c->cmd('scancel', @short[1, 2], $long);
	$c->settle;
	ok($c->log_text($mark) !~ /switches from sjf/, 'advanced: where all plans are as good, it stays');
	$c->cmd('scancel', @short);
};

subtest 'a controller that was killed goes on with the policy' => sub {
	my $mark = $c->log_mark;
	my $one = wide(10, '-J', 'goes-on');
	planned($one);
	ok($c->wait_for('the job in the saved state', sub {
		return index(Cluster::slurp("$c->{dir}/c/state/job_state"), 'goes-on') >= 0;
	}), 'Slurm has saved the job');
	is(Cluster::slurp("$c->{dir}/c/state/pact_policy"), "pact-policy-1 sjf\n", 'it is saved');
	$c->emulate('kill-controller');
	is($c->emulate('start-controller')->{rc}, 0, 'killed and started');
	$c->remember_controller;
	ok($c->log_has(qr/sched\/dynp: goes on with sjf/, $mark), 'sjf runs');
	$c->reaches('the job still waits', $one, 'PENDING');
	planned($one);
	ok($c->log_text($mark) !~ /switches from/, 'and stays, where all plans are as good');
	$c->cmd('scancel', $one);
};

subtest 'pact.conf decides while it runs' => sub {
	my $mark = $c->log_mark;
	my $one = wide(10);
	planned($one);
	$c->reconfigure($base . "Decider=simple\n");
	switched('sjf', 'fcfs', $mark, qr/artww .*\(Decider=simple, case 1 of Table 1\)/);
	$mark = $c->log_mark;
	$c->reconfigure($base . "Policies=ljf,ffia\nQuality=sld:2+ms\n");
	ok($c->log_has(qr/fcfs was running and is not in Policies= any more: ljf runs/, $mark), 'a policy that is not wanted any more');
	my $short = wide(1);
	switched('ljf', 'ffia', $mark, qr/ms\+sld:2 of the plans/);
	in_order('the smaller area first', $short, $one);
	my $longest = wide(20);
	$c->reconfigure($base . "Policies=ljf\n");
	in_order('by one policy alone', $longest, $one, $short);
	$c->reconfigure($base . "Policies=fcfs\nJobPriority=first\n");
	in_order('in Slurm\'s order', $one, $short, $longest);
	ok($c->update($one, 'Nice=5000') && $c->update($short, 'Priority=0'), 'nice, and hold');
	in_order('  mean something where priority comes first', $longest, $one);
	ok($c->wait_for('held', sub { $c->out($pact, 'plan') =~ /^$short .*is held/m }), '  and held is held');
	$c->cmd('scancel', $one, $short, $longest);
	$c->reconfigure($base . "Policies=sjf\n");
	my ($a, $b) = (wide(5, '--nice=100'), wide(5));
	in_order('ties are broken by priority', $b, $a);
	$c->reconfigure($base . "Policies=sjf\nJobPriority=none\n");
	in_order('or by submission', $a, $b);
	$c->cmd('scancel', $a, $b);
};

subtest 'what is malformed is refused' => sub {
	my %bad = (
		"Policies=fcfs,fcfs\n" => qr/Policies=fcfs,fcfs: /,
		"Decider=maybe\n" => qr/Decider=maybe: /,
		"Quality=art:0\n" => qr/Quality=art:0: /,
		"Slackness=100\n" => qr/Slackness=100: /,
		"LowerBound=9001\n" => qr/LowerBound=9001: must not be above UpperBound=9000/,
		"Decider=basic\nPolicies=fcfs,sjf\n" => qr/Decider=basic: .*Policies/,
		"JobPriority=last\n" => qr/JobPriority=last: /,
	);
	for my $text (sort keys %bad) {
		my $mark = $c->log_mark;
		$c->reconfigure($base . $text);
		chomp(my $name = $text);
		ok($c->log_has($bad{$text}, $mark) && $c->log_has(qr/pact.conf refused, the one in force stays/, $mark), $name =~ s/\n/, /r);
	}
};

subtest 'promises hold under each policy' => sub {
	$c->clear;
	my $mark = $c->log_mark;
	$c->reconfigure($base);
	my $busy = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	# 10 + 1, then 30 + 1 minutes of plan; SJF would put all that is shorter before it.
	my $tight = $c->accepted('a long job with little to spare', ['-N4', '-t30', '--deadline=now+45minutes'], runs => 0);
	my @more = map { wide($_) } 4, 3, 2, 500, 1;
	ok($c->log_has(qr/sched\/dynp: switches from .*sjf breaks a promise/, $mark), 'a policy that would break it does not run');
	for my $id (@more) {
		planned($id);
	}
	cmp_ok(planned($tight->{id}) + 31 * 60, '<=', $tight->{by}, 'it is planned in time');
	my $loose = $c->accepted('another one', ['-N2', '-t5', '--deadline=now+20hours'], runs => 0);
	is($c->promise($_->{id}), 'promised', 'promised') for $tight, $loose;
	$c->refused('what would break one is refused', ['-N4', '-t30', '--deadline=now+46minutes']);
	$c->cmd('scancel', $busy, $more[3]);
	$c->promises_kept('and all are kept');
	$c->reaches('the others ran as well', $_, 'COMPLETED') for @more[0, 1, 2, 4];
};

subtest 'a thousand jobs at once' => sub {
	my $busy = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	# All of them fit into the day that nobody has to wait longer than.
	my @r = $c->at_once(map { ['sbatch', '-o', '/dev/null', '-N1', '-t' . (1 + $_ % 3), '--array=1-50',
		'--wrap', 'true'] } 1 .. 20);
	is(scalar(grep { $_->{id} } @r), 20, 'all are taken');
	ok($c->wait_for('a plan of all of them', sub {
		return (() = $c->out($pact, 'plan') =~ /^\d+_\d+ .* waiting /mg) == 1000;
	}), 'all are planned');
	my $soon = $c->accepted('a deadline among them', ['-N1', '-t1', '--deadline=now+12hours'], runs => 0);
	$c->cmd('scancel', map { $_->{id} } @r);
	$c->cmd('scancel', $busy);
	$c->promises_kept('is kept');
};

$c->clear;
$c->healthy;
$c->down;

# ---- without job_submit/deadline ----

$c = Cluster->up(nodes => 4, sched => 'dynp', submit => 'none', pact => $base);
$wall = $c->plain(['-N4', '-t60']);
$c->reaches('without promises: all nodes are busy', $wall, 'RUNNING');
my $mark = $c->log_mark;
my $dated = $c->sbatch(['-N4', '-t500', '--deadline=now+20hours'], runs => 0);
ok($dated->{id} && $dated->{text} !~ /deadline: /, 'a deadline is Slurm\'s own') or diag($dated->{text});
my @jobs = map { wide($_) } 3, 2, 1;
switched('fcfs', 'sjf', $mark, qr/artww of the plans/);
is($c->promise($dated->{id}), '', 'nothing is promised');
$c->cmd('scancel', $wall, $dated->{id});
$c->reaches('they run', $_, 'COMPLETED') for @jobs;
my $ended = $c->ended_jobs;
is_deeply([sort { $ended->{$a}{StartTime} <=> $ended->{$b}{StartTime} || $b <=> $a } @jobs], [reverse @jobs], 'shortest first');
$c->healthy;
$c->down;

done_testing;
