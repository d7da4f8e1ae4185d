"""Denavit-Hartenberg tables: of random chains with every kind of neighbouring axes, and as published."""

import dataclasses
import math

import numpy as np
import pytest
import trees

import hapsis as hs

H = math.pi / 2
# as printed by their makers, and in the usual books: theta, d, a, alpha
UR5 = [(0, 0.089159, 0, H), (0, 0, -0.425, 0), (0, 0, -0.39225, 0)]
UR5 += [(0, 0.10915, 0, H), (0, 0.09465, 0, -H), (0, 0.0823, 0, 0)]
PUMA = [(0, 0, 0, H), (0, 0, 0.4318, 0), (0, 0.15005, 0.0203, -H)]
PUMA += [(0, 0.4318, 0, H), (0, 0, 0, -H), (0, 0, 0, 0)]
STANFORD = [(0, 0.412, 0, -H), (0, 0.154, 0, H), hs.DHRow(theta=-H, prismatic=True)]
STANFORD += [(0, 0, 0, -H), (0, 0, 0, H), (0, 0.263, 0, 0)]
# the Panda's own table is by Craig: alpha and a of the row before come first
PANDA_CRAIG = [(0, 0.333, 0, 0), (0, 0, 0, -H), (0, 0.316, 0, H), (0, 0, 0.0825, H)]
PANDA_CRAIG += [(0, 0.384, -0.0825, -H), (0, 0, 0, H), (0, 0, 0.088, H)]
PANDA = [(0, 0.333, 0, -H), (0, 0, 0, H), (0, 0.316, 0.0825, H), (0, 0, -0.0825, -H)]
PANDA += [(0, 0.384, 0, H), (0, 0, 0.088, H), (0, 0.107, 0, 0)]


def numbers(row):
    return np.array([row.theta, row.d, row.a, row.alpha])


def dh_matrix(theta, d, a, alpha):
    """One row, written as its four factors."""
    turn, lift, shift, tilt = np.eye(4), np.eye(4), np.eye(4), np.eye(4)
    turn[:2, :2] = [[math.cos(theta), -math.sin(theta)], [math.sin(theta), math.cos(theta)]]
    tilt[1:3, 1:3] = [[math.cos(alpha), -math.sin(alpha)], [math.sin(alpha), math.cos(alpha)]]
    lift[2, 3], shift[0, 3] = d, a
    return turn @ lift @ shift @ tilt


def frame_matrix(frame):
    r, p, y = frame.rpy
    turns = np.eye(4)
    for angle, (i, j) in ((y, (0, 1)), (p, (2, 0)), (r, (1, 2))):
        turn = np.eye(4)
        turn[[i, j], [i, j]] = math.cos(angle)
        turn[i, j], turn[j, i] = -math.sin(angle), math.sin(angle)
        turns = turns @ turn
    turns[:3, 3] = frame.at
    return turns


def forward(table, q):
    """The end of a chain by the product of its rows."""
    X = frame_matrix(table.base)
    for row, x in zip(table.rows, q, strict=True):
        theta, d, a, alpha = numbers(row)
        X = X @ (dh_matrix(theta, d + x, a, alpha) if row.prismatic else dh_matrix(theta + x, d, a, alpha))
    return X @ dh_matrix(*table.end, 0.0, 0.0)


def pose(model, frame, q):
    found = trees.numbers(hs.pose(model, frame), [q])
    X = np.eye(4)
    X[:3, 3], X[:3, :3] = found.p[0], found.R[0]
    return X


def offset(rng, axes):
    """A frame on a link whose z is the next axis, for joints about z."""
    x, y, z = rng.uniform(-0.6, 0.6, 3)
    turn, tilt = rng.uniform(-3, 3, 2)
    match axes:
        case "skew":
            return hs.Frame((x, y, z), (tilt, 0.3 * turn, turn))
        case "intersecting":  # tilted about a point of the axis
            return hs.Frame((0, 0, z), (tilt, 0, turn))
        case "parallel":
            return hs.Frame((x, y, z), (0, 0, turn))
        case "opposed":
            return hs.Frame((x, y, z), (math.pi, 0, turn))
    return hs.Frame((0, 0, z), (0, 0, turn))  # coincident


KINDS = ("skew", "intersecting", "parallel", "opposed", "coincident")


