"""Random models, starts, parameters and options: each of many runs is what it is alone, in every respect.

Compared are all rows of all signals bit for bit, status, message, events, warnings, energy drift, the last
state, units, and the continuation from it.
"""

import random
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from attacks.table import Attack, Case, Impossible

UNTIL = 0.4  # s
FIRST = ("Revolute", "Prismatic", "Ball", "Universal", "Cylindrical", "Free", "Planar", "Helical")
NEXT = ("Revolute", "Prismatic", "Universal", "Ball")
ONE = ("Revolute", "Prismatic", "Helical")  # joints with one coordinate


class Problem(NamedTuple):
    """A model, arrays of starts and parameters, and options of `hs.simulate`."""

    model: hs.Model
    start: dict[str, Any]
    parameters: dict[str, Any]
    options: dict[str, Any]
    count: int

    def one(self, k: int) -> dict[str, Any]:
        """The start and the parameters of one run, as arguments."""
        parts = {"start": self.start, "parameters": self.parameters}
        return {name: {n: float(x[k]) for n, x in part.items()} for name, part in parts.items()}


def problem(draw: random.Random) -> Problem:
    """Random runs: half of them fit into lanes."""
    facts, coordinates = _chain(draw)
    forces, parameters, options = _forces(draw, coordinates)
    model = hs.Model(*facts, *forces, parameters=parameters)
    count = draw.randint(1, 11)
    rng = np.random.default_rng(draw.randrange(2**31))
    start = {
        s: rng.normal(size=count) * draw.choice((0.1, 1, 5)) for s in model.speeds if draw.random() < 0.6
    }
    values = {"b0.mass": rng.uniform(0.5, 3.0, count), "gravity.z": rng.uniform(-15.0, -5.0, count)}
    values |= {"t0": rng.choice([0.1, 0.2, 50.0], count)} if parameters else {}
    values |= {"spring.stiffness": 10.0 ** rng.uniform(0, 6, count)} if "spring" in model.forces else {}
    chosen = {n: x for n, x in values.items() if draw.random() < 0.6}
    chosen = chosen or {"b0.mass": values["b0.mass"]}
    options["every"] = draw.choice((0.002, 0.01, 0.05, 0.4, 0.013))
    options |= draw.choice(({}, {}, {"method": "order5"}, {"method": "stiff"}, {"step": 0.001}))
    options |= draw.choice(({}, {}, {"tolerance": 1e-3}, {"longest_step": 0.02}, {"most_steps": 60}))
    return Problem(model, start, chosen, options, count)


def _chain(draw: random.Random) -> tuple[list[Any], list[str]]:
    """Bodies in a row with joints of all kinds, and the coordinates of those that have one."""
    facts, last, plain = [], "world", []
    for k in range(draw.randint(1, 3)):
        com = tuple(draw.uniform(-0.2, 0.2) for _ in "xyz")
        frames = {"end": (0.3, 0.1, 0.0)}
        facts.append(hs.Body(f"b{k}", draw.uniform(0.5, 2), com, (0.02, 0.03, 0.025), frames=frames))
        kind = draw.choice(NEXT if k else FIRST)
        more: dict[str, Any] = {"pitch": 0.1} if kind == "Helical" else {}
        if kind in ONE:
            more |= {"axis": draw.choice("xyz"), "damping": draw.choice((0.0, 0.1))}
            more |= {"limits": draw.choice((None, (-0.1, 0.1)))}
            plain.append(f"j{k}")
        facts.append(getattr(hs, kind)(f"j{k}", last, f"b{k}", **more))
        last = f"b{k}.end"
    return facts, plain


def _forces(draw: random.Random, names: list[str]) -> tuple[list[Any], dict[str, float], dict[str, Any]]:
    """Forces, drives, controllers and contacts; parameters of the model; inputs and events."""
    forces: list[Any] = []
    parameters: dict[str, float] = {}
    options: dict[str, Any] = {}
    if draw.random() < 0.25:
        parameters = {"t0": 50.0}
        push = "1000 * exp(-((t - t0) / 0.0001)^2)"
        forces.append(hs.Wrench("pulse", "b0", force=(push, push, push)))
    if names and draw.random() < 0.4:
        forces.append(hs.JointSpring("spring", names[0], stiffness=100.0, damping=0.1))
    if names and draw.random() < 0.15:
        forces.append(hs.Stop("stop", names[-1], stiffness=1e4, damping=1.0, low=-0.3, high=0.3))
    if draw.random() < 0.15:
        floor = ("world", hs.Plane("z", at=(0, 0, -0.3)))
        forces.append(hs.Contact("floor", (hs.End("b0"), hs.Sphere(0.1)), floor, friction=0.3))
    if names and draw.random() < 0.15:
        forces.append(hs.Drive("drive", names[0], velocity=lambda t: 0.3 * hs.cos(t)))
    if names and draw.random() < 0.1:
        options["inputs"] = {names[-1]: ([0.0, 0.1, 0.2], [0.0, 1.0, 0.0])}
    if draw.random() < 0.1:
        options["events"] = [hs.Event("late", lambda s: s.t - 0.15, stop=draw.random() < 0.5)]
    return forces, parameters, options


def differences(given: Problem) -> list[str]:
    """What differs between many runs and the same runs made alone."""
    many = hs.simulate(given.model, UNTIL, given.start, parameters=given.parameters, **given.options)
    texts: list[str] = []
    for k in range(given.count):
        one = hs.simulate(given.model, UNTIL, **given.one(k), **given.options)
        texts += [f"run {k} of {given.count}: {text}" for text in _compared(many, k, one)]
    return texts


def _compared(many: Any, k: int, one: Any) -> list[str]:
    run, rows = many[k], np.isin(one.t, many.t)
    texts = [
        f"{name}: {getattr(run, name)} and {getattr(one, name)}"
        for name in ("status", "message", "events", "warnings", "energy_drift", "units", "names")
        if getattr(run, name) != getattr(one, name) and one.energy_drift == one.energy_drift
    ]
    for name in one.names:
        values = many[name][k] if name in many else np.empty(0)
        length = int(rows.sum())
        if not np.array_equal(values[:length], one[name][rows], equal_nan=True):
            texts.append(f"{name} has other numbers")
        if not np.isnan(values[length:]).all():
            texts.append(f"{name} has numbers after the end")
    if not np.array_equal(np.r_[run.last.q, run.last.v], np.r_[one.last.q, one.last.v]):
        texts.append("the last state")
    if not np.array_equal(run.memory.y, one.memory.y) or run.memory[::2] != one.memory[::2]:
        texts.append("what a continued run needs")
    return texts


def case(draw: random.Random) -> Case:
    """The seed of a problem."""
    return Case(str(draw.randrange(2**31)).encode(), "txt")


def read(case: Case, place: Path) -> list[str]:
    """The differences of a problem."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        return differences(problem(random.Random(int(case.data))))


def judge(texts: list[str], case: Case, draw: random.Random, place: Path) -> None:
    """Impossible where a run differs."""
    if texts:
        raise Impossible(f"seed {case.data.decode()}: {'; '.join(texts[:8])}")


ATTACKS = [Attack("many-runs", case, read, judge, longest=300.0)]
