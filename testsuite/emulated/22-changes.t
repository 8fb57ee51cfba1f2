#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 22-changes: an operator's changes, hold and release.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, partition => ['half Nodes=n[1-2]', 'one Nodes=n4']);

sub setting {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t10']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('a job is promised', ['-N2', '-t10', '--deadline=now+60minutes']);
	$c->wait_field($r->{id}, 'StartTime', qr/^\d+$/);
	return ($wall, $r);
}

sub token_limit {
	my $id = shift;
	return $c->field($id, 'AdminComment') =~ /limit=(\d+)/ ? $1 : '';
}

subtest 'limit' => sub {
	my ($wall, $r) = setting();
	ok($c->update($r->{id}, 'TimeLimit=20'), 'a longer limit that fits is taken') or diag($c->{text});
	ok($c->wait_field($r->{id}, 'TimeLimit', qr/^00:20:00$/), 'it is the job\'s');
	is(token_limit($r->{id}), 1200, 'and the promise\'s');
	ok(!$c->update($r->{id}, 'TimeLimit=55'), 'one that does not fit is refused');
	like($c->{text}, qr/time limit/i, 'as Slurm words it');
	# From 23.02 on Slurm passes on why.
	like($c->{text}, qr/deadline: refused: no room for 2 nodes for 00:55:00 /, 'and we') if $c->release >= 2302;
	ok(!$c->update($r->{id}, 'TimeLimit=55', 'Comment=pactwish1(serial=1,refused)'),
		'so it is with a "not now" of a malleable job beside it');
	is($c->field($r->{id}, 'TimeLimit'), '00:20:00', 'the old one stands');
	is(token_limit($r->{id}), 1200, 'in the promise too');
	is($c->promise($r->{id}), 'promised', 'which stands');
	ok($c->update($r->{id}, 'TimeLimit=5'), 'a shorter one is taken') or diag($c->{text});
	$c->accepted('and room is made', ['-N4', '-t10', '--deadline=now+31minutes']);
	is($c->promise($r->{id}), 'promised', 'the promise stands');
};

subtest 'deadline' => sub {
	my ($wall, $r) = setting();
	ok(!$c->update($r->{id}, 'Deadline=now+15minutes'), 'an earlier one that cannot be kept is refused');
	is($c->field($r->{id}, 'Deadline'), $r->{by}, 'the old one stands');
	ok($c->update($r->{id}, 'Deadline=now+30minutes'), 'one that can be kept is taken') or diag($c->{text});
	ok($c->wait_for('the new deadline', sub { $c->field($r->{id}, 'Deadline') < $r->{by} }), 'it is the job\'s');
	like($c->field($r->{id}, 'AdminComment'), qr/deadline=@{[$c->field($r->{id}, 'Deadline')]},/,
		'and the promise\'s');
	ok($c->update($r->{id}, 'Deadline=now+3hours'), 'a later one is taken') or diag($c->{text});
	my $plain = $c->plain(['-N1', '-t10']);
	$c->settle;
	ok($c->update($plain, 'Deadline=now+2hours'), 'a plain job can be given one') or diag($c->{text});
	ok($c->wait_for('the promise', sub { $c->promise($plain) eq 'promised' }), 'and is promised then');
	my $other = $c->plain(['-N4', '-t10']);
	$c->settle;
	my $mark = $c->log_mark;
	ok(!$c->update($other, 'Deadline=now+9hours', 'Contiguous=yes'), 'not together with what cannot be planned');
	ok($c->log_has(qr/JobId=$other: change refused: .*how its nodes lie.* together with its deadline/, $mark), 'as is told');
	ok(!$c->update($other, 'Deadline=now+12minutes'), 'not one that cannot be kept');
	is($c->promise($other), '', 'no promise is made');
};

