#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# gantt.t: pictures of schedules at 16, 128 and 430 nodes: every job stands in them with its nodes and on
# nobody else's, no word lies over another, and rendered to PNG they are not blank. Both judges are first
# shown something that they have to reject. And: exit codes and messages.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;
use Compress::Zlib;

my $top = $ENV{PACT_TOP} // abs_path(dirname(abs_path(__FILE__)) . '/../..');
my $sim = ($ENV{PACT_BUILD} // $top) . '/sim/pact-sim';
my $dir = tempdir('gantt-t-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $renders = system('command -v rsvg-convert >/dev/null') == 0;

sub slurp {
	my $path = shift;
	open(my $f, '<:raw', $path) or return '';
	local $/;
	return <$f>;
}

sub spit {
	my ($path, $text) = @_;
	open(my $f, '>:raw', $path) or die "$path: $!";
	print $f $text;
	close($f);
	return $path;
}

# pact-sim with these words: its status; what it said in $said.
my $said;
sub run {
	my @argv = @_;
	my $pid = fork // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', "$dir/out");
		open(STDERR, '>', "$dir/err");
		exec { $sim } $sim, @argv or exit 127;
	}
	waitpid $pid, 0;
	$said = slurp("$dir/out") . slurp("$dir/err");
	return $? >> 8;
}

# ---- words ----

# How far the pen moves for each character from blank to tilde, in 1/2048 of the size: DejaVu Sans.
my @advance = (651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, (1303) x 10,
	690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141,
	1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024,
	1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842,
	1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716);
my %size = (s => 10, n => 11, l => 15);

# The boxes around all words of a picture: [left, top, right, bottom, words].
sub words {
	my $svg = shift;
	my @boxes;
	while ($svg =~ m{<text class="(\w)"(?: text-anchor="(\w+)")? x="([-\d.]+)" y="([-\d.]+)">([^<]*)</text>}g) {
		my ($class, $anchor, $x, $y, $text) = ($1, $2 // 'start', $3, $4, $5);
		my $width = 0;
		$text =~ s/&(amp|lt|gt|quot);/{amp => '&', lt => '<', gt => '>', quot => '"'}->{$1}/ge;
		for my $c (split //, $text) {
			my $i = ord($c) - 32;
			$width += $size{$class} * ($i >= 0 && $i < @advance ? $advance[$i] / 2048 : 1);
		}
		$x -= $anchor eq 'middle' ? $width / 2 : $anchor eq 'end' ? $width : 0;
		push @boxes, [$x, $y - 0.76 * $size{$class}, $x + $width, $y + 0.24 * $size{$class}, $text];
	}
	return @boxes;
}

# Pairs of boxes that share more than a hair.
sub over_each_other {
	my @boxes = @_;
	my @pairs;
	for my $i (0 .. $#boxes) {
		for my $j ($i + 1 .. $#boxes) {
			my ($a, $b) = ($boxes[$i], $boxes[$j]);
			next if $a->[2] <= $b->[0] + 0.11 || $b->[2] <= $a->[0] + 0.11;
			next if $a->[3] <= $b->[1] + 0.11 || $b->[3] <= $a->[1] + 0.11;
			push @pairs, "'$a->[4]' and '$b->[4]'" unless $a->[4] eq $b->[4] && $a->[5] && $b->[5];
		}
	}
	return @pairs;
}

# ---- jobs ----

# Each job's boxes and how many nodes its tooltip says: number => { nodes, boxes }.
sub jobs_in {
	my $svg = shift;
	my %jobs;
	while ($svg =~ m{<g><title>job (\d+) [^<]*?: (?:\d+ to )?(\d+) nodes?[^<]*</title>\n(.*?)</g>}gs) {
		my ($id, $nodes, $body) = ($1, $2, $3);
		$jobs{$id}{nodes} = $nodes;
		while ($body =~ m{<rect class="[^"]*" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/>}g) {
			push @{ $jobs{$id}{boxes} }, [$1, $2, $1 + $3, $2 + $4, $id, 1];
		}
	}
	return %jobs;
}

# The lines of a --jobs-csv by number.
sub jobs_of {
	my ($names, @lines) = split /\n/, slurp(shift);
	my @names = split /,/, $names;
	my %jobs;
	for my $line (@lines) {
		my %job;
		@job{@names} = split /,/, $line;
		$jobs{ $job{id} } = \%job;
	}
	return %jobs;
}

# ---- pixels ----

# A PNG of 8 bits per sample without interlacing: its rows, each a list of samples, and samples per pixel.
sub read_png {
	my $png = slurp(shift);
	my ($pos, $data, $width, $height, $depth, $type) = (8, '');
	while ($pos < length $png) {
		my ($length, $name) = unpack('N a4', substr($png, $pos, 8));
		my $chunk = substr($png, $pos + 8, $length);
		($width, $height, $depth, $type) = unpack('N N C C', $chunk) if $name eq 'IHDR';
		$data .= $chunk if $name eq 'IDAT';
		$pos += $length + 12;
	}
	my $per = { 0 => 1, 2 => 3, 4 => 2, 6 => 4 }->{ $type // -1 } or die 'not a PNG of a kind that we read';
	die "$depth bits per sample" if $depth != 8;
	my $raw = uncompress($data);
	my @above = (0) x ($width * $per);
	my @rows;
	for my $y (0 .. $height - 1) {
		my ($filter, @row) = unpack('C*', substr($raw, $y * ($width * $per + 1), $width * $per + 1));
		for my $i (0 .. $#row) {
			my ($a, $b) = ($i >= $per ? $row[$i - $per] : 0, $above[$i]);
			my $c = $i >= $per ? $above[$i - $per] : 0;
			my ($pa, $pb, $pc) = (abs($b - $c), abs($a - $c), abs($a + $b - 2 * $c));
			my $p = $filter == 0 ? 0 : $filter == 1 ? $a : $filter == 2 ? $b : $filter == 3 ? ($a + $b) >> 1
				: $pa <= $pb && $pa <= $pc ? $a : $pb <= $pc ? $b : $c;
			$row[$i] = ($row[$i] + $p) & 255;
		}
		push @rows, \@row;
		@above = @row;
	}
	return (\@rows, $per);
}

# The shares of pixels that are not white, in the four quarters of the rendered picture.
sub ink {
	my $svg = shift;
	return if system('rsvg-convert', '-w', 300, '-o', "$dir/p.png", $svg) != 0;
	my ($rows, $per) = read_png("$dir/p.png");
	my ($high, $wide) = (scalar @$rows, @{ $rows->[0] } / $per);
	my (@dark, @all);
	for my $y (0 .. $high - 1) {
		for my $x (0 .. $wide - 1) {
			my $quarter = 2 * ($y >= $high / 2) + ($x >= $wide / 2);
			$all[$quarter]++;
			$dark[$quarter] += !!grep { $_ < 250 } @{ $rows->[$y] }[$per * $x .. $per * $x + ($per > 2 ? 2 : 0)];
		}
	}
	return map { ($dark[$_] // 0) / $all[$_] } 0 .. 3;
}

sub blank {
	return !!grep { $_ < 0.05 } @_;
}

# ---- the judges can say no ----

my $empty = '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="600">' .
	'<rect width="1200" height="600" fill="#fff"/></svg>';
is(scalar over_each_other(words('<text class="n" x="10" y="20">one</text><text class="n" x="30" y="24">two</text>')),
	1, 'words that lie over each other are seen');
is(scalar over_each_other(words('<text class="n" x="10" y="20">one</text><text class="n" x="40" y="20">two</text>')),
	0, 'and others are let alone');
SKIP: {
	skip 'rsvg-convert is not installed', 1 unless $renders;
	ok(blank(ink(spit("$dir/empty.svg", $empty))), 'a blank picture is seen');
}

# ---- three sizes ----

my @workload = ('--set', 'model.load=1.2', '--deadlines', 'stringency:0.2,fraction:0.5', '--seed', 4);
for my $case ([16, 40], [128, 200], [430, 300]) {
	my ($nodes, $count) = @$case;
	my @model = ('--model', 'poisson', '--nodes', $nodes, '--jobs', "1:$count", @workload);
	is(run('run', @model, '--quiet', '--jobs-csv', "$dir/jobs.csv"), 0, "$nodes nodes: a run") or diag($said);
	my %jobs = jobs_of("$dir/jobs.csv");
	is(run('gantt', '--jobs-csv', "$dir/jobs.csv", '--nodes', $nodes, '--output', "$dir/a.svg"), 0, '  is drawn')
		or diag($said);
	my $svg = slurp("$dir/a.svg");
	is(run('gantt', @model), 0, '  as it is from the options of run');
	ok($said eq $svg, '  the same to the byte');

	my %drawn = jobs_in($svg);
	my %ran = map { $_ => $jobs{$_}{width} } grep { $jobs{$_}{start} >= 0 } keys %jobs;
	is_deeply({ map { $_ => $drawn{$_}{nodes} } keys %drawn }, \%ran, '  every job that ran, with its nodes');
	is_deeply([over_each_other(map { @{ $_->{boxes} } } values %drawn)], [], '  no job on the nodes of another');
	my $promises = grep { $jobs{$_}{promised} && $jobs{$_}{end} >= 0 } keys %jobs;
	my $told = () = $svg =~ /, promised by /g;
	is($told, $promises, '  every promise with its deadline');
	cmp_ok(scalar(() = $svg =~ /<path class="d"/g), '>', $promises / 2, '  most of them in view, with a flag');

	is(run('gantt', '--jobs-csv', "$dir/jobs.csv", '--nodes', $nodes, '--now', '3h', '--output', "$dir/b.svg",
		'--title', 'Words & <more> "words", wide ones: WWWWWWWWWWWW'), 0, '  as things stood after 3 hours');
	is(run('gantt', '--jobs-csv', "$dir/jobs.csv", '--nodes', $nodes, '--title', 'wide words, ' x 60, '--output',
		"$dir/wide.svg"), 0, '  with a title that is wider than the page');
	like(slurp("$dir/wide.svg"), qr{<text class="l"[^>]*>wide words, wide[^<]*\xe2\x80\xa6</text>},
		'  whose end is cut off');
	for my $file ('a', 'b') {
		my $text = slurp("$dir/$file.svg");
		my @words = words($text);
		is_deeply([over_each_other(@words)], [], "  $file: no word over another");
		cmp_ok(scalar(@words), '>', 25, "  $file: and there are words enough");
		my ($width, $height) = $text =~ /viewBox="0 0 (\d+) ([\d.]+)"/;
		is_deeply([grep { $_->[0] < 0 || $_->[2] > $width || $_->[1] < 0 || $_->[3] > $height } @words], [],
			"  $file: all on the page");
		SKIP: {
			skip 'rsvg-convert is not installed', 1 unless $renders;
			my @ink = ink("$dir/$file.svg");
			ok(@ink == 4 && !blank(@ink), "  $file: rendered, it is not blank") or diag("@ink");
		}
	}
	my $b = slurp("$dir/b.svg");
	like($b, qr/>now 3:00</, '  the now-line says when');
	like($b, qr/class="p ko"/, '  some jobs are planned');
	like($b, qr/class="u k[op]"/, '  some run');
	like($b, qr/\(planned\): /, '  and the tooltips say so');
}

# ---- other files ----

my $replayed = "id,submit,width,estimate,runtime,deadline,promised,start,end,state,slurm_job_id\n" .
	"1,0,2,600,500,0,0,0,500,completed,1\n2,10,2,600,500,900,1,500,950,deadline,2\n" .
	"3,20,4,600,500,100,0,-1,-1,refused,0\n4,30,2,600,700,0,0,0,600,killed,4\n5,40,1,600,500,0,0,600,650,node_fail,5\n" .
	"6,50,1,600,500,2000,1,700,-1,running,6\n7,60,1,600,500,0,0,-1,-1,waiting,7\n";
spit("$dir/replay.csv", $replayed);
is(run('gantt', '--jobs-csv', "$dir/replay.csv", '--nodes', 4), 0, 'what pact-replay writes') or diag($said);
like($said, qr/of 7 jobs 2 were promised their deadline, 1 refused/, 'its figures');
like($said, qr/job 2 \(failed or cancelled\)/, 'a job that ended badly');
like($said, qr/job 6 \(running\)/, 'a job that still runs');
like($said, qr/<path class="m"/, 'a deadline that was missed');
unlike($said, qr/job [37] /, 'what never ran is not drawn');
is(run('gantt', '--jobs-csv', "$dir/replay.csv", '--nodes', 3), 0, 'a machine that is too small for its record');
like($said, qr/jobs find fewer free nodes than they had/, 'is told');
is(run('gantt', '--jobs-csv', spit("$dir/one.csv", "id,width,start,end,nodes\n1,1,0,100,0\n"), '--nodes', 1), 0, 'one job');
like($said, qr/>1 node, 1 job</, 'is one job on one node');
my $placed = "id,width,start,end,nodes\n1,3,0,100,0-1 3\n2,1,0,100,2\n";
is(run('gantt', '--jobs-csv', spit("$dir/placed.csv", $placed), '--nodes', 4, '--from=10s', '--to=1m'), 0,
	'a file that has the nodes');
my %placed = jobs_in($said);
is(scalar @{ $placed{1}{boxes} }, 2, 'is drawn on these');

# Deadlines that meet: three jobs on the same nodes, one after the other, promised for the same time.
my $meeting = "id,width,start,end,deadline,promised\n1,8,0,100,1000,1\n2,8,100,300,1000,1\n3,8,300,500,1000,1\n";
is(run('gantt', '--jobs-csv', spit("$dir/meeting.csv", $meeting), '--nodes', 8, '--to=2000s'), 0, 'deadlines that meet');
# A flag is 12 high at most, its pole's foot is told.
my @feet = sort { $a <=> $b } $said =~ /<path class="d" d="M[\d.]+ ([\d.]+)V/g;
# The last one is the legend's.
is(scalar(@feet), 4, 'each has its flag');
ok($feet[1] - $feet[0] >= 12 && $feet[2] - $feet[1] >= 12, 'and none covers another') or diag("@feet");

# A job on nodes that do not lie together is told on each part.
my $parted = "id,width,start,end,nodes\n77,4,0,100,0-1 4-5\n78,2,0,100,2-3\n";
is(run('gantt', '--jobs-csv', spit("$dir/parted.csv", $parted), '--nodes', 6), 0, 'a job on parted nodes');
is(scalar(() = $said =~ />77<\/text>/g), 2, 'is told on each part');
is(scalar(() = $said =~ />78<\/text>/g), 1, 'another once');

# ---- shared nodes: bands as high as the shares ----

# Of the bands of each job: how many node seconds they are; [node, x, width, y, height] of all.
sub bands_of {
	my ($svg, $nodes, $seconds) = @_;
	my ($x, $y, $width, $height) = $svg =~ /<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/;
	my (%area, @boxes);
	for my $group ($svg =~ m{<g>(<title>job \d+ .*?)</g>}gs) {
		my ($job) = $group =~ /job (\d+)/;
		for ($group =~ /<rect class="i k[op]|<rect class="i t[op]/ ? $group =~ /(<rect class="i [^>]*>)/g : ()) {
			my ($bx, $by, $bw, $bh) = / x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/;
			$area{$job} += $bw * $bh * $seconds * $nodes / ($width * $height);
			push @boxes, [int(($by + $bh / 2 - $y) * $nodes / $height), $bx, $bw, $by, $bh];
		}
	}
	return (\%area, \@boxes, $height / $nodes, $y);
}

# Bands that lie over each other by more than rounding, or leave their rows.
sub wrong_bands {
	my ($boxes, $row, $top) = @_;
	my @wrong;
	for my $i (0 .. $#$boxes) {
		my ($n, $x, $w, $y, $h) = @{ $boxes->[$i] };
		push @wrong, "band $i leaves row $n" if $y < $top + $n * $row - 0.2 || $y + $h > $top + ($n + 1) * $row + 0.2;
		for my $k (0 .. $i - 1) {
			my ($n2, $x2, $w2, $y2, $h2) = @{ $boxes->[$k] };
			push @wrong, "bands $i and $k" if $n == $n2 && $x + $w > $x2 + 0.25 && $x2 + $w2 > $x + 0.25 &&
				$y + $h > $y2 + 0.25 && $y2 + $h2 > $y + 0.25;
		}
	}
	return @wrong;
}

my @sharing = ('--model', 'poisson', '--nodes', 4, '--jobs', '1:16', '--set', 'model.load=1.2', '--set', 'model.min_runtime=600',
	'--deadlines', 'urgency:0.4', '--estimates', 'omega:2', '--scheduler', 'librarisk');
is(run('run', @sharing, '--quiet', '--jobs-csv', "$dir/jobs.csv"), 0, 'shared nodes: a run') or diag($said);
is(run('gantt', @sharing), 0, '  is drawn') or diag($said);
{
	my $svg = $said;
	my ($first, $last, %work) = (1e18, 0);
	for (split /\n/, slurp("$dir/jobs.csv")) {
		my ($id, $submit, $width, undef, $runtime, undef, undef, undef, $end) = split /,/;
		next if $id eq 'id';
		$first = $submit if $submit < $first;
		$last = $end if $end > $last;
		$work{$id} = $width * $runtime if $end >= 0;
	}
	my ($area, $boxes, $row, $y) = bands_of($svg, 4, $last - $first);
	is_deeply([sort keys %$area], [sort keys %work], '  every job that ran, in bands');
	my @off = grep { abs($area->{$_} - $work{$_}) > 0.03 * $work{$_} + 20 } keys %work;
	is_deeply(\@off, [], '  whose area is its work') or diag(map { "job $_: $area->{$_}, not $work{$_}\n" } @off);
	is_deeply([wrong_bands($boxes, $row, $y)], [], '  no band over another, all in their rows');
	ok(scalar(wrong_bands([@$boxes, [@{ $boxes->[0] }]], $row, $y)), '  and one that is would be seen');
	ok(scalar(grep { $_->[4] < 0.9 * $row } @$boxes), '  some have a part of a node only');
}

# Jobs that take turns: one of both nodes in row 0, one of a node in row 1, slices of 10 s, a switch loses 1 s.
{
	my $log = spit("$dir/turns.swf", "; MaxProcs: 2\n" . join('', map { "$_\n" }
		'1 0 -1 20 2 -1 -1 2 20 -1 1 -1 -1 -1 -1 -1 -1 -1', '2 0 -1 10 1 -1 -1 1 10 -1 1 -1 -1 -1 -1 -1 -1 -1'));
	my @turns = ('gantt', '--trace', $log, '--scheduler', 'gs', '--set', 'Rows=2', 'Slice=10', 'Switch=0.1');
	# of each job the seconds that it ran, over the height in nodes
	my $seen = sub {
		my ($x, $y, $width, $height) = $said =~ /<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/;
		my ($seconds) = @_;
		my %jobs = jobs_in($said);
		return { map {
			my $id = $_;
			$id => join ' ', map { sprintf '%.0f-%.0fx%.0f', ($_->[0] - $x) / $width * $seconds,
				($_->[2] - $x) / $width * $seconds, ($_->[3] - $_->[1]) / $height * 2 } @{ $jobs{$id}{boxes} };
		} keys %jobs };
	};
	is(run(@turns), 0, 'turns: a run is drawn') or diag($said);
	is_deeply($seen->(35), { 1 => '0-10x2 20-30x2 32-35x2', 2 => '10-20x1 30-32x1' }, '  with gaps where a job is suspended')
		or diag($said);
	is(run(@turns, '--from', 12, '--to', 18), 0, '  a part');
	is_deeply($seen->(6), { 2 => '0-6x1' }, '  in which a job is suspended all the time');
}

# Jobs with ranges: the first has all nodes until the second, which is done in 80 s on five of them, and then again.
{
	my $log = spit("$dir/ranges.swf", "; MaxProcs: 8\n1 0 -1 800 2 -1 -1 2 800 -1 1 1 -1 -1 -1 -1 -1 -1\n" .
		"2 100 -1 100 4 -1 -1 4 100 -1 1 1 -1 -1 -1 -1 -1 -1\n");
	my @jobs = ('--trace', $log, '--malleable', 'fraction:1,least:1,most:4', '--scheduler', 'uniform');
	is(run('gantt', @jobs), 0, 'ranges: a run is drawn') or diag($said);
	my ($x, undef, $width, $height) = $said =~ /<rect class="f" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/;
	my %drawn = jobs_in($said);
	my %boxes = map { my $id = $_; ($id => join ' ', map { sprintf '%.0f-%.0fx%.0f', ($_->[0] - $x) / $width * 250,
		($_->[2] - $x) / $width * 250, ($_->[3] - $_->[1]) / $height * 8 } @{ $drawn{$id}{boxes} }) } keys %drawn;
	is_deeply(\%boxes, { 1 => '0-100x8 100-180x3 180-250x8', 2 => '100-180x5' }, '  as wide as each job is, when');
	like($said, qr/job 1 \(ended\): 3 to 8 nodes,/, '  which its tooltip says');
	like($said, qr/job 2 \(ended\): 5 nodes,/, '  and of one that stays as it is that');
	is(run('run', @jobs, '--quiet', '--jobs-csv', '-'), 0, '  with a line for each');
	my ($head, @lines) = map { [(split /,/)[0, 2, -3, -2, -1]] } split /\n/, $said;
	is_deeply([$head, @lines], [['id', 'width', 'most', 'fewest', 'widest'], [1, 2, 8, 3, 8], [2, 4, 8, 5, 5]], '  its range, and what it had of it');
}

# The shares of another one: two jobs of two nodes, one of which is joined by a third job; the fourth never ran, and one
# is none of these.
{
	my $jobs = spit("$dir/shared.csv", "id,submit,width,estimate,runtime,deadline,promised,start,end,state,slurm_job_id\n" .
		"1,0,2,60,50,200,1,0,100,completed,11\n2,0,2,60,50,200,1,10,90,completed,12\n3,20,1,60,20,99,0,20,60,completed,13\n" .
		"4,30,1,60,20,50,0,-1,-1,refused,0\n");
	my @lines = ([0, 1, 1, 1], [0, 3, 1, 1], [10, 1, 1, 0.5], [10, 1, 2, 0.5], [10, 0, 2, 1], [20, 0, 2, 0.25], [20, 0, 3, 0.75],
		[20.5, 2, 9, 1], [60, 0, 3, ''], [60, 0, 2, 1], [90, 0, 2, ''], [90, 1, 2, ''], [90, 1, 1, 1], [100, 1, 1, ''], [100, 3, 1, '']);
	my $shares = "at,node,job,share\n" . join('', map { join(',', @$_) . "\n" } @lines);
	is(run('gantt', '--jobs-csv', $jobs, '--shares-csv', spit("$dir/bands.csv", $shares), '--nodes', 4), 0, 'shares of a file')
		or diag($said);
	my ($area, $boxes, $row, $y) = bands_of($said, 4, 100);
	my %wanted = (1 => 10 + 80 * 0.5 + 10 + 100, 2 => 80 * 0.5 + 10 + 40 * 0.25 + 30, 3 => 40 * 0.75);
	is_deeply([sort keys %$area], [1, 2, 3], '  every job that ran, in bands');
	for my $id (sort keys %wanted) {
		cmp_ok(abs($area->{$id} - $wanted{$id}), '<', 1, "  job $id has what it had") or diag($area->{$id});
	}
	is_deeply([wrong_bands($boxes, $row, $y)], [], '  no band over another');
	is_deeply([sort { $a <=> $b } keys %{ { map { $_->[0] => 1 } @$boxes } }], [0, 1, 3], '  on its own nodes');
	like($said, qr/job 3 .*: 1 node/, '  of which the tooltip has the number');
	unlike($said, qr/find fewer free nodes/, '  that they share is no complaint');
	my @gantt = ('gantt', '--jobs-csv', $jobs, '--nodes', 4, '--shares-csv');
	for (["at,node,share\n", qr/:1: not the columns at,node,job,share: at,node,share/], ['', qr/empty: not a file of --shares-csv/],
		["at,node,job,share\n1,2,3\n", qr/:2: not four columns: 1/], ["at,node,job,share\nx,2,3,1\n", qr/:2: at: not seconds: x/],
		["at,node,job,share\n5,0,1,1\n4,0,1,1\n", qr/:3: at: before the line above: 4/],
		["at,node,job,share\n5,-1,1,1\n", qr/:2: node: not a number from 0 on: -1/],
		["at,node,job,share\n5,0,1,1.5\n", qr/:2: share: not from 0 to 1: 1.5/],
		["at,node,job,share\n5,4,1,1\n", qr/job 1 is on node 4, counted from 0, of 4/]) {
		my ($text, $message) = @$_;
		is(run(@gantt, spit("$dir/bad.csv", $text)), 2, 'bad shares') or diag($said);
		like($said, $message, '  are named');
	}
	is(run(@gantt, "$dir/no.such"), 2, 'no file of shares');
	like($said, qr/no\.such: No such file/, '  is named');
	is(run('gantt', '--model', 'poisson', '--shares-csv', $jobs), 1, 'shares without jobs');
	like($said, qr/--shares-csv .*: needs --jobs-csv FILE/, '  are told');
}

# ---- bad input ----

sub refuses {
	my ($status, $words, $name, @argv) = @_;
	my $rc = run('gantt', @argv);
	ok($rc == $status && $said =~ /$words/ && $said !~ /.\n./, $name) or diag("$rc: $said");
}

my $head = "id,width,start,end\n";
sub csv {
	return ('--nodes', 4, '--jobs-csv', spit("$dir/bad.csv", shift));
}
is(run('gantt', '--help'), 0, '--help');
like($said, qr/^usage: pact-sim gantt/, 'teaches');
refuses(1, qr/--trace FILE or --model NAME/, 'nothing to draw');
refuses(1, qr/needs --nodes N/, 'a file without --nodes', '--jobs-csv', "$dir/placed.csv");
refuses(1, qr/--nodes 0/, 'no nodes', '--jobs-csv', "$dir/placed.csv", '--nodes', 0);
refuses(1, qr/--from yesterday/, 'a bad time', '--from', 'yesterday');
refuses(1, qr/unrecognized option '--json'/, 'what run writes is not written by gantt', '--model', 'poisson',
	'--nodes', 4, '--json', "$dir/none.json");
refuses(1, qr/option '--output' requires an argument/, 'a missing value', '--output');
refuses(1, qr/--seed with --jobs-csv: an option of run/, 'an option that has no part in it', csv($head), '--seed', 1);
refuses(2, qr/No such file/, 'no file', '--nodes', 4, '--jobs-csv', "$dir/none.csv");
refuses(2, qr/bad\.csv: empty/, 'an empty file', csv(''));
refuses(2, qr/nothing between/, 'no jobs', csv($head));
refuses(2, qr/:1: no such column in the first line: width/, 'a missing column', csv("id,start,end\n"));
refuses(2, qr/:3: end out of range, or not a number: x/, 'not a number', csv("${head}1,1,0,5\n2,1,0,x\n"));
refuses(2, qr/:2: width out of range, or not a number: 0/, 'no width', csv("${head}1,0,0,5\n"));
refuses(2, qr/:2: it ends before it starts: 1/, 'an end before the start', csv("${head}1,1,9,5\n"));
refuses(2, qr/:2: another number of columns/, 'a short line', csv("${head}1,1,9\n"));
refuses(2, qr/job 1 has 5 nodes of 4/, 'a job wider than the machine', csv("${head}1,5,0,5\n"));
refuses(2, qr/:2: nodes: not FIRST-LAST: 3-1/, 'bad nodes', csv("id,width,start,end,nodes\n1,3,0,9,3-1\n"));
refuses(2, qr/job 1 is on node 4, counted from 0, of 4/, 'a node too many', csv("id,width,start,end,nodes\n1,1,0,9,4\n"));
refuses(2, qr/nothing between --from 60 and --to 5 s/, 'nothing in view', csv("${head}1,1,0,5\n"), '--from', '1m');
refuses(4, qr{cannot write /dev/full}, 'a full disk', '--jobs-csv', "$dir/placed.csv", '--nodes', 4,
	'--output', '/dev/full');
done_testing;
