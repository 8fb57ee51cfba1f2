#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 97-slurmdbd-away: nodes on loan are given back while slurmdbd is away, once and again, though 22.05 numbers a job anew there at each
# change of its size; promises count on that. Under 22.05 none are lent to such a job until slurmdbd is back, and then they are,
# and its books have the job's last size.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $plugins = Cluster::plugin_dir() or BAIL_OUT('no plugins');
my $c = Cluster->up(nodes => 6, accounting => 1,
	pact => "Guard=20\nAdmissionTime=5000\nPlanInterval=2\nResizeGrace=4\nLoanTime=5\nResizeInterval=0\nLoans=uniform\n",
	files => { 'plugstack.conf' => "required $plugins/spank_pact.so\n" },
	conf => "SchedulerParameters=sched_interval=-1,defer,permit_job_expansion\nPlugStackConfig=\@DIR\@/etc/plugstack.conf\n");

# Slurmdbd's process, and the words and the environment that it was started with.
my ($pid) = Cluster::slurp("$c->{dir}/c/run/own/slurmdbd.pid") =~ /^(\d+)$/m;
ok($pid && -d "/proc/$pid", 'slurmdbd runs') or BAIL_OUT('its process is not known');
my @words = split /\0/, Cluster::slurp("/proc/$pid/cmdline");
my %env = map { split /=/, $_, 2 } grep { /^\w+=/ } split /\0/, Cluster::slurp("/proc/$pid/environ");

sub back {
	my $child = fork // die "fork: $!";
	return $child if $child;
	open(STDIN, '<', '/dev/null');
	open(STDOUT, '>', "$c->{dir}/slurmdbd.out");
	open(STDERR, '>&', \*STDOUT);
	%ENV = %env;
	exec { -x '/usr/sbin/slurmdbd' ? '/usr/sbin/slurmdbd' : 'slurmdbd' } @words or exit 127;
}

# Rows of slurmdbd, one for each size of the job: nodes and state.
sub rows { return $c->out('sacct', '-n', '-P', '-X', '-D', '-j', $_[0], '-o', 'NNodes,State') }

my $job = $c->plain(['-N1-6', '--malleable', '-t30'], script => 'sleep 1000');
$c->reaches('a malleable job', $job, 'RUNNING');
$c->has_width('  gets what is idle', $job, 6);
kill 'KILL', $pid;
ok($c->wait_for('its end', sub { $c->cmd('sacctmgr', '-n', 'list', 'cluster')->{rc} }), 'slurmdbd is away');
my @rigid;
for my $had (6, 4) {
	my $r = $c->accepted('a job is promised two nodes', ['-N2', '-t2', '--deadline=now+5minutes'], script => 'sleep 1000');
	push @rigid, $r->{id};
	$c->reaches('  and starts', $r->{id}, 'RUNNING');
	$c->has_width("  of the loan, as it is called in", $job, $had - 2);
}
my $mark = $c->log_mark;
$c->cmd('scancel', $rigid[0]);
if ($c->release < 2411) {
	$c->seen for 1 .. 3;
	is($c->width($job), 2, 'none is lent meanwhile');
	my $tries = () = $c->log_text($mark) =~ /it is given no nodes/g;
	is($tries, 0, '  which is not told in each pass');
}
my $back = back();
ok($c->wait_for('slurmdbd', sub { !$c->cmd('sacctmgr', '-n', 'list', 'cluster')->{rc} }, 60), 'slurmdbd is back')
	or diag(Cluster::slurp("$c->{dir}/slurmdbd.out"));
$c->has_width('the job gets what is idle again', $job, 4);
ok($c->wait_for('an update', sub { !$c->cmd('scontrol', 'update', "JobId=$job", 'Comment=x')->{rc} }, 60), '  and can be changed');
$c->cmd('scancel', $rigid[1], $job);
$c->excuse(@rigid);
$c->idle;
ok($c->wait_for('its rows', sub { my $rows = rows($job); return $rows =~ /^4\|CANCELLED/m && $rows !~ /RUNNING/ }, 60), 'the books have its last size, and no row without an end')
	or diag(rows($job));
$c->healthy;
kill 'TERM', $back;
waitpid $back, 0;
$c->down;
done_testing();
