#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 98-brief-turns: a job of another row runs on where one has ended, and is stopped a second later as a new one begins there. slurmd
# is still at that job's last stop then, for it was told twice by a new slurmctld, and works on its messages in no order: nodes may
# do the stop before the resumption. By the states of the processes on all nodes none runs beside the new one for long all the same.
#
# PACT_ROUNDS: how often (2), three quarters of a minute each.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/long";
use JSON::PP;
use List::Util qw(max);
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;
use Seen;

my $rounds = $ENV{PACT_ROUNDS} // 2;
my $slice = 15;
my $nodes = 4;
my $c = Cluster->up(nodes => $nodes, pact => "Guard=60\nAdmissionTime=5000\n",
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n"
		. "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n");
my $seen = Seen->begin($c);

sub wide { return $c->plain(["-N$nodes", '-t600'], script => Seen::tasks($c)) }
sub on_all { return !grep { $seen->on($_) < $nodes } @_ }

# As soon as it is seen, and not half a second later: slurmd is at a stop for two.
sub soon {
	my ($seconds, $what) = @_;
	my $end = time + $seconds;
	until ($what->()) {
		return 0 if time > $end;
		sleep 0.03;
	}
	return 1;
}

# slurmctld starts anew so shortly before a switch that it says all once more right behind it.
sub start_anew {
	my $of = decode_json($c->out("$Cluster::build/contrib/pact/pact", '--json', 'matrix'))->{matrices}[0];
	my $wait = $of->{slice_end} - 5 - time;
	sleep($wait < 0 ? $wait + $slice : $wait);
	$c->emulate('kill-controller');
	$c->emulate('start-controller');
	$c->remember_controller;
}

# The one whose turn has just begun.
sub fresh {
	my @ids = @_;
	my ($had) = grep { $seen->is($_) eq 'R' } @ids;
	my $now;
	soon(3 * $slice, sub { ($now) = grep { $_ != ($had // 0) && $seen->is($_) =~ /R/ } @ids });
	return $now;
}

# Its processes end, and so does it.
sub end_tasks {
	my ($id) = @_;
	for my $path (glob "$c->{dir}/task.$id.*") {
		my ($pid) = Cluster::slurp($path) =~ /^(\d+)$/m;
		kill 'KILL', $pid if $pid;
	}
	return soon(10, sub { ($c->state($id) // '') !~ /RUN/ });
}

my @jobs = map { wide() } 1 .. 3;
ok($c->wait_for('tasks', sub { on_all(@jobs) }, 20 + 6 * $slice), 'three jobs take turns on all nodes');
my @most;
for my $round (1 .. $rounds) {
	start_anew();
	my $over = fresh(@jobs) or last;
	sleep 0.8;    # the next pass comes a second after the last one
	end_tasks($over) or last;
	@jobs = grep { $_ != $over } @jobs;
	my $new = wide();
	$c->wait_for('the new one at once', sub { on_all($new) }, 10) or last;
	my $began = time;
	push @jobs, $new;
	sleep 12;
	my ($most, @which) = $seen->longest_beside($began - 1, []);
	push @most, $most;
	diag(sprintf 'round %d: beside another for %.1f s: %s', $round, $most, join ', ', map { Seen::told($_) } @which) if $most > 6;
}
is(scalar @most, $rounds, "$rounds times one ended, and another began in its turn");
cmp_ok(max(@most, 0), '<', 6, 'none ran beside the new one for long');
note(sprintf 'beside the new one: %s s', join ' ', map { sprintf '%.1f', $_ } @most);
$c->cmd('scancel', @jobs);
$c->idle;
$c->healthy;
$c->down;
done_testing();