def random_chain(rng):
    """A chain of any axes, joints written forwards and backwards, with bodies welded to it."""
    facts, carrier = [], "world"
    kinds = [str(rng.choice(KINDS)) for _ in range(int(rng.integers(1, 7)))]
    for k, axes in enumerate(kinds):
        frame, name = offset(rng, axes), f"b{k}"
        a, b, c = rng.uniform(0.01, 0.1, 3)
        inertia = (b + c, a + c, a + b, 0.003, -0.002, 0.001)
        own = hs.Frame(rng.uniform(-0.3, 0.3, 3), rng.uniform(-1, 1, 3))
        own = own if rng.random() < 0.3 else hs.Frame()
        ends = hs.End(carrier, frame), hs.End(name, own)
        ends = ends if rng.random() < 0.7 else ends[::-1]
        joint = hs.Prismatic if rng.random() < 0.3 else hs.Revolute
        facts += [
            hs.Body(name, rng.uniform(0.5, 2), rng.uniform(-0.2, 0.2, 3), inertia),
            joint(f"j{k}", *ends),
        ]
        if rng.random() < 0.3:
            at = hs.Frame(rng.uniform(-0.3, 0.3, 3), rng.uniform(-1, 1, 3))
            facts += [hs.Body(f"{name} tool", 0.4, (0.1, 0, 0.05), (0.01, 0.02, 0.025))]
            facts += [hs.Weld(f"w{k}", hs.End(name, at), f"{name} tool")]
        carrier = name
    facts.append(
        hs.Body("hand", frames={"grasp": hs.Frame(rng.uniform(-0.3, 0.3, 3), rng.uniform(-1, 1, 3))})
    )
    return hs.Model(*facts, hs.Weld("wrist", carrier, "hand"), gravity=(1.0, -2.0, -9.0)), kinds


@pytest.mark.parametrize("seed", range(30))
def test_random_chains(seed):
    """The product of the rows, and the model made of them, move and weigh as the chain does."""
    rng = np.random.default_rng(seed)
    model, _ = random_chain(rng)
    table = hs.dh_table(model, "hand.grasp")
    again = hs.from_dh(table, gravity=model.gravity)
    q, v, a = rng.normal(size=(3, 4, len(model.coordinates)))
    assert again.coordinates == model.coordinates and table.error < 1e-14
    last = table.rows[-1].body
    for each in q:
        there = pose(model, "hand.grasp", each)
        assert abs(forward(table, each) - there).max() <= 1e-12
        assert abs(pose(again, f"{last}.end", each) - there).max() <= 1e-12
    tau = trees.numbers(hs.inverse_dynamics(model), q, v, a)
    trees.close(trees.numbers(hs.inverse_dynamics(again), q, v, a), tau)
    second = hs.dh_table(again, f"{last}.end")  # a table is its own table, up to the sign of a right angle
    for each in q:
        assert abs(forward(second, each) - forward(table, each)).max() <= 1e-12


def test_every_kind_of_neighbours_is_drawn():
    drawn = [kind for seed in range(30) for kind in random_chain(np.random.default_rng(seed))[1][1:]]
    assert set(drawn) == set(KINDS)


@pytest.mark.parametrize("rows", [UR5, PUMA, PANDA], ids=["UR5", "PUMA 560", "Panda"])
def test_published_tables_come_back(rows):
    table = hs.dh_table(hs.from_dh(np.array(rows)))
    assert np.allclose([numbers(row) for row in table.rows], rows, rtol=0, atol=1e-14)
    assert table.base.at == pytest.approx((0, 0, 0)) and table.end == pytest.approx((0, 0))


def test_stanford_arm():
    """It has theta = -π/2 at its prismatic joint, and there the sign is free: the same chain comes back."""
    table = hs.DHTable(STANFORD)
    found = hs.dh_table(hs.from_dh(table), expected=table)
    assert [row.prismatic for row in found.rows] == [False, False, True, False, False, False]
    for q in np.random.default_rng(3).normal(size=(5, 6)):
        assert abs(forward(found, q) - forward(table, q)).max() < 1e-13


