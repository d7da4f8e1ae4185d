"""Laws of structure: how a model is told, where its numbers come from, which form is written."""

import random

import numpy as np
import oracle
import pytest
import retelling
import trees
from hypothesis import given, settings
from samples import sample
from trees import close, numbers

import hapsis as hs
from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import by_articulated_bodies, by_factoring
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames, in_root_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree, unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree


@pytest.mark.parametrize("way", retelling.WAYS, ids=lambda way: way.__name__)
def test_one_way_of_telling(way):
    @given(trees.models(most=5))
    @settings(max_examples=15)
    def law(drawn):
        model, draw = drawn
        q, v, a = trees.states(model, draw, 2)
        told = retelling.retold(model, draw, [way])
        other = told.model()
        state = [told.arranged(other, q, "coordinates")]
        state += [told.arranged(other, x) for x in (v, a)]
        expected = told.factor * told.arranged(other, oracle.Motion(model, q, v, a).efforts())
        close(numbers(hs.inverse_dynamics(other), *state), expected)

    law()


@pytest.mark.parametrize("chunk", range(4))
def test_every_parameter_stands_for_a_number_of_the_model(chunk):
    for seed in range(chunk * 12, (chunk + 1) * 12):
        draw = random.Random(seed)
        model = retelling.absolute(trees.model(draw, most=5))
        q, v, a = trees.states(model, draw, 2)
        f = hs.inverse_dynamics(model)
        for name, old in draw.sample(list(f.parameters.items()), min(6, len(f.parameters))):
            new = old * draw.uniform(0.7, 1.4)
            other = retelling.changed(model, name, new)
            found = numbers(f, q, v, a, p={name: new})
            close(found, oracle.Motion(other, q, v, a).efforts())


def test_the_names_of_parameters():
    body = hs.Body("b", 2.0, (0.1, 0.2, 0.3), (1, 1, 1, 0.1, 0.2, 0.3), {"tip": (1, 2, 3)})
    anchor = hs.Body("world", frames={"peg": (0, 0.5, 0)})
    model = hs.Model(
        body,
        anchor,
        hs.Body("c", "m", inertia=(1, 1, 1)),
        hs.Body("d", 1.0, inertia=(1, 1, 1)),
        hs.Body("a"),
        hs.Free("f", "world.peg", "a"),
        hs.Helical("h", "a", ("b", (0, 0, 0.7)), axis="x", pitch=0.1, damping=0.2),
        hs.Revolute("r", "b.tip", hs.End("c", hs.Frame((0.3, 0, 0))), friction=0.4, armature=0.5),
        hs.Prismatic("p", ("b.tip", (0, 0, 0.1)), "d", axis="y"),
        gravity=(1, 0, -9),
        parameters={"m": 3.0},
    )
    expected = {
        "m": 3.0,
        "gravity.x": 1.0,
        "gravity.z": -9.0,
        "b.mass": 2.0,
        "world.peg.y": 0.5,
        "b.com.x": 0.1,
        "b.com.y": 0.2,
        "b.com.z": 0.3,
        "b.inertia.xx": 1.0,
        "b.inertia.yy": 1.0,
        "b.inertia.zz": 1.0,
        "b.inertia.xy": 0.1,
        "b.inertia.xz": 0.2,
        "b.inertia.yz": 0.3,
        "b.tip.x": 1.0,
        "b.tip.y": 2.0,
        "b.tip.z": 3.0,
        "h.pitch": 0.1,
        "h.damping": 0.2,
        "h.second.z": 0.7,
        "r.second.x": 0.3,
        "r.friction": 0.4,
        "r.armature": 0.5,
        "c.inertia.xx": 1.0,
        "c.inertia.yy": 1.0,
        "c.inertia.zz": 1.0,
        "d.mass": 1.0,
        "d.inertia.xx": 1.0,
        "d.inertia.yy": 1.0,
        "d.inertia.zz": 1.0,
        "p.first.x": 1.0,
        "p.first.y": 2.0,
        "p.first.z": 3.1,
    }
    found = hs.inverse_dynamics(model).parameters
    assert "world.peg.y" not in found
    assert {**found, **hs.pose(model, "b").parameters} == expected


