"""A cube of jelly in a real browser: the pointer stretches it, and it comes back; and its player."""

import json

import pytest

import hapsis as hs

READY = "document.getElementById('badge').textContent !== ''"
HELD = "!document.getElementById('hand').hidden"
SPAN = """(() => {
  const {poses} = window.hapsis.now, n = (poses.length - 12) / 3;
  let low = Infinity, high = -Infinity;
  for (let k = 0; k < n; k++) {
    low = Math.min(low, poses[14 + 3 * k]);
    high = Math.max(high, poses[14 + 3 * k]);
  }
  return high - low;
})()"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "jelly.html"
    hs.share(hs.library.jelly_cube(rows=5), path, title="Jelly cube")
    return path


def signal(page, name):
    return page.value(f"window.hapsis.last({json.dumps(name)})")


def test_the_pointer_stretches_a_cube_that_comes_back(window, file):
    page = window.open(file)
    page.until(READY)
    page.until("window.hapsis.ticks > 800")
    assert page.value("document.getElementById('trouble').hidden")
    assert signal(page, "jelly.z") == pytest.approx(0.048, abs=5e-3)
    rest = page.value(SPAN)
    x, y = page.value("window.hapsis.whereIs('jelly')")
    held = {"button": "left", "buttons": 1}
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y, clickCount=1, **held)
    page.until(HELD)
    for k in range(1, 13):
        page.mouse("Moved", x, y - 15 * k, **held)
    page.until(f"{SPAN} > {1.15 * rest}")
    page.mouse("Released", x, y - 180, clickCount=1, **held)
    page.until("document.getElementById('hand').hidden")
    page.until(f"Math.abs({SPAN} - {rest}) < {0.05 * rest}")
    assert page.value("document.getElementById('trouble').hidden") and page.complaints() == []
    assert signal(page, "behind") < 0.1
    page.close()


def test_the_player_shows_a_surface_that_deforms(window, tmp_path):
    scene = hs.library.jelly_cube(rows=3)
    path = tmp_path / "film.html"
    result = hs.simulate(scene, until=0.2)
    result.player().save(path)
    page = window.open(path)
    page.until("document.querySelector('canvas') !== null")
    assert page.complaints() == []
    page.close()
