"""What the player shows is what it was given: bodies and signals at any time, every signal of a result."""

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

import hapsis as hs
from hapsis.view import Arrows, Drawn, Scene, player

SIZE = {"width": 1000, "height": 640}


def opened(window, tmp_path, made, **more):
    return window.open(made.save(tmp_path / "page.html"), **SIZE, hash="#t=0", **more)


def test_bodies_and_arrows_are_where_the_scene_has_them_at_any_time(window, tmp_path):
    """200 points of random bodies at random times, against scipy's turns between two orientations."""
    rng = np.random.default_rng(5)
    frames, bodies = 30, 6
    t = np.cumsum(rng.uniform(0.01, 0.2, frames))
    p, turns = rng.normal(size=(frames, bodies, 3)), Rotation.random(frames * bodies, random_state=1)
    q = turns.as_quat().reshape(frames, bodies, 4)
    poses = np.concatenate([p, q[:, :, [3, 0, 1, 2]]], axis=2)
    poses[:, 2] = poses[0, 2]  # one that does not move
    drawn = [Drawn(f"b{k}", [{"type": "box", "size": [0.1, 0.2, 0.3]}]) for k in range(bodies)]
    arrow = Arrows("f", rng.normal(size=(frames, 3)), rng.normal(size=(frames, 3)))
    shown = opened(window, tmp_path, player(Scene("x", t, drawn, poses, arrows=[arrow])))
    for _ in range(40):
        time = float(rng.uniform(t[0], t[-1]))
        points = rng.normal(size=(bodies, 3))
        got = shown.value(
            f"(hapsis.seek({time}), {points.tolist()}.map((p, k) => hapsis.motion.point(k, p))"
            ".concat([[...hapsis.motion.arrows[0].point]]))"
        )
        for k in range(bodies):
            own = Rotation.from_quat(poses[:, k][:, [4, 5, 6, 3]])
            place = [np.interp(time, t, poses[:, k, axis]) for axis in range(3)]
            expected = place + Slerp(t, own)(time).apply(points[k])
            np.testing.assert_allclose(got[k], expected, atol=2e-6)
        tail = [np.interp(time, t, arrow.points[:, axis]) for axis in range(3)]
        np.testing.assert_allclose(got[-1], tail, atol=2e-6)
    assert shown.complaints() == []
    shown.close()


def test_signals_are_read_as_given_with_gaps_and_at_every_size(window, tmp_path):
    rng = np.random.default_rng(6)
    frames = 400
    t = np.linspace(2, 5, frames)
    gap = np.where((t > 3) & (t < 3.5), np.nan, np.sin(t))
    series = {
        "wave": np.sin(9 * t),
        "huge": 1e300 * np.cos(t),
        "tiny": 1e-9 * np.cos(t),
        "drift": 1e6 + 1e-3 * t,
        "constant": np.full(frames, 2.5),
        "gap": gap,
        "none": np.full(frames, np.nan),
    }
    poses = np.tile([0.0, 0, 0, 1, 0, 0, 0], (frames, 1, 1))
    body = Drawn("a", [{"type": "sphere", "radius": 1}])
    shown = opened(window, tmp_path, player(Scene("x", t, [body], poses, series=series)))
    times = rng.uniform(t[0], t[-1], 60)
    got = shown.value(
        f"hapsis.signals.signals.map(s => {times.tolist()}.map(t => (y => y === y ? y : null)(s.at(t))))"
    )
    for values, found in zip(series.values(), got, strict=True):
        expected = np.interp(times, t, values)
        spread = np.nanmax(values) - np.nanmin(values) if np.isfinite(values).any() else 1.0
        for x, y in zip(expected, found, strict=True):
            assert (y is None) == np.isnan(x)
            assert y is None or abs(x - y) <= 1e-6 * spread + 1e-12 * abs(x)
    assert shown.complaints() == []
    shown.close()


ROWS = """(index => {
  for (const line of [...hapsis.signals.lines]) hapsis.signals.choose(line.signal);
  hapsis.signals.choose(hapsis.signals.signals[index]);
  const canvas = document.querySelector("#charts canvas"), pen = canvas.getContext("2d");
  const from = 54, to = canvas.width - 116;
  const data = pen.getImageData(from, 8, to - from, canvas.height - 30).data, rows = new Set();
  for (let k = 0; k < data.length; k += 4) {
    const [r, g, b] = data.slice(k, k + 3);
    if (data[k + 3] > 120 && b > 120 && b > r + 50) rows.add(Math.floor(k / 4 / (to - from)));
  }
  return rows.size;
})"""


