#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 27-depend: deadline jobs that wait for others: one that never comes takes its promise along, many are
# refused by name, tasks of arrays are known one by one; and who is waited for ends in time, whatever is done
# to it. A faster clock.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $c = Cluster->up(nodes => 4, speed => 20, pact => "Guard=120\nAdmissionTime=5000\nPlanInterval=20\n");

sub wall {
	my $id = $c->plain(['-N4', '-t600']);
	$c->wait_state($id, 'RUNNING');
	$c->settle;
	return $id;
}

subtest 'a predecessor that fails' => sub {
	my %ends = (
		'by itself' => ['-t60', { script => 'sleep 20; exit 1' }],
		'at its limit' => ['-t1', { runs => 6000 }],
	);
	for my $how (sort keys %ends) {
		my ($limit, $o) = @{ $ends{$how} };
		my $first = $c->plain(['-N1', $limit], %$o);
		$c->wait_state($first, 'RUNNING');
		my $r = $c->accepted("$how: its successor is promised", ['-N4', '-t60', '-d', "afterok:$first",
			'--deadline=now+3hours']);
		ok($c->wait_for('the withdrawal', sub { $c->promise($r->{id}) eq 'withdrawn' }), "$how: withdrawn");
		ok($c->wait_field($r->{id}, 'Reason', qr/no_longer_promised|DependencyNeverSatisfied/), "$how: told");
		$c->excuse($r->{id});
		$c->accepted("$how: its place is free", ['-N4', '-t60', '--deadline=now+90minutes'], runs => 1);
		$c->promises_kept("$how: at once");
		$c->refused("$how: nothing is promised on it any more", ['-N1', '-t5', '-d', "afterok:$first",
			'--deadline=now+10hours'], qr/dependency on job $first, which has failed/);
		$c->accepted("$how: what waits for any end is", ['-N1', '-t5', '-d', "afterany:$first", '--deadline=now+10hours']);
		$c->clear;
	}
};

# Slurm says of the direct successor only that it waits in vain.
subtest 'a chain whose first fails' => sub {
	for my $end ('fails', 'is cancelled') {
		my $first = $c->plain(['-N1', '-t60'], $end eq 'fails' ? (script => 'sleep 200; exit 1') : ());
		$c->wait_state($first, 'RUNNING');
		my @chain = ($first);
		for my $n (2 .. 9) {
			my $r = $c->accepted("number $n", ['-N4', '-t60', '-d', "afterok:$chain[-1]", "--deadline=now+${n}0hours"]) or last;
			push @chain, $r->{id};
		}
		shift @chain;
		my $array = $c->accepted('an array behind it', ['-N1', '-t60', '--array=0-3', '-d', "afterany:$chain[-1]", '--deadline=now+200hours']);
		my $other = $c->accepted('a job beside it', ['-N1', '-t5', '--begin=now+5hours', '--deadline=now+10hours']);
		$c->settle;
		$c->cmd('scancel', $first) if $end eq 'is cancelled';
		ok($c->wait_for('the withdrawals', sub { !grep { $c->promise($_) ne 'withdrawn' } @chain, $array->{id} }),
			"the first $end: all that wait in vain are told") or diag(join ' ', map { $c->promise($_) } @chain, $array->{id});
		like($c->log_text, qr/JobId=$chain[-1]\b.*its promise is withdrawn/, 'in the log, too');
		is($c->promise($other->{id}), 'promised', 'and no other');
		$c->accepted('their places are free', ['-N4', '-t60', '--deadline=now+90minutes'], runs => 1);
		$c->clear;
	}
};

