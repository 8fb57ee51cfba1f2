# SPDX-License-Identifier: GPL-2.0-or-later
# packaging: what packages of the plugins are made with; once for the controller's package, once for the nodes', once for
# that of select/gang, as all may be on one machine.

if BUILD_PLUGINS
packagingdir = $(pkgdatadir)
packaging_SCRIPTS = %D%/plugins-in-use
packagingnodedir = $(pkgdatadir)/node
packagingnode_SCRIPTS = %D%/plugins-in-use
packagingselectdir = $(pkgdatadir)/select
packagingselect_SCRIPTS = %D%/plugins-in-use
endif
EXTRA_DIST += %D%/plugins-in-use