subtest 'partition' => sub {
	my ($wall, $r) = setting();
	ok(!$c->update($r->{id}, 'Partition=one'), 'a partition that is too small is refused');
	is($c->field($r->{id}, 'Partition'), 'batch', 'the old one stands');
	ok($c->update($r->{id}, 'Partition=half'), 'one that is not is taken') or diag($c->{text});
	ok($c->wait_field($r->{id}, 'Partition', qr/^half$/), 'it is the job\'s');
	is($c->promise($r->{id}), 'promised', 'the promise stands');
	$c->refused('the plan knows: nobody else gets these nodes then', ['-N2', '-p', 'half', '-t45',
		'--deadline=now+58minutes']);
	$c->accepted('the others are to be had', ['-N1', '-p', 'one', '-t45', '--deadline=now+58minutes']);
};

subtest 'nodes' => sub {
	my ($wall, $r) = setting();
	ok($c->update($r->{id}, 'NumNodes=3-3'), 'more nodes, as many as there are') or diag($c->{text});
	ok($c->wait_field($r->{id}, 'NumNodes', qr/^3/), 'they are the job\'s');
	is($c->promise($r->{id}), 'promised', 'the promise stands');
	$c->refused('the plan knows', ['-N2', '-t40', '--deadline=now+60minutes']);
	ok(!$c->update($r->{id}, 'NumNodes=9-9'), 'more than there are: refused');
	is($c->field($r->{id}, 'NumNodes'), '3-3', 'the old number stands');
	is($c->promise($r->{id}), 'promised', 'and the promise');
	# Slurm would make it 2-3, and a range is not what was promised.
	ok($c->update($r->{id}, 'NumNodes=2', 'NumCPUs=2'), 'fewer, and no most') or diag($c->{text});
	$c->settle;
	is($c->field($r->{id}, 'NumNodes'), '2-2', 'as many, and no more');
	is($c->promise($r->{id}), 'promised', 'are promised');
};

subtest 'what Slurm refuses changes nothing' => sub {
	my ($wall, $r) = setting();
	ok(!$c->update($r->{id}, 'TimeLimit=20', 'Partition=nowhere'), 'an unknown partition');
	is($c->field($r->{id}, 'TimeLimit'), '00:10:00', 'the limit is the old one');
	is(token_limit($r->{id}), 600, 'in the promise too');
	ok($c->wait_for('the plan to have the old terms again', sub {
		my $t = $c->sbatch(['--test-only', '-N4', '-t10', '--deadline=now+36minutes']);
		return $t->{text} =~ /accepted/;
	}), 'and in the plan');
	SKIP: {
		skip 'needs root', 2 if $>;
		my $r2 = $c->accepted('a user\'s', ['-N1', '-t10', '--deadline=now+60minutes'], as => 65534);
		my $u = $c->cmd({ as => 65534 }, 'scontrol', 'update', "JobId=$r2->{id}", 'Deadline=now+2hours');
		isnt($u->{rc}, 0, 'only operators may change a deadline');
	}
};

subtest 'a comment does not lose the promise' => sub {
	my ($wall, $r) = setting();
	ok($c->update($r->{id}, 'AdminComment=seen by the night shift'), 'a new AdminComment');
	like($c->field($r->{id}, 'AdminComment'), qr/^seen by the night shift pact1\(.*state=promised\)$/, 'is appended to');
	ok($c->update($r->{id}, 'AdminComment='), 'an empty one');
	is($c->promise($r->{id}), 'promised', 'leaves the token');
	ok($c->update($r->{id}, 'Nice=100'), 'another priority');
	is($c->promise($r->{id}), 'promised', 'leaves it too');
};

subtest 'a running job that is given more time' => sub {
	my ($wall, $r) = setting();
	my $mark = $c->log_mark;
	ok($c->update($wall, 'TimeLimit=100'), 'an operator extends a running job') or diag($c->{text});
	ok($c->wait_for('the promise to be broken', sub { $c->promise($r->{id}) eq 'broken' }),
		'a promise that cannot be kept any more is reported');
	ok($c->log_has(qr/JobId=$r->{id}: the promised completion by .* can no longer be kept/, $mark), 'in the log');
	ok($c->wait_field($r->{id}, 'Reason', qr/can.no.longer.be.kept/), 'and as the reason');
	is($c->state($r->{id}), 'PENDING', 'the job still waits to run');
	ok($c->update($wall, 'TimeLimit=10'), 'the operator thinks again') or diag($c->{text});
	ok($c->wait_for('the promise to be mended', sub { $c->promise($r->{id}) eq 'promised' }), 'it can be kept after all');
	$c->cmd('scancel', $wall);
	$c->reaches('it runs', $r->{id}, 'RUNNING');
};

