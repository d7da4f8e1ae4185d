"""What a run starts at while moving into it stops it, or sends it back as its law says."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def cart(**joint):
    return hs.Model(
        hs.Body.box("b", (0.1, 0.1, 0.1), mass=2.0), hs.Prismatic("x", hs.WORLD, "b", axis="x", **joint)
    )


def ball(law, **more):
    return hs.Model(
        hs.Body.sphere("ball", 0.05, mass=0.5),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Contact("floor", hs.Surface("ball"), hs.WORLD.plane(), law=law, **more),
    )


@pytest.mark.parametrize("step", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_cart_that_starts_at_its_stop_does_not_rebound(step, side):
    limits = (0.0, 1.0) if side > 0 else (-1.0, 0.0)
    r = hs.simulate(
        cart(limits=limits), 0.1, {"x.v": -side}, method="contact", step=step, limits="stops", every=step
    )
    v = side * r["x.v"]
    assert np.abs(v[1:]).max() < 1e-4 and (side * r["x"]).min() > -1e-6
    # the impulse of the stop is that of the momentum
    assert np.sum(side * r["x limit.effort"][1:]) * step == pytest.approx(2.0, rel=1e-3)


def test_two_joints_that_start_at_their_stops_stop_together():
    model = hs.Model(
        [hs.Rod(name, length=0.4, mass=1.0) for name in ("upper", "lower")],
        hs.Revolute("A", hs.WORLD, "upper", axis="z", limits=(0.0, 2.0)),
        hs.Revolute("B", "upper.end", "lower", axis="z", limits=(0.0, 2.0)),
    )
    start = {"A.v": -2.0, "B.v": -3.0}
    r = hs.simulate(model, 0.2, start, method="contact", step=2e-3, limits="stops")
    assert np.abs([r["A.v"][-1], r["B.v"][-1]]).max() < 1e-3  # of 3 rad/s: what is rigid leaves 1e-4
    assert r["energy"].max() <= r["energy"][0] + 1e-9


@pytest.mark.parametrize("law", [hs.HuntCrossley(1e7, power=1.0, damping=200.0), hs.Linear(1e7, 3e4)])
@pytest.mark.parametrize("gap", [-1e-7, 0.0, 1e-4])
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_ball_that_starts_at_the_floor_rebounds_by_its_law_only(law, gap, step):
    """Both laws leave less than 2 % of the speed; energy never grows, and momentum is that of the impulse."""
    start = {"ball.z": 0.05 + gap, "ball.vz": -1.0, "ball.vx": 0.5}
    r = hs.simulate(ball(law, friction=0.3), 0.1, start, method="contact", step=step, every=step)
    assert r["ball.velocity"][:, 2].max() < 0.02
    assert r["energy"].max() <= r["energy"][0] + 1e-9
    momentum = 0.5 * (r["ball.velocity"] - r["ball.velocity"][0])
    momentum[:, 2] += 0.5 * G * r.t
    assert np.abs(momentum - r["floor.impulse"]).max() < 1e-9


@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_a_ball_that_starts_at_the_floor_has_its_restitution(step):
    law = hs.HuntCrossley(1e7, restitution=0.5, speed=1.0)
    r = hs.simulate(ball(law), 0.02, {"ball.z": 0.05, "ball.vz": -1.0}, method="contact", step=step)
    assert r["ball.vz"][-1] == pytest.approx(0.5 - G * 0.02, abs=5e-3)


def test_balls_that_start_in_touch_keep_their_momentum():
    law = hs.HuntCrossley(1e8, power=1.0, damping=100.0)
    model = hs.Model(
        [hs.Body.sphere(name, 0.05, mass=mass) for name, mass in (("a", 0.5), ("b", 1.5))],
        [hs.Free(name, hs.WORLD, name) for name in "ab"],
        hs.Contact("c", hs.Surface("a"), hs.Surface("b"), law=law, friction=0.4),
        gravity=(0, 0, 0),
    )
    start = {"a.x": 0.1, "a.vx": -2.0, "a.wz": 30.0}
    r = hs.simulate(model, 0.05, start, method="contact", step=2e-3, every=2e-3)
    total = 0.5 * r["a.velocity"] + 1.5 * r["b.velocity"]
    assert np.abs(total - total[0]).max() < 1e-12
    assert abs(r["b.velocity"][-1, 0] - r["a.velocity"][-1, 0]) < 0.02


def test_a_run_that_goes_on_repeats_the_run_in_one():
    law = hs.HuntCrossley(1e6, power=1.0, damping=2.0)
    start = {"ball.z": 0.05, "ball.vz": -1.0, "ball.vx": 1.0}
    model = ball(law, friction=0.3)
    whole = hs.simulate(model, 0.2, start, method="contact", step=2e-3, every=2e-3)
    first = hs.simulate(model, 0.1, start, method="contact", step=2e-3)
    second = hs.simulate(model, 0.2, first, method="contact", step=2e-3)
    assert second["ball.position"][-1] == pytest.approx(whole["ball.position"][-1], abs=1e-12)


def test_a_loop_that_begins_in_touch_does_not_rebound_after_a_reset_either():
    step = hs.stepper(ball(hs.HuntCrossley(1e7, power=1.0, damping=200.0)), 2e-3, method="contact")
    q = [0, 0, 0.05, 1, 0, 0, 0]
    for _ in range(2):
        end = step(q=q, v=[0, 0, 0, 0, 0, -1.0])
        assert np.abs(end.v).max() < 0.02
        step.reset()


@pytest.mark.parametrize("step", [5e-3, 2e-4])
@pytest.mark.parametrize(
    "motion",
    [
        lambda t: 0.05 * hs.sin(10 * t),
        lambda t: 1e-3 * (1 - hs.cos(157 * t)),
        lambda t: 0.05 * hs.minimum(t, 1.0),
    ],
)
def test_the_work_of_a_table_that_hits_a_box_is_counted(motion, step):
    """At the start, and in impacts that steps do not resolve: energy less work never grows."""
    model = hs.Model(
        hs.Body.box("table", (0.5, 0.5, 0.02), mass=10.0),
        hs.Body.box("box", (0.1, 0.1, 0.1), mass=1.0),
        hs.Prismatic("z", hs.WORLD, "table", axis="z"),
        hs.Free("box", hs.WORLD, "box"),
        hs.Drive("motor", "z", position=motion),
        hs.Contact(
            "c",
            hs.Surface("box"),
            hs.Surface("table"),
            law=hs.HuntCrossley(1e6, 1.0, damping=2.0),
            friction=0.5,
        ),
        poses={"start": {"box.z": 0.06}},
    )
    result = hs.simulate(model, 2.0, method="contact", step=step, every=step)
    left = result["energy"] - result["work"]
    assert result.success and result["kinetic"].max() > 5e-3
    assert (left - np.minimum.accumulate(left)).max() < 1e-5 * result["kinetic"].max()