def test_panda_by_craig_is_the_standard_table():
    facts, carrier = [], "world"
    for k, (theta, d, a, alpha) in enumerate(PANDA_CRAIG):
        frame = hs.Frame((a, -math.sin(alpha) * d, math.cos(alpha) * d), (alpha, 0, theta))
        facts += [hs.Body(f"l{k}", mass=1.0), hs.Revolute(f"q{k}", hs.End(carrier, frame), f"l{k}")]
        carrier = f"l{k}"
    facts[-2] = hs.Body("l6", mass=1.0, frames={"flange": (0, 0, 0.107)})
    table = hs.dh_table(hs.Model(*facts), "l6.flange")
    assert np.allclose([numbers(row) for row in table.rows], PANDA, rtol=0, atol=1e-14)


def test_formulas():
    rows = [hs.DHRow(a="L", alpha="tilt"), hs.DHRow(a="2 * L", d="L / 4", prismatic=True)]
    table = hs.dh_table(hs.from_dh(rows, parameters={"L": 0.4, "tilt": 0.5}))
    assert numbers(table.rows[0]) == pytest.approx([0, 0, 0.4, 0.5])
    assert numbers(table.rows[1]) == pytest.approx([0, 0.1, 0.8, 0])


def test_chain_on_a_free_body():
    model = hs.Model(
        hs.Body("base", 2.0, inertia=(1, 1, 1)),
        hs.Rod("arm", 0.5, 1.0),
        hs.Free("float", hs.WORLD, "base"),
        hs.Revolute("hinge", ("base", hs.Frame((0.1, 0.2, 0.3))), "arm", axis="y"),
    )
    table = hs.dh_table(model, "arm.end")
    assert (table.on, table.rows[0].joint) == ("base", "hinge")
    assert forward(table, [0.0])[:3, 3] == pytest.approx([0.6, 0.2, 0.3])


def test_almost_parallel_axes_say_their_error():
    model = hs.Model(
        hs.Rod("a", 0.4, 1.0),
        hs.Rod("b", 0.4, 1.0),
        hs.Revolute("q1", hs.WORLD, "a"),
        hs.Revolute("q2", ("a", hs.Frame((0.4, 0, 0), (1e-10, 0, 0))), "b"),
    )
    table = hs.dh_table(model)
    assert table.rows[0].a == 0.4 and table.error == pytest.approx(1e-10) and "almost parallel" in str(table)
    exact = hs.dh_table(model, tolerance=0.0)
    assert exact.error == 0.0 and abs(exact.rows[0].alpha) == pytest.approx(1e-10)


@pytest.mark.parametrize("tilt", [1e-9, 1e-8, 1e-7, 3.67e-6, 2e-5, 1e-4])
def test_axes_that_files_round_cost_little(tilt):
    """Torques of the model of a table, at random; 3.67e-6 is what 1.5708 misses of a right angle."""
    frames = [
        hs.Frame((0.83, 0.11, 0.27), rpy) for rpy in ((H, 0.2, 0), (tilt, 0.3 * tilt, 0.7), (H, 0.3, 0.7))
    ]
    inertia, facts, before = (0.01, 0.09, 0.09), [], hs.WORLD
    for k, frame in enumerate([*frames, hs.Frame((0.83, 0.11, 0.27))]):
        facts += [hs.Body(f"b{k}", 1.0, (0.5, 0.02, 0.1), inertia, frames={"out": frame})]
        facts += [hs.Revolute(f"j{k}", before, f"b{k}")]
        before = f"b{k}.out"
    model = hs.Model(*facts)
    table = hs.dh_table(model, "b3.out")
    q, v, a = np.random.default_rng(0).normal(size=(3, 20, 4))
    tau, again = (trees.numbers(hs.inverse_dynamics(m), q, v, a) for m in (model, hs.from_dh(table)))
    off = abs(again - tau).max() / abs(tau).max()
    assert off < 4.0 * table.error + 1e-6 and table.error < 1.1e-5


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mass": 0.9}, 'row 2 of the DH table contradicts "fore": it weighs 0.9 kg, the part 0.8 kg'),
        ({"com": (0.15, 0.001, 0)}, "its centre of mass is 0.3 m away from that of the part"),
        ({"inertia": (0.1, 0.1, 0.1)}, "its inertia is not that of the part in the axes of the row"),
        ({"mass": 0.0}, ""),  # a table of geometry alone
    ],
)
def test_weights_that_contradict_the_parts(changed, message):
    model = hs.Model(
        hs.Rod("upper", 0.4, 1.2), hs.Rod("fore", 0.3, 0.8), hs.Revolute("s", hs.WORLD, "upper", axis="y"),
        hs.Revolute("e", "upper.end", "fore", axis="z"),
    )  # fmt: skip
    table = hs.dh_table(model, "fore.end")
    rows = (table.rows[0], dataclasses.replace(table.rows[1], **changed))
    given = dataclasses.replace(table, rows=rows)
    if not message:
        assert hs.dh_table(model, "fore.end", expected=given) == table
        return
    with pytest.raises(hs.ModelError) as caught:
        hs.dh_table(model, "fore.end", expected=given)
    assert message in str(caught.value)