subtest 'many predecessors' => sub {
	my $wall = wall();
	my @ids = map { $c->plain(['-N1', '-t5']) } 1 .. 65;
	$c->settle(3);
	my @late = ('-N1', '-t5', '--deadline=now+300hours');
	$c->accepted('64 jobs', [@late, '-d', 'afterany:' . join(':', @ids[0 .. 63])]);
	$c->refused('65 jobs', [@late, '-d', 'afterany:' . join(':', @ids)], qr/dependencies on more than 64 jobs/);
	$c->refused('in several conditions', [@late, '-d', join(',', map { "afterok:$_" } @ids)], qr/more than 64 jobs/);
	ok($c->plain(['-N1', '-t5', '-d', 'afterany:' . join(':', @ids)]), 'without a deadline they are taken');
	$c->clear;
};

subtest 'arrays' => sub {
	my $wall = wall();
	my @late = ('-N1', '-t5', '--deadline=now+300hours');
	my $array = $c->plain(['-N4', '-t60', '--array=0-3', '-J', 'whole'], runs => 1);
	my $huge = $c->plain(['-N1', '-t5', '--array=0-299'], runs => 1);
	$c->settle;
	my $all = $c->accepted('after a whole array', [@late, '-d', "afterany:$array"]);
	my $one = $c->accepted('after one task', [@late, '-d', "afterany:${array}_0"]);
	cmp_ok($one->{start}, '<=', $all->{start}, 'which is not later');
	my $star = $c->accepted('after all tasks', [@late, '-d', "afterany:${array}_*"]);
	is($star->{start}, $all->{start}, 'as the whole array');
	$c->refused('more tasks than are planned', [@late, '-d', "afterany:$huge"], qr/job $huge, which has no planned end: /);
	$c->cmd('scancel', $wall, $huge);
	$c->promises_kept('kept');
	my $ended = $c->ended_jobs;
	my @ends = sort { $a <=> $b } map { $_->{EndTime} } grep { $_->{Name} eq 'whole' } values %$ended;
	is(scalar @ends, 4, 'the array ran');
	cmp_ok($ended->{ $all->{id} }{StartTime}, '>=', $ends[-1], 'and who waited for it, after it');
	$c->clear;
};

subtest 'a chain in one breath' => sub {
	my @chain = $c->accepted('its first', ['-N4', '-t5', '--deadline=now+1hour'], runs => 1);
	for my $n (2 .. 8) {
		push @chain, $c->accepted("number $n", ['-N4', '-t5', '-d', "afterok:$chain[-1]{id}",
			"--deadline=now+${n}hours"], runs => 1) || last;
	}
	$c->promises_kept('kept');
	# What was planned is of another moment for each; on a busy machine the first may have ended before the third is asked for.
	my $ended = $c->ended_jobs;
	for my $n (1 .. $#chain) {
		my ($before, $this) = map { $ended->{ $chain[$_]{id} } } $n - 1, $n;
		cmp_ok($this->{StartTime}, '>=', $before->{EndTime}, 'number ' . ($n + 1) . ' ran after the one before it');
	}
	$c->clear;
};

subtest 'arrays that are over' => sub {
	my @soon = ('-N1', '-t5', '--deadline=now+3hours');
	my %arrays = (good => 0, bad => 1);
	for my $how (sort keys %arrays) {
		$arrays{$how} = $c->plain(['-N1', '-t5', '--array=0-1'], script => "exit $arrays{$how}");
		$c->wait_for("the end of the $how one", sub { $c->out('squeue', '-h', '-t', 'PD,R,CG', '-o', '%F') !~ /\b$arrays{$how}\b/ });
		$c->accepted("after any end of the $how one", [@soon, '-d', "afterany:$arrays{$how}"], runs => 1);
	}
	$c->accepted('after its success', [@soon, '-d', "afterok:$arrays{good}"], runs => 1);
	$c->refused('after a success that did not come', [@soon, '-d', "afterok:$arrays{bad}"],
		qr/dependency on job $arrays{bad}, which has failed/);
	$c->promises_kept('kept');
	$c->clear;
};

