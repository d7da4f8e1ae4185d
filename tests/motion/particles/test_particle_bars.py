"""Bars of a material against beam theory, on other shapes, loads and ratios than the identification's."""

import sys
from pathlib import Path

import numpy as np
import pytest
from random_particles import Forces

import hapsis as hs

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import bar_orders

P = hs.particles
SPACE = (0.0, 0.0, 0.0)


class Bar:
    """A bar along x, of which one end is held and the other loaded."""

    def __init__(self, size, poisson, cells, E=2e9, particles=9, clamped=True):
        self.L, self.b, self.h = size
        self.E, self.G = E, E / 2 / (1 + poisson)
        self.bar = P.solid("bar", hs.Box(size), material=P.Material(E, poisson, 1000.0), cells=cells,
                           particles=particles)  # fmt: skip
        x = self.x = self.bar.points
        ends = [np.flatnonzero(np.abs(x[:, 0] - s * self.L / 2) < 1e-9 * self.L) for s in (-1, 1)]
        self.thing = self.bar.holding(*ends[0])
        # loads spread over the end, by the areas of its facets
        weight = dict.fromkeys(ends[1].tolist(), 0.0)
        for f in self.bar.facets:
            if all(k in weight for k in f.tolist()):
                area = 0.5 * np.linalg.norm(np.cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]))
                for k in f.tolist():
                    weight[k] += area / 3 / (self.b * self.h)
        self.end, self.weight = np.array(list(weight)), np.array(list(weight.values()))
        assert np.isclose(self.weight.sum(), 1.0)

    def moved(self, force):
        """Displacements of the loaded end under forces (n, 3) of its particles."""
        loads = {f"bar.{k}": tuple(f) for k, f in zip(self.end.tolist(), force, strict=True)}
        answer = P.rest(P.Scene(self.thing, gravity=SPACE), loads)
        return answer.points[self.end] - self.x[self.end]

    def axial(self):
        """Over F L / E A."""
        F = 1e-5 * self.E * self.b * self.h
        d = self.moved(self.weight[:, None] * (F, 0, 0))
        return self.weight @ d[:, 0] / (F * self.L / (self.E * self.b * self.h))

    def cantilever(self):
        """Over F L³ / 3 E I with shear by Timoshenko, 6/5 F L / G A."""
        I = self.b * self.h**3 / 12
        F = 1e-4 * self.E * I / self.L**2
        d = self.moved(self.weight[:, None] * (0, 0, -F))
        beam = F * self.L**3 / (3 * self.E * I) + 1.2 * F * self.L / (self.G * self.b * self.h)
        return -self.weight @ d[:, 2] / beam

    def torsion(self):
        """Over T L / G J with J of the rectangle [Roark]."""
        a, b = max(self.b, self.h) / 2, min(self.b, self.h) / 2
        J = a * b**3 * (16 / 3 - 3.36 * b / a * (1 - b**4 / (12 * a**4)))
        y, z = self.x[self.end, 1], self.x[self.end, 2]
        polar = self.weight @ (y**2 + z**2)
        T = 1e-4 * self.G * J / self.L
        d = self.moved(T * self.weight[:, None] / polar * np.column_stack([0 * y, -z, y]))
        turn = self.weight @ (y * d[:, 2] - z * d[:, 1]) / polar
        return turn / (T * self.L / (self.G * J))


@pytest.mark.parametrize("poisson", [0.0, 0.25, 0.4])
def test_one_layer_is_near_already(poisson):
    bar = Bar((1.0, 0.1, 0.1), poisson, (10, 1, 1))
    assert abs(bar.axial() - 1.0) < 0.07
    assert abs(bar.cantilever() - 1.0) < 0.05
    assert abs(bar.torsion() - 1.0) < 0.2


