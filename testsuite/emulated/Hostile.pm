# SPDX-License-Identifier: GPL-2.0-or-later
# Hostile.pm: clients of the query socket that mean ill: 500 connections that say nothing and are opened
# again when they are closed, lines of a mebibyte, credentials that are wrong or replayed, and a flood of
# what is no request. As another user than the cluster's own, where that can be.
package Hostile;
use strict;
use warnings;
use IO::Socket::UNIX;
use Latency qw(timed);
use POSIX ();
use Socket qw(SOCK_STREAM);
use Time::HiRes qw(sleep);

my @all;

# For a cluster; the clients run at this niceness.
sub new {
	my ($class, $c, $nice) = @_;
	my ($uid) = $> ? () : (getpwnam 'nobody')[2];
	my $self = bless {
		c => $c, path => $c->{env}{PACT_SOCKET}, uid => $uid, nice => $nice // 0, pids => [],
		used => $c->out('munge', '-n', '-S', "$c->{dir}/c/munge/socket"),
	}, $class;
	push @all, $self;
	return $self;
}

END {
	my $status = $?;
	for my $self (@all) { $self->cease if $self->{c}{owner} == $$ }
	$? = $status;
}

sub dial {
	my ($self, @more) = @_;
	return IO::Socket::UNIX->new(Type => SOCK_STREAM, Peer => $self->{path}, @more);
}

# A process that does so until it is ended.
sub client {
	my ($self, $what) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid) {
		push @{ $self->{pids} }, $pid;
		return;
	}
	$SIG{PIPE} = 'IGNORE';
	$SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
	POSIX::nice($self->{nice}) if $self->{nice};
	POSIX::setuid($self->{uid}) if defined $self->{uid};
	my @keep;
	while (getppid() == $self->{c}{owner}) {
		$what->(\@keep);
		sleep 0.01;
	}
	POSIX::_exit(0);
}

sub attack {
	my ($self) = @_;
	# 500 that are opened, and again when they have been closed.
	$self->client(sub {
		my $keep = shift;
		@$keep = grep { my $b; my $n = sysread($_, $b, 4096); defined $n ? $n : $!{EAGAIN} } @$keep;
		while (@$keep < 500) {
			my $fh = $self->dial(Blocking => 0) or last;
			push @$keep, $fh;
		}
		sleep 0.1;
	});
	$self->client(sub {
		my $fh = $self->dial or return;
		$fh->blocking(0);
		for (1 .. 16) { syswrite($fh, 'x' x 65536) or last }
	});
	$self->client(sub {
		my $fh = $self->dial or return;
		syswrite($fh, "{\"pact\":1,\"request\":\"plan\",\"cred\":\"$_\"}\n")
			for $self->{used}, 'MUNGE:AAAA:', 'x' x 9000;
	});
	$self->client(sub {
		my $fh = $self->dial or return;
		syswrite($fh, '[' x 60000 . "\n");
		syswrite($fh, "\0\xff\xfe{\n");
	});
}

# Connections that are opened and closed as fast as may be.
sub hammer {
	my ($self) = @_;
	$self->client(sub {
		for (1 .. 50) { $self->dial or last }
	});
}

sub cease {
	my ($self) = @_;
	kill 'KILL', @{ $self->{pids} };
	waitpid $_, 0 for @{ $self->{pids} };
	$self->{pids} = [];
}

# Milliseconds of so many submissions of a promised job, one by one; then they are cancelled.
sub submissions {
	my ($self, $n) = @_;
	my @ms;
	for (1 .. $n) {
		my ($took) = timed($self->{c}, 'sbatch', '-J', 'hostile', '-o', '/dev/null', '-N1', '-t5',
			'--deadline=now+' . (2 + int rand 100) . 'days', '--wrap', 'sleep 60');
		push @ms, $took;
	}
	$self->{c}->cmd('scancel', '--name=hostile');
	return @ms;
}

1;
