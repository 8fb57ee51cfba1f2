# SPDX-License-Identifier: GPL-2.0-or-later
# pact: the command against a server that is made up, without munged.

if BUILD_PLUGINS
check_PROGRAMS += %D%/pact-unmunged
%C%_pact_unmunged_CPPFLAGS = $(pact_cppflags) $(MUNGE_CFLAGS)
%C%_pact_unmunged_SOURCES = \
	contrib/pact/main.c \
	%D%/fake_munge.c
%C%_pact_unmunged_LDADD = contrib/pact/libpactcommand.la $(JSON_C_LIBS)

TESTS += %D%/pact.t
endif
EXTRA_DIST += %D%/pact.t
