#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 73-storm: random submissions and changes, as tight as they are promised, on partitions with tiers and limits
# of their own, under both schedulers in both modes: no promise is at risk, for nothing comes from outside. 200
# in all, or PACT_STORM; `make check-storm` sends 2000. PACT_SEED repeats a run, and of one that fails log and
# recording are kept. Runs first: it takes a minute.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use Test::More;
use Cluster;
use Storm;

my $all = $ENV{PACT_STORM} // 200;
my $seed = $ENV{PACT_SEED} // 16;
my $at_once = 4;
my @offer;    # words of what was refused, with the deadline that could have been had
my @ids;      # of what was taken
my @later;    # of these, what does not start in the next ten minutes
my $storms = 0;

# A submission: one that could be had, or a new one, which may wait for others.
sub words {
	my $storm = shift;
	return @{ shift @offer } if @offer && Storm::often(0.7);
	my @job = $storm->submission(15);
	push @job, '--dependency=' . Storm::one_of('afterany', 'after', 'afterok') . ':' . Storm::one_of(@ids)
		if @ids && Storm::often(0.1);
	return Storm::often(0.1) ? @job : (@job, '--deadline=now+' . Storm::between(3, 120) . 'minutes');
}

sub submit {
	my ($c, $storm, $n) = @_;
	my @jobs = map { [words($storm)] } 1 .. $n;
	for my $r ($storm->submit($c, 'exec sleep ' . Storm::one_of(0, 0, 1, 3), @jobs)) {
		push @ids, $r->{id} if $r->{id};
		push @later, $r->{id} if $r->{id} && "@{ $r->{words} }" =~ /--begin=now\+[1-9]\dminutes/;
		push @offer, [(grep { !/^--deadline=/ } @{ $r->{words} }), "--deadline=$1"]
			if $r->{err} =~ /earliest that can be promised: --deadline=([^\s;,]+)/;
	}
	shift @ids while @ids > 40;
}

# What users and operators do to a job.  A running one is not given more time: its nodes would be free later than
# was planned, which is an event from outside; so more time is for those that begin after the storm.
sub change {
	my ($c, $storm) = @_;
	my @job = @later && Storm::often(0.3) ? (Storm::one_of(@later), 20) : (Storm::one_of(@ids), 1);
	my $id = $job[0];
	my @words = @{ Storm::one_of(['scancel', $id], ['scontrol', 'hold', $id],
		map { [qw(scontrol update), "JobId=$id", $_] } 'TimeLimit=' . Storm::between(1, $job[1]),
		'Deadline=now+' . Storm::between(5, 90) . 'minutes', 'Partition=' . $storm->parts,
		'NumNodes=' . Storm::between(1, 4), 'ExcNodeList=n' . Storm::between(1, 12),
		'Features=' . Storm::one_of(qw(old new net)), 'StartTime=now+' . Storm::between(10, 30) . 'minutes',
		'Priority=' . Storm::between(1, 100000)) };
	my $rc = $c->cmd(@words)->{rc};
	$storm->did($id, @words, $rc ? '(refused)' : ());
}

# All that was held may go on.
sub release {
	my $c = shift;
	my @held = split ' ', $c->out(qw(squeue -h -a -t PD -O), 'JobID:.20,Reason:.20') =~ s/^(\d+)\s+(\w*)\N*$/$2 eq 'JobHeldUser' ||
		$2 eq 'JobHeldAdmin' ? $1 : ''/gmer;
	$c->cmd(qw(scontrol release), @held) if @held;
}

sub storm {
	my ($c, $name, $n) = @_;
	my $storm = Storm->new(seed => $seed + $storms++);
	my ($before, $mark) = (Storm::stats($c), $c->log_mark);
	@ids = @later = @offer = ();
	my $wall = $c->plain(['-N', $Storm::nodes, '-t2', '--exclusive'], runs => 5);
	$c->wait_state($wall, 'RUNNING');
	for (my $i = 0; $i < $n; $i += $at_once) {
		submit($c, $storm, $n - $i < $at_once ? $n - $i : $at_once);
		change($c, $storm) if @ids && Storm::often(0.5);
		release($c) if Storm::often(0.1);
	}
	$c->wait_for('some of them to end', sub { Storm::stats($c)->{kept} > $before->{kept} + 2 });
	$c->seen;
	my $s = $storm->judge($c, "$name: $n submissions, and no promise is at risk");
	my %more = map { $_ => $s->{$_} - $before->{$_} } qw(accepted refused kept compared);
	note("$name: $more{accepted} promised, $more{refused} refused, $more{kept} kept already");
	cmp_ok($more{accepted}, '>', $n / 6, 'many were promised');
	cmp_ok($more{compared}, '>', $n / 8, 'and compared with their records');
	$c->clear;
	accounted($c, $before, $mark);
}

# Each decision since then was compared with its record, or is counted under the reason why not.
sub accounted {
	my ($c, $before, $mark) = @_;
	my $s = Storm::stats($c);
	my %left = map { $_ => $s->{not_compared}{$_} - $before->{not_compared}{$_} } keys %{ $s->{not_compared} };
	my $told = () = $c->log_text($mark) =~ /deadline: accepted: completes by|: change accepted, planned start/g;
	my $sum = $s->{compared} - $before->{compared};
	$sum += $_ for values %left;
	is($sum, $told, "all $told decisions were compared, or left out: " .
		join(', ', map { "$left{$_} $_" } grep { $left{$_} } sort keys %left));
}

# Log and recording stay where the message says, if anything has failed; that they would do is tried in any case.
sub kept {
	my ($c, $records) = @_;
	my $dir = Storm::keep($c, $records);
	my @files = sort glob "$dir/pact-*.rec";
	my $said = @files ? qx{$Cluster::build/sim/pact-sim replay @files 2>&1} : 'no recording';
	ok(-s "$dir/controller.log" && @files && !$?, 'the log is there, and the recording plays to the same decisions')
		or diag($said);
	return remove_tree($dir) if Test::More->builder->is_passing;
	diag("log and recording: $dir");
}

for my $sched ($ENV{PACT_SCHED} ? $ENV{PACT_SCHED} : qw(qops dynp)) {
	my @site = (nodes => $Storm::nodes, node => \@Storm::node, features => \@Storm::features,
		partition => \@Storm::partition, select => 'cons_tres', sched => $sched);
	my $records = tempdir('pact-records-XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $text = "Guard=60\nAdmissionTime=5000\nRecord=on\nRecordDir=$records\n";
	my $c = Cluster->up(@site, pact => $text);
	storm($c, "$sched, Mode=slurm", int($all / 4));
	is($c->reconfigure("${text}Mode=paper\n")->{rc}, 0, 'the other mode');
	storm($c, "$sched, Mode=paper", int($all / 4));
	$c->healthy("slurmctld is healthy under sched/$sched");
	kept($c, $records);
	$c->down;
}
done_testing;
