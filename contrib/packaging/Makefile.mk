# SPDX-License-Identifier: GPL-2.0-or-later
# packaging: what packages of the plugins are made with.

if BUILD_PLUGINS
packagingdir = $(pkgdatadir)
packaging_SCRIPTS = %D%/plugins-in-use
endif
EXTRA_DIST += %D%/plugins-in-use
