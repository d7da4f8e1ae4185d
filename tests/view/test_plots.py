"""Plots: one self-contained page, whatever the names and the numbers."""

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import Error
from hapsis.view import curves, maps, phases, plot

SLACK = 0.25  # pixels: a range of 1e-12 of its values has few digits left
T = np.linspace(0.0, 10.0, 101)
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=1>',
    "</svg>",
    "a&b;c",
    "é\u202egnirts",
    "\x00\x1b[2J",
    "a" * 5000,
    "",
    "--><!--",
    "]]>",
    "\ud800",
    "$x_1$",
    "_hidden",
    "line\nbreak",
]


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def points(svg: str) -> list[list[tuple[float, float]]]:
    """The runs of every drawn line, in the units of the picture."""
    found = []
    for path in tree(svg).iter(f"{SVG}path"):
        if "line" in (path.get("class") or "") and "h18" not in (path.get("d") or ""):
            for run in (path.get("d") or "").split("M")[1:]:
                numbers = [float(x) for x in run.replace("L", " ").split()]
                found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


def readings(html: str) -> dict:
    block = re.search(r'id="readings">(.*?)</script>', html, re.S)
    assert block
    return json.loads(block[1])


def test_the_policy_allows_exactly_what_is_in_the_page():
    html = plot(T, {"a": np.sin(T)}).html
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy and policy[1].startswith("default-src 'none';")
    for kind in ("style", "script"):
        inside = re.findall(rf"<{kind}>(.*?)</{kind}>", html, re.S)
        digests = [hashlib.sha256(text.encode()).digest() for text in inside]
        wanted = {f"'sha256-{base64.b64encode(d).decode()}'" for d in digests}
        allowed = re.search(rf"{kind}-src ([^;]+);", policy[1])
        assert allowed and set(allowed[1].split()) == wanted and wanted
    assert " style=" not in html and " onload=" not in html


def test_nothing_in_the_page_points_elsewhere():
    html = plot(T, {"a": T}).html
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe)[^>]+(?:src|href)=\"(?!data:)", html)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_only_text(name, tmp_path):
    made = plot(T, {name: T, "b": T}, title=name, units={name: name or "m"}, xlabel=name)
    for svg in (made.svg, made._repr_html_()):
        tags = {element.tag for element in tree(svg).iter()}
        assert tags <= {f"{SVG}{t}" for t in ("svg", "style", "rect", "text", "path", "circle")}
    html = made.save(tmp_path / "x.html").read_text(encoding="utf-8")
    assert html.count("<script") == html.count("</script>") == 2
    assert "<img" not in html and "\x00" not in html and "\x1b" not in html and "\u202e" not in html
    assert len(readings(html)["panels"]) == 2


@given(
    st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=40), st.floats(-1e12, 1e12)
)
def test_any_numbers_make_a_picture_inside_its_frame(values, start):
    t = start + np.cumsum(np.linspace(0, 1, len(values)))
    html = plot(t, {"y": values}).html
    data = readings(html)
    panel = data["panels"][0]
    finite = [v for v in values if np.isfinite(v)]
    assert len(panel["series"][0]["y"]) == len(finite)
    picture = re.search(r"<svg.*</svg>", html, re.S)
    assert picture
    for run in points(picture[0]):
        for x, y in run:
            assert data["left"] - SLACK <= x <= data["left"] + data["width"] + SLACK
            assert panel["top"] - SLACK <= y <= panel["top"] + panel["height"] + SLACK


def test_a_missing_value_is_a_gap_and_a_lone_one_a_dot():
    y = np.sin(T)
    y[20:30] = np.nan
    y[60], y[62] = np.nan, np.inf
    made = plot(T, {"a": y}).svg
    assert [len(run) for run in points(made)] == [20, 30, 1, 38]
    assert len(list(tree(made).iter(f"{SVG}circle"))) == 1


def test_long_series_stay_short_and_keep_their_peak():
    t = np.linspace(0, 1, 300_000)
    y = np.sin(40 * t)
    y[123_456] = 77.0
    html = plot(t, {"a": y}).html
    series = readings(html)["panels"][0]["series"][0]
    assert len(html) < 300_000 and max(series["y"]) == 77.0
    assert series["x"][series["y"].index(77.0)] == pytest.approx(t[123_456], abs=1e-9)


