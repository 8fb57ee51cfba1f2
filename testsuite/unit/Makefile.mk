# SPDX-License-Identifier: GPL-2.0-or-later
# unit: cmocka programs (TAP through CMOCKA_MESSAGE_OUTPUT). To add one, four lines:
#	unit_programs += %D%/test_x
#	%C%_test_x_SOURCES = %D%/test_x.c
#	%C%_test_x_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
#	%C%_test_x_LDADD = core/libpactcore.la $(CMOCKA_LIBS)
# PACT_TOP names the source tree at run time (for scenario files, which go into EXTRA_DIST).

unit_programs =

# What several of them use is compiled once; the linker takes what a program calls.
unit_libraries = %D%/libunits.la
%C%_libunits_la_SOURCES = \
	%D%/feed.c \
	%D%/feed.h \
	%D%/gang_hand.c \
	%D%/gang_hand.h \
	%D%/gang_world.c \
	%D%/gang_world.h \
	%D%/malleable_hand.c \
	%D%/malleable_hand.h \
	%D%/ref_gang.c \
	%D%/ref_gang.h \
	%D%/ref_malleable.c \
	%D%/ref_malleable.h \
	%D%/ref_mrt.c \
	%D%/ref_msb.c \
	%D%/ref_profile.c \
	%D%/ref_profile.h \
	%D%/ref_qops.c \
	%D%/ref_sched.c \
	%D%/ref_sched.h \
	%D%/seed.c \
	%D%/seed.h \
	%D%/sharing_world.c \
	%D%/sharing_world.h \
	%D%/world.c \
	%D%/world.h \
	%D%/world_check.c
%C%_libunits_la_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)

unit_programs += %D%/test_profile
%C%_test_profile_SOURCES = %D%/test_profile.c
%C%_test_profile_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_profile_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# It includes the profile's sources, to look inside.
unit_programs += %D%/test_profile_tree
%C%_test_profile_tree_SOURCES = %D%/test_profile_tree.c
%C%_test_profile_tree_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_profile_tree_LDADD = %D%/libunits.la $(CMOCKA_LIBS)

unit_programs += %D%/test_fill
%C%_test_fill_SOURCES = %D%/test_fill.c
%C%_test_fill_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_fill_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# The same with tiny nodes; it includes the source.
unit_programs += %D%/test_fill_tiny
%C%_test_fill_tiny_SOURCES = $(%C%_test_fill_SOURCES)
%C%_test_fill_tiny_CPPFLAGS = \
	$(%C%_test_fill_CPPFLAGS) -DFILL_STEPS=16 -DFILL_BLOCKS=4 -DFILL_SPAN=4
%C%_test_fill_tiny_LDADD = $(%C%_test_fill_LDADD)

# The schedulers against the textbook's, through the simulator.
unit_programs += %D%/test_ref_sched
%C%_test_ref_sched_SOURCES = %D%/test_ref_sched.c
%C%_test_ref_sched_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ref_sched_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_answer
%C%_test_answer_SOURCES = \
	contrib/replay/answer.c \
	contrib/replay/answer.h \
	contrib/replay/clock.c \
	contrib/replay/clock.h \
	slurm/base/message.c \
	slurm/base/message.h \
	%D%/test_answer.c
%C%_test_answer_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(CMOCKA_CFLAGS)
%C%_test_answer_LDADD = $(CMOCKA_LIBS)

unit_programs += %D%/test_draw
%C%_test_draw_SOURCES = %D%/test_draw.c
%C%_test_draw_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_draw_LDADD = %D%/libunits.la draw/libpactdraw.la $(CMOCKA_LIBS)

unit_programs += %D%/test_wire
%C%_test_wire_SOURCES = \
	slurm/queries/wire.c \
	slurm/queries/wire.h \
	%D%/test_wire.c
%C%_test_wire_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
%C%_test_wire_LDADD = %D%/libunits.la common/libpactcommon.la $(JSON_C_LIBS) $(CMOCKA_LIBS)

unit_programs += %D%/test_screen
%C%_test_screen_SOURCES = \
	contrib/pact/terminal/screen.c \
	contrib/pact/terminal/screen.h \
	%D%/test_screen.c
%C%_test_screen_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) -D_GNU_SOURCE
%C%_test_screen_LDADD = %D%/libunits.la common/libpactcommon.la $(CMOCKA_LIBS)

unit_programs += %D%/test_array
%C%_test_array_SOURCES = \
	slurm/base/array.c \
	slurm/base/array.h \
	%D%/test_array.c
%C%_test_array_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_array_LDADD = %D%/libunits.la $(CMOCKA_LIBS)

unit_programs += %D%/test_names
%C%_test_names_SOURCES = \
	slurm/base/names.c \
	slurm/base/names.h \
	%D%/test_names.c
%C%_test_names_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_names_LDADD = %D%/libunits.la $(CMOCKA_LIBS)

unit_programs += %D%/test_fair
%C%_test_fair_SOURCES = \
	slurm/base/fair.c \
	slurm/base/fair.h \
	%D%/test_fair.c
%C%_test_fair_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_fair_LDADD = %D%/libunits.la $(CMOCKA_LIBS)

unit_programs += %D%/test_launch
%C%_test_launch_SOURCES = %D%/test_launch.c
%C%_test_launch_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_launch_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_listener
%C%_test_listener_SOURCES = \
	slurm/base/listener.c \
	slurm/base/listener.h \
	%D%/test_listener.c
%C%_test_listener_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_listener_LDADD = %D%/libunits.la $(CMOCKA_LIBS)

unit_programs += %D%/test_ledger
%C%_test_ledger_SOURCES = \
	slurm/base/array.c \
	slurm/base/array.h \
	slurm/history/ledger.c \
	slurm/history/ledger.h \
	slurm/base/meter.c \
	slurm/base/meter.h \
	%D%/test_ledger.c
%C%_test_ledger_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ledger_LDADD = %D%/libunits.la $(CMOCKA_LIBS) -lpthread

unit_programs += %D%/test_texts
%C%_test_texts_SOURCES = \
	slurm/base/texts.c \
	slurm/base/texts.h \
	%D%/test_texts.c
