"""Errors that a new user meets name what is there, and what to do."""

import re

import numpy as np
import pytest

import hapsis as hs

ARM = hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"end": (0, 0, -1)})
HINGE = hs.Revolute("hinge", hs.WORLD, "a", axis="y")


def pendulum(*facts, **settings):
    return hs.Model(ARM, HINGE, *facts, **settings)


@pytest.mark.parametrize(
    ("facts", "settings", "text"),
    [
        ([hs.JointSpring("s", "elbow", 1.0)], {}, r'joint "elbow", which does not exist \(.*: hinge\)'),
        ([hs.Sensor("s", "reaction", "elbow")], {}, r'joint "elbow", which does not exist \(joints: hinge\)'),
        ([hs.Spring("s", hs.WORLD, "a.tip", 1.0)], {}, r"which does not exist \(its frames: end\)"),
        ([hs.Spring("s", hs.WORLD, "other", 1.0)], {}, r'body "other", which does not exist \(bodies: a\)'),
        ([], {"poses": {"start": {"elbow": 1.0}}}, r"which does not exist \(coordinates: hinge\)"),
        ([], {"independent": ["elbow"]}, r"which does not exist \(coordinates: hinge\)"),
    ],
)
def test_a_name_that_is_near_no_other_is_answered_by_all(facts, settings, text):
    with pytest.raises(hs.ModelError, match=text):
        pendulum(*facts, **settings)


def test_a_missing_file_is_said_with_its_folder(tmp_path):
    with pytest.raises(hs.ModelError) as error:
        hs.load(tmp_path / "nothere.urdf")
    assert str(error.value) == f'{tmp_path}/nothere.urdf: there is no such file in "{tmp_path}"'


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".html"])
def test_files_of_results_that_are_not_read_say_which_are(tmp_path, ending):
    with pytest.raises(hs.ModelError, match=r"of results only \.npz is read"):
        hs.load(tmp_path / f"x{ending}")


@pytest.mark.parametrize("ending", [".csv", ".npz", ".html"])
def test_results_make_the_folder_of_their_file(tmp_path, ending):
    path = tmp_path / "new" / "folder" / f"x{ending}"
    assert hs.simulate(pendulum(), 0.1).save(path) == path and path.is_file()


def test_many_runs_and_sweeps_make_the_folder_of_their_file(tmp_path):
    hs.simulate(pendulum(), 0.1, {"hinge": [0.1, 0.2]}).save(tmp_path / "many" / "x.npz")
    hs.sweep(pendulum(), 0.1, {"hinge": [0.1, 0.2]}, "hinge").save(tmp_path / "swept" / "x.csv")
    assert (tmp_path / "many" / "x.npz").is_file() and (tmp_path / "swept" / "x.csv").is_file()


def by_clip(q, v):
    return np.clip(-q, -1.0, 1.0)


def by_attribute(q, v, s):
    return s.hinge


@pytest.mark.parametrize(
    ("function", "text"),
    [(by_clip, "use hs.clip, not np.clip"), (by_attribute, 'use s["hinge"], not s.hinge')],
)
def test_laws_that_are_no_laws_name_their_line(function, text):
    with pytest.raises(hs.CompileError, match=re.escape(text)) as error:
        hs.simulate(pendulum(hs.JointForce("f", "hinge", function)), 0.1)
    assert error.value.where == f"{__file__}:{function.__code__.co_firstlineno + 1}"


def sampled(s):
    return {"hinge": -s.hinge}


def test_a_sampled_controller_reads_by_name():
    with pytest.raises(hs.CompileError, match=re.escape('use s["hinge"], not s.hinge')):
        hs.simulate(pendulum(hs.Controller("c", sampled, rate=100.0, efforts=("hinge",))), 0.1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hinge.reaction.f", r'a wrench has no such number \(did you mean "hinge.reaction.f'),
        ("kinetic", "a step does not compute it"),
        ("work", "a step does not compute it"),
        ("s.force.x", 'of vectors a step gives all numbers; name "s.force"'),
        ("hing", r'which the model does not have \(did you mean "hinge"\?\)'),
    ],
)
def test_outputs_that_a_step_cannot_have(name, text):
    model = pendulum(hs.Wrench("s", "a", force=(1.0, 0.0, 0.0)))
    with pytest.raises(hs.ModelError, match=text):
        hs.stepper(model, 1e-3, outputs=[name])


def test_every_name_of_a_result_is_an_output_of_a_step_or_said_why_not():
    model = pendulum(hs.JointSpring("s", "hinge", 1.0), hs.Drive("d", "hinge", position=lambda t: 0.1 * t))
    for name in hs.simulate(model, 0.01).names:
        try:
            hs.stepper(model, 1e-3, outputs=[name])
        except hs.ModelError as error:
            assert "does not compute" in str(error), name


def test_many_runs_have_the_numbers_of_vectors():
    model = pendulum()
    many = hs.simulate(model, 0.1, {"hinge": [0.1, 0.2, 0.3]})
    for name in [f"hinge.reaction.{x}" for x in ("mx", "my", "mz", "fx", "fy", "fz")]:
        assert name in many and many[name].shape == (3, len(many.t))
        for k in range(3):
            assert np.array_equal(many[name][k], many[k][name])
    assert "hinge.reaction.x" not in many and "N m" in str(many.plot("hinge.reaction.mx").panels[0])


def test_a_loop_that_cannot_close_says_that_lengths_may_be_impossible():
    bars = [hs.Rod("crank", length=0.2, mass=1.0), hs.Rod("coupler", length=2.0, mass=1.0)]
    joints = [
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
    ]
    closed = hs.Revolute("C", hs.WORLD.at(0.5, 0, 0), "coupler.end", axis="y")
    with pytest.raises(hs.SolveError, match=r"open by [\d.]+ m or rad.*check the lengths") as error:
        hs.assemble(hs.Model(*bars, *joints, closed))
    assert "hold fewer" not in str(error.value)
