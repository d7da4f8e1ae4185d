"""Shared pages in a real browser: grabbed, changed, alone and polite."""

import json
import sys
from pathlib import Path

import pytest
from shared_models import library

import hapsis as hs

sys.path.append(str(Path(__file__).parents[1] / "view"))
import browser

PROGRAM = browser.found()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium to open the pages with")
READY = "document.getElementById('badge').textContent !== ''"
FORCE = "Number(document.getElementById('hand').dataset.force)"
HELD = "!document.getElementById('hand').hidden"


@pytest.fixture(scope="module")
def window():
    assert PROGRAM
    made = browser.Browser(PROGRAM)
    yield made
    made.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "slider_crank.html"
    hs.share(library.slider_crank(), path, outputs=["energy"], title="Slider-crank")
    return path


@pytest.fixture
def page(window, file):
    opened = window.open(file)
    opened.until(READY)
    yield opened
    assert opened.complaints() == []
    asked = [url for url in opened.requests() if not url.startswith("blob:")]
    assert asked == [opened.url]
    opened.close()


def signal(page, name):
    """The last value of a signal in the page."""
    return page.value(f"window.hapsis.last({json.dumps(name)})")


def middle(page, body):
    """Where the middle of a body is on the screen."""
    return page.value(f"window.hapsis.whereIs({json.dumps(body)})")


def test_a_body_is_grabbed_follows_and_is_let_go(page):
    page.click("#play")  # a busy machine draws late: it stands while the hand comes
    page.until("document.getElementById('play').textContent === 'Play'")
    page.settle()
    x, y = middle(page, "coupler")
    held = {"button": "left", "buttons": 1}
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y, clickCount=1, **held)
    page.until(HELD)
    page.value("window.hapsis.say({ kind: 'play', on: true })")
    for k in range(1, 11):
        page.mouse("Moved", x, y - 8 * k, **held)
    page.until(f"{HELD} && {FORCE} > 0.5")
    now, limit = page.value(FORCE), page.value("window.hapsis.content.coupling.limit")
    assert 0.5 < now <= limit * (1 + 1e-9)
    page.until(f"Math.abs(window.hapsis.whereIs('coupler')[1] - {y}) > 20")  # it follows
    page.mouse("Released", x, y - 80, clickCount=1, **held)
    page.until("document.getElementById('hand').hidden")
    energy = signal(page, "energy")
    start = signal(page, "t")
    page.until(f"window.hapsis.last('t') > {start} + 0.5")
    assert signal(page, "energy") == pytest.approx(energy, rel=1e-4)


def test_keys_alone(page):
    page.value("document.getElementById('scene').focus()")
    page.key("]")
    page.key("]")
    page.key("Enter")
    page.until(HELD)
    page.key("ArrowUp", modifiers=8)
    page.until(f"{FORCE} > 0.1")
    page.key("Escape")
    page.until("document.getElementById('hand').hidden")
    page.key(" ", text=" ")
    page.until("document.getElementById('play').textContent === 'Play'")
    ticks = page.value("window.hapsis.ticks")
    page.key(".", text=".")
    page.until(f"window.hapsis.ticks === {ticks} + 1")


def test_a_slider_changes_the_motion_and_an_impossible_one_stops_it(page):
    page.value("window.hapsis.slider('slider.mass').take(1.2)")
    page.until("document.querySelector('#sliders').textContent.includes('slider.mass')")
    page.value("window.hapsis.slider('l').take(0.15)")  # with r it still closes
    page.value("window.hapsis.slider('r').take(0.15)")
    page.value("window.hapsis.slider('gravity.z').take(-19.62)")
    page.until("window.hapsis.last('t') > 1 || !document.getElementById('trouble').hidden")
    place = page.value("window.hapsis.content.parameters[0].place")
    page.value(f"window.hapsis.say({{ kind: 'parameter', place: {place}, value: NaN }})")
    page.until("!document.getElementById('trouble').hidden")
    said = page.value("document.getElementById('trouble').textContent")
    assert "no number any more" in said and "Reset starts again" in said


def test_hostile_names_are_inert(window, tmp_path):
    name = '</script><img src=x onerror="document.title=1">‮"<b>'
    model = hs.Model(
        hs.Rod(name.replace(".", ""), length=0.3, mass=1.0),
        hs.Revolute("<i>hinge</i>", hs.WORLD, name.replace(".", ""), axis="y"),
    )
    path = tmp_path / "hostile.html"
    hs.share(model, path, title=name)
    opened = window.open(path)
    opened.until(READY)
    assert opened.value("document.title") != "1" and opened.value("document.images.length") == 0
    assert opened.value("document.querySelectorAll('b, i').length") == 0
    assert opened.complaints() == []
    opened.close()
