#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# lint: rules of the tree that a compiler does not check (TAP).
# - only slurm/, plugins/, contrib/replay and the program of client/ that asks see Slurm's headers; core includes nothing but itself and the C
#   library, and calls no clock, thread or file (which folder may use which: rooms.t);
# - slurm/ and plugins/ change no job's state but by job_state_set(): since 23.11.5 Slurm keeps an index of states;
# - Slurm's releases are told apart in slurm/base/compat* only;
# - an SPDX line at the top of every source file;
# - no file over 1000 lines; no left-over markers;
# - a test script (TAP) can be run: git keeps that of a file, an editor may not;
# - the files, and functions in them, that the documents name in backticks are there;
# - NEWS tells what a version brings, by part; the first version mends nothing, as no user had what it mends.
# Each rule is first tried on a made-up tree that breaks it, so that a rule that sees nothing fails.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}

n=0
result() { # OK? NAME [DIAGNOSTICS]
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		[ -z "${3-}" ] || sed 's/^/# /' <<<"$3"
	fi
}

# All rules work on a directory and print what breaks them.

sources() { # DIR SUBDIR...
	local tree=$1 d
	shift
	for d; do
		[ ! -d "$tree/$d" ] || find "$tree/$d" -name '*.[ch]'
	done
}

# Headers of the C standard, without those for clocks, threads, files, signals and locales; and the
# compiler's own for vector instructions.
core_headers='[a-z]mmintrin|assert|ctype|errno|float|inttypes|limits|math|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string'

includes() { # DIR SUBDIR; prints file:line:"header" or <header>
	sources "$1" "$2" | xargs -r grep -nHE '^[[:space:]]*#[[:space:]]*include' /dev/null
}

