"""Files made to cost time or memory, and numbers of any size at every place: one line, or a sound model."""

import re

import pytest
from attacks.mutation import MODELS, everything

import hapsis as hs
from hapsis.errors import Error, ModelError
from hapsis.mechanics.formats import xml_tree
from hapsis.mechanics.formats.mbs import mbs_places

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\w.])")
SIZES = ("1e150", "-1e150", "1e308", "-1e308", "1e60", "1e-150", "1e-320", "0")
TEXTS = {ending: everything(ending) for ending in ("yaml", "urdf", "xml")}
TEXTS |= {"mbs": (MODELS / "three_bar.mbs").read_text()}


@pytest.mark.parametrize("ending", TEXTS)
def test_numbers_of_any_size_at_every_place(tmp_path, ending):
    text, path = TEXTS[ending], tmp_path / f"a.{ending}"
    places, refused = list(NUMBER.finditer(text)), 0
    for place in places:
        for size in SIZES:
            path.write_text(text[: place.start()] + size + text[place.end() :])
            try:
                hs.load(path)
            except Error as error:
                refused += 1
                assert "\n" not in str(error) and str(error).isprintable()
    assert len(places) < refused < len(SIZES) * len(places)


@pytest.mark.parametrize("start", ["", "# a comment\n\n", "hapsis: 1\n...\n"])
def test_directives_of_yaml_are_refused_before_they_are_compared(tmp_path, start):
    path = tmp_path / "a.yaml"
    path.write_text(start + "".join(f"%TAG !a{i}! x\n" for i in range(300_000)) + "---\n" + TEXTS["yaml"])
    line = start.count("\n") + 1
    with pytest.raises(ModelError, match=rf"a\.yaml:{line}:1: a directive \(%\) is not allowed"):
        hs.load(path)


def test_included_files_share_one_budget(tmp_path, monkeypatch):
    """Of elements and of bytes, over any number of files."""
    files = 5
    names = "".join(f'<include file="i{k}.xml"/>' for k in range(files))
    path = tmp_path / "a.xml"
    path.write_text(f"<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody>{names}</mujoco>")
    for k in range(files):
        (tmp_path / f"i{k}.xml").write_text(f"<mujocoinclude>{'<size/>' * 100}</mujocoinclude>")
    assert hs.load(path)
    monkeypatch.setattr(xml_tree, "MOST_ELEMENTS", 400)
    with pytest.raises(ModelError, match=r'<include> of "i3.xml".*too many elements'):
        hs.load(path)
    monkeypatch.setattr(xml_tree, "MOST_ELEMENTS", 10_000)
    monkeypatch.setattr(xml_tree, "MOST_BYTES", 2000)
    with pytest.raises(ModelError, match=r"<include> of .*too large"):
        hs.load(path)


def test_rods_without_length_pose_each_body_once(tmp_path, monkeypatch):
    count, turns, turn = 60, [], mbs_places._turn
    monkeypatch.setattr(mbs_places, "_turn", lambda step: turns.append(step) or turn(step))

    def body(i):
        parent, point = ("base", "origin") if i == 0 else (f"b{i - 1}", "end")
        return (
            f"<body><bodyname>b{i}</bodyname><parent><bodyname>{parent}</bodyname><pointname>{point}</pointname>"
            f"</parent><joint><jointname>j{i}</jointname><type>R2</type><nature>dependent</nature></joint>"
            "<mass>1</mass><point><pointname>end</pointname><coordinates><z>1</z></coordinates></point></body>"
        )

    def rod(i):
        ends = ((f"b{count - 1}", "end"), ("base", "origin"))
        places = "".join(
            f"<endpoint{k}><bodyname>{b}</bodyname><pointname>{p}</pointname></endpoint{k}>"
            for k, (b, p) in enumerate(ends, 1)
        )
        return f"<rod><name>r{i}</name>{places}</rod>"

    path = tmp_path / "a.mbs"
    bodies, rods = "".join(map(body, range(count))), "".join(map(rod, range(count)))
    path.write_text(f"<mbsDescR7><base/><bodytree>{bodies}</bodytree><cuts>{rods}</cuts></mbsDescR7>")
    model = hs.load(path)
    assert len(turns) == count
    assert {model.value(c.length) for c in model.constraints.values()} == {float(count)}
