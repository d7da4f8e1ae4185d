"""Models moved as something real was: the forces of a known model come back, others do not."""

import numpy as np
import pytest
from recorded import recorded
from recorded_loops import key_and_hammer

import hapsis as hs
from hapsis.errors import Error, ModelError
from hapsis.touch.recording.compare import compare
from hapsis.touch.recording.measured import measured

T = np.arange(0.0, 1.5, 0.002)


def arm(mass=0.4):
    return hs.Model(
        hs.Rod("key", length=0.2, mass=mass), hs.Revolute("K", hs.WORLD, "key", axis="y", damping=0.02)
    )


def blow(t):
    """A double keystroke."""
    return 0.2 * (np.exp(-((t - 0.4) ** 2) / 0.01) + np.exp(-((t - 1.0) ** 2) / 0.01))


@pytest.fixture(scope="module")
def data():
    """The motion of an arm and the torque it takes, by its equation written out."""
    q = blow(T)
    v, a = np.gradient(q, T), np.gradient(np.gradient(q, T), T)
    # the exact rates of two bells
    bells = [(0.2 * np.exp(-((T - c) ** 2) / 0.01), T - c) for c in (0.4, 1.0)]
    v = sum(-200.0 * d * x for x, d in bells)
    a = sum((4e4 * d * d - 200.0) * x for x, d in bells)
    inertia, weight = 0.4 * 0.2**2 / 3, 0.4 * 9.81 * 0.1
    # a turn about +y lowers the end: gravity pulls along it
    effort = inertia * a + 0.02 * v - weight * np.cos(q)
    return {"t": T + 5.0, "angle": q, "speed": v, "acceleration": a, "torque": effort}


@pytest.mark.parametrize("ending", ["table", "csv", "mcap"])
def test_the_force_of_the_true_model_comes_back(tmp_path, data, ending):
    given = data
    if ending == "csv":
        given = tmp_path / "x.csv"
        rows = np.stack(list(data.values()), 1)
        np.savetxt(given, rows, "%.17g", ",", header=",".join(data), comments="")
    elif ending == "mcap":
        rows = np.stack(list(data.values()), 1)
        given = recorded(tmp_path / "x.mcap", rows, tuple(data), name="measured")
    found = compare(arm(), given, {"K": "angle"}, {"K.effort": "torque"})
    agreed = found["K.effort"]
    assert agreed.rms < 1e-4 * agreed.spread and agreed.correlation > 0.999999
    assert agreed.largest >= agreed.rms and 5.0 <= agreed.at <= 6.5
    assert "K.effort: RMS" in str(found) and "correlation 1.0000" in str(found)


def test_measured_rates_are_used(data):
    found = compare(arm(), data, {"K": ("angle", "speed", "acceleration")}, {"K.effort": "torque"})
    assert found["K.effort"].rms < 1e-9 * found["K.effort"].spread


def test_a_wrong_model_is_seen(data):
    right = compare(arm(), data, {"K": "angle"}, {"K.effort": "torque"})["K.effort"]
    wrong = compare(arm(mass=0.5), data, {"K": "angle"}, {"K.effort": "torque"})["K.effort"]
    expected = 0.25 * np.sqrt(np.mean((data["torque"] - 0.02 * data["speed"]) ** 2))
    assert wrong.rms == pytest.approx(expected, rel=1e-3) and wrong.rms > 100 * right.rms


def test_noisy_motion_is_tracked(data):
    """White noise of 0.1 mrad: a spline makes nonsense of it, a filter of 60 rad/s does not."""
    noise = np.random.default_rng(2).normal(size=len(T), scale=1e-4)
    noisy = {**data, "angle": data["angle"] + noise}
    rough = compare(arm(), noisy, {"K": "angle"}, {"K.effort": "torque"})["K.effort"]
    found = compare(arm(), noisy, {"K": "angle"}, {"K.effort": "torque"}, tracking=60.0)
    smooth = found["K.effort"]
    assert found.delay == pytest.approx(2 / 60.0)
    assert smooth.rms < 0.1 * smooth.spread and smooth.correlation > 0.97
    assert rough.rms > 3 * smooth.rms


def test_freedoms_that_were_not_measured_move_freely():
    """The key is measured, the hammer on it is not: its motion is compared too."""

    def hand(t):
        return 0.3 * hs.sin(6.0 * t) * t

    moved = key_and_hammer(hs.Drive("hand", "K", position=hand))
    rest = {"H": float(hs.equilibrium(key_and_hammer(hs.Drive("hand", "K", position=0.0))).q[1])}
    driven = hs.simulate(moved, until=1.0, every=0.001, start=rest)
    data = {"t": driven.t, "key": driven["K"], "force": driven["hand.effort"], "hammer": driven["H"]}
    found = compare(
        key_and_hammer(), data, {"K": "key"}, {"K.effort": "force", "H": "hammer"}, tracking=400.0, start=rest
    )
    for name in ("K.effort", "H"):
        assert found[name].rms < 0.02 * found[name].spread, str(found)
        assert found[name].correlation > 0.999
    text = found.plot().svg
    assert "K.effort, model" in text and "hammer" not in text


def test_what_is_wrong_is_one_line(tmp_path, data):
    def said(*arguments, **named):
        with pytest.raises(Error) as caught:
            compare(arm(), *arguments, **named)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    pair = {"K.effort": "torque"}
    assert "motion must be {coordinate: column}" in said(data, {}, pair)
    assert "against must be" in said(data, {"K": "angle"}, {})
    assert 'no column "angel" (did you mean "angle"?)' in said(data, {"K": "angel"}, pair)
    assert 'there is no coordinate "J"' in said(data, {"J": "angle"}, pair, tracking=50.0)
    assert 'there is no coordinate "J"' in said(data, {"J": "angle"}, pair)
    assert "tracking takes positions only" in said(
        data, {"K": ("angle", "speed", "acceleration")}, pair, tracking=50.0
    )
    assert "a column, or (q, v, a)" in said(data, {"K": ("angle", "speed")}, pair)
    assert 'the result has no "K.efort"' in said(data, {"K": "angle"}, {"K.efort": "torque"})
    with pytest.raises(ModelError, match="only a recording has streams"):
        measured(data, stream="x")
    path = recorded(tmp_path / "x.mcap", np.zeros((1, 3)))
    with pytest.raises(ModelError, match="has 1 rows"):
        measured(path)
    found = compare(arm(), data, {"K": "angle"}, pair)
    with pytest.raises(ModelError, match="was not compared"):
        _ = found["x"]
