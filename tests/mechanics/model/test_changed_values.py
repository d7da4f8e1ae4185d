"""Values of parameters that a run is given: checked as the Model checks its own numbers."""

import dataclasses

import pytest
from model_samples import models

import hapsis as hs
from hapsis.mechanics.model.checks.changed_values import check_values, with_values

ARM = hs.Model(
    hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
    hs.Revolute("j", hs.WORLD, "a", axis="y", damping=0.1),
    hs.JointSpring("s", "j", stiffness="k", damping=0.3),
    parameters={"k": 20.0, "unused": 1.0},
)
WRONG = [
    {"a.mass": -1.0},
    {"a.inertia.yy": -5.0},
    {"a.inertia.zz": 5.0},
    {"k": -1.0},
    {"s.damping": -0.1},
    {"j.damping": -0.1},
    {"a.mass": float("nan")},
    {"a.mass": "heavy"},
    {"a.mass": None},
    {"nothing": 1.0},
    {3: 1.0},
    "a.mass",
    5,
]
VERBS = {
    "simulate": lambda p: hs.simulate(ARM, until=0.01, parameters=p),
    "equilibrium": lambda p: hs.equilibrium(ARM, parameters=p),
    "linearize": lambda p: hs.linearize(ARM, parameters=p),
    "modes": lambda p: hs.modes(ARM, parameters=p),
    "follow": lambda p: hs.follow(ARM, {"j": lambda t: 0.1 * hs.sin(t)}, until=0.1, parameters=p),
    "sensitivities": lambda p: hs.sensitivities(ARM, until=0.01, to=["s.damping"], parameters=p),
    "gradient": lambda p: hs.gradient(
        ARM, until=0.01, to=["s.damping"], loss=lambda s: s["j"] ** 2, parameters=p
    ),
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_refuses_what_the_model_refuses(verb):
    for parameters in WRONG:
        with pytest.raises(hs.ModelError) as error:
            VERBS[verb](parameters)
        assert "\n" not in str(error.value)
    VERBS[verb]({"a.mass": 2.0, "k": 30.0})


def test_the_error_is_that_of_the_model():
    with pytest.raises(hs.ModelError) as there:
        ARM.replace("a", mass=-1.0)
    with pytest.raises(hs.ModelError) as here:
        hs.simulate(ARM, until=0.1, parameters={"a.mass": -1.0})
    assert str(here.value) == str(there.value)


def test_numbers_that_are_not_physical_are_kept_where_the_model_keeps_them():
    model = hs.Model(ARM, physical=False)
    check_values(model, {"a.mass": -1.0, "a.inertia.zz": 5.0, "k": -1.0})


@pytest.mark.parametrize("name", [n for n in models() if n != "constraints"])
def test_every_number_with_a_range_is_checked(name):
    """A number whose field cannot be negative is refused, whatever the fact; all others are accepted."""
    model = models()[name]
    names = {n for f in (hs.inverse_dynamics, hs.energy) for n in f(model).parameters}
    refused = set()
    for parameter in sorted(names):
        value = model.parameters.get(parameter, 1.0)
        try:
            check_values(model, {parameter: -abs(value)})
        except hs.ModelError as error:
            refused.add(parameter)
            assert "\n" not in str(error)
    words = ("mass", "stiffness", "damping", "radius", "coulomb", "viscous", "mu")
    assert {n for n in names if n.rpartition(".")[2] in words and not _of_law(model, n)} <= refused
    for parameter in names - refused - {"l", "k"}:
        assert with_values(model, {parameter: -1.0}) is not None or _of_contact(model, parameter)


def _of_law(model, name):
    """Whether a parameter belongs to a law that the user wrote: any number is possible there."""
    for fact in model.facts:
        for field in ("law", "friction", "surface"):
            law = getattr(fact, field, None)
            if type(law).__name__ == "Law" and name in {f"{fact.name}.{n}" for n in law.fields}:
                return True
    return False


def _of_contact(model, name):
    """Whether it is a number of a shape of a body that a contact uses, which has no name of its own."""
    return any(name.startswith(f"{c.name}.") for c in model.contacts.values())


def test_the_check_looks_only_at_what_changes():
    bodies = [hs.Body(f"b{k}", mass=1.0, inertia=(1, 1, 1)) for k in range(3)]
    joints = [hs.Free(f"f{k}", hs.WORLD, f"b{k}") for k in range(3)]
    model = hs.Model(bodies, joints)
    broken = dataclasses.replace(model.bodies["b2"])
    object.__setattr__(broken, "mass", -1.0)  # a fact that no check would let pass
    model.__dict__["facts"] = (*model.facts[:2], broken, *model.facts[3:])
    check_values(model, {"b0.mass": 2.0})
    with pytest.raises(hs.ModelError):
        check_values(model, {"b2.com.x": 1.0})
