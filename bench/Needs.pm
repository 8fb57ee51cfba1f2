# SPDX-License-Identifier: GPL-2.0-or-later
# Needs.pm: what a benchmark on an emulated cluster needs; without it, it is skipped and says so.
package Needs;
use strict;
use warnings;

# emulation(NAME): exit 0 with a message when there is no cluster to be had here.
sub emulation {
	my ($name) = @_;
	my $build = $ENV{PACT_BUILD} // '.';
	local $ENV{PATH} = "$ENV{PATH}:/usr/sbin:/sbin";
	for my $program (qw(slurmctld slurmd munged sbatch)) {
		next if system("command -v $program >/dev/null") == 0;
		print "$name: skipped, there is no $program\n";
		exit 0;
	}
	return if -e "$build/plugins/.libs/sched_qops.so";
	print "$name: skipped, the plugins are not built (configure --with-slurm-src)\n";
	exit 0;
}

1;
