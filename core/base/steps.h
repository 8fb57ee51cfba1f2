/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps: many steps of a profile at once, as bits. What is in the way of a search costs next to nothing
 * then. One by one, without SSE2, pact-sim takes 46 % more instructions for QoPS (1,500 jobs of the CTC log at load
 * 1.6) and 24 to 45 % more for dynP (2,000 of the SDSC log, 1,500 of a model).
 */
#ifndef PACT_CORE_STEPS_H
#define PACT_CORE_STEPS_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Which of the `many` steps (16, 32, 48 or 64) from free[0] on have more than n free: a bit for each, the
 * first lowest. All of them are read, whether they are steps or room.
 */
static inline uint64_t steps_more(const int32_t *free, int many, int32_t n)
{
	uint64_t bits = 0;

#ifdef __SSE2__
	__m128i most = _mm_set1_epi32(n);

#pragma GCC unroll 4
	for (int i = 0; i < many; i += 16) {
		const __m128i *v = (const __m128i *)&free[i];
		__m128i low = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_loadu_si128(v), most),
					      _mm_cmpgt_epi32(_mm_loadu_si128(v + 1), most));
		__m128i high = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_loadu_si128(v + 2), most),
					       _mm_cmpgt_epi32(_mm_loadu_si128(v + 3), most));

		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << i;
	}
#else
	for (int i = 0; i < many; i++)
		bits |= (uint64_t)(free[i] > n) << i;
#endif
	return bits;
}

/* The same of those that have at least n > INT32_MIN free. */
static inline uint64_t steps_enough(const int32_t *free, int many, int32_t n)
{
	return steps_more(free, many, n - 1);
}

/* The least of the `many` numbers (a multiple of 4, at least 4) from v[0] on. */
static inline int32_t steps_least(const int32_t *v, int many)
{
	int32_t least[4] = { v[0], v[1], v[2], v[3] };

	for (int i = 4; i < many; i += 4) {
		for (int k = 0; k < 4; k++)
			least[k] = v[i + k] < least[k] ? v[i + k] : least[k];
	}
	for (int k = 1; k < 4; k++)
		least[0] = least[k] < least[0] ? least[k] : least[0];
	return least[0];
}

#endif /* PACT_CORE_STEPS_H */
