"""A whole time step as one Function: as `simulate` steps, and the same bits in C."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
import shared_models
from children import PATIENCE
from shared_models import library

import hapsis as hs

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
STRICT = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def four_bar(*facts):
    return shared_models.four_bar(*facts, poses={"start": {"A": 0.3, "B": 0.4, "D": 1.2}})


def motor(position, speed, U=12.0, R=2.0, L=2e-2, k=0.05, i=hs.LawState(0.0)):
    return k * i, {"i": (U - R * i - k * speed) / L}


def tree():
    """A top on a ball joint with a spring, a pendulum on a motor with a state of its own."""
    return hs.Model(
        hs.Body("top", mass=1.0, com=(0, 0, 0.3), inertia=(0.02, 0.03, 0.01)),
        hs.Ball("tip", hs.WORLD, "top"),
        hs.Rod("arm", length=0.5, mass=0.3),
        hs.Revolute("hinge", "top", "arm", axis="y", damping=0.01),
        hs.JointForce("motor", "hinge", law=motor),
        hs.Spring("pull", hs.WORLD.at(0.5, 0, 0.5), "top", stiffness=20.0, length=0.1),
    )


def stepped(f, count, *inputs):
    """The state after many steps, and what is told at the last."""
    step = hs.compile(f)
    names = [port.name for port in f.outputs]
    state = {port.name: np.array(port.stand_in, float) for port in f.inputs if port.name != "p"}
    for name, value in inputs:
        state[name] = value
    made = None
    for _ in range(count):
        made = dict(zip(names, step(**state), strict=True))
        state |= {n: x for n, x in made.items() if n in state}
    return made


@pytest.mark.parametrize("method", ["rk4", "euler"])
@pytest.mark.parametrize("which", ["loop", "tree"])
def test_as_simulate_steps(which, method):
    model = four_bar() if which == "loop" else tree()
    start = {} if which == "loop" else {"hinge": 0.4, "tip.wz": 3.0}
    result = hs.simulate(
        model,
        until=0.2,
        start=start,
        method=method,
        step=1e-3,
        inputs={model.coordinates[-1]: 0.1},
        watchdog=False,
    )
    last = model.coordinates[-1]
    f = hs.stepper(model, 1e-3, inputs=[last], start=start, method=method, outputs=[f"{last}.a"])
    found = stepped(f, 200, (last, 0.1))
    assert found["t"] == pytest.approx(0.2, abs=1e-12)
    assert np.abs(found["q"] - [result[n][-1] for n in model.coordinates]).max() < 1e-11
    assert np.abs(found["v"] - [result[n][-1] for n in model.speeds]).max() < 1e-10
    assert found[f"{last}.a"] == pytest.approx(result[f"{last}.a"][-1], abs=1e-8)


def test_a_drive_follows_its_input_and_says_its_effort():
    model = four_bar(hs.Drive("motor", "A", position="input", tracking=200.0))
    f = hs.stepper(model, 1e-4, inputs=["motor.position"], outputs=["motor.effort", "A"])
    ports = {port.name: port for port in f.inputs}
    assert float(ports["motor.position"].stand_in) == 0.3  # where the coordinate starts
    found = stepped(f, 2000, ("motor.position", 0.5))
    result = hs.simulate(model, until=0.2, start={"A": 0.3}, inputs={"motor.position": 0.5})
    assert found["A"] == pytest.approx(0.5, abs=1e-6)
    assert found["A"] == pytest.approx(result["A"][-1], abs=1e-9)
    assert found["motor.effort"] == pytest.approx(result["motor.effort"][-1], rel=1e-6)


def test_gaps_stay_closed_at_long_steps():
    f = hs.stepper(four_bar(), 5e-3, outputs=["D"])
    model, found = four_bar(), stepped(f, 400)
    assert np.abs(hs.compile(hs.constraints(model))(found["q"], found["v"]).h).max() < 1e-12


def test_what_is_wrong_is_said():
    model = four_bar(hs.Drive("motor", "A", position="input", tracking=200.0))
    for kwargs, words in (
        ({"inputs": ["motor.position"], "outputs": ["rocker"]}, 'outputs name "rocker"'),
        ({"inputs": ["motor.position"], "method": "rk5"}, 'no stepper by "rk5"'),
        ({"inputs": "motor.position"}, "inputs must be names"),
        ({"inputs": ["motor.position", "motor.position"]}, "twice"),
        ({}, 'takes "motor.position" from outside'),
    ):
        with pytest.raises(hs.Error, match=words):
            hs.stepper(model, 1e-3, **kwargs)
    with pytest.raises(hs.Error, match="dt is 0 s"):
        hs.stepper(model, 0.0)
    sampled = four_bar(hs.Controller("c", lambda s: {"A": -s["A"]}, rate=100.0, efforts=("A",)))
    with pytest.raises(hs.Error, match="sampled controller"):
        hs.stepper(sampled, 1e-3)


@pytest.mark.slow
@needs_gcc
@pytest.mark.parametrize("which", ["reduced dynamics", "step"])
def test_the_suspension_in_c(which, tmp_path):
    """One call: strict compilers are content, sanitizers too, and every bit is LLVM's."""
    model = library.five_link_suspension()
    start = hs.assemble(model)
    f = hs.reduced_dynamics(model, at=start) if which == "reduced dynamics" else None
    f = f or hs.stepper(model, 1e-3, start=start)
    hs.export(tmp_path / "suspension", [f], language="c")
    sources = [tmp_path / "suspension.c", tmp_path / "suspension_test.c"]
    clean = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    build = [GCC, *STRICT, *clean, *sources, "-o", tmp_path / "test", "-lm"]
    subprocess.run([str(x) for x in build], check=True, timeout=PATIENCE)
    done = subprocess.run(
        [tmp_path / "test", "bitwise"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    shared = [GCC, *STRICT, "-O2", "-shared", "-fPIC", sources[0], "-o", tmp_path / "s.so", "-lm"]
    subprocess.run([str(x) for x in shared], check=True, timeout=PATIENCE)
    entry = getattr(ctypes.CDLL(str(tmp_path / "s.so")), f"suspension_{f.name}")
    native, draw = hs.compile(f, contract=False), np.random.default_rng(3)
    for _ in range(20):
        given = [start.q + draw.uniform(-0.02, 0.02, len(start.q)), draw.normal(size=len(start.v))]
        given.append(draw.normal(size=len(start.v)) if which == "reduced dynamics" else [0.1])
        given = [np.array(x, float) for x in given]
        made = [np.zeros(max(1, len(port.refs))) for port in f.outputs]
        entry(
            *(a.ctypes.data_as(ctypes.c_void_p) for a in given),
            None,
            *(a.ctypes.data_as(ctypes.c_void_p) for a in made),
        )
        arguments = [*given[:2], given[2] if which == "reduced dynamics" else 0.1]
        for mine, theirs in zip(made, native(*arguments), strict=True):
            assert np.array_equal(mine, np.atleast_1d(theirs).ravel())
