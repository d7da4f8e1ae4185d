"""The law of units: in other units of length, mass and time every column changes as its unit says."""

import numpy as np
import pytest

import hapsis as hs
from tests.motion.similar_models import CLOSED, Units

ONE = Units()
OTHERS = [Units(4.0, 0.5, 1.0), Units(1.0, 8.0, 0.25), Units(0.125, 2.0, 2.0)]
POWERS = {  # of length, mass and time
    "1": (0, 0, 0),
    "rad": (0, 0, 0),
    "rad/s": (0, 0, -1),
    "rad/s²": (0, 0, -2),
    "s": (0, 0, 1),
    "m": (1, 0, 0),
    "m/s": (1, 0, -1),
    "m/s²": (1, 0, -2),
    "N": (1, 1, -2),
    "N m": (2, 1, -2),
    "J": (2, 1, -2),
}


def everything(u):
    """A tree with joints of all kinds, forces of all kinds and a contact."""
    k, c, torque = u.force / u.L, u.force * u.T / u.L, u.energy
    return hs.Model(
        u.body("a", tip=(0.2, 0.1, -0.3)),
        u.body("b", e=(0.3, 0, 0)),
        u.body("c", e=(0.1, 0.2, 0)),
        u.body("d", e=(0.2, 0, 0.1)),
        u.body("e"),
        hs.Free("base", hs.WORLD, "a"),
        hs.Ball("ball", "a.tip", "b"),
        hs.Cylindrical("slide", "b.e", "c", axis="x"),
        hs.Universal("cross", "c.e", "d"),
        hs.Chain("last", "d.e", "e", "Tx Ry"),
        hs.Spring("coil", hs.WORLD, "b.e", 10.0 * k, 1.0 * c, 0.1 * u.L),
        hs.JointSpring("hold", "slide.Tx", 30.0 * k, 1.0 * c),
        hs.JointSpring("turn", "cross.Rx", 3.0 * torque, 0.1 * torque * u.T),
        hs.Friction("rub", "cross.Ry", 0.1 * torque, stribeck=0.01 / u.T),
        hs.Stop("stop", "last.Tx", 100.0 * k, low=-0.001 * u.L, high=0.001 * u.L),
        hs.Tendon("cord", {"cross.Rx": 0.1 * u.L, "cross.Ry": 0.2 * u.L}, 20.0 * k, slack=False),
        hs.Bushing("mount", hs.WORLD, "e", (3.0 * torque,) * 3 + (50.0 * k,) * 3),
        hs.Wrench("push", "a", force=(0, 0, 3.0 * u.force), moment=(0, 0.1 * torque, 0)),
        hs.Controller("hand", lambda s: {"last.Ry": -0.2 * torque * s["last.Ry"], "last.Tx": 0.1 * u.force}),
        hs.Contact("foot", "a", hs.WORLD.plane(normal="z"), law=hs.Linear(1e3 * k)),
        hs.Drive("lift", "last.Tx", position=lambda t: 0.01 * u.L * hs.sin(t / u.T)),
        gravity=u.gravity,
        poses={"start": {"base.z": -0.001 * u.L, "base.wx": 0.3 / u.T, "base.vz": -0.2 * u.L / u.T}},
    )


def factors(unit, count, u):
    """What the numbers of a row are multiplied by; a wrench has three moments, then three forces."""
    halves = unit.split(", ")
    each = [halves[k * len(halves) // count] for k in range(count)]
    return np.array([u.L**a * u.M**b * u.T**c for a, b, c in (POWERS[x] for x in each)])


@pytest.mark.parametrize("make", [everything, *CLOSED.values()], ids=lambda f: f.__name__)
def test_every_column_changes_as_its_unit_says(make):
    first = hs.simulate(make(ONE), 0.02, method="rk4", step=0.001, every=0.01)
    assert set(first.units) >= {"t", *first.names}
    for u in OTHERS[:1] if make is everything else OTHERS:
        # the pose of a loop that is chosen among many depends on its size: the same one is given
        names = (*first.last.coordinates, *first.last.speeds)
        start = {n: first[n][0] * factors(first.units[n], 1, u)[0] for n in names}
        second = hs.simulate(make(u), 0.02 * u.T, start, method="rk4", step=0.001 * u.T, every=0.01 * u.T)
        assert dict(second.units) == dict(first.units)
        for name in ("t", *first.names):
            one = first[name].reshape(len(first.t), -1)
            two = second[name].reshape(len(first.t), -1)
            scale = factors(first.units[name], one.shape[1], u)
            wrong = np.abs(two / scale - one).max()
            assert wrong <= 1e-5 * np.abs(one).max() + 1e-9, (name, first.units[name], one[-1], two[-1])


def test_states_of_laws_have_no_unit():
    @hs.law
    def creep(position, speed, memory=hs.LawState(0.0)):
        return -position - memory, {"memory": speed - memory}

    model = hs.Model(hs.Body("b", mass=1.0), hs.Prismatic("x", hs.WORLD, "b"), hs.JointForce("f", "x", creep))
    result = hs.simulate(model, 0.1)
    assert set(result.names) - set(result.units) == {"f.memory"} and result.units["f.effort"] == "N"


def test_units_of_a_followed_motion():
    result = hs.follow(hs.library.slider_crank(), {"crank": lambda t: 3.0 * t}, 1.0)
    assert set(result.units) == {"t", *result.names}
    assert result.units["crank.effort"] == "N m" and result.units["pin.reaction"] == "N m, N"
