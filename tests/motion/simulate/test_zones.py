"""No contact, stop or cord is met and left unseen within a step, whatever the method."""

import numpy as np
import pytest
from contact_throws import groups, throws
from samples import sample

import hapsis as hs

METHODS = ("auto", "order8", "order5", "stiff")


SAMPLED = [  # of the groups, in `./run test`
    (("sphere", "box"), "drop", False),
    (("capsule", "box"), "throw", False),
    (("sphere", "sphere"), "spin", True),
    (("segment", "cylinder"), "throw", True),
    (("point", "capsule"), "spin", False),
    (("box", "plane"), "drop", True),
]


@pytest.mark.parametrize("group", sample(SAMPLED, list(groups())), ids=str)
def test_random_drops_throws_and_spins(group):
    verdicts = [(throw, throw.verdict()) for throw in throws(group, sample(20, 12))]
    wrong = [f"{verdict}: {throw}" for throw, verdict in verdicts if verdict not in ("", "-")]
    assert not wrong, "\n".join(wrong[:10])
    assert any(verdict == "" for _, verdict in verdicts)


def dropped(thick, radius):
    return hs.Model(
        hs.Body("ball", mass=0.01, inertia=(1e-6,) * 3),
        hs.Free("ball", hs.WORLD, "ball"),
        hs.Contact(
            "table",
            ("ball", hs.Sphere(radius)),
            (hs.WORLD.at(0, 0, -thick / 2), hs.Box((1.0, 1.0, thick))),
            law=hs.HuntCrossley(1e8, restitution=0.5),
        ),
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_ball_never_falls_through_a_table(method):
    model = dropped(0.02, 0.05)
    for height in (0.1, 0.5, 1.5, 5.0, 20.0, 100.0):
        fall = np.sqrt(2 * (height - 0.05) / 9.81)
        result = hs.simulate(model, until=1.5 * fall, start={"ball.z": height}, method=method)
        assert result.events[0].name == "table.touch"
        assert result.events[0].time == pytest.approx(fall, rel=1e-6)
        assert result["ball.z"].min() > 0.04


@pytest.mark.parametrize("method", METHODS)
def test_a_rotor_does_not_pass_through_what_is_in_its_way(method):
    for other in (hs.Box((0.1, 0.1, 0.1)), hs.Sphere(0.01), hs.Segment(0.1)):
        model = rotor(other)
        for speed in (3.0, 10.0, 100.0):
            result = hs.simulate(model, until=200 / speed, start={"q.v": speed}, method=method)
            assert result.events[0].name == "hit.touch"
            assert np.abs(result["q"]).max() < np.pi + 0.01
            assert result["q.v"].min() < 0.0


def rotor(other, law=None):
    return hs.Model(
        hs.Body("rotor", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("q", hs.WORLD, "rotor", axis="z"),
        hs.Contact(
            "hit", ("rotor", hs.Sphere(0.05, at=hs.Frame((1, 0, 0)))), (hs.WORLD.at(-1, 0, 0), other), law=law
        ),
        gravity=(0, 0, 0),
    )


def test_fixed_steps_that_pass_through_are_told():
    model = rotor(hs.Sphere(0.01), hs.HuntCrossley(1e3))
    for method in ("rk4", "euler", "symplectic", "order5"):
        result = hs.simulate(model, until=10.0, start={"q.v": 30.0}, method=method, step=0.01)
        assert any('steps go through "hit"' in warning for warning in result.warnings), method
        result = hs.simulate(model, until=0.2, start={"q.v": 30.0}, method=method, step=2e-5)
        assert not any("steps go through" in warning for warning in result.warnings), method


def feet(count, mapped):
    """Bars over pegs, their contacts mapped or not."""
    facts = []
    for k in range(count):
        facts += [
            hs.Body(f"b{k}", mass=0.01, com=(0.05, 0, 0), inertia=(1e-5, 1e-5, 1e-5)),
            hs.Revolute(f"j{k}", hs.WORLD.at(k, 0, 0), f"b{k}", axis="z"),
            hs.Contact(
                f"c{k}",
                ((f"b{k}", hs.Frame((0.1, 0, 0))), hs.Sphere(0.005)),
                (hs.WORLD.at(k + 0.1, -0.02, 0, rpy=(0, np.pi / 2, 0)), hs.Segment(0.05)),
                friction=0.2,
                mapped=mapped,
            ),
        ]
    return hs.Model(*facts, gravity=(0, -9.81, 0))


def test_mapped_contacts_have_the_events_of_those_written_out():
    written, mapped = (hs.simulate(feet(3, how), until=0.2) for how in (False, True))
    for k in range(3):
        told = [[e.time for e in r.events if e.name.startswith(f"c{k}.")] for r in (written, mapped)]
        assert len(told[0]) == len(told[1]) > 1
        assert told[1] == pytest.approx(told[0], abs=1e-6)


def swinging(*facts):
    """A mass on a spring, x = sin t."""
    return hs.Model(
        hs.Body("m", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "m", axis="x"),
        hs.JointSpring("spring", "x", stiffness=1.0),
        *facts,
        gravity=(0, 0, 0),
    )


SIDED = {
    "stop": lambda: hs.Stop("s", "x", stiffness=1e6, high=0.999),
    "tendon": lambda: hs.Tendon("s", {"x": 1.0}, stiffness=1e6, length=0.999),
    "link": lambda: hs.Link(
        "s", hs.WORLD.at(-1, 0, 0), "m", law=lambda length, rate: 1e6 * hs.maximum(length - 1.999, 0.0)
    ),
    "joint force": lambda: hs.JointForce(
        "s", "x", law=lambda q, v: hs.where(q > 0.999, -1e6 * (q - 0.999), 0.0)
    ),
    "controller": lambda: hs.Controller(
        "s", lambda s: {"x": hs.where(s["x"] > 0.999, -1e6 * (s["x"] - 0.999), 0.0)}
    ),
}


@pytest.mark.parametrize("kind", SIDED)
@pytest.mark.parametrize("method", METHODS)
def test_forces_that_begin_somewhere_are_felt(kind, method):
    model = swinging(SIDED[kind]())
    for phase in np.linspace(0.0, 1.5, 8):
        start = {"x": np.sin(phase), "x.v": np.cos(phase)}
        for tolerance in (1e-9, 1e-5):
            result = hs.simulate(model, until=20.0, start=start, method=method, tolerance=tolerance)
            assert result["x"].max() < 0.9991


def test_stops_that_are_far_away_cost_no_evaluation():
    far = hs.simulate(
        swinging(hs.Stop("s", "x", stiffness=1e6, low=-3.0, high=3.0)), until=20.0, start={"x": 1.0}
    )
    none = hs.simulate(swinging(), until=20.0, start={"x": 1.0})
    assert far.report["evaluations"] == none.report["evaluations"]
    assert far["x"].tobytes() == none["x"].tobytes()


@pytest.mark.parametrize("method", ["order8", "order5", "stiff"])
def test_the_first_step_inside_a_stiff_contact_feels_it(method):
    """A light ball meets a plate and comes back as fast, wherever the first step inside would end.

    The early slopes of a long step have no weight in its end, nor in its error; they may throw all later ones
    out of the contact, so that the step seems free though it ends deep inside.
    """
    draw, law = np.random.default_rng(8), hs.HuntCrossley(1e9, restitution=1.0)
    radius, thick = 0.004, 0.0066
    model = hs.Model(
        hs.Body("b", mass=1e-3, inertia=(1e-6,) * 3),
        hs.Prismatic("z", hs.WORLD, "b", axis="z"),
        hs.Contact("c", ("b", hs.Sphere(radius)), (hs.WORLD, hs.Box((20, 1, thick))), law=law),
        gravity=(0, 0, 0),
    )
    for _ in range(sample(60, 2000)):
        gap, speed = draw.uniform(0.1, 1.5), 10.0 ** draw.uniform(-1.0, 0.3)
        result = hs.simulate(model, until=4.0 / speed, start={"z": -gap, "z.v": speed}, method=method)
        assert result.success and result["z.v"][-1] == pytest.approx(-speed, rel=1e-5), (gap, speed)


@pytest.mark.parametrize("method", ["order8", "order5", "stiff"])
def test_tiny_balls_meet_thin_plates_far_away(method):
    """Contacts of a billionth to a hundred-thousandth of the way, which a first step may go in one."""
    draw = np.random.default_rng(5)
    model = hs.Model(
        hs.Body("b", mass=1e-3, inertia=(1e-6,) * 3),
        hs.Prismatic("z", hs.WORLD, "b", axis="z"),
        hs.Contact(
            "c",
            ("b", hs.Sphere(1.0)),
            (hs.WORLD, hs.Box((20, 20, 1.0))),
            law=hs.HuntCrossley(1.0, restitution=1),
        ),
        gravity=(0, 0, 0),
    )
    for _ in range(sample(60, 2000)):
        radius, thick = 10.0 ** draw.uniform([-6, -7], -5)
        gap = 10.0 ** draw.uniform(0, 3)
        speed = min(10.0 ** draw.uniform(1, 4), (radius + thick) / 4e-9)  # longer than what is not resolved
        stiffness = 1.25 * 1e-3 * speed**2 / (0.1 * min(radius, thick)) ** 2.5
        given = {"c.first.radius": radius, "c.second.size.z": thick, "c.stiffness": stiffness}
        start, until = {"z": -gap, "z.v": speed}, 2 * gap / speed
        options = {"every": until, "method": method, "watchdog": False}
        result = hs.simulate(model, until=until, start=start, parameters=given, **options)
        assert result.success and result["z.v"][-1] < -0.9 * speed, (radius, thick, gap, speed)
