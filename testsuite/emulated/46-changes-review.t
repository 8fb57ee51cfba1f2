#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 46-changes-review: changes that could take a promise along unseen, and requests nobody thinks of.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, partition => ['half Nodes=n[1-2]', 'one Nodes=n4', map { "p$_ Nodes=n[1-4]" } 1 .. 9]);

sub setting {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('a job is promised', ['-N2', '-t10', '--deadline=now+60minutes', @_]);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	return ($wall, $r);
}

subtest 'more partitions than are planned' => sub {
	$c->clear;
	$c->refused('nine of them', ['-N1', '-t10', '-p', join(',', map { "p$_" } 1 .. 9), '--deadline=now+60minutes'],
		qr/cannot be planned: more partitions/);
};

subtest 'a dependency with a delay' => sub {
	my ($wall, $r) = setting();
	$c->refused('a delay past the deadline', ['-N1', '-t10', '-d', "after:$wall+600", '--deadline=now+60minutes']);
	my $start = $c->field($wall, 'StartTime');
	my $after = $c->accepted('one that leaves time', ['-N1', '-t10', '-d', "after:$wall+45", '--deadline=now+120minutes']);
	cmp_ok($after->{start}, '>=', $start + 45 * 60, 'counts from the start of a job that runs');
	cmp_ok($after->{start}, '<', $start + 46 * 60, 'and no longer');
	my $next = $c->accepted('after one that waits', ['-N1', '-t10', '-d', "after:$after->{id}+5", '--deadline=now+5hours']);
	cmp_ok($next->{start}, '>=', $after->{by} + 5 * 60, 'from the end it was promised');
	$c->settle;
	ok(abs($c->field($after->{id}, 'StartTime') - $after->{start}) < 60, 'the plan stays as promised');
};

subtest 'AdminComment can be cleared' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	ok($c->update($wall, 'AdminComment=night'), 'a comment');
	ok($c->update($wall, 'AdminComment='), 'none');
	ok($c->wait_field($wall, 'AdminComment', qr/^$/), 'it is gone') or diag($c->field($wall, 'AdminComment'));
};

# The plan has this job where it was: it and one more of its size fill the machine.
sub stands {
	my ($r, $what) = @_;
	is($c->promise($r->{id}), 'promised', "$what: the promise stands");
}

subtest 'what the plan cannot see' => sub {
	my ($wall, $r) = setting();
	my $mark = $c->log_mark;
	for my $change (qw(Licenses=none QOS=normal ReservationName=none NumTasks=4 MinMemoryNode=1 OverSubscribe=yes
		Contiguous=yes MinCPUsNode=2)) {
		ok(!$c->update($r->{id}, $change), "$change is refused while it is promised") or diag($c->{text});
		stands($r, $change);
	}
	like($c->log_text($mark), qr/JobId=$r->{id}: change refused: .*hold it first/, 'the log tells what to do');
	ok($c->update($r->{id}, 'Comment=hello', 'Nice=5'), 'what does not matter is not') or diag($c->{text});
};

subtest 'nodes by name' => sub {
	my ($wall, $r) = setting();
	ok(!$c->update($r->{id}, 'ReqNodeList=n[1-4]', 'TimeLimit=55'), 'nodes and a limit that do not fit');
	my $other = $c->accepted('the rest is promised', ['-N2', '-w', 'n[3-4]', '-t10', '--deadline=now+22minutes']);
	ok($c->update($r->{id}, 'ReqNodeList=n[1-2]'), 'nodes that are free then') or diag($c->{text});
	ok($c->wait_field($r->{id}, 'ReqNodeList', qr/^n\[1-2\]$/), 'are the job\'s');
	stands($r, 'nodes');
	ok(!$c->update($r->{id}, 'ExcNodeList=n[1-2]'), 'all of them excluded: refused');
	stands($r, 'no nodes');
	ok(!$c->update($r->{id}, 'Partition=half,one', 'NumNodes=3-3'), 'two partitions, neither large enough');
	ok($c->update($r->{id}, 'Partition=half,batch'), 'two that are') or diag($c->{text});
	$c->settle;
	stands($r, 'partitions');
	is($c->promise($other->{id}), 'promised', 'and the other\'s');
};

