// Lets MuJoCo's C library take steps: the model (mjb) and one state (qpos, qvel, applied efforts)
// come from two files, commands from standard input, answers go to standard output.
//   run INTEGRATOR:STEP:STEPS:EVERY PATH   that many steps from the state; writes the state after
//                                          each EVERY of them to PATH as raw doubles (qpos, qvel)
//                                          and answers the processor's seconds of the steps
// INTEGRATOR is MuJoCo's number of it: 0 Euler, 1 RK4, 2 implicit, 3 implicitfast. The time constant
// of constraints that close loops is two steps, the shortest that MuJoCo recommends. A motion that
// blows up is left as it is, not started anew.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void silent(const char *text) { (void)text; }  // else it writes a log file

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  mju_user_warning = silent;
  mjModel *m = mj_loadModel(argv[1], 0);
  if (!m) return 2;
  m->opt.disableflags |= mjDSBL_AUTORESET;
  mjData *d = mj_makeData(m);
  size_t width = m->nq + 2 * m->nv;
  double *state = malloc(width * sizeof(double));
  FILE *file = fopen(argv[2], "rb");
  if (!file || fread(state, sizeof(double), width, file) != width) return 2;
  fclose(file);
  printf("1\n");
  fflush(stdout);
  char verb[16], what[96], path[1024];
  while (scanf("%15s %95s %1023s", verb, what, path) == 3) {
    long steps = 0, every = 0;
    if (sscanf(what, "%d:%lf:%ld:%ld", &m->opt.integrator, &m->opt.timestep, &steps, &every) != 4)
      return 2;
    for (int k = 0; k < m->neq; k++) m->eq_solref[mjNREF * k] = 2 * m->opt.timestep;
    mj_resetData(m, d);
    memcpy(d->qpos, state, m->nq * sizeof(double));
    memcpy(d->qvel, state + m->nq, m->nv * sizeof(double));
    memcpy(d->qfrc_applied, state + m->nq + m->nv, m->nv * sizeof(double));
    file = fopen(path, "wb");
    if (!file) return 2;
    double took = 0;
    for (long done = 0; done < steps;) {
      long part = steps - done < every ? steps - done : every;
      double start = now();
      for (long k = 0; k < part; k++) mj_step(m, d);
      took += now() - start;
      done += part;
      fwrite(d->qpos, sizeof(double), m->nq, file);
      fwrite(d->qvel, sizeof(double), m->nv, file);
    }
    fclose(file);
    printf("%.9g\n", took);
    fflush(stdout);
  }
  return 0;
}
