#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 50-scenarios: the golden scenarios (doc/scenarios.md), with real daemons on a faster clock. Decisions are
# compared exactly, starts with a tolerance. Each scenario has a small cluster of its own; all run at once,
# because they mostly wait.
#
# How a scenario becomes a cluster: the machine and each set are partitions; the guard is the scenario's.
# Its times are multiples of 60 s, so half of that is added to every deadline, and to the time
# when a reservation begins: it changes no decision, and the second or two that a real start takes does not
# either. Schedulers that are not plugins (fcfs, msb and so on) and what is marked
# `live no` are left to the simulator.
#
# Scenarios that fail are played once more, without the others and on a slower clock, and that counts: at
# this speed a second in which the machine did something else is 20 of the cluster's, and jobs that are
# submitted within one instant of the scenario are then that far apart.
# Runs with one other: it has a cluster for each scenario.
# Runs first of these: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(time sleep);
use Cluster;

my $speed = $ENV{PACT_SPEED} // 20;
my $slow_speed = $speed > 8 ? 8 : $speed;	# for those that are played again
my $apart = 20;		# seconds between the beginnings of two scenarios, one of the real clock
my $slack = 30;		# seconds added to deadlines, and to when a reservation begins
my $tolerance = 120;	# seconds by which a start may be late
my $which = $ENV{PACT_SCENARIOS} // '*';	# a pattern of names

my %words = (
	'disabled' => qr/switched off/, 'too-late' => qr/do not fit before/, 'never-fits' => qr/nodes? are more than/,
	'no-limit' => qr/without a time limit/, 'full' => qr/no room for/, 'budget' => qr/plan is busy/,
	'starves' => qr/starving/, 'blocked' => qr/not to be had/,
);

