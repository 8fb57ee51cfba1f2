# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_CHECK_LIBSLURM: pact-replay needs libslurm and its public headers; without them it is left out.
AC_DEFUN([PACT_CHECK_LIBSLURM], [
	have_libslurm=no
	AC_CHECK_HEADER([slurm/slurm.h],
		[AC_CHECK_LIB([slurm], [slurm_init], [have_libslurm=yes],
			[AC_CHECK_LIB([slurm], [slurm_api_version], [have_libslurm=yes])])])
	SLURM_LIBS=
	AS_IF([test "x$have_libslurm" = xyes], [SLURM_LIBS=-lslurm])
	AC_SUBST([SLURM_LIBS])
	AM_CONDITIONAL([HAVE_LIBSLURM], [test "x$have_libslurm" = xyes])
])
