#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 74-books: every promise is in the books once, whatever becomes of its job and of slurmctld: log, AdminComment,
# counters, history and pact explain say the same, and what was accepted is accounted for to the last task.
# PACT_SEED: of what is done to whom, PACT_ROUNDS: how often slurmctld is killed meanwhile (default 2).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;
use JSON::PP;

my $since = 0;	# the latest start of slurmctld
my $seed = $ENV{PACT_SEED} // time;
srand $seed;
diag("PACT_SEED=$seed");

my $rounds = $ENV{PACT_ROUNDS} // 2;
my @outcomes = qw(kept at_limit broken cancelled withdrawn unknown);
# What a controller is away for is many minutes on this clock.
my $pact_conf = "Guard=900\nAdmissionTime=5000\nSocketRate=0\n";
my $dir = "/tmp/pact-books-$$";
END { system('rm', '-rf', $dir) if $dir }
mkdir $dir, 0755 or die "$dir: $!";
my $c = Cluster->up(nodes => 6, speed => 20, conf => "MaxArraySize=10\n", pact => "${pact_conf}History=$dir/books.db\n");
my $pact = "$Cluster::build/contrib/pact/pact";

sub answer {
	my $r = $c->cmd($pact, '--json', @_);
	return $r->{rc} ? {} : decode_json($r->{out});
}

