"""Agreement with Pinocchio: every file of example-robot-data, random trees, intermediates too."""

import contextlib
import sys

import numpy as np
import peer_models as peers
import pytest
from peer_models import FILES, GRIPPERS, IMPOSSIBLE, READABLE, ROOTED, UNREADABLE, Worst, evaluated

import hapsis as hs

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(sys.platform == "win32", reason="Pinocchio has no wheels for Windows"),
]

# all kinds of joints and of trees: arms, hands, legged, with a single axis, skew axes, many links
CHOSEN = [
    "panda",
    "kinova",
    "ur5_robot",
    "solo12",
    "hyq_no_sensors",
    "finger_edu",
    "pr2",
    "so101",
    "double_pendulum_continuous",
    "talos_reduced",
    "allegro_left_hand",
    "simple_humanoid",
    "iris",
]
MASSLESS = {"romeo", "romeo_laas_small", *GRIPPERS}  # moving fingers without mass
COMPILED = ["panda", "solo12", "kinova", "talos_reduced"]
TREES = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def both(name, base, folder):
    """Our model of a file, and Pinocchio's."""
    import peer_pinocchio

    path = peers.peer_path(name, folder)
    ours = peers.loaded(path, base)
    return ours, peer_pinocchio.from_file(path, base, ours)


def tree(seed):
    import peer_pinocchio

    ours = peers.random_tree(seed)
    return ours, peer_pinocchio.from_model(ours)


def test_the_list_of_files():
    assert len(FILES) == 77 and len(IMPOSSIBLE) == 18
    assert {*IMPOSSIBLE, *UNREADABLE, *ROOTED, *CHOSEN, *COMPILED} <= set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_what_cannot_be_loaded(name, folder):
    """Each file loads as it is; or, with impossible inertias, if asked to; or not at all."""
    if name in UNREADABLE:
        with pytest.raises(hs.ModelError, match=UNREADABLE[name]):
            hs.load(FILES[name], physical=False)
    if name not in READABLE:
        return
    path = peers.peer_path(name, folder)
    if name in IMPOSSIBLE:
        with pytest.raises(hs.ModelError, match="impossible"):
            hs.load(path)
        model = hs.load(path, physical=False)
        assert any("impossible" in line for line in model.warnings)
    else:
        hs.load(path)
    if name in ROOTED:
        with pytest.raises(hs.ModelError, match="the root link is the world"):
            hs.load(path, base="free", physical=False)


@pytest.mark.parametrize("name", READABLE)
def test_same_joints_and_links(name, folder):
    """The same moving joints, and the same links as its frames; mimicked joints move freely."""
    import pinocchio as pin

    for base in peers.bases(name):
        ours, theirs = both(name, base, folder)
        names = set(list(theirs.model.names)[1:]) - {"the root"}
        root = {j.name for j in ours.joints.values() if j.first.body == "world"} - names
        moving = {j.name for j in ours.joints.values() if j.coordinates}
        assert moving - root == names and len(ours.speeds) == theirs.model.nv
        kind = pin.FrameType.BODY
        links = {frame.name for frame in theirs.model.frames if frame.type == kind}
        assert links - {"world"} == set(ours.bodies) - {"world"}


@pytest.mark.parametrize("name", READABLE)
def test_files(name, folder, record_property):
    """Dynamics, energies, momentum; motions of all links; what all joints carry."""
    base = peers.bases(name)[-1]
    ours, theirs = both(name, base, folder)
    worst = Worst()
    dynamics(worst, ours, theirs)
    assert ("forward dynamics" in worst) == (name not in MASSLESS)
    motions_and_reactions(worst, ours, theirs)
    frames(worst, ours, theirs)
    finish(worst, record_property)


@pytest.mark.parametrize("name", [name for name in CHOSEN if name not in ROOTED])
def test_fixed_bases(name, folder, record_property):
    ours, theirs = both(name, "fixed", folder)
    worst = Worst()
    dynamics(worst, ours, theirs)
    motions_and_reactions(worst, ours, theirs)
    finish(worst, record_property)


@pytest.mark.parametrize("name", CHOSEN)
def test_derivatives_and_regressors(name, folder, record_property):
    ours, theirs = both(name, peers.bases(name)[-1], folder)
    worst = Worst()
    derivatives(worst, ours, theirs)
    regressors(worst, ours, theirs)
    finish(worst, record_property)


@pytest.mark.parametrize("name", COMPILED)
def test_compiled(name, folder, record_property):
    """The same with native code, which lets products fuse into sums."""
    ours, theirs = both(name, peers.bases(name)[-1], folder)
    worst = Worst()
    dynamics(worst, ours, theirs, backend="llvm")
    finish(worst, record_property)


@pytest.mark.parametrize("seed", range(TREES))
def test_random_trees(seed, record_property):
    ours, theirs = tree(seed)
    worst = Worst()
    dynamics(worst, ours, theirs)
    motions_and_reactions(worst, ours, theirs)
    frames(worst, ours, theirs)
    derivatives(worst, ours, theirs)
    regressors(worst, ours, theirs)
    finish(worst, record_property)


def test_random_trees_have_every_kind_of_joint_from_both_ends():
    kinds = {
        (type(branch.joint).__name__, branch.reversed)
        for seed in range(TREES)
        for branch in peers.random_tree(seed).tree
    }
    assert len(kinds) == 20


