# SPDX-License-Identifier: GPL-2.0-or-later
# sim: the simulator, pact-sim. Its modules other than main.c go into libpactsim, so that unit tests
# can link them. To switch it on: take the lines below out of their comments, one file a line.

#noinst_LTLIBRARIES += %D%/libpactsim.la
#%C%_libpactsim_la_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(JSON_C_CFLAGS)
#%C%_libpactsim_la_SOURCES = \
#	%D%/swf.c \
#	%D%/swf.h
#%C%_libpactsim_la_LIBADD = core/libpactcore.la $(ZLIB_LIBS) $(JSON_C_LIBS)
#
#bin_PROGRAMS += %D%/pact-sim
#%C%_pact_sim_SOURCES = %D%/main.c
#%C%_pact_sim_LDADD = %D%/libpactsim.la
