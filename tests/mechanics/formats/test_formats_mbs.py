"""Robotran's files: the same mechanism as one told in Python; joints keep names and order."""

import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
import trees
from attacks.mutation import NUMBERS, everything, mutated
from attacks.soundness import check
from test_formats_mutations import outcomes
from trees import close, numbers

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.mechanics.formats.mbs.mbs_reader import mbs_model
from hapsis.mechanics.formats.xml_tree import LONGEST_TEXT, xml_tree
from hapsis.mechanics.formats.yaml.yaml_reader import yaml_model
from hapsis.mechanics.formats.yaml.yaml_writer import yaml_text

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
MUTATIONS = 2000
SIX = ("T1", "T2", "T3", "R1", "R2", "R3")


def read(text, **options):
    return mbs_model(text, "a.mbs", **options)


def tag(name, *inside):
    return f"<{name}>{''.join(inside)}</{name}>"


def xyz(at):
    return tag("coordinates", *(tag(n, repr(x)) for n, x in zip("xyz", at, strict=True) if x))


def point(name, at):
    return tag("point", tag("pointname", name), xyz(at))


def place(name, body, where="origin"):
    return tag(name, tag("bodyname", body), tag("pointname", where))


def joint(name, kind="R2", nature="independent", q=None, qd=None):
    values = [tag(n, repr(x)) for n, x in (("q", q), ("qd", qd)) if x is not None]
    start = tag("initialvalue", *values) if values else ""
    return tag("joint", tag("jointname", name), tag("type", kind), tag("nature", nature), start)


def body(name, *inside, on=("base", "origin")):
    return tag("body", tag("bodyname", name), place("parent", *on), *inside)


def heavy(mass, com, inertia):
    moments = zip(("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"), inertia, strict=True)
    tensor = tag("inertia", *(tag(n, repr(x)) for n, x in moments if x))
    return tag("mass", repr(mass)) + tag("com", xyz(com)) + tensor


def cut(kind, first, second, *more, name="cut"):
    inside = (tag("name", name), place("endpoint1", *first), place("endpoint2", *second), *more)
    return tag(kind, *inside)


def file(bodies, cuts="", links="", points="", gravity=(0, 0, -9.81), more=""):
    base = tag("base", tag("gravity", xyz(gravity)) if gravity else "", points)
    parts = [base, tag("bodytree", bodies)]
    parts += [tag(n, x) for n, x in (("cuts", cuts), ("links", links)) if x]
    return tag("mbsDescR7", tag("mbsname", "m"), *parts, more)


# --- laws


def drawn(seed):
    """A random tree as a text of Robotran and as a model of chains, whose q has the same order."""
    draw = random.Random(seed)

    def vector():
        return tuple(draw.uniform(-1, 1) for _ in range(3))

    gravity, anchors = vector(), {"p": vector(), "q": vector()}
    points, texts, facts = {"base": anchors}, [], [hs.Body("world", frames=anchors)]
    for k in range(draw.randint(1, 4)):
        on = draw.choice(list(points))
        where = draw.choice(["origin", *points[on]])
        kinds = [draw.choice(SIX) for _ in range(draw.randint(1, 5))]
        about = (draw.uniform(1, 2), vector(), (1.0, 1.1, 1.2, 0.1, -0.05, 0.02))
        points[f"b{k}"] = own = {"p": vector()}
        joints = (joint(f"j{k}{i}", kind) for i, kind in enumerate(kinds))
        ends = (point(name, at) for name, at in own.items())
        texts.append(body(f"b{k}", *joints, heavy(*about), *ends, on=(on, where)))
        first = ("world" if on == "base" else on, None if where == "origin" else where)
        sequence = " ".join(kind[0] + "xyz"[int(kind[1]) - 1] for kind in kinds)
        facts += [hs.Body(f"b{k}", *about, own), hs.Chain(f"c{k}", first, f"b{k}", sequence)]
    if draw.random() < 0.3:
        texts.reverse()  # children before parents
        facts = facts[:1] + facts[:0:-1]
    anchored = "".join(point(name, at) for name, at in anchors.items())
    return file("".join(texts), points=anchored, gravity=gravity), hs.Model(*facts, gravity=gravity)


