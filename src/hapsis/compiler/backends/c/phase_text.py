"""The fixed parts of a program with phases: how its events are found and what they do."""

PHASED_RUN = """\
/* ---- events: values that pass zero lead from phase to phase ---- */

static int over = 0;

static int passes(int k, double before, double after)
{
    const int rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
    return (event_direction[k] >= 0 && rises) || (event_direction[k] <= 0 && falls);
}

/* the first event whose value passes zero; -1 without one */
static int passed(const double *before, const double *after)
{
    int k;
    for (k = 0; k < N_EVENTS; k++)
        if (can_happen[k][phase] && passes(k, before[k], after[k])) return k;
    return -1;
}

/* makes y the state at the first event within the step h from t, by bisection; returns the event */
static int located(double *t, double h, const double *start, const double *g0, double *y)
{
    double low = 0, high = h, g[N_EVENTS];
    int k, n, found = -1;
    for (n = 0; n < 200 && high - low > 1e-12*(h > 1 ? h : 1); n++) {
        const double middle = low + (high - low)/2;
        if (middle <= low || middle >= high) break;
        step(*t, middle, start, y);
        watched(*t + middle, y, g);
        if (passed(g0, g) >= 0) high = middle;
        else low = middle;
    }
    step(*t, high, start, y);
    watched(*t + high, y, g);
    *t += high;
    k = passed(g0, g);
    if (k >= 0) found = k;
    return found;
}

/* what an event does; 0 where the state does not fit the phase after it */
static int happened(int k, double t, double *y)
{
    double result[N_RESULT];
    const int before = phase;
    if (!reset(k, t, y, result)) { /* it only ends the motion */
        over = event_stop[k];
        printf("t = %.9g s: %s\\n", t, event_names[k]);
        return 1;
    }
    if (result[0] == 0) return 1; /* its condition does not hold */
    if (!(result[1] <= 1e-6)) {
        fprintf(stderr, "t = %.9g s: %s leads to a phase whose constraints are broken by %.3g\\n", t,
                event_names[k], result[1]);
        return 0;
    }
    memcpy(y, result + 3, N_Y*sizeof(double));
    phase = phase_after[k][before];
    begun = t;
    over = event_stop[k];
    closed(t, y);
    printf("t = %.9g s: %s, %s -> %s\\n", t, event_names[k], phase_names[before], phase_names[phase]);
    return 1;
}

/* the motion until `target`; 0 where it cannot be computed */
static int moved(double *t, double target, double *next, double *y)
{
    static double start[N_Y], g0[N_EVENTS], g1[N_EVENTS];
    static double last = -1e300;
    static int at_once = 0;
    while (*t < target && !over) {
        const double t0 = *t;
        memcpy(start, y, sizeof start);
        watched(*t, y, g0);
        if (!accepted(t, target, next, y)) return 0;
        watched(*t, y, g1);
        if (passed(g0, g1) >= 0) {
            const double h = *t - t0;
            int k;
            *t = t0;
            k = located(t, h, start, g0, y);
            at_once = *t - last > 1e-9 ? 0 : at_once + 1;
            last = *t;
            if (at_once > 100) {
                stopped(*t, "events follow each other without end");
                return 0;
            }
            if (k >= 0 && !happened(k, *t, y)) return 0;
        }
    }
    return 1;
}

static int ended(void)
{
    return over;
}
"""
