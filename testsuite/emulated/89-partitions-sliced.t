#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 89-partitions-sliced: under select/gang a partition without FORCE, and those that Admission= gives to librarisk and edf, are
# as under select/linear, beside one whose jobs take turns; in that one jobs with a license or GRES are never stopped. What
# becomes of jobs when partitions change, by the states of their processes: State=, Nodes=, another partition, FORCE's number.
# Runs first: it takes three minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Turns;

my $slice = 5;

sub conf {
	my ($rows) = @_;
	return "SelectType=select/gang\nSelectTypeParameters=CR_Memory\nSchedulerTimeSlice=$slice\nDefMemPerNode=100\nPrologFlags=Alloc\n" .
		"Licenses=word:2\nGresTypes=card\nPartitionName=batch Nodes=n[1-3] Default=YES MaxTime=INFINITE OverSubscribe=FORCE:$rows\n";
}

my $c = Cluster->up(nodes => 6, conf => conf(2), node => ['1-3:Gres=card:1', '2:MemSpecLimit=3500'], files => { 'gres.conf' => 'Name=card Count=1' },
	pact => "ReportPort=0\nGuard=60\nAdmissionTime=5000\nPartitionName=share Admission=librarisk\nPartitionName=order Admission=edf\n",
	partition => ['plain Nodes=n4 MaxTime=INFINITE', 'share Nodes=n5 MaxTime=INFINITE OverSubscribe=FORCE:4', 'order Nodes=n6 MaxTime=INFINITE']);

# Each works until its file is there.
sub till { return work($c) =~ s/while :/while [ ! -e $c->{dir}\/end.\$SLURM_JOB_ID ]/r }
sub end_job { $c->file("end.$_", '') for @_ }
sub job { return $c->plain(['-N1', '-t10', @_], script => till()) }

sub all_run {
	my ($name, @ids) = @_;
	ok($c->wait_for($name, sub { !grep { look($c, $_) eq '-' } @ids }, 40), $name) or diag($c->out('squeue', '-a'));
}

sub updated {
	my $r = $c->cmd('scontrol', 'update', @_);
	is($r->{rc}, 0, "scontrol update @_") or diag($r->{err});
}

