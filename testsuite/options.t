#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# options.t: every long option in the sources of pact and pact-sim stands in the manual, in the help of its
# subcommand, and is offered by bash's completion; and nothing else is offered.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use Test::More;

my $top = $ENV{PACT_TOP} // abs_path(dirname(abs_path(__FILE__)) . '/..');
my $build = $ENV{PACT_BUILD} // $top;

sub slurp {
	my $path = shift;
	open(my $f, '<', $path) or die "$path: $!";
	local $/;
	return <$f>;
}

# The words of a manual page, without its fonts.
sub manual {
	my $text = slurp(shift);
	$text =~ s/\\f[A-Z]|\\f\(..//g;
	$text =~ s/\\-/-/g;
	$text =~ s/\\&//g;
	return $text;
}

# Names in the getopt tables of a file; those of one table, if it is named.
sub table {
	my ($path, $name) = @_;
	my $text = slurp("$top/$path");
	my @names;
	$name //= qr/\w+/;
	while ($text =~ /struct option $name\[\] = \{(.*?)\n\};/gs) {
		my $body = $1;
		push @names, $body =~ /\{ "([a-z-]+)",/g;
	}
	return @names;
}

# What bash offers behind these words, the last of which is being written.
sub offered {
	my ($file, $function, @words) = @_;
	my $script = '. "$1"; shift; f=$1; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); $f; printf "%s\n" "${COMPREPLY[@]}"';
	open(my $p, '-|', 'bash', '-c', $script, '-', "$top/contrib/completions/$file", $function, @words) or die "bash: $!";
	my @got = grep { length } map { chomp; $_ } <$p>;
	close $p;
	return @got;
}

sub holds {
	my ($text, $option) = @_;
	return $text =~ /(?<![\w-])--\Q$option\E(?![\w-])/;
}

sub check {
	my ($program, $command, $help, $manual, $function, @options) = @_;
	subtest "$program $command" => sub {
		cmp_ok(scalar(@options), '>', 0, 'it has options');
		for my $option (@options) {
			ok(holds($manual, $option), "--$option is in the manual");
			ok(holds($help, $option), "and in the help");
		}
		is_deeply([sort grep { /^--/ } offered($program, $function, $program, $command, '--')],
			[sort map { "--$_" } @options], 'and completed, and nothing else');
	};
}

ok(!holds('--node', 'nodes') && !holds('--nodes-x', 'nodes') && holds('[--nodes N]', 'nodes'), 'a judge that sees');

my $sim = "$build/sim/pact-sim";
my $sim_manual = manual("$top/doc/pact-sim.1");
my $text = slurp("$top/sim/commands/run_options.c");
my ($rows) = $text =~ /\} options\[\] = \{(.*?)\n\};/s;
my @run = $rows =~ /\{ "([a-z-]+)", set_/g;
my %sim = (
	run => [@run, table('sim/commands/cmd_run.c')],
	sweep => [@run, table('sim/commands/cmd_sweep.c')],
	trace => [table('sim/commands/cmd_trace.c')],
	gantt => [@run, table('sim/commands/cmd_gantt.c')],
	matrix => [@run, table('sim/commands/cmd_matrix.c')],
	bound => [@run, table('sim/commands/cmd_bound.c')],
	replay => [slurp("$top/sim/commands/cmd_replay.c") =~ /strcmp\(argv\[first\], "--([a-z-]+)"\)/g],
	scenario => ['help'],
);
my @commands = slurp("$top/sim/commands/main.c") =~ /\{ "([a-z]+)", cmd_/g;
is_deeply([sort @commands], [sort keys %sim], 'all subcommands of pact-sim are looked at');
is_deeply([sort grep { /^[a-z]/ } offered('pact-sim', '_pact_sim', 'pact-sim', '')], [sort @commands], 'and completed');
my $run_help = `$sim run --help`;
for my $command (sort keys %sim) {
	my %seen;
	my $help = `$sim $command --help`;
	is($?, 0, "pact-sim $command --help");
	like($help, qr/^Examples?\n  /m, 'has examples');
	# Those of run are told there.
	$help .= $run_help if $command =~ /sweep|gantt|matrix|bound/;
	$help .= ' --help';
	check('pact-sim', $command, $help, $sim_manual . ' --help', '_pact_sim', grep { !$seen{$_}++ } @{ $sim{$command} });
}
is_deeply([sort(offered('pact-sim', '_pact_sim', qw(pact-sim run --scheduler e)))], ['easy', 'edf'], 'values are completed');
is_deeply([sort(offered('pact-sim', '_pact_sim', qw(pact-sim run --set KF)))], ['KFactor='], 'settings too');
my ($schedulers) = `$sim run --model poisson --nodes 1 --scheduler none-such 2>&1` =~ /there are (.*?);/;
is_deeply([sort(offered('pact-sim', '_pact_sim', qw(pact-sim run --scheduler), ''))],
	[sort split ' ', $schedulers], 'all schedulers are');

SKIP: {
	my $pact = "$build/contrib/pact/pact";
	skip 'pact is not built here', 1 unless -x $pact;
	my @common = grep { $_ ne 'color' } table('contrib/pact/main.c', 'common_options');
	my $main_help = `$pact --help`;
	my $manual = manual("$top/doc/pact.1");
	my @commands = map { /cmd_(\w+)\.c$/ } glob "$top/contrib/pact/cmd_*.c";
	is_deeply([sort grep { /^[a-z]/ } offered('pact', '_pact', 'pact', '')], [sort @commands],
		'all subcommands of pact are completed');
	is_deeply([sort grep { /^--/ } offered('pact', '_pact', 'pact', '--')], [sort map { "--$_" } @common],
		'and the options before them');
	for my $command (@commands) {
		check('pact', $command, `$pact $command --help` . $main_help, $manual, '_pact', @common,
			table("contrib/pact/cmd_$command.c"));
	}
	is_deeply([offered('pact', '_pact', qw(pact --json record o))], ['on', 'off'], 'words are completed behind options');
}

SKIP: {
	my $elastic = "$build/contrib/elastic/pact-elastic";
	skip 'pact-elastic is not built here', 1 unless -x $elastic;
	my $manual = manual("$top/doc/pact-elastic.1");
	my $help = `$elastic --help`;
	is($?, 0, 'pact-elastic --help');
	my @options = table('contrib/elastic/options.c');
	cmp_ok(scalar(@options), '>', 0, 'it has options');
	for my $option (@options) {
		ok(holds($manual, $option), "--$option is in the manual");
		ok(holds($help, $option), 'and in the help');
	}
	for my $bad ([], ['--hook', 'x', '--', 'y'], ['--charm', 'x:1'], ['--nodelist', 'x', '--hook', 'y'], ['--pes', 2, '--', 'x'],
		['--srun=-v', '--hook', 'x'], ['--restarts', 1, '--hook', 'x'], ['--notice', '0', '--', 'x'], ['--job', 'x', '--', 'x'],
		['--pes', '1k', '--charm', 'x:1', '--nodelist', 'y'], ['--none', '--', 'x'], ['--hook=']) {
		my $said = `env -u SLURM_JOB_ID $elastic @$bad 2>&1`;
		is($? >> 8, 125, "pact-elastic @$bad is refused");
		like($said, qr/\Apact-elastic: [^\n]+\n\z/, 'in one line');
	}
	for my $bad (['charm', ''], ['charm', 'x'], ['charm', ':1'], ['charm', 'x:'], ['charm', 'x:0'], ['charm', 'x:65536'], ['nodelist', '']) {
		is(`env -u SLURM_JOB_ID $elastic --$bad->[0]=$bad->[1] 2>&1`, "pact-elastic: --$bad->[0]: not a value: $bad->[1]\n", "--$bad->[0]=$bad->[1] is refused by name");
	}
	like(`env -u SLURM_JOB_ID $elastic -- true 2>&1`, qr/^pact-elastic: no job: /, 'so is one without a job');
}

# What spank_pact gives to sbatch, salloc and srun, whose help has it.
my $spank = manual("$top/doc/spank_pact.8");
my @given = slurp("$top/plugins/spank_pact/spank_pact.c") =~ /^\t\.name = "([a-z]+)",$/mg;
cmp_ok(scalar(@given), '>', 0, 'spank_pact has options');
ok(holds($spank, $_), "--$_ is in its manual") for @given;
my ($keys) = slurp("$top/common/malleable_option.h") =~ /^#define MALLEABLE_KEYS "(.*)"$/m;
like($spank, qr/\b$_:/, "so is $_ of --malleable") for $keys =~ /(\w+):/g;

done_testing;
