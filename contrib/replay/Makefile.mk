# SPDX-License-Identifier: GPL-2.0-or-later
# replay: a workload log onto a Slurm, pact-replay. To switch it on: take the lines out of their
# comments, one file a line.

if HAVE_LIBSLURM
#bin_PROGRAMS += %D%/pact-replay
#%C%_pact_replay_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS) $(ZLIB_CFLAGS)
#%C%_pact_replay_SOURCES = \
#	%D%/main.c
#%C%_pact_replay_LDADD = sim/libpactsim.la core/libpactcore.la $(SLURM_LIBS) $(JSON_C_LIBS) -lm
endif
