"""Kane's equations and reactions of random mechanisms with loops and rows of speeds, from mm to km."""

import random

import numpy as np
from closed_states import one
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from samples import sample

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.model.frames import angles
from hapsis.mechanics.model.units import coordinate_units, speed_units

WORST = 1e3  # the condition number of scaled rows and masses above which nothing is compared


def body(draw, name, L):
    """A body of about that size and the density of water."""
    m = 1e3 * L**3 * draw.uniform(0.05, 0.2)
    inertia = [m * L * L * draw.uniform(0.05, 0.09) for _ in range(3)]
    return hs.Body(name, m, [L * draw.uniform(-0.2, 0.2) for _ in range(3)], inertia)


def place(draw, L):
    """A frame on a body."""
    at, rpy = ([s * draw.uniform(-1, 1) for _ in range(3)] for s in (0.5 * L, 2.0))
    return hs.Frame(at, rpy)


def tree(draw, L):
    """Up to four bodies on joints of all kinds, the first one free, and a body on a slide of its own."""
    facts = [body(draw, "b0", L), hs.Free("j0", hs.WORLD, "b0")]
    for k in range(1, draw.randint(2, 4)):
        ends = (f"b{draw.randrange(k)}", place(draw, L)), (f"b{k}", place(draw, L))
        kind = draw.choice((hs.Revolute, hs.Revolute, hs.Prismatic, hs.Universal, hs.Ball, hs.Cylindrical))
        facts += [body(draw, f"b{k}", L), kind(f"j{k}", *(ends if draw.random() < 0.6 else ends[::-1]))]
    facts += [body(draw, "s", L), hs.Prismatic("slide", hs.WORLD, "s", axis="x", damping=0.1 * L**2)]
    return hs.Model(*facts)


def held(draw, model, q, L):
    """The model with rows that hold at the pose q, not more than leave it two degrees of freedom."""
    left = len(model.speeds) - 2
    rows = {"pin": 3, "hinge": 5, "edge": 1, "spin": 1, "ball": 3, "rod": 1, "own": 1}
    for k in range(draw.randint(1, 4)):
        kind = draw.choice(list(rows))
        if rows[kind] > left:
            continue
        first = draw.choice([name for name in model.bodies if name not in ("world", "s")])
        end, other = hs.End(first, place(draw, L)), draw.choice((hs.WORLD, hs.WORLD, "s"))
        p, R = one(hs.pose(model, end), q)
        at = hs.WORLD.at(*p.tolist(), rpy=angles(R.tolist()))
        made = {
            "pin": hs.Pinned(f"c{k}", end, other),
            "hinge": hs.Hinged(f"c{k}", end, other, axis=draw.choice(("x", "z", (1, 1, 0)))),
            "edge": hs.KnifeEdge(f"c{k}", end, other, along=draw.choice("xy")),
            "spin": hs.NoSpin(f"c{k}", end, other),
            "ball": hs.Ball(f"c{k}", at, end),
            "rod": hs.Distance(f"c{k}", hs.WORLD, end, float(np.linalg.norm(p)) or L),
            "own": hs.Constraint(
                f"c{k}", speeds=lambda s: s["slide.v"] - 0.3 * s["j0.vx"] - 0.2 * L * s["j0.wy"]
            ),
        }
        model = model + made[kind]
        left -= rows[kind]
    return model


def combined(draw, model, L):
    """The model with some generalized speeds, in metres per second or in radians."""
    units = dict(zip(model.speeds, speed_units(model), strict=True))
    names = list(model.speeds)
    lead = draw.sample(names, draw.randint(0, len(names)))
    for k, name in enumerate(lead):
        other = draw.choice(names)
        factor = 0.4 * draw.uniform(-1, 1) * units[name] / units[other]
        if draw.random() < 0.5 or other == name:
            model = model + hs.Speed(f"u{k}", {name: 1.0, other: factor if other != name else 1.0})
        else:
            model = model + hs.Speed(
                f"u{k}",
                lambda s, name=name, other=other, factor=factor: (
                    s[name] + factor * hs.cos(s["slide"] / L + 0.1 * s.t) * s[other]
                ),
            )
    return model


