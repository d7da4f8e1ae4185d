"""The fixed parts of a whole program in C99: how it reads its file, integrates, watches events and prints.

Every text is a template: what is in single braces is written by `c_program`.
"""

HEAD = """\
/* {stem}.c: generated code, a whole program that computes a motion.

   {about}

   Build:  cc -std=c99 -O2 -ffp-contract=off {sources} -o {stem} -lm
   Run:    ./{stem} [{stem}.in [{stem}.csv]]

   It reads the values of all quantities from {stem}.in and writes a row for each print step to {stem}.csv.
   Exit status: 0 done, 1 the motion could not be computed to the end, 2 a file is wrong.

   The state y of the equations y' = f(t, y):
{state}
*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""

MEMORY = """\
/* ---- what is read and where it is kept ---- */

enum {{ N_Y = {n_y}, N_U = {n_u}, N_COLUMNS = {n_columns}, N_QUANTITIES = {n_quantities} }};
enum {{ TINITIAL, TFINAL, INTEGSTP, PRINTINT, ABSERR, RELERR, FIRST_PARAMETER, {places} }};

typedef struct {{
    const char *name;
    double least; /* the smallest value that makes sense */
}} Quantity;

static const Quantity quantities[N_QUANTITIES] = {{
{quantities}}};
static const char *const columns[N_COLUMNS] = {{
{columns}}};
static double value[N_QUANTITIES];
static int read_at[N_QUANTITIES]; /* the line of the file; 0: not read */
static double u[N_U + 1]; /* what is held during the motion */
"""

READING = """\
/* ---- the initialisation file ---- */

static void wrong(const char *file, int line, const char *what, const char *name)
{
    if (line > 0) fprintf(stderr, "%s:%d: \\"%.60s\\" %s\\n", file, line, name, what);
    else fprintf(stderr, "%s: \\"%.60s\\" %s\\n", file, name, what);
    exit(2);
}

static int place_of(const char *name)
{
    int k;
    for (k = 0; k < N_QUANTITIES; k++)
        if (strcmp(quantities[k].name, name) == 0) return k;
    return -1;
}

/* one line: a name, its value, and remarks that are not read; # begins a comment */
static void read_line(const char *file, int line, char *text)
{
    static const char blank[] = " \\t\\r\\n";
    char *name = strtok(text, blank), *number, *end;
    double x;
    int k;
    if (!name || name[0] == '#') return;
    k = place_of(name);
    if (k < 0) wrong(file, line, "is no quantity of this program", name);
    if (read_at[k]) wrong(file, line, "is given twice", name);
    number = strtok(NULL, blank);
    if (!number) wrong(file, line, "has no value: expected a number after it", name);
    if (strspn(number, "+-.0123456789eE") != strlen(number)) wrong(file, line, "is no number", number);
    x = strtod(number, &end);
    if (*end || end == number || !isfinite(x)) wrong(file, line, "is no finite number", number);
    if (x < quantities[k].least) wrong(file, line, "is too small", name);
    value[k] = x;
    read_at[k] = line;
}

static void read_file(const char *file)
{
    char text[1024];
    int k, line = 0;
    FILE *in = fopen(file, "r");
    if (!in) {
        fprintf(stderr, "%s: cannot be read\\n", file);
        exit(2);
    }
    while (fgets(text, sizeof text, in)) {
        line++;
        if (!strchr(text, '\\n') && strlen(text) + 1 == sizeof text) {
            fprintf(stderr, "%s:%d: the line is longer than 1022 characters\\n", file, line);
            exit(2);
        }
        read_line(file, line, text);
    }
    fclose(in);
    for (k = 0; k < N_QUANTITIES; k++)
        if (!read_at[k]) wrong(file, 0, "is missing", quantities[k].name);
    if (!(value[TFINAL] > value[TINITIAL]))
        wrong(file, read_at[TFINAL], "must be later than tinitial", "tfinal");
    if (!(value[INTEGSTP] > 0)) wrong(file, read_at[INTEGSTP], "must be more than 0", "integstp");
    if (!(value[PRINTINT] > 0)) wrong(file, read_at[PRINTINT], "must be more than 0", "printint");
    if ((value[TFINAL] - value[TINITIAL])/value[PRINTINT] > 1e8)
        wrong(file, read_at[PRINTINT], "makes more than 1e8 rows", "printint");
    if ((value[TFINAL] - value[TINITIAL])/value[INTEGSTP] > 1e12)
        wrong(file, read_at[INTEGSTP], "makes more than 1e12 steps", "integstp");
}
"""

INTEGRATION = """\
/* ---- the method of Kutta and Merson: order 4, five evaluations, with an estimate of the error ---- */

static long steps = 0, rejected = 0;

static int all_finite(const double *x)
{
    int k;
    for (k = 0; k < N_Y; k++)
        if (!isfinite(x[k])) return 0;
    return 1;
}

