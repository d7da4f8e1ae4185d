"""Results as files: what is saved is read back bit for bit; a damaged file is one line."""

import csv
import io
import json
import math
import random
import sys
import zipfile

import numpy as np
import pytest

import hapsis as hs
from hapsis import view
from hapsis.errors import Error, ModelError
from hapsis.mechanics.formats import result_reader
from hapsis.mechanics.model.result import Columns, Happened, Result
from hapsis.mechanics.model.state import State


def result(**changed):
    """A small result with a column of every kind and a scene, made by hand."""
    draw = np.random.default_rng(1)
    t = np.array([0.0, 0.1, 0.1, 0.3])
    columns = {"hinge": draw.normal(size=4), "tip.push": draw.normal(size=(4, 3)), 'é,"': t / 3}
    poses = np.zeros((4, 2, 7))
    poses[:, :, 3] = 1.0
    poses[:, 1, 0] = draw.normal(size=4)
    scene = {
        "bodies": [
            view.Drawn("world", [{"type": "plane"}]),
            view.Drawn("arm", [{"type": "sphere", "radius": 0.1}], trail=(0, 0, 0.5)),
        ],
        "poses": poses,
        "up": np.array([0.0, 0.0, 1.0]),
        "arrows": [view.Arrows("tip", draw.normal(size=(4, 3)), draw.normal(size=(4, 3)))],
    }
    fields = {
        "t": t,
        "columns": Columns([(tuple(columns), columns)]),
        "status": "energy",
        "message": "it drifted",
        "events": (Happened(0.1, "strike"),),
        "energy_drift": 1 / 3,
        "report": {"steps": 12, "seconds": 0.1},
        "last": State(["hinge"], ["w"], [1 / 3], [2e-300]),
        "warnings": ("careful",),
        "units": {"hinge": "rad"},
        "title": "arm",
        "scene": lambda: scene,
    }
    return Result(**{**fields, **changed})


@pytest.fixture
def saved(tmp_path):
    """A result and the file it was saved to."""
    made = result()
    made.save(tmp_path / "run.npz")
    return made, tmp_path / "run.npz"


def refused(path):
    """The one line that says why a file does not load."""
    with pytest.raises(ModelError) as caught:
        hs.load(path)
    line = str(caught.value)
    assert line.startswith(f"{path}: ") and "\n" not in line and line.isprintable()
    return line.removeprefix(f"{path}: ")


def test_everything_reads_back_bit_for_bit(saved):
    made, path = saved
    back = hs.load(path)
    assert back.t.tobytes() == made.t.tobytes() and back.names == made.names
    for name in made.names:
        assert back[name].shape == made[name].shape
        assert back[name].tobytes() == made[name].tobytes()
    for name in ("status", "message", "events", "energy_drift", "warnings", "units", "title"):
        assert getattr(back, name) == getattr(made, name)
    assert back.last == made.last and back.coordinates == ("hinge",)
    assert dict(back.report) == made.report and not back.success
    ours, theirs = made.scene(), back.scene()
    assert theirs["poses"].tobytes() == ours["poses"].tobytes()
    assert theirs["arrows"][0].vectors.tobytes() == ours["arrows"][0].vectors.tobytes()
    assert [body.name for body in theirs["bodies"]] == ["world", "arm"]


def test_a_loaded_result_can_do_what_a_new_one_can(saved, tmp_path):
    made, path = saved
    back = hs.load(path)
    assert back.player().html == made.player().html
    assert back.plot("hinge", "tip.push").svg == made.plot("hinge", "tip.push").svg
    for ending in (".csv", ".npz", ".html"):
        assert back.save(tmp_path / f"a{ending}").read_bytes() == (
            made.save(tmp_path / f"b{ending}").read_bytes()
        )
    with pytest.raises(ModelError, match=r"\"hinj\" \(did you mean \"hinge\"\?\)"):
        back["hinj"]
    with pytest.raises(ValueError, match="read-only"):
        back["hinge"][0] = 1.0


