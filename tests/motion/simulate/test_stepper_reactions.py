"""Wrenches of joints out of steps, and states of laws that are split off: the numbers of runs."""

import numpy as np
import pytest

import hapsis as hs

SIX = ("mx", "my", "mz", "fx", "fy", "fz")


def stepped(model, outputs, dt=1e-3, count=100, **options):
    """The outputs by name after so many steps, and the path of the first coordinate."""
    f = hs.stepper(model, dt, outputs=outputs, **options)
    step, state, path = hs.compile(f), (), []
    for _ in range(count):
        state = step(*state[: len(f.inputs)])
        path.append(state[0][0])
    return f.outputs_by_name(state), np.array(path)


def crank():
    return hs.library.slider_crank(angle=0.5) + hs.Drive("motor", "crank", position="0.5 + 3 * t + t * t")


def hung():
    return hs.Model(
        hs.Rod("upper", length=0.3, mass=0.5),
        hs.Rod("lower", length=0.2, mass=0.3),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        hs.Spring("band", hs.WORLD.at(0.1, 0, 0.2), "lower.end", stiffness=20.0, length=0.1),
    )


@pytest.mark.parametrize(("model", "joint"), [(crank, "pin"), (crank, "crank"), (hung, "elbow")])
def test_a_step_gives_the_reactions_of_a_run(model, joint):
    outputs = [f"{joint}.reaction", *(f"{joint}.reaction.{x}" for x in SIX)]
    out, _ = stepped(model(), outputs)
    wrench = hs.simulate(model(), 0.1, tolerance=1e-11)[f"{joint}.reaction"][-1]
    np.testing.assert_allclose(out[f"{joint}.reaction"], wrench, rtol=0, atol=1e-7)
    assert [out[name] for name in outputs[1:]] == list(out[f"{joint}.reaction"])


def test_friction_that_slides_fast_is_stable_when_split_and_right_to_first_order():
    model = hs.Model(
        hs.Rod("crank", length=0.1, mass=0.2),
        hs.Revolute("turn", hs.WORLD, "crank", axis="y", friction=0.01, damping=0.001),
        hs.Friction("grease", "turn", 0.02),
    )
    run = hs.simulate(model, 1.0, tolerance=1e-9)
    errors = []
    for dt in (1e-3, 2.5e-4):
        count = round(1.0 / dt)
        _, path = stepped(model, (), dt, count, method="split")
        errors.append(np.abs(path - np.interp(dt * np.arange(1, count + 1), run.t, run["turn"])).max())
    assert errors[0] < 1e-2 and errors[1] < 0.5 * errors[0]
    _, path = stepped(model, (), 1e-3, 300)  # the bristles slip within a hundredth of the step
    assert not np.isfinite(path).all()


def test_without_laws_split_is_rk4():
    split, rk4 = (stepped(hung(), ["energy"], method=name)[0]["energy"] for name in ("split", "rk4"))
    assert split == rk4
