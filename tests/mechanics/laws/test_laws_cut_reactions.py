"""Laws of what joints carry in models with loops: those of the tree, and those that close it."""

from typing import NamedTuple

import numpy as np
import oracle
import pytest
from closed_states import JOINTS, MECHANISMS, closed, geared, motion, one, pair
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.formalisms.dynamics.reactions import reactions
from hapsis.mechanics.model.frames import angles


def bare(model):
    """The model without forces, so that only joints and masses act."""
    keep = ("bodies", "joints", "constraints")
    return hs.Model(
        *(f for f in model.facts if f.family in keep),
        gravity=model.gravity,
        parameters=model.parameters,
        poses=model.poses,
        independent=model.independent,
    )


def loads(model, state, f=None):
    """Every wrench by name, at the state."""
    f = f or reactions(model)
    found = one(f, state.q, state.v, state.a, state.lam)
    found = [found] if isinstance(found, np.ndarray) else list(found)
    return dict(zip((port.name for port in f.outputs), found, strict=True))


def in_world(model, moved, fact, wrench):
    """A wrench at the world's origin and in its axes."""
    H = moved.frame(fact.first)[0][0]
    n, f = H[:3, :3] @ wrench[:3], H[:3, :3] @ wrench[3:]
    return np.concatenate([n + np.cross(H[:3, 3], f), f])


def check_balance(model, state, f):
    """For every body: what joints and constraints bring is what its masses need, less weight."""
    moved, found = motion(model, state), loads(model, state, f)
    assert list(found) == carriers(model)
    sums = {body: np.zeros(6) for body in model.bodies}
    sizes = [np.ones(1)]
    for name, wrench in found.items():
        fact = model.joints.get(name) or model.constraints[name]
        whole = in_world(model, moved, fact, wrench)
        sizes.append(whole)
        for end, sign in ((fact.second, 1.0), (fact.first, -1.0)):
            body = model.frame(end)[0]
            if body != "world":
                sums[body] += sign * whole
    for body, total in sums.items():
        six = oracle.vectors(moved.pushes(body))[0]
        close(total, np.concatenate([2 * six[:3], six[3:]]), *sizes, gate=1e-9)
    return found


def check_efforts(model, state, found):
    """Along the motion of every joint of the tree its wrench is the effort, less the losses."""
    moved = motion(model, state)
    per_speed = {n: k for k, n in enumerate(model.speeds)}
    passive = moved.of_speeds("damping") * state.v + moved.of_speeds("armature") * state.a
    passive = passive + moved.of_speeds("friction") * np.sign(state.v)
    extra = effort_of_rows(model, state)
    for joint in model.moving:
        whole = in_world(model, moved, joint, found[joint.name])
        backwards = moved.beyond[joint.name][1]
        for speed in joint.speeds:
            k = per_speed[speed]
            Z = oracle.vectors(moved.Z[k])[0] * (-1.0 if backwards else 1.0)
            expected = state.tau[k] - passive[k] + extra[k]
            close(Z @ whole, expected, Z * whole, gate=1e-9)


def effort_of_rows(model, state):
    """What rows between coordinates do: they are efforts."""
    alone = [f.name for f in model.constraints.values() if not f.ends]
    mine = [any(n.startswith(f"{a}.") for a in alone) for n in constraint_names(model)]
    efforts = state.J.T @ (state.lam * mine)
    for fact in model.constraints.values():
        if not fact.ends:
            continue
        its = [n.startswith(f"{fact.name}.") for n in constraint_names(model)]
        for name in fact.joints.values():  # of a row between ends: what it does to coordinates it reads
            k = model.speeds.index(f"{name}.v")
            efforts[k] += state.J[:, k] @ (state.lam * its)
    return efforts


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_body_is_in_balance_and_every_axis_has_its_effort(name):
    model = bare(MECHANISMS[name]())
    f = reactions(model)
    for seed in range(2):
        state = closed(model, seed)
        check_efforts(model, state, check_balance(model, state, f))


