#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 50-scenarios: the golden scenarios (doc/scenarios.md), with real daemons on a faster clock. Decisions are
# compared exactly, starts with a tolerance. Each scenario has a small cluster of its own; all run at once,
# because they mostly wait.
#
# How a scenario becomes a cluster: the machine and each set are partitions; the guard is the scenario's.
# Its times are multiples of 60 s, so half of that is added to every deadline, and to the time
# when a reservation begins: it changes no decision, and the second or two that a real start takes does not
# either. Schedulers that are not plugins (fcfs, easy, conservative) and what is marked
# `live no` are left to the simulator.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(time sleep);
use Cluster;

my $speed = $ENV{PACT_SPEED} // 20;
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
	my %sc = (config => { scheduler => 'qops', mode => 'paper', order => 'edf', kfactor => 5, guard => 0 },
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
	my $sc = shift;
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
	ok(0, "$sc->{name}: @command") || diag($r->{err}) if $r->{rc};
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
	return $sc->{read} + (time - $sc->{at}) * $speed - $sc->{zero};
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
	my $c = $sc->{cluster};
	my $ended = $c->ended_jobs;
	for my $job (@{ $sc->{jobs} }) {
		my $r = $job->{got};
		my $got = $r->{text} =~ /deadline: accepted/ ? 'accept' : $r->{text} =~ /deadline: refused/ ? 'refuse' :
			$r->{id} ? 'queue' : "nothing: $r->{text}";
		is($got, $job->{expect}, "job $job->{id}: $job->{expect}") or diag($r->{text});
		like($r->{text}, $words{ $job->{reason} }, "  because of $job->{reason}") if $job->{reason};
		if ($job->{offer}) {
			my ($offer) = $r->{text} =~ /can be promised: --deadline=([^\s;,]+)/;
			$offer = $offer ? Cluster::epoch($offer) - $sc->{zero} : -1;
			ok($offer >= $job->{offer} && $offer <= $job->{offer} + 120 + $tolerance, "  offered $job->{offer}")
				or diag("offer: $offer");
		}
		my $want = $job->{start} // 'never';
		my $end = $r->{id} ? $ended->{ $r->{id} } : undef;
		my $start = !$r->{id} ? 'never' : $end && $end->{JobState} ne 'CANCELLED' ? $end->{StartTime} : '';
		if ($start eq '') {
			my $f = $c->job($r->{id});
			$start = $f && $f->{JobState} =~ /RUNNING|COMPLET|TIMEOUT/ ? $f->{StartTime} : 'never';
		}
		if ($want eq 'never') {
			is($start, 'never', '  it never starts');
		} else {
			$start -= $sc->{zero} if $start ne 'never';
			ok($start ne 'never' && $start >= $want - 15 && $start <= $want + $tolerance, "  starts at $want")
				or diag("started at: $start");
		}
	}
	$c->healthy;
}

my @all = map { read_scenario($_) } sort glob("$Cluster::top/testsuite/scenarios/$which.scn");
my @live = grep { $_->{live} && $_->{config}{scheduler} eq 'qops' } @all;
diag('left to the simulator: ' . join(' ', map { $_->{name} } grep { !$_->{live} || $_->{config}{scheduler} ne 'qops' } @all));
BAIL_OUT('no scenarios') unless @live;

my $lag = 0;
for my $sc (@live) {
	start_cluster($sc);
}
for my $sc (@live) {
	script($sc);
	$sc->{read} = $sc->{cluster}->now;
	$sc->{at} = time;
	# Jobs of all scenarios end at the same times, and a machine that is busy with that frees the nodes of
	# one job a moment apart, into which another may fit.
	$sc->{zero} = $sc->{read} + 20 + $apart * $lag++;
}
my @running = @live;
while (@running) {
	@running = grep { step($_) } @running;
	sleep 0.02;
}
for my $sc (@live) {
	subtest $sc->{name} => sub { judge($sc) };
	$sc->{cluster}->clear;
	$sc->{cluster}->down;
}
done_testing;
