"""Hybrids that cannot work: refused in one line, or stopped with a status that says where and why."""

import warnings

import numpy as np
import pytest

import hapsis as hs


def ball(*more, **settings) -> hs.Model:
    body = hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1))
    joint = hs.Chain("at", hs.WORLD, "ball", "Tx Tz")
    return hs.Model(body, joint, *more, **settings)


def floor(then=(), **fields) -> hs.Event:
    return hs.Event("floor", when=hs.height("ball"), falling=True, then=then, **fields)


def run(hybrid: hs.Hybrid, start=None, until=3.0, **options) -> hs.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hs.simulate(hybrid, until=until, start={"at.Tz": 1.0, **(start or {})}, every=0.1, **options)


FALL = np.sqrt(2 / 9.81)


def test_zeno_without_rest_says_when_and_which():
    result = run(hs.Hybrid({"flight": ball()}, [floor(hs.impact("ball", restitution=0.5))]))
    assert result.status == "zeno" and not result.success
    assert 'event "floor" in phase "flight"' in result.message and "rest=" in result.message
    assert abs(result.t[-1] - 3 * FALL) < 1e-5


def test_an_inelastic_impact_that_holds_nothing_chatters():
    result = run(hs.Hybrid({"flight": ball()}, [floor(hs.impact("ball"))]))
    assert result.status == "chattering" and 'event "floor"' in result.message
    assert abs(result.t[-1] - FALL) < 1e-9
    assert abs(result["at.Tz"][-1]) < 1e-9  # it does not fall through the floor


def test_an_event_that_undoes_itself_chatters():
    ping = hs.Event(
        "ping", when=lambda s: s["at.Tz"] - 0.5, falling=True, then=hs.reset({"at.Tz": 0.5 + 1e-9})
    )
    result = run(hs.Hybrid({"flight": ball()}, [ping]))
    assert result.status == "chattering" and 'event "ping"' in result.message
    there = hs.Event(
        "there",
        when=lambda s: s["at.Tz"] - 0.5,
        falling=True,
        during="a",
        to="b",
        then=hs.reset({"at.Tz": 0.5 - 1e-9, "at.Tz.v": 1.0}),
    )
    back = hs.Event(
        "back",
        when=lambda s: s["at.Tz"] - 0.5,
        rising=True,
        during="b",
        to="a",
        then=hs.reset({"at.Tz": 0.5 + 1e-9, "at.Tz.v": -1.0}),
    )
    result = run(hs.Hybrid({"a": ball(), "b": ball()}, [there, back]))
    assert result.status == "chattering" and len(result.events) < 100


def test_a_phase_that_begins_with_broken_rows_is_a_contradiction():
    hybrid = hs.Hybrid({"flight": ball(), "held": ball().pinned("ball")}, [floor(during="flight", to="held")])
    result = run(hybrid)
    assert result.status == "contradiction" and 'constraint "ball.pin"' in result.message
    assert "impact" in result.message and abs(result.t[-1] - FALL) < 1e-9
    high = ball(hs.Constraint("high", rows=lambda s: s["at.Tz"] - 0.3))
    hybrid = hs.Hybrid({"flight": ball(), "held": high}, [floor(hs.impact(), during="flight", to="held")])
    result = run(hybrid)
    assert result.status == "contradiction" and 'constraint "high" is open there by 0.3' in result.message


def test_rows_that_contradict_each_other():
    two = ball(
        hs.Constraint("slow", speeds=lambda s: s["at.Tx.v"] - 1.0),
        hs.Constraint("fast", speeds=lambda s: s["at.Tx.v"] - 2.0),
    )
    hybrid = hs.Hybrid({"flight": ball(), "held": two}, [floor(hs.impact(), during="flight", to="held")])
    result = run(hybrid)
    assert result.status == "contradiction" and ("slow" in result.message or "fast" in result.message)


def test_an_impact_without_mass_is_impossible():
    light = hs.Model(
        hs.Body("ball", mass=1.0),
        hs.Body("dust"),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Prismatic("x", "ball", "dust", axis="x"),
    )
    flight = light + hs.Constraint("still", speeds=lambda s: s["x.v"])
    hybrid = hs.Hybrid(
        {"flight": flight, "loose": light.pinned("ball")},
        [floor(hs.impact("ball"), during="flight", to="loose")],
    )
    with pytest.raises(hs.ModelError, match=r'"x.v" can move without moving any mass'):
        hs.simulate(hybrid, until=1.0, start={"z": 0.5})


def test_a_reset_that_is_not_finite():
    away = hs.reset({"at.Tx": lambda s: 1.0 / (s["at.Tx"])})
    result = run(hs.Hybrid({"flight": ball()}, [floor(away)]))
    assert result.status == "not finite" and 'event "floor" in phase "flight"' in result.message


