# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_SUMMARY: what will be built, and why something will not.
AC_DEFUN([PACT_SUMMARY], [
	AS_IF([test -n "$SLURM_SRC"],
		[pact_plugins="for Slurm $SLURM_VERSION, installed into $slurmplugindir"
		AS_CASE([$SLURM_CPPFLAGS], [*PACT_SLURM_UNTESTED*], [pact_plugins="$pact_plugins (untested release)"])],
		[pact_plugins="NOT built (no --with-slurm-src=DIR; contrib/get-slurm-src makes one)"])
	AS_IF([test "x$have_libslurm" = xyes], [pact_replay=yes],
		[pact_replay="NOT built (no libslurm; apt-get install libslurm-dev)"])
	AS_IF([test "x$have_cmocka" = xyes], [pact_unit=yes],
		[pact_unit="NOT built (no cmocka; apt-get install libcmocka-dev)"])
	AC_MSG_NOTICE([
  pact $PACKAGE_VERSION
    core, simulator  yes
    plugins          $pact_plugins
    pact-replay      $pact_replay
    unit tests       $pact_unit
    debug $enable_debug, werror $enable_werror, sanitizers $enable_sanitizers])
])
