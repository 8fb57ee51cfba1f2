#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# rooms: the table testsuite/rooms holds: what each folder includes, by its headers and, where the tree is
# built, by the symbols that its objects leave undefined; how many modules it has; and the circles (TAP).
# Each rule is first tried on a made-up tree that breaks it.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Find qw(find);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Test::More;

my $top = $ENV{PACT_TOP} // abs_path(dirname($0) . '/..');
my $build = $ENV{PACT_BUILD} // "$top/build/main";
my @roots = qw(common client core draw tape sim slurm node contrib/elastic contrib/pact);
my $most = 16;    # modules in a folder

# { may => { folder => { other => 1 } }, back => { 'a b' => reason }, circle => { 'folder: x y' => reason } }
sub read_table {
	my ($file) = @_;
	my %t = (may => {}, back => {}, circle => {});

	open(my $in, '<', $file) or die "$file: $!\n";
	while (my $line = <$in>) {
		my $reason = $line =~ s/\s*#\s*(.*?)\s*$// ? $1 : '';

		next unless $line =~ /\S/;
		if ($line =~ /^back\s+(\S+)\s+(\S+)\s*$/) {
			$t{back}{"$1 $2"} = $reason;
		} elsif ($line =~ /^circle\s+(\S+):\s*(.*\S)\s*$/) {
			$t{circle}{ "$1: " . join ' ', sort split ' ', $2 } = $reason;
		} elsif ($line =~ /^(\S+):\s*(.*?)\s*$/) {
			my ($folder, $others) = ($1, $2);

			$t{may}{$folder} = { map { $_ => 1 } split ' ', $others };
		} else {
			die "$file:$.: not understood: $line\n";
		}
	}
	return \%t;
}

sub sources {
	my ($tree) = @_;
	my @files;
	my @dirs = grep { -d } map { "$tree/$_" } @roots;

	find({ wanted => sub { push @files, substr($_, length($tree) + 1) if /\.[ch]$/ && -f },
			no_chdir => 1 }, @dirs) if @dirs;
	return sort @files;
}

sub includes {
	my ($tree) = @_;
	my @pairs;

	for my $file (sources($tree)) {
		open(my $in, '<', "$tree/$file") or die "$file: $!\n";
		while (<$in>) {
			push @pairs, [$file, $1] if /^\s*#\s*include\s*"([^"]+)"/ && -e "$tree/$1";
		}
	}
	return @pairs;
}

# Objects by source: { 'core/base/table.c' => { defined => {...}, undefined => {...} } }
sub objects {
	my ($tree, $from) = @_;
	my %of;

	for my $file (grep { /\.c$/ } sources($tree)) {
		my ($dir, $name) = (dirname($file), basename($file, '.c'));
		my ($o) = grep { -e } glob("$from/$dir/.libs/*_la-$name.o $from/$dir/*-$name.o $from/$dir/.libs/$name.o $from/$dir/$name.o");

		next unless $o;
		$of{$file} = { defined => {}, undefined => {} };
		for (`nm '$o'`) {
			$of{$file}{ $1 eq 'U' ? 'undefined' : 'defined' }{$2} = 1
				if /\s([TDBRVWCU])\s(\S+)$/;
		}
	}
	return %of;
}

# Is every source there as an object, too? Else what is not used is not known.
my $whole = 1;

# Edges between files: [user, used, how].
sub edges {
	my ($tree, $from) = @_;
	my %of = objects($tree, $from);
	my (%home, @e);

	$whole = $tree ne $top || keys %of == grep { /\.c$/ } sources($tree);

	push @e, [@$_, 'include'] for includes($tree);
	for my $file (keys %of) {
		$home{$_} = $file for keys %{ $of{$file}{defined} };
	}
	for my $file (sort keys %of) {
		for my $symbol (sort keys %{ $of{$file}{undefined} }) {
			push @e, [$file, $home{$symbol}, $symbol] if $home{$symbol};
		}
	}
	return @e;
}

sub rule_known {
	my ($tree, $t) = @_;
	my %seen = map { dirname($_) => 1 } sources($tree);

	return (map({ "$_ is in no line of the table" } grep { !$t->{may}{$_} } sort keys %seen),
		map({ "the table has $_, which is not there" } grep { !$seen{$_} } sort keys %{ $t->{may} }));
}

sub rule_use {
	my ($tree, $t, @e) = @_;
	my (@bad, %used);

	for (@e) {
		my ($a, $b) = map { dirname($_) } @$_[0, 1];

		next if $a eq $b || !$t->{may}{$a};
		$used{"$a $b"} = 1;
		push @bad, "$_->[0] uses $_->[1] ($_->[2])" if !$t->{may}{$a}{$b};
	}
	for my $a ($whole ? sort keys %{ $t->{may} } : ()) {
		push @bad, map({ "$a does not use $_" } grep { !$used{"$a $_"} } sort keys %{ $t->{may}{$a} });
	}
	return @bad;
}