def dynamics(worst, ours, theirs, backend="python"):
    q, v, a, _ = peers.states(ours)
    functions = {
        "inverse dynamics": hs.inverse_dynamics(ours, passive=False),
        "bias": hs.bias(ours, passive=False),
        "mass matrix": hs.mass_matrix(ours),
        "energy": hs.energy(ours),
        "momentum": hs.momentum(ours),
        "center of mass": hs.center_of_mass(ours),
    }
    with contextlib.suppress(hs.ModelError):  # joints that move no mass: theirs is not finite then
        functions["forward dynamics"] = hs.forward_dynamics(ours, passive=False)
    found = {}
    for name, function in functions.items():
        results = evaluated(function, q, v, a, backend)
        found |= results if name == "energy" else {name: next(iter(results.values()))}
    for k in range(len(q)):
        expected = theirs.dynamics(q[k], v[k], a[k])
        if not np.isfinite(expected["forward dynamics"]).all():
            del expected["forward dynamics"]
        for name in expected:
            worst.meet(name, peers.dynamic_deviation(name, found[name][k], expected))


def motions_and_reactions(worst, ours, theirs):
    """Sensors on every link and every joint, all in one Function."""
    q, v, a, _ = peers.states(ours)
    sensors = [
        hs.Sensor(f"{kind} {name}", kind, name)
        for name in theirs.frames
        for kind in ("pose", "velocity", "acceleration")
    ]
    sensors += [hs.Sensor(f"reaction {name}", "reaction", name) for name in theirs.reactions]
    found = evaluated(hs.measurements(ours + sensors), q, v, a)
    for k in range(len(q)):
        for body, expected in theirs.frame_motions(q[k], v[k], a[k]).items():
            worst.meet("position", peers.deviation(found[f"pose {body}.p"][k], expected["p"]))
            worst.meet("axes", peers.deviation(found[f"pose {body}.R"][k], expected["R"]))
            for sensor, name in (("velocity", "V world"), ("acceleration", "A world")):
                ours_ = found[f"{sensor} {body}"][k]
                worst.meet(sensor, peers.deviation(ours_, expected[name]))
        for joint, expected in theirs.carried(q[k], v[k], a[k]).items():
            worst.meet("reaction", peers.deviation(found[f"reaction {joint}"][k], expected))


def frames(worst, ours, theirs):
    """The Functions of one frame each, in the axes of the world or in its own."""
    q, v, a, _ = peers.states(ours)
    bodies = peers.spread(theirs.frames)
    for body, axes in zip(bodies, ("frame", "world", "frame"), strict=False):
        found = evaluated(hs.pose(ours, body), q, v, a)
        for letter, make in (
            ("V", hs.velocity),
            ("A", hs.acceleration),
            ("J", hs.jacobian),
            ("dJ", hs.jacobian_rate),
        ):
            found[f"{letter} {axes}"] = evaluated(make(ours, body, axes=axes), q, v, a)[letter]
        for k in range(len(q)):
            expected = theirs.frame_motions(q[k], v[k], a[k])[body]
            expected |= theirs.jacobians(q[k], v[k], [body])[body]
            terms = np.abs(expected["J world"]).max(initial=0) * np.abs(v[k]).max(initial=0)
            for name in found:
                least = terms if name.startswith("dJ") else 1e-300
                value = peers.deviation(found[name][k], expected[name], least=least or 1)
                worst.meet(f"frame {name}", value)


def derivatives(worst, ours, theirs):
    q, v, a, _ = peers.states(ours)
    found = evaluated(hs.derivatives(ours, passive=False), q, v, a)
    found |= evaluated(hs.derivatives(ours, "forward_dynamics", passive=False), q, v, a)
    for k in range(len(q)):
        expected = theirs.derivatives(q[k], v[k], a[k])
        M, inverse = expected["dtau_da"], expected["da_dtau"]
        for name, x in expected.items():
            if name.startswith("dtau"):
                value = peers.deviation(found[name][k], x, least=np.abs(M).max())
            else:
                least = np.abs(inverse).max()
                value = peers.solved_deviation(found[name][k], x, M, least)
            worst.meet(name, value)


def regressors(worst, ours, theirs):
    """Column by column where Pinocchio has the same; and all columns times the parameters."""
    q, v, a, _ = peers.states(ours)
    Y = evaluated(hs.regressor(ours), q, v, a)["Y"]
    parameters = np.array(list(hs.inertial_parameters(ours).values()))
    armature = theirs.model.armature
    places = {name: 10 * k for k, name in enumerate(ours.bodies)}
    for k in range(len(q)):
        T = theirs.T(q[k])
        tau = theirs.dynamics(q[k], v[k], a[k])["inverse dynamics"]
        tau = tau - T.T @ (armature * (T @ a[k]))
        worst.meet("regressor times parameters", peers.deviation(Y[k] @ parameters, tau))
        for body, expected in theirs.regressor(q[k], v[k], a[k]).items():
            at = places[body]
            worst.meet("regressor", peers.deviation(Y[k][:, at : at + 10], expected))


def finish(worst, record_property):
    for name, value in worst.items():
        record_property(name, value)
    worst.check()
