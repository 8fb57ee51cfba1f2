#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 10-plain: nothing is lost against stock Slurm. sched/qops alone, no deadlines: whatever stock starts, it
# starts, in Slurm's priority order.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, submit => 'none', features => ['1:fast', '2:fast,big', '3:big'],
	partition => ['low Nodes=n[1-2] PriorityTier=1', 'high Nodes=n[1-2] PriorityTier=10',
		'tiny Nodes=n4 MaxTime=5 MaxNodes=1', 'closed Nodes=n4 State=DOWN'],
	conf => "MaxArraySize=101\n", pact => "PlanInterval=2\n");

sub ended {
	my @ids = grep { defined } @_;
	return $c->wait_for("the end of @ids", sub {
		my $e = $c->ended_jobs;
		return !grep { !$e->{$_} } @ids;
	});
}

sub start_order {
	my $e = $c->ended_jobs;
	return join ' ', sort { $e->{$a}{StartTime} <=> $e->{$b}{StartTime} || $a <=> $b } @_;
}

subtest 'priority order' => sub {
	my $wall = $c->plain(['-N4', '-t1'], runs => 2);
	my @ids = map { $c->plain(['-N4', '-t1', "--nice=$_"], runs => 1) } 300, 100, 200;
	push @ids, $c->plain(['-N4', '-t1', '--nice=50'], runs => 1);
	ended(@ids);
	is(start_order(@ids), "$ids[3] $ids[1] $ids[2] $ids[0]", 'nicer jobs wait');
};

subtest 'the head of the queue is not starved by narrow ones' => sub {
	my $one = $c->plain(['-N1', '-t5']);
	$c->reaches('a narrow job runs', $one, 'RUNNING');
	my $wide = $c->plain(['-N4', '-t1'], runs => 1);
	my $long = $c->plain(['-N3', '-t60']);
	my $short = $c->plain(['-N2', '-t2'], runs => 1);
	$c->reaches('a short one is backfilled', $short, 'COMPLETED');
	is($c->state($long), 'PENDING', 'one that would delay the wide one is not');
	like($c->field($wide, 'Reason'), qr/^Resources$/, 'the head waits for resources');
	like($c->field($long, 'Reason'), qr/^(Priority|Resources)$/, 'the other for its priority');
	like($c->field($wide, 'StartTime'), qr/^\d+$/, 'with a planned start');
	$c->cmd('scancel', $one);
	$c->reaches('then the wide one runs', $wide, 'COMPLETED');
	$c->reaches('and the other', $long, 'RUNNING');
	$c->clear;
};

subtest 'arrays' => sub {
	my $id = $c->plain(['-N1', '-t1', '--array=0-5'], runs => 0);
	ok($c->wait_for('the array', sub { $c->out('squeue', '-h', '-j', $id) eq '' }), 'all tasks of an array run');
	is(scalar(grep { $_->{Name} eq 'wrap' && $_->{JobState} eq 'COMPLETED' } map { $c->ended_jobs->{$_} || () }
		$id .. $id + 5), 6, 'to their ends');
	my $limited = $c->plain(['-N1', '-t1', '--array=0-5%2'], runs => 1);
	my $most = 0;
	$c->wait_for('the limited array', sub {
		my @running = split /\n/, $c->out('squeue', '-h', '-r', '-t', 'R', '-j', $limited, '-o', '%A');
		$most = @running if @running > $most;
		return $c->out('squeue', '-h', '-j', $limited) eq '';
	});
	cmp_ok($most, '<=', 2, 'a limit on running tasks holds');
	cmp_ok($most, '>=', 1, 'and tasks did run');
};

