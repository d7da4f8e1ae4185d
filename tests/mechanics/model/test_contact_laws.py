"""Laws of contacts against closed forms, and laws of users against their mistakes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from hapsis import Function, abs, compile, symbol, symbols, where
from hapsis.errors import ModelError
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.felt import Felt
from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.laws import Law, LawState, law
from hapsis.mechanics.model.values.formula import Formula
from hapsis.mechanics.model.values.readings import Readings

gaps = st.floats(-0.1, 0.1, allow_subnormal=False)
rates = st.floats(-5, 5, allow_subnormal=False)
NORMAL = [Linear(100, 5), HuntCrossley(1e5, damping=0.4), HuntCrossley(1e5, restitution=0.3)]


def bounce(normal, speed, mass=1.0):
    """Speed after an impact over the speed before it, by integration; and the whole of it."""
    g, r, z = symbol("g"), symbol("r"), symbols("z", 1)
    states = dict.fromkeys(normal.states, z[0])
    force, rates = normal.evaluate(normal.fields, (g, r), states)
    y = [g, r, z[0]]
    rate = compile(Function("f", {"y": y}, {"d": [r, force / mass, rates.get("memory", 0.0)]}))

    def free(t, y):
        return y[0] - 1e-12

    free.terminal, free.direction = True, 1  # pyright: ignore
    done = solve_ivp(
        lambda t, y: rate(y),
        (0, 10),
        [0.0, -speed, 0.0],
        "DOP853",
        events=free,
        rtol=1e-9,
        atol=1e-14,
        max_step=2e-3 / speed,
        first_step=1e-6,
    )
    return done.y[1, -1] / speed, done


@given(st.sampled_from(NORMAL), gaps, rates)
def test_contacts_push_and_only_where_they_touch(normal, gap, rate):
    force = normal(gap, rate)
    assert force >= 0.0 and (gap < 0.0 or force == 0.0)


@given(gaps, rates)
def test_expressions_give_the_same_forces(gap, rate):
    for normal, f in zip(NORMAL, _compiled(), strict=True):
        assert f(gap, rate) == pytest.approx(normal(gap, rate), rel=1e-13)


def _compiled(made=[]):  # noqa: B006
    if not made:
        g, r = symbol("g"), symbol("r")
        made += [compile(Function("f", {"g": g, "r": r}, {"F": n(g, r)})) for n in NORMAL]
    return made


def test_a_linear_contact_that_never_pulls_has_its_restitution():
    """m = 1, k = 100, c = 5, left when the force is zero, before the depth is."""
    zeta = 5 / (2 * math.sqrt(100))
    s = math.sqrt(1 - zeta * zeta)
    expected = math.exp(-zeta / s * math.acos(2 * zeta * zeta - 1))
    assert expected == pytest.approx(0.5062765525, abs=1e-10)
    assert bounce(Linear(100, 5), 1.0)[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("e", [0.1, 0.5, 0.9, 0.99, 1.0])
@pytest.mark.parametrize("power", [1.0, 1.5, 2.5])
def test_hunt_crossley_returns_what_was_asked(e, power):
    normal = HuntCrossley(1e4, power, restitution=e, speed=0.7)
    assert bounce(normal, 0.7, mass=2.3)[0] == pytest.approx(e, abs=1e-6)


def test_the_damping_of_a_restitution_is_smooth_up_to_one():
    found = [HuntCrossley(restitution=1 - d).fields["damping"] for d in (1.01e-4, 0.99e-4, 1e-9)]
    for damping, d in zip(found, (1.01e-4, 0.99e-4, 1e-9), strict=True):
        assert damping == pytest.approx(1.5 * d * (1 + d), rel=1e-6)


def test_stored_energy_is_the_work_of_slow_compression():
    for normal in (Linear(100), HuntCrossley(1e5, 1.7)):
        x = np.linspace(0, 0.02, 2001)
        work = np.trapezoid([normal(-d, 0.0) for d in x], x)
        assert normal.stored(normal.fields, -0.02) == pytest.approx(work, rel=1e-5)
        assert normal.stored(normal.fields, 0.01) == 0.0
    assert Felt(1).stored({}, -1.0) is None


def test_felt_relaxes_as_its_memory_says():
    """Held at a depth: F = k d^p (1 - eps (1 - exp(-t/tau))); slowly it is softer by 1 - eps."""
    k, p, eps, tau, d = 2e8, 2.3, 0.6, 2e-4, 1e-3
    felt = Felt(k, p, eps, tau)
    t = np.linspace(0, 5 * tau, 6)
    done = solve_ivp(
        lambda _, h: [felt(-d, 0.0, memory=h[0])[1]["memory"]],
        (0, t[-1]),
        [0.0],
        t_eval=t,
        rtol=1e-10,
        atol=1e-16,
    )
    found = [felt(-d, 0.0, memory=h)[0] for h in done.y[0]]
    np.testing.assert_allclose(found, k * d**p * (1 - eps * (1 - np.exp(-t / tau))), rtol=1e-8)
    assert bounce(Felt(4.5e9, 2.5, 0.4, 1e-4), 1.0, 3e-3)[0] < 0.99
    assert bounce(Felt(4.5e9, 2.5), 1.0, 3e-3)[0] == pytest.approx(1.0, abs=1e-6)


def test_the_hammer_of_the_design():
    """v = 1 m/s, 2.97 g on 4.5e9 N/m^2.5: .3884 mm and 13.381 N."""
    _, done = bounce(Felt(4.5e9, 2.5), 1.0, 2.97e-3)
    depth = -done.y[0].min()  # of the steps
    exact = (3.5 * 2.97e-3 / (2 * 4.5e9)) ** (1 / 3.5)
    assert depth == pytest.approx(exact, rel=3e-3) and round(exact * 1e3, 4) == 0.3884
    assert Felt(4.5e9)(-exact, 0.0)[0] == pytest.approx(13.381, abs=2e-3)


directions = st.tuples(rates, rates, rates)


def sizes(most):
    """Zero, or what is no rounding."""
    return st.just(0.0) | st.floats(1e-9, most)


@given(directions, sizes(100.0), sizes(1.0), st.booleans())
def test_friction_is_against_the_slip_and_never_more_than_it_may(slip, normal, mu, sticky):
    friction = Coulomb(mu, 1.5 * mu if sticky else None)
    force, speed = np.array(friction(normal, slip)), np.linalg.norm(slip)
    assert np.dot(force, slip) <= 0.0
    np.testing.assert_allclose(np.cross(force, slip), 0.0, atol=1e-9 * (1 + normal * speed))
    size = math.hypot(*force)
    assert size <= mu * normal * (1.5 if sticky else 1.0) * (1 + 1e-12)
    np.testing.assert_allclose(friction(normal, tuple(-x for x in slip)), -force)
    if speed > 10.0 * 1e-3:
        assert size == pytest.approx(mu * normal, rel=1e-12)


@pytest.mark.parametrize("friction", [Coulomb(0.5), Coulomb(0.5, 0.8, speed=0.01)])
def test_friction_is_smooth_everywhere(friction):
    """C1: slopes on both sides of every seam agree, and the one at rest is finite."""
    v = symbols("v", 3)
    f = Function("f", {"v": v}, {"F": list(friction(2.0, tuple(v)))})
    slope = compile(f.jacobian("F", "v"))
    speed = friction.speed
    for seam in (0.0, speed, 10 * speed):
        below, above = (slope([seam + d, 0.0, 0.0]) for d in (-1e-9 * speed, 1e-9 * speed))
        np.testing.assert_allclose(below, above, atol=1e-5 * abs(slope(np.zeros(3))).max())
    assert slope(np.zeros(3))[0, 0] == pytest.approx(-1.5 * 2.0 * (friction.static or friction.mu) / speed)
    top = friction(2.0, (speed, 0.0, 0.0))
    assert top == pytest.approx((-2.0 * (friction.static or friction.mu), 0.0, 0.0))


def test_derivatives_by_every_number_are_finite_out_of_contact():
    for normal in (Linear(10, 1), HuntCrossley(10, 1.5, 0.1), Felt(10, 2.5, 0.1, 1e-3)):
        names = list(normal.fields)
        k, g, z = symbols("k", len(names)), symbol("g"), symbol("z")
        states = dict.fromkeys(normal.states, z)
        force, _ = normal.evaluate(dict(zip(names, k, strict=True)), (g, 0.3), states)
        f = Function("f", {"k": k, "g": g, "z": z}, {"F": force})
        for gap in (0.0, 0.1, -1e-300, -0.1):
            for by in ("k", "g"):
                found = compile(f.jacobian("F", by))(list(normal.fields.values()), gap, 0.0)
                assert np.isfinite(found).all()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Linear(0), "stiffness cannot be negative or zero"),
        (lambda: Linear(1, -1), "damping cannot be negative"),
        (lambda: HuntCrossley(1, restitution=0), "more than 0 and at most 1"),
        (lambda: HuntCrossley(1, restitution=0.5, damping=1), "both given"),
        (lambda: HuntCrossley(1, restitution="e"), "must be a number"),
        (lambda: Felt(1, hysteresis=1), "less than 1"),
        (lambda: Coulomb(0.5, 0.4), "cannot be less than mu"),
        (lambda: Coulomb(0.5, speed=0), "speed cannot be"),
        (lambda: Linear("k")(-1.0, 0.0), "only a model knows"),
        (lambda: Linear(math.nan), "law Linear: stiffness must be finite"),
    ],
)
def test_numbers_that_cannot_be(make, said):
    with pytest.raises(ModelError, match=said):
        make()


# laws of users


REST, STATE = LawState(0.5), LawState()


@law
def spring(length, rate, stiffness=10.0, damping=2, rest=REST):
    return stiffness * (length - rest) + damping * rate, {"rest": length - rest}


def test_a_law_knows_its_inputs_numbers_and_states():
    assert spring.inputs == ("length", "rate") and dict(spring.states) == {"rest": 0.5}
    assert dict(spring.fields) == {"stiffness": 10.0, "damping": 2.0}
    assert spring(1.0, 0.5) == (6.0, {"rest": 0.5}) and spring(1.0, 0.5, rest=0.0)[0] == 11.0
    softer = spring.using(stiffness="k / 2", rest=0.0)
    assert softer.fields["stiffness"] == Formula("k / 2") and softer.states["rest"] == 0.0
    assert softer == spring.using(rest=0, stiffness=Formula("k / 2")) and softer != spring
    force, rates = softer.evaluate({"stiffness": 3.0, "damping": 0.0}, (2.0, 0.0), {"rest": 1.0})
    assert force == 3.0 and rates == {"rest": 1.0}


def test_time_is_given_where_it_is_asked_for():
    pushed = law(lambda gap, t, rate, size=2.0: size * t + gap + rate)
    assert pushed.inputs == ("gap", "rate")
    assert pushed.evaluate({"size": 3.0}, (1.0, 10.0), {}, Readings((), None, lambda: 5.0)) == (26.0, {})
    asked = []
    law(lambda gap, rate: gap).evaluate({}, (1.0, 2.0), {}, lambda: asked.append(1))
    assert asked == []  # a law without time makes no model depend on it


def test_a_law_is_traced_and_differentiated():
    felt = law(lambda gap, rate, k=4.5e9, p=2.5: where(gap < 0, k * abs(gap) ** p, 0.0))
    g = symbol("g")
    f = Function("f", {"g": g}, {"F": felt(g, 0.0)})
    assert compile(f)(-1e-3) == pytest.approx(4.5e9 * 1e-3**2.5)
    assert compile(f.jacobian("F", "g"))(-1e-3) == pytest.approx(-2.5 * 4.5e9 * 1e-3**1.5)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: law(3), "must be a function, not a int"),
        (lambda: law(max), "has no readable signature"),
        (lambda: law(lambda *gaps: 0.0), r"no \* and no \*\*"),
        (lambda: law(lambda gap, /, k=1.0, **more: 0.0), r"no \* and no \*\*"),
        (lambda: law(lambda gap, k="stiff": 0.0), "hs.LawState"),
        (lambda: law(lambda gap, k=math.inf: 0.0), "finite"),
        (lambda: law(lambda gap, t=0.0: 0.0), "is the time"),
        (lambda: law(lambda gap, *, k: 0.0), "needs a number"),
        (lambda: LawState("x"), "must be a number"),
        (lambda: spring.using(stifness=1), 'did you mean "stiffness"'),
        (lambda: spring(1.0, 0.0, stifness=1), 'did you mean "stiffness"'),
        (lambda: spring.using(stiffness="k")(1.0, 0.0), 'is the formula "k"'),
        (lambda: spring.evaluate({}, (1.0,), {}), "is given 1 inputs and takes 2"),
        (lambda: _given(lambda x, s=STATE: x), r"must return \(result, \{state: rate\}\)"),
        (lambda: _given(lambda x, s=STATE: (x, {})), 'no rate of its state "s"'),
        (lambda: _given(lambda x, s=STATE: (x, {"s": 0, "u": 1})), "which is no state"),
        (lambda: _given(lambda x: (x, {"u": 1})), "which is no state"),
        (lambda: _given(lambda x: None), "returns nothing"),
    ],
)
def test_mistakes_in_laws_are_told(make, said):
    with pytest.raises(ModelError, match=said):
        make()


def _given(function):
    made = Law(function)
    return made.evaluate(made.fields, (1.0,), made.states)