%C%_test_texts_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_texts_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_history
%C%_test_history_SOURCES = \
	slurm/history/history.c \
	slurm/history/history.h \
	slurm/history/history_db.c \
	slurm/history/history_db.h \
	slurm/history/history_db_own.h \
	slurm/history/history_db_write.c \
	slurm/history/history_find.c \
	slurm/history/history_find_resizes.c \
	slurm/history/history_past.c \
	slurm/history/history_queue.c \
	slurm/history/history_queue.h \
	slurm/history/history_read.c \
	slurm/history/history_resize.c \
	slurm/history/history_sum.c \
	slurm/history/ledger.h \
	slurm/base/patience.c \
	slurm/base/patience.h \
	%D%/eventually.h \
	%D%/hanging_disk.h \
	%D%/test_history.c
%C%_test_history_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(SQLITE3_CFLAGS) -D_GNU_SOURCE
%C%_test_history_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sqlite3_step
%C%_test_history_LDADD = %D%/libunits.la $(CMOCKA_LIBS) $(SQLITE3_LIBS) -lpthread

unit_programs += %D%/test_resize_log
%C%_test_resize_log_SOURCES = \
	slurm/history/history.c \
	slurm/history/history.h \
	slurm/history/history_db.c \
	slurm/history/history_db.h \
	slurm/history/history_db_own.h \
	slurm/history/history_db_write.c \
	slurm/history/history_find.c \
	slurm/history/history_find_resizes.c \
	slurm/history/history_past.c \
	slurm/history/history_queue.c \
	slurm/history/history_queue.h \
	slurm/history/history_read.c \
	slurm/history/history_resize.c \
	slurm/history/history_sum.c \
	slurm/history/ledger.h \
	slurm/base/message.h \
	slurm/base/patience.c \
	slurm/base/patience.h \
	slurm/state/resize_log.c \
	slurm/state/resize_log.h \
	%D%/test_resize_log.c
%C%_test_resize_log_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(SQLITE3_CFLAGS) -D_GNU_SOURCE
%C%_test_resize_log_LDADD = %D%/libunits.la $(CMOCKA_LIBS) $(SQLITE3_LIBS) -lpthread

unit_programs += %D%/test_history_sum
%C%_test_history_sum_SOURCES = \
	contrib/pact/show/show.c \
	contrib/pact/show/show.h \
	contrib/pact/show/sum.c \
	contrib/pact/show/sum.h \
	slurm/history/history.c \
	slurm/history/history.h \
	slurm/history/history_db.c \
	slurm/history/history_db.h \
	slurm/history/history_db_own.h \
	slurm/history/history_db_write.c \
	slurm/history/history_find.c \
	slurm/history/history_find_resizes.c \
	slurm/history/history_past.c \
	slurm/history/history_queue.c \
	slurm/history/history_queue.h \
	slurm/history/history_read.c \
	slurm/history/history_resize.c \
	slurm/history/history_sum.c \
	slurm/history/ledger.h \
	slurm/base/message.c \
	slurm/base/message.h \
	slurm/base/patience.c \
	slurm/base/patience.h \
	%D%/test_history_sum.c
%C%_test_history_sum_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(SQLITE3_CFLAGS) -D_GNU_SOURCE $(JSON_C_CFLAGS)
%C%_test_history_sum_LDADD = %D%/libunits.la $(CMOCKA_LIBS) $(JSON_C_LIBS) $(SQLITE3_LIBS) -lpthread

unit_programs += %D%/test_message
%C%_test_message_SOURCES = \
	slurm/base/message.c \
	slurm/base/message.h \
	%D%/test_message.c
%C%_test_message_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_message_LDADD = $(CMOCKA_LIBS)

unit_programs += %D%/test_wish
%C%_test_wish_SOURCES = %D%/test_wish.c
%C%_test_wish_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_wish_LDADD = %D%/libunits.la client/libpactwish.la $(CMOCKA_LIBS)

# Slurm is played by a script.
unit_programs += %D%/test_client
%C%_test_client_SOURCES = \
	client/ask.c \
	client/ask.h \
	client/malleable.c \
	%D%/test_client.c
%C%_test_client_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE -DPACT_CALL='"/nowhere"' $(CMOCKA_CFLAGS)
%C%_test_client_LDADD = client/libpactwish.la $(CMOCKA_LIBS)

unit_programs += %D%/test_token
%C%_test_token_SOURCES = \
	slurm/records/token.c \
	slurm/records/token.h \
	%D%/test_token.c
%C%_test_token_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_token_LDADD = $(CMOCKA_LIBS)

# It plays what slurm/promise/unconfirmed.c takes from slurmctld.
if BUILD_PLUGINS
unit_programs += %D%/test_unconfirmed
%C%_test_unconfirmed_SOURCES = \
	slurm/promise/unconfirmed.c \
	slurm/promise/unconfirmed.h \
	slurm/base/scheduler.c \
	slurm/base/scheduler.h \
	slurm/state/terms.c \
	slurm/state/terms.h \
	slurm/records/token.c \
	slurm/records/token.h \
	%D%/test_unconfirmed.c
%C%_test_unconfirmed_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_unconfirmed_LDADD = core/libpactcore.la $(CMOCKA_LIBS) -lpthread
endif

unit_programs += %D%/test_metrics
%C%_test_metrics_SOURCES = %D%/test_metrics.c
%C%_test_metrics_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_metrics_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_model
%C%_test_model_SOURCES = %D%/test_model.c
%C%_test_model_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_model_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_ranges
%C%_test_ranges_SOURCES = %D%/test_ranges.c
%C%_test_ranges_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ranges_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_deadlines
%C%_test_deadlines_SOURCES = %D%/test_deadlines.c
%C%_test_deadlines_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_deadlines_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_load
%C%_test_load_SOURCES = %D%/test_load.c
%C%_test_load_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_load_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_classes
%C%_test_classes_SOURCES = %D%/test_classes.c
%C%_test_classes_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_classes_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_settings
%C%_test_settings_SOURCES = %D%/test_settings.c
%C%_test_settings_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_settings_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_student
%C%_test_student_SOURCES = %D%/test_student.c
%C%_test_student_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_student_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_malleable_option
%C%_test_malleable_option_SOURCES = %D%/test_malleable_option.c
%C%_test_malleable_option_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_malleable_option_LDADD = common/libpactcommon.la $(CMOCKA_LIBS)

