# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_WITH_SLURM_SRC: --with-slurm-src=DIR names Slurm's source tree, configured, in itself or, as the
# debian/ of Slurm's own tarball does it, in its obj-*. Plugins are built
# only with it, and only if its release is exactly that of the installed slurmctld: Slurm compares
# major, minor and micro when it loads a plugin.
# --enable-untested-slurm: needed for a release that Pact's tests do not run on.
AC_DEFUN([PACT_WITH_SLURM_SRC], [
	AC_ARG_WITH([slurm-src],
		[AS_HELP_STRING([--with-slurm-src=DIR],
			[Slurm's configured source tree (contrib/get-slurm-src makes one); needed for plugins])],
		[], [with_slurm_src=no])
	AS_IF([test "x$with_slurm_src" = xyes],
		[AC_MSG_ERROR([--with-slurm-src needs a directory: --with-slurm-src=DIR])])
	AC_ARG_ENABLE([untested-slurm],
		[AS_HELP_STRING([--enable-untested-slurm],
			[build for a release of Slurm that Pact is compiled for, but not tested with])],
		[], [enable_untested_slurm=no])
	SLURM_SRC=
	SLURM_CPPFLAGS=
	SLURM_VERSION=
	AS_IF([test "x$with_slurm_src" != xno], [
		AS_IF([test -r "$with_slurm_src/META"], [],
			[AC_MSG_ERROR([--with-slurm-src=$with_slurm_src: no file META there, it is not Slurm's source tree])])
		pact_slurm_built=
		for pact_dir in "$with_slurm_src" "$with_slurm_src"/obj-*; do
			AS_IF([test -z "$pact_slurm_built" && test -r "$pact_dir/config.h" &&
				test -r "$pact_dir/slurm/slurm_version.h"], [pact_slurm_built=`cd "$pact_dir" && pwd`])
		done
		AS_IF([test -n "$pact_slurm_built"], [],
			[AC_MSG_ERROR([--with-slurm-src=$with_slurm_src: that tree is not configured;
run contrib/get-slurm-src, or its ./configure as contrib/get-slurm-src does])])
		SLURM_SRC=`cd "$with_slurm_src" && pwd`
		AC_MSG_CHECKING([the release of Slurm's source])
		SLURM_VERSION=`$SED -n 's/^ *Version:[[ 	]]*//p' "$SLURM_SRC/META"`
		AC_MSG_RESULT([$SLURM_VERSION])
		AC_PATH_PROG([SLURMCTLD], [slurmctld], [no], [$PATH:/usr/sbin:/usr/local/sbin:/sbin])
		AS_IF([test "x$SLURMCTLD" = xno],
			[AC_MSG_ERROR([slurmctld is not installed: it must be compared with the source tree])])
		AC_MSG_CHECKING([the release of $SLURMCTLD])
		pact_installed=`$SLURMCTLD -V | $SED 's/^[[^0-9]]*//; s/[[^0-9.]].*//'`
		AC_MSG_RESULT([$pact_installed])
		AS_IF([test "x$pact_installed" != "x$SLURM_VERSION"],
			[AC_MSG_ERROR([the source tree $SLURM_SRC is Slurm $SLURM_VERSION,
but the installed slurmctld is $pact_installed. A plugin loads only into the release it was built for:
run contrib/get-slurm-src to get the source of $pact_installed.])])
		# As system headers: Slurm's warnings are not ours.
		SLURM_CPPFLAGS="-isystem $pact_slurm_built"
		AS_IF([test "$pact_slurm_built" != "$SLURM_SRC"], [SLURM_CPPFLAGS="$SLURM_CPPFLAGS -isystem $SLURM_SRC"])
		SLURM_CPPFLAGS="$SLURM_CPPFLAGS -DNDEBUG"
		AS_CASE([$SLURM_VERSION],
			[22.05.8|24.11.5], [],
			[AS_IF([test "x$enable_untested_slurm" != xyes],
				[AC_MSG_ERROR([Pact's tests run on Slurm 22.05.8 and 24.11.5, and this is $SLURM_VERSION: to build for it all the same,
give --enable-untested-slurm. Whoever runs it will see that it is untested in slurmctld's log and in pact status.])])
			SLURM_CPPFLAGS="$SLURM_CPPFLAGS -DPACT_SLURM_UNTESTED"])
		PKG_CHECK_MODULES([MUNGE], [munge])
	])
	# A plugin looks by itself whether slurmctld has what it needs (slurm/config/builds.h). Were it all bound when
	# slurmctld opens it, as a packager's LDFLAGS may want, slurmctld would not start: this stands behind them.
	AC_SUBST([PLUGIN_LIBS], [-Wl,-z,lazy])
	AC_SUBST([SLURM_SRC])
	AC_SUBST([SLURM_CPPFLAGS])
	AC_SUBST([SLURM_VERSION])
	AM_CONDITIONAL([BUILD_PLUGINS], [test -n "$SLURM_SRC"])
])
