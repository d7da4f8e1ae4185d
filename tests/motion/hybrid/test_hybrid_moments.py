"""Steps through several events, grounds that do not pull, singular poses, swaps that do not fit."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81


def steps(hybrid: hs.Hybrid, dt: float, count: int, start: dict[str, float]):
    step = hs.compile(hs.stepper(hybrid, dt, start=start))
    state = step()
    for _ in range(count - 1):
        state = step(state.q, state.v, state.z, state.t)
    return state


def two_balls() -> hs.Hybrid:
    model = hs.Model(
        *(hs.Body(n, mass=1.0) for n in "ab"), *(hs.Prismatic(n, hs.WORLD, n, axis="z") for n in "ab")
    )
    return hs.Hybrid(
        {"flight": model},
        [
            hs.Event(
                n, when=hs.height(n), falling=True, then=hs.reset({f"{n}.v": lambda s, n=n: -s[f"{n}.v"]})
            )
            for n in "ab"
        ],
    )


@pytest.mark.parametrize("apart", [0.0, 1e-12, 1e-9, 1e-6])
def test_events_of_one_moment_all_act_in_a_step(apart):
    start = {"a": 0.5, "b": 0.5 + apart}
    state = steps(two_balls(), 1e-2, 50, start)
    run = hs.simulate(two_balls(), 0.5, start, tolerance=1e-12)
    assert len(run.events) == 2
    assert np.allclose(state.q, [run["a"][-1], run["b"][-1]], atol=1e-8)


def sorted_by_speed(first: str) -> hs.Hybrid:
    """A ball that bounces where it falls fast, and is caught where it falls slowly."""
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Prismatic("z", hs.WORLD, "ball", axis="z"))
    events = {
        "bounce": hs.Event(
            "bounce", hs.height("ball"), falling=True, during="flight", only=lambda s: s["z.v"] < -1.0,
            then=hs.impact("ball", restitution=0.5),
        ),
        "stand": hs.Event(
            "stand", hs.height("ball"), falling=True, during="flight", to="rest",
            only=lambda s: s["z.v"] >= -1.0, then=hs.impact("ball"),
        ),
    }  # fmt: skip
    order = [events.pop(first), *events.values()]
    return hs.Hybrid({"flight": ball, "rest": ball.pinned("ball")}, order)


@pytest.mark.parametrize("first", ["bounce", "stand"])
def test_of_two_events_with_opposite_conditions_one_acts(first):
    hybrid = sorted_by_speed(first)
    run = hs.simulate(hybrid, 1.6, {"z": 1.0})
    # it falls with 4.43 m/s, then 2.21, 1.11 and .55, which the ground catches
    assert [e.name for e in run.events] == ["bounce"] * 3 + ["stand"]
    fall = np.sqrt(2.0 / G)
    assert np.allclose([e.time for e in run.events], fall * (1 + np.array([0, 1, 1.5, 1.75])), atol=1e-9)
    step = hs.compile(hs.stepper(hybrid, 1e-2, start={"z": 1.0}, outputs=["phase"]))
    state = step()
    for _ in range(159):
        state = step(state.q, state.v, state.z, state.t)
    assert state.phase == 1.0 and abs(state.q[0]) < 1e-12 and abs(state.v[0]) < 1e-12


def test_the_first_event_of_a_step_is_not_passed_by():
    # over straight lines b comes first, on parabolas a does
    start = {"a": 0.004338912243499315, "b": 0.007621971718592197}
    speeds = [-0.3244269988828232, -0.6434389866118864]
    step = hs.compile(hs.stepper(two_balls(), 2e-2))
    state = step([start["a"], start["b"]], speeds, np.zeros(4), 0.0)
    assert np.allclose(state.q, [0.003387236275624112, 0.006402549700417269], atol=1e-9)


def test_a_ball_falls_through_a_hole_in_steps_too():
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Chain("at", hs.WORLD, "ball", "Tx Tz"))
    bounce = hs.Event(
        "bounce", when=hs.height("ball"), falling=True, only=lambda s: s["ball.x"] < 1.0,
        then=hs.impact("ball", restitution=0.8),
    )  # fmt: skip
    state = steps(
        hs.Hybrid({"flight": ball}, [bounce]), 1e-3, 600, {"at.Tz": 0.5, "at.Tx.v": 2.0, "at.Tx": 0.8}
    )
    assert np.allclose(state.q, [2.0, 0.5 - 0.5 * G * 0.36], atol=1e-9)


@pytest.mark.parametrize("speeds", [(-1.0, 0.3), (0.3, 0.3), (-1.0, -0.2)])
def test_the_ground_does_not_pull_a_point_that_leaves(speeds):
    model = hs.Model(
        *(hs.Body(n, mass=2.0) for n in "ab"), *(hs.Prismatic(n, hs.WORLD, n, axis="z") for n in "ab"),
        gravity=(0, 0, 0),
    )  # fmt: skip
    blow = hs.Event(
        "blow", when=lambda s: s.since - 0.01, rising=True, during="p", to="q",
        then=hs.impact(["a", "b"], restitution=0.5),
    )  # fmt: skip
    run = hs.simulate(
        hs.Hybrid({"p": model, "q": model}, [blow]), 0.02, dict(zip(("a.v", "b.v"), speeds, strict=True))
    )
    assert [run[f"{n}.v"][-1] for n in "ab"] == pytest.approx([-0.5 * v if v < 0 else v for v in speeds])
    assert all(run.events[0].impulses[f"{n} impact.z"] >= 0.0 for n in "ab")


def test_friction_does_not_depend_on_what_was_run_before():
    rods = [hs.Rod(n, 1.0, 1.0) for n in "ab"]
    model = hs.Model(
        *rods, hs.Revolute("j1", hs.WORLD, "a", axis="y"), hs.Revolute("j2", "a.end", "b", axis="y")
    )
    hit = hs.Event(
        "hit", when=hs.height("b.end", above=-0.5), falling=True, stop=True,
        then=hs.impact("b.end", restitution=0.5, friction=0.5),
    )  # fmt: skip
    straight = {"j1": np.arcsin(0.25) - 1e-9, "j2": 0.0, "j1.v": 1.0}
    fresh, used = (hs.Hybrid({"p": model}, [hit]) for _ in range(2))
    hs.simulate(used, 3.0, straight)
    bent = [hs.simulate(h, 3.0, {"j1": 0.2, "j2": 1.0}) for h in (fresh, used)]
    push = bent[0].events[0].impulses
    assert abs(push["b.end impact.x"]) == pytest.approx(0.5 * push["b.end impact.z"])
    assert bent[1].events[0].impulses == pytest.approx(push)


def legs(base: str) -> hs.Model:
    feet = [
        hs.Body(n, mass=1.0, com=(0, 0, -0.3), inertia=(0.1, 0.1, 0.1), frames={"foot": (0, 0, -1.0)})
        for n in ("left", "right")
    ]
    return hs.Model(
        *feet, hs.Chain("base", hs.WORLD, "left.foot", base), hs.Revolute("hip", "left", "right", axis="y")
    )


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize(("base", "status"), [("Tx Tz Ry", "done"), ("Tx Ry", "contradiction")])
def test_joints_that_cannot_follow_a_swap_are_a_contradiction(base, status):
    change = hs.Event(
        "change", when=lambda s: s.since - 0.1, rising=True, stop=True, then=hs.swap("left", "right")
    )
    run = hs.simulate(hs.Hybrid({"p": legs(base)}, [change]), 0.2, {"hip": 0.7})
    assert run.status == ("event" if status == "done" else status)
    assert status == "done" or "joints cannot have the poses" in run.message


@pytest.mark.parametrize(("dt", "count"), [(0.05, 20), (0.1, 10), (0.07, 14), (0.125, 8)])
def test_an_event_at_the_very_end_of_a_step_happens(dt, count):
    cart = hs.Model(hs.Body("cart", mass=1.0), hs.Prismatic("x", hs.WORLD, "cart", axis="x"))
    kicks = hs.Event(
        "kick", lambda s: s.since - 0.5, rising=True, during="a", to="b",
        then=hs.reset({"x.v": lambda s: s["x.v"] + 1.0}),
    )  # fmt: skip
    again = hs.Event("again", lambda s: s.since - 0.25, rising=True, during="b", then=hs.reset({"x.v": 0.5}))
    state = steps(hs.Hybrid({"a": cart, "b": cart}, [kicks, again]), dt, count, {"x": 0.0})
    assert np.isclose(state.q[0], 0.25 + 0.5 * (dt * count - 0.75), atol=1e-9) and state.v[0] == 0.5


BLADE = hs.Model(hs.Body("s", 2.0, (0.1, 0, 0), (0.1, 0.3, 0.3)), hs.Planar("p", hs.WORLD, "s"))


@pytest.mark.parametrize("first", [0.0, np.pi / 2])
@pytest.mark.parametrize("second", [0.0, 1.45, 1.5, np.pi / 2, 1.6, 2.5])
@pytest.mark.parametrize("struck", [True, False])
def test_a_blade_lands_again_in_another_heading(first, second, struck):
    """What led at the first landing may lead no longer; the rows of that one stay what they are."""
    away = (np.cos(second), np.sin(second)) if not struck else (1.0, 0.7)
    lift = hs.reset({"p.Rz": second, "p.Tx.v": away[0], "p.Ty.v": away[1], "p.Rz.v": 0.0})
    after = lambda s: s.since - 0.1  # noqa: E731
    hybrid = hs.Hybrid(
        {"free": BLADE, "on": BLADE + hs.KnifeEdge("e", "s")},
        [
            hs.Event("land", after, rising=True, during="free", to="on", then=hs.impact() if struck else ()),
            hs.Event("lift", after, rising=True, during="on", to="free", then=lift),
        ],
    )
    v = np.array([1.0, 0.5] if struck else [np.cos(first), np.sin(first)])
    start = {"p.Rz": first, "p.Tx.v": v[0], "p.Ty.v": v[1]}
    run = hs.simulate(hybrid, 0.35, start, every=0.01, tolerance=1e-10)
    assert run.status == "done" and [e.name for e in run.events] == ["land", "lift", "land"]
    assert all(np.isfinite(run[name]).all() for name in ("p.Tx.a", "p.Ty.a", "p.Rz.a"))
    on = run["phase"] == 1.0
    assert np.isfinite(run["e.reaction"][on]).all() and np.isnan(run["e.reaction"][~on]).all()
    # the blade holds: no speed across, and its force is the acceleration across
    across = run["p.Ty.v"] * np.cos(run["p.Rz"]) - run["p.Tx.v"] * np.sin(run["p.Rz"])
    assert np.abs(across[on]).max() < 1e-12
    x, y = (run[f"p.T{c}.a"][on] for c in "xy")
    turn, a = run["p.Rz"][on], run["p.Rz.a"][on]
    force = 2.0 * (y * np.cos(turn) - x * np.sin(turn) + 0.1 * a)  # of the centre of mass
    assert np.allclose(np.abs(run["e.reaction"][on][:, 3:]).max(axis=1), np.abs(force), atol=1e-9)


@pytest.mark.parametrize("when", [
    lambda s: s.since - 0.01, lambda s: s.t - 0.01, lambda s: s["at.Tx"] - 0.01,
])  # fmt: skip
@pytest.mark.parametrize("e", [0.0, 0.5])
def test_a_blow_at_a_time_or_a_place_leaves_its_event(when, e):
    """Nothing turns back what its event watches: it goes on, and the blow is one."""
    ball = hs.Model(hs.Body("ball", mass=1.0), hs.Chain("at", hs.WORLD, "ball", "Tx Tz"), gravity=(0, 0, 0))
    hybrid = hs.Hybrid({"a": ball}, [hs.Event("x", when, rising=True, then=hs.impact("ball", e))])
    start = {"at.Tx.v": 1.0, "at.Tz.v": -1.0, "at.Tz": 0.5}
    run = hs.simulate(hybrid, 0.1, start)
    assert run.status == "done" and [round(event.time, 9) for event in run.events] == [0.01]
    assert run["at.Tz.v"][-1] == pytest.approx(e) and run["at.Tx.v"][-1] == pytest.approx(1.0)
    state = steps(hybrid, 4e-3, 25, start)
    assert hybrid.ending(state.z) == "" and state.v == pytest.approx([1.0, e], abs=1e-12)
    assert state.q == pytest.approx([run["at.Tx"][-1], run["at.Tz"][-1]], abs=1e-9)
