#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 88-gang-kinds: four partitions, each of four nodes with jobs that take turns in two rows, by gs, bgs, mgs and mbgs in one
# slurmctld. With MigrateTasks=0 no job is migrated. Without it jobs that allow it are migrated under mgs and mbgs; under gs and bgs
# they run on where they are. bgs and mbgs let a job begin before one that waits for more nodes; gs and mgs do not. bgs and mbgs
# promise deadlines. Then a cluster where jobs take turns, and beside them share a node by Admission=libra; and one whose memory is not
# counted (GangMemory=unchecked).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;
use Turns;

my $slice = 5;
my @kinds = qw(gs bgs mgs mbgs);
my %migrates = (mgs => 1, mbgs => 1);
my %backfills = (bgs => 1, mbgs => 1);
my %begin = map { $kinds[$_] => 4 * $_ + 1 } 0 .. $#kinds;    # its first node

sub nodes_of { return sprintf 'n[%d-%d]', @_ }
my $kinds = "Guard=60\nAdmissionTime=5000\n" . join '', map { "PartitionName=$_ Gang=$_\n" } @kinds;
my $parts = join '', map { "PartitionName=$_ Nodes=" . nodes_of($begin{$_}, $begin{$_} + 3) . " OverSubscribe=FORCE:2\n" } @kinds;
my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 4 * @kinds + 1, pact => "${kinds}MigrateTasks=0\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\n"
		. "RequeueExit=99\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n$parts"
		. "PartitionName=batch Nodes=n17 Default=YES\n");