# A least of one: Slurm gives it as many nodes as its tasks take, or as it names. From 23.02 on NumNodes=1 is its
# most, too, with which it would never start.
subtest 'fewer nodes than it takes' => sub {
	my $least = $c->release < 2302 ? 'NumNodes=1' : 'NumNodes=1-2';
	for my $why (['-n2'], ['-w', 'n[1-2]']) {
		my ($wall, $r) = setting(@$why);
		ok(!$c->update($r->{id}, 'NumNodes=1-1'), "@$why: one node at most is refused");
		ok($c->update($r->{id}, $least), "@$why: $least is taken") or diag($c->{text});
		$c->settle;
		my $plain = $c->plain(['-N2', '-t10', @$why]);
		ok($c->update($plain, $least), '  as Slurm takes it without a deadline');
		is($c->field($r->{id}, 'NumNodes'), $c->field($plain, 'NumNodes'), '  and makes the same of it');
		$c->cmd('scancel', $plain);
		stands($r, $least);
		$c->refused('  the plan keeps both', ['-N3', '-t40', '--deadline=now+55minutes']);
		$c->cmd('scancel', $wall);
		$c->reaches('  it starts', $r->{id}, 'RUNNING');
		is($c->field($r->{id}, 'NumNodes'), '2', '  on two nodes');
		is($c->promise($r->{id}), 'promised', '  and is promised');
	}
};

# What Slurm takes at once and then never starts.
subtest 'a job that could never start' => sub {
	my ($wall, $r) = setting();
	for my $change ('ReqNodeList=n[1-3]', 'ReqNodeList=n[1-4]', 'NumCPUs=3', 'NumCPUs=9', 'ReqNodeList=n[1-2] NumNodes=1-1') {
		ok(!$c->update($r->{id}, split / /, $change), "$change is refused");
		like($c->{text}, qr/Requested node configuration is not available/, '  with Slurm\'s own words for it');
		stands($r, $change);
	}
	ok($c->update($r->{id}, 'NumCPUs=2'), 'what its nodes have is taken') or diag($c->{text});
	my $tasks = $c->accepted('two tasks on any nodes', ['-n2', '-t10', '--deadline=now+90minutes']);
	$c->settle;
	ok(!$c->update($tasks->{id}, 'NumNodes=1-1'), 'not on one');
	ok($c->update($tasks->{id}, 'NumNodes=2'), 'but on two') or diag($c->{text});
	$c->cmd('scancel', $wall);
	$c->reaches('both start then', $_->{id}, 'RUNNING') for $r, $tasks;
};

# Nobody waits for the pass that first sees a job: the plan has it by its token.
subtest 'a change right after the submission' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $mark = $c->log_mark;
	my $script = 'id=$(sbatch --parsable -o /dev/null "$@" -t10 --deadline=now+9hours --wrap "sleep 60" 2>/dev/null)';
	my $r = $c->cmd('sh', '-c', "for i in 1 2 3 4 5 6 7 8 9 10; do $script; scontrol update JobId=\$id TimeLimit=\$i; done",
		'sh', '-N1');
	is($r->{err}, '', 'ten are decided') or diag($r->{err});
	$r = $c->cmd('sh', '-c', "for i in 1 2 3 4 5; do $script; for task in 2 0 1; do " .
		'scontrol update JobId=${id}_$task TimeLimit=2$i; done; done', 'sh', '-a0-2', '-N1');
	is($r->{err}, '', 'so are tasks of an array') or diag($r->{err});
	$r = $c->cmd('sh', '-c', "$script; scontrol update JobId=\$id TimeLimit=600; echo \$id", 'sh', '-N1');
	like($r->{err}, qr/time limit is invalid/, 'what does not fit is refused');
	$c->settle;
	is($c->field($r->{out} =~ /(\d+)/, 'TimeLimit'), '00:10:00', 'and was not made');
	my %limits;
	$limits{$_}++ for split /\n/, $c->out('squeue', '-h', '-r', '-t', 'PD', '-o', '%l');
	is($limits{"$_:00"}, $_ == 10 ? 2 : 1, "the one of $_ minutes") for 1 .. 10;
	is($limits{"2$_:00"}, 3, "three tasks of 2$_ minutes") for 1 .. 5;
	unlike($c->log_text($mark), qr/can no longer be kept|error:/, 'nothing is at risk');
	$c->clear;
};

