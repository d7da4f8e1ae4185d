"""The player: what its page holds is the scene that was given."""

import base64
import json
import re
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import Error, Notice
from hapsis.view import Arrows, Drawn, Scene, player
from hapsis.view.film.frame_interpolation import between, resampled
from hapsis.view.players import SCRIPTS
from hapsis.view.scene import checked_scene

BALL = {"type": "sphere", "radius": 0.1}
TORN = {"type": "mesh", "vertices": np.eye(3), "triangles": [[0, 1, 3]]}
KINDS = {"f4": "<f4", "f8": "<f8", "u4": "<u4"}


def unpacked(html: str):
    """The table in the page, and the arrays it speaks of."""
    blocks = dict(re.findall(r'<script type="text/plain" id="(\w+)">(.*?)</script>', html, re.S))
    raw = base64.b64decode(blocks["arrays"])
    array = lambda p: np.frombuffer(raw, KINDS[p["kind"]], p["count"], p["at"])  # noqa: E731
    return json.loads(blocks["scene"]), array


def mesh_of(table):
    """Places and triangles of a mesh of a drawing."""
    steps = np.frombuffer(base64.b64decode(table["vertices"]), "<u2").reshape(-1, 3)
    corners = np.frombuffer(base64.b64decode(table["triangles"]), "<u4" if table["wide"] else "<u2")
    places = np.array(table["low"]) + np.array(table["span"]) * steps / 65535
    return places, corners.reshape(-1, 3).astype(int)


def client_size() -> int:
    folder = resources.files("hapsis.view") / "client"
    return sum(
        len((folder / name).read_text(encoding="utf-8")) for name in ("player.html", "player.css", *SCRIPTS)
    )


