#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# configure: does it refuse what cannot work, with a message that says why, and does it let our directory core
# alone, which it would take for a dumped one (TAP)? Made-up Slurm trees and a made-up slurmctld; nothing is
# built.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/bin" "$dir/src/slurm" "$dir/build" "$dir/bare" "$dir/top/core"
# Of its own tree only what it looks at: it does not run beside one that is configured in place.
cp -r "$top/configure" "$top/build-aux" "$top/Makefile.in" "$top/pactconfig.h.in" "$dir/top"
cp "$top/core/sched.h" "$dir/top/core"
printf '#!/bin/sh\necho slurm-wlm 22.05.8\n' >"$dir/bin/slurmctld"
chmod +x "$dir/bin/slurmctld"
touch "$dir/src/config.h" "$dir/src/slurm/slurm_version.h"

n=0
# configure, with the made-up slurmctld first in PATH, has to fail with this message.
refuses() { # MESSAGE ARGUMENT...
	local message=$1 out
	shift
	n=$((n + 1))
	if out=$(cd "$dir/build" && PATH="$dir/bin:$PATH" "$dir/top/configure" "$@" 2>&1); then
		echo "not ok $n - $* is refused"
	elif grep -qF -- "$message" <<<"$out"; then
		echo "ok $n - $*: $message"
	else
		echo "not ok $n - $*: $message"
		tail -n 5 <<<"$out" | sed 's/^/# /'
	fi
}

echo "1..13"
echo "  Version:	22.05.9" >"$dir/src/META"
refuses "is Slurm 22.05.9," "--with-slurm-src=$dir/src"
echo "  Version:	22.05.80" >"$dir/src/META"
refuses "but the installed slurmctld is 22.05.8." "--with-slurm-src=$dir/src"
refuses "no file META there" "--with-slurm-src=$dir/bare"
echo "  Version:	22.05.8" >"$dir/bare/META"
refuses "that tree is not configured" "--with-slurm-src=$dir/bare"
# As the debian/ of Slurm's own tarball configures it.
mkdir -p "$dir/bare/obj-any/slurm"
touch "$dir/bare/obj-any/config.h"
refuses "that tree is not configured" "--with-slurm-src=$dir/bare"
touch "$dir/bare/obj-any/slurm/slurm_version.h"
refuses "exclude each other" "--with-slurm-src=$dir/bare" --enable-sanitizers
for tested in 22.05.8 24.11.5; do
	sed -i "s/[0-9.]*[0-9]\$/$tested/" "$dir/bin/slurmctld"
	echo "  Version:	$tested" >"$dir/src/META"
	refuses "exclude each other" "--with-slurm-src=$dir/src" --enable-sanitizers
done
# The last two only begin as a tested one does.
for untested in 24.05.8 22.05.80 24.11.50; do
	sed -i "s/[0-9.]*[0-9]\$/$untested/" "$dir/bin/slurmctld"
	echo "  Version:	$untested" >"$dir/src/META"
	refuses "this is $untested: to build for it all the same," "--with-slurm-src=$dir/src"
done
refuses "exclude each other" "--with-slurm-src=$dir/src" --enable-untested-slurm --enable-sanitizers
sed -i 's/24.11.50/22.05.8/' "$dir/bin/slurmctld"
echo "  Version:	22.05.8" >"$dir/src/META"

# In place, where core is.
n=$((n + 1))
if ! out=$(cd "$dir/top" && ./configure 2>&1) || grep -qF "cannot remove" <<<"$out" || [ -e "$dir/top/confdefs.h" ]; then
	echo "not ok $n - configure in the source tree"
	tail -n 5 <<<"$out" | sed 's/^/# /'
else
	echo "ok $n - configure in the source tree removes what is its own, and nothing else"
fi
