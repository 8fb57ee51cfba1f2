# SPDX-License-Identifier: GPL-2.0-or-later
# What the processes of jobs that take turns do, by their states on the node: the evidence beside Slurm's records.
package Turns;
use strict;
use warnings;
use Exporter 'import';
use Time::HiRes qw(sleep time);
use Cluster;

our @EXPORT = qw(work look watch overlap);

# A job's script: it works as long as it runs, and says which process it is.
sub work {
	my ($c) = @_;
	return "echo \$\$ >$c->{dir}/pid.\$SLURM_JOB_ID; while :; do sleep 0.2; done";
}

# R: it may run, T: it is stopped, -: there is no such process (any more).
sub look {
	my ($c, $id) = @_;
	my ($pid) = Cluster::slurp("$c->{dir}/pid.$id") =~ /^(\d+)$/m or return '-';
	my ($state) = Cluster::slurp("/proc/$pid/status") =~ /^State:\s+(\S)/m;
	return !defined $state || $state eq 'Z' ? '-' : $state =~ /[Tt]/ ? 'T' : 'R';
}

# For so many seconds, what the jobs' processes did: of each the stretches [from, to] in which it could run.
sub watch {
	my ($c, $seconds, @ids) = @_;
	my (%runs, %was);
	my $end = time + $seconds;
	while ((my $now = time) < $end) {
		for my $id (@ids) {
			my $is = look($c, $id);
			push @{ $runs{$id} }, [$now, $now] if $is eq 'R' && ($was{$id} // '') ne 'R';
			$runs{$id}[-1][1] = $now if $is eq 'R';
			$was{$id} = $is;
		}
		sleep 0.05;
	}
	return \%runs;
}

# Seconds at which two of them could run at once, the longest piece.
sub overlap {
	my ($runs, $a, $b) = @_;
	my $most = 0;
	for my $x (@{ $runs->{$a} // [] }) {
		for my $y (@{ $runs->{$b} // [] }) {
			my $from = $x->[0] > $y->[0] ? $x->[0] : $y->[0];
			my $to = $x->[1] < $y->[1] ? $x->[1] : $y->[1];
			$most = $to - $from if $to - $from > $most;
		}
	}
	return $most;
}

1;
