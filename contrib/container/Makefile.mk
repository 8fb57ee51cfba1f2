# SPDX-License-Identifier: GPL-2.0-or-later
# container: an image with Pact and an emulated cluster, to try it; Containerfile tells how.

EXTRA_DIST += \
	.containerignore \
	%D%/Containerfile \
	%D%/try-pact
