// A loop that only wakes, as bare as C can be: what this machine gives to anybody.
//   bare_loop CORE           CORE is a number, or -1 for any
// First it answers with one line: whether priority, memory and core were granted (1) or not (0).
// Then for each line "PERIOD COUNT" (ns, periods) it wakes at every deadline, as our loop does: a
// wake that is later than a period skips whole periods. It answers "ticks misses skips longest",
// and behind that line the lateness of each tick, ns, as raw 64-bit integers.
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(int argc, char **argv) {
  int core = argc > 1 ? atoi(argv[1]) : -1;
  struct sched_param priority = {.sched_priority = 80};
  int fifo = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
  int locked = mlockall(MCL_CURRENT | MCL_FUTURE) == 0, pinned = 1;
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
  if (core >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pinned = sched_setaffinity(0, sizeof set, &set) == 0;
  }
  printf("%d %d %d\n", fifo, locked, pinned);
  fflush(stdout);
  long long period, count;
  while (scanf("%lld %lld", &period, &count) == 2) {
    if (period < 1 || count < 1) return 2;
    int64_t *late = malloc(count * sizeof *late);
    if (!late) return 2;
    memset(late, 0, count * sizeof *late);
    int64_t deadline = now() + period, last = deadline + (count - 1) * period;
    long long ticks = 0, misses = 0, skips = 0, run = 0, longest = 0;
    while (deadline <= last) {
      struct timespec t = {deadline / 1000000000, deadline % 1000000000};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
      int64_t woke = now(), done = woke;
      late[ticks++] = woke - deadline;
      deadline += period;
      if (done <= deadline) {
        run = 0;
        continue;
      }
      int64_t behind = (done - deadline + period - 1) / period;
      misses++;
      run++;
      if (run > longest) longest = run;
      skips += behind;
      deadline += behind * period;
    }
    printf("%lld %lld %lld %lld\n", ticks, misses, skips, longest);
    fwrite(late, sizeof *late, ticks, stdout);
    fflush(stdout);
    free(late);
  }
  return 0;
}
