#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 47-changes-refused: job_modify is asked before Slurm's own checks. Until the record shows which terms hold,
# both do: nobody else is promised the place of either.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4);
my $long = 'x' x 1100; # Slurm takes no such comment, and says so after job_modify

# The machine is busy for 10 minutes, and a job that needs all of it is promised.
sub setting {
	my $by = shift;
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('a job is promised', ['-N4', '-t20', "--deadline=$by"]);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	return $r->{id};
}

sub competitor {
	return ('sbatch', '-o', '/dev/null', '-N4', '-t20', '--deadline=now+33minutes', '--wrap', 'sleep 60');
}

subtest 'a change that Slurm refuses' => sub {
	my $id = setting('now+34minutes');
	my ($mark, $by) = ($c->log_mark, $c->field($id, 'Deadline'));
	ok(!$c->update($id, 'Deadline=now+3hours', "Comment=$long"), 'a later deadline with an impossible comment');
	ok($c->log_has(qr/JobId=$id: change accepted/, $mark), 'it was Slurm that refused it');
	ok($c->log_has(qr/JobId=$id: its change was not made: the old terms stand/, $mark), 'and that is seen');
	is($c->field($id, 'Deadline'), $by, 'the deadline is the old one');
	like($c->field($id, 'AdminComment'), qr/deadline=$by,limit=1200,state=promised/, 'in the promise too');
};

subtest 'a submission that comes at the same time' => sub {
	my $id = setting('now+34minutes');
	my ($mark, @taken) = ($c->log_mark);
	for (1 .. 20) {
		pipe(my $read, my $write) or die;
		my $gate = [$read, $write];
		my @both = ($c->spawn({ gate => $gate }, 'scontrol', 'update', "JobId=$id", 'Deadline=now+3hours',
				"Comment=$long"), $c->spawn({ gate => $gate }, competitor()));
		close($write);
		close($read);
		$c->finish($_) for @both;
		push @taken, $1 if $both[1]{out} =~ /Submitted batch job (\d+)/;
		isnt($both[0]{rc}, 0, 'the change is refused') if !$both[0]{rc};
	}
	is("@taken", '', 'is not promised the place of the old terms');
	$c->settle;
	is($c->promise($id), 'promised', 'the promise stands');
	unlike($c->log_text($mark), qr/can no longer be kept/, 'and was never in danger');
};

subtest 'a change that is made' => sub {
	my $id = setting('now+3hours');
	for my $round (1 .. 5) {
		ok($c->update($id, 'Deadline=now+34minutes'), 'an earlier deadline') or diag($c->{text});
		my $r = $c->cmd(competitor());
		like($r->{err}, qr/deadline: refused: /, 'and at once nobody else gets its place');
		ok($c->update($id, 'Deadline=now+3hours'), 'a later one') or diag($c->{text});
	}
	$c->settle;
	is($c->promise($id), 'promised', 'the promise stands');
	my $r = $c->cmd(competitor());
	like($r->{out}, qr/Submitted/, 'now there is room');
};

subtest 'one that Slurm would half make' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $first = $c->accepted('one job', ['-N1', '-t10', '--deadline=now+9hours']);
	$c->settle;
	my $second = $c->accepted('one behind it',
		['-N1', '-t10', '-d', "afterany:$first->{id}", '--deadline=now+12hours']);
	$c->settle;
	# Slurm would find the circle after it has changed the others: but who waits for it goes first.
	ok(!$c->update($first->{id}, 'Deadline=now+20hours', 'TimeLimit=15', "Dependency=afterany:$second->{id}"),
		'a limit, and a circle of dependencies');
	$c->settle;
	is($c->field($first->{id}, 'TimeLimit'), '00:10:00', 'no half of it is made');
	# And that two nodes are more than its most when it has given it the CPUs of two: it would never run. From
	# 23.02 on scontrol gives it another most with them; the API need not, see below.
	if ($c->release < 2302) {
		ok(!$c->update($first->{id}, 'NumNodes=2'), 'more nodes than it may have');
		like($c->{text}, qr/Node count specification invalid/, 'in Slurm\'s own words');
	}
	is($c->field($first->{id}, 'NumCPUs'), 1, 'its CPUs are what they were');
	is($c->promise($first->{id}), 'promised', 'the promise stands, by what the record says');
	$c->cmd('scancel', $wall);
	$c->reaches('it runs', $first->{id}, 'RUNNING');
	is($c->field($first->{id}, 'TimeLimit'), '00:10:00', 'with its limit');
};

# scontrol cannot take a most away; Slurm's API can, and more nodes come in the same breath.
subtest 'no most any more' => sub {
	my $update = "$Cluster::build/testsuite/emulated/update_nodes";
	plan skip_all => 'built without libslurmfull' unless -x $update;
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $id = $c->accepted('a job of one node', ['-N1', '-t10', '--deadline=now+9hours'])->{id};
	$c->settle;
	my $r = $c->cmd($update, $id, 2, 1);
	is($r->{rc}, 1, 'two nodes of at most one are refused');
	$r = $c->cmd($update, $id, 2, 0);
	is($r->{rc}, 0, 'two of no most are not') or diag($r->{err});
	like($c->field($id, 'NumNodes'), qr/^2\b/, 'they are the job\'s');
	$c->settle;
	is($c->promise($id), 'promised', 'the promise stands');
	$c->cmd('scancel', $wall);
	$c->reaches('it runs', $id, 'RUNNING');
	is($c->field($id, 'NumNodes'), 2, 'on two nodes');
};

$c->clear;
$c->healthy;
done_testing;
