"""Views, following, section, pictures and videos: in the player, and in the page that computes."""

import struct
import time

import numpy as np
import pytest

import hapsis as hs

SIZE = {"width": 1000, "height": 640}


@pytest.fixture(scope="module")
def result():
    return hs.simulate(hs.library.double_wishbone(), until=0.3, every=0.01, title="Wheel")


@pytest.fixture
def page(window, result, tmp_path):
    shown = window.open(result.player(signals=()).save(tmp_path / "x.html"), **SIZE, hash="#t=0")
    shown.until("hapsis.scene.firstFrame > 0")
    yield shown
    assert shown.complaints() == []
    shown.close()


def press(page, label):
    page.value(
        f"[...document.querySelectorAll('#views button')].find(b => b.textContent === '{label}').click()"
    )
    page.settle()


def test_each_view_looks_along_its_own_axis(page):
    """Two points one behind the other for a viewer are at one place of the screen."""
    drawing = page.value("hapsis.film.drawing")
    side, up = (np.array(drawing[name], float) for name in ("side", "up"))
    for label, back in {"Side": side, "Front": np.cross(up, side), "Top": up}.items():
        press(page, label)
        near, middle = (page.value(f"hapsis.scene.onScreen({p.tolist()})") for p in (0.2 * back, 0 * back))
        eye = page.value("[...hapsis.scene.man.axes().back]")
        np.testing.assert_allclose(eye, back, atol=2e-3)
        assert np.linalg.norm(np.subtract(near, middle)) < 60, label


def test_a_followed_body_stays_where_it_is_on_the_screen(page):
    for k in range(len(page.value("hapsis.film.bodies"))):
        page.value(f"(hapsis.seek(0), hapsis.views.follow({k}))")
        page.settle()
        before = page.value(f"hapsis.scene.onScreen(hapsis.scene.middle({k}))")
        page.value("hapsis.seek(0.21)")
        page.settle()
        after = page.value(f"hapsis.scene.onScreen(hapsis.scene.middle({k}))")
        np.testing.assert_allclose(after, before, atol=0.5)
    page.value("hapsis.views.follow('none')")
    assert page.value("document.querySelector('#views select').value") == "none"


def test_a_click_on_a_body_follows_it(page):
    x, y = page.value("hapsis.scene.onScreen(hapsis.scene.middle(0))")
    hit = page.value(f"hapsis.scene.pick({x}, {y})")
    page.drag(x, y, 0, 0)
    assert page.value("hapsis.views.followed") == str(hit["body"])
    page.drag(x, y, 0, 0)
    assert page.value("hapsis.views.followed") == "none"


def test_a_section_leaves_out_what_is_in_front_of_the_middle(page):
    """The pointer touches only what is behind the plane, and something before it that was hidden."""
    rng = np.random.default_rng(2)
    pixels = [[rng.uniform(60, 560), rng.uniform(60, 560)] for _ in range(150)]
    look = f"{pixels}.map(([x, y]) => hapsis.scene.pick(x, y))"
    whole = page.value(look)
    press(page, "Section")
    back, target = page.value("[[...hapsis.scene.man.axes().back], [...hapsis.scene.man.target]]")
    height = lambda hit: float(np.dot(np.subtract(hit["point"], target), back))  # noqa: E731
    cut = page.value(look)
    assert all(height(hit) <= 1e-6 for hit in cut if hit)
    assert any(hit and height(hit) > 0.01 for hit in whole)  # so there was something to leave out
    assert any(hit for hit in cut)
    press(page, "Section")
    assert page.value(look) == whole


def saved(folder, ending):
    deadline = time.monotonic() + 60
    while not (files := list(folder.glob(f"*.{ending}"))):
        assert time.monotonic() < deadline, "nothing was saved"
        time.sleep(0.05)
    return files[0]


def test_pictures_and_videos_are_saved(page, tmp_path):
    page.downloads(tmp_path)
    press(page, "Picture")
    picture = saved(tmp_path, "png").read_bytes()
    width, height = struct.unpack(">2I", picture[16:24])
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    seen = page.value("(c => [c.clientWidth, c.clientHeight])(document.getElementById('view'))")
    assert width >= seen[0] and width * seen[1] == height * seen[0]
    assert len(picture) > 3000  # not an empty one
    press(page, "Video")
    assert page.value("hapsis.state.playing")
    page.value("new Promise(r => setTimeout(r, 800))")
    press(page, "Stop")
    film = saved(tmp_path, "webm")
    assert film.name == "Wheel.webm" and film.read_bytes()[:4] == b"\x1a\x45\xdf\xa3"


def test_both_pages_work_in_the_frames_of_a_notebook(window, result, tmp_path):
    """Sandboxed frames of no origin: scripts run, the worker starts, the policy holds."""
    shared = hs.share(hs.library.slider_crank(), title="Crank")
    frames = "".join(each._repr_html_() for each in (result.player(signals=()), shared))
    file = tmp_path / "notebook.html"
    file.write_text(f"<!DOCTYPE html><body>{frames}</body>", encoding="utf-8")
    shown = window.open(file, width=1000, height=1300)
    inside = shown.frames()
    assert len(inside) == 2
    for frame in inside:
        frame.until("window.hapsis !== undefined && document.readyState === 'complete'")
        assert frame.value("location.href") == "about:srcdoc" and frame.value("origin") == "null"
        asked = frame.value("fetch('data:,x').then(() => 'sent', () => 'refused')")
        assert asked == "refused"
    film, live = sorted(inside, key=lambda frame: frame.value("document.title") == "Crank")
    film.until("hapsis.scene.firstFrame > 0 && hapsis.state.time > 0")
    live.until("hapsis.ticks > 20")
    assert len(shown.requests()) == 1 and shown.complaints() == []
    shown.close()
