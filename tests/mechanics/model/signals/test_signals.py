"""Signals by name: plots over any signal, files by their ending, data frames, what notebooks show."""

import builtins
import re
import sys
from types import ModuleType

import numpy as np
import pytest

import hapsis as hs
from hapsis import view


@pytest.fixture(scope="module")
def result():
    crank = hs.Drive("motor", "crank", position=lambda t: 6.0 * t)
    model = hs.Model(hs.library.slider_crank(), crank)
    return hs.simulate(model, 1.0, every=0.01, events={"far": lambda s: s["slider"] - 0.35}, title="<engine>")


def series(plot):
    return {line.name: line for panel in plot.panels for line in panel.series}


def test_plot_over_another_signal(result):
    plot = result.plot("motor.effort", "slider", x="crank")
    lines = series(plot)
    assert plot.xlabel == "crank, rad" and [panel.unit for panel in plot.panels] == ["N m", "m"]
    assert all(np.array_equal(line.x, result["crank"]) for line in lines.values())
    assert np.array_equal(lines["motor.effort"].y, result["motor.effort"])
    assert "<svg" in plot.svg and "crank, rad" in plot.html


def test_plot_of_a_wrench_has_moments_and_forces_apart(result):
    plot = result.plot("pin.reaction")
    assert [(panel.unit, len(panel.series)) for panel in plot.panels] == [("N m", 3), ("N", 3)]
    assert result.plot("slider", x="t").xlabel == result.plot("slider").xlabel


def test_errors_of_plots(result):
    with pytest.raises(hs.ModelError, match='did you mean "crank"'):
        result.plot("slider", x="cranc")
    with pytest.raises(hs.ModelError, match="is a vector"):
        result.plot("slider", x="pin.reaction")


def test_recording(result, tmp_path):
    path = result.save(tmp_path / "run.mcap")
    result.save(path)  # again: replaced, nothing kept beside it
    assert [p.name for p in tmp_path.iterdir()] == ["run.mcap"]
    with hs.recording.read_recording(path) as recording:
        back = recording["motion"]
        assert recording.complete and recording.facts["run"]["title"] == "<engine>"
        assert [e["kind"] for e in recording.events] == [e.name for e in result.events]
    assert np.array_equal(back.t, result.t) and back.units["pin.reaction.fx"] == "N"
    for name in result.names:
        rows = result[name].reshape(len(result.t), -1)
        names = (
            [name] if rows.shape[1] == 1 else [f"{name}.{p}" for p in ("mx", "my", "mz", "fx", "fy", "fz")]
        )
        assert all(np.array_equal(back[n], rows[:, k]) for k, n in enumerate(names))


def test_recording_is_read_by_others(result, tmp_path):
    reader = pytest.importorskip("mcap.reader")
    with result.save(tmp_path / "run.mcap").open("rb") as file:
        messages = list(reader.make_reader(file).iter_messages(topics=["/motion"]))
    assert len(messages) == len(result.t)


def test_other_endings(result, tmp_path):
    with pytest.raises(hs.ModelError, match=r"expected \.csv, \.npz, \.parquet, \.mcap, \.html, \.svg"):
        result.save(tmp_path / "run.xlsx")


def without(monkeypatch, *names):
    usual = builtins.__import__

    def refuse(name, *more):
        if name.partition(".")[0] in names:
            raise ImportError(name)
        return usual(name, *more)

    for name in names:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(builtins, "__import__", refuse)


def test_what_is_not_installed_is_named(result, monkeypatch, tmp_path):
    without(monkeypatch, "pandas", "polars", "xarray", "pyarrow")
    with pytest.raises(hs.Error, match=r"needs pandas or polars; (pip install|./run add) pandas"):
        result.to_dataframe()
    with pytest.raises(hs.Error, match=r"needs polars; (pip install|./run add) polars"):
        result.to_dataframe("polars")
    with pytest.raises(hs.Error, match=r"needs xarray; (pip install|./run add) xarray"):
        result.to_xarray()
    with pytest.raises(hs.Error, match=r"needs pyarrow; (pip install|./run add) pyarrow"):
        result.save(tmp_path / "run.parquet")
    with pytest.raises(hs.Error, match='there is no library "panda"'):
        result.to_dataframe("panda")


class Frame(dict):
    """As much of a data frame as is used."""

    def __init__(self, columns):
        super().__init__(columns)
        self.attrs = {}


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_data_frames_by_a_stand_in(result, monkeypatch, name):
    module = ModuleType(name)
    module.DataFrame = Frame  # pyright: ignore
    monkeypatch.setitem(sys.modules, name, module)
    frame = result.to_dataframe(name)
    assert next(iter(frame)) == "t" and np.array_equal(frame["pin.reaction.mx"], result["pin.reaction"][:, 0])
    assert name != "pandas" or frame.attrs["units"]["pin.reaction.fz"] == "N"


def test_pandas(result):
    pandas = pytest.importorskip("pandas")
    frame = result.to_dataframe("pandas")
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(result.t)
    assert np.array_equal(frame["crank"], result["crank"]) and frame.attrs["units"]["crank"] == "rad"


def test_polars(result):
    polars = pytest.importorskip("polars")
    frame = result.to_dataframe("polars")
    assert isinstance(frame, polars.DataFrame) and np.array_equal(frame["crank"], result["crank"])


def test_xarray(result):
    pytest.importorskip("xarray")
    dataset = result.to_xarray()
    assert dataset["crank"].attrs["units"] == "rad" and dataset["pin.reaction"].dims == ("t", "part")
    assert np.array_equal(dataset["pin.reaction"].sel(part="fx"), result["pin.reaction"][:, 3])


def test_parquet(result, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(result.save(tmp_path / "run.parquet"))
    assert np.array_equal(table["slider"], result["slider"])
    assert b'"slider": "m"' in table.schema.metadata[b"units"]


def test_notebooks(result):
    text = result._repr_html_()
    assert "&lt;engine&gt;" in text and "<script" not in text and len(text) < 5000
    assert "slider" in text and ">m<" in text
    assert set(result._ipython_key_completions_()) == {"t", *result.names}
    assert not re.search(r"https?:", text)


def test_parts_of_a_reaction_that_are_rounding_are_drawn_flat():
    """A plane mechanism has no moments in its hinges but rounding; the guide of the slider has one."""
    result = hs.simulate(hs.library.slider_crank(), 0.2)
    for name, largest in {"crank": 1e-12, "coupler": 1e-12, "pin": 1e-12, "slider": 10.0}.items():
        panel = result.plot(f"{name}.reaction").panels[0]
        flat = "× 10" not in view.Plot((panel,)).svg
        assert flat and max(abs(line.y).max() for line in panel.series) < largest
    alone = view.plot([0.0, 1.0], {"small": [0.0, 1e-15]})
    assert "× 10⁻¹⁵" in alone.svg  # what is small by itself is shown