subtest 'a dependency' => sub {
	my ($wall, $r) = setting();
	my $late = $c->plain(['-N4', '-t55']);
	$c->settle;
	ok(!$c->update($r->{id}, "Dependency=afterany:$late"), 'on a job that ends too late: refused');
	is($c->field($r->{id}, 'Dependency') =~ /$late/ ? 1 : 0, 0, 'it has none');
	stands($r, 'dependency');
	ok($c->update($r->{id}, "Dependency=afterany:$wall"), 'on one that ends before its start: taken') or diag($c->{text});
	$c->settle;
	stands($r, 'the other dependency');
	ok(!$c->update($r->{id}, 'TimeLimit=49'), 'its begin counts when its limit changes');
	ok($c->update($r->{id}, 'TimeLimit=40'), 'and what fits after it is taken') or diag($c->{text});
};

subtest 'the owner himself' => sub {
	plan skip_all => 'needs root' if $>;
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('a user\'s job', ['-N2', '-t30', '--deadline=now+60minutes'], as => 65534);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	my $mine = sub { !$c->cmd({ as => 65534 }, 'scontrol', 'update', "JobId=$r->{id}", @_)->{rc} };
	ok(!$mine->('Partition=one', 'TimeLimit=20'), 'a partition that is too small, hidden behind a shorter limit');
	is($c->field($r->{id}, 'Partition'), 'batch', 'nothing has changed');
	ok(!$mine->('TimeLimit=55'), 'a longer limit than fits');
	is($c->field($r->{id}, 'TimeLimit'), '00:30:00', 'nothing has changed');
	ok($mine->('TimeLimit=20'), 'a shorter one');
	stands($r, 'shorter');
};

# Its nodes are gone for good, and so is its place in the plan: that must not keep it where it is.
subtest 'a broken promise' => sub {
	my $p = $c->accepted('promised', ['-p', 'one', '-N1', '-t30', '--deadline=now+10hours']);
	$c->settle;
	is($c->cmd('scontrol', 'update', 'PartitionName=one', 'State=DOWN', 'Nodes=')->{rc}, 0, 'its partition has no nodes any more');
	ok($c->wait_for('the breach', sub { $c->promise($p->{id}) eq 'broken' }), 'the promise is broken');
	$c->settle;
	ok(!$c->update($p->{id}, 'Partition=nonsense'), 'a change that Slurm refuses');
	is($c->promise($p->{id}), 'broken', '  takes nothing from it');
	ok($c->update($p->{id}, 'Partition=batch', 'TimeLimit=10'), 'it may go elsewhere') or diag($c->{text});
	ok($c->wait_for('the promise', sub { $c->promise($p->{id}) eq 'promised' }), 'where it is promised again');
	is($c->cmd('scontrol', 'update', 'PartitionName=one', 'Nodes=n4', 'State=UP')->{rc}, 0, 'the nodes are back');
	$c->cmd('scancel', $p->{id});
	$c->excuse($p->{id});
};

subtest 'an array as a whole' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('four tasks', ['-a', '0-3', '-N2', '-t10', '--deadline=now+60minutes']);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	ok(!$c->update($r->{id}, 'TimeLimit=15'), 'a longer limit for all is refused');
	ok(!$c->update($r->{id}, 'ArrayTaskThrottle=1'), 'and a throttle');
	ok($c->update($r->{id}, 'TimeLimit=8'), 'a shorter one is taken') or diag($c->{text});
	like($c->field($r->{id}, 'AdminComment'), qr/limit=480,state=promised/, 'by the promise too');
	ok($c->update("$r->{id}_3", 'TimeLimit=12'), 'one task\'s is decided') or diag($c->{text});
};

subtest 'a deadline for a job that is held' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $plain = $c->plain(['-H', '-N2', '-t10']);
	ok($c->update($plain, 'Deadline=now+60minutes'), 'is taken') or diag($c->{text});
	is($c->promise($plain), 'withdrawn', 'nothing is promised yet');
	is($c->cmd('scontrol', 'release', $plain)->{rc}, 0, 'it is released');
	ok($c->wait_for('the promise', sub { $c->promise($plain) eq 'promised' }), 'then it is decided');
};

$c->clear;
$c->healthy;
done_testing;
