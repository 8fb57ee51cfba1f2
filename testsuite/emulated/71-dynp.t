#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 71-dynp: sched/dynp on real daemons: it switches and says why, promises hold under each policy, pact.conf
# decides while it runs, a killed controller goes on with the policy that was running, a thousand jobs come
# at once; all of it is recorded, and pact-sim decides the same, step for step. And without
# job_submit/deadline.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use File::Temp qw(tempdir);
use JSON::PP;

my $sim = "$Cluster::build/sim/pact-sim";
my $recordings = tempdir('pact-dynp-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $base = "Guard=60\nAdmissionTime=5000\nPlanInterval=2\nSocketRate=0\n";
my $recorded = $base . "Record=on\nRecordDir=$recordings\nRecordFiles=100\n";
my $pact = "$Cluster::build/contrib/pact/pact";
my $c = Cluster->up(nodes => 4, sched => 'dynp', pact => $recorded);

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
		return 0 if grep { !/^\d+$/ } @starts;
		return !grep { $starts[$_] <= $starts[ $_ - 1 ] } 1 .. $#ids;
	}), $name) || diag("@ids are planned at @starts");
}

# What pact stats tells of them.
sub policies {
	my $r = $c->cmd($pact, '--json', 'stats');
	return $r->{rc} ? {} : decode_json($r->{out})->{dynp} // {};
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
	$c->reconfigure($recorded . "Decider=simple\n");
	switched('sjf', 'fcfs', $mark, qr/artww .*\(Decider=simple, case 1 of Table 1\)/);
	$mark = $c->log_mark;
	$c->reconfigure($recorded . "Policies=ljf,ffia\nQuality=sld:2+ms\n");
	ok($c->log_has(qr/fcfs was running and is not in Policies= any more: ljf runs/, $mark), 'a policy that is not wanted any more');
	my $short = wide(1);
	switched('ljf', 'ffia', $mark, qr/ms\+sld:2 of the plans/);
	in_order('the smaller area first', $short, $one);
	my $longest = wide(20);
	$c->reconfigure($recorded . "Policies=ljf\n");
	in_order('by one policy alone', $longest, $one, $short);
	$c->reconfigure($recorded . "Policies=fcfs\nJobPriority=first\n");
	in_order('in Slurm\'s order', $one, $short, $longest);
	ok($c->update($one, 'Nice=5000') && $c->update($short, 'Priority=0'), 'nice, and hold');
	in_order('  mean something where priority comes first', $longest, $one);
	ok($c->wait_for('held', sub { $c->out($pact, 'plan') =~ /^$short .*is held/m }), '  and held is held');
	ok($c->wait_field($short, 'StartTime', qr/Unknown/), '  and shows no start');
	$c->cmd('scancel', $one, $short, $longest);
	$c->reconfigure($recorded . "Policies=sjf\n");
	my ($a, $b) = (wide(5, '--nice=100'), wide(5));
	in_order('ties are broken by priority', $b, $a);
	$c->reconfigure($recorded . "Policies=sjf\nJobPriority=none\n");
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
		$c->reconfigure($recorded . $text);
		chomp(my $name = $text);
		ok($c->log_has($bad{$text}, $mark) && $c->log_has(qr/pact.conf refused, the one in force stays/, $mark), $name =~ s/\n/, /r);
	}
};

subtest 'promises hold under each policy' => sub {
	$c->clear;
	$c->reconfigure($recorded);
	my $busy = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	# 10 + 1, then 30 + 1 minutes of plan; SJF would put all that is shorter before it.
	my $tight = $c->accepted('a long job with little to spare', ['-N4', '-t30', '--deadline=now+45minutes'], runs => 0);
	my @more = map { wide($_) } 4, 3, 2, 500, 1;
	planned($_) for @more;
	my $d = {};
	ok($c->wait_for('a policy that breaks a promise', sub {
		$d = policies();
		return grep { $_->{name} eq 'sjf' && exists $_->{keeps_promises} && !$_->{keeps_promises} } @{ $d->{policies} };
	}), 'a policy that would break it') or diag(encode_json($d));
	is($d->{running}, 'fcfs', '  does not run');
	cmp_ok(planned($tight->{id}) + 31 * 60, '<=', $tight->{by}, 'it is planned in time');
	my $loose = $c->accepted('another one', ['-N2', '-t5', '--deadline=now+20hours'], runs => 0);
	is($c->promise($_->{id}), 'promised', 'promised') for $tight, $loose;
	$c->refused('what would break one is refused', ['-N4', '-t30', '--deadline=now+46minutes']);
	$c->cmd('scancel', $busy, $more[3]);
	$c->promises_kept('and all are kept');
	$c->reaches('the others ran as well', $_, 'COMPLETED') for @more[0, 1, 2, 4];
};

# Arrays of 50 with limits of 2 to 4 minutes, so many at one instant.
sub burst {
	my $arrays = shift;
	my @r = $c->at_once(map { ['sbatch', '-o', '/dev/null', '-N1', '-t' . (2 + $_ % 3), '--array=1-50',
		'--wrap', 'true'] } 1 .. $arrays);
	is(scalar(grep { $_->{id} } @r), $arrays, 'all are taken');
	return map { $_->{id} } @r;
}