@pytest.mark.parametrize("seed", range(40))
def test_same_dynamics_as_a_model_of_chains(seed):
    text, expected = drawn(seed)
    model = read(text)
    assert model.warnings == () and model.gravity == expected.gravity
    joints = [part.partition("<")[0] for part in text.split("<jointname>")[1:]]
    assert list(model.coordinates) == list(model.independent) == joints
    assert [name for name in model.bodies if "/" not in name] == list(expected.bodies)
    q, v, a = trees.states(model, seed, 3)
    found = numbers(hs.inverse_dynamics(model), q, v, a)
    close(found, numbers(hs.inverse_dynamics(expected), q, v, a))
    name = list(expected.bodies)[-1]
    for x, y in zip(*(numbers(hs.pose(m, f"{name}.p"), q) for m in (model, expected)), strict=True):
        close(x, y)


@pytest.mark.parametrize("seed", range(20))
def test_a_rod_without_length_has_that_of_the_start(seed):
    text, _ = drawn(seed)
    draw = random.Random(seed)
    parts = text.split("<nature>independent</nature>")
    values = [draw.uniform(-2, 2) for _ in parts[1:]]
    text = parts[0]
    for value, part in zip(values, parts[1:], strict=True):
        start = tag("initialvalue", tag("q", repr(value)))
        text += "<nature>dependent</nature>" + start + part
    cuts = tag("cuts", cut("rod", ("b0", "p"), ("base", "q"), name="rod"))
    model = read(text.replace("</mbsDescR7>", cuts + "</mbsDescR7>"))
    tree = read(text)
    at = numbers(hs.pose(tree, "b0.p"), [values]).p[0]
    rod = model.constraints["rod"]
    assert isinstance(rod, hs.Distance)
    expected = math.dist(at, tree.world.frames["q"].at)
    assert rod.length == pytest.approx(expected, rel=1e-14)
    [note] = model.warnings
    assert note.startswith('a.mbs: rod "rod" has no <length>: it has that of the start, ')


# --- cases


def test_a_pendulum_by_hand():
    """R2 turns z towards x: a bar upwards falls to x, faster the heavier it is above."""
    mass, half, moment, angle = 2.0, 0.5, 0.3, 0.4
    about = heavy(mass, (0, 0, half), (moment, moment, 0, 0, 0, 0))
    model = read(file(body("bar", joint("hinge", q=angle, qd=0.1), about)))
    assert model.pose("start") == {"hinge": angle, "hinge.v": 0.1}
    fall = numbers(hs.forward_dynamics(model), [[angle]], [[0.1]], [[0.0]])
    expected = mass * 9.81 * half * math.sin(angle) / (moment + mass * half**2)
    assert fall[0, 0] == pytest.approx(expected, rel=1e-14)


def test_a_body_with_five_joints_by_hand():
    kinds = ("T3", "R1", "T2", "R3", "R2")
    names = [f"j{k}" for k in range(5)]
    about = heavy(1, (0, 0, 0), (1, 1, 1, 0, 0, 0))
    joints = (joint(name, kind) for name, kind in zip(names, kinds, strict=True))
    model = read(file(body("arm", *joints, about, point("tip", (0.1, 0.2, 0.3)))))
    assert model.coordinates == tuple(names)
    assert list(model.bodies) == ["arm", "arm/j0", "arm/j1", "arm/j2", "arm/j3"]
    assert all(model.bodies[f"arm/j{k}"] == hs.Body(f"arm/j{k}") for k in range(4))
    assert model.joints["j4"] == hs.Revolute("j4", "arm/j3", "arm", axis="y")
    assert model.joints["j0"] == hs.Prismatic("j0", hs.WORLD, "arm/j0", axis="z")
    z, a, y, c, b = q = (0.3, 0.5, -0.2, 1.1, -0.7)
    Ra = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    Rb = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    Rc = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    expected = np.array([0, 0, z]) + Ra @ ([0, y, 0] + Rc @ Rb @ [0.1, 0.2, 0.3])
    close(numbers(hs.pose(model, "arm.tip"), [q]).p[0], expected)


