"""Sweeps: each row has what `simulate` alone gives, whatever the batch, the order and the interruptions."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from children import until as wait_until
from children import usual_signals
from many_models import bouncing, case, chain
from samples import sample
from shared_models import four_bar

import hapsis as hs
from hapsis.motion.simulate.batch import sweep_folder
from hapsis.motion.simulate.batch.sweep_plan import sweep_plan

TIME = 0.4
REDUCED = {"last": lambda x: x[-1], "first": lambda x: x[0], "min": np.min, "max": np.max}


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        yield


def swept(one, numbers=slice(None), **more):
    measure = {f"{how}({name})": f"{how}({name})" for name in one.signals for how in (*REDUCED, "mean")}
    over = {name: values[numbers] for name, values in one.over.items()}
    return hs.sweep(one.model, TIME, over, measure, grid=False, every=0.02, **one.options, **more)


def equal(a, b, places=slice(None)):
    assert a.names == b.names
    for name in a.names:
        assert np.array_equal(a[name][places], b[name], equal_nan=True), name
    assert list(np.array(a.status)[places]) == list(b.status)
    assert np.array_equal(a.lengths[places], b.lengths)


def column(result, name):
    if name in result:
        return result[name]
    base, _, part = name.rpartition(".")
    values = result[base]
    return values[:, ("xyz" if values.shape[1] == 3 else ["mx", "my", "mz", "fx", "fy", "fz"]).index(part)]


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_each_row_is_what_one_run_gives(seed):
    one = case(seed)
    table = swept(one)
    for k in (0, 3, 6):
        values = {name: float(x[k]) for name, x in one.over.items()}
        start = {n: x for n, x in values.items() if n in (*one.model.coordinates, *one.model.speeds)}
        parameters = {n: x for n, x in values.items() if n not in start}
        alone = hs.simulate(one.model, TIME, start, parameters=parameters, every=0.02, **one.options)
        assert table.status[k] == alone.status and table.message[k].startswith(alone.message)
        for name in one.signals:
            x = column(alone, name)
            for how, reduce in REDUCED.items():
                assert table[f"{how}({name})"][k] == reduce(x), (how, name)
            assert np.isclose(table[f"mean({name})"][k], x.mean(), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_bits_do_not_depend_on_batches_order_or_interruptions(seed, tmp_path):
    one = case(seed)
    table = swept(one)
    equal(table, swept(one, batch=1 + seed % 3, threads=1))
    order = np.random.default_rng(seed).permutation(7)
    equal(table, swept(one, order), order)
    equal(table, swept(one, keep=tmp_path / "kept", batch=2))
    parts = sorted((tmp_path / "kept").glob("part-*"))
    for path in parts[1::2]:
        path.unlink()
    equal(table, swept(one, keep=tmp_path / "kept", batch=3))
    equal(table, swept(one, keep=tmp_path / "kept"))


def test_a_grid_and_its_shape(tmp_path):
    model = chain(2, 3)
    speed = model.speeds[0]
    over = {"b0.mass": [0.5, 1.0, 2.0], speed: [0.1, 0.2, 0.3, 0.4]}
    table = hs.sweep(model, TIME, over, ["energy", speed])
    assert table.names == ("b0.mass", speed, "energy", f"last({speed})") and len(table) == 12
    assert tuple(table) == table.names
    with pytest.raises(
        hs.ModelError, match=r'"b0\.R" has 9 numbers in a row; expected one number: a function'
    ):
        hs.sweep(model, TIME, over, "b0.R")
    assert table.shape == (3, 4) and table.grid("energy").shape == (3, 4)
    assert (table.grid("b0.mass") == np.array([[0.5], [1.0], [2.0]])).all()
    assert table.units["energy"] == "J" and "12 runs, over 3 b0.mass x 4" in repr(table)
    assert table.plot("energy").panels[0].series[0].name == f"energy, {speed} = 0.1"
    assert len(table.plot("energy", x=speed).panels[0].series) == 3
    assert len(table.plot(x="energy").panels) == 2
    assert "<table" in table._repr_html_() and "energy, J" in table._repr_html_()
    lines = table.save(tmp_path / "t.csv").read_text().splitlines()
    assert len(lines) == 13 and lines[0].startswith("b0.mass,") and float(lines[1].split(",")[0]) == 0.5
    with pytest.raises(hs.ModelError, match=r'no "b0\.mas"'):
        table["b0.mas"]
    with pytest.raises(hs.ModelError, match=r"\.csv, \.parquet"):
        table.save(tmp_path / "t.txt")


class Frame(dict):
    """As much of a data frame as is used."""

    def __init__(self, columns):
        super().__init__(columns)
        self.attrs = {}


def test_tables_of_other_programs(monkeypatch, tmp_path):
    table = hs.sweep(chain(1, 2), 0.1, {"b0.mass": [0.5, 1.0], "gravity.z": [-9.0, -1.0, 0.0]}, "energy")
    module = ModuleType("pandas")
    module.DataFrame = Frame
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pandas", module)
        frame = table.to_dataframe("pandas")
    assert [*frame] == ["b0.mass", "gravity.z", "energy", "length", "status", "message"]
    assert np.array_equal(frame["energy"], table["energy"]) and frame.attrs["units"]["energy"] == "J"
    with contextlib.suppress(ImportError):
        import xarray

        data = table.to_xarray()
        assert isinstance(data, xarray.Dataset) and data["energy"].dims == ("b0.mass", "gravity.z")
        assert data["energy"].sel({"b0.mass": 1.0, "gravity.z": -1.0}) == table.grid("energy")[1, 1]
    with contextlib.suppress(ImportError):
        import pyarrow.parquet

        read = pyarrow.parquet.read_table(table.save(tmp_path / "t.parquet")).to_pydict()
        assert read["energy"] == table["energy"].tolist() and read["status"] == list(table.status)


def test_functions_measure_results_and_may_fail():
    def crossing(result):
        t = result.t[np.flatnonzero(result["z.v"] > 0.0)]
        return t[0]  # an error where there is none

    table = hs.sweep(
        bouncing(), 0.3, {"z": [0.12, 5.0]}, {"rise": crossing, "events": lambda r: len(r.events)}
    )
    assert table.status == ("done", "not measured") and 'measure "rise": IndexError' in table.message[1]
    assert 0.0 < table["rise"][0] < 0.3 and np.isnan(table["rise"][1])
    assert table["events"].tolist() == [1.0 * len(hs.simulate(bouncing(), 0.3, {"z": 0.12}).events), 0.0]


def test_warnings_of_runs_are_in_their_rows():
    arm = hs.Rod("a", 1.0, 1.0)
    model = hs.Model(arm, hs.Revolute("j", hs.WORLD, "a", axis="y", limits=(-0.5, 0.5)))
    with pytest.warns(hs.Notice, match="1 of 2 runs have warnings; the first is run 1: "):
        table = hs.sweep(model, 0.1, {"j": [0.0, 3.0]}, "energy")
    warning = hs.simulate(model, 0.1, {"j": 3.0}).warnings[0]
    assert table.success and "warning" not in table.message[0] and warning in table.message[1]


def test_runs_that_cannot_start_are_rows():
    over = {"crank.end.x": [20.0, 0.2], "crank.mass": [-1.0, 0.2]}
    table = hs.sweep(four_bar(), 0.1, over, "D")
    assert table.status == ("not started",) * 3 + ("done",)
    assert np.isfinite(table["D"]).tolist() == [False, False, False, True]
    for k, text in enumerate(("cannot be negative", "cannot be closed", "cannot be negative")):
        assert text in table.message[k]


def test_a_sweep_in_which_no_run_can_start_is_an_error():
    model = chain(1, 2) + hs.JointSpring("gear", chain(1, 2).coordinates[0], stiffness=1e8)
    table = hs.sweep(model, 0.1, {"gear.stiffness": [1e8, 1.0]}, "energy", step=0.01)
    assert table.status == ("not started", "done") and "is unstable" in table.message[0]
    with pytest.raises(hs.SolveError, match="none of 2 runs could start; run 0: a step of"):
        hs.sweep(model, 0.1, {"gear.stiffness": [1e8, 1e9]}, "energy", step=0.01)


def test_numbers_that_belong_together_are_checked_together():
    body = hs.Body("b0", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.0, 0.0, 0.1))
    model = hs.Model(body, hs.Ball("j", "world", "b0"))
    over = {"b0.inertia.xx": [1.0, 1.0], "b0.inertia.yy": [1.0, 5.0], "b0.inertia.zz": [1.0, 1.0]}
    table = hs.sweep(model, 0.1, over, "energy", grid=False)
    assert table.status == ("done", "not started")
    good = hs.simulate(model, 0.1, parameters={name: values[:1] * 2 for name, values in over.items()})
    assert good.success  # each alone with the model's own other numbers is impossible
    with pytest.raises(hs.ModelError, match="inertia"):
        hs.simulate(model, 0.1, parameters=over)


WRONG = [
    ({"over": {}}, "over is empty"),
    ({"over": [1.0]}, "over is a list"),
    ({"over": {"b0.mass": []}}, "finite numbers in one row"),
    ({"over": {"b0.mass": 1.0}}, "finite numbers in one row"),
    ({"over": {"b0.mass": [1.0, np.nan]}}, "finite numbers in one row"),
    ({"over": {"b0.mass": [[1.0]]}}, "finite numbers in one row"),
    ({"over": {"b0.mass": [[1.0], [1.0, 2.0]]}}, "finite numbers in one row"),
    ({"over": {"b0.mass": ["1_0"]}}, "finite numbers in one row"),
    ({"over": {"b0.mass": [True]}}, "finite numbers in one row"),
    ({"over": {"b0.mas": [1.0]}}, 'no parameter "b0.mas" .did you mean "b0.mass"'),
    ({"over": {"status": [1.0]}}, "cannot be swept"),
    ({"over": {"b0.mass": [1.0, 2.0], "gravity.z": [1.0]}, "grid": False}, "has 1 values"),
    ({"parameters": {"b0.mass": 1.0}}, "in over and in parameters"),
    ({"parameters": {"gravity.z": [1.0, 2.0]}}, "give arrays in over"),
    ({"over": {"b0.mass": np.ones(20_000), "gravity.z": np.ones(20_000)}}, "400000000 runs"),
    ({"measure": "energi"}, 'no signal "energi" to measure .did you mean "energy"'),
    ({"measure": "median(energy)"}, "there is no .median."),
    ({"measure": []}, "measure is empty"),
    ({"measure": 3}, "measure is"),
    ({"measure": {"b0.mass": "energy"}}, "two columns"),
    ({"measure": "j0.reaction"}, "j0.reaction.mx"),
    ({"method": "order9"}, "no method"),
    ({"batch": 0}, "batch is 0"),
    ({"cluster": 3}, "cluster"),
    ({"start": [0.0]}, "is a number of the start"),
]


@pytest.mark.parametrize(("call", "text"), WRONG)
def test_wrong_calls_are_refused_before_the_first_run(call, text):
    model = chain(1, 2)
    call = {"over": {"b0.mass": [1.0, 2.0]}, "measure": "energy", **call}
    if "start" in call:
        call["over"] = {model.speeds[0]: [0.1]}
    with pytest.raises(hs.Error, match=text):
        hs.sweep(model, 0.1, **call)


# kept rows ---------------------------------------------------------------------------------------


def kept(folder, model=None, **more):
    model = chain(2, 3) if model is None else model
    call = {"over": {"b0.mass": np.linspace(0.5, 2.0, 9)}, "measure": "energy", "batch": 2, **more}
    return hs.sweep(model, TIME, keep=folder, **call)


def scaled(factor):
    return lambda result: factor * result["energy"][-1]


CHANGED = [
    ({"model": chain(2, 4)}, "model differs"),
    ({"tolerance": 1e-8}, "tolerance differs"),
    ({"every": 0.1}, "every differs"),
    ({"over": {"b0.mass": np.linspace(0.5, 2.0, 8)}}, "over differs"),
    ({"measure": "kinetic"}, "measure differs"),
    ({"start": {chain(2, 3).speeds[0]: 0.1}}, "start differs"),
    ({"parameters": {"gravity.z": -9.0}}, "parameters differs"),
    ({"inputs": {chain(2, 3).speeds[0].removesuffix(".v"): 1.0}}, "inputs differs"),
    ({"events": {"slow": lambda s: s["energy"]}}, "events differs"),
    ({"method": "order5", "tolerance": 1e-8}, "method, tolerance differ"),
]


@pytest.mark.parametrize(("change", "text"), CHANGED)
def test_rows_of_another_sweep_are_never_used(change, text, tmp_path):
    kept(tmp_path / "a")
    with pytest.raises(hs.ModelError, match=f"of another sweep: .*{text}"):
        kept(tmp_path / "a", **change)


def test_functions_are_told_apart_by_what_they_compute(tmp_path):
    kept(tmp_path / "a", measure={"e": scaled(2.0)})
    kept(tmp_path / "a", measure={"e": scaled(2.0)})
    for other in (scaled(3.0), lambda result: 2.0 * result["energy"][-1]):
        with pytest.raises(hs.ModelError, match="measure differs"):
            kept(tmp_path / "a", measure={"e": other})
    thing = object()
    with pytest.raises(hs.ModelError, match="cannot be said whether measure is the same"):
        kept(tmp_path / "b", measure={"e": lambda result: hash(thing)})


def damaged(path, how):
    data = bytearray(path.read_bytes())
    if how == "short":
        path.write_bytes(data[: len(data) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    else:
        path.write_bytes(b"PAR1 nonsense PAR1")


@pytest.mark.parametrize("how", ["short", "empty", "other"])
def test_damaged_parts_are_made_again(how, tmp_path):
    table = kept(tmp_path / "a")
    for path in sorted((tmp_path / "a").glob("part-*"))[:2]:
        damaged(path, how)
    with pytest.warns(hs.Notice, match="is damaged"):
        equal(table, kept(tmp_path / "a"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        equal(table, kept(tmp_path / "a"))


@pytest.mark.parametrize("seed", range(sample(6, 60)))
def test_whichever_bit_of_a_part_changes_numbers_stay(seed, tmp_path):
    draw = np.random.default_rng(seed)
    table = kept(tmp_path / "a")
    path = draw.choice(sorted((tmp_path / "a").glob("part-*")))
    data = bytearray(path.read_bytes())
    data[draw.integers(len(data))] ^= 1 << draw.integers(8)
    path.write_bytes(bytes(data))
    equal(table, kept(tmp_path / "a"))


def test_changed_numbers_in_a_part_are_noticed(tmp_path):
    table = kept(tmp_path / "a")
    [path, *_] = sorted((tmp_path / "a").glob("part-*.npz")) or [None]
    if path is None:
        pytest.skip("parts are Parquet here")
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["c2"] = arrays["c2"] + 1.0
    np.savez(path.open("wb"), **arrays)
    with pytest.warns(hs.Notice, match="its digest is another"):
        equal(table, kept(tmp_path / "a"))


def test_folders_that_are_none_of_a_sweep(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(hs.ModelError, match="is a file"):
        kept(tmp_path / "file")
    with pytest.raises(hs.ModelError, match='has "file" in it, and no sweep'):
        kept(tmp_path)
    kept(tmp_path / "a")
    (tmp_path / "a" / "_sweep.json").write_text(json.dumps({"hapsis sweep": 99}))
    with pytest.raises(hs.ModelError, match="is damaged, or of another version"):
        kept(tmp_path / "a")


def test_two_sweeps_do_not_write_into_one_folder(tmp_path):
    model = chain(2, 3)
    plan = sweep_plan(model, {"b0.mass": [1.0]}, True, None, None, None)
    with sweep_folder.SweepFolder(tmp_path / "a", {}, plan):
        with pytest.raises(hs.ModelError, match="another sweep writes"):
            kept(tmp_path / "a")


PROGRAM = """
import sys, pathlib
sys.path[:0] = sys.argv[2].split(":")
import numpy as np
import hapsis as hs
from many_models import chain
from hapsis.motion.simulate.batch import part_files
if sys.argv[3] == "slowly":
    write, count = part_files._write_npz, [0]
    def slowly(path, *rest):
        count[0] += 1
        if count[0] == 3:
            path.write_bytes(b"half a part")
            pathlib.Path(sys.argv[1], "..", "now").write_text("")
            import time
            time.sleep(600)
        write(path, *rest)
    part_files._write_npz = part_files._write_parquet = slowly
