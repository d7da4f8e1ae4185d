"""A lattice of springs that vibrates, moved by Hapsis, MuJoCo and Warp: each gives states at the same times.

MuJoCo has it as a flex of dimension one with a body for each particle; Warp runs a kernel for the springs
and one for the particles, as its particle solvers did. All have the force λ (r - r₀) of each spring and no
damping.
"""

import io
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.bench.rivals import rival

Array = np.ndarray[Any, np.dtype[Any]]
LAMBDA, MASS = 100.0, 1.0  # N/m, kg


class Lattice(NamedTuple):
    """Particles, springs, and when their motion is looked at."""

    x: Array  # m, (n, 3)
    v: Array
    ends: Array
    rest: Array  # m
    times: Array  # s, from 0


class Motion(NamedTuple):
    """States (times, n, 3), and the seconds that it took."""

    x: Array
    v: Array
    seconds: float


Mover = Callable[[Lattice, float], Motion]  # by the length of a step, s


def energies(lattice: Lattice, motion: Motion) -> Array:
    """The energy at each time, J: one measure for all."""
    a, b = lattice.ends.T
    longer = np.linalg.norm(motion.x[:, a] - motion.x[:, b], axis=2) - lattice.rest
    return 0.5 * LAMBDA * (longer**2).sum(axis=1) + 0.5 * MASS * (motion.v**2).sum(axis=(1, 2))


def ours(method: str) -> Mover:
    """Hapsis with fixed steps of a method."""

    def move(lattice: Lattice, step: float) -> Motion:
        P = hs.particles
        springs = P.Connectors.of(lattice.ends, lattice.rest, LAMBDA)
        n = len(lattice.x)
        body = P.ParticleObject("lattice", lattice.x, np.full(n, MASS), springs, velocities=lattice.v)
        scene = P.Scene(body, gravity=(0, 0, 0))
        every = float(lattice.times[1])
        result = hs.simulate(scene, float(lattice.times[-1]), method=method, step=step, every=every)
        seconds = result.report["seconds"]
        return Motion(result["lattice.points"], result["lattice.velocities"], seconds)

    return move


def mujoco(integrator: str) -> Mover:
    """MuJoCo with one of its integrators; energies and contacts are switched off."""
    library = rival("mujoco")

    def move(lattice: Lattice, step: float) -> Motion:
        model = library.MjModel.from_xml_string(_flex(lattice, step, integrator))
        data = library.MjData(model)
        data.qvel[:] = lattice.v.ravel()
        xs, vs = [lattice.x], [lattice.v]
        inner = _inner(lattice, step)
        seconds = 0.0
        for _ in lattice.times[1:]:
            began = time.perf_counter()
            library.mj_step(model, data, nstep=inner)
            seconds += time.perf_counter() - began
            xs.append(lattice.x + data.qpos.reshape(-1, 3))
            vs.append(data.qvel.reshape(-1, 3).copy())
        return Motion(np.array(xs), np.array(vs), seconds)

    return move


def _inner(lattice: Lattice, step: float) -> int:
    """Steps from one time to the next."""
    return round(float(lattice.times[1]) / step)


def _flex(lattice: Lattice, step: float, integrator: str) -> str:
    points = " ".join(f"{c:.17g}" for c in lattice.x.ravel())
    ends = " ".join(str(k) for k in lattice.ends.ravel())
    return f"""<mujoco>
  <option timestep="{step:.17g}" gravity="0 0 0" integrator="{integrator}"><flag contact="disable"/></option>
  <size memory="500M"/>
  <worldbody>
    <flexcomp name="lattice" type="direct" dim="1" dof="full" mass="{MASS * len(lattice.x):.17g}"
     radius="1e-3" point="{points}" element="{ends}">
      <edge stiffness="{LAMBDA}" damping="0"/>
      <contact selfcollide="none" contype="0" conaffinity="0"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def warp(kind: str) -> Mover:
    """Warp on the CPU, in "float32" or "float64": semi-implicit Euler steps."""
    from hapsis.bench.particles.warp_springs import WarpSprings

    library = rival("warp")
    with redirect_stdout(io.StringIO()):  # where it says what it compiles
        springs = WarpSprings(library, kind)

    def move(lattice: Lattice, step: float) -> Motion:
        with redirect_stdout(io.StringIO()):
            return moved(lattice, step)

    def moved(lattice: Lattice, step: float) -> Motion:
        state = springs.state(lattice, LAMBDA)
        xs, vs = [lattice.x], [lattice.v]
        inner = _inner(lattice, step)
        seconds = 0.0
        for _ in lattice.times[1:]:
            began = time.perf_counter()
            springs.advance(state, step, inner, MASS)
            seconds += time.perf_counter() - began
            xs.append(state["x"].numpy().astype(float))
            vs.append(state["v"].numpy().astype(float))
        return Motion(np.array(xs), np.array(vs), seconds)

    return move