def test_three_bars_with_a_ball():
    model = hs.load(MODELS / "three_bar.mbs")
    assert model.warnings == () and model.coordinates == ("turn", "bend", "swing")
    assert model.cuts == (hs.Ball("closing", ("coupler", "end"), ("rocker", "end")),)
    assert model.independent == ("turn",)
    tree = hs.Model(*(fact for fact in model.facts if fact.name != "closing"))
    q = [list(model.pose("start").values())]
    ends = [numbers(hs.pose(tree, f"{name}.end"), q).p for name in ("coupler", "rocker")]
    close(*ends)
    turned = hs.Model(
        hs.Body("world", frames={"pivot": (0.5, 0, 0)}),
        *(
            hs.Body(name, mass, (0, 0, L / 2), (I, I, 0), {"end": (0, 0, L)})
            for name, mass, L, I in (
                ("crank", 0.3, 0.2, 0.001),
                ("coupler", 0.6, 0.5, 0.0125),
                ("rocker", 0.5, 0.4, 0.00666667),
            )
        ),
        hs.Revolute("turn", hs.WORLD, "crank", axis="y"),
        hs.Revolute("bend", "crank.end", "coupler", axis="y"),
        hs.Revolute("swing", "world.pivot", "rocker", axis="y"),
    )
    states = trees.states(tree, 1, 3)
    efforts = [numbers(hs.inverse_dynamics(m), *states) for m in (tree, turned)]
    close(*efforts)


TWO = body("a", joint("ja", q=0.5), point("end", (1, 0, 0))) + body(
    "b", joint("jb", "T1", "dependent"), point("end", (0, 0, 2))
)


def test_solid_cuts_and_rods():
    ends = ("a", "end"), ("b", "end")
    model = read(file(TWO, cut("solid", *ends)))
    assert model.cuts == (hs.Weld("cut", ("a", "end"), ("b", "end")),)
    model = read(file(TWO, cut("rod", *ends, tag("length", "1.25"))))
    assert model.warnings == () and model.cuts == ()
    assert model.constraints["cut"] == hs.Distance("cut", ("a", "end"), ("b", "end"), 1.25)
    model = read(file(TWO, cut("rod", ("a", "end"), ("base", "origin"))))
    rod = model.constraints["cut"]
    assert isinstance(rod, hs.Distance) and rod.length == pytest.approx(1.0)
    several = cut("solid", *ends, name="s") + cut("ball", *ends, name="t")
    assert [type(x) for x in read(file(TWO, several)).cuts] == [hs.Weld, hs.Ball]


def test_natures():
    joints = (
        joint("i"),
        joint("d", "T1", "dependent", q=0.1),
        joint("m", "R3", "driven", q=0.2, qd=3.0),
        joint("n", "R1", "driven"),
    )
    model = read(file(body("a", *joints)))
    assert model.coordinates == ("i", "d", "m", "n") and model.independent == ("i",)
    assert model.pose("start") == {"d": 0.1, "m": 0.2}
    assert list(model.drives.values()) == [
        hs.Drive("m.drive", "m", position=0.2),
        hs.Drive("n.drive", "n", position=0.0),
    ]
    said = "a.mbs: the motion of 2 driven joints is not in the file: they are held at q"
    assert model.warnings == (said,)
    assert yaml_model(yaml_text(model), "a.yaml", Path()) == model