@pytest.mark.parametrize("width", [1, 2, 3, 5, 6])
def test_tables_of_any_width_are_plotted_and_saved(tmp_path, width):
    columns = {"x": np.zeros((4, width))}
    made = result(columns=Columns([(("x",), columns)]), scene=None)
    assert made.plot("x").svg and made.save(tmp_path / "a.csv").read_text().count("x.") == width


def test_a_result_without_bodies(tmp_path):
    back = hs.load(result(scene=None).save(tmp_path / "a.npz"))
    with pytest.raises(ModelError, match="has no bodies to show"):
        back.player()


def test_a_simulated_result(tmp_path):
    model = hs.Model(
        hs.Body("arm", mass=1.0, com=(0, 0, -0.5), inertia=(0.083, 0.083, 0.001)),
        hs.Revolute("hinge", hs.WORLD, "arm", axis="y"),
    )
    made = hs.simulate(model, until=1.0, start={"hinge": 0.5}, every=0.01)
    back = hs.load(made.save(tmp_path / "a.npz"))
    assert back.success and back.names == made.names and back.last == made.last
    assert all(back[name].tobytes() == made[name].tobytes() for name in made.names)
    assert back.player().html == made.player().html
    with pytest.raises(ModelError, match="cannot go on: it was read from a file"):
        hs.simulate(model, until=2.0, start=back)
    assert hs.simulate(model, until=0.1, start=back.last)["hinge"][0] == made["hinge"][-1]


def test_csv_has_every_digit(tmp_path):
    draw = np.random.default_rng(5)
    values = draw.integers(0, 2**63, 500, dtype=np.uint64).view(np.float64)
    values = values[np.isfinite(values)]
    t = np.arange(float(len(values)))
    columns = {"x": values, "a,b": -values, "v": np.stack([values, t, 1 / (t + 3)], axis=1)}
    made = result(t=t, columns=Columns([(tuple(columns), columns)]), scene=None)
    with made.save(tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    assert head == ["t", "x", "a,b", "v.x", "v.y", "v.z"]
    read = np.array(rows, dtype=float).T
    for got, wanted in zip(read, [t, values, -values, *columns["v"].T], strict=True):
        assert got.tobytes() == wanted.tobytes()


def test_parquet_without_its_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Error, match="writing Parquet needs pyarrow"):
        result().save(tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []


# damaged files


def rewritten(path, change):
    """The file with its arrays changed: `change` takes {name: array} with the facts as a table."""
    with np.load(path) as archive:
        arrays = dict(archive)
    facts = json.loads(arrays["facts"].tobytes())
    change(arrays, facts)
    if "facts" in arrays:
        arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    np.savez(path, **arrays)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a, f: a.pop("t"), 'is no saved result: it has no "t"'),
        (lambda a, f: a.pop("facts"), 'is no saved result: it has no "facts"'),
        (lambda a, f: a.pop("c1"), 'is no saved result: it has no "c1"'),
        (lambda a, f: a.pop("poses"), 'is no saved result: it has no "poses"'),
        (lambda a, f: a.pop("v0"), 'is no saved result: it has no "v0"'),
        (lambda a, f: f.update(hapsis=2), "the result has format 2; expected 1"),
        (lambda a, f: f.pop("hapsis"), 'the saved result is damaged at "facts"'),
        (lambda a, f: f.pop("status"), 'the saved result is damaged at "status"'),
        (lambda a, f: f.update(names=["hinge", 3, "x"]), 'the saved result is damaged at "names"'),
        (lambda a, f: f.update(names=["x", "x", "y"]), 'the saved result is damaged at "names"'),
        (lambda a, f: f.update(events=[["a", 1]]), 'the saved result is damaged at "events"'),
        (lambda a, f: f.update(events=[3]), 'the saved result is damaged at "events"'),
        (lambda a, f: f.update(units={"hinge": 3}), 'the saved result is damaged at "units"'),
        (lambda a, f: f["last"].update(q=[]), 'the saved result is damaged at "last"'),
        (lambda a, f: f["last"].update(q=["1"]), 'the saved result is damaged at "last"'),
        (lambda a, f: f["last"].update(speeds=[["x"]]), 'the saved result is damaged at "last"'),
        (lambda a, f: f.update(last=[1]), 'the saved result is damaged at "last"'),
        (lambda a, f: f.update(energy_drift="1"), "the saved result is damaged at"),
        (lambda a, f: f.update(bodies=[{"name": "a"}]), 'the saved result is damaged at "bodies"'),
        (lambda a, f: f["bodies"].pop(), 'the saved result is damaged at "poses"'),
        (lambda a, f: f.update(up=[0, 1]), 'the saved result is damaged at "up"'),
        (lambda a, f: a.update(t=a["t"][::-1]), 'the saved result is damaged at "t"'),
        (lambda a, f: a.update(t=np.append(a["t"][:-1], np.inf)), 'the saved result is damaged at "t"'),
        (lambda a, f: f.update(title="\ud800"), 'the saved result is damaged at "facts"'),
        (lambda a, f: f["units"].update({"\udfff": "m"}), 'the saved result is damaged at "facts"'),
        (lambda a, f: a.update(t=a["t"][:3]), 'the saved result is damaged at "hinge"'),
        (lambda a, f: a.update(c0=np.zeros(())), 'the saved result is damaged at "hinge"'),
        (lambda a, f: a.update(p0=a["p0"][:, :2]), 'the saved result is damaged at "tip"'),
        (lambda a, f: a.update(c0=a["c0"].astype(complex)), "holds no plain numbers"),
        (lambda a, f: a.update(c0=a["c0"].astype("U30")), "holds no plain numbers"),
    ],
)
def test_damaged_results(saved, change, said):
    assert said in refused(rewritten(saved[1], change))


