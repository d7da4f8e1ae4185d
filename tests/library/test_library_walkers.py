"""The hybrids of the library: they start, walk, bounce and hop as their sources say."""

import math
import pickle

import numpy as np
import pytest

import hapsis as hs
from hapsis import library


@pytest.mark.parametrize("name", library.HYBRIDS)
def test_every_hybrid_is_sound_and_has_a_start(name):
    hybrid = getattr(library, name)()
    pose = hybrid.pose("start")
    assert set(hybrid.coordinates) | set(hybrid.speeds) >= pose.keys() >= set(hybrid.coordinates)
    for model in hybrid.phases.values():
        assert model.warnings == ()
    assert hybrid.start in hybrid.phases and name in dir(library)
    copy = pickle.loads(pickle.dumps(hybrid))
    runs = [hs.simulate(each, 1.0, every=0.25) for each in (hybrid, copy)]
    assert all(run.success for run in runs)
    assert np.array_equal(runs[0][hybrid.coordinates[0]], runs[1][hybrid.coordinates[0]])


@pytest.mark.parametrize("name", library.HYBRIDS)
def test_every_phase_is_data(name, tmp_path):
    hybrid = getattr(library, name)()
    for phase, model in hybrid.phases.items():
        hs.save(model, tmp_path / f"{phase}.yaml")
        assert hs.load(tmp_path / f"{phase}.yaml") == model


@pytest.mark.parametrize("name", ["compass_gait", "simplest_walker"])
@pytest.mark.parametrize("part", [0.2, 0.5, 1.0])
def test_walkers_start_near_their_gait_on_every_slope(name, part):
    """The pose `start` is a formula of the slope: the feet are on the ground, the standing one at rest."""
    slope = part * {"compass_gait": math.radians(4.3), "simplest_walker": 0.0145}[name]
    gait = getattr(library, name)(slope)
    cycle = hs.find_cycle(gait)
    pose = gait.pose("start")
    for coordinate in ("stance", "swing", "stance.v", "swing.v"):
        assert pose[coordinate] == pytest.approx(cycle.start[coordinate], rel=0.05, abs=0.01)
    assert cycle.stable
    model = gait.phases["stance"]
    q, v = ([pose[n] for n in names] for names in (model.coordinates, model.speeds))
    rows = hs.compile(hs.constraints(model))(np.array(q), np.array(v))
    assert rows.J @ np.array(v) == pytest.approx(np.zeros(len(rows.J)), abs=1e-12)
    for foot in ("stance.foot", "swing.foot"):
        assert hs.compile(hs.pose(model, foot))(np.array(q))[0][2] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("length", [1e-3, 1e3])
def test_walkers_of_other_sizes_walk_alike(length):
    """Times are as √length, angles and multipliers the same: from a millimetre to a kilometre."""
    gait = library.compass_gait()
    cycle = hs.find_cycle(gait)
    sizes = {"length": length, "b": 0.5 * length}
    phases = {n: m.replace(parameters={**m.parameters, **sizes}) for n, m in gait.phases.items()}
    other = hs.find_cycle(hs.Hybrid(phases, gait.events))
    assert other.period == pytest.approx(math.sqrt(length) * cycle.period, rel=1e-7)
    assert other.start["stance"] == pytest.approx(cycle.start["stance"], abs=1e-7)
    assert other.multipliers[:3] == pytest.approx(cycle.multipliers[:3], abs=1e-5)
    assert other.travel["hip.Tx"] == pytest.approx(length * cycle.travel["hip.Tx"], rel=1e-7)


def test_a_walker_walks_and_a_slow_one_falls():
    gait = library.compass_gait()
    run = hs.simulate(gait, 20.0)
    assert run.success and len(run.events) == 27
    assert run["hip.Tx"][-1] == pytest.approx(27.2 * 0.5354454154, abs=0.3)
    # every heel strike takes what the slope gives
    losses = [event.loss for event in run.events[-4:]]
    assert losses == pytest.approx([20 * 9.81 * math.sin(math.radians(3)) * 0.5354454154] * 4, rel=1e-6)
    pose = gait.pose("start")
    slow = {n: (0.6 * x if n.endswith(".v") else x) for n, x in pose.items()}
    fallen = hs.simulate(gait, 20.0, slow)
    assert fallen.status == "event" and fallen.events[-1].name == "falls"


def test_a_rimless_wheel_rocks_to_rest_on_a_level_that_is_too_flat():
    wheel = library.rimless_wheel(6, 0.05)
    run = hs.simulate(wheel, 8.0)
    assert run.success and run.events[-1].after == "rest"
    assert abs(run["wheel.Ry"][-1]) == pytest.approx(math.pi / 6, abs=1e-6)
    assert {event.name for event in run.events} == {"spoke hits", "rocks back"}


def test_a_ball_comes_to_rest_when_its_bounces_are_summed_up():
    for e in (0.8, 0.3):
        run = hs.simulate(library.bouncing_ball(e), 6.0)
        end = math.sqrt(2 / 9.81) * (1 + e) / (1 - e)
        assert run.events[-1].after == "rest" and run.events[-1].time == pytest.approx(end, abs=1e-5)
        assert run["height"][-1] == pytest.approx(0.05, abs=1e-9)


def test_a_hopper_keeps_its_energy_and_its_height():
    run = hs.simulate(library.hopper(), 10.0, tolerance=1e-11)
    assert run.success and len(run.events) > 60
    assert run["impact_loss"][-1] == pytest.approx(0.0, abs=1e-6 * 80 * 9.81)
    assert run["body.Tz"].max() == pytest.approx(0.9437, abs=2e-3)
    stance = run["phase"] == 1
    assert (run["knee"][stance] > -1e-9).all() and np.abs(run["knee"][~stance]).max() < 1e-9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: library.compass_gait(0.0), "the slope is 0.0; expected above 0"),
        (lambda: library.simplest_walker(0.1), "the slope is 0.1"),
        (lambda: library.rimless_wheel(4), "n is 4; expected from 5"),
        (lambda: library.rimless_wheel(8, float("nan")), "the slope is nan"),
        (lambda: library.hopper(2.0), "the angle of attack is 2.0"),
        (lambda: library.bouncing_ball(1.5), "restitution is 1.5"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(hs.ModelError, match=message):
        make()
