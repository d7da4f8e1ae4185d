"""Draws the figures on steps of particles in docs/_static/particles, numbered as in [Joukhadar].

python tools/particle_figures.py [FOLDER]
"""

import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
import hapsis.view as view

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "_static" / "particles"
P = hs.particles
SCHEMES = {"α = β = 0": (0.0, 0.0), "α = 1/2, β = 1/3": (0.5, 1 / 3), "α = β = 1": (1.0, 1.0)}


def pair(stiffness: float, damping: float, **step: Any) -> Any:
    """Two particles of 1 kg, 1.5 m apart, whose spring has a length of 1 m, at rest."""
    spring = P.Connectors.of([[0, 1]], 1.0, stiffness, damping)
    points = np.array([[0.0, 0.0, 0.0], [1.5, 0.0, 0.0]])
    body = P.ParticleObject("pair", points, np.ones(2), spring)
    return P.Scene(body, gravity=(0, 0, 0), step=P.EnergyStep(**step) if step else None)


def stretch(result: Any) -> Any:
    """How far the spring of a pair is from its length, m."""
    return result["pair.1"][:, 0] - result["pair.0"][:, 0] - 1.0


def exact(t: Any, stiffness: float, damping: float) -> Any:
    """The same in closed form, where it swings."""
    w = np.sqrt(2.0 * stiffness - damping**2)
    return 0.5 * np.exp(-damping * t) * (np.cos(w * t) + damping / w * np.sin(w * t))


def errors(alpha: float, beta: float, error: float = 0.01) -> tuple[float, float, int]:
    """The mean error of the stretch over the first second, m: adaptive steps, and constant ones of their mean
    length; and how many steps."""
    scene = pair(100.0, 5.0, error=error, alpha=alpha, beta=beta)
    adaptive = hs.simulate(scene, until=1.0, every=1e-3)
    count = adaptive.report["steps"]
    constant = hs.simulate(scene, until=1.0, every=1e-3, step=1.0 / count)
    true = exact(adaptive.t, 100.0, 5.0)
    return *(float(np.abs(stretch(r) - true).mean()) for r in (adaptive, constant)), count


def figure_5() -> Any:
    """The effect of λ and μ."""
    table, t = {}, None
    for stiffness, damping in ((100.0, 0.5), (100.0, 5.0), (400.0, 5.0), (100.0, 25.0)):
        result = hs.simulate(pair(stiffness, damping), until=2.0, every=2e-3)
        t, table[f"λ = {stiffness:g}, μ = {damping:g}"] = result.t, stretch(result)
    return view.curves(t, table, "time, s", "stretch, m", title="Figure 5: stiffness and damping")


def figure_16() -> Any:
    """A step that is too long diverges; steps that follow the energy do not (figure 17)."""
    long = hs.simulate(pair(100.0, 0.0), until=1.2, every=2e-3, step=0.145)
    good = hs.simulate(pair(100.0, 0.0, error=0.01), until=1.2, every=2e-3)
    table = {"constant step of 0.145 s": stretch(long)[: len(good.t)], "energy-adaptive": stretch(good)}
    x = {name: r.t for name, r in zip(table, (long, good), strict=True)}
    return view.curves(x, table, "time, s", "stretch, m", title="Figures 16 and 17: divergence")


def figure_19() -> Any:
    """The mean error of the position over the error of the energy."""
    allowed = np.logspace(-7, -2, 11)
    table = {}
    for damping in (0.5, 5.0):
        means = []
        for error in allowed:
            scene = pair(100.0, damping, error=error, alpha=0.5, beta=1 / 3)
            result = hs.simulate(scene, until=10.0, every=2e-3)
            means.append(np.abs(stretch(result) - exact(result.t, 100.0, damping)).mean())
        table[f"μ = {damping:g}"] = np.array(means)
    title = "Figure 19: mean error of the position in 10 s"
    return view.curves(allowed, table, "ε, J", "m", title=title, logarithmic="xy")


