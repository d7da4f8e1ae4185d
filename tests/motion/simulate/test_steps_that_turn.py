"""Steps and programs of what rolls or glides: what leads changes with its heading."""

import shutil
import subprocess

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.assembly.several_partitions import turned_partitions

GCC = shutil.which("gcc")
FLAGS = ["-std=c99", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def sled(**start):
    """It glides blade first and turns round; at a quarter turn no speed along x says how fast it is."""
    return hs.Model(
        hs.Body("s", 2.0, (-0.1, 0, 0), (0.1, 0.3, 0.3)),
        hs.Planar("p", hs.WORLD, "s"),
        hs.KnifeEdge("blade", "s"),
        poses={"start": {"p.Tx.v": 1.0, "p.Rz.v": 0.3, **start}},
    )


def skate():
    """A blade on a slope, its mass beside it."""
    return sled().replace(gravity=(3.0, 1.0, -9.0))


@pytest.mark.parametrize("make", [sled, skate, hs.library.knife_edge_sled])
def test_steps_are_of_fourth_order_through_all_headings(make):
    model = make()
    run = hs.simulate(model, 6.0, tolerance=1e-12)
    assert np.ptp(run["p.Rz" if "p.Rz" in run.names else "sled.Rz"]) > np.pi / 2
    errors = []
    for dt in (0.02, 0.01):
        step = hs.compile(hs.stepper(model, dt, outputs=["energy"]))
        state = step()
        for _ in range(round(6.0 / dt) - 1):
            state = step(state.q, state.v, state.t)
        ends = [run[n][-1] for n in (*model.coordinates, *model.speeds)]
        errors.append(np.abs(np.append(state.q, state.v) - ends).max())
        rows = hs.compile(hs.constraints(model))(state.q, state.v)
        assert np.abs(rows.J @ state.v).max() < 1e-12
    assert errors[1] < (4e-3 if make is skate else 3e-6) and errors[1] < 0.1 * errors[0]


def test_what_needs_one_partition_has_one():
    for name in ("rolling_disc", "rattleback", "whipple_bicycle", "slider_crank"):
        model = getattr(hs.library, name)()
        loops, q = Loops(model), hs.assemble(model).q
        first = best_partition(loops, q, preferred=model.independent)
        assert turned_partitions(loops, q, first) == [first]


def test_a_step_keeps_what_it_takes_and_gives():
    model = sled()
    step = hs.stepper(model, 0.01, inputs=["p.Rz"], outputs=["p.Rz", "blade.reaction", "energy"])
    assert [port.name for port in step.inputs] == ["q", "v", "t", "p.Rz"]
    assert "s.mass" in step.parameters and step.options["dt"] == 0.01
    native = hs.compile(step)
    still = hs.compile(hs.stepper(model, 0.01, start={"p.Rz": np.pi / 2, "p.Tx.v": 0.0, "p.Rz.v": 0.0}))()
    assert np.allclose(still.v, 0.0) and np.allclose(native().q, native(**{"p.Rz": 0.0}).q)


@pytest.mark.skipif(GCC is None, reason="gcc is not installed")
def test_programs_turn_too_or_stop(tmp_path):
    model = sled()
    run = hs.simulate(model, 10.0, tolerance=1e-11)
    for name, lead in (("free", None), ("led", ["p.Tx", "p.Rz"])):
        hs.export_program(tmp_path / name, model, 10.0, independent=lead)
        subprocess.run([GCC, *FLAGS, f"{name}.c", "-o", name, "-lm"], cwd=tmp_path, check=True, timeout=100)
        end = subprocess.run(
            [f"./{name}"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
        )
        table = np.genfromtxt(tmp_path / f"{name}.csv", delimiter=",", names=True)
        if lead is None:
            assert end.returncode == 0 and abs(table["pTx"][-1] - run["p.Tx"][-1]) < 1e-6
            assert np.ptp(table["energy"]) < 1e-7
        else:
            assert end.returncode == 1 and "a dead point" in end.stderr
            assert abs(table["pRz"][-1]) < np.pi / 2 and np.ptp(table["energy"]) < 1e-6


@pytest.mark.parametrize("value", [None, "1", 1 + 2j, float("nan"), [1.0, 2.0]])
@pytest.mark.parametrize("call", [
    lambda model, start: hs.assemble(model, start),
    lambda model, start: hs.equilibrium(model, start),
    lambda model, start: hs.linearize(model, start),
    lambda model, start: hs.stepper(model, 1e-3, start=start),
])  # fmt: skip
def test_speeds_of_a_start_are_numbers(call, value):
    with pytest.raises(hs.ModelError, match=r'start of "crank\.v" must be'):
        call(hs.library.slider_crank(), {"crank.v": value})


def test_a_hybrid_goes_on_from_a_result(tmp_path):
    body = hs.Model(hs.Body("x", mass=1.0), hs.Prismatic("x", hs.WORLD, "x", axis="x"))
    there = hs.Event("there", lambda s: s.since - 1.0, rising=True, during="a", to="b")
    back = hs.Event("back", lambda s: s.since - 0.5, rising=True, during="b", to="a")
    hybrid = hs.Hybrid({"a": body, "b": body}, [there, back])
    half = hs.simulate(hybrid, 1.3, {"x.v": 1.0})
    assert [round(e.time, 9) for e in hs.simulate(hybrid, 3.0, half).events] == [1.5, 2.5]
    step = hs.compile(hs.stepper(hybrid, 0.05, start=half, outputs=["phase"]))
    state, phases = step(), []
    for _ in range(33):
        phases.append(state.phase)
        state = step(state.q, state.v, state.z, state.t)
    changes = np.flatnonzero(np.diff(phases)) + 2
    assert changes == pytest.approx([0.25 / 0.05, 1.25 / 0.05])  # ends of the steps after 0.2 s and 1.2 s
    if GCC is None:
        return
    files = hs.export_program(tmp_path / "p", hybrid, 3.0, half)
    sources = [path.name for path in files if path.suffix == ".c"]
    subprocess.run([GCC, *FLAGS, *sources, "-o", "p", "-lm"], cwd=tmp_path, check=True, timeout=100)
    end = subprocess.run(["./p"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True)
    assert "t = 1.5 s: back" in end.stdout and "t = 2.5 s: there" in end.stdout
    assert np.genfromtxt(tmp_path / "p.csv", delimiter=",", skip_header=1)[0, 0] == pytest.approx(1.3)


def test_a_program_has_no_blows_of_drives(tmp_path):
    """A run has them as events; a program would go on without them."""
    model = hs.Model(
        hs.Body("b", mass=1.0), hs.Body("c", mass=1.0),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"), hs.Prismatic("y", "b", "c", axis="x"),
        hs.JointSpring("k", "y", stiffness=10.0),
        hs.Drive("d", "x", position=lambda t: hs.where(t < 1.0, 0.0, 0.5 * (t - 1.0))),
    )  # fmt: skip
    with pytest.raises(hs.SolveError, match=r't = 1: the speed of drive "d" jumps, a blow that a program'):
        hs.export_program(tmp_path / "p", model, 2.0)
    with pytest.raises(hs.SolveError, match=r't = 1: the speed of "d" jumps, a blow that a program'):
        hs.export_program(tmp_path / "p", hs.Hybrid({"a": model}), 2.0)
    hs.export_program(tmp_path / "p", model, 0.9)
