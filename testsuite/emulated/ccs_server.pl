#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ccs_server: a Charm++ program as far as CCS goes, for 92-elastic and elastic.t.
#
#	ccs_server.pl PORTFILE LOG PROCESSORS DELAY [PORT]
#
# It writes its port, any unless that is given, into PORTFILE. ccs_getinfo says how many processors it has; after set_bitmap it has as many as that said,
# DELAY seconds later; a negative DELAY: never. As Charm++ does, it replies to set_bitmap and to what it does not know with
# nothing. LOG gets a line for each set_bitmap: bytes, count.
use strict;
use warnings;
use IO::Handle;
use IO::Socket::INET;
use Time::HiRes qw(time);

my ($portfile, $log, $processors, $delay, $port) = @ARGV;
my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', ReuseAddr => 1, LocalPort => $port // 0) or die "listen: $@";
my ($new, $when);

open(my $p, '>', "$portfile.new") or die "$portfile: $!";
print $p $server->sockport, "\n";
close $p;
rename "$portfile.new", $portfile;
open(my $l, '>>', $log) or die "$log: $!";
$l->autoflush(1);
while (my $client = $server->accept) {
	my $head = '';

	next unless (read($client, $head, 40) // 0) == 40;
	my ($size, undef, $handler) = unpack('NNZ32', $head);
	my $data = '';
	next if $size > 65536 || ($size && (read($client, $data, $size) // 0) != $size);
	($processors, $new) = ($new, undef) if defined $new && time >= $when;
	if ($handler eq 'ccs_getinfo') {
		print $client pack('NN(N)*', 4 * (1 + $processors), $processors, (1) x $processors);
	} else {
		if ($handler eq 'set_bitmap' && $size == $processors + 5) {
			my ($stays, $count) = (join('', unpack("C$processors", $data)), unpack('l', substr($data, $processors, 4)));
			print $l "$stays $count\n";
			($new, $when) = ($count, time + $delay) if $delay >= 0;
		}
		print $client pack('N', 0);
	}
	close $client;
}
