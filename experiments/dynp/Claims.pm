# SPDX-License-Identifier: GPL-2.0-or-later
# Claims: what dynP says of its results, as assertions over ours, and what it wishes for.
package Claims;
use strict;
use warnings;

# Means over few seeds: so much worse is still "at".
my $at = 1.02;

# dynp-pact, the setting of ours that is held against the best single policy, is the same for all sets and loads:
# Policies=sjf,fcfs Decider=preferred Spread=140 Gain=150 Slackness=10, in the file SET-spread.

sub verdict {
	my ($id, $claim, $holds, $found) = @_;
	return { id => $id, claim => $claim, holds => $holds, found => $found };
}

# Section 5.2: "the advanced decider is almost always better than the simple decider".
sub advanced_ahead {
	my ($x, $set) = @_;
	my %v = map { $_ => $x->{mean}->("$set-deciders", 'artww_s', shrink => '1.00', Decider => $_, Quality => 'artww') } qw(simple advanced);
	return verdict("advanced-$set", "$set: advanced at or ahead of simple in ARTwW", $v{advanced} <= $at * $v{simple},
		sprintf('%.0f s against %.0f s', $v{advanced}, $v{simple}));
}

sub at_every_factor {
	my ($x, $set, $key, $best) = @_;
	my @missed;
	for my $f ($x->{factors}->($set)) {
		my %v = map { $_ => $x->{mean}->("$set-singles", $key, shrink => $f, Policies => $_) } qw(fcfs sjf ljf);
		push @missed, $f if grep { $v{$best} > $at * $v{$_} } qw(fcfs sjf ljf);
	}
	return @missed;
}

# "SJF combined with conservative backfilling achieves the lowest response times and slowdowns".
sub sjf_best {
	my ($x, $set) = @_;
	my @artww = at_every_factor($x, $set, 'artww_s', 'sjf');
	my @sld = at_every_factor($x, $set, 'sldww60', 'sjf');
	return (verdict("sjf-artww-$set", "$set: SJF has the lowest ARTwW of the single policies", !@artww, @artww ? "not at @artww" : 'at all factors'),
		verdict("sjf-sldww-$set", "$set: SJF has the lowest SLDwW60 of the single policies", !@sld, @sld ? "not at @sld" : 'at all factors'));
}

# "For maximum utilization LJF is the best choice", at the highest load.
sub ljf_best {
	my ($x, $set) = @_;
	my ($f) = sort { $a <=> $b } $x->{factors}->($set);
	my %v = map { $_ => $x->{mean}->("$set-singles", 'utilization', shrink => $f, Policies => $_) } qw(fcfs sjf ljf);
	return verdict("ljf-$set", "$set: LJF has the highest utilization at $f", $v{ljf} >= 0.995 * $v{fcfs} && $v{ljf} >= 0.995 * $v{sjf},
		join(', ', map { sprintf('%s %.1f %%', $_, 100 * $v{$_}) } qw(fcfs sjf ljf)));
}

sub share_of { my ($x, $set, $case) = @_;
	return $x->{mean}->("$set-deciders", sub { 100 * $x->{case}->($case)->($_[0]) / ($x->{steps}->($_[0]) || 1) }, @{ $x->{advanced} }) }

# Table 6: "over two-thirds of all cases are 6b"; 6c under 1 %, 8b and 10a never or once.
sub cases {
	my ($x, $set) = @_;
	my %v = map { $_ => share_of($x, $set, $_) } @Paper::cases;
	my ($most) = sort { $v{$b} <=> $v{$a} || $a cmp $b } keys %v;
	return (verdict("case6b-$set", "$set: case 6b is the most frequent", $most eq '6b', sprintf('6b %.1f %%, %s %.1f %%', $v{'6b'}, $most, $v{$most})),
		verdict("critical-$set", "$set: the undecided cases 6c, 8b and 10a are rare, under 1 % each",
			!grep({ $v{$_} >= 1 } qw(6c 8b 10a)), join(', ', map { sprintf('%s %.2f %%', $_, $v{$_}) } qw(6c 8b 10a))));
}

sub keeps {
	my ($x, $set) = @_;
	my $kept = $x->{mean}->("$set-deciders", $x->{kept}, @{ $x->{advanced} });
	return verdict("kept-$set", "$set: about 90 % of the steps keep the policy (85 to 95)", $kept >= 85 && $kept <= 95, sprintf('%.1f %%', $kept));
}

# Table 4: with MS as quality the advanced decider prefers LJF.
sub ms_takes_ljf {
	my ($x, $set) = @_;
	my %v = map { $_ => $x->{mean}->("$set-deciders", "dynp_jobs_started_$_", shrink => '1.00', Decider => 'advanced', Quality => 'ms') } ($x->{first}, qw(sjf ljf));
	return verdict("ms-ljf-$set", "$set: by MS most jobs start with LJF", $v{ljf} >= $v{sjf} && $v{ljf} >= $v{ $x->{first} },
		join(', ', map { sprintf('%s %.0f', $_, $v{$_}) } ($x->{first}, qw(sjf ljf))));
}

# The best single policy at a factor, what it has, and by how many percent dynp-pact is above it.
sub gap {
	my ($x, $set, $key, $f) = @_;
	my %v = map { $_ => $x->{mean}->("$set-singles", $key, shrink => $f, Policies => $_) } qw(fcfs sjf ljf);
	my ($best) = sort { $v{$a} <=> $v{$b} || $a cmp $b } keys %v;
	my $ours = $x->{mean}->("$set-spread", $key, shrink => $f);
	return ($best, $v{$best}, $ours, $v{$best} ? 100 * ($ours / $v{$best} - 1) : 0);
}

# The wish of section 6: never worse than the best single policy.
sub never_worse {
	my ($x, $set, $key) = @_;
	my @over;
	for my $f ($x->{factors}->($set)) {
		my ($best, $least, $ours, $percent) = gap($x, $set, $key, $f);
		push @over, [$percent, sprintf('%+.1f %% at %s (%s)', $percent, $f, uc $best)];
	}
	@over = sort { $b->[0] <=> $a->[0] } @over;
	return verdict("never-worse-$key-$set", "$set: dynp-pact within 2 % of the best single policy's $key at every factor",
		$over[0][0] <= 2, "at worst $over[0][1], at best $over[-1][1]");
}

sub judge {
	my $x = shift;
	my @v;
	for my $set (@{ $x->{sets} }) {
		push @v, advanced_ahead($x, $set) unless $set eq 'sdsc';
		push @v, sjf_best($x, $set), ljf_best($x, $set), cases($x, $set), keeps($x, $set), ms_takes_ljf($x, $set);
		push @v, never_worse($x, $set, $_) for qw(artww_s sldww60);
	}
	return @v;
}

1;
