"""The laws of forces and contacts, on random trees with random forces of every kind.

Contacts have kinks where they begin; a random state is never on one of them.
"""

import random

import forces
import numpy as np
import oracle
import pytest
import trees
from forces import values
from hypothesis import given, settings
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.canonical import canonical
from hapsis.mechanics.formalisms.dynamics.state_rates import signals, state_rates
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.forces.force import Force

EXACT = 1e-9  # what differentiation and a few hundred operations may lose, scaled


def each(seeds, make=forces.model, count=3):
    """Models that can move, with states; what fails says its seed."""
    for seed in seeds:
        made = make(seed)
        if made.speeds:
            try:
                yield made, forces.known(made, random.Random(seed), count)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}") from error


def along(function, known, found):
    """How the outputs of a Function change along the motion."""
    moving = {"q": found.dq, "v": found.a, "z": getattr(found, "dz", None), "t": 1 + 0 * known["t"]}
    by = [port.name for port in function.inputs if port.name in moving]
    return values(function.jvp(*by), known, **{f"d_{name}": moving[name] for name in by})


def conditioned(made, known):
    return max(1.0, trees.condition(oracle.Motion(made, known["q"]).mass_matrix()).max() / 30)


def test_every_kind_is_drawn():
    """Else the laws below would say nothing about it."""
    drawn = set()
    for seed in range(120):
        made = forces.model(seed)
        drawn |= {type(fact) for fact in (*made.forces.values(), *made.contacts.values())}
        for contact in made.contacts.values():
            drawn |= {type(contact.normal_law), type(contact.friction_law)}
    known = [getattr(hs, name) for name in hs.__all__ if isinstance(getattr(hs, name), type)]
    kinds = {kind for kind in known if issubclass(kind, Force | ContactLaw)}
    assert len(kinds) >= 14
    assert kinds | {hs.Contact, type(None)} <= drawn


def check_power(made, known):
    """Energy changes by what efforts give less what forces take, and by nothing else."""
    found = values(state_rates(made), known)
    rates = along(signals(made), known, found)
    power = (known["tau"] * known["v"]).sum(-1)
    gate = EXACT * conditioned(made, known)
    close(
        rates.d_kinetic + rates.d_potential,
        power - found.loss,
        rates.d_kinetic,
        rates.d_potential,
        power,
        gate=gate,
    )


@pytest.mark.parametrize("chunk", range(5))
def test_power_balance(chunk):
    for made, known in each(range(chunk * 12, chunk * 12 + 12)):
        check_power(made, known)


@settings(max_examples=15, derandomize=True)
@given(forces.models(most=3, forces=3, kinds=[kind for kind in forces.KINDS if kind != "bushing"]))
def test_power_balance_of_small_models(given):
    """Small ones, which Hypothesis makes smaller where they fail.

    Without bushings: Hypothesis likes right angles, and half a turn is beyond what they can bear.
    """
    made, draw = given
    if made.speeds:
        check_power(made, forces.known(made, draw, 2))


@pytest.mark.parametrize("chunk", range(3))
def test_dynamics_with_forces(chunk):
    """Forward undoes inverse; M a + c = tau; M does not know of forces."""
    for made, known in each(range(100 + chunk * 12, 112 + chunk * 12)):
        tau = values(hs.inverse_dynamics(made), known)
        M, c = values(hs.mass_matrix(made), known), values(hs.bias(made), known)
        close(M, oracle.Motion(made, known["q"]).mass_matrix())
        close((M @ known["a"][..., None])[..., 0] + c, tau, c)
        a = values(hs.forward_dynamics(made), known, tau=tau)
        close(a, known["a"], gate=1e-11 * conditioned(made, known) * max(1.0, np.abs(tau).max()))
        # what damping and dry friction of joints add is all that `passive` leaves out
        loss = values(hs.bias(made), known) - values(hs.bias(made, passive=False), known)
        moving = oracle.Motion(made, known["q"], known["v"])
        v = known["v"]
        close(loss, moving.of_speeds("damping") * v + moving.of_speeds("friction") * np.sign(v), c)


@pytest.mark.parametrize("of", ["inverse_dynamics", "forward_dynamics"])
@pytest.mark.parametrize("chunk", range(2))
def test_derivatives_with_forces(chunk, of):
    """By positions along each speed and by speeds: those of the formulas."""
    third = {"inverse_dynamics": "a", "forward_dynamics": "tau"}[of]
    for made, known in each(range(200 + chunk * 7, 207 + chunk * 7), count=1):
        n = len(made.speeds)
        found = values(hs.derivatives(made, of=of), known)
        f = getattr(hs, of)(made)
        many = {name: np.repeat(x, n, axis=0) for name, x in known.items() if name != "numbers"}
        many["numbers"] = known["numbers"]
        turning = oracle.rates(made, many["q"], np.eye(n))
        gate = 1e-10 * conditioned(made, known) ** 2
        for by, direction, output in zip(
            ("q", "v", third), (turning, np.eye(n), np.eye(n)), found, strict=True
        ):
            close(values(f.jvp(by), many, **{f"d_{by}": direction}).T, output[0], gate=gate)


