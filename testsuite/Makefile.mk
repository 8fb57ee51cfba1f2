# SPDX-License-Identifier: GPL-2.0-or-later
# testsuite: tests of the tree as a whole.