# A file, read into { about, nodes, sets, config, jobs, events, live }.
sub read_scenario {
	my $path = shift;
	my %sc = (path => $path, verdicts => [], config => { scheduler => 'qops', mode => 'paper', order => 'edf', kfactor => 5, guard => 0 },
		sets => {}, jobs => [], events => [], live => 1);
	($sc{name}) = $path =~ m{([^/]+)\.scn$};
	open(my $f, '<', $path) or die "$path: $!";
	while (my $line = <$f>) {
		$line =~ s/#.*//;
		my ($key, @rest) = split ' ', $line or next;
		if ($key eq 'nodes') { $sc{nodes} = $rest[0] }
		elsif ($key eq 'live') { $sc{live} = $rest[0] ne 'no' }
		elsif ($key eq 'set') { $sc{sets}{ $rest[0] } = $sc{sets}{ $rest[1] } // $rest[1] }
		elsif ($key eq 'config') {
			for (@rest) { $sc{config}{lc $1} = $2 if /^(\w+)=(.*)/ }
		}
		elsif ($key eq 'event') { push @{ $sc{events} }, [@rest] }
		elsif ($key eq 'job') {
			my %job = (id => shift @rest, submit => 0, expect => 'queue');
			for (@rest) { $job{$1} = $2 if /^(\w+)=(.*)/ }
			push @{ $sc{jobs} }, \%job;
		}
	}
	close($f);
	return \%sc;
}

# "0-1,3" as the nodes n1 to n2 and n4.
sub node_names {
	my $list = shift;
	return 'n[' . join(',', map { join '-', map { $_ + 1 } split /-/ } split /,/, $list) . ']';
}

sub start_cluster {
	my ($sc, $speed) = @_;
	$sc->{speed} = $speed;
	my %config = %{ $sc->{config} };
	delete @config{qw(scheduler lateness)};
	my %sets = %{ $sc->{sets} };
	$sc->{cluster} = Cluster->up(nodes => $sc->{nodes}, speed => $speed,
		partition => [map { "$_ Nodes=" . node_names($sets{$_}) } sort keys %sets],
		conf => "PriorityType=priority/basic\nKillWait=10\nReturnToService=0\nJobRequeue=0\n",
		pact => join("\n", 'AdmissionTime=5000', 'PlanInterval=60', map { "$_=$config{$_}" } sort keys %config));
}

sub submit {
	my ($sc, $job) = @_;
	my @args = ("-N$job->{width}");
	push @args, '-t' . int(($job->{limit} + 59) / 60) if $job->{limit} ne 'none';
	push @args, '-p', $job->{nodes} if $job->{nodes};
	push @args, "--priority=$job->{priority}" if $job->{priority};
	push @args, '--begin=' . $sc->{cluster}->stamp($sc->{zero} + $job->{begin}) if $job->{begin};
	push @args, '--deadline=' . $sc->{cluster}->stamp($sc->{zero} + $job->{deadline} + $slack) if $job->{deadline};
	# A job takes a moment to start and to end: its own time begins a little before.
	my $r = $sc->{cluster}->sbatch(\@args, runs => $job->{runtime} > 5 ? $job->{runtime} - 5 : $job->{runtime});
	$job->{got} = $r;
	$sc->{number}{ $job->{id} } = $r->{id};
}

# A verdict is kept, not told: whether it counts is not known yet.
sub verdict {
	my ($sc, $ok, $name, $detail) = @_;
	push @{ $sc->{verdicts} }, [$ok, $name, $detail];
}

# What an event does to the cluster.
sub play {
	my ($sc, $what, @rest) = @_;
	my $c = $sc->{cluster};
	my @node = $what eq 'cancel' ? () : ('NodeName=' . node_names($rest[0]));
	my @command = $what eq 'cancel' ? ('scancel', $sc->{number}{ $rest[0] })
		: $what eq 'down' ? ('scontrol', 'update', @node, 'State=DOWN', 'Reason=lost')
		: $what eq 'up' ? ('scontrol', 'update', @node, 'State=RESUME')
		: $what eq 'reserve' ? ('scontrol', 'create', 'reservation', 'ReservationName=taken', 'Users=root',
			'Flags=MAINT,IGNORE_JOBS', 'Nodes=' . node_names($rest[0]),
			'StartTime=' . $c->stamp($sc->{zero} + $rest[1] + $slack),
			'EndTime=' . $c->stamp($sc->{zero} + $rest[2]))
		: die "$sc->{name}: event $what cannot be played";
	my $r = $c->cmd(@command);
	verdict($sc, 0, "@command", $r->{err}) if $r->{rc};
}

# What has to be done, by scenario time: [time, order, code].
sub script {
	my $sc = shift;
	my @todo = map { my $job = $_; [$job->{submit}, 1, sub { submit($sc, $job) }] } @{ $sc->{jobs} };
	for my $event (@{ $sc->{events} }) {
		my ($at, @what) = @$event;
		push @todo, [$at, 0, sub { play($sc, @what) }];
	}
	my $n = 0;
	$_->[3] = $n++ for @todo;
	$sc->{todo} = [sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] || $a->[3] <=> $b->[3] } @todo];
}

# The scenario's time, from a reading of the cluster's clock and ours since.
sub clock {
	my $sc = shift;
	return $sc->{read} + (time - $sc->{at}) * $sc->{speed} - $sc->{zero};
}

sub step {
	my $sc = shift;
	while (@{ $sc->{todo} } && clock($sc) >= $sc->{todo}[0][0]) {
		(shift @{ $sc->{todo} })->[2]->();
	}
	return 1 if @{ $sc->{todo} };
	my $last = 0;
	for my $job (@{ $sc->{jobs} }) {
		my $start = $job->{start} // 'never';
		$last = $start if $start ne 'never' && $start > $last;
	}
	return clock($sc) < $last + $tolerance;
}

sub judge {
	my $sc = shift;
	my $ended = $sc->{cluster}->ended_jobs;
	for my $job (@{ $sc->{jobs} }) {
		judge_answer($sc, $job);
		judge_start($sc, $job, $ended);
	}
	return !grep { !$_->[0] } @{ $sc->{verdicts} };
}

