#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 31-reconfigure: what survives `scontrol reconfigure` and SIGHUP, be it a new slurmctld that goes on from there, or
# the old one because the new one has failed: promises, answers that were just given, tallies, `pact record`, dynP's
# policy, socket, recording and history. And under load, over and over: PACT_ROUNDS times (default 6), at moments
# by PACT_SEED.
# Runs with one other: on its fast clock a restart on a busy machine is an outage of many minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;
use JSON::PP;

my $rounds = $ENV{PACT_ROUNDS} // 6;
my $seed = $ENV{PACT_SEED} // time;
srand($seed);
diag("PACT_SEED=$seed");

my $dir = "/tmp/pact-reconfigure-$$";
END { system('rm', '-rf', $dir) if $dir }
mkdir $dir, 0755 or die "$dir: $!";
my $pact = "$Cluster::build/contrib/pact/pact";
my ($c, $base);

sub answer {
	my @args = @_;
	my $r = $c->cmd($pact, '--json', @args);
	return $r->{rc} ? undef : decode_json($r->{out});
}

# ---- ways of doing it ----

sub succeeds {
	my ($how, $what) = @_;
	my $old = $c->controller_pid;
	my $r = $what->();
	is($r->{rc}, 0, $how) or diag($r->{err});
	isnt($c->controller_pid, $old, 'by a new slurmctld') if $c->respawns;
}

# With a pact.conf that is refused the new slurmctld does not start; where there is none the old file counts.
sub refused_conf {
	my $old = $c->controller_pid;
	my $mark = $c->log_mark;
	my $r = $c->reconfigure("${base}KFactor=-1\n");
	ok($c->log_has(qr/pact.conf refused(?:, the one in force stays)?: KFactor=-1/, $mark), 'a pact.conf that is refused');
	is($c->controller_pid, $old, 'the old slurmctld goes on');
	isnt($r->{rc}, 0, 'as scontrol is told') if $c->respawns;
	$c->file('pact', $base);	# what the next one takes
	$c->file('c/etc/pact.conf', "${base}Socket=$c->{dir}/c/run/pact.sock\n");
}

# A slurm.conf that only slurmctld finds fault with.
sub broken_conf {
	my $old = $c->controller_pid;
	my %good = map { $_ => Cluster::slurp("$c->{dir}/c/$_") } 'settings', 'etc/slurm.conf';
	my $r = $c->emulate('reconfigure', '--conf', $c->file('broken', "MCSPlugin=mcs/nosuch\n"));
	isnt($r->{rc}, 0, 'a slurm.conf that stops the new slurmctld');
	is($c->controller_pid, $old, 'the old one goes on');
	$c->{respawns_in_vain} = qr/fatal: /;
	$c->file("c/$_", $good{$_}) for keys %good;
}

my %ways = (
	'scontrol reconfigure' => sub { succeeds('scontrol reconfigure', sub { $c->reconfigure }) },
	'SIGHUP' => sub { succeeds('SIGHUP', sub { $c->hangup }) },
	'a refused pact.conf' => \&refused_conf,
	'a broken slurm.conf' => \&broken_conf,
);

# ---- what has to survive ----

# Numbers of which none may change, and who is open. Decisions that wait to be compared with their records may be
# left out of that.
sub known {
	my $s = answer('stats') // return {};
	my %n = map { $_ => $s->{$_} } qw(accepted refused observed kept at_limit broken cancelled withdrawn unknown open
		at_risk differing);
	$n{"refused for $_"} = $s->{reasons}{$_} for keys %{ $s->{reasons} };
	$n{compared} = $s->{compared};
	$n{compared} += $_ for values %{ $s->{not_compared} };
	return \%n;
}

sub promises {
	my @ids = @_;
	return { map { my $id = $_; $id => $c->field($id, 'AdminComment') } @ids };
}