table = hs.sweep(chain(2, 3), 0.4, {"b0.mass": np.linspace(0.5, 2.0, 9)}, "energy", batch=2, keep=sys.argv[1])
np.save(pathlib.Path(sys.argv[1], "..", "energy.npy"), table["energy"])
"""


def test_a_sweep_that_is_killed_while_it_writes_goes_on(tmp_path):
    table = kept(None)
    paths = ":".join(p for p in sys.path if p)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "a"), paths]
    (tmp_path / "a").mkdir()
    child = subprocess.Popen([*command, "slowly"], preexec_fn=usual_signals)
    try:
        wait_until(lambda: (tmp_path / "now").exists() or child.poll() is not None, 0.02)
        assert child.poll() is None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
    there = sorted(p.name for p in (tmp_path / "a").iterdir())
    assert len([n for n in there if n.startswith("part-")]) == 2
    assert any(n.startswith(sweep_folder.TEMPORARY) for n in there)
    subprocess.run([*command, "on"], check=True)
    assert np.array_equal(np.load(tmp_path / "energy.npy"), table["energy"])
    assert not [p for p in Path(tmp_path / "a").iterdir() if p.name.startswith(sweep_folder.TEMPORARY)]


def test_only_what_is_missing_is_made(tmp_path, monkeypatch):
    from hapsis.motion.simulate import sweep as module

    made = []
    real = module.batch_rows
    monkeypatch.setattr(
        module, "batch_rows", lambda task, n, *r: made.append(n.tolist()) or real(task, n, *r)
    )
    table = kept(tmp_path / "a")
    assert made == [[0, 1], [2, 3], [4, 5], [6, 7], [8]]
    sorted((tmp_path / "a").glob("part-*"))[1].unlink()
    made.clear()
    equal(table, kept(tmp_path / "a", batch=5))
    assert made == [[2, 3]]


def test_ctrl_c_ends_the_sweep_and_keeps_what_is_finished(tmp_path, monkeypatch):
    from hapsis.motion.simulate import sweep as module

    real = module.batch_rows

    def interrupted(task, numbers, *rest):
        if numbers[0] == 4:
            raise KeyboardInterrupt
        return real(task, numbers, *rest)

    table = kept(None)
    monkeypatch.setattr(module, "batch_rows", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        kept(tmp_path / "a")
    assert "after 4 of 9 runs; they are kept in" in caught.value.__notes__[0]
    monkeypatch.undo()
    equal(table, kept(tmp_path / "a"))


def test_a_bar_shows_the_time_left(capsys, monkeypatch):
    class AtOnce:
        def __init__(self, seconds, appear):
            self.start, self.cancel = appear, lambda: None

    monkeypatch.setattr("hapsis.compiler.ir.functions.progress_bar.threading.Timer", AtOnce)
    kept(None, progress=True)
    assert "of 9 runs, about" in capsys.readouterr().err
    for one in (case(0), case(3)):  # in lanes, and one by one
        starts = {name: values for name, values in one.over.items() if not name.endswith("mass")}
        hs.simulate(one.model, TIME, starts, progress=True)
        assert "7 of 7 runs, about" in capsys.readouterr().err
    kept(None, progress=False)
    assert capsys.readouterr().err == ""


def test_plots_show_all_runs_or_say_how_many():
    """Grids of random sizes: every curve, or a notice and a note; a map has every run."""
    draw, model = np.random.default_rng(5), chain(1, 2)
    for count in (2, 11, 12, 13, 20):
        masses = 1.0 + 1e-6 * draw.permutation(count)  # labels must tell them apart
        table = hs.sweep(model, 0.01, {"gravity.z": [-9.0, -1.0, 0.0], "b0.mass": masses}, "energy")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plot = table.plot()
        series = plot.panels[0].series
        assert len(series) == len({line.name for line in series}) == min(count, 12)
        assert [f"12 of {count} curves" in str(w.message) for w in caught] == [True] * (count > 12)
        assert (f"12 of {count} curves are drawn" in plot.svg) == (count > 12)
        values = table.plot(y="b0.mass").panels[0].map.values
        order = np.argsort(masses)
        assert np.array_equal(values, table.grid("energy").T[order])
        assert np.array_equal(table.plot(y="gravity.z", x="b0.mass").panels[0].map.values, values.T)
    with pytest.raises(hs.ModelError, match="a grid of two swept names"):
        table.plot(x="b0.mass", y="energy")


def test_samples_are_points_and_swept_names_have_units():
    over = {"b0.mass": [0.5, 1.0], "gravity.z": [-9.0, 0.0], "b0.com.z": [0.1, 0.2]}
    table = hs.sweep(chain(1, 2), 0.01, over, "energy", grid=False)
    plot = table.plot()
    assert plot.xlabel == "b0.mass, kg" and all(line.scattered for line in plot.panels[0].series)
    assert table.units["gravity.z"] == "m/s²" and table.units["b0.com.z"] == "m"