unit_programs += %D%/test_utf8
%C%_test_utf8_SOURCES = %D%/test_utf8.c
%C%_test_utf8_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_utf8_LDADD = common/libpactcommon.la $(CMOCKA_LIBS)

unit_programs += %D%/test_histogram
%C%_test_histogram_SOURCES = %D%/test_histogram.c
%C%_test_histogram_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_histogram_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_hypererlang
%C%_test_hypererlang_SOURCES = %D%/test_hypererlang.c
%C%_test_hypererlang_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_hypererlang_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) -lm

unit_programs += %D%/test_scenario
%C%_test_scenario_SOURCES = %D%/test_scenario.c
%C%_test_scenario_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_scenario_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_blocks
%C%_test_blocks_SOURCES = %D%/test_blocks.c
%C%_test_blocks_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) -D_GNU_SOURCE
%C%_test_blocks_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) $(ZLIB_LIBS)

unit_programs += %D%/test_swf
%C%_test_swf_SOURCES = %D%/test_swf.c
%C%_test_swf_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_swf_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS) $(ZLIB_LIBS)

unit_programs += %D%/test_validate
%C%_test_validate_SOURCES = %D%/test_validate.c
%C%_test_validate_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_validate_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_validate_resize
%C%_test_validate_resize_SOURCES = %D%/test_validate_resize.c
%C%_test_validate_resize_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_validate_resize_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_validate_slices
%C%_test_validate_slices_SOURCES = %D%/test_validate_slices.c
%C%_test_validate_slices_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_validate_slices_LDADD = sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_best
%C%_test_best_SOURCES = %D%/test_best.c
%C%_test_best_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_best_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_bound
%C%_test_bound_SOURCES = %D%/test_bound.c
%C%_test_bound_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_bound_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

# Jobs at other rates than full, through the simulator, by engines of the test's own.
unit_programs += %D%/test_rate
%C%_test_rate_SOURCES = \
	%D%/pair.c \
	%D%/pair.h \
	%D%/test_rate.c
%C%_test_rate_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
%C%_test_rate_LDADD = %D%/libunits.la sim/libpactsim.la tape/libtape.la core/libpactcore.la $(JSON_C_LIBS) $(CMOCKA_LIBS)

unit_programs += %D%/test_sim_random
%C%_test_sim_random_SOURCES = %D%/test_sim_random.c
%C%_test_sim_random_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_sim_random_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_profile_build
%C%_test_profile_build_SOURCES = %D%/test_profile_build.c
%C%_test_profile_build_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_profile_build_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_nodeset
%C%_test_nodeset_SOURCES = %D%/test_nodeset.c
%C%_test_nodeset_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_nodeset_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_speedup
%C%_test_speedup_SOURCES = %D%/test_speedup.c
%C%_test_speedup_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_speedup_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_decided
%C%_test_decided_SOURCES = %D%/test_decided.c
%C%_test_decided_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_decided_LDADD = core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_fit_queue
%C%_test_fit_queue_SOURCES = %D%/test_fit_queue.c
%C%_test_fit_queue_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_fit_queue_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_margin
%C%_test_margin_SOURCES = %D%/test_margin.c
%C%_test_margin_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_margin_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_uniform
%C%_test_uniform_SOURCES = %D%/test_uniform.c
%C%_test_uniform_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_uniform_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_notice
%C%_test_notice_SOURCES = %D%/test_notice.c
%C%_test_notice_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_notice_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_profit
%C%_test_profit_SOURCES = %D%/test_profit.c
%C%_test_profit_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_profit_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_table
%C%_test_table_SOURCES = %D%/test_table.c
%C%_test_table_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_table_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_compress
%C%_test_compress_SOURCES = %D%/test_compress.c
%C%_test_compress_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_compress_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=profile_look
%C%_test_compress_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_effort
%C%_test_effort_SOURCES = %D%/test_effort.c
%C%_test_effort_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_effort_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=plan_earliest
%C%_test_effort_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_fcfs
%C%_test_fcfs_SOURCES = %D%/test_fcfs.c
%C%_test_fcfs_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_fcfs_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=list_fill,--wrap=backfill_any,--wrap=backfill_arrange,--wrap=plan_earliest
%C%_test_fcfs_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_why
%C%_test_why_SOURCES = %D%/test_why.c
%C%_test_why_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_why_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_backfill_index
%C%_test_backfill_index_SOURCES = %D%/test_backfill_index.c
%C%_test_backfill_index_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_backfill_index_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_team
%C%_test_team_SOURCES = %D%/test_team.c
%C%_test_team_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_team_LDADD = %D%/libunits.la sim/libpactsim.la $(CMOCKA_LIBS)

unit_programs += %D%/test_together
%C%_test_together_SOURCES = %D%/test_together.c
%C%_test_together_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_together_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_order
%C%_test_order_SOURCES = %D%/test_order.c
%C%_test_order_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_order_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_machine
%C%_test_machine_SOURCES = %D%/test_machine.c
%C%_test_machine_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_machine_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_plan
%C%_test_plan_SOURCES = %D%/test_plan.c
%C%_test_plan_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_plan_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_holds
%C%_test_holds_SOURCES = %D%/test_holds.c
%C%_test_holds_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_holds_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# What the protocol has for engines that share, move and resize.
unit_programs += %D%/test_engines
%C%_test_engines_SOURCES = %D%/test_engines.c
%C%_test_engines_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_engines_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_sched
%C%_test_sched_SOURCES = %D%/test_sched.c
%C%_test_sched_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_sched_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_late
%C%_test_late_SOURCES = %D%/test_late.c
%C%_test_late_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_late_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_shorten
%C%_test_shorten_SOURCES = %D%/test_shorten.c
%C%_test_shorten_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_shorten_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_qops
%C%_test_qops_SOURCES = %D%/test_qops.c
%C%_test_qops_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_qops_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_loans
%C%_test_loans_SOURCES = %D%/loans_hand.c %D%/loans_hand.h %D%/test_loans.c
%C%_test_loans_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_loans_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_floors
%C%_test_floors_SOURCES = %D%/loans_hand.c %D%/loans_hand.h %D%/test_floors.c
%C%_test_floors_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_floors_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_own
%C%_test_own_SOURCES = %D%/test_own.c
%C%_test_own_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_own_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_fuzz
%C%_test_fuzz_SOURCES = %D%/test_fuzz.c
%C%_test_fuzz_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_fuzz_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Its worlds look inside the core once: is the plan what holds and placements say?
unit_programs += %D%/test_promise
%C%_test_promise_SOURCES = \
	%D%/inside.h \
	%D%/test_promise.c
