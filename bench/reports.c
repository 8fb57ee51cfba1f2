/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench/reports: the daemons of many nodes, played by one process: each in turn sends a report, sealed by munge as
 * pactd does it, over a connection of its own, and reads the answer.  See bench/reports.pl.
 *
 * usage: reports PORT MUNGE SECONDS RATE FIRST COUNT NODES [ID:SUBMIT...]
 *   RATE reports a second for so many SECONDS, beginning with node number FIRST of the file NODES (a name a line, the
 *   first ones with the jobs that are named, after "*"; each other has ten that nothing knows). COUNT is the number of
 *   the first report of each.
 * It prints how many it has sent, how many failed, the mean time of one, and its own processor time, in microseconds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "node/report/report.h"
#include "node/report/sealed.h"

#define JOBS 10
#define PATIENCE 5000 /* milliseconds */
#define MADE_UP 1000000

struct node {
	char name[REPORT_NODE];
	bool real; /* it has the jobs that are named */
};

static struct node *nodes;
static size_t nnodes;
static struct report_job known[JOBS];
static size_t nknown;

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void read_nodes(const char *path)
{
	char line[REPORT_NODE + 2];
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		struct node *more = realloc(nodes, (nnodes + 1) * sizeof(*nodes));

		if (!more)
			break;
		nodes = more;
		nodes[nnodes].real = line[0] == '*';
		line[strcspn(line, "\n")] = '\0';
		snprintf(nodes[nnodes].name, sizeof(nodes->name), "%s", line + nodes[nnodes].real);
		nnodes++;
	}
	if (f)
		fclose(f);
	if (!nnodes) {
		fprintf(stderr, "reports: %s: no nodes: %s\n", path, strerror(errno));
		exit(1);
	}
}

/* What it has done grows from report to report. */
static char *write_report(const struct node *node, uint64_t count, int64_t seconds)
{
	struct report_job job[JOBS];
	struct node_report report = { .count = count,
				      .rating = 1000,
				      .processors = 1,
				      .n = node->real ? nknown : JOBS,
				      .job = job };

	for (size_t i = 0; i < report.n; i++) {
		job[i] = known[i];
		if (!node->real)
			job[i] = (struct report_job){ .id = MADE_UP + (uint32_t)i,
						      .submit = 1000,
						      .deadline = INT32_MAX,
						      .estimate = 3600 };
		job[i].share = 1000000 / JOBS;
		job[i].processes = 1;
		job[i].work = seconds * 1000000 / JOBS;
	}
	snprintf(report.node, sizeof(report.node), "%s", node->name);
	snprintf(report.boot, sizeof(report.boot), "bench");
	snprintf(report.cgroup, sizeof(report.cgroup), "v1");
	return report_write(&report);
}

static bool send_report(uint16_t port, const char *munge, char *text, char *why, size_t size)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char *back = NULL;
	size_t len;
	bool ok;

	snprintf(why, size, "%s", strerror(errno));
	ok = fd >= 0 && !connect(fd, (struct sockaddr *)&at, sizeof(at)) &&
	     !sealed_write(fd, text, strlen(text), munge, PATIENCE, why, size) &&
	     !sealed_read(fd, getuid(), munge, PATIENCE, &back, &len, why, size);
	if (fd >= 0)
		close(fd);
	free(back);
	return ok;
}

static void read_jobs(int n, char **args)
{
	for (int i = 0; i < n && nknown < JOBS; i++) {
		struct report_job *job = &known[nknown];

		*job = (struct report_job){ .deadline = INT32_MAX, .estimate = 3600 };
		nknown += sscanf(args[i], "%" SCNu32 ":%" SCNd64, &job->id, &job->submit) == 2;
	}
}

int main(int argc, char **argv)
{
	int64_t seconds, began = now_us(), busy = 0, sent = 0, failed = 0;
	size_t first;
	double rate;
	char why[256] = "";

	if (argc < 8) {
		fprintf(stderr, "usage: reports PORT MUNGE SECONDS RATE FIRST COUNT NODES "
				"[ID:SUBMIT...]\n");
		return 2;
	}
	seconds = atoll(argv[3]);
	rate = atof(argv[4]);
	first = (size_t)atoll(argv[5]);
	read_nodes(argv[7]);
	read_jobs(argc - 8, argv + 8);
	for (int64_t i = 0; now_us() - began < seconds * 1000000; i++) {
		int64_t wait = began + (int64_t)((double)i * 1e6 / rate) - now_us();
		uint64_t count = (uint64_t)atoll(argv[6]) + (first + (size_t)i) / nnodes;
		char *text =
			write_report(&nodes[(first + (size_t)i) % nnodes], count, (int64_t)count);

		if (wait > 0)
			usleep((useconds_t)wait);
		busy -= now_us();
		if (text && send_report((uint16_t)atoi(argv[1]), argv[2], text, why, sizeof(why)))
			sent++;
		else
			failed++;
		busy += now_us();
		free(text);
	}
	printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", sent, failed,
	       sent ? busy / (sent + failed) : 0, (int64_t)clock() * 1000000 / CLOCKS_PER_SEC);
	if (failed)
		fprintf(stderr, "reports: %s\n", why);
	free(nodes);
	return 0;
}
