# SPDX-License-Identifier: GPL-2.0-or-later
# elastic: pact-elastic without Slurm, whose srun and answers are made up.

if HAVE_LIBSLURM
# Its commands have seconds for their answers, which is too little for the sanitizers' builds of them where all processors are busy:
# there it is tried by name (make check TESTS=testsuite/elastic/elastic.t).
if !SANITIZERS
TESTS += %D%/elastic.t
endif
endif
EXTRA_DIST += %D%/elastic.t
