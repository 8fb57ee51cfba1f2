#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 26-limits: accounts, QOS and their limits, with a real slurmdbd. A limit that the job alone decides about
# stops no promise that keeps within it; one that depends on other jobs does, by its name.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $dir = "/tmp/pact-limits-$$";
END { system('rm', '-rf', $dir) if $dir }
mkdir $dir, 0755 or die "$dir: $!";
my $c = Cluster->up(nodes => 4, cpus => 2, accounting => 1,
	pact => "Guard=20\nAdmissionTime=5000\nPlanInterval=2\nHistory=$dir/history.db\n",
	conf => "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n");
my $me = getpwuid $>;

$c->accounts(qw(add account science));
$c->accounts(qw(add account phys parent=science));
$c->accounts(qw(add user), $me, qw(account=phys));
$c->accounts(qw(add qos lim));
$c->accounts(qw(add qos other));
$c->accounts(qw(add qos part));
$c->accounts(qw(modify user), $me, 'where', 'account=phys', 'set', 'qos=normal,lim,other');
$c->accounts('add', 'user', $me, 'account=science');
$c->accounts(qw(add account paying));
$c->accounts('add', 'user', $me, 'account=paying');
is($c->emulate('reconfigure', map { ('--partition', $_) } 'side Nodes=ALL QOS=part', 'paid Nodes=ALL AllowAccounts=paying',
		'below Nodes=ALL AllowAccounts=science',
		'fine Nodes=ALL AllowQos=other', 'shut Nodes=ALL DenyAccounts=phys', 'dull Nodes=ALL DenyQos=lim')->{rc}, 0,
	'a partition with a QOS, and some for some');

my @in = ('-A', 'phys', '-q', 'lim');
my @late = ('--deadline=now+10hours');

# Where a limit is set, how it is unset, how the message names it, and how a job gets there.
my %where = (
	qos => { set => [qw(modify qos lim set)], from => qr/QOS lim/ },
	account => { set => [qw(modify account science set)], from => qr/account science/ },
	user => { set => ['modify', 'user', $me, qw(where account=phys set)], from => qr/user \Q$me\E in account phys/ },
	partition => { set => [qw(modify qos part set)], from => qr/QOS part of partition side/, job => ['-p', 'side'] },
);

# A cluster full of somebody's job, so that promised ones wait.
sub fill {
	my $id = $c->plain(['-N4', '-t60', '-A', 'root']);
	$c->wait_state($id, 'RUNNING');
	return $id;
}

$c->accepted('no limits: promised', [@in, '-N4', '-t30', @late], runs => 0);
$c->promises_kept('and kept');

subtest 'the history has the default account' => sub {
	my $r = $c->accepted('no account is named', ['-N1', '-t1', @late], runs => 0);
	my $default = $c->field($r->{id}, 'Account');
	like($default, qr/^\w+$/, 'Slurm has one');
	$c->refused('nor of one that is refused', ['-N1', '-t10', '--deadline=now+5minutes']);
	$c->promises_kept('kept');
	my $got = '';
	ok($c->wait_for('its rows', sub {
		my $csv = $c->out("$Cluster::build/contrib/pact/pact", 'history', '--csv', '-A', $default);
		$got = join ' ', sort map { (split /,/)[1] } grep { /^\d/ } split /\n/, $csv;
		return $got eq 'accepted kept refused';
	}), 'history -A finds decisions and outcome') or diag("of $default: $got");
};

