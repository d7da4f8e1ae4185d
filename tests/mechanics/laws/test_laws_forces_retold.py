"""Forces do not care how a mechanism is told: turned, reordered, backwards, in other formulas."""

import dataclasses
import random

import forces
import numpy as np
import oracle
import pytest
import retelling
import trees
from forces import values
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import by_articulated_bodies
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.state_rates import signals, state_rates
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.energy import energies
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree, unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.values.axes import axis_vector

ON_BODIES = (*forces.ON_BODIES, "wrench")


def turned(made, G):
    """The model with the whole world moved and turned by G, gravity with it."""

    def place(end):
        if made.frame(end)[0] != "world":
            return end
        return hs.End("world", retelling.frame_of(G @ oracle.placed(made, made.frame(end)[1])))

    def change(fact):
        if isinstance(fact, hs.Contact):
            return dataclasses.replace(fact, first=side(fact.first), second=side(fact.second))
        if isinstance(fact, hs.Wrench):
            return dataclasses.replace(fact, **pushes(fact))
        if hasattr(fact, "first"):
            return dataclasses.replace(fact, first=place(fact.first), second=place(fact.second))
        return fact

    def side(x):
        return hs.Surface(place(x.on), x.shape) if isinstance(x, hs.Surface) else place(x)

    def pushes(wrench):
        fields = ("force", "moment") if wrench.axes == "world" else ()
        return {name: turning(getattr(wrench, name)) for name in fields}

    def turning(vector):
        def at(t):
            given = vector(t) if callable(vector) else [told(x, t) for x in vector]
            return [sum(float(r) * x for r, x in zip(row, given, strict=True)) for row in G[:3, :3]]

        return at

    def told(x, t):
        return x.value({**made.parameters, "t": t}) if isinstance(x, hs.Formula) else x

    gravity = G[:3, :3] @ np.array(made.gravity)
    return hs.Model([change(f) for f in made.facts], gravity=gravity, parameters=made.parameters)


@pytest.mark.parametrize("chunk", range(2))
def test_the_world_may_be_turned(chunk):
    for seed in range(chunk * 12, chunk * 12 + 12):
        draw = random.Random(seed)
        made = forces.model(draw)
        if not made.speeds:
            continue
        G = retelling.Told(made, draw).place()
        known = forces.known(made, draw, 2)
        found = values(state_rates(made), known)
        other = values(state_rates(turned(made, G)), known)
        for name in found._fields:
            a, b = getattr(found, name), getattr(other, name)
            close(a, b, found.a, gate=1e-9)


@pytest.mark.parametrize("chunk", range(2))
def test_bodies_and_joints_may_be_told_otherwise(chunk):
    """One body as two, joints backwards, massless bodies added, facts shuffled."""
    ways = (retelling.halved, retelling.backwards, retelling.adorned, retelling.shuffled)
    for seed in range(chunk * 12, chunk * 12 + 12):
        draw = random.Random(seed)
        made = forces.model(draw, kinds=ON_BODIES)
        if not made.speeds:
            continue
        told = retelling.retold(made, draw, ways)
        other = told.model()
        known = forces.known(made, draw, 2)
        tau = values(hs.inverse_dynamics(made), known)
        # states of laws stand in another order now
        names, states = (
            states_of(other),
            dict(zip(states_of(made), known.get("z", known["q"]).T, strict=False)),
        )
        there = {**known, "q": told.arranged(other, known["q"], "coordinates")}
        there |= {name: told.arranged(other, known[name]) for name in ("v", "a")}
        if names:
            there["z"] = np.stack([states[name] for name in names], -1)
        found = values(hs.inverse_dynamics(other), there)
        close(found, told.arranged(other, tau), gate=1e-10)


def states_of(made):
    posed = posed_tree(made)
    return list(AppliedForces(posed, posed.symbols("v")).states)


@pytest.mark.parametrize("chunk", range(2))
def test_all_forms_agree(chunk):
    """Condensed or not, lumped or not: the same efforts, accelerations, energies and losses."""
    for seed in range(chunk * 8, chunk * 8 + 8):
        draw = random.Random(seed)
        tree = trees.planar(draw) if seed % 4 else trees.model(draw, most=5)
        if not tree.speeds:
            continue
        made = forces.added(tree, draw, 4)
        known = forces.known(made, draw, 2)
        plain = posed_tree(made)
        forms = [plain, Tree(plain.links, condensed=True), unlumped_tree(made)]
        found = [values(written(form), known) for form in forms]
        for other in found[1:]:
            for x, y in zip(other, found[0], strict=True):
                close(x, y, gate=1e-9)


def written(tree):
    """A Function of all that forces do on a tree."""
    v, tau, a = tree.symbols("v"), tree.symbols("tau"), tree.symbols("a")
    applied = AppliedForces(tree, v)
    outputs = {
        "needed": efforts(tree, v, a, True, applied),
        "found": by_articulated_bodies(tree, v, tau, True, applied),
        "energies": list(energies(tree, v, applied)),
        "loss": applied.loss,
    }
    return applied.function("all", {"q": tree.q, "v": v, "tau": tau, "a": a}, outputs)


def test_reactions_carry_forces():
    """Along its axis a joint carries what its actuator gives, forces on bodies included."""
    checked = 0
    for seed in range(30):
        draw = random.Random(seed)
        made = forces.model(draw, kinds=ON_BODIES, losses=False)
        known = forces.known(made, draw, 2)
        if not made.speeds:
            continue
        tau = values(hs.inverse_dynamics(made, passive=False), known)
        for joint in made.moving:
            if isinstance(joint, hs.Revolute | hs.Prismatic):
                wrench = values(hs.reaction(made, joint.name), known)
                part = wrench[:, :3] if isinstance(joint, hs.Revolute) else wrench[:, 3:]
                slot = made.speeds.index(f"{joint.name}.v")
                armature = made.value(joint.armature) * known["a"][:, slot]
                carried = part @ np.array(axis_vector(joint.axis)) + armature
                close(carried, tau[:, slot], wrench, gate=1e-10)
                checked += 1
    assert checked > 20


def test_signals_are_what_acts():
    """A spring's tension is its law's, at the length that its ends are apart."""
    for seed in range(10):
        draw = random.Random(seed)
        made = forces.model(draw, kinds=("spring",), formulas=0.0)
        if not made.speeds or not made.forces:
            continue
        known = forces.known(made, draw, 3)
        names = [port.name for port in signals(made).outputs]
        found = dict(zip(names, values(signals(made), known), strict=True))
        placed = oracle.Motion(made, known["q"], known["v"])
        for name, spring in made.forces.items():
            p, u = zip(*(point(made, placed, end) for end in (spring.first, spring.second)), strict=True)
            d, moving = p[1] - p[0], u[1] - u[0]
            length = np.linalg.norm(d, axis=-1)
            rate = (d * moving).sum(-1) / length
            close(found[f"{name}.length"], length, gate=1e-10)
            k, c, rest = (made.value(getattr(spring, n)) for n in ("stiffness", "damping", "length"))
            tension = k * (length - rest) + c * rate
            close(found[f"{name}.force"], tension, gate=1e-10)


def point(made, moved, end):
    """Where an end is, and how fast it moves."""
    body, frame = made.frame(end)
    at = oracle.placed(made, frame)[:, 3]
    count = len(moved.q)
    if body == "world":
        return np.tile(at[:3], (count, 1)), np.zeros((count, 3))
    return (moved.H[body] @ at)[:, :3], (moved.dH[body] @ at)[:, :3]