def motion(frames: int, bodies: int, seed: int = 0) -> np.ndarray:
    """Smooth random poses; quaternions of any length and sign."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, frames)[:, None, None]
    waves = np.sin(t * rng.uniform(1, 6, (1, bodies, 7)) + rng.uniform(0, 6, (1, bodies, 7)))
    waves[:, :, 3] += 3.0
    return waves


def scene(frames=50, bodies=3, **more) -> Scene:
    drawn = [Drawn(f"body {k}", [BALL]) for k in range(bodies)]
    return Scene("A motion", np.linspace(0, 2, frames), drawn, motion(frames, bodies), **more)


@given(st.integers(1, 40), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_the_poses_in_the_page_are_those_given(frames, bodies, seed):
    poses = motion(frames, bodies, seed)
    still = np.random.default_rng(seed).random(bodies) < 0.4
    poses[:, still] = poses[:1, still]
    signs = np.random.default_rng(seed + 1).choice([-1.0, 1.0], (frames, bodies, 1))
    given_poses = np.concatenate([poses[:, :, :3], signs * poses[:, :, 3:]], axis=2)
    times = np.arange(frames) * 0.01
    drawn = [Drawn(f"b{k}", [BALL]) for k in range(bodies)]
    table, array = unpacked(player(Scene("x", times, drawn, given_poses)).html)
    assert np.array_equal(array(table["times"]), times)
    fixed = np.array([b["still"] for b in table["bodies"]], bool)
    moving = array(table["moving"]).reshape(frames, -1, 7)
    stays = array(table["still"]).reshape(-1, 7)
    found = np.empty((frames, bodies, 7))
    found[:, ~fixed], found[:, fixed] = moving, stays
    assert np.allclose(found[:, :, :3], poses[:, :, :3], atol=1e-6)
    unit = poses[:, :, 3:] / np.linalg.norm(poses[:, :, 3:], axis=2, keepdims=True)
    same = np.abs(np.sum(found[:, :, 3:] * unit, axis=2))
    assert np.allclose(same, 1.0, atol=1e-6)
    # neighbours have one sign, so the page turns the short way
    assert np.all(np.sum(found[1:, :, 3:] * found[:-1, :, 3:], axis=2) > 0)


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_between_two_orientations(seed, part):
    a, b = np.random.default_rng(seed).normal(size=(2, 4))
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    mid = between(a, b, np.array(part))
    whole = np.arccos(min(1.0, abs(a @ b)))
    assert np.linalg.norm(mid) == pytest.approx(1.0)
    assert np.arccos(min(1.0, abs(a @ mid))) == pytest.approx(part * whole, abs=1e-6)
    assert np.arccos(min(1.0, abs(mid @ b))) == pytest.approx((1 - part) * whole, abs=1e-6)


@given(st.integers(2, 300), st.integers(2, 60), st.integers(0, 2**32 - 1))
def test_fewer_frames_lie_on_the_same_motion(frames, budget, seed):
    times = np.sort(np.random.default_rng(seed).random(frames))
    poses = motion(frames, 2, seed)
    arrow = Arrows("f", poses[:, 0, :3], poses[:, 1, :3])
    drawn = [Drawn("a"), Drawn("b")]
    full = checked_scene(Scene("x", times, drawn, poses, arrows=[arrow]))
    less = resampled(full, budget)
    assert len(less.times) == min(frames, budget)
    assert less.times[0] == times[0] and less.times[-1] == times[-1]
    for k in range(3):
        for body in range(2):
            line = np.interp(less.times, full.times, full.poses[:, body, k])
            assert np.allclose(less.poses[:, body, k], line, atol=1e-9)
        line = np.interp(less.times, full.times, full.arrows[0].vectors[:, k])
        assert np.allclose(less.arrows[0].vectors[:, k], line, atol=1e-9)
    assert np.allclose(np.linalg.norm(less.poses[:, :, 3:], axis=2), 1.0)


def test_a_long_motion_keeps_every_peak_of_its_series():
    frames = 30_000
    values = np.zeros(frames)
    values[12_345] = 5.0
    values[20_000:20_100] = np.nan
    t = np.linspace(0, 3, frames)
    body, more = Drawn("a", [BALL]), {"series": {"f": values}, "units": {"f": "N"}}
    page = player(Scene("x", t, [body], motion(frames, 1), **more)).html
    table, array = unpacked(page)
    assert len(array(table["times"])) == 2000 and len(page) < client_size() + 400_000
    series = table["series"][0]
    kept = series["middle"] + series["half"] * array(series["values"])
    times = array(series["times"])
    assert np.nanmax(kept) == 5.0 and times[np.nanargmax(kept)] == np.float32(t[12_345])
    assert np.isnan(kept[1:-1]).sum() == 1 and series["unit"] == "N"


def test_every_shape_travels():
    square: dict = {"vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]}
    square["triangles"] = [[0, 1, 2], [3, 1, 2]]
    shapes = [
        {"type": "box", "size": [1, 2, 3], "at": [1, 0, 0], "quaternion": [0, 0, 0, 2]},
        {"type": "cylinder", "radius": 1, "length": 2, "color": "#ff0000"},
        {"type": "capsule", "radius": 1, "length": 2},
        {"type": "segment", "length": 2},
        {"type": "plane"},
        {"type": "line", "points": [[0, 0, 0], [1, 1, 1]]},
        {"type": "mesh", **square},
        {"type": "mesh", **square},
        BALL,
        {"type": "heightfield", "x": [0, 1], "y": [0, 1, 2], "heights": [[0, 1, 2], [3, 4, 5]]},
    ]
    poses = [[[0, 0, 0, 1, 0, 0, 0]]]
    table, _ = unpacked(player(Scene("x", [0], [Drawn("a", shapes)], poses)).html)
    drawing = table["drawing"]
    got = drawing["bodies"][0]["shapes"]
    # a plane that lies still across `up` is the floor
    assert drawing["floor"] == 0.0
    assert [s["kind"] for s in got] == [
        "box",
        "cylinder",
        "capsule",
        "line",
        "line",
        "mesh",
        "mesh",
        "sphere",
        "mesh",
    ]
    assert got[0]["q"] == [0, 0, 0, 1] and got[1]["color"] == [1, 0, 0]
    assert got[3]["points"] == [[0, 0, -1], [0, 0, 1]]
    # one mesh in the page for two that are the same; its double corner is merged
    assert [got[k]["mesh"] for k in (5, 6, 8)] == [0, 0, 1]
    assert len(mesh_of(drawing["meshes"][0])[0]) == 3
    # the field: x over rows, y over columns, all triangles facing up
    corners, triangles = mesh_of(drawing["meshes"][1])
    expected = {(x, y, 3 * x + y) for x in (0, 1) for y in (0, 1, 2)}
    assert {tuple(c) for c in np.round(corners, 4)} == expected
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    assert len(triangles) == 4 and np.all(np.cross(b - a, c - a)[:, 2] > 0)


def test_arrows_of_one_unit_share_a_scale_and_gaps_have_no_length():
    big, small = np.zeros((50, 3)), np.zeros((50, 3))
    big[:, 2], small[:, 0] = 100.0, 1.0
    small[10] = np.nan
    zero = np.zeros((50, 3))
    arrows = [Arrows("a", zero, big), Arrows("b", zero, small), Arrows("c", zero, small, "N·m")]
    table, array = unpacked(player(scene(arrows=arrows)).html)
    a, b, c = table["arrows"]
    assert a["typical"] == b["typical"] == 100.0 and c["typical"] == 1.0
    lengths = np.linalg.norm(array(b["vectors"]).reshape(-1, 3), axis=1)
    assert lengths[10] == 0 and np.allclose(lengths[11:], 0.01)


def test_hostile_names_are_only_text():
    name = '</script><script>alert("x")</script>\u202e\x00'
    poses = motion(5, 1)
    made = Scene(
        name,
        np.arange(5),
        [Drawn(name, [BALL])],
        poses,
        notes=name + "\n2",
        arrows=[Arrows(name, poses[:, 0, :3], poses[:, 0, :3], name)],
        series={name: np.arange(5)},
        units={name: name},
    )
    page = player(made)
    assert page.html.count("<script") == 4  # two blocks of data, two programs
    assert "\u202e" not in page.html and "\x00" not in page.html and 'alert("x' not in page.html
    table, _ = unpacked(page.html)
    assert "</script>" in table["bodies"][0]["name"] and table["notes"].endswith("\n2")
    assert "alert" in page._repr_html_() and "<script" not in page._repr_html_()


def test_the_client_is_small_quiet_and_asks_for_nothing():
    folder = resources.files("hapsis.view") / "client"
    files = {f.name: f.read_text(encoding="utf-8") for f in folder.iterdir() if f.is_file()}
    written = {"player.html", "player.css", "plot.js", "plot.css", "share.html", "share.css"}
    built = {"scene.js", "player.js", "share.js", "start.js", "worker.js", "LICENSES.txt"}
    assert {*SCRIPTS} <= built and written | built == set(files)
    # the name of a kind of elements, which nobody asks for
    files["scene.js"] = files["scene.js"].replace("http://www.w3.org/1999/xhtml", "")
    words = ("console.", "eval(", "Function(", "innerHTML", "fetch(", "XMLHttp", "import(", "http")
    words += ("document.write", "localStorage", "cookie", "WebSocket", "debugger", "//#", "url(")
    for name, text in files.items():
        assert [w for w in words if w in text] == [], name
        assert name in built or len(text.splitlines()) < 400, name
        assert "</script" not in text and " style=" not in text, name


def test_saving_and_showing(tmp_path, monkeypatch):
    made = player(scene())
    assert made.save(tmp_path / "x.html").read_text(encoding="utf-8") == made.html
    assert repr(made) == "Player(3 bodies, 50 times)"
    with pytest.raises(Error, match=r"ending with \.html"):
        made.save(tmp_path / "x.mp4")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    with pytest.warns(Notice, match="no browser could be opened: the page is"):
        made.show()
    (shown,) = tmp_path.glob("hapsis-*/motion.html")
    assert shown.parent.stat().st_mode & 0o077 == 0


def changed(**more):
    given_scene = {"title": "x", "times": [0, 1], "bodies": [Drawn("arm", [BALL])]}
    given_scene |= {"poses": np.tile([0, 0, 0, 1.0, 0, 0, 0], (2, 1, 1))}
    return {**given_scene, **more}


def shaped(**shape):
    return changed(bodies=[Drawn("arm", [{"type": "box", "size": [1, 1, 1], **shape}])])


@pytest.mark.parametrize(
    ("given_scene", "words"),
    [
        (changed(pose=1), 'no "pose" (did you mean "poses"?)'),
        ({"title": "x"}, 'the scene has no "times"'),
        (changed(times=[1, 0]), "the times go back"),
        (changed(poses=np.ones((2, 2, 7))), "poses: the shape is (2, 2, 7); expected (2, 1, 7)"),
        (changed(poses=np.full((2, 1, 7), np.nan)), 'body "arm": the pose at t = 0 s is not a pose'),
        (changed(poses=np.zeros((2, 1, 7))), "quaternion w x y z that is not zero"),
        (changed(bodies=["arm"]), "str is not a body"),
        (changed(bodies=[Drawn("arm", color="red")]), "'red' is not a colour"),
        (changed(series={"f": [1]}), '"f": 1 values for 2 times'),
        (changed(series={"force": [1, 2]}, units={"forc": "N"}), 'did you mean "force"'),
        (changed(arrows=[Arrows("f", [[0, 0]], [[1, 0]])]), 'arrows "f", points: the shape is'),
        (changed(up=(0, 0, 0)), "up has no direction"),
        (shaped(type="bx"), 'body "arm", shape 1: there is no shape "bx" (did you mean "box"?)'),
        (shaped(sise=1), 'a box has no "sise" (did you mean "size"?)'),
        (shaped(size=[1, 2]), "shape 1, size: the shape is (2,); expected 3"),
        (shaped(size=[1, 2, -1]), "a length is negative"),
        (shaped(at=[0, 0, np.inf]), "a number is not finite"),
        (shaped(quaternion=[0, 0, 0, 0]), "a quaternion is zero"),
        (changed(bodies=[Drawn("a", [{"type": "sphere"}])]), 'the sphere has no "radius"'),
        (changed(bodies=[Drawn("a", [TORN])]), "names a vertex that is not there: 0 to 3 of 3"),
    ],
)
def test_wrong_scenes_are_told_in_one_line(given_scene, words):
    with pytest.raises(Error) as caught:
        player(given_scene)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_wrong_frames_and_too_much():
    with pytest.raises(Error, match="a whole number from 2 on"):
        player(scene(), frames=1)
    with pytest.raises(Error, match="is not a scene"):
        player(3)  # pyright: ignore
