#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# packages: what debian/ says, without building it (TAP): is each installed file in one package, does the
# plugins' version follow Slurm's, which plugins does a slurm.conf name, and when do the plugins stay?
# `make check-packages` builds and installs.
set -u
top=${PACT_TOP:-$(cd "$(dirname "$0")/.." && pwd)}
build=${PACT_BUILD:?names the build tree}
# shellcheck source=testsuite/tap.sh
. "$top/testsuite/tap.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" "$dir/src"

tap_failed() { cat "$dir/said" 2>/dev/null; }
said() { "$@" >"$dir/said" 2>&1; }
says() { grep -qE -- "$1" "$dir/said"; }
is() { [ "$(cat "$dir/said")" = "$1" ] || { diff <(echo "$1") "$dir/said"; false; }; }

# ---- files ----

variable() { sed -n "s/^$1 = //p" "$build/Makefile" | tail -n 1; }

# As debian/rules configures: what counts is which files there are, below /usr.
list_files() {
	local so
	{
		MAKEFLAGS='' make -s -C "$build" install DESTDIR="$dir/root" prefix=/usr datarootdir=/usr/share \
			docdir=/usr/share/doc/pact libdir=/usr/lib/x slurmplugindir=/usr/lib/x/slurm-wlm >/dev/null || return
		(cd "$dir/root" && find . ! -type d | sed 's#^\./##')
	} | sort >"$dir/files"
	for so in job_submit_deadline sched_qops sched_dynp sched_malleable spank_pact select_gang; do
		grep -qxF "usr/lib/x/slurm-wlm/$so.so" "$dir/files" || return
	done
}

