"""Laws of a mechanism in a hand, on random motions of the hand: forces, cut wrenches, power, closeness."""

import numpy as np
import pytest
from grasp_laws import mechanisms
from grasp_laws.mechanisms import SIX

import hapsis as hs
from hapsis.mechanics.model.names import acceleration_name

STIFFNESS, DAMPING, LENGTH = 800.0, 3.0, 0.2
SAMPLES = 5


class Ticked:
    """The outputs of converged ticks, with the motion of the hand given whole."""

    def __init__(self, held, seed, sprung=True):
        self.held, self.model = held, held.model
        coupling = {"length": LENGTH, "max_force": 1e9}
        coupling |= (
            {"stiffness": STIFFNESS, "damping": DAMPING} if sprung else {"stiffness": 0.0, "damping": 0.0}
        )
        given = {"kind": held.kind, "measured": "acceleration", "reactions": held.cuts}
        self.step = hs.haptics.grasp(*held[:2], 1e-4, **coupling, **given)
        self.call = hs.compile(self.step)
        self.random = np.random.default_rng(seed)
        self.spread = {"position": 4e-3, "velocity": 1.0, "acceleration": 5.0}

    def tick(self):
        """Outputs by name for a random hand near the start, after many steps of Newton's."""
        given = {port.name: port.stand_in for port in self.step.inputs}
        for name in given:
            level = name.rpartition(".")[2]
            if level in self.spread:
                given[name] = given[name] + self.spread[level] * self.random.normal()
        for _ in range(8):
            out = self.step.outputs_by_name(self.call(**given))
            given["q"] = out["q"]
        self.given = given
        v = np.array([out[name] for name in self.model.speeds])
        a = np.array([out[acceleration_name(name)] for name in self.model.speeds])
        return out, np.array(out["q"]), v, a


def named(out, what, names=SIX):
    return np.array([out[f"{what}.{name}"] for name in names])


LOOPS = [name for name, make in mechanisms.ALL.items() if make().cuts]
MADE = {}


@pytest.fixture(params=list(mechanisms.ALL))
def ticked(request):
    return made(request.param)


def made(name):
    """Compiled once for all laws."""
    if name not in MADE:
        MADE[name] = Ticked(mechanisms.ALL[name](), 1)
    return MADE[name]


@pytest.mark.parametrize("name", list(mechanisms.ALL))
def test_the_dynamic_wrench_causes_the_motion_and_the_cut_wrenches(name):
    """With w_d applied as a Wrench, forward dynamics gives the same accelerations and loop reactions."""
    ticked = Ticked(mechanisms.ALL[name](), 1, sprung=False)
    held = ticked.held
    pulled = ticked.model + hs.Wrench("pull", held.frame, force=(1, 2, 3), moment=(4, 5, 6))
    dynamics = hs.forward_dynamics(pulled)
    compiled = hs.compile(dynamics)
    cuts = {name: hs.compile(hs.reaction(ticked.model, name)) for name in held.cuts}
    for _ in range(SAMPLES):
        out, q, v, a = ticked.tick()
        names = [f"pull.moment.{x}" for x in "xyz"] + [f"pull.force.{x}" for x in "xyz"]
        values = dict(zip(names, named(out, "dynamic"), strict=True))
        p = {name: x for name, x in values.items() if name in dynamics.parameters}
        found = compiled(q, v, np.zeros(len(v)), p=p)
        moved, lam = found if held.cuts else (found, None)
        np.testing.assert_allclose(moved, a, rtol=0, atol=1e-9 * np.abs(a).max())
        for name, reaction in cuts.items():  # redundant rows: both are those of least norm
            wrench = reaction(q, v, a, lam)
            np.testing.assert_allclose(
                named(out, f"{name}.reaction"), wrench, rtol=0, atol=1e-9 * max(1.0, np.abs(wrench).max())
            )


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_closed_at_all_levels(name):
    ticked = made(name)
    rows = hs.compile(hs.constraints(ticked.model))
    for _ in range(SAMPLES):
        out, q, v, a = ticked.tick()
        h, J, gamma = rows(q, v)
        assert max(np.abs(h).max(), out["gap"]) < 1e-12
        assert np.abs(J @ v).max() < 1e-10 * np.abs(v).max()
        assert np.abs(J @ a + gamma).max() < 1e-10 * max(1.0, np.abs(a).max(), np.abs(gamma).max())


