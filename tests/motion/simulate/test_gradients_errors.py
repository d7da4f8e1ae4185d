"""Derivatives of motions: names, refusals, and what comes back."""

import gradient_cases as cases
import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.simulate.equations.switches import switched
from hapsis.motion.simulate.gradient import gradient
from hapsis.motion.simulate.sensitivities import sensitivities


def ask(to, **more):
    model, _, start, until, _ = cases.pendulum()
    return sensitivities(model, until, to, start, every=until, **more)


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("hing.damping", 'did you mean "hinge.damping"'),
        ([], "names nothing"),
        (["m", "m"], 'names "m" twice'),
        (7, "to must be names"),
        ([7], "to must be names"),
        ("bob.com.y", "exactly zero"),
        ("hinge.effort", "no parameter, start or held input"),
    ],
)
def test_names_that_are_none(to, words):
    with pytest.raises(hs.ModelError, match=words):
        ask(to)


def test_a_function_of_time_has_no_values():
    with pytest.raises(hs.ModelError, match="function of t"):
        ask("hinge.effort", inputs={"hinge": lambda t: hs.sin(t)})


def test_a_name_that_is_both_must_say_which():
    model = hs.Model(
        hs.Body("bob", mass="x", com=(1, 0, 0)),
        hs.Revolute("x", hs.WORLD, "bob", axis="y", damping=0.1),
        parameters={"x": 2.0},
    )
    with pytest.raises(hs.ModelError, match="parameter:x"):
        sensitivities(model, 1.0, "x")
    both = sensitivities(model, 1.0, ("parameter:x", "start:x"), every=1.0)
    assert both["x", "start:x"][0] == 1.0 and both["x", "parameter:x"][0] == 0.0
    assert both["x", "parameter:x"][-1] != 0.0


def test_unknown_pairs_are_told():
    found = ask(("m", "L"))
    with pytest.raises(hs.ModelError, match='not differentiated by "mm"'):
        found["hinge", "mm"]
    with pytest.raises(hs.ModelError, match='no "hing"'):
        found["hing", "m"]
    with pytest.raises(hs.ModelError, match="two names"):
        found["hinge"]
    assert not found["hinge", "m"].flags.writeable
    assert "by m, L" in repr(found)


@pytest.mark.parametrize("method", ["stiff", "euler", "symplectic"])
def test_methods_without_derivatives(method):
    with pytest.raises(hs.SolveError, match="order8"):
        ask("m", method=method, **({} if method == "stiff" else {"step": 1e-3}))


def test_sampled_controllers_are_refused():
    model, _, start, _, _ = cases.pendulum()
    sampled = hs.Controller("hand", lambda s: {"hinge": 0.0}, rate=100.0, efforts=("hinge",))
    with pytest.raises(hs.ModelError, match="sampled controller"):
        sensitivities(model + sampled, 1.0, "m", start)


def test_losses_that_are_none():
    model, to, start, until, _ = cases.pendulum()
    with pytest.raises(hs.ModelError, match="a loss, a running loss, or both"):
        gradient(model, None, to, until, start)
    with pytest.raises(hs.ModelError, match="must give one number"):
        gradient(model, lambda s: "x", to, until, start)
    with pytest.raises(hs.ModelError, match='did you mean "hinge"'):
        gradient(model, lambda s: s["hinges"], to, until, start)
    with pytest.raises(hs.ModelError, match="must be later"):
        gradient(model, lambda s: s["hinge"], to, 0.0, start)
    found = gradient(model, lambda s: s.t * s["hinge"], "m", until, start)
    assert found.value == pytest.approx(until * found.last["hinge"]) and list(found) == ["m"]
    with pytest.raises(hs.ModelError, match="not differentiated"):
        found["L"]


def test_a_loss_may_depend_on_parameters_and_inputs_directly():
    model, _, start, until, _ = cases.pendulum()
    held = gradient(
        model, lambda s: s["hinge.effort"] ** 2, "hinge.effort", until, start, inputs={"hinge": 1.5}
    )
    assert held.value == 2.25 and held["hinge.effort"] == pytest.approx(3.0)


