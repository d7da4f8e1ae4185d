"""Many runs at once: each has the bits that it has alone, wherever it stands among the others."""

import warnings

import numpy as np
import pytest
from many_models import bouncing, case, chain
from samples import sample
from shared_models import four_bar

import hapsis as hs
from hapsis.motion.simulate.batch.simulate_many import METHODS

TIME = 0.6


def same(many, k, one):
    assert many.status[k] == one.status and set(many.names) == set(one.names)
    rows = np.isin(one.t, many.t)
    for name in one.names:
        values = many[name][k]
        assert np.array_equal(values[: rows.sum()], one[name][rows], equal_nan=True), name
        assert np.isnan(values[rows.sum() :]).all()
    assert many.report["steps"][k] == one.report["steps"]


def variations(model, count, seed):
    draw = np.random.default_rng(seed)
    start = {name: draw.uniform(-0.8, 0.8, count) for name in model.speeds[:2]}
    plain = [name for name in model.coordinates if not name.endswith(("qw", "qx", "qy", "qz"))]
    if plain:
        start[plain[0]] = draw.uniform(-0.5, 0.5, count)
    return start, {"b0.mass": draw.uniform(0.3, 2.0, count), "pull.stiffness": draw.uniform(5.0, 60.0, count)}


def one_of(k, start, parameters):
    return {n: x[k] for n, x in start.items()}, {n: x[k] for n, x in parameters.items()}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["auto", "order5"])
def test_each_run_has_the_bits_that_it_has_alone(seed, method):
    model = chain(1 + seed % 4, seed)
    start, parameters = variations(model, 13, seed)
    many = hs.simulate(model, TIME, start, parameters=parameters, method=method, every=0.05)
    assert many.report["alone"] == 0 and len(many) == 13 and many.success
    assert many[model.coordinates[0]].shape == (13, len(many.t))
    for k in (0, 5, 12):
        mine, values = one_of(k, start, parameters)
        same(many, k, hs.simulate(model, TIME, mine, parameters=values, method=method, every=0.05))


def test_bits_do_not_depend_on_the_other_runs_or_threads():
    model = chain(3, 7)
    start, parameters = variations(model, 21, 1)
    many = hs.simulate(model, TIME, start, parameters=parameters)
    order = np.random.default_rng(0).permutation(21)[:11]
    some = hs.simulate(
        model,
        TIME,
        {n: x[order] for n, x in start.items()},
        parameters={n: x[order] for n, x in parameters.items()},
        threads=1,
    )
    for name in many.names:
        assert np.array_equal(many[name][order], some[name])


def test_runs_that_lanes_cannot_make_are_made_alone():
    for model, start in ((four_bar(), {"A": [0.3, 0.5]}), (bouncing(), {"z": [0.5, 0.7]})):
        many = hs.simulate(model, 0.5, start, every=0.05)
        assert many.report["alone"] == 2 and len(many) == 2
        for k in range(2):
            same(many, k, hs.simulate(model, 0.5, {n: x[k] for n, x in start.items()}, every=0.05))