/* y after a step h, in `new`; returns the error in units of the tolerance, or a negative number */
static double step(double t, double h, const double *y, double *new)
{
    static double k1[N_Y], k3[N_Y], k4[N_Y], k5[N_Y], k2[N_Y], x[N_Y];
    double worst = 0;
    int k;
    motion(t, y, k1);
    for (k = 0; k < N_Y; k++) x[k] = y[k] + h/3*k1[k];
    motion(t + h/3, x, k2);
    for (k = 0; k < N_Y; k++) x[k] = y[k] + h/6*(k1[k] + k2[k]);
    motion(t + h/3, x, k3);
    for (k = 0; k < N_Y; k++) x[k] = y[k] + h/8*(k1[k] + 3*k3[k]);
    motion(t + h/2, x, k4);
    for (k = 0; k < N_Y; k++) x[k] = y[k] + h/2*(k1[k] - 3*k3[k] + 4*k4[k]);
    motion(t + h, x, k5);
    for (k = 0; k < N_Y; k++) new[k] = y[k] + h/6*(k1[k] + 4*k4[k] + k5[k]);
    if (!all_finite(new)) return -1;
    for (k = 0; k < N_Y - 1; k++) { /* the last is the work, which the motion does not depend on */
        const double size = fabs(y[k]) > fabs(new[k]) ? fabs(y[k]) : fabs(new[k]);
        const double error = fabs(new[k] - x[k])/5, allowed = value[ABSERR] + value[RELERR]*size;
        if (error > allowed*worst) worst = allowed > 0 ? error/allowed : 1e30;
    }
    closed(t + h, new);
    return all_finite(new) ? worst : -1;
}

static int fixed_steps(void)
{
    return value[ABSERR] == 0 && value[RELERR] == 0;
}

static void stopped(double t, const char *why)
{
    fprintf(stderr, "the motion ends at t = %.9g s: %s\\n", t, why);
}

/* one accepted step, not beyond `end`; *next is the length to try, which is adapted. 1: done */
static int accepted(double *t, double end, double *next, double *y)
{
    static double new[N_Y];
    for (;;) {
        const int last = *t + *next*(1 + 1e-10) >= end;
        const double h = last ? end - *t : *next;
        const double error = step(*t, h, y, new);
        if (fixed_steps() && error < 0) {
            stopped(*t, "the state is not finite");
            return 0;
        }
        if (fixed_steps() || (error >= 0 && error <= 1)) {
            const double grown = fixed_steps() ? *next : h*(error > 6e-4 ? 0.9*pow(error, -0.2) : 4.0);
            if (!last || grown > *next) *next = grown < value[INTEGSTP] ? grown : value[INTEGSTP];
            *t = last ? end : *t + h;
            memcpy(y, new, sizeof new);
            steps++;
            return 1;
        }
        rejected++;
        *next = h*(error < 0 ? 0.1 : error > 1e5 ? 0.1 : 0.9*pow(error, -0.2));
        if (*t + *next/16 == *t || *next < 1e-13*(value[TFINAL] - value[TINITIAL])) {
            stopped(*t, "no step is short enough for the tolerance: a dead point, too stiff, "
                        "or constraints that contradict each other");
            return 0;
        }
    }
}
"""

PRINTING = """\
/* ---- the output file and the whole run ---- */

static void print_row(FILE *out, double t, const double *y)
{
    double row[N_COLUMNS + 1];
    int k;
    outputs(t, y, row);
    fprintf(out, "%.17g", t);
    for (k = 0; k < N_COLUMNS; k++) fprintf(out, ",%.17g", row[k]);
    fputc('\\n', out);
}

int main(int argc, char **argv)
{
    const char *in = argc > 1 ? argv[1] : "@STEM@.in", *file = argc > 2 ? argv[2] : "@STEM@.csv";
    double y[N_Y] = {0}, dy[N_Y], t, next;
    long k, rows = 1;
    int good = 1;
    FILE *out;
    read_file(in);
    begin(y);
    t = value[TINITIAL];
    next = value[INTEGSTP];
    closed(t, y);
    motion(t, y, dy);
    if (!all_finite(y) || !all_finite(dy)) {
        stopped(t, "nothing finite at the start, or loops that cannot be closed");
        return 1;
    }
    out = fopen(file, "w");
    if (!out) {
        fprintf(stderr, "%s: cannot be written\\n", file);
        return 2;
    }
    fputs("t", out);
    for (k = 0; k < N_COLUMNS; k++) fprintf(out, ",%s", columns[k]);
    fputc('\\n', out);
    print_row(out, t, y);
    for (k = 1; good && t < value[TFINAL]; k++) {
        double target = value[TINITIAL] + (double)k*value[PRINTINT];
        if (target > value[TFINAL] - 1e-9*value[PRINTINT]) target = value[TFINAL];
        good = moved(&t, target, &next, y);
        print_row(out, t, y);
        rows++;
        if (ended()) break;
    }
    if (fclose(out)) {
        fprintf(stderr, "%s: cannot be written\\n", file);
        return 2;
    }
    printf("%s: %ld rows until t = %.9g s; %ld steps, %ld rejected\\n", file, rows, t, steps, rejected);
    return good ? 0 : 1;
}
"""

PLAIN_RUN = """\
/* the motion until `target`; 0 where it cannot be computed */
static int moved(double *t, double target, double *next, double *y)
{
    while (*t < target)
        if (!accepted(t, target, next, y)) return 0;
    return 1;
}

static int ended(void)
{
    return 0;
}
"""
