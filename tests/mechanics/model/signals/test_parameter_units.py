"""Units of parameters follow the thing they belong to and its axis."""

import pytest

import hapsis as hs
from hapsis.mechanics.model.signals.parameter_units import parameter_units

BODY = hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
JOINTS = {
    "m": hs.Prismatic("j", hs.WORLD, "arm", axis="x", damping=0.1, armature=0.1),
    "rad": hs.Revolute("j", hs.WORLD, "arm", axis="y", damping=0.1, armature=0.1),
}


@pytest.mark.parametrize("kind", JOINTS)
def test_units_of_joints_and_what_acts_on_them_follow_the_axis(kind):
    spring = hs.JointSpring("s", "j", stiffness=2.0, damping=0.1)
    model = hs.Model(BODY, JOINTS[kind], spring, hs.Stop("stop", "j", stiffness=3.0, high=1.0))
    names = ["j.damping", "j.armature", "s.stiffness", "s.damping", "s.rest", "stop.stiffness", "stop.high"]
    effort, inertia = ("N", "kg") if kind == "m" else ("N m", "kg m²")
    expected = [f"{effort} s/{kind}", inertia, f"{effort}/{kind}", f"{effort} s/{kind}", kind]
    assert list(parameter_units(model, names).values()) == [*expected, f"{effort}/{kind}", kind]


def test_units_of_bodies_and_gravity_and_none_where_nobody_knows():
    model = hs.Model(BODY, JOINTS["m"])
    names = ["arm.mass", "arm.com.z", "arm.inertia.xx", "gravity.z", "free"]
    units = parameter_units(model, names)
    assert units == dict(zip(names[:4], ["kg", "m", "kg m²", "m/s²"], strict=True))
