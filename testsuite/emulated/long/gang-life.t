#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# gang-life: what a cluster whose jobs take turns comes through, by the states of the processes on all nodes (Seen.pm). By name
# only (make check-gang-life): with all rounds it takes hours. 85-gang, 98-turns and 98-kill-turns have a few of them in CI.
#
# PACT_LIFE: which parts, of: kill narrow nodes turns people shrink quiet memory prolog wide seventy over aside backup growth (all). PACT_ROUNDS: of kill (200),
# a fifth as many of nodes, and a tenth of narrow and aside. PACT_SLICE: seconds of a slice (5). PACT_LIFE_NODES: of the part `wide` (64). PACT_SWITCHES: of `growth` (10000).
# PACT_HARM: which kinds of `nodes` alone, of: stopped, stopped long, shut, dropped, dropped long (which need root and nftables).
# PACT_TURNS: switches of each half of `turns` (200), or of both with a comma between.
# PACT_SEED: of all random moments.
#
# What holds in every round of kill and nodes: no job is stopped for longer than a cycle, none runs beside another for longer than
# a slice, and no promise is lost. Time in which there is no slurmctld, or no slurmd of that node, is none of that, nor the second
# in which a new slurmctld makes its first pass. A slice and three seconds after a node hears again it is as all others, for the next
# switch shows slurmctld that it answers, and then it is told again. (Slurm saves its jobs every 5 s: with slices of 5 s the last
# switch may be lost, and the same job has its turn again. So others are stopped for a whole cycle.)
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/..";
use JSON::PP;
use List::Util qw(max min sum);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;
use Seen;

my @all_parts = qw(kill narrow nodes turns people shrink quiet memory prolog wide seventy over aside backup growth);
my %parts = map { $_ => 1 } split /[ ,]+/, $ENV{PACT_LIFE} || "@all_parts";
my %harms = map { $_ => 1 } split /,/, $ENV{PACT_HARM} // '';
my $rounds = $ENV{PACT_ROUNDS} // 200;
my $slice = $ENV{PACT_SLICE} // 5;
my $seed = $ENV{PACT_SEED} // time % 100000 | 0;
srand $seed;
note("PACT_SEED=$seed");

