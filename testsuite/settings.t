#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# settings.t: what the manuals, the sample of pact.conf, the help and the completion say of the settings is what
# their tables say (doc/settings.c).

top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
settings=${PACT_BUILD:-$top/build/main}/doc/settings
. "$top/testsuite/tap.sh"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
files=(doc/pact-sim.1 doc/pact.conf.5 doc/pact.conf contrib/completions/pact-sim sim/commands/cmd_run.c)
for file in "${files[@]}"; do
	mkdir -p "$dir/$(dirname "$file")"
	cp "$top/$file" "$dir/$file"
	chmod u+w "$dir/$file"
done

ok 'all say what the tables say (else: make update-docs)' "$settings" check "$top"
ok 'so does a copy' "$settings" check "$dir"
for file in "${files[@]}"; do
	sed -i 's/MinArtificialDeadline/MaxArtificialDeadline/' "$dir/$file"
	ok "another word in $file is seen" [ "$("$settings" check "$dir")" = "$file differs" ]
	"$settings" update "$dir" >/dev/null
	ok 'and mended' cmp "$dir/$file" "$top/$file"
done
tap_end
