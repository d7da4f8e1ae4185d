"""Agreement with MuJoCo on every file of example-robot-data that it reads, shapes left out."""

import sys

import numpy as np
import peer_models as peers
import pytest
from peer_models import GRIPPERS, IMPOSSIBLE, READABLE, Worst, evaluated

import hapsis as hs

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(sys.platform == "win32", reason="the robots have no wheels for Windows"),
]

# what MuJoCo refuses and we read: bodies on joints of their own with no or too little inertia
LIGHT = {"finger_edu", "human", "romeo", *GRIPPERS}
REFUSED = {*IMPOSSIBLE, *LIGHT}
READ = [name for name in READABLE if name not in REFUSED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused(name, folder):
    """It refuses every file whose inertias we call impossible, and a few more."""
    import peer_mujoco

    with pytest.raises(ValueError, match="inertia"):
        peer_mujoco.read(name, "fixed", folder)


@pytest.mark.parametrize("name", READ)
def test_files(name, folder, record_property):
    base = peers.bases(name)[-1]
    compare(name, base, folder, record_property)


@pytest.mark.parametrize("name", ["a1", "centauro", "kinova", "panda", "solo12", "tiago_pro"])
def test_fixed_bases(name, folder, record_property):
    compare(name, "fixed", folder, record_property)


def compare(name, base, folder, record_property):
    import peer_mujoco

    ours = peers.loaded(peers.peer_path(name, folder), base)
    theirs = peer_mujoco.Peer(peer_mujoco.read(name, base, folder), ours)
    moving = {joint.name for joint in ours.joints.values() if len(joint.coordinates) == 1}
    m = theirs.model
    assert {m.joint(k).name for k in range(m.njnt)} - {peer_mujoco.ROOT} == moving
    assert {m.body(k).name for k in range(1, m.nbody)} == set(ours.bodies) - {"world"}
    worst = Worst()
    dynamics(worst, ours, theirs, base)
    motions(worst, ours, theirs)
    for quantity, value in worst.items():
        record_property(quantity, value)
    worst.check()


def dynamics(worst, ours, theirs, base):
    q, v, a, _ = peers.states(ours)
    functions = {
        "inverse dynamics": hs.inverse_dynamics(ours, passive=False),
        "bias": hs.bias(ours, passive=False),
        "mass matrix": hs.mass_matrix(ours),
        "forward dynamics": hs.forward_dynamics(ours, passive=False),
        "energy": hs.energy(ours),
    }
    if base == "free":  # what is fixed to the world counts there and not here
        functions |= {"momentum": hs.momentum(ours), "center of mass": hs.center_of_mass(ours)}
    found = {}
    for name, function in functions.items():
        results = evaluated(function, q, v, a)
        found |= results if name == "energy" else {name: next(iter(results.values()))}
    expected = [theirs.dynamics(q[k], v[k], a[k]) for k in range(len(q))]
    if base != "free":
        start, first = expected[0].pop("potential"), found["potential"][0]
        found["potential"] = found["potential"] - first
        for row in expected[1:]:
            row["potential"] -= start
    for k, row in enumerate(expected):
        for name in found.keys() & row.keys():
            worst.meet(name, peers.dynamic_deviation(name, found[name][k], row))


def motions(worst, ours, theirs):
    """Sensors on every link and every joint, all in one Function."""
    q, v, a, _ = peers.states(ours)
    bodies = [name for name in ours.bodies if name != "world"]
    joints = [branch.joint.name for branch in ours.tree]
    sensors = [
        hs.Sensor(f"{kind} {name}", kind, name)
        for name in bodies
        for kind in ("pose", "velocity", "acceleration")
    ]
    sensors += [hs.Sensor(f"reaction {name}", "reaction", name) for name in joints]
    found = evaluated(hs.measurements(ours + sensors), q, v, a)
    for k in range(len(q)):
        expected = theirs.frame_motions(q[k], v[k], a[k])
        fastest = {x: max(np.abs(expected[b][x]).max() for b in bodies) for x in "VA"}
        for body in bodies:
            worst.meet("position", peers.deviation(found[f"pose {body}.p"][k], expected[body]["p"]))
            worst.meet("axes", peers.deviation(found[f"pose {body}.R"][k], expected[body]["R"]))
            for sensor, x in (("velocity", "V"), ("acceleration", "A")):
                value = found[f"{sensor} {body}"][k]
                worst.meet(sensor, peers.deviation(value, expected[body][x], fastest[x] or 1))
        wrenches = theirs.carried(expected)
        largest = max(np.abs(x).max() for x in wrenches.values())
        for joint in joints:
            ours_ = found[f"reaction {joint}"][k]
            worst.meet("reaction", peers.deviation(ours_, wrenches[joint], largest or 1))
