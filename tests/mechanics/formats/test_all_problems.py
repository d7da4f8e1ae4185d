"""A file with several mistakes tells all of them, each at its line; random mistakes in random facts."""

import random

import pytest

import hapsis as hs
from hapsis.mechanics.formats.all_problems import MOST

BODIES = ["{mas: 1}", "{mass: one two}", "{mass: 1, com: [0, 0]}", "{mass: [1]}", "{rod: {length: 1}}", "7"]
JOINTS = ["{type: revolut, first: world, second: b0}", "{first: world}", "{type: revolute, first: world}"]
JOINTS += ["{type: revolute, first: world, second: b0, axis: q}", "{type: weld, frst: world, second: b0}"]


def text_with(count, seed):
    """A chain of bodies with so many mistakes, and their lines."""
    draw = random.Random(seed)
    lines = ["hapsis: 1", "bodies:", *(f"  b{k}: {{mass: 1}}" for k in range(12)), "joints:"]
    ends = ["world", *(f"b{k}" for k in range(12))]
    lines += [f"  j{k}: {{type: prismatic, first: {ends[k]}, second: b{k}}}" for k in range(12)]
    facts = [k for k, line in enumerate(lines) if line.startswith("  ")]
    wrong = sorted(draw.sample(facts, count))
    for k in wrong:
        name = lines[k].partition(":")[0]
        lines[k] = f"{name}: {draw.choice(BODIES if name.strip()[0] == 'b' else JOINTS)}"
    return "\n".join(lines), [k + 1 for k in wrong]


@pytest.mark.parametrize("seed", range(40))
def test_every_mistake_is_told_at_its_line(tmp_path, seed):
    text, lines = text_with(2 + seed % 9, seed)
    path = tmp_path / "arm.yaml"
    path.write_text(text)
    with pytest.raises(hs.ModelError) as caught:
        hs.load(path)
    problems = caught.value.problems  # pyright: ignore
    assert [int(p.removeprefix(str(path)).split(":")[1]) for p in problems] == lines
    assert f"(and {len(lines) - 1} more)" in str(caught.value) and "\n" not in str(caught.value)
    first = str(caught.value).replace(f" (and {len(lines) - 1} more)", "")
    assert first == problems[0]


def test_one_mistake_is_told_as_it_was(tmp_path):
    text, (line,) = text_with(1, 3)
    (tmp_path / "arm.yaml").write_text(text)
    with pytest.raises(hs.ModelError, match=rf"arm\.yaml:{line}:") as caught:
        hs.load(tmp_path / "arm.yaml")
    assert "more)" not in str(caught.value)


def test_reading_ends_after_many_mistakes(tmp_path):
    (tmp_path / "arm.yaml").write_text("hapsis: 1\nbodies:\n" + "\n".join(f"  b{k}: 7" for k in range(2000)))
    with pytest.raises(hs.ModelError) as caught:
        hs.load(tmp_path / "arm.yaml")
    assert len(caught.value.problems) == MOST  # pyright: ignore


def test_problems_of_a_mechanism_come_in_the_order_of_their_lines(tmp_path):
    text = """hapsis: 1
bodies:
  a: {mass: -1, inertia: [1, 1, 5]}
  b: {mass: heavy}
joints:
  j: {type: revolute, first: world, second: c}
  k: {type: revolute, first: nowhere, second: a}
forces:
  f: {type: joint_spring, joint: elbow, stiffness: 1}
"""
    (tmp_path / "x.yaml").write_text(text)
    with pytest.raises(hs.ModelError) as error:
        hs.load(tmp_path / "x.yaml")
    lines = [int(line.split(":")[1]) for line in error.value.problems]
    assert len(lines) >= 5 and lines == sorted(lines)
