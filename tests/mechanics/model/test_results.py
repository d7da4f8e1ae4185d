"""Results of many runs: files, tables, plots, pickles; the numbers of every route are the same."""

import pickle

import numpy as np
import pytest
from many_models import bouncing, case

import hapsis as hs
from hapsis.mechanics.formats import result_reader


def made(seed, count=5):
    one = case(seed, count)
    starts = (*one.model.coordinates, *one.model.speeds)
    start = {n: x for n, x in one.over.items() if n in starts}
    parameters = {n: x for n, x in one.over.items() if n not in starts}
    return hs.simulate(one.model, 0.2, start, parameters=parameters, every=0.02, title="x", **one.options)


@pytest.fixture(scope="module", params=[0, 2, 3, "limits"])
def many(request):
    if request.param != "limits":
        return made(request.param)
    joint = hs.Revolute("j", hs.WORLD, "a", axis="y", limits=(-0.5, 0.5))
    with pytest.warns(hs.Notice, match="3 of 5 runs have warnings"):
        return hs.simulate(hs.Model(hs.Rod("a", 1.0, 1.0), joint), 0.2, {"j": [0.0, 0.1, 1.0, 2.0, 3.0]})


def test_what_was_saved_is_read(many, tmp_path):
    back = hs.load(many.save(tmp_path / "a.npz"))
    assert isinstance(back, hs.Results) and len(back) == len(many) and back.names == many.names
    for name in many.names:
        assert np.array_equal(back[name], many[name], equal_nan=True)
    for fact in ("status", "message", "warnings", "units", "title", "coordinates", "speeds"):
        assert getattr(back, fact) == getattr(many, fact)
    assert np.array_equal(back.lengths, many.lengths) and back.given.keys() == many.given.keys()
    for k, run in enumerate(back):
        rows = many.lengths[k]
        assert len(run.t) == rows and run.last[many.coordinates[0]] == run[many.coordinates[0]][-1]
        assert np.array_equal(run["energy"], many["energy"][k, :rows])
    assert np.array_equal(hs.load(back.save(tmp_path / "b.npz"))["energy"], many["energy"], equal_nan=True)


def test_damaged_files_are_one_line(many, tmp_path):
    data = many.save(tmp_path / "a.npz").read_bytes()
    draw = np.random.default_rng(0)
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(3):
            damaged[draw.integers(len(damaged))] = draw.integers(256)
        try:
            back = result_reader.npz_result(bytes(damaged), "a.npz")
        except hs.ModelError as error:
            assert "\n" not in str(error)
        else:
            assert len(back) == len(many)
    for cut in (10, len(data) // 2):
        with pytest.raises(hs.ModelError):
            result_reader.npz_result(data[:cut], "a.npz")


def test_tables_are_long(many, tmp_path):
    text = many.save(tmp_path / "a.csv").read_text().splitlines()
    head, rows = text[0].split(","), np.array([[float(x) for x in line.split(",")] for line in text[1:]])
    assert len(rows) == many.lengths.sum() and head[:2] == ["run", "t"]
    for k in range(len(many)):
        own = rows[rows[:, 0] == k]
        assert np.array_equal(own[:, head.index("energy")], many["energy"][k, : many.lengths[k]])
        for name, values in many.given.items():
            assert (own[:, head.index(f"given {name}")] == values[k]).all()
    with pytest.raises(hs.ModelError, match=r"\.npz, \.csv, \.parquet"):
        many.save(tmp_path / "a.txt")


def test_other_programs_get_the_same(many, tmp_path):
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    frame = many.to_dataframe("pandas")
    assert len(frame) == many.lengths.sum() and frame.attrs["units"]["energy"] == "J"
    assert frame[frame["run"] == 1]["energy"].tolist() == many["energy"][1, : many.lengths[1]].tolist()
    data = many.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["energy"].dims == ("run", "t")
    assert np.array_equal(data["energy"].values, many["energy"], equal_nan=True)
    pytest.importorskip("pyarrow")
    assert (
        pandas.read_parquet(many.save(tmp_path / "a.parquet"))["energy"].tolist() == frame["energy"].tolist()
    )


def test_pickled_and_shown(many):
    back = pickle.loads(pickle.dumps(many))
    assert np.array_equal(back["energy"], many["energy"], equal_nan=True) and back.status == many.status
    assert "<table" in many._repr_html_() and "5 runs" in many._repr_html_()
    names = many.coordinates[:1]
    assert len(many.plot(*names).panels[0].series) == 5
    assert len(many.plot("energy", x=names[0]).panels[0].series) == 5
    with pytest.raises(hs.ModelError, match="several numbers in a row"):
        many.plot(next(name for name in many.names if many[name].ndim > 2))


def test_many_runs_are_bands_and_runs_that_end_early_leave_them():
    stop = hs.Event("low", lambda s: s["z"] - 0.2, stop=True)
    many = hs.simulate(bouncing(), 0.4, {"z": np.linspace(0.3, 0.9, 20)}, events=stop, every=0.01)
    assert many.lengths.min() < many.lengths.max() <= len(many.t)
    names = [series.name for series in many.plot("z").panels[0].series]
    assert names == [f"z, {p} %" for p in (5, 25, 50, 75, 95)]
    half = many.plot("z").panels[0].series[2]
    for k in range(0, len(many.t), 7):
        there = many["z"][:, k][~np.isnan(many["z"][:, k])]
        assert np.isnan(half.y[k]) if not len(there) else half.y[k] == pytest.approx(np.median(there))
    assert len(many.plot("z.v", x="z").panels[0].series) == 12
    assert many[0].events[-1].name == "low" and many[0].t[-1] == many[0].events[-1].time