def ring():
    """Seven skew hinges and six bodies in a ring: the joints, a closed pose, its one motion."""
    draw = np.random.default_rng(5)
    bodies = [
        hs.Body(
            f"b{k}",
            1.0 + k / 3,
            draw.uniform(-0.1, 0.1, 3),
            (0.02, 0.03, 0.025),
            {"end": hs.Frame(draw.uniform(-0.5, 0.5, 3), draw.uniform(-2, 2, 3))},
        )
        for k in range(1, 7)
    ]
    ends = [hs.WORLD, *(f"b{k}.end" for k in range(1, 7))]
    hinges = [hs.Revolute(f"h{k}", ends[k - 1], f"b{k}") for k in range(1, 7)]
    chain = hs.Model(*bodies, *hinges)
    q = draw.uniform(-1, 1, 6)
    tip = one(hs.pose(chain, "b6.end"), q)
    place = hs.WORLD.at(*tip.p, rpy=angles(tip.R.tolist()))
    hinges.append(hs.Revolute("h7", "b6.end", place))
    spring = hs.Spring("spring", "b1.end", "b4", 40.0, 0.5, 0.1)
    model = hs.Model(*bodies, *hinges, spring)
    J = one(hs.constraints(model), q, np.zeros(6)).J
    v = np.linalg.svd(J)[2][-1]
    last = -(one(hs.jacobian(chain, "b6.end"), q) @ v)[:3] @ tip.R[:, 2]
    return bodies, hinges, spring, np.append(q, 0.0), np.append(v, last)


def test_cutting_elsewhere_changes_no_reaction():
    bodies, hinges, spring, q, v = ring()
    seen = {}
    for cut in range(7):
        order = [k for k in range(7) if k != cut]
        model = hs.Model(*bodies, *(hinges[k] for k in (*order, cut)), spring)
        assert [joint.name for joint in model.cuts] == [hinges[cut].name]
        rows = one(hs.constraints(model), q[order], v[order])
        assert np.abs(rows.h).max() < 1e-14 and np.abs(rows.J @ v[order]).max() < 1e-14
        assert np.linalg.matrix_rank(rows.J) == 5
        a, lam = one(hs.forward_dynamics(model), q[order], v[order], np.zeros(6))
        found = loads(model, Moving(q[order], v[order], a, lam))
        assert found.keys() == {hinge.name for hinge in hinges}
        for name, wrench in found.items():
            close(wrench, seen.setdefault(name, wrench), *seen.values(), gate=1e-9)
    assert min(np.abs(wrench).max() for wrench in seen.values()) > 0.1


