"""Bristles in the plane of a contact: an elastoplastic deflection that sticks.

    ż = w - (1 - z_s / |z|)₊ z / τ        w = v - β (z · v)₊ z / |z|²        z_s = F / k
    force = -c k (z + τ w)                c = min(1, F / (k |z + τ w|))

z is the deflection, v the slip, F = μ N the largest force and k the stiffness. Of the slip the part along z
that would bend the bristles further slips: nothing below 0.9 z_s, all of it at z_s (β grows smoothly from 0
to 1 in between), so |z| stays below z_s and the force of steady sliding is F against the slip. Where F falls
below k |z|, z relaxes to z_s with the time τ; where the contact opens, to zero, and v counts no more. The
second term of the force damps what hangs on the bristles; it never makes the force larger than F.

No energy is created, whatever z, v, F and their course are: with E = ½ k z² the power lost is

    -force · v - Ė = k [c (z + τ w) · v - z · v + β (z · v)₊ + (|z| - z_s)₊ |z| / τ] ≥ 0

For z · v ≤ 0 all terms are positive. Else let a be the part of v along z, p that across, and
G = |z| + τ (1 - β) a. For |z| ≤ z_s and c < 1, c (z + τ w) · v ≥ (1 - β) a |z| follows from

    z_s (a G + τ p²) ≥ (1 - β) a |z| √(G² + τ² p²)

which is true as G ≥ τ (1 - β) a. For |z| > z_s, β is 1. Reference: [Dupont], here in a plane.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import clip, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub

ELASTIC = 0.9  # of the deflection of steady sliding; below it nothing slips
SETTLING = 1e-3  # s; τ, the damping of the bristles over their stiffness
TINY = 1e-30  # m² and N²: keeps roots and quotients finite where there is no deflection and no force


def bristles(stiffness: Any, largest: Any, z: Vector, slip: Vector) -> tuple[Vector, Vector]:
    """The force on what slips, and the rate of the deflection z in the plane of the touch.

    largest  F, the force of steady sliding
    """
    sliding = largest / stiffness  # z_s
    square = maximum(dot(z, z), TINY)
    bent = sqrt(square)
    part = bent / maximum(sliding, TINY)
    grown = clip((part - ELASTIC) * (1.0 / (1.0 - ELASTIC)), 0.0, 1.0)
    slipping = grown * grown * (3.0 - 2.0 * grown) * minimum(part, 1.0)  # β
    along = slipping * maximum(dot(z, slip), 0.0) / square
    bending = sub(slip, scaled(along, z))  # w
    excess = maximum(1.0 - sliding / bent, 0.0) / SETTLING
    force = scaled(stiffness, add(z, scaled(SETTLING, bending)))
    c = minimum(1.0, largest / sqrt(maximum(dot(force, force), TINY)))
    # where nothing presses, nothing bends
    bending = scaled(where(largest > 0.0, 1.0, 0.0), bending)
    return scaled(0.0 - c, force), sub(bending, scaled(excess, z))


def bent(stiffness: Any, z: Vector, rate: Vector) -> tuple[Any, Any]:
    """The energy of bristles with the deflection z, and how fast it grows."""
    return 0.5 * stiffness * dot(z, z), stiffness * dot(z, rate)


def carried(z: Vector, rate: Vector, normal: Vector, turning: Vector) -> Vector:
    """The rate of a deflection in world axes, whose plane turns.

    rate     of the deflection in the plane
    turning  angular velocity of the plane, as far as it is known: what z has along the normal decays
    """
    return add(rate, sub(cross(turning, z), scaled(dot(normal, z) * (1.0 / SETTLING), normal)))
