# SPDX-License-Identifier: GPL-2.0-or-later
# systemd: the directory of the query socket, made before slurmctld has become SlurmUser; and the unit of pactd.

tmpfilesdir = $(prefix)/lib/tmpfiles.d
dist_tmpfiles_DATA = %D%/pact.conf

EXTRA_DIST += %D%/pactd.service.in
if BUILD_PLUGINS
systemdunitdir = $(prefix)/lib/systemd/system
nodist_systemdunit_DATA = %D%/pactd.service
CLEANFILES += %D%/pactd.service

%D%/pactd.service: %D%/pactd.service.in
	$(AM_V_GEN)$(MKDIR_P) %D% && $(SED) 's,[@]sbindir[@],$(sbindir),' $(srcdir)/%D%/pactd.service.in >$@
endif
