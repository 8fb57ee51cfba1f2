# SPDX-License-Identifier: GPL-2.0-or-later
# Claims: what QoPS says of its figures, as assertions over ours. A claim that does not hold needs
# its cause in the file `causes`: the claim's name, a colon, and text up to an empty line.
package Claims;
use strict;
use warnings;
use List::Util qw(all max min sum);
use Verdicts;

my @workloads = qw(ctc-duplicate sdsc-duplicate ctc-expand);
my %short = ('ctc-duplicate' => 'CTC', 'sdsc-duplicate' => 'SDSC', 'ctc-expand' => 'CTC expanded');
my ($jobs, $procsec) = qw(unadmitted_jobs_pct unadmitted_procsec_pct);

# Tests die with this where runs are missing.
my $missing = "no runs\n";

sub new {
	my ($class, $data, $causes) = @_;
	my $self = bless { data => $data, cause => Verdicts::read_causes($causes), claim => [] }, $class;
	for my $claim ($self->all_claims) {
		my ($name, $section, $says, $test) = @$claim;
		my ($holds, $finding) = eval { $test->() };
		die $@ if $@ && $@ ne $missing;
		my $verdict = $@ ? 'open' : $holds ? 'holds' : 'differs';
		push @{ $self->{claim} }, { name => $name, section => $section, says => $says,
			verdict => $verdict, finding => $@ ? 'The runs are not complete.' : $finding,
			cause => $verdict eq 'differs' ? $self->{cause}{$name} : undef };
	}
	return $self;
}

# Mean over the seeds at a point: column, workload, scheduler, fraction, stringency, load (or, for
# relaxation, ..., R, load).
sub at {
	my ($self, @point) = @_;
	return $self->{data}->mean(@point) // die $missing;
}

sub number { return sprintf '%.1f', $_[0] }

# "QoPS 6.3, MSB 6.5, MRT 6.8" of a column at a load.
sub compare {
	my ($self, $column, $w, $f, $s, $load) = @_;
	my %v = map { $_ => $self->at($column, $w, $_, $f, $s, $load) } qw(qops msb mrt);
	return (\%v, sprintf('QoPS %.1f, MSB %.1f, MRT %.1f', @v{qw(qops msb mrt)}));
}

# Does QoPS refuse the least at all of these? Points: [workload, fraction, stringency, load]
sub least {
	my ($self, $column, @points) = @_;
	my ($count, @text, @not) = (0);
	for my $p (@points) {
		my ($v, $text) = $self->compare($column, @$p);
		my $won = $v->{qops} <= min($v->{msb}, $v->{mrt});
		$count += $won;
		push @{ $won ? \@text : \@not }, "$short{$p->[0]}, load $p->[3]"
			. (@points > 6 ? ', ' . 100 * $p->[1] . " %, s = $p->[2]" : '') . ": $text";
	}
	my $finding = "QoPS refuses the least at $count of " . @points . ' points. ';
	$finding .= @not ? 'Not so: ' . join('; ', @not) : join('; ', @text);
	return ($count == @points, "$finding.");
}

# Points of utilization lost against EASY, over all loads.
sub loss {
	my ($self, $scheme, $w, $f, $s) = @_;
	return sum(map { $self->at('utilization', $w, 'easy', $f, $s, $_)
		- $self->at('utilization', $w, $scheme, $f, $s, $_) } $self->{data}->loads) / 4;
}

sub losses {
	my ($self, $f, $s, $lo, $hi) = @_;
	my %v = map { $_ => $self->loss('qops', $_, $f, $s) } @workloads;
	my $mean = sum(values %v) / 3;
	return ($mean >= $lo && $mean <= $hi, sprintf('%.1f points on average over the loads and workloads (%s).',
		$mean, join ', ', map { "$short{$_} " . number($v{$_}) } @workloads));
}

