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
        if (change_of[k][phase] >= 0 && passes(k, before[k], after[k])) return k;
    return -1;
}

/* makes y the state at the first event within the step h from t, by bisection */
static void located(double *t, double h, const double *start, const double *g0, double *y)
{
    double low = 0, high = h, g[N_EVENTS];
    int n;
    for (n = 0; n < 200 && high - low > 1e-12*(h > 1 ? h : 1); n++) {
        const double middle = low + (high - low)/2;
        if (middle <= low || middle >= high) break;
        step(*t, middle, start, y);
        watched(*t + middle, y, g);
        if (passed(g0, g) >= 0) high = middle;
        else low = middle;
    }
    step(*t, high, start, y);
    *t += high;
}

/* how long the value of an event stays on the side where it came from, by a parabola; 0: not at all */
static double flight(int k, double t, const double *y, double side)
{
    const double reach = 1e-6;
    double x[N_Y], dy[N_Y], g[N_EVENTS], g0, g1, g2, rate, bend;
    int j, n;
    watched(t, y, g);
    g0 = g1 = g2 = side*g[k];
    if (g0 > 1e-9) return 1e3; /* the change itself has brought it back */
    memcpy(x, y, sizeof x);
    for (n = 0; n < 2; n++) {
        motion(t, x, dy);
        for (j = 0; j < N_Y; j++) x[j] += reach*dy[j];
        watched(t, x, g);
        if (n) g2 = side*g[k];
        else g1 = side*g[k];
    }
    rate = (g1 - g0)/reach;
    bend = (g1 - g0 - (g2 - g1))/reach/reach;
    if (!(rate > 0)) return 0;
    return bend > 0 && 2*rate < 1e3*bend ? 2*rate/bend : 1e3;
}

/* when a value that leaves zero, or comes near it, is at zero again, by parabolas; 1e3 where none is

   *rocks says whether another strike than that of event k would come within an instant. */
static double returns(int k, double t, const double *y, int *rocks)
{
    const double reach = 1e-6, instant = 1e-7;
    double x[N_Y], dy[N_Y], g[3][N_EVENTS], first = 1e3;
    int i, j, n;
    memcpy(x, y, sizeof x);
    for (n = 0; n < 3; n++) {
        watched(t, x, g[n]);
        motion(t, x, dy);
        for (j = 0; j < N_Y; j++) x[j] += reach*dy[j];
    }
    *rocks = 0;
    for (i = 0; i < N_EVENTS; i++) {
        const double rate = (g[1][i] - g[0][i])/reach;
        const double bend = (g[2][i] - 2*g[1][i] + g[0][i])/reach/reach, root = rate*rate - 2*bend*g[0][i];
        const int change = change_of[i][phase];
        if (change < 0 || !(rate*bend < 0)) continue;
        if (i != k && strikes[change] && rate*event_direction[i] < 0 && fabs(g[0][i]) <= instant*fabs(rate) &&
            2*fabs(rate) < instant*fabs(bend)) *rocks = 1;
        if (root > 0) {
            const double time = (fabs(rate) + sqrt(root))/fabs(bend);
            if (time > 0.01*instant && time < first) first = time;
        }
    }
    return first;
}

/* takes the result of a change; 0 where it does not fit the phase after it */
static int taken(int k, int change, double t, double *y, const double *result)
{
    const int before = phase;
    if (!(result[1] <= 1e-6)) {
        fprintf(stderr, "t = %.9g s: %s leads to a phase whose constraints are broken by %.3g\\n", t,
                event_names[k], result[1]);
        return 0;
    }
    memcpy(y, result + 3, N_Y*sizeof(double));
    phase = phase_after[change];
    if (phase != before) begun = t;
    closed(t, y);
    printf("t = %.9g s: %s, %s -> %s\\n", t, event_names[k], phase_names[before], phase_names[phase]);
    return 1;
}

/* what an event does; 0 where the motion cannot go on */
static int happened(int k, double side, double t, double *y)
{
    static double last[N_EVENTS];
    static int seen[N_EVENTS];
    double result[N_RESULT], rested[N_RESULT], tried[N_Y], quick, time = 0;
    const int change = change_of[k][phase], before = phase;
    int rocks;
    if (!reset(change, t, y, result)) { /* it only ends the motion */
        over = event_stop[k];
        printf("t = %.9g s: %s\\n", t, event_names[k]);
        return 1;
    }
    if (result[0] == 0) return 1; /* its condition does not hold */
    over = event_stop[k];
    quick = seen[k] && t - last[k] < 1e-7;
    seen[k] = 1;
    last[k] = t;
    if (!strikes[change]) return taken(k, change, t, y, result);
    memcpy(tried, result + 3, sizeof tried);
    phase = phase_after[change];
    if (change_of[k][phase] >= 0) time = flight(k, t, tried, side);
    else time = 1e3; /* the event cannot happen again */
    returns(k, t, tried, &rocks);
    phase = before;
    if (time < 1e-7 || quick || rocks) {
        if (rest_of[change] < 0 && (quick || rocks)) {
            stopped(t, "bounces come ever faster");
            return 0;
        }
        if (rest_of[change] >= 0) {
            reset(rest_of[change], t, y, rested);
            return taken(k, rest_of[change], t, y, rested);
        }
    }
    return taken(k, change, t, y, result);
}

/* all events whose values pass zero at t, in their order; 0 where the motion cannot go on

   Each acts in the phase that those before it have led to, if its condition holds there and held at first. */
static int acted(const double *g0, double t, double *y)
{
    double g[N_EVENTS], result[N_RESULT];
    int k, acts[N_EVENTS];
    watched(t, y, g);
    for (k = 0; k < N_EVENTS; k++) {
        const int change = change_of[k][phase];
        acts[k] = change >= 0 && passes(k, g0[k], g[k]);
        if (acts[k] && reset(change, t, y, result) && result[0] == 0) acts[k] = 0;
    }
    for (k = 0; k < N_EVENTS; k++)
        if (acts[k] && change_of[k][phase] >= 0 && !over &&
            !happened(k, g0[k] > 0 ? 1.0 : -1.0, t, y)) return 0;
    return 1;
}

/* the motion until `target`; 0 where it cannot be computed */
static int moved(double *t, double target, double *next, double *y)
{
    static double start[N_Y], g0[N_EVENTS], g1[N_EVENTS];
    static double last = -1e300;
    static int at_once = 0;
    int rocks;
    double longest = value[INTEGSTP]; /* of the step after an event */
    while (*t < target && !over) {
        const double t0 = *t, end = t0 + longest < target ? t0 + longest : target;
        longest = value[INTEGSTP];
        memcpy(start, y, sizeof start);
        watched(*t, y, g0);
        if (!accepted(t, end, next, y)) return 0;
        watched(*t, y, g1);
        if (passed(g0, g1) >= 0) {
            const double h = *t - t0;
            *t = t0;
            located(t, h, start, g0, y);
            at_once = *t - last > 1e-9 ? 0 : at_once + 1;
            last = *t;
            if (at_once > 100) {
                stopped(*t, "events follow each other without end");
                return 0;
            }
            if (!acted(g0, *t, y)) return 0;
            longest = returns(-1, *t, y, &rocks)/4; /* so that the step after it sees it */
            if (longest > value[INTEGSTP]) longest = value[INTEGSTP];
        }
    }
    return 1;
}

static int ended(void)
{
    return over;
}
"""
