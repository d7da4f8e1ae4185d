"""Shared pages in a real browser: grabbed, changed, alone and polite."""

import importlib.metadata
import json

import numpy as np
import pytest
from shared_models import library

import hapsis as hs

READY = "document.getElementById('badge').textContent !== ''"
FORCE = "Number(document.getElementById('hand').dataset.force)"
HELD = "!document.getElementById('hand').hidden"


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


def stopped(page):
    """A busy machine draws late: the motion stands at its start while the hand comes."""
    page.click("#play")
    page.until("document.getElementById('play').textContent === 'Play'")
    page.click("#reset")
    page.until("window.hapsis.ticks === 0")
    page.settle()


def pulled(page, body, dx, dy):
    """Holds a body with the pointer while the motion goes on, draws it away and lets it go again; what is
    called between the two gets its first place on the screen."""
    stopped(page)
    x, y = middle(page, body)
    held = {"button": "left", "buttons": 1}
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y, clickCount=1, **held)
    page.until(HELD)
    page.value("window.hapsis.say({ kind: 'play', on: true })")
    for k in range(1, 11):
        page.mouse("Moved", x + dx * k / 10, y + dy * k / 10, **held)
    yield x, y
    page.mouse("Released", x + dx, y + dy, clickCount=1, **held)
    page.until("document.getElementById('hand').hidden")


def check_law(page):
    """What is shown is K (target - at) + D (its speed - that of the point), or the guard's limit."""
    hand = page.value(
        "(({ at, target, speed, pace, force, gains }) => ({ at, target, speed, pace, force,"
        " K: [...gains.stiffness], D: [...gains.damping],"
        " shown: document.getElementById('hand').dataset.force,"
        " limit: window.hapsis.content.coupling.limit }))(window.hapsis.now.hand)"
    )
    K, D = (np.reshape(hand[name], (3, 3)) for name in "KD")
    at, target, speed, pace, force = (np.array(hand[n]) for n in ("at", "target", "speed", "pace", "force"))
    law = K @ (target - at) + D @ (pace - speed)
    size = float(np.linalg.norm(law))
    law *= min(1.0, hand["limit"] / size)
    assert np.abs(force - law).max() <= 1e-9 * max(1.0, size)
    assert float(hand["shown"]) == pytest.approx(float(np.linalg.norm(force)), abs=1e-9)
    assert float(hand["shown"]) <= hand["limit"] * (1 + 1e-9)


def grabbed(page, body, dx, dy):
    """Grabs a body: it follows by the law, and keeps its energy when it is let go."""
    pull = pulled(page, body, dx, dy)
    x, y = next(pull)
    page.until(f"{HELD} && {FORCE} > 0.2 && window.hapsis.now.hand.ticks > 300")
    for _ in range(5):
        check_law(page)
        page.settle()
    where = f"window.hapsis.whereIs({json.dumps(body)})"
    page.until(f"Math.hypot({where}[0] - {x}, {where}[1] - {y}) > 15")  # it follows
    next(pull, None)
    energy, start = signal(page, "energy"), signal(page, "t")
    page.until(f"window.hapsis.last('t') > {start} + 0.5")
    return energy, signal(page, "energy")


def test_a_body_is_grabbed_follows_and_is_let_go(page):
    before, after = grabbed(page, "coupler", 0, -80)
    assert after == pytest.approx(before, rel=1e-4)


def test_a_four_bar_is_grabbed(window, tmp_path):
    model = library.n_four_bar(1)
    hs.share(model, tmp_path / "four_bar.html")
    opened = window.open(tmp_path / "four_bar.html")
    opened.until(READY)
    before, after = grabbed(opened, [*model.bodies][1], 60, -40)
    assert after == pytest.approx(before, rel=1e-4)
    assert opened.complaints() == []
    opened.close()


@pytest.mark.peers
def test_the_panda_is_grabbed(window, tmp_path):
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("example-robot-data is not installed")
    path = next(file for file in files if str(file).endswith("panda_description/urdf/panda.urdf"))
    model = hs.load(str(path.locate()))
    hs.share(model, tmp_path / "panda.html")
    opened = window.open(tmp_path / "panda.html")
    opened.until(READY)
    hand = next(name for name in model.bodies if "link7" in name or "hand" in name)
    before, after = grabbed(opened, hand, 40, -60)
    assert after <= before + 1e-3 * abs(before)
    assert opened.complaints() == []
    opened.close()


