"""The log of contacts: what touched at the rows of a result, and impulses over the whole run."""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.run.run_memory import RunMemory

# places in a row of the log
TIME, PAIR, POINTS, GAP, NORMAL, FORCE, SLIP, STUCK, IMPULSE, START, ROW = 0, 1, 2, 3, 4, 5, 8, 9, 10, 13, 14
ROUNDING = 1e-12  # of the time: a row that is so little after the end of a step lies in it


@native
def log_full(scene: ContactScene) -> bool:
    """Whether the log has no room for another step."""
    if scene.log_room == 0:
        return False
    return (
        scene.log_room - scene.logged < scene.touch_room + scene.changed_count
        or scene.logged_steps == scene.step_room
    )


@native
def log_touches(run: RunMemory, scene: ContactScene, inside: bool) -> None:
    """Adds up the impulses of a step; where a row of the result lies in it, each touch that pushes is logged.

    inside   whether a sample or an event lies within the step
    """
    s = run.sample
    row_here = inside or run.steps == 0
    slack = ROUNDING * abs(run.t_new)  # a row that is so little after the end of a step shows it
    if s < run.sample_count and run.sign * (run.sample_times[s] - run.t_new) <= slack:
        row_here = True
    if scene.log_room == 0:
        row_here = False
    if row_here:
        step = at(scene.step_log, (1 + scene.n_v + scene.row_count) * scene.logged_steps)
        step[0] = run.t_new
        for i in range(scene.n_v):
            step[1 + i] = (run.y_new[scene.n_q + i] - run.y[scene.n_q + i]) / scene.h
        for k in range(scene.row_count):
            step[1 + scene.n_v + k] = scene.row_force[k] / scene.h
        scene.logged_steps += 1
    for k in range(scene.touch_count):
        pair = int(scene.touch_pair[k])
        impulse = at(scene.impulse, 3 * pair)
        normal = 0.0
        slip = 0.0
        gap = 1e300
        stuck = 0
        points = 0
        for i in range(3):
            scene.small[i] = 0.0
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            axes = at(scene.axes, 9 * p)
            gamma = at(scene.gamma, 3 * p)
            u = at(scene.u, 3 * p)
            end = scene.gap[p] + 0.5 * scene.h * u[2]  # gaps are those of the middle of the step
            gap = min(gap, end)
            scene.deepest = max(scene.deepest, -end)
            if gamma[2] > 0.0:
                points += 1
                normal += gamma[2]
                slip += gamma[2] * sqrt(u[0] * u[0] + u[1] * u[1])
                stuck += scene.stuck[p]
                for i in range(3):
                    scene.small[i] += axes[i] * gamma[0] + axes[3 + i] * gamma[1] + axes[6 + i] * gamma[2]
        if run.steps == 0 and gap < 0.0:
            smaller = min(scene.solids.bounds[scene.first[pair]], scene.solids.bounds[scene.second[pair]])
            if -gap > scene.inside * smaller and smaller > 0.0:
                scene.inside = float(-gap / smaller)
                scene.inside_pair = pair
        note_depth(scene, pair, -gap)
        if points == 0:
            continue
        for i in range(3):
            impulse[i] += scene.small[i]
        if row_here:
            row = at(scene.log, ROW * scene.logged)
            row[START] = run.t
            row[TIME] = run.t_new
            row[PAIR] = pair
            row[POINTS] = points
            row[GAP] = gap
            row[NORMAL] = normal / scene.h
            row[SLIP] = slip / normal
            row[STUCK] = stuck
            for i in range(3):
                row[FORCE + i] = scene.small[i] / scene.h
                row[IMPULSE + i] = impulse[i]
            scene.logged += 1
            scene.changed[pair] = 0
        elif scene.changed[pair] == 0:
            scene.changed[pair] = 1
            scene.changed_pairs[scene.changed_count] = pair
            scene.changed_count += 1
    if row_here:
        log_changed(run, scene)


@native
def note_depth(scene: ContactScene, pair: int, depth: float) -> None:
    """Keeps the largest depth by the thickness of the thinner solid."""
    one = scene.thin[scene.first[pair]]
    two = scene.thin[scene.second[pair]]
    thin = min(one, two) if one > 0.0 and two > 0.0 else max(one, two)
    if thin > 0.0 and depth > scene.sunk * thin:
        scene.sunk = float(depth / thin)
        scene.sunk_depth = depth
        scene.sunk_pair = pair


@native
def log_changed(run: RunMemory, scene: ContactScene) -> None:
    """Logs the impulses of pairs that have touched since the last row and do not in this step."""
    for k in range(scene.changed_count):
        pair = int(scene.changed_pairs[k])
        if scene.changed[pair] != 0:
            scene.changed[pair] = 0
            row = at(scene.log, ROW * scene.logged)
            for i in range(ROW):
                row[i] = 0.0
            row[START] = run.t
            row[TIME] = run.t_new
            row[PAIR] = pair
            for i in range(3):
                row[IMPULSE + i] = scene.impulse[3 * pair + i]
            scene.logged += 1
    scene.changed_count = 0
