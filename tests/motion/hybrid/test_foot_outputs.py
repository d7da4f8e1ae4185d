"""The forces on watched feet as outputs of steps and programs: those of a run, 0 where nothing holds them."""

import csv
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import hapsis as hs

GCC = shutil.which("gcc")
FORCES = ["stance.foot.push", "stance.foot.grip"]


def walker():
    return replace(hs.library.compass_gait(), watch=[hs.foot("stance.foot", friction=0.6)])


def ball():
    """It bounces along the ground until it rests there."""
    free = hs.Model(hs.Body("ball", mass=1.0), hs.Chain("at", hs.WORLD, "ball", "Tx Tz"))
    blow = hs.impact("ball", restitution=0.5, friction=0.4, rest="rest")
    bounce = hs.Event("bounce", when=hs.height("ball"), falling=True, during="flight", then=[blow])
    phases = {"flight": free, "rest": free.pinned("ball")}
    return hs.Hybrid(phases, [bounce], watch=[hs.foot("ball", friction=0.5)])


def test_steps_give_the_forces_of_a_run():
    native = hs.compile(hs.stepper(walker(), 1e-3, outputs=["energy", *FORCES]))
    state = native()
    for _ in range(999):
        state = native(state.q, state.v, state.z, state.t)
    run = hs.simulate(walker(), 1.0, tolerance=1e-11)
    assert state[-2:] == pytest.approx([run[name][-1] for name in FORCES], rel=1e-6)


def test_steps_of_a_foot_that_nothing_holds():
    step = hs.stepper(ball(), 1e-2, start={"at.Tz": 1.0}, outputs=["ball.push", "ball.grip", "phase"])
    native = hs.compile(step)
    state, told = native(), []
    for _ in range(199):
        state = native(state.q, state.v, state.z, state.t)
        told.append(state[-3:])
    assert told[0] == (0.0, 0.0, 0.0) and told[-1] == pytest.approx((9.81, 0.5 * 9.81, 1.0))


@pytest.mark.skipif(GCC is None, reason="needs gcc")
@pytest.mark.parametrize("make", [walker, ball])
def test_programs_give_the_forces_of_a_run(make, tmp_path):
    hybrid = make()
    names = [name for foot in hybrid.watch for name in foot.columns]
    start = {"at.Tz": 1.0, "at.Tx.v": 0.2} if make is ball else None
    files = hs.export_program(tmp_path / "p", hybrid, 2.0, start, outputs=names, tolerance=1e-9)
    sources = [path.name for path in files if path.suffix == ".c"]
    command = [str(GCC), "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", *sources, "-o", "p", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    subprocess.run(["./p"], cwd=tmp_path, check=True, timeout=60, capture_output=True)
    with open(tmp_path / "p.csv", encoding="utf-8") as lines:
        rows = list(csv.reader(lines))
    assert rows[0] == ["t", *names, "phase"]
    table = np.array(rows[1:], float)
    run = hs.simulate(hybrid, 2.0, start, every=0.02, tolerance=1e-11)
    at = [np.flatnonzero(np.abs(run.t - t) < 1e-8)[-1] for t in table[:, 0]]
    for name, values in zip(names, table.T[1:], strict=False):
        assert values == pytest.approx(np.nan_to_num(run[name][at]), abs=1e-6 * 200)


def test_names_that_no_foot_has(tmp_path):
    with pytest.raises(hs.ModelError, match=r'did you mean "stance\.foot\.push"'):
        hs.export_program(tmp_path / "p", walker(), 1.0, outputs=["stance.foot.pus"])
    with pytest.raises(hs.ModelError, match="which the model does not have"):
        hs.stepper(walker(), 1e-3, outputs=["swing.foot.push"])