class Moving(NamedTuple):
    """A state without efforts."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray


def arch(span=0.6, height=0.8, mass=3.0):
    """Two equal rods lean against each other."""
    length, lean = np.hypot(span, height), np.arctan2(height, span)
    return hs.Model(
        hs.Rod("left", length, mass),
        hs.Rod("right", length, mass),
        hs.Revolute("A", hs.WORLD, "left", axis="y"),
        hs.Revolute("B", hs.WORLD.at(2 * span, 0, 0), "right", axis="y"),
        hs.Revolute("top", "left.end", "right.end", axis="y"),
        poses={"start": {"A": -lean, "B": lean - np.pi}},
    ), lean


def test_an_arch_of_two_rods():
    """Its thrust is W span / 2 height, each foot carries the weight of one rod."""
    model, lean = arch()
    state = hs.assemble(model)
    still = np.zeros(2)
    a, lam = one(hs.forward_dynamics(model), state.q, still, still)
    close(a, still, gate=1e-9)
    thrust, weight = 3.0 * 9.81 * 0.6 / (2 * 0.8), 3.0 * 9.81

    def told(joint, frame):
        return one(hs.reaction(model, joint, frame), state.q, still, a, lam)

    close(told("top", "world"), [0, 0, 0, thrust, 0, 0], gate=1e-11)
    close(told("A", "world"), [0, 0, 0, thrust, 0, weight], gate=1e-11)
    close(told("B", "world"), [0, 0, 0, -thrust, 0, weight], gate=1e-11)
    # along the left rod and across it
    c, s = np.cos(lean), np.sin(lean)
    close(told("top", None), [0, 0, 0, c * thrust, 0, -s * thrust], gate=1e-11)
    close(told("top", "left.mid"), told("top", "first"), gate=1e-11)
    close(told("top", "second"), told("top", "right"), gate=1e-11)
    close(told("A", "second"), told("A", "left"), gate=1e-11)


def test_the_wrench_of_a_distance_is_a_force_along_its_line():
    model = pair("distance")
    state = closed(model, 1)
    wrench = one(hs.reaction(model, "j", "world"), state.q, state.v, state.a, state.lam)
    places = [one(hs.pose(model, end), state.q).p for end in ("a.f", "b.f")]
    way = places[1] - places[0]
    close(wrench, [0, 0, 0, *(state.lam[0] * way / np.linalg.norm(way))], gate=1e-9)


@pytest.mark.parametrize("kind", JOINTS)
def test_axes_in_which_a_wrench_is_told(kind):
    """Turned into other axes, at the same origin: no power is lost on the way."""
    model = pair(kind)
    state = closed(model, 0)
    for name in ("j", "fa", "fb"):
        told = {
            frame: one(hs.reaction(model, name, frame), state.q, state.v, state.a, state.lam)
            for frame in (None, "first", "second", "world", "a.f")
        }
        fact = model.joints.get(name) or model.constraints[name]
        close(told[None], told["first"])
        for frame, end in (("first", fact.first), ("second", fact.second), ("a.f", "a.f")):
            R = motion(model, state).frame(end)[0][0, :3, :3]
            turned = np.concatenate([R @ told[frame][:3], R @ told[frame][3:]])
            close(turned, told["world"], gate=1e-11)


def test_all_at_once_and_one_by_one():
    model = MECHANISMS["double_wishbone"]()
    state = closed(model, 1)
    for name, wrench in loads(model, state).items():
        alone = one(hs.reaction(model, name), state.q, state.v, state.a, state.lam)
        close(alone, wrench, gate=1e-10)


def test_trees_have_no_multipliers():
    arm = [hs.Rod("arm", 1, 2), hs.Revolute("A", hs.WORLD, "arm", axis="y")]
    f = reactions(hs.Model(arm))
    assert [p.name for p in f.inputs] == ["q", "v", "a"] and [p.name for p in f.outputs] == ["A"]


def test_sensors_in_a_loop():
    """Efforts are those of the actuators, reactions those of the joints."""
    sensors = [
        hs.Sensor("push", "effort", "A"),
        hs.Sensor("turn", "effort", "C"),
        hs.Sensor("load", "reaction", "B"),
        hs.Sensor("where", "pose", "c.end"),
    ]
    model = hs.Model(geared(), sensors)
    state = closed(model, 1)
    found = one(hs.measurements(model), state.q, state.v, state.a, state.lam)
    close(found[0], state.tau[[0]], state.lam, gate=1e-9)
    close(found[1], state.tau[[2]], state.lam, gate=1e-9)
    close(found[2], loads(model, state)["B"], gate=1e-10)
    arched = arch()[0] + hs.Sensor("load", "reaction", "top")
    f = hs.measurements(arched)
    assert [p.name for p in f.inputs] == ["q", "v", "a", "lam"]
    q = hs.assemble(arched).q
    close(one(f, q, [0, 0], [0, 0], [3.0, 4.0]), [0, 0, 0, 3.0, 0, 4.0])


def test_regressor_of_a_loop_gives_efforts_and_what_the_rows_do():
    model = pair("revolute")
    state = closed(model, 1)
    Y = one(hs.regressor(model), state.q, state.v, state.a)
    values = np.array(list(hs.inertial_parameters(model).values()))
    close(Y @ values, state.tau + state.J.T @ state.lam, Y * values, gate=1e-9)
    with pytest.raises(hs.ModelError, match="those of a model with loops are not closed"):
        hs.base_parameters(model)


def test_what_carries_nothing():
    model = geared()
    with pytest.raises(hs.ModelError, match=r'"gear" acts on coordinates and carries no wrench'):
        hs.reaction(model, "gear")
    with pytest.raises(hs.ModelError, match=r'there is no joint "to".*top'):
        hs.reaction(arch()[0], "to")
    with pytest.raises(hs.ModelError, match='no body "nowhere"'):
        hs.reaction(arch()[0], "top", "nowhere")
