#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/controller.pl: what sched/qops and sched/dynp cost slurmctld, beside stock sched/backfill in the same
# run, on emulated clusters of the same size, one after the other. Stock is made to look at all jobs
# (bf_max_job_test=JOBS or more, bf_continue; no limit per user or partition).
#
#   latency     median time of one sbatch call (the whole process) with JOBS jobs waiting
#   cycle       microseconds of a planning pass, as sdiag reports them: stock's under the write lock, given
#               up every 2 s at most (bf_yield_interval); ours whole, planning without locks included
#   writing     ours, pact stats: microseconds under slurmctld's locks to write per pass, and
#   reading     to read; then the longest in one piece since slurmctld started, of both
#   processor   of a pass and of these pieces, the thread's processor time alone: what is left of them where
#               nobody else wants the processors (a thread that has to wait for one holds its locks meanwhile)
#   quiet       passes in a minute in which nobody does anything; ours are made every PlanInterval (30 s), and
#               when slurmctld has asked all nodes whether they are there; stock's every bf_interval (here 5 s)
#   deadline    the same as latency with --deadline, the first of which can be promised before others
#   throughput  seconds for TASKS one-second jobs of one node on NODES nodes, released at once
#   growth      resident memory of slurmctld over the third of three times JOBS jobs that come and go:
#               before that the allocator's arenas, one for each of many threads, still fill up
#
# Each line: what, stock, qops, its ratio to stock, dynp, its ratio. PACT_BENCH_JOBS (10000), PACT_BENCH_TASKS (2000) and
# PACT_BENCH_NODES (128) change the size. Exit 1 when something could not be measured.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use lib $FindBin::Bin;
use Needs;
use Time::HiRes qw(time sleep);

my $top = $ENV{PACT_TOP} // '.';
my $build = $ENV{PACT_BUILD} // $top;
my $jobs = $ENV{PACT_BENCH_JOBS} // 10000;
my $tasks = $ENV{PACT_BENCH_TASKS} // 2000;
my $nodes = $ENV{PACT_BENCH_NODES} // 128;
my $calls = 200;
my $user = getpwuid $<;
Needs::emulation('controller');
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
	my $most = $jobs + $calls > 10000 ? $jobs + $calls : 10000;
	my $extra = $sched eq 'stock' ? "bf_continue,bf_max_job_test=$most,bf_interval=5,defer" : '';

	open my $out, '>', $conf or die "controller: $conf: $!\n";
	print $out "MaxJobCount=60000\nMinJobAge=10\n";
	print $out "SchedulerParameters=$extra\n" if $extra;
	close $out;
	my @plugins = $sched ne 'stock' ? ('--submit', 'deadline', '--plugin-dir',
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

sub ctld {
	my $pid = `pgrep -f -x '/usr/sbin/slurmctld .*$dir/c/.*' | head -n 1`;

	chomp $pid;
	return $pid;
}

# Microseconds of processor time of sched/backfill's thread.
sub backfill_work {
	for my $task (glob '/proc/' . ctld() . '/task/*') {
		open my $comm, '<', "$task/comm" or next;
		next unless <$comm> =~ /^bckfl$/;
		open my $times, '<', "$task/schedstat" or next;
		return (split ' ', <$times>)[0] / 1000;
	}
	return;
}

sub rss {
	my $pid = ctld();

	open my $in, '<', "/proc/$pid/status" or return 0;
	while (my $line = <$in>) { return $1 if $line =~ /^VmRSS:\s+(\d+)/ }
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

# What our planning thread's passes cost, from pact stats: microseconds by the name of the time.
sub stats {
	my $all = eval { decode_json(`$build/contrib/pact/pact --json stats`)->{times} }
		// die "controller: pact stats\n";

	return $all;
}

# The mean of a time between two of them.
sub mean {
	my ($name, $from, $to) = @_;
	my $n = $to->{$name}{count} - $from->{$name}{count};

	return $n ? ($to->{$name}{sum_us} - $from->{$name}{sum_us}) / $n : 0;
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
		insist("scancel -t PD -u $user") or die "controller: scancel\n";
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
	my $before = $sched eq 'stock' ? undef : stats();
	my $worked = backfill_work();
	note("$sched: $calls calls of sbatch");
	$m{latency} = sbatch_latency('');
	if ($before) { # the second lies behind all that waits, the first does not
		$m{early} = sbatch_latency('--deadline=now+30days');
		$m{late} = sbatch_latency('--deadline=now+300days');
	}
	wait_for('three passes', 600, sub { (sdiag())[0] >= 3 });
	@m{qw(cycles locks locks_max)} = sdiag();
	$m{pass_cpu} = (backfill_work() - $worked) / $m{cycles} if defined $worked;
	if ($before) {
		my $after = stats();
		$m{$_} = mean($_, $before, $after) for qw(snapshot writing planning decision pass_cpu);
		$m{"worst_$_"} = $after->{$_}{worst_us}
			for qw(read_lock write_lock read_lock_cpu write_lock_cpu);
	}
	note("$sched: a quiet minute");
	sleep 5;
	my $made = (sdiag())[0];
	sleep 60;
	$m{quiet} = (sdiag())[0] - $made;
	note("$sched: end of all jobs");
	insist("scancel -u $user") or die "controller: scancel\n";
	wait_for('the records to go', 900, sub { count('all') == 0 });
	note("$sched: $jobs jobs that come and go");
	$m{growth} = growth($jobs);
	down();
	return \%m;
}

my $stock = measure('stock');
my @ours = (measure('qops'), measure('dynp'));

# What, the key of the value, its format, and the key of what it is compared with in stock, if another.
sub line {
	my ($what, $key, $format, $of) = @_;
	my $cell = sub { defined $_[0] ? sprintf $format, $_[0] : '-' };
	my $base = $stock->{ $of // $key };

	printf "%-36s %12s", $what, $cell->($stock->{$key});
	printf " %12s %8s", $cell->($_->{$key}),
		$base && defined $_->{$key} ? sprintf('%.3f', $_->{$key} / $base) : '-' for @ours;
	print "\n";
}

$_->{rate} = $tasks / $_->{throughput} for $stock, @ours;
printf "%-36s %12s %12s %8s %12s %8s\n", "controller: $jobs jobs, $nodes nodes", qw(stock qops ratio dynp ratio);
line('sbatch latency, median ms', 'latency', '%.2f');
line('with a deadline before others', 'early', '%.2f', 'latency');
line('with a deadline after all', 'late', '%.2f', 'latency');
line('a pass, mean us', 'locks', '%d');
line('a pass, worst us', 'locks_max', '%d');
line('  its processor time, mean us', 'pass_cpu', '%d');
line('  writing per pass, mean us', 'writing', '%d', 'locks');
line('  reading per pass, mean us', 'snapshot', '%d', 'locks');
line('write locks in one piece, worst us', 'worst_write_lock', '%d', 'locks_max');
line('  its processor time, worst us', 'worst_write_lock_cpu', '%d', 'locks_max');
line('read locks in one piece, worst us', 'worst_read_lock', '%d', 'locks_max');
line('  its processor time, worst us', 'worst_read_lock_cpu', '%d', 'locks_max');
line('passes in a quiet minute', 'quiet', '%d');
line('a decision, mean us', 'decision', '%d');
line("jobs per second, $tasks of 1 s", 'rate', '%.2f');
line("slurmctld growth over $jobs, KiB", 'growth', '%d');
