# SPDX-License-Identifier: GPL-2.0-or-later
# replay: a workload log onto a Slurm, pact-replay.

if HAVE_LIBSLURM
bin_PROGRAMS += %D%/pact-replay
%C%_pact_replay_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS)
%C%_pact_replay_SOURCES = \
	%D%/answer.c \
	%D%/answer.h \
	%D%/burn.c \
	%D%/burn.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/cluster.c \
	%D%/feed.c \
	%D%/feed.h \
	%D%/jobcomp.c \
	%D%/jobcomp.h \
	%D%/main.c \
	%D%/options.c \
	%D%/options.h \
	%D%/replay.c \
	%D%/replay.h \
	%D%/report.c \
	%D%/report.h \
	%D%/show.c \
	%D%/show.h \
	%D%/submit.c \
	%D%/submit.h \
	%D%/summary.c \
	%D%/summary.h \
	%D%/track.c \
	%D%/track.h \
	%D%/turns.c \
	%D%/turns.h \
	%D%/watch.c \
	%D%/watch.h \
	%D%/words.c \
	%D%/words.h \
	node/proc.c \
	node/proc.h \
	slurm/records/token.c \
	slurm/records/token.h
%C%_pact_replay_LDADD = \
	sim/libpactsim.la \
	core/libpactcore.la \
	$(SLURM_LIBS) \
	$(JSON_C_LIBS) \
	-lm
endif
