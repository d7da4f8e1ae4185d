"""The picture that moves: its outlines are those of the bodies as they are seen, at every moment."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import hapsis as hs
from hapsis.errors import Error
from hapsis.view import Drawn, Scene, player
from hapsis.view.film.outlines_svg import HEIGHT, MARGIN, MOMENTS, WIDTH

SVG = "{http://www.w3.org/2000/svg}"


def corners(size):
    return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * np.array(size) / 2


def seen(points):
    """Right and up of points for a viewer at -y, turned 38 degrees to the right and 20 above."""
    turned = Rotation.from_euler("z", -38, degrees=True).apply(points.reshape(-1, 3))
    tilted = Rotation.from_euler("x", 20, degrees=True).apply(turned)
    return tilted[:, [0, 2]].reshape(*points.shape[:-1], 2)


def area(points):
    x, y = np.array(points).T
    return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def places(text):
    return [[float(x) for x in pair.split(",")] for pair in text.split()]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_outlines_are_the_hulls_of_what_is_seen(seed):
    rng = np.random.default_rng(seed)
    frames, sizes = 5, rng.uniform(0.2, 1.0, (2, 3))
    t = np.linspace(0, 0.2, frames)
    p = rng.normal(size=(1, 2, 3)) + 0.5 * rng.normal(size=(frames, 2, 3))
    turns = Rotation.random(frames * 2, random_state=seed % 2**31)
    q = turns.as_quat()[:, [3, 0, 1, 2]].reshape(frames, 2, 4)
    bodies = [Drawn(f"b{k}", [{"type": "box", "size": sizes[k]}]) for k in range(2)]
    text = player(Scene("x", t, bodies, np.concatenate([p, q], axis=2))).svg
    R = turns.as_matrix().reshape(frames, 2, 3, 3)
    world = [p[:, k, None] + np.einsum("fij,cj->fci", R[:, k], corners(sizes[k])) for k in range(2)]
    flat = [seen(w) for w in world]
    every = np.concatenate([f.reshape(-1, 2) for f in flat])
    scale = np.min(np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN - 20]) / np.ptp(every, axis=0))
    expected = sorted(tuple(ConvexHull(f[m]).volume * scale**2 for m in range(frames)) for f in flat)
    moves = [e.get("values").split(";") for e in ElementTree.fromstring(text).iter(f"{SVG}animate")]
    assert all(len({len(places(value)) for value in values}) == 1 for values in moves)  # browsers mix others
    got = sorted(tuple(area(places(value)) for value in values) for values in moves)
    np.testing.assert_allclose(got, expected, rtol=1e-3, atol=1.0)  # pixels have two decimals


@pytest.mark.parametrize("name", ["n_four_bar", "slider_crank", "three_bar"])
def test_bodies_of_planar_mechanisms_are_moved_and_turned_as_a_whole(name):
    """The origins of the bodies travel on paper as in the plane of the model, in one scale."""
    model = getattr(hs.library, name)()
    result = hs.simulate(model, until=0.4, every=0.01)
    root = ElementTree.fromstring(result.player(signals=()).svg)
    kinds = [e.get("type") for e in root.iter(f"{SVG}animateTransform")]
    assert kinds.count("translate") == kinds.count("rotate") > 0
    assert all(e.get("calcMode") == "linear" for e in root.iter(f"{SVG}animateTransform"))
    poses = result.scene()["poses"]
    kept = np.array(
        [
            e.get("values").split(";")
            for e in root.iter(f"{SVG}animateTransform")
            if e.get("type") == "translate"
        ]
    )
    tracks = np.unique(np.array([[list(map(float, x.split())) for x in row] for row in kept]), axis=0)
    moving = [k for k in range(poses.shape[1]) if np.ptp(poses[:, k, :3], axis=0).max() > 1e-9]
    index = np.round(np.linspace(0, len(poses) - 1, tracks.shape[1])).astype(int)
    spans = sorted(
        float(np.ptp(np.linalg.norm(poses[index, k, :3] - poses[index[0], k, :3], axis=1))) for k in moving
    )
    paper = sorted(float(np.ptp(np.linalg.norm(track - track[0], axis=1))) for track in tracks)
    paper = [x for x in paper if x > 0.05][-len(spans) :]
    ratio = np.array(paper) / np.array(spans[-len(paper) :])
    np.testing.assert_allclose(ratio, ratio[0], rtol=0.02)


@pytest.mark.parametrize("name", hs.library.MODELS)
def test_every_mechanism_of_the_library_is_a_sound_picture(name):
    from hapsis.commands.show import still

    text = still(getattr(hs.library, name)(), name).svg
    root = ElementTree.fromstring(text)
    assert root.find(f"{SVG}title").text == name and not list(root.iter(f"{SVG}animate"))
    assert "nan" not in text and "<script" not in text and len(text) < 200_000
    points = np.array([p for e in root.iter() if e.get("points") for p in places(e.get("points"))])
    assert len(points) > 20


def test_it_is_written_by_its_ending_and_names_are_only_text(tmp_path):
    name = '</svg><script>alert("x")</script>\u202e'
    poses = np.tile([0.0, 0, 0, 1, 0, 0, 0], (400, 1, 1))
    poses[:, 0, 0] = np.linspace(0, 1, 400)
    made = player(
        Scene(name, np.linspace(0, 20, 400), [Drawn(name, [{"type": "sphere", "radius": 1}])], poses)
    )
    text = made.save(tmp_path / "x.svg").read_text(encoding="utf-8")
    assert text == made.svg and "<script" not in text and "\u202e" not in text
    move, _turn = ElementTree.fromstring(text).iter(f"{SVG}animateTransform")
    assert len(move.get("values").split(";")) == MOMENTS
    with pytest.raises(Error, match=r"ending with \.html or \.svg"):
        made.save(tmp_path / "x.webp")


def test_what_lies_between_two_ends_ends_there():
    """Of every kind, in a random planar motion, one end in the world: ends are where the bodies are."""
    rng = np.random.default_rng(4)
    frames = 12
    angle, place = np.cumsum(rng.normal(size=frames)), rng.normal(size=(frames, 2))
    poses = np.zeros((frames, 2, 7))
    poses[:, 0, 3] = 1
    poses[:, 1, :2], poses[:, 1, 3], poses[:, 1, 6] = place, np.cos(angle / 2), np.sin(angle / 2)
    bodies = [Drawn("world"), Drawn("plate", [{"type": "box", "size": [1, 1, 0.1]}])]
    square = {"kind": "box", "size": [1.0, 1.0, 0.1], "at": [0.0, 0, 0], "q": [1.0, 0, 0, 0]}
    ends = [{"body": -1, "at": [2.0, 0.0, 0.0]}, {"body": 0, "at": [0.5, 0.5, 0.0]}]
    common = {"name": "c", "ends": ends, "radius": 0.05, "turns": 6}
    drawing = {
        "up": [0.0, 1, 0],
        "side": [0.0, 0, 1],
        "planar": True,
        "size": 3.0,
        "floor": None,
        "world": {"name": "world", "color": [0.5] * 3, "shapes": [{**square, "at": [2.0, 0, 0]}]},
        "bodies": [{"name": "plate", "color": [0.5] * 3, "shapes": [square]}],
        "connections": [{**common, "kind": kind} for kind in ("spring", "strut", "damper", "rod", "cord")],
        "meshes": [],
        "notices": [],
    }
    text = player(Scene("x", np.linspace(0, 0.44, frames), bodies, poses, drawing=drawing)).svg
    root = ElementTree.fromstring(text)
    lines = [places(v) for e in root.iter(f"{SVG}animate") for v in e.get("values").split(";")]
    tracks = np.array([[line[0], line[-1]] for line in lines])
    tracks = tracks.reshape(5, -1, 2, 2)
    corner = place + 0.5 * np.stack([np.cos(angle) - np.sin(angle), np.sin(angle) + np.cos(angle)], 1)
    away = (corner - [2.0, 0.0]) * [1, -1]
    for track in tracks:
        paper = (track[:, 1] - track[:, 0])[[0, -1]]
        scale = np.linalg.norm(paper) / np.linalg.norm(away[[0, -1]])
        np.testing.assert_allclose(paper, scale * away[[0, -1]], atol=0.05)