sub conf {
	my ($rows, %o) = @_;
	return "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=" . ($o{slice} // $slice)
		. "\nDefMemPerNode=100\n" . ($o{more} // '')
		. "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:$rows\n";
}

my $pact = "Guard=60\nAdmissionTime=5000\n";
my ($c, $seen);

sub up {
	my (%o) = @_;
	$c = Cluster->up(pact => $pact, %o);
	$seen = Seen->begin($c);
}

# ---- jobs ----

sub wide { return $c->plain(['-t600', @_], script => Seen::tasks($c)) }

# All have a task on each of so many nodes, and have had a turn.
sub all_begun {
	my ($n, @ids) = @_;
	return $c->wait_for('tasks of all', sub { !grep { $seen->on($_) < $n } @ids }, 60 + 20 * $slice);
}

# The job whose turn it is; of none when the sampler meets a switch.
sub whose_turn {
	my (@ids) = @_;
	my ($runs) = grep { $seen->is($_) eq 'R' } @ids;
	return $runs;
}

# Its own processes end, whatever slurmctld does.
sub end_tasks {
	my ($id) = @_;
	for my $path (glob "$c->{dir}/task.$id.*") {
		my ($pid) = Cluster::slurp($path) =~ /^(\d+)$/m;
		kill 'KILL', $pid if $pid;
	}
}

# ---- promises ----

my (@promised, %submitted, $killed_at);

# One that has begun on n5 just now, and is there for longer than any harm takes: its number.
sub promise_there {
	my $r = $c->sbatch(['-N1', '-t1', '--deadline=now+20minutes'], script => Seen::alone($c, 40));
	my $id = $r->{id} // 0;
	return $id if $id && $c->wait_for("job $id on n5", sub { $seen->on($id) && $c->field($id, 'NodeList') eq 'n5' }, 200);
	diag("no promised job on n5: $r->{text}");
	return 0;
}

# One on n5 that waits, or runs, at any time.
sub keep_promising {
	@promised = grep { ($c->state($_) || 'gone') =~ /PENDING|RUNNING/ } @promised;
	while (@promised < 2) {
		my $r = $c->sbatch(['-N1', '-t1', '--deadline=now+20minutes'], script => Seen::alone($c, 15));
		if (!$r->{id}) {
			diag("no promise: $r->{text}");
			return;
		}
		push @promised, $r->{id};
		$submitted{ $r->{id} } = time;
	}
}

# Slurm saves a submission within 5 s: of one that it had not when it died it knows nothing, and gives its number to the next.
sub forget_unsaved {
	for my $id (grep { $submitted{$_} > $killed_at - 7 && !$c->state($_) } @promised) {
		$c->excuse($id);
		diag("job $id was not saved");
	}
	@promised = grep { $c->state($_) } @promised;
}

# ---- what holds ----

my (%most, @faults);

# The longest of each kind, of what began to be seen at $from; and what is too long.
sub judge {
	my ($name, $from, $rows, $excused, %except) = @_;
	my @gaps = grep { $_->[1] > $from } @{ $seen->{gaps} };
	my @pieces = (@$excused, @gaps);
	my ($stop, $s) = $seen->longest_stop($from, \@pieces, %except);
	my ($beside, @two) = $seen->longest_beside($from, \@pieces, %except);
	my @bad;
	push @bad, sprintf 'stopped for %.1f s: %s', $stop, Seen::told($s) if $stop > $rows * $slice;
	push @bad, sprintf 'beside another for %.1f s: %s', $beside, join ', ', map { Seen::told($_) } @two if $beside > $slice;
	push @bad, map { 'a promised one is stopped: ' . Seen::told($_) }
		grep { my $j = $_->{job}; grep { $_ == $j } keys %{ $c->{promised} } } $seen->stretches($from, 'T');
	my $kind = $name =~ s/ \d+.*//r;
	$most{$kind}{stop} = max($stop, $most{$kind}{stop} // 0);
	$most{$kind}{beside} = max($beside, $most{$kind}{beside} // 0);
	push @{ $most{$kind}{all} }, $beside;
	push @faults, map { "$name: $_" } @bad;
	diag("$name: $_; excused " . join ' ', map { sprintf '%.1f-%.1f', @$_ } @pieces) for @bad;
	return !@bad;
}

sub tell_most {
	for my $kind (sort keys %most) {
		my @all = sort { $a <=> $b } @{ $most{$kind}{all} };
		diag(sprintf '%s: %d rounds; longest stop %.1f s (rows of %s s), longest time beside another %.2f s (median %.2f)',
			$kind, scalar @all, $most{$kind}{stop}, $slice, $most{$kind}{beside}, $all[$#all / 2]);
	}
	%most = ();
}

# ---- kill -9 in a switch ----

my @dead;

# At a random moment from a little before the next switch on.
sub before_switch {
	my ($early, $late) = @_;
	my $next = $seen->last_change + $slice;
	$next += $slice while $next < time + $early + 0.2;
	sleep max(0, $next - $early + rand($early + $late) - time);
}

sub kill_controller {
	my $pid = $c->controller_pid;
	kill 'KILL', $pid or diag("slurmctld $pid is not there");
	$killed_at = time;
	$c->wait_for('its end', sub { !-d "/proc/$pid" || Cluster::slurp("/proc/$pid/stat") =~ /\) Z/ }, 30);
}

sub start_controller {
	my $r = $c->emulate('start-controller');
	diag("start-controller: $r->{err}") if $r->{rc};
	$c->remember_controller;
	push @dead, [$killed_at, time + 1];
	return !$r->{rc};
}

sub part_kill {
	my $rows = 3;
	my ($ok, $ends) = (0, 0);
	@dead = @promised = ();
	up(nodes => 5, conf => conf($rows));
	my @ids = map { wide('-N4', '-wn[1-4]') } 1 .. $rows;
	ok(all_begun(4, @ids), 'kill: three jobs take turns on four nodes');
	for my $round (1 .. $rounds) {
		keep_promising();
		my $from = time;
		before_switch(0.3, 0.7);
		kill_controller();
		my $ended;
		if ($round % 3 == 0) { # that of a row that runs, or of one that waits
			my $turn = whose_turn(@ids) // $ids[0];
			($ended) = $round % 2 ? $turn : grep { $_ != $turn } @ids;
			end_tasks($ended);
			$ends++;
		}
		sleep rand 3 if $round % 5 == 0;
		start_controller() or last;
		forget_unsaved();
		my $up = time;
		if ($ended) {
			@ids = grep { $_ != $ended } @ids;
			$c->wait_for("the end of job $ended", sub { ($c->state($ended) || 'gone') !~ /RUNNING|SUSPENDED|COMPLETING/ }, 60);
			push @ids, wide('-N4', '-wn[1-4]');
			all_begun(4, $ids[-1]) or push @faults, "kill $round: job $ids[-1] does not begin";
		}
		sleep max(0, $up + $rows * $slice + 2 + rand($slice) - time);
		$ok += judge("kill $round", $from, $rows, \@dead);
		diag(sprintf 'kill: %d of %d, %d without a fault', $round, $rounds, $ok) if $round % 10 == 0;
	}
	is($ok, $rounds, "kill: slurmctld was killed $rounds times, and $ends times a job ended meanwhile: no fault");
	ok(!(grep { $c->state($_) !~ /RUNNING|SUSPENDED/ } @ids), 'kill: all jobs are there');
	$c->promises_kept('kill: no promise is lost', 600);
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- the same where each row has several jobs, so that all find rows again only in a few ways ----

sub part_narrow {
	my ($n, $rows, $ok) = (POSIX::ceil($rounds / 10), 3, 0);
	@dead = ();
	up(nodes => 5, conf => conf($rows));
	my @rows = (['n[1-2]', 'n[3-4]'], ['n[1-3]', 'n4'], ['n[2-4]', 'n1']);
	my %width = ('n[1-2]' => 2, 'n[3-4]' => 2, 'n[1-3]' => 3, 'n4' => 1, 'n[2-4]' => 3, 'n1' => 1);
	my %at = map { $_ => wide("-N$width{$_}", "-w$_") } map { @$_ } @rows;
	ok(!(grep { !all_begun($width{$_}, $at{$_}) } keys %at), 'narrow: six jobs on parts of four nodes fill three rows');
	for my $round (1 .. $n) {
		my $from = time;
		before_switch(0.3, 0.7);
		kill_controller();
		my $ended = $round % 3 ? undef : (sort keys %at)[rand keys %at];
		end_tasks($at{$ended}) if $ended;
		start_controller() or last;
		my $up = time;
		if ($ended) {
			my $id = $at{$ended};
			$c->wait_for("the end of job $id", sub { ($c->state($id) || 'gone') !~ /RUNNING|SUSPENDED|COMPLETING/ }, 60);
			$at{$ended} = wide("-N$width{$ended}", "-w$ended");
			all_begun($width{$ended}, $at{$ended}) or push @faults, "narrow $round: job $at{$ended} does not begin";
		}
		sleep max(0, $up + $rows * $slice + 2 + rand($slice) - time);
		$ok += judge("narrow $round", $from, $rows, \@dead);
		my %ran = map { $_->{job} => 1 } $seen->stretches($up, 'R');
		for my $id (grep { !$ran{$_} } values %at) {
			push @faults, "narrow $round: job $id had no turn";
			$ok--;
		}
		diag("narrow: $round of $n, $ok without a fault") if $round % 10 == 0;
	}
	is($ok, $n, "narrow: slurmctld was killed $n times: no fault");
	ok(!(grep { $c->state($_) !~ /RUNNING|SUSPENDED/ } values %at), 'narrow: all jobs are there');
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- a slurmd that is stopped, killed, or lost with its node ----

sub slurmd_pid {
	my ($n) = @_;
	return Cluster::slurp("$c->{dir}/c/run/n$n.pid") =~ /^(\d+)/ ? $1 : 0;
}

sub start_node {
	my ($n) = @_;
	my $r = $c->emulate('start-node', $n);
	diag("start-node: $r->{err}") if $r->{rc};
}

# Each gives the time at which the node hears again.
my %harm = (
	# its messages wait
	stopped => sub {
		my ($n) = @_;
		my $pid = slurmd_pid($n);
		kill 'STOP', $pid;
		sleep 1 + rand 4;
		kill 'CONT', $pid;
		return time;
	},
	# slurmctld gives them up, and slurmd finds them all when it goes on
	'stopped long' => sub {
		my ($n) = @_;
		my $pid = slurmd_pid($n);
		kill 'STOP', $pid;
		sleep 12 + rand 6;
		kill 'CONT', $pid;
		return time;
	},
	# they are lost
	shut => sub {
		my ($n) = @_;
		kill 'KILL', slurmd_pid($n);
		sleep 0.5 + rand 4;
		start_node($n);
		return time;
	},
	# they are late: slurmctld tries to connect for twelve seconds
	dropped => sub {
		my ($n) = @_;
		drop_messages($n);
		sleep 1 + rand 6;
		keep_messages();
		return time;
	},
	# they are lost, and slurmd is there
	'dropped long' => sub {
		my ($n) = @_;
		drop_messages($n);
		sleep 14 + rand 6;
		keep_messages();
		return time;
	},
);

# Seconds after a node hears again in which it may do what it was told before: until the next switch, and until it is told again.
my $late = $slice + 3;

# What a node does from then on: no two jobs of it run at once for longer than a second.
sub judge_right {
	my ($name, $right, $node) = @_;
	my @pieces = ([0, $right], grep { $_->[0] >= $right } @{ $seen->{gaps} });
	my ($beside, @two) = $seen->longest_beside($right, \@pieces, map { ("n$_" => 1) } grep { $_ != $node } 1 .. 5);
	return 1 if $beside <= 1;
	push @faults, sprintf '%s: %d s after n%d heard again beside another for %.1f s: %s', $name, $late, $node, $beside,
		join ', ', map { Seen::told($_) } @two;
	diag($faults[-1]);
	return 0;
}

# A promised job ran from before $from on until it ended by itself, in one piece.
sub judge_promised {
	my ($name, $from, $id) = @_;
	$c->wait_for("the end of job $id", sub { !$seen->on($id) }, 60);
	my ($ran) = grep { $_->{job} == $id } $seen->stretches($from, 'R');
	return 1 if $ran && $ran->{from} <= $from && $ran->{to} - $ran->{from} > 38;
	push @faults, "$name: promised job $id: " . ($ran ? Seen::told($ran) : 'it did not run');
	diag($faults[-1]);
	return 0;
}

# What is sent to that node's slurmd is dropped by the kernel, until keep_messages().
my $table;

sub nft { return $c->cmd('nft', @_)->{rc} == 0 }

sub drop_messages {
	my ($n) = @_;
	my ($port) = $c->out('scontrol', 'show', 'node', "n$n") =~ /\bPort=(\d+)/;
	$table = "pact_gang_life_$$";
	nft('add', 'table', 'inet', $table)
		&& nft('add', 'chain', 'inet', $table, 'out', '{ type filter hook output priority 0 ; }')
		&& nft('add', 'rule', 'inet', $table, 'out', 'tcp', 'dport', $port // 0, 'drop')
		or push @faults, 'dropped: no messages were';
}

sub keep_messages {
	nft('delete', 'table', 'inet', $table) if $table;
	undef $table;
}
END { keep_messages() }

sub can_drop {
	my $can = nft('add', 'table', 'inet', "pact_can_$$") && nft('delete', 'table', 'inet', "pact_can_$$");
	note('no messages are dropped: nft does not run here') if !$can;
	return $can;
}

sub part_nodes {
	my ($rows, $ok) = (3, 0);
	my $n = POSIX::ceil($rounds / 5);
	my $there = 0;
	my @deaf;
	@promised = ();
	up(nodes => 5, conf => conf($rows));
	my $drops = can_drop();
	my @kinds = grep { ($drops || !/^dropped/) && (!%harms || $harms{$_}) } sort keys %harm;
	ok(scalar @kinds, 'nodes: what happens to them: ' . join ', ', @kinds) or return $c->down;
	my @ids = map { wide('-N4', '-wn[1-4]') } 1 .. $rows;
	ok(all_begun(4, @ids), 'nodes: three jobs take turns on four nodes');
	for my $round (1 .. $n) {
		my $kind = $kinds[$round % @kinds];
		# each kind once where a promised job runs, and then once where others take turns
		my $node = int(($round - 1) / @kinds) % 2 ? 1 + int rand 4 : 5;
		my $alone = 0;
		if ($node == 5) {
			$alone = promise_there();
		} else {
			keep_promising();
		}
		my $from = time;
		before_switch(0.3, 0.7);
		my $since = time;
		my $right = $harm{$kind}->($node) + $late;
		# it is known when it answers again
		$c->wait_for("n$node to answer", sub { $c->out('sinfo', '-hN', '-n', "n$node", '-o', '%T') !~ /\*|down/ }, 200);
		push @deaf, [$since, time];
		sleep max(0, $right + $rows * $slice + 2 + rand($slice) - time);
		my $fine = judge("$kind (the other nodes) $round", $from, $rows, [], "n$node" => 1);
		# a message that was lost may have been that of a whole turn
		my $excused = $kind =~ /^dropped/ ? [[0, $right]] : \@deaf;
		$fine &= judge("$kind $round", $from, $rows, $excused, map { ("n$_" => 1) } grep { $_ != $node } 1 .. 5);
		$fine &= judge_right("$kind $round", $right, $node);
		$fine &= judge_promised("$kind $round", $from, $alone) if $alone;
		$there += $alone ? 1 : 0;
		$ok += $fine ? 1 : 0;
		diag(sprintf 'nodes: %d of %d, %d without a fault', $round, $n, $ok) if $round % 10 == 0;
	}
	is($ok, $n, "nodes: a slurmd was away in $n switches: no fault");
	cmp_ok($there, '>=', $n / 2, "  in $there of them a promised job was on its node, and ran on without a stop");
	ok(!(grep { $c->state($_) !~ /RUNNING|SUSPENDED/ } @ids), 'nodes: all jobs are there');
	lose_node(@ids);
	$c->promises_kept('nodes: no promise is lost', 600);
	$c->healthy;
	tell_most();
	$c->down;
}

# Those that have it are requeued; that of the nodes that are left has its turns, and all have when it is back.
sub lose_node {
	my (@ids) = @_;
	$c->cmd('scancel', $ids[0]);
	my $left = wide('-N2', '-wn[1-2]');
	ok(all_begun(2, $left), 'lost: a job of two nodes beside them');
	my $from = time;
	before_switch(0.3, 0.7);
	is($c->emulate('kill-node', 4)->{rc}, 0, 'lost: a node is lost with its jobs');
	is($c->cmd('scontrol', 'update', 'NodeName=n4', 'State=DOWN', 'Reason=lost')->{rc}, 0, '  and said to be down');
	ok($c->wait_for('them to wait', sub { !grep { $c->state($_) ne 'PENDING' } @ids[1, 2] }, 60), '  its jobs are requeued');
	my $gone = time;
	sleep 2 * $slice;
	ok(judge('lost', $gone, 3, []), '  the other one has its turns');
	is($seen->is($left), 'R', '  and is alone now');
	unlink glob "$c->{dir}/task.$_.*" for @ids[1, 2];
	start_node(4);
	$c->cmd('scontrol', 'update', "JobId=$_", 'StartTime=now') for @ids[1, 2];
	ok(all_begun(4, @ids[1, 2]), 'lost: it is back, and they begin anew');
	my $back = time;
	sleep 3 * $slice + 2;
	ok(judge('back', $back, 3, []), '  and take turns');
	$c->cmd('scancel', $left, @ids[1, 2]);
}

# ---- what people do ----

sub has_turns {
	my ($name, @ids) = @_;
	my $from = time;
	sleep 3 * $slice + 2;
	my %ran = map { $_->{job} => 1 } $seen->stretches($from, 'R');
	my @not = grep { !$ran{$_} } @ids;
	ok(!@not && judge($name, $from, 3, []), "people: $name") or diag("without a turn: @not");
}

sub has_none {
	my ($name, $id) = @_;
	my $from = time;
	sleep 2 * $slice + 2;
	ok(!(grep { $_->{job} == $id && $_->{to} > $from + 2 } $seen->stretches($from, 'R')), "people: $name");
}

sub control {
	my $r = $c->cmd('scontrol', @_);
	is($r->{rc}, 0, "people: scontrol @_") or diag($r->{err});
}

# The table "What happens to jobs that take turns" of doc/guide.md, line by line.
sub part_people {
	up(nodes => 4, conf => conf(3));
	my ($one, $two) = map { wide('-N4') } 1, 2;
	ok(all_begun(4, $one, $two), 'people: two jobs take turns');

	control('suspend', $one);
	$c->wait_for('it to be stopped', sub { $seen->is($one) eq 'T' }, 10);
	has_none('one that is suspended has no turns', $one);
	control('resume', $one);
	sleep 2;
	has_turns('and has when it is resumed', $one, $two);

	my $held = wide('-N4', '-H');
	has_none('one that is held while it waits gets no row', $held);
	is($c->state($held), 'PENDING', '  and waits');
	control('release', $held);
	ok(all_begun(4, $held), 'people: released, it begins');
	control('hold', $two);
	has_turns('one that is held while it runs goes on having turns', $one, $two, $held);
	control('release', $two);

	# a stopped one, and one that runs
	for my $is ('T', 'R') {
		$c->wait_for("it to be $is", sub { $seen->is($one) eq $is }, 30);
		unlink glob "$c->{dir}/task.$one.*";
		control('requeue', $one);
		ok($c->wait_for('it to wait', sub { $c->state($one) eq 'PENDING' }, 30), "  one that is $is goes back to the queue");
		has_turns('the others have its time', $two, $held);
		control('update', "JobId=$one", 'StartTime=now');
		ok(all_begun(4, $one), '  and it begins anew');
	}
	$c->cmd('scancel', $held);
	$c->wait_for('its end', sub { $seen->on($held) == 0 }, 30);

	control('update', 'NodeName=n4', 'State=DRAIN', 'Reason=test');
	my $not = wide('-N1', '-wn4');
	my $beside = wide('-N3', '-wn[1-3]');
	ok(all_begun(3, $beside), 'people: on a drained node none begins, on the others one does');
	is($c->state($not), 'PENDING', '  that of the drained node waits');
	has_turns('those that it has keep their turns', $one, $two, $beside);
	control('update', 'NodeName=n4', 'State=RESUME');
	ok(all_begun(1, $not), 'people: resumed it takes jobs');
	$c->cmd('scancel', $not, $beside);
	$c->wait_for('their end', sub { !grep { $seen->on($_) } $not, $beside }, 30);

	control('create', 'reservation', 'ReservationName=later', 'StartTime=now+5minutes', 'Duration=5', 'Nodes=ALL', 'Users=root');
	my $long = wide('-N4');
	has_turns('before a reservation those that have begun keep their turns', $one, $two);
	is($c->state($long), 'PENDING', '  and what would still be there then waits');
	control('delete', 'ReservationName=later');
	ok(all_begun(4, $long), 'people: without it that begins');

	my $fourth = wide('-N4');
	has_none('a fourth one waits for a row', $fourth);
	control('update', 'PartitionName=batch', 'OverSubscribe=FORCE:5');
	ok(all_begun(4, $fourth), 'people: more rows take it');
	control('update', 'PartitionName=batch', 'OverSubscribe=FORCE:2');
	sleep $slice;
	my $from = time;
	sleep 4 * $slice;
	ok(judge('fewer rows', $from, 99, []), 'people: with fewer rows no two run at once');
	$c->cmd('scancel', $one, $two);
	ok($c->wait_for('both to run', sub { $seen->is($long) eq 'R' }, 30)
		&& $c->wait_for('the other', sub { $seen->is($fourth) eq 'R' }, 30), 'people: as others end those beyond have turns again');
	sleep 3 * $slice;
	has_turns('and go on having them', $long, $fourth);

	is($c->reconfigure("${pact}PartitionName=batch Gang=off\n")->{rc}, 0, 'people: Gang=off');
	sleep 2 * $slice;
	my @run = grep { $seen->is($_) eq 'R' } $long, $fourth;
	is(scalar @run, 1, '  one runs on');
	has_none('the other does not run beside it', $run[0] == $long ? $fourth : $long);
	$c->cmd('scancel', $run[0]);
	my $other = $run[0] == $long ? $fourth : $long;
	ok($c->wait_for('it to go on', sub { $seen->is($other) eq 'R' }, 60), 'people: it goes on when the first one has ended');
	$c->cmd('scancel', $other);
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- nodes that a job gives back ----

# `scontrol update NumNodes=`, of one that runs and of one that is stopped; what it gives back is another one's.
sub part_shrink {
	up(nodes => 4, conf => conf(3));
	my @ids = map { wide('-N4') } 1 .. 2;
	ok(all_begun(4, @ids), 'shrink: two jobs take turns');
	for my $is ('R', 'T') {
		my $id = shift @ids;
		$c->wait_for("it to be $is", sub { $seen->is($id) eq $is }, 30);
		control('update', "JobId=$id", 'NumNodes=2');
		is($c->field($id, 'NumNodes'), 2, "shrink: one that is $is has two nodes");
		push @ids, $id;
		has_turns('both go on having turns', @ids);
	}
	my $beside = wide('-N2');
	ok(all_begun(2, $beside), 'shrink: another one begins');
	has_turns('all have turns', @ids, $beside);
	$c->cmd('scancel', @ids, $beside);
	ok($c->wait_for('idle nodes', sub { $c->out('sinfo', '-h', '-t', 'idle', '-o', '%D') =~ /^4$/m }, 60), 'shrink: in the end all nodes are idle');
	$c->healthy;
	$c->down;
}

# ---- turns, as they are when nothing happens ----

# A task that goes on until it is killed or really stopped: two seconds after SIGTSTP, as Slurm has it.
sub deaf { return Seen::tasks($c) =~ s/exec sleep 100000/trap : TSTP; while :; do sleep 0.2; done/r }

# What each job has had on all nodes of ten cycles, in parts of what all have had: the farthest from the same for all.
sub unequal {
	my ($from, @ids) = @_;
	my @begins = sort { $a <=> $b } map { $_->{from} } grep { $_->{node} eq 'n1' && $_->{from} >= $from } $seen->stretches($from, 'R');
	my $cycles = 10 * @ids;
	my $most = 0;
	for (my $i = 0; $i + $cycles < @begins; $i += $cycles) {
		my %has;
		my $window = [@begins[$i, $i + $cycles]];
		$has{ $_->{job} } += Seen::inside($_->{from}, $_->{to}, $window) for $seen->stretches($window->[0], 'R');
		my $all = sum(map { $has{$_} // 0 } @ids);
		$most = max($most, map { abs(($has{$_} // 0) / $all * @ids - 1) } @ids);
	}
	return @begins > $cycles ? $most : undef;
}

# Begun and ended in that time: the shortest that one could run at once on a node.
sub shortest_turn {
	my ($from, $to) = @_;
	return min(map { $_->{to} - $_->{from} } grep { $_->{from} > $from && $_->{to} < $to - 1 } $seen->stretches($from, 'R')) // 0;
}

sub take_turns {
	my ($name, $gap, $most, $n, $script) = @_;
	my @ids = map { $c->plain(['-N16', '-t600'], script => $script) } 1 .. 3;
	ok(all_begun(16, @ids), "turns: three jobs on 16 nodes, $name");
	my ($had, $from) = (switches(), time);
	ok($c->wait_for("$n switches", sub { sleep 1; switches() >= $had + $n }, 60 + 2 * $n * $slice), "  $n switches");
	my $to = time;
	my ($beside, @two) = $seen->longest_beside($from, $seen->{gaps});
	cmp_ok($beside, '<=', $most, "  on no node two of them ran for more than $most s at once") or diag(join "\n", map { Seen::told($_) } @two);
	my $turn = shortest_turn($from, $to);
	cmp_ok($turn, '>=', $slice - $gap - 1, "  each turn is a whole slice of $slice s, but for the gap of $gap s and a second");
	my $each = ($to - $from) / $n;
	cmp_ok($each, '<=', $slice + 1, "  and each slice of $slice s and a second at most, in the mean");
	my $unequal = unequal($from, @ids);
	SKIP: {
		skip('no ten cycles', 1) unless defined $unequal;
		cmp_ok($unequal, '<=', 0.05, '  over ten cycles all have the same, within 5 %');
	}
	diag(sprintf '%s: %.2f s at most beside another, a switch in %.2f s, turns of %.2f s at least, shares %.1f %% apart', $name, $beside, $each, $turn, 100 * ($unequal // -1));
	$c->cmd('scancel', @ids);
	$c->wait_for('their end', sub { !grep { $seen->on($_) } @ids }, 60);
}

sub part_turns {
	up(nodes => 16, conf => conf(3));
	my ($first, $second) = split /,/, $ENV{PACT_TURNS} // 200;
	take_turns('of the default kind', 0, 0.5, $first, Seen::tasks($c));
	is($c->reconfigure("${pact}SwitchGap=3000\n")->{rc}, 0, 'turns: SwitchGap=3000');
	take_turns('which catch SIGTSTP', 3, 0, $second // $first, deaf());
	$c->healthy;
	$c->down;
}

# ---- nothing to do ----

# Of that what a message to a node would change, as a text.
sub turns {
	my $slices = counted();
	return join ' ', map { "$_ $slices->{$_}" } grep { defined $slices->{$_} } qw(switches suspended resumed refused repeated);
}

# What these nodes were told, by their own logs (SlurmdDebug=debug2), as a text: all but where Slurm itself looks whether they are there.
sub heard {
	my %times;
	for my $node (@_) {
		my @rpcs = Cluster::slurp("$c->{dir}/c/log/$node.log") =~ /: Start processing RPC: (\w+)/g;
		$times{$_}++ for grep { !/^REQUEST_(PING|NODE_REGISTRATION_STATUS)$/ } @rpcs;
	}
	return join ' ', map { "$_ $times{$_}" } sort keys %times;
}

# No message where none has to wait for another one; and all the same without job_submit/deadline, which promises nothing then.
sub part_quiet {
	up(nodes => 2, conf => conf(3) . "SlurmdDebug=debug2\n", submit => 'none');
	like(my $had = turns(), qr/^switches 0 suspended 0 resumed 0/, 'quiet: no turn to begin with');
	my $heard = heard('n1', 'n2');
	sleep 3 * $slice;
	is(turns(), $had, 'quiet: an idle matrix sends nothing');
	is(heard('n1', 'n2'), $heard, '  and the nodes have heard nothing');
	my $one = wide('-N2');
	ok(all_begun(2, $one), 'quiet: one job');
	like($heard = heard('n1', 'n2'), qr/REQUEST_BATCH_JOB_LAUNCH 1 /, '  of which they have');
	sleep 4 * $slice;
	is(turns(), $had, 'quiet: nor does one with a job in one row alone');
	is(heard('n1', 'n2'), $heard, '  and the nodes have heard nothing');
	my $dated = $c->cmd('sbatch', '-N2', '-t1', '--deadline=now+1hour', '--wrap', 'true');
	unlike($dated->{err} . $dated->{out}, qr/deadline: /, 'quiet: without job_submit/deadline nothing is said of a deadline');
	my ($id) = $dated->{out} =~ /(\d+)/;
	ok(defined $id && $c->wait_for('its end', sub { $c->state($id) eq 'COMPLETED' }, 60 + 10 * $slice), '  and such a job has its turns');
	is($c->promise($id) // '', '', '  and no promise');
	my $two = wide('-N2');
	ok(all_begun(2, $two), 'quiet: two jobs');
	has_turns('they take turns', $one, $two);
	control('hold', $one);
	$c->wait_for("it to be $_", sub { $seen->is($one) eq $_ }, 30) for 'R', 'T';
	has_turns('one that is held while it runs goes on having turns', $one, $two);
	control('release', $one);
	control('suspend', $one);
	$c->wait_for('it to be stopped', sub { $seen->is($one) eq 'T' }, 10);
	has_none('one that is suspended has no turns', $one);
	my ($m) = @{ decode_json($c->out("$Cluster::build/contrib/pact/pact", 'matrix', '--json'))->{matrices} };
	is($m->{placed}, 2, '  and keeps its place');
	control('resume', $one);
	sleep 2;
	has_turns('and has when it is resumed', $one, $two);
	$c->cmd('scancel', $one, $two);
	$c->healthy;
	$c->down;
}

# ---- memory ----

# Whatever is placed, no node has more than its own; and the next one that fits has a row.
sub part_memory {
	up(nodes => 2, conf => conf(5), node => ['1-2:RealMemory=1000']);
	my @ids = map { wide('-N2', "--mem=$_") } 300, 300, 300, 300, 100;
	ok($c->wait_for('four of them', sub { 4 == grep { $seen->on($_) == 2 } @ids }, 60 + 20 * $slice),
		'memory: of five rows as many are taken as have room in memory');
	my $most = 0;
	my $end = time + 6 * $slice;
	while (time < $end) {
		my %has;
		for (split /\n/, $c->out('squeue', '-h', '-t', 'R,S', '-o', '%m %N')) {
			my ($mem, $nodes) = /^(\d+)M (\S+)/ or next;
			$has{$_} += $mem for split /\n/, $c->out('scontrol', 'show', 'hostnames', $nodes);
		}
		$most = max($most, values %has);
		sleep 1;
	}
	is($most, 1000, 'memory: that is all of a node\'s and never more, over six slices');
	my ($waits) = grep { $c->state($_) eq 'PENDING' } @ids;
	ok($waits, 'memory: one waits');
	$c->cmd('scancel', $ids[0]);
	ok(all_begun(2, $waits // 0), '  until there is room for it');
	$c->healthy;
	$c->down;
}

# ---- long prologs ----

# When a job's tasks were on all of its nodes, and when the first of them was stopped for the first time.
sub begins_and_stops {
	my ($id) = @_;
	my (%begins, @stops);
	for my $x (sort { $a->{from} <=> $b->{from} } grep { $_->{job} == $id } @{ $seen->{all} }) {
		$begins{ $x->{node} } //= $x->{from} if $x->{is} eq 'R';
		push @stops, $x->{from} if $x->{is} eq 'T';
	}
	return (max(values %begins), $stops[0] // time);
}

# Steps of jobs in all rows have begun within the first slice, and so before they were first stopped; also of one that comes when
# there is no time left for that in its row's turn.
sub part_prolog {
	my ($long, $turn) = (15, 60);
	open(my $f, '>', '/tmp/gang-life-prolog.' . $$) or die;
	print $f "#!/bin/sh\nsleep $long\n";
	close $f;
	chmod 0755, "/tmp/gang-life-prolog.$$";
	up(nodes => 4, conf => conf(3, slice => $turn, more => "Prolog=/tmp/gang-life-prolog.$$\n"), pact => $pact . 'LaunchTime=' . (2 * $long + 10) . "\n");
	my @ids = (wide('-N4'), wide('-N4'), wide('-N2'));
	ok($c->wait_for('tasks of all', sub { !grep { $seen->on($ids[$_]) < (4, 4, 2)[$_] } 0 .. 2 }, 60 + 5 * $turn), 'prolog: jobs of three rows begin');
	$c->wait_for('another row', sub { (whose_turn(@ids) // 0) == $ids[0] }, 5 * $turn);
	$c->wait_for('the row with room', sub { (whose_turn(@ids) // 0) == $ids[2] }, 5 * $turn);
	sleep $turn - 2 * $long;
	my $came = time;
	push @ids, wide('-N2');
	ok($c->wait_for('its tasks', sub { $seen->on($ids[3]) == 2 }, 60 + 5 * $turn), 'prolog: one that comes in the middle of a turn begins');
	cmp_ok($c->field($ids[3], 'StartTime') - $came, '>', $turn, '  in the next one of its row');
	for my $id (@ids) {
		my $start = $c->field($id, 'StartTime');
		my ($begin, $stop) = begins_and_stops($id);
		ok($begin - $start < $turn && $begin < $stop, sprintf 'prolog: all tasks of a job have begun in its first slice, after %.1f s', $begin - $start);
		ok($begin - $start >= $long, '  and not before the prolog');
	}
	unlink "/tmp/gang-life-prolog.$$";
	$c->healthy;
	$c->down;
}

# ---- a wide machine ----

# A 64-node exclusive job beside five rows. It has its nodes in every row, so that it waits until each of the others has come to its
# end. With a deadline, and PromiseAside=yes, all five are set aside for it at once, and go on when it has ended. Nothing is cancelled.
sub part_wide {
	my $nodes = $ENV{PACT_LIFE_NODES} // 64;
	up(nodes => $nodes, conf => conf(5), pact => "${pact}PartitionName=batch Gang=mbgs PromiseAside=yes\n");
	my $till = Seen::tasks($c) =~ s{exec sleep 100000}{until [ -e $c->{dir}/over ]; do sleep 1; done}r;
	my @ids = map { $c->plain(["-N$nodes", '-t10'], script => $till) } 1 .. 5;
	ok($c->wait_for('tasks of all', sub { !grep { $seen->on($_) < $nodes } @ids }, 300 + 20 * $slice), "wide: five rows of $nodes nodes");
	my $whole = $c->plain(["-N$nodes", '-t10', '--exclusive'], script => Seen::tasks($c));
	my $behind = $c->plain(["-N$nodes", '-t20'], script => Seen::tasks($c));
	my $from = time;
	sleep 5 * $slice + 2;
	is($c->state($whole), 'PENDING', 'wide: an exclusive one waits for all of them');
	ok(judge('wide', $from, 5, []), '  which have their turns');
	my $dated = $c->accepted('wide: one with a deadline is promised it beside them',
		["-N$nodes", '-t2', '--exclusive', '--deadline=now+10minutes'], script => Seen::tasks($c) =~ s/100000/20/r)->{id} // 0;
	ok($c->wait_for('its tasks', sub { $seen->on($dated) == $nodes }, 60), '  it starts, and no row has ended');
	my $aside = time + 2;
	sleep 2 * $slice;
	my %beside = map { $_->{job} => 1 } $seen->stretches($aside, 'R');
	is(join(' ', sort keys %beside), $dated, '  it has all nodes alone for two slices: five rows are set aside');
	ok(!(grep { $_->{job} == $dated } $seen->stretches($from, 'T')), '  and is never stopped');
	$c->promises_kept('  its promise is kept', 180);
	my $back = time + 2;
	sleep 5 * $slice + 4;
	my %ran = map { $_->{job} => 1 } $seen->stretches($back, 'R');
	is(scalar(grep { $ran{$_} } @ids), 5, 'wide: then all five have turns again');
	ok(judge('wide, again', $back, 5, [[0, $back]]), '  one at a time');
	is($c->state($whole), 'PENDING', '  and the one without a deadline waits still');
	$c->file('over', '');
	$c->reaches("wide: job $_ comes to its end by itself", $_, 'COMPLETED', 60 + 10 * $slice) for @ids;
	my $last = max(map { $c->ended_jobs->{$_}{EndTime} // 0 } @ids);
	ok($c->wait_for('its tasks', sub { $seen->on($whole) == $nodes }, 300), 'wide: then the exclusive one runs');
	cmp_ok($c->field($whole, 'StartTime'), '>=', $last, '  and not before the last of them has ended');
	my $alone = time;
	sleep 2 * $slice;
	ok(!(grep { $_->{job} == $whole } $seen->stretches($alone, 'T')), '  is never stopped');
	is($c->state($behind), 'PENDING', '  and has the nodes alone');
	$c->cmd('scancel', $whole);
	ok($c->wait_for('tasks', sub { $seen->on($behind) == $nodes }, 300), 'wide: what waited behind it begins');
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- 70 jobs on a node ----

# slurmd has room for 64 that it suspends: each of these is stopped at least once.
sub part_seventy {
	my $n = 70;
	up(nodes => 1, conf => conf(2));
	my $script = "echo \$\$ >$c->{dir}/new.\$SLURM_JOB_ID; mv $c->{dir}/new.\$SLURM_JOB_ID $c->{dir}/task.\$SLURM_JOB_ID.n1; "
		. 'i=0; while [ $i -lt ' . ($slice + 1) * 5 . ' ]; do sleep 0.2; i=$((i + 1)); done';
	my @ids = map { $c->plain(['-N1', '-t10'], script => $script) } 1 .. $n;
	my $from = time;
	$c->reaches('seventy: the last one has ended', $ids[-1], 'COMPLETED', 60 + $n * 4 * $slice);
	$c->wait_for('all', sub { $c->out('squeue', '-h') eq '' }, 60 + 10 * $slice);
	my $ended = $c->ended_jobs;
	is(scalar(grep { ($ended->{$_}{JobState} // '') eq 'COMPLETED' } @ids), $n, "seventy: all $n have ended well");
	my %stopped = map { $_->{job} => 1 } $seen->stretches(0, 'T');
	cmp_ok(scalar keys %stopped, '>', 64, 'seventy: more than 64 of them were stopped in between');
	ok(judge('seventy', $from, 2, []), '  none for longer than a cycle, and no two ran at once');
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- to select/gang and back ----

# All daemons are started anew with that plugin.
sub go_over {
	my ($type) = @_;
	my $conf = "$c->{dir}/c/etc/slurm.conf";
	my $text = Cluster::slurp($conf) =~ s/^SelectType=.*$/SelectType=$type/mr;
	open(my $f, '>', $conf) or die "$conf: $!";
	print $f $text;
	close $f;
	for my $name ('slurmctld', map { "n$_" } 1 .. $c->{nodes}) {
		my ($pid) = Cluster::slurp("$c->{dir}/c/run/own/$name.pid") =~ /(\d+)/;
		kill 'TERM', $pid;
		$c->wait_for("$name to end", sub { !kill 0, $pid });
	}
	is($c->emulate('start-controller')->{rc}, 0, "over: slurmctld starts with $type");
	start_node($_) for 1 .. $c->{nodes};
	$c->remember_controller;
}

# Jobs that ran on the same nodes at once take turns there; and when these are over none stays stopped.
sub part_over {
	up(nodes => 3, conf => conf(3) =~ s{select/gang}{select/linear}r);
	my @ids = map { wide('-N3') } 1 .. 3;
	ok(all_begun(3, @ids), 'over: three jobs on the same nodes');
	sleep 1;
	is(join('', map { $seen->is($_) } @ids), 'RRR', '  run at once under select/linear');
	my $waits = wide('-N3');
	go_over('select/gang');
	ok($c->wait_for('one of them', sub { 1 == grep { $seen->is($_) eq 'R' } @ids }, 60), 'over: one runs now');
	my $from = time;
	sleep 4 * $slice + 2;
	my %ran = map { $_->{job} => 1 } $seen->stretches($from, 'R');
	is(scalar(grep { $ran{$_} } @ids), 3, '  and each has turns');
	ok(judge('over', $from, 3, [[0, $from]]), '  one at a time');
	is($c->state($waits), 'PENDING', '  for a fourth there is no row');
	go_over('select/linear');
	sleep 2 * $slice;
	my $back = time;
	sleep 2 * $slice;
	my %on = map { $_->{job} => 1 } $seen->stretches($back, 'R');
	ok(scalar(grep { $on{$_} } @ids), 'over: one goes on');
	ok(judge('back at select/linear', $back, 99, []), '  and no other beside it');
	while (my ($runs) = grep { $on{$_} } @ids) {
		$c->cmd('scancel', $runs);
		@ids = grep { $_ != $runs } @ids;
		last if !@ids;
		ok($c->wait_for('the next', sub { grep { $seen->is($_) eq 'R' } @ids }, 60), '  when it has ended another one does');
		%on = map { $_ => 1 } grep { $seen->is($_) eq 'R' } @ids;
	}
	ok(all_begun(3, $waits), 'over: what waited begins');
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- a promise for which others are set aside, and no controller before it starts ----

sub part_aside {
	my ($n, $known) = (POSIX::ceil($rounds / 10), 0);
	@dead = ();
	up(nodes => 4, conf => conf(3), pact => "${pact}PartitionName=batch Gang=mbgs PromiseAside=yes\n");
	my @ids = map { wide('-N4', '-t60') } 1 .. 3;
	ok(all_begun(4, @ids), 'aside: three jobs take turns on all nodes');
	$c->saved_state; # that they have begun
	for my $round (1 .. $n) {
		my $r = $c->accepted("aside: round $round: they are set aside", ['-N2', '-t1', '--deadline=now+4minutes'],
			script => Seen::alone($c, 5));
		sleep rand 0.3 if $round % 2;
		kill_controller();
		start_controller() or last;
		if ($r->{id} && $c->state($r->{id})) {
			$known++;
			$c->promises_kept('  its promise is kept', 120);
		} else {
			$c->excuse($r->{id} // 0);
		}
		my $from = time;
		sleep 4 * $slice + 2;
		my %ran = map { $_->{job} => 1 } $seen->stretches($from, 'R');
		is(scalar(grep { $ran{$_} } @ids), 3, '  and the others have turns');
		ok(judge("aside $round", $from, 3, [@dead, [0, $from]]), '  as before');
	}
	diag("aside: of $n promises Slurm had saved $known");
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- a backup controller ----

sub part_backup {
	@promised = ();
	up(nodes => 5, backup => 1, conf => conf(3, more => "SlurmctldTimeout=10\n"));
	my @ids = map { wide('-N4', '-wn[1-4]') } 1 .. 3;
	ok(all_begun(4, @ids), 'backup: three jobs take turns');
	keep_promising();
	$c->saved_state;
	my $from = time;
	kill_controller();
	ok($c->wait_for('the take-over', sub { $c->cmd('timeout', '10', 'squeue', '-h')->{rc} == 0 }, 180), 'backup: it takes over');
	@dead = ([$killed_at, time + 1]);
	sleep 5 * $slice;
	ok(judge('backup', $from, 3, \@dead), 'backup: turns go on');
	my %ran = map { $_->{job} => 1 } $seen->stretches(time - 4 * $slice, 'R');
	is(scalar(grep { $ran{$_} } @ids), 3, '  of all');
	my $back = time;
	is($c->emulate('start-controller')->{rc}, 0, 'backup: the primary comes back');
	ok($c->wait_for('it', sub { $c->out('scontrol', 'ping') =~ /\(primary\).* is UP/ }, 120), '  and takes over again');
	$c->remember_controller;
	push @dead, [$back, time + 1];
	sleep 5 * $slice;
	ok(judge('primary', $back, 3, \@dead), '  turns go on');
	$c->promises_kept('backup: no promise is lost', 300);
	ok(!(grep { $c->state($_) !~ /RUNNING|SUSPENDED/ } @ids), 'backup: all jobs are there');
	$c->healthy;
	tell_most();
	$c->down;
}

# ---- slurmctld's memory ----

# What `pact stats` counts of slices; empty: it has not answered in time.
sub counted {
	my $r = $c->cmd("$Cluster::build/contrib/pact/pact", '--json', 'stats');
	return $r->{rc} ? {} : decode_json($r->{out})->{slices};
}

# 0, too.
sub switches { return counted()->{switches} // 0 }

# KB that are its own: neither files nor what it shares.
sub memory_held {
	my ($kb) = Cluster::slurp("/proc/$c->{controller}/status") =~ /^RssAnon:\s+(\d+) kB/m;
	return $kb // 0;
}

# A job's life costs memory for a while (MinJobAge), so it is the same three all along. What is kept of a switch for good adds to
# each stretch of them; on a busy machine more threads are alive at a time for once, and leave megabytes of the allocator's behind.
sub part_growth {
	my $n = $ENV{PACT_SWITCHES} // 10000;
	my ($warm, $speed) = (POSIX::floor($n / 5), 20);
	up(nodes => 4, speed => $speed, conf => conf(3));
	my @ids = map { $c->plain(['-N4', "-t$n"], script => Seen::tasks($c)) } 1 .. 3;
	ok(all_begun(4, @ids), 'growth: three jobs take turns on four nodes');
	my (@held, $had);
	for my $mark ($warm, map { $n * $_ / 5 } 2 .. 5) {
		ok($c->wait_for("$mark switches", sub { sleep 1; ($had = switches()) >= $mark }, 120 + $n * $slice / $speed),
			"growth: $mark switches") or last;
		push @held, memory_held();
		diag("growth: $had switches, $held[-1] KB");
	}
	my @more = sort { $a <=> $b } map { $held[$_] - $held[$_ - 1] } 1 .. $#held;
	is(scalar(grep { $_ } @held), 5, '  slurmctld is there');
	my $bound = max(128, $n / 5 / 8);
	cmp_ok($more[2] // $bound, '<', $bound, "growth: less than $bound KB, or 128 bytes of each, in most fifths (@more)");
	ok(!(grep { $c->state($_) !~ /RUNNING|SUSPENDED/ } @ids), 'growth: all jobs are there');
	$c->healthy;
	$c->down;
}

my %do = (kill => \&part_kill, narrow => \&part_narrow, nodes => \&part_nodes, turns => \&part_turns, people => \&part_people,
	shrink => \&part_shrink, quiet => \&part_quiet, memory => \&part_memory, prolog => \&part_prolog,
	wide => \&part_wide, seventy => \&part_seventy, over => \&part_over, aside => \&part_aside, backup => \&part_backup,
	growth => \&part_growth);
for my $part (@all_parts) {
	$do{$part}->() if delete $parts{$part};
}
ok(!%parts, 'all parts are known') or diag(join ' ', keys %parts);
ok(!@faults, 'no fault in any round') or diag(join "\n", @faults);
done_testing;
