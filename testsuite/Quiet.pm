# SPDX-License-Identifier: GPL-2.0-or-later
# Quiet.pm: run a command whose output nobody wants.
package Quiet;
use strict;
use warnings;
use Exporter 'import';
use POSIX ();

our @EXPORT_OK = qw(quietly);

# Start a command with nothing to read, its output thrown away, in the root directory: its process id. The
# first argument is a hash of additions to its environment.
sub quietly {
	my ($env, @argv) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
	open(STDIN, '<', '/dev/null');
	open(STDOUT, '>', '/dev/null');
	open(STDERR, '>', '/dev/null');
	chdir '/';
	%ENV = (%ENV, %$env);
	exec { $argv[0] } @argv or POSIX::_exit(127);
}

1;
