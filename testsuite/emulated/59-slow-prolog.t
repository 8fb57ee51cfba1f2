#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 59-slow-prolog: Slurm counts a job's limit anew when PrologSlurmctld is over: the guard has room for that, and what was
# promised is kept.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use JSON::PP;

# It runs as long as the gate is shut.
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
my ($prolog, $gate) = ("$dir/prolog", "$dir/gate");
Cluster::gated($prolog, $gate);

my $most = 400;
my $c = Cluster->up(nodes => 2, speed => 20, pact => "AdmissionTime=5000\nPlanInterval=5\n",
	conf => "PrologSlurmctld=$prolog\nPrologEpilogTimeout=$most\n");

sub guard {
	my $r = $c->cmd("$Cluster::build/contrib/pact/pact", '--json', 'status');
	return $r->{rc} ? undef : decode_json($r->{out})->{guard};
}

my $guard;
ok($c->wait_for('a plan', sub { $guard = guard() }), 'there is a plan') or BAIL_OUT('no plan');
my ($kill) = $c->out('scontrol', 'show', 'config') =~ /^KillWait\s*=\s*(\d+)/m;
cmp_ok($guard, '>=', 30 + $kill + $most, 'the guard has room for PrologSlurmctld');

open(my $shut, '>', $gate) or die "$gate: $!";
close($shut);
# What it takes to submit, on a busy machine.
my $slack = 100;
my $now = $c->now;
my $first = $c->accepted('a promise', ['-N2', '-t6', '--deadline=' . $c->stamp($now + 360 + $guard + $slack)], runs => 2000);
$c->reaches('its PrologSlurmctld runs', $first->{id}, 'CONFIGURING');
my $behind = $c->accepted('one behind it', ['-N2', '-t2', '--deadline=' . $c->stamp($now + 480 + 2 * $guard + $slack)], runs => 1);
my $start = $c->field($first->{id}, 'StartTime');
$c->wait_for('the time that it may take', sub { $c->now > $start + $most - 40 });
unlink $gate;
$c->reaches('then it runs', $first->{id}, 'RUNNING');
cmp_ok($c->field($first->{id}, 'EndTime'), '>=', $start + 360 + $most - 40, 'for all of its time');
$c->promises_kept('both promises are kept', 120);
$c->healthy;
done_testing;