# How far the three schemes are apart, as a share of what they refuse.
sub apart {
	my ($self, $w, $f, $s, @loads) = @_;
	return sum(map {
		my ($v) = $self->compare($procsec, $w, $f, $s, $_);
		(max(values %$v) - min(values %$v)) / (sum(values %$v) / 3);
	} @loads) / @loads;
}

# A column at a utilization, by straight lines between the loads; undef outside.
sub at_utilization {
	my ($self, $column, $scheme, $w, $f, $s, $u) = @_;
	my @p = sort { $a->[0] <=> $b->[0] } map {
		[$self->at('utilization', $w, $scheme, $f, $s, $_), $self->at($column, $w, $scheme, $f, $s, $_)]
	} $self->{data}->loads;
	for my $i (1 .. $#p) {
		my ($from, $to) = @p[$i - 1, $i];
		next if $u < $from->[0] || $u > $to->[0];
		return $from->[1] if $to->[0] == $from->[0];
		return $from->[1] + ($to->[1] - $from->[1]) * ($u - $from->[0]) / ($to->[0] - $from->[0]);
	}
	return;
}

# At the utilizations that QoPS reaches: how often it is lower than each of the others, where these
# reach them, too.
sub lower_at_utilization {
	my ($self, $column, @others) = @_;
	my (%lower, %of, @not);
	for my $w (@workloads) {
		for my $load ($self->{data}->loads) {
			my @point = ($w, 'qops', 0.2, 0.2, $load);
			my ($u, $v) = ($self->at('utilization', @point), $self->at($column, @point));
			for my $other (@others) {
				my $theirs = $self->at_utilization($column, $other, $w, 0.2, 0.2, $u) // next;
				$of{$other}++;
				$lower{$other} += $v <= $theirs;
				push @not, sprintf '%s, load %s: %.3g against %.3g of %s', $short{$w}, $load, $v, $theirs,
					uc $other if $v > $theirs;
			}
		}
	}
	return ((all { $lower{$_} == $of{$_} } keys %of), 'QoPS is lower at ' . join(', ',
		map { "$lower{$_} of $of{$_} points against \U$_" } sort keys %of)
		. (@not && @not < 5 ? '; not so: ' . join('; ', @not) : '') . '.');
}