@settings(max_examples=sample(12, 600), deadline=None)
@given(st.integers(0, 10**9), st.sampled_from((1e-3, 1.0, 1e3)))
def test_motion_and_reactions(seed, L):
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    model = tree(draw, L)
    q = numbers.uniform(-1, 1, len(model.coordinates)) * _sizes(model, L)
    q[3:7] /= np.linalg.norm(q[3:7])
    for joint in model.moving:
        four = [k for k, n in enumerate(model.coordinates) if n in joint.coordinates and n not in joint.plain]
        if four:
            q[four] /= np.linalg.norm(q[four])
    model = held(draw, model, q, L)
    assume(model.constraints or model.cuts)
    units, n = np.array(speed_units(model)), len(model.speeds)
    rows = one(hs.constraints(model), q, np.zeros(n))
    of_rows = np.array([row_units(model)[name] for name in constraint_names(model)])
    J = rows.J * units / of_rows[:, None]
    _, sizes, V = np.linalg.svd(J)
    assume(len(sizes) == len(J) and sizes[-1] > sizes[0] / WORST)  # no redundant rows
    v = numbers.normal(size=n)
    v -= np.linalg.pinv(J) @ (J @ v)
    v *= units
    # by a basis of free motions, in units of the model
    M, c = one(hs.mass_matrix(model), q) * np.outer(units, units), one(hs.bias(model), q, v) * units
    size = np.abs(np.diag(M)).max()
    M, c, tau = M / size, c / size, numbers.normal(size=n)
    gamma = one(hs.constraints(model), q, v).gamma / of_rows
    Z, still = V[len(J) :].T, -np.linalg.pinv(J) @ gamma
    assume(np.linalg.cond(Z.T @ M @ Z) < WORST)
    a = still + Z @ np.linalg.solve(Z.T @ M @ Z, Z.T @ (tau - c - M @ still))
    lam = np.linalg.pinv(J.T) @ (M @ a + c - tau)
    efforts = tau * size / units

    whole = combined(draw, model, L)
    at = hs.State(model.coordinates, model.speeds, q)
    try:
        names, lead = hs.generalized_speed_names(whole), hs.independent_speeds(whole, at)
    except hs.Error as error:
        assert "no independent combinations" in str(error)
        return
    u, Y, _ = one(hs.generalized_speeds(whole), q, v)
    assume(np.linalg.cond(Y * units / np.abs(Y * units).max(axis=1, keepdims=True)) < 1e3)
    found = one(hs.kane_equations(whole, at=at), q, u[[names.index(name) for name in lead]])
    rates = np.linalg.solve(found.M, found.B @ efforts - found.f)
    scale = np.abs(a).max() + np.abs(still).max()
    assert np.abs(found.v - v).max() <= 1e-9 * np.abs(v).max() or np.abs((found.v - v) / units).max() < 1e-9
    assert np.abs((found.B.T @ rates + found.b) / units - a).max() <= 1e-9 * scale

    carried = [name for name, fact in model.constraints.items() if fact.ends]
    carried += [joint.name for joint in model.cuts]
    if carried:
        f = hs.constraint_reactions(whole, carried, "world", at)
        ours = one(f, q, v, efforts).wrenches
        real = lam * size / of_rows
        for k, name in enumerate(carried):
            theirs = one(hs.reaction(model, name, "world"), q, v, a * units, real)
            lengths = np.repeat([L, 1.0], 3)
            force = np.abs(theirs / lengths).max() + np.abs(lam).max() * size / L
            assert np.abs((ours[k] - theirs) / lengths).max() <= 1e-9 * force


def _sizes(model, L):
    """For each coordinate its size: that of the mechanism, or one for angles and quaternions."""
    return np.where(np.array(coordinate_units(model)) == 1.0, 1.0, L)
