"""Laws of pinned and hinged feet and knife edges: what the joints give that would hold the same."""

import pickle

import numpy as np
import pytest
import trees
from closed_states import one
from samples import sample
from trees import close, states

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.model.values.axes import LETTERS

AXES = (*LETTERS, (0.3, -0.5, 0.8))


def free(seed):
    """A random tree of bodies with masses on a free joint, in which every foot can be held."""
    tree = trees.model(seed, most=4, massless=False, losses=False)
    root = hs.Body("root", 2.0, (0.1, 0.0, -0.1), (0.2, 0.3, 0.25), frames={"a": (0.2, 0.3, 0.1)})
    moved = tree.prefixed("m", on="root.a")
    return hs.Model(root, hs.Free("base", hs.WORLD, "root"), moved, gravity=tree.gravity)


def held(model, J, draw):
    """Random speeds that rows allow."""
    v = draw.normal(size=J.shape[1])
    return v - np.linalg.pinv(J, rcond=1e-10) @ (J @ v)


def motion(model, q, v, tau):
    """All accelerations and multipliers by name."""
    a, lam = one(hs.forward_dynamics(model), q, v, tau)
    return a, dict(zip(constraint_names(model), lam, strict=True))


@pytest.mark.parametrize("seed", range(sample(12, 300)))
def test_a_pinned_foot_moves_as_one_in_a_ball_joint_and_a_hinged_one_as_in_a_pin(seed):
    draw = np.random.default_rng(seed)
    model = free(seed)
    q = states(model, seed, 1)[0][0]
    foot = hs.End("root", hs.Frame(draw.uniform(-1, 1, 3).tolist(), draw.uniform(-1, 1, 3).tolist()))
    H = one(hs.pose(model, foot), q)
    p, R = np.asarray(H.p), np.asarray(H.R)
    place = hs.WORLD.at(*p.tolist(), rpy=_angles(R))
    axis = AXES[seed % len(AXES)]
    for hold, joint in (
        (hs.Pinned("c", foot), hs.Ball("c", hs.WORLD.at(*p.tolist()), foot)),
        (hs.Hinged("c", foot, axis=axis), hs.Revolute("c", place, foot, axis=axis)),
    ):
        ours, other = model + hold, model + joint
        assert not position_rows(ours)
        J = one(hs.constraints(ours), q, np.zeros(len(model.speeds))).J
        v, tau = held(model, J, draw), draw.normal(size=len(model.speeds))
        (a, lam), (expected, _) = motion(ours, q, v, tau), motion(other, q, v, tau)
        close(a, expected, gate=1e-8)
        # the same load on the world, at its own place
        f, g = (one(hs.reaction(m, "c", "world"), q, v, a, x) for m, x in _loads(ours, other, q, v, tau))
        close(f[3:], -g[3:], gate=1e-7)  # of the foot on the world; of the world on the foot
        close(f[:3], -g[:3], gate=1e-7)
        close([lam.get(f"c.{n}", 0.0) for n in "xyz"], g[3:], gate=1e-7)


def _loads(ours, other, q, v, tau):
    return [(m, one(hs.forward_dynamics(m), q, v, tau).lam) for m in (ours, other)]


def _angles(R):
    from hapsis.mechanics.model.frames import angles

    return angles(R.tolist())


@pytest.mark.parametrize("seed", range(sample(6, 100)))
def test_a_knife_edge_holds_the_velocity_across_and_nothing_else(seed):
    draw = np.random.default_rng(seed)
    model = free(seed)
    q, v, _ = (x[0] for x in states(model, seed, 1))
    edge = hs.End("root", hs.Frame(draw.uniform(-1, 1, 3).tolist(), draw.uniform(-1, 1, 3).tolist()))
    along, normal = (("x", "z"), ("y", (1, 0, 0.1)), ((0, 1, 1), "-z"))[seed % 3]
    held = model + hs.KnifeEdge("edge", edge, along=along, normal=normal)
    side = np.cross(*(LETTERS.get(x, x) if isinstance(x, str) else x for x in (normal, along)))
    R = np.asarray(one(hs.pose(model, edge), q).R)
    expected = (R @ side / np.linalg.norm(side)) @ one(hs.velocity(model, edge), q, v)[3:]
    J = one(hs.constraints(held), q, v).J
    close(J @ v, [expected])


