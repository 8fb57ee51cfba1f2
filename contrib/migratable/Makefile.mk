# SPDX-License-Identifier: GPL-2.0-or-later
# migratable: what runs in a job that may be moved to other nodes (sbatch --migratable): an example, and a sketch for sites.

EXTRA_DIST += \
	%D%/dmtcp \
	%D%/steps
