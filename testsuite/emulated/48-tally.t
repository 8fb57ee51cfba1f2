#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 48-tally: what became of the promises is counted by the ends that Slurm recorded, and told in the log.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, speed => 20, pact => "Guard=240\nAdmissionTime=5000\n");

# The numbers of the line that a reconfiguration writes: if it starts a new slurmctld, that one counts on.
sub tally {
	my $mark = $c->log_mark;
	is($c->reconfigure->{rc}, 0, 'reconfigure');
	ok($c->log_has(qr/sched\/qops: promises: accepted .*at risk \d+/, $mark), 'writes the line') or return {};
	my ($line) = $c->log_text($mark) =~ /sched\/qops: promises: (.*at risk \d+)/;
	my %n;
	$n{$1} = $2 while $line =~ /([a-z][a-z ]*[a-z]) (\d+)/g;
	return \%n;
}

sub is_tally {
	my ($name, %want) = @_;
	my $n = tally();
	is($n->{$_} // 0, $want{$_}, "$name: $_") for sort keys %want;
}

is_tally('nothing yet', accepted => 0, refused => 0, kept => 0, broken => 0, open => 0, 'at risk' => 0);

subtest 'kept' => sub {
	$c->accepted('a job that ends by itself', ['-N1', '-t10', '--deadline=now+60minutes'], runs => 20);
	$c->accepted('two tasks', ['-a', '0-1', '-N1', '-t10', '--deadline=now+60minutes'], runs => 20);
	$c->accepted('one that fails by itself', ['-N1', '-t10', '--deadline=now+60minutes'], script => 'sleep 5; false');
	my $limit = $c->accepted('one that Slurm ends', ['-N1', '-t1', '--deadline=now+60minutes'], runs => 36000);
	$c->reaches('it is killed at its limit', $limit->{id}, 'TIMEOUT');
	$c->idle;
	ok($c->log_has(qr/JobId=$limit->{id}: ended by its own limit before \S+: the promise counts as kept/),
		'which the log tells apart');
	is_tally('they are kept', accepted => 5, kept => 4, 'killed at their own limits' => 1, broken => 0, open => 0);
};

subtest 'refused' => sub {
	my $wall = $c->plain(['-N4', '-t60']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	$c->refused('no room', ['-N4', '-t10', '--deadline=now+50minutes']);
	$c->refused('too late', ['-N4', '-t10', '--deadline=now+11minutes']);
	$c->refused('too wide', ['-N5', '-t10', '--deadline=now+9hours']);
	$c->refused('licenses', ['-N1', '-t10', '-L', 'x', '--deadline=now+9hours'], qr/cannot be planned/);
	my $t = $c->sbatch(['--test-only', '-N1', '-t10', '--deadline=now+9hours']);
	like($t->{text}, qr/deadline: accepted/, 'only asked');
	$c->settle;
	is_tally('refused', accepted => 5, refused => 4, 'no room' => 1, 'too late' => 1, 'too wide' => 1,
		'cannot be planned' => 1, open => 0);
	$c->clear;
};

subtest 'withdrawn, cancelled, at risk' => sub {
	my $wall = $c->plain(['-N4', '-t60']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my @r = map { $c->accepted("job $_", ['-N1', '-t10', '--deadline=now+3hours']) } 1 .. 3;
	$c->settle;
	is_tally('they wait', accepted => 8, open => 3, 'at risk' => 0);
	$c->cmd('scontrol', 'hold', $r[0]{id});
	ok($c->wait_for('the withdrawal', sub { $c->promise($r[0]{id}) eq 'withdrawn' }), 'one is held');
	$c->cmd('scancel', $r[1]{id});
	ok($c->update($wall, 'TimeLimit=500'), 'the third cannot be kept as things stand');
	ok($c->wait_for('that', sub { $c->promise($r[2]{id}) eq 'broken' }), 'and that is noted');
	is_tally('told', accepted => 8, withdrawn => 1, cancelled => 1, open => 1, 'at risk' => 1, broken => 0);
	$c->cmd('scancel', $wall);
	ok($c->wait_for('that', sub { $c->promise($r[2]{id}) eq 'promised' }), 'it can be kept after all');
	is_tally('no risk is left', open => 1, 'at risk' => 0, broken => 0);
	$c->clear;
};

subtest 'broken' => sub {
	my $mark = $c->log_mark;
	my $r = $c->accepted('a short one', ['-N1', '-t1', '--deadline=now+6minutes'], runs => 600);
	$c->reaches('it runs', $r->{id}, 'RUNNING');
	ok($c->update($r->{id}, 'TimeLimit=60'), 'an operator gives it more time');
	ok($c->log_has(qr/JobId=$r->{id}: ended at \S+: the promised completion by \S+ was not kept/, $mark), 'it ends too late');
	is_tally('that is what broken means', broken => 1, cancelled => 2, open => 0);
};

subtest 'by itself, and at the end' => sub {
	my $mark = $c->log_mark;
	my $r = $c->accepted('one more', ['-N1', '-t1', '--deadline=now+60minutes'], runs => 1);
	ok($c->log_has(qr/sched\/qops: promises: accepted 10, .*/, $mark), 'a change is told within a minute');
	$mark = $c->log_mark;
	$c->cmd('scontrol', 'shutdown', 'slurmctld');
	ok($c->log_has(qr/sched\/qops: promises: accepted 10, /, $mark), 'and the sum at the end');
};

done_testing;
