#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 78-downgrade: a promise that a newer Pact has made is not understood, and survives all that this one does.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4);
my $token = 'pact2(id=00000000000000aa,by=1999999999,terms=7)';

sub token_stands {
	my ($id, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($c->field($id, 'AdminComment') // '', qr/(^| )\Q$token\E$/, $name);
}

# Without job_submit/deadline an operator may write what looks like a token.
my $wall = $c->plain(['-N4', '-t30']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');
is($c->emulate('reconfigure', '--submit', 'none')->{rc}, 0, 'job_submit/deadline is taken out');
my $id = $c->plain(['-N2', '-t10', '--deadline=now+5hours']);
ok($c->update($id, "AdminComment=ticket 17 $token"), 'a job has a token of a later version');
is($c->emulate('reconfigure', '--submit', 'deadline')->{rc}, 0, 'it is put in again');
$c->seen;
token_stands($id, 'the scheduler leaves it alone');

ok($c->update($id, 'AdminComment=night shift'), 'another comment');
is($c->field($id, 'AdminComment'), "night shift $token", 'it stands behind that');
ok($c->update($id, 'AdminComment=pact1(id=7,deadline=1,limit=1,state=promised)'), 'a forged one');
is($c->field($id, 'AdminComment'), $token, 'takes no place');

my $mark = $c->log_mark;
ok(!$c->update($id, 'Deadline=now+4hours'), 'its deadline cannot be changed');
ok($c->log_has(qr/JobId=$id: change refused: .*promised by a newer Pact/, $mark), 'the log says why');
token_stands($id, 'it stands');
ok($c->update($id, 'TimeLimit=9'), 'its limit can');
$c->cmd('scontrol', 'hold', $id);
ok(!$c->update($id, 'Deadline=now+4hours'), 'nor the deadline while it is held');
$c->seen;
$c->cmd('scontrol', 'release', $id);
$c->seen;
token_stands($id, 'after a hold and a release');

$c->saved_state;
is($c->emulate('kill-controller')->{rc}, 0, 'kill -9');
is($c->emulate('start-controller')->{rc}, 0, 'slurmctld starts again');
$c->remember_controller;
$c->seen;
token_stands($id, 'after a restart');
$c->cmd('scancel', $wall);
$c->reaches('the job runs', $id, 'RUNNING');
token_stands($id, 'while it runs');
$c->cmd('scancel', $id);
$c->wait_state($id, 'CANCELLED');
token_stands($id, 'and when it is over');
$c->healthy;
done_testing();