@pytest.mark.parametrize("chunk", range(sample(2, 4)))
def test_all_forms_agree(chunk):
    """Condensed or not, in body or root frames, by articulated bodies or by factors."""
    condensed = 0
    for seed in range(chunk * 20, (chunk + 1) * 20):
        model = trees.planar(seed) if seed % 2 else trees.model(seed + 5000, most=6)
        if not model.speeds:
            continue
        q, v, a = trees.states(model, seed, 2)
        motion = oracle.Motion(model, q, v, a)
        tau, M = motion.efforts(), motion.mass_matrix()
        plain = posed_tree(model)
        forms = [plain, Tree(plain.links, condensed=True), unlumped_tree(model)]
        condensed += plain.has_parallel_axes
        for tree in forms:
            found = numbers(all_at_once(tree), q, v, a, tau)
            close(found.tau, tau)
            close(found.free, motion.efforts(passive=False))
            close(found.body, M)
            close(found.root, M)
            gate = 1e-12 * max(1.0, trees.condition(M).max() / 30)
            close(found.articulated, a, gate=gate)
            close(found.factored, a, gate=gate)
    assert condensed > 2


def all_at_once(tree):
    v, a, tau = tree.symbols("v"), tree.symbols("a"), tree.symbols("tau")
    motor = [m * x for m, x in zip(tree.armature(), a, strict=True)]
    outputs = {
        "tau": [t + m for t, m in zip(efforts(tree, v, a, True), motor, strict=True)],
        "free": [t + m for t, m in zip(efforts(tree, v, a, False), motor, strict=True)],
        "body": tree.matrix(in_body_frames(tree)),
        "root": tree.matrix(in_root_frames(tree)),
        "articulated": by_articulated_bodies(tree, v, tau, True, AppliedForces(tree, v)),
        "factored": by_factoring(tree, v, tau, True, AppliedForces(tree, v)),
    }
    return Function("all", {"q": tree.q, "v": v, "a": a, "tau": tau}, outputs)


def test_the_cheapest_form_is_kept():
    facts = [hs.Rod(f"r{k}", 0.3, 1.0) for k in range(6)]
    ends = [hs.WORLD, *(f"r{k}.end" for k in range(5))]
    facts += [hs.Revolute(f"j{k}", end, f"r{k}", axis="y") for k, end in enumerate(ends)]
    model = hs.Model(facts)
    plain = posed_tree(model)
    other = Tree(plain.links, condensed=True)
    assert plain.has_parallel_axes and not plain.turned and len(other.turned) == 6
    q, _, _ = trees.states(model, 1, 3)
    close(numbers(hs.mass_matrix(model), q), oracle.Motion(model, q).mass_matrix())

    prices = [
        Function("M", {"q": tree.q}, {"M": list(form(tree).values())}).cost().price
        for tree in (plain, other)
        for form in (in_body_frames, in_root_frames)
    ]
    assert len(set(prices)) > 1 and hs.mass_matrix(model).cost().price == min(prices)
    v, tau = other.symbols("v"), other.symbols("tau")
    prices = [
        Function(
            "a", {"q": tree.q, "v": v, "tau": tau}, {"a": form(tree, v, tau, True, AppliedForces(tree, v))}
        )
        .cost()
        .price
        for tree in (plain, other)
        for form in (by_articulated_bodies, by_factoring)
    ]
    assert len(set(prices)) > 1 and hs.forward_dynamics(model).cost().price == min(prices)


def test_a_long_chain_is_written_in_one_form_only():
    n = 45
    facts = [hs.Rod(f"r{k}", 0.1, 1.0) for k in range(n)]
    ends = [hs.WORLD, *(f"r{k}.end" for k in range(n - 1))]
    facts += [hs.Revolute(f"j{k}", e, f"r{k}", axis="zy"[k % 2]) for k, e in enumerate(ends)]
    model = hs.Model(facts)
    q, v, a = trees.states(model, 1, 2)
    motion = oracle.Motion(model, q, v, a)
    M, tau = numbers(hs.mass_matrix(model), q), motion.efforts()
    close(M, motion.mass_matrix())
    found = numbers(hs.forward_dynamics(model), q, v, tau)
    close(np.einsum("sij,sj->si", M, found - a), 0 * a, tau)