def test_a_finger_holds_and_a_second_one_changes_nothing(page):
    stopped(page)
    x, y = middle(page, "coupler")
    touch = page.browser.command
    finger, other = {"x": x, "y": y, "id": 1}, {"x": x + 40, "y": y + 200, "id": 2}
    touch("Input.dispatchTouchEvent", type="touchStart", touchPoints=[finger])
    page.until(HELD)
    held = page.value("window.hapsis.now.hand.body")
    touch("Input.dispatchTouchEvent", type="touchStart", touchPoints=[finger, other])
    touch("Input.dispatchTouchEvent", type="touchMove", touchPoints=[finger, {**other, "x": x}])
    page.settle()
    assert page.value(HELD) and page.value("window.hapsis.now.hand.body") == held
    touch("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.until("document.getElementById('hand').hidden")


def test_a_gamepad_is_a_hand(page):
    def take(buttons, axes):
        pressed = json.dumps([{"pressed": k in buttons} for k in range(6)])
        pad = f"{{ index: 0, buttons: {pressed}, axes: {json.dumps(axes)} }}"
        page.value(f"window.hapsis.gamepads.take({pad}, 0.1)")

    take([5], [0, 0])
    take([], [0, 0])
    take([0], [0, 0])
    page.until(HELD)
    take([0], [0.9, -0.9])  # still pressed: held
    page.until(f"{HELD} && {FORCE} > 0.05")
    take([], [0, 0])
    take([0], [0, 0])
    page.until("document.getElementById('hand').hidden")


def test_a_page_that_is_only_seen(window, tmp_path):
    hs.share(library.slider_crank(), tmp_path / "seen.html", grab=False)
    opened = window.open(tmp_path / "seen.html")
    opened.until(READY)
    x, y = middle(opened, "coupler")
    opened.mouse("Moved", x, y)
    opened.mouse("Pressed", x, y, clickCount=1, button="left", buttons=1)
    opened.settle()
    assert opened.value("document.getElementById('hand').hidden")
    assert opened.value("document.getElementById('hint').textContent") == ""
    opened.close()


def test_a_recording_is_saved(page, tmp_path):
    page.browser.command(
        "Browser.setDownloadBehavior", root=True, behavior="allow", downloadPath=str(tmp_path)
    )
    page.click("#record")
    start = signal(page, "t")
    page.until(f"window.hapsis.last('t') > {start} + 0.2")
    page.click("#record")
    page.until("document.getElementById('files').children.length === 2")
    for k in (1, 2):
        page.click(f"#files button:nth-child({k})")
    files = [tmp_path / "Slider-crank.csv", tmp_path / "Slider-crank.npz"]
    while not all(file.exists() for file in files):
        page.settle()
    result = hs.load(files[1])
    table = np.genfromtxt(files[0], delimiter=",", skip_header=1)
    assert len(result.t) == len(table) >= 150 and (table[:, 0] == result.t).all()
    head = files[0].read_text().splitlines()[0].split(",")
    assert head[0] == "t [s]" and "energy [J]" in head


def test_injected_markup_does_nothing(window, file):
    opened = window.open(file)
    opened.until(READY)
    opened.value(
        "document.body.insertAdjacentHTML('beforeend',"
        ' \'<img src=x onerror="window.hurt = 1"><svg onload="window.hurt = 2">\')'
    )
    opened.value(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.hurt = 3';"
        " document.body.append(s); })()"
    )
    tried = opened.value("fetch('http://localhost:9/').then(() => 'sent', () => 'refused')")
    opened.settle()
    assert opened.value("window.hurt === undefined") and tried == "refused"
    assert any("Content Security Policy" in text for text in opened.complaints())
    opened.close()


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


def test_a_slider_changes_the_motion_and_the_curve(page):
    """Gravity upside down: the energy falls by twice the potential one, between two ticks."""
    page.until("window.hapsis.last('t') > 0.1")
    page.click("#play")
    page.until("document.getElementById('play').textContent === 'Play'")
    before, ticks = signal(page, "energy"), page.value("window.hapsis.ticks")
    page.value("window.hapsis.slider('gravity.z').take(9.81)")
    for k in range(1, 6):
        page.key(".", text=".")
        page.until(f"window.hapsis.ticks === {ticks} + {k}")
    page.until(f"Math.abs(window.hapsis.last('energy') - {before}) > 0.01")
    page.until(
        "document.getElementById('curves').textContent.includes(String(Number("
        "window.hapsis.last('energy').toPrecision(4))))"
    )


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
    opened.value("document.getElementById('scene').focus()")
    opened.key("]", "]")
    opened.until("document.getElementById('scene').getAttribute('aria-description') !== null")
    opened.settle()
    shown = opened.value("document.getElementById('stage').innerText + document.title")
    assert "\\u202e" in shown and "\u202e" not in shown  # marks that turn the direction of reading are seen
    attributes = (
        "[...document.querySelectorAll('#stage *')].flatMap((e) => [...e.attributes].map((a) => a.value))"
    )
    assert "\u202e" not in opened.value(f"{attributes}.join()")
    assert opened.complaints() == []
    opened.close()


def test_without_webgl_the_page_says_so(window, file):
    opened = window.open(
        file,
        script="HTMLCanvasElement.prototype.getContext = (known => function (kind, ...more) {"
        " return kind.startsWith('webgl') ? null : known.call(this, kind, ...more);"
        "})(HTMLCanvasElement.prototype.getContext)",
    )
    opened.until("!document.getElementById('trouble').hidden")
    said = opened.value("document.getElementById('trouble').textContent")
    assert said.startswith("This browser cannot show the mechanism") and "WebGL" in said
    opened.close()
