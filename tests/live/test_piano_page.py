"""The grand action in a page: a finger feels what a drive gives, and a stroke strikes and sounds once."""

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs
from hapsis.library.piano import grand_action

DEPTH = 9.9e-3


@pytest.fixture(scope="module")
def shared():
    """The page of the action, as it is without any option."""
    return hs.share(hs.library.grand_action())


STROKE = """
const s = await Simulation.create(content);
const rows = [], touches = [];
for (let k = 0; k < 1500; k++) s.tick();
s.touches.taken();
s.finger.ask(SPEED);
for (let k = 0; k < TICKS; k++) {
  s.tick();
  touches.push(...s.touches.taken());
  rows.push(s.signals());
}
show({ rows, touches, trouble: s.trouble, names: content.signals.map((x) => x.name) });
"""


def stroke(tmp_path, shared, speed, ticks):
    done = node(tmp_path, shared.content, STROKE.replace("SPEED", repr(speed)).replace("TICKS", str(ticks)))
    assert done["trouble"] == ""
    rows = dict(zip(done["names"], np.array(done["rows"]).T, strict=True))
    return rows, [touch for touch in done["touches"] if touch["kind"] == "struck"]


@needs_node
def test_the_finger_feels_what_a_drive_of_the_same_motion_gives(shared, tmp_path):
    """A slow stroke with a constant acceleration: in the page by a finger, in a run by a drive of the key."""
    speed = 0.03
    rate = speed**2 / (2 * DEPTH)
    rows, struck = stroke(tmp_path, shared, speed, round(2 * DEPTH / speed * 5000) - 50)
    assert struck == []  # too slow to sound
    run = hs.simulate(grand_action(lambda t: 0.5 * rate * t * t), 2 * DEPTH / speed, every=1e-3)
    t = np.asarray(run.t)
    way, force = 0.5 * rate * t * t, np.asarray(run["key.effort"])
    x, F = rows["finger.position"], rows["finger.force"]
    places = np.arange(2e-3, 9.5e-3, 0.5e-3)
    felt, driven = np.interp(places, x, F), np.interp(places, way, force)
    quiet = (places < 7e-3) & (np.abs(places - 4.5e-3) > 0.6e-3)  # away from the damper and the let-off
    np.testing.assert_allclose(felt[quiet], driven[quiet], atol=0.08)
    late = (x > 7e-3) & (x < 9.4e-3)
    peak = force[(way > 7e-3) & (way < 9.4e-3)].max()
    assert F[late].max() == pytest.approx(peak, rel=0.15) and peak > 1.5


@needs_node
@pytest.mark.parametrize("speed", [0.3, 0.6, 1.0])
def test_a_stroke_strikes_once_and_a_faster_one_harder(shared, speed, tmp_path):
    _, struck = stroke(tmp_path, shared, speed, 2500)
    assert len(struck) == 1 and not struck[0]["damped"]
    assert 2.0 * speed < struck[0]["speed"] < 10.0 * speed


LISTEN = (
    "(window.heard = [], document.addEventListener('sound', (event) => window.heard.push(event.detail)), 1)"
)
PRESSED = "window.hapsis.last('key') > 0.04"


@pytest.fixture
def page(window, shared, tmp_path):
    shared.save(tmp_path / "action.html")
    opened = window.open(tmp_path / "action.html")
    opened.until("document.getElementById('badge').textContent !== '' && window.hapsis.ticks > 500")
    opened.value(LISTEN)
    yield opened
    assert opened.complaints() == []
    opened.close()


