#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 95-range-limits: a job with a range has no more nodes, of its own or on loan, than its partition, account and QOS let it have; and
# nodes that a limit denies it are not asked for again in each pass. With a real slurmdbd.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Malleable;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my $c = Malleable::up(nodes => 8, cpus => 2, accounting => 1,
	pact => "Guard=20\nAdmissionTime=5000\nPlanInterval=2\nResizeGrace=4\nLoanTime=5\nResizeInterval=0\nLoans=uniform\n" .
		"History=$dir/history.db\n");
my $me = getpwuid $>;
$c->accounts(qw(add account phys));
$c->accounts('add', 'user', $me, 'account=phys');
$c->accounts('add', 'qos', $_) for qw(lim one sum);
$c->accounts('modify', 'user', $me, 'where', 'account=phys', 'set', 'qos=normal,lim,one,sum');
$c->accounts(qw(modify qos lim set MaxTRESPerJob=cpu=8));
$c->accounts(qw(modify qos one set MaxJobsPerUser=1));
$c->accounts(qw(modify qos sum set GrpTRES=node=6));
is($c->emulate('reconfigure', map { ('--partition', $_) } 'few Nodes=ALL MaxNodes=4', 'many Nodes=ALL MinNodes=2')->{rc}, 0,
	'partitions with MaxNodes=4 and with MinNodes=2');

sub malleable { return $c->plain(['-A', 'phys', '--malleable', '-t30', @_], script => 'sleep 1000') }

# It has so many, and in passes that come after that no more, though others are idle.
sub stays {
	my ($name, $id, $n) = @_;
	$c->has_width($name, $id, $n);
	$c->seen for 1 .. 3;
	is($c->width($id), $n, '  and no more');
}

sub tries { my $all = () = $c->log_text($_[0]) =~ /it is given no nodes/g; return $all }

subtest 'MaxNodes of a partition' => sub {
	my $mark = $c->log_mark;
	my $id = malleable('-p', 'few', '-N2-8');
	stays('it is lent nodes up to that', $id, 4);
	is(tries($mark), 0, '  and was denied none');
	$c->clear;
	my $r = $c->sbatch(['-A', 'phys', '-p', 'few', '-N4-8', '--malleable', '-t30'], script => 'true');
	ok(!$r->{id}, 'one that may have its fewest alone is none that is resized');
	like($r->{text}, qr/--malleable: by a limit of its partition, account or QOS it may have no more than its fewest nodes, 4/, '  which is said');
};

subtest 'MinNodes of a partition' => sub {
	my @walls = map { $c->plain(['-A', 'root', '-p', 'batch', "-N$_", '-t10']) } 5, 1;
	$c->reaches('six nodes are taken', $_, 'RUNNING') for @walls;
	my $mark = $c->log_mark;
	my $id = malleable('-p', 'many', '-N2-8');
	$c->has_width('it has the two that are left', $id, 2);
	$c->cmd('scancel', $walls[1]);
	$c->has_width('it is lent a single one, though a job that starts there has two', $id, 3);
	is(tries($mark), 0, '  and was denied none');
	like($c->out('scontrol', 'show', 'partition', 'many'), qr/MinNodes=2\b/, '  MinNodes is what it was');
	$c->clear;
};

# As it would be submitted there: Slurm never starts what names more nodes than MaxNodes.
subtest 'a job that waits is moved to a partition with MaxNodes' => sub {
	my $wall = $c->plain(['-A', 'root', '-N8', '-t10']);
	$c->reaches('the nodes are taken', $wall, 'RUNNING');
	my @promised = ('-A', 'phys', '-t10', '--deadline=now+90minutes');
	my %job = (
		malleable => $c->accepted('a malleable job is promised', [@promised, '--malleable', '-N2-8'], script => 'sleep 1000')->{id},
		range => $c->accepted('so is one with a range', [@promised, '-N2-8'], script => 'sleep 5')->{id},
		unpromised => malleable('-N2-8'),
		held => $c->plain([@promised, '-H', '-N2-8'], script => 'sleep 5'),
	);
	my $wide = $c->accepted('another needs four nodes at least', [@promised, '--malleable', '-N4-8'], script => 'sleep 5')->{id};
	$c->settle;
	for my $what (sort keys %job) {
		ok($c->update($job{$what}, 'Partition=few'), "$what: it is moved") or diag($c->{text});
		like($c->field($job{$what}, 'NumNodes'), qr/-4$/, '  with as many nodes as it may have there');
	}
	my $mark = $c->log_mark;
	ok(!$c->update($wide, 'Partition=few'), 'one that may have its fewest alone there is not moved');
	like($c->log_text($mark), qr/JobId=$wide: change refused: .*--malleable: by a limit .* no more than its fewest nodes, 4/, '  which is said by name');
	ok($c->update($wide, 'Partition=few', 'NumNodes=4-4'), '  it is as one that is not resized') or diag($c->{text});
	$c->cmd('scontrol', 'release', $job{held});
	$c->cmd('scancel', $wall);
	for my $what (sort(keys %job), 'wide') {
		$c->reaches("$what: it starts", $what eq 'wide' ? $wide : $job{$what}, '(RUNNING|COMPLETED)');
		next if $what ne 'malleable' && $what ne 'unpromised';
		$c->cmd('scancel', $job{$what});
	}
	$c->clear;
};

