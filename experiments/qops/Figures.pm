# SPDX-License-Identifier: GPL-2.0-or-later
# Figures: the rows of the runs, and figures 4 to 58 of QoPS from them.
package Figures;
use strict;
use warnings;
use List::Util qw(min max sum);

my @schemes = ([qops => 'QoPS'], [msb => 'MSB'], [mrt => 'MRT']);
my @all = (@schemes, [easy => 'EASY'], [conservative => 'Conservative']);
my %name = map { $_->[0] => $_->[1] } @all;
my %workload_name = (
	'ctc-duplicate' => 'CTC, duplication',
	'sdsc-duplicate' => 'SDSC, duplication',
	'ctc-expand' => 'CTC, expansion',
	'relaxation' => 'CTC, duplication',
);
my %axis = (
	unadmitted_jobs_pct => 'unadmitted jobs, % of those with a deadline',
	unadmitted_procsec_pct => 'unadmitted processor-seconds, %',
	utilization => 'utilization, %',
	nondeadline_response_mean_s => 'response of non-deadline jobs, s',
	nondeadline_slowdown_mean => 'slowdown of non-deadline jobs',
	load => 'load',
);
my @loads = qw(1 1.2 1.4 1.6);

# A panel: title, columns of x and y, and lines, each of a name and the key of its points.
sub panel {
	my ($title, $x, $y, @lines) = @_;
	return { title => $title, x => $x, y => $y, lines => \@lines };
}

