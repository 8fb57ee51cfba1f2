#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 23-arrays: job arrays and dependencies of jobs with deadlines. A faster clock.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, speed => 20, pact => "Guard=240\nAdmissionTime=5000\n");

# Every task of an array has ended by its deadline.
sub tasks_kept {
	my ($r, $n) = @_;
	my $base = $r->{id};
	$c->excuse($base);
	$c->wait_for("the end of array $base", sub { $c->out('squeue', '-h', '-j', $base, '-o', '%A') eq '' });
	my $ended = $c->ended_jobs;
	my @late;
	my $found = 0;
	for my $id (grep { $_ >= $base } keys %$ended) {
		my $e = $ended->{$id};
		next unless $e->{Name} eq "array$base" || ($e->{Name} // '') eq $r->{name};
		$found++;
		push @late, "$id: $e->{JobState}" if $e->{JobState} !~ /^(COMPLETED|TIMEOUT)$/ || $e->{EndTime} > $r->{by};
	}
	is($found, $n, "$n tasks ran");
	ok(!@late, 'each ended by the deadline') or diag("@late");
}

subtest 'accepted whole' => sub {
	my $wall = $c->plain(['-N4', '-t5'], runs => 240);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('five tasks of two nodes', ['-J', 'whole', '-N2', '-t5', '--array=0-4', '--deadline=' .
		$c->in_seconds(300 + 240 + 3 * 540 + 120)], runs => 30);
	$r->{name} = 'whole';
	my %comments = map { ($_->{AdminComment} // '') => 1 } $c->jobs($r->{id});
	is(scalar(keys %comments), 1, 'one token for all');
	like((keys %comments)[0], qr/state=promised/, 'a promise');
	$c->refused('no room for another job in its time', ['-N4', '-t5', '--deadline=' .
		$c->in_seconds(300 + 240 + 540 + 120)]);
	tasks_kept($r, 5);
};

subtest 'held, and throttled' => sub {
	$c->clear;
	my $d = '--deadline=' . $c->in_seconds(36000);
	$c->refused('with a limit on running tasks: refused at once', ['-H', '-N1', '-t5', '--array=0-3%1', $d],
		qr/a limit on running array tasks/);
	my $first = $c->plain(['-H', '-N1', '-t5', '--array=0-3%1']);
	$c->settle;
	$c->refused("nor behind such an array ($_)", ['-N1', '-t5', '-d', $_, $d], qr/which is of an array with a limit/)
		for "afterany:$first", "afterok:${first}_2";
	$c->cmd('scancel', $first);
	my $id = $c->plain(['-H', '-N1', '-t5', '--array=0-3', $d], runs => 1);
	ok($c->update($id, 'ArrayTaskThrottle=1'), 'throttled while it is held') or diag($c->{text});
	my $mark = $c->log_mark;
	is($c->cmd('scontrol', 'release', $id)->{rc}, 0, 'released');
	$c->settle;
	ok(!grep({ ($_->{AdminComment} // '') =~ /state=promised/ } $c->jobs($id)), 'nothing is promised');
	unlike($c->log_text($mark), qr/JobId=$id released: its deadline is promised/, 'nor was');
	$c->cmd('scancel', $id);
	$c->clear;
};

subtest 'or not at all' => sub {
	$c->clear;
	my $wall = $c->plain(['-N4', '-t5'], runs => 3600);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $before = $c->out('squeue', '-h', '-r', '-o', '%A');
	my $r = $c->refused('seven tasks where there is room for six', ['-N2', '-t5', '--array=1-7', '--deadline=' .
		$c->in_seconds(540 + 3 * 540 + 60)], qr/7 tasks of 2 nodes/);
	is($c->out('squeue', '-h', '-r', '-o', '%A'), $before, 'no task is left');
	ok($r->{offer}, 'there is an offer') and
		$c->accepted('which is accepted', ['-N2', '-t5', '--array=1-7', "--deadline=$r->{offer}"]);
	$c->refused('a limit on running tasks is named', ['-N1', '-t5', '--array=0-3%2', '--deadline=now+5hours'], qr/%/);
	$c->clear;
};

subtest 'hold, release and cancel of tasks' => sub {
	my $wall = $c->plain(['-N4', '-t5'], runs => 3600);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $r = $c->accepted('an array', ['-J', 'some', '-N2', '-t5', '--array=0-3', '--deadline=now+3hours'], runs => 30);
	is($c->cmd('scancel', "$r->{id}_2")->{rc}, 0, 'one task is cancelled');
	is($c->cmd('scontrol', 'hold', "$r->{id}_3")->{rc}, 0, 'one is held');
	ok($c->wait_for('its promise to be withdrawn', sub {
		$c->promise("$r->{id}_3") eq 'withdrawn';
	}), 'its promise is withdrawn');
	is($c->promise("$r->{id}_1"), 'promised', 'the others\' stand');
	$c->cmd('scontrol', 'release', "$r->{id}_3");
	ok($c->wait_for('its promise', sub { $c->promise("$r->{id}_3") eq 'promised' }), 'released: promised again');
	$c->cmd('scancel', $wall);
	$r->{name} = 'some';
	$c->wait_for('three tasks to end', sub {
		my $e = $c->ended_jobs;
		return 3 == grep { $_->{Name} eq 'some' && $_->{JobState} eq 'COMPLETED' && $_->{EndTime} <= $r->{by} }
			values %$e;
	});
	is(scalar(grep { $_->{Name} eq 'some' && $_->{JobState} eq 'COMPLETED' && $_->{EndTime} <= $r->{by} }
		values %{ $c->ended_jobs }), 3, 'the three tasks were kept');
	$c->clear;
};

subtest 'dependencies' => sub {
	my $first = $c->plain(['-N1', '-t10'], runs => 120);
	$c->reaches('a job runs', $first, 'RUNNING');
	my $end = $c->field($first, 'EndTime');
	$c->refused('a deadline that its predecessor does not allow', ['-N1', '-t5', "--dependency=afterok:$first",
		'--deadline=' . $c->stamp($end + 300)]);
	my $r = $c->accepted('one that it allows', ['-N1', '-t5', "--dependency=afterok:$first",
		'--deadline=' . $c->stamp($end + 240 + 540 + 60)], runs => 30);
	cmp_ok($r->{start}, '>=', $end, 'planned after the predecessor\'s limit');
	my $next = $c->accepted('a chain of promises', ['-N1', '-t5', "--dependency=afterany:$r->{id}",
		'--deadline=' . $c->stamp($r->{by} + 600)], runs => 30);
	cmp_ok($next->{start}, '>=', $r->{by}, 'rests on the promised completion');
	my $endless = $c->plain(['-N1']);
	$c->reaches('a job without a limit runs', $endless, 'RUNNING');
	$c->refused('a predecessor without an end is named', ['-N1', '-t5', "--dependency=afterany:$endless",
		'--deadline=now+10hours'], qr/no planned end/);
	$c->refused('singleton is named', ['-N1', '-t5', '--dependency=singleton', '--deadline=now+10hours'],
		qr/singleton/);
	$c->refused('alternatives are named', ['-N1', '-t5', "--dependency=afterok:$first?afterok:$endless",
		'--deadline=now+10hours'], qr/\?/);
	$c->promises_kept('the chain was kept');
	my $ended = $c->ended_jobs;
	cmp_ok($ended->{ $r->{id} }{StartTime}, '>=', $ended->{$first}{EndTime}, 'in order');
	cmp_ok($ended->{ $next->{id} }{StartTime}, '>=', $ended->{ $r->{id} }{EndTime}, 'in order');
};

$c->clear;
$c->healthy;
done_testing;