# What they did for so many seconds: each of `turns` has turns, no two of these or of `apart` run at once, each of `on` is never
# stopped, and those of `off` do not run.
sub seen {
	my ($name, $seconds, %of) = @_;
	my @turns = @{ $of{turns} // [] };
	my $runs = watch($c, $seconds, map { @{ $of{$_} } } keys %of);
	my @bad = map { "job $_ has no turn" } grep { !@{ $runs->{$_} // [] } } @turns;
	my @apart = (@turns, @{ $of{apart} // [] });
	for my $i (0 .. $#apart) {
		push @bad, map { "$apart[$i] and $_ at once" } grep { overlap($runs, $apart[$i], $_) > 1 } @apart[$i + 1 .. $#apart];
	}
	push @bad, map { "job $_ is stopped" } grep {
		my @r = @{ $runs->{$_} // [] };
		@r != 1 || $r[0][1] - $r[0][0] < $seconds - 1
	} @{ $of{on} // [] };
	push @bad, map { "job $_ runs" } grep { @{ $runs->{$_} // [] } } @{ $of{off} // [] };
	ok(!@bad, $name) or diag(join "\n", @bad, map { "$_: " . join ' ', map { sprintf '%.1f-%.1f', @$_ } @{ $runs->{$_} } } sort keys %$runs);
}

# ---- beside each other ----

my ($licensed, $card) = (job('-w', 'n1', '-L', 'word'), job('-w', 'n2', '--gres=card:1'));
my @turns = map { job('-w', 'n3') } 1, 2;
my $third = job();
my ($alone, $behind) = map { job('-p', 'plain') } 1, 2;
my @share = map { $c->accepted("shares: promised within $_ minutes", ['-N1', '-t10', '-p', 'share', "--deadline=now+${_}minutes"],
		script => till())->{id} } 21, 25;
$c->refused('  no share is left for a third', ['-N1', '-t10', '-p', 'share', '--deadline=now+14minutes'], qr/shares for 1 node .* free on 0 of the 1/);
my $first = job('-p', 'order', '--deadline=now+25minutes');
all_run('all have begun', $licensed, $card, @turns, $alone, @share, $first);
my ($far, $near) = map { job('-p', 'order', "--deadline=now+${_}minutes") } 40, 30;
my @never = ($licensed, $card, $alone, @share, $first);
seen('two take turns on one node; what has a license or GRES, and what is in the other partitions, is never stopped', 2 * $slice + 2,
	turns => \@turns, on => \@never, off => [$third, $behind, $far, $near]);
is(join(' ', map { $c->field($_, 'SuspendTime') } @never), join(' ', ('None') x @never), '  nor by the records');
is($c->state($third), 'PENDING', '  and has its node for itself: a third job that would take turns waits');
end_job($alone, $first);
all_run('without FORCE the second one begins when the first has ended', $behind);
all_run('by edf that with the nearer deadline', $near);
is($c->state($far), 'PENDING', '  and not the one before it');
end_job(@share);
$c->promises_kept('by librarisk both promises are kept');

# ---- State= ----

updated('PartitionName=batch', 'State=DOWN');
end_job($licensed); # so that a node is free
$c->reaches('State=DOWN: one ends', $licensed, 'COMPLETED');
seen('  and none begins; those that have begun keep their turns', 2 * $slice + 2, turns => \@turns, on => [$card], off => [$third]);
updated('PartitionName=batch', 'State=INACTIVE');
like($c->sbatch(['-N1', '-t10'])->{text}, qr/Required partition not available/, 'State=INACTIVE: none is taken');
seen('  and those that have begun keep their turns', 2 * $slice + 2, turns => \@turns, on => [$card], off => [$third]);
updated('PartitionName=batch', 'State=UP');
all_run('State=UP: what waits begins', $third);

# ---- another partition ----

my $moves = job('-w', 'n3');
my $comes = job('-p', 'plain');
is($c->state($_), 'PENDING', 'it waits') for $moves, $comes;
ok($c->update($moves, 'Partition=plain', 'ReqNodeList='), 'one that waits for turns goes to a partition without') or diag($c->{text});
ok($c->update($comes, 'Partition=batch', 'OverSubscribe=YES'), '  and one from there comes') or diag($c->{text});
all_run('  and has turns', $comes);
end_job($behind);
all_run('  the other one starts when the node is free', $moves);

# ---- Nodes= ----

end_job($card);
my $beside = job('-w', 'n2');
my $wants = job('-w', 'n3');
all_run('one more', $beside);
updated('PartitionName=batch', 'Nodes=n[1-2]');
my ($on) = grep { look($c, $_) eq 'R' } @turns;
my ($off) = grep { $_ != $on } @turns;
seen('a partition that loses a node: there one goes on, and the other one does not run beside it; elsewhere turns are taken', 3 * $slice,
	turns => [$third, $comes], on => [$on, $beside, $moves], off => [$off]);
is($c->state($wants), 'PENDING', '  what wants that node waits');
end_job($on);
ok($c->wait_for('it to run', sub { look($c, $off) eq 'R' }, 40), '  the other one goes on when that has ended');
seen('  and is not stopped any more', $slice + 2, on => [$off]);
updated('PartitionName=batch', 'Nodes=n[1-3]');
all_run('with its node again it takes what waits', $wants);
seen('  and they take turns', 2 * $slice + 2, turns => [$off, $wants]);
updated('PartitionName=batch', 'Nodes=n[1-4]');
ok($c->log_has(qr/PartitionName=batch Gang=mbgs: it shares nodes with partition plain, whose scheduler is qops; each keeps the nodes that it had/),
	'a node of another partition is not taken');
seen('  neither there nor elsewhere a job is touched', 2 * $slice + 2, turns => [$off, $wants], on => [$moves]);
updated('PartitionName=batch', 'Nodes=n[1-3]');

# ---- FORCE's number, by slurm.conf ----

my $fourth = job('-w', 'n3');
seen('of two rows a third has none', $slice, off => [$fourth]);
is($c->emulate('reconfigure', '--conf', $c->file('conf', conf(3)))->{rc}, 0, 'FORCE:3 in slurm.conf, and scontrol reconfigure');
all_run('three rows take it', $fourth);
seen('  and three take turns', 3 * $slice + 2, turns => [$off, $wants, $fourth]);
is($c->emulate('reconfigure', '--conf', $c->file('conf', conf(2)))->{rc}, 0, 'FORCE:2');
seen('  never two of them run at once', 3 * $slice, apart => [$off, $wants, $fourth]);
is(scalar(grep { $c->state($_) =~ /^(?:RUNNING|SUSPENDED)$/ } $off, $wants, $fourth), 3, '  and all three stay');
$c->cmd('scancel', $off, $wants);
ok($c->wait_for('it to run', sub { look($c, $fourth) eq 'R' }, 40), 'what was beyond them has its turn as others end');

# ---- what the planner does not see whole ----

$c->cmd('scancel', $third, $comes, $beside, $fourth);
my $unseen = job('-w', 'n1', '--contiguous');
all_run('a job that asks for contiguous nodes', $unseen);
my $beneath = job('-w', 'n1');
seen('  has its node for itself', $slice + 2, on => [$unseen], off => [$beneath]);
is($c->emulate('kill-controller')->{rc}, 0, '  slurmctld is killed');
is($c->emulate('start-controller')->{rc}, 0, '  and comes up');
$c->remember_controller;
seen('  and so it has still', 2 * $slice + 2, on => [$unseen], off => [$beneath]);

# ---- memory that is set aside for the system ----

my $large = job('-w', 'n2', '--mem=300');
all_run('a job with more than half of the memory that MemSpecLimit leaves of 4000', $large);
my $more = job('-w', 'n2', '--mem=300');
ok($c->wait_for('the reason', sub { $c->out("$Cluster::build/contrib/pact/pact", 'explain', $more) =~ /the memory/ }), '  for another one there is none');
seen('  it waits, and the first one is not stopped', 2 * $slice + 2, on => [$large], off => [$more]);

$c->healthy;
$c->down;
done_testing;
