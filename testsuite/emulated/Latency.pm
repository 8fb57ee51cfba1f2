# SPDX-License-Identifier: GPL-2.0-or-later
# Latency.pm: how long commands take on an emulated cluster, the whole process from outside.
package Latency;
use strict;
use warnings;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use POSIX ();
use Time::HiRes qw(time);

use lib dirname(abs_path(__FILE__)) . '/..';
use Quiet qw(quietly);

our @EXPORT_OK = qw(timed median cpu_ms);

# Run a command in the cluster's environment, its output thrown away: (milliseconds, exit code). Cluster's
# cmd() polls for the end; this does not.
sub timed {
	my ($c, @argv) = @_;
	my $from = time;
	my $pid = quietly($c->{env}, @argv);
	waitpid $pid, 0;
	return (1000 * (time - $from), $? & 127 ? 128 + ($? & 127) : $? >> 8);
}

sub median {
	my @v = sort { $a <=> $b } @_;
	return $v[$#v / 2];
}

# Processor time that slurmctld has used.
sub cpu_ms {
	my ($c) = @_;
	my $stat = Cluster::slurp("/proc/$c->{controller}/stat");
	my @f = split ' ', $stat =~ s/^.*\) //sr;
	return 1000 * ($f[11] + $f[12]) / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}

1;
