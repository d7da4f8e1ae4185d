"""Generalized speeds by name: starts, columns of results, independent speeds, and what is refused."""

import pickle

import numpy as np
import pytest

import hapsis as hs

ARM = hs.Model(
    hs.Rod("a", 1.0, 1.0),
    hs.Rod("b", 0.7, 0.8),
    hs.Revolute("p", hs.WORLD, "a", axis="y"),
    hs.Revolute("q", "a.end", "b", axis="y"),
    hs.Speed("u1", {"p.v": 1.0, "q.v": "k"}),
    parameters={"k": 1.5},
)
TWO = ARM + hs.Speed("u2", lambda s: hs.cos(s["q"]) * s["p.v"] + 0.1 * s.t)


def skate(*facts, **more):
    """A sled on a knife edge, with its speed forwards."""
    return hs.Model(
        hs.Body("s", 1.0, (0.1, 0, 0), (1, 1, 0.3)),
        hs.Planar("p", hs.WORLD, "s"),
        hs.KnifeEdge("edge", "s"),
        hs.Speed("forward", lambda s: hs.cos(s["p.Rz"]) * s["p.Tx.v"] + hs.sin(s["p.Rz"]) * s["p.Ty.v"]),
        *facts,
        **more,
    )


@pytest.mark.parametrize(
    "start, speeds",
    [
        ({"u1": 2.0}, (0.0, 2.0 / 1.5)),  # p.v completes u1 and stays zero
        ({"u1": 2.0, "q.v": 1.0}, (0.5, 1.0)),
        ({"u1": 2.0, "p.v": 0.5}, (0.5, 1.0)),
    ],
)
def test_a_start_names_them(start, speeds):
    model = ARM
    run = hs.simulate(model, until=0.2, start={"q": 0.4, **start})
    assert np.allclose([run["p.v"][0], run["q.v"][0]], speeds, atol=1e-12)
    assert np.allclose(run["u1"], run["p.v"] + 1.5 * run["q.v"], rtol=1e-13)
    assert np.allclose(hs.assemble(model, start).v, speeds, atol=1e-12)


def test_a_start_of_all_of_them_and_other_parameters():
    run = hs.simulate(TWO, until=0.2, start={"q": 0.4, "u1": 2.0, "u2": 0.5})
    assert np.isclose(run["p.v"][0], 0.5 / np.cos(0.4)) and np.isclose(run["u1"][0], 2.0)
    assert np.allclose(run["u2"], np.cos(run["q"]) * run["p.v"] + 0.1 * run.t)
    other = hs.simulate(ARM, until=0.1, start={"u1": 2.0, "p.v": 1.0}, parameters={"k": 0.5})
    assert np.isclose(other["q.v"][0], 2.0) and np.isclose(other["u1"][0], 2.0)


def test_they_change_no_bit_of_the_motion():
    start = {"p.Rz": 0.7, "p.Tx.v": 1.0, "p.Rz.v": 3.0}
    ours, plain = (hs.simulate(m, until=1.0, start=start) for m in (skate(), skate().without("forward")))
    assert all(np.array_equal(ours[name], plain[name]) for name in plain.names)


def test_rows_and_combinations_are_met_together():
    run = hs.simulate(skate(), until=2.0, start={"p.Rz": 0.7, "forward": 2.0, "p.Rz.v": 0.3})
    assert np.allclose([run["p.Tx.v"][0], run["p.Ty.v"][0]], [2 * np.cos(0.7), 2 * np.sin(0.7)])
    # of the sled v' = l w², (J + m l²) w' = -m l v w
    w, v = run["p.Rz.v"], run["forward"]
    assert np.allclose(np.gradient(v, run.t, edge_order=2)[2:-2], 0.1 * w[2:-2] ** 2, atol=1e-5)


@pytest.mark.parametrize("independent", [("forward", "p.Rz"), ("p.Tx", "p.Rz"), ("p.Ty", "p.Rz"), ()])
def test_the_motion_does_not_depend_on_the_independent_speeds(independent):
    """Over two turns, in which every choice has to be changed on the way."""
    start = {"p.Rz": 0.7, "forward": 2.0, "p.Rz.v": 6.0}
    run = hs.simulate(skate(independent=independent), until=4.0, start=start, tolerance=1e-11)
    expected = hs.simulate(skate(), until=4.0, start=start, tolerance=1e-11)
    assert run.success and run["p.Rz"][-1] > 2 * np.pi
    for name in ("p.Tx", "p.Ty", "p.Rz", "forward"):
        assert np.allclose(run[name][-1], expected[name][-1], rtol=1e-7, atol=1e-7)


def test_a_partition_by_them():
    model = skate()
    turned = hs.assemble(model, {"p.Rz": 1.5})
    assert hs.partition(model, turned, ("forward", "p.Rz")).independent == ("p.Ty", "p.Rz")
    assert hs.independent_speeds(model, turned) == ("forward", "p.Rz.v")
    with pytest.raises(hs.SolveError, match=r"forward cannot be independent in this pose: .* is 0"):
        hs.partition(model, turned, ("forward", "p.Ty"))
    with pytest.raises(hs.ModelError, match='there is no coordinate "backward"'):
        hs.partition(model, turned, ("backward",))


