# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_ENABLE_DEBUG: --enable-debug compiles without optimisation. Assertions of the core are on
# either way; the plugins are always compiled with -DNDEBUG, because Slurm's headers then refer to
# functions that the distribution's slurmctld does not export.
AC_DEFUN([PACT_ENABLE_DEBUG], [
	AC_ARG_ENABLE([debug],
		[AS_HELP_STRING([--enable-debug], [compile with -O0 -g3])],
		[], [enable_debug=no])
	AS_IF([test "x$enable_debug" = xyes], [DEBUG_CFLAGS="-O0 -g3"], [DEBUG_CFLAGS=])
	AC_SUBST([DEBUG_CFLAGS])
])
