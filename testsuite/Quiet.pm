# SPDX-License-Identifier: GPL-2.0-or-later
# Quiet.pm: start a command by itself, whose output goes to files, or which nobody wants.
package Quiet;
use strict;
use warnings;
use Exporter 'import';
use POSIX ();

our @EXPORT_OK = qw(aside quietly);

# Start a command with nothing to read, in the root directory: its process id. Its outputs go to two files;
# the third argument is a hash of additions to its environment.
sub aside {
	my ($out, $err, $env, @argv) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
	open(STDIN, '<', '/dev/null');
	open(STDOUT, '>', $out);
	open(STDERR, '>', $err);
	chdir '/';
	%ENV = (%ENV, %$env);
	exec { $argv[0] } @argv or POSIX::_exit(127);
}

# The same with its output thrown away.
sub quietly {
	return aside('/dev/null', '/dev/null', @_);
}

1;