def test_no_pose_is_closer_and_no_smaller_wrench_does_it(ticked):
    """W e₁, W (V - J v) and w_d are at right angles to what they must be, by singular values."""
    held = ticked.held
    n = 6 if held.kind == "full" else 3
    W = np.array([LENGTH**2] * 3 + [1.0] * 3)[-n:]
    slopes = hs.compile(hs.jacobian(ticked.model, held.frame))
    rows = hs.compile(hs.constraints(ticked.model)) if held.cuts else None
    for _ in range(SAMPLES):
        out, q, v, _ = ticked.tick()
        J = slopes(q)[-n:]
        C = rows(q, v).J if rows else np.zeros((1, len(v)))
        values, motions = np.linalg.svd(C)[1:]
        free = motions[int(np.sum(values > 1e-9)) :].T
        Jr = J @ free
        error = named(out, "violation", ("rx", "ry", "rz", "x", "y", "z"))[-n:]
        scale = np.abs(W * error).max() * np.abs(Jr).max() + 1e-5
        assert np.abs(Jr.T @ (W * error)).max() < 1e-6 * scale
        # w_d = W Jr y for some y: what is left of it by least squares is nothing
        w_d = named(out, "dynamic")[-n:] / np.sqrt(W)
        basis = np.sqrt(W)[:, None] * Jr
        rest = w_d - basis @ np.linalg.lstsq(basis, w_d, rcond=None)[0]
        assert np.abs(rest).max() < 1e-9 * max(1.0, np.abs(w_d).max())


def test_power_at_the_hand_is_power_into_the_mechanism_and_the_coupling(ticked):
    """-Σ effort · velocity of the device = dE/dt of the mechanism + of the spring + what the damper takes."""
    held, model = ticked.held, ticked.model
    n = 6 if held.kind == "full" else 3
    W = np.array([LENGTH**2] * 3 + [1.0] * 3)[-n:]
    energy, rates = hs.energy(model), hs.compile(hs.coordinate_rates(model))
    change = hs.compile(energy.jvp("q", "v"))
    slopes, place = hs.compile(hs.jacobian(model, held.frame)), hs.compile(hs.pose(model, held.frame))
    turn = place(np.array(ticked.step.inputs[0].stand_in)).R
    hand = Hand(ticked, held.kind, turn)
    for _ in range(SAMPLES):
        out, q, v, a = ticked.tick()
        x, dx = hand.coordinates("position"), hand.coordinates("velocity")
        at_hand = -sum(out[f"{name}.effort"] * rate for name, rate in zip(hand.names, dx, strict=True))
        dq = np.ravel(rates(q, v))
        stored = sum(np.ravel(part)[0] for part in change(q=q, v=v, d_q=dq, d_v=a))

        def spring(s, x=x, dx=dx, q=q, dq=dq):
            p, R = place(q + s * dq)
            off, axes = hand.pose(x + s * dx)
            turned = LENGTH**2 * 0.5 * (3.0 - np.sum(R * axes)) * (held.kind == "full")
            return STIFFNESS * (0.5 * np.sum((off - p) ** 2) + turned)

        springs = (spring(1e-5) - spring(-1e-5)) / 2e-5
        slip = hand.velocity(x, dx)[-n:] - slopes(q)[-n:] @ v
        lost = DAMPING * np.sum(W * slip**2)
        parts = abs(stored) + abs(springs) + lost + 1.0
        assert abs(at_hand - stored - springs - lost) < 1e-6 * parts


class Hand:
    """Three slides and three gimbals, written here once more with numbers."""

    def __init__(self, ticked, kind, turn):
        self.ticked, self.turn = ticked, turn
        self.names = [
            f"hand.{step}" for step in ("Tx Ty Tz Rx Ry Rz" if kind == "full" else "Tx Ty Tz").split()
        ]

    def coordinates(self, level):
        return np.array([self.ticked.given[f"{name}.{level}"] for name in self.names])

    def pose(self, x):
        R = np.eye(3)
        for axis, angle in zip(np.eye(3), x[3:], strict=False):
            R = R @ _about(axis, angle)
        return x[:3], R @ self.turn

    def velocity(self, x, dx):
        R, w = np.eye(3), np.zeros(3)
        for axis, angle, rate in zip(np.eye(3), x[3:], dx[3:], strict=False):
            w = w + rate * (R @ axis)
            R = R @ _about(axis, angle)
        return np.concatenate([w, dx[:3]])


def _about(axis, angle):
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
