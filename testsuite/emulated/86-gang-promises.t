#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 86-gang-promises: deadlines are promised beside jobs that take turns. A promised job has its nodes in every row and is
# never suspended, by the states of its process; what takes turns holds its nodes until the end that its limit allows in
# slices, also over kill -9 of slurmctld and a changed limit.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Test::More;
use Time::HiRes qw(time);
use Cluster;
use Turns;

my $slice = 5;
my $pact = "$Cluster::build/contrib/pact/pact";
my $base = "Guard=60\nAdmissionTime=5000\n";
my $c = Cluster->up(nodes => 16, pact => $base,
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n" .
		"PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:3\n");

sub nodes {
	my ($id) = @_;
	return map { $_ => 1 } split /\s+/, $c->out('scontrol', 'show', 'hostnames', $c->field($id, 'NodeList'));
}

sub is_alone {
	my ($name, $id, @others) = @_;
	my %has = nodes($id);
	my @shared = grep { my %its = nodes($_); grep { $has{$_} } keys %its } @others;
	ok(%has && !@shared, $name) or diag("its nodes: @{[sort keys %has]}; also there: @shared");
}

# Of the processes of some jobs for a cycle and a bit: that one is not stopped, and the others have their turns.
sub turns_beside {
	my ($name, $id, @others) = @_;
	my $seconds = 3 * $slice + 2;
	my $runs = watch($c, $seconds, $id, @others);
	my @all = @{ $runs->{$id} // [] };
	ok(@all == 1 && $all[0][1] - $all[0][0] > $seconds - 1, "$name: it is never stopped")
		or diag(join ' ', map { sprintf '%.1f-%.1f', @$_ } @all);
	my @bad = grep { !@{ $runs->{$_} // [] } } @others;
	for my $i (0 .. $#others) {
		push @bad, map { "$others[$i] with $_" } grep { overlap($runs, $others[$i], $_) > 1 } @others[$i + 1 .. $#others];
	}
	ok(!@bad, 'while the others take their turns') or diag("@bad");
}

# ---- three rows of ten nodes, and what is promised beside them ----

my @ids = map { $c->plain(['-N10', '-t10'], script => work($c)) } 1 .. 3;
ok($c->wait_for('all three to have run', sub { !grep { look($c, $_) eq '-' } @ids }),
	'three jobs take turns on ten nodes');
my $unseen = $c->plain(['-N1', '--contiguous', '-t10'], script => work($c));
ok($c->wait_for('its process', sub { look($c, $unseen) eq 'R' }), 'one that no plan sees has a node');
my $now = $c->accepted('a promise on the nodes that are left', ['-N4', '-t5', '--deadline=now+8minutes'],
	script => work($c))->{id};
$c->refused('none within the slices of the others', ['-N7', '-t1', '--deadline=now+20minutes'], qr/busy|hold|running/);
my $later = $c->accepted('but one behind them', ['-N8', '-t1', '--deadline=now+2hours'], runs => 5)->{id};
for (['sbatch', '--wrap', 'true'], ['srun', 'true']) {
	my ($only, @end) = @$_;
	my $r = $c->cmd($only, '--test-only', '-N7', '-t1', '--deadline=now+20minutes', @end);
	ok($r->{rc} && $r->{err} =~ /deadline: refused: .*(?:busy|hold|running)/, "$only --test-only is told the same") or diag($r->{err});
	$r = $c->cmd($only, '--test-only', '-N8', '-t1', '--deadline=now+4hours', @end);
	ok(!$r->{rc} && $r->{err} =~ /deadline: accepted: completes by/, '  and what could be promised') or diag($r->{err});
}
ok($c->wait_for('its process', sub { look($c, $now) eq 'R' }), 'the first one starts');
my $waits = $c->plain(['-N2', '-t10'], script => work($c)); # one node is free
turns_beside('promised', $now, @ids);
is_alone('it has its nodes for itself', $now, @ids, $unseen);
is($c->state($waits), 'PENDING', 'in every row: the next one that takes turns waits');
my $start = $c->field($later, 'StartTime');
cmp_ok($start, '>', time + 20 * 60, 'squeue shows the planned start of what is promised: behind all slices of the others');
like($c->field($waits, 'StartTime'), qr/^\d+$/, 'and that of what waits for turns');
my ($stopped) = grep { $_->{JobState} eq 'SUSPENDED' } map { $c->job($_) } @ids;
cmp_ok($stopped->{EndTime}, '>', $stopped->{StartTime} + 25 * 60, 'what is suspended for others shows an end that it can have');

# ---- a controller that dies ----

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
watch($c, 2 * $slice, @ids);
turns_beside('after kill -9', $now, @ids);
is(join(' ', map { $c->promise($_) } $now, $later), 'promised promised', 'both promises stand');
is($c->state($waits), 'PENDING', 'and what has its nodes for itself still has');
my ($again) = grep { $_->{job} == $now } map { @{ $_->{jobs} } } @{ decode_json($c->out($pact, 'matrix', '--json'))->{matrices} };
is("@{ $again->{turns}{rows} // [] }", '0 1 2', 'in all rows, as pact matrix shows');
cmp_ok($c->field($later, 'StartTime'), '<=', $start, 'nor is the second one planned later');

# ---- limits that change, and ends ----

ok(!(grep { !$c->update($_, 'TimeLimit=3') } @ids), 'shorter limits of those that take turns');
ok($c->wait_for('an earlier plan', sub { $c->field($later, 'StartTime') < $start - 15 * 60 }),
	'what is promised behind them is planned earlier');
$c->cmd('scancel', @ids);
$c->reaches('and starts when they have ended', $later, 'RUNNING|COMPLETED', 40);
$c->cmd('scancel', $now);
$c->excuse($now);
$c->promises_kept('it ends by its deadline');
$c->reaches('what waited has its turns', $waits, 'RUNNING', 30);
$c->cmd('scancel', $waits, $unseen);

# ---- jobs that are set aside for a promise ----

# All processes are where they should be: the promised one runs without a stop, the others are stopped.
sub all_aside {
	my ($name, $id, @others) = @_;
	my $seconds = $slice + 2;
	my $runs = watch($c, $seconds, $id, @others);
	my @all = @{ $runs->{$id} // [] };
	ok(@all == 1 && $all[0][1] - $all[0][0] > $seconds - 1 && !(grep { @{ $runs->{$_} // [] } } @others), $name)
		or diag(map { "$_: " . join(' ', map { sprintf '%.1f-%.1f', @$_ } @{ $runs->{$_} // [] }) . "\n" } $id, @others);
}

my $till = "while [ ! -e $c->{dir}/%s ]; do sleep 0.2; done";
(my $body = work($c)) =~ s/while.*//;
my @full = map { $c->plain(['-N16', '-t10'], script => $body . sprintf($till, 'over')) } 1 .. 3;
ok($c->wait_for('all three to have run', sub { !grep { look($c, $_) eq '-' } @full }), 'three jobs on all nodes: FORCE:3 is full');
my @soon = ('-N4', '-t1', '--deadline=now+4minutes');
$c->refused('PromiseAside=no: no deadline before these have ended', \@soon, qr/busy|hold|running/);
is($c->reconfigure("${base}PartitionName=batch Gang=mbgs PromiseAside=yes\n")->{rc}, 0, 'PromiseAside=yes');
my $alone = $c->accepted('they are set aside for it', \@soon, script => $body . sprintf($till, 'done'))->{id};
ok($c->wait_for('its process', sub { look($c, $alone) eq 'R' }), 'it starts at once, beside as many as FORCE:3 lets be there');
ok($c->wait_for('all stopped', sub { !grep { look($c, $_) ne 'T' } @full }), 'they are stopped');
all_aside('and stay so while it runs', $alone, @full);
is(join(' ', map { $c->field($_, 'Reason') =~ /^Set_aside_for_a_promised_job_until_\d{4}-\S+$/ ? 'aside' : $c->field($_, 'Reason') } @full),
	'aside aside aside', 'squeue says so, and until when');
like($c->out('squeue', '-h', '-j', $full[0], '-o', '%r'), qr/^Set.aside.for.a.promised.job.until/, 'as the reason');
cmp_ok($c->field($full[0], 'EndTime'), '>', time + 20 * 60, 'the end of one that waits so is when it can have ended');
my ($m) = @{ decode_json($c->out($pact, 'matrix', '--json'))->{matrices} };
is("$m->{aside} $m->{placed}", '3 1', 'pact matrix: three are set aside, the promised one is in all rows');
like($c->out($pact, 'explain', $full[1]), qr/set aside for a promised job until \S+/, 'pact explain');
like($c->out($pact, 'stats'), qr/3 set aside/, 'pact stats');

is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
all_aside('nothing has changed on the nodes', $alone, @full);
is($c->promise($alone), 'promised', 'its promise stands');
ok($c->wait_for('reasons', sub { !grep { $c->field($_, 'Reason') !~ /^Set_aside/ } @full }), 'and the others are set aside still');

$c->file('done', '');
$c->promises_kept('it ends by its deadline');
ok($c->wait_for('turns', sub { grep { look($c, $_) eq 'R' } @full }), 'the others go on');
my $runs = watch($c, 3 * $slice + 2, @full);
ok(!(grep { !@{ $runs->{$_} // [] } } @full), 'each has its turn again');
cmp_ok(overlap($runs, @full[$_, ($_ + 1) % 3]), '<', 1, 'and no two of them run at once') for 0 .. 2;
is(join(' ', map { $c->field($_, 'Reason') } @full), 'None None None', 'nothing is said of them any more');
$c->file('over', '');
$c->reaches('it completes', $_, 'COMPLETED', 60) for @full;

# ---- without promises ----

my $mark = $c->log_mark;
is($c->reconfigure("${base}PartitionName=batch Gang=gs\n")->{rc}, 0, 'Gang=gs');
ok($c->log_has(qr/nodes by scheduler: gs/, $mark), 'is in force');
$c->refused('it promises nothing', ['-N1', '-t1', '--deadline=now+2hours'],
	qr/partition batch is scheduled by gs \(Gang=gs\), which makes no promises/);
$c->healthy;
$c->down;
done_testing;
