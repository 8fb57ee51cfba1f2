# SPDX-License-Identifier: GPL-2.0-or-later
# slurm: the bridge, as a convenience library for the plugins; it sees Slurm's headers.
# No file here may bear the name of a public header of Slurm (slurm.h, slurm_errno.h, ...), because
# -I$(top_srcdir) comes first. To switch it on: take the lines out of their comments, one file a line.

if BUILD_PLUGINS
#noinst_LTLIBRARIES += %D%/libpactslurm.la
#%C%_libpactslurm_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(JSON_C_CFLAGS) $(MUNGE_CFLAGS)
#%C%_libpactslurm_la_SOURCES = \
#	%D%/compat.h
#%C%_libpactslurm_la_LIBADD = core/libpactcore.la
endif
