#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 58-late: a job whose promise is broken while it waits is not ended for that: it runs late. From 23.11 on Slurm itself
# ends waiting jobs whose limit does not fit before their deadline, whichever scheduler there is.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 2, speed => 60, pact => "Guard=120\nAdmissionTime=5000\nPlanInterval=30\n");

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

$c->healthy;
done_testing;