# What a promised job waits for has to end by its planned start, whatever becomes of its own terms.
sub stands {
	my ($name, $r, $mark) = @_;
	$c->settle for 1 .. 3;
	is($c->promise($r->{id}), 'promised', "$name: the promise stands");
	unlike($c->log_text($mark), qr/JobId=$r->{id}: the promised completion by .* can no longer/, "$name: at all times");
}

sub refused_change {
	my ($name, $id, $r, @change) = @_;
	my $mark = $c->log_mark;
	ok(!$c->update($id, @change), "$name: refused");
	ok($c->log_has(qr/JobId=$id: change refused: .*promised JobId=$r->{id} waits for it/, $mark), "$name: the log says for whom");
}

subtest 'a predecessor with a promise of its own' => sub {
	my $wall = wall();
	my $mark = $c->log_mark;
	my $first = $c->accepted('the predecessor', ['-N4', '-t60', '--deadline=now+15hours'], runs => 1);
	my $next = $c->accepted('who waits for it', ['-N4', '-t60', '-d', "afterok:$first->{id}", '--deadline=now+18hours'], runs => 1);
	$c->settle;
	ok($c->update($first->{id}, 'Deadline=' . $c->in_seconds(40 * 3600)), 'a later deadline is taken');
	$c->{promised}{ $first->{id} } += 86400;
	stands('a later deadline', $next, $mark);
	refused_change('a longer limit', $first->{id}, $next, 'TimeLimit=600');
	refused_change('a later begin', $first->{id}, $next, 'StartTime=' . $c->in_seconds(20 * 3600));
	ok($c->update($first->{id}, 'TimeLimit=70'), 'a limit that leaves it time enough');
	stands('a longer limit', $next, $mark);
	$c->cmd('scancel', $wall);
	$c->promises_kept('kept');
	$c->clear;
};

subtest 'a predecessor without a promise' => sub {
	my $wall = wall();
	my $mark = $c->log_mark;
	my $first = $c->plain(['-N4', '-t60', '--priority=50'], runs => 1);
	$c->settle;
	my $next = $c->accepted('who waits for it', ['-N4', '-t60', '-d', "afterok:$first", '--deadline=now+28hours'], runs => 1);
	# Before any snapshot may have seen that.
	ok(!$c->update($first, 'TimeLimit=2000'), 'a longer limit at once is refused');
	ok($c->log_has(qr/JobId=$first: change refused: .*(promised JobId=$next->{id}|promised just now) waits for it/, $mark),
		'and the log says why');
	$c->settle;
	my $short = $c->plain(['-N4', '-t60', '--priority=100'], runs => 1);
	my $long = $c->plain(['-N4', '-t2000', '--priority=90'], runs => 1);
	stands('newcomers of more priority', $next, $mark);
	my %start = map { $_ => $c->field($_, 'StartTime') } $first, $next->{id}, $short, $long;
	cmp_ok($start{$short}, '<', $start{$first}, 'who has time enough goes first');
	cmp_ok($start{$first}, '<', $start{$long}, 'who has not goes behind');
	refused_change('a longer limit', $first, $next, 'TimeLimit=2000');
	refused_change('a later begin', $first, $next, 'StartTime=' . $c->in_seconds(30 * 3600));
	refused_change('what is not planned', $first, $next, 'Licenses=none');
	refused_change('another dependency', $first, $next, "Dependency=afterok:$wall");
	ok($c->update($first, 'TimeLimit=50'), 'a shorter one is taken');
	ok($c->update($first, 'TimeLimit=55'), 'and one that leaves it time enough');
	stands('changes', $next, $mark);
	$c->cmd('scancel', $wall);
	$c->promises_kept('kept');
	my $ended = $c->ended_jobs;
	cmp_ok($ended->{ $next->{id} }{StartTime}, '>=', $ended->{$first}{EndTime}, 'in their order');
	$c->clear;
};

