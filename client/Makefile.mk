# SPDX-License-Identifier: GPL-2.0-or-later
# client: what a running job is told of its nodes, and what it answers. The bridge has the words from here, too;
# the rest is libpact-malleable, and the program by which it asks Slurm.

noinst_LTLIBRARIES += %D%/libpactwish.la
%C%_libpactwish_la_SOURCES = \
	%D%/wish.c \
	%D%/wish.h

EXTRA_DIST += %D%/pact-malleable.pc.in

if HAVE_LIBSLURM
# Its name has the library's version: programs of an older one find theirs.
pact_call_dir = $(libexecdir)/pact-malleable0

lib_LTLIBRARIES += %D%/libpact-malleable.la
%C%_libpact_malleable_la_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE \
	-DPACT_CALL='"$(pact_call_dir)/pact-malleable-call"'
%C%_libpact_malleable_la_SOURCES = \
	%D%/ask.c \
	%D%/ask.h \
	%D%/malleable.c
%C%_libpact_malleable_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-export-symbols-regex '^pact_malleable_'
%C%_libpact_malleable_la_LIBADD = %D%/libpactwish.la
include_HEADERS += %D%/pact-malleable.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = %D%/pact-malleable.pc
CLEANFILES += %D%/pact-malleable.pc

%D%/pact-malleable.pc: %D%/pact-malleable.pc.in
	$(AM_V_GEN)$(MKDIR_P) %D% && $(SED) -e 's,[@]libdir[@],$(libdir),' -e 's,[@]includedir[@],$(includedir),' \
		-e 's,[@]PACKAGE_VERSION[@],$(PACKAGE_VERSION),' $(srcdir)/%D%/pact-malleable.pc.in >$@

pact_calldir = $(pact_call_dir)
pact_call_PROGRAMS = %D%/pact-malleable-call
%C%_pact_malleable_call_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
%C%_pact_malleable_call_SOURCES = \
	%D%/call.c \
	contrib/replay/words.c \
	contrib/replay/words.h
%C%_pact_malleable_call_LDADD = %D%/libpactwish.la $(SLURM_LIBS)
endif

# Programs link the library itself. Without the archive libtool does not know what to remove.
install_hooks += install-no-archive
uninstall_hooks += uninstall-malleable
.PHONY: install-no-archive uninstall-malleable

install-no-archive:
	rm -f '$(DESTDIR)$(libdir)/libpact-malleable.la'

uninstall-malleable:
	rm -f '$(DESTDIR)$(libdir)'/libpact-malleable.so*
