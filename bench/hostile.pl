#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench/hostile.pl: what hostile clients of the query socket (testsuite/emulated/Hostile.pm: 500 stalled
# connections, lines of 1 MiB, wrong and replayed credentials, floods of nonsense) cost those who submit:
# the latency of sbatch, the whole process, in alternating blocks with and without them.
#
# Lines: median milliseconds without, with, their ratio; and slurmctld's processor time per submission of
# the two kinds of block. The clients need processors themselves: on a machine with two, they are part of
# what is measured; PACT_BENCH_NICE=19 has them take only what others leave. PACT_BENCH_BLOCKS (10 of each
# kind), PACT_BENCH_CALLS (20 submissions each). Told, not judged. Exit 1 when it could not be measured.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../testsuite/emulated";
use Cluster;
use Hostile;
use Latency qw(median cpu_ms);
use Needs;
use Time::HiRes qw(sleep);

my $blocks = $ENV{PACT_BENCH_BLOCKS} // 10;
my $calls = $ENV{PACT_BENCH_CALLS} // 20;

Needs::emulation('hostile');
my $c = Cluster->up(nodes => 2, pact => "AdmissionTime=1000\n");
if (!$c->wait_for('the socket', sub { -S $c->{env}{PACT_SOCKET} })) {
	print "hostile: there is no socket\n";
	exit 1;
}
my $wall = $c->plain(['-N2', '-t600']) or exit 1;
exit 1 unless $c->wait_state($wall, 'RUNNING');
my $hostile = Hostile->new($c, $ENV{PACT_BENCH_NICE} // 0);

my (%ms, %cpu);
sub block {
	my ($kind) = @_;
	my $before = cpu_ms($c);
	push @{ $ms{$kind} }, $hostile->submissions($calls);
	$cpu{$kind} += cpu_ms($c) - $before;
}

$hostile->submissions($calls);
for (1 .. $blocks) {
	block('calm');
	$hostile->attack;
	sleep 0.5;
	block('hostile');
	$hostile->cease;
}
my $n = $blocks * $calls;
printf "%-44s %12s %12s\n", "hostile: $blocks blocks of $calls each", 'without', 'with';
printf "%-44s %9.2f ms %9.2f ms  ratio %.2f\n", 'hostile: sbatch --deadline, median', median(@{ $ms{calm} }),
	median(@{ $ms{hostile} }), median(@{ $ms{hostile} }) / median(@{ $ms{calm} });
printf "%-44s %9.2f ms %9.2f ms  ratio %.2f\n", 'hostile: slurmctld, processor time of each', $cpu{calm} / $n,
	$cpu{hostile} / $n, $cpu{calm} ? $cpu{hostile} / $cpu{calm} : 0;
$c->down;