%C%_test_promise_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_promise_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# The same worlds, each scheduler with a twin: one that makes every pass a full one, and one that tries one
# position after the other.
twin_wraps = -Wl,--wrap=sched_create,--wrap=sched_destroy \
	-Wl,--wrap=sched_configure,--wrap=sched_event,--wrap=sched_next,--wrap=sched_poll \
	-Wl,--wrap=sched_ask,--wrap=sched_ask_change

unit_programs += %D%/test_layout
%C%_test_layout_SOURCES = \
	%D%/inside.h \
	%D%/test_layout.c \
	%D%/twin.c \
	%D%/twin.h
%C%_test_layout_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_layout_LDFLAGS = $(AM_LDFLAGS) $(twin_wraps) -Wl,--wrap=list_fill
%C%_test_layout_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# The same worlds, with memory that is short once: see the source.
short_wraps = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc \
	-Wl,--wrap=sched_event,--wrap=sched_next,--wrap=sched_ask,--wrap=sched_ask_change
# Loans in random worlds; an allocation fails in some.
unit_programs += %D%/test_loans_random
%C%_test_loans_random_SOURCES = \
	%D%/ref_loans.c \
	%D%/ref_loans.h \
	%D%/short_memory.c \
	%D%/short_memory.h \
	%D%/test_loans_random.c
%C%_test_loans_random_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_loans_random_LDFLAGS = $(AM_LDFLAGS) $(short_wraps) -Wl,--wrap=lend_plan
%C%_test_loans_random_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_short
%C%_test_short_SOURCES = \
	%D%/feed.c \
	%D%/feed.h \
	%D%/inside.h \
	%D%/short_memory.c \
	%D%/short_memory.h \
	%D%/test_short.c
%C%_test_short_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_short_LDFLAGS = $(AM_LDFLAGS) $(short_wraps) -Wl,--wrap=sched_create,--wrap=sched_configure
%C%_test_short_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_domains
%C%_test_domains_SOURCES = %D%/test_domains.c
%C%_test_domains_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_domains_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# It records the same worlds.
unit_programs += %D%/test_tape
%C%_test_tape_SOURCES = \
	%D%/inside.h \
	%D%/test_tape.c
%C%_test_tape_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CFLAGS) $(CMOCKA_CFLAGS)
%C%_test_tape_LDADD = %D%/libunits.la tape/libtape.la core/libpactcore.la $(JSON_C_LIBS) $(CMOCKA_LIBS)

# The bridge without slurmctld: what slurmctld provides, and the parts of the bridge that look into it, are
# played in ctld.c; the rest comes from an archive of all of slurm/, made with the thread sanitizer where there is
# one, and what slurmctld shares with its commands from libslurmfull. The linker takes from the archive what is not
# played: a new file of slurm/ needs no line here, a new function of slurmctld or of a played file needs
# one in ctld.c (else there is an undefined reference, or a multiple definition).
played_sources = \
	%D%/bridge_feed.c \
	%D%/bridge_feed.h \
	%D%/ctld.c \
	%D%/ctld.h \
	%D%/eventually.h
if HAVE_TSAN
played_bridge = %D%/libbridge.la
else
played_bridge = slurm/libpactslurm.la
endif
# ctld.c is taken first, whether or not a test calls it.
played_flags = $(AM_LDFLAGS) -Wl,-u,ctld_locked
bridge_libs = %D%/libunits.la $(played_bridge) $(SLURMFULL_LIBS) $(CMOCKA_LIBS) -lpthread
played_libs = %D%/libplayed.la $(bridge_libs)
EXTRA_DIST += $(played_sources) %D%/test_access.c %D%/test_selection.c %D%/test_keeps_nodes.c %D%/test_bridge.c %D%/test_handover.c %D%/test_reliance.c %D%/test_running_policy.c \
	%D%/test_answerer.c %D%/test_publish.c %D%/test_question.c %D%/test_queue.c %D%/test_recorder.c \
	%D%/test_record.c %D%/test_refusal.c %D%/test_recount.c %D%/test_resize_usage.c %D%/test_grow.c %D%/test_give_back.c %D%/test_size_alone.c %D%/test_merge.c %D%/test_describe.c %D%/test_describe_turns.c %D%/describe_world.c %D%/describe_world.h %D%/test_widest.c %D%/test_gang_conf.c %D%/test_select_gang.c %D%/test_moves.c %D%/test_cleaned.c %D%/test_resize_lost.c %D%/test_resized.c %D%/test_resizes.c %D%/test_wishes.c %D%/test_turns.c %D%/test_turns_leave.c %D%/test_turns_left.c %D%/test_turns_warn.c %D%/test_turns_late.c %D%/turns_world.c %D%/turns_world.h %D%/test_report_port.c %D%/own_munged.c %D%/own_munged.h \
	%D%/test_safety.c
# A node's daemon on a tree of plain files, and its reports, with a munged of the test's own.
if BUILD_PLUGINS
unit_programs += %D%/test_node
%C%_test_node_SOURCES = %D%/test_node.c
%C%_test_node_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(CMOCKA_CFLAGS)
%C%_test_node_LDADD = %D%/libunits.la node/libpactnode.la $(CMOCKA_LIBS)