# Slurm's own checks come after job_submit: what they refuse was told as accepted before.
subtest 'what Slurm does not find' => sub {
	for my $case ([['-A', 'nonesuch'], qr/account nonesuch.*\n.*Invalid account/], [['-q', 'nonesuch'], qr/QOS nonesuch.*\n.*Invalid qos/],
			[['-A', 'phys', '-q', 'part'], qr/QOS part.*\n.*Invalid qos/],
			[['-A', 'science', '-q', 'lim'], qr/QOS lim.*\n.*Invalid qos/]) {
		my ($args, $words) = @$case;
		my $r = $c->refused("@$args", [@$args, '-N1', '-t5', @late]);
		like($r->{text}, $words, '  with Slurm\'s own error');
		my $ask = $c->cmd("$Cluster::build/contrib/pact/pact", 'ask', @$args, '-N1', '-t5', @late);
		is($ask->{rc}, 1, '  pact ask says the same') or diag($ask->{out});
	}
	$c->accepted('names in capitals are the same ones', ['-A', 'PHYS', '-q', 'LIM', '-N1', '-t5', @late]);
	$c->clear;
	my $as = $c->sbatch([@in, '-N1', '-t5', @late], as => 65534);
	like($as->{text}, qr/deadline: refused: account phys of uid 65534.*\n.*Invalid account/, 'a user without an account');
	$as = $c->sbatch(['-N1', '-t5', @late], as => 65534);
	like($as->{text}, qr/deadline: refused: uid 65534 has no default account: Slurm refuses that: Invalid account/, 'who names none');
	$c->accounts(qw(modify qos lim set MaxSubmitJobsPerUser=1));
	my $held = $c->plain([@in, '-H', '-N1', '-t5']);
	my $r = $c->refused('one more than may be submitted', [@in, '-N1', '-t5', @late], qr/QOSMaxSubmitJobPerUserLimit/);
	like($r->{text}, qr/Job violates accounting/, '  with Slurm\'s own error');
	$c->cmd('scancel', $held);
	$c->accounts(qw(modify qos lim set MaxSubmitJobsPerUser=-1));
};

subtest 'tasks per node' => sub {
	my $wall = fill();
	my $r = $c->accepted('four tasks, one per node', [@in, '-n4', '--ntasks-per-node=1', '-t1', @late], runs => 0);
	$c->settle;
	is($c->promise($r->{id}), 'promised', 'the plan has its record');
	$c->cmd('scancel', $wall);
	$c->promises_kept('kept');
	is($c->ended_jobs->{ $r->{id} }{NodeCnt}, 4, 'on four nodes');
};

# Without EnforcePartLimits Slurm asks for these when the job could start, which then waits for ever.
subtest 'partitions for some accounts and QOS' => sub {
	my @job = ('-N1', '-t1', @late);
	for (['paid', qr/AllowAccounts=paying, and the job has account phys/, '-A', 'paying', '-q', 'normal'],
		['fine', qr/AllowQos=other, and the job has QOS lim/, '-A', 'phys', '-q', 'other'],
		['shut', qr/DenyAccounts=phys, and the job has account phys/, '-A', 'science', '-q', 'normal'],
		['dull', qr/DenyQos=lim, and the job has QOS lim/, '-A', 'phys', '-q', 'other']) {
		my ($part, $says, @other) = @$_;
		$c->refused("$part: refused", ['-p', $part, @in, @job], qr/partition $part: $says/);
		$c->accepted("$part: others are promised", ['-p', $part, @other, @job], runs => 0);
	}
	# phys is below science.
	if ($c->release >= 2302) {
		$c->accepted('an account means those below it, too', ['-p', 'below', @in, @job], runs => 0);
	} else {
		$c->refused('an account does not mean those below it', ['-p', 'below', @in, @job], qr/AllowAccounts=science/);
	}
	$c->promises_kept('and kept');
};

subtest 'held at first in such a partition' => sub {
	my $id = $c->plain(['-H', '-p', 'paid', @in, '-N1', '-t1', @late], runs => 0);
	$c->settle;
	is($c->cmd('scontrol', 'release', $id)->{rc}, 0, 'released');
	ok($c->wait_field($id, 'Reason', qr/account/i), 'it waits, and is said why');
	is($c->promise($id), 'withdrawn', 'nothing is promised that never starts');
	$c->{promised}{$id} = $c->field($id, 'Deadline');
	ok($c->update($id, 'Account=paying'), 'an account that may, but not with this QOS') or diag($c->{text});
	ok($c->wait_field($id, 'Reason', qr/QOS/i), 'it waits for that');
	is($c->promise($id), 'withdrawn', 'with no promise');
	ok($c->update($id, 'QOS=normal'), 'one that it may have') or diag($c->{text});
	ok($c->wait_for('the promise', sub { $c->promise($id) eq 'promised' }), 'now it is promised');
	$c->promises_kept('and kept');
};

