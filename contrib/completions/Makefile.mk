# SPDX-License-Identifier: GPL-2.0-or-later
# completions: for bash; that of pact comes with it (contrib/pact).

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/pact-sim