def test_friction_that_does_not_hold_a_pinned_foot():
    grip = hs.Hybrid(
        {"flight": ball(), "held": ball().pinned("ball")},
        [floor(hs.impact("ball", friction=0.5), during="flight", to="held")],
    )
    assert run(grip, {"at.Tx.v": 1.0}).success  # 1 <= 0.5 * 4.43
    result = run(grip, {"at.Tx.v": 3.0})
    assert result.status == "contradiction" and 'constraint "ball.pin"' in result.message


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hs.Hybrid({}), "phases must be"),
        (lambda: hs.Hybrid({"a": 3}), 'phase "a" must be a Model'),
        (lambda: hs.Hybrid({"a": ball()}, start="b"), 'there is no phase "b"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(to="b")]), 'event "floor": there is no phase "b"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(during="b")]), 'event "floor": there is no phase "b"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(hs.impact("bal"))]), 'impact names "bal"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(hs.impact("ball", rest="c"))]), 'there is no phase "c"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(hs.swap("left", "right"))]), 'contains "left" or "right"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(), floor()]), 'two events are called "floor"'),
        (lambda: hs.Hybrid({"a": ball()}, [floor(during="a")]), "does nothing"),
        (lambda: hs.Hybrid({"a": ball(), "b": ball(gravity=(0, 0, -1))}), "differ in gravity"),
        (lambda: hs.Event("x", when=lambda s: s.t, then=[3]), "then has a int"),
        (lambda: hs.Event("x", when=lambda s: s.t, only=3), "only must be a list"),
        (lambda: hs.impact("ball", restitution=2), "restitution is 2"),
        (lambda: hs.impact(restitution=0.5), "names no point"),
        (lambda: hs.impact(["ball", "ball"]), 'names "ball" twice'),
        (lambda: hs.impact("ball", friction=-1), "friction is -1"),
        (lambda: hs.swap("a", "a"), "twice"),
        (lambda: hs.reset({}), "reset takes {name: value}, not an empty dict"),
        (lambda: hs.Hybrid({}), "phases must be {name: Model}, not an empty dict"),
        (
            lambda: hs.Hybrid({"a": ball()}, [floor(hs.reset({"at.Ty": 1.0}))]),
            'floor": reset of "at.Ty", which is no',
        ),
        (lambda: hs.simulate(hs.Hybrid({"a": ball()}), 1.0, limits="x"), "limits is 'x'"),
        (
            lambda: hs.simulate(hs.Hybrid({"a": ball()}), 1.0, limits="stops"),
            'limits act in the method "contact"',
        ),
    ],
)
def test_refused_at_once(make, words):
    with pytest.raises(hs.Error) as caught:
        make()
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_phases_with_other_coordinates_are_refused():
    other = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    with pytest.raises(hs.ModelError, match=r'"a" and "b" have different coordinates: at.Tx, at.Tz, z'):
        hs.Hybrid({"a": ball(), "b": other})
    heavy = ball().replace("ball", mass=2.0)
    with pytest.raises(hs.ModelError, match='differ in "ball" of the bodies'):
        hs.Hybrid({"a": ball(), "b": heavy})


def test_bodies_that_are_not_equal_are_not_exchanged():
    legs = [hs.Body("left leg", mass=1.0), hs.Body("right leg", mass=2.0)]
    joints = [hs.Prismatic(n, hs.WORLD, f"{n} leg", axis="z") for n in ("left", "right")]
    event = hs.Event("e", when=lambda s: s["left"], then=hs.swap("left", "right"))
    with pytest.raises(hs.ModelError, match="differ in mass"):
        hs.Hybrid({"a": hs.Model(*legs, *joints)}, [event])


def test_a_model_refuses_events_of_hybrids():
    with pytest.raises(hs.ModelError, match='event "floor" has to, and a model has no phases'):
        hs.simulate(ball(), until=1.0, events=[floor(to="b")])


def test_unknown_names_in_events_and_resets():
    bad = hs.Event("bad", when=lambda s: s["at.Ty"], then=hs.reset({"at.Tx": 0.0}))
    with pytest.raises(hs.ModelError, match=r'there is no "at.Ty" to watch'):
        run(hs.Hybrid({"a": ball()}, [bad]))
    with pytest.raises(hs.ModelError, match=r'event "floor": reset of "at.Ty"'):
        run(hs.Hybrid({"a": ball()}, [floor(hs.reset({"at.Ty": 1.0}))]))
    with pytest.raises(hs.ModelError, match="only must give a comparison"):
        run(hs.Hybrid({"a": ball()}, [floor(hs.reset({"at.Tx": 1.0}), only=lambda s: "yes")]))


@pytest.mark.parametrize("when", [
    lambda s: s["at.Tz"] > 0.3, lambda s: s["at.Tz"] == 0.3, lambda s: True, lambda s: 0.3 <= s["at.Tz"],
])  # fmt: skip
def test_a_condition_is_no_value_that_passes_zero(when):
    for call in (
        lambda: run(hs.Hybrid({"a": ball()}, [hs.Event("low", when, stop=True)])),
        lambda: hs.simulate(ball(), 1.0, events=[hs.Event("low", when)]),
    ):
        with pytest.raises(hs.ModelError, match=r'event "low": when is a condition; .* belongs to only='):
            call()


