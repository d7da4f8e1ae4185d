"""Stops with laws of contacts, and friction of joints without sticking."""

import pickle
import random

import forces
import numpy as np
import pytest
from forces import values
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.dynamics.state_rates import signals, state_rates


def swing(*facts, gravity=(0, 0, 0), **options):
    return hs.Model(
        hs.Body("b", mass=0.5, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01)),
        hs.Revolute("q", hs.WORLD, "b", axis="y"),
        *facts,
        gravity=gravity,
        **options,
    )


def tried(made, count=200):
    known = forces.known(made, random.Random(2), count)
    known["q"] *= 0.3
    return known, values(state_rates(made), known)


def test_a_linear_law_is_the_stop_itself():
    old = swing(hs.Stop("s", "q", 40.0, 2.0, low=-0.2, high=0.3))
    new = swing(hs.Stop("s", "q", low=-0.2, high=0.3, law=hs.Linear(40.0, 2.0)))
    known, found = tried(old)
    other = values(state_rates(new), known)
    close(found.a, other.a, gate=1e-14)
    close(found.loss, other.loss, gate=1e-14)
    energies = [values(signals(made), known) for made in (old, new)]
    close(energies[0].potential, energies[1].potential, gate=1e-14)


def test_powers_and_damping_are_those_of_the_law():
    """K dᵖ (1 + c ḋ), never less than zero, on both sides."""
    K, p, c = 60.0, 1.5, 0.4
    made = swing(hs.Stop("s", "q", low=-0.2, high=0.3, law=hs.HuntCrossley(K, p, c)))
    known, found = tried(made)
    q, v = known["q"][:, 0], known["v"][:, 0]
    low, high = np.maximum(-0.2 - q, 0.0), np.maximum(q - 0.3, 0.0)
    effort = K * low**p * np.maximum(1 - c * v, 0.0) - K * high**p * np.maximum(1 + c * v, 0.0)
    inertia = 0.01 + 0.5 * 0.1**2
    close(found.a[:, 0], (known["tau"][:, 0] + effort) / inertia, gate=1e-12)
    assert (found.loss >= 0.0).all() and ((low > 0) | (high > 0)).sum() > 20


@pytest.mark.parametrize("law", [hs.Felt(60.0, 2.0, 0.6, 0.2), forces.rubber], ids=["felt", "own"])
def test_each_side_has_its_memory(law):
    made = swing(hs.Stop("s", "q", low=-0.2, high=0.3, law=law))
    (state,) = law.states if isinstance(law, hs.Felt) else ("set_in",)
    assert list(extras(made).states) == [f"s.low.{state}", f"s.high.{state}"]
    known, found = tried(made)
    q, v = known["q"][:, 0], known["v"][:, 0]
    for k, (gap, rate) in enumerate(((q + 0.2, v), (0.3 - q, -v))):
        z = known["z"][:, k]
        rows = [law(g, r, **{state: h}) for g, r, h in zip(gap, rate, z, strict=True)]
        close(found.dz[:, k], [rates[state] for _, rates in rows], gate=1e-13)


def test_a_felt_stop_rests_on_its_slow_stiffness():
    """Pressed for long, the memory is dᵖ and the force (1 - ε) k dᵖ; it comes to rest there."""
    k, part = 400.0, 0.6
    stop = hs.Stop("s", "q", high=0.05, law=hs.Felt(k, 2.0, part, 0.01))
    made = swing(stop, hs.Friction("f", "q", 1e-9, viscous=0.2, smooth=0.1), gravity=(0, 0, -9.81))
    result = hs.simulate(made, until=6.0, every=0.5)
    q = result["q"][-1]
    assert result["s.high.memory"][-1] == pytest.approx((q - 0.05) ** 2, rel=1e-4)
    assert result["s.effort"][-1] == pytest.approx(-(1 - part) * k * (q - 0.05) ** 2, rel=1e-4)
    assert -result["s.effort"][-1] == pytest.approx(0.5 * 9.81 * 0.1 * np.cos(q), rel=1e-4)


def test_no_step_goes_through_a_stop_with_a_law():
    made = swing(hs.Stop("s", "q", high=0.5, law=hs.HuntCrossley(1e6, 1.5, 0.1)))
    for speed in (1.0, 100.0):
        result = hs.simulate(made, until=2.0 / speed, start={"q.v": speed})
        assert result["q"].max() < 0.55 and result["q.v"][-1] < 0.0


def test_smooth_friction():
    T, width, b = 0.7, 0.05, 0.1
    made = swing(hs.Friction("f", "q", T, viscous=b, smooth=width))
    assert not extras(made).states
    known, found = tried(made)
    v = known["v"][:, 0]
    effort = -T * np.tanh(v / width) - b * v
    close(found.a[:, 0], (known["tau"][:, 0] + effort) / 0.015, gate=1e-13)
    close(found.loss, -effort * v, gate=1e-13)


def test_parameters_of_a_run_change_the_law():
    made = swing(
        hs.Stop("s", "q", high=0.0, law=hs.HuntCrossley(10.0, 1.0)), hs.Friction("f", "q", 1.0, smooth=0.1)
    )
    result = hs.simulate(
        made, until=0.01, start={"q": 0.1}, parameters={"s.stiffness": 20.0, "f.smooth": 0.2}, every=0.01
    )
    assert result["s.effort"][0] == pytest.approx(-2.0)


def test_files_and_pickles_keep_them(tmp_path):
    made = swing(
        hs.Stop("a", "q", low=-1.0, law=hs.Felt("2 * k", 2.0, 0.3, 0.1)),
        hs.Stop("b", "q", low=-2.0, law=hs.HuntCrossley(60.0, 1.0, 0.05)),
        hs.Stop("c", "q", 5.0, 0.1, high=2.0),
        hs.Friction("f", "q", 0.3, smooth=0.05),
        parameters={"k": 3.0},
    )
    hs.save(made, tmp_path / "m.yaml")
    for other in (hs.load(tmp_path / "m.yaml"), pickle.loads(pickle.dumps(made))):
        assert other.forces == made.forces
    own = swing(hs.Stop("s", "q", low=-0.2, law=forces.rubber))
    assert pickle.loads(pickle.dumps(own)).forces["s"].law.states == {"set_in": 0.05}
    with pytest.raises(hs.ModelError, match='stop "s": law is Python code'):
        hs.save(own, tmp_path / "own.yaml")


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: hs.Stop("s", "q"), 'stop "s": neither of stiffness and law'),
        (lambda: hs.Stop("s", "q", 3.0, law=hs.Linear(1.0)), 'stop "s": both of stiffness and law'),
        (lambda: hs.Stop("s", "q", damping=3.0, law=hs.Linear(1.0)), "damping and law are both given"),
        (lambda: hs.Stop("s", "q", law=hs.Coulomb(0.3)), "law Coulomb is no law of a stop"),
        (lambda: hs.Stop("s", "q", law=lambda gap: gap), "takes 1 inputs"),
        (lambda: hs.Stop("s", "q", law=3.0), "must be a function"),
        (lambda: hs.Friction("f", "q", 1.0, 2.0, smooth=0.1), "smooth is given with static"),
        (lambda: hs.Friction("f", "q", 1.0, stick=1e-3, smooth=0.1), "smooth is given with static"),
        (lambda: swing(hs.Friction("f", "q", 1.0, smooth=0.0)), "smooth is 0; it must be positive"),
    ],
)
def test_wrong_ones_are_refused(make, message):
    with pytest.raises(hs.ModelError, match=message):
        make()
