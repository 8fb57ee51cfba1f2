#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 98-held-prolog: a job that is held during its prologs has its turns, by the states of the processes: Slurm forgets the reason when
# these have ended, and such a job looks suspended with scontrol then.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Turns;

my $dir = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $dir;
open(my $f, '>', "$dir/prolog") or die "$dir/prolog: $!";
print $f "#!/bin/sh\nsleep 6\n";
close $f;
chmod 0755, "$dir/prolog";
my $c = Cluster->up(nodes => 2, pact => "Guard=60\n", partition => ['batch Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2'],
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=20\nDefMemPerNode=100\n" .
		"Prolog=$dir/prolog\nPrologFlags=Alloc\n");

my $other = $c->plain(['-N2', '-t30'], script => work($c));
$c->wait_for('its processes', sub { look($c, $other) eq 'R' }, 60);
my $held = $c->plain(['-N2', '-t30'], script => work($c));
ok($c->wait_for('its prologs', sub { $c->state($held) eq 'RUNNING' && $c->field($held, 'Reason') eq 'Prolog' }, 60), 'the prologs of another one run');
is($c->cmd('scontrol', 'hold', $held)->{rc}, 0, 'it is held meanwhile');
ok($c->wait_for('its processes', sub { look($c, $held) eq 'R' }, 60), 'it is launched');
is(join(' ', map { $c->field($held, $_) } qw(Priority Reason)), '0 None', 'Slurm has forgotten why it has no priority');
my $runs = watch($c, 90, $held, $other);
cmp_ok(scalar @{ $runs->{$_} // [] }, '>=', 2, ($_ == $held ? 'it' : 'the other one') . ' has one turn after another')
	or diag(explain($runs), $c->field($_, 'Reason'))
	for $held, $other;
is($c->cmd('scontrol', 'release', $held)->{rc}, 0, 'it is released');
cmp_ok($c->field($held, 'Priority'), '>', 0, '  and has a priority again');
$c->clear;
$c->healthy;
$c->down;
done_testing();