# Groups of more than one that reach each other.
sub circles {
	my (%next) = @_;
	my (%reach, %done, @groups);

	for my $from (keys %next) {
		my @todo = ($from);

		while (defined(my $x = pop @todo)) {
			push @todo, grep { !$reach{$from}{$_}++ } keys %{ $next{$x} // {} };
		}
	}
	for my $a (sort keys %next) {
		my @group = sort grep { $reach{$a}{$_} && $reach{$_}{$a} } keys %{ $reach{$a} };

		push @groups, \@group if @group > 1 && !grep { $done{$_}++ } @group;
	}
	return @groups;
}

sub rule_folders {
	my ($tree, $t) = @_;
	my (%next, @bad);

	for my $a (keys %{ $t->{may} }) {
		for my $b (keys %{ $t->{may}{$a} }) {
			$next{$a}{$b} = 1 unless exists $t->{back}{"$a $b"};
		}
	}
	push @bad, map({ 'a circle: ' . join(' ', @$_) } circles(%next));
	for my $pair (sort keys %{ $t->{back} }) {
		my ($a, $b) = split ' ', $pair;

		push @bad, "back $pair: no reason" unless $t->{back}{$pair};
		push @bad, "back $pair: it is not in the table" unless $t->{may}{$a}{$b};
		$next{$a}{$b} = 1;
		push @bad, "back $pair: without it there is no circle" unless circles(%next);
		delete $next{$a}{$b};
	}
	return @bad;
}

sub module { my ($f) = @_; $f =~ s/\.[ch]$//; return $f; }

sub rule_modules {
	my ($tree, $t, @e) = @_;
	my (%next, %n, @bad, %found);

	for (grep { /\.c$/ } sources($tree)) {
		$n{ dirname($_) }++;
	}
	push @bad, map({ "$_ has $n{$_} modules, more than $most" } grep { $n{$_} > $most } sort keys %n);
	for (@e) {
		my ($a, $b) = map { module($_) } @$_[0, 1];

		# what a header declares is anybody's; a circle is one of code
		next if $_->[2] eq 'include' || $a eq $b || dirname($a) ne dirname($b);
		$next{$a}{$b} = 1;
	}
	for my $group (circles(%next)) {
		my $line = dirname($group->[0]) . ': ' . join ' ', map { basename($_) } @$group;

		$found{$line} = 1;
		push @bad, "circle $line" unless $t->{circle}{$line};
	}
	push @bad, map({ "circle $_: it is none" } grep { $whole && %next && !$found{$_} } sort keys %{ $t->{circle} });
	return @bad;
}

my %rules = (known => \&rule_known, use => \&rule_use, folders => \&rule_folders, modules => \&rule_modules);

# ---- each rule sees what breaks it ----

sub broken {
	my ($rule, $table, %files) = @_;
	my $dir = tempdir(CLEANUP => 1);
	my @bad;

	for (keys %files) {
		make_path("$dir/" . dirname($_));
		open(my $out, '>', "$dir/$_") or die;
		print $out $files{$_};
	}
	open(my $out, '>', "$dir/rooms") or die;
	print $out $table;
	close $out;
	@bad = $rules{$rule}->($dir, read_table("$dir/rooms"), edges($dir, "$dir/none"));
	ok(scalar @bad, "rule $rule sees: " . ($bad[0] // 'nothing'));
}

my %two = ('core/a/x.h' => '', 'core/b/y.c' => "#include \"core/a/x.h\"\n");

broken('known', "core/a:\n", %two);
broken('known', "core/a:\ncore/b: core/a\ncore/c:\n", %two);
broken('use', "core/a:\ncore/b:\n", %two);
broken('use', "core/a: core/b\ncore/b: core/a\n", %two);
broken('folders', "core/a: core/b\ncore/b: core/a\n", %two);
broken('folders', "core/a: core/b\ncore/b: core/a\nback core/a core/b\n", %two);
broken('folders', "core/a:\ncore/b: core/a\nback core/a core/b # why not\n", %two);
broken('modules', "core/a:\n", map { ("core/a/m$_.c" => '') } 0 .. $most);

# ---- the tree ----

my $table = read_table("$top/testsuite/rooms");
my @edges = edges($top, $build);

for my $rule (qw(known use folders modules)) {
	my @bad = $rules{$rule}->($top, $table, @edges);

	ok(!@bad, "rule $rule holds") or diag(join "\n", @bad);
}
SKIP: {
	skip('the tree is not built as a whole: not every symbol was looked at', 1) unless $whole && -d $build;
	pass('every symbol was looked at, too');
}
done_testing();