def test_stiff_runs_and_failing_runs_are_those_of_one():
    model = hs.Model(
        hs.Body("a", mass=1.0, inertia=(1.0, 1.0, 1.0)),
        hs.Revolute("hinge", "world", "a", axis="z"),
        hs.JointForce("push", "hinge", law=lambda q, v: 1.0 / (0.5 - q)),
        hs.JointSpring("spring", "hinge", stiffness=1.0, damping=1.0),
        gravity=(0.0, 0.0, 0.0),
    )
    damping = [0.1, 1e6, 0.2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        many = hs.simulate(
            model, 3.0, {"hinge": [0.0, 0.0, 0.49]}, parameters={"spring.damping": damping}, every=0.1
        )
        for k, q in enumerate((0.0, 0.0, 0.49)):
            one = hs.simulate(model, 3.0, {"hinge": q}, parameters={"spring.damping": damping[k]}, every=0.1)
            same(many, k, one)
            assert many.lengths[k] == np.isin(one.t, many.t).sum()


def test_wrong_calls_are_refused():
    model = chain(2, 1)
    name = model.speeds[0]
    with pytest.raises(hs.ModelError, match=r'has 2 values and "b0\.mass" has 3'):
        hs.simulate(model, 1.0, {name: [0.0, 1.0]}, parameters={"b0.mass": [1.0, 2.0, 3.0]})
    with pytest.raises(hs.ModelError, match="finite numbers in one row"):
        hs.simulate(model, 1.0, {name: np.zeros((2, 2))})
    with pytest.raises(hs.ModelError, match="finite numbers in one row"):
        hs.simulate(model, 1.0, {name: [0.0, np.nan]})
    with pytest.raises(hs.ModelError, match="mass"):
        hs.simulate(model, 1.0, parameters={"b0.mass": [1.0, -2.0, 1.5]})
    with pytest.raises(hs.Error, match="nothing_such"):
        hs.simulate(model, 1.0, {"nothing_such": [0.0, 1.0]})


def test_results_by_name_and_by_number(tmp_path):
    model = chain(2, 2)
    name = model.speeds[0]
    many = hs.simulate(model, 0.2, {name: np.linspace(0.0, 1.0, 30)})
    assert many[3].t.shape == many.t.shape and np.array_equal(many[3][name], many[name][3])
    assert np.array_equal(many[-1][name], many[name][29]) and "30 runs" in repr(many)
    assert many.given[name][29] == 1.0
    with pytest.raises(hs.ModelError, match="no run 30"):
        many[30]
    with pytest.raises(hs.ModelError, match='no "nam"'):
        many["nam"]
    text = many.plot("energy").save(tmp_path / "x.html")
    assert "95 %" in open(text).read()
    assert METHODS == ("order5", "order8")


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_one_of_many_is_the_run_that_it_is_alone(seed):
    one = case(seed, 4)
    starts = (*one.model.coordinates, *one.model.speeds)
    start = {n: x for n, x in one.over.items() if n in starts}
    parameters = {n: x for n, x in one.over.items() if n not in starts}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        many = hs.simulate(one.model, TIME, start, parameters=parameters, every=0.05, **one.options)
        for k, run in enumerate(many):
            mine, values = one_of(k, start, parameters)
            alone = hs.simulate(one.model, TIME, mine, parameters=values, every=0.05, **one.options)
            assert np.array_equal(run.t, alone.t) and run.names == alone.names
            frame = f"{next(iter(one.model.bodies))}.x"  # not a column: computed on request
            assert run.unit(frame) == alone.unit(frame) == "m"
            for name in (*alone.names, frame):
                assert np.array_equal(run[name], alone[name], equal_nan=True), name
            for fact in ("status", "message", "events", "last", "units", "coordinates"):
                assert getattr(run, fact) == getattr(alone, fact), fact
            assert np.array_equal(run.scene()["poses"], alone.scene()["poses"])
            # of runs in lanes it is that of the rows, alone that of all steps
            assert run.energy_drift <= 2.0 * alone.energy_drift + 1e-12


def test_a_run_that_cannot_start_does_not_end_the_others():
    lengths = [0.2, 20.0, 0.15]
    with pytest.warns(hs.Notice, match="1 of 3 runs did not succeed; the first is run 1: the loops"):
        many = hs.simulate(four_bar(), 0.2, {"A": 0.4}, parameters={"crank.end.x": lengths})
    assert many.status == ("done", "not started", "done") and many.lengths.tolist() == [201, 0, 201]
    assert np.isnan(many["A"][1]).all() and len(many[1].t) == 0 and "cannot be closed" in many.message[1]
    same(many, 2, hs.simulate(four_bar(), 0.2, {"A": 0.4}, parameters={"crank.end.x": 0.15}, every=1e-3))
    model = chain(1, 2) + hs.JointSpring("gear", chain(1, 2).coordinates[0], stiffness=1e8)
    with pytest.raises(hs.SolveError, match=r"none of 2 runs could start; run 0: a step of"):
        hs.simulate(model, 0.2, parameters={"gear.stiffness": [1e8, 1e9]}, step=0.01)


def test_ctrl_c_ends_all_runs(monkeypatch):
    from hapsis.motion.simulate.run.run import Run

    advance, count = Run._advance, [0]

    def interrupted(self, bar):
        count[0] += 1
        if count[0] == 3:
            raise KeyboardInterrupt
        return advance(self, bar)

    monkeypatch.setattr(Run, "_advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        hs.simulate(bouncing(), 0.1, {"z": np.linspace(0.5, 0.9, 20)})
    assert count[0] == 3


def test_numbers_are_settled_as_those_of_one_run():
    model = chain(2, 5)
    name = model.speeds[0]
    many = hs.simulate(model, 0.1, {name: [5e-324, -0.0]})
    for k, x in enumerate((5e-324, -0.0)):
        same(many, k, hs.simulate(model, 0.1, {name: x}, every=0.1 / 200))