for my $hold (qw(hold uhold)) {
	subtest "$hold and release" => sub {
		my ($wall, $r) = setting();
		my $mark = $c->log_mark;
		is($c->cmd('scontrol', $hold, $r->{id})->{rc}, 0, 'held');
		ok($c->wait_for('the promise to be withdrawn', sub { $c->promise($r->{id}) eq 'withdrawn' }),
			'the promise is withdrawn');
		ok($c->log_has(qr/JobId=$r->{id} held: its promise is withdrawn/, $mark), 'and told');
		my $other = $c->accepted('its place is free', ['-N4', '-t47', '--deadline=now+60minutes']);
		is($c->cmd('scontrol', 'release', $r->{id})->{rc}, 0, 'released');
		ok($c->log_has(qr/JobId=$r->{id} released: its deadline is refused/, $mark), 'a new admission, refused');
		ok($c->wait_field($r->{id}, 'Reason', qr/not.promised/i), 'the reason says so');
		is($c->promise($r->{id}), 'withdrawn', 'nothing is promised');
		is($c->promise($other->{id}), 'promised', 'nobody else lost a promise');
		$c->cmd('scontrol', $hold, $r->{id});
		$c->cmd('scancel', $other->{id});
		$c->settle;
		is($c->cmd('scontrol', 'release', $r->{id})->{rc}, 0, 'held, and released when there is room');
		ok($c->wait_for('the promise', sub { $c->promise($r->{id}) eq 'promised' }), 'promised again');
	};
}

subtest 'held and released at once' => sub {
	my ($wall, $r) = setting();
	for my $round (1 .. 5) {
		my $mark = $c->log_mark;
		is($c->cmd('sh', '-c', "scontrol hold $r->{id} && scontrol release $r->{id}")->{rc}, 0, 'held and released');
		ok($c->log_has(qr/JobId=$r->{id} held: its promise is withdrawn/, $mark, 20), 'the promise is withdrawn');
		ok($c->log_has(qr/JobId=$r->{id} released: its deadline is promised again/, $mark, 20), 'and made anew');
		ok($c->wait_for('the promise', sub { $c->promise($r->{id}) eq 'promised' }), 'which stands in the record');
	}
	my $a = $c->accepted('an array', ['-a', '0-2', '-N1', '-t10', '--deadline=now+60minutes']);
	$c->settle;
	my $mark = $c->log_mark;
	is($c->cmd('sh', '-c', "scontrol hold $a->{id} && scontrol release $a->{id}")->{rc}, 0, 'held and released');
	ok($c->log_has(qr/JobId=$a->{id} held: its promise is withdrawn/, $mark, 20), 'its promise is withdrawn');
	ok($c->log_has(qr/JobId=$a->{id} released: its deadline is promised again/, $mark, 20), 'and made anew');
};

subtest 'submitted with --hold' => sub {
	my ($wall) = setting();
	my $r = $c->sbatch(['-H', '-N2', '-t10', '--deadline=now+60minutes']);
	like($r->{text}, qr/deadline: not promised.*held/, 'nothing is promised, and told');
	ok($r->{id}, 'it is taken') or return;
	$c->cmd('scontrol', 'release', $r->{id});
	ok($c->wait_for('the promise', sub { $c->promise($r->{id}) eq 'promised' }), 'the release is the admission');
};

unlike($c->log_text, qr/other terms than were promised/, 'the records have the terms that were decided');
$c->clear;
$c->healthy;
done_testing;