def test_derivatives_against_differences():
    """Of forces that are smooth, by differences of the sixth order."""
    smooth = ("spring", "link", "bushing", "joint_spring", "joint_force", "wrench", "friction")
    for seed in range(12):
        draw = random.Random(seed)
        made = forces.model(draw, most=3, kinds=smooth, losses=False)
        if not made.speeds:
            continue
        known = forces.known(made, draw, 1)
        n, h = len(made.speeds), 1e-3
        found = values(hs.derivatives(made), known)
        f = hs.inverse_dynamics(made)
        many = {name: np.repeat(x, 7 * n, axis=0) for name, x in known.items() if name != "numbers"}
        directions = np.repeat(np.eye(n), 7, axis=0)
        steps = h * np.tile(trees.STENCIL, n)[:, None]
        turning = oracle.rates(made, many["q"], directions)
        for by, way, output in (("q", turning, found[0]), ("v", directions, found[1])):
            out = values(f, many, **{by: many[by] + steps * way}).reshape(n, 7, n)
            differences = np.einsum("t,jtk->kj", trees.WEIGHTS, out) / h
            close(differences, output[0], out, gate=1e-7)


@pytest.mark.parametrize("chunk", range(3))
def test_action_is_reaction(chunk):
    """Bodies that only act on each other keep their momentum, linear and angular."""
    for made, known in each(range(chunk * 10, chunk * 10 + 10), forces.floating, count=2):
        known["tau"] *= 0.0
        found = values(state_rates(made), known)
        momentum = hs.momentum(made)
        rate = values(momentum.jvp("q", "v"), known, d_q=found.dq, d_v=found.a)
        M = oracle.Motion(made, known["q"]).mass_matrix()
        scale = np.abs(M @ found.a[..., None]).max()
        close(rate, 0.0 * rate, values(momentum, known), [scale], gate=1e-10)


@pytest.mark.parametrize("chunk", range(2))
def test_conservative_forces_are_gradients(chunk):
    """At rest the bias is the gradient of the potential along each speed."""
    for seed in range(chunk * 10, chunk * 10 + 10):
        draw = random.Random(seed)
        made = forces.model(draw, kinds=forces.CONSERVATIVE)
        if not made.speeds or not made.forces:
            continue
        known = forces.known(made, draw, 1)
        n = len(made.speeds)
        known["v"] *= 0.0
        c = values(hs.bias(made), known)[0]
        energy = hs.energy(made)
        many = {name: np.repeat(x, n, axis=0) for name, x in known.items() if name != "numbers"}
        turning = oracle.rates(made, many["q"], np.eye(n))
        slope = values(energy.jvp("q"), many, d_q=turning)
        close(slope.d_potential, c, values(energy, known).potential, gate=1e-10)
        assert not slope.d_kinetic.any()


@pytest.mark.parametrize("chunk", range(3))
def test_canonical_equations(chunk):
    """With p = M v: the same speeds and rates, and ṗ = M a + Ṁ v."""
    for made, known in each(range(300 + chunk * 8, 308 + chunk * 8), count=2):
        found = values(state_rates(made), known)
        mass = hs.mass_matrix(made)
        M, changing = values(mass, known), values(mass.jvp("q"), known, d_q=found.dq)
        p = (M @ known["v"][..., None])[..., 0]
        dp = (M @ found.a[..., None] + changing @ known["v"][..., None])[..., 0]
        other = values(canonical(made), known, momenta=p)
        gate = 1e-10 * conditioned(made, known)
        close(other.v, known["v"], gate=gate)
        close(other.dq, found.dq, gate=gate)
        close(other.dp, dp, M @ found.a[..., None], gate=10 * gate)
        close(other.loss, found.loss, dp, gate=10 * gate)
        if "dz" in found._fields:
            close(other.dz, found.dz, gate=gate)


def test_power_of_odd_friction():
    """A law of friction with states of its own, that also pushes across the surface."""

    def odd(normal, slip, heat=forces.HELD):
        return [-normal * hs.tanh(x) * (1.0 + heat * heat) for x in slip], {"heat": normal - heat}

    made = hs.Model(
        hs.Body("b", 1.0, inertia=(1, 2, 2.5)),
        hs.Free("j", hs.WORLD, "b"),
        hs.Contact("c", ("b", hs.Sphere(1.5)), hs.WORLD.plane((1, 1, 2)), forces.rubber, odd),
    )
    known = forces.known(made, random.Random(4), 8)
    found = values(state_rates(made), known)
    assert found.dz.shape == (8, 2)
    rates = along(signals(made), known, found)
    power = (known["tau"] * known["v"]).sum(-1)
    close(rates.d_kinetic + rates.d_potential, power - found.loss, power)


def test_law_and_friction_with_one_state():
    """Two states of one name would be one."""

    def sticky(normal, slip, set_in=forces.SOFT):
        return [-x for x in slip], {"set_in": normal}

    made = hs.Model(
        hs.Body("b", 1.0),
        hs.Prismatic("j", hs.WORLD, "b", axis="z"),
        hs.Contact("c", "b", hs.WORLD.plane(), forces.rubber, sticky),
    )
    with pytest.raises(hs.ModelError, match=r'contact "c": law and friction both have.*"set_in"'):
        state_rates(made)


def test_laws_of_many_contacts_know_the_time():
    """Pairs that could share a kernel are written out where their law asks for the time."""

    def pulsing(gap, rate, t):
        return hs.maximum(-gap, 0.0) * (2.0 + hs.sin(t))

    bodies = [hs.Body(f"b{k}", 1.0) for k in range(6)]
    joints = [hs.Prismatic(f"j{k}", hs.WORLD, f"b{k}", axis="z") for k in range(6)]
    contacts = [hs.Contact(f"c{k}", f"b{k}", hs.WORLD.plane(), pulsing) for k in range(6)]
    made = hs.Model(bodies, joints, contacts, gravity=(0, 0, 0))
    known = forces.known(made, random.Random(1), 5)
    known["tau"] *= 0.0
    depth = np.maximum(-known["q"], 0.0)
    close(values(state_rates(made), known).a, depth * (2.0 + np.sin(known["t"]))[:, None])
