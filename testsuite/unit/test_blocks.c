/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_blocks: files plain and compressed, of one member or many, from a path and through a pipe, with the
 * thread and without: always the same bytes; what is cut, damaged or followed by something else is told.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/workload/blocks.h"
#include "sim/workload/gunzip.h"
#include "testsuite/unit/seed.h"

#define MOST (1 << 20)

static char path[64];
static int threads_at_first;	   /* of the process */
static char *text, *packed, *back; /* what is written, the file made of it, and what is read */

static int prepare(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "test_blocks.XXXXXX");
	fd = mkstemp(path);
	text = malloc(MOST);
	packed = malloc(2 * MOST);
	back = malloc(2 * MOST);
	return fd < 0 || !text || !packed || !back ? -1 : close(fd);
}

static int clean_up(void **state)
{
	(void)state;
	free(text);
	free(packed);
	free(back);
	return unlink(path);
}

/* Lines of digits, or bytes that cannot be compressed. */
static size_t make_text(size_t size)
{
	bool digits = seed_below(4);

	for (size_t i = 0; i < size; i++)
		text[i] = (char)(digits ? seed_below(20) ? '0' + seed_below(10) : '\n'
					: seed_below(256));
	return size;
}

/* Sizes about a block's, empty ones, and any. */
static size_t some_size(void)
{
	switch (seed_below(6)) {
	case 0:
		return (size_t)seed_below(3);
	case 1:
		return (size_t)(65536 - 2 + seed_below(5));
	case 2:
		return (size_t)seed_below(MOST);
	default:
		return (size_t)seed_below(300000);
	}
}

