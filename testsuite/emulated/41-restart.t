#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 41-restart: slurmctld is killed with SIGKILL at random moments and started again. A promise whose job is in
# Slurm's saved state is kept. PACT_ROUNDS: how many times (default 4), PACT_SEED: of the random moments.
# Runs with one other: on its fast clock a restart on a busy machine is an outage of many minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;

my $rounds = $ENV{PACT_ROUNDS} // 4;
my $seed = $ENV{PACT_SEED} // time;
srand($seed);
diag("PACT_SEED=$seed");

my $speed = 20;
my $guard = 900;	# a controller that is away for some seconds is away for minutes on this clock
my $c = Cluster->up(nodes => 8, speed => $speed, pact => "Guard=$guard\nAdmissionTime=5000\n");

# The numbers of the jobs in the state that is saved on disk: it is written new, then renamed.
sub saved {
	my $id = shift;
	my $state = Cluster::slurp("$c->{dir}/c/state/job_state");
	my $comment = $c->field($id, 'AdminComment');
	return $comment =~ /(pact1\(id=[0-9a-f]+)/ && index($state, $1) >= 0;
}

# Jobs run for longer than a controller is away. Slurm 22.05 loses count of one that it started, did not save,
# and that ends before the nodes register with the next controller: to that one the job still waits (or was
# never there), so its completion is passed over and its node is never told to forget it; when the job, or a
# new one with its number, comes to that node again, it is refused as a duplicate and the node is drained.
my $runs = 60;

my (%accepted, %deadline);

sub submit {
	my $width = 1 + int rand 4;
	my $r = $c->sbatch(["-N$width", '-t2', '--deadline=' . $c->in_seconds(2000 + int rand 16000)], runs => $runs + int rand 200);
	$accepted{ $r->{id} } = $r if $r->{id};
	return $r;
}

my $lost = 0;
for my $round (1 .. $rounds) {
	my @new = grep { $_->{id} } map { submit() } 1 .. 3;
	$c->plain(['-N' . (1 + int rand 8), '-t2'], runs => $runs);
	for my $r (@new) {
		$lost++ unless $c->wait_for("job $r->{id} in the saved state",
			sub { saved($r->{id}) || $c->ended_jobs->{ $r->{id} } });
	}
	sleep rand 1;	# the random moment
	# Some more that are in flight: acknowledged and not yet saved, they may be lost, as under stock Slurm.
	my @flying = map { $c->spawn('sbatch', '-o', '/dev/null', '-N1', '-t2', '--deadline=now+5hours', '--wrap',
		"exec sleep $runs") } 1 .. 2;
	sleep rand 0.05;
	my $killed = $c->emulate('kill-controller');
	my $started = $c->emulate('start-controller');
	$c->finish($_) for @flying;
	if ($killed->{rc} || $started->{rc}) {
		ok(0, "round $round: killed and started") or diag($killed->{err} . $started->{err});
		last;
	}
	$c->remember_controller;
	# All that were promised so far, not only the newest.
	@new = map { $accepted{$_} } sort { $a <=> $b } keys %accepted;
	my @gone = grep { !$c->job($_->{id}) && !$c->ended_jobs->{ $_->{id} } } @new;
	my @unpromised = grep { my $s = $c->state($_->{id}); $s eq 'PENDING' && $c->promise($_->{id}) ne 'promised' }
		grep { $c->job($_->{id}) } @new;
	my $drained = $c->out('sinfo', '-h', '-t', 'drain,down', '-o', '%N %E');
	my $good = ok(!@gone && !@unpromised && $drained eq '', "round $round: jobs and promises are there after the kill")
		or diag('gone: ' . join(' ', map { $_->{id} } @gone) . '; without promise: ' .
		join(' ', map { "$_->{id} " . $c->promise($_->{id}) } @unpromised) . "; lost nodes: $drained");
	last unless $good;
	if ($round % 10 == 0 || $round == $rounds) {
		my $log = $c->log_text;
		my @broken = $log =~ /JobId=(\d+): the promised completion/g;
		$c->promises_kept("all promises up to round $round", 600);
		%accepted = ();
		is("@broken", '', 'none was ever given up');
	}
}
is($lost, 0, 'every job was saved in time');

ok($c->idle(900), 'plain jobs have all run, and every node is idle');
# New promises are made as before.
my $r = $c->accepted('a new promise after the last start', ['-N8', '-t2', '--deadline=now+10hours'], runs => 20);
$c->promises_kept('is kept');
$c->clear;
$c->healthy;
done_testing;