@given(trees.models(most=4, kinds=("Ball", "Free", "Revolute")))
@settings(max_examples=10)
def test_the_length_of_a_quaternion_means_nothing(drawn):
    model, draw = drawn
    q, v, a = trees.states(model, draw, 2)
    other = q.copy()
    for k, name in enumerate(model.coordinates):
        if name.endswith(".qw"):
            other[:, k : k + 4] *= -draw.uniform(0.5, 3)
    f, M = hs.inverse_dynamics(model), hs.mass_matrix(model)
    close(numbers(f, other, v, a), numbers(f, q, v, a))
    close(numbers(M, other), numbers(M, q))


@given(trees.models(most=4))
@settings(max_examples=10)
def test_losses_can_be_left_out(drawn):
    model, draw = drawn
    q, v, a = trees.states(model, draw, 2)
    motion = oracle.Motion(model, q, v, a)
    free, tau = motion.efforts(passive=False), motion.efforts()
    close(numbers(hs.inverse_dynamics(model, passive=False), q, v, a), free)
    motor = motion.of_speeds("armature") * a
    M = motion.mass_matrix()
    rest = np.einsum("sij,sj->si", M, a)
    close(numbers(hs.bias(model), q, v), tau - rest, tau, rest, motor)
    close(numbers(hs.bias(model, passive=False), q, v), free - rest, tau, rest)
    if model.speeds:
        gate = 1e-12 * max(1.0, trees.condition(M).max() / 30)
        close(numbers(hs.forward_dynamics(model, passive=False), q, v, free), a, gate=gate)
        close(numbers(hs.forward_dynamics(model, passive=True), q, v, tau), a, gate=gate)


def test_what_has_no_dynamics_yet_is_refused_by_name():
    rods = [hs.Rod("a", 1, 1), hs.Rod("b", 1, 1)]
    loop = [hs.Revolute("j", hs.WORLD, "a"), hs.Revolute("k", "a.end", "b")]
    for fact, why in (
        (hs.Revolute("cut", "b.end", hs.WORLD.at(1, 0, 0)), "closes a loop"),
        (hs.Distance("d", "a.end", hs.WORLD.at(1, 0, 0), 1.0), "is a constraint"),
        (hs.Drive("e", "j", position=0.0), "is a drive"),
    ):
        model = hs.Model(rods, loop, fact)
        with pytest.raises(hs.ModelError, match=f'"{fact.name}" {why}.*leave it out'):
            hs.derivatives(model)
        # efforts and reactions together are those of the tree
        given = np.random.default_rng(4).normal(size=(3, 5, 2))
        tree = numbers(hs.inverse_dynamics(hs.Model(rods, loop)), *given)
        assert np.array_equal(numbers(hs.inverse_dynamics(model), *given), tree)


def test_a_model_that_cannot_move_has_empty_dynamics():
    model = hs.Model(hs.Body("b", 1.0), hs.Weld("w", hs.WORLD.at(1, 0, 0), "b"))
    none = np.zeros((2, 0))
    assert numbers(hs.inverse_dynamics(model), none, none, none).shape == (2, 0)
    assert numbers(hs.forward_dynamics(model), none, none, none).shape == (2, 0)
    assert numbers(hs.mass_matrix(model), none).shape == (2, 0, 0)
    for of in ("inverse_dynamics", "forward_dynamics"):
        found = numbers(hs.derivatives(model, of), none, none, none)
        assert [x.shape for x in found] == [(2, 0, 0)] * 3
    assert numbers(hs.regressor(model), none, none, none).shape == (2, 0, 10)
    assert numbers(hs.jacobian(model, "b"), none).shape == (2, 6, 0)
    assert numbers(hs.coordinate_rates(model), none, none).shape == (2, 0)
    close(numbers(hs.energy(model), none, none), np.zeros((2, 2)))
    close(numbers(hs.pose(model, "b"), none).p, [[1.0, 0, 0]] * 2)


def skew(kind):
    """A chain of three links of one kind and a twig, with general frames everywhere."""
    draw = random.Random(3)
    maker = trees.Maker(draw, formulas=0.0)
    facts = [maker.body(name) for name in "abcdt"]
    ends = [("world", "a"), ("a", "t"), ("a", "b"), ("b", "c"), ("c", "d")]
    for first, second in ends:
        places = [
            (n, hs.Frame(*([draw.uniform(0.1, 1) for _ in range(3)] for _ in range(2))))
            for n in (first, second)
        ]
        make = hs.Revolute if second in "dt" else kind
        more = {"pitch": 0.1} if make is hs.Helical else {}
        facts.append(make(f"j_{second}", *places, axis=(0.3, -0.5, 0.8), **more))
    return hs.Model(facts)


