#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/controller.pl: what sched/qops costs slurmctld, beside stock sched/backfill in the same run, on
# emulated clusters of the same size, one after the other.
#
#   latency     median time of one sbatch call (the whole process) with JOBS jobs waiting
#   locks       microseconds under slurmctld's locks per planning pass, as sdiag reports them for both
#   throughput  seconds for TASKS one-second jobs of one node on NODES nodes, released at once
#   growth      resident memory of slurmctld over the third of three times JOBS jobs that come and go:
#               before that the allocator's arenas, one for each of many threads, still fill up
#
# Each line: what, stock, qops, ratio. PACT_BENCH_JOBS (10000), PACT_BENCH_TASKS (2000) and
# PACT_BENCH_NODES (128) change the size. Exit 1 when something could not be measured.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Time::HiRes qw(time sleep);

my $top = $ENV{PACT_TOP} // '.';
my $build = $ENV{PACT_BUILD} // $top;
my $jobs = $ENV{PACT_BENCH_JOBS} // 10000;
my $tasks = $ENV{PACT_BENCH_TASKS} // 2000;
my $nodes = $ENV{PACT_BENCH_NODES} // 128;
my $calls = 200;
my $dir = tempdir("pact-bench-XXXXXX", TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir; # munged wants its socket reachable
my $emulate = "$top/contrib/emulate/emulate";
my $up = 0;

$SIG{$_} = sub { exit 130 } for qw(INT TERM HUP);

END { my $rc = $?; down() if $up; $? = $rc; }

sub note { print STDERR "controller: @_\n" }

sub down {
	system("$emulate --dir $dir/c down --purge >/dev/null 2>&1");
	$up = 0;
}

# The environment of the cluster's commands, taken once: `emulate run` itself is slow to start.
my %env;

sub cluster_up {
	my ($sched) = @_;
	my $conf = "$dir/conf";
	my $extra = $sched eq 'stock' ? 'bf_continue,bf_max_job_test=100000,bf_interval=5,defer' : '';

	open my $out, '>', $conf or die "controller: $conf: $!\n";
	print $out "MaxJobCount=60000\nMinJobAge=10\n";
	print $out "SchedulerParameters=$extra\n" if $extra;
	close $out;
	my @plugins = $sched eq 'qops' ? ('--submit', 'deadline', '--plugin-dir',
		"$build/plugins/.libs") : ();
	system($emulate, '--dir', "$dir/c", 'up', '--nodes', $nodes, '--sched', $sched, '--conf', $conf,
		@plugins) == 0 or die "controller: the cluster with $sched did not start\n";
	$up = 1;
	%env = map { /^(?:export )?(\w+)=['"]?(.*?)['"]?;?$/ ? ($1 => $2) : () }
		`$emulate --dir $dir/c env`;
	$ENV{$_} = $env{$_} for keys %env;
}

sub quiet { system("$_[0] >/dev/null 2>&1") == 0 }

# A controller that forgets ten thousand jobs lets a command time out, stock or not: not what is
# measured here.
sub insist {
	my ($command) = @_;

	for (1 .. 10) {
		return 1 if quiet($command);
		sleep 2;
	}
	return 0;
}

# Run a command template for 1 .. n in four processes side by side.
sub in_parallel {
	my ($n, $command) = @_;
	my @pids;

	for my $part (0 .. 3) {
		my $pid = fork // die "controller: fork: $!\n";
		if (!$pid) {
			$up = 0;
			for (my $i = $part; $i < $n; $i += 4) {
				insist($command->($i)) or POSIX::_exit(1);
			}
			POSIX::_exit(0);
		}
		push @pids, $pid;
	}
	for (@pids) {
		waitpid $_, 0;
		die "controller: a submission failed\n" if $?;
	}
}
use POSIX ();

# Jobs in these states; -1 when a controller that is busy did not answer: then nobody knows.
sub count {
	my ($states) = @_;
	my @lines = `squeue -h -t $states -o %i`;

	return $? ? -1 : scalar @lines;
}

sub wait_for {
	my ($what, $seconds, $test) = @_;
	my $until = time + $seconds;

	until ($test->()) {
		die "controller: waited $seconds s for $what\n" if time > $until;
		sleep 0.2;
	}
}

sub median { my @v = sort { $a <=> $b } @_; return $v[$#v / 2] }

sub rss {
	my $pid = `pgrep -f -x '/usr/sbin/slurmctld .*$dir/c/.*' | head -n 1`;

	chomp $pid;
	open my $in, '<', "/proc/$pid/status" or return 0;
	while (<$in>) { return $1 if /^VmRSS:\s+(\d+)/ }
	return 0;
}

sub sbatch_latency {
	my ($options) = @_;
	my (@ms, $refused);

	for (1 .. $calls) {
		my $t = time;
		my $taken = quiet("sbatch -N1 -t60 -o /dev/null $options --wrap true");
		die "controller: sbatch\n" unless $taken || $options; # a deadline may be refused
		$refused++ unless $taken;
		push @ms, (time - $t) * 1000;
	}
	note("$refused of $calls refused with $options") if $refused;
	return median(@ms);
}

# Mean and last microseconds per pass under locks, from sdiag's backfilling block.
sub sdiag {
	my $text = `sdiag`;
	my ($block) = $text =~ /(Backfilling stats.*)/s;
	my ($cycles) = ($block // '') =~ /Total cycles:\s+(\d+)/;
	my ($mean) = ($block // '') =~ /Mean cycle:\s+(\d+)/;
	my ($max) = ($block // '') =~ /Max cycle:\s+(\d+)/;

	return ($cycles // 0, $mean // 0, $max // 0);
}

sub throughput {
	in_parallel($tasks, sub { 'sbatch -H -N1 -n1 -t1 -o /dev/null --wrap "sleep 1"' });
	my $ids = join ',', map { s/\s//gr } `squeue -h -o %i`;
	my $t = time;

	quiet("scontrol release $ids") or die "controller: release\n";
	wait_for('the short jobs', 1800, sub { count('PD,R,CG') == 0 });
	return time - $t;
}

sub growth {
	my ($held) = @_;
	my $before;

	for (1 .. 3) {
		$before = rss();
		in_parallel($held, sub { 'sbatch -N1 -t60 -H -o /dev/null --wrap true' });
		insist('scancel -t PD -u root') or die "controller: scancel\n";
		wait_for('the records to go', 600, sub { count('all') == 0 });
	}
	return rss() - $before;
}

sub measure {
	my ($sched) = @_;
	my %m;

	note("$sched: start");
	cluster_up($sched);
	note("$sched: $tasks short jobs");
	$m{throughput} = throughput();
	wait_for('the records to go', 600, sub { count('all') == 0 });
	quiet("sbatch -N$nodes -t600 -o /dev/null --wrap 'sleep 7200'") or die "controller: sbatch\n";
	wait_for('the machine to be full', 60, sub { count('R') == 1 });
	note("$sched: $jobs waiting jobs");
	in_parallel($jobs, sub { my $i = shift; my $n = 1 + $i % 16;
		"sbatch -N$n -t" . (10 + $i % 300) . " -o /dev/null --wrap true" });
	quiet('sdiag -r') or die "controller: sdiag\n";
	my $t = time;
	note("$sched: $calls calls of sbatch");
	$m{latency} = sbatch_latency('');
	if ($sched eq 'qops') { # the second lies behind all that waits, the first does not
		$m{early} = sbatch_latency('--deadline=now+30days');
		$m{late} = sbatch_latency('--deadline=now+300days');
	}
	wait_for('three passes', 600, sub { (sdiag())[0] >= 3 });
	@m{qw(cycles locks locks_max)} = sdiag();
	note("$sched: end of all jobs");
	insist('scancel -u root') or die "controller: scancel\n";
	wait_for('the records to go', 900, sub { count('all') == 0 });
	note("$sched: $jobs jobs that come and go");
	$m{growth} = growth($jobs);
	down();
	return \%m;
}

my $stock = measure('stock');
my $qops = measure('qops');
my $ratio = sub { $_[1] ? sprintf '%.3f', $_[0] / $_[1] : '-' };

printf "%-34s %12s %12s %8s\n", "controller: $jobs jobs, $nodes nodes", 'stock', 'qops', 'ratio';
printf "%-34s %12.2f %12.2f %8s\n", 'sbatch latency, median ms', $stock->{latency}, $qops->{latency},
	$ratio->($qops->{latency}, $stock->{latency});
printf "%-34s %12s %12.2f %8s\n", 'with a deadline before others', '-', $qops->{early},
	$ratio->($qops->{early}, $stock->{latency});
printf "%-34s %12s %12.2f %8s\n", 'with a deadline after all', '-', $qops->{late},
	$ratio->($qops->{late}, $stock->{latency});
printf "%-34s %12d %12d %8s\n", 'under locks per pass, mean us', $stock->{locks}, $qops->{locks},
	$ratio->($qops->{locks}, $stock->{locks});
printf "%-34s %12d %12d %8s\n", 'under locks per pass, worst us', $stock->{locks_max},
	$qops->{locks_max}, $ratio->($qops->{locks_max}, $stock->{locks_max});
printf "%-34s %12.2f %12.2f %8s\n", "jobs per second, $tasks of 1 s", $tasks / $stock->{throughput},
	$tasks / $qops->{throughput}, $ratio->($stock->{throughput}, $qops->{throughput});
printf "%-34s %12d %12d\n", "slurmctld growth over $jobs, KiB", $stock->{growth}, $qops->{growth};
