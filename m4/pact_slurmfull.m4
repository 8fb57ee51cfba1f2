# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_CHECK_SLURMFULL: the library that slurmctld shares with its commands, for the unit test of the
# bridge, and the flags of the thread sanitizer, if programs made with it run here and it was not declined.
AC_DEFUN([PACT_CHECK_SLURMFULL], [
	AC_MSG_CHECKING([for libslurmfull])
	SLURMFULL_LIBS=
	pact_multiarch=`$CC -print-multiarch 2>/dev/null`
	for pact_dir in ${pact_multiarch:+/usr/lib/$pact_multiarch/slurm-wlm} \
		${pact_multiarch:+/usr/lib/$pact_multiarch/slurm} \
		/usr/lib64/slurm /usr/lib/slurm-wlm /usr/lib/slurm /usr/local/lib/slurm; do
		AS_IF([test -r "$pact_dir/libslurmfull.so"],
			[SLURMFULL_LIBS="-L$pact_dir -Wl,-rpath,$pact_dir -lslurmfull"; break])
	done
	AC_MSG_RESULT([${SLURMFULL_LIBS:-no}])
	AC_SUBST([SLURMFULL_LIBS])
	AM_CONDITIONAL([HAVE_SLURMFULL], [test -n "$SLURMFULL_LIBS"])
	AC_ARG_ENABLE([tsan],
		[AS_HELP_STRING([--disable-tsan],
			[unit tests of the bridge without the thread sanitizer: the bridge is compiled once, not twice])],
		[], [enable_tsan=yes])
	TSAN_CFLAGS=-fsanitize=thread
	save_CFLAGS="$CFLAGS"
	CFLAGS="$CFLAGS $TSAN_CFLAGS"
	AC_MSG_CHECKING([whether programs run with the thread sanitizer])
	AS_IF([test "x$enable_tsan" = xno], [AC_MSG_RESULT([declined]); TSAN_CFLAGS=],
		[AC_RUN_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no]); TSAN_CFLAGS=], [AC_MSG_RESULT([no]); TSAN_CFLAGS=])])
	CFLAGS="$save_CFLAGS"
	AC_SUBST([TSAN_CFLAGS])
	AM_CONDITIONAL([HAVE_TSAN], [test -n "$TSAN_CFLAGS"])
])
