/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ref_profile: the plain profile, against which core/profile is compared. One sorted array of steps
 * and linear scans, written to be obviously right. Functions mean what their namesakes in
 * core/capacity/profile.h mean.
 */
#ifndef PACT_TEST_REF_PROFILE_H
#define PACT_TEST_REF_PROFILE_H

#include <stddef.h>
#include <stdint.h>

struct ref_profile;

struct ref_profile *ref_profile_create(int64_t origin, int32_t free);
void ref_profile_destroy(struct ref_profile *p);
int ref_profile_copy(struct ref_profile *dst, const struct ref_profile *src);
int ref_profile_add(struct ref_profile *p, int64_t start, int64_t end, int32_t delta);
int32_t ref_profile_min(const struct ref_profile *p, int64_t start, int64_t end);
int32_t ref_profile_at(const struct ref_profile *p, int64_t t);
int64_t ref_profile_earliest(const struct ref_profile *p, int64_t from, int64_t duration,
			     int32_t n);
int64_t ref_profile_last_at_most(const struct ref_profile *p, int64_t start, int64_t end,
				 int32_t n);
int64_t ref_profile_next_change(const struct ref_profile *p, int64_t t);
void ref_profile_advance(struct ref_profile *p, int64_t t);
size_t ref_profile_steps(const struct ref_profile *p);

/* Start and value of step i, counted from 0. */
int64_t ref_profile_time(const struct ref_profile *p, size_t i);
int32_t ref_profile_free(const struct ref_profile *p, size_t i);

#endif
