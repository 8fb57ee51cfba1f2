# SPDX-License-Identifier: GPL-2.0-or-later
# emulate: a Slurm cluster on one machine.