# On two nodes it takes an hour, on four half of that, on six twenty minutes.
subtest 'MaxTRESPerJob of a QOS' => sub {
	my @job = ('-A', 'phys', '-q', 'lim', '-N2-8', '--malleable', '-t60');
	$c->refused('no promise counts on more nodes than it may have', [@job, '--deadline=now+25minutes'], qr/./, script => 'sleep 1000');
	my $r = $c->accepted('one is made on as many as it may have', [@job, '--deadline=now+40minutes'], script => 'sleep 10');
	$c->reaches('it starts', $r->{id}, 'RUNNING');
	is($c->width($r->{id}), 4, '  on these');
	$c->promises_kept('and is kept');
	my $mark = $c->log_mark;
	my $id = malleable('-q', 'lim', '-N2-8');
	stays('loans end there', $id, 4);
	is(tries($mark), 0, '  and none was denied');
	$c->clear;
};

# Behind a job of ten minutes its hour on two nodes fits before the deadline on six nodes, and not on four.
subtest 'a deadline together with a QOS' => sub {
	my $wall = $c->plain(['-A', 'root', '-N8', '-t10']);
	$c->reaches('the nodes are taken', $wall, 'RUNNING');
	my $id = $c->plain(['-A', 'phys', '-q', 'normal', '-N2-8', '--malleable', '-t60']);
	$c->settle;
	my $mark = $c->log_mark;
	ok(!$c->update($id, 'Deadline=now+33minutes', 'QOS=lim'), 'refused, by what it may have then');
	like($c->log_text($mark), qr/change refused: deadline: refused: .*on 4 nodes/, '  and offered what can be had on so many');
	ok($c->update($id, 'Deadline=now+33minutes'), 'accepted as it is') or diag($c->{text});
	is($c->promise($id), 'promised', '  with a promise');
	$c->clear;
};

# The job is the one that its user may run: what gets it nodes would be a second one.
subtest 'a growth that a limit denies' => sub {
	my $mark = $c->log_mark;
	my $wall = $c->plain(['-A', 'root', '-N6', '-t10']);
	$c->reaches('a job has most nodes', $wall, 'RUNNING');
	my $id = malleable('-q', 'one', '-N2-8');
	$c->reaches('a malleable one the others', $id, 'RUNNING');
	$c->cmd('scancel', $wall);
	ok($c->wait_for('its first try', sub { tries($mark) }), 'it is denied more nodes');
	sleep 45; # it may be lent some again after half a minute
	is(tries($mark), 1, '  once, and not each time that it could be lent some');
	my $refused = () = $c->pact('history', '--resizes', '--job', $id) =~ /\brefused\b/g;
	is($refused, 1, '  as its history has it');
	$c->accounts(qw(modify qos one set MaxJobsPerUser=-1));
	is($c->reconfigure->{rc}, 0, 'slurm.conf is read anew');
	$c->has_width('without the limit it has all', $id, 8);
	$c->clear;
};

# Of four nodes that are idle the limit of all jobs of a QOS together leaves two.
subtest 'a growth that a limit denies, and not a smaller one' => sub {
	my $wall = $c->plain(['-A', 'root', '-N2', '-t10']);
	my $other = $c->plain(['-A', 'phys', '-q', 'sum', '-N2', '-t10']);
	$c->reaches('another job has some', $_, 'RUNNING') for $wall, $other;
	my $id = malleable('-q', 'sum', '-N2-8');
	stays('it is lent as many as the limit leaves', $id, 4);
	$c->cmd('scancel', $other);
	$c->has_width('and the others when that job is over', $id, 6);
	$c->clear;
};

# As stock Slurm has it: only what is resized, or has a deadline, has its range lowered.
subtest 'a range above MaxNodes, without --malleable and without a deadline' => sub {
	my $id = $c->plain(['-A', 'phys', '-p', 'few', '-N2-8', '-t10']);
	$c->wait_field($id, 'Reason', qr/^PartitionNodeLimit$/);
	my $r = $c->accepted('it is in no way: all nodes are promised', ['-A', 'phys', '-N8', '-t10', '--deadline=now+13minutes'], script => 'sleep 5');
	$c->reaches('  and given', $r->{id}, '(RUNNING|COMPLETED)');
	is($c->state($id), 'PENDING', '  as it waits still');
	$c->cmd('scontrol', 'update', "JobId=$id", 'NumNodes=2-4');
	$c->reaches('  until it asks for no more', $id, 'RUNNING');
	$c->clear;
};

$c->healthy;
done_testing;
