# SPDX-License-Identifier: GPL-2.0-or-later
# ansible: a role for the hosts that run slurmctld. pact/defaults/main.yml tells its settings, doc/guide.md how to
# use it.

EXTRA_DIST += \
	%D%/pact/defaults/main.yml \
	%D%/pact/library/pact_slurm_conf.py \
	%D%/pact/meta/main.yml \
	%D%/pact/tasks/back.yml \
	%D%/pact/tasks/main.yml \
	%D%/pact/tasks/on.yml \
	%D%/pact/tasks/restart.yml
