#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 58-late: a job whose promise is broken while it waits is not ended for that: it runs late. Nor is one that has to have more
# nodes than its fewest, for which its limit is, to be in time. From 23.11 on Slurm itself ends waiting jobs whose limit does not
# fit before their deadline, whichever scheduler there is.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 2, speed => 60,
	pact => "Guard=120\nAdmissionTime=5000\nPlanInterval=30\nLoans=uniform\nResizeGrace=30\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "SchedulerParameters=sched_interval=-1,defer,permit_job_expansion\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n");

my $r = $c->accepted('a promise', ['-N2', '-t10', '--begin=now+5minutes', '--deadline=now+30minutes'], runs => 60);
my $deadline = $c->field($r->{id}, 'Deadline');
$c->cmd('scontrol', 'update', 'NodeName=n2', 'State=DRAIN', 'Reason=test');
ok($c->wait_for('broken', sub { $c->promise($r->{id}) eq 'broken' }), 'a node is lost: it is broken');
ok($c->wait_for('its limit does not fit', sub { $c->now > $deadline - 300 }, 60), 'it waits until its limit does not fit');
is($c->state($r->{id}), 'PENDING', 'it waits still');
ok($c->wait_for('its deadline is over', sub { $c->now > $deadline + 180 }, 60), 'and until its deadline is over');
is($c->state($r->{id}), 'PENDING', 'it waits still');
$c->cmd('scontrol', 'update', 'NodeName=n2', 'State=RESUME');
$c->reaches('it runs late', $r->{id}, 'COMPLETED');

# An hour on one node, and half of one on two, which end before the deadline.
subtest 'its limit is one on its fewest nodes' => sub {
	my $job = $c->accepted('a promise', ['-N1-2', '--malleable', '-t60', '--begin=now+5minutes', '--deadline=now+50minutes'],
		script => 'sleep 3000');
	my $id = $job->{id};
	is($c->field($id, 'TimeLimit'), '01:00:00', 'its record has its own limit');
	$c->cmd('scontrol', 'hold', $id);
	ok($c->wait_for('withdrawn', sub { $c->promise($id) eq 'withdrawn' }), 'it is held');
	my $until = $c->now + 150;
	ok($c->wait_for('Slurm has looked', sub { $c->now > $until }, 60), 'for longer than Slurm takes to look at it');
	is($c->state($id), 'PENDING', '  it waits still');
	$c->cmd('scontrol', 'release', $id);
	$c->reaches('it is released, and waits until it may start', $id, 'RUNNING');
	is($c->promise($id), 'promised', '  with a promise again');
	is($c->field($id, 'NumNodes'), 2, '  on two nodes');
	my ($from, $to) = map { $c->field($id, $_) } qw(StartTime EndTime);
	cmp_ok($to - $from, '<=', 1800, '  for half the time');
	my $plain = $c->plain(['-N1-2', '--malleable', '-t60', '--begin=now+40minutes']);
	$c->seen;
	ok($c->update($plain, 'Deadline=now+90minutes'), 'another one gets a deadline while it waits') or diag($c->{text});
	is($c->field($plain, 'TimeMin'), '00:01:00', '  and Slurm lets it wait');
	$c->clear;
};

$c->healthy;
done_testing;
