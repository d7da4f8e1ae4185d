"""Twenty thousand damaged files: each loads to a sound model, or is refused in one line."""

import dataclasses
import math
import random
import re
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from samples import sample

from hapsis.errors import Error
from hapsis.mechanics.formats.file_text import decoded
from hapsis.mechanics.formats.urdf.urdf_reader import urdf_model
from hapsis.mechanics.formats.yaml.yaml_reader import yaml_model
from hapsis.mechanics.model.values.formula import Formula

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
COUNT = sample(3_000, 10_000)  # of each format
NUMBERS = [
    "nan",
    "inf",
    "-inf",
    "1e400",
    "-1",
    "0",
    "1e-320",
    "1e308",
    "-1e308",
    "0x10",
    "1_0",
    "1,5",
    "١",
    "",
    "true",
    "null",
    "1/0",
    "sqrt(-1)",
    "9" * 400,
    "1e",
    "--1",
    ".",
    "-0.0",
    "1e-300",
    "2",
    "0.5",
    "-0.3",
    "1e-3",
    "3e2",
    "L",
    "rho / 2",
    "1 + 1",
]
TEXTS = [
    "\0",
    "\n",
    "\t",
    "'",
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "#",
    "&a",
    "*a",
    "!!x",
    "<<",
    "- ",
    "---\n",
    "?",
    "|",
    ">",
    "%",
    "@",
    "<",
    ">",
    "/>",
    "<!--",
    "]]>",
    "&lt;",
    "&#0;",
    "<!DOCTYPE x>",
    "\ufeff",
    "\u202e",
    "\\",
    "world",
    "../",
    "package://",
    "é",
]
TOKEN = re.compile(r"[\w.+-]+")

YAML = """\
hapsis: 1
gravity: [0, 0, -9.81]
parameters: {L: 0.4, rho: 1.5}
anchors: {base: [0, 0, 0.6]}
bodies:
  upper: {mass: rho * L, com: [L / 2, 0, 0], inertia: [0, 0.01, 0.01], frames: {end: [L, 0, 0]}}
  fore: {rod: {length: 0.3, mass: 0.4}, shapes: [{type: mesh, path: a.stl, scale: [1, 1, 1]}]}
  hand: {mass: 1, inertia: [1, 1, 1, 0.1, 0, 0], frames: {tip: {at: [0, 0, 1], rpy: [0, 0, 1]}}}
joints:
  shoulder: {type: revolute, first: world.base, second: upper, axis: y, limits: [-2, 2], damping: 1}
  elbow: {type: universal, first: upper.end, second: {body: fore, at: [0, 0, 0.1]}, axes: [x, z]}
  wrist: {type: ball, first: fore.end, second: hand}
forces:
  s: {type: spring, first: world, second: hand.tip, stiffness: 10}
  f: {type: friction, joint: shoulder, coulomb: 0.1, static: 0.2}
  b: {type: bushing, first: upper, second: hand, stiffness: [1, 1, 1, 9, 9, rho]}
  w: {type: wrench, on: hand.tip, force: [0, 0, L * sin(t)], axes: frame}
  t: {type: tendon, arms: {shoulder: 0.1, elbow.Rx: -0.2}, stiffness: 30, slack: false}
contacts:
  floor:
    first: {body: hand, shape: {type: sphere, radius: 0.1, at: [0, 0, 0.1]}}
    second: {body: world, shape: {type: plane, normal: z}}
    law: {type: hunt_crossley, stiffness: 1e7, restitution: 0.5}
    friction: {type: coulomb, mu: 0.4, static: 0.5}
  hill: {first: upper.end, second: {body: world, at: [0, 0, -1], shape: {type: heightfield,
    height: [[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0.5, 0], [0, 0, 0, 0]], step: [1, 2]}}, friction: 1}
drives: {d: {joint: shoulder, position: sin(2 * pi * t)}}
sensors: {imu: {type: imu, on: hand}}
poses: {start: {shoulder: 0.3}}
"""
URDF = """\
<?xml version="1.0"?>
<robot name="r">
  <link name="base"><visual><geometry><mesh filename="a.stl"/></geometry></visual></link>
  <link name="arm">
    <inertial>
      <origin xyz="0.1 0 0.2" rpy="0.1 0.2 0.3"/>
      <mass value="1.5"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0.001" ixz="0" iyz="0"/>
    </inertial>
    <collision><origin xyz="0 0 1"/><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <link name="hand"/>
  <joint name="hinge" type="revolute">
    <origin xyz="0 0 0.5" rpy="0 1.57 0"/>
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1.5" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="slide" type="planar">
    <parent link="arm"/><child link="hand"/><axis xyz="0 1 1"/>
  </joint>
</robot>
"""


