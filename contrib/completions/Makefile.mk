# SPDX-License-Identifier: GPL-2.0-or-later
# completions: for bash; that of pact comes with it (contrib/pact), that of pactd where it is built.

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = %D%/pact-sim
if BUILD_PLUGINS
dist_bashcompletion_DATA += %D%/pactd
endif
