"""A held linkage by Newton's laws of its bodies one by one, written here: the hand's wrench and all bearings.

The motion comes from closed forms of planar linkages in truncated Taylor series of time; forces from one
linear system of the free bodies. Nothing of the library has a part in either.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest
from grasp_laws import mechanisms

import hapsis as hs

G = np.array([0.0, -9.81])  # in the plane of x and z
NEAR, STIFFNESS = 1e-9, 1000.0


class Jet:
    """A value with its first and second rate."""

    def __init__(self, x, v=0.0, a=0.0):
        self.x, self.v, self.a = x, v, a

    def __add__(self, other):
        o = jet(other)
        return Jet(self.x + o.x, self.v + o.v, self.a + o.a)

    def __mul__(self, other):
        o = jet(other)
        return Jet(self.x * o.x, self.v * o.x + self.x * o.v, self.a * o.x + 2 * self.v * o.v + self.x * o.a)

    def of(self, f, df, ddf):
        """f of it."""
        return Jet(f, df * self.v, df * self.a + ddf * self.v**2)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) - self

    def __truediv__(self, other):
        o = jet(other)
        return self * o.of(1 / o.x, -1 / o.x**2, 2 / o.x**3)


def jet(x):
    return x if isinstance(x, Jet) else Jet(float(x))


def sin(x):
    return x.of(math.sin(x.x), math.cos(x.x), -math.sin(x.x))


def cos(x):
    return x.of(math.cos(x.x), -math.sin(x.x), -math.cos(x.x))


def sqrt(x):
    r = math.sqrt(x.x)
    return x.of(r, 0.5 / r, -0.25 / r**3)


def atan2(y, x):
    """Its rate is (x dy - y dx) / (x² + y²)."""
    y, x = jet(y), jet(x)
    square = x.x**2 + y.x**2
    rate = (x.x * y.v - y.x * x.v) / square
    change = 2 * (x.x * x.v + y.x * y.v) / square
    return Jet(math.atan2(y.x, x.x), rate, (x.x * y.a - y.x * x.a) / square - rate * change)


class Point(NamedTuple):
    """A point of the plane."""

    x: Jet
    z: Jet

    def along(self, angle, length):
        return Point(self.x + length * cos(angle), self.z + length * sin(angle))

    def level(self, name):
        return np.array([getattr(jet(self.x), name), getattr(jet(self.z), name)])


def meeting(p, r, q, s, side):
    """The point at r from p and s from q, on one side of the way from p to q."""
    dx, dz = q.x - p.x, q.z - p.z
    d = sqrt(dx * dx + dz * dz)
    along = (d * d + (r * r - s * s)) / (2.0 * d)
    away = side * sqrt(r * r - along * along)
    return Point(p.x + (along * dx - away * dz) / d, p.z + (along * dz + away * dx) / d)


def angle_to(p, q):
    return atan2(q.z - p.z, q.x - p.x)


class Link(NamedTuple):
    """A body: mass, inertia about its centre, the centre, its angle."""

    mass: float
    inertia: float
    centre: Point
    angle: Jet


class Linkage(NamedTuple):
    """Links and pins {name: (first, second, point)}; slides {name: (link, direction)}; and the held point."""

    links: dict
    pins: dict
    slides: dict
    held: tuple


def rod(mass, length, start, angle):
    return Link(mass, mass * length**2 / 12, start.along(angle, length / 2), angle)


def slider_crank(theta):
    """The library's: r 0.1, l 0.3."""
    r, long = 0.1, 0.3
    o = Point(jet(0.0), jet(0.0))
    crank_pin = o.along(theta, r)
    root = sqrt(long**2 - crank_pin.z * crank_pin.z)
    pin = Point(crank_pin.x + root, jet(0.0))
    coupler = angle_to(crank_pin, pin)
    links = {
        "crank": rod(0.2, r, o, theta),
        "coupler": rod(0.3, long, crank_pin, coupler),
        "slider": Link(0.5, 1.0, pin, jet(0.0)),
    }
    pins = {
        "crank": ("world", "crank", o),
        "coupler": ("crank", "coupler", crank_pin),
        "pin": ("coupler", "slider", pin),
    }
    return Linkage(links, pins, {"slider": "slider"}, ("crank", crank_pin))


def four_bar(theta):
    o, d = Point(jet(0.0), jet(0.0)), Point(jet(0.45), jet(0.0))
    b = o.along(theta, 0.2)
    c = meeting(b, 0.5, d, 0.4, -1.0)
    coupler, rocker = angle_to(b, c), angle_to(d, c)
    links = {
        "crank": rod(0.2, 0.2, o, theta),
        "coupler": rod(0.5, 0.5, b, coupler),
        "rocker": rod(0.4, 0.4, d, rocker),
    }
    pins = {
        "A": ("world", "crank", o),
        "B": ("crank", "coupler", b),
        "D": ("world", "rocker", d),
        "C": ("coupler", "rocker", c),
    }
    return Linkage(links, pins, {}, ("coupler", b.along(coupler, 0.25)))


def two_loops(theta):
    first = four_bar(theta)
    e, g = first.held[1], Point(jet(0.1), jet(0.4))
    f = meeting(e, 0.45, g, 0.3, -1.0)
    link, lever = angle_to(e, f), angle_to(g, f)
    links = first.links | {"link": rod(0.3, 0.45, e, link), "lever": rod(0.2, 0.3, g, lever)}
    pins = first.pins | {"E": ("coupler", "link", e), "G": ("world", "lever", g), "F": ("link", "lever", f)}
    return Linkage(links, pins, {}, first.held)