# By what the job will have: Slurm changes all of it at once.
subtest 'a deadline together with other things' => sub {
	my $wall = fill();
	my %job = map { $_ => $c->plain(['-A', 'phys', '-q', $_, '-N1', '-t5'], runs => 0) } qw(lim other);
	$c->settle;
	my $refused = sub {
		my ($name, $says, $id, @terms) = @_;
		my $mark = $c->log_mark;
		ok(!$c->update($id, 'Deadline=now+10hours', @terms), "$name: refused");
		ok($c->log_has(qr/JobId=$id: change refused: .*$says/, $mark), 'as the log says');
		is($c->promise($id), '', 'nothing is promised');
	};
	$refused->('a QOS that its new partition does not take', qr/AllowQos=other/, $job{other}, 'Partition=fine', 'QOS=lim');
	$refused->('an account likewise', qr/DenyAccounts=phys/, $job{lim}, 'Partition=shut', 'QOS=other');
	$c->accounts(qw(modify qos lim set GrpJobs=50));
	$refused->('a QOS with a limit on all jobs', qr/limit GrpJobs=50 of QOS lim/, $job{other}, 'QOS=lim');
	ok($c->update($job{lim}, 'Deadline=now+10hours', 'QOS=other', 'Partition=fine'), 'from such a QOS to another')
		or diag($c->{text});
	ok($c->update($job{other}, 'Deadline=now+10hours', 'Account=paying', 'QOS=normal', 'Partition=paid'),
		'another account, and a partition that takes it') or diag($c->{text});
	for (values %job) {
		is($c->promise($_), 'promised', 'promised');
		$c->{promised}{$_} = $c->field($_, 'Deadline');
	}
	$c->settle;
	$c->accounts(qw(modify qos lim set GrpJobs=-1));
	$c->cmd('scancel', $wall);
	$c->promises_kept('and kept');
};