def replaced(path, name, content):
    """The file with other bytes for one of its arrays."""
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for key, data in parts.items():
            archive.writestr(key, content if key == name else data)
    return path


def header(shape, kind="<f8"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": kind, "fortran_order": False, "shape": shape})
    return file.getvalue()


class Ran(Exception):
    """Raised by what must never run."""

    def __reduce__(self):
        return exec, ("raise SystemExit('code of a file ran')",)


def pickled():
    file = io.BytesIO()
    np.save(file, np.array([Ran()], dtype=object), allow_pickle=True)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (pickled(), "holds no plain numbers"),
        (header((10**15,)), "has not the size it says"),
        (header((4,)) + bytes(31), "has not the size it says"),
        (header((-1, -4)) + bytes(32), "damaged"),
        (b"", "damaged"),
        (b"\x93NUMPY\x09\x00", "of an unknown version"),
        (b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535, "damaged"),
        (b"\x93NUMPY\x01\x00\x10\x00" + b"__import__('os')", "damaged"),
    ],
)
def test_arrays_that_are_none(saved, content, said):
    assert said in refused(replaced(saved[1], "c0.npy", content))


@pytest.mark.parametrize("text", [b"", b"\xff", b"[" * 100_000, b"[]", b"null", b"{", b"9" * 10**5])
def test_texts_that_are_none(saved, text):
    content = header((len(text),), "|u1") + text
    assert 'damaged at "facts"' in refused(replaced(saved[1], "facts.npy", content))


def test_a_file_that_unpacks_to_too_much(saved, monkeypatch):
    monkeypatch.setattr(result_reader, "MOST_BYTES", 2000)
    with pytest.raises(ModelError, match=r"the file (holds too much|is too large)"):
        hs.load(saved[1])


