# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# decisions.sh: sourced by loans.sh and malleable.sh, whose programs print a line for each strategy and size: its name, the
# nodes, and then words, each with a value. All times are in microseconds. It runs three times, and of each value the least counts, that
# of a decision in each run's own plain passes, too: what else wants the caches of the machine lasts longer than one run.

# decisions NAME TITLE LINES WORDS 'STRATEGY MOST PASSES'...
#
# Prints the table of $PACT_BUILD/bench/NAME. Fails when it does not have so many lines; or when, on 10,000 nodes, one of these
# words is more than a strategy's most, or a decision costs more than so many plain passes in the same run; or when it, or one of
# these words, is more than 13 times as much as on 1000 nodes.
decisions() {
	local name=$1 lines=$3 words=$4 table
	echo "$name: $2"
	shift 4
	table=$(for _ in 1 2 3; do "$PACT_BUILD/bench/$name" || exit; done) || return 1
	table=$(awk '{
		key = $1 " " $2
		if (!(key in line))
			keys[++n] = key
		for (i = 3; i < NF; i += 2)
			v[$i] = $(i + 1)
		$0 = $0 " cost " v["ratio"] * v["plain"]
		for (i = 3; i < NF; i += 2)
			if (!(key in line) || $(i + 1) + 0 < least[key, $i])
				least[key, $i] = $(i + 1)
		line[key] = $0
	}
	END {
		for (k = 1; k <= n; k++) {
			words = split(line[keys[k]], word, " ")
			for (i = 3; i < words; i += 2)
				word[i + 1] = least[keys[k], word[i]]
			for (i = 1; i <= words; i++)
				printf "%s%s", word[i], i < words ? " " : "\n"
		}
	}' <<<"$table")
	echo "$table"
	{ printf 'bars %s\n' "$@"; echo "$table"; } | awk -v name="$name" -v lines="$lines" -v words="$words" '
		function bad(text) {
			print name ": " $1 ": " text > "/dev/stderr"
			fails = 1
		}
		$1 == "bars" {
			us[$2] = $3
			passes[$2] = $4
			next
		}
		{
			for (i = 1; i < NF; i++)
				v[$i] = at[$1, $2, $i] = $(i + 1)
			cost[$1, $2] = v["cost"]
			seen++
		}
		$2 == 10000 {
			n = split(words, word, " ")
			for (i = 1; i <= n; i++) {
				if (!(v[word[i]] <= us[$1]))
					bad(word[i] " takes " v[word[i]] " us, not " us[$1])
				if (!(v[word[i]] <= 13 * at[$1, 1000, word[i]]))
					bad("10 times the nodes: " word[i] " takes more than 13 times as long")
			}
			if (!(v["ratio"] <= passes[$1]))
				bad("a decision costs " v["ratio"] " plain passes")
			if (!(cost[$1, 10000] <= 13 * cost[$1, 1000]))
				bad("10 times the nodes cost more than 13 times as much")
		}
		END { exit fails || seen != lines }'
}
