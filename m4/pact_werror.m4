# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_ENABLE_WERROR: --enable-werror makes every compiler warning an error.
AC_DEFUN([PACT_ENABLE_WERROR], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	WARN_CFLAGS="-Wall -Wextra"
	AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
	AC_SUBST([WARN_CFLAGS])
])
