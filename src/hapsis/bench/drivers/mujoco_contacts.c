// Lets MuJoCo's C library take steps with contacts: the model (mjb) and one state (qpos, qvel, applied efforts)
// come from two files, commands from standard input, answers go to standard output.
//   run STEP:STEPS:EVERY PATH   that many steps from the state; writes to PATH as raw doubles, after each EVERY
//                               of them: iterations since the last time, the largest gradient that the solver
//                               left at the end of a step since then, qpos, qvel;
//                               answers the processor's seconds of the steps
// A motion that blows up is left as it is, not started anew.
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

// Adds the iterations of the last step, and keeps the largest gradient left by one of its islands.
static void count(const mjData *d, double *iterations, double *gradient) {
  int islands = d->nisland < 1 ? 1 : d->nisland > mjNISLAND ? mjNISLAND : d->nisland;
  for (int k = 0; k < islands; k++) {
    int n = d->solver_niter[k];
    *iterations += n;
    if (n < 1) continue;
    double left = d->solver[k * mjNSOLVER + (n < mjNSOLVER ? n : mjNSOLVER) - 1].gradient;
    if (left > *gradient) *gradient = left;
  }
}

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
    if (sscanf(what, "%lf:%ld:%ld", &m->opt.timestep, &steps, &every) != 3) return 2;
    mj_resetData(m, d);
    memcpy(d->qpos, state, m->nq * sizeof(double));
    memcpy(d->qvel, state + m->nq, m->nv * sizeof(double));
    memcpy(d->qfrc_applied, state + m->nq + m->nv, m->nv * sizeof(double));
    file = fopen(path, "wb");
    if (!file) return 2;
    double took = 0;
    for (long done = 0; done < steps;) {
      long part = steps - done < every ? steps - done : every;
      double facts[2] = {0, 0}, start = now();
      for (long k = 0; k < part; k++) {
        mj_step(m, d);
        count(d, facts, facts + 1);
      }
      took += now() - start;
      done += part;
      fwrite(facts, sizeof(double), 2, file);
      fwrite(d->qpos, sizeof(double), m->nq, file);
      fwrite(d->qvel, sizeof(double), m->nv, file);
    }
    fclose(file);
    printf("%.9g\n", took);
    fflush(stdout);
  }
  return 0;
}
