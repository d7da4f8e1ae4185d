"""A key that is pressed in a real browser: the hammer strikes, the string sounds, the damper ends it."""

import pytest
from key_and_hammer import key_and_hammer

import hapsis as hs

LISTEN = """(window.heard = [], ["sound", "damped", "free"].forEach((kind) =>
  document.addEventListener(kind, (event) => window.heard.push({ ...event.detail, event: kind }))), 1)"""
STRUCK = "window.heard.filter((x) => x.event === 'sound')"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "key.html"
    sounds = {"string": hs.Sound("A4", damped_by="damper_string")}
    press = hs.Press("key.finger", along="-y", force=5.0, most=40.0)
    hs.share(key_and_hammer(), path, rate=5000, substeps=2, method="euler", press=press, sounds=sounds)
    return path


@pytest.fixture
def page(window, file):
    opened = window.open(file)
    opened.until("document.getElementById('badge').textContent !== '' && window.hapsis.ticks > 0")
    opened.value(LISTEN)
    yield opened
    assert opened.complaints() == []
    assert [url for url in opened.requests() if not url.startswith("blob:")] == [opened.url]
    opened.close()


def key(page, kind, name):
    text = {"text": name} if kind == "keyDown" else {}
    page.browser.command("Input.dispatchKeyEvent", type=kind, key=name, **text)


def struck(page, name):
    """The first speed of a stroke with a key, after which all comes to rest again."""
    page.value("window.heard.length = 0")
    key(page, "keyDown", name)
    page.until(f"{STRUCK}.length > 0")
    key(page, "keyUp", name)
    page.until("window.heard.some((x) => x.event === 'damped')")
    return page.value(f"{STRUCK}[0]")


def test_keys_press_strike_and_sound_louder_when_they_press_harder(page):
    assert page.value("window.hapsis.strings.started") == 0  # nobody has touched the page
    soft, hard = struck(page, "3"), struck(page, "9")
    assert soft["contact"] == hard["contact"] == "string" and soft["note"] == "A4"
    assert 0.1 < soft["speed"] < 0.5 * hard["speed"] and soft["loudness"] < hard["loudness"] <= 1.0
    assert page.value("window.hapsis.strings.started") >= 2
    assert "A4, " in page.value("document.getElementById('struck').textContent")
    page.until("window.hapsis.last('finger.force') === 0")


def test_space_and_the_button_press_with_the_force_of_the_slider(page):
    page.value("window.hapsis.slider('Force of the finger').take(7)")
    key(page, "keyDown", " ")
    page.until("window.hapsis.last('finger.force') === 7 && !document.getElementById('hand').hidden")
    assert page.value("document.getElementById('hand').textContent") == "7 N"
    key(page, "keyUp", " ")
    page.until("window.hapsis.last('finger.force') === 0")
    assert page.value("document.getElementById('play').textContent") == "Pause"  # space presses: it plays on
    x, y = page.value("(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
                      "(document.getElementById('press').getBoundingClientRect())")  # fmt: skip
    page.mouse("Pressed", x, y, clickCount=1, button="left", buttons=1)
    page.until("window.hapsis.last('finger.force') === 7")
    page.mouse("Released", x, y, clickCount=1, button="left")
    page.until("window.hapsis.last('finger.force') === 0")
    page.key("p")
    page.until("document.getElementById('play').textContent === 'Play'")


def test_the_sound_can_be_turned_off_and_the_first_curve_is_force_over_way(page):
    page.click("#mute")
    assert page.value("document.getElementById('mute').getAttribute('aria-pressed')") == "true"
    page.click("#mute")
    assert page.value("document.getElementById('mute').getAttribute('aria-pressed')") == "false"
    caption = "document.querySelector('.curve .caption').textContent"
    page.until(f"{caption}.startsWith('Force of the finger over its way')")


def test_pages_without_sounds_show_neither_button(window, tmp_path):
    hs.share(key_and_hammer(), tmp_path / "key.html", rate=10_000, method="euler")
    opened = window.open(tmp_path / "key.html")
    opened.until("document.getElementById('badge').textContent !== ''")
    assert opened.value("['press', 'mute'].every((id) => document.getElementById(id).hidden)")
    opened.close()