def figure_20() -> Any:
    """The length of steps while a ball falls and bounces."""
    ball = P.ParticleObject("ball", np.array([[0.0, 0.0, 1.0]]), np.ones(1))
    scene = P.Scene(ball, P.Floor(stiffness=1e5, damping=30), step=P.EnergyStep(error=1e-3, longest=0.05))
    result = hs.simulate(scene, until=3.0, every=1e-3)
    table = {
        "height, m": result["ball.z"],
        "log10 of the step, s": np.log10(np.maximum(result["step"], 1e-9)),
    }
    return view.plot(result.t, table, "Figure 20: steps of a ball that falls")


def figure_21() -> Any:
    """Errors over time of adaptive steps against constant ones of their mean length, by (5) and (6)."""
    scene = pair(100.0, 5.0, error=0.01, alpha=0.0, beta=0.0)
    adaptive = hs.simulate(scene, until=1.0, every=1e-3)
    count = adaptive.report["steps"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)  # of a drift of the energy: it is what is drawn
        constant = hs.simulate(scene, until=1.0, every=1e-3, step=1.0 / count)
    true = exact(adaptive.t, 100.0, 5.0)
    table = {"adaptive steps": stretch(adaptive) - true, f"{count} constant steps": stretch(constant) - true}
    title = "Figure 21: error of the stretch, α = β = 0"
    return view.curves(adaptive.t, table, "time, s", "m", title=title)


def energy_error(alpha: float) -> tuple[Any, Any]:
    """The energy that constant steps by (3) and (4) have created since the start, J, and the run."""
    scene = pair(100.0, 0.0, alpha=alpha, beta=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)  # that of a drift of the energy: it is what is drawn
        result = hs.simulate(scene, until=2.0, every=0.005, step=0.005)
    return result["kinetic"] + result["potential"] - result["potential"][0], result


def figure_15() -> Any:
    """The sign of the energy error, by α: without damping, β = 0."""
    table, t = {}, None
    for alpha in (0.0, 0.5, 1.0):
        error, result = energy_error(alpha)
        t, table[f"α = {alpha:g}"] = result.t, error
    return view.curves(t, table, "time, s", "J", title="Figure 15: energy created by constant steps of 5 ms")


def figure_18() -> Any:
    """Where the energy falls the solution is stable, where it grows it diverges."""
    table, t = {}, None
    for alpha, name in ((1.0, "energy falls (α = 1)"), (0.0, "energy grows (α = 0)")):
        _, result = energy_error(alpha)
        t, table[name] = result.t, stretch(result)
    return view.curves(t, table, "time, s", "stretch, m", title="Figure 18: stable and diverging")


def collision(stiffness: float) -> tuple[float, float, int]:
    """A ball of 1 kg meets a wall at 1 m/s: how long, s, by which mean step, s, and evaluations."""
    way, time = 0.05, math.pi / math.sqrt(stiffness)
    ball = P.ParticleObject("ball", np.array([[0.0, 0.0, way]]), np.ones(1)).moving((0, 0, -1))
    scene = P.Scene(ball, P.Floor(stiffness=stiffness), gravity=(0, 0, 0), step=P.EnergyStep(error=1e-4))
    before, after = (hs.simulate(scene, until=end, every=end).report for end in (way, way + time))
    steps = after["steps"] - before["steps"]
    return time, time / steps, steps + after["rejected"] - before["rejected"]


def figure_22() -> Any:
    """Stiff collisions are short and need short steps; their cost is that of soft ones."""
    stiffness = np.logspace(2, 8, 13)
    rows = np.array([collision(k) for k in stiffness])
    table = {"duration, s": rows[:, 0], "mean step, s": rows[:, 1], "evaluations": rows[:, 2]}
    title = "Figure 22: what a collision costs"
    return view.curves(stiffness, table, "stiffness, N/m", "", title=title, logarithmic="xy")


def falling_ball(stiffness: float, until: float = 3.0) -> Any:
    """A ball of 1 kg that falls from 1 m and bounces."""
    ball = P.ParticleObject("ball", np.array([[0.0, 0.0, 1.0]]), np.ones(1))
    damping = 0.1 * math.sqrt(stiffness)
    step = P.EnergyStep(error=1e-3, longest=0.05)
    return hs.simulate(P.Scene(ball, P.Floor(stiffness, damping), step=step), until=until, every=1e-4)


