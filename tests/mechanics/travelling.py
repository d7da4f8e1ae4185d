"""Motions with given speeds and accelerations, and what rows do along them by differences."""

import numpy as np

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.constraint_rows import drifts
from hapsis.mechanics.formalisms.constraints.row_names import position_rows

STEP = 5e-3  # s, between the places of a stencil
STENCIL = np.arange(-3, 4)
FIRST = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * STEP)
SECOND = np.array([2, -27, 270, -490, 270, -27, 2]) / (180 * STEP**2)


class Travel:
    """q and v at all times, with q as given at t = 0 and the speeds v + a t."""

    def __init__(self, model, q, v, a, parts=4):
        self.rates = hs.compile(hs.coordinate_rates(model))
        self.q, self.v, self.a, self.parts = map(np.asarray, (q, v, a, parts))

    def __call__(self, t):
        q, h = self.q, t / self.parts
        for k in range(self.parts):
            v = [self.v + self.a * (k + part) * h for part in (0, 0.5, 1)]
            k1 = self.rates(q, v[0])
            k2 = self.rates(q + h / 2 * k1, v[1])
            k3 = self.rates(q + h / 2 * k2, v[1])
            k4 = self.rates(q + h * k3, v[2])
            q = q + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return q, self.v + self.a * t


def timed(function):
    """A compiled function with the time as its last argument, whether it needs it or not."""
    f = hs.compile(function)
    if any(port.name == "t" for port in function.inputs):
        return f
    return lambda *given: f(*given[:-1])


def check_rates(model, q, v, a, t=0.0, tolerance=1e-6):
    """J v + drift and J a + gamma are the rates that differences find, of rows of either kind."""
    rows, drift = timed(hs.constraints(model)), timed(drifts(model))
    travel = Travel(model, q, v, a)
    states = [(*travel(k * STEP), t + k * STEP) for k in STENCIL]
    count = len(position_rows(model))  # of positions: they come first
    h = np.array([rows(*state).h for state in states])
    assert not h[:, count:].any()
    dh = np.array([rows(q, v, s).J @ v + drift(q, s) for q, v, s in states])
    middle, found = dh[len(STENCIL) // 2], rows(q, v, t)
    assert np.abs(FIRST @ h - middle)[:count].max(initial=0.0) < tolerance
    bend = found.J @ a + found.gamma
    assert np.abs(SECOND @ h - bend)[:count].max(initial=0.0) < tolerance
    assert np.abs(FIRST @ dh - bend).max() < tolerance
    return found
