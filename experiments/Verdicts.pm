# SPDX-License-Identifier: GPL-2.0-or-later
# Verdicts: what all experiments' claims have in common.
#	my $causes = Verdicts::read_causes(FILE);    # { ID => why it does not hold here }; empty: there is no such file
#	my ($holds, $found) = Verdicts::points([where, does it hold, what is there]...);
package Verdicts;
use strict;
use warnings;

# Paragraphs "ID: why it does not hold here".
sub read_causes {
	my $path = shift;
	my %causes;
	open(my $f, '<', $path) or return {};
	local $/ = '';
	while (my $paragraph = <$f>) {
		$paragraph =~ s/^#.*\n//mg;
		my ($name, $text) = $paragraph =~ /^([\w.-]+):\s*(.*)/s or next;
		$causes{$name} = $text =~ s/\s+/ /gr =~ s/ $//r;
	}
	close($f);
	return \%causes;
}

# A claim about many points holds if it does at each. Those where it does not are told, or the last.
sub points {
	my @cases = @_;
	my @bad = grep { !$_->[1] } @cases;
	my @told = @bad ? @bad[0 .. (@bad > 4 ? 3 : $#bad)] : @cases ? ($cases[-1]) : ();
	return (@cases && !@bad, (@bad ? @bad . ' of ' : '') . @cases . ' points' . (@bad ? ' do not: ' : ', as ') .
		join('; ', map { "$_->[0]: $_->[2]" } @told));
}

1;