@pytest.mark.parametrize("load", ["axial", "cantilever", "torsion"])
def test_other_bars_are_approached_under_refinement(load):
    """Another ratio of sides and another ν than the identification's cube."""
    values = [getattr(Bar((0.6, 0.1, 0.15), 0.35, (4 * n, max(1, n), n)), load)() for n in (1, 2, 4)]
    errors = np.abs(np.array(values) - 1.0)
    # what is left of traction is the clamp, which keeps its end from thinning
    assert errors[-1] < {"axial": 0.02, "cantilever": 0.03, "torsion": 0.06}[load], values


@pytest.mark.slow
def test_the_order_under_refinement():
    """2, 4, 8 cells across: differences shrink with an order above one, that of the clamp's edge."""
    for load in ("cantilever", "torsion"):
        values = [getattr(Bar((0.2, 0.1, 0.1), 0.3, (2 * n, n, n)), load)() for n in (2, 4, 8)]
        steps = np.abs(np.diff(values))
        assert np.log2(steps[0] / steps[1]) > 1.0, values


def test_the_state_of_uniform_strain_is_exact():
    """Cells of every rule and shape: any uniform strain has the energy of the material."""
    material = P.Material(3e6, 0.4, 1000.0)
    rng = np.random.default_rng(0)
    hull = hs.Hull(rng.normal(size=(10, 3)).tolist())
    solids = [
        P.solid("s", hs.Box((1, 2, 3)), material=material, cells=(1, 2, 2), particles=p) for p in (9, 13, 39)
    ]
    solids += [P.solid("s", each, material=material) for each in (hull, hs.Sphere(1.0), hs.Capsule(1.0, 2.0))]
    for thing in solids:
        own = Forces(P.Scene(thing, gravity=SPACE))
        volume = thing.cells.volume.sum()
        strain = rng.normal(0, 1e-6, (3, 3))
        strain = strain + strain.T
        have = own.potential(thing.points + thing.points @ strain)
        hooke = volume * (material.mu * (strain**2).sum() + 0.5 * material.lam * np.trace(strain) ** 2)
        assert np.isclose(have, hooke, rtol=1e-4)
        assert abs(own.potential(thing.points)) < 1e-9 * hooke


def test_particles_of_thirteen_come_nearer_with_cells():
    values = [Bar((0.4, 0.1, 0.1), 0.3, (4 * n, n, n), particles=13).cantilever() for n in (1, 2, 4)]
    errors = 1.0 - np.array(values)
    assert errors[0] > errors[1] > errors[2] > 0.0 and errors[2] < 0.2, values


def test_weight_hangs_by_its_stiffness():
    """A bar that hangs gets longer by ρ g L²/2E."""
    bar = P.solid("bar", hs.Box((1.0, 0.2, 0.2)), material=P.Material(1e6, 0.0, 1000.0), cells=(10, 2, 2))
    top = np.flatnonzero(bar.points[:, 0] < -0.5 + 1e-9)
    answer = P.rest(P.Scene(bar.holding(*top), gravity=(9.81, 0, 0)))
    low = np.flatnonzero(bar.points[:, 0] > 0.5 - 1e-9)
    longer = (answer.points[low, 0] - bar.points[low, 0]).mean()
    assert np.isclose(longer, 1000 * 9.81 / 2e6, rtol=0.02)
    assert answer.residual < 1e-6


@pytest.mark.parametrize("case", bar_orders.CASES[1:4])
@pytest.mark.parametrize("load", ["bending", "torsion"])
def test_the_order_without_a_clamp(case, load):
    """Ends that move as the closed form says: second order, on bars of other sides and other ν."""
    errors = [abs(bar_orders.ratio(case, load, n) - 1.0) for n in (2, 4)]
    assert np.log2(errors[0] / errors[1]) > 1.65, errors
    assert errors[1] < {"bending": 0.003, "torsion": 0.03}[load]


@pytest.mark.parametrize("case", bar_orders.CASES)
def test_traction_is_exact_at_once(case):
    assert abs(bar_orders.ratio(case, "traction", 1) - 1.0) < 2e-5  # of the strain