sub judge_answer {
	my ($sc, $job) = @_;
	my $text = $job->{got}{text};
	my $got = $text =~ /deadline: accepted/ ? 'accept' : $text =~ /deadline: refused/ ? 'refuse' :
		$job->{got}{id} ? 'queue' : 'nothing';
	verdict($sc, $got eq $job->{expect}, "job $job->{id}: $job->{expect}", "$got: $text");
	verdict($sc, $text =~ $words{ $job->{reason} }, "  because of $job->{reason}", $text) if $job->{reason};
	if ($job->{offer}) {
		my ($offer) = $text =~ /can be promised: --deadline=([^\s;,]+)/;
		$offer = $offer ? Cluster::epoch($offer) - $sc->{zero} : -1;
		verdict($sc, $offer >= $job->{offer} && $offer <= $job->{offer} + 120 + $tolerance,
			"  offered $job->{offer}", "offer: $offer");
	}
}

sub judge_start {
	my ($sc, $job, $ended) = @_;
	my $id = $job->{got}{id};
	my $want = $job->{start} // 'never';
	my $end = $id ? $ended->{$id} : undef;
	my $start = $end && $end->{JobState} ne 'CANCELLED' ? $end->{StartTime} : 'never';
	if ($id && $start eq 'never') {
		my $f = $sc->{cluster}->job($id);
		$start = $f->{StartTime} if $f && $f->{JobState} =~ /RUNNING|COMPLET|TIMEOUT/;
	}
	$start -= $sc->{zero} if $start ne 'never';
	my $ok = $want eq 'never' || $start eq 'never' ? $start eq $want
		: $start >= $want - 15 && $start <= $want + $tolerance;
	verdict($sc, $ok, $want eq 'never' ? '  it never starts' : "  starts at $want", "started at: $start");
}

sub report {
	my $sc = shift;
	for my $v (@{ $sc->{verdicts} }) {
		my ($ok, $name, $detail) = @$v;
		ok($ok, $name) or diag($detail);
	}
	$sc->{cluster}->healthy;
}

# Play scenarios, all at once, to their ends.
sub play_out {
	my ($speed, @scenarios) = @_;
	my $lag = 0;
	start_cluster($_, $speed) for @scenarios;
	for my $sc (@scenarios) {
		script($sc);
		$sc->{read} = $sc->{cluster}->now;
		$sc->{at} = time;
		# Jobs of all scenarios end at the same times, and a machine that is busy with that frees the nodes
		# of one job a moment apart, into which another may fit.
		$sc->{zero} = $sc->{read} + 20 + $apart * $lag++;
	}
	my @running = @scenarios;
	while (@running) {
		@running = grep { step($_) } @running;
		sleep 0.02;
	}
}

sub take_down {
	my $sc = shift;
	$sc->{cluster}->clear;
	$sc->{cluster}->down;
}

my @all = map { read_scenario($_) } sort glob("$Cluster::top/testsuite/scenarios/$which.scn");
my @live = grep { $_->{live} && $_->{config}{scheduler} eq 'qops' } @all;
diag('left to the simulator: ' . join(' ', map { $_->{name} } grep { !$_->{live} || $_->{config}{scheduler} ne 'qops' } @all));
BAIL_OUT('no scenarios') unless @live;

play_out($speed, @live);
my @again;
for my $sc (@live) {
	if (judge($sc)) {
		subtest $sc->{name} => sub { report($sc) };
	} else {
		diag("$sc->{name} failed at speed $speed; it is played again at $slow_speed:");
		diag("  $_->[1]: $_->[2]") for grep { !$_->[0] } @{ $sc->{verdicts} };
		$sc->{cluster}->healthy("$sc->{name}: slurmctld is healthy");
		push @again, read_scenario($sc->{path});
	}
	take_down($sc);
}
play_out($slow_speed, @again);
for my $sc (@again) {
	judge($sc);
	subtest "$sc->{name}, played again" => sub { report($sc) };
	take_down($sc);
}
done_testing;
