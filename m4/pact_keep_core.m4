# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_KEEP_CORE: before AC_INIT. configure removes dumped cores as it goes, and complains in the source
# tree that our directory of that name is none. It is taken out of the macros that write these lines, so
# that it stays out however configure is made again.
AC_DEFUN([PACT_KEEP_CORE], [m4_foreach_w([pact_macro],
	[_AC_INIT_PREPARE _AC_COMPILE_IFELSE _AC_LINK_IFELSE _AC_RUN_IFELSE _AM_PROG_CC_C_O],
	[m4_define(m4_defn([pact_macro]), m4_bpatsubst(m4_dquote(m4_defn(m4_defn([pact_macro]))),
		[rm -f core ], [rm -f ]))])])
