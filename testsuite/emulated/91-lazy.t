#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 91-lazy: what Strategy=lazy alone does with real jobs: one is accepted for the lookahead, though it has no room, and starts as soon as
# it has; one that never pays is started at its lookahead; and slurmctld is killed between that. What pact ask says where profits
# decide is what sbatch then gets. By name: what Malleable.pm has, PACT_ASKS and PACT_SEED.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Malleable;
use JSON::PP;

my $seed = $ENV{PACT_SEED} // time;
my $requests = $ENV{PACT_ASKS} // 20;
srand $seed;
diag("PACT_SEED=$seed");

my $grace = 16;
# A database lives on the real clock only.
my $c = Malleable::up(nodes => 4, speed => $ENV{PACT_ACCOUNTING} ? 1 : 4, sched => 'malleable', as => 65534,
	pact => "Guard=60\nPlanInterval=2\nAdmissionTime=5000\nResizeGrace=$grace\nStrategy=lazy\nSocketRate=0\n$Malleable::recorded");

sub promised { my ($name, @args) = @_; return $c->accepted($name, \@args, script => 'sleep 10000')->{id} }

sub restart {
	$c->saved_state;
	$c->emulate('kill-controller');
	is($c->emulate('start-controller')->{rc}, 0, '  slurmctld is killed and started');
	$c->remember_controller;
}

# A deferred job starts one notice after its lookahead, when the first of the others is due.
sub deferred {
	my ($name, $id, $due) = @_;
	my $start;
	ok($c->wait_for($name, sub { ($start = $c->field($id, 'StartTime')) =~ /^\d+$/ && abs($start - $due - $grace) < 2 }), $name)
		or diag("it starts at $start, and not at $due and $grace");
	is($c->state($id), 'PENDING', '  and it waits');
}
sub strategy {
	my $name = shift;
	$c->reconfigure(Cluster::slurp("$c->{dir}/c/etc/pact.conf") =~ s/^Strategy=.*/Strategy=$name/mr);
}

sub due { return $c->field($_[0], 'Deadline') }

subtest 'a job is accepted for the lookahead' => sub {
	my @wide = ('-N4', '-t10', '--value=10', '--deadline=now+20minutes');
	my @later = ('-N1-4', '--malleable', '--value=5', '-t30', '--deadline=now+40minutes');
	my $wide = promised('one needs all nodes', @wide);
	$c->reaches('it runs', $wide, 'RUNNING');
	my $due = due($wide);
	my $later = promised('one that has no room is accepted', @later);
	deferred('for when the other one is due', $later, $due);
	restart();
	deferred('and so it is with the next slurmctld', $later, $due);
	$c->cmd('scancel', $wide);
	$c->has_width('when the other one ends before that it starts, on all nodes', $later, 4);
	$c->clear;
	strategy('profit');
	$wide = promised('under profit', @wide);
	$c->refused('it is refused', \@later, qr/./);
	strategy('lazy');
	$c->clear;
};

# The second one needs two of its three nodes, and is done in half of its time with these, from where on its end is worth less.
subtest 'a job that never pays is started at its lookahead' => sub {
	my $first = promised('one is due first', qw(-N1 -t2 --value=1 --deadline=now+220));
	my $valued = promised('one is worth much', qw(-N1-4 --malleable -t30 --value=1000 --deadline=now+21minutes));
	$c->has_width('and has the other nodes', $valued, 3);
	my $due = due($first);
	my $cheap = promised('one is worth less than the nodes that it needs', qw(-N2 -t1 --value=1 --deadline=now+6minutes));
	deferred('and is accepted for when the first one is due', $cheap, $due);
	restart();
	$c->cmd('scancel', $first);
	$c->has_width('the node that is free then goes to the one that is worth much', $valued, 4);
	deferred('the other one keeps its start', $cheap, $due) if $c->now < $due - 10;
	$c->reaches('then it is started', $cheap, 'RUNNING', 300);
	my $start = $c->field($cheap, 'StartTime');
	cmp_ok($start, '>=', $due, '  not before the first one was due');
	cmp_ok($start, '<=', $due + $grace + 60, '  and a notice later');
	is($c->width($valued), 2, '  on what the one had that is worth much');
	is($c->promise($_), 'promised', '  and both promises stand') for $valued, $cheap;
	$c->clear;
};

sub pick { return $_[int rand @_] }

sub random_request {
	my $least = 1 + int rand 3;
	my @args = ("--value=" . int rand 50, '-t' . (1 + int rand 40), '--deadline=now+' . (3 + int rand 90) . 'minutes');
	return (pick("-N$least", ("-N$least-" . ($least + 1 + int rand 3)) x 2), @args);
}

# What its end changes has been seen.
sub ended {
	my $id = shift;
	$c->cmd('scancel', $id);
	$c->wait_for("the end of $id", sub { $c->state($id) !~ /PENDING|RUNNING|COMPLETING/ });
	$c->seen;
}

# What may end, or be given back, between the two is no reason to differ three times.
sub agree {
	my @args = @_;
	my ($agree, $r, $got);
	for my $try (1 .. 3) {
		$r = $c->cmd("$Cluster::build/contrib/pact/pact", '--json', 'ask', @args);
		my $asked = $r->{rc} <= 1 ? decode_json($r->{out}) : {};
		$got = $c->sbatch(\@args, script => 'sleep 10000');
		$agree = $r->{rc} <= 1 && !$asked->{promised} == !$got->{id};
		last if $agree || $try == 3;
		ended($got->{id}) if $got->{id};
	}
	diag("@args\n  ask: $r->{rc} $r->{out} $r->{err}\n  sbatch: $got->{text}") if !$agree;
	return ($agree, $got->{id});
}

for my $strategy (qw(lazy profit)) {
	strategy($strategy);
	my ($same, %said) = (0);
	my @jobs = promised("$strategy: a job runs", qw(-N1-3 --malleable -t60 --value=20 --deadline=now+50minutes));
	for my $i (1 .. $requests) {
		my @args = random_request();
		push @args, '--malleable' if $args[0] =~ /-N\d-/;
		my ($agree, $id) = agree(@args);
		$same += $agree;
		push @jobs, $id if $id;
		$said{ $id ? 'promised' : 'refused' }++;
		ended(splice(@jobs, int rand @jobs, 1)) if @jobs && rand() < 0.4;
	}
	is($same, $requests, '  ask agrees with sbatch') or diag("PACT_SEED=$seed");
	ok($said{promised} && $said{refused}, '  on what is promised, and on what is not') or diag(explain \%said);
	$c->clear;
}

$c->healthy;
$c->down;
Malleable::replays();
done_testing;
