"""Hybrids against closed forms and published cases: a bouncing ball, the compass gait, one phase alone."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def ball() -> hs.Model:
    body = hs.Body("ball", mass=1.3, inertia=(0.1, 0.1, 0.1))
    return hs.Model(body, hs.Prismatic("z", hs.WORLD, "ball", axis="z"))


def bouncing(restitution: float, rest: str | None = "rest") -> hs.Hybrid:
    strike = hs.Event(
        "bounce",
        when=hs.height("ball"),
        falling=True,
        during="flight",
        then=[hs.impact("ball", restitution=restitution, rest=rest)],
    )
    return hs.Hybrid({"flight": ball(), "rest": ball().pinned("ball")}, [strike])


def compass(slope: float) -> hs.Hybrid:
    legs = [
        hs.Body(n, mass=5.0, com=(0, 0, -0.5), frames={"foot": (0, 0, -1.0)}) for n in ("stance", "swing")
    ]
    walker = hs.Model(
        hs.Body("hip", mass=10.0),
        *legs,
        hs.Chain("base", hs.WORLD, "hip", "Tx Tz"),
        hs.Revolute("stance.hip", "hip", "stance", axis="y"),
        hs.Revolute("swing.hip", "hip", "swing", axis="y"),
        gravity=(G * math.sin(slope), 0, -G * math.cos(slope)),
    )
    strike = hs.Event(
        "heel strike",
        when=hs.height("swing.foot"),
        falling=True,
        only=lambda s: s.ahead("swing.foot", of="stance.foot") > 0.05,
        then=[hs.impact("swing.foot"), hs.swap("stance", "swing")],
    )
    return hs.Hybrid({"stance": walker.pinned("stance.foot")}, [strike])


def compass_start(slope: float) -> dict[str, float]:
    """The published post-impact state; angles there are from the vertical, and the other way round."""
    th_ns, th_s, w_ns, w_s = -0.3233885581, 0.2186688029, -0.3773739489, -1.0923835899
    a, w = -th_s - slope, -w_s
    return {
        "stance.hip": a,
        "swing.hip": -th_ns - slope,
        "stance.hip.v": w,
        "swing.hip.v": -w_ns,
        "base.Tx": math.sin(a),
        "base.Tz": math.cos(a),
        "base.Tx.v": math.cos(a) * w,
        "base.Tz.v": -math.sin(a) * w,
    }


@pytest.mark.parametrize("restitution", [0.9, 0.5, 0.1])
def test_a_bouncing_ball_follows_its_closed_form_into_rest(restitution: float) -> None:
    result = hs.simulate(bouncing(restitution), until=12.0, start={"z": 1.0}, every=0.1)
    assert result.success and result.energy_drift < 1e-9
    fall = math.sqrt(2 / G)
    times = [fall]
    for k in range(1, 12):
        times.append(times[-1] + 2 * fall * restitution**k)
    count = 12 if restitution > 0.3 else 6
    assert np.allclose([e.time for e in result.events[:count]], times[:count], atol=1e-9, rtol=0)
    last = result.events[-1]
    assert (last.before, last.after) == ("flight", "rest")
    zeno = fall * (1 + restitution) / (1 - restitution)
    assert abs(last.time - zeno) < 2e-6
    assert abs(result["z"][-1]) < 1e-10 and result["phase"][-1] == 1.0
    # what was lost at impacts is all the energy
    assert result["impact_loss"][-1] == pytest.approx(1.3 * G, rel=1e-9)
    assert sum(e.loss for e in result.events) == pytest.approx(1.3 * G, rel=1e-9)


def test_the_compass_gait_walks_as_published() -> None:
    slope = math.radians(3.0)
    result = hs.simulate(compass(slope), until=7.0, start=compass_start(slope))
    times = np.array([e.time for e in result.events])
    assert len(times) == 9
    assert np.allclose(np.diff(times, prepend=0.0), 0.7343463912, atol=2e-8)
    assert result.energy_drift < 1e-7
    step = np.diff(result["stance.foot.x"][np.isin(result.t, times)][1::2])
    assert np.allclose(step, 0.5354454154, atol=2e-8)


def test_one_phase_without_events_is_the_model_itself() -> None:
    model = compass(0.05).phases["stance"]
    start = compass_start(0.05)
    alone = hs.simulate(model, until=0.5, start=start)
    hybrid = hs.simulate(hs.Hybrid({"only": model}), until=0.5, start=start)
    for name in (*model.coordinates, *model.speeds, "energy", "stance.foot.pin.reaction", "base.Tx.a"):
        assert np.array_equal(alone[name], hybrid[name]), name


def test_a_hybrid_travels(tmp_path: Path) -> None:
    hybrid = compass(0.05)
    other = pickle.loads(pickle.dumps(hybrid))
    start = compass_start(0.05)
    one, two = (hs.simulate(h, until=1.5, start=start) for h in (hybrid, other))
    assert np.array_equal(one["swing.hip"], two["swing.hip"]) and len(one.events) == len(two.events)
    file = one.save(tmp_path / "walk.npz")
    for again in (pickle.loads(pickle.dumps(one)), hs.load(file)):
        assert again.events == one.events and np.array_equal(again["phase"], one["phase"])
        mine, its = one.events[0], again.events[0]
        assert (mine.before, mine.after, mine.loss) == (its.before, its.after, its.loss)
        assert mine.impulses == its.impulses and len(mine.impulses) == 2


def test_many_starts_are_the_runs_alone() -> None:
    hybrid, heights = bouncing(0.6), np.array([0.3, 1.0, 2.0])
    many = hs.simulate(hybrid, until=2.0, start={"z": heights})
    assert many["z"].shape == many["phase"].shape == (3, 201) and many.success
    for k, height in enumerate(heights):
        alone = hs.simulate(hybrid, until=2.0, start={"z": height}, every=0.01)
        assert np.array_equal(many[k]["z"], alone["z"]) and many[k].events == alone.events
    again = pickle.loads(pickle.dumps(many))
    assert np.array_equal(again["z"], many["z"])


def test_sensors_and_generalized_speeds_are_columns() -> None:
    ball = hs.Model(
        hs.Body("ball", mass=2.0),
        hs.Chain("at", hs.WORLD, "ball", "Tx Tz"),
        hs.Sensor("felt", "imu", "ball"),
        hs.Sensor("load", "reaction", "at"),
        hs.Speed("slant", {"at.Tx.v": 1.0, "at.Tz.v": 2.0}),
    )
    hit = hs.Event("hit", hs.height("ball"), falling=True, during="flight", to="rest", then=hs.impact("ball"))
    caught = hs.Hybrid({"flight": ball, "rest": ball.pinned("ball")}, [hit])
    run = hs.simulate(caught, 1.0, {"at.Tz": 1.0, "at.Tx.v": 0.5})
    assert {"felt", "load", "slant"} <= set(run.names)
    flies = run["phase"] == 0.0
    assert np.allclose(run["felt"][flies, 5], 0.0) and np.allclose(run["felt"][~flies, 5], 9.81)
    assert np.allclose(run["slant"], run["at.Tx.v"] + 2.0 * run["at.Tz.v"])
    many = hs.simulate(caught, 1.0, {"at.Tz": [1.0, 0.5]})
    assert many["felt"].shape == (2, 201, 6) and np.allclose(many["felt"][:, -1, 5], 9.81)
