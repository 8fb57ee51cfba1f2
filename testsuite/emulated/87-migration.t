#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 87-migration: jobs that allow it (sbatch --migratable) are moved to other nodes when the matrix wants that: signal, checkpoint,
# requeue, start where they are to be. By the steps that the demo (contrib/migratable/steps) has written down none is lost and
# none is done twice, over a kill -9 of slurmctld, too. A job that does not leave runs on where it is; one that dies of the
# signal has ended.
#
# On groups of four nodes, as many as jobs: a job of two nodes, beside it one that stays, and on its own nodes one that stays in the
# other row. When the one beside it ends, that one's row has room for the third, which has nothing but its own nodes: so the
# first has to make way for it.
#
# PACT_MIGRATIONS: at least so many migrations of the demo (5).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use List::Util qw(sum0);
use Test::More;
use Time::HiRes qw(sleep time);
use Cluster;

my $most = $ENV{PACT_MIGRATIONS} // 5;
my @demos = (0 .. 2);
my ($deaf, $dies) = (3, 4);
my $groups = 5;
my $slice = 5;
my $ckpt = 8 - $slice - 1;    # seconds of a checkpoint, which sleeps through a slice in which it is stopped

my $pact = "$Cluster::build/contrib/pact/pact";
my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 4 * $groups, pact => "MigrateGrace=13\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n"
		. "RequeueExit=99\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n"
		. "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n");