static void write_file(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

/* The text in so many members, cut anywhere, in `packed`; its size. */
static size_t pack(size_t size, int members)
{
	size_t at = 0, used = 0;

	for (int i = 0; i < members; i++) {
		size_t n =
			i + 1 < members ? (size_t)seed_below((int64_t)(size - at) + 1) : size - at;
		z_stream z = { 0 };

		assert_int_equal(deflateInit2(&z, (int)seed_below(10), Z_DEFLATED, MAX_WBITS + 16,
					      8, Z_DEFAULT_STRATEGY),
				 Z_OK);
		z.next_in = (unsigned char *)text + at;
		z.avail_in = (unsigned int)n;
		z.next_out = (unsigned char *)packed + used;
		z.avail_out = (unsigned int)(2 * MOST - used);
		assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
		used += z.total_out;
		at += n;
		deflateEnd(&z);
	}
	return used;
}

/* All of the file into `back`; its size, and the failure, if any, in why. */
static size_t read_all(const char *from, bool alone, char *why, size_t size)
{
	struct blocks *b = blocks_open(from, alone);
	size_t n, used = 0;
	char *p;

	assert_non_null(b);
	while ((p = blocks_next(b, &n))) {
		assert_true(n && used + n <= 2 * MOST);
		memcpy(back + used, p, n);
		memset(p, 'x', n); /* it is ours */
		used += n;
		assert_true(!blocks_bytes(b) || blocks_at(b) <= blocks_bytes(b));
	}
	assert_null(blocks_next(b, &n));
	snprintf(why, size, "%s", blocks_error(b) ? blocks_error(b) : "");
	blocks_close(b);
	return used;
}

static void expect_text(size_t size, bool alone)
{
	char why[160];

	assert_int_equal(read_all(path, alone, why, sizeof(why)), size);
	assert_string_equal(why, "");
	assert_memory_equal(back, text, size);
}

static void same_bytes(void **state)
{
	(void)state;
	for (uint64_t i = 0, rounds = seed_rounds(60); i < rounds; i++) {
		size_t size = make_text(some_size());
		size_t used = pack(size, (int)seed_below(3) + 1), zeros = (size_t)seed_below(40);

		if (size && !(size >= 2 && text[0] == '\x1f' && text[1] == '\x8b')) {
			write_file(text, size);
			expect_text(size, false);
		}
		if (seed_below(3))
			zeros = 0;
		memset(packed + used, 0, zeros);
		write_file(packed, used + zeros);
		expect_text(size, true);
		expect_text(size, false);
	}
	write_file("", 0);
	expect_text(0, false);
	write_file("\x1f", 1);
	text[0] = '\x1f';
	expect_text(1, false);
}

/* Any size of what is asked for, down to a byte. */
static void small_reads(void **state)
{
	size_t size = make_text(70000), used = pack(size, 4), have = 0, n;
	struct gunzip *g;
	FILE *f;

	(void)state;
	write_file(packed, used);
	f = fopen(path, "r");
	assert_non_null(f);
	g = gunzip_create(fileno(f));
	assert_non_null(g);
	while ((n = gunzip_read(g, back + have, (size_t)seed_below(7) + 1))) {
		assert_true(have + n <= size);
		have += n;
	}
	assert_null(gunzip_error(g));
	assert_int_equal(gunzip_used(g), used);
	assert_int_equal(have, size);
	assert_memory_equal(back, text, size);
	gunzip_destroy(g);
	fclose(f);
}

/* What is no member is told with the place where it begins; what was before it is there. */
static void something_behind(void **state)
{
	(void)state;
	for (int i = 0; i < 30; i++) {
		size_t size = make_text(some_size()), used = pack(size, (int)seed_below(2) + 1);
		size_t zeros = (size_t)seed_below(3);
		char why[160], expected[160];

		memset(packed + used, 0, zeros);
		strcpy(packed + used + zeros, seed_below(2) ? "hello" : "\x1f");
		write_file(packed, used + zeros + strlen(packed + used + zeros));
		snprintf(expected, sizeof(expected),
			 "what follows the compressed data, at byte %zu, is no gzip member",
			 used + zeros);
		for (int alone = 0; alone < 2; alone++) {
			assert_int_equal(read_all(path, alone, why, sizeof(why)), size);
			assert_memory_equal(back, text, size);
			assert_string_equal(why, expected);
		}
	}
}

static void cut_and_damaged(void **state)
{
	int told = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		size_t size = make_text(some_size()), used = pack(size, 1), n;
		size_t at = 2 + (size_t)seed_below((int64_t)used - 2);
		char why[160];

		write_file(packed, at);
		n = read_all(path, i % 2, why, sizeof(why));
		assert_true(n <= size && !memcmp(back, text, n));
		assert_string_equal(why, "the compressed file is truncated");
		if (at < 10)
			continue; /* the header has times and the like, which are not checked */
		packed[at] = (char)(packed[at] ^ (1 << seed_below(8)));
		write_file(packed, used);
		n = read_all(path, i % 2, why, sizeof(why));
		/* some bits between the data and the check belong to neither */
		assert_true(why[0] || (n == size && !memcmp(back, text, n)));
		told += why[0] != '\0';
	}
	assert_true(told > 20);
}

static void cannot_be_read(void **state)
{
	char why[160];

	(void)state;
	assert_null(blocks_open("/nonexistent/log", false));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(read_all(".", false, why, sizeof(why)), 0);
	assert_string_equal(why, strerror(EISDIR));
}

/* A reader need not read to the end. */
static void closed_early(void **state)
{
	size_t size = make_text(MOST), n;

	(void)state;
	write_file(packed, pack(size, 2));
	for (int i = 0; i < 60; i++) {
		struct blocks *b = blocks_open(path, i % 10 == 0);

		assert_non_null(b);
		for (int k = 0; k < i % 20; k++)
			blocks_next(b, &n);
		if (seed_below(2))
			usleep(300);
		blocks_close(b);
	}
}

