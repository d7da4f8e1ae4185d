"""What lies along a line on sides and edges: it touches at both ends of the line, sticks there and rests."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81
LAW = {"law": hs.HuntCrossley(1e7, 1.0, damping=2.0), "friction": 0.5}
ANGLES = np.arange(6) * np.pi / 3
SIX = [(0.1 * np.sin(x), y, 0.1 * np.cos(x)) for x in ANGLES for y in (-0.5, 0.5)]  # an edge is on top
ALONG = {"rpy": (np.pi / 2, 0, 0)}

LOGS = {
    "cylinder": (hs.Body.cylinder("c", 0.1, 1.0, mass=1.0), True),
    "capsule": (hs.Body.capsule("c", 0.1, 1.0, mass=1.0), True),
    "box": (hs.Body.box("c", (0.2, 1.0, 0.2), mass=1.0), False),
    "beam": (hs.Body.hull("c", np.array(SIX) @ [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], mass=1.0), False),
}
# where, what, and how high the middle of a log is that falls in between
GROOVES = {
    "cylinders": (hs.WORLD.at, 0.0, hs.Cylinder(0.1, 1.0), ALONG),
    "boxes": (hs.WORLD.at, 0.05, hs.Box((0.1, 1.2, 0.1)), {}),
    "hulls": (hs.WORLD.at, 0.0, hs.Hull(np.array(SIX)), {}),
}


def groove(log, kind, tilt):
    """A log over two things beside each other, inclined by 5°, turned by `tilt` against them."""
    body, turned = LOGS[log]
    place, down, shape, more = GROOVES[kind]
    angle = (0.5 * np.pi if turned else 0.0) + tilt
    slope = np.deg2rad(5.0)
    return hs.Model(
        body,
        hs.Free("c", hs.WORLD, "c"),
        [
            hs.Contact(n, hs.Surface("c"), (place(x, 0, 0.1 - down, **more), shape), **LAW)
            for n, x in (("l", -0.12), ("r", 0.12))
        ],
        gravity=(0, G * np.sin(slope), -G * np.cos(slope)),
        poses={"start": {"c.z": 0.32 - 2 * down, "c.qw": np.cos(angle / 2), "c.qx": np.sin(angle / 2)}},
    )


@pytest.mark.parametrize("step", [5e-3, 1e-3])
@pytest.mark.parametrize("tilt", [0.0, 1e-4, 1e-2])
@pytest.mark.parametrize("kind", GROOVES)
@pytest.mark.parametrize("log", LOGS)
def test_a_log_in_a_groove_sticks(log, kind, tilt, step):
    """tan 5° is less than μ: after a second nothing moves by 1e-9 m or turns by 1e-9 rad in a second."""
    result = hs.simulate(groove(log, kind, tilt), 2.0, method="contact", step=step, every=0.5)
    assert result.success and result["l.points"][-1] >= 2 and result["r.points"][-1] >= 2
    for name in ("c.x", "c.y", "c.z", "c.qw", "c.qx", "c.qy", "c.qz"):
        assert abs(result[name][-1] - result[name][-3]) < 1e-9
    assert result["l.push"][-1] + result["r.push"][-1] == pytest.approx(
        G * np.array([0, -np.sin(np.deg2rad(5)), np.cos(np.deg2rad(5))]), abs=1e-6
    )


def pyramid(mu):
    """Two logs beside each other on the floor, and one on both of them."""
    places = {"left": (-0.1, 0.1), "right": (0.1, 0.1), "top": (0.0, 0.1 + np.sqrt(3) * 0.1)}
    turned = {"qw": np.cos(np.pi / 4), "qx": np.sin(np.pi / 4 + 1e-4)}
    start = {f"{n}.{k}": v for n, (x, z) in places.items() for k, v in ({"x": x, "z": z} | turned).items()}
    law = hs.HuntCrossley(1e7, 1.0, damping=2.0)
    return hs.Model(
        [hs.Body.cylinder(name, 0.1, 1.0, mass=1.0) for name in places],
        [hs.Free(name, hs.WORLD, name) for name in places],
        [hs.Contact(f"{n} floor", hs.Surface(n), hs.WORLD.plane(), law=law, friction=0.5) for n in places],
        [
            hs.Contact(f"on {n}", hs.Surface("top"), hs.Surface(n), law=law, friction=mu)
            for n in ("left", "right")
        ],
        poses={"start": start},
    )


@pytest.mark.parametrize("step", [1e-2, 2e-3])
@pytest.mark.parametrize(("mu", "stands"), [(0.29, True), (0.25, False)])
def test_three_logs_stand_where_friction_is_more_than_the_tangent_of_fifteen_degrees(mu, stands, step):
    result = hs.simulate(pyramid(mu), 3.0, method="contact", step=step, every=0.5)
    assert result.success
    if stands:
        assert abs(result["top.z"][-1] - result["top.z"][-3]) < 1e-8 and result["on left.points"][-1] == 2
    else:
        assert result["top.z"][-1] < 0.15
