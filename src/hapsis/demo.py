"""The demonstration that `hapsis demo` runs: a piano key to press, then from an energy to a moving machine.

The action of a grand piano becomes a page that computes its motion in the browser, and a simulated hand
presses its key in the native loop. Then a double pendulum is described by its energies only. Derivatives
give its equations of motion, one Function takes a whole time step, `repeat` makes a thousand of them one
kernel, and a batch of
pendulums runs in the lanes of the processor. Then the same mechanism as a model, with a wall in its
way: what a user would write.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import one_line

STEPS, DT, STATES = 1000, 1e-3, 4096
LARGEST = 1_500_000  # bytes of the page
RATE, PRESS, TRAVEL = 4000, 0.15, 9.9e-3  # ticks per second; m/s and m of the finger
MUTE = 1e-9  # m/s: no hammer


def main(check: bool = False) -> int:
    """Run the demonstration and return the exit status.

    With `check`, verify the numbers it shows and return 1 if one is wrong; no browser is opened then.
    """
    import hapsis as hs

    made = page(hs, not check and has_display())
    speed = stroke(hs, paced=not check)
    print("\nThe same compiler on formulas: a double pendulum, from its energies to native code.\n")
    energy, dynamics = pendulum(hs)
    step = time_step(hs, dynamics)
    print(dynamics, "\n")
    print(hs.explain(dynamics), "\n")

    x = hs.symbols("x", 4)
    many = hs.Function("second", {"x": x}, {"x1": hs.repeat(step, x, times=STEPS)})
    start = time.perf_counter()
    run: Any = hs.compile(many)
    print(
        f"{STEPS} Runge-Kutta steps as one kernel, compiled in "
        f"{1e3 * (time.perf_counter() - start):.0f} ms (less from the cache)"
    )

    angles = np.linspace(0.5, 2.5, STATES)
    states = np.stack([angles, angles, 0 * angles, 0 * angles], axis=1)
    run(states[:8])
    start = time.perf_counter()
    after = run(states)
    took = time.perf_counter() - start
    rate = STATES * STEPS / took
    print(f"{STATES} pendulums for one second: {took:.2f} s, {rate / 1e6:.0f} million steps/s")

    total: Any = hs.compile(energy)
    drift = float(np.abs(total(after) - total(states)).max())
    one = run(states[7])
    end = np.array2string(one, precision=4)
    print(f"energy drift {drift:.1e} J; one state alone ends at {end}")
    trace(run, hs.compile(step))
    result = strike(hs)
    return verified(drift, after, one, result, speed > MUTE and is_page(made)) if check else 0


def page(hs: Any, opened: bool) -> Path:
    """The path of a page on which a piano key can be pressed; it is `opened` in the browser."""
    from hapsis.view.page import open_page

    start = time.perf_counter()
    path = Path(tempfile.mkdtemp(prefix="hapsis-")) / "grand_piano_key.html"
    hs.share(hs.library.grand_action(), path)
    took, size = time.perf_counter() - start, path.stat().st_size
    print(f"A grand piano key as a page, made in {took:.1f} s: press it with the keys 1 (soft) to 9 (hard).")
    print(f"{'opened:' if opened else 'open it in a browser:'} {one_line(str(path))}, {size / 1e6:.2g} MB")
    if opened:
        open_page(path)
    return path


def stroke(hs: Any, paced: bool) -> float:
    """The speed of the hammer at the string, m/s, when a simulated hand presses the key in the loop.

    A loop that is `paced` keeps real time; another one does not depend on how busy the machine is.
    """
    outputs = ["key.force", "string.touch.speed"]
    step = hs.stepper(
        hs.library.grand_action(), 1 / RATE, inputs=["key.position"], outputs=outputs, method="euler"
    )
    with hs.haptics.SimulatedHand(speed=PRESS, travel=TRAVEL, hold=0.3, rise=0.02) as hand:
        loop = hs.realtime.Loop(step.baked(), rate=RATE, paced=paced).connect(hand)
        loop.run(seconds=0.5)
    report = loop.report()
    speed, force = (float(np.abs(report[name]).max()) for name in ("string.touch.speed", "key.force"))
    print(f"\nA hand presses it at {PRESS:g} m/s, in a loop of {RATE} ticks per second:")
    print(f"hammer at the string {speed:.2f} m/s, largest force under the finger {force:.1f} N")
    print(report)
    return speed


def has_display() -> bool:
    """Whether this machine has a screen on which a browser can open, as far as that can be known."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def is_page(path: Path) -> bool:
    """Whether a file is a page, and no larger than it should be."""
    return path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>") and path.stat().st_size < LARGEST


