# SPDX-License-Identifier: GPL-2.0-or-later
# Points: the rows of all sweeps of experiments/gang/run, found by what was run. A line is a scheduler and the
# settings in which it differs from the usual; its points are the workloads, or the factors of a log's runtimes.
#	my $all = Points->new(DIR, [SEED...], PART...); $all->missing; $all->sources
#	my $p = $all->of('blue'); $p->xs; $p->mean(line('bgs', Rows => 2), X, 'wait_mean_s')
# Where there are no runs, mean dies of "no runs\n".
package Points;
use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max min sum);
use Rows;

our @EXPORT_OK = qw(line);

# What is usual, and not told in a line. Estimates: phi:0.2, and the log's own.
my %usual = (Rows => 5, Switch => 0, MigrationCost => 0, Discrete => 'no', Phases => 'own', QueueOrder => 'fcfs',
	estimates => 'phi:0.2');
my @settings = (sort(keys %usual), 'MigrationQuota');

my %files = (table1 => ['table1'], policies => ['policies'], estimates => ['estimates'], phases => ['phases'],
	rows => [qw(switch rows)], discrete => [qw(discrete discrete-bf)], migration => [qw(quota cost cost10 both fill2)]);

sub line {
	my ($scheduler, %set) = @_;
	return join ' ', $scheduler, map { "$_=$set{$_}" } grep { $set{$_} ne ($usual{$_} // '') } sort keys %set;
}

sub missing_in {
	my ($self, $file, $count) = @_;
	print STDERR "report: $self->{dir}/$file.csv: ", $count ? "runs missing: $count\n" : "no rows\n";
	$self->{missing} += $count || 1;
}

sub new {
	my ($class, $dir, $seeds, @parts) = @_;
	my $self = bless { dir => $dir, missing => 0, source => {}, seeds => { map { $_ => 1 } @$seeds } }, $class;
	for my $file (map { @{ $files{$_} // [] } } @parts) {
		$self->read('blue', 'model.workload', $file, $self->{seeds});
	}
	$self->read_logs if grep { $_ eq 'logs' } @parts;
	return $self;
}

# The rows of these seeds; others are not looked at, as means are compared over the same seeds.
sub read {
	my ($self, $source, $x, $file, $seeds) = @_;
	my $rows = Rows->read("$self->{dir}/$file.csv", $x);
	my @of = grep { $seeds->{ $_->{seed} } } $rows ? $rows->all : ();
	$self->missing_in($file), return if !@of;
	my $few = $rows->missing($seeds) + $rows->all - @of;
	$self->missing_in($file, $few) if $few > 0;
	$self->add($source, $x, $file, $_) for @of;
}

# Of each log of which there is something.
sub read_logs {
	my ($self) = @_;
	my %names = map { m{/([a-z]+\d)-[^/]*\z} ? ($1 => 1) : () } glob quotemeta($self->{dir}) . '/{kth,ctc,sdsc}[0-9]-*.csv';
	for my $name (sort keys %names) {
		$self->read($name, 'load', "$name-$_", { 1 => 1 })
			for qw(four exact policies rows switch discrete phases fill2 quota cost);
	}
}

# A setting is a column where it was swept, else one of the options that all runs of the sweep have.
sub add {
	my ($self, $source, $x, $file, $row) = @_;
	my %set;
	for my $s (@settings) {
		my $v = $row->{$s} // ($row->{options} =~ /(?:^| )$s=(\S+)/ ? $1 : undef);
		$set{$s} = $v if defined $v;
	}
	my $line = line($row->{scheduler}, %set);
	my $at = $self->{source}{$source}{$line}{ $row->{$x} } //= {};
	if ($at->{ $row->{seed} }) {
		print STDERR "report: $self->{dir}/$file.csv: the run of $line at $row->{$x} is in another file, too\n";
		exit 2;
	}
	$at->{ $row->{seed} } = $row;
}

sub missing { return $_[0]{missing} }
sub sources {
	my @names = sort keys %{ $_[0]{source} };
	return @names;
}

sub of {
	my ($self, $source) = @_;
	return bless { line => $self->{source}{$source} // {} }, 'Points::Of';
}

package Points::Of;
use List::Util qw(max sum);

# The points of a line, of BF unless given.
sub xs {
	my ($self, $line) = @_;
	my @xs = sort { $a <=> $b } keys %{ $self->{line}{ $line // 'bf' } // {} };
	return @xs;
}

# By seed.
sub values_of {
	my ($self, $line, $x, $column) = @_;
	my $at = ($self->{line}{$line} // {})->{$x} // {};
	return map { $at->{$_}{$column} } sort { $a <=> $b } keys %$at;
}

sub mean {
	my @v = values_of(@_) or die "no runs\n";
	return sum(@v) / @v;
}

sub top {
	my ($self, $line) = @_;
	return max(map { $self->mean($line, $_, 'utilization') } $self->xs($line)) // die "no runs\n";
}

1;