/* Of the process' threads: how many there are, and whether the others take no signals. */
static int count_threads(bool *deaf)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *e;
	int n = 0;

	*deaf = true;
	assert_non_null(dir);
	while ((e = readdir(dir))) {
		unsigned long long mask = 0;
		char name[300], line[200];
		FILE *f;

		snprintf(name, sizeof(name), "/proc/self/task/%s/status", e->d_name);
		f = e->d_name[0] != '.' ? fopen(name, "r") : NULL;
		if (!f)
			continue;
		while (fgets(line, sizeof(line), f))
			if (sscanf(line, "SigBlk: %llx", &mask) == 1)
				break;
		fclose(f);
		n++;
		/* SIGINT and SIGTERM, counted from bit 0 */
		if (strtol(e->d_name, NULL, 10) != getpid())
			*deaf &= mask >> 1 & 1 && mask >> 14 & 1;
	}
	closedir(dir);
	return n;
}

/* A thread that was joined may be listed for a moment still. */
static bool threads_become(int n, bool *deaf)
{
	for (int i = 0; i < 10000; i++) {
		if (count_threads(deaf) == n)
			return true;
		usleep(1000);
	}
	return false;
}

/* A thread for a long file that is compressed, for no other. */
static void thread_where_it_helps(void **state)
{
	size_t size, long_one, n;
	bool deaf;

	(void)state;
	do
		size = make_text(MOST);
	while (text[0] == '\x1f');
	long_one = pack(size, 1);
	for (int i = 0; i < 4; i++) {
		struct blocks *b;

		if (i == 2)
			write_file(text, size);
		else if (i == 3)
			write_file(packed, pack(1000, 1));
		else
			write_file(packed, long_one);
		b = blocks_open(path, i == 1);
		assert_non_null(b);
		assert_non_null(blocks_next(b, &n));
		/* It cannot have ended: there is room for few blocks ahead. */
		assert_true(threads_become(threads_at_first + (i == 0), &deaf));
		assert_true(i || deaf);
		blocks_close(b);
	}
}

static void no_thread_to_be_had(void **state)
{
	size_t size = make_text(MOST);
	pthread_attr_t before, vast;

	(void)state;
	write_file(packed, pack(size, 3));
	assert_int_equal(pthread_getattr_default_np(&before), 0);
	assert_int_equal(pthread_attr_init(&vast), 0);
	assert_int_equal(pthread_attr_setstacksize(&vast, (size_t)1 << 62), 0);
	assert_int_equal(pthread_setattr_default_np(&vast), 0);
	expect_text(size, false);
	assert_int_equal(pthread_setattr_default_np(&before), 0);
	pthread_attr_destroy(&vast);
	pthread_attr_destroy(&before);
}

/* Write it bit by bit, so that members and headers come in pieces. */
static void feed_pipe(int fd, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t n = at < 30 ? 1 : (size_t)seed_below(5000) + 1;
		ssize_t done = write(fd, packed + at, n < size - at ? n : size - at);

		if (done < 0)
			_exit(1);
		at += (size_t)done;
	}
	_exit(0);
}

static void standard_input(void **state)
{
	int kept = dup(STDIN_FILENO);

	(void)state;
	for (int i = 0; i < 10; i++) {
		size_t size = make_text(some_size()), used = pack(size, i % 3 + 1);
		int ends[2], status;
		char why[160];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			close(ends[0]);
			feed_pipe(ends[1], used);
		}
		close(ends[1]);
		assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
		close(ends[0]);
		assert_int_equal(read_all("-", false, why, sizeof(why)), size);
		assert_string_equal(why, "");
		assert_memory_equal(back, text, size);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	close(STDIN_FILENO);
	if (kept >= 0) {
		dup2(kept, STDIN_FILENO);
		close(kept);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes),
		cmocka_unit_test(small_reads),
		cmocka_unit_test(something_behind),
		cmocka_unit_test(cut_and_damaged),
		cmocka_unit_test(cannot_be_read),
		cmocka_unit_test(closed_early),
		cmocka_unit_test(thread_where_it_helps),
		cmocka_unit_test(no_thread_to_be_had),
		cmocka_unit_test(standard_input),
	};

	bool deaf;

	threads_at_first = count_threads(&deaf);
	if (prepare(NULL))
		return 2;

	int failed = seed_run("test_blocks", tests);

	clean_up(NULL);
	return failed;
}