def strike(hs: Any) -> Any:
    """A double pendulum swings against a wall: ten seconds, by `hs.simulate`."""
    model = hs.Model(
        hs.Rod("upper", length=1.0, mass=1.0),
        hs.Rod("lower", length=1.0, mass=1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        hs.Contact(
            "wall",
            ("lower.end", hs.Sphere(0.05)),
            hs.WORLD.plane(normal="x", at=(-0.5, 0, 0)),
            law=hs.HuntCrossley(stiffness=1e6, restitution=0.6),
        ),
    )
    result = hs.simulate(model, until=10.0)
    hits = [event.time for event in result.events if event.name == "wall.touch"]
    seconds, steps = result.report["seconds"], result.report["steps"]
    print(f"\nA model of one, and a wall: 10 s in {1e3 * seconds:.0f} ms, {steps} steps")
    print(f"hits at {', '.join(f'{t:.3f}' for t in hits[:4])}, ... s")
    print(f"energy is explained to {result.energy_drift:.0e} of the energy exchanged")
    return result


def pendulum(hs: Any) -> tuple[Any, Any]:
    """Energy, and the derivative of the state (two angles, two rates): two masses on two rods."""
    x = hs.symbols("x", 4, kind="coordinate")
    mass = hs.parameter("mass", 1.0, kind="mass")
    length = hs.parameter("length", 1.0, kind="length")
    (a, b), (da, db) = x[:2], x[2:]
    kinetic = mass * length**2 * (da**2 + db**2 / 2 + da * db * hs.cos(a - b))
    potential = -9.81 * mass * length * (2 * hs.cos(a) + hs.cos(b))
    energy = hs.Function("energy", {"x": x}, {"E": kinetic + potential})
    # Lagrange: d/dt (dT/dv) = dT/dq - dV/dq, with M = d2T/dv2
    T = hs.Function("T", {"x": x}, {"T": kinetic})
    L = hs.Function("L", {"x": x}, {"L": kinetic - potential})
    slope = T.jacobian("T", "x")
    hessian = slope.jacobian("d_T_d_x", "x")(x)
    M, C = hessian[2:, 2:], hessian[2:, :2]
    force = L.jacobian("L", "x")(x)[:2] - C @ x[2:]
    det = M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
    rates = [
        da,
        db,
        (M[1, 1] * force[0] - M[0, 1] * force[1]) / det,
        (M[0, 0] * force[1] - M[1, 0] * force[0]) / det,
    ]
    return energy, hs.Function("pendulum", {"x": x}, {"dx": rates})


def time_step(hs: Any, dynamics: Any) -> Any:
    """One Runge-Kutta step; the dynamics are kept as a call, so the code stays small."""
    x = hs.symbols("x", 4, kind="coordinate")
    k1 = hs.call(dynamics, x)
    k2 = hs.call(dynamics, x + k1 * (DT / 2))
    k3 = hs.call(dynamics, x + k2 * (DT / 2))
    k4 = hs.call(dynamics, x + k3 * DT)
    return hs.Function("step", {"x": x}, {"x1": x + (k1 + 2 * k2 + 2 * k3 + k4) * (DT / 6)})


def trace(run: Any, step: Any) -> None:
    """The two angles over two seconds, drawn with characters."""
    rows, x = [], np.array([2.0, 2.0, 0.0, 0.0])
    for _ in range(72):
        rows.append(x[:2])
        for _ in range(28):
            x = step(x)
    bars = " ▁▂▃▄▅▆▇█"
    for name, angle in zip(("inner angle", "outer angle"), np.array(rows).T, strict=True):
        level = np.interp(angle, [angle.min(), angle.max()], [0, len(bars) - 1]).round().astype(int)
        print(f"{name}  {''.join(bars[k] for k in level)}  {angle.min():.2f} to {angle.max():.2f}")


def verified(drift: float, after: Any, one: Any, result: Any, sounds: bool = True) -> int:
    """0 if energy is kept, the batch agrees with a single state, and all is finite."""
    wrong = []
    if not sounds:
        wrong.append("the piano key: no page, or no hammer at the string")
    if not (result.success and result.energy_drift < 1e-6):
        wrong.append(f"the simulation: {result.status}, energy drift {result.energy_drift:.1e}")
    if not drift < 1e-7:
        wrong.append(f"energy drifts by {drift:.1e} J")
    if not np.allclose(after[7], one, rtol=1e-12, atol=1e-12):
        wrong.append("a batch and a single state disagree")
    if not np.isfinite(after).all():
        wrong.append("a state is not finite")
    print("check: " + ("; ".join(wrong) or "energy kept, batch and single state agree"))
    return 1 if wrong else 0