def test_series_of_one_unit_share_a_panel():
    units = {"a": "m", "c": "m", "d": "N"}
    data = readings(plot(T, {"a": T, "b": T, "c": T, "d": T}, units=units).html)
    names = [[s["name"] for s in panel["series"]] for panel in data["panels"]]
    assert names == [["a", "c"], ["b"], ["d"]]
    data = readings(plot(T, {"legs": {"left": T, "right": T}, "x": T}).html)
    assert [[s["name"] for s in panel["series"]] for panel in data["panels"]] == [["left", "right"], ["x"]]


def test_readings_tell_apart_what_the_picture_tells_apart():
    y = 4.905 + 1e-9 * np.sin(T)
    read = readings(plot(T, {"energy": y}).html)["panels"][0]["series"][0]["y"]
    assert np.abs(np.array(read) - y).max() < 1e-13


def test_values_that_go_back_by_rounding_have_not_turned_back():
    x, noise = np.linspace(0.0, 1e-2, 20_000), np.random.default_rng(1).normal(size=20_000)
    x[-5000:] = 1e-2
    trembling = x.copy()
    trembling[-5000::2] = np.nextafter(1e-2, 1.0)
    assert np.diff(trembling).min() < 0.0
    one, other = (points(curves(way, {"y": noise}).svg) for way in (x, trembling))
    assert one == other and len(one[0]) < 4000


def test_one_point_constants_and_many_lines():
    assert len(points(plot([1.0], {"a": [2.0]}).svg)) == 1
    assert "7.5" in plot(T, {"a": 7.0 + 0 * T}).svg
    many = plot(T, {"p": {f"line {k}": T + k for k in range(30)}}).svg
    dashes = {p.get("stroke-dasharray") for p in tree(many).iter(f"{SVG}path")}
    assert len(dashes) == 4 and len(points(many)) == 30


def test_curves_may_turn_back_and_have_logarithmic_axes():
    angle = np.linspace(0, 6.28, 200)
    loop = curves(np.cos(angle), {"loop": np.sin(angle)}, "position, m", "force, N", title="Work")
    assert "position, m" in loop.svg and len(points(loop.svg)[0]) == 200
    x = np.geomspace(1e-3, 1e3, 50)
    made = curves(x, {"power": x**2}, logarithmic="xy")
    straight = np.array(points(made.svg)[0])
    assert np.abs(np.diff(straight, 2, axis=0)).max() < 0.03  # a power law is a line
    gap = curves([-1, 1, 2, 3], {"a": [1, 1, 0, 2]}, logarithmic="xy")
    assert [len(run) for run in points(gap.svg)] == [1, 1]
    own = curves({"a": [0, 1], "b": [0, 1, 2]}, {"a": [0, 1], "b": [2, 1, 0]})
    assert [len(run) for run in points(own.svg)] == [2, 3]


def test_saving(tmp_path, monkeypatch):
    made = plot(T, {"a": T}, title="A <title>")
    assert made.save(tmp_path / "new" / "x.svg").read_text().startswith("<svg")
    assert made.save(str(tmp_path / "x.html")).read_text() == made.html
    assert made.save(tmp_path / "x.html").is_file()  # again, over the old one
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "x.html"]
    with pytest.raises(Error, match=r"\.html or \.svg or \.png"):
        made.save(tmp_path / "x.pdf")
    with pytest.raises(Error, match="cannot be written"):
        made.save(tmp_path / "x.html" / "y.svg")
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    path = made.show()
    assert opened == [path.as_uri()] and path.read_text() == made.html
    assert path.parent.stat().st_mode & 0o077 == 0
    path.unlink()
    path.parent.rmdir()


