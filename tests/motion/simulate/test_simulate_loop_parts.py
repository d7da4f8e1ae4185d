"""Loops together with all else: contacts, stops, sampled controllers, events, files, the player."""

import csv
import json

import numpy as np
import pytest
from loop_models import digest, rows_at
from shared_models import four_bar, library

import hapsis as hs
from hapsis.cli import main

START = {"A": 0.3}


def ran(model, until=1.0, **more):
    result = hs.simulate(model, until=until, **{"start": START, "every": until / 100, **more})
    assert result.success and result.constraint_error <= 1e-12 and result.energy_drift <= 1e-6
    return result


@pytest.fixture(scope="module")
def swing():
    """Of the four-bar alone: what is dependent is looked at finely."""
    return hs.simulate(four_bar(), until=1.0, start=START, every=1e-3, tolerance=1e-12)


def test_a_rocker_hits_a_stop(swing):
    lowest, highest = swing["D"].min(), swing["D"].max()
    limit = 0.5 * (lowest + highest)
    stop = hs.Stop("stop", "D", stiffness=500.0, damping=2.0, low=lowest - 1.0, high=limit)
    result = ran(four_bar(stop), until=1.0, every=1e-3)
    assert highest > limit + 0.2 > result["D"].max() > limit
    assert result["stop.effort"].min() < -1.0 and result["work"][-1] < -1e-3


def test_a_rocker_hits_a_plane(swing):
    """The tip of the rocker on a wall, with friction; energy goes only where forces take it."""
    way = 0.45 + 0.4 * np.cos(swing["D"])
    middle = float(0.5 * (way.min() + way.max()))
    wall = hs.WORLD.plane("x" if way[0] > middle else "-x", at=(middle, 0, 0))
    tip = hs.Contact(
        "tip",
        ("rocker", hs.Frame((0.4, 0, 0))),
        wall,
        friction=0.3,
        law=hs.HuntCrossley(stiffness=1e6, restitution=0.5),
    )
    result = ran(four_bar(tip), until=2.0, every=1e-3)
    times = [e.time for e in result.events if e.name == "tip.touch"]
    assert times and result["tip.force"].max() > 1.0 and result["tip.gap"].min() > -0.01
    # where it touches the gap is zero
    k = int(np.argmin(np.abs(result.t - times[0])))
    assert result.t[k] == times[0] and abs(result["tip.gap"][k]) < 1e-9


def test_a_controller_is_sampled():
    def law(s):
        return {"D": -3.0 * (s["D"] - 1.8) - 0.3 * s["D.v"]}

    sampled = ran(four_bar(hs.Controller("c", law, rate=2000, efforts=("D",))), until=0.5)
    traced = ran(four_bar(hs.Controller("c", law)), until=0.5)
    # held for half a millisecond, it is late by a quarter of one
    assert np.abs(sampled["A"] - traced["A"]).max() < 5e-3
    coarse = ran(four_bar(hs.Controller("c", law, rate=100, efforts=("D",))), until=0.5, every=1e-3)
    held = coarse["c.D"]
    assert len(np.unique(held)) <= 51
    # what was read is the closed pose at the sample, and it is held from there on
    k = 200
    assert held[k + 1] == pytest.approx(law({n: coarse[n][k] for n in ("D", "D.v")})["D"], abs=1e-9)


def test_events_on_dependent_coordinates(swing):
    level = float(0.7 * swing["D"].max() + 0.3 * swing["D"].min())
    stop = hs.Event("stop", lambda s: s["B.v"] - 1.0, stop=True)
    result = hs.simulate(
        four_bar(),
        until=1.0,
        start=START,
        tolerance=1e-12,
        every=0.1,
        events=[hs.Event("level", lambda s: s["D"] - level)],
    )
    happened = [e.time for e in result.events if e.name == "level"]
    assert happened
    for time in happened:
        k = int(np.flatnonzero(result.t == time)[0])
        assert abs(result["D"][k] - level) < 1e-11
        assert abs(rows_at(four_bar(), result, k)[0].h).max() < 1e-12
        # where the fine motion passes it, by a line between two rows
        i = int(np.searchsorted(swing.t, time))
        a, b = swing["D"][i - 1] - level, swing["D"][i] - level
        assert a * b < 0 and abs(swing.t[i - 1] + 1e-3 * a / (a - b) - time) < 1e-5
    ended = hs.simulate(four_bar(), until=5.0, start=START, events=[stop], tolerance=1e-12)
    assert ended.status == "event" and ended.t[-1] < 5.0
    assert ended["B.v"][-1] == pytest.approx(1.0, abs=1e-9)