sub half {
	my ($kind, $h) = @_;
	return nodes_of($begin{$kind} + 2 * $h, $begin{$kind} + 2 * $h + 1);
}
sub nodes { return $c->field($_[0], 'NodeList') // '' }
sub begun { return !grep { ($c->state($_) // '') !~ /^(RUNNING|SUSPENDED)$/ } @_ }
sub job {
	my ($kind, @options) = @_;
	return $c->plain(['-p', $kind, '-t30', @options], script => 'while :; do sleep 0.5; done');
}

my %shown = map { $_->{scheduler} => "@{ $_->{partitions} } $_->{nodes} $_->{rows}" }
	@{ decode_json($c->out("$Cluster::build/contrib/pact/pact", '--json', 'matrix'))->{matrices} };
is_deeply(\%shown, { map { $_ => "$_ 4 2" } @kinds }, 'four matrices in one slurmctld');

# ---- migration: a job, one beside it, and one on its nodes in the other row ----

my (%moves, %at, %beside, %below);
$moves{$_} = $c->plain(['-p', $_, '-t30', '-N2', '--migratable'],
	script => "exec $Cluster::top/contrib/migratable/steps $c->{dir}/demo-$_ 100000 0.2 1") for @kinds;
ok($c->wait_for('them', sub { begun(values %moves) }, 60), 'a job in each that may be migrated');
$at{$_} = nodes($moves{$_}) eq half($_, 0) ? 0 : 1 for @kinds;
is(join(' ', map { nodes($moves{$_}) } @kinds), join(' ', map { half($_, $at{$_}) } @kinds), '  on half of the nodes');
$beside{$_} = job($_, '-N2', '-w', half($_, 1 - $at{$_})) for @kinds;
ok($c->wait_for('those beside', sub { begun(values %beside) }, 60), 'one beside it');
$below{$_} = job($_, '-N2', '-w', half($_, $at{$_})) for @kinds;
ok($c->wait_for('those below', sub { begun(values %below) }, 60), 'and one on its nodes in the other row');
my $mark = $c->log_mark;
$c->cmd('scancel', values %beside);
sub restarts { return join ' ', map { $c->field($moves{$_}, 'Restarts') // '' } @kinds }
sub asked { return scalar(() = $c->log_text($mark) =~ /it is asked to leave/g) }
sleep 4 * $slice;
is(restarts(), '0 0 0 0', 'when the one beside it has ended, and MigrateTasks=0, all run on');
is(asked(), 0, '  and none was asked to leave');
is($c->reconfigure($kinds)->{rc}, 0, 'without MigrateTasks');
ok($c->wait_for('them elsewhere', sub { restarts() eq '0 0 1 1' && begun(values %moves) }, 60),
	'those under mgs and mbgs have been migrated, the others not') or diag(restarts());
is(join(' ', map { nodes($moves{$_}) } @kinds), join(' ', map { half($_, $migrates{$_} ? 1 - $at{$_} : $at{$_}) } @kinds),
	'  to the other half');
is(asked(), 2, '  as they were asked to leave');
$c->cmd('scancel', values %moves, values %below);
$c->idle;

# ---- what begins before a job that waits ----

my (%first, %second, %head, %small);
for my $kind (@kinds) {
	$first{$kind} = job($kind, '-N4');
	$second{$kind} = job($kind, '-N3');
}
ok($c->wait_for('them', sub { begun(values %first, values %second) }, 60), 'two jobs in each, and one node left in one row');
$head{$_} = job($_, '-N2') for @kinds;
$small{$_} = job($_, '-N1', '-t1') for @kinds;
ok($c->wait_for('the small ones', sub { begun(map { $small{$_} } keys %backfills) }, 60), 'a small job begins before one that waits, under bgs and mbgs');
sleep 2 * $slice;
is(join(' ', map { $c->state($small{$_}) } grep { !$backfills{$_} } @kinds), 'PENDING PENDING', '  and not under gs and mgs');
is(join(' ', map { $c->state($_) } values %head), join(' ', ('PENDING') x 4), '  the one before it waits everywhere');

# ---- deadlines ----

for my $kind (@kinds) {
	my $r = $c->sbatch(['-p', $kind, '-N1', '-t5', '--deadline=now+3hours'], script => 'true');
	if ($backfills{$kind}) {
		ok($r->{id} && $r->{by}, "$kind promises a deadline") or diag($r->{text});
	} else {
		like($r->{text}, qr/makes no promises/, "$kind promises none");
	}
}
$c->cmd('scancel', '-u', scalar getpwuid $<);
$c->idle;
$c->healthy;
$c->down;

# ---- shares beside turns ----

$c = Cluster->up(nodes => 3, pact => "Guard=60\nAdmissionTime=5000\nReportPort=0\nPartitionName=shared Admission=libra\n",
	conf => "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\nPrologFlags=Alloc\n"
		. "PartitionName=batch Nodes=n[1-2] Default=YES OverSubscribe=FORCE:2\nPartitionName=shared Nodes=n3 OverSubscribe=FORCE:4\n");
my @turns = map { $c->plain(['-N2', '-t30'], script => work($c)) } 1, 2;
my @share = map { $c->sbatch(['-p', 'shared', '-N1', '-t5', "--deadline=now+${_}minutes"], script => work($c))->{id} } 20, 25;
ok($c->wait_for('them', sub { !grep { look($c, $_) eq '-' } @share, @turns }, 40), 'two jobs with Admission=libra run, and two take turns');
my $runs = watch($c, 4 * $slice, @share, @turns);
cmp_ok(overlap($runs, @share), '>', 4 * $slice - 1, 'those with libra run beside each other all the time');
is(join(' ', map { $c->field($_, 'NodeList') } @share), 'n3 n3', '  on one node');
cmp_ok(overlap($runs, @turns), '<', 1, 'the others one after the other');
$c->cmd('scancel', @share, @turns);
$c->idle;
$c->healthy;
$c->down;

# ---- memory that is not counted ----

$c = Cluster->up(nodes => 2, pact => "GangMemory=unchecked\n", conf => "SelectType=select/gang\nSchedulerTimeSlice=$slice\n"
	. "PartitionName=batch Nodes=ALL Default=YES OverSubscribe=FORCE:2\n");
@turns = map { $c->plain(['-N2', '-t30'], script => work($c)) } 1, 2;
ok($c->wait_for('both', sub { !grep { look($c, $_) eq '-' } @turns }, 40), 'GangMemory=unchecked: two jobs begin');
$runs = watch($c, 4 * $slice, @turns);
ok(!(grep { !@{ $runs->{$_} // [] } } @turns), '  both have turns');
cmp_ok(overlap($runs, @turns), '<', 1, '  one after the other');
$c->cmd('scancel', @turns);
$c->idle;
$c->healthy;
$c->down;
done_testing();
