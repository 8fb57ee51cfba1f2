# SPDX-License-Identifier: GPL-2.0-or-later
# Storm.pm: random submissions and changes for an emulated cluster whose partitions are unlike each other;
# what 72-fields and 73-storm share.
#
# A seed gives the same words again, on the same perl: PACT_SEED. What becomes of them may depend on how fast
# the machine is, so whoever judges has to judge whatever happens.
package Storm;
use strict;
use warnings;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;
use Cluster;

# Twelve nodes of several sizes: partitions overlap, with tiers, limits, defaults, a QOS, an Alternate.
our $nodes = 12;
our @node = ('1-4:CPUs=2 RealMemory=2000 TmpDisk=1000', '5-8:CPUs=2 RealMemory=4000 TmpDisk=4000',
	'9-12:CPUs=4 RealMemory=8000 TmpDisk=4000');
our @features = ('1-4,9:old', '5-12:new', '3-6,11-12:net');
our @partition = (
	'batch Nodes=ALL Default=YES MaxTime=INFINITE OverSubscribe=EXCLUSIVE',
	'small Nodes=n[1-4] MaxNodes=3 DefaultTime=10 MaxTime=60',
	'wide Nodes=n[3-10] MinNodes=3 PriorityTier=5 OverSubscribe=EXCLUSIVE',
	'pair Nodes=n[5-12] MinNodes=2 MaxNodes=6 DefaultTime=7 PriorityTier=3',
	'mem Nodes=n[5-10] DefMemPerNode=1500 MaxMemPerNode=3000 PriorityTier=2',
	'each Nodes=n[1-8] DefMemPerCPU=400 MaxMemPerCPU=1000',
	'high Nodes=n[7-10] PriorityTier=10 OverSubscribe=EXCLUSIVE',
	'few Nodes=n[9-12] MaxCPUsPerNode=4 PriorityTier=4 OverSubscribe=EXCLUSIVE',
	'shut Nodes=n[1-2] State=DRAIN Alternate=high',
);
our @names = map { /^(\w+)/ } @partition;

# Options: seed; qos (names to choose from); more (names of further partitions).
sub new {
	my ($class, %o) = @_;
	srand $o{seed};
	return bless { seed => $o{seed}, qos => $o{qos} // [], parts => [@names, @{ $o{more} // [] }], words => {} },
		$class;
}

sub one_of {
	return $_[rand @_];
}

sub between {
	my ($least, $most) = @_;
	return $least + int rand(1 + $most - $least);
}

sub often {
	return rand() < shift;
}

# Partitions in any order, some named twice.
sub parts {
	my $self = shift;
	my @all = @{ $self->{parts} };
	my @some = map { one_of(@all) } 1 .. one_of(1, 1, 2, 2, 2, 3, 4);
	return join ',', @some;
}

# How many nodes, processors and tasks.
sub size {
	my @size;
	my $nodes = between(1, 4);
	push @size, often(0.2) ? "-N$nodes-$nodes" : "-N$nodes" if often(0.75);
	push @size, '-n' . (@size ? between($nodes, 2 * $nodes) : between(1, 6)) if often(0.3);
	push @size, '-c' . between(1, 2) if often(0.2);
	push @size, '--ntasks-per-node=' . between(1, 2) if often(0.2);
	push @size, '--mincpus=' . between(1, 4) if often(0.1);
	push @size, '-O' if often(0.05);
	return @size;
}

# What its nodes must have, or be.
sub place {
	my @place;
	push @place, one_of(map { "--mem=$_" } 0, 100, 900, 1500, 2500, 3500) if often(0.3);
	push @place, '--mem-per-cpu=' . one_of(100, 400, 900) if often(0.03);
	push @place, '--tmp=' . one_of(500, 2000) if often(0.15);
	push @place, '-C', one_of('old', 'new', 'net', 'new&net', 'old&net') if often(0.25);
	push @place, '-x', 'n[' . one_of('1-2', '4,6', '9', '3-5', '7-8,12') . ']' if often(0.15);
	push @place, '-w', 'n' . between(1, $nodes) if often(0.1);
	push @place, '--exclusive' if often(0.8);
	return @place;
}

# When, and for how long; minutes.
sub times {
	my ($self, $longest) = @_;
	my @times;
	my $limit = between(1, $longest);
	push @times, "-t$limit" if often(0.9);
	push @times, '--time-min=' . between(1, $limit) if @times && often(0.15);
	push @times, '--begin=now+' . between(1, 90) . one_of('minutes', '') if often(0.15);
	return @times;
}

# The words of one submission but its deadline: a list for sbatch.
sub submission {
	my ($self, $longest) = @_;
	my @job = (size(), place(), $self->times($longest));
	push @job, '-p', $self->parts if often(0.85);
	push @job, '-q', one_of(@{ $self->{qos} }) if @{ $self->{qos} } && often(0.4);
	push @job, '--array=0-' . between(1, 3) if often(0.1);
	return @job;
}

# Submit jobs (lists of words) at once: their results as of Cluster's finish(), with id and words.
sub submit {
	my ($self, $c, $script, @jobs) = @_;
	my @running = map { $c->spawn('sbatch', '-o', '/dev/null', @$_, '--wrap', $script) } @jobs;
	for my $r (@running) {
		$c->finish($r);
		$r->{words} = shift @jobs;
		$r->{id} = $r->{out} =~ /^Submitted batch job (\d+)/m ? $1 : undef;
		$self->did($r->{id}, @{ $r->{words} }) if $r->{id};
	}
	return @running;
}

# What was done to a job, to be told if something is wrong with it.
sub did {
	my ($self, $id, @words) = @_;
	push @{ $self->{words}{$id} }, join ' ', @words;
}

sub stats {
	my $c = shift;
	my $r = $c->cmd("$Cluster::build/contrib/pact/pact", 'stats', '--json');
	return decode_json($r->{out});
}

# What a storm can be looked into by: slurmctld's log and the recordings in that directory (RecordDir), in one that
# stays.  RET its name
sub keep {
	my ($c, $records) = @_;
	my $dir = tempdir('pact-storm-XXXXXX', TMPDIR => 1);
	$c->cmd("$Cluster::build/contrib/pact/pact", 'record', 'off');
	copy($_, $dir) or diag("$_: $!") for "$c->{dir}/c/log/controller.log", glob("$records/pact-*.rec");
	return $dir;
}

# A test: no decision differs from its record, and no promise is, or was, at risk.  Gives the statistics.
sub judge {
	my ($self, $c, $name) = @_;
	my $s = stats($c);
	my @lines = grep { /other terms than were promised|can no longer be kept|was not kept/ } split /\n/, $c->log_text;
	return $s if ok(!@lines && !$s->{differing} && !$s->{broken} && !$s->{at_risk}, $name);
	diag("PACT_SEED=$self->{seed}: $s->{differing} differ, $s->{broken} broken, $s->{at_risk} at risk");
	for my $line (@lines[0 .. ($#lines < 20 ? $#lines : 20)]) {
		diag($line);
		my ($id) = $line =~ /JobId=(\d+)/;
		diag("    $_") for @{ $self->{words}{ $id // 0 } // [] };
		diag("    $_") for $id ? grep { /JobId=$id\b/ } split /\n/, $c->log_text : ();
	}
	return $s;
}

1;
