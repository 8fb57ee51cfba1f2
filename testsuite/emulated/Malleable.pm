# SPDX-License-Identifier: GPL-2.0-or-later
# Malleable.pm: clusters whose jobs grow and shrink: with our options of sbatch, and with permit_job_expansion. And: that what the
# scheduler decided there plays equal.
#
# Environment, by name (make check-resize-matrix), as what is tested is to hold with each of them: PACT_SELECT (linear, cons_tres),
# PACT_PROLOG (PrologFlags: Alloc, Contain, none), PACT_ACCOUNTING=1 (slurmdbd).
package Malleable;
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;
use Cluster;

our $select = $ENV{PACT_SELECT} // 'linear';
our $flags = $ENV{PACT_PROLOG} // 'Alloc';

my $records = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $records;

# Lines of pact.conf, for each that a cluster reads.
our $recorded = "Record=on\nRecordDir=$records\n";

# Options as of Cluster->up(), and: parameters (SchedulerParameters), flags (instead of PACT_PROLOG).
sub up {
	my %o = @_;
	my $with = delete $o{flags} // $flags;
	my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
	my $parameters = delete $o{parameters} // 'sched_interval=-1,defer,permit_job_expansion';
	my $conf = "SchedulerParameters=$parameters\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n";
	$conf .= "PrologFlags=$with\n" if $with ne 'none';
	my $c = Cluster->up(select => $select, accounting => $ENV{PACT_ACCOUNTING},
		files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" }, %o, conf => $conf . ($o{conf} // ''));
	if ($ENV{PACT_ACCOUNTING}) {
		$c->accounts(@$_) for [qw(add account physics)], [qw(add user nobody account=physics)];
	}
	return $c;
}

# A test, when the cluster is down.
sub replays {
	my @files = glob "$records/*.rec*";
	my $out = @files ? qx{$Cluster::build/sim/pact-sim replay @files 2>&1} : 'there is no recording';
	return ok(@files && !$?, 'the recorded decisions play equal') || diag($out);
}

1;