sub all_claims {
	my ($self) = @_;
	my @high = map { my $w = $_; map { [$w, 1, 0.2, $_] } 1.4, 1.6 } @workloads;
	my @mixed = map { my $w = $_; map { [$w, 0.8, 0.2, $_] } 1.4, 1.6 } @workloads;
	my @few = map { my $w = $_; map { my $s = $_; map { [$w, 0.2, $s, $_] } 1.4, 1.6 } 0.2, 0.5 } @workloads;
	return (
		['kept', '1', 'Deadlines of admitted jobs are guaranteed.', sub {
			my ($broken, $promises, $violations) = $self->{data}->promises;
			return ($promises && !$broken && !$violations,
				"$broken of $promises promises broken, $violations violations found.");
		}],
		['work-refused', '5.1', 'All jobs with deadlines, stringency 0.2: QoPS refuses fewer processor-seconds '
			. 'than MSB and MRT at high load.', sub { $self->least($procsec, @high) }],
		['jobs-refused', '5.1', 'The same, counted in jobs.', sub { $self->least($jobs, @high) }],
		['converge', '5.1', 'At stringency 0.5 the schemes are closer to each other than at 0.2.', sub {
			my @d = map { my $s = $_; sum(map { $self->apart($_, 1, $s, 1.4, 1.6) } @workloads) / 3 } 0.2, 0.5;
			return ($d[1] < $d[0], sprintf 'Between the scheme that refuses the most work and the least, at '
				. 'loads 1.4 and 1.6: %.0f %% of their mean at 0.2, %.0f %% at 0.5.', map { 100 * $_ } @d);
		}],
		['fall-jobs', '5.1', 'CTC, stringency 0.2: the number of jobs that QoPS refuses falls from load 1.4 to 1.6.',
			sub {
				my @n = map { $self->at('jobs_refused', 'ctc-duplicate', 'qops', 1, 0.2, $_) } 1.4, 1.6;
				return ($n[1] < $n[0], sprintf '%.0f jobs at 1.4, %.0f at 1.6.', @n);
			}],
		['fall-work', '5.1', 'The share of the work that it refuses falls more strongly.', sub {
			my @n = map { $self->at($procsec, 'ctc-duplicate', 'qops', 1, 0.2, $_) } 1.4, 1.6;
			my @j = map { $self->at('jobs_refused', 'ctc-duplicate', 'qops', 1, 0.2, $_) } 1.4, 1.6;
			return ($n[1] < $n[0] && $n[1] / $n[0] < $j[1] / $j[0],
				sprintf '%.1f %% at 1.4, %.1f %% at 1.6.', @n);
		}],
		['loss-all', '5.1', 'Utilization lost against EASY when all jobs have deadlines, stringency 0.2: about 10 %.',
			sub { $self->losses(1, 0.2, 5, 15) }],
		['loss-stringent', '5.1', 'At stringency 0.5 utilization drops by another 5 to 10 %.', sub {
			my @l = map { my $s = $_; sum(map { $self->loss('qops', $_, 1, $s) } @workloads) / 3 } 0.2, 0.5;
			my $drop = $l[1] - $l[0];
			return ($drop >= 5 && $drop <= 10, sprintf '%.1f points.', $drop);
		}],
		['utilization-high-load', '5.1', 'Load 1.6: QoPS and MSB are comparable (within 2 points here), MRT is 3 to 5 % '
			. 'lower.', sub {
				my @text;
				my $holds = 1;
				for my $w (@workloads) {
					my ($v, $text) = $self->compare('utilization', $w, 1, 0.2, 1.6);
					$holds &&= abs($v->{qops} - $v->{msb}) <= 2 && $v->{qops} - $v->{mrt} >= 3
						&& $v->{qops} - $v->{mrt} <= 5;
					push @text, "$short{$w}: $text";
				}
				return ($holds, join('; ', @text) . '.');
			}],
		['mixed-work', '5.2', '80 % deadline jobs, stringency 0.2: QoPS is better than MSB and MRT at high load '
			. '(processor-seconds).', sub { $self->least($procsec, @mixed) }],
		['mixed-jobs', '5.2', 'The same, counted in jobs.', sub { $self->least($jobs, @mixed) }],
		['few-work', '5.2', '20 % deadline jobs: QoPS outperforms MSB and MRT, at stringency 0.5, too '
			. '(processor-seconds).', sub { $self->least($procsec, @few) }],
		['few-jobs', '5.2', 'The same, counted in jobs.', sub { $self->least($jobs, @few) }],
		['nondeadline', '5.2', 'Response of non-deadline jobs, CTC: lower with QoPS, MSB and MRT than with EASY and '
			. 'conservative, at load 1.6.', sub {
				my (@text, $lower);
				for my $f (0.2, 0.8) {
					my %v = map { $_ => $self->at('nondeadline_response_mean_s', 'ctc-duplicate', $_, $f, 0.2,
						1.6) } qw(qops msb mrt easy conservative);
					$lower += max(@v{qw(qops msb mrt)}) < min(@v{qw(easy conservative)});
					push @text, 100 * $f . ' % deadline jobs: ' . join(', ', map { "\U$_\E "
						. sprintf '%.0f s', $v{$_} } sort { $v{$a} <=> $v{$b} || $a cmp $b } keys %v);
				}
				return ($lower == 2, join('; ', @text) . '.');
			}],
		['slowdown-msb', '5.2', 'Slowdown of non-deadline jobs, CTC, 20 % deadline jobs: QoPS is lower than MSB at all '
			. 'loads.', sub {
				my @text;
				my $holds = 1;
				for my $load ($self->{data}->loads) {
					my @v = map { $self->at('nondeadline_slowdown_mean', 'ctc-duplicate', $_, 0.2, 0.2, $load) }
						qw(qops msb);
					$holds &&= $v[0] < $v[1];
					push @text, sprintf 'load %s: %.1f against %.1f', $load, @v;
				}
				return ($holds, join('; ', @text) . '.');
			}],
		['same-utilization', '5.2', '20 % deadline jobs, stringency 0.2: at the same utilization the slowdown of '
			. 'non-deadline jobs is lower with QoPS than with MSB and MRT.',
			sub { $self->lower_at_utilization('nondeadline_slowdown_mean', qw(msb mrt)) }],
		['same-utilization-easy', '5.2', 'And lower than with EASY and conservative.',
			sub { $self->lower_at_utilization('nondeadline_slowdown_mean', qw(easy conservative)) }],
		['loss-mixed', '5.2', 'Utilization lost against EASY with 80 % deadline jobs: about 8 %.',
			sub { $self->losses(0.8, 0.2, 5, 11) }],
		['loss-few', '5.2', 'With 20 % deadline jobs: 2 to 3 %.', sub { $self->losses(0.2, 0.2, 1.5, 3.5) }],
		['relax-response', '5.3', '80 % deadline jobs, stringency 0.2: with rising R the response of non-deadline jobs '
			. 'increases.', sub { $self->relaxation('nondeadline_response_mean_s', 1) }],
		['relax-slowdown', '5.3', 'And their slowdown decreases.',
			sub { $self->relaxation('nondeadline_slowdown_mean', -1) }],
	);
}

