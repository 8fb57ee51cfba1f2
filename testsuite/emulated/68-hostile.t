#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 68-hostile: 500 connections that say nothing, lines of a mebibyte, credentials that are wrong or replayed,
# and a flood: slurmctld goes on, others are served, and sbatch takes about as long as without, in
# alternating blocks of one run, where there are processors enough to tell. A factor of 2 is let pass.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use IO::Socket::UNIX;
use POSIX ();
use Socket qw(SOCK_STREAM);
use Time::HiRes qw(sleep time);

my $c = Cluster->up(nodes => 2, pact => "Guard=60\nAdmissionTime=5000\nSocketTimeout=30\nSocketRate=20\n");
my $path = $c->{env}{PACT_SOCKET};
my $pact = "$Cluster::build/contrib/pact/pact";
ok($c->wait_for('the socket', sub { -S $path }), 'the socket is there');
my $wall = $c->plain(['-N2', '-t60']);
$c->reaches('the nodes are busy', $wall, 'RUNNING');

sub dial { return IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path) }

# Somebody else than who uses the cluster, if that can be.
my ($foe) = $> ? () : (getpwnam 'nobody')[2];
my @foes;

# A process that does so until it is ended.
sub hostile {
	my $what = shift;
	my $pid = fork // die "fork: $!";
	if ($pid) {
		push @foes, $pid;
		return;
	}
	$SIG{PIPE} = 'IGNORE';
	$SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
	POSIX::setuid($foe) if defined $foe;
	my @keep;
	while (getppid() == $c->{owner}) {
		$what->(\@keep);
		sleep 0.01;
	}
	POSIX::_exit(0);
}

my $used = $c->out('munge', '-n', '-S', "$c->{dir}/c/munge/socket");

sub attack {
	# 500 that are opened, and again when they have been closed.
	hostile(sub {
		my $keep = shift;
		@$keep = grep { my $b; my $n = sysread($_, $b, 4096); defined $n ? $n : $!{EAGAIN} } @$keep;
		while (@$keep < 500) {
			my $fh = IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $path, Blocking => 0) or last;
			push @$keep, $fh;
		}
		sleep 0.1;
	});
	hostile(sub {
		my $fh = dial() or return;
		$fh->blocking(0);
		for (1 .. 16) { syswrite($fh, 'x' x 65536) or last }
	});
	hostile(sub {
		my $fh = dial() or return;
		syswrite($fh, "{\"pact\":1,\"request\":\"plan\",\"cred\":\"$_\"}\n") for $used, 'MUNGE:AAAA:', 'x' x 9000;
	});
	hostile(sub {
		my $fh = dial() or return;
		syswrite($fh, '[' x 60000 . "\n");
		syswrite($fh, "\0\xff\xfe{\n");
	});
}

sub cease {
	kill 'KILL', @foes;
	waitpid $_, 0 for @foes;
	@foes = ();
}
END { my $status = $?; cease() if $c && $c->{owner} == $$; $? = $status }

sub median { my @v = sort { $a <=> $b } @_; return $v[$#v / 2] }

# Milliseconds of one sbatch each.
sub submissions {
	my $n = shift;
	my @ms;
	for (1 .. $n) {
		my $from = time;
		my $r = $c->sbatch(['-N1', '-t5', '--deadline=now+' . (2 + int rand 100) . 'days']);
		push @ms, (time - $from) * 1000;
		$c->cmd('scancel', $r->{id}) if $r->{id};
	}
	return @ms;
}

my (@calm, @hostile);
submissions(3);
for my $block (1 .. 4) {
	push @calm, submissions(8);
	attack();
	sleep 0.5;
	push @hostile, submissions(8);
	if ($block == 2 && defined $foe) {
		my $r = $c->cmd($pact, 'status');
		is($r->{rc}, 0, 'others are served meanwhile') or diag($r->{err});
	}
	cease();
}
my $ratio = median(@hostile) / median(@calm);
diag(sprintf 'sbatch: %.1f ms, with hostile clients %.1f ms, ratio %.2f', median(@calm), median(@hostile), $ratio);
SKIP: {
	# The clients themselves need processors, and with few of them that is what would be measured.
	my $cpus = () = Cluster::slurp('/proc/cpuinfo') =~ /^processor/mg;
	skip 'not enough processors to tell slurmctld\'s time from the clients\'', 1 if $cpus < 4;
	cmp_ok($ratio, '<', 2.0, 'submissions take about as long as without');
}
ok($c->wait_for('an answer', sub { !$c->cmd($pact, 'status')->{rc} }), 'afterwards the socket serves');

my $fds = () = glob "/proc/$c->{controller}/fd/*";
cmp_ok($fds, '<', 300, 'no connection is left open');
ok(!grep({ /socket: .*(?:munge|credential)/ } $c->log_tail(2000)), 'and the log is not filled');

$c->clear;
$c->healthy;
done_testing;
