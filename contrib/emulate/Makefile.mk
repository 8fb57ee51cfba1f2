# SPDX-License-Identifier: GPL-2.0-or-later
# emulate: a Slurm cluster on one machine. Installed whole below pkgdatadir, and as pact-emulate.

emulatedir = $(pkgdatadir)/emulate
dist_emulate_SCRIPTS = \
	%D%/emulate \
	%D%/widen-backlog \
	contrib/slurm-root
dist_emulate_DATA = \
	%D%/accounting.sh \
	contrib/apt-entries.sh \
	contrib/show-malleable.sh \
	%D%/conf.sh \
	%D%/proc.sh \
	%D%/shares.sh

EXTRA_DIST += \
	%D%/shares \
	contrib/get-slurm-src

install_hooks += install-emulate
uninstall_hooks += uninstall-emulate
.PHONY: install-emulate uninstall-emulate

install-emulate:
	$(MKDIR_P) '$(DESTDIR)$(bindir)'
	ln -sf '$(emulatedir)/emulate' '$(DESTDIR)$(bindir)/pact-emulate'

uninstall-emulate:
	rm -f '$(DESTDIR)$(bindir)/pact-emulate'
