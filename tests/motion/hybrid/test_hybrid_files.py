"""Hybrids in files: they read back with the same motion, bit for bit; mistakes are told with their place."""

from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis.cli import main
from hapsis.mechanics.model.values.formula_text import condition_texts, formula_text
from hapsis.mechanics.model.values.signal_formula import SignalCondition, SignalFormula

HYBRIDS = {
    "compass_gait": 2.0,
    "simplest_walker": 8.0,
    "rimless_wheel": 4.0,
    "bouncing_ball": 5.0,
    "hopper": 1.0,
}
WALKER = """\
hapsis: 1
parameters: {length: 1, ground: 0}
bodies:
  hip: {mass: 10}
  stance: {mass: 1, com: [0, 0, -length], frames: {foot: [0, 0, -length]}}
  swing: {mass: 1, com: [0, 0, -length], frames: {foot: [0, 0, -length]}}
joints:
  hip: {type: chain, first: world, second: hip, sequence: Tx Tz}
  stance: {type: revolute, first: hip, second: stance, axis: y}
  swing: {type: revolute, first: hip, second: swing, axis: y}
forces:
  spring: {type: joint_spring, joint: swing, stiffness: 1}
phases:
  stance: {constraints: {pin: {type: pinned, first: stance.foot}}}
  flight: {}
events:
  strike:
    when: swing.foot.z - ground
    falling: true
    only: [swing.foot.x > stance.foot.x, since > 0.01]
    during: stance
    then: [{impact: swing.foot}, {swap: [stance, swing]}]
  lift: {when: stance.foot.push, falling: true, during: stance, to: flight}
  land: {when: stance.foot.z, falling: true, during: flight, to: stance, then: {impact: stance.foot}}
watch: {stance.foot: {friction: 0.6}}
start: flight
"""
MISTAKES = {  # in the place of a part of the file: what is said of it, with line and column
    ("when: swing.foot.z -", "when: swing.fot.z -"): (18, 11, 'reads "swing.fot.z"', '"swing.foot.z"'),
    ("when: swing.foot.z -", "when: swing.foot.p -"): (18, 11, 'reads "swing.foot.p"', ""),
    ("swing.foot.z - ground", "swing.foot.z -* ground"): (18, 11, 'event "strike": when', "column 15"),
    ("when: swing.foot.z - ground", "when: swing.foot.z > 0"): (18, 11, "when", 'found ">"'),
    ("swing.foot.x > stance.foot.x", "swing.foot.x"): (20, 12, "only", "compares nothing"),
    ("since > 0.01", "0 < since < 1"): (20, 42, "only", "2 comparisons"),
    ("since > 0.01", "sense > 0.01"): (20, 42, 'reads "sense"', '"since"'),
    ("    when: swing.foot.z - ground\n", ""): (18, 5, 'event "strike" needs "when"', ""),
    ("during: stance\n    then", "during: stand\n    then"): (17, 3, 'no phase "stand"', '"stance"'),
    ("to: flight", "to: fligt"): (23, 3, 'event "lift"', '"flight"'),
    ("swap: [stance, swing]", "swap: [stance]"): (22, 41, "swap", "[stance, swing]"),
    ("swap: [stance, swing]", "swap: [left, right]"): (17, 3, 'event "strike": swap', "left"),
    ("impact: swing.foot}", "impact: swing.fot}"): (17, 3, "impact", "swing.fot"),
    ("{impact: swing.foot}", "{impact: {at: swing.foot}}"): (22, 22, "at", "point, restitution"),
    ("{impact: swing.foot}", "{impct: swing.foot}"): (22, 13, "impct", '"impact"'),
    ("{impact: swing.foot}", "{reset: {swing.w: 1}}"): (22, 21, 'resets "swing.w"', '"swing.v"'),
    ("{impact: swing.foot}", "{reset: {swing: spring.forc}}"): (22, 28, 'reads "spring.forc"', ""),
    ("{impact: swing.foot}", "impact"): (22, 12, "then", "[{impact: foot}"),
    ("falling: true\n    only", "falling: yes\n    only"): (19, 14, "falling", "true or false"),
    ("type: pinned", "type: pined"): (14, 38, '"pin"', '"pinned"'),
    ("first: stance.foot}", "first: stance.fot}"): (14, 26, 'frame "fot"', '"foot"'),
    ("{constraints: {pin", "{constrains: {pin"): (14, 12, 'phase "stance"', '"constraints"'),
    ("watch: {stance.foot", "watch: {swing.foot"): (25, 1, "no phase holds", "swing.foot"),
    ("friction: 0.6", "friction: -1"): (25, 9, "friction is -1", ""),
    ("start: flight", "start: fly"): (26, 1, "start", "fly"),
    ("during: stance, to: flight}", "during: [stance, flight], to: flight}"): (23, 16, "push", '"flight"'),
}