def test_png_without_matplotlib_names_the_extra(tmp_path, monkeypatch):
    for name in [n for n in sys.modules if n.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(Error, match=r"matplotlib, which is not installed; .* matplotlib, or save"):
        plot(T, {"a": T}).save(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_png(tmp_path):
    pytest.importorskip("matplotlib")
    made = plot(T, {"a": T, "$b_": {"_c": -T, "$": T}}, title="$", units={"a": "m"})
    assert made.save(tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert curves(T, {"a": T}, logarithmic="x").save(tmp_path / "y.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: plot(T, {"a": T[:5]}), '"a": 5 values for 101 points'),
        (lambda: plot(T, {"a": ["x"] * 101}), '"a": the values are not real numbers'),
        (lambda: plot(T, {"a": np.zeros((101, 2))}), "expected one number for each time"),
        (lambda: plot(T, {"a": 1j * T}), "not real numbers"),
        (lambda: plot(-T, {"a": T}), "the times go back"),
        (lambda: plot([0, np.nan], {"a": [1, 2]}), "value 1 is nan"),
        (lambda: plot([], {"a": []}), "no time to draw"),
        (lambda: plot(T, {}), "no series to draw"),
        (lambda: plot(T, [T]), "no table of series"),  # pyright: ignore
        (lambda: plot(T, {"hinge": T}, units={"hnge": "rad"}), 'did you mean "hinge"'),
        (lambda: curves(T, {"a": T}, logarithmic="z"), 'expected "x", "y" or "xy"'),
        (lambda: curves(T, {"a": -T}, logarithmic="y").svg, "no positive value"),
        (lambda: curves({"b": T}, {"a": T}), 'no x for "a"'),
    ],
)
def test_wrong_input_is_told_in_one_line(make, words):
    with pytest.raises(Error) as caught:
        make()
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_map_has_a_cell_for_each_number():
    """Random shapes, spacings and gaps: the cells tile the frame."""
    draw = np.random.default_rng(3)
    for _ in range(20):
        nx, ny = draw.integers(1, 9, 2)
        x, y = (np.cumsum(draw.uniform(0.1, 1.0, n)) * 10.0 ** draw.integers(-6, 6) for n in (nx, ny))
        values = draw.normal(size=(ny, nx)) * 10.0 ** draw.integers(-6, 6)
        values[draw.uniform(size=values.shape) < 0.2] = np.nan
        svg = maps(x, y, {"speed": values}, "mass", "angle").svg
        texts = re.findall(r"<title>speed = (\S+) at (\S+), (\S+)</title>", svg)
        expected = [(f"{values[j, k]:.6g}", f"{x[k]:.6g}", f"{y[j]:.6g}") for j, k in np.ndindex(ny, nx)]
        assert texts == [row for row in expected if row[0] != "nan"]
        sizes = re.findall(r'width="([\d.]+)" height="([\d.]+)"><title>', svg)
        if np.isfinite(values).all():
            assert abs(sum(float(w) * float(h) for w, h in sizes) / (766 * 320) - 1) < 0.01
        assert ("no value" in svg) == (not np.isfinite(values).all())
    with pytest.raises(Error, match="a row for each y"):
        maps([1.0, 2.0], [1.0], {"a": np.zeros((2, 1))})
    with pytest.raises(Error, match="increase"):
        maps([2.0, 1.0], [1.0], {"a": np.zeros((1, 2))})


def test_the_path_of_a_point_has_one_scale_on_both_axes():
    draw = np.random.default_rng(4)
    for _ in range(20):
        x, y = draw.normal(size=(2, 50)) * 10.0 ** draw.integers(-3, 3, (2, 1))
        readings = replace(phases(x, {"z": y}), equal=True).drawing.readings
        ends, panel = readings["x"], readings["panels"][0]
        across = (ends["high"] - ends["low"]) / readings["width"]
        along = (panel["y"]["high"] - panel["y"]["low"]) / panel["height"]
        assert abs(across / along - 1) < 1e-9
        assert ends["low"] <= x.min() and x.max() <= ends["high"]


def test_scattered_points_are_not_joined():
    svg = phases([1.0, 2.0, 3.0], {"a": [2.0, 1.0, 4.0]}, scattered=True).svg
    assert svg.count("<circle") == 3 and "L" not in re.sub(r"<text.*?</text>", "", svg)