def test_what_is_left_out_is_told():
    graphics = tag("graphics", tag("x3D"))
    links = "".join(
        cut(kind, ("base", "origin"), ("a", "end"), name=name)
        for kind, name in (("link", "spring"), ("link3D", "tyre"))
    )
    text = file(TWO, links=links, gravity=None, more=tag("user_models", tag("x")) + "<x3D/>")
    text = text.replace("</joint>", graphics + "<actuated/></joint>").replace("<body>", "<body x='1'>")
    text = text.replace("</point>", "<sensor name='s'/></point>hello")
    text = text.replace("</body>", "<mas>1</mas></body>")
    notes = [note for note in read(text).warnings if "without moving any mass" not in note]
    assert [note.removeprefix("a.mbs: ") for note in notes] == [
        "base has no <gravity>: there is none",
        'the law of links is not in the file, so there is no force of "spring", "tyre"; '
        "add hs.Link or hs.Spring",
        'ignored 2 x attribute "x" of <body>',
        'ignored 2 x <mas> of <body> (did you mean "mass"?)',
        "ignored 2 x text in <body>",
        "ignored 2 x <actuated> of <joint>",
        "ignored 2 x <graphics> of <joint>",
        "ignored 1 x <user_models> of <mbsDescR7>",
        "ignored 1 x <x3D> of <mbsDescR7>",
        "ignored 2 x <sensor> of <point>",
    ]
    many = "".join(cut("link", ("a", "end"), ("b", "end"), name=f"s{k}") for k in range(12))
    assert '"s9" and 2 more; add' in read(file(TWO, links=many)).warnings[0]


def test_zero_may_be_left_out():
    model = read(file(body("a", joint("j")), gravity=(0, -9.81, 0)))
    assert model.bodies["a"] == hs.Body("a") and model.gravity == (0, -9.81, 0)
    assert model.poses == {}
    assert model == read(file(body("a", joint("j"), heavy(0, (0, 0, 0), (0,) * 6)), gravity=(0, -9.81, 0)))


def test_impossible_numbers_can_be_kept():
    text = file(body("a", joint("j"), tag("mass", "-1")))
    with pytest.raises(ModelError, match=r'a\.mbs:1:\d+: body "a": mass is -1'):
        read(text)
    assert any("mass is -1" in line for line in read(text, physical=False).warnings)


def test_it_is_read_only(tmp_path):
    model = read(file(TWO))
    with pytest.raises(ModelError, match=r"read, not written; expected \.yaml, \.yml, \.urdf"):
        hs.save(model, tmp_path / "a.mbs")
    (tmp_path / "a.MBS").write_text(file(TWO))
    assert hs.load(tmp_path / "a.MBS") == model
    with pytest.raises(ModelError, match='base="free" is for URDF'):
        hs.load(tmp_path / "a.MBS", base="free")


def test_texts_of_elements():
    text = "<a> 1<b> x y \n</b> 2 <!-- no --> 3<c>&lt;<![CDATA[<d>]]></c></a>"
    root = xml_tree(text, "a", texts=True)
    assert root.text == "1 2  3" and [child.text for child in root.children] == ["x y \n", "<<d>"]
    assert xml_tree(text, "a").text == ""
    long = xml_tree(f"<a>{' ' * 99_999}{'x' * 9_999_999}</a>", "a", texts=True)
    assert long.text == "x" * (LONGEST_TEXT + 1)
    with pytest.raises(ModelError, match=r"a\.mbs:1:\d+: .*the text of <mass> is too long"):
        read(file(body("a", joint("j"), tag("mass", "1" + " " * 3000 + "2"))))


def test_too_many_joints():
    joints = (joint(f"j{k}") for k in range(20_001))
    with pytest.raises(ModelError, match=r"^a\.mbs:1:\d+: 20001 joints and bodies; expected at mo"):
        read(file(body("a", *joints)))


LEAF = re.compile(r"<(\w+)>([^<>]*)</\1>")


def altered(text, rng):
    """The text with one innermost element left out, doubled, or saying something else."""
    leaves = list(LEAF.finditer(text))
    leaf, other = rng.choice(leaves), rng.choice(leaves)[2]
    name, old = leaf[1], leaf[0]
    values = (rng.choice(NUMBERS), other)
    new = rng.choice(["", old + old, *(tag(name, x) for x in values), old.replace(name, "x")])
    return text[: leaf.start()] + new + text[leaf.end() :]


def test_mutations():
    """A damaged file is refused in one line that says where, or is a sound model."""
    text = everything("mbs")
    check(read(text))
    rng = random.Random(20260202)
    files = (
        mutated(text, rng) if rng.random() < 0.5 else altered(text, rng).encode() for _ in range(MUTATIONS)
    )
    counts = outcomes(lambda text: mbs_model(text, "a"), files)
    assert counts["loaded"] > MUTATIONS / 20 and counts["refused"] > MUTATIONS / 2