unit_programs += %D%/test_node_report
%C%_test_node_report_SOURCES = \
	%D%/own_munged.c \
	%D%/own_munged.h \
	%D%/test_node_report.c
%C%_test_node_report_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(MUNGE_CFLAGS) $(CMOCKA_CFLAGS)
%C%_test_node_report_LDADD = %D%/libunits.la node/report/libpactreport.la $(MUNGE_LIBS) $(CMOCKA_LIBS)

unit_programs += %D%/test_reports
%C%_test_reports_SOURCES = \
	slurm/nodes/reports.c \
	slurm/nodes/reports.h \
	slurm/nodes/reports_own.h \
	%D%/test_reports.c
%C%_test_reports_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_reports_LDADD = node/report/libpactreport.la $(CMOCKA_LIBS)
endif

if BUILD_PLUGINS
if HAVE_SLURMFULL
unit_programs += %D%/test_refusal
%C%_test_refusal_SOURCES = \
	slurm/base/message.c \
	slurm/acting/refusal.c \
	slurm/base/scheduler.c \
	%D%/test_refusal.c
%C%_test_refusal_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_refusal_LDADD = $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

# What a job grows by, where Slurm does not give it all.
unit_programs += %D%/test_grow
%C%_test_grow_SOURCES = slurm/resizing/resize.c slurm/resizing/resize.h slurm/resizing/resize_obstacle.c slurm/resizing/resize_obstacle.h %D%/test_grow.c
%C%_test_grow_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_grow_LDADD = %D%/libunits.la core/libpactcore.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

# What it gives back: until that is clean, over reconfigurations in place, registrations and restarts.
unit_programs += %D%/test_give_back
%C%_test_give_back_SOURCES = slurm/records/give_back.c slurm/records/give_back.h slurm/records/region.c slurm/records/region.h \
	slurm/base/state_file.c slurm/base/state_file.h %D%/test_give_back.c
%C%_test_give_back_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_give_back_LDFLAGS = -Wl,--wrap=time
%C%_test_give_back_LDADD = %D%/libunits.la core/libpactcore.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

# What it grows by is a job that is merged into it: what Slurm's books have then.
unit_programs += %D%/test_merge
%C%_test_merge_SOURCES = slurm/resizing/resize_helper.c slurm/resizing/resize_helper.h %D%/test_merge.c
%C%_test_merge_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_merge_LDADD = %D%/libunits.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

# What limits and shares have of a job that was resized.
unit_programs += %D%/test_resize_usage
%C%_test_resize_usage_SOURCES = slurm/records/resize_usage.c slurm/records/resize_usage.h %D%/test_resize_usage.c
%C%_test_resize_usage_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_resize_usage_LDFLAGS = -Wl,--wrap=time
%C%_test_resize_usage_LDADD = %D%/libunits.la core/libpactcore.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS) -lm

# Nodes that look free and are not given: what is counted anew.
unit_programs += %D%/test_recount
%C%_test_recount_SOURCES = slurm/acting/recount.c slurm/acting/recount.h slurm/base/clock.c slurm/base/clock.h \
	slurm/records/resize_books.c slurm/records/resize_books.h %D%/test_recount.c
%C%_test_recount_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_recount_LDFLAGS = -Wl,--wrap=time
%C%_test_recount_LDADD = %D%/libunits.la core/libpactcore.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

unit_programs += %D%/test_safety
%C%_test_safety_SOURCES = \
	slurm/base/names.c \
	slurm/config/safety.c \
	slurm/base/scheduler.c \
	%D%/test_safety.c
%C%_test_safety_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_safety_LDADD = %D%/libunits.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

check_LTLIBRARIES += %D%/libplayed.la
%C%_libplayed_la_SOURCES = $(played_sources)
%C%_libplayed_la_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_libplayed_la_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)

if HAVE_TSAN
check_LTLIBRARIES += %D%/libbridge.la
%C%_libbridge_la_SOURCES = $(bridge_sources)
%C%_libbridge_la_CPPFLAGS = $(slurm_libpactslurm_la_CPPFLAGS)
%C%_libbridge_la_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_libbridge_la_LIBADD = $(slurm_libpactslurm_la_LIBADD)
endif

unit_programs += %D%/test_bridge
%C%_test_bridge_SOURCES = %D%/test_bridge.c
%C%_test_bridge_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_bridge_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_bridge_LDFLAGS = $(played_flags)
%C%_test_bridge_LDADD = $(played_libs)

unit_programs += %D%/test_terms
%C%_test_terms_SOURCES = %D%/test_terms.c
%C%_test_terms_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_terms_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_terms_LDFLAGS = $(played_flags)
%C%_test_terms_LDADD = $(played_libs)

# A core that takes its time, and a start that meets a question on its way.
unit_programs += %D%/test_question
%C%_test_question_SOURCES = %D%/test_question.c
%C%_test_question_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_question_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_question_LDFLAGS = $(played_flags) -Wl,--wrap=sched_ask,--wrap=lock_slurmctld
%C%_test_question_LDADD = $(played_libs)

# Records that change while the plan is written; a clock that goes on with every look at it.
unit_programs += %D%/test_publish
%C%_test_publish_SOURCES = \
	slurm/acting/publish.c \
	slurm/acting/publish_aside.c \
	slurm/acting/publish.h \
	slurm/acting/publish_own.h \
	slurm/acting/publish_write.c \
	%D%/test_publish.c
%C%_test_publish_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_publish_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_publish_LDFLAGS = $(played_flags) -Wl,--wrap=lock_slurmctld,--wrap=clock_us,--wrap=sched_why,--wrap=sched_view
%C%_test_publish_LDADD = $(played_libs)

# Partitions for groups, and how often these are asked for.
unit_programs += %D%/test_access
%C%_test_access_SOURCES = slurm/snapshot/access.c slurm/snapshot/access.h %D%/test_access.c
%C%_test_access_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_access_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_access_LDFLAGS = $(played_flags)
%C%_test_access_LDADD = $(played_libs)

# Nodes that a start is kept from.
unit_programs += %D%/test_selection
%C%_test_selection_SOURCES = %D%/test_selection.c
%C%_test_selection_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_selection_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_selection_LDFLAGS = $(played_flags)
%C%_test_selection_LDADD = $(played_libs)

