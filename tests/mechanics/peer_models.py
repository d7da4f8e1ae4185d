"""Models and states on which we are compared with Pinocchio and MuJoCo, and how far we differ.

Models are the files of example-robot-data, and random trees of joints of every kind, listed in any
order and met from either end.
"""

import functools
import importlib.metadata
import math
import xml.etree.ElementTree as Xml
from pathlib import Path

import numpy as np

import hapsis as hs

TOLERANCE = 1e-10  # relative

# impossible inertias: a file that is not here must load as it is
IMPOSSIBLE = {
    "alex_psyonic_hands",
    "allegro_left_hand",
    "allegro_right_hand",
    "anymal-kinova",
    "anymal_b_simple_description/robots/anymal",
    "anymal_c_simple_description/urdf/anymal",
    "b1",
    "b1-z1",
    "go1",
    "hyq_no_sensors",
    "icub",
    "icub_reduced",
    "pr2",
    "romeo_laas_small",
    "romeo_small",
    "tiago",
    "tiago_dual",
    "tiago_no_hand",
}
UNREADABLE = {
    "alex_psyonic_hands": 'mimics joint "index_q1", which does not exist',
    "falcon": 'child link "Z_propeller" does not exist',  # nor does Pinocchio read it
    "romeo_laas_small": "leads out of the model's folder",  # meshes by paths of another machine
    "ur3": "the robot has no link",
}
GRIPPERS = {  # with fingers that move and have no mass
    "bluevolta_bravo7_gripper",
    "bravo7_gripper",
    "falcon_bravo7_gripper",
}
ROOTED = {  # their root link is the world, so their base cannot be free
    "TwoDofs",
    "ur10_joint_limited_robot",
    "ur10_robot",
    "ur3_gripper",
    "ur3_joint_limited_robot",
    "ur3_robot",
    "ur5_gripper",
    "ur5_joint_limited_robot",
    "ur5_robot",
    "xarm7",
    "z1",
}


def robot_files():
    """{short name: path} of every URDF file of example-robot-data; empty where it is missing."""
    try:
        listed = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    paths = sorted(Path(str(f.locate())) for f in listed if str(f).endswith(".urdf"))
    stems = [path.stem for path in paths]
    return {p.stem if stems.count(p.stem) == 1 else "/".join(p.with_suffix("").parts[-3:]): p for p in paths}


FILES = robot_files()
READABLE = [name for name in FILES if name not in ("falcon", "ur3")]


def bases(name):
    """How the root link of a robot can stand."""
    return ("fixed",) if name in ROOTED else ("fixed", "free")


