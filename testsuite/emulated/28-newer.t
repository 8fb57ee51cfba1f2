#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 28-newer: what releases after 22.05 added that can keep a job waiting, or change what it is given. It is
# judged as Slurm does, or refused by its name; where the release has no such thing, skipped.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $conf = "SchedulerParameters=sched_interval=-1,defer,extra_constraints\nGresTypes=gpu\nAccountingStorageTRES=gres/gpu\n";
my $c = Cluster->up(nodes => 4, cpus => 2, accounting => 1, select => 'cons_tres', node => ['1-4:Gres=gpu:2'],
	files => { 'gres.conf' => 'Name=gpu File=/dev/tty[0-1]' },
	pact => "Guard=20\nAdmissionTime=5000\nPlanInterval=2\n", conf => $conf);
my $me = getpwuid $>;
my $pact = "$Cluster::build/contrib/pact/pact";

$c->accounts(qw(add account phys));
$c->accounts(qw(add user), $me, qw(account=phys));
$c->accounts(qw(add qos), $_) for qw(lim other rel part);
$c->accounts('modify', 'user', $me, 'where', 'account=phys', 'set', 'qos=normal,lim,other');
my @in = ('-A', 'phys', '-q', 'lim');
my @late = ('--exclusive', '--deadline=now+10hours');

subtest '24.05: MaxTRESRunMins of a QOS' => sub {
	$c->needs_release(2405);
	for my $limit ('MaxTRESRunMinsPerUser=cpu=100000', 'MaxTRESRunMinsPerAccount=node=100000') {
		$c->accounts(qw(modify qos lim set), $limit);
		$c->refused($limit, [@in, '-N1', '-t5', @late],
			qr/cannot be planned: limit \Q$limit\E of QOS lim may keep it waiting; use another partition, account or QOS, or/);
		like($c->out($pact, 'ask', @in, '-N1', '-t5', @late), qr/limit \Q$limit\E/, '  pact ask says the same');
		$c->accounts(qw(modify qos lim set), $limit =~ s/[^=]+$/-1/r);
	}
	$c->accepted('without them', [@in, '-N1', '-t5', @late], runs => 0);
	$c->promises_kept('kept');
};

subtest '23.11: a QOS with limits in percent' => sub {
	$c->needs_release(2311);
	my @rel = ('-A', 'phys', '-q', 'rel');
	my @side = (@in, '-p', 'side');
	$c->accounts('modify', 'user', $me, qw(where account=phys set qos+=rel));
	$c->accounts(qw(modify qos rel set Flags=Relative));
	$c->accounts(qw(modify qos rel set MaxTRES=cpu=50));
	# Slurm takes that for 50 processors, until it looks at its partitions.
	$c->refused('just set', [@rel, '-N3', '-t5', @late],
		qr/limit in percent, which Slurm has not counted out yet, of QOS rel \(Relative\) may keep it waiting; use another/);
	$c->accounts(qw(modify qos part set Flags=Relative));
	$c->accounts(qw(modify qos part set MaxTRES=cpu=50));
	is($c->emulate('reconfigure', '--partition', 'side Nodes=n[1-2] QOS=part')->{rc}, 0, 'and a partition of two nodes');
	$c->accepted('half of the cluster', [@rel, '-N2', '-t5', @late], runs => 0);
	$c->refused('more', [@rel, '-N3', '-t5', @late], qr/over limit MaxTRES=cpu=4 of QOS rel \(Relative\): the job may get 6/);
	$c->accepted('half of the partition', [@side, '-N1', '-t5', @late], runs => 0);
	$c->refused('more', [@side, '-N2', '-t5', @late], qr/over limit MaxTRES=cpu=2 of QOS part \(Relative\) of partition side/);
	$c->promises_kept('kept');
	$c->accounts('modify', 'user', $me, qw(where account=phys set qos+=part));
	my @part = ('-A', 'phys', '-q', 'part', '-N1', '-t5');
	like($c->sbatch(\@part)->{text}, qr/Invalid qos/, 'Slurm takes no job in a partition\'s relative QOS');
	$c->refused('nor do we promise', [@part, @late], qr/QOS part.*\n.*Invalid qos/);
};

