# SPDX-License-Identifier: GPL-2.0-or-later
# Beyond: qops-best beside QoPS and beside what no method can get below (pact-sim bound), refused
# processor-seconds in percent at load 1.6, stringency 0.2.
#	my $beyond = Beyond->new($figures, DIR, rows of qops-best by workload); print $beyond->text, $beyond->html;
package Beyond;
use strict;
use warnings;

my @workloads = (['ctc-duplicate', 'CTC'], ['sdsc-duplicate', 'SDSC']);
my $column = 'unadmitted_procsec_pct';

sub new {
	my ($class, $data, $dir, %best) = @_;
	my @lines;
	for my $w (@workloads) {
		for my $fraction (1, 0.2) {
			my $qops = $data->values_at($column, $w->[0], 'qops', $fraction, 0.2, 1.6);
			my %best_of = map { $_->{seed} => $_->{$column} }
				grep { $_->{fraction} == $fraction } @{ $best{ $w->[0] } };
			my %bound = map { $_ => bound("$dir/$w->[0]-bound-$fraction-$_.json") } keys %best_of;
			my @seeds = grep { defined $qops->{$_} && defined $bound{$_} } sort keys %best_of;
			next if !@seeds;
			push @lines, [$w->[1], 100 * $fraction, scalar @seeds,
				map { my $by = $_; mean(map { $by->{$_} } @seeds) } $qops, \%best_of, \%bound];
		}
	}
	return bless { lines => \@lines }, $class;
}

sub mean {
	my $sum = 0;
	$sum += $_ for @_;
	return $sum / @_;
}

sub bound {
	my ($file) = @_;
	open my $fh, '<', $file or return;
	local $/;
	return <$fh> =~ /"least_unadmitted_procsec_pct": *([0-9.e+-]+)/ ? $1 : undef;
}

sub ratio {
	my ($x, $y) = @_;
	return $y > 0 ? sprintf '%.2f', $x / $y : '-';
}

sub text {
	my ($self) = @_;
	my $text = '';
	$text .= sprintf "beyond: %-4s %3d %% deadline jobs, %d seeds: QoPS refuses %.2f %%, qops-best %.2f "
		. "(%s of QoPS), no method less than %.2f (%s)\n", @{$_}[0 .. 4], ratio($_->[4], $_->[3]),
		$_->[5], ratio($_->[5], $_->[3])
		for @{ $self->{lines} };
	return $text;
}

sub html {
	my ($self) = @_;
	return '' if !@{ $self->{lines} };
	my $html = "<h2>Beyond the paper</h2>\n<p>Processor-seconds refused at load 1.6, stringency 0.2, in percent "
		. "of those asked for with a deadline: QoPS, qops-best (doc/qops-best.md), and what any method must refuse "
		. "at least, even one that knows the future and interrupts jobs (pact-sim bound).</p>\n<table>\n"
		. '<tr><th>log<th>deadline jobs<th>seeds<th>QoPS<th>qops-best<th>of QoPS<th>any method<th>of QoPS</tr>'
		. "\n";
	$html .= sprintf "<tr><td>%s<td>%d %%<td>%d<td>%.2f<td>%.2f<td>%s<td>%.2f<td>%s</tr>\n", @{$_}[0 .. 4],
		ratio($_->[4], $_->[3]), $_->[5], ratio($_->[5], $_->[3])
		for @{ $self->{lines} };
	return "$html</table>\n";
}

1;
