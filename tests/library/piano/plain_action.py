"""The action once more, by hand: absolute angles, a mass matrix in closed form, contacts in the plane.

An independent route to accelerations and forces: it shares the table of dimensions with the library,
and nothing else.
"""

from math import atan, cos, hypot, radians, sin, tanh

import numpy as np

from hapsis.library.piano import dimensions as d

MM, G = 1e-3, 1e-3
BODIES = ("key", "whippen", "jack", "lever", "hammer", "damper")


def turned(angle, point):
    return np.array(
        [cos(angle) * point[0] - sin(angle) * point[1], sin(angle) * point[0] + cos(angle) * point[1]]
    )


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


class PlainAction:
    """Places, velocities and forces of the action at coordinates q and speeds v, in the order of BODIES."""

    def __init__(self, q, v, head=d.HEAD * G):
        self.q, self.v = np.array(q, float), np.array(v, float)
        theta, psi, gamma, lam, phi, lift = self.q
        self.angle = {
            "world": 0.0, "key": theta, "whippen": psi, "jack": psi + gamma, "lever": psi + lam,
            "hammer": phi, "damper": 0.0,
        }  # fmt: skip
        w = self.v
        self.spin = {
            "world": 0.0, "key": w[0], "whippen": w[1], "jack": w[1] + w[2], "lever": w[1] + w[3],
            "hammer": w[4], "damper": 0.0,
        }  # fmt: skip
        self.pivot = {n: np.array(p.pivot) * MM for n, p in d.PARTS.items()} | {"world": np.zeros(2)}
        self.drawn = dict(self.pivot)
        self.moves = {n: np.zeros(2) for n in self.pivot}
        for n in ("jack", "lever"):
            arm = turned(psi, self.pivot[n] - self.pivot["whippen"])
            self.pivot[n] = self.pivot["whippen"] + arm
            self.moves[n] = w[1] * np.array([-arm[1], arm[0]])
        self.pivot["damper"] = self.pivot["damper"] + np.array([0.0, lift])
        self.moves["damper"] = np.array([0.0, w[5]])
        self.mass = {n: p.mass * G for n, p in d.PARTS.items()}
        self.com = {n: np.array(p.com) * MM - self.drawn[n] for n, p in d.PARTS.items()}
        self.own = {n: p.inertia for n, p in d.PARTS.items()}
        a, b = (turned(radians(d.SHANK_TURN), p) * MM for p in (d.HEAD_AT, d.SHANK_AT))
        shank = d.SHANK * G
        self.mass["hammer"] = head + shank
        self.com["hammer"] = (head * a + shank * b) / (head + shank)
        self.own["hammer"] += sum(
            m * np.sum((p - self.com["hammer"]) ** 2) for m, p in ((head, a), (shank, b))
        )
        self.efforts = np.zeros(6)
        self.forces = {}
        self._weights()
        self._springs()
        self._contacts()

    def at(self, body, point):
        """Where a point of the drawn pose, in mm, is now."""
        return self.pivot[body] + turned(self.angle[body], np.array(point) * MM - self.drawn[body])

    def velocity(self, body, place):
        arm = place - self.pivot[body]
        return self.moves[body] + self.spin[body] * np.array([-arm[1], arm[0]])

    def push(self, body, place, force):
        """Adds the generalised forces of a force on a body."""
        if body == "world":
            return
        if body == "damper":
            self.efforts[5] += force[1]
            return
        self.efforts[BODIES.index(body)] += cross(place - self.pivot[body], force)
        if body in ("jack", "lever"):
            self.efforts[1] += cross(place - self.pivot["whippen"], force)

    def _weights(self):
        for n in BODIES:
            place = self.pivot[n] + turned(self.angle[n], self.com[n])
            self.push(n, place, np.array([0.0, -self.mass[n] * d.GRAVITY]))

    def _springs(self):
        for k, n in enumerate(BODIES):
            self.efforts[k] -= d.PARTS[n].friction * tanh(self.v[k] / d.PARTS[n].smooth)
        for n, spring in d.SPRINGS.items():
            k = BODIES.index(n)
            q, v = self.q[k], self.v[k]
            self.efforts[k] -= spring.preload + spring.stiffness * q
            if q < 0.0:
                self.efforts[k] += spring.stop * -q * max(1.0 - spring.loss * v, 0.0)

    def _contacts(self):
        knuckle = ("hammer", *d.KNUCKLE)
        pilot = ("key", (d.PILOT[0][0], d.PILOT_HEIGHT - d.PILOT[1]), d.PILOT[1])
        drop = ("world", (d.DROP_SCREW[0][0], d.DROP_HEIGHT + d.DROP_SCREW[1]), d.DROP_SCREW[1])
        self._face("pilot", "whippen", d.HEEL, *pilot)
        self._face("jack_knuckle", "jack", d.JACK_TOP, *knuckle)
        self._face("lever_knuckle", "lever", d.LEVER_TOP, *knuckle)
        self._face("drop", "lever", d.LEVER_TOP, *drop)
        self._face("rest_rail", "hammer", d.REST_FACE, "world", *d.REST_RAIL)
        self._face("check", "key", d.CHECK_FACE, "hammer", *d.TAIL)
        down, up = np.array([0.0, -1.0]), np.array([0.0, 1.0])
        self._level("let_off", "jack", *d.JACK_TOE, "world", d.BUTTON_HEIGHT * MM, down)
        self._level("string", "hammer", d.STRIKE_POINT, 0.0, "world", d.STRING_HEIGHT * MM, down)
        self._level("bed", "key", d.FINGER, 0.0, "world", -d.DIP * MM, up)
        self._level("back_rail", "key", d.BACK_RAIL_AT, 0.0, "world", d.BACK_RAIL * MM, up)
        self._level("damper_key", "key", d.KEY_END, 0.0, "damper", d.DAMPER_LIFT * MM + self.q[5], down)
        self._level("damper_string", "damper", d.PARTS["damper"].pivot, 0.0, "world", 0.0, up)

    def _face(self, name, flat, ends, round_, centre, radius):
        a, b, o = self.at(flat, ends[0]), self.at(flat, ends[1]), self.at(round_, centre)
        s = np.clip((o - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        nearest = a + s * (b - a)
        away = o - nearest
        depth = radius * MM - hypot(*away)
        normal = away / hypot(*away)
        self._touch(name, round_, flat, nearest - 0.5 * depth * normal, normal, depth)

    def _level(self, name, body, point, radius, other, height, normal):
        """A round part of a body on a level face of another one."""
        o = self.at(body, point)
        depth = radius * MM - (o[1] - height) * normal[1]
        self._touch(name, body, other, o - (radius * MM - 0.5 * depth) * normal, normal, depth)

    def _touch(self, name, first, second, place, normal, depth):
        felt = d.FELTS[name]
        slip = self.velocity(first, place) - self.velocity(second, place)
        rate = -slip @ normal
        force = 0.0
        if depth > 0.0:
            # a felt with memory is as the start says: it has been pressed for long there
            relaxed = felt.hysteresis * felt.start
            force = (
                felt.stiffness * max(depth**felt.power - relaxed, 0.0) * max(1.0 + felt.damping * rate, 0.0)
            )
        tangent = np.array([-normal[1], normal[0]])
        sliding = slip @ tangent
        drag = 0.0
        if felt.friction and name != "check" and force:
            drag = -felt.friction * force * tanh(sliding / (d.SLIP + felt.friction * force / d.SLOPE))
        self.forces[name] = force
        both = force * normal + drag * tangent
        self.push(first, place, both)
        self.push(second, place, -both)

    def accelerations(self):
        """Of all but the key, which has none, and the force at the finger that this takes."""
        inertia = {n: self.own[n] + self.mass[n] * self.com[n] @ self.com[n] for n in BODIES}
        M, h = np.zeros((3, 3)), np.zeros(3)
        M[0, 0] = inertia["whippen"]
        w = self.v[1]
        for j, n in ((1, "jack"), (2, "lever")):
            arm = turned(self.angle[n], self.com[n])
            base = self.pivot[n] - self.pivot["whippen"]
            out, own = (np.array([-r[1], r[0]]) for r in (base + arm, arm))
            m = self.mass[n]
            M[0, 0] += m * out @ out + self.own[n]
            M[0, j] = M[j, 0] = m * out @ own + self.own[n]
            M[j, j] = m * own @ own + self.own[n]
            centripetal = -w * w * base - self.spin[n] ** 2 * arm
            h[0] += m * out @ centripetal
            h[j] += m * own @ centripetal
        a = np.linalg.solve(M, self.efforts[1:4] - h)
        finger = -self.efforts[0] / (-d.FINGER[0] * MM * cos(self.q[0]))
        return np.array(
            [*a, self.efforts[4] / inertia["hammer"], self.efforts[5] / self.mass["damper"]]
        ), finger


def angle_of(travel):
    """The key's angle for a travel of the finger, m."""
    x = travel / (-d.FINGER[0] * MM)
    return atan(x / (1.0 - x * x) ** 0.5)