def test_few_bytes_do_not_fill_the_memory(tmp_path):
    """What is nearly all constant is saved as it is; a stranger's file that is packed so is refused."""
    rows = 2_000_000
    columns = {f"c{k}": np.zeros(rows) for k in range(6)}
    large = result(t=np.zeros(rows), columns=Columns([(tuple(columns), columns)]), scene=None)
    path = large.save(tmp_path / "a.npz")
    assert path.stat().st_size > 8 * 7 * rows and hs.load(path)["c5"].shape == (rows,)
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    assert "the file holds too much" in refused(path)


HOSTILE = (10**400, -(10**400), None, "", "x", [], {}, True, -1, math.nan, math.inf, [[]], {"a": []}, 1e308)
HEADERS = (
    "{[]: 1}",
    "(" * 60,
    "{'descr': '<f8', 'fortran_order': False, 'shape': (True,)}",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), (): 1}",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999999999, 999999999999999999), }",
    "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
)


def places(value, path=()):
    """All places in tables and lists."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def test_hostile_values_at_every_place(saved):
    """Whatever stands at whatever place of the text: a sound result, or one line."""
    _, path = saved
    with zipfile.ZipFile(path) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    facts = json.loads(np.load(io.BytesIO(parts["facts.npy"])).tobytes())
    loaded = 0
    for place in list(places(facts))[1:]:
        for value in HOSTILE:
            changed = json.loads(json.dumps(facts))
            around = changed
            for key in place[:-1]:
                around = around[key]
            around[place[-1]] = value
            text = json.dumps(changed).encode()
            parts["facts.npy"] = header((len(text),), "|u1") + text
            loaded += loads_or_is_refused(parts)
    assert loaded > 100


def loads_or_is_refused(parts, packing=zipfile.ZIP_STORED):
    """Whether an archive of these parts loads; what loads can be shown, plotted and saved."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    try:
        back = result_reader.npz_result(file.getvalue(), "a.npz")
        assert all(len(back[name]) == len(back.t) for name in back.names)
        str(back), back.plot(*back.names), back.player()
    except Error as error:
        assert str(error).isprintable()
        return False
    return True


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_hostile_headers_and_packings(saved, packing):
    with zipfile.ZipFile(saved[1]) as archive:
        parts = {info.filename: archive.read(info) for info in archive.infolist()}
    assert loads_or_is_refused(parts, packing) == (packing == zipfile.ZIP_STORED)
    for text in HEADERS:
        line = text.ljust(117).encode() + b"\n"
        content = b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line + bytes(8)
        loads_or_is_refused({**parts, "t.npy": content}, packing)


def test_files_that_are_no_results(tmp_path):
    for name, data in {"empty": b"", "text": b"hapsis: 1\n", "half": b"PK\x03\x04" + bytes(50)}.items():
        path = tmp_path / f"{name}.npz"
        path.write_bytes(data)
        assert refused(path).startswith("is no saved result, or it is damaged")
    assert "there is no such file" in refused(tmp_path / "no.npz")
    (tmp_path / "folder.npz").mkdir()
    assert "is a folder" in refused(tmp_path / "folder.npz")


def test_what_belongs_to_models_only(saved, tmp_path):
    with pytest.raises(ModelError, match='base="free" is for URDF'):
        hs.load(saved[1], base="free")
    with pytest.raises(ModelError, match=r"only a Model or a Hybrid can be saved.*\.save\(path\)"):
        hs.save(saved[0], tmp_path / "a.yaml")


def test_mutations(saved):
    """Two thousand damaged files: each loads to a sound result, or is refused in one line."""
    _, path = saved
    whole = path.read_bytes()
    draw = random.Random(11)
    loaded = 0
    for _ in range(2000):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 1, 2))):
            if draw.random() < 0.2:
                del data[draw.randrange(len(data)) :]
            elif data:
                data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        try:
            back = result_reader.npz_result(bytes(data), "a.npz")
        except ModelError as error:
            assert str(error).startswith("a.npz: ") and str(error).isprintable()
        else:
            loaded += 1
            assert all(len(back[name]) == len(back.t) for name in back.names)
            assert math.isfinite(back.energy_drift)
    assert 0 < loaded < 1000