# Which jobs have nodes, by their records.
unit_programs += %D%/test_keeps_nodes
%C%_test_keeps_nodes_SOURCES = %D%/test_keeps_nodes.c
%C%_test_keeps_nodes_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_keeps_nodes_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_keeps_nodes_LDFLAGS = $(played_flags)
%C%_test_keeps_nodes_LDADD = $(played_libs)

# What the bridge reads of one record: has it changed, and does anything keep it from running?
unit_programs += %D%/test_record
%C%_test_record_SOURCES = slurm/eligibility/eligibility.c slurm/eligibility/eligibility.h \
	slurm/snapshot/snapshot.h slurm/snapshot/snapshot_print.c %D%/test_record.c
%C%_test_record_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_record_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_record_LDFLAGS = $(played_flags)
%C%_test_record_LDADD = $(played_libs)

# What slurm.conf and pact.conf say of turns.
unit_programs += %D%/test_gang_conf
%C%_test_gang_conf_SOURCES = %D%/test_gang_conf.c
%C%_test_gang_conf_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_conf_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_gang_conf_LDFLAGS = $(played_flags)
%C%_test_gang_conf_LDADD = $(played_libs)

# What the core is told of jobs that run by turns.
unit_programs += %D%/test_turns_left
%C%_test_turns_left_SOURCES = slurm/acting/turn.c slurm/acting/turn.h %D%/test_turns_left.c
%C%_test_turns_left_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_turns_left_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_turns_left_LDFLAGS = $(played_flags)
%C%_test_turns_left_LDADD = $(played_libs)

# A job that is asked to leave its nodes, by its record.
unit_programs += %D%/test_moves
%C%_test_moves_SOURCES = slurm/acting/migrate.c slurm/acting/migrate.h %D%/test_moves.c
%C%_test_moves_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_moves_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_moves_LDFLAGS = $(played_flags)
%C%_test_moves_LDADD = $(played_libs)

unit_programs += %D%/test_size_alone
%C%_test_size_alone_SOURCES = slurm/admission/change_what.c slurm/admission/change_what.h %D%/test_size_alone.c
%C%_test_size_alone_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_size_alone_LDADD = %D%/libunits.la $(SLURMFULL_LIBS) $(CMOCKA_LIBS)

# A job that is over and runs by its record.
unit_programs += %D%/test_cleaned
%C%_test_cleaned_SOURCES = slurm/records/cleaned.c slurm/records/cleaned.h %D%/test_cleaned.c
%C%_test_cleaned_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_cleaned_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_cleaned_LDFLAGS = $(played_flags)
%C%_test_cleaned_LDADD = $(played_libs)

# And one that runs on, and has lost a node so.
unit_programs += %D%/test_resize_lost
%C%_test_resize_lost_SOURCES = slurm/resizing/resize_lost.c slurm/resizing/resize_lost.h slurm/records/cleaned.c slurm/records/cleaned.h %D%/test_resize_lost.c
%C%_test_resize_lost_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_resize_lost_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_resize_lost_LDFLAGS = $(played_flags)
%C%_test_resize_lost_LDADD = $(played_libs)

# What is wanted of a running job's nodes, by its record; and what a core that is played is told of such jobs.
unit_programs += %D%/test_wishes
%C%_test_wishes_SOURCES = slurm/resizing/wishes.c slurm/resizing/wishes.h %D%/test_wishes.c
%C%_test_wishes_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_wishes_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_wishes_LDFLAGS = $(played_flags)
%C%_test_wishes_LDADD = $(played_libs)

unit_programs += %D%/test_resized
%C%_test_resized_SOURCES = %D%/test_resized.c
%C%_test_resized_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_resized_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_resized_LDFLAGS = $(played_flags) -Wl,--wrap=sched_event,--wrap=sched_view,--wrap=sched_domain,--wrap=history_resized
%C%_test_resized_LDADD = $(played_libs)

# What Slurm does not do of what the core wants; the clock is the test's.
unit_programs += %D%/test_resizes
%C%_test_resizes_SOURCES = %D%/test_resizes.c
%C%_test_resizes_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_resizes_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_resizes_LDFLAGS = $(played_flags) -Wl,--wrap=sched_event,--wrap=time
%C%_test_resizes_LDADD = $(played_libs)

# The plugin, on a select/linear that is played.
unit_programs += %D%/test_select_gang
%C%_test_select_gang_SOURCES = plugins/select_gang/select_gang.c %D%/test_select_gang.c
%C%_test_select_gang_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_select_gang_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_select_gang_LDFLAGS = $(played_flags)
%C%_test_select_gang_LDADD = $(played_libs)

# Jobs that take turns, and what people do meanwhile; a faster clock, and a sleep that looks whether anything is locked.
unit_programs += %D%/test_turns
turns_world = %D%/turns_world.c %D%/turns_world.h
%C%_test_turns_SOURCES = $(turns_world) %D%/test_turns.c
%C%_test_turns_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_turns_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_turns_LDFLAGS = $(played_flags) -Wl,--wrap=nanosleep,--wrap=time,--wrap=yields_anew,--wrap=turns_list
%C%_test_turns_LDADD = $(played_libs)

# Jobs that are asked to leave, likewise.
unit_programs += %D%/test_turns_leave
%C%_test_turns_leave_SOURCES = $(turns_world) %D%/test_turns_leave.c
%C%_test_turns_leave_CPPFLAGS = $(%C%_test_turns_CPPFLAGS)
%C%_test_turns_leave_CFLAGS = $(%C%_test_turns_CFLAGS)
%C%_test_turns_leave_LDFLAGS = $(%C%_test_turns_LDFLAGS)
%C%_test_turns_leave_LDADD = $(played_libs)

# Jobs that are warned of their ends, likewise.
unit_programs += %D%/test_turns_warn
%C%_test_turns_warn_SOURCES = $(turns_world) %D%/test_turns_warn.c
%C%_test_turns_warn_CPPFLAGS = $(%C%_test_turns_CPPFLAGS)
%C%_test_turns_warn_CFLAGS = $(%C%_test_turns_CFLAGS)
%C%_test_turns_warn_LDFLAGS = $(%C%_test_turns_LDFLAGS)
%C%_test_turns_warn_LDADD = $(played_libs)

