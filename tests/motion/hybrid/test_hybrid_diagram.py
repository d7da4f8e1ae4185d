"""The picture of a state machine: everything is named once, nothing leaves the picture."""

import re
from xml.etree import ElementTree

import hapsis as hs

BALL = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
SVG = "{http://www.w3.org/2000/svg}"


def event(name, **fields):
    return hs.Event(name, when=lambda s: s["z"], **fields)


def machine() -> hs.Hybrid:
    events = [
        event("strike", during="single", to="double", then=hs.impact("ball")),
        event("toe off", during="double", to="single", then=hs.reset({"z": 1.0})),
        event("lift", during=["single", "double"], to="flight"),
        event("land <hard>", during="flight", to="single", then=hs.impact("ball", restitution=0.5)),
        event("fall", stop=True),
    ]
    return hs.Hybrid({"single": BALL, "double": BALL, "flight": BALL}, events)


def test_everything_is_in_the_picture(tmp_path):
    picture = machine().diagram("A biped")
    root = ElementTree.fromstring(picture.svg)
    width, height = float(root.get("width", "0")), float(root.get("height", "0"))
    texts = [x.text for x in root.iter(f"{SVG}text")]
    for name in ("A biped", "single", "double", "flight", "strike", "toe off", "land <hard>", "reset z"):
        assert texts.count(name) == 1, name
    assert texts.count("lift") == 2 and texts.count("fall") == 3 and texts.count("ends the motion") == 3
    assert len(root.findall(f"{SVG}rect")) == 4 and repr(picture) == "StateDiagram(3 states, 8 arrows)"
    for path in root.iter(f"{SVG}path"):
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", path.get("d", ""))]
        assert min(numbers) > 0 and max(numbers) < max(width, height)
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x", "0")) < width and 0 < float(text.get("y", "0")) < height
    assert "<script" not in picture.save(tmp_path / "x.svg").read_text("utf-8")
    assert "A biped" in picture.save(tmp_path / "x.html").read_text("utf-8")


def test_the_end_of_bounces_is_an_arrow():
    bounce = event("bounce", during="flight", then=hs.impact("ball", restitution=0.5, rest="rest"))
    picture = hs.Hybrid({"flight": BALL, "rest": BALL.pinned("ball")}, [bounce]).diagram()
    assert [(a.before, a.after) for a in picture.arrows] == [(0, 0), (0, 1)]