def test_a_step_that_is_too_long_is_refused():
    model, to, start, until, _ = cases.bouncing_ball()
    with pytest.raises(hs.SolveError, match="largest safe step"):
        sensitivities(model, until, to, start, step=0.1)
    with pytest.raises(hs.SolveError, match="largest safe step"):
        gradient(model, lambda s: s["z"], to, until, start, step=0.1)


def test_events_stop_and_are_told():
    model, _, start, until, _ = cases.bouncing_ball()
    low = hs.Event("low", lambda s: s["z"] - 0.2, falling=True, stop=True)
    found = sensitivities(model, until, "z", start, events=low, every=0.01)
    assert found.result.status == "event" and found.result.events[-1].name == "low"
    assert len(found["z", "z"]) == len(found.t) and found["z", "z"][-1] == pytest.approx(1.0)


def test_mapped_contacts_whose_force_jumps_are_refused():
    balls = [hs.Body(f"b{k}", mass=1.0) for k in range(5)]
    joints = [hs.Prismatic(f"z{k}", hs.WORLD.at(k, 0, 0), f"b{k}", axis="z") for k in range(5)]

    def model(law):
        plane = hs.WORLD.plane(normal="z")
        sides = [(f"c{k}", (f"b{k}", hs.Sphere(0.03))) for k in range(5)]
        floors = [hs.Contact(name, side, plane, law=law, mapped=True) for name, side in sides]
        return hs.Model(*balls, *joints, *floors)

    start = {f"z{k}": 0.1 + 0.01 * k for k in range(5)}
    with pytest.raises(hs.ModelError, match="begins with a jump"):
        sensitivities(model(hs.Linear(stiffness=1e4, damping=5.0)), 0.3, "z0", start)
    smooth = model(hs.HuntCrossley(stiffness=1e6, restitution=0.5))
    found = sensitivities(smooth, 0.3, ("z0", "b1.mass"), start, every=0.3, tolerance=1e-12)
    h = 1e-6
    ends = [
        hs.simulate(smooth, 0.3, {**start, "z0": 0.1 + d}, every=0.3, tolerance=1e-12, method="order8")["z0"][
            -1
        ]
        for d in (h, -h)
    ]
    assert found["z0", "z0"][-1] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-3)
    assert np.abs(found["z0", "b1.mass"]).max() == 0.0
    back = gradient(smooth, lambda s: s["z0"] + s["z1"], ("z0", "b1.mass"), 0.3, start, tolerance=1e-12)
    # the touches of mapped contacts are not looked for: two or three digits, more with tighter tolerances
    assert back["z0"] == pytest.approx(found["z0", "z0"][-1], rel=1e-3)
    assert back["b1.mass"] == pytest.approx(found["z1", "b1.mass"][-1], rel=1e-3)


@pytest.mark.parametrize(
    "formula",
    [
        lambda x, y: hs.where(x < y, x * y, 3.0 * x),
        lambda x, y: hs.where(hs.maximum(x - y, 0.0) > 0.0, x * x, y),
        lambda x, y: hs.where(0.0 <= hs.minimum(x, 0.0), x, y * y),
        lambda x, y: hs.maximum(x, y) * hs.abs(x - 0.3) + hs.minimum(x * y, 0.1),
        lambda x, y: hs.sign(x) * y + hs.clip(y, -0.5, 0.5),
        lambda x, y: hs.where((x <= 0.2) * (y > 0.1), x, -y),
    ],
)
def test_modes_taken_from_guards_give_the_function_itself(formula):
    x, y = hs.symbols("x", 2)
    f = hs.Function("f", {"x": np.array([x, y])}, {"r": formula(x, y)})
    made = switched(f)
    assert made.guards is not None
    plain, modal, guards = (hs.compile(g) for g in (f, made.function, made.guards))
    points = np.random.default_rng(5).uniform(-1, 1, (500, 2))
    g = guards(points)
    assert np.array_equal(modal(points, (g > 0).astype(float)), plain(points))
    assert len(made.function.inputs[-1].refs) == g.shape[1]


def test_a_smooth_function_has_no_modes():
    x = hs.symbol("x")
    f = hs.Function("f", {"x": x}, {"r": hs.sin(x)})
    assert switched(f).guards is None and switched(f).function is f