@pytest.mark.parametrize("kind", [hs.Revolute, hs.Helical, hs.Prismatic])
def test_frames_are_chosen_so_that_little_is_left(kind):
    """On the way to the heaviest child: X(b) Z(q) and no offset along z; a slide leaves none."""
    model = skew(kind)
    tree = posed_tree(model)
    by_joint = {branch.link.joint.name: branch for branch in tree.branches}

    def zeros(vector):
        return [x.ref == tree.zero.ref for x in vector]

    for name in ("j_b", "j_c", "j_d"):
        branch = by_joint[name]
        assert [factor.axis for factor in branch.rotation] in ([0, 2], [0])
        assert zeros(branch.link.p) == [kind is hs.Prismatic, kind is hs.Prismatic, True]
    # the twig has to live with what the others chose
    assert len(by_joint["j_t"].rotation) == 3 and not any(zeros(by_joint["j_t"].p))
    assert all(abs(branch.link.offset) <= np.pi for branch in tree.branches)
    # a revolute link keeps no mass, a sliding one no second moments
    for branch in tree.branches:
        turns = branch.link.kind in ("R", "H")
        assert zeros(branch.I.Sigma) == [not turns, not turns, True, *[not turns] * 3]
        assert (branch.I.m.ref == tree.zero.ref) == (branch.link.kind == "R")
        assert zeros(branch.I.h)[2] == (branch.link.kind == "R")
    whole = unlumped_tree(model)
    assert all(branch.I.m.ref != whole.zero.ref for branch in whole.branches)
    assert [len(x.rotation) for x in whole.branches] == [len(x.rotation) for x in tree.branches]
    assert [zeros(x.link.p) for x in whole.branches] == [zeros(x.link.p) for x in tree.branches]


def test_quarter_turns_of_an_angle_cost_nothing():
    facts = []
    for k in range(4):
        end = hs.WORLD.at(0, 0, 0, (0, 0, k * np.pi / 2))
        facts += [hs.Rod(f"r{k}", 1, 1), hs.Revolute(f"j{k}", end, f"r{k}")]
    tree = posed_tree(hs.Model(facts))
    for q, branch, k in zip(tree.q, tree.branches, range(4), strict=True):
        c, s = hs.cos(q), hs.sin(q)
        expected = ((c, s), (-s, c), (-c, -s), (s, -c))[k]
        ((_, cosine, sine),) = branch.rotation
        assert (cosine.ref, sine.ref) == (expected[0].ref, expected[1].ref)


def test_an_offset_of_rounding_is_none_but_a_small_mass_is_one():
    def parameters(offset, mass, armature=0.0):
        body = hs.Body("b", mass, (0, 0.3, 0), inertia=(1, 1, 1))
        joint = hs.Revolute("j", hs.WORLD, ("b", (offset, 0, 0)), axis="x", armature=armature)
        model = hs.Model(
            body,
            hs.Body("c", 1, (0.1, 0.2, 0), (1, 1, 1)),
            joint,
            hs.Revolute("k", "b", ("c", (0, 0.1, 0)), axis="y"),
        )
        return hs.inverse_dynamics(model).parameters

    assert "j.second.x" not in parameters(6e-17, 1.0)
    assert "b.mass" in parameters(0.0, 6e-17) and "b.mass" not in parameters(0.0, 0.0)
    assert "j.armature" in parameters(0.0, 1.0, 6e-17)


def test_the_last_slide_has_straight_axes():
    """No child asks for a turn of a sliding frame, so it needs none about its own axis."""
    body = hs.Body("b", 1.0, (0.1, 0.2, 0.3), (1, 1, 1))
    end = hs.WORLD.at(0.1, 0.2, 0.3, (0.3, 0.5, 0.7))
    tree = posed_tree(hs.Model(body, hs.Prismatic("j", end, "b", axis=(0.3, -0.5, 0.8))))
    assert [factor.axis for factor in tree.branches[0].rotation] == [2, 0]
