#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/simulator.pl: how long pact-sim takes, the whole process from outside.
#
#   logs     whole logs in $PACT_TRACES (skipped when it is not set): EASY and conservative over SDSC SP2 and
#            CTC SP2, LibraRisk and MBGS over SDSC SP2, QoPS over 5000 jobs of each at load 1.6 (with the threads that pact-sim takes by itself,
#            and with one), EASY over CEA Curie. Reference: reading the same log (gzip -dc | awk, which adds up
#            a column).
#   made     10^6 jobs of two models on 100,000 nodes under EASY. Reference: awk draws and adds up 10^6
#            random numbers. And as many on 1000 nodes, which FCFS cannot keep up with: its CPU time beside
#            EASY's, in turns.
#   turns    workload 5 of the paper on gang scheduling under MBGS, and the 45 runs of its Table 1, two at a time.
#            Reference: awk draws and adds up as many random numbers as there are jobs in 100 runs.
#   growth   microseconds of CPU time per event at queues that grow fourfold: an overloaded machine, limits equal
#            to the runtimes and limits of up to five times as much. Reference: the shortest queue.
#
# A line: what, seconds (best of RUNS), CPU seconds (least), jobs per second, peak memory in MiB, and seconds over
# those of the reference (best of RUNS). PACT_BENCH_RUNS (5) and PACT_BENCH_MADE (1000000 jobs) change the
# size. Seconds are told, not judged. Exit 1 when a run failed.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Time::HiRes qw(time);

my $build = $ENV{PACT_BUILD} // '.';
my $sim = "$build/sim/pact-sim";
my $traces = $ENV{PACT_TRACES};
my $runs = $ENV{PACT_BENCH_RUNS} // 5;
my $made = $ENV{PACT_BENCH_MADE} // 1_000_000;
my $dir = tempdir("pact-bench-XXXXXX", TMPDIR => 1, CLEANUP => 1);
my $failed = 0;

# The least seconds and CPU seconds of so many runs of a command.
sub measure {
	my ($times, @command) = @_;
	my ($best, $cpu);

	for (1 .. $times) {
		my @before = times;
		my $start = time;
		my $rc = system(@command);
		my $took = time - $start;
		my @after = times;
		my $used = $after[2] + $after[3] - $before[2] - $before[3];

		if ($rc) {
			print "simulator: failed: @command\n";
			$failed = 1;
			return;
		}
		$best = $took if !defined $best || $took < $best;
		$cpu = $used if !defined $cpu || $used < $cpu;
	}
	return ($best, $cpu);
}

# A figure of the last run.
sub figure {
	my ($key) = @_;

	open(my $f, '<', "$dir/run.json") or return 0;
	while (<$f>) {
		return $1 if /^\s*"\Q$key\E":\s*([-0-9.e+]+)/;
	}
	return 0;
}

sub simulate {
	my ($times, @options) = @_;

	return measure($times, $sim, 'run', '--quiet', '--json', "$dir/run.json", @options);
}

# Seconds that the whole process is to take on two cores with nothing else to do: told, not judged.
my %target = ('SDSC SP2 easy' => 0.15, 'CTC SP2 easy' => 0.15, 'SDSC SP2 conservative' => 0.5,
	'CTC SP2 conservative' => 0.5, 'SDSC SP2 qops 5000 load 1.6' => 1, 'CTC SP2 qops 5000 load 1.6' => 1,
	'SDSC SP2 librarisk' => 2, 'SDSC SP2 mbgs' => 5, 'CEA Curie easy' => 2, 'workload 5 mbgs' => 0.3);
@target{'made poisson easy', 'made narrow easy'} = (10, 10) if $made == 1_000_000;

sub line {
	my ($what, $reference, @options) = @_;
	my ($seconds, $cpu) = simulate($runs, @options);

	return unless defined $seconds;
	printf "%-28s %8.3f s %8.2f s CPU %9.0f jobs/s %6.0f MiB  ratio %.2f%s\n", $what, $seconds, $cpu,
		figure('jobs_submitted') / $seconds, figure('peak_rss_kib') / 1024, $seconds / $reference,
		$target{$what} ? "  (target: $target{$what} s)" : '';
}

sub reading {
	my ($log) = @_;
	my ($seconds) = measure($runs, 'sh', '-c',
		'gzip -dc "$0" | awk \'{ s += $4 } END { exit !s }\'', $log);

	return $seconds;
}

sub logs {
	my %log = (
		'SDSC SP2' => 'SDSC-SP2-1998-4-derived.swf.gz',
		'CTC SP2' => 'CTC-SP2-1996-3.1-derived.swf.gz',
		'CEA Curie' => 'CEA-Curie-2011-2.1-cln.swf.gz',
	);
	my %from = ('SDSC SP2' => 40001, 'CTC SP2' => 20001);

	for my $name ('SDSC SP2', 'CTC SP2', 'CEA Curie') {
		my $path = "$traces/$log{$name}";

		if (!-e $path) {
			print "$name: skipped, no $log{$name}\n";
			next;
		}
		my $reference = reading($path) or next;

		line("$name easy", $reference, '--trace', $path, '--scheduler', 'easy');
		next unless $from{$name};
		line("$name conservative", $reference, '--trace', $path, '--scheduler', 'conservative');
		line("$name librarisk", $reference, '--trace', $path, '--scheduler', 'librarisk', '--deadlines', 'urgency:0.2')
			if $name eq 'SDSC SP2';
		line("$name mbgs", $reference, '--trace', $path, '--scheduler', 'mbgs', '--set', 'Rows=5')
			if $name eq 'SDSC SP2';
		my @qops = ('--trace', $path, '--jobs', "$from{$name}:5000", '--estimates', 'exact', '--load', '1.6',
			'--scheduler', 'qops', '--deadlines', 'stringency:0.2,fraction:1');

		line("$name qops 5000 load 1.6", $reference, @qops);
		line("$name qops, one thread", $reference, @qops, '--threads', 1);
	}
}