# Jobs that nodes launch when they are stopped, likewise.
unit_programs += %D%/test_turns_late
%C%_test_turns_late_SOURCES = $(turns_world) %D%/test_turns_late.c
%C%_test_turns_late_CPPFLAGS = $(%C%_test_turns_CPPFLAGS)
%C%_test_turns_late_CFLAGS = $(%C%_test_turns_CFLAGS)
%C%_test_turns_late_LDFLAGS = $(%C%_test_turns_LDFLAGS)
%C%_test_turns_late_LDADD = $(played_libs)

# Records that share a table of places.
unit_programs += %D%/test_describe
describe_world = %D%/describe_world.c %D%/describe_world.h
%C%_test_describe_SOURCES = $(describe_world) %D%/test_describe.c
%C%_test_describe_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_describe_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_describe_LDADD = $(bridge_libs)

# And where jobs take turns.
unit_programs += %D%/test_describe_turns
%C%_test_describe_turns_SOURCES = $(describe_world) %D%/test_describe_turns.c
%C%_test_describe_turns_CPPFLAGS = $(%C%_test_describe_CPPFLAGS)
%C%_test_describe_turns_CFLAGS = $(%C%_test_describe_CFLAGS)
%C%_test_describe_turns_LDADD = $(bridge_libs)

# The same with limits; accounts are played, too.
unit_programs += %D%/test_widest
%C%_test_widest_SOURCES = %D%/test_widest.c
%C%_test_widest_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_widest_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_widest_LDADD = $(bridge_libs)

# Records that come and go while what may run is asked; the same clock.
unit_programs += %D%/test_queue
%C%_test_queue_SOURCES = %D%/test_queue.c
%C%_test_queue_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_queue_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_queue_LDFLAGS = $(played_flags) -Wl,--wrap=lock_slurmctld,--wrap=clock_us
%C%_test_queue_LDADD = $(played_libs)

# A disk that hangs.
unit_programs += %D%/test_recorder
%C%_test_recorder_SOURCES = %D%/test_recorder.c
%C%_test_recorder_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_recorder_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_recorder_LDFLAGS = $(played_flags) -Wl,--wrap=fwrite
%C%_test_recorder_LDADD = $(played_libs)

# Another one.
unit_programs += %D%/test_answerer
%C%_test_answerer_SOURCES = \
	%D%/eventually.h \
	%D%/hanging_disk.h \
	%D%/test_answerer.c