subtest '24.05: a most of nodes that are powered up' => sub {
	$c->needs_release(2405);
	my @job = (@in, '-N1', '-t5', @late);
	for my $most (3, 4) {
		my $text = "${conf}SlurmctldParameters=max_powered_nodes=$most\n";
		is($c->emulate('reconfigure', '--conf', $c->file('powered', $text))->{rc}, 0, "$most of four nodes");
		if ($most < 4) {
			$c->refused('nothing is promised', \@job, qr/SlurmctldParameters=max_powered_nodes=3 may keep a promised job waiting/);
			like($c->out($pact, 'status'), qr/max_powered_nodes=3/, '  as pact status says');
		} else {
			$c->accepted('that is none', \@job, runs => 0);
		}
	}
	is($c->emulate('reconfigure', '--conf', $c->file('powered', $conf))->{rc}, 0, 'without it');
	$c->promises_kept('kept');
};

subtest '23.11: a reservation that holds GPUs' => sub {
	$c->needs_release(2311);
	my $r = $c->cmd(qw(scontrol create reservation ReservationName=gpus StartTime=now Duration=60 Users=root Nodes=n2
		TRES=gres/gpu=1));
	is($r->{rc}, 0, 'one of a node\'s two') or diag($r->{err});
	like($c->out(qw(scontrol show reservation gpus)), qr/Nodes=n2 .*TRES=\S*gres\/gpu=1/s, '  it holds that');
	$c->seen;
	my $in = $c->accepted('four nodes', [@in, '-N4', '-t5', @late], runs => 0);
	my ($end) = $c->out(qw(scontrol show reservation gpus)) =~ /EndTime=(\d+)/;
	cmp_ok($in->{start}, '>=', $end, 'are promised behind it');
	my $beside = $c->accepted('three beside it', [@in, '-N3', '-t5', @late], runs => 3600);
	cmp_ok($beside->{start}, '<', $end, 'are promised at once');
	$c->reaches('  they run', $beside->{id}, 'RUNNING');
	unlike($c->field($beside->{id}, 'NodeList'), qr/n\[1-|n2|,2/, '  not on its node');
	$c->refused('three before its end', [@in, '-N3', '-t5', '--exclusive', '--deadline=now+50minutes', '-w', 'n2'], qr/gpus|reserv/);
	is($c->cmd(qw(scontrol delete ReservationName=gpus))->{rc}, 0, 'it is taken away');
	$c->cmd('scancel', $beside->{id});
	$c->excuse($beside->{id});
	$c->promises_kept('and the promise is kept');
};

subtest '24.11: several QOS' => sub {
	my @both = ('-A', 'phys', '-q', 'lim,other');
	if ($c->release < 2411) {
		$c->refused('Slurm knows none of that name', [@both, '-N1', '-t5', @late], qr/QOS lim,other.*\n.*Invalid qos/);
		return;
	}
	my $words = qr/cannot be planned: several QOS \(--qos=lim,other\); name one of them, or submit without --deadline/;
	$c->refused('are not promised', [@both, '-N1', '-t5', @late], $words);
	like($c->out($pact, 'ask', @both, '-N1', '-t5', @late), $words, 'pact ask says the same');
	my $wall = $c->plain(['-A', 'phys', '-N4', '-t60', '--exclusive']);
	$c->wait_state($wall, 'RUNNING');
	my $r = $c->accepted('one is', [@in, '-N1', '-t1', @late], runs => 0);
	ok(!$c->update($r->{id}, 'QOS=lim,other'), 'it gets no second one') or diag($c->{text});
	is($c->promise($r->{id}), 'promised', 'and stays promised');
	$c->cmd('scancel', $wall);
	$c->promises_kept('and is kept');
	# The first of them is full: Slurm starts the job with the second.
	$c->accounts(qw(modify qos lim set GrpJobs=1 Priority=10));
	my $first = $c->plain([@in, '-N1', '-t60', '--exclusive']);
	$c->wait_state($first, 'RUNNING');
	my $second = $c->plain([@both, '-N1', '-t60', '--exclusive']);
	$c->reaches('without a deadline, whichever lets it run does', $second, 'RUNNING');
	is($c->field($second, 'QOS'), 'other', 'the second') or diag($c->out('scontrol', 'show', 'job', $second));
	my $array = $c->plain([@both, '-N1', '-t60', '--exclusive', '--array=1-2', '-p', 'batch,side']);
	ok($c->wait_for('both tasks', sub { $c->out('squeue', '-h', '-t', 'R', '-j', $array, '-o', '%q') eq "other\nother" }),
		'an array, in several partitions') or diag($c->out('squeue', '-j', $array));
	$c->cmd('scancel', $first);
	$c->clear;
	$wall = $c->plain(['-A', 'phys', '-N4', '-t60', '--exclusive']);
	$c->wait_state($wall, 'RUNNING');
	my $id = $c->plain(['-H', @both, '-N1', '-t1', @late], runs => 0);
	is($c->cmd('scontrol', 'release', $id)->{rc}, 0, 'held first, and released');
	ok($c->wait_field($id, 'Reason', qr/several.QOS/), 'it is said why nothing is promised') or diag($c->field($id, 'Reason'));
	$c->accounts(qw(modify qos lim set GrpJobs=-1 Priority=0));
	$c->clear;
};

subtest '23.02: tasks of each node' => sub {
	for ([2, '-N2', '--ntasks-per-node=2'], [1, '-N1', '--ntasks-per-node=2'], [1, '--ntasks-per-node=2'],
		[1, '-N1', '--ntasks-per-node=1', '-c2'], [2, '-n4', '--ntasks-per-node=2'], [2, '-n2', '-c2']) {
		my ($nodes, @args) = @$_;
		my $wall = $c->plain(['-A', 'phys', '-N4', '-t60', '--exclusive']);
		$c->wait_state($wall, 'RUNNING');
		my $r = $c->accepted("@args", [@in, @args, '-t1', @late], runs => 0);
		$c->settle;
		is($c->promise($r->{id}), 'promised', '  the plan has its record');
		$c->cmd('scancel', $wall);
		$c->promises_kept('  kept');
		is($c->ended_jobs->{ $r->{id} // 0 }{NodeCnt}, $nodes, "  on $nodes");
	}
	for (['-N2', '--ntasks-per-node=3'], ['--ntasks-per-node=3'], ['-N1', '--ntasks-per-node=2', '-c2']) {
		$c->refused("@$_: more than a node has", [@in, @$_, '-t1', @late], qr/CPUs a node/);
	}
};

subtest 'what newer releases let a job ask for' => sub {
	for ([2302, qr/a list of node counts \(--nodes=2,4\); give one/, '-N2,4'], [2311, qr/conditions on its nodes \(--extra\)/, '-N1', '--extra=a=1'],
		[2405, qr/nodes together in a block \(--segment\)/, '-N2', '--segment=1'],
		[2405, qr/everything of the nodes' topology \(--exclusive=topo\); give --exclusive/, '-N1', '--exclusive=topo']) {
		my ($release, $words, @args) = @$_;
		next if $c->release < $release;
		my @job = (@in, '-t5', @args, grep { "@args" !~ /exclusive/ || !/exclusive/ } @late);
		$c->refused("@args", \@job, qr/cannot be planned: $words/);
	}
	ok(1, 'and no more');
	$c->clear;
};

subtest '23.02: more nodes by name than by number' => sub {
	$c->needs_release(2302);	# before, sbatch itself refuses them
	my @named = (@in, '-N1', '-w', 'n[2-3]', '-t1');
	my $wall = $c->plain(['-A', 'phys', '-N1', '-w', 'n2', '-t60', '--exclusive']);
	$c->wait_state($wall, 'RUNNING');
	my $r = $c->accepted('any of them', [@named, @late]);
	my $behind = $c->plain([@named, '--exclusive'], runs => 0);
	$c->reaches('it runs', $r->{id}, 'RUNNING');
	is($c->field($r->{id}, 'NodeList'), 'n3', 'on the other');
	$c->settle;
	is($c->state($behind), 'PENDING', 'the next one waits, with nodes idle beside');
	my $late = $c->accepted('a promise behind them', [@named, @late], runs => 0);
	cmp_ok($late->{start}, '>', $r->{start} + 60, 'is planned there');
	$c->refused('none of them fits', [@named, '--mincpus=2', '-x', 'n[2-3]', @late], qr/--nodelist=n\[2-3\]|overlap/);
	$c->cmd('scancel', $r->{id});
	$c->excuse($r->{id});
	$c->promises_kept('kept');
	$c->reaches('the one in between ran', $behind, 'COMPLETED|COMPLETING');
	$c->clear;
};

$c->clear;
$c->healthy;
$c->down;

# select/linear counts processors only, and those of a single task once.
subtest 'tasks of each node, with select/linear' => sub {
	my $l = Cluster->up(nodes => 2, cpus => 2, select => 'linear');
	my @job = ('-t1', '--deadline=now+10hours');
	$l->refused('more than a node has', ['-N1', '--ntasks-per-node=3', @job], qr/3 CPUs a node/);
	$l->accepted('as many', ['-N1', '--ntasks-per-node=2', @job], runs => 0);
	$l->accepted('on two nodes', ['-N2', '--ntasks-per-node=2', @job], runs => 0);
	$l->promises_kept('kept');
	$l->healthy;
	$l->down;
};

done_testing;