# What the history has of promises, but for those that left no job.
sub history {
	my $h = answer('history', '--limit', 0) // return [];
	return [sort map { join ' ', $_->{what}, $_->{job} // 0, $_->{reference} // '' } grep { $_->{what} ne 'void' } @{ $h->{entries} }];
}

sub survives {
	my ($way) = @_;
	ok($c->wait_for('the recording', sub { (answer('record', 'status') // {})->{recording} }), 'pact record is on');
	my @jobs = map { $_->{id} } (map { $c->accepted("promise $_", ['-N2', '-t10', '--deadline=now+5hours']) } 1 .. 3);
	my $held = $c->accepted('one that is held', ['-N1', '-t10', '--deadline=now+5hours']);
	$c->cmd('scontrol', 'hold', $held->{id});
	$c->wait_for('its withdrawal', sub { $c->promise($held->{id}) eq 'withdrawn' });
	my $no = $c->refused('a refusal', ['-N4', '-t10', '--deadline=now+50minutes']);
	my ($ref) = $no->{text} =~ /pact explain (R\w+)/;
	$c->refused('one of another kind', ['-N5', '-t10', '--deadline=now+9hours']);
	$c->seen;
	my ($before, $told, $written) = (known(), promises(@jobs), undef);
	$c->wait_for('the history', sub { $written = history(); grep { / \Q$ref\E$/ } @$written });
	# An answer of which no job comes, and one whose record no pass has seen.
	my $asked = $c->sbatch(['--test-only', '-N1', '-t10', '--deadline=now+5hours']);
	like($asked->{text}, qr/deadline: accepted/, 'one that only asks');
	my $just = $c->accepted('and one just before', ['-N1', '-t10', '--deadline=now+5hours']);
	$before->{accepted}++, $before->{open}++;
	$before->{compared} += 2;	# that which only asked is among those that are not compared
	push @$written, "accepted $just->{id} ";
	$ways{$way}->();
	my ($now, $have);
	ok($c->wait_for('the same numbers', sub {
		$now = known();
		return !grep { ($now->{$_} // -1) != $before->{$_} } keys %$before;
	}, 30), 'the tallies are as they were') or
		diag(map { "$_: " . ($now->{$_} // 'none') . ", not $before->{$_}\n" } grep { ($now->{$_} // -1) != $before->{$_} } sort keys %$before);
	is_deeply(promises(@jobs), $told, 'so are the promises');
	is($c->promise($just->{id}), 'promised', 'and the one just before');
	$c->wait_for('the history', sub { ($have = history()) && "@$have" eq join(' ', sort @$written) });
	is_deeply($have, [sort @$written], 'the history is complete, and has nothing else');
	ok($c->wait_for('the recording', sub { (answer('record', 'status') // {})->{recording} }), 'pact record is still on')
		or diag(explain(answer('record', 'status')));
	like($c->out($pact, 'explain', $ref), qr/refused/, 'pact explain finds the refusal of before');
	$c->accepted('and the next promise is made', ['-N1', '-t10', '--deadline=now+8hours']);
}

$base = "Guard=60\nAdmissionTime=5000\nSocketRate=0\nHistory=$dir/history.db\nRecordDir=$dir/records\n";
$c = Cluster->up(nodes => 4, pact => $base);
my $first = $c->accepted('a promise', ['-N1', '-t10', '--deadline=now+3hours'], runs => 1);
$c->promises_kept('kept');
my $wall = $c->plain(['-N4', '-t60']);
$c->reaches('all nodes are busy', $wall, 'RUNNING');
ok(!answer('record', 'status')->{wanted}, 'nothing is recorded by pact.conf');
is($c->cmd($pact, 'record', 'on')->{rc}, 0, 'pact record on');
for my $way ('scontrol reconfigure', 'SIGHUP', 'a refused pact.conf', 'a broken slurm.conf', 'scontrol reconfigure') {
	subtest $way => sub {
		plan skip_all => 'Slurm 22.05 stops at that' if $way eq 'a broken slurm.conf' && !$c->respawns;
		survives($way);
	};
}
subtest 'pact record on' => sub {
	my $wanted = sub { my $s = answer('record', 'status') // {}; return $s->{wanted} };
	$c->reconfigure("${base}Record=on\n");
	ok($c->wait_for('on', $wanted), 'pact.conf says so, too');
	$c->reconfigure($base);
	ok($c->wait_for('off', sub { !$wanted->() }), 'and not any more: that counts');
	is($c->cmd($pact, 'record', 'on')->{rc}, 0, 'on again');
	my $pid = $c->controller_pid;
	$c->cmd('scontrol', 'shutdown', 'slurmctld');
	$c->wait_for('the end of slurmctld', sub { !-d "/proc/$pid" });
	is($c->emulate('start-controller')->{rc}, 0, 'after a restart');
	$c->remember_controller;
	my $s;
	ok($c->wait_for('an answer', sub { $s = answer('stats') }), '  it answers');
	is($s->{accepted}, 0, '  the tallies begin anew');
	ok(!$wanted->(), '  and nothing is recorded but by pact.conf');
};
$c->clear;
$c->healthy;
$c->down;

subtest 'sched/dynp' => sub {
	$base = "Guard=60\nAdmissionTime=5000\nSocketRate=0\n";
	$c = Cluster->up(nodes => 4, sched => 'dynp', pact => $base);
	my $wall = $c->plain(['-N4', '-t60']);
	$c->reaches('all nodes are busy', $wall, 'RUNNING');
	$c->plain(['-N4', '-t500']);
	$c->plain(['-N4', '-t5']);
	my $dynp = sub { (answer('stats') // {})->{dynp} // {} };
	ok($c->wait_for('another policy', sub { ($dynp->()->{running} // '') eq 'sjf' }), 'it has switched');
	for my $way ('scontrol reconfigure', 'a refused pact.conf') {
		my ($before, $now) = $dynp->();
		$ways{$way}->();
		ok($c->wait_for('its numbers', sub { $now = $dynp->(); $now->{policies} }), 'it plans');
		is($now->{running}, 'sjf', 'the policy is the same');
		cmp_ok($now->{steps}, '>=', $before->{steps}, 'its steps are counted on');
		my %n = map { $_->{name} => $_->{switches} } @{ $now->{policies} };
		is_deeply(\%n, { map { $_->{name} => $_->{switches} } @{ $before->{policies} } }, 'so is, how often it switched');
	}
	$c->clear;
	$c->healthy;
	$c->down;
};

# ---- under load ----

my $speed = 20;
$base = "Guard=900\nAdmissionTime=5000\nSocketRate=0\n";
$c = Cluster->up(nodes => 8, speed => $speed, pact => $base);

# Clients that come in the middle of it: each gets an answer.
sub client {
	my $width = 1 + int rand 4;
	return $c->spawn('sbatch', '-o', '/dev/null', "-N$width", '-t2', '--deadline=' . $c->in_seconds(2000 + int rand 16000),
		'--wrap', 'exec sleep ' . (60 + int rand 60));
}

my $mark = 0; # where the log ended when the round began
my %accepted;
my %count = map { $_ => 0 } qw(accepted refused unanswered);

# 22.05 loses a message now and then as it reads slurm.conf in place, and says so (doc/slurm.md): that client asks again.
sub lost_by_slurm {
	my $r = shift;
	return !$c->respawns && $r->{text} =~ /Zero Bytes were transmitted|Unexpected missing socket/ &&
		$c->log_text($mark) =~ m{Failed to access "/run/munge/munge\.socket\.2"|slurm_receive_msg .*: Socket timed out};
}

sub judge_client {
	my ($r, $again) = @_;
	$c->finish($r);
	$r->{text} = $r->{err} . $r->{out};
	return judge_client(client(), 1) if !$again && lost_by_slurm($r);
	$r->{id} = $r->{out} =~ /^Submitted batch job (\d+)/m ? $1 : undef;
	$c->note_promise($r);
	my $what = $r->{id} && $r->{by} ? 'accepted' : !$r->{id} && $r->{text} =~ /deadline: refused: / ? 'refused' : 'unanswered';
	$accepted{ $r->{id} } = $r if $what eq 'accepted';
	diag("no answer: $r->{text}", map { "$_\n" } grep { /[Mm]unge|slurm_receive_msg|slurm_send/ } split /\n/, $c->log_text)
		if $what eq 'unanswered';
	$count{$what}++;
}

sub all_there {
	my ($round, $way) = @_;
	my $ended = $c->ended_jobs;
	my (@gone, @unpromised);
	for my $id (sort { $a <=> $b } keys %accepted) {
		my $job = $ended->{$id} ? undef : $c->job($id);
		push @gone, $id unless $job || $ended->{$id} || $c->ended_jobs->{$id};
		push @unpromised, "$id $job->{AdminComment}" if $job && $job->{JobState} eq 'PENDING' && $job->{AdminComment} !~ /state=promised/;
	}
	return ok(!@gone && !@unpromised, "round $round, $way: every promise is there") ||
		diag("gone: @gone; without promise: @unpromised") && 0;
}

my ($told, $failures) = (0, 0);
for my $round (1 .. $rounds) {
	my $way = ('scontrol reconfigure', 'SIGHUP', 'scontrol reconfigure', 'a refused pact.conf')[$round % 4];
	$mark = $c->log_mark;
	my @clients = map { client() } 1 .. 2;
	sleep rand 0.5;	# the random moment
	push @clients, map { client() } 1 .. 2;
	$ways{$way}->();
	judge_client($_) for @clients;
	all_there($round, $way) or last;
	$failures++ if $way =~ /refused/;
	next unless $round % 10 == 0 || $round == $rounds;
	$told += keys %accepted;
	last unless $c->promises_kept("all promises up to round $round", 600);
	%accepted = ();
}
note("$rounds reconfigurations, of these $failures in vain: $count{accepted} accepted, $count{refused} refused");
is($count{unanswered}, 0, 'each client got an answer');
cmp_ok($count{accepted}, '>', $rounds, 'many were promised');
my $s;
ok($c->wait_for('the books', sub {
	$s = answer('stats') // {};
	return !($s->{open} // 1) && $s->{kept} + $s->{at_limit} == $told;
}), 'as many are kept by the tallies') or diag("kept $s->{kept}, open $s->{open}, of $told");
is($s->{accepted}, $told, 'and as many accepted as clients were told');
is($s->{refused}, $count{refused}, 'and refused');
is($s->{broken} + $s->{unknown} + $s->{withdrawn}, 0, 'none is broken, or unknown');
ok($c->idle(900), 'every node is idle');
$c->healthy;
done_testing;