sub rows {
	return @{ answer('history', '--limit', 10000, @_)->{entries} // [] };
}

# Jobs and tasks of some rows, by what they say.
sub sums {
	my %sum = map { $_ => 0 } 'accepted', @outcomes;
	$sum{ $_->{what} } += $_->{tasks} || 1 for @_;
	return \%sum;
}

# What was accepted and is neither over nor open, by the history; an answer on its way is waited for.
sub balanced {
	my $name = shift;
	my ($sum, $open, $rest) = ({}, 0, '');
	my $good = $c->wait_for('the books to balance', sub {
		my $stats = answer('stats');
		return 0 unless defined $stats->{open};
		($sum, $open) = (sums(rows()), $stats->{open});
		$rest = $sum->{accepted} - $open;
		$rest -= $sum->{$_} for @outcomes;
		return $rest == 0;
	}, 30);
	ok($good, $name) or diag(join(', ', map { "$_ $sum->{$_}" } sort keys %$sum), "; open $open, missing $rest\n",
		join("\n", map { my $e = $_; join ' ', map { "$_=$e->{$_}" } grep { !ref $e->{$_} } sort keys %$e } rows()));
}

sub killed {
	is($c->emulate('kill-controller')->{rc}, 0, 'kill -9');
	$since = $c->now;
	is($c->emulate('start-controller')->{rc}, 0, 'started again');
	$c->remember_controller;
	$c->seen;
}

subtest 'accepted, and refused by Slurm' => sub {
	my $r;
	$c->without_scripts(sub { $r = $c->sbatch(['-N1', '-t10', '--deadline=now+8hours']) });
	like($r->{text}, qr/error writing/, 'Slurm does not take it');
	ok($c->wait_for('the row', sub { rows('--outcome', 'void') == 1 }), 'is void');
	is(scalar(rows('--outcome', 'accepted')), 0, 'not accepted');
	is(answer('stats')->{accepted}, 0, 'nor counted');
	balanced('the books balance');
};

subtest 'promised by a change' => sub {
	my $wall = $c->plain(['-N6', '-t60']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	my $id = $c->plain(['-N1', '-t10']);
	$c->settle;
	ok($c->update($id, 'Deadline=now+8hours'), 'a deadline later') or diag($c->{text});
	my $row;
	ok($c->wait_for('the row', sub { ($row) = rows('--job', $id); $row }), 'has a row') or return;
	is("$row->{what}; $row->{deadline}; $row->{limit}; $row->{nodes}", 'accepted; ' . $c->field($id, 'Deadline') .
		'; 600; 1', 'of what was promised');
	is(answer('stats')->{open}, 1, 'open');
	ok($c->update($id, 'Deadline=now+9hours'), 'a later one');
	$c->cmd('scancel', $id);
	ok($c->wait_for('the end', sub { rows('--job', $id) == 2 }), 'and another when it is cancelled');
	is((rows('--job', $id))[0]{what}, 'cancelled', 'which says so');
	$c->cmd('scancel', $wall);
	balanced('the books balance');
};

subtest 'lost with its node after a restart' => sub {
	my @job = map { $c->accepted("job $_", ['-N1', '-t60', '--no-requeue', '--deadline=now+8hours']) } 0, 1;
	$c->reaches('it runs', $_->{id}, 'RUNNING') for @job;
	my @node = map { $c->field($_->{id}, 'NodeList') } @job;
	$c->saved_state;
	my $mark = $c->log_mark;
	is($c->emulate('kill-controller')->{rc}, 0, 'kill -9');
	is($c->emulate('kill-node', $node[1] =~ s/^n//r)->{rc}, 0, 'one node dies meanwhile');
	is($c->emulate('start-controller')->{rc}, 0, 'started again');
	$c->remember_controller;
	is($c->cmd('scontrol', 'update', "NodeName=$_", 'State=DOWN', 'Reason=test')->{rc}, 0, 'lost') for @node;
	for my $r (@job) {
		my $id = $r->{id};
		ok($c->wait_field($id, 'AdminComment', qr/state=broken,ended=broken\)/), 'AdminComment');
		ok($c->log_has(qr/JobId=$id: its nodes failed and it is not requeued: .* is lost/, $mark), 'log');
		my @row;
		ok($c->wait_for('the row', sub { @row = rows('--job', $id, '--outcome', 'broken') }), 'history');
		is("$row[0]{deadline}; $row[0]{nodes}; $row[0]{limit}", "$r->{by}; 1; 3600", 'with all that is known');
		is(answer('explain', $id)->{outcome} // '', 'broken', 'explain');
	}
	my $stats = answer('stats');
	is("$stats->{broken}; $stats->{at_risk}; $stats->{open}", '2; 0; 0', 'stats: broken, not at risk, not open');
	$c->saved_state;
	killed();
	$c->seen;
	is(answer('stats')->{broken}, 0, 'not counted again');
	is(scalar(rows('--outcome', 'broken')), 2, 'nor written');
	is($c->emulate('start-node', $node[1] =~ s/^n//r)->{rc}, 0, 'the node is there again');
	$c->cmd('scontrol', 'update', "NodeName=$_", 'State=RESUME') for @node;
	balanced('the books balance');
	ok($c->clear, 'all nodes are back');
};

# ---- a random mix ----

my @later = ('-t10', '--begin=now+5hours', '--deadline=now+9hours');
my @now = ('-N1', '-t30', '--deadline=now+9hours');
my (@waits, @arrays, @runs);

# Its tasks leave their array when they are cancelled: some of them, once or twice.
sub tasks_of {
	return join ',', sort { $a <=> $b } grep { rand() < 0.4 } 0 .. 4;
}

my %waiting = (
	'cancelled' => sub { $c->cmd('scancel', shift) },
	'held' => sub { $c->cmd('scontrol', 'hold', shift) },
	'held and released' => sub {
		$c->cmd('scontrol', 'hold', $_[0]);
		$c->cmd('scontrol', 'release', $_[0]);
	},
	'held, and released when that is seen' => sub {
		$c->cmd('scontrol', 'hold', $_[0]);
		$c->seen;
		$c->cmd('scontrol', 'release', $_[0]);
	},
	'left alone' => sub { },
);
my %array = (
	'cancelled' => sub { $c->cmd('scancel', shift) },
	'some tasks cancelled' => sub {
		my $tasks = tasks_of();
		$c->cmd('scancel', "$_[0]_[$tasks]") if $tasks ne '';
	},
	'tasks cancelled one by one' => sub { my $id = shift; $c->cmd('scancel', "${id}_$_") for split /,/, tasks_of() },
	'held' => sub { $c->cmd('scontrol', 'hold', shift) },
	'its tasks run' => sub { $c->update(shift, 'StartTime=now') },
	'left alone' => sub { },
);
# Slurm has what it requeues wait until its credential has expired; not here. What may not be requeued is over.
sub again {
	my $id = shift;
	$c->wait_for('requeued', sub {
		my $state = $c->state($id);
		return $state eq 'PENDING' ? $c->update($id, 'StartTime=now') : $state !~ /RUNNING|COMPLETING/;
	});
}

my %running = (
	'cancelled' => sub { $c->cmd('scancel', shift) },
	'requeued' => sub {
		$c->cmd('scontrol', 'requeue', $_[0]);
		again(@_);
	},
	'loses its node' => sub {
		my $node = $c->field($_[0], 'NodeList') or return;
		$c->cmd('scontrol', 'update', "NodeName=$node", 'State=DOWN', 'Reason=test');
		$c->cmd('scontrol', 'update', "NodeName=$node", 'State=RESUME');
		again(@_);
	},
	'left alone' => sub { },
);

sub act {
	my ($how, @ids) = @_;
	for my $id (@ids) {
		my $what = (sort keys %$how)[rand keys %$how];
		note("job $id: $what");
		$how->{$what}->($id);
	}
}

sub submit_later {
	push @waits, map { $_->{id} // () } map { $c->sbatch(['-N' . (1 + int rand 3), @later]) } 1 .. 5;
	push @arrays, map { $_->{id} // () } map { $c->sbatch(['-N1', @later, '--array=0-4'], runs => 20 + int rand 40) } 1 .. 3;
}

# A start that Slurm has not saved is forgotten with the job's number: the node takes the next of that number for
# a duplicate, and is drained. Nothing that may start waits when slurmctld is killed.
sub nothing_starts {
	ok($c->wait_for('what may run does, or has ended', sub {
		my $soon = $c->now + 3600;
		my @lines = split /\n/, $c->out('squeue', '-h', '-r', '-t', 'PD', '-o', '%S %r');
		return !grep { !/held/i && (!/^(\d+) / || $1 < $soon) } @lines;
	}), 'nothing is about to start') or diag($c->out('squeue', '-r', '-t', 'PD', '-o', '%i %r %S'));
}

for my $round (1 .. $rounds) {
	subtest "a random mix, round $round" => sub {
		submit_later();
		@runs = map { $_->{id} // () }
			map { $c->sbatch([@now, rand() < 0.5 ? '--no-requeue' : '--requeue'], runs => 100 + int rand 300) } 1 .. 4;
		push @runs, $c->sbatch(['-N1', '-t1', '--deadline=now+9hours'], runs => 36000)->{id};
		$c->wait_state($_, 'RUNNING|COMPLETING|COMPLETED|TIMEOUT') for @runs;
		act(\%running, @runs[0 .. 3]);
		act(\%waiting, splice @waits, 0, 2);
		act(\%array, splice @arrays, 0, 1);
		nothing_starts();
		$c->saved_state;
		# These may be told and forgotten, or saved and not told.
		act({ map { $_ => $waiting{$_} } qw(cancelled held), 'left alone' }, @waits);
		act({ map { $_ => $array{$_} } 'cancelled', 'some tasks cancelled', 'held', 'tasks cancelled one by one' }, @arrays);
		my @new = map { $c->sbatch(['-N1', @later])->{id} } 1 .. 3;
		sleep rand 0.5;
		killed();
		balanced('the books balance after the kill');
		push @waits, grep { $c->job($_) } @new;
	};
}

subtest 'in the end' => sub {
	act(\%waiting, @waits);
	act(\%array, @arrays);
	nothing_starts();
	$c->clear;
	ok($c->wait_for('no promise to be open', sub { (answer('stats')->{open} // 1) == 0 }), 'nothing is open');
	balanced('all that was accepted is accounted for');
	my $stats = answer('stats');
	my $sum = sums(grep { $_->{when} >= $since } rows());
	delete $sum->{unknown};    # the history's own word for what is gone
	is_deeply({ map { $_ => $stats->{$_} } keys %$sum }, $sum, 'the counters say so too, since the start');
};

$c->healthy;
$c->down;
done_testing;