def test_a_run_goes_on():
    model = four_bar()
    whole = ran(model, until=2.0, every=0.1)
    half = ran(model, until=1.0, every=0.1)
    rest = ran(model, until=2.0, start=half, every=0.1)
    assert rest.t[0] == 1.0
    for name in (*model.coordinates, *model.speeds):
        assert rest[name][-1] == pytest.approx(whole[name][-1], abs=1e-9)
    # with fixed steps the same to rounding
    whole, half = (ran(model, until=t, every=0.1, step=1e-3) for t in (2.0, 1.0))
    rest = ran(model, until=2.0, start=half, every=0.1, step=1e-3)
    assert rest.last.q == pytest.approx(np.array(whole.last.q), abs=1e-13)
    # what tracks goes on from where it is
    driven = four_bar(hs.Drive("motor", "A", position="0.3 + sin(t)", tracking=20.0))
    whole = ran(driven, until=2.0, every=0.1)
    rest = ran(driven, until=2.0, start=ran(driven, until=1.0, every=0.1), every=0.1)
    assert rest["motor.effort"][-1] == pytest.approx(whole["motor.effort"][-1], abs=1e-8)


def test_files_keep_everything(tmp_path):
    model = four_bar(hs.Drive("motor", "A", position=lambda t: 0.3 + t))
    result = ran(model, every=0.1)
    loaded = hs.load(result.save(tmp_path / "run.npz"))
    assert loaded.names == result.names and loaded.constraint_error == result.constraint_error
    assert digest(loaded) == digest(result)
    path = result.save(tmp_path / "run.csv")
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for k, part in enumerate(("mx", "my", "mz", "fx", "fy", "fz")):
        column = [float(row[f"C.reaction.{part}"]) for row in rows]
        assert (np.array(column) == result["C.reaction"][:, k]).all()
    assert [float(row["motor.effort"]) for row in rows] == result["motor.effort"].tolist()
    assert "C.reaction.fx" in result.plot("C.reaction").save(tmp_path / "c.svg").read_text("utf-8")


def test_the_player_shows_all_bodies(tmp_path):
    for model in (four_bar(), library.slider_crank()):
        result = hs.simulate(model, until=0.2, every=0.02)
        scene = result.scene()
        assert [body.name for body in scene["bodies"]] == ["world", *model.bodies]
        # the pins are where both bodies say
        poses = scene["poses"]
        assert poses.shape == (len(result.t), 1 + len(model.bodies), 7) and np.isfinite(poses).all()
        page = result.player().save(tmp_path / "page.html").read_text("utf-8")
        assert "<html" in page.lower() and all(json.dumps(b) in page for b in model.bodies)


def test_other_parameters_without_compiling_again():
    model = library.three_bar()
    longer = model.replace(parameters={**model.parameters, "upright": 0.6})
    by_parameter = hs.simulate(model, until=1.0, parameters={"upright": 0.6}, every=0.1)
    by_model = hs.simulate(longer, until=1.0, every=0.1)
    for name in model.coordinates:
        assert by_parameter[name] == pytest.approx(by_model[name], abs=1e-9)
    assert by_parameter.constraint_error <= 1e-12
    other = hs.simulate(model, until=1.0, every=0.1)
    assert np.abs(other["q1"] - by_model["q1"]).max() > 1e-3


def test_the_command_tells_the_gap(tmp_path, capsys):
    path = tmp_path / "bars.yaml"
    hs.save(library.redundant_four_bar(), path)
    assert main(["simulate", str(path), "--until", "1"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "largest gap" in line]
    assert len(told) == 1 and float(told[0].split()[2]) < 1e-12
    pendulum = hs.Model(hs.Rod("r", 1.0, 1.0), hs.Revolute("A", hs.WORLD, "r", axis="y"))
    hs.save(pendulum, path)
    assert main(["simulate", str(path), "--until", "1"]) == 0
    assert "largest gap" not in capsys.readouterr().out
