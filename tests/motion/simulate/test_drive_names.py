"""A drive and the joint that it drives may share a name: which names are whose, and the same numbers."""

import pickle

import numpy as np
import pytest

import hapsis as hs
from hapsis.errors import ModelError

WAYS = {
    "function": {"position": "0.3 * sin(5 * t)"},
    "tracked": {"position": "input", "tracking": 100.0},
    "sampled": {"position": "input", "velocity": "input"},
    "all": {"position": "input"},
}


def model(drive, way, *facts):
    return hs.Model(
        hs.Rod("key", length=0.2, mass=0.1),
        hs.Revolute("key", hs.WORLD, "key", axis="y", damping=0.01),
        hs.Drive(drive, "key", **WAYS[way]),
        *facts,
    )


def motion(drive, way):
    return {} if way == "function" else {f"{drive}.position": lambda t: 0.3 * hs.sin(5.0 * t)}


@pytest.mark.parametrize("way", WAYS)
def test_the_same_run_under_another_name(way):
    """All columns to the last bit, whatever the drive is called."""
    own, other = (hs.simulate(model(n, way), until=0.2, inputs=motion(n, way)) for n in ("key", "hand"))
    for name in other.columns:
        assert np.array_equal(own[name.replace("hand.", "key.")], other[name]), name
    assert len(own.columns) == len(other.columns)
    assert own.unit("key") == "rad" and own.unit("key.effort") == "N m"


@pytest.mark.parametrize("way", WAYS)
def test_the_same_step_under_another_name(way):
    made = []
    for name in ("key", "hand"):
        m = model(name, way)
        names = m.drives[name].inputs
        outputs = ["key", "key.v", "key.a", f"{name}.force", f"{name}.effort"]
        step = hs.compile(hs.stepper(m, 1e-3, inputs=names, outputs=outputs))
        given = dict(zip(names, (0.1, 0.2, 0.3), strict=False))
        made.append(np.concatenate([np.ravel(x) for x in step(**given)]))
    assert np.array_equal(*made)


def test_it_is_kept_by_files_and_copies(tmp_path):
    m = model("key", "tracked")
    hs.save(m, tmp_path / "m.yaml")
    for copy in (
        hs.load(tmp_path / "m.yaml"),
        pickle.loads(pickle.dumps(m)),
        m.replace("key", tracking=100.0),
    ):
        assert copy.drives["key"] == m.drives["key"] and copy.joints["key"] == m.joints["key"]
    part = hs.Model(m.prefixed("left"))
    assert part.drives["left.key"].joint == "left.key"
    assert m.replace("key", damping=0.5).joints["key"].damping == 0.5


def test_an_effort_of_that_name_is_the_drives():
    for given in ({"key": 0.1}, {"key.effort": 0.1}):
        with pytest.raises(ModelError, match=r'drive "key": "key.effort" is what the drive gives'):
            hs.simulate(model("key", "function"), until=0.1, inputs=given)
    with pytest.raises(ModelError, match="rename the drive"):
        hs.stepper(model("key", "function"), 1e-3, inputs=["key"])
    # under another name it is an input, which the drive takes up
    plain = hs.simulate(model("hand", "function"), until=0.1)
    pushed = hs.simulate(model("hand", "function"), until=0.1, inputs={"key": 0.1})
    assert np.abs(plain["hand.effort"] - pushed["hand.effort"] - 0.1).max() < 1e-12


def test_other_facts_keep_their_own_names():
    two = [
        hs.Rod("b", length=0.2, mass=0.1),
        hs.Revolute("hinge", "key.end", "b", axis="y"),
        hs.Drive("hinge", "key", position=0.0),
    ]
    with pytest.raises(ModelError, match='a joint and a drive are both called "hinge"'):
        hs.Model(hs.Rod("key", length=0.2, mass=0.1), hs.Revolute("key", hs.WORLD, "key", axis="y"), *two)
    with pytest.raises(ModelError, match='are both called "key"'):
        model("key", "function", hs.JointSpring("key", "key", stiffness=1.0))
    with pytest.raises(ModelError, match='two drives are called "key"'):
        model("key", "function", hs.Drive("key", "key", position=0.0))


def test_what_is_left_out_goes_with_its_name():
    m = model("key", "function", hs.Rod("b", length=0.2, mass=0.1), hs.Revolute("b", hs.WORLD, "b", axis="y"))
    assert not m.without("key").drives and [*m.without("key").joints] == ["b"]
