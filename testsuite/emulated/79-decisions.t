#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 79-decisions: the same random jobs get the same decisions, whatever Slurm's release and however fast the
# machine: those of 79-decisions.golden, under both schedulers in both modes. PACT_GOLDEN=write makes that file
# anew, in PACT_TOP; its differences are then to be read and told.
#
# One job holds all nodes for an hour, and all else is planned behind it. Deadlines and --begin are told
# from its start, so no second that passes between two submissions shows in the plan. Only the earliest time
# offered is rounded up to a full minute of the clock, which begins where it likes.
#
# By name, the jobs of a log instead, 60 at a time in their order, as wide and as long as there (a machine's 128
# nodes being our 12): PACT_LOG names it (SWF, .gz or not), PACT_JOBS=FIRST:COUNT the slice. One release writes
# what it decides, the other one's decisions are compared with that:
#
#	PACT_GOLDEN=write:FILE PACT_LOG=... PACT_JOBS=1:1200 ./quickstart check 79-decisions
#	PACT_GOLDEN=FILE PACT_LOG=... PACT_JOBS=1:1200 ./quickstart check --release trixie 79-decisions
#
# Which policy of dynP runs hangs on how long jobs wait, to the second: of a log's jobs, which are not spread out on
# purpose, a list may once be decided otherwise by dynP alone, on the same release as well. Then that list is tried again.
# So may the earliest time that a refusal offers in Mode=paper: artificial deadlines count from the second of a submission.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use POSIX qw(ceil);
use Test::More;
use Cluster;

my ($writes, $golden) = ($ENV{PACT_GOLDEN} // '') =~ /^(write\b)?:?(.*)/;
$golden ||= "$Cluster::top/testsuite/emulated/79-decisions.golden";
my $jobs = 60;		# submissions per scheduler and mode, and of a log at a time
my $wall = 60;		# minutes until there are nodes
my %expected;
my @told;

sub one_of { return $_[rand @_] }
sub often { return rand() < shift }
sub some { return 1 + int rand shift }

# Words of a submission after those of @before, and by when it is to end, in minutes; undef: without a deadline.
sub submission {
	my ($c, $start, @before) = @_;
	my $length = 10 * some(6);
	my @words = ('-N' . some(8), "-t$length");
	push @words, '-p', one_of('left', 'right', 'left,right', 'right,left') if often(0.25);
	push @words, '-C', one_of('fast', 'fast&big') if often(0.1);
	push @words, '-a', '1-' . one_of(2, 3) if often(0.08);
	push @words, '--begin=' . $c->stamp($start + 60 * ($wall + 10 * some(6))) if often(0.05);
	push @words, '--dependency=' . one_of('afterany', 'after') . ':' . one_of(@before) if @before && often(0.1);
	return (\@words, often(0.65) ? $wall + $length + 10 * some(16) : undef);
}

# The line without what differs from run to run: times become minutes since $start, jobs the number of their submission.
sub timeless {
	my ($line, $start, $number) = @_;
	$line =~ s/; pact explain R\w+//;
	$line =~ s/--deadline=uts\d+ \(([^)]*)\)/--deadline=$1/;
	$line =~ s{(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\+00:00)?}{'T+' . int((Cluster::epoch($1) - $start) / 60)}ge;
	$line =~ s/\b(job |after(?:any)?:)(\d+)/$1 . '#' . ($number->{$2} \/\/ '?')/ge;
	return $line;
}

sub answer {
	my ($r, $deadline) = @_;
	return $r->{id} ? 'taken' : 'not taken' unless defined $deadline;
	return $r->{text} =~ /deadline: (.*)/ ? $1 : 'no word';
}