sub lines_of {
	my ($set, @key) = @_;
	return map { { name => $_->[1], key => [$key[0], $_->[0], @key[1 .. $#key]] } } @$set;
}

sub percent { return 100 * $_[0] . ' %' }

# Figure numbers to { caption, says, panels }.
my %figure;
sub define {
	my ($number, $workload, $fraction, $s, $says, @panels) = @_;
	my $caption = $workload_name{$workload};
	$caption .= ', ' . percent($fraction) . ' of the jobs have deadlines' if $fraction ne '';
	$caption .= ", stringency $s" if $s ne '';
	$figure{$number} = { caption => $caption, says => $says, panels => \@panels };
}

sub admittance {
	my ($number, $w, $f, $s, $says) = @_;
	define($number, $w, $f, $s, $says,
		map { panel('', 'load', $_, lines_of(\@schemes, $w, $f, $s)) }
			qw(unadmitted_jobs_pct unadmitted_procsec_pct));
}

sub utilization {
	my ($number, $w, $says, @sides) = @_; # sides: [fraction, stringency]
	my ($f, $s) = ($sides[0][0] eq $sides[1][0] ? $sides[0][0] : '',
		$sides[0][1] eq $sides[1][1] ? $sides[0][1] : '');
	define($number, $w, $f, $s, $says,
		map { panel($s ne '' ? percent($_->[0]) . ' deadline jobs' : "stringency $_->[1]", 'load',
			'utilization', lines_of(\@all, $w, @$_)) } @sides);
}

sub nondeadline {
	my ($number, $w, $f, $s, $x, $says) = @_;
	define($number, $w, $f, $s, $says,
		map { panel('', $x, $_, lines_of(\@all, $w, $f, $s)) }
			qw(nondeadline_response_mean_s nondeadline_slowdown_mean));
}

my $mixed = 'QoPS is consistently better than MSB and MRT, most of all at high load; with a stringency of 0.5 '
	. 'the schemes get more similar.';
my $few = 'With 20 % of the jobs having deadlines QoPS significantly outperforms MSB and MRT, even at '
	. 'stringency 0.5.';
my @workloads = qw(ctc-duplicate sdsc-duplicate ctc-expand);
my $same = 'The trend of the relative performances does not change (with CTC by duplication).';
for my $i (0 .. 2) {
	my $w = $workloads[$i];
	admittance(4 + 3 * $i, $w, 1, 0.2, $i ? $same : 'QoPS performs better, especially at high load. From load '
		. '1.4 to 1.6 the number of unaccepted jobs decreases in QoPS, the processor-seconds more so.');
	admittance(5 + 3 * $i, $w, 1, 0.5, $i ? $same : 'The same trend; QoPS is closer to the other two: with '
		. 'rising stringency they converge.');
	utilization(6 + 3 * $i, $w, $i ? $same : 'QoPS loses about 10 % against EASY and conservative at stringency '
		. '0.2; at 0.5 the schemes drop by 5 to 10 %. QoPS and MSB perform comparably, MRT is 3 to 5 % lower '
		. 'at load 1.6.', [1, 0.2], [1, 0.5]);
	my $n = 13 + 4 * $i;
	for my $f (0.8, 0.2) {
		admittance($n++, $w, $f, $_, $f == 0.8 ? $mixed : $few) for 0.2, 0.5;
	}
	$n = 0;
	for my $f (0.2, 0.8) {
		for my $s (0.2, 0.5) {
			nondeadline(25 + 4 * $i + $n, $w, $f, $s, 'load', $f == 0.2
				? 'Lower than with EASY and conservative. QoPS against MSB: response comparable or better '
				. 'but for load 1.6, slowdown lower at all loads, despite the higher load that it accepts.'
				: 'Lower than with EASY and conservative, whose delivered load is higher; QoPS appears '
				. 'inferior to MSB and MRT, because these reject more.');
			nondeadline(43 + 4 * $i + $n, $w, $f, $s, 'utilization', 'At the same utilization QoPS is '
				. 'consistently superior to MSB and MRT, and better than EASY and conservative, too, for '
				. 'the slowdown most of all.');
			$n++;
		}
	}
	utilization(37 + 2 * $i + ($_ == 0.5), $w, 'QoPS roughly comparable with MSB and better than MRT; the loss '
		. 'against EASY and conservative is about 8 % with 80 % deadline jobs, 2 to 3 % with 20 %.',
		[0.8, $_], [0.2, $_]) for 0.2, 0.5;
}
my $n = 55;
for my $f (0.2, 0.8) {
	for my $s (0.2, 0.5) {
		define($n++, 'relaxation', $f, $s, 'With rising R the response, which the longer jobs weigh, increases, '
			. 'and the slowdown, which the shorter jobs weigh, decreases.',
			map {
				my $y = $_;
				panel('', 'load', $y, map { { name => "R = $_", key => ['relaxation', 'qops', $f, $s, $_] } }
					2, 5, 10);
			} qw(nondeadline_response_mean_s nondeadline_slowdown_mean));
	}
}

sub new {
	return bless { rows => {}, count => 0, seed => {}, promises => [0, 0, 0] }, shift;
}

# Numbers as keys: 0.20 is 0.2.
sub key { return join '|', map { /^[\d.]+$/ ? $_ + 0 : $_ } @_ }

sub add {
	my ($self, $workload, $row) = @_;
	my @key = ($workload, $row->{scheduler}, $row->{fraction}, $row->{stringency});
	push @key, $row->{relax} if $workload eq 'relaxation';
	my $point = key(@key, $row->{load});
	$self->{rows}{$point}{$row->{seed}} = $row;
	$self->{seed}{$row->{seed}} = 1;
	return if $row->{scheduler} =~ /easy|conservative/ && $row->{stringency} != 0.2;
	$self->{count}++;
	$self->{promises}[0] += $row->{promises_broken};
	$self->{promises}[1] += $row->{promises};
	$self->{promises}[2] += $row->{violations};
}

sub count { return $_[0]{count} }
sub promises { return @{ $_[0]{promises} } }
sub seeds { return join ' ', sort { $a <=> $b } keys %{ $_[0]{seed} } }
sub figures { return sort { $a <=> $b } keys %figure }
sub loads { return @loads }

# The values of a column at a point, by seed; utilization in percent.
sub values_at {
	my ($self, $column, @point) = @_;
	my $rows = $self->{rows}{ key(@point) } or return {};
	my $scale = $column eq 'utilization' ? 100 : 1;
	return { map { $_ => $scale * $rows->{$_}{$column} } keys %$rows };
}

# (mean, least, greatest) over the seeds; nothing if there are no runs.
sub spread {
	my ($self, $column, @point) = @_;
	my @v = values %{ $self->values_at($column, @point) } or return;
	return (sum(@v) / @v, min(@v), max(@v));
}

# The mean, or undef.
sub mean {
	my ($mean) = $_[0]->spread(@_[1 .. $#_]);
	return $mean;
}

sub write_data {
	my ($self, $file, $figure) = @_;
	open my $fh, '>', $file or return;
	for my $panel (@{ $figure->{panels} }) {
		for my $line (@{ $panel->{lines} }) {
			print $fh "# $line->{name}: load, $panel->{x} or the load again, $panel->{y}: "
				. "mean, least, greatest\n";
			for my $load (@loads) {
				my @y = $self->spread($panel->{y}, @{ $line->{key} }, $load) or next;
				my $x = $panel->{x} eq 'load' ? $load
					: $self->mean($panel->{x}, @{ $line->{key} }, $load);
				print $fh join(' ', $load, $x, @y), "\n";
			}
			print $fh "\n\n";
		}
	}
	return close $fh;
}

# gnuplot takes the n-th block of the data for the n-th line.
sub script {
	my ($number, $figure) = @_;
	my $block = 0;
	my $text = "set multiplot layout 1,2\n";
	for my $panel (@{ $figure->{panels} }) {
		my @plots = map {
			my $i = $block++;
			"'fig$number.dat' index $i using 2:3:4:5 with yerrorlines lw 1.5 pt 7 ps 0.5 "
				. "title '$_->{name}'"
		} @{ $panel->{lines} };
		my $range = $panel->{x} eq 'load' ? '[0.95:1.65]' : '[*:*]';
		my $from = $panel->{y} eq 'utilization' ? '*' : 0;
		$text .= "set title '$panel->{title}'\nset xlabel '$axis{$panel->{x}}' offset 0,0.7\nset ylabel '$axis{$panel->{y}}'\n"
			. "set xrange $range\nset yrange [$from:*]\nplot " . join(", \\\n\t", @plots) . "\n";
	}
	return $text . "unset multiplot\n";
}

sub plot {
	my ($self, $out) = @_;
	my $text = "set grid lc rgb '#dddddd'\nset key below horizontal samplen 1.5\n"
		. "set linetype 1 lc rgb '#0060ad'\nset linetype 2 lc rgb '#dd8800'\n"
		. "set linetype 3 lc rgb '#a01030'\nset linetype 4 lc rgb '#208040'\n"
		. "set linetype 5 lc rgb '#808080'\n";
	for my $number ($self->figures) {
		my $figure = $figure{$number};
		$self->write_data("$out/fig$number.dat", $figure) or return 0;
		next if !$self->has_points($figure);
		for my $terminal (['svg size 900,390 background "#ffffff" font "sans,11"', 'svg'],
			['pngcairo size 900,390 font "sans,9"', 'png']) {
			$text .= "set terminal $terminal->[0]\nset output 'fig$number.$terminal->[1]'\n"
				. script($number, $figure) . "unset output\n";
		}
	}
	open my $fh, '>', "$out/figures.gnuplot" or return 0;
	print $fh $text;
	close $fh or return 0;
	# It warns of figures where nothing was refused, whose range is empty.
	return 1 if system('sh', '-c', 'cd "$0" && gnuplot figures.gnuplot 2>gnuplot.log', $out) == 0;
	print STDERR "see $out/gnuplot.log\n";
	return 0;
}

# A panel without a point in any of its lines cannot be plotted.
sub has_points {
	my ($self, $figure) = @_;
	for my $panel (@{ $figure->{panels} }) {
		for my $line (@{ $panel->{lines} }) {
			return 0 if !grep { defined $self->mean($panel->{y}, @{ $line->{key} }, $_) } @loads;
		}
	}
	return 1;
}

sub round3 {
	my ($v) = @_;
	return $v >= 1000 ? sprintf '%.0f', $v : sprintf '%.3g', $v;
}

# What we find, in words: each panel at load 1.6 (the greatest with runs), lines ascending.
sub finding {
	my ($self, $figure) = @_;
	my @text;
	for my $panel (@{ $figure->{panels} }) {
		my %at;
		my $last = '';
		for my $load (@loads) {
			my %v = map { $_->{name} => $self->mean($panel->{y}, @{ $_->{key} }, $load) } @{ $panel->{lines} };
			next if grep { !defined } values %v;
			%at = %v;
			$last = $load;
		}
		next if !%at;
		my $title = $panel->{title} ? "$panel->{title}, " : '';
		my $of = $panel->{y} eq 'utilization' ? 'utilization, %' : $axis{ $panel->{y} };
		push @text, "<p>${title}$of, at load $last: "
			. join(', ', map { "$_ " . round3($at{$_}) } sort { $at{$a} <=> $at{$b} || $a cmp $b } keys %at) . '.</p>';
	}
	return join "\n", @text ? @text : '<p>No runs yet.</p>';
}

sub figure_html {
	my ($self, $number) = @_;
	my $figure = $figure{$number};
	my $image = $self->has_points($figure)
		? "<a href=\"fig$number.png\"><img src=\"fig$number.svg\" alt=\"Figure $number\"></a>" : '';
	return <<"EOF";
<figure id="fig$number"><h3>Figure $number: $figure->{caption}</h3>
$image
<div class="two"><div><b>The paper</b><p>$figure->{says}</p></div><div><b>Ours</b>
@{[$self->finding($figure)]}</div></div></figure>
EOF
}

1;
