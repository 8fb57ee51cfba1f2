/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat_pins.h - the sizes of the records that say what may keep a job from its start
 *
 * What a release adds to limits, partitions, reservations or submissions compiles, and may break promises all
 * the same: a limit that is not looked at keeps a promised job waiting.  So a record of another size
 * stops the build until somebody has read what was added:
 *
 * 1. compare the record with that of the release before (slurm/slurmdb.h, slurm/slurm.h,
 *    src/common/part_record.h, src/slurmctld/slurmctld.h), and read the release notes;
 * 2. can what is new keep a job from starting, or change what it is given?  Then it is judged
 *    (slurm/eligibility/limits.c, describe.c) or refused by its name (slurm/eligibility/request.c), with
 *    a test;
 * 3. its size is pinned here.
 *
 * A field that takes the place of another, or fills a hole, is not seen this way: step 1 is for every release.
 * Within one x.y the records have kept their sizes, but for the partition's in 23.02.3.  With pointers of 64 bits.
 *
 * Included by compat.h only.
 */
#ifndef PACT_SLURM_COMPAT_PINS_H
#define PACT_SLURM_COMPAT_PINS_H

#if SLURM_FROM(25, 5)
#define PIN_QOS 336
#define PIN_ASSOC 320
#define PIN_SUBMISSION 920
#define PIN_PARTITION 376
#define PIN_RESERVATION 312
#elif SLURM_FROM(24, 11)
#define PIN_QOS 336
#define PIN_ASSOC 336
#define PIN_SUBMISSION 912
#define PIN_PARTITION 360
#define PIN_RESERVATION 304
#elif SLURM_FROM(24, 5)
#define PIN_QOS 336
#define PIN_ASSOC 336
#define PIN_SUBMISSION 912
#define PIN_PARTITION 352
#define PIN_RESERVATION 304
#elif SLURM_FROM(23, 11)
#define PIN_QOS 336
#define PIN_ASSOC 336
#define PIN_SUBMISSION 904
#define PIN_PARTITION 352
#define PIN_RESERVATION 312
#elif SLURM_FROM(23, 2)
#define PIN_QOS 328
#define PIN_ASSOC 320
#define PIN_SUBMISSION 896
#define PIN_PARTITION (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 3) ? 344 : 352)
#define PIN_RESERVATION 304
#else
#define PIN_QOS 328
#define PIN_ASSOC 312
#define PIN_SUBMISSION 880
#define PIN_PARTITION 328
#define PIN_RESERVATION 296
#endif

#if UINTPTR_MAX == UINT64_MAX
#define PIN(record, size) \
	_Static_assert( \
		sizeof(record) == (size), \
		"this Slurm's " #record " is not the one that was read: find out what was added, " \
		"judge it or refuse it, and pin the new size (slurm/base/compat_pins.h says how)")

PIN(slurmdb_qos_rec_t, PIN_QOS);
PIN(slurmdb_assoc_rec_t, PIN_ASSOC);
PIN(job_desc_msg_t, PIN_SUBMISSION);
PIN(part_record_t, PIN_PARTITION);
PIN(slurmctld_resv_t, PIN_RESERVATION);

#undef PIN
#endif

#endif /* PACT_SLURM_COMPAT_PINS_H */
