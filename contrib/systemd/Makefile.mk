# SPDX-License-Identifier: GPL-2.0-or-later
# systemd: the directory of the query socket, made before slurmctld has become SlurmUser.

tmpfilesdir = $(prefix)/lib/tmpfiles.d
dist_tmpfiles_DATA = %D%/pact.conf