subtest 'dependencies' => sub {
	my $first = $c->plain(['-N1', '-t1'], runs => 1);
	my $bad = $c->plain(['-N1', '-t1'], script => 'exit 3');
	my $ok = $c->plain(['-N1', '-t1', "-dafterok:$first"], runs => 0);
	my $any = $c->plain(['-N1', '-t1', "-dafterany:$bad"], runs => 0);
	my $not = $c->plain(['-N1', '-t1', "-dafternotok:$bad"], runs => 0);
	my $never = $c->plain(['-N1', '-t1', "-dafterok:$bad"], runs => 0);
	my @single = map { $c->plain(['-N1', '-t1', '-J', 'alone', '-dsingleton'], runs => 1) } 1, 2;
	ended($ok, $any, $not, @single);
	my $e = $c->ended_jobs;
	cmp_ok($e->{$ok}{StartTime}, '>=', $e->{$first}{EndTime}, 'afterok');
	cmp_ok($e->{$any}{StartTime}, '>=', $e->{$bad}{EndTime}, 'afterany');
	is($e->{$not}{JobState}, 'COMPLETED', 'afternotok');
	cmp_ok($e->{ $single[1] }{StartTime}, '>=', $e->{ $single[0] }{EndTime}, 'singleton');
	ok($c->wait_field($never, 'Reason', qr/^DependencyNeverSatisfied$/), 'one that never can says so');
	$c->clear;
};

subtest 'begin, hold, requeue, cancel' => sub {
	my $begin = $c->plain(['-N1', '-t1', '--begin=now+3'], runs => 0);
	ended($begin);
	my $job = $c->ended_jobs->{$begin};
	cmp_ok($job->{StartTime}, '>=', $job->{EligibleTime} =~ /T/ ? Cluster::epoch($job->{EligibleTime}) : 0,
		'begin time is kept');
	my $held = $c->plain(['-H', '-N1', '-t1'], runs => 0);
	my $later = $c->plain(['-N1', '-t1'], runs => 0);
	ended($later);
	is($c->field($held, 'Reason'), 'JobHeldUser', 'a held job waits');
	$c->cmd('scontrol', 'release', $held);
	$c->reaches('released, it runs', $held, 'COMPLETED');
	my $again = $c->plain(['-N1', '-t1', '--requeue']);
	$c->reaches('a job runs', $again, 'RUNNING');
	is($c->cmd('scontrol', 'requeue', $again)->{rc}, 0, 'requeue');
	$c->reaches('it waits again', $again, 'PENDING');
	is($c->cmd('scancel', $again)->{rc}, 0, 'and can be cancelled');
	$c->reaches('it is', $again, 'CANCELLED');
};

subtest 'places' => sub {
	my $w = $c->plain(['-w', 'n3', '-t1'], runs => 1);
	my $x = $c->plain(['-N2', '-x', 'n[1-2]', '-t1'], runs => 1);
	my $f = $c->plain(['-N2', '-C', 'fast', '-t1'], runs => 1);
	my $and = $c->plain(['-C', 'fast&big', '-t1'], runs => 1);
	my $or = $c->plain(['-C', 'fast|big', '-N3', '-t1'], runs => 1);
	my $count = $c->plain(['-C', '[fast*1&big*1]', '-N2', '-t1'], runs => 1);
	ended($w, $x, $f, $and, $or, $count);
	my $e = $c->ended_jobs;
	is($e->{$w}{NodeList}, 'n3', '-w');
	is($e->{$x}{NodeList}, 'n[3-4]', '-x');
	is($e->{$f}{NodeList}, 'n[1-2]', '-C');
	is($e->{$and}{NodeList}, 'n2', '-C with AND');
	is($e->{$or}{NodeList}, 'n[1-3]', '-C with OR');
	like($e->{$count}{NodeList}, qr/n/, '-C with counts');
	my $r = $c->sbatch(['-C', 'nothing', '-t1']);
	like($r->{text}, qr/feature/, 'an unknown feature is refused by Slurm');
};

subtest 'partitions' => sub {
	my $both = $c->plain(['-p', 'tiny,low', '-N2', '-t1'], runs => 0);
	$c->reaches('a job of several partitions runs where it can', $both, 'COMPLETED');
	like($c->ended_jobs->{$both}{Partition}, qr/^low/, 'there');
	my $long = $c->plain(['-p', 'tiny', '-t10'], runs => 0);
	ok($c->wait_field($long, 'Reason', qr/^PartitionTimeLimit$/), 'over the limit: it waits, and says why');
	my $closed = $c->plain(['-p', 'closed', '-t1'], runs => 0);
	ok($c->wait_field($closed, 'Reason', qr/^PartitionDown$/), 'a partition that is down: so too');
	$c->cmd('scontrol', 'update', 'PartitionName=closed', 'State=UP');
	$c->reaches('up again, it runs', $closed, 'COMPLETED');
	$c->cmd('scancel', $long);
	my $wall = $c->plain(['-N2', '-p', 'low', '-t2'], runs => 2);
	$c->reaches('two nodes are busy', $wall, 'RUNNING');
	my $low = $c->plain(['-N2', '-p', 'low', '-t1'], runs => 1);
	my $high = $c->plain(['-N2', '-p', 'high', '-t1'], runs => 1);
	ended($low, $high);
	is(start_order($low, $high), "$high $low", 'PriorityTier orders');
};

