"""The memory of what moves particles from outside: balls (probes) that touch surfaces, springs (grabs) that
hold a particle."""

from hapsis.compiler.native import Array, Ints, constant, record, sized

PROBE, GRAB = 0, 1
LAW = 5  # numbers of a hand: stiffness, damping, radius, static and kinetic friction


@record
class HandMemory:
    """Hands, and the objects that probes touch.

    A touch belongs to a hand and an object: three particles with their shares, a normal, a normal force.
    """

    count: int = constant(0)  # hands
    objects: int = constant(0)
    facets: int = constant(0)
    kind: Ints = sized("count")
    particle: Ints = sized("count")  # of a grab
    law: Array = sized("5 * count + 1")
    on: Array = sized("count + 1")  # 0: it does not act
    # the motion: a place at a time, and a velocity from then on
    t0: float = 0.0
    place: Array = sized("3 * count + 1")
    pace: Array = sized("3 * count + 1")
    fresh: int = 1  # the first place is not reached by a motion
    # objects: their particles, their facets, whether these enclose a volume
    first: Ints = sized("objects + 1")
    first_facet: Ints = sized("objects + 1")
    closed: Ints = sized("objects + 1")
    corners: Ints = sized("3 * facets + 1")
    # touches at the start of a step and at the end of the one which is tried
    nearest: Ints = sized("count * objects + 1")  # the facet or particle where the search begins
    ends: Ints = sized("3 * count * objects + 1")
    share: Array = sized("3 * count * objects + 1")
    axis: Array = sized("3 * count * objects + 1")
    press: Array = sized("count * objects + 1")
    next_ends: Ints = sized("3 * count * objects + 1")
    next_share: Array = sized("3 * count * objects + 1")
    next_axis: Array = sized("3 * count * objects + 4")  # and room for a place
    next_press: Array = sized("count * objects + 1")
    depth: Array = sized("count * objects + 1")
    # what hands feel, N and N s
    force: Array = sized("3 * count + 1")
    next_force: Array = sized("3 * count + 1")
    rub: Array = sized("3 * count + 1")  # impulse of friction in the step that is tried
    impulse: Array = sized("3 * count + 1")  # since it was set to zero
    work: float = 0.0  # J by hands against friction in the step that is tried
    # of the search
    best: Array = sized("8")  # squared distance, three shares, the point less the centre, its slope
    other: Array = sized("8")