@pytest.mark.parametrize(("size", "flat"), [(1e-18, True), (1e-14, True), (1e-6, False), (0.0, True)])
def test_rounding_noise_is_a_flat_line(window, tmp_path, size, flat):
    """Noise beside a signal of its unit that is 1 at most; alone or not, it is one row of pixels."""
    t = np.linspace(0, 1, 200)
    noise = size * np.random.default_rng(1).normal(size=200)
    poses = np.tile([0.0, 0, 0, 1, 0, 0, 0], (200, 1, 1))
    series, units = {"real": np.sin(t), "noise": noise}, {"real": "m", "noise": "m"}
    body = Drawn("a", [{"type": "sphere", "radius": 1}])
    made = player(Scene("x", t, [body], poses, series=series, units=units))
    shown = opened(window, tmp_path, made)
    assert (shown.value(f"{ROWS}(1)") <= 4) == flat
    assert shown.value(f"{ROWS}(0)") > 20
    shown.close()


def test_every_signal_of_a_result_is_in_the_list_and_found_by_words(window, tmp_path):
    model = hs.library.double_wishbone()
    result = hs.simulate(model, until=0.05, every=0.01)
    shown = opened(window, tmp_path, result.player())
    from hapsis.mechanics.model.signals.data_frames import flat

    names = [name for name in flat(result) if name != "t"]
    assert shown.value("hapsis.signals.signals.map(s => s.name)") == names
    assert any(name.endswith(".reaction.fz") for name in names)
    rows = "[...document.querySelectorAll('#signals button')].filter(b => !b.hidden)"
    visible = f"{rows}.map(b => b.textContent)"
    assert len(shown.value(visible)) == len(names)
    shown.click("#find")
    for letter in "reaction fz":
        shown.key(letter, letter)
    found = shown.value(visible)
    assert found and all("reaction" in x and "fz" in x for x in found)
    # a click adds, another one takes away
    first = f"{rows}[0]"
    for pressed in ("true", "false"):
        shown.value(f"{first}.click()")
        assert shown.value(f"{first}.getAttribute('aria-pressed')") == pressed
    assert shown.complaints() == []
    shown.close()


def test_curves_of_one_unit_share_a_panel_and_phase_plots_have_their_own(window, tmp_path):
    result = hs.simulate(hs.library.n_four_bar(2), until=0.1, every=0.01)
    shown = opened(window, tmp_path, result.player())
    panels = "[...document.querySelectorAll('#charts figcaption')].map(c => c.textContent)"
    assert shown.value(panels) == ["rad"]
    choose = "hapsis.signals.choose(hapsis.signals.signals.find(s => s.name === '%s'))"
    shown.value(choose % "upright0.v")
    shown.value(choose % "upright1.v")
    assert shown.value(panels) == ["rad", "rad/s"]
    shown.value(choose % "upright0.v")
    shown.value(choose % "upright1.v")
    assert shown.value(panels) == ["rad"]
    shown.value("document.getElementById('over').value = '0'")
    shown.value(choose % "upright0.v")
    assert shown.value(panels) == ["rad", "upright0.v, rad/s over upright0, rad"]
    shown.click("#charts .close")
    assert shown.value(panels) == ["rad"] and shown.complaints() == []
    shown.close()


def test_a_saved_result_looks_as_the_result_itself(tmp_path):
    result = hs.simulate(hs.library.slider_crank(), until=0.05, every=0.01)
    back = hs.load(result.save(tmp_path / "r.npz"))
    drawing = json.dumps(back.player().scene.drawing)
    assert drawing == json.dumps(result.player().scene.drawing)
    assert back.player(signals=()).svg == result.player(signals=()).svg


def test_other_values_of_parameters_are_drawn():
    model = hs.library.slider_crank()
    name = next(n for n in model.parameters if n in ("l", "r"))
    longer = hs.simulate(model, until=0.02, parameters={name: 1.1 * model.parameters[name]})
    usual = hs.simulate(model, until=0.02)
    assert longer.player(signals=()).scene.drawing != usual.player(signals=()).scene.drawing
