"""The grand action in a page: a finger feels what a drive gives, and a stroke strikes and sounds once."""

import sys
from pathlib import Path

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs
from hapsis.library.piano import grand_action

sys.path.append(str(Path(__file__).parents[1] / "view"))
import browser

PROGRAM = browser.found()
DEPTH = 9.9e-3


@pytest.fixture(scope="module")
def shared():
    """A page of the action whose fingertip is pressed."""
    return hs.share(
        grand_action("force"),
        rate=5000,
        substeps=4,
        method="euler",
        press=hs.Press("fingertip", along="-y", depth=DEPTH, speed=0.3, most=60.0),
        sounds={"string": hs.Sound("A4", damped_by="damper_string")},
        parameters={"button_height": (0.0705, 0.0717), "hammer_head": (0.003, 0.012)},
        title="Grand action",
    )


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
    weight = 0.005 * 9.81  # the fingertip helps
    felt, driven = np.interp(places, x, F) + weight, np.interp(places, way, force)
    quiet = (places < 7e-3) & (np.abs(places - 4.5e-3) > 0.6e-3)  # away from the damper and the let-off
    np.testing.assert_allclose(felt[quiet], driven[quiet], atol=0.08)
    late = (x > 7e-3) & (x < 9.4e-3)
    peak = force[(way > 7e-3) & (way < 9.4e-3)].max()
    assert F[late].max() + weight == pytest.approx(peak, rel=0.15) and peak > 1.5


@needs_node
@pytest.mark.parametrize("speed", [0.3, 0.6, 1.0])
def test_a_stroke_strikes_once_and_a_faster_one_harder(shared, speed, tmp_path):
    _, struck = stroke(tmp_path, shared, speed, 2500)
    assert len(struck) == 1 and not struck[0]["damped"]
    assert 2.0 * speed < struck[0]["speed"] < 10.0 * speed


@pytest.mark.skipif(PROGRAM is None, reason="no chromium to open the pages with")
def test_a_key_of_the_keyboard_plays_a_note(shared, tmp_path):
    assert PROGRAM
    shared.save(tmp_path / "action.html")
    window = browser.Browser(PROGRAM)
    page = window.open(tmp_path / "action.html")
    page.until("document.getElementById('badge').textContent !== '' && window.hapsis.ticks > 500")
    page.value("(document.addEventListener('sound', (event) => (window.heard = event.detail)), 1)")
    window.command("Input.dispatchKeyEvent", type="keyDown", key="8", text="8")
    page.until("window.heard !== undefined")
    heard = page.value("window.heard")
    assert heard["contact"] == "string" and heard["speed"] > 1.0
    page.until("window.hapsis.last('hammer') < 0.30 && window.hapsis.last('key') > 0.04")  # caught
    window.command("Input.dispatchKeyEvent", type="keyUp", key="8")
    page.until("window.hapsis.strings.played.at(-1).kind === 'damped'")
    assert page.value("window.hapsis.strings.started") == 1
    assert page.complaints() == []
    page.close()
    window.close()
