# SPDX-License-Identifier: GPL-2.0-or-later
# container: the image of contrib/container, built on bases that are made here, and run, by `make check-container`,
# with CHECK_CONTAINER_FLAGS: ten minutes a release. container.t, quick, is with the tests of the tree.

EXTRA_DIST += %D%/check-container

.PHONY: check-container
check-container:
	PACT_TOP='$(abs_top_srcdir)' prove -v $(srcdir)/%D%/check-container :: $(CHECK_CONTAINER_FLAGS)
