"""The scene in a real browser: it shows, picks and follows bodies, and is quiet."""

import json

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.drawing.placement import placement
from hapsis.view import page

STYLE = "html, body, main { margin: 0; height: 100%; } canvas { display: block; width: 100%; height: 100%; }"
SCRIPT = """
const content = JSON.parse(document.getElementById("content").textContent);
window.scene = new HapsisScene.Scene(document.getElementById("scene"), content.drawing);
scene.update(content.poses);
"""
SIZE = {"width": 480, "height": 360}


def still(tmp_path, model, q):
    placed = placement(model, q)
    poses = [x for name in model.bodies for x in (*placed[name].p, *np.ravel(placed[name].R))]
    text = json.dumps({"drawing": drawing(model, q), "poses": poses}).replace("<", "\\u003c")
    scripts = [page.client("scene.js"), SCRIPT]
    body = '<main><canvas id="scene"></canvas></main>'
    file = tmp_path / "still.html"
    file.write_text(page.page("still", body, [STYLE], scripts, {"content": text}), encoding="utf-8")
    return file


def crank():
    model = hs.library.slider_crank()
    return model, hs.assemble(model).q


def test_bodies_are_picked_where_they_are_seen(window, tmp_path):
    model, q = crank()
    shown = window.open(still(tmp_path, model, q), **SIZE)
    shown.until("scene.firstFrame > 0")
    placed = placement(model, q)
    for k, name in enumerate(model.bodies):
        middle = placed[name].p + placed[name].R @ np.array([model.value(x) for x in model.bodies[name].com])
        x, y = shown.value(f"scene.onScreen({middle.tolist()})")
        hit = shown.value(f"scene.pick({x}, {y})")
        # at the pin of the slider the coupler lies in front of it
        assert hit["body"] in ((k, 1) if name == "slider" else (k,)), name
        # the point under the pointer, seen along y
        np.testing.assert_allclose(np.array(hit["point"])[[0, 2]], middle[[0, 2]], atol=1e-6)
        there = shown.value(f"scene.inPlane({x}, {y}, {middle.tolist()})")
        np.testing.assert_allclose(there, middle, atol=1e-6)
    assert shown.value("scene.pick(2, 2)") is None
    assert shown.complaints() == [] and len(shown.requests()) == 1
    shown.close()


def test_a_highlighted_body_glows_and_has_its_name_beside_it(window, tmp_path):
    shown = window.open(still(tmp_path, *crank()), **SIZE)
    shown.until("scene.firstFrame > 0")
    assert shown.value("[...document.querySelectorAll('.labels span')].filter(s => !s.hidden).length") == 0
    shown.value("scene.highlight(1)")
    shown.until("[...document.querySelectorAll('.labels span')].some(s => !s.hidden)")
    assert shown.value("document.querySelector('.labels span').textContent") == "coupler"
    shown.value("scene.names(true); scene.highlight(-1)")
    shown.until("[...document.querySelectorAll('.labels span')].filter(s => !s.hidden).length > 1")
    shown.close()


def test_the_view_changes_follows_and_ends(window, tmp_path):
    model, q = crank()
    shown = window.open(still(tmp_path, model, q), **SIZE)
    shown.until("scene.firstFrame > 0")
    side = shown.value("scene.onScreen([0, 0, 0])")
    shown.value("scene.view('top')")
    assert shown.value("scene.onScreen([0, 0, 0])") != side
    shown.value("scene.view('side')")
    np.testing.assert_allclose(shown.value("scene.onScreen([0, 0, 0])"), side, atol=1e-6)
    # a hand is drawn, and the camera stays with a body that moves
    pull = {"from": [0, 0, 0], "to": [0.1, 0, 0.1], "force": [1, 0, 1], "limit": 10}
    shown.value(f"scene.arrow({json.dumps(pull)})")
    shown.value("scene.follow(2)")
    before = shown.value("scene.onScreen(scene.middle(2))")
    shown.value("{ const moved = content.poses.slice(); moved[24] += 0.1; scene.update(moved) }")
    np.testing.assert_allclose(shown.value("scene.onScreen(scene.middle(2))"), before, atol=1e-6)
    shown.value("scene.dispose()")
    assert shown.complaints() == []
    shown.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_show_the_colours_of_the_bodies(window, tmp_path, scheme):
    shown = window.open(still(tmp_path, *crank()), scheme=scheme, **SIZE)
    shown.until("scene.firstFrame > 0")
    paper = "r > 235 && g > 235 && b > 230" if scheme == "light" else "r < 40 && g < 40 && b < 45"
    assert shown.shows(paper, 0.5)
    assert shown.shows("r > 1.4 * b && r > 1.2 * g && r > 100", 0.01)  # the coupler
    shown.close()


def test_what_is_not_drawn_is_said_in_one_line_as_text(window, tmp_path):
    """A hostile name of a missing file is inert."""
    hostile = "no<img src=x onerror=alert(1)>.stl"
    text = (
        f'<robot name="r"><link name="b"><visual><geometry><mesh filename="{hostile.replace("<", "&lt;")}"/>'
        "</geometry></visual></link></robot>"
    )
    (tmp_path / "a.urdf").write_text(text)
    model = hs.Model(hs.load(tmp_path / "a.urdf"), hs.Rod("rod", 1.0, 1.0), hs.Revolute("j", hs.WORLD, "rod"))
    shown = window.open(still(tmp_path, model, hs.assemble(model).q), **SIZE)
    shown.until("scene.firstFrame > 0")
    said = shown.value("[...document.querySelectorAll('.notice')].map(x => x.textContent)")
    assert len(said) == 1 and said[0].startswith("not drawn: ") and hostile in said[0]
    assert shown.value("document.querySelectorAll('img').length") == 0
    assert shown.complaints() == []
    shown.close()


@pytest.mark.parametrize("name", ["car", "agile_eye", "stewart"])
def test_the_first_picture_has_few_triangles_and_shaders(window, tmp_path, name):
    """What makes a first picture slow without a graphics card, in counts that no machine changes."""
    model = getattr(hs.library, name)()
    shown = window.open(still(tmp_path, model, hs.assemble(model).q), **SIZE)
    shown.until("scene.firstFrame > 0")
    info = "scene.easel.renderer.info"
    triangles, calls = (shown.value(f"{info}.render.{field}") for field in ("triangles", "calls"))
    programs = shown.value(f"{info}.programs.length")
    assert triangles < 80_000 and calls < 120 and programs <= 5
    shown.close()
