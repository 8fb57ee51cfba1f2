# SPDX-License-Identifier: GPL-2.0-or-later
# Claims: how near our runs are to the tables of the thesis, what it says of them, and what we hold our own schedulers to, as
# assertions. Values are means over the seeds.
#	my @verdicts = Claims::judge({ mean => sub (table, kind, rate, what), there => sub (table), kept => [promises, broken],
#		logs => { SCHEDULER => [[where, change of malleable jobs' response in %, of the others', promises, broken]...] } })
package Claims;
use strict;
use warnings;
use Paper;
use Verdicts;

my ($x, @verdicts);

sub verdict {
	my ($id, $claim, $holds, $found) = @_;
	push @verdicts, { id => $id, claim => $claim, holds => $holds ? 1 : 0, found => $found };
}

# A claim about many points: [where, does it hold, what is there].
sub everywhere {
	my ($id, $claim, @cases) = @_;
	verdict($id, $claim, Verdicts::points(@cases));
}

sub judge {
	$x = shift;
	@verdicts = ();
	my @tables = grep { $x->{there}->($_->{name}) } Paper::tables();
	for my $t (@tables) {
		for my $kind (Paper::kinds()) {
			near($t, $kind, $_) for qw(response utilisation profit);
		}
		ahead($t);
	}
	lazy(@tables);
	my ($promises, $broken) = @{ $x->{kept} };
	verdict('kept', 'no job ends past a deadline that it was promised', $promises && !$broken, "$promises promises, $broken broken")
		if grep { $_->{strategy} ne 'uniform' } @tables;
	logs($_) for sort keys %{ $x->{logs} };
	return @verdicts;
}

# Ours, beyond the thesis: of a scheduler on the logs.
sub logs {
	my ($name) = @_;
	my @rows = @{ $x->{logs}{$name} };
	my @promising = grep { $_->[3] } @rows;
	everywhere("log-$name-malleable", "logs, $name: malleable jobs respond sooner than the same ones when none is malleable", map {
		[$_->[0], $_->[1] < 0, sprintf('%+.1f %%', $_->[1])] } grep { defined $_->[1] } @rows);
	everywhere("log-$name-rigid", "logs, $name: the others respond at most 1 % later", map {
		[$_->[0], $_->[2] <= 1, sprintf('%+.1f %%', $_->[2])] } grep { defined $_->[2] } @rows);
	everywhere("log-$name-kept", "logs, $name: no promise is broken", map {
		[$_->[0], !$_->[4], sprintf('%.0f promises, %.0f broken', @$_[3, 4])] } @promising) if @promising;
}

sub near {
	my ($t, $kind, $what) = @_;
	my (@cases, $bound);
	for my $rate (@{ $t->{rates} }) {
		my $paper = Paper::row($t, $kind, $rate)->{$what} // next;
		my $b = Paper::bound($t, $kind, $what, $rate) // next;
		my $ours = $x->{mean}->($t->{name}, $kind, $rate, $what) // next;
		my $off = Paper::off($what, $ours, $paper);
		$bound = $b;
		push @cases, ["1/lambda = $rate", abs $off <= $b, sprintf('%.*f, the thesis has %s (%+.1f %s)', $ours < 1000 ? 2 : 0, $ours,
			$paper, $off, Paper::unit($what))];
	}
	return if !@cases;
	everywhere("$t->{name}-$kind-$what", "Table $t->{name}, $kind jobs: $what within $bound " . Paper::unit($what) .
		" of the thesis'" . (@cases < @{ $t->{rates} } ? ' short of saturation' : ''), @cases);
}

sub ahead {
	my ($t) = @_;
	everywhere("$t->{name}-ahead", "Table $t->{name}: adaptive jobs respond sooner than traditional ones", map {
		my ($a, $b) = both($t->{name}, $_, 'response');
		["1/lambda = $_", $a < $b, sprintf('%.1f, %.1f s', $a, $b)] } @{ $t->{rates} });
}

sub both { my ($name, $rate, $what) = @_; return map { $x->{mean}->($name, $_, $rate, $what) // 0 } Paper::kinds() }

sub lazy {
	my %there = map { $_->{name} => $_ } @_;
	return if !$there{4.5} || !$there{4.6};
	for my $kind (Paper::kinds()) {
		everywhere("lazy-$kind", "$kind jobs: lazy earns more than simple", map {
			my $rate = $_;
			my ($simple, $lazy) = map { $x->{mean}->($_, $kind, $rate, 'profit') // 0 } '4.5', '4.6';
			["1/lambda = $rate", $lazy > $simple, sprintf('%.0f, simple %.0f', $lazy, $simple)] } @{ $there{4.5}{rates} });
	}
}

1;