@pytest.mark.parametrize("seed", range(sample(6, 100)))
def test_a_spin_lock_holds_the_angular_velocity_about_its_axis(seed):
    draw = np.random.default_rng(seed)
    model = free(seed)
    q, v, _ = (x[0] for x in states(model, seed, 1))
    about = AXES[seed % len(AXES)]
    locked = model + hs.NoSpin("lock", "root", hs.WORLD.at(0, 0, 0, rpy=(0.3, -0.4, 0.5)), about=about)
    R = np.asarray(hs.compile(hs.pose(locked + hs.Body("world", frames={"g": hs.Frame(rpy=(0.3, -0.4, 0.5))}),
                                      "world.g"))(q).R)  # fmt: skip
    axis = np.array(LETTERS.get(about, about) if isinstance(about, str) else about, float)
    expected = R @ axis / np.linalg.norm(axis) @ one(hs.velocity(model, "root"), q, v)[:3]
    close(one(hs.constraints(locked), q, v).J @ v, [expected])
    J = one(hs.constraints(locked), q, v).J
    v, tau = held(model, J, draw), draw.normal(size=len(v))
    a, lam = motion(locked, q, v, tau)
    free_a = one(hs.forward_dynamics(model), q, v, tau)  # the lock is a moment on the body, and no more
    close(one(hs.mass_matrix(model), q) @ (a - free_a), J.T @ [lam["lock.spin"]], gate=1e-7)


def test_the_skate_is_that_of_rows_by_hand():
    skate = hs.Model(hs.Body("s", 1.0, (0.1, 0, 0), (1, 1, 1)), hs.Planar("p", hs.WORLD, "s"))
    edge = skate + hs.KnifeEdge("edge", "s")
    hand = skate + hs.Constraint(
        "edge", speeds=lambda s: hs.cos(s["p.Rz"]) * s["p.Ty.v"] - hs.sin(s["p.Rz"]) * s["p.Tx.v"]
    )
    start = {"p.Rz": 0.3, "p.Tx.v": np.cos(0.3), "p.Ty.v": np.sin(0.3), "p.Rz.v": 0.7}
    a, b = (hs.simulate(m, until=1.0, start=start) for m in (edge, hand))
    close(_rows(a, skate)[-1], _rows(b, skate)[-1], gate=1e-9)


def test_a_foot_stays_where_it_stands_and_its_load_is_a_signal():
    leg = hs.Model(hs.Rod("leg", 1.0, 2.0), hs.Chain("base", hs.WORLD, "leg", "Tx Tz Ry"))
    model = leg.pinned("leg.end")
    assert constraint_names(model) == ("leg.end.pin.x", "leg.end.pin.z")
    run = hs.simulate(model, until=1.0, start={"base.Ry": -1.2})
    feet = np.array([one(hs.pose(leg, "leg.end"), [x, z, r]).p for x, z, r in _rows(run, leg)])
    assert np.abs(feet - feet[0]).max() < 1e-7
    load = run["leg.end.pin.reaction"]
    assert load.shape == (len(run.t), 6) and np.isfinite(load).all()
    rod = hs.Model(hs.Rod("leg", 1.0, 2.0), hs.Revolute("pin", hs.WORLD, "leg.end", axis="y"))
    pendulum = hs.simulate(rod, until=1.0, start={"pin": -1.2})
    close(run["base.Ry"][-1], pendulum["pin"][-1], gate=1e-6)


def _rows(run, model):
    return np.stack([run[name] for name in model.coordinates], axis=1)


def test_hinged_feet_lose_the_rows_that_cannot_move():
    leg = hs.Model(hs.Rod("leg", 1.0, 2.0), hs.Chain("base", hs.WORLD, "leg", "Tx Tz Ry"))
    assert constraint_names(leg.hinged("leg.end")) == ("leg.end.hinge.x", "leg.end.hinge.z")
    assert constraint_names(leg.hinged("leg.end", axis="x", name="h")) == ("h.x", "h.z", "h.ry")


def test_they_are_pickled_prefixed_and_refused(tmp_path):
    leg = hs.Model(hs.Rod("leg", 1.0, 2.0), hs.Free("base", hs.WORLD, "leg"))
    model = leg.pinned("leg.end") + hs.KnifeEdge("edge", "leg") + hs.Hinged("h", ("leg", (0, 0, 1)))
    assert pickle.loads(pickle.dumps(model)) == model
    hs.save(model, tmp_path / "a.yaml")
    assert hs.load(tmp_path / "a.yaml") == model
    two = hs.Model(model.prefixed("l"), model.prefixed("r"))
    assert "l.leg.end.pin" in two.constraints and two.constraints["r.edge"].first == hs.End("r.leg")
    with pytest.raises(hs.ModelError, match="cannot hold a Pinned"):
        hs.save(model, tmp_path / "a.urdf")
    with pytest.raises(hs.ModelError, match='knife edge "e": along and normal are parallel'):
        hs.KnifeEdge("e", "leg", along="x", normal="-x")
    with pytest.raises(hs.ModelError, match='hinge "e": axis must be x, y, z'):
        hs.Hinged("e", "leg", axis="w")
    with pytest.raises(hs.ModelError, match=r'pin "leg\.foot\.pin" refers to'):
        leg.pinned("leg.foot")
    with pytest.raises(hs.ModelError, match=r'two pins are called "leg\.end\.pin"'):
        model.pinned("leg.end")
