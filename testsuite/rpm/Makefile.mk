# SPDX-License-Identifier: GPL-2.0-or-later
# rpm: packages of contrib/rpm/pact.spec, by `make check-rpm`: ten minutes on two processors, most of it two builds.
# rpm.t, quick, is with the tests of the tree.

EXTRA_DIST += %D%/check-rpm %D%/installed.sh

.PHONY: check-rpm
check-rpm: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' prove -v $(srcdir)/%D%/check-rpm