def played(page, key):
    """What is heard of a key of the keyboard, which is let go when the hammer is caught."""
    page.value("window.heard.length = 0")
    page.browser.command("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
    page.until("window.heard.length > 0")
    page.until(f"window.hapsis.last('hammer') < 0.30 && {PRESSED}")
    page.browser.command("Input.dispatchKeyEvent", type="keyUp", key=key)
    page.until("window.hapsis.strings.played.at(-1).kind === 'damped'")
    heard = page.value("window.heard")
    assert len(heard) == 1 and heard[0]["contact"] == "string"
    return heard[0]


def test_keys_play_notes_and_harder_is_louder(page):
    soft, middle, hard = (played(page, key) for key in "579")
    assert 0.3 < soft["speed"] < middle["speed"] < hard["speed"]
    assert soft["loudness"] < middle["loudness"] < hard["loudness"] <= 1.0
    assert page.value("window.hapsis.strings.started") == 3


def test_the_pointer_presses_with_the_speed_of_the_slider(page):
    speeds = []
    for speed in (0.3, 0.9):
        page.value(f"(window.heard.length = 0, window.hapsis.slider('Speed of the finger').take({speed}))")
        x, y = page.value("(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
                          "(document.getElementById('press').getBoundingClientRect())")  # fmt: skip
        page.mouse("Pressed", x, y, clickCount=1, button="left", buttons=1)
        page.until(f"window.heard.length > 0 && {PRESSED}")
        page.mouse("Released", x, y, clickCount=1, button="left")
        page.until("window.hapsis.last('key') < 0.005")
        speeds.append(page.value("window.heard[0].speed"))
    assert speeds[1] > 1.5 * speeds[0]


def test_the_curve_of_a_key_that_is_held_stays(page):
    """While the key rests at its end, the drawn curve does not fade; the scale is in mm."""
    page.browser.command("Input.dispatchKeyEvent", type="keyDown", key="6", text="6")
    page.until(f"window.heard.length > 0 && {PRESSED}")
    ink = ("(() => { const c = document.querySelector('.curve canvas'); let sum = 0;"
           " const pen = new OffscreenCanvas(c.width, c.height)"
           ".getContext('2d', { willReadFrequently: true });"
           " pen.drawImage(c, 0, 0); const d = pen.getImageData(0, 0, c.width, c.height).data;"
           " for (let k = 3; k < d.length; k += 4) sum += d[k]; return sum })()")  # fmt: skip
    begin = page.value("window.hapsis.last('t')")
    page.until(f"window.hapsis.last('t') > {begin} + 0.5")
    before = page.value(ink)
    page.until(f"window.hapsis.last('t') > {begin} + 10")  # longer than any history
    assert page.value(ink) == pytest.approx(before, rel=0.02) and before > 0
    page.browser.command("Input.dispatchKeyEvent", type="keyUp", key="6")


def test_sliders_have_words_and_units_and_typed_numbers_have_these_units(page):
    labels = page.value("[...document.querySelectorAll('.slider')].map((x) => x.innerText.split('\\n')[0])")
    units = page.value("[...document.querySelectorAll('.slider .unit')].map((x) => x.textContent)")
    assert dict(zip(labels, units, strict=True)) == {
        "Speed of the finger": "m/s",
        "Let-off button": "mm",
        "Mass of the hammer's head": "g",
        "Spring of the jack": "N·mm",
        "Spring of the repetition lever": "N·mm",
    }
    field = "document.querySelectorAll('.slider input[type=text]')[1]"
    page.value(f"({field}.value = '70.9', {field}.dispatchEvent(new Event('change')))")
    assert page.value("window.hapsis.slider('button_height').value") == pytest.approx(70.9e-3)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_the_bar_is_one_row_and_nothing_is_cut(window, shared, tmp_path, width, scheme):
    shared.save(tmp_path / "action.html")
    page = window.open(tmp_path / "action.html", width, 800, scheme=scheme)
    page.until("document.getElementById('badge').textContent !== ''")
    tops = page.value("[...document.querySelectorAll('.bar button:not([hidden])')]"
                      ".map((x) => x.getBoundingClientRect().top)")  # fmt: skip
    assert len(set(tops)) == 1
    assert page.value("document.documentElement.scrollWidth <= window.innerWidth")
    press = page.value("(({ left, right }) => [left, right])"
                       "(document.getElementById('press').getBoundingClientRect())")  # fmt: skip
    assert 0 <= press[0] < press[1] <= width
    page.close()


def test_a_page_can_be_changed_and_refuses_two_hands_on_one_key():
    action = hs.library.grand_action()
    own = hs.share(action, press=False, inputs={"key.position": (0.0, 0.01)}, sounds={}, title="Key")
    assert own.title == "Key" and own.content["press"] is None and own.content["sounds"] == []
    assert [entry["name"] for entry in own.content["inputs"]] == ["key.position"]
    with pytest.raises(hs.ModelError, match='"key" is moved by the finger of the page, and by inputs; give'):
        hs.share(action, inputs=["key.position"])
    with pytest.raises(hs.ModelError, match='press: there is no drive "kay" to take the place of'):
        hs.share(action, press=hs.Press("key.finger", instead_of="kay"))


@pytest.mark.parametrize("key", ["position", "motion", "force", "finger", 0.0])
def test_every_way_to_move_the_key_has_its_page(key):
    content = hs.share(grand_action(key)).content
    assert (content["press"] is not None) == (key in ("position", "motion", "force"))
    assert [entry["name"] for entry in content["inputs"]] == (["hand.position"] if key == "finger" else [])
    assert [sound["contact"] for sound in content["sounds"]] == ["string"] and content["dt"] == 1 / 5000