subtest 'a thousand jobs at once' => sub {
	$c->reconfigure($recorded . "Policies=fcfs\n");
	my $busy = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	# 10 + 1, then 1 + 1 minutes of plan: first of all by fcfs and by sjf, and last by ljf.
	my $early = $c->accepted('a deadline before them', ['-N4', '-t1', '--deadline=now+20minutes'], runs => 0);
	my $in_time = sub {
		is($c->promise($early->{id}), 'promised', "$_[0]: it is promised");
		cmp_ok(planned($early->{id}) + 2 * 60, '<=', $early->{by}, '  and planned in time');
	};
	my $mark = $c->log_mark;
	$c->reconfigure($recorded);
	# All of them fit into the day that nobody has to wait longer than.
	my @ids = burst(10);
	switched('fcfs', 'sjf', $mark, qr/artww of the plans/);
	$in_time->('by sjf');
	$mark = $c->log_mark;
	$c->reconfigure($recorded . "Policies=ljf,fcfs\n");
	switched('ljf', 'fcfs', $mark, qr/artww .*: ljf breaks a promise, fcfs [\d.e+]+ /);
	$in_time->('by fcfs');
	push @ids, burst(10);
	$mark = $c->log_mark;
	$c->reconfigure($recorded);
	switched('fcfs', 'sjf', $mark, qr/artww .*, ljf breaks a promise /);
	ok($c->wait_for('a plan of all of them', sub {
		return (() = $c->out($pact, 'plan') =~ /^\d+_\d+ .* waiting /mg) == 1000;
	}), 'all are planned');
	$in_time->('among a thousand');
	my $soon = $c->accepted('a deadline among them', ['-N1', '-t1', '--deadline=now+12hours'], runs => 0);
	$c->cmd('scancel', @ids, $busy);
	$c->promises_kept('both are kept');
};

subtest 'what is seen of it' => sub {
	$c->clear;
	my $busy = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $busy, 'RUNNING');
	wide($_) for 500, 2, 1;
	my $d = {};
	$c->wait_for('the best of three plans', sub {
		$d = policies();
		return ($d->{running} // '') eq 'sjf' && ($d->{policies}[0]{quality} // 0) > $d->{policies}[1]{quality};
	});
	is($d->{running}, 'sjf', 'the running policy');
	is(join(',', map { $_->{name} } @{ $d->{policies} }), 'fcfs,sjf,ljf', 'all of them');
	my ($fcfs, $sjf, $ljf) = @{ $d->{policies} };
	for my $count (qw(switches started)) {
		my $all = 0;
		$all += $_->{$count} for $fcfs, $sjf, $ljf;
		cmp_ok($all, '>=', 1, "$count are counted");
	}
	cmp_ok($sjf->{quality}, '<', $_->{quality}, 'its plan was the best') for $fcfs, $ljf;
	my $cases = 0;
	$cases += $_ for values %{ $d->{cases} };
	cmp_ok($cases, '>=', 1, 'cases are counted');
	cmp_ok($d->{steps}, '>=', $cases, 'in steps');
	like($c->out($pact, 'stats'), qr/^policy: sjf; \d+ steps.*^\* sjf +\d+ +\d+  [\d.e+]+$/ms, 'in words');
	like($c->out($pact, 'plan'), qr/^plan of \S+, by policy sjf;/m, 'the plan says who made it');
	like($c->out($pact, 'status'), qr{, sched/dynp\n(?:built for .*\n)?plan of .*, policy sjf$}m, 'so does the status');
	my $p = $c->cmd($pact, 'stats', '--prometheus');
	like($p->{out}, qr/^pact_dynp_running\{policy="sjf"\} 1$/m, 'Prometheus');
	SKIP: {
		skip 'promtool is not installed', 1 unless grep { -x "$_/promtool" } split /:/, $ENV{PATH};
		my $file = $c->file('metrics', $p->{out});
		my $check = $c->cmd('sh', '-c', "promtool check metrics <$file 2>&1");
		is("$check->{rc}$check->{out}", '0', 'promtool takes it');
	}
};

$c->clear;
$c->healthy;
$c->down; # ends the last recording

subtest 'pact-sim decides the same, step for step' => sub {
	my @files = sort glob "$recordings/pact-*.rec";
	cmp_ok(scalar(@files), '>=', 8, 'each reconfiguration begins a file, whoever waits');
	my $switches = 0;
	for my $file (@files) {
		$switches += () = Cluster::slurp($file) =~ /^\{"next":\{"type":"policy"/mg;
	}
	cmp_ok($switches, '>=', 3, 'switches are recorded');
	my $out = qx{$sim replay @files 2>&1};
	is($? >> 8, 0, 'no decision differs') or diag($out);
	like($out, qr/no difference: \d+ events/, 'of many');
};

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
my $asked;
ok($c->wait_for('an answer', sub {
	$asked = $c->cmd($pact, 'ask', '-N1', '-t1', '--deadline=now+20hours');
	return $asked->{rc} == 1;
}), 'nor does pact ask say that it would be') or diag($asked->{err});
like($asked->{out}, qr/^could not be promised: .*JobSubmitPlugins has no deadline/, '  but why not');
like($c->out($pact, 'status'), qr/^nothing is promised: .*JobSubmitPlugins/m, 'and so does pact status');
$c->cmd('scancel', $wall, $dated->{id});
$c->reaches('they run', $_, 'COMPLETED') for @jobs;
my $ended = $c->ended_jobs;
is_deeply([sort { $ended->{$a}{StartTime} <=> $ended->{$b}{StartTime} || $b <=> $a } @jobs], [reverse @jobs], 'shortest first');
is($c->emulate('reconfigure', '--submit', 'deadline')->{rc}, 0, 'JobSubmitPlugins by a reconfiguration');
if ($c->respawns) {
	$c->accepted('a new slurmctld promises', ['-N1', '-t1', '--deadline=now+20hours'], runs => 0);
	$c->promises_kept('  and keeps');
} else {
	ok($c->wait_for('what to do', sub {
		$c->out($pact, 'ask', '-N1', '-t1', '--deadline=now+20hours') =~ /^could not be promised: .*restart slurmctld/;
	}), 'it is too late, and pact ask says what to do');
}
$c->healthy;
$c->down;

done_testing;
