# SPDX-License-Identifier: GPL-2.0-or-later
# packages: those of debian/ in fresh trees; `make check-packages`, with CHECK_PACKAGES_FLAGS. A quarter of an
# hour a release, the longer part of it a build. packages.t, quick, is with the tests of the tree.

EXTRA_DIST += \
	%D%/check-packages \
	%D%/repository.sh

.PHONY: check-packages
check-packages: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' \
		prove -v $(srcdir)/testsuite/packages/check-packages :: $(CHECK_PACKAGES_FLAGS)