def stripped(name, folder):
    """A copy of a robot's file without shapes and mimics."""
    tree = Xml.parse(FILES[name])
    for joint in tree.getroot().iter("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    for link in tree.getroot().iter("link"):
        for part in [p for p in link if p.tag != "inertial"]:
            link.remove(part)
    path = folder / f"{name.replace('/', '_')}.urdf"
    tree.write(path, encoding="utf-8")
    return path


@functools.cache
def loaded(path, base):
    """Our model of a file, with mimicked joints that move freely, as those of the others do."""
    model = hs.load(path, base=base, physical=False)
    return model.without(*(gear.name for gear in model.constraints.values()))


def peer_path(name, folder):
    """The file both read: as it came, unless its meshes keep us from reading it."""
    return stripped(name, folder) if name in UNREADABLE else FILES[name]


def states(model, count=3, seed=0):
    """Random q, v, a and tau of a model, each with a row for each state."""
    draw = np.random.default_rng([seed, len(model.coordinates)])
    q = draw.uniform(-3, 3, (count, len(model.coordinates)))
    at = 0
    for joint in in_order(model):
        n = len(joint.coordinates)
        if joint.steps and joint.steps[0].kind in ("ball", "free"):
            turn = draw.normal(size=(count, 4))
            q[:, at + n - 4 : at + n] = turn / np.linalg.norm(turn, axis=1)[:, None]
        at += n
    return q, *(draw.normal(size=(count, len(model.speeds))) for _ in range(3))


def in_order(model):
    """The joints of the tree in the order of their coordinates."""
    cut = {joint.name for joint in model.cuts}
    return [joint for joint in model.joints.values() if joint.name not in cut]


def evaluated(function, q, v, third, backend="python"):
    """{output: array with a row for each state}; the third input is a or tau."""
    given = {"q": q, "v": v, "a": third, "tau": third}
    inputs = [given[port.name] for port in function.inputs]
    results = hs.compile(function, backend=backend)(*inputs)
    if len(function.outputs) == 1:
        results = (results,)
    return {port.name: np.asarray(x) for port, x in zip(function.outputs, results, strict=True)}


def deviation(ours, theirs, scale=None, least=1e-300):
    """The largest difference relative to the largest number of theirs, or to a scale given.

    `least` is the smallest scale: that of the terms that cancel where the result is zero.
    """
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    if not ours.size:
        return 0.0
    assert np.isfinite(theirs).all()
    if scale is None:
        scale = max(np.abs(theirs).max(), least)
    return float(np.nan_to_num((np.abs(ours - theirs) / scale).max(), nan=math.inf))


def dynamic_deviation(name, ours, theirs):
    """The same for one quantity of a dictionary of theirs that has the mass matrix too."""
    M = theirs["mass matrix"]
    if name == "forward dynamics" and M.size:
        return solved_deviation(ours, theirs[name], M)
    return mass_deviation(ours, M) if name == "mass matrix" else deviation(ours, theirs[name])


def mass_deviation(ours, theirs):
    """The same for mass matrices, each entry relative to its two diagonal ones."""
    size = np.sqrt(np.maximum(np.abs(np.diagonal(theirs)), 1e-300))
    return deviation(ours, theirs, np.outer(size, size))


def solved_deviation(ours, theirs, M, least=1e-300):
    """The same for what solves M x = b: less strict as M comes near to singular."""
    return deviation(ours, theirs, least=least) / max(1.0, 1e-5 * np.linalg.cond(M))


class Worst(dict):
    """{quantity: the largest deviation met}; `check` fails with all that are too large."""

    def meet(self, quantity, value):
        """One more comparison."""
        self[quantity] = float(max(self.get(quantity, 0.0), value))

    def check(self):
        """All are within the tolerance."""
        wrong = {k: x for k, x in self.items() if not x <= TOLERANCE}
        assert self and not wrong, wrong


def spread(items, count=3):
    """The first, the last and some between."""
    items = list(items)
    picks = {round(k * (len(items) - 1) / (count - 1)) for k in range(count)}
    return [items[k] for k in sorted(picks)]


def random_tree(seed):
    """A random tree: joints of every kind, skew axes, frames at both ends, shuffled and turned."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 7))
    bodies, joints = [], []
    for k in range(n):
        bodies.append(_body(draw, f"b{k}"))
        above = "world" if k == 0 else f"b{draw.integers(-1, k)}".replace("b-1", "world")
        ends = hs.End(above, _frame(draw)), hs.End(f"b{k}", _frame(draw))
        joints.append(_joint(draw, f"j{k}", *(ends if draw.random() < 0.7 else ends[::-1])))
    order = draw.permutation(n)
    return hs.Model(
        *(bodies[k] for k in order),
        *(joints[k] for k in draw.permutation(n)),
        gravity=tuple(draw.normal(size=3) * 5),
    )


def _joint(draw, name, first, second):
    x, y, z = draw.normal(size=3)
    letters = ("x", "y", "z", "-z")
    axis = str(draw.choice(letters)) if draw.random() < 0.4 else (x, y, z)
    more = {"armature": float(draw.uniform(0, 2)), "damping": 0.3, "friction": 0.2}
    makers = (
        lambda: hs.Revolute(name, first, second, axis=axis, **more),
        lambda: hs.Revolute(name, first, second, axis=axis),
        lambda: hs.Prismatic(name, first, second, axis=axis, **more),
        lambda: hs.Helical(name, first, second, axis=axis, pitch=float(draw.normal()), **more),
        lambda: hs.Cylindrical(name, first, second, axis=axis),
        lambda: hs.Universal(name, first, second, axes=("y", "x")),
        lambda: hs.Planar(name, first, second, normal=str(draw.choice(("x", "y", "z")))),
        lambda: hs.Chain(name, first, second, "Rz Tx Ry Rz"),
        lambda: hs.Ball(name, first, second),
        lambda: hs.Free(name, first, second),
        lambda: hs.Weld(name, first, second),
    )
    return makers[draw.integers(len(makers))]()


def _frame(draw):
    if draw.random() < 0.3:
        return hs.Frame()
    return hs.Frame(tuple(draw.normal(size=3)), tuple(draw.uniform(-3, 3, 3)))


def _body(draw, name):
    points = draw.normal(size=(5, 3)) * draw.uniform(0.05, 0.5)
    com = points.mean(axis=0)
    arms = points - com
    mass = float(draw.uniform(0.1, 5.0))
    I = mass / 5 * (np.sum(arms**2) * np.eye(3) - arms.T @ arms)
    inertia = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return hs.Body(name, mass=mass, com=tuple(com), inertia=inertia)
