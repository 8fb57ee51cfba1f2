# SPDX-License-Identifier: GPL-2.0-or-later
# ansible: the role of contrib/ansible on an emulated cluster, by `make check-ansible`: two minutes, and Ansible is
# large. ansible.t, quick, is with the tests of the tree.

EXTRA_DIST += \
	%D%/check-ansible \
	%D%/edits.py

.PHONY: check-ansible
check-ansible: all
	PACT_TOP='$(abs_top_srcdir)' PACT_BUILD='$(abs_top_builddir)' prove -v $(srcdir)/%D%/check-ansible