subtest 'limits that a job keeps within or not' => sub {
	# Limit, value, a job within, a job over, what the message says.
	my @cases = (
		[ 'qos', 'MaxWall=30', -1, ['-N1', '-t30'], ['-N1', '-t31'], qr/MaxWall=30 \(minutes\)/, qr/asks for 31/ ],
		[ 'user', 'MaxWall=30', -1, ['-N1', '-t30'], ['-N1', '-t31'], qr/MaxWall=30 \(minutes\)/, qr/asks for 31/ ],
		[ 'partition', 'MaxWall=30', -1, ['-N1', '-t30'], ['-N1', '-t31'], qr/MaxWall=30 \(minutes\)/, qr/asks for 31/ ],
		[ 'qos', 'MaxTRES=node=2', -1, ['-N2', '-t5'], ['-N3', '-t5'], qr/MaxTRES=node=2/, qr/may get 3/ ],
		[ 'user', 'MaxTRES=cpu=4', -1, ['-N2', '-t5'], ['-N3', '-t5'], qr/MaxTRES=cpu=4/, qr/may get 6/ ],
		[ 'partition', 'MaxTRES=billing=4', -1, ['-N2', '-t5'], ['-N3', '-t5'], qr/MaxTRES=billing=4/, qr/may get 6/ ],
		[ 'qos', 'MaxTRESPerNode=cpu=2', -1, ['-N2', '-t5'] ],
		[ 'qos', 'MaxTRESPerNode=cpu=1', -1, undef, ['-N2', '-t5'], qr/MaxTRESPerNode=cpu=1/, qr/may get 2/ ],
		[ 'user', 'MaxTRESPerNode=cpu=1', -1, undef, ['-N2', '-t5'], qr/MaxTRESPerNode=cpu=1/, qr/may get 2/ ],
		[ 'qos', 'MaxTRESMins=cpu=120', -1, ['-N2', '-t30'], ['-N2', '-t31'], qr/MaxTRESMins=cpu=120/, qr/4 for 31 minutes/ ],
		[ 'user', 'MaxTRESMins=node=60', -1, ['-N2', '-t30'], ['-N2', '-t31'], qr/MaxTRESMins=node=60/, qr/2 for 31 minutes/ ],
		[ 'qos', 'MinTRES=node=2', -1, ['-N2', '-t5'], ['-N1', '-t5'], qr/MinTRES=node=2/, qr/may get 1 only/ ],
		[ 'partition', 'MinTRES=cpu=3', -1, ['-N2', '-t5'], ['-N1', '-t5'], qr/MinTRES=cpu=3/, qr/may get 2 only/ ],
		[ 'qos', 'MaxSubmitJobs=50', -1, ['-N1', '-t5'] ],
		[ 'account', 'GrpTRES=fs/disk=1', -1, ['-N1', '-t5'] ],
	);
	for my $case (@cases) {
		my ($place, $limit, $unset, $within, $beyond, $says, $asks) = @$case;
		my $w = $where{$place};
		my @job = (@in, @{ $w->{job} // [] }, @late);
		$c->accounts(@{ $w->{set} }, $limit);
		$c->accepted("$place $limit: within", [@job, @$within], runs => 0) if $within;
		$c->refused("$place $limit: over", [@job, @$beyond], qr/over limit $says of $w->{from}: the job .*$asks/)
			if $beyond;
		$c->promises_kept("$place $limit: kept") if $within;
		$c->accounts(@{ $w->{set} }, $limit =~ s/[^=]+$/$unset/r);
	}
};

# Slurm looks at these when job_submit() has answered, by what a job asks for; a question is told all the same.
subtest 'limits at submission' => sub {
	my $pact = "$Cluster::build/contrib/pact/pact";
	my $ask = sub { $c->cmd($pact, 'ask', @in, @late, @_) };
	my @cases = ([ 'MinTRES=cpu=2', qr/QOSMinCpuNotSatisfied/, '-N1', '-t5' ],
		[ 'MaxTRESMins=cpu=20', qr/QOSMaxCpuMinutesPerJobLimit/, '-N1', '-t60', '--time-min=4' ]);
	for my $case (@cases) {
		my ($limit, $reason, @job) = @$case;
		$c->accounts(qw(modify qos lim set), $limit);
		is($ask->(@job)->{rc}, 0, "$limit: could be promised");
		$c->accounts(qw(modify qos lim set Flags=DenyOnLimit));
		my $r = $ask->(@job);
		is($r->{rc}, 1, '  but not with DenyOnLimit');
		like($r->{out}, qr/Slurm would not take it by a limit of its account or QOS: $reason/, '  which is named');
		like($c->sbatch([@in, @job, @late])->{text}, $reason, '  as Slurm does');
		$c->accounts(qw(modify qos lim set Flags-=DenyOnLimit), $limit =~ s/[^=]+$/-1/r);
	}
	$c->clear;
	$c->accounts(qw(modify qos lim set MaxSubmitJobsPerUser=1));
	is($ask->('-N1', '-t5')->{rc}, 0, 'as many jobs as may be submitted');
	like($ask->('-N1', '-t5', '--array=0-1')->{out}, qr/QOSMaxSubmitJobPerUserLimit/, '  and more');
	$c->accounts(qw(modify qos lim set MaxSubmitJobsPerUser=-1));
};

subtest 'no limit of an account or QOS is the limit of a job' => sub {
	my @trimmed = ('-t60', '--time-min=1');

	$c->accounts(qw(modify qos lim set MaxWall=7));
	$c->refused('MaxWall, and no --time', [@in, '-N1', @late], qr/add --time/);
	$c->accounts(qw(modify qos lim set MaxWall=-1 MaxTRESMins=cpu=30));
	$c->refused('MaxTRESMins, and no --time', [@in, '-N2', @late], qr/add --time/);
	my $r = $c->accepted('one that may be trimmed', [@in, '-N2', @trimmed, @late], runs => 0);
	$c->promises_kept('it ran');
	$c->refused('not even the least is allowed', [@in, '-N4', '--time-min=4', '-t60', @late], qr/MaxTRESMins=cpu=30/);
	$c->accounts(qw(modify qos lim set MaxTRESMins=cpu=-1));
};

subtest 'the QOS comes before the account, the partition before both' => sub {
	$c->accounts(qw(modify user), $me, qw(where account=phys set MaxWall=10));
	$c->refused('the user\'s alone', [@in, '-t30', @late], qr/MaxWall=10/);
	$c->accounts(qw(modify qos lim set MaxWall=40));
	$c->accepted('a QOS allows more than the account', [@in, '-t30', @late], runs => 0);
	$c->accounts(qw(modify qos part set MaxWall=20));
	$c->refused('a partition allows less', [@in, '-p', 'side', '-t30', @late], qr/MaxWall=20 .* partition side/);
	$c->accounts(qw(modify qos lim set Flags=OverPartQOS));
	$c->accepted('unless the QOS is over it', [@in, '-p', 'side', '-t30', @late], runs => 0);
	$c->accounts(qw(modify qos lim set Flags-=OverPartQOS MaxWall=-1));
	$c->accounts(qw(modify qos part set MaxWall=-1));
	$c->accounts(qw(modify user), $me, qw(where account=phys set MaxWall=-1 MaxTRES=node=1));
	$c->accounts(qw(modify qos lim set LimitFactor=3));
	$c->accepted('LimitFactor', [@in, '-N3', '-t5', @late], runs => 0);
	$c->refused('but no more', [@in, '-N4', '-t5', @late], qr/MaxTRES=node=3/);
	$c->accounts(qw(modify qos lim set LimitFactor=-1));
	$c->accounts(qw(modify user), $me, qw(where account=phys set MaxTRES=node=-1));
	$c->promises_kept('kept');
};

subtest 'limits that depend on other jobs' => sub {
	my @cases = (
		map({ my $place = $_; map { [ $place, $_ ] } qw(GrpJobs=50 GrpWall=5000 GrpTRES=cpu=100 GrpTRESMins=cpu=100000
				GrpTRESRunMins=node=100000) } qw(qos account user partition)),
		[ 'user', 'MaxJobs=50' ],
		map { my $place = $_; map { [ $place, $_ ] } qw(MaxJobsPerUser=50 MaxJobsPerAccount=50 MaxTRESPerUser=cpu=100
				MaxTRESPerAccount=node=100) } qw(qos partition));
	for my $case (@cases) {
		my ($place, $limit) = @$case;
		my $w = $where{$place};
		$c->accounts(@{ $w->{set} }, $limit);
		$c->refused("$place $limit", [@in, @{ $w->{job} // [] }, '-N1', '-t5', @late],
			qr/cannot be planned: limit \Q$limit\E of $w->{from} may keep it waiting; use another partition, account or QOS, or submit without/);
		$c->accounts(@{ $w->{set} }, $limit =~ s/[^=]+$/-1/r);
	}
	$c->accounts(qw(modify qos normal set GrpJobs=50));
	$c->refused('of the default QOS', ['-A', 'phys', '-N1', '-t5', @late], qr/limit GrpJobs=50 of QOS normal/);
	$c->accounts(qw(modify qos normal set GrpJobs=-1));
	$c->accounts(qw(modify qos lim set UsageThreshold=0.1 Flags=EnforceUsageThreshold));
	$c->refused('UsageThreshold', [@in, '-N1', '-t5', @late], qr/limit UsageThreshold of QOS lim/);
	$c->accounts(qw(modify qos lim set UsageThreshold=-1 Flags-=EnforceUsageThreshold));
	my $r = $c->accepted('none is left', [@in, '-N1', '-t5', @late], runs => 0);
	$c->promises_kept('kept');
};

subtest 'behind a job that such a limit may stop' => sub {
	my $wall = fill();
	my $first = $c->plain([@in, '-N1', '-t5'], runs => 0);
	my @behind = ('-A', 'phys', '-q', 'other', '-N1', '-t5', '-d', "afterany:$first", '--deadline=now+40hours');
	$c->settle;
	$c->accounts(qw(modify qos lim set GrpJobs=50));
	$c->refused('nothing is promised', [@behind], qr/job $first, which may be kept waiting/);
	$c->accounts(qw(modify qos lim set GrpJobs=-1));
	$c->accepted('without it, it is', [@behind], runs => 0);
	$c->cmd('scancel', $wall);
	$c->promises_kept('and kept');
};

subtest 'a limit set after the promise' => sub {
	my $wall = fill();
	my $r = $c->accepted('promised', [@in, '-N1', '-t30', @late], runs => 0);
	my $mark = $c->log_mark;
	$c->accounts(qw(modify qos lim set MaxWall=10));
	ok($c->wait_for('the withdrawal', sub { $c->promise($r->{id}) eq 'withdrawn' }), 'over it now: withdrawn');
	ok($c->log_has(qr/JobId=$r->{id} over limit MaxWall=10 .*its promise is withdrawn/, $mark), 'told in the log');
	ok($c->wait_field($r->{id}, 'Reason', qr/MaxWall=10/), 'and where users look');
	$c->accounts(qw(modify qos lim set MaxWall=60));
	ok($c->wait_for('the new promise', sub { $c->promise($r->{id}) eq 'promised' }), 'lifted: promised again');
	my $small = $c->accepted('another', [@in, '-N2', '-t5', @late], runs => 0);
	$c->accounts(qw(modify qos lim set MaxTRES=node=1));
	ok($c->wait_for('the withdrawal', sub { $c->promise($small->{id}) eq 'withdrawn' }), 'too large now: withdrawn');
	is($c->promise($r->{id}), 'promised', 'the one that is not stays');
	$c->cmd('scancel', $wall, $small->{id});
	$c->excuse($small->{id});
	$c->promises_kept('and is kept');
	$c->accounts(qw(modify qos lim set MaxTRES=node=-1 MaxWall=-1));
};

subtest 'a limit on all jobs set after the promise' => sub {
	my $first = $c->plain([@in, '-N1', '-t60']);
	$c->wait_state($first, 'RUNNING');
	$c->settle;
	my $r = $c->accepted('promised', [@in, '-N1', '-t1', '--begin=now+10', '--deadline=now+2minutes'], runs => 0);
	$c->accounts(qw(modify qos lim set GrpJobs=1));
	ok($c->wait_for('the breach', sub { $c->promise($r->{id}) eq 'broken' }), 'it cannot be kept: told');
	ok($c->log_has(qr/JobId=$r->{id}.*can no longer be kept/, 0), 'in the log too');
	is($c->state($r->{id}), 'PENDING', 'the job still waits');
	$c->cmd('scancel', $first);
	$c->reaches('and runs as soon as the limit allows it', $r->{id}, 'RUNNING|COMPLETING|COMPLETED');
	$c->excuse($r->{id});
	$c->accounts(qw(modify qos lim set GrpJobs=-1));
	$c->clear;
};

subtest 'jobs without a deadline' => sub {
	$c->accounts(qw(modify qos lim set GrpJobs=1));
	my $first = $c->plain([@in, '-N1', '-t30']);
	$c->wait_state($first, 'RUNNING');
	my $second = $c->plain([@in, '-N1', '-t30', '--nice=-1000']);
	ok($c->wait_field($second, 'Reason', qr/QOSGrpJobsLimit/), 'one is held by a limit on jobs');
	my $third = $c->plain(['-A', 'phys', '-N3', '-t30']);
	$c->reaches('it blocks nobody behind it', $third, 'RUNNING');
	$c->cmd('scancel', $third);
	$c->wait_for('free nodes', sub { $c->out('sinfo', '-h', '-t', 'idle', '-o', '%D') eq '3' });
	$c->settle;
	my $promised = $c->accepted('nor a promise', ['-A', 'phys', '-N3', '-t5', '--deadline=now+10minutes'], runs => 0);
	$c->promises_kept('which is kept');
	is($c->state($second), 'PENDING', 'it still waits');
	$c->cmd('scancel', $first);
	$c->reaches('and starts when the limit is free', $second, 'RUNNING');
	$c->accounts(qw(modify qos lim set GrpJobs=-1));
	$c->clear;
};

subtest 'a QOS that can be preempted' => sub {
	$c->accounts(qw(modify qos other set Preempt=lim));
	$c->refused('is promised nothing', [@in, '-N1', '-t5', @late], qr/jobs of QOS lim can be preempted/);
	$c->accepted('the one that preempts is', ['-A', 'phys', '-q', 'other', '-N1', '-t5', @late], runs => 0);
	$c->promises_kept('and kept');
	$c->accounts(qw(modify qos other set Preempt=));
};

SKIP: {
	skip 'other users need root', 1 if $>;
	subtest 'who may use deadlines' => sub {
		my ($user, $group) = ((getpwuid 65534)[0], (getgrgid 65534)[0]);
		my %as = (as => 65534);
		my @job = ('-N1', '-t5', @late);
		my $base = "Guard=20\nAdmissionTime=5000\nPlanInterval=2\n";
		$c->accounts(qw(add account chem));
		$c->accounts('add', 'user', $user, 'account=chem', 'defaultaccount=chem');
		$c->accounts('add', 'user', $user, 'account=phys');
		$c->accounts('modify', 'user', $user, 'where', 'account=phys', 'set', 'qos=normal,other', 'defaultqos=other');
		$c->reconfigure("${base}AllowAccounts=phys\nAllowQOS=other\n");
		$c->wait_for('the new configuration', sub { $c->sbatch(['--test-only', @job], %as)->{text} =~ /AllowAccounts/ });
		$c->refused('the default account is looked up', [@job], qr/account chem may not use deadlines \(AllowAccounts\)/, %as);
		$c->accepted('another, with its default QOS', ['-A', 'phys', @job], %as, runs => 0);
		$c->refused('another QOS', ['-A', 'phys', '-q', 'normal', @job], qr/QOS normal may not use deadlines \(AllowQOS\)/, %as);
		$c->accepted('root always may', [@in, @job], runs => 0);
		my ($mark, $pact, $status) = ($c->log_mark, "$Cluster::build/contrib/pact/pact");
		$c->reconfigure("${base}AllowAccounts=phys,PHYS,fizz\nAllowQOS=other,ohter\n");
		for ('AllowAccounts=fizz: accounting has no such account', 'AllowQOS=ohter: accounting has no such QOS') {
			ok($c->log_has(qr/warning: pact\.conf: $_/, $mark), "told: $_");
			like($status = $c->out($pact, 'status'), qr/^pact\.conf: $_$/m, '  by pact status, too');
		}
		is(() = $status =~ /pact\.conf/g, 2, 'of no others') or diag($status);
		$c->reconfigure("${base}AllowGroups=$group\n");
		$c->wait_for('the new configuration', sub { $c->sbatch(['--test-only', @job], %as)->{text} !~ /Allow/ });
		$c->accepted('AllowGroups', [@job], %as, runs => 0);
		$c->promises_kept('kept');
	};
}

$c->clear;
$c->healthy;
done_testing;
