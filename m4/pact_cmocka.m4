# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_CHECK_CMOCKA: the unit tests need cmocka; without it they are left out, and the summary says so.
AC_DEFUN([PACT_CHECK_CMOCKA], [
	PKG_CHECK_MODULES([CMOCKA], [cmocka >= 1.1], [have_cmocka=yes], [have_cmocka=no])
	AM_CONDITIONAL([HAVE_CMOCKA], [test "x$have_cmocka" = xyes])
])