def test_many_runs_say_what_one_run_says():
    ball_on_sand = hs.Hybrid(
        {"flight": ball(), "rest": ball().pinned("ball")},
        [
            floor(hs.impact("ball"), during="flight", to="rest"),
            hs.Event("let go", when=lambda s: s.since - 0.2, rising=True, during="rest", to="flight"),
        ],
    )
    with pytest.warns(hs.Notice, match=r"2 of 3 runs have warnings; the first is run 0: .*below the ground"):
        hs.simulate(ball_on_sand, 1.5, {"at.Tz": [1.0, 0.5, 50.0]})


def test_methods_and_steps():
    hybrid = hs.Hybrid({"a": ball()})
    with pytest.raises(hs.SolveError, match='a hybrid is not integrated by "stiff"'):
        run(hybrid, method="stiff")
    bounce = hs.Hybrid({"a": ball()}, [floor(hs.impact("ball", restitution=0.8))])
    fixed = run(bounce, until=1.5, step=0.01)
    assert [e.name for e in fixed.events] == ["floor"] * 1 or len(fixed.events) >= 1
    assert abs(fixed.events[0].time - FALL) < 1e-9
    assert run(bounce, until=1.0, most_steps=3).status == "too many steps"


def test_landing_in_a_phase_that_holds_is_no_chattering():
    """Also where the event belongs to all phases: its value stays where it is, held."""
    phases = {"flight": ball(), "held": ball().pinned("ball")}
    result = run(hs.Hybrid(phases, [floor(hs.impact("ball"), to="held")]))
    assert result.success and [e.after for e in result.events] == ["held"]
    later = hs.Event("later", when=lambda s: s.t - 0.2, rising=True, to="held", then=hs.impact("ball"))
    result = run(hs.Hybrid(phases, [later]))
    assert result.success and result["at.Tz"][-1] == pytest.approx(1.0 - 0.5 * 9.81 * 0.04)


def test_speeds_that_do_not_fit_a_loop_are_told_as_speeds():
    loop = hs.Model(
        *(hs.Rod(n, length=x, mass=x) for n, x in (("crank", 0.2), ("coupler", 0.5), ("rocker", 0.4))),
        hs.Revolute("A", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.45, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
    )
    kick = hs.Event("kick", when=lambda s: s.t - 0.1, rising=True, then=hs.reset({"A.v": 30.0}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = hs.simulate(hs.Hybrid({"run": loop}, [kick]), until=0.2, start={"A": 0.3})
    assert result.status == "contradiction" and 'constraint "C" is broken by' in result.message


def test_a_point_that_ends_below_its_ground_is_told():
    land = floor(hs.impact("ball"), during="flight", to="rest")
    let_go = hs.Event("let go", when=lambda s: s.since - 0.2, rising=True, during="rest", to="flight")
    phases = {"flight": ball(), "rest": ball().pinned("ball")}
    fallen = run(hs.Hybrid(phases, [land, let_go]))
    depth = 9.81 / 2 * (3.0 - FALL - 0.2) ** 2
    assert np.isclose(fallen["at.Tz"][-1], -depth, rtol=1e-6)
    (text,) = fallen.warnings
    assert f'"ball" {depth:.3g} m below the ground of event "floor"' in text and 'phase "flight"' in text
    lifted = hs.Event(
        "lifted", when=lambda s: s.t - 1.0, rising=True, then=hs.reset({"at.Tz": 2.0, "at.Tz.v": 0.0})
    )
    back = run(hs.Hybrid(phases, [land, let_go, lifted]), until=1.2)
    depth, (text,) = 9.81 / 2 * (1.0 - FALL - 0.2) ** 2, back.warnings
    assert back["at.Tz"][-1] > 1.0  # it ends above the ground, below which it was
    assert text.startswith(f'at t = 1 s the run has "ball" {depth:.3g} m below the ground of event "floor"')
    assert not run(hs.Hybrid(phases, [land])).warnings  # it lies on the ground
    assert not run(hs.Hybrid({"flight": ball()}, [floor()]), until=1.0).warnings  # nothing strikes
    aside = floor(hs.impact("ball"), only=lambda s: s["at.Tx"] > 1.0, during="flight", to="rest")
    assert not run(hs.Hybrid(phases, [aside])).warnings  # it goes past


def test_a_watchdog_and_a_ground_that_are_none():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Free("f", hs.WORLD, "ball"))
    with pytest.raises(hs.SolveError, match='watchdog is "a"; expected True or False'):
        hs.simulate(ball, 0.1, watchdog="a")
    with pytest.raises(hs.ModelError, match='there is no frame "zz" for the ground'):
        hs.complementarity(ball, "ball", ground="zz")
    with pytest.raises(hs.ModelError, match='n is "8"; expected from 5 to 100'):
        hs.library.rimless_wheel(n="8")
