#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 97-slurmdbd-away: nodes on loan are given back while slurmdbd is away, once and again, though 22.05 numbers a job anew there at each
# change of its size; promises count on that. Under 22.05 none are lent to such a job until slurmdbd is back, and then they are,
# and its books have the job's last size.
# MinJobAge: longer than the ten seconds after which a job that is over is looked at; else its first row is Slurm's to spoil.
# Runs first: it takes two minutes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use Malleable;

plan skip_all => 'slurmdbd or mariadb-server-core is not installed' unless Cluster::has_accounting();

my $c = Malleable::up(nodes => 6, accounting => 1, conf => "MinJobAge=15\n",
	pact => "Guard=20\nAdmissionTime=5000\nPlanInterval=2\nResizeGrace=4\nLoanTime=5\nResizeInterval=0\nLoans=uniform\n");

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

# Slurmdbd's rows of the job: nodes, state and, of those that have not ended, "open".
sub rows {
	my @rows = map { [split /\|/] } split /\n/, $c->out('sacct', '-n', '-P', '-X', '-D', '-j', $_[0], '-o', 'Start,NNodes,State,End');
	return join ' ', map { "$_->[1]:" . ($_->[2] =~ s/ .*//r) . ($_->[3] eq 'Unknown' ? ':open' : '') } sort { $a->[0] cmp $b->[0] } @rows;
}

sub answers { return !$c->cmd('sacctmgr', '-n', 'list', 'cluster')->{rc} }

sub goes {
	my ($which) = @_;
	kill 'KILL', $which;
	ok($c->wait_for('its end', sub { !answers() }), 'slurmdbd is away');
}

sub comes_back {
	my $child = back();
	ok($c->wait_for('slurmdbd', \&answers, 60), 'slurmdbd is back') or diag(Cluster::slurp("$c->{dir}/slurmdbd.out"));
	return $child;
}

# Jobs of two nodes, one after the other, which are promised these and get them of the loan.
sub called_in {
	my ($job, @widths) = @_;
	my @rigid;
	for my $width (@widths) {
		my $r = $c->accepted('a job is promised two nodes', ['-N2', '-t2', '--deadline=now+5minutes'], script => 'sleep 1000');
		push @rigid, $r->{id};
		$c->reaches('  and starts', $r->{id}, 'RUNNING');
		$c->has_width('  on those of the loan, as it is called in', $job, $width);
	}
	$c->excuse(@rigid);
	return @rigid;
}

# Each size has a row, which has ended, the last one as the job did.
sub has_rows {
	my ($job, @sizes) = @_;
	my $last = pop @sizes;
	my $want = join ' ', map({ "$_:\\w+" } @sizes), "$last:CANCELLED";
	ok($c->wait_for('its rows', sub { rows($job) =~ /^$want$/ }, 60), "the books have its sizes @sizes $last, and that it was each until the next") or
		diag(rows($job));
	return $want;
}

my $job = $c->plain(['-N1-6', '--malleable', '-t30'], script => 'sleep 1000');
$c->reaches('a malleable job', $job, 'RUNNING');
$c->has_width('  gets what is idle', $job, 6);
ok($c->wait_for('its row', sub { rows($job) =~ /6:RUNNING:open$/ }), '  which slurmdbd knows');
my $first = rows($job) =~ /^1:/ ? 1 : undef;    # it may have been given the others when it was there already
goes($pid);
my @rigid = called_in($job, 4, 2);
my $mark = $c->log_mark;
$c->cmd('scancel', $rigid[0]);
if ($c->release < 2411) {
	$c->seen for 1 .. 3;
	is($c->width($job), 2, 'none is lent meanwhile');
	my $tries = () = $c->log_text($mark) =~ /it is given no nodes/g;
	is($tries, 0, '  which is not told in each pass');
}
my $back = comes_back();
$c->has_width('the job gets what is idle again', $job, 4);
ok($c->wait_for('an update', sub { !$c->cmd('scontrol', 'update', "JobId=$job", 'Comment=x')->{rc} }, 60), '  and can be changed');
$c->cmd('scancel', $rigid[1], $job);
$c->idle;
has_rows($job, $first // (), 6, 4, 2, 4);

# One that ends before slurmdbd is back.
$job = $c->plain(['-N1-6', '--malleable', '-t30'], script => 'sleep 1000');
$c->has_width('another one gets what is idle', $job, 6);
ok($c->wait_for('its row', sub { rows($job) =~ /6:RUNNING:open$/ }), '  which slurmdbd knows');
$first = rows($job) =~ /^1:/ ? 1 : undef;
goes($back);
waitpid $back, 0;
@rigid = called_in($job, 4, 2);
$c->cmd('scancel', $job, @rigid);
$c->idle;
$back = comes_back();
my $want = has_rows($job, $first // (), 6, 4, 2);
ok($c->wait_for('Slurm to forget it', sub { !$c->state($job) }), '  Slurm forgets it');
sleep 3;
like(rows($job), qr/^$want$/, '  and its rows are the same');
$c->healthy;
kill 'TERM', $back;
waitpid $back, 0;
$c->down;
done_testing();
