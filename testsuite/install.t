#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# install: does `make install` put what was built where it belongs, and does it replace a plugin by
# rename (TAP)? Writing into a file that a running slurmctld has mapped would crash it.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
build=${PACT_BUILD:?names the build tree}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

variable() { sed -n "s/^$1 = //p" "$build/Makefile" | tail -n 1; }
# With the variables in it, as make has it.
directory() {
	printf 'include Makefile\nwhich-directory:\n\t@echo $(%s)\n' "$1" |
		MAKEFLAGS='' make -s --no-print-directory -C "$build" -f - which-directory
}
install() { MAKEFLAGS='' make -C "$build" DESTDIR="$stage/root" "$@"; }
find_in() { find "$stage/root" -name "$1" | grep .; }

# What was installed is below $stage/root, whose name its pkg-config file does not have.
links_library() {
	printf '#include <pact-malleable.h>\nint main(void) { return pact_malleable_open(0, 0) != 0; }\n' >"$stage/user.c"
	# shellcheck disable=SC2046
	PKG_CONFIG_LIBDIR=$stage/root$(directory libdir)/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage/root \
		cc -o "$stage/user" "$stage/user.c" $(PKG_CONFIG_LIBDIR=$stage/root$(directory libdir)/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR=$stage/root pkg-config --cflags --libs pact-malleable) &&
		env -u SLURM_JOB_ID LD_LIBRARY_PATH="$stage/root$(directory libdir)" "$stage/user"
}

# Files of the tree that a tarball would not have; in a checkout only.
undistributed() {
	(cd "$top" && git ls-files) | grep -vE '^(\.ci/|\.gitignore$)' | sort >"$stage/files"
	MAKEFLAGS='' make -s -C "$build" distdir distdir="$stage/dist" >"$stage/dist.log" 2>&1 || cat "$stage/dist.log"
	(cd "$stage/dist" && find . ! -type d | sed 's,^\./,,' | sort) | comm -23 "$stage/files" - | tee "$stage/missing"
	[ ! -s "$stage/missing" ]
}

if (cd "$top" && git rev-parse) 2>/dev/null; then
	ok "a tarball has each file of the tree" undistributed
fi
ok "make install" install install
ok "pact-sim is there" find_in pact-sim
ok "pact-emulate runs from there" bash -c '
	link=$(find "$1/root" -name pact-emulate -type l) && "$1/root$(readlink "$link")" list' - "$stage"
ok "slurm-root is beside it, for --root" bash -c '
	link=$(find "$1/root" -name pact-emulate -type l) && cd "$(dirname "$1/root$(readlink "$link")")" &&
	./slurm-root --help && test -r apt-entries.sh' - "$stage"
ok "so are the man pages" find_in pact-emulate.1
for doc in README.md guide.md malleable.md works-with.md formats.md protocol.md examples/pact.conf; do
	ok "$doc is with the documentation" test -s "$stage/root$(directory docdir)/$doc"
done
ok "so that systemd makes /run/pact: tmpfiles.d/pact.conf" \
	grep -q '^d /run/pact 0755 slurm slurm' "$stage/root$(directory prefix)/lib/tmpfiles.d/pact.conf"
ok "no libtool archive is installed" not find_in '*.la'

if [ -n "$(variable SLURM_LIBS)" ]; then
	for file in pact-malleable.h pact-malleable.pc pact-malleable.3 pact-elastic pact-elastic.1 libpact-malleable.so.0; do
		ok "$file is there" find_in "$file"
	done
	ok "what the library asks Slurm with is where it looks" test -x \
		"$stage/root$(directory pact_call_dir)/pact-malleable-call"
	ok "it has the functions of its header, and no other" diff \
		<(grep -o 'pact_malleable_[a-z_]*(' "$top/client/pact-malleable.h" | tr -d '(' | sort -u) \
		<(nm -D --defined-only "$(find_in libpact-malleable.so.0.0.0)" | awk '{ print $NF }' | sort -u)
	ok "a program links it by pkg-config" links_library
fi
if [ -n "$(variable SLURM_SRC)" ]; then
	for so in job_submit_deadline.so sched_qops.so select_gang.so; do
		ok "$so is in Slurm's plugin directory" test -r "$stage/root$(variable slurmplugindir)/$so"
		# The old file stays whole under a second name: the new one is another file.
		ln "$stage/root$(variable slurmplugindir)/$so" "$stage/old-$so"
		cp "$stage/old-$so" "$stage/copy-$so"
	done
	ok "spank_pact.so is there, for nodes" test -r "$stage/root$(variable slurmplugindir)/spank_pact.so"
	ok "so is pactd, where its unit starts it" test -f \
		"$stage/root$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$stage/root$(directory prefix)/lib/systemd/system/pactd.service")"
	ok "make install again" install install
	for so in job_submit_deadline.so sched_qops.so select_gang.so; do
		ok "$so is replaced, not overwritten" not \
			test "$stage/root$(variable slurmplugindir)/$so" -ef "$stage/old-$so"
		ok "the old $so is untouched" cmp "$stage/old-$so" "$stage/copy-$so"
	done
fi
ok "make uninstall" install uninstall
ok "leaves no file" not bash -c 'find "$1/root" ! -type d | grep .' - "$stage"
tap_end