def test_a_table_keeps_the_gravity_of_its_model():
    model = hs.Model(hs.Rod("a", 0.4, 1.2), hs.Revolute("j", hs.WORLD, "a", axis="z"), gravity=(0, -9.81, 0))
    table = hs.dh_table(model)
    zero = np.zeros(1)
    torques = [hs.compile(hs.inverse_dynamics(m))(zero, zero, zero) for m in (model, hs.from_dh(table))]
    assert torques[1] == pytest.approx(torques[0]) and torques[0] == pytest.approx(1.2 * 9.81 * 0.2)
    assert hs.from_dh(table, gravity=(0, 0, 0)).gravity == (0, 0, 0) and "gravity: 0 -9.81 0" in str(table)
    base, rod = hs.Body("base", 2.0, inertia=(1, 1, 1)), hs.Rod("rod", 0.5, 1.0)
    cart = hs.Model(base, rod, hs.Free("f", hs.WORLD, "base"), hs.Revolute("h", "base", "rod"))
    assert hs.dh_table(cart).gravity is None


WRONG = [
    (dict(end="nobody"), 'no body "nobody"'),
    (dict(expected=UR5[:5]), "the DH table has 5 rows, the chain 6 joints: q1, q2"),
    (
        dict(expected=[*UR5[:2], (0, 0, -0.39, 0), *UR5[3:]]),
        'row 4 of the DH table contradicts the joint "q4"',
    ),
    (
        dict(expected=[*UR5[:1], hs.DHRow(a=-0.425, prismatic=True), *UR5[2:]]),
        "it is prismatic, the joint revol",
    ),
    (dict(expected=[*UR5[:5], (0, 0.1, 0, 0)]), "contradicts the end of the chain: it puts it 0.0177 m"),
    (dict(expected=[(0, 1, 2)]), "row 1 of a DH table must be an hs.DHRow or"),
    (dict(expected=[]), "must be a list of at least one"),
    (dict(tolerance=-1.0), "tolerance must be"),
]


@pytest.mark.parametrize("arguments, message", WRONG, ids=[m[:30] for _, m in WRONG])
def test_errors(arguments, message):
    with pytest.raises(hs.ModelError) as caught:
        hs.dh_table(hs.from_dh(UR5), **arguments)
    assert message in str(caught.value)


def test_several_chains_and_none():
    with pytest.raises(hs.ModelError, match="2 chains; expected end: coupler, slider"):
        hs.dh_table(hs.library.slider_crank())
    ball = hs.Model(hs.Body("b", 1.0, inertia=(1, 1, 1)), hs.Ball("j", hs.WORLD, "b"))
    with pytest.raises(hs.ModelError, match="has no revolute or prismatic joint"):
        hs.dh_table(ball)
    with pytest.raises(hs.ModelError, match='no revolute or prismatic joint carries "b"'):
        hs.dh_table(ball, "b")


def test_command(command_among_models):
    status, out, err = command_among_models("dh", "arm.urdf")
    assert (status, err) == (0, "") and "world to flange" in out and len(out.splitlines()) == 10
    status, out, _ = command_among_models("dh", "slider_crank")
    assert status == 0 and "world to slider" in out and "close loops: pin" in out
    status, out, _ = command_among_models("dh", "arm.urdf", "--end", "fore", "--json")
    assert status == 0 and '"alpha"' in out
    status, out, err = command_among_models("dh", "arm.urdf", "--end", "hnd")
    assert status == 2 and len(err.splitlines()) == 1
