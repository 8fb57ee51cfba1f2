# SPDX-License-Identifier: GPL-2.0-or-later
# fuzz: readers of what comes from outside, below libFuzzer (clang). To add one: fuzz_x.c here, and its
# lines in fuzz.t, which compiles it.

fuzz_tests = \
	%D%/fuzz.t \
	%D%/wire.t

# They bring sanitizers of their own: once is enough.
if !SANITIZERS
TESTS += $(fuzz_tests)
endif
EXTRA_DIST += \
	$(fuzz_tests) \
	%D%/fuzz_tape.c \
	%D%/fuzz_wire.c