%C%_test_answerer_CPPFLAGS = $(slurm_libpactslurm_la_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_answerer_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_answerer_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sqlite3_step
%C%_test_answerer_LDADD = $(bridge_libs)

unit_programs += %D%/test_report_port
%C%_test_report_port_SOURCES = \
	%D%/own_munged.c \
	%D%/own_munged.h \
	%D%/test_report_port.c
%C%_test_report_port_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_report_port_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_report_port_LDADD = $(bridge_libs)

unit_programs += %D%/test_reliance
%C%_test_reliance_SOURCES = %D%/test_reliance.c
%C%_test_reliance_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_reliance_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_reliance_LDFLAGS = $(played_flags)
%C%_test_reliance_LDADD = $(played_libs)

unit_programs += %D%/test_handover
%C%_test_handover_SOURCES = %D%/test_handover.c
%C%_test_handover_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_handover_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_handover_LDFLAGS = $(played_flags)
%C%_test_handover_LDADD = $(played_libs)

unit_programs += %D%/test_running_policy
%C%_test_running_policy_SOURCES = %D%/test_running_policy.c
%C%_test_running_policy_CPPFLAGS = $(AM_CPPFLAGS) $(SLURM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_running_policy_CFLAGS = $(AM_CFLAGS) $(TSAN_CFLAGS)
%C%_test_running_policy_LDFLAGS = $(played_flags)
%C%_test_running_policy_LDADD = $(played_libs)
endif
endif

if HAVE_CMOCKA
check_LTLIBRARIES += $(unit_libraries)
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
endif

# In two parts, `make check` is both. What only the bridge's tests are linked with is theirs.
bridge_libraries = %D%/libplayed.la %D%/libbridge.la
.PHONY: check-units check-rest
check-units:
	$(MAKE) check TESTS='$(unit_programs)'
check-rest:
	$(MAKE) check check_PROGRAMS='$(filter-out $(unit_programs),$(check_PROGRAMS))' TESTS='$(filter-out $(unit_programs),$(TESTS))' \
		check_LTLIBRARIES='$(filter-out $(bridge_libraries),$(check_LTLIBRARIES))'

# Those that see Slurm's headers: what may differ with another release of it.
bridge_programs = $(foreach t,$(unit_programs),$(if $(findstring $(SLURM_SRC),$($(subst /,_,$(t))_CPPFLAGS)),$(t)))
.PHONY: check-bridge
check-bridge:
	$(MAKE) check check_PROGRAMS='$(bridge_programs)' TESTS='$(bridge_programs)' \
		$(if $(BRIDGE_CFLAGS),CFLAGS='$(BRIDGE_CFLAGS)')

unit_programs += %D%/test_room
%C%_test_room_SOURCES = %D%/test_room.c
%C%_test_room_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_room_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_starve
%C%_test_starve_SOURCES = %D%/test_starve.c
%C%_test_starve_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_starve_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# dynp against the plain one that makes every schedule from nothing.
unit_programs += %D%/test_ref_dynp
%C%_test_ref_dynp_SOURCES = \
	%D%/ref_dynp.c \
	%D%/ref_dynp.h \
	%D%/test_ref_dynp.c
%C%_test_ref_dynp_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ref_dynp_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

# The plain gang schedulers, by hand.
unit_programs += %D%/test_ref_gang
%C%_test_ref_gang_SOURCES = %D%/test_ref_gang.c
%C%_test_ref_gang_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ref_gang_LDADD = %D%/libunits.la common/libpactcommon.la $(CMOCKA_LIBS)

# Malleable jobs, plainly; and these on the paper's workloads, for testsuite/sim/malleable.t.
unit_programs += %D%/test_ref_malleable
%C%_test_ref_malleable_SOURCES = %D%/test_ref_malleable.c
%C%_test_ref_malleable_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_ref_malleable_LDADD = %D%/libunits.la common/libpactcommon.la $(CMOCKA_LIBS)

unit_programs += %D%/test_malleable_ref
%C%_test_malleable_ref_SOURCES = %D%/test_malleable_ref.c
%C%_test_malleable_ref_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_malleable_ref_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

check_PROGRAMS += %D%/ref_malleable
%C%_ref_malleable_SOURCES = %D%/ref_malleable_main.c
%C%_ref_malleable_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la

# The same on random workloads.
unit_programs += %D%/test_gang_worlds
%C%_test_gang_worlds_SOURCES = %D%/test_gang_worlds.c
%C%_test_gang_worlds_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_worlds_LDADD = %D%/libunits.la common/libpactcommon.la $(CMOCKA_LIBS)

# The core's gang schedulers against them, through the simulator.
unit_programs += %D%/test_gang_ref
%C%_test_gang_ref_SOURCES = %D%/test_gang_ref.c
%C%_test_gang_ref_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_ref_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

# With memory that is short once, and a state told when a pass has failed.
unit_programs += %D%/test_gang_short
%C%_test_gang_short_SOURCES = \
	%D%/short_memory.c \
	%D%/short_memory.h \
	%D%/test_gang_short.c
%C%_test_gang_short_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_short_LDFLAGS = $(AM_LDFLAGS) $(short_wraps)
%C%_test_gang_short_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# The matrix itself, against a plain one.
unit_programs += %D%/test_matrix
%C%_test_matrix_SOURCES = %D%/test_matrix.c
%C%_test_matrix_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_matrix_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_matrix_room
%C%_test_matrix_room_SOURCES = %D%/test_matrix_room.c
%C%_test_matrix_room_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_matrix_room_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# What its rows have free over time, against going through all nodes.
unit_programs += %D%/test_gang_capacity
%C%_test_gang_capacity_SOURCES = %D%/test_gang_capacity.c
%C%_test_gang_capacity_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_capacity_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Promises beside jobs that take turns. It looks inside, between the calls.
unit_programs += %D%/test_beside
%C%_test_beside_SOURCES = %D%/test_beside.c
%C%_test_beside_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_beside_LDADD = %D%/libunits.la sim/libpactsim.la core/libpactcore.la $(CMOCKA_LIBS)

# What the engine shows of its jobs.
unit_programs += %D%/test_gang_shown
%C%_test_gang_shown_SOURCES = %D%/test_gang_shown.c
%C%_test_gang_shown_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_shown_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Jobs that are set aside for a promised one, and what comes in between.
unit_programs += %D%/test_aside
%C%_test_aside_SOURCES = %D%/test_aside.c
%C%_test_aside_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_aside_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# The engine's events: what a driver refuses, what is done by hand, nodes that are lost or small.
unit_programs += %D%/test_gang_events
%C%_test_gang_events_SOURCES = %D%/test_gang_events.c
%C%_test_gang_events_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_events_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_gang_leaves
%C%_test_gang_leaves_SOURCES = %D%/test_gang_leaves.c
%C%_test_gang_leaves_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_leaves_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_gang_starts
%C%_test_gang_starts_SOURCES = %D%/test_gang_starts.c
%C%_test_gang_starts_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_starts_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# And at random.
unit_programs += %D%/test_gang_random
%C%_test_gang_random_SOURCES = %D%/test_gang_random.c
%C%_test_gang_random_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_gang_random_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_dynp_world
%C%_test_dynp_world_SOURCES = \
	%D%/inside.h \
	%D%/test_dynp_world.c
%C%_test_dynp_world_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_dynp_world_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_spread
%C%_test_spread_SOURCES = %D%/test_spread.c
%C%_test_spread_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_spread_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

unit_programs += %D%/test_dynp
%C%_test_dynp_SOURCES = %D%/test_dynp.c
%C%_test_dynp_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_dynp_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS) -lm

# The order in which dynP tries Figure 3's positions.
unit_programs += %D%/test_dynp_admit
%C%_test_dynp_admit_SOURCES = \
	%D%/inside.h \
	%D%/test_dynp_admit.c
%C%_test_dynp_admit_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_dynp_admit_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Shared nodes: whole schedules against a plain reference.
unit_programs += %D%/test_sharing
%C%_test_sharing_SOURCES = \
	%D%/ref_sharing.c \
	%D%/ref_sharing.h \
	%D%/test_sharing.c
%C%_test_sharing_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_sharing_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS) -lm

# The same worlds, with memory that is short once: see the source.
unit_programs += %D%/test_sharing_short
%C%_test_sharing_short_SOURCES = \
	%D%/ref_sharing.h \
	%D%/short_memory.c \
	%D%/short_memory.h \
	%D%/test_sharing_short.c
%C%_test_sharing_short_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_sharing_short_LDFLAGS = $(AM_LDFLAGS) $(short_wraps)
%C%_test_sharing_short_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Suspended, measured, lost, restored, changed: by hand.
unit_programs += %D%/test_sharing_events
%C%_test_sharing_events_SOURCES = %D%/test_sharing_events.c
%C%_test_sharing_events_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_sharing_events_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# One shared node, alone.
unit_programs += %D%/test_share
%C%_test_share_SOURCES = %D%/test_share.c
%C%_test_share_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_share_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Shares of jobs whose parts go on in step.
unit_programs += %D%/test_step
%C%_test_step_SOURCES = %D%/test_step.c
%C%_test_step_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_step_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)

# Chances to miss a deadline, and RiskLimit.
unit_programs += %D%/test_chance
%C%_test_chance_SOURCES = %D%/test_chance.c
%C%_test_chance_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
%C%_test_chance_LDADD = %D%/libunits.la core/libpactcore.la $(CMOCKA_LIBS)
