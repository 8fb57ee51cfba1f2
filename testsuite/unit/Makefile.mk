# SPDX-License-Identifier: GPL-2.0-or-later
# unit: cmocka programs (TAP through CMOCKA_MESSAGE_OUTPUT). To add one, four lines:
#	unit_programs += %D%/test_x
#	%C%_test_x_SOURCES = %D%/test_x.c
#	%C%_test_x_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
#	%C%_test_x_LDADD = core/libpactcore.la $(CMOCKA_LIBS)
# PACT_TOP names the source tree at run time (for scenario files, which go into EXTRA_DIST).

unit_programs =

if HAVE_CMOCKA
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
endif
