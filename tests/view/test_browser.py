"""The pages in a real browser: quiet, alone, and alive."""

import numpy as np
import pytest

from hapsis.view import Arrows, Drawn, Scene, player, plot

SIZE = {"width": 620, "height": 560}
RED = "r > 110 && g < 62 && b < 62"
NO_WEBGL = """HTMLCanvasElement.prototype.getContext = (known => function (kind, ...more) {
  return kind === "webgl2" ? null : known.call(this, kind, ...more);
})(HTMLCanvasElement.prototype.getContext)"""
CLOCK = "parseFloat(document.getElementById('clock').value)"
PRESSED = "document.querySelector('[data-toggle=%s]').getAttribute('aria-pressed') === 'true'"


def falling() -> Scene:
    """A red ball that rises and falls for two seconds, 41 frames, beside every other shape."""
    t = np.linspace(0, 2, 41)
    poses = np.zeros((41, 2, 7))
    poses[:, :, 3] = 1
    poses[:, 0, 2] = 1 + np.sin(3 * t)
    mesh = {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}
    mesh["triangles"] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    field = {"x": [0, 1, 2], "y": [0, 1], "heights": [[0, 0.2], [0.1, 0], [0.3, 0]]}
    others = [
        {"type": "box", "size": [0.5, 0.5, 0.2], "at": [1.5, 0, 0.1]},
        {"type": "cylinder", "radius": 0.2, "length": 0.5, "at": [-1.5, 0, 0.3]},
        {"type": "capsule", "radius": 0.1, "length": 0.5, "at": [-1, 1, 0.4]},
        {"type": "segment", "length": 1, "at": [2, 1, 0.5]},
        {"type": "plane"},
        {"type": "line", "points": [[0, 0, 0], [0, 0, 2], [1, 0, 2]]},
        {"type": "mesh", **mesh, "at": [1, 1, 0]},
        {"type": "heightfield", **field},
    ]
    force = np.zeros((41, 3))
    force[:, 2] = np.cos(3 * t)
    ball = Drawn("ball", [{"type": "sphere", "radius": 0.4}], color="#e01010")
    return Scene(
        "A <b>ball</b>",
        t,
        [ball, Drawn("rest", others)],
        poses,
        notes="up & down",
        arrows=[Arrows("push", poses[:, 0, :3], force)],
        series={"height": poses[:, 0, 2], "force": np.where(t < 1, force[:, 2], np.nan)},
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return player(falling()).save(tmp_path_factory.mktemp("view") / "ball.html")


@pytest.fixture
def page(window, path):
    """The player at rest at 0.52 s; afterwards it must have been quiet and alone."""
    made = window.open(path, **SIZE, hash="#t=0.52")
    made.value("window.hapsis.scene.tempo.hold(2)")  # plain: nothing is added when frames are fast
    made.settle()
    yield made
    complaints, requests = made.complaints(), made.requests()
    made.close()
    assert complaints == []
    assert requests == [made.url.partition("#")[0]]


def test_the_picture_shows_the_ball_and_its_name_is_text(page):
    assert page.shows(RED, 0.003, 0.2)
    assert page.value("document.title") == "A <b>ball</b>"
    assert page.value("document.getElementById('title').textContent") == "A <b>ball</b>"
    assert page.value("document.getElementById('title').children.length") == 0
    assert page.value(CLOCK) == pytest.approx(0.52, abs=0.001)


def test_keys_step_between_frames_and_back_to_the_same_picture(page):
    page.key("ArrowRight")
    assert page.value(CLOCK) == pytest.approx(0.55, abs=0.001)
    first = page.picture()
    page.key("ArrowRight")
    assert page.value(CLOCK) == pytest.approx(0.60, abs=0.001)
    assert page.differs(first)
    page.key("ArrowLeft")
    assert page.becomes(first)
    page.key("ArrowRight", modifiers=8)
    assert page.value(CLOCK) == pytest.approx(1.05, abs=0.001)
    page.key("End")
    assert page.value(CLOCK) == pytest.approx(2.0)
    page.key("Home")
    assert page.value(CLOCK) == pytest.approx(0.0)


def test_playing_advances_and_pausing_holds(page):
    assert page.value("document.getElementById('play').getAttribute('aria-label')") == "Play"
    page.key(" ", " ")
    assert page.value("document.getElementById('play').getAttribute('aria-label')") == "Pause"
    page.until(f"{CLOCK} > 0.6")
    page.key(" ", " ")
    held = page.value(CLOCK)
    page.settle()
    assert page.value(CLOCK) == held


def test_the_slider_and_a_click_on_a_plot_go_to_that_time(page):
    before = page.picture()
    page.click("#time")  # its middle
    assert page.value(CLOCK) == pytest.approx(1.0, abs=0.03)
    assert page.differs(before)
    x, y, width = page.value(
        "(r => [r.x, r.y, r.width])(document.querySelector('#charts canvas').getBoundingClientRect())"
    )
    page.drag(x + 52 + 0.75 * (width - 164), y + 30, 0, 0)
    assert page.value(CLOCK) == pytest.approx(1.5, abs=0.02)


def test_toggles_change_the_picture(page):
    seen = page.picture()
    keys = {"n": "names", "a": "forces", "t": "trails", "g": "grid", "x": "axes"}
    for key, name in keys.items():
        state = page.value(PRESSED % name)
        page.key(key, key)
        assert page.value(PRESSED % name) != state
        assert page.differs(seen), name
        seen = page.picture()
    page.key("s", "s")  # the front half is left out
    assert page.differs(seen)


def test_the_camera_turns_moves_zooms_and_comes_back(page):
    page.key("f", "f")
    for change in (
        lambda: page.drag(300, 120, 60, 20),
        lambda: page.drag(300, 120, 60, 20, modifiers=8),
        lambda: page.mouse("Wheel", 300, 120, deltaX=0, deltaY=200),
    ):
        seen = page.picture()
        change()
        assert page.differs(seen)
    page.key("1", "1")
    front = page.picture()
    page.drag(300, 120, 60, 20)
    page.key("1", "1")
    assert page.becomes(front)


def test_help_opens_and_closes_and_keys_rest_meanwhile(page):
    page.key("?", "?")
    assert page.value("document.getElementById('help').open")
    state = page.value(PRESSED % "names")
    page.key("n", "n")
    assert page.value(PRESSED % "names") == state
    page.click("#help button")
    assert not page.value("document.getElementById('help').open")


def test_light_and_dark(window, path):
    dark = window.open(path, **SIZE, hash="#t=1", scheme="dark")
    assert dark.shows("r < 60 && g < 60 && b < 70", 0.4)
    dark.click("#theme")
    assert dark.shows("r < 60 && g < 60 && b < 70", 0.0, 0.1)
    assert dark.complaints() == []
    dark.close()


def test_it_plays_by_itself_unless_told_a_time(window, path):
    made = window.open(path, **SIZE)
    made.until("document.body.classList.contains('playing')")
    made.until(f"{CLOCK} > 0.05")
    assert made.complaints() == []
    made.close()


def test_without_webgl_it_says_so_and_time_still_runs(window, path):
    made = window.open(path, **SIZE, hash="#t=0.5", script=NO_WEBGL)
    message = made.value("document.getElementById('message').textContent")
    assert "WebGL 2 is missing" in message
    assert made.share(RED) < 0.001  # so the ball seen above was drawn by WebGL
    made.key("ArrowRight")
    assert made.value(CLOCK) == pytest.approx(0.55, abs=0.001)
    assert made.complaints() == []
    made.close()


def test_the_policy_holds(window, path):
    made = window.open(path, **SIZE, hash="#t=1")
    assert made.value("fetch('data:,x').then(() => 'sent', () => 'refused')") == "refused"
    added = "(s => (s.textContent = 'window.ran = 1', document.body.append(s), window.ran))"
    assert made.value(f"{added}(document.createElement('script'))") is None
    made.close()


def test_more_than_a_thousand_bodies(window, tmp_path):
    count = 1100
    poses = np.zeros((2, count, 7))
    poses[:, :, 0], poses[:, :, 1] = np.arange(count) % 40, np.arange(count) // 40
    poses[:, :, 3] = 1
    poses[1, -1, 2] = 6
    box = [{"type": "box", "size": [0.5, 0.5, 0.5]}]
    bodies = [Drawn(f"b{k}", box, color="#888888") for k in range(count)]
    bodies[-1] = Drawn("last", [{"type": "sphere", "radius": 2}], color="#e01010")
    saved = player(Scene("many", [0, 1], bodies, poses)).save(tmp_path / "many.html")
    made = window.open(saved, **SIZE, hash="#t=0")
    assert made.shows(RED, 0.001)
    low = made.picture()
    made.key("ArrowRight")
    assert made.differs(low) and made.shows(RED, 0.001)
    assert made.complaints() == []
    made.close()


def test_the_plot_reads_values_at_the_cursor(window, tmp_path):
    t = np.linspace(0, 4, 201)
    saved = plot(t, {"a<b": 3 * t, "flat": 0 * t}, title="T").save(tmp_path / "plot.html")
    made = window.open(saved, width=860, height=600)
    before = made.picture()
    # the picture is 860 wide in a page with margins of 16
    scale = (860 - 32) / 860
    made.mouse("Moved", 16 + scale * (72 + 0.5 * 766), 16 + scale * 150)
    made.settle()
    text = made.value("document.querySelector('.reading').textContent")
    assert "time, s  2" in text and "a<b  6" in text and "flat  0" in text
    assert made.picture() != before
    made.mouse("Moved", 5, 590)
    assert made.value("document.querySelector('.reading').children.length") == 0
    assert made.complaints() == [] and made.requests() == [made.url]
    made.close()