subtest 'srun and salloc' => sub {
	my $r = $c->cmd('srun', '-N4', '-t1', 'hostname');
	is($r->{rc}, 0, 'srun') or diag($r->{err});
	is(scalar(split /\n/, $r->{out}), 4, 'on four nodes');
	$r = $c->cmd('salloc', '-N2', '-t1', 'srun', '-N2', 'printenv', 'SLURM_NODEID');
	is($r->{rc}, 0, 'salloc, and a step in it') or diag($r->{err});
	like($r->{out}, qr/^0$/m, 'on the first');
	like($r->{out}, qr/^1$/m, 'and second node');
	my $wall = $c->plain(['-N4', '-t1'], runs => 3);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $h = $c->spawn('srun', '-N4', '-t1', 'true');
	ok($c->wait_for('the waiting srun', sub { $c->out('squeue', '-h', '-t', 'PD', '-o', '%A') =~ /\d/ }),
		'an srun waits in the queue');
	is($c->finish($h)->{rc}, 0, 'and gets its turn');
	$r = $c->cmd('srun', '--immediate=1', '-N1', '-t1', 'true');
	isnt($r->{rc}, 0, '--immediate is refused by Slurm itself');
	like($r->{err}, qr/Immediate execution impossible|Unable to allocate resources/, 'with its own message');
};

subtest 'heterogeneous jobs are refused by Slurm itself' => sub {
	my $r = $c->sbatch(['-N1', '-t1', ':', '-N1', '-t1']);
	ok(!$r->{id}, 'refused');
	like($r->{text}, qr/Requested operation not supported on this system/, 'with its own message') or diag($r->{text});
};

subtest 'reservations and drained nodes' => sub {
	is($c->cmd('scontrol', 'create', 'reservation', 'ReservationName=r1', 'StartTime=now', 'Duration=10',
		'Nodes=n[1-2]', 'Users=' . getpwuid($>))->{rc}, 0, 'a reservation');
	my $in = $c->plain(['--reservation=r1', '-N2', '-t1'], runs => 0);
	my $out = $c->plain(['-N3', '-t1'], runs => 0);
	my $beside = $c->plain(['-N2', '-t1'], runs => 0);
	ended($in, $beside);
	is($c->ended_jobs->{$in}{NodeList}, 'n[1-2]', 'jobs run inside');
	is($c->ended_jobs->{$beside}{NodeList}, 'n[3-4]', 'and beside');
	is($c->state($out), 'PENDING', 'one that needs its nodes waits');
	$c->cmd('scontrol', 'delete', 'ReservationName=r1');
	$c->reaches('until it is gone', $out, 'COMPLETED');
	$c->cmd('scontrol', 'update', 'NodeName=n1', 'State=DRAIN', 'Reason=test');
	my $wide = $c->plain(['-N4', '-t1'], runs => 0);
	my $three = $c->plain(['-N3', '-t1'], runs => 0);
	$c->reaches('three nodes are left', $three, 'COMPLETED');
	is($c->state($wide), 'PENDING', 'four are not');
	$c->cmd('scontrol', 'update', 'NodeName=n1', 'State=RESUME');
	$c->reaches('resumed, they are', $wide, 'COMPLETED');
};

subtest 'a plain --deadline stays Slurm\'s own' => sub {
	my $r = $c->sbatch(['-N1', '-t1', '--deadline=now+5minutes'], runs => 0);
	ok($r->{id}, 'taken');
	unlike($r->{text}, qr/deadline:/, 'nothing is promised');
	$c->reaches('and it runs', $r->{id}, 'COMPLETED');
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $late = $c->plain(['-N4', '-t1', '--deadline=now+63']);
	$c->reaches('past the last moment it ends in state DEADLINE', $late, 'DEADLINE');
	is($c->field($late, 'Reason'), 'DeadLine', 'with Slurm\'s reason');
};

$c->clear;
$c->healthy;
done_testing;
