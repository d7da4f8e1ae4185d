"""Other values of parameters are those of a model with them, also where only events and columns read them."""

import pytest

import hapsis as hs

START = {"z": 4.0}


def ball(r=0.5):
    """A ball with a foot whose place is a parameter that no equation contains."""
    return hs.Model(
        hs.Body("ball", mass=1.0, frames={"foot": (0, 0, "-r"), "mark": (0.25, 0, 0)}),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        parameters={"r": r},
    )


def bouncing(r=0.5):
    """It bounces off its foot, as fast as its mark says."""
    fast = {"z.v": lambda s: -s["ball.mark.x"] * s["z.v"]}
    bounce = hs.Event("bounce", when=hs.height("ball.foot"), falling=True, then=hs.reset(fast))
    return hs.Hybrid({"flight": ball(r)}, [bounce])


def test_parameters_that_only_events_read():
    run = hs.simulate(bouncing(), 1.2, START, parameters={"r": 2.0, "ball.mark.x": 0.75})
    assert run.events[0].time == pytest.approx((2 * (4.0 - 2.0) / 9.81) ** 0.5, abs=1e-9)
    at = [k for k, t in enumerate(run.t) if t == run.events[0].time]
    assert run["z.v"][at[-1]] == pytest.approx(-0.75 * run["z.v"][at[0]], rel=1e-9)
    assert run["ball.foot.z"][0] == pytest.approx(2.0) and run["ball.mark.x"][0] == pytest.approx(0.75)


def test_the_same_of_a_model():
    low = hs.Event("low", when=hs.height("ball.foot"), falling=True)
    run = hs.simulate(ball(), 1.0, START, parameters={"r": 2.0}, events=[low])
    assert run.events[0].time == pytest.approx((2 * (4.0 - 2.0) / 9.81) ** 0.5, abs=1e-9)


@pytest.mark.parametrize("name", ["nonsense", "ball.mas", "ball.foot.z", "z.mass"])  # foot.z is a formula
@pytest.mark.parametrize("make", [ball, bouncing])
def test_what_is_no_parameter(make, name):
    with pytest.raises(hs.ModelError, match=f'there is no parameter "{name}"'):
        hs.simulate(make(), 1.0, START, parameters={name: 1.0})