# awk adds up so many random numbers.
sub drawing {
	my ($n) = @_;
	my ($seconds) = measure($runs, 'awk', "BEGIN { for (i = 0; i < $n; i++) s += log(1 + rand()); exit !s }");

	return $seconds;
}

sub made {
	my $reference = drawing($made);
	my @common = ('--nodes', 100000, '--jobs', "1:$made", '--scheduler', 'easy');

	return unless $reference;
	line("made poisson easy", $reference, '--model', 'poisson', @common);
	# wide jobs are rare in the logs: some 10,000 of these run at a time
	line("made narrow easy", $reference, '--model', 'poisson', @common, '--set', 'model.max_width=16');
	overloaded();
}

sub turns {
	my $reference = drawing(1_000_000) or return;
	my $blue = '--model hypererlang --nodes 320 --jobs 1:10000 --set model.set=blue';
	my ($seconds, $cpu);

	line('workload 5 mbgs', $reference, split(' ', $blue), 'model.workload=5', '--scheduler', 'mbgs', '--set', 'Rows=5');
	($seconds, $cpu) = measure($runs, 'sh', '-c', <<"EOF", $sim);
for w in 0 1 2 3 4 5 6 7 8; do
	echo "model.workload=\$w --scheduler bf"
	for s in gs bgs mgs mbgs; do
		echo "model.workload=\$w --scheduler \$s --set Rows=5"
	done
done | xargs -P 2 -L 1 "\$0" run --quiet --estimates phi:0.2 $blue
EOF
	printf "%-28s %8.3f s %8.2f s CPU  ratio %.2f  (target: 6 s)\n", 'Table 1, 45 runs', $seconds, $cpu, $seconds / $reference
		if defined $seconds;
}

# A long queue is to cost FCFS nothing that EASY does not have to do: in turns, the least of each.
sub overloaded {
	my (%least, $waiting);

	for (1 .. $runs) {
		for my $scheduler ('easy', 'fcfs') {
			my ($seconds, $cpu) = simulate(1, '--model', 'poisson', '--nodes', 1000, '--jobs', "1:$made",
				'--set', 'model.load=0.85', '--scheduler', $scheduler);

			return unless defined $cpu;
			$least{$scheduler} = $cpu if !defined $least{$scheduler} || $cpu < $least{$scheduler};
		}
		$waiting = figure('max_waiting');
	}
	printf "made overloaded fcfs          %8.2f s CPU, easy %.2f s CPU  ratio %.2f  (target: 2), %d waiting\n",
		$least{fcfs}, $least{easy}, $least{fcfs} / ($least{easy} || 0.01), $waiting;
}

# Without early ends the places stand once given, and an event should cost hardly more in a long queue than
# in a short one. After an early end conservative compresses, and of these jobs one in eight really moves,
# however long the queue is.
sub growth {
	my @curves = (
		['easy', 'limits are the runtimes', '--estimates', 'exact'],
		['easy', 'early ends', '--estimates', 'log'],
		['conservative', 'limits are the runtimes', '--estimates', 'exact'],
		['conservative', 'early ends', '--estimates', 'log'],
	);

	for my $curve (@curves) {
		my ($scheduler, $what, @estimates) = @$curve;
		my $first;

		for my $jobs (1000, 4000, 16000, 64000) {
			# thousands move after each early end: the longest queue alone would take a minute
			next if $scheduler eq 'conservative' && $what eq 'early ends' && $jobs > 16000;
			# the clock ticks every 10 ms, which a single short run may end within
			my $runs = 64000 / $jobs;
			my $before = (times)[2] + (times)[3];
			my @run = ('--model', 'poisson', '--nodes', 1000, '--jobs', "1:$jobs", '--scheduler', $scheduler,
				'--set', 'model.load=1.5', @estimates);
			for (1 .. $runs) {
				defined simulate(1, @run) or return;
			}
			my $cpu = ((times)[2] + (times)[3] - $before) / $runs;
			my $events = figure('events');

			return unless $cpu > 0 && $events;
			my $each = 1e6 * $cpu / $events;

			$first //= $each;
			printf "growth %-13s %-24s queue %6d  %8.2f us per event  ratio %.2f\n", $scheduler, $what,
				figure('max_waiting'), $each, $each / $first;
		}
	}
}

$| = 1;
if ($traces) {
	logs();
} else {
	print "simulator: PACT_TRACES is not set: no logs\n";
}
made();
turns();
growth();
exit $failed;