# Lines of PACKAGE.install and PACKAGE.manpages: a pattern, and perhaps where to.
patterns() { cat "$top"/debian/*.install "$top"/debian/*.manpages | awk '{ print $1 }'; }

packaged_once() {
	local file pattern n bad=0
	while read -r file; do
		n=0
		while read -r pattern; do
			# shellcheck disable=SC2053
			[[ $file == $pattern || $file == $pattern/* ]] && n=$((n + 1))
		done < <(patterns)
		[ $n = 1 ] || { echo "$file is in $n packages"; bad=1; }
	done <"$dir/files"
	return $bad
}

no_idle_pattern() {
	local pattern file bad=0 found
	while read -r pattern; do
		found=
		while read -r file; do
			# shellcheck disable=SC2053
			[[ $file != $pattern && $file != $pattern/* ]] || found=yes
		done <"$dir/files"
		[ -n "$found" ] || { echo "$pattern is no file"; bad=1; }
	done < <(patterns)
	return $bad
}

distributed() {
	local f bad=0
	for f in $(cd "$top" && find debian -type f ! -name Makefile.mk ! -name '*.substvars' ! -name files); do
		grep -qF "%D%/${f#debian/}" "$top/debian/Makefile.mk" || { echo "$f is not in the tarball"; bad=1; }
	done
	return $bad
}

if [ -n "$(variable SLURM_SRC)" ] && [ -n "$(variable SLURM_LIBS)" ]; then
	ok "make install, as a package has it" list_files
	ok "each file is in one package" packaged_once
	ok "each pattern is a file" no_idle_pattern
fi
[ ! -d "$top/.git" ] && [ ! -f "$top/.git" ] || ok "all of debian/ is in the tarball" distributed
version=$(sed -n 's/^AC_INIT(\[pact\], \[\(.*\)\])/\1/p' "$top/configure.ac")
ok "the packages' version is the tree's" grep -q "^pact ($version-[0-9]*) " <(head -n 1 "$top/debian/changelog")

# ---- which Slurm ----

cat >"$dir/bin/dpkg-query" <<'EOT'
#!/bin/sh
for last; do :; done
[ "$last" = "$FAKE_PACKAGE" ] && echo "${FAKE_STATUS:-ii } $FAKE_VERSION"
EOT
chmod 755 "$dir/bin/dpkg-query"

release() { # PACKAGE VERSION COMMAND...
	said env FAKE_PACKAGE="$1" FAKE_VERSION="$2" PATH="$dir/bin:$PATH" "$top/debian/slurm-release" "${@:3}"
}

while read -r package node client base installed suffix from before; do
	ok "$package $installed" release "$package" "$installed" suffix
	ok "  the version ends with it" is "$suffix"
	ok "  dependencies" release "$package" "$installed" substvars controller
	ok "  are that release's" is "slurm:Depends=$package (>= $from), $package (<< $before)
slurm:Conflicts=$package (>= $before)"
	ok "  of a node" release "$package" "$installed" substvars node
	ok "  too" is "slurm:Depends=$node (>= $from) | $client (>= $from), $node (<< $before) | $client (<< $before)
slurm:Conflicts=$node (>= $before), $client (>= $before)"
	ok "  of a host with any of Slurm" release "$package" "$installed" substvars host
	ok "  too" is "slurm:Depends=$base (>= $from), $base (<< $before)
slurm:Conflicts=$base (>= $before)"
done <<'EOT'
slurmctld slurmd slurm-client slurm-wlm-basic-plugins 22.05.8-4+deb12u3 +slurm22.05.8 22.05.8 22.05.9~
slurmctld slurmd slurm-client slurm-wlm-basic-plugins 22.05.8-4~bpo11+1 +slurm22.05.8 22.05.8 22.05.9~
slurmctld slurmd slurm-client slurm-wlm-basic-plugins 1:24.11.9-1 +slurm24.11.9 24.11.9 24.11.10~
slurm-smd-slurmctld slurm-smd-slurmd slurm-smd-client slurm-smd 24.11.5-1 +smd24.11.5 24.11.5 24.11.6~
EOT
ok "dependencies of what" not release slurmctld 22.05.8-4 substvars
ok "  is told" says 'controller, node or host is wanted'
ok "a release candidate" not release slurmctld 25.05.0~rc1-1 suffix
ok "  is told" says 'a release of three numbers is wanted'
ok "no Slurm" not release none 1-1 suffix
ok "  is told" says 'no package of slurmctld is installed'
ok "  what is removed is none" not env FAKE_STATUS="rc " FAKE_PACKAGE=slurmctld FAKE_VERSION=22.05.8-4 \
	PATH="$dir/bin:$PATH" "$top/debian/slurm-release" suffix
ok "no source tree" not release slurmctld 22.05.8-4 check "$dir/src"
ok "  is told" says 'is not Slurm.s configured source tree'
echo '  Version:	22.05.7' >"$dir/src/META"
touch "$dir/src/config.h"
ok "that of another release" not release slurmctld 22.05.8-4 check "$dir/src"
ok "  is told" says 'is Slurm 22.05.7, and the installed package slurmctld is 22.05.8-4'
ok "that of this one" release slurmctld 22.05.7-1 check "$dir/src"
mkdir "$dir/src/obj-any"
mv "$dir/src/config.h" "$dir/src/obj-any/"
ok "  built as slurm-smd's packages are" release slurm-smd-slurmctld 22.05.7-1 check "$dir/src"

# Which versions are inside, by dpkg itself.
if command -v dpkg >/dev/null; then
	for v in 22.05.8-4+deb12u3 22.05.8-4+deb12u4 22.05.8-5~bpo12+1; do
		ok "$v is the same release" dpkg --compare-versions "$v" ge 22.05.8
		ok "  and before the next" dpkg --compare-versions "$v" lt 22.05.9~
	done
	for v in 22.05.9~rc1-1 22.05.9-1 22.05.10-1 23.02.0-1; do
		ok "$v is another one" dpkg --compare-versions "$v" ge 22.05.9~
	done
fi

# ---- which plugins slurm.conf names ----

# A slurm.conf comes in.
names() { # WORDS
	cat >"$dir/slurm.conf"
	"$top/contrib/packaging/plugins-in-use" "$dir/slurm.conf" >"$dir/said" 2>&1
	status=$?
	sed -i "s#^$dir/##" "$dir/said"
	if [ -n "$1" ]; then
		ok "$1" test $status = 0
	else
		ok "none in: $(tail -n 1 "$dir/slurm.conf")" test $status = 1
	fi
	ok "  told" is "$1"
}

names "slurm.conf: SchedulerType=sched/qops" <<<'SchedulerType=sched/qops'
names "slurm.conf: SchedulerType=sched/dynp" <<<' schedulertype = "sched/dynp"	# tuned'
names "slurm.conf: JobSubmitPlugins=deadline" <<<'ClusterName=x JobSubmitPlugins=lua,deadline'
names "slurm.conf: JobSubmitPlugins=job_submit/deadline" <<<'JOBSUBMITPLUGINS=job_submit/deadline,lua'
names "slurm.conf: JobSubmitPlugins=deadline" <<'EOT'
JobSubmitPlugins=lua,\
deadline
EOT
names "" <<<'#SchedulerType=sched/qops'
names "" <<<'ClusterName=x # SchedulerType=sched/qops'
names "" <<<'SchedulerType=sched/backfill#sched/qops'
names "" <<<'JobSubmitPlugins=deadlines,my_deadline'
names "" <<<'SchedulerParameters=sched/qops'
names "" <<<'OldSchedulerType=sched/qops'
mkdir "$dir/more"
echo 'JobSubmitPlugins=deadline' >"$dir/more/submit.conf"
printf 'SchedulerType=sched/qops\ninclude %s\n' "$dir/slurm.conf" >"$dir/more/sched.conf"
names "more/submit.conf: JobSubmitPlugins=deadline
more/sched.conf: SchedulerType=sched/qops" <<EOT
Include more/submit.conf
include	$dir/more/sched.conf
Include $dir/more/none.conf
EOT
"$top/contrib/packaging/plugins-in-use" "$dir/nosuch.conf" >"$dir/said"
ok "a file that is not there" test $? = 2

# ---- which lines of plugstack.conf name spank_pact ----

# A plugstack.conf comes in, the one beside slurm.conf.
mkdir "$dir/node"
stack_names() { # WORDS [SLURM.CONF]
	cat >"$dir/node/plugstack.conf"
	echo "${2-ClusterName=x}" >"$dir/node/slurm.conf"
	"$top/contrib/packaging/plugins-in-use" --node "$dir/node/slurm.conf" >"$dir/said" 2>&1
	status=$?
	sed -i "s#^$dir/##" "$dir/said"
	ok "plugstack.conf: ${1:-none in $(tail -n 1 "$dir/node/plugstack.conf")}" test $status = "$([ -n "$1" ]; echo $?)"
	ok "  told" is "$1"
}

stack_names "node/plugstack.conf: required spank_pact.so" <<<'required spank_pact.so'
stack_names "node/plugstack.conf: optional /opt/lib/spank_pact.so dir=/run/%n" \
	<<<'	optional  /opt/lib/spank_pact.so	dir=/run/%n # of nodes'
stack_names "" <<<'#required spank_pact.so'
stack_names "" <<<'required spank_x11.so spank_pact.so'
stack_names "" <<<'required my_spank_pact.so'
mkdir "$dir/node/stack.d"
echo 'required spank_pact.so' >"$dir/node/stack.d/pact.conf"
echo 'include pact.conf' >"$dir/node/stack.d/again.conf"
stack_names "node/stack.d/pact.conf: required spank_pact.so" <<EOT
include $dir/node/none/*.conf
include stack.d/*.conf
EOT
stack_names "node/stack.d/pact.conf: required spank_pact.so" "PlugStackConfig=$dir/node/stack.d/pact.conf" </dev/null
stack_names "" "plugstackconfig = $dir/node/none.conf" <<<'required spank_pact.so'
rm "$dir/node/plugstack.conf"
"$top/contrib/packaging/plugins-in-use" --node "$dir/node/slurm.conf" >"$dir/said"
ok "a plugstack.conf that is not there" test $? = 1
"$top/contrib/packaging/plugins-in-use" --node "$dir/node/nosuch.conf" >"$dir/said"
ok "a slurm.conf that is not there" test $? = 2

# ---- does slurm.conf name select/gang ----

selects() { # STATUS SLURM.CONF
	echo "$2" >"$dir/slurm.conf"
	"$top/contrib/packaging/plugins-in-use" --select "$dir/slurm.conf" >"$dir/said" 2>&1
	ok "$2: ${1/1/not }select/gang" test $? = "$1"
	[ "$1" = 1 ] || ok "  told" says "slurm.conf: SelectType=select/gang\$"
}

selects 0 'SelectType=select/gang'
selects 0 'ClusterName=x selecttype="select/gang" # of Pact'
selects 1 'SelectType=select/linear'
selects 1 '#SelectType=select/gang'
selects 1 'SelectTypeParameters=select/gang'
selects 1 'SchedulerType=sched/qops'

# ---- when they stay ----

# The script of a package, with PLUGINS-IN-USE in place of its own.
prerm() { # PACKAGE, STATUS OF PLUGINS-IN-USE, ARGUMENTS
	printf '#!/bin/sh\necho "in.conf: a line, $*"\nexit %d\n' "$2" >"$dir/bin/plugins-in-use"
	chmod 755 "$dir/bin/plugins-in-use"
	sed "s#/usr/share/pact/\(node/\|select/\)\?plugins-in-use#$dir/bin/plugins-in-use#; /#DEBHELPER#/d" \
		"$top/debian/$1.prerm" >"$dir/prerm"
	said sh "$dir/prerm" "${@:3}"
}

for package in plugins node select; do
	option=--$package
	[ $package != plugins ] || option=
	package=pact-slurm-$package
	ok "$package, in use: not removed" not prerm $package 0 remove
	ok "  it says by what" says "^    in.conf: a line, $option\$"
	ok "  nor for another Slurm" not prerm $package 0 deconfigure in-favour slurmctld 22.05.9-1
	ok "  but upgraded" prerm $package 0 upgrade 0.2.0-1+slurm22.05.8
	ok "not in use: removed" prerm $package 1 remove
	ok "what cannot be found out is no hindrance" prerm $package 2 remove
done
tap_end