def interval_means(result: Any, interval: float) -> Any:
    """The mean step in the interval of each moment, s."""
    number = np.floor(result.t / interval - 1e-9).astype(int).clip(0)
    rate = 1.0 / np.maximum(result["step"], 1e-12)
    rate[0] = rate[1]
    return (np.bincount(number) / np.bincount(number, rate))[number]


def figure_23() -> Any:
    """Steps change fast, their mean in an interval slowly."""
    result = falling_ball(1e5)
    table = {"step, s": np.maximum(result["step"], 1e-7)}
    table |= {f"mean in {1e3 * i:g} ms": interval_means(result, i) for i in (0.05, 0.5)}
    title = "Figure 23: mean step of intervals"
    return view.curves(result.t, table, "time, s", "s", title=title, logarithmic="y")


def gain(stiffness: float) -> dict[str, float]:
    """What adaptive steps of the falling ball cost, and save against constant ones for its impacts."""
    result = falling_ball(stiffness)
    report = result.report
    count = report["steps"] + report["rejected"]
    return {
        "evaluations per step": count / report["steps"],
        "greatest/mean": float(result["step"].max()) * report["steps"] / 3.0,
        "gain": 3.0 / report["shortest_step"] / count,
        "steps": report["steps"],
    }


def pyramid_on_table(relative: float = 1e-3) -> Any:
    """A pyramid of 4 kg that falls on a table by 0.2 m, λ = 2000 N/m in both, and tumbles."""
    corners = [(-0.1, -0.1, 0), (0.1, -0.1, 0), (0.1, 0.1, 0), (-0.1, 0.1, 0), (0, 0, 0.2)]
    faces = [(0, 3, 2, 1), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    thing = P.polyhedron("pyramid", corners, faces, mass=4.0, stiffness=2000.0, damping=1.0)
    table = P.Floor(stiffness=2000, damping=5, friction=0.4)
    step = P.EnergyStep(relative=relative)
    return hs.simulate(
        P.Scene(thing.at(0, 0, 0.25, rpy=(0.2, 0.1, 0)), table, step=step), until=2.0, every=1e-3
    )


def figure_33() -> Any:
    """How many steps a second a stiff collision needs."""
    result = pyramid_on_table()
    inner = slice(1, -1)  # the last step is cut where the run ends
    table = {
        "height of the centre, m": result["pyramid.z"][inner],
        "steps a second": 1.0 / result["step"][inner],
    }
    return view.plot(result.t[inner], table, "Figure 33: a pyramid on a table, λ = 2000 N/m")


def figure_cost() -> Any:
    """The time of one evaluation of all forces, over the number of particles."""
    from hapsis.bench.particles.particles_benchmark import force_costs

    result = force_costs()
    counts = np.array([case["particles"] for case in result["cases"]])
    table = {"all forces, s": np.array([case["seconds"] for case in result["cases"]])}
    table["linear"] = table["all forces, s"][0] * counts / counts[0]
    title = f"One evaluation of forces: particles to the power {result['exponent']:.2f}"
    return view.curves(counts, table, "particles", "s", title=title, logarithmic="xy")


FIGURES = {
    5: figure_5,
    15: figure_15,
    16: figure_16,
    18: figure_18,
    19: figure_19,
    20: figure_20,
    21: figure_21,
    22: figure_22,
    23: figure_23,
    33: figure_33,
}


def main() -> None:
    """Draws all."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for number, figure in FIGURES.items():
        figure().save(folder / f"figure_{number}.svg")
    figure_cost().save(folder / "cost.svg")
    for name, scheme in SCHEMES.items():
        adaptive, constant, count = errors(*scheme)
        print(f"{name}: {count} steps, adaptive {adaptive:.2e} m, constant {constant:.2e} m")
    for stiffness in (1e3, 1e5, 1e7, 1e9):
        print(
            f"floor of {stiffness:g} N/m:", {name: float(f"{x:.3g}") for name, x in gain(stiffness).items()}
        )


if __name__ == "__main__":
    main()