def test_combinations_that_are_not_independent_are_refused():
    twice = ARM + hs.Speed("u2", lambda s: 2.0 * s["p.v"] + 3.0 * s["q.v"])
    with pytest.raises(hs.ModelError, match=r"the speeds u1, u2 are no independent .* rank is 1 of 2"):
        hs.generalized_speeds(twice)
    with pytest.raises(hs.ModelError, match="their rank is 0 of 1"):
        hs.generalized_speeds(ARM.without("u1") + hs.Speed("u", lambda s: 0.0))
    with pytest.raises(hs.ModelError, match='the speed "u2" is not linear in the speeds'):
        hs.generalized_speeds(ARM + hs.Speed("u2", lambda s: s["p.v"] * s["q.v"]))
    # a pose in which they are not, though they are elsewhere
    flat = skate(hs.Speed("x", lambda s: hs.cos(s["p.Rz"]) * s["p.Ty.v"]), hs.Speed("w", {"p.Rz.v": 1.0}))
    assert hs.generalized_speed_names(flat) == ("forward", "x", "w")
    with pytest.raises(hs.SolveError, match=r"no independent combinations in this pose: .* 2 of 3"):
        hs.kane_equations(flat, at={"p.Rz": np.pi / 2})


def test_what_is_said_of_wrong_facts():
    with pytest.raises(hs.ModelError, match=r'speed "u" names "r\.v", which is no speed'):
        hs.Model(ARM, hs.Speed("u", {"r.v": 1.0}))
    with pytest.raises(hs.ModelError, match="3 speeds are given as combinations, and the model has only 2"):
        hs.Model(TWO, hs.Speed("u3", {"p.v": 1.0}))
    with pytest.raises(hs.ModelError, match=r'speed "p\.v" has the name of a column'):
        hs.Model(ARM, hs.Speed("p.v", {"p.v": 1.0}))
    with pytest.raises(hs.ModelError, match='speed "u": it must be'):
        hs.Speed("u", 3.0)
    with pytest.raises(hs.SolveError, match=r'the speeds given for "p\.v", "q\.v", "u1" contradict'):
        hs.simulate(ARM, until=0.1, start={"p.v": 1.0, "q.v": 1.0, "u1": 1.0})


def test_files_pickles_prefixes_and_removal(tmp_path):
    hs.save(ARM, tmp_path / "a.yaml")
    assert "u1: {combination: {p.v: 1.0, q.v: k}}" in (tmp_path / "a.yaml").read_text()
    assert hs.load(tmp_path / "a.yaml") == ARM and pickle.loads(pickle.dumps(ARM)) == ARM
    again = pickle.loads(pickle.dumps(TWO))
    assert np.array_equal(*(hs.compile(hs.generalized_speeds(m))([0, 1], [1, 2]).u for m in (TWO, again)))
    with pytest.raises(hs.ModelError, match='speed "u2": combination is Python code'):
        hs.save(TWO, tmp_path / "a.yaml")
    left = ARM.prefixed("l")
    assert dict(left.generalized_speeds["l.u1"].combination) == {"l.p.v": 1.0, "l.q.v": hs.Formula("l.k")}
    with pytest.raises(hs.ModelError, match='joint "q" cannot be left out: speed "u1" refers to it'):
        ARM.without("q")
    with pytest.warns(hs.Notice, match="1 generalized speeds"):
        hs.save(ARM, tmp_path / "a.urdf")


def test_laws_events_steps_and_linear_models_read_them():
    start = {"q": 0.4, "p.v": 1.0}
    drag = TWO + hs.JointForce("drag", "p", lambda q, v, s: -0.5 * s["u2"] - 0.2 * s["u1"])
    hand = TWO + hs.JointForce(
        "drag",
        "p",
        lambda q, v, s: -0.5 * (hs.cos(s["q"]) * s["p.v"] + 0.1 * s.t) - 0.2 * (s["p.v"] + 1.5 * s["q.v"]),
    )
    a, b = (hs.simulate(m, until=1.0, start=start) for m in (drag, hand))
    assert np.allclose(a["p"], b["p"], rtol=1e-9, atol=1e-9)
    for name in ("u1", "u2"):
        run = hs.simulate(TWO, until=2.0, start=start, events={"turns": lambda s, name=name: s[name]})
        assert run.events and abs(np.interp(run.events[0].time, run.t, run[name])) < 1e-3
    f = hs.stepper(TWO, dt=1e-3, outputs=("u1", "u2"))
    after = f.outputs_by_name(hs.compile(f)(q=[0.1, 0.4], v=[1.0, 0.5]))
    assert np.isclose(after["u1"], after["v"] @ [1.0, 1.5])
    assert np.isclose(after["u2"], np.cos(after["q"][1]) * after["v"][0] + 1e-4)
    small = hs.linearize(ARM, {"p": np.pi / 2}, outputs=("u1",))
    assert np.allclose(small.C, [[0, 0, 1.0, 1.5]])


def test_a_pose_names_them():
    posed = skate(poses={"start": {"p.Rz": 0.5, "forward": 2.0}})
    state = hs.assemble(posed)
    assert np.allclose(state.v, [2 * np.cos(0.5), 2 * np.sin(0.5), 0.0])
    other = hs.simulate(posed, until=0.1, start={"p.Rz.v": 1.0})
    assert np.isclose(other["forward"][0], 2.0) and np.isclose(other["p.Rz.v"][0], 1.0)
    faster = hs.simulate(posed, until=0.1, start={"forward": 3.0})
    assert np.isclose(faster["forward"][0], 3.0)
    arm = ARM.replace(poses={"start": {"u1": 3.0}})
    assert np.isclose(hs.simulate(arm, until=0.1)["u1"][0], 3.0)
    assert not posed.without("forward").poses["start"].keys() & {"forward"}