rule_core() { # DIR
	includes "$1" core | grep -vE "include[[:space:]]*(<($core_headers)\.h>|\"core/[a-z0-9_/]+\.(h|def)\")"
	sources "$1" core | xargs -r awk '
		{
			code = $0
			gsub(/\/\*.*\*\//, "", code)
			sub(/\/\*.*|\/\/.*|^[ \t]*\*.*/, "", code)
		}
		code ~ /(^|[^A-Za-z0-9_>.])(time|clock|gettimeofday|clock_gettime|sleep|usleep|nanosleep|getenv|printf|fprintf|puts|fopen|open|rand|srand|random|pthread_[a-z_]+)[ \t]*\(/ {
			print FILENAME ":" FNR ":" $0
		}'
}

rule_plugins() { # DIR
	includes "$1" plugins | grep -E 'include[[:space:]]*["<](core|sim|contrib)/'
}

# No Slurm header outside the places that may see one. (terms_of is a SPANK plugin.)
rule_slurm_headers() { # DIR
	local d
	for d in client contrib/elastic core draw tape sim node bench testsuite; do
		includes "$1" "$d" | grep -E 'include[[:space:]]*["<](slurm/(slurm|slurmdb|slurm_errno|slurm_version|spank|smd_ns)\.h|src/)' |
			grep -vE '/(testsuite/emulated/terms_of|client/call)\.c:'
	done
}

rule_states() { # DIR
	sources "$1" slurm plugins | grep -v '/compat\.h$' |
		xargs -r grep -nHE '(->|\.)job_state[[:space:]]*([|&^]?=[^=]|=$)' /dev/null
}

rule_releases() { # DIR
	sources "$1" client slurm plugins contrib bench testsuite | grep -v '/slurm/base/compat' |
		xargs -r grep -nHE '(SLURM_FROM|SLURM_VERSION_NUM)[[:space:]]*\(|^[[:space:]]*#[[:space:]]*(el)?if.*SLURM_VERSION' /dev/null
}

rule_spdx() { # DIR
	find "$1" \( -name .git -o -name .deps -o -name build -o -name build-aux -o -name autom4te.cache \
		-o -name _build -o -name pactconfig.h \) -prune -o \
		-type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.t' -o -name '*.mk' -o -name '*.ac' \
		-o -name Makefile.am -o -name 'pact_*.m4' -o -name '*.py' -o -name '*.awk' \) -print |
		while read -r f; do
			head -n 2 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
				echo "${f#"$1"/}: no SPDX line"
		done
}

rule_size() { # DIR
	sources "$1" client common core draw tape sim slurm node plugins contrib bench testsuite | while read -r f; do
		[ "$(wc -l <"$f")" -le 1000 ] || echo "${f#"$1"/}: more than 1000 lines"
	done
}

rule_markers() { # DIR; the words are put together here so that this file passes
	grep -rnIE "\<(TO""DO|FIX""ME|XX""X|HA""CK)\>" --include='*.[ch]' --include='*.sh' --include='*.t' \
		--include='*.mk' "$1"/client "$1"/common "$1"/core "$1"/draw "$1"/tape "$1"/sim "$1"/slurm "$1"/node "$1"/plugins "$1"/contrib "$1"/bench \
		"$1"/testsuite 2>/dev/null
}

rule_executable() { # DIR
	find "$1/testsuite" -name '*.t' ! -perm -u+x 2>/dev/null | sed 's/$/: not executable/'
}

# What the documents say of where things are: `core/x.c`, and after a comma or colon `one()`, `two()` in
# it. A program stands for its source; `src/...` is Slurm's.
rule_doc() { # DIR
	(cd "$1" && find . -maxdepth 2 \( -path './doc/*.md' -o -path './experiments/*.md' -o -path ./README.md \) |
		sed 's,^\./,,' | sort | xargs -r perl -0777 -ne '
		my $rooms = "bench|client|common|contrib|core|doc|draw|experiments|m4|node|plugins|sim|slurm|tape|testsuite";
		while (m{`((?:$rooms)/[\w./-]+)`((?:[,:]\s+`\w+\(\)`)*)}g) {
			my ($path, $functions, $text) = ($1, $2, "");
			if (!-e $path && !-e "$path.c") {
				print "$ARGV: there is no $path\n";
			} elsif ($functions) {
				open my $file, "<", $path or die "$path: $!";
				$text = join "", <$file>;
				$text =~ /\b$_\(/ or print "$ARGV: no $_() in $path\n" for $functions =~ /(\w+)\(/g;
			}
		}')
}

# NEWS: a head per version (the newest one first, the tree's own), below it the parts in this order, below
# these a line for each feature. Changed and Fixed speak of what a user had: not in the oldest version.
rule_news() { # DIR
	local version
	version=$(sed -n 's/^AC_INIT(\[pact\], \[\(.*\)\]).*/\1/p' "$1/configure.ac" 2>/dev/null)
	[ ! -e "$1/NEWS" ] || awk -v version="$version" '
		function odd(line, what) {
			print "NEWS:" line ": " what
		}
		function told() { # the part before this line has something below it
			if (part && !lines)
				odd(FNR, "nothing new in the part above")
			lines = 0
		}
		BEGIN {
			n = split("Plugins:,Commands:,Simulator:,Build and tests:", names, ",")
			for (i = 1; i <= n; i++)
				place[names[i]] = i
		}
		length > 120 { odd(FNR, "more than 120 columns") }
		/^Pact [0-9.]+ \(.+\)$/ {
			told()
			if (!versions++ && $2 != version)
				odd(FNR, "not the version of configure.ac, " version)
			part = mends = 0
			next
		}
		$0 in place {
			told()
			if (place[$0] <= part)
				odd(FNR, $0 " stands twice, or behind a later part")
			part = place[$0]
			next
		}
		/^(Added|Changed|Fixed): ./ {
			if (!versions || !part)
				odd(FNR, "in no part of a version")
			lines++
			if (!/^Added/)
				mend[++mends] = FNR
			next
		}
		/./ { odd(FNR, "neither version, part, nor a line of Added, Changed or Fixed") }
		END {
			told()
			for (i = 1; i <= mends; i++)
				odd(mend[i], "mends what no released version had")
		}' "$1/NEWS"
}

# A tree with one violation: the rule must see it, and only it.
made_up=$(mktemp -d)
trap 'rm -rf "$made_up"' EXIT
breaks() { # RULE FILE TEXT
	local seen
	rm -rf "${made_up:?}"/*
	mkdir -p "$made_up/core" "$made_up/$(dirname "$2")"
	printf '/* SPDX-License-Identifier: GPL-2.0-or-later */\n#include <stdint.h>\n' >"$made_up/core/good.h"
	printf '/* SPDX-License-Identifier: GPL-2.0-or-later */\n#include "core/good.h"\n' >"$made_up/core/good.c"
	seen=$("rule_$1" "$made_up")
	[ -z "$seen" ] || { result 1 "$1 passes a clean tree" "$seen"; return; }
	printf '%b\n' "$3" >"$made_up/$2"
	seen=$("rule_$1" "$made_up")
	[ -n "$seen" ]
	result $? "rule $1 sees: ${3##*\\n} in $2"
}

spdx='/* SPDX-License-Identifier: GPL-2.0-or-later */\n'
breaks core core/bad.c "$spdx#include \"slurm/state/bridge.h\""
breaks core core/bad.c "$spdx#include \"elsewhere.h\""
breaks core core/bad.c "$spdx#include <time.h>"
breaks core core/bad.c "$spdx#  include <pthread.h>"
breaks core core/bad.c "$spdx	now = time(NULL);"
breaks plugins plugins/x/bad.c "$spdx#include \"core/plan.h\""
breaks slurm_headers sim/bad.c "$spdx#include <slurm/slurm.h>"
breaks slurm_headers core/bad.h "$spdx#include \"src/slurmctld/slurmctld.h\""
breaks states slurm/x/bad.c "$spdx	job->job_state |= JOB_REQUEUE;"
breaks states plugins/x/bad.c "$spdx	job->job_state = JOB_PENDING;"
breaks releases slurm/x/bad.c "$spdx#if !SLURM_FROM(24, 11)"
breaks releases testsuite/unit/bad.c "$spdx#if SLURM_VERSION_NUMBER >= 0x170200"
breaks spdx sim/bad.c '#include <stdio.h>'
breaks size core/long.c "$(yes '' | head -n 1001 | sed 's/$/\\n/' | tr -d '\n')x"
breaks markers core/bad.c "/* TO""DO */"
breaks executable testsuite/emulated/bad.t '#!/bin/sh'
breaks doc doc/slurm.md 'see `slurm/gone.c`'
breaks doc doc/papers.md 'Figure 1: `core/good.c`: `gone()`'
breaks doc doc/design.md '| a question | `core/good.c`: `gone()`, `lost()` |'

newest='Pact 2 (not released)'
mended="$newest\nPlugins:\nFixed: it\nPact 1 (2025-12-01)\nPlugins:\nAdded: it"
mkdir -p "$made_up/news"
printf 'AC_INIT([pact], [2])\n' >"$made_up/news/configure.ac"
printf '%b\n' "$mended" >"$made_up/news/NEWS"
seen=$(rule_news "$made_up/news")
[ -z "$seen" ]
result $? "news passes what mends an older version" "$seen"
breaks_news() { # TEXT
	printf '%b\n' "$1" >"$made_up/news/NEWS"
	[ -n "$(rule_news "$made_up/news")" ]
	result $? "rule news sees: ${1//\\n/ | }"
}
breaks_news "$newest\nPlugins:\nAdded: it\nFixed: it"
breaks_news "$newest\nPlugins:\nChanged: it"
breaks_news "$mended\nFixed: it"
breaks_news "$newest\nAdded: it"
breaks_news "$newest\nSimulator:\nAdded: it\nPlugins:\nAdded: it"
breaks_news "$newest\nPlugins:\nSimulator:\nAdded: it"
breaks_news "$newest\nPlugins:\nit is faster"
breaks_news 'Pact 3 (not released)\nPlugins:\nAdded: it'

for rule in core plugins slurm_headers states releases spdx size markers executable doc news; do
	seen=$("rule_$rule" "$top")
	[ -z "$seen" ]
	result $? "rule $rule holds" "$seen"
done

# Versions of clang-format differ in what they make of one style: ours is Debian 12's.
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
	seen=$(sources "$top" core draw tape sim slurm node plugins contrib bench testsuite |
		(cd "$top" && xargs -r clang-format --dry-run 2>&1) | grep warning: | cut -d: -f1-2 | head -n 20)
	[ -z "$seen" ]
	result $? "clang-format changes nothing" "$seen"
else
	n=$((n + 1))
	echo "ok $n - clang-format changes nothing # SKIP no clang-format 14"
fi
echo "1..$n"
