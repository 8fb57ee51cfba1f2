# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_ENABLE_SANITIZERS: --enable-sanitizers compiles core, simulator and unit tests with ASan and
# UBSan. It excludes --with-slurm-src: a plugin with ASan inside does not load into slurmctld.
AC_DEFUN([PACT_ENABLE_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers],
			[compile with ASan and UBSan (unit tests and simulator only, no plugins)])],
		[], [enable_sanitizers=no])
	SAN_CFLAGS=
	AS_IF([test "x$enable_sanitizers" = xyes], [
		AS_IF([test "x${with_slurm_src:-no}" != xno],
			[AC_MSG_ERROR([--enable-sanitizers and --with-slurm-src exclude each other:
slurmctld cannot load a plugin that is built with ASan. Use two build directories.])])
		SAN_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
		save_CFLAGS="$CFLAGS"
		CFLAGS="$CFLAGS $SAN_CFLAGS"
		AC_MSG_CHECKING([whether $CC links with ASan and UBSan])
		AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])], [
			AC_MSG_RESULT([no])
			AC_MSG_ERROR([--enable-sanitizers: $CC cannot link with $SAN_CFLAGS])])
		CFLAGS="$save_CFLAGS"
	])
	AC_SUBST([SAN_CFLAGS])
	AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
])