# It keeps its place for the promise that waits for it, though others press in; once released it is as it was.
subtest 'a predecessor that is held' => sub {
	my %first = ('with a promise' => ['--deadline=now+15hours'], 'without one' => []);
	for my $how (sort keys %first) {
		my $wall = wall();
		my $mark = $c->log_mark;
		my $r = $c->sbatch(['-N4', '-t60', @{ $first{$how} }], runs => 1);
		my $first = $r->{id};
		$c->settle;
		# By when it has to end for that.
		my $by = $r->{by} // do {
			my $no = $c->refused("$how: too early", ['-N4', '-t60', '-d', "afterok:$first", '--deadline=now+12hours'], qr/need not end before/);
			Cluster::epoch($no->{text} =~ /need not end before ([^\s;,]+)/);
		};
		my $next = $c->accepted("$how: who waits for it", ['-N4', '-t60', '-d', "afterok:$first", '--deadline=' . $c->stamp($by + 4500)], runs => 1);
		my $last = $c->accepted("$how: and for that", ['-N4', '-t60', '-d', "afterok:$next->{id}", '--deadline=' . $c->stamp($by + 9000)], runs => 1);
		$c->settle;
		is($c->cmd('scontrol', 'hold', $first)->{rc}, 0, "$how: it is held");
		ok($c->wait_for('the hold', sub { $c->promise($first) ne 'promised' }), "$how: its own promise is withdrawn");
		$c->settle;
		# All but half of what it needs, of the time until then.
		my $press = int(($by - $c->field($wall, 'EndTime')) / 60) - 30;
		$c->refused("$how: its place is kept", ['-N4', "-t$press", '--deadline=' . $c->stamp($by)]);
		my @plain = map { $c->plain(['-N4', "-t$press", '--priority=90000'], runs => 1) } 1 .. 3;
		stands("$how: held", $_, $mark) for $next, $last;
		is($c->cmd('scontrol', 'release', $first)->{rc}, 0, "$how: it is released");
		stands("$how: released", $_, $mark) for $next, $last;
		is($c->promise($first), @{ $first{$how} } ? 'promised' : '', "$how: as it was");
		$c->excuse($first);
		$c->cmd('scancel', $wall, @plain);
		$c->promises_kept("$how: kept");
		my $ended = $c->ended_jobs;
		cmp_ok($ended->{ $next->{id} }{StartTime}, '>=', $ended->{$first}{EndTime}, "$how: in their order");
		$c->clear;
	}
};

subtest 'an array without a promise' => sub {
	my $wall = wall();
	my $mark = $c->log_mark;
	my $array = $c->plain(['-N2', '-t60', '--array=0-3'], runs => 1);
	$c->settle;
	my $next = $c->accepted('who waits for all of it', ['-N4', '-t60', '-d', "afterany:$array", '--deadline=now+28hours'], runs => 1);
	$c->settle;
	refused_change('as a whole', $array, $next, 'TimeLimit=2000');
	ok($c->update($array, 'TimeLimit=50'), 'a shorter limit is taken');
	stands('changes', $next, $mark);
	$c->cmd('scancel', $wall);
	$c->promises_kept('kept');
	$c->clear;
};

subtest 'a predecessor that is requeued' => sub {
	my $mark = $c->log_mark;
	my $first = $c->plain(['-N4', '-t60'], runs => 60);
	$c->wait_state($first, 'RUNNING');
	my $next = $c->accepted('who waits for it', ['-N4', '-t60', '-d', "afterok:$first", '--deadline=now+6hours'], runs => 1);
	$c->settle;
	is($c->cmd('scontrol', 'requeue', $first)->{rc}, 0, 'it is requeued');
	stands('requeued', $next, $mark);
	# Slurm lets it wait for some time, by a begin that depends on time-outs.
	$c->wait_state($first, 'RUNNING', 600);
	stands('started again', $next, $mark);
	$c->promises_kept('kept');
	$c->clear;
};

$c->healthy;
done_testing;
