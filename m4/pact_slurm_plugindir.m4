# SPDX-License-Identifier: GPL-2.0-or-later
# PACT_WITH_SLURM_PLUGINDIR: where Slurm looks for plugins. Found by a plugin that every Slurm has
# (auth_munge.so): Debian's is the multiarch slurm-wlm directory, others use <libdir>/slurm.
AC_DEFUN([PACT_WITH_SLURM_PLUGINDIR], [
	AC_ARG_WITH([slurm-plugindir],
		[AS_HELP_STRING([--with-slurm-plugindir=DIR],
			[where plugins are installed (default: the installed Slurm's plugin directory)])],
		[], [with_slurm_plugindir=])
	AC_MSG_CHECKING([Slurm's plugin directory])
	slurmplugindir="$with_slurm_plugindir"
	AS_IF([test -z "$slurmplugindir"], [
		pact_multiarch=`$CC -print-multiarch 2>/dev/null`
		for pact_dir in ${pact_multiarch:+/usr/lib/$pact_multiarch/slurm-wlm} \
			${pact_multiarch:+/usr/lib/$pact_multiarch/slurm} \
			/usr/lib64/slurm /usr/lib/slurm-wlm /usr/lib/slurm /usr/local/lib/slurm; do
			AS_IF([test -r "$pact_dir/auth_munge.so"], [slurmplugindir="$pact_dir"; break])
		done
	])
	AS_IF([test -z "$slurmplugindir"], [slurmplugindir='${libdir}/slurm'])
	AC_MSG_RESULT([$slurmplugindir])
	AC_SUBST([slurmplugindir])
])
