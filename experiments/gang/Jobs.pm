# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs: what the script `jobs` has summed up over the jobs of single runs.
#	my $jobs = Jobs->new(DIR, SEED...); $jobs->sums('phi', WORKLOAD, 'used'): by seed, { KEY => [JOBS, SUM] }
#	$jobs->means('phi', WORKLOAD, 'used', KEYS): by seed, SUM / JOBS over these keys (all: none given)
package Jobs;
use strict;
use warnings;
use List::Util qw(sum0);

sub new {
	my ($class, $dir, @seeds) = @_;
	my %seeds = map { $_ => 1 } @seeds;
	my $self = bless { at => {} }, $class;
	for my $path (sort glob quotemeta($dir) . '/jobs-*') {
		my ($name, $workload, $seed) = $path =~ m{/jobs-([a-z]+)-(\d+)-(\d+)\z} or next;
		next if !$seeds{$seed} || !open my $fh, '<', $path;
		while (<$fh>) {
			my ($kind, $key, @v) = split;
			$self->{at}{$name}{$workload}{$seed}{$kind}{$key} = \@v;
		}
	}
	return $self;
}

sub xs {
	my ($self, $name) = @_;
	my @xs = sort { $a <=> $b } keys %{ $self->{at}{$name} // {} };
	return @xs;
}

sub sums {
	my ($self, $name, $x, $kind) = @_;
	my $at = ($self->{at}{$name} // {})->{$x} // {};
	return map { $at->{$_}{$kind} // {} } sort { $a <=> $b } keys %$at;
}

sub means {
	my ($self, $name, $x, $kind, @keys) = @_;
	my @means;
	for my $sums ($self->sums($name, $x, $kind)) {
		my @of = @keys ? map { $sums->{$_} // [0, 0] } @keys : values %$sums;
		my $jobs = sum0(map { $_->[0] } @of) or next;
		push @means, sum0(map { $_->[1] } @of) / $jobs;
	}
	return @means;
}

sub mean {
	my @v = means(@_) or die "no runs\n";
	return sum0(@v) / @v;
}

1;