def loaded(text: str, tmp_path) -> hs.Hybrid:
    path = tmp_path / "walker.yaml"
    path.write_text(text)
    return hs.load(path)


@pytest.mark.parametrize("name", HYBRIDS)
def test_a_file_gives_the_same_motion_to_the_last_bit(name, tmp_path):
    hybrid = getattr(hs.library, name)()
    hs.save(hybrid, tmp_path / "a.yaml")
    again = hs.load(tmp_path / "a.yaml")
    assert isinstance(again, hs.Hybrid) and dict(again.phases) == dict(hybrid.phases)
    ours, its = (hs.simulate(x, until=HYBRIDS[name], every=0.05) for x in (hybrid, again))
    assert len(ours.events) > 1 and ours.events == its.events and ours.names == its.names
    assert all(np.array_equal(ours[n], its[n], equal_nan=True) for n in ours.names)
    hs.save(again, tmp_path / "b.yaml")
    assert (tmp_path / "b.yaml").read_text() == (tmp_path / "a.yaml").read_text()
    assert hs.load(tmp_path / "b.yaml") == again


def test_all_that_a_file_can_say_is_kept(tmp_path):
    walker = loaded(WALKER, tmp_path)
    assert walker.start == "flight" and walker.events[0].during == ("stance",)
    assert walker.watch == (hs.foot("stance.foot", friction=0.6),) and walker.warnings == ()
    hs.save(walker, tmp_path / "again.yaml")
    assert hs.load(tmp_path / "again.yaml") == walker


@pytest.mark.parametrize(("part", "instead"), MISTAKES)
def test_a_mistake_is_told_with_its_place(part, instead, tmp_path):
    line, column, *words = MISTAKES[part, instead]
    assert WALKER.count(part) == 1
    with pytest.raises(hs.ModelError) as caught:
        loaded(WALKER.replace(part, instead), tmp_path)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'walker.yaml'}:{line}:{column}: "), message
    assert all(word in message for word in words) and "\n" not in message, message


def test_several_mistakes_are_told_at_once(tmp_path):
    text = WALKER.replace("since > 0.01", "sense > 0.01").replace("- ground", "- grund")
    with pytest.raises(hs.ModelError) as caught:
        loaded(text, tmp_path)
    assert len(caught.value.problems) == 2  # pyright: ignore
    # where no event can be read their names are not checked
    lines = [line for line in WALKER.splitlines() if not line.startswith(("  lift", "  land"))]
    text = "\n".join(lines).replace("[swing.foot.x > stance.foot.x, since > 0.01]", "stance.foot")
    text = text.replace("start: flight", "begin: flight")
    with pytest.raises(hs.ModelError) as caught:
        loaded(text, tmp_path)
    assert len(caught.value.problems) == 2  # pyright: ignore
    with pytest.raises(hs.ModelError, match='6:1: "events" needs phases'):
        loaded("hapsis: 1\nbodies:\n  a: {mass: 1}\njoints:\n  j: {type: free, first: world, second: a}\n"
               "events: {e: {when: t}}\n", tmp_path)  # fmt: skip


