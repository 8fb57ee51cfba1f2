# SPDX-License-Identifier: GPL-2.0-or-later
# elastic: pact-elastic without Slurm, whose srun and answers are made up.

if HAVE_LIBSLURM
TESTS += %D%/elastic.t
endif
EXTRA_DIST += %D%/elastic.t