# The half of a group's nodes, and all nodes of the others.
sub half {
	my ($g, $h) = @_;
	return sprintf 'n[%d-%d]', 4 * $g + 2 * $h + 1, 4 * $g + 2 * $h + 2;
}
sub others {
	my ($g) = @_;
	return 'n[' . join(',', map { sprintf '%d-%d', 4 * $_ + 1, 4 * $_ + 4 } grep { $_ != $g } 0 .. $groups - 1) . ']';
}
sub nodes { return $c->field($_[0], 'NodeList') // '' }
sub stays { return $c->plain(['-N2', '-t30', '-w', half(@_)], script => 'while :; do sleep 0.5; done') }
sub begun { my @not = grep { ($c->state($_) // '') !~ /^(RUNNING|SUSPENDED)$/ } @_; return !@not }

# ---- the option ----

like($c->out('sbatch', '--help'), qr/--migratable=\[?SIGNAL/, 'sbatch --help has it');
my $r = $c->sbatch(['-N1', '--migratable=KILL'], script => 'true');
like($r->{text}, qr/--migratable=KILL: the signal has to be/, 'another signal is refused');
$r = $c->cmd('salloc', '--migratable', '-N1', 'true');
like($r->{err}, qr/--migratable: only a batch job can be requeued/, 'and so is an interactive job');

$r = $c->sbatch(['-N1-2', '--malleable', '-t5'], script => 'true');
like($r->{text}, qr/--malleable: in partition batch jobs take turns on their nodes/, '--malleable is refused by name where jobs take turns');
$r = $c->cmd("$Cluster::build/contrib/pact/pact", 'ask', '-N1-2', '--malleable', '-t5');
like($r->{err}, qr/--malleable: in partition batch jobs take turns on their nodes/, '  and by pact ask');

# ---- the sketch for DMTCP, with commands that are played ----

my $played = "$c->{dir}/dmtcp";
mkdir $played;
sub command {
	my ($name, $text) = @_;
	open(my $f, '>', "$played/$name") or die "$played/$name: $!";
	print $f "#!/bin/sh\n$text\n";
	close $f;
	chmod 0755, "$played/$name";
}
command('dmtcp_coordinator', 'while [ $# -gt 1 ]; do [ "$1" = --port-file ] && echo 7779 >"$2"; shift; done');
command('dmtcp_launch', "echo \"\$2 \$DMTCP_COORD_PORT\" >$played/launched; shift 2; exec \"\$\@\"");
command('program', "pwd >$played/where");
$r = $c->cmd('sh', '-c', "cd $played && PATH=$played:\$PATH $Cluster::top/contrib/migratable/dmtcp points ./program");
is($r->{rc}, 0, 'contrib/migratable/dmtcp with a directory by its relative name') or diag($r->{err});
is(Cluster::slurp("$played/launched"), "$played/points 7779\n", '  its checkpoints are there, and its coordinator is found');
is(Cluster::slurp("$played/where"), "$played\n", '  the program runs where it was called');

# ---- jobs ----

my %job;
for my $g (@demos) {
	$job{$g} = $c->plain(['-N2', '-t20', '--migratable', '-o', "$c->{dir}/out$g", '-x', others($g)],
		script => "echo begins; exec $Cluster::top/contrib/migratable/steps $c->{dir}/demo$g 100000 0.2 8");
}
$job{$deaf} = $c->plain(['-N2', '-t20', '--migratable=USR2', '-x', others($deaf)],
	script => "trap '' USR2; while :; do sleep 0.5; done");
$job{$dies} = $c->plain(['-N2', '-t20', '--migratable=USR1', '-x', others($dies)], script => 'exec sleep 1000');
my %first = map { $_ => $c->field($job{$_}, 'SubmitTime') } keys %job;
my $begun = time;
ok($c->wait_for('them to run', sub { begun(values %job) }), 'they run');
my %at = map { $_ => nodes($job{$_}) eq half($_, 0) ? 0 : 1 } keys %job;
is($c->field($job{0}, 'Requeue'), 1, 'such a job may be requeued');

# Those of these groups have to leave their half, when nothing is beside them any more.
my %beside;
sub set_up {
	my @g = @_;
	$beside{$_} //= stays($_, 1 - $at{$_}) for @g;
	ok($c->wait_for('those beside', sub { begun(map { $beside{$_} } @g) }), 'jobs beside them run');
	my %over = map { $_ => stays($_, $at{$_}) } @g;
	ok($c->wait_for('those in their way', sub { begun(values %over) }), 'jobs in their way run');
	return %over;
}
sub push_out {
	my %over = @_;
	$c->cmd('scancel', map { $beside{$_} } keys %over);
	%beside = (%beside, %over);
}
sub has_moved {
	my ($g) = @_;
	return begun($job{$g}) && nodes($job{$g}) eq half($g, 1 - $at{$g});
}
sub restarts { return $c->field($job{ $_[0] }, 'Restarts') // 0 }

my $moves = 0;
sub moved {
	my ($name, @g) = @_;
	my $ok = $c->wait_for('them elsewhere', sub { !grep { !has_moved($_) } @g }, 60);
	ok($ok, "$name: they run on the other nodes") or diag(join ' ', map { nodes($job{$_}) . ' ' . $c->state($job{$_}) } @g);
	$at{$_} = 1 - $at{$_} for @g;
	$moves += @g;
}

# ---- all of them are asked ----

my $mark = $c->log_mark;
push_out(set_up(@demos, $deaf, $dies));

# Until it has left it is on its nodes, in its home row alone, and is shown where it is to go.
sub leaving {
	my ($jobs) = map { @{ $_->{jobs} } ? $_->{jobs} : () } @{ decode_json($c->out($pact, '--json', 'matrix'))->{matrices} // [] };
	my ($one) = grep { $_->{job} == $job{$deaf} && $_->{turns}{leaves} } @{ $jobs // [] };
	return $one;
}
my $shown;
ok($c->wait_for('the matrix', sub { $shown = leaving() }, 40), 'pact matrix has it that one is asked to leave');
is(encode_json([@$shown{qw(ranges next_ranges)}, scalar @{ $shown->{turns}{rows} // [] }]),
	encode_json([map({ [[4 * $deaf + 2 * $_, 4 * $deaf + 2 * $_ + 1]] } $at{$deaf}, 1 - $at{$deaf}), 1]),
	'  where it is, in one row, and where it is to go');
moved('asked once', @demos);
is(join(' ', map { restarts($_) } @demos), '1 1 1', 'each was requeued once');
my %limit = map { $_ => $c->field($job{$_}, 'TimeLimit') } @demos;
ok(!(grep { $_ ne '00:20:00' && $_ ne '00:19:00' && $_ ne '00:18:00' } values %limit), 'with the rest of their limits') or diag(values %limit);
ok($c->wait_for('its end', sub { ($c->state($job{$dies}) // '') eq 'FAILED' }, 60), 'one dies of the signal: it has ended');
ok($c->wait_for('the line', sub { $c->log_text($mark) =~ /JobId=$job{$deaf}: it has not left .* in time, and stays there/ }, 60),
	'one does not leave: it stays');
is(nodes($job{$deaf}), half($deaf, 0), '  where it is');
ok($c->wait_for('its turn', sub { $c->state($job{$deaf}) eq 'RUNNING' }), '  and has its turns');
is(restarts($deaf), 0, '  in its first run');

# What that came to: C is twice what the log has of each.
my @took = $c->log_text($mark) =~ /it has left its nodes, (\d+) s after it was asked to/g;
sub migrations { return decode_json($c->out($pact, '--json', 'stats'))->{slices}{migrations} // {} }
$c->wait_for('the last one', sub { (migrations()->{late} // 0) == 1 });
my $told = migrations();
is(join(' ', map { "$_ $told->{$_}" } qw(asked moved late not_asked)), 'asked 5 moved 3 late 1 not_asked 0', 'pact stats counts them');
is($told->{cost_sum}, 2 * sum0(@took), "  with C: 2 x (@took) s");
is($told->{cost_latest}, 2 * $took[-1], '  and the latest');
ok(!(grep { $_ < $ckpt } @took), "  which is as long as the checkpoint takes at least: @took");
my $mean = sprintf '%.1f', $told->{cost_sum} / 3;
like($c->out($pact, 'stats'), qr/^migrations: 5 jobs asked to leave, 3 moved, 1 too late, 0 could not be asked; C: mean $mean s, latest $told->{cost_latest} s$/m,
	'  in words');
my $metrics = $c->out($pact, 'stats', '--prometheus');
like($metrics, qr/^\Q$_\E$/m, "  for Prometheus: $_") for 'pact_migrations_total{outcome="asked"} 5', 'pact_migration_cost_seconds_count 3',
	"pact_migration_cost_seconds_sum $told->{cost_sum}";
$c->cmd('scancel', $job{$deaf}, map { $beside{$_} } $deaf, $dies);

# For later: it does not leave either.
delete $beside{$dies};
my $hand = $c->plain(['-N2', '-t20', '--migratable=USR2', '-x', others($dies)],
	script => "trap '' USR2; while :; do sleep 0.5; done");

# ---- and again, with a controller that dies meanwhile ----

my %over = set_up(@demos);
$mark = $c->log_mark;
push_out(%over);
ok($c->wait_for('signals', sub { my $n = () = $c->log_text($mark) =~ /it is asked to leave/g; $n == @demos }, 60), 'they are asked again');
# Before that is saved it is lost with the controller, and Slurm's own two minutes have to pass. Their checkpoints take longer.
# The record of the one that has died of it says so, too.
sub saved { my $n = () = Cluster::slurp("$c->{dir}/c/state/job_state") =~ /PACT_MOVE=2:asked/g; return $n > @demos }
ok($c->wait_for('a saved state', \&saved, 7), 'which is saved');
is($c->emulate('kill-controller')->{rc}, 0, 'kill -9 of slurmctld');
is($c->emulate('start-controller')->{rc}, 0, 'it comes up');
$c->remember_controller;
ok($c->wait_for('them to go on', sub { !grep { restarts($_) < 2 || !begun($job{$_}) } @demos }, 60), 'they leave, and go on')
	or diag(join ' ', map { restarts($_) . ' ' . $c->state($job{$_}) } @demos);
$at{$_} = nodes($job{$_}) eq half($_, 0) ? 0 : 1 for @demos;
$moves += @demos;

while ($moves < $most) {
	push_out(set_up(@demos));
	moved('again', @demos);
}

# ---- requeued by hand when it was asked ----

$mark = $c->log_mark;
ok(begun($hand), 'one more runs');
$at{$dies} = nodes($hand) eq half($dies, 0) ? 0 : 1;
push_out(set_up($dies));
ok($c->wait_for('a signal', sub { $c->log_text($mark) =~ /JobId=$hand: it is asked to leave/ }, 60), '  and is asked');
is($c->cmd('scontrol', 'requeue', $hand)->{rc}, 0, '  it is requeued before it has left');
ok($c->wait_for('its end', sub { $c->state($hand) eq 'PENDING' }, 60), '  it has ended');
sleep 3; # what has left is started in the next second
is($c->state($hand), 'PENDING', '  and waits for two minutes, as ever');
unlike($c->log_text($mark), qr/JobId=$hand: it has left its nodes/, '  it is not taken for one that has left');
$c->cmd('scancel', $hand, $beside{$dies});

# ---- what they have done ----

# A limit in whole minutes, rounded up, is the rest of twenty: steps take 0.2 s each, checkpoints $ckpt at least, and it ran no longer
# than since it was begun first.
sub is_rest {
	my ($g, $limit) = @_;
	my @runs = Cluster::slurp("$c->{dir}/demo$g/log") =~ / (\d+)$/mg;
	my $before = grep { $_ < $runs[-1] } @runs;
	my $used = 0.2 * $before + $ckpt * $runs[-1];
	my ($minutes) = $limit =~ /^00:(\d+):00$/ or return fail("  a limit: $limit");
	ok(60 * $minutes < 1200 - $used + 60 && 60 * $minutes >= 1200 - (time - $begun),
		"  and has the rest of its limit, $limit after $used s");
}

for my $g (@demos) {
	my $dir = "$c->{dir}/demo$g";
	my $had = () = Cluster::slurp("$dir/log") =~ /\n/g;
	ok(scalar(grep { $_ == $first{$g} } Cluster::slurp("$c->{dir}/c/state/job_state") =~ /PACT_MOVE=2:(?:asked|moved):(\d+):/g),
		"demo $g knows when it was submitted first");
	isnt($c->field($job{$g}, 'SubmitTime'), $first{$g}, '  which Slurm does not any more');
	cmp_ok(scalar(() = Cluster::slurp("$c->{dir}/out$g") =~ /^begins$/mg), '>', 1, '  its runs have one output');
	is_rest($g, $c->field($job{$g}, 'TimeLimit'));
	ok($c->wait_for('more steps', sub { my $n = () = Cluster::slurp("$dir/log") =~ /\n/g; $n > $had + 5 }), "demo $g goes on");
	$c->cmd('scancel', $job{$g});
	$c->wait_for('its end', sub { ($c->state($job{$g}) // 'CANCELLED') eq 'CANCELLED' });
	my @steps = Cluster::slurp("$dir/log") =~ /^(\d+) /mg;
	my @runs = Cluster::slurp("$dir/log") =~ / (\d+)$/mg;
	ok(@steps > 10 && !(grep { $steps[$_] != $_ + 1 } 0 .. $#steps), "  each step once, in order: " . @steps);
	ok($runs[-1] >= 1, "  in " . ($runs[-1] + 1) . ' runs');
	is(Cluster::slurp("$dir/lost"), '', '  none was lost');
	ok(!-e "$dir/twice", '  and none was done twice at a time');
}
$c->healthy;
$c->down;
done_testing;