def test_what_is_python_is_named(tmp_path):
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    bad = {
        "when": hs.Event("kink", when=lambda s: hs.where(s["z"] > 0, s["z"], 1.0), stop=True),
        "only": hs.Event(
            "kink", when=lambda s: s["z"], stop=True, only=lambda s: (s["z"] > 0) | (s["z.v"] > 0)
        ),
        'reset of "z"': hs.Event(
            "kink", when=lambda s: s["z"], then=hs.reset({"z": lambda s: hs.floor(s.t)})
        ),
    }
    for what, event in bad.items():
        with pytest.raises(hs.ModelError, match=f'event "kink": {what} cannot be written into a file'):
            hs.save(hs.Hybrid({"flight": ball}, [event]), tmp_path / "a.yaml")
    controlled = ball + hs.Controller("push", lambda s: {"z": 1.0})
    with pytest.raises(hs.ModelError, match="controllers"):
        hs.save(hs.Hybrid({"flight": controlled}), tmp_path / "a.yaml")
    other = {"flight": ball, "rest": ball.replace(poses={"start": {"z": 1.0}})}
    with pytest.raises(hs.ModelError, match="differ in poses"):
        hs.save(hs.Hybrid(other), tmp_path / "a.yaml")
    with pytest.raises(hs.ModelError, match="URDF cannot hold phases"):
        hs.save(hs.library.bouncing_ball(), tmp_path / "a.urdf")
    assert not list(tmp_path.iterdir())


def random_function(draw: np.random.Generator, depth: int):
    """A random function of readings, as nested lambdas."""
    if depth == 0:
        name = str(draw.choice(["a", "b.v", "c.foot.x", "t"]))
        number = float(draw.uniform(-2.0, 2.0))
        return draw.choice([lambda s: s.t if name == "t" else s[name], lambda s: number])
    f, g = random_function(draw, depth - 1), random_function(draw, depth - 1)
    ways = [
        lambda s: f(s) + g(s),
        lambda s: f(s) - g(s),
        lambda s: -(f(s) - g(s)),
        lambda s: f(s) * g(s),
        lambda s: f(s) / (1.5 + hs.abs(g(s))),
        lambda s: (0.1 + hs.abs(f(s))) ** g(s),
        lambda s: hs.sin(f(s)) * -hs.cos(g(s)),
        lambda s: hs.atan2(f(s), g(s)) + hs.exp(-hs.abs(f(s))),
        lambda s: hs.minimum(f(s), hs.maximum(g(s), hs.sqrt(hs.abs(f(s))))),
    ]
    return ways[draw.integers(len(ways))]


class Numbers(dict):
    t = 0.7


@pytest.mark.parametrize("seed", range(40))
def test_the_text_of_a_function_gives_the_same_numbers(seed):
    draw = np.random.default_rng(seed)
    f, g = random_function(draw, 4), random_function(draw, 3)
    s = Numbers(zip(("a", "b.v", "c.foot.x"), draw.normal(size=3).tolist(), strict=True))
    text = formula_text(f)
    value, again = (float(h(s)) for h in (f, SignalFormula(text)))
    assert value == again or abs(value - again) <= 1e-12 * abs(value)  # Python's own pow and ours may differ
    assert formula_text(SignalFormula(text)) == text
    (condition,) = condition_texts(lambda s: f(s) + s["a"] > g(s))
    assert bool(SignalCondition(condition)(s)) == bool(f(s) + s["a"] > g(s))


def test_the_commands_take_a_hybrid(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("walker.yaml").write_text(WALKER)
    runs = {
        ("check",): "3 events: strike, lift, land",
        ("info",): "in flight; impact stance.foot; then stance",
        ("show", "--no-open", "--out", "w.html"): "wrote w.html",
        ("simulate", "--until", "0.1", "--start", "hip.Tz=1.5"): "done",
        ("simulate", "--until", "0.1", "--start", "phase=stance", "--start", "hip.Tz=1"): "done",
        ("convert", "again.yaml"): "Hybrid(phases stance, flight; 3 events)",
    }
    for (command, *options), words in runs.items():
        assert main([command, "walker.yaml", *options]) == 0
        assert words in capsys.readouterr().out
    assert main(["modes", "walker.yaml"]) == 2
    assert "is a hybrid of 2 phases" in capsys.readouterr().err


def test_the_walker_of_the_examples_walks_in_a_stable_cycle():
    walker = hs.load(Path(__file__).parents[3] / "examples" / "models" / "hip_spring_walker.yaml")
    cycle = hs.find_cycle(walker)
    assert abs(cycle.period - 0.887238) < 1e-5 and cycle.stable
    assert abs(abs(cycle.multipliers[0]) - 0.4266) < 1e-3
