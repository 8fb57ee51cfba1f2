#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 97-resize-prolog: a running job gets nodes and gives them back where PrologSlurmctld and EpilogSlurmctld are run for each job, the
# helper too: Slurm counts right what it has left, and others have these nodes then. Asked by the plugin of the tests (resize_test.c).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Test::More;
use Time::HiRes qw(sleep);
use Cluster;

my $user = 65534;
my $dir = tempdir('pact-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
chmod 0755, $dir;
Cluster::add_plugin("$dir/plugins", 'job_submit_resize_test.so');
my $c = Cluster->up(nodes => 3, submit => 'none', pact => "Guard=200\nAdmissionTime=5000\nPlanInterval=2\nResizeInterval=0\n",
	conf => "JobSubmitPlugins=deadline,resize_test\nPrologSlurmctld=/bin/true\nEpilogSlurmctld=/bin/true\nMinJobAge=2\n" .
		"SchedulerParameters=sched_interval=-1,defer,permit_job_expansion\n");

my $said = '';
sub ask {
	(my $how, $said) = $c->asked(@_);
	return $how;
}
sub resizes {
	my ($what, @how) = @_;
	ok($c->wait_for($what, sub { ask(@how) eq 'done' }, 30), $what) or diag($said);
}

my $job = $c->plain(['-t10', '-N1', '-wn1'], as => $user);
$c->reaches('a job runs', $job, 'RUNNING');
for my $round (1 .. 2) {
	resizes("round $round: it grows", $job, 'grow', 'n[2-3]');
	is($c->field($job, 'NodeList'), 'n[1-3]', '  to all nodes');
	resizes('  it gives them back', $job, 'shrink', 'n1');
	ok($c->wait_for('idle nodes', sub { $c->out('sinfo', '-hN', '-o', '%N %t') =~ /n2 idle\nn3 idle/ }, 30), '  and these are free');
}
is($c->cmd({ as => $user }, 'timeout', 30, 'srun', '-N2', '-t1', 'true')->{rc}, 0, "another job has them, $_") for 'once', 'and again';
ok($c->wait_for('no records', sub { $c->out('scontrol', '-o', 'show', 'jobs') !~ /JobName=pact-resize/ }), 'no helper is left');
unlike($c->log_text(0), qr/underflow|duplicate relinquish|sync problem/, 'Slurm has lost count of nothing');
$c->cmd('scancel', $job);
$c->healthy;
done_testing;
