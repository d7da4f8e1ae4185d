"""Fixed steps that are too long are refused before the run, with the longest safe one.

A fixed step h is stable if h λ is in the stability region of the method for every eigenvalue λ of the
linearised equations. They are computed at the start as if all contacts and stops were closed: each adds
its stiffness and damping along its gap. Physical instabilities (Re λ > 0) are ignored. Larger depths and
normal forces are not known before the run; for them there is the energy watchdog.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.deferred_verbs import coordinate_rates, mass_matrix
from hapsis.mechanics.formalisms.dynamics.state_rates import gaps
from hapsis.mechanics.model.checks.changed_values import with_values
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels

Array = Any  # of real or complex numbers
Depths = float | Mapping[str, float]  # m inside: of all contacts and stops, or by their labels

DEPTH = 1e-4  # m inside, where the stiffness of a law is taken
SMALL = 1e-6  # of a coordinate, for differences
ONE_SIDED = 2.0  # a contact that closes within a step throws back harder than a spring: half of it
GROWTH = 1e-3  # per step, allowed for rounding and differences
MOST_SUBSTEPS = 1000  # of a stepper
MOST = 400  # states; larger models are left to the watchdog
FACTORIALS = (1.0, 1.0, 0.5, 1 / 6, 1 / 24)


def check_step(
    kernels: Kernels,
    method: str,
    step: float,
    t: float,
    y: Array,
    loops: Loops | None = None,
    *,
    remedy: str = 'take that step, method="stiff", or leave step out',
    substeps: int = 0,
) -> None:
    """Raises an error for a step that cannot be stable from this start, with the inputs of the kernels.

    loops    those of the model, where there are any
    remedy   what the error advises
    substeps of the caller, who could take more of them; 0 where there are none
    """
    if len(y) > MOST:
        return
    rates, whose = closed_rates(kernels, t, y, loops)
    rates = rates[rates.real <= 1e-6 * np.abs(rates)]
    if not len(rates) or _stable(method, step * rates):
        return
    safe, short = 0.0, step
    for _ in range(60):  # bisection of the longest stable step
        middle = 0.5 * (safe + short)
        safe, short = (middle, short) if _stable(method, middle * rates) else (safe, middle)
    parts = math.ceil(substeps * step / (0.95 * safe)) if substeps and safe > 0.0 else 0
    if 0 < parts <= MOST_SUBSTEPS:
        remedy += f", or substeps={parts}"
    because = f"; {whose} is the stiffest part" if whose else ""
    raise SolveError(
        f'a step of {step:g} s is unstable with "{method}": the largest safe step is '
        f"{0.95 * safe:.2g} s{because}",
        remedy=remedy,
    )


def _stable(method: str, z: Array) -> bool:
    if method == "symplectic":
        return bool((np.abs(z) < 2.0).all())  # else its iteration does not contract
    if method in ("euler", "split"):  # a state of a law and a speed alternate as speed and coordinate do
        # v += h a, q += h v: for z = h λ of an oscillator with damping
        product, total = np.abs(z) ** 2, -2.0 * z.real
        oscillating = np.abs(z.imag) > 1e-9 * np.abs(z)
        fine = np.where(oscillating, product + total <= 4.0 + GROWTH, np.abs(z) <= 2.0 + GROWTH)
        return bool(fine.all())
    if method in ("rk4", "order5", "order8"):
        value = sum(c * z**k for k, c in enumerate(FACTORIALS))
        return bool((np.abs(value) <= 1.0 + GROWTH).all())
    return True


def closed_rates(
    kernels: Kernels, t: float, y: Array, loops: Loops | None, depth: Depths = DEPTH
) -> tuple[Array, str]:
    """The eigenvalues of the equations at a state with all contacts closed at a depth, and the stiffest."""
    A = _linear(kernels, t, y)
    if not np.isfinite(A).all():
        return np.empty(0, complex), ""
    whose = _close_contacts(kernels, y, A, loops, depth)
    return np.linalg.eigvals(A), whose


def linear_rates(kernels: Kernels, t: float, y: Array) -> Array:
    """The eigenvalues of the equations at a state as it is."""
    A = _linear(kernels, t, y)
    return np.linalg.eigvals(A) if np.isfinite(A).all() else np.empty(0, complex)


def _linear(kernels: Kernels, t: float, y: Array) -> Array:
    """The equations linearised at a state, by differences."""
    layout = kernels.system.layout
    n = layout.size - 1  # the work takes no part
    h = SMALL * np.maximum(1.0, np.abs(y[:n]))
    rows = np.concatenate([y + np.pad(np.diag(s * h), ((0, 0), (0, 1))) for s in (1.0, -1.0)])
    dy = kernels.rows_now(kernels.system.motion(), np.full(len(rows), t), rows)["dy"][:, :n]
    return ((dy[:n] - dy[n:]) / (2.0 * h[:, None])).T


def _close_contacts(kernels: Kernels, y: Array, A: Array, loops: Loops | None, depth: Depths) -> str:
    """The label of the stiffest contact or stop; adds stiffness and damping of closed ones to A."""
    layout = kernels.system.layout
    q = layout.split(y)[0]
    springs = [*contact_springs(kernels, q, depth), *_stops(kernels, depth)]
    if not springs:
        return ""
    f = mass_matrix(kernels.system.model)
    M = compile(f)(q, **kernels.given(f))
    stiffest, whose = 0.0, ""
    for spring in springs:
        k, c = ONE_SIDED**2 * spring.stiffness, ONE_SIDED * spring.damping
        way = pulled(M, spring.by_v, q, loops)
        a = slice(layout.n_q, layout.n_q + layout.n_v)
        A[a, : layout.n_q] -= k * np.outer(way, spring.by_q)
        A[a, a] -= c * np.outer(way, spring.by_v)
        if k * (way @ spring.by_v) > stiffest:
            stiffest, whose = k * (way @ spring.by_v), spring.label
    return whose


class Spring(NamedTuple):
    """What is pressed along a gap: its slopes by coordinates and speeds, and how wide it is."""

    label: str
    by_q: Array
    by_v: Array
    stiffness: float
    damping: float
    gap: float = 0.0


def depth_of(depth: Depths, label: str) -> float:
    """The depth for a contact or stop: one for all, or its own."""
    return depth.get(label, DEPTH) if isinstance(depth, Mapping) else depth


def contact_springs(kernels: Kernels, q: Array, depth: Depths) -> Iterator[Spring]:
    """The contacts that have a distance here."""
    names, function = gaps(kernels.system.model)
    if function is None:
        return
    N = _columns(compile(coordinate_rates(kernels.system.model)), q, kernels.system.layout.n_v)
    slopes, near, here = _slopes(compile(function), q, kernels.given(function))
    if not np.isfinite(slopes[near]).all():
        return
    contacts = changed(kernels).contacts
    values = {
        name: slopes_of(
            kernels.system.model, contacts[name].normal_law, depth_of(depth, contacts[name].label)
        )
        for name in set(names)
    }
    for name, by_q, close, gap in zip(names, slopes, near, here, strict=True):
        if close:
            yield Spring(contacts[name].label, by_q, by_q @ N, *values[name], float(gap))


def _stops(kernels: Kernels, depth: Depths) -> Iterator[Spring]:
    """The stops, of which each pushes one coordinate."""
    model = changed(kernels)
    for stop in model.forces.values():
        if isinstance(stop, Stop):
            by_q = np.array([float(name == stop.joint) for name in model.coordinates])
            by_v = np.array([float(name == speed_name(stop.joint)) for name in model.speeds])
            if stop.law is None:
                slopes = model.value(stop.stiffness), model.value(stop.damping)
            else:
                slopes = slopes_of(model, stop.law, depth_of(depth, stop.label))
            yield Spring(stop.label, by_q, by_v, *slopes)


def changed(kernels: Kernels) -> Model:
    """The model with the parameters of this run."""
    model = kernels.system.model
    return (with_values(model, kernels.parameters) or model) if kernels.parameters else model


def pulled(M: Array, force: Array, q: Array, loops: Loops | None) -> Array:
    """The accelerations that a force causes, loops kept and drives still."""
    J = np.zeros((0, len(M)))
    if loops is not None:
        J = np.vstack([loops.jacobian(q), np.eye(len(M))[loops.held]])
    K = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
    return np.linalg.lstsq(K, np.append(force, np.zeros(len(J))), rcond=None)[0][: len(M)]


def _columns(rates: Any, q: Array, n_v: int) -> Array:
    return rates(np.tile(q, (n_v, 1)), np.eye(n_v)).T


def _slopes(function: Any, q: Array, known: dict[str, Any]) -> tuple[Array, Array, Array]:
    """d gap / dq by differences, which gaps are distances at all, and the gaps."""
    h = SMALL * np.maximum(1.0, np.abs(q))
    above, below = (function(q + s * np.diag(h), **known).gaps for s in (1.0, -1.0))
    here = function(q, **known)
    return ((above - below) / (2.0 * h[:, None])).T, here.gaps <= here.near, here.gaps


def normal_force(model: Model, law: Any) -> Callable[[float, float], float] | None:
    """The force of a law of contact by gap and its rate; None where it depends on more than these."""
    if isinstance(law, Law) and law.reads:
        return None
    fields = {n: model.value(x) for n, x in law.fields.items()}

    def force(gap: float, rate: float) -> float:
        return float(law.evaluate(fields, (gap, rate), dict(law.states))[0])

    return force


def slopes_of(model: Model, law: Any, depth: float) -> tuple[float, float]:
    """How the force of a law of contact grows with depth, and with speed."""
    force = normal_force(model, law)
    if force is None:
        return 0.0, 0.0
    at = force(-depth, 0.0)
    by_depth = (force(-1.001 * depth, 0.0) - at) / (1e-3 * depth)
    by_speed = (force(-depth, -1e-6) - at) / 1e-6
    return max(by_depth, 0.0), max(by_speed, 0.0)
