"""Several mistakes of one file, of its text and of the model, are told at once, each in its place."""

import random
import re

import pytest
from samples import sample

import hapsis as hs

TEXT = """hapsis: 1
parameters: {L: 0.4, rho: 1.5}
bodies:
  upper: {mass: rho * L, com: [L / 2, 0, 0], inertia: [0.0005, 0.009, 0.009], frames: {end: [L, 0, 0]}}
  fore: {rod: {length: 0.3, mass: 0.4}}
  hand: {mass: 0.2, inertia: [0.001, 0.001, 0.001], shapes: [{type: sphere, radius: 0.05}]}
joints:
  shoulder: {type: revolute, first: world, second: upper, axis: y, limits: [-2, 2]}
  elbow: {type: revolute, first: upper.end, second: fore, axis: y, damping: 0.05}
  wrist: {type: revolute, first: fore.end, second: hand, axis: x}
sensors:
  imu: {type: imu, on: fore}
forces:
  spring: {type: joint_spring, joint: elbow, stiffness: 3.0}
  wind: {type: wrench, on: upper, force: [0, 0, 0.1 * sin(t)]}
contacts:
  floor: {first: {body: hand, shape: all}, second: {body: world, shape: {type: plane}}}
poses:
  start: {shoulder: 0.3}
  rest: {elbow: -pi / 3}
"""
IN_TEXT = {  # a mistake in what is written, by the line
    6: ("mass: 0.2", "mas: 0.2"),
    9: ("axis: y", "axis: w"),
    12: ("type: imu", "type: imuu"),
    14: ("stiffness: 3.0", "stifness: 3.0"),
    17: ("type: plane", "type: plan"),
    20: ("-pi / 3", "[1, 2]"),
}
IN_MODEL = {  # a mistake in what it means
    4: ("mass: rho * L", "mass: rho * LL"),
    5: ("mass: 0.4", "mass: -0.4"),
    8: ("[-2, 2]", "[2, -2]"),
    10: ("fore.end", "fore.ed"),
    15: ("on: upper", "on: uper"),
    19: ("shoulder", "sholder"),
}


@pytest.mark.parametrize("seed", range(sample(40, 2000)))
def test_every_mistake_is_told_once_in_its_line_and_nothing_else(seed, tmp_path):
    draw = random.Random(seed)
    chosen = draw.sample([*(IN_TEXT | IN_MODEL).items()], draw.randint(1, 6))
    lines = TEXT.splitlines()
    for number, (right, wrong) in chosen:
        assert right in lines[number - 1]
        lines[number - 1] = lines[number - 1].replace(right, wrong)
    file = tmp_path / "m.yaml"
    file.write_text("\n".join(lines))
    with pytest.raises(hs.ModelError) as error:
        hs.load(file)
    problems = getattr(error.value, "problems", None) or (str(error.value),)
    places = [re.match(rf"{re.escape(str(file))}:(\d+):\d+: ", line) for line in problems]
    assert all(places), problems
    numbers = sorted(int(place[1]) for place in places)
    # a body or joint that cannot be read hides what is wrong with references to it
    hidden = {10, 15, 19} if {6, 9} & dict(chosen).keys() else set()
    assert {*numbers} | hidden == {number for number, _ in chosen} | hidden, problems
    assert len({*numbers}) == len(numbers), problems


def test_what_follows_from_an_unreadable_entry_is_not_told(tmp_path):
    file = tmp_path / "m.yaml"
    file.write_text(TEXT.replace("upper: {mass", "upper: {mas").replace("rho: 1.5", "rho: x"))
    with pytest.raises(hs.ModelError) as error:
        hs.load(file)
    assert [line.split(": ")[1] for line in error.value.problems] == ['parameter "rho"', 'body "upper"']
