# SPDX-License-Identifier: GPL-2.0-or-later
# rpm: packages for distributions with rpm; pact.spec tells how.

EXTRA_DIST += \
	%D%/pact.spec \
	%D%/rpmlint.toml