# [nodes, minutes] of each job in the slice of the log, in lists of $jobs.
sub logged {
	my ($first, $count) = ($ENV{PACT_JOBS} // '1:1200') =~ /^(\d+):(\d+)$/ or BAIL_OUT("PACT_JOBS=$ENV{PACT_JOBS}: FIRST:COUNT is wanted");
	open(my $f, '-|', 'gzip', '-dcf', $ENV{PACT_LOG}) or BAIL_OUT("gzip: $!");
	my ($n, @all) = (0);
	while (<$f>) {
		next unless /^\s*\d/ && ++$n >= $first;
		my @job = split;
		my $width = $job[7] > 0 ? $job[7] : $job[4];	# asked for, or else used
		my $limit = $job[8] > 0 ? $job[8] : $job[3];
		push @all, [ceil($width * 12 / 128), ceil($limit / 60)] if $width > 0 && $width <= 128 && $limit > 0;
		last if @all == $count;
	}
	close $f;
	BAIL_OUT("PACT_LOG=$ENV{PACT_LOG}: no such jobs") unless @all == $count;
	return map { [splice @all, 0, $jobs] } 1 .. ceil($count / $jobs);
}

# As submission(), of a job in a log.
sub resubmission {
	my ($nodes, $minutes) = @_;
	return (["-N$nodes", "-t$minutes"], often(0.65) ? $wall + $minutes + int rand 4 * 60 : undef);
}

# Submits, and notes each answer; some of what waits is cancelled in between.
sub round {
	my ($c, $name, @logged) = @_;
	my $first = $c->plain(['-N12', "-t$wall"]);
	$c->wait_state($first, 'RUNNING');
	my $start = $c->field($first, 'StartTime');
	$c->seen;
	srand 18;
	my (@ids, %number, @lines);
	for my $n (1 .. (@logged || $jobs)) {
		my ($words, $end) = @logged ? resubmission(@{ $logged[$n - 1] }) : submission($c, $start, @ids);
		my $deadline = defined $end && $c->stamp($start + 60 * $end);
		my $r = $c->sbatch([@$words, defined $end ? "--deadline=$deadline" : ()]);
		push @lines, timeless(join(' ', $n, @$words, defined $end ? "by $deadline:" : 'no deadline:', answer($r, $end)),
			$start, \%number);
		if ($r->{id}) {
			push @ids, $r->{id};
			$number{ $r->{id} } = $n;
		}
		$c->cmd('scancel', one_of(@ids)) if @ids && often(0.08);
		$c->seen;
	}
	push @told, map { "$name: $_" } @lines;
	same($name, @lines) unless $writes;
}

# All of them, in the mode that is in force.
sub rounds {
	my ($c, $name, @lists) = @_;
	return round($c, $name) unless @lists;
	for my $i (0 .. $#lists) {
		round($c, "$name " . ($i + 1), @{ $lists[$i] });
		$c->clear;
	}
}

sub alike {
	my ($is, $was) = @_;
	my @times = map { [/T\+(-?\d+)/g] } $is, $was;
	s/T\+-?\d+/T/g for $is, $was;
	return $is eq $was && !grep { abs($times[0][$_] - $times[1][$_]) > 1 } 0 .. $#{ $times[0] };
}

sub same {
	my ($name, @lines) = @_;
	my @was = @{ $expected{$name} // [] };
	my @other = grep { !alike($lines[$_], $was[$_] // '') } 0 .. $#lines;
	ok(!@other && @was == @lines, "$name: the decisions on " . @lines . " submissions are those that are known")
		or diag(map { "$lines[$_]\nexpected: " . ($was[$_] // 'nothing') . "\n" } @other[0 .. ($#other > 4 ? 4 : $#other)]);
	return if $ENV{PACT_LOG};
	cmp_ok((grep { /: accepted:/ } @lines), '>', $jobs / 5, 'many were promised');
	cmp_ok((grep { /: refused:/ } @lines), '>', $jobs / 10, 'and some refused');
}

if (!$writes) {
	open(my $f, '<', $golden) or BAIL_OUT("$golden: $!");
	while (<$f>) {
		chomp;
		push @{ $expected{$1} }, $2 if /^(\w+ \w+(?: \d+)?): (.*)/;
	}
}
my @lists = $ENV{PACT_LOG} ? logged() : ();
for my $sched (qw(qops dynp)) {
	my $text = "Guard=10\nAdmissionTime=5000\n";
	my $c = Cluster->up(nodes => 12, sched => $sched, pact => $text,
		features => ['1-5:fast', '4-8:big'],
		partition => ['left Nodes=n[1-6]', 'right Nodes=n[5-12] PriorityTier=10']);
	rounds($c, "$sched slurm", @lists);
	$c->clear;
	is($c->reconfigure("${text}Mode=paper\n")->{rc}, 0, 'the other mode');
	rounds($c, "$sched paper", @lists);
	$c->clear;
	$c->healthy("slurmctld is healthy under sched/$sched");
	$c->down;
}
if (@lists) {
	note((grep { /: accepted:/ } @told) . ' of ' . @told . ' decisions are promises, ' . (grep { /: refused:/ } @told) . ' refusals');
}
if ($writes) {
	open(my $f, '>', $golden) or die "$golden: $!";
	print $f map { "$_\n" } @told;
	close $f or die "$golden: $!";
	pass("$golden is written");
}
done_testing;
