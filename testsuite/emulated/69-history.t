#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-or-later
# 69-history: what is decided and what becomes of it is in the database, found by pact history, by whom it
# concerns; a corrupt database, and one that cannot be written, cost nothing else.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Test::More;
use Cluster;
use JSON::PP;

my $dir = "/tmp/pact-history-$$";
END { system('rm', '-rf', $dir) if $dir }
mkdir $dir, 0755 or die "$dir: $!";
my $file = "$dir/history.db";
my $common = "Guard=60\nAdmissionTime=5000\nSocketRate=0\n";
my $pact_conf = "${common}History=$file\nHistoryAge=30\nHistorySize=1\n";
my $c = Cluster->up(nodes => 4, pact => $pact_conf);
my $pact = "$Cluster::build/contrib/pact/pact";

sub answer {
	my @args = @_;
	my $as = ref $args[0] ? shift @args : {};
	my $r = $c->cmd($as, $pact, '--json', @args);
	return $r->{rc} ? undef : decode_json($r->{out});
}

# The same for certain: a machine under load may have no time for a question at once.
sub answered {
	my @args = @_;
	my $got;
	$c->wait_for('an answer', sub { $got = answer(@args) });
	return $got // {};
}

# Entries, as soon as there are that many.
sub entries {
	my ($n, @args) = @_;
	my $got = [];
	$c->wait_for("$n entries: @args", sub {
		$got = (answer('history', @args) // {})->{entries} // [];
		return @$got >= $n;
	});
	return @$got;
}

is_deeply([entries(0)], [], 'nothing has happened yet');
my $r = $c->accepted('a promise', ['-N1', '-t10', '--deadline=now+3hours'], runs => 1);
my $wall = $c->plain(['-N4', '-t120']);
$c->reaches('a plain job has all nodes', $wall, 'RUNNING');
my $no = $c->refused('a refusal', ['-N4', '-t30', '--deadline=now+60minutes']);
my ($ref) = $no->{text} =~ /pact explain (R\w+)/;

subtest 'decisions and outcomes' => sub {
	my ($yes) = entries(1, '--outcome', 'accepted');
	is($yes->{deadline}, $r->{by}, 'the promise');
	is($yes->{user}, $>, 'whose it is');
	is($yes->{limit}, 600, 'its limit');
	is($yes->{job} // 0, $r->{id}, 'its job');
	my ($refused) = entries(1, '--outcome', 'refused');
	is($refused->{reference} // '', $ref // 'none', 'the refusal, by its reference');
	like($refused->{text}, qr/\S/, 'in words');
	my ($kept) = entries(2, '--job', $r->{id});
	is($kept->{what}, 'kept', 'what became of the promise');
	is($kept->{nodes} // 0, 1, 'on so many nodes');
	is($kept->{limit} // 0, 600, 'within that limit');
	is($kept->{deadline}, $r->{by}, 'by when it was promised');
	cmp_ok($kept->{late}, '<=', 0, 'not late');
	is(scalar(entries(3)), 3, 'all of them');
	is(scalar(@{ answer('history', '--limit', 2)->{entries} }), 2, 'not more than asked for');
	is(scalar(@{ answer('history', '--until', 'now-1hour')->{entries} }), 0, 'nothing an hour ago');
	is(scalar(@{ answer('history', '--since', 'now-1hour')->{entries} }), 3, 'all since then');
	is(scalar(@{ answer('history', '--account', 'nosuch')->{entries} }), 0, 'nothing of another account');
	is(scalar(@{ answer('history', '--user', $> + 77)->{entries} }), 0, 'nor of another user');
	like($c->out($pact, 'history'), qr/^\S+ +kept +$r->{id} /m, 'as a table');
	my @csv = grep { /^(?:when|\d{9,}),/ } split /\n/, $c->out($pact, 'history', '--csv');
	is(scalar(@csv), 4, 'as CSV');
	like($csv[0], qr/^when,what,job,array,task,user,account,/, 'with a head');
	is(scalar(grep { /^\d+,kept,$r->{id},,,$>,/ } @csv), 1, 'and rows');
	is($c->cmd($pact, 'history', '--outcome', 'late')->{rc}, 2, 'a wrong word is refused');
	is_deeply(answer('history', '--resizes')->{entries}, [], 'no job was resized');
	is($c->cmd($pact, 'history', '--resizes', '--outcome', 'kept')->{rc}, 2, 'where other words are known');
	is($c->cmd($pact, 'history', '--resizes', '--summary')->{rc}, 2, 'which are not summed up');
	is($c->cmd($pact, 'history', '--limit', 'x')->{rc}, 2, 'a wrong number too');
	is($c->cmd($pact, 'history', '--user', 'no such user')->{rc}, 2, 'and a wrong user');
	is((stat $file)[2] & 0777, 0600, 'the file is not for others');
	my $sum = answer('history', '--summary') // {};
	is(scalar(@{ $sum->{lines} // [] }), 1, 'summed up: one user in one month');
	is_deeply([map { $_->{user} // 'none' } @{ $sum->{lines} }], [$>], 'who it was');
	for my $line (map { $sum->{$_}[0] // {} } qw(lines months all)) {
		is_deeply([map { $line->{$_} // 0 } qw(accepted refused kept broken open)], [1, 1, 1, 0, 0], 'the books balance');
		is($line->{slack}, -$kept->{late}, 'the slack');
		is_deeply($line->{reasons}, { $refused->{reason} => 1 }, 'the reason');
	}
	is_deeply(answer('history', '--summary', '--until', 'now-1hour')->{all}, [], 'nothing an hour ago');
	is($c->cmd($pact, 'history', '--summary', '--outcome', 'kept')->{rc}, 2, 'of all outcomes only');
};

$c->cmd('scancel', $wall);

subtest 'a controller that is killed' => sub {
	plan skip_all => 'sqlite3 is not installed' unless `sqlite3 -version 2>/dev/null`;
	# What is on its way then may be lost; what was seen in the database is not. Outcomes are of jobs that Slurm
	# has saved; the others do not start: it would take their numbers again, and their nodes refuse duplicates.
	my @ending = map { $c->sbatch(['-N1', '-t2', '--deadline=now+5hours'], runs => 2 + $_)->{id} } 1 .. 4;
	$c->wait_state($_, 'RUNNING|COMPLETING|COMPLETED') for @ending;
	$c->saved_state;
	my $before = scalar(my @before = entries(3));
	my @flying = map { $c->spawn('sbatch', '-o', '/dev/null', '-N1', '-t2', '--begin=now+2hours', '--deadline=now+5hours',
		'--wrap', 'true') } 1 .. 8;
	is($c->emulate('kill-controller')->{rc}, 0, 'kill -9');
	is(`sqlite3 '$file' 'PRAGMA integrity_check' 2>&1`, "ok\n", 'the database is whole');
	is(`sqlite3 '$file' 'PRAGMA journal_mode' 2>&1`, "wal\n", 'its log is the one that was begun');
	is($c->emulate('start-controller')->{rc}, 0, 'started again');
	$c->finish($_) for @flying;
	$c->remember_controller;
	cmp_ok(scalar(my @after = entries($before)), '>=', $before, 'what was written is there');
	my $e;
	ok($c->wait_for('the history is read', sub { $e = answer('explain', $r->{id}); $e && $e->{kind} eq 'ended' }),
		'pact explain finds the promise of before');
	is($e->{outcome}, 'kept', 'which was kept');
	is($e->{deadline}, $r->{by}, 'promised by');
	cmp_ok($e->{end}, '<=', $r->{by}, 'ended before');
	is($e->{slack}, $r->{by} - $e->{end}, 'by so much');
	$e = answer('explain', $ref) // {};
	is($e->{kind} // '', 'decision', 'and the refusal of before');
	like($e->{text} // '', qr/^deadline: refused: .*$ref/, 'in its words');
	is($c->cmd($pact, 'explain', '999999')->{rc}, 5, 'what never was is not found');
	my $again = $c->accepted('a promise after it', ['-N1', '-t2', '--deadline=now+3hours'], runs => 1);
	ok($c->wait_for('its end', sub { grep { $_->{what} eq 'kept' } @{ (answer('history', '--job', $again->{id}) // {})->{entries} // [] } }),
		'the history goes on');
	is(`sqlite3 '$file' 'PRAGMA integrity_check' 2>&1`, "ok\n", 'and is whole');
};

subtest 'more than an answer holds' => sub {
	plan skip_all => 'sqlite3 is not installed' unless `sqlite3 -version 2>/dev/null`;
	my $many = 25000;
	my $sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<$many)" .
		" INSERT INTO event(at,what,job,base,task,uid,account,partition,late,nodes,tasks,reason,promise)" .
		" SELECT strftime('%s','now')-3600*24,'refused',0,0,0,$>,'many','batch',0,1,1,'full',0 FROM n";
	is(`sqlite3 -cmd '.timeout 9000' '$file' "$sql" 2>&1`, '', 'a long history');
	my @rows = @{ answer('history', '--account', 'many', '--limit', 0)->{entries} };
	is(scalar(@rows), $many, 'is read to its end');
	is(scalar(grep { $rows[$_]{row} >= $rows[ $_ - 1 ]{row} } 1 .. $#rows), 0, 'each row once, the latest first');
	my $part = answer('history', '--account', 'many', '--limit', 12345);
	is(scalar(@{ $part->{entries} }), 12345, 'as many as were asked for, of several answers');
	ok($part->{complete}, 'which is no error');
	is(scalar(() = $c->out($pact, 'history', '--account', 'many', '--limit', 0, '--csv') =~ /^\d+,refused,/mg), $many,
		'as CSV, too');
	is(scalar(@{ answer('history', '--account', 'many')->{entries} }), 100, 'without a word 100');
	is(answer('history', '--account', 'many', '--summary')->{all}[0]{refused}, $many, 'all are summed up');
	# Of a user of whom nothing is in memory: what became of a promise is no decision.
	for (['refused', 'Rbbbbb', 'no room'], ['accepted', '', 'yes'], ['kept', '', '']) {
		$sql = "INSERT INTO event(at,what,job,base,task,uid,account,partition,late,nodes,tasks,reference,text,reason,promise)" .
			" VALUES(strftime('%s','now'),'$_->[0]',0,0,0,4242,'many','batch',0,1,1,'$_->[1]','$_->[2]','',0)";
		is(`sqlite3 -cmd '.timeout 9000' '$file' "$sql" 2>&1`, '', "an entry: $_->[0]");
		my $last = answer('explain', '--last', '-u', 4242) // {};
		my $word = $_->[0] eq 'refused' ? 'no room' : 'yes';
		is($last->{text}, $word, "  the last decision is: $word");
		is($last->{promised} ? 1 : 0, $word eq 'yes' ? 1 : 0, '  promised or not');
	}
	is(`sqlite3 -cmd '.timeout 9000' '$file' "DELETE FROM event WHERE account='many'" 2>&1`, '', 'and it is short again');
};

# A year of 500,000 rows: promises, each with what became of it later, as slurmctld has written them.
subtest 'a sum of half a million' => sub {
	plan skip_all => 'sqlite3 is not installed' unless `sqlite3 -version 2>/dev/null`;
	my $pairs = 250_000;
	my $long = "$dir/long.db";
	my $ask = sub { return split /\n/, `sqlite3 -cmd '.timeout 9000' '$long' "$_[0]" 2>&1` };
	is(system("sqlite3 '$file' '.backup $long'"), 0, 'the tables are as slurmctld makes them');
	# 31,536,000 s are a year, and what is older goes; the n-th is asked for in order of time, and is over up to 12
	# days later.
	my $insert = "INSERT INTO event(at,what,job,base,task,uid,account,partition,deadline,late,nodes,tasks,reference,reason,text,promise)";
	my $made = join ' ', $ask->("DELETE FROM event; $insert WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<$pairs-1)," .
		" a(at,i,accepted) AS (SELECT strftime('%s','now')-31500000+i*126,i,i%7<>0 FROM n)," .
		" e AS (SELECT at,CASE accepted WHEN 1 THEN 'accepted' ELSE 'refused' END AS what,i,0 AS late,CASE accepted WHEN 1 THEN '' ELSE" .
		" substr('late rights limit',1+i%3*5,5) END AS reason,accepted*(1000+i) AS promise FROM a UNION ALL" .
		" SELECT at+i*7919%1000000,CASE i%11 WHEN 0 THEN 'broken' WHEN 1 THEN 'cancelled' ELSE 'kept' END,i,i*104729%90001-80000,''," .
		" 1000+i FROM a WHERE accepted)" .
		" SELECT at,what,i,i,4294967294,1000+i%5,'acct'||(i%3),'batch',at,late,1,1+i%2*(i%4),'',reason,'',promise FROM e ORDER BY at");
	is($made, '', 'a long history');
	my ($rows) = $ask->('SELECT count(*) FROM event');
	cmp_ok($rows, '>', 460_000, "of $rows rows");
	$c->reconfigure("${common}History=$long\n");
	ok($c->wait_for('it counts', sub { ((answer('status') // {})->{history}{file} // '') eq $long }), 'slurmctld reads it');
	my $began = time;
	my $sum = answer('history', '--summary');
	note("summed up in " . (time - $began) . ' s');
	ok($sum, 'is summed up') or return;
	# The same by sqlite: by month, user and account of the acceptance.
	my $firsts = "WITH f AS (SELECT promise,at,uid,account FROM event WHERE what='accepted')," .
		" r AS (SELECT strftime('%Y-%m',coalesce(f.at,e.at),'unixepoch','localtime') AS month,coalesce(f.uid,e.uid) AS uid," .
		"coalesce(f.account,e.account) AS account,e.what AS what,e.reason AS reason,max(e.tasks,1) AS n,-e.late AS slack" .
		" FROM event AS e LEFT JOIN f ON f.promise=nullif(e.promise,0))";
	my %want;
	for ($ask->("$firsts SELECT month,uid,account,what,sum(n) FROM r GROUP BY 1,2,3,4")) {
		my ($month, $uid, $account, $what, $n) = split /\|/;
		$want{"$month $uid $account"}{$what} = $n;
		$want{"$month $uid $account"}{open} += $what eq 'accepted' ? $n : $what eq 'refused' ? 0 : -$n;
	}
	my %got = map { my $l = $_; ("$l->{month} $l->{user} $l->{account}" =>
		{ map { $_ => $l->{$_} } grep { !/^(month|user|account|slack|reasons)$/ } keys %$l }) } @{ $sum->{lines} };
	cmp_ok(scalar(keys %want), '>=', 12 * 15, 'in many lines'); # of twelve months or thirteen
	is_deeply(\%got, \%want, 'as sqlite sums it up');
	my %why = map { split /\|/ } $ask->("$firsts SELECT reason,sum(n) FROM r WHERE what='refused' GROUP BY 1");
	is_deeply($sum->{all}[0]{reasons}, \%why, 'reasons, too');
	my ($median) = $ask->("$firsts,s AS (SELECT slack,n,sum(n) OVER() AS c,sum(n) OVER(ORDER BY slack ROWS UNBOUNDED PRECEDING)" .
		" AS upto FROM r WHERE what IN('kept','broken')) SELECT (min(slack)+max(slack))/2 FROM s WHERE upto>=(c+1)/2 AND upto-n<(c+2)/2");
	is($sum->{all}[0]{slack}, $median, 'and the median is that of all');
	my ($asked) = $ask->("SELECT count(*) FROM event WHERE what='accepted' AND at>=strftime('%s','now')-86400*30");
	my $late = answer('history', '--summary', '--since', 'now-30days');
	cmp_ok(abs(scalar($late->{all}[0]{accepted}) / ($sum->{all}[0]{accepted} / 12.17) - 1), '<', 0.1, 'of a month: a twelfth');
	$c->reconfigure($pact_conf);
	ok($c->wait_for('it counts', sub { ((answer('status') // {})->{history}{file} // '') eq $file }), 'and back');
};

subtest 'private data' => sub {
	plan skip_all => 'only root can be two users' if $>;
	my ($alice, $bob) = map { (getpwnam $_)[2] } qw(daemon nobody);
	plan skip_all => 'there are no users daemon and nobody' unless defined $alice && defined $bob;
	my $hers = $c->sbatch(['-N1', '-t10', '-p', 'batch', '--deadline=now+5hours'], as => $alice);
	ok($hers->{id}, 'another user') or diag($hers->{text});
	entries(1, '--user', $alice);
	my @seen = @{ answered({ as => $bob }, 'history')->{entries} };
	is(scalar(grep { $_->{user} == $alice } @seen), 1, 'without PrivateData others see it');
	my $conf = $c->file('private', "PrivateData=jobs\n");
	is($c->emulate('reconfigure', '--conf', $conf)->{rc}, 0, 'PrivateData is set');
	ok($c->wait_for('it counts', sub { !@{ (answer({ as => $bob }, 'history') // {})->{entries} // [1] } }),
		'others see nothing');
	@seen = @{ answered({ as => $alice }, 'history')->{entries} };
	cmp_ok(scalar(@seen), '>=', 1, 'each sees');
	is(scalar(grep { $_->{user} != $alice } @seen), 0, 'his own');
	is_deeply(answered({ as => $bob }, 'history', '--summary')->{all}, [], 'no sum of what he may not see');
	is_deeply([map { $_->{user} } @{ answered({ as => $alice }, 'history', '--summary')->{lines} }], [$alice], 'each his own');
	cmp_ok(scalar(entries(4)), '>=', 4, 'root sees all');
};

subtest 'a waiting array' => sub {
	my $cancel = sub {
		my ($name, $tasks, $n, @ids) = @_;
		my $before = answer('stats')->{cancelled};
		$c->cmd('scancel', @ids);
		ok($c->wait_for('the count', sub { answer('stats')->{cancelled} == $before + $n }), "$name: counted");
		my @rows;
		$c->wait_for('the rows', sub {
			@rows = grep { $_->{what} eq 'cancelled' } entries(1, '--job', $tasks);
			my $sum = 0;
			$sum += $_->{tasks} // 1 for @rows;
			return $sum >= $n;
		});
		return @rows;
	};
	my $a = $c->accepted('an array', ['-N1', '-t5', '--begin=now+2hours', '--array=0-4', '--deadline=now+8hours']);
	$c->settle;
	my @rows = $cancel->('some of its tasks', $a->{id}, 2, "$a->{id}_[1,3]");
	is(scalar(@rows), 1, 'share a row');
	is("$rows[0]{text}; $rows[0]{tasks}", '1,3; 2', 'which says which');
	is((answer('explain', "$a->{id}_3") // {})->{outcome} // '', 'cancelled', 'explain knows them');
	is((answer('explain', "$a->{id}_2") // {})->{kind} // '', 'waiting', 'and that the others wait');
	@rows = $cancel->('all of it', $a->{id}, 3, $a->{id});
	is(scalar(@rows), 2, 'has a row');
	is("$rows[0]{text}; $rows[0]{tasks}; $rows[0]{limit}", '0,2,4; 3; 300', 'with all that is known');
	is((answer('explain', "$a->{id}_4") // {})->{outcome} // '', 'cancelled', 'explain knows it');
	like($c->field($a->{id}, 'AdminComment'), qr/ended=cancelled\)/, 'so does AdminComment');
	# Before any pass has seen it, or after: all are told.
	$a = $c->accepted('another', ['-N1', '-t5', '--begin=now+2hours', '--array=0-4', '--deadline=now+8hours']);
	$cancel->('tasks of a new one', $a->{id}, 3, "$a->{id}_[1-3]");
	$cancel->('the rest', $a->{id}, 2, $a->{id});
	my $before = answer('stats');
	$a = $c->accepted('a job', ['-N1', '-t5', '--begin=now+2hours', '--deadline=now+8hours']);
	$cancel->('at once', $a->{id}, 1, $a->{id});
	is(answer('stats')->{accepted}, $before->{accepted} + 1, 'it was accepted');
};

subtest 'corrupt' => sub {
	my $mark = $c->log_mark;
	my $spoilt = "$dir/spoilt.db";
	$c->reconfigure($common);
	ok($c->wait_for('it is off', sub { my $s = answer('status'); $s && !$s->{history} }), 'off');
	is($c->cmd($pact, 'history')->{rc}, 5, 'none is kept');
	open my $out, '>', $spoilt or die "$spoilt: $!";
	print $out 'this is no database ' x 1000;
	close $out;
	$c->reconfigure("${common}History=$spoilt\n");
	ok($c->wait_for('it is on', sub { my $s = answer('status'); $s && $s->{history} }), 'on');
	my $id = $c->sbatch(['-N1', '-t10', '--deadline=now+9hours'])->{id};
	ok($id, 'decisions go on');
	# The job's number follows its decision by a pass; what came after the next change would count as lost.
	is(scalar(entries(1, '--job', $id)), 1, 'into a new database');
	ok(-s "$spoilt.corrupt", 'the corrupt one is kept');
	ok($c->log_has(qr/History=\Q$spoilt\E: it was corrupt/, $mark), 'the log says so');
};

subtest 'not to be written' => sub {
	my $mark = $c->log_mark;
	$c->reconfigure("${common}History=$dir/no/such/history.db\n");
	ok($c->wait_for('it counts', sub {
		my $s = answer('status');
		return $s && $s->{history} && $s->{history}{file} =~ /no.such/;
	}), 'a directory that is not there');
	ok($c->wait_for('it is told', sub { (answer('status') // {})->{history}{trouble} }), 'the status says so, before there is an entry');
	is((answer('status') // {})->{history}{lost}, 0, 'and that none is lost');
	$r = $c->cmd($pact, 'history');
	is($r->{rc}, 5, 'is an error at once');
	like($r->{err}, qr/cannot be written: .*No such file/, 'which is told');
	ok($c->sbatch(['-N1', '-t10', '--deadline=now+9hours'])->{id}, 'decisions go on');
	ok($c->wait_for('it is told', sub { (answer('status') // {})->{history}{trouble} }), 'the status says so');
	is($c->cmd($pact, 'history')->{rc}, 5, 'and still an error');
	like($c->out($pact, 'status'), qr/^history is not written: No such file/m, 'in words');
	ok($c->log_has(qr/History=\S+no.such\S+: nothing is written/, $mark), 'the log, too');
	$c->reconfigure("${common}History=history.db\n");
	ok($c->log_has(qr/History=history.db: must be none or a path from/, $mark), 'a path that is none is refused');
};

$c->clear;
$c->healthy;
$c->down;
done_testing;
