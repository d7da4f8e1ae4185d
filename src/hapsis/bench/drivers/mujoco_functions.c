// Times MuJoCo's C functions: the model (mjb) and the states come from two files, commands from
// standard input, answers go to standard output.
//   time NAME SECONDS   the shortest nanoseconds per call among passes over all states
//   write NAME PATH     the results for all states, as raw doubles
// Each call starts at q: positions, velocities and inertias of bodies are part of what is timed.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if mjVERSION_HEADER < 331
#define mj_makeM mj_crb
#endif

static mjModel *m;
static mjData *d;
static double *states, *out;
static int count, width;

static void load(int i, int third) {
  const double *x = states + (size_t)i * width;
  memcpy(d->qpos, x, m->nq * sizeof(double));
  memcpy(d->qvel, x + m->nq, m->nv * sizeof(double));
  double *to = third == 1 ? d->qacc : d->qfrc_applied;
  if (third) memcpy(to, x + m->nq + m->nv, m->nv * sizeof(double));
}

static void inverse(int i) {
  load(i, 1);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 1, out);
}

static void mass(int i) {
  load(i, 0);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
}

static void forward(int i) {
  load(i, 2);
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_makeM(m, d);
  mj_factorM(m, d);
  mj_comVel(m, d);
  mj_rne(m, d, 0, d->qfrc_bias);
  for (int k = 0; k < m->nv; k++) d->qfrc_smooth[k] = d->qfrc_applied[k] - d->qfrc_bias[k];
  mj_solveM(m, d, out, d->qfrc_smooth, 1);
}

static void full(void) {  // by products with unit vectors; no part of what is timed
  double *unit = calloc(m->nv, sizeof(double));
  for (int k = 0; k < m->nv; k++) {
    unit[k] = 1;
    mj_mulM(m, d, out + (size_t)k * m->nv, unit);
    unit[k] = 0;
  }
  free(unit);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double piece(void (*call)(int), int first, int number, int passes) {
  double start = now();
  for (int p = 0; p < passes; p++)
    for (int i = first; i < first + number; i++) call(i);
  return now() - start;
}

int main(int argc, char **argv) {
  m = mj_loadModel(argv[1], 0);
  if (argc < 3 || !m) return 2;
  d = mj_makeData(m);
  width = m->nq + 2 * m->nv;
  FILE *file = fopen(argv[2], "rb");
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  rewind(file);
  states = malloc(bytes);
  count = fread(states, width * sizeof(double), bytes / (width * sizeof(double)), file);
  fclose(file);
  out = calloc((size_t)m->nv * m->nv, sizeof(double));
  printf("%d\n", count);
  fflush(stdout);
  char verb[16], name[32], rest[1024];
  while (scanf("%15s %31s %1023s", verb, name, rest) == 3) {
    void (*call)(int) = !strcmp(name, "inverse") ? inverse : !strcmp(name, "mass") ? mass : forward;
    if (!strcmp(verb, "write")) {
      FILE *to = fopen(rest, "wb");
      for (int i = 0; i < count; i++) {
        call(i);
        size_t size = m->nv;
        if (call == mass) full(), size *= m->nv;
        fwrite(out, sizeof(double), size, to);
      }
      fclose(to);
      printf("0\n");
      fflush(stdout);
      continue;
    }
    double budget = atof(rest), guess = 1e300;
    for (int k = 0; k < 2; k++) guess = fmin(guess, piece(call, 0, count, 1) / count);
    long wanted = fmax(1, 2e-4 / fmax(guess, 1e-9));  // see stopwatch.py
    int size = wanted < count ? wanted : count, passes = wanted < count ? 1 : wanted / count;
    int pieces = (count + size - 1) / size;
    double *best = malloc(pieces * sizeof(double)), sum = 0, start = now();
    for (int k = 0; k < pieces; k++) best[k] = 1e300;
    for (int round = 0; round < 3 || now() - start < budget; round++)
      for (int k = 0; k < pieces; k++) {
        int number = count - k * size < size ? count - k * size : size;
        best[k] = fmin(best[k], piece(call, k * size, number, passes));
      }
    for (int k = 0; k < pieces; k++) sum += best[k];
    free(best);
    printf("%.6g\n", 1e9 * sum / count / passes);
    fflush(stdout);
  }
  return 0;
}
