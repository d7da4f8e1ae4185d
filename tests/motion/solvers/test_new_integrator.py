"""An integrator is one file: written, imported, used, removed."""

import importlib.util

import numpy as np
import pytest
from motion_problems import finished, kernel, oscillator

from hapsis.errors import SolveError
from hapsis.motion.solvers.integrators.method import METHODS
from hapsis.motion.solvers.run.integration import Integration
from hapsis.motion.solvers.run.run_memory import DONE

HEUN = '''"""The method of Heun: order 2, fixed steps."""

from hapsis.compiler.native import Array, Kernel, native, record, sized
from hapsis.motion.solvers.events.dense_output import hermite
from hapsis.motion.solvers.events.samples_and_events import make_step, need_with_slopes
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.step_control import ended, next_step
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_FINITE, PAUSED, RunMemory


@record
class HeunMemory(RunMemory):
    slope: Array = sized("size")
    slope_end: Array = sized("size")


@native
def advance_heun(f: Kernel, g: Kernel, run: HeunMemory) -> int:
    for _ in range(run.budget):
        answer = next_step(run)
        if answer != PAUSED:
            return answer
        run.clock[0] = run.t
        f(run.clock, run.y, run.slope)
        for j in range(run.size):
            run.y_new[j] = run.y[j] + run.dt * run.slope[j]
        run.clock[0] = run.t_new
        f(run.clock, run.y_new, run.slope_end)
        for j in range(run.size):
            run.y_new[j] = run.y[j] + 0.5 * run.dt * (run.slope[j] + run.slope_end[j])
        need = need_with_slopes(g, run, run.slope, run.slope_end)
        if need == NOT_FINITE:
            return NOT_FINITE
        if need == DENSE:
            hermite(run, run.slope, run.slope_end)
        answer = make_step(g, run)
        if answer != PAUSED:
            return answer
    return ended(run)


register(Method("heun", 2, 0, 3, advance_heun, HeunMemory))
'''


@pytest.fixture
def heun(tmp_path):
    file = tmp_path / "heun.py"
    file.write_text(HEUN)
    spec = importlib.util.spec_from_file_location("heun", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    METHODS.pop("heun")


def ran(step, **more):
    run = Integration("heun", kernel(2, oscillator), (0.0, 2.0), [1.0, 0.0], step=step, **more)
    assert finished(run, 7) == DONE
    return run


def test_a_method_in_one_file(heun):
    errors = [abs(ran(step).y[0] - np.cos(2.0)) for step in (0.02, 0.01)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.05)
    events = dict(g=kernel(2, oscillator), directions=[0, 0], terminals=[False, False])
    times = np.linspace(0.0, 2.0, 11)
    native, plain = (ran(0.03, samples=times, **events, plain=plain) for plain in (False, True))
    assert np.abs(native.sampled[:, 0] - np.cos(times)).max() < 1e-3
    assert native.sampled.tobytes() == plain.sampled.tobytes()
    assert [e.time for e in native.events] == [e.time for e in plain.events]
    assert native.events[0].time == pytest.approx(np.pi / 2, abs=1e-3)


def test_it_is_gone_afterwards():
    with pytest.raises(SolveError, match='no method "heun"'):
        Integration("heun", kernel(2, oscillator), (0.0, 2.0), [1.0, 0.0], step=0.1)