def mutated(text, rng):
    """The bytes of the text with one to three random changes."""
    data = bytearray(text.encode())
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        kind = rng.choice((0, 0, 1, 2, 3, 4, 5, 5, 5, 6, 6))
        if kind == 0:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif kind == 1:
            a = rng.randrange(len(data))
            del data[a : a + rng.choice((1, 1, 5, 100))]
        elif kind == 2:
            a, b = sorted(rng.randrange(len(data)) for _ in range(2))
            data[b:b] = data[a:b][:300]
        elif kind == 3:
            at = rng.randrange(len(data))
            data[at:at] = rng.choice(TEXTS).encode()
        elif kind == 4:
            del data[rng.randrange(len(data)) :]
        else:
            data = bytearray(swapped(data, rng, kind == 5))
        if not data:
            break
    return bytes(data)


def swapped(data, rng, numbers):
    """One token replaced by a strange number, or by another token of the file."""
    text = data.decode("utf-8", "surrogateescape")
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return data
    token = rng.choice(tokens)
    new = rng.choice(NUMBERS) if numbers else rng.choice(tokens)[0]
    text = text[: token.start()] + new + text[token.end() :]
    return text.encode("utf-8", "surrogateescape")


def floats(x):
    """Every number inside a model."""
    left = [x]
    while left:
        x = left.pop()
        if isinstance(x, float):
            yield x
        elif isinstance(x, Mapping):
            left.extend(x.values())
        elif isinstance(x, tuple):
            left.extend(x)
        elif dataclasses.is_dataclass(x) and not isinstance(x, Formula):
            left.extend(getattr(x, f.name) for f in dataclasses.fields(x))


def check(model):
    """Every number is finite, every mass and inertia possible."""
    assert all(map(math.isfinite, floats((*model.facts, model.poses, model.parameters))))
    assert all(map(math.isfinite, model.gravity))
    for body in model.bodies.values():
        mass, *numbers = map(model.value, (body.mass, *body.com, *body.inertia))
        assert mass >= 0 and all(map(math.isfinite, (mass, *numbers)))
        xx, yy, zz, xy, xz, yz = numbers[3:]
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        scale = abs(I).max() or 1.0
        low, middle, high = np.linalg.eigvalsh(I / scale)
        assert low >= -1e-8 and low + middle >= high - 1e-8
    assert len(model.zero) == len(model.coordinates) == len(model.limits)
    assert model.joints or not model.bodies


def outcomes(read, files):
    """How many damaged files load, how many are refused, and the seconds of the slowest.

    What loads must be a sound model; what is refused must be refused in one line that says where.
    """
    counts = {"loaded": 0, "refused": 0, "slowest": 0.0}
    for data in files:
        start = time.process_time()
        try:
            model = read(decoded(data, "a"))
        except Error as error:
            counts["refused"] += 1
            line = str(error)
            assert "\n" not in line and line.isprintable() and line.startswith("a:"), data
        except BaseException:
            print(data)
            raise
        else:
            counts["loaded"] += 1
            check(model)
        counts["slowest"] = max(counts["slowest"], time.process_time() - start)
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["yaml", "urdf"])
def test_mutations(kind, record_property):
    rng = random.Random(20260101)
    text, read = (YAML, yaml_model) if kind == "yaml" else (URDF, urdf_model)
    check(read(text, "a", MODELS))
    counts = outcomes(lambda text: read(text, "a", MODELS), (mutated(text, rng) for _ in range(COUNT)))
    assert counts["slowest"] < 2
    assert counts["loaded"] > COUNT / 20 and counts["refused"] > COUNT / 2
    for name, value in counts.items():
        record_property(name, value)
