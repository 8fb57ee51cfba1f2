# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_CHECK_LIBSLURM: pact-replay and the job's side of malleable jobs need libslurm and its public headers; without
# them they are left out.
AC_DEFUN([PACT_CHECK_LIBSLURM], [
	have_libslurm=no
	AC_CHECK_HEADER([slurm/slurm.h],
		[AC_CHECK_LIB([slurm], [slurm_init], [have_libslurm=yes],
			[AC_CHECK_LIB([slurm], [slurm_api_version], [have_libslurm=yes])])])
	SLURM_LIBS=
	AS_IF([test "x$have_libslurm" = xyes], [SLURM_LIBS=-lslurm])
	# By 24.11 it has flags.
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <slurm/slurm.h>]], [[slurm_kill_job_step(1, 0, 15, 0);]])],
		[AC_DEFINE([KILL_JOB_STEP_HAS_FLAGS], [1], [slurm_kill_job_step() takes flags])])
	AC_SUBST([SLURM_LIBS])
	AM_CONDITIONAL([HAVE_LIBSLURM], [test "x$have_libslurm" = xyes])
])