# From R = 2 to 10, over all loads; direction 1: it should rise.
sub relaxation {
	my ($self, $column, $direction) = @_;
	my @v = map {
		my $r = $_;
		sum(map { $self->at($column, 'relaxation', 'qops', 0.8, 0.2, $r, $_) } $self->{data}->loads) / 4
	} 2, 5, 10;
	return ($direction * ($v[2] - $v[0]) > 0,
		sprintf 'Means over the loads: R = 2: %.5g, R = 5: %.5g, R = 10: %.5g.', @v);
}

# Claims that fail without a cause in the file.
# Those that could not be judged.
sub unjudged {
	my ($self) = @_;
	return grep { $_->{verdict} eq 'open' } @{ $self->{claim} };
}

sub summary {
	my ($self) = @_;
	my $holds = grep { $_->{verdict} eq 'holds' } @{ $self->{claim} };
	my $differ = grep { $_->{verdict} eq 'differs' } @{ $self->{claim} };
	my $unexplained = () = $self->unexplained;
	my $unjudged = () = $self->unjudged;
	return "qops: $holds claims hold, $differ differ"
		. ($differ ? ', ' . ($unexplained || 'none') . ' of them without a known cause' : '')
		. ($unjudged ? "; $unjudged not judged, as runs are missing" : '');
}

sub unexplained {
	my ($self) = @_;
	return grep { $_->{verdict} eq 'differs' && !$_->{cause} } @{ $self->{claim} };
}

sub text {
	my ($self) = @_;
	my $text = '';
	for my $c (@{ $self->{claim} }) {
		my $verdict = $c->{verdict};
		$verdict .= $c->{cause} ? ' (cause known)' : ' (CAUSE NOT KNOWN)' if $verdict eq 'differs';
		$text .= sprintf "%-22s section %s  %s\n  %s\n  %s\n", $c->{name}, $c->{section}, $verdict, $c->{says},
			$c->{finding};
	}
	return $text;
}

sub html {
	my ($self) = @_;
	my $html = "<table><tr><th></th><th>The paper</th><th>Ours</th><th></th></tr>\n";
	for my $c (@{ $self->{claim} }) {
		my $cause = $c->{cause} ? "<br><i>Why:</i> $c->{cause}" : '';
		$html .= "<tr><td>$c->{section}</td><td>$c->{says}</td><td>$c->{finding}$cause</td>"
			. "<td class=\"$c->{verdict}\">$c->{verdict}</td></tr>\n";
	}
	return "$html</table>\n";
}

1;
