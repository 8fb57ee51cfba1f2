# SPDX-License-Identifier: GPL-2.0-or-later
# Rows: what pact-sim sweep wrote, for the experiments' reports. What is damaged is not judged: it is told, and
# the program exits 2.
#	my $rows = Rows->read(FILE, COLUMN...); # undef: there is no such file; these columns must be there
#	$rows->all, $rows->missing(\%seeds, \%values)
package Rows;
use strict;
use warnings;

# What pact-sim says in words; all else behind the column `version` is a number.
my %words = map { $_ => 1 } qw(source scheduler dynp_policy);

# What every run has, beside what was swept.
my @figures = qw(options seed version source nodes jobs_submitted jobs_dropped jobs_refused jobs_completed jobs_killed
	jobs_with_deadline deadlines_met promises promises_broken violations unadmitted_jobs_pct
	unadmitted_procsec_pct utilization loss_of_capacity makespan_s wait_mean_s response_mean_s artww_s
	slowdown_mean slowdown_bounded10_mean sldww60 nondeadline_response_mean_s nondeadline_slowdown_mean events
	max_waiting wall_s peak_rss_kib);

sub damaged {
	print STDERR 'report: ', @_, "\n";
	exit 2;
}

# One line of CSV; fields that hold commas are quoted.
sub fields {
	my ($line) = @_;
	my @f;
	while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
		push @f, defined $1 ? $1 =~ s/""/"/gr : $2;
		last if $3 eq '';
	}
	return @f;
}

sub row {
	my ($file, $line, $keys, $version) = @_;
	my @v = fields($line);
	my $wrong = @v != @$keys ? 'has ' . @v . ' fields, not ' . @$keys : '';
	for my $i ($wrong ? () : $version .. $#v) {
		$wrong = "$keys->[$i] is '$v[$i]'", last
			unless $words{ $keys->[$i] } || $v[$i] =~ /^-?\d+(\.\d+)?(e[-+]?\d+)?\z/;
	}
	my %row;
	@row{@$keys} = @v;
	$wrong ||= "a schedule with $row{violations} violations" if !$wrong && $row{violations};
	damaged("$file: line $.: $wrong; without that line, the run is made anew") if $wrong;
	return \%row;
}

sub read {
	my ($class, $file, @columns) = @_;
	my (@rows, %there);
	open my $fh, '<', $file or return;
	my @keys = fields((<$fh> // '') =~ s/\s+$//r);
	my ($version) = grep { $keys[$_] eq 'version' } 0 .. $#keys;
	damaged("$file: not the rows of a sweep; remove it, and its runs are made anew")
		if !@keys || $keys[0] ne 'options' || !defined $version;
	$there{$_}++ for @keys;
	for my $column (@figures, @columns) {
		damaged("$file: line 1: ", $there{$column} ? 'two columns' : 'no column', " $column; remove the file, ",
			'and its runs are made anew') if ($there{$column} // 0) != 1;
	}
	while (my $line = <$fh>) {
		last if $line !~ /\n$/; # being written
		chomp $line;
		push @rows, row($file, $line, \@keys, $version);
	}
	return bless { rows => \@rows, swept => [grep { $_ ne 'seed' } @keys[1 .. $version - 1]] }, $class;
}

sub all { return @{ $_[0]{rows} } }

# How many runs are not there: of all values that the rows have for what they differ in, or that are given for
# a key, and all seeds.
sub missing {
	my ($self, $seeds, $given) = @_;
	my (%there, %values);
	my $all = keys %$seeds;
	for my $row (@{ $self->{rows} }) {
		$there{ join "\n", map { $row->{$_} } @{ $self->{swept} }, 'seed' } = 1;
		$values{$_}{ $row->{$_} } = 1 for @{ $self->{swept} };
	}
	$all *= keys %{ $given && $given->{$_} || $values{$_} || {} } for @{ $self->{swept} };
	return @{ $self->{rows} } ? $all - keys %there : 1;
}

1;