CASES = {"slider_crank": slider_crank, "four_bar": four_bar, "two_loops": two_loops}


def solved(linkage, pressed):
    """The hand's force along the way of the held point, and in each joint that of the first on the second.

    pressed    what the hand does across the way besides
    """
    names = list(linkage.links)
    columns = {name: 2 * k for k, name in enumerate(linkage.pins)}
    extra = 2 * len(columns)
    slides = {name: extra + 2 * k for k, name in enumerate(linkage.slides)}  # across, and a moment
    size = extra + 2 * len(slides) + 1
    A, b = np.zeros((3 * len(names), size)), np.zeros(3 * len(names))
    way = linkage.held[1].level("v")
    way = way / np.linalg.norm(way)

    def apply(link, point, column, direction, sign):
        k, body = 3 * names.index(link), linkage.links[link]
        arm = point.level("x") - body.centre.level("x")
        A[k : k + 2, column] += sign * direction
        A[k + 2, column] += sign * (arm[0] * direction[1] - arm[1] * direction[0])

    for name, (first, second, point) in linkage.pins.items():
        for i, direction in enumerate(np.eye(2)):
            for link, sign in ((first, -1.0), (second, 1.0)):
                if link != "world":
                    apply(link, point, columns[name] + i, direction, sign)
    for name, link in linkage.slides.items():
        apply(link, linkage.links[link].centre, slides[name], np.array([0.0, 1.0]), 1.0)
        A[3 * names.index(link) + 2, slides[name] + 1] = 1.0
    apply(*linkage.held, size - 1, way, 1.0)
    for k, body in enumerate(linkage.links.values()):
        b[3 * k : 3 * k + 2] = body.mass * (body.centre.level("a") - G)
        b[3 * k + 2] = body.inertia * body.angle.a
    k, arm = 3 * names.index(linkage.held[0]), linkage.held[1].level("x")
    arm = arm - linkage.links[linkage.held[0]].centre.level("x")
    b[k : k + 3] -= [*pressed, arm[0] * pressed[1] - arm[1] * pressed[0]]
    x = np.linalg.solve(A, b)
    forces = {name: x[columns[name] : columns[name] + 2] for name in linkage.pins}
    forces |= {name: np.array([0.0, x[slides[name]]]) for name in linkage.slides}
    return x[-1] * way, forces


@pytest.mark.parametrize("beside", [0.0, 2e-3])
@pytest.mark.parametrize("name", CASES)
def test_the_hand_and_all_bearings_by_free_bodies(name, beside):
    """Also with the hand beside the way of the held point, which presses on bearings and moves nothing."""
    held, place = mechanisms.ALL[name](), CASES[name]
    model, frame = held.model, held.frame
    first = next(iter(model.coordinates))
    start = hs.assemble(model).q[0]
    sign = -1.0 if name != "slider_crank" else 1.0  # joints about y turn x to -z
    joints = [*place(Jet(0.5)).pins, *place(Jet(0.5)).slides]
    tick = hs.haptics.grasp(
        model, frame, 1e-4, kind="point", coupling="rigid", measured="acceleration", iterations=10,
        stiffness=STIFFNESS, max_force=1e9, reactions=joints,
    )  # fmt: skip
    call, random = hs.compile(tick), np.random.default_rng(5)
    for _ in range(5):
        theta = Jet(sign * start + 0.1 * random.normal(), 4 * random.normal(), 30 * random.normal())
        linkage = place(theta)
        point = linkage.held[1]
        way = point.level("v") / np.linalg.norm(point.level("v"))
        off, given = beside * np.array([-way[1], way[0]]), {}
        for level, rate in (("position", "x"), ("velocity", "v"), ("acceleration", "a")):
            x, z = point.level(rate) + off * (rate == "x")
            given |= {f"hand.Tx.{level}": x, f"hand.Tz.{level}": z}
        out = {"q": tick.inputs[0].stand_in}
        for _ in range(6):
            out = tick.outputs_by_name(call(q=out["q"], **given))
        assert out[first] == pytest.approx(sign * theta.x, abs=1e-9)
        force, bearings = solved(linkage, STIFFNESS * off)
        scale = max(np.abs(f).max() for f in (*bearings.values(), force))
        felt = np.array([out["dynamic.fx"], out["dynamic.fz"]])
        assert np.abs(felt - force).max() < NEAR * scale
        pressed = np.array([out["constraint.fx"], out["constraint.fz"]])
        assert np.abs(pressed - STIFFNESS * off).max() < NEAR * scale
        for joint, wanted in bearings.items():
            carrier = linkage.pins[joint][0] if joint in linkage.pins else "world"
            turn = 0.0 if carrier == "world" else linkage.links[carrier].angle.x
            c, s = math.cos(turn), math.sin(turn)
            fx, fz = out[f"{joint}.reaction.fx"], out[f"{joint}.reaction.fz"]
            found = np.array([c * fx - s * fz, s * fx + c * fz])
            assert np.abs(found - wanted).max() < NEAR * scale, joint
            if joint in linkage.pins:
                assert abs(out[f"{joint}.reaction.my"]) < NEAR * scale
