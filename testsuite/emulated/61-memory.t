#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 61-memory: slurmctld below valgrind, with submissions in flight, changes, requeues, lost nodes,
# reconfigurations and a shutdown: valgrind has nothing to say about our code. A report counts when one
# of the frames that led to it lies in our plugins, but for what slurmctld does by itself wherever it is
# called from: see excused(), and 61-memory.supp.
#
# Environment: PACT_VALGRIND is the tool, memcheck (default) or helgrind (`make check-races`), PACT_ROUNDS
# how often the whole is repeated (default 1), PACT_SUBMISSIONS how many are in flight (default 20).
# Runs with one other: valgrind needs a processor for itself.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

my $tool = $ENV{PACT_VALGRIND} // 'memcheck';
my $rounds = $ENV{PACT_ROUNDS} // 1;
my $n = $ENV{PACT_SUBMISSIONS} // 20;
plan skip_all => 'valgrind is not installed' if system('command -v valgrind >/dev/null');

my @options = ("--tool=$tool", '--trace-children=no', '--xml=yes', '--xml-file=@DIR@/valgrind.%p.xml',
	'--keep-debuginfo=yes', '--num-callers=30', '--fair-sched=yes', "--suppressions=$FindBin::Bin/61-memory.supp");
push @options, '--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite'
	if $tool eq 'memcheck';

my $c = Cluster->up(nodes => 6, pact => "Guard=60\nAdmissionTime=5000\n",
	conf => "MessageTimeout=100\nKillWait=5\nMinJobAge=2\nJobRequeue=0\n", wrapper => "valgrind @options");

sub sbatch {
	my ($seconds, @args) = @_;
	return ['sbatch', '-o', '/dev/null', @args, '--wrap', "exec sleep $seconds"];
}

# A bit of everything that our code has to do with, at once.
sub storm {
	my ($round) = @_;
	my ($soon, $later) = map { $c->in_seconds($_) } 130, 3600;
	my $wide = $c->plain(['-N6', '-t1'], runs => 5);
	my $again = $c->plain(['-N1', '-t1', '--requeue', '-d', "after:$wide"]);
	my @commands = map {
		my @width = ('-N' . (1 + $_ % 3), '-t1');
		$_ % 10 == 0 ? sbatch(1, @width)
			: $_ % 10 == 1 ? sbatch(1, @width, '--test-only', "--deadline=$later")
			: $_ % 10 == 2 ? sbatch(1, '-N6', '-t1', "--deadline=$soon")
			: $_ % 10 == 3 ? sbatch(1, '-a', '0-2', @width, "--deadline=$later")
			: $_ % 10 == 4 ? sbatch(1, @width, "--dependency=afterany:$wide", "--deadline=$later")
			: sbatch(1, @width, "--deadline=$later")
	} 1 .. $n;
	my @all = $c->at_once(@commands, ['squeue', '--start'], ['scontrol', 'reconfigure']);
	my @ids = map { $_->{id} } grep { $_->{id} } @all;
	cmp_ok(scalar(@ids), '>=', $n / 2, "round $round: jobs were accepted");
	my ($a, $b, $d, $e) = @ids[-4 .. -1];
	$c->at_once((map { sbatch(1, '-N1', '-t1', "--deadline=$later") } 1 .. $n / 2),
		['scontrol', 'update', "JobId=$a", 'TimeLimit=2'],
		['scontrol', 'update', "JobId=$b", "Deadline=$soon"],
		['scontrol', 'hold', $d], ['scancel', $e], ['scontrol', 'requeue', $again],
		['scontrol', 'update', 'NodeName=n6', 'State=DOWN', 'Reason=test'],
		['scontrol', 'create', 'reservation', 'ReservationName=r', 'StartTime=now+60', 'Duration=1',
			'Nodes=n1', 'Users=root'],
		['scontrol', 'reconfigure'], ['squeue', '--start']);
	$c->cmd('scontrol', 'release', $d);
	$c->cmd('scontrol', 'update', 'NodeName=n6', 'State=RESUME');
	$c->cmd('scontrol', 'delete', 'ReservationName=r');
	$c->cmd('scancel', $d, $again); # requeued, it would wait for two minutes
	ok($c->wait_for("round $round: an empty queue",
		sub { $c->out('squeue', '-h', '-t', 'PD,R,CG', '-o', '%A') eq '' }, 300), "round $round: all ended");
	$c->{promised} = {};
}

# Text of the tags inside; the first of each.
sub tags {
	my ($xml, @names) = @_;
	return map { $xml =~ m{<$_>(.*?)</$_>}s ? $1 : '' } @names;
}

# Races over variables that slurmctld itself reads or writes without a lock: the stamps of changes, which
# sched/backfill reads so too; its configuration, of which we read the time of the shutdown and whether it
# takes calls; and its own static variables, which we cannot name (SchedulerParameters as its main
# scheduler has parsed them, before it takes locks).
sub excused {
	my ($error) = @_;
	return $error =~ m{data symbol "(?:last_(?:job|node|part|resv)_update|slurmctld_config)"} ||
		$error =~ m{is in the (?:Data|BSS) segment of [^<]*/slurmctld};
}

# The reports of a valgrind output that have a frame of ours, as text. The first stack decides: others say
# where a block came from, or who was there before, and that may have been before the block was made.
sub reports {
	my ($xml) = @_;
	my @ours;
	while ($xml =~ m{<error>(.*?)</error>}sg) {
		my $error = $1;
		my ($stack) = tags($error, 'stack');
		next unless $stack =~ m{<obj>[^<]*/(?:job_submit_deadline|sched_qops)\.so</obj>};
		next if excused($error);
		my ($kind, $text) = tags($error, 'kind', 'text');
		my ($what) = $text || (tags($error, 'what'))[0];
		my $lines = "$kind: $what\n";
		while ($error =~ m{<(auxwhat|text)>([^<]*)</|<frame>(.*?)</frame>}sg) {
			if ($1) {
				$lines .= "  $2\n";
			} else {
				my ($fn, $obj, $file, $line) = tags($3, 'fn', 'obj', 'file', 'line');
				$lines .= '    ' . ($fn || '?') . ' (' . ($file ? "$file:$line" : $obj) . ")\n";
			}
		}
		push @ours, $lines;
	}
	return @ours;
}

storm($_) for 1 .. $rounds;
my $pid = $c->controller_pid;
kill 'TERM', $pid;
ok($c->wait_for('slurmctld to end', sub { !-e "/proc/$pid/exe" || Cluster::slurp("/proc/$pid/status") =~ /^State:\s+Z/m },
	200), 'slurmctld ends when it is told to');
my $xml = Cluster::slurp("$c->{dir}/c/valgrind.$pid.xml");
like($xml, qr{</valgrindoutput>}, 'valgrind has told all it knows');
my @reports = reports($xml);
is(scalar(@reports), 0, "$tool: nothing about our code") or diag(join "\n", @reports);
is(scalar(grep { /fatal:|[Aa]ssert/ } split /\n/, $c->log_text), 0, 'slurmctld has not complained');
done_testing;
