"""Who makes many runs, and how: each contender gives, for its settings, the last states of some runs.

ours            `hs.simulate` with arrays: lanes on all cores
ours, loop      a loop of `hs.simulate`, one run each
mujoco rollout  MuJoCo's module for batches, threads on all cores
scipy, ...      a loop of `solve_ivp`; the right-hand side in NumPy, or our compiled function
"""

import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.bench.batch.batch_cases import INERTIA, LENGTH, MASS, Case
from hapsis.bench.rivals import Missing, rival

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3)
FEW = 10  # runs of a loop that is too slow for all
CHUNK = 500  # steps that MuJoCo returns at once: it returns the states of all of them


class Entry(NamedTuple):
    """A contender with a method; `go(setting, count)` gives the last coordinates of so many runs."""

    contender: str
    method: str
    settings: tuple[float, ...]
    count: int
    go: Callable[[float, int], Any]


def contenders(case: Case, notes: list[str]) -> Iterator[Entry]:
    """All that can take part; a note for each that cannot."""
    yield from ours(case)
    yield from scipy_loops(case)
    try:
        yield from rollouts(case)
    except Missing as problem:
        notes.append(str(problem))


def ours(case: Case) -> Iterator[Entry]:
    """Ours at once, and one by one."""
    model, names, count = case.model(), case.coordinates, len(case.starts)

    def at_once(method: str) -> Callable[[float, int], Any]:
        def go(tolerance: float, runs: int) -> Any:
            start = dict(zip(names, case.starts[case.chosen(runs)].T, strict=True))
            many = hs.simulate(model, case.until, start, method=method, tolerance=tolerance, every=case.until)
            return np.stack([many[name][:, -1] for name in names], axis=1)

        return go

    def one_by_one(tolerance: float, runs: int) -> Any:
        ends = []
        for row in case.starts[case.chosen(runs)]:
            start = dict(zip(names, row.tolist(), strict=True))
            result = hs.simulate(model, case.until, start, tolerance=tolerance, every=case.until)
            ends.append([result[name][-1] for name in names])
        return np.array(ends)

    for method in ("order8", "order5"):
        yield Entry("ours", method, TOLERANCES, count, at_once(method))
    yield Entry("ours, loop", "order8", TOLERANCES, min(count, 5 * FEW), one_by_one)


def scipy_loops(case: Case) -> Iterator[Entry]:
    """SciPy's DOP853, the same method of order 8, in a loop."""
    from scipy.integrate import solve_ivp

    def loop(slope: Callable[[float, Any], Any]) -> Callable[[float, int], Any]:
        def go(tolerance: float, runs: int) -> Any:
            ends = []
            for row in case.starts[case.chosen(runs)]:
                y = np.concatenate([row, np.zeros(len(row))])
                options: dict[str, Any] = {"rtol": max(tolerance, 3e-14), "atol": 1e-3 * tolerance}
                ends.append(solve_ivp(slope, (0.0, case.until), y, "DOP853", **options).y[: len(row), -1])
            return np.array(ends)

        return go

    count = min(len(case.starts), FEW)
    if len(case.axes) == 1:
        yield Entry("scipy, numpy", "DOP853", TOLERANCES, count, loop(pendulum_slope))
    f, n = hs.compile(hs.forward_dynamics(case.model())), len(case.axes)
    zero = np.zeros(n)

    def slope(t: float, y: Any) -> Any:
        return np.concatenate([y[n:], f(y[:n], y[n:], zero)])

    yield Entry("scipy, ours compiled", "DOP853", TOLERANCES, count, loop(slope))


def pendulum_slope(t: float, y: Any) -> Any:
    """y' of the pendulum, as one writes it with NumPy: I q'' = - m g c sin q."""
    c = LENGTH / 2
    inertia = INERTIA[1] + MASS * c * c
    return np.array([y[1], -MASS * 9.81 * c * np.sin(y[0]) / inertia])


def rollouts(case: Case) -> Iterator[Entry]:
    """MuJoCo's module for batches."""
    mujoco, module = rival("mujoco"), rival("mujoco.rollout")
    model = mujoco.MjModel.from_xml_string(case.mjcf())
    threads = os.cpu_count() or 1
    data = [mujoco.MjData(model) for _ in range(threads)]
    size, n = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS), len(case.axes)

    def roll(method: int) -> Callable[[float, int], Any]:
        def go(step: float, runs: int) -> Any:
            model.opt.timestep, model.opt.integrator = step, method
            states = np.zeros((runs, size))
            states[:, 1 : 1 + n] = case.starts[case.chosen(runs)]  # the time stands first
            left = round(case.until / step)
            while left:
                states, _ = module.rollout(model, data, states, nstep=min(left, CHUNK), persistent_pool=True)
                states, left = states[:, -1].copy(), left - min(left, CHUNK)
            return states[:, 1 : 1 + n]

        return go

    kinds = mujoco.mjtIntegrator
    for name, kind in (("RK4", kinds.mjINT_RK4), ("Euler", kinds.mjINT_EULER)):
        yield Entry("mujoco rollout", name, STEPS, len(case.starts), roll(int(kind)))
