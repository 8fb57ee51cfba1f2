#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 63-pact: pact plan and pact stats, as text, JSON, picture and Prometheus exposition.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $c = Cluster->up(nodes => 4, pact => "Guard=60\nAdmissionTime=5000\nSocketRate=0\n");
my $pact = "$Cluster::build/contrib/pact/pact";

# An answer as a structure; undef when pact failed.
sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	diag("pact @_: $r->{rc} $r->{err}") if $r->{rc};
	return $r->{rc} ? undef : decode_json($r->{out});
}

# A job of the plan; waits until the plan has it with what is asked for.
sub planned {
	my ($id, %with) = @_;
	my $job;
	$c->wait_for("job $id in the plan", sub {
		my $plan = answer('plan') or return;
		($job) = grep { $_->{job} == $id } @{ $plan->{jobs} };
		return $job && !grep { ($job->{$_} // '') ne $with{$_} } keys %with;
	});
	return $job // {};
}

my $wall = $c->plain(['-N3', '-t60']);
$c->reaches('a plain job runs', $wall, 'RUNNING');
my $r = $c->accepted('a promise', ['-N4', '-t10', '--deadline=now+2hours']);
my $late = $c->plain(['-N4', '-t30']);
my $held = $c->plain(['-H', '-N1', '-t5']);
my $array = $c->sbatch(['-N2', '-t3', '--array=1-2', '--deadline=now+5hours']);
ok($array->{id}, 'a promised array') or diag($array->{text});

subtest 'plan' => sub {
	my $p = planned($r->{id}, state => 'waiting');
	is($p->{width}, 4, 'nodes');
	is($p->{promised}, JSON::PP::true, 'promised');
	is($p->{deadline}, $r->{by}, 'its deadline');
	is($p->{slack}, $r->{by} - $p->{end}, 'its slack is what is left behind its planned end');
	cmp_ok($p->{slack}, '>=', 0, 'which keeps the promise');
	is($p->{end}, $p->{start} + 600 + 60, 'the end has the guard in it');
	is($p->{user}, $>, 'whose it is');
	my $w = planned($wall, state => 'running');
	like($w->{nodes}, qr/^n\[?\d/, 'where a running one is');
	my $sum = 0;
	$sum += $_->[1] - $_->[0] + 1 for @{ $w->{ranges} };
	is($sum, 3, 'by number too');
	my $l = planned($late, waits => 'resources');
	cmp_ok($l->{start}, '>=', $p->{start}, 'a plain one waits for its nodes behind it');
	is(planned($held, waits => 'held')->{waits}, 'held', 'a held one says so');
	# The plan that people see is that of the last pass, which may not have met the array yet.
	my @tasks;
	$c->wait_for('tasks of an array are told apart', sub {
		@tasks = grep { ($_->{array} // 0) == $array->{id} } @{ answer('plan')->{jobs} };
		return @tasks == 2;
	});
	is(scalar(@tasks), 2, 'tasks of an array are told apart');
	my $text = $c->out($pact, 'plan');
	like($text, qr/^$r->{id} .* waiting +4 /m, 'as a table');
	like($text, qr/^$held .*is held/m, 'with reasons');
	like($text, qr/^$array->{id}_2 /m, 'and tasks');
};

subtest 'a reservation' => sub {
	is($c->cmd('scontrol', 'create', 'reservation', 'ReservationName=r', 'StartTime=now+20hours', 'Duration=60', 'Nodes=n[2-3]',
		'Users=root')->{rc}, 0, 'is made');
	my $r;
	ok($c->wait_for('the plan to know it', sub { ($r) = @{ (answer('plan') // {})->{reservations} // [] }; return $r }),
		'the plan has it') or return;
	is_deeply([@$r{qw(nodes ranges)}], ['n[2-3]', [[1, 2]]], 'by name and by number');
	is($c->cmd('scontrol', 'delete', 'ReservationName=r')->{rc}, 0, 'and is away again');
};

subtest 'a picture' => sub {
	my $svg = "$c->{dir}/plan.svg";
	is($c->cmd($pact, 'plan', '--svg', $svg)->{rc}, 0, 'it is drawn');
	my $text = Cluster::slurp($svg);
	like($text, qr/^<\?xml|^<svg/, 'in SVG');
	like($text, qr/>$r->{id}</, 'with the promised job');
	isnt($c->cmd($pact, 'plan', '--svg', "$c->{dir}/no/such.svg")->{rc}, 0, 'an error is an error');
	SKIP: {
		skip 'rsvg-convert is not installed', 1 unless grep { -x "$_/rsvg-convert" } split /:/, $ENV{PATH};
		is($c->cmd('rsvg-convert', '-o', "$c->{dir}/plan.png", $svg)->{rc}, 0, 'which a renderer takes');
	}
};

subtest 'stats' => sub {
	$c->refused('one refusal', ['-N5', '-t1', '--deadline=now+2hours'], qr/5 nodes are more/);
	my $s = answer('stats');
	is($s->{accepted}, 3, 'promises made, an array counts its tasks');
	is($s->{refused}, 1, 'refusals');
	is($s->{reasons}{'too wide'}, 1, 'by reason');
	is($s->{open}, 3, 'still to be kept');
	is($s->{kept} + $s->{broken}, 0, 'nothing has ended');
	cmp_ok($s->{times}{decision}{count}, '>=', 3, 'decisions are timed');
	for my $t (values %{ $s->{times} }) {
		my @counts = map { $_->[1] } @{ $t->{buckets} };
		ok(!(grep { $counts[$_] < $counts[$_ - 1] } 1 .. $#counts) && $counts[-1] <= $t->{count},
			'a histogram is cumulative') or diag(encode_json($t));
	}
	my $text = $c->out($pact, 'stats');
	like($text, qr/3 promises made, 1 submissions refused/, 'in words');
	like($text, qr/^  too wide +1$/m, 'by reason');
};

subtest 'Prometheus' => sub {
	my $p = $c->cmd($pact, 'matrix');
	is($p->{rc}, 5, 'pact matrix where no jobs take turns: 5');
	like($p->{err}, qr/^pact: in no partition jobs take turns/, 'which is said');
	$p = $c->cmd($pact, 'stats', '--prometheus');
	is($p->{rc}, 0, 'pact stats --prometheus');
	like($p->{out}, qr/^pact_decisions_total\{outcome="accepted"\} 3$/m, 'a counter');
	like($p->{out}, qr/^pact_refusals_total\{reason="too wide"\} 1$/m, 'by reason');
	like($p->{out}, qr/^pact_pass_seconds_bucket\{le="\+Inf"\} (\d+)\npact_pass_seconds_sum [\d.]+\npact_pass_seconds_count \1$/m,
		'a histogram');
	SKIP: {
		skip 'promtool is not installed', 2 unless grep { -x "$_/promtool" } split /:/, $ENV{PATH};
		my $file = $c->file('metrics', $p->{out});
		my $check = $c->cmd('sh', '-c', "promtool check metrics <$file 2>&1");
		is($check->{rc}, 0, 'promtool takes it') or diag($check->{out});
		is($check->{out}, '', 'without a word');
	}
};

subtest 'a promise that is kept is counted' => sub {
	# First what may be planned before it.
	$c->cmd('scancel', $array->{id}, $late, $held);
	$c->cmd('scancel', $wall);
	$c->reaches('the promised job runs', $r->{id}, 'RUNNING');
	is(planned($r->{id}, state => 'running')->{promised}, JSON::PP::true, 'and is promised still');
	$c->cmd('scancel', '--signal=KILL', $r->{id});
	$c->reaches('it ends', $r->{id}, 'FAILED|CANCELLED|COMPLETED|TIMEOUT');
	ok($c->wait_for('the count', sub { my $s = answer('stats'); $s && !$s->{open} }), 'nothing is open any more');
	my $s = answer('stats');
	is($s->{kept} + $s->{cancelled}, 3, 'everything is accounted for') or diag(encode_json($s));
};

$c->excuse($r->{id}, $array->{id});
$c->clear;
$c->healthy;
done_testing;
