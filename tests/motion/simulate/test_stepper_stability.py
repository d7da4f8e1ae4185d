"""A step that `simulate` refuses is refused by `stepper` too, and the other way round."""

import numpy as np
import pytest
from samples import sample

import hapsis as hs
from hapsis.errors import SolveError


def random_model(rng):
    """Masses on springs, dampers, a contact, a driven joint: some stiffer than others."""
    k, c = 10.0 ** rng.uniform(1, 7), 10.0 ** rng.uniform(-2, 3)
    facts = [
        hs.Body("a", mass=10.0 ** rng.uniform(-3, 1), inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "a", axis="z"),
        hs.JointSpring("s", "x", stiffness=k, damping=c),
    ]
    start = {"x": 0.2}
    if rng.random() < 0.5:
        facts += [hs.Rod("b", length=0.3, mass=10.0 ** rng.uniform(-2, 0))]
        facts += [hs.Revolute("h", "a", "b", axis="y", damping=10.0 ** rng.uniform(-4, 1))]
        start["h"] = 0.4
    if rng.random() < 0.3:
        facts += [hs.Drive("d", "x", position="input", tracking=10.0 ** rng.uniform(1, 5))]
    return hs.Model(*facts), start


def refusal(make):
    """What is said of a step that is refused; empty for one that is taken."""
    try:
        make()
    except SolveError as problem:
        return str(problem).partition(";")[0]
    return ""


@pytest.mark.parametrize("seed", range(sample(30, 600)))
def test_both_refuse_the_same_steps(seed):
    rng = np.random.default_rng(seed)
    model, start = random_model(rng)
    dt, method = 10.0 ** rng.uniform(-5, -2), str(rng.choice(["rk4", "euler"]))
    names = [name for drive in model.drives.values() for name in drive.inputs]

    def step():
        hs.stepper(model, dt, inputs=names, start=start, method=method, substeps=1)

    def run():
        inputs = dict.fromkeys(names, 0.2)
        hs.simulate(
            model, until=2 * dt, start=start, method=method, step=dt, inputs=inputs, every=dt, watchdog=False
        )

    told = refusal(run)
    assert refusal(step) == told
    if "largest safe step" in told:
        safe = float(told.partition("largest safe step is ")[2].partition(" s")[0])
        hs.stepper(model, 0.9 * safe, inputs=names, start=start, method=method)
        parts = int(np.ceil(dt / safe)) + 1
        if parts <= 1000:
            hs.stepper(model, dt, inputs=names, start=start, method=method, substeps=parts)


def test_the_remedy_is_one_that_a_step_has():
    model = hs.Model(
        hs.Body("b", mass=0.01, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "b", axis="x"),
        hs.JointSpring("felt", "x", stiffness=4e6),
    )
    with pytest.raises(SolveError, match=r"unstable with .rk4.: the largest safe step is .* substeps="):
        hs.stepper(model, 1 / 4000)
    f = hs.stepper(model, 1 / 4000, substeps=4, outputs=["x"], start={"x": 1e-4})
    step = hs.compile(f)
    state = step()
    for _ in range(4000):
        q, v, t, x = step(state.q, state.v, state.t)
        state = state._replace(q=q, v=v, t=t)
        assert abs(x) <= 1.1e-4
    for wrong in (0, 1.5, -1, 1001, float("nan"), "two"):
        with pytest.raises(hs.Error, match="substeps"):
            hs.stepper(model, 1 / 4000, substeps=wrong)


def test_a_stiff_contact_is_refused_too():
    model = hs.Model(
        hs.Body("ball", mass=0.1, inertia=(1e-4, 1e-4, 1e-4)),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("floor", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(stiffness=1e7, damping=1.0)),
    )
    told = refusal(lambda: hs.simulate(model, until=0.01, start={"z": 0.001}, step=1e-3, method="rk4"))
    assert told and refusal(lambda: hs.stepper(model, 1e-3, start={"z": 0.001}, substeps=1)) == told


def test_no_remedy_is_offered_that_a_step_refuses():
    """A contact so stiff that it needs more substeps than there may be."""
    model = hs.Model(
        hs.Body("ball", mass=1e-6, inertia=(1e-12,) * 3, shapes=[hs.Sphere(0.01)]),
        hs.Free("free", hs.WORLD, "ball"),
        hs.Contact("floor", ("ball", hs.Sphere(0.01)), ("world", hs.Plane()), law=hs.Linear(1e8, 0.0)),
    )
    with pytest.raises(hs.SolveError, match="unstable") as refused:
        hs.stepper(model, 1e-2, substeps=1)
    assert "substeps" not in str(refused.value)
