"""One step with contacts as a loop calls it: vectors of states, inputs and outputs, and memory in between."""

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    at,
    constant,
    isfinite,
    later,
    native,
    record,
    sized,
    sqrt,
)
from hapsis.motion.solvers.contact.contact_memory import SLOW, SOLVED, ContactScene
from hapsis.motion.solvers.integrators.contact import ContactMemory, contact_step

# outputs: of the kernel, of contacts, of rows, of the solver
SMOOTH, NORMAL, GAP, PUSH_X, PUSH_Y, PUSH_Z, SLIP, ROW, RESIDUAL, ITERATIONS = range(10)
OPEN = 1.0  # m: the gap that is told of contacts that are not near
USABLE = 1e-3  # a relative residual above this is no step
BROKEN = 1e300  # a state that no loop takes: its square is not finite


@record
class ContactTick:
    """What a step keeps between calls besides the memory of the run."""

    run: ContactMemory
    motion: Kernel  # (t, y, dy) of the smooth motion
    readings: Kernel  # (t, y, values) of the outputs that follow from the state
    dt: float = constant()
    inputs: int = constant()
    outputs: int = constant()
    reading_count: int = constant()
    drives: int = constant(0)
    pairs: int = constant()
    held: Array = later()  # what the kernels read as inputs
    input_place: Ints = sized("inputs")  # the place of each in `held`, or -1 - the place among the drives
    driven: Array = later()  # position and velocity of each drive by input
    rated: Ints = sized("drives")  # whether its velocity comes from outside too
    output_kind: Ints = sized("outputs")
    output_place: Ints = sized("outputs")
    contact_of: Ints = sized("pairs")
    values: Array = sized("reading_count + 1")
    failures: int = 0  # steps that were not solved


@native
def contact_tick(y: Array, u: Array, live: Array, y_new: Array, out: Array, tick: ContactTick) -> None:
    """A step from y to y_new, where y is q, v, states of laws and t."""
    run = tick.run
    scene = run.scene
    last = run.size - 1  # of y the time, of the run's state the work
    for j in range(last):
        run.y[j] = y[j]
    run.y[last] = 0.0
    run.t = y[last]
    run.dt = tick.dt
    run.t_new = run.t + tick.dt
    take_inputs(tick, u)
    before = scene.iterations
    status = contact_step(tick.motion, run)
    solved = status == SOLVED or (status == SLOW and scene.residual <= USABLE)
    for j in range(last):
        solved = solved and isfinite(run.y_new[j])
    if not solved:
        tick.failures += 1
        forget(scene)
        for j in range(last):
            y_new[j] = BROKEN * BROKEN
    else:
        for j in range(last):
            y_new[j] = run.y_new[j]
    y_new[last] = run.t_new
    run.clock[0] = run.t_new
    if tick.reading_count > 0:
        tick.readings(run.clock, run.y_new, tick.values)
    for k in range(tick.outputs):
        kind = int(tick.output_kind[k])
        place = int(tick.output_place[k])
        if kind == SMOOTH:
            out[k] = tick.values[place]
        elif kind == ROW:
            out[k] = scene.row_force[place] / scene.h
        elif kind == RESIDUAL:
            out[k] = scene.residual
        elif kind == ITERATIONS:
            out[k] = float(scene.iterations - before)
        else:
            out[k] = contact_output(tick, kind, place)


@native
def forget(scene: ContactScene) -> None:
    """Forgets what a step without a solution has left: nothing of it is the start of another one."""
    for k in range(scene.pair_count):
        scene.old_count[k] = 0
    scene.old_touches = 0
    for i in range(scene.n_v):
        scene.left[i] = 0.0
    for k in range(scene.row_count):
        scene.row_bent[k] = 0.0
        scene.row_force[k] = 0.0
        scene.row_stuck[k] = 0
    scene.factored = False


@native
def take_inputs(tick: ContactTick, u: Array) -> None:
    """Efforts go to the kernels; of drives by position alone the velocity is that since the last step."""
    for k in range(tick.inputs):
        place = int(tick.input_place[k])
        if place >= 0:
            tick.held[place] = u[k]
            continue
        number = -1 - place
        if number % 2 == 0:
            if tick.rated[number // 2] == 0:
                way = u[k] - tick.driven[number]
                tick.driven[number + 1] = way / tick.dt if isfinite(way) else 0.0
            tick.driven[number] = u[k]
        else:
            tick.driven[number] = u[k]


@native
def contact_output(tick: ContactTick, kind: int, contact: int) -> float:
    """What the pairs of a contact do together: normal force, least gap, a part of the push, or slip."""
    scene = tick.run.scene
    total = 0.0
    gap = OPEN
    slip = 0.0
    for k in range(scene.touch_count):
        if tick.contact_of[scene.touch_pair[k]] != contact:
            continue
        for p in range(scene.touch_first[k], scene.touch_first[k + 1]):
            gamma = at(scene.gamma, 3 * p)
            axes = at(scene.axes, 9 * p)
            u = at(scene.u, 3 * p)
            gap = min(gap, scene.gap[p] + scene.h * u[2])
            if kind == NORMAL:
                total += gamma[2] / scene.h
            elif kind == SLIP:
                if gamma[2] > 0.0:
                    slip = max(slip, u[0] * u[0] + u[1] * u[1])
            elif kind >= PUSH_X:
                i = kind - PUSH_X
                total += (axes[i] * gamma[0] + axes[3 + i] * gamma[1] + axes[6 + i] * gamma[2]) / scene.h
    if kind == GAP:
        return gap
    return sqrt(slip) if kind == SLIP else total
