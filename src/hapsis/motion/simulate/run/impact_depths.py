"""How deep contacts and stops are pressed by what meets there: from speeds, masses and the laws' energy.

What meets at a gap has there the mass m that its force feels, and the speed v: that of the start, what the
accelerations of the start add to it on the way through the gap, v² = ġ² - 2 g̈ g, or a larger one that is
given. It is stopped where the law has taken its energy,

    ∫ F(d) dd = m v² / 2,

without damping, which would stop it earlier. A stiffness that grows with the depth so counts as it is there.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.deferred_verbs import mass_matrix
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.names import speed_name
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.step_stability import (
    DEPTH,
    changed,
    contact_springs,
    normal_force,
    pulled,
    slopes_of,
)

Array = Any

GROWTH = 1.02  # from one depth to the next, while the energy is added up
DEEPEST = 1.0  # m: no law of contact means more
ROOM = 1.1  # of the depth: what else pushes there, such as weights


def impact_depths(
    kernels: Kernels, t: float, y: Array, loops: Loops | None, speed: float = 0.0
) -> dict[str, float]:
    """{label of a contact or stop: depth in m or rad} of those pressed deeper than `DEPTH`.

    speed   m/s (rad/s), at least, with which what moves there meets
    """
    layout, model = kernels.system.layout, changed(kernels)
    q, v, _, _ = layout.split(y)
    motion = kernels.system.motion()
    dy = kernels.rows_now(motion, np.array([t]), y[None])["dy"][0]
    a = dy[layout.n_q : layout.n_q + layout.n_v]
    f = mass_matrix(kernels.system.model)
    M = compile(f)(q, **kernels.given(f))
    depths: dict[str, float] = {}
    for label, gap, by_v, law in _meetings(kernels, q):
        force = normal_force(model, law)
        slope = float(by_v @ pulled(M, by_v, q, loops))
        if force is None or not (math.isfinite(slope) and slope > 0.0):
            continue
        rate, gain = float(by_v @ v), -2.0 * float(by_v @ a) * max(gap, 0.0)
        square = max(min(rate, 0.0) ** 2 + max(gain, 0.0), speed**2)
        depth = ROOM * _stopping_depth(force, 0.5 * square / slope)
        if depth > depths.get(label, DEPTH):
            depths[label] = depth
    return depths


def sufficient_depths(
    kernels: Kernels, y: Array, loops: Loops | None, fastest: float, decay: float
) -> dict[str, float]:
    """{label of a contact: depth in m} up to which substeps suffice; those that suffice at any are left out.

    fastest   1/s, of oscillations that the substeps resolve
    decay     1/s, of what only decays
    """
    model = changed(kernels)
    q = kernels.system.layout.split(y)[0]
    f = mass_matrix(kernels.system.model)
    M = compile(f)(q, **kernels.given(f))
    depths: dict[str, float] = {}
    for label, _, by_v, law in _meetings(kernels, q):
        slope = float(by_v @ pulled(M, by_v, q, loops))
        depth = DEPTH
        while math.isfinite(slope) and slope > 0.0 and depth < DEEPEST:
            stiffness, damping = slopes_of(model, law, depth)
            if stiffness * slope > fastest**2 or damping * slope > decay:
                depths[label] = min(depth, depths.get(label, math.inf))
                break
            depth *= GROWTH
    return depths


def _meetings(kernels: Kernels, q: Array) -> Iterator[tuple[str, float, Array, Any]]:
    """The label, the gap, its slopes by speeds and the law of contacts that have a distance, and of stops."""
    model = changed(kernels)
    laws = {contact.label: contact.normal_law for contact in model.contacts.values()}
    for spring in contact_springs(kernels, q, DEPTH):
        yield spring.label, spring.gap, spring.by_v, laws[spring.label]
    for stop in model.forces.values():
        if isinstance(stop, Stop) and stop.law is not None and speed_name(stop.joint) in model.speeds:
            by_v = np.array([float(name == speed_name(stop.joint)) for name in model.speeds])
            place = model.coordinates.index(stop.joint)
            for limit, sign in limits(kernels, stop):
                yield stop.label, sign * float(q[place] - limit), sign * by_v, stop.law


def _stopping_depth(force: Callable[[float, float], float], energy: float) -> float:
    """The depth at which a force has taken an energy, by the trapezoidal rule."""
    if not energy > 0.0:
        return 0.0
    depth, taken, before = 0.0, 0.0, 0.0
    deeper = 1e-3 * DEPTH
    while deeper < DEEPEST:
        now = force(-deeper, 0.0)
        more = 0.5 * (before + now) * (deeper - depth)
        if not math.isfinite(now):
            return depth
        if taken + more >= energy:
            return deeper
        taken += more
        depth, before, deeper = deeper, now, deeper * GROWTH
    return DEEPEST


def limits(kernels: Kernels, stop: Stop) -> Iterator[tuple[float, float]]:
    """The limits of a stop and on which side the coordinate is free: (limit, +1 or -1)."""
    model = kernels.system.model
    bounds = next((j.bounds[stop.joint] for j in model.moving if stop.joint in j.bounds), (None, None))
    for own, bound, sign in zip((stop.low, stop.high), bounds, (1.0, -1.0), strict=True):
        limit = bound if own is None else own
        if limit is not None:
            yield model.value(limit), sign
