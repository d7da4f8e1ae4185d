"""Free motion feels free: what a tracked drive tells while a hand moves it, at every rate."""

from functools import cache

import numpy as np
import pytest
from samples import sample
from shared_models import four_bar

import hapsis as hs
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.native import Array, Kernel, at, bound, native, record, sized
from hapsis.touch.realtime.loop_memory import ModelState
from hapsis.touch.realtime.native_loop import advance
from hapsis.touch.realtime.packed_step import STEP_PORTS, pack_step

EPS = np.finfo(float).eps
CASES = sample(40, 1000)
RATES = (500, 1000, 4000, 20_000)


def linear():
    """A block on a rail."""
    return hs.Model(
        hs.Body("tool", mass="m", inertia=("m", "m", "m")),
        hs.Prismatic("x", hs.WORLD, "tool", axis="x"),
        hs.Drive("hand", "x", position="input", tracking="b"),
        gravity=(0, 0, 0),
        parameters={"m": 1.0, "b": 100.0},
    )


def rotary():
    """A body that turns about an axis outside its centre of mass."""
    return hs.Model(
        hs.Body("tool", mass="m", com=(0.3, 0.1, 0.2), inertia=("m", "2 * m", "1.5 * m")),
        hs.Revolute("x", hs.WORLD, "tool", axis="y"),
        hs.Drive("hand", "x", position="input", tracking="b"),
        gravity=(0, 0, 0),
        parameters={"m": 1.0, "b": 100.0},
    )


def carried():
    """A cart that carries a block on a spring: what is behind the drive moves freely."""
    return hs.Model(
        hs.Body("cart", mass="0.5 * m", inertia=("m", "m", "m")),
        hs.Body("tool", mass="m", inertia=("m", "m", "m")),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Prismatic("u", "cart", "tool", axis="x"),
        hs.JointSpring("s", "u", stiffness="10 * m", damping="m"),
        hs.Drive("hand", "x", position="input", tracking="b"),
        gravity=(0, 0, 0),
        parameters={"m": 1.0, "b": 100.0},
    )


def parallelogram():
    """A closed loop whose inertia is the same in all positions."""
    return hs.Model(
        hs.Rod("crank", length=0.2, mass="m"),
        hs.Rod("coupler", length=0.5, mass="2 * m"),
        hs.Rod("rocker", length=0.2, mass="m"),
        hs.Revolute("x", hs.WORLD, "crank", axis="y"),
        hs.Revolute("B", "crank.end", "coupler", axis="y"),
        hs.Revolute("D", hs.WORLD.at(0.5, 0, 0), "rocker", axis="y"),
        hs.Revolute("C", "coupler.end", "rocker.end", axis="y"),
        hs.Drive("hand", "x", position="input", tracking="b"),
        gravity=(0, 0, 0),
        parameters={"m": 1.0, "b": 100.0},
        poses={"start": {"x": -0.8, "B": 0.8, "D": -0.8}},
    )


def inertia(which, m):
    """What a drive feels at the start: kg or kg m² (of what moves with it at once)."""
    if which in ("linear", "rotary"):
        turned = 2.0 * m + m * (0.3**2 + 0.2**2)
        return m if which == "linear" else turned
    return 1.5 * m if which == "carried" else (2.0 / 3.0 + 2.0) * m * 0.2**2


MODELS = {f.__name__: f for f in (linear, rotary, carried, parallelogram)}


@record
class Ticks:
    """The steps of a run: a position for each, and a row of outputs."""

    rows: int
    lives: int = 2
    outputs: int = 3
    step: Kernel
    state: ModelState
    u: Array = sized("rows")
    live: Array = sized("lives")
    out: Array = sized("rows * outputs")


@native
def run(ticks: Ticks) -> None:
    for k in range(ticks.rows):
        out = at(ticks.out, k * ticks.outputs)
        advance(ticks.step, ticks.state, at(ticks.u, k), ticks.live, out)


@cache
def compiled(which, rate, method, substeps=1):
    """The step of a model as the loop calls it, and its native code."""
    f = hs.stepper(
        MODELS[which](),
        1 / rate,
        inputs=["hand.position"],
        outputs=["hand.force", "x", "x.a"],
        method=method,
        substeps=substeps,
    )
    packed = pack_step(f, ("m", "b"))
    return packed, bound(compile(packed.function), vary=STEP_PORTS)


def felt(which, rate, method, m, b, given, lead=None, substeps=1):
    """Force, position and acceleration of every tick of a motion that was given.

    lead    the speed before the first tick, which the tool follows already; at rest without it
    """
    packed, step = compiled(which, rate, method, substeps)
    start = packed.start.copy()  # q, v, z, t
    if lead is not None:
        x = given[0] - lead / rate - 2.0 * lead / b
        start[:] = np.concatenate([*closed(which, x, lead), [x, lead, given[0] - lead / rate, 0.0]])
    state = ModelState(size=len(start), y=np.tile(start, 2))
    ticks = Ticks(rows=len(given), step=step, state=state, u=given, live=np.array([m, b]))
    run(ticks)
    assert state.bad == 0
    return ticks.out.reshape(len(given), -1).T


def closed(which, x, speed):
    if which == "carried":
        return np.array([x, 0.0]), np.array([speed, 0.0])
    if which == "parallelogram":
        return np.array([x, -x, x]), np.array([speed, -speed, speed])
    return np.array([x]), np.array([speed])


def drawn(seed):
    """Which model, how fast, by which method, of which mass and bandwidth, and how quick a hand."""
    rng = np.random.default_rng(seed)
    which, rate = list(MODELS)[seed % len(MODELS)], RATES[seed // len(MODELS) % len(RATES)]
    method = ("rk4", "euler")[seed // 16 % 2]
    m = 10.0 ** rng.uniform(-6, 3)
    b = 10.0 ** rng.uniform(1, np.log10(min(3000.0, 1.2 * rate)))
    return rng, which, rate, method, m, b, rng.uniform(-1, 1) * 10.0 ** rng.uniform(-3, 0)


def noise(which, m, b, given):
    """What rounding may do to a force of these sizes."""
    return 1e3 * EPS * inertia(which, m) * b * b * np.abs(given).max()


@pytest.mark.parametrize("seed", range(CASES))
def test_even_motion_is_not_felt(seed):
    """Nothing pushes along the motion, nor against it: 0 within rounding, for every mass."""
    _, which, rate, method, m, b, v = drawn(seed)
    given = -0.8 + v * np.arange(60) / rate
    force, x, a = felt(which, rate, method, m, b, given, lead=v)
    small = noise(which, m, b, given) + 1e-12 * inertia(which, m) * v * v
    assert np.abs(force).max() <= small and np.abs(a).max() <= small / inertia(which, m)
    assert np.allclose(x, given - 2.0 * v / b, atol=1e-12)  # 2 / b late behind the position given last


@pytest.mark.parametrize("which", MODELS)
def test_an_even_motion_that_sets_in_is_soon_not_felt(which):
    """From rest: the push is that of the tool's own acceleration, and ends with it."""
    m, b, v, rate = 1.0, 400.0, 0.1, 1000
    given = -0.8 + v * np.arange(300) / rate
    force, _, a = felt(which, rate, "rk4", m, b, given)
    assert force[:5].min() < -0.1 * inertia(which, m) * b * v * 0.3  # against the motion
    if which != "carried":
        assert np.abs(force[150:]).max() < 1e-9
        assert np.allclose(force, -inertia(which, m) * a, atol=1e-3 * np.abs(force).max())


@pytest.mark.parametrize("which", MODELS)
def test_without_mass_nothing_is_felt(which):
    """Whatever the motion: a massless tool has no force at all."""
    rng = np.random.default_rng(1)
    given = -0.8 + 1e-3 * np.cumsum(rng.normal(size=100))
    if which in ("linear", "rotary"):
        for rate in RATES:
            assert np.abs(felt(which, rate, "rk4", 0.0, 200.0, given)[0]).max() == 0.0
    light = felt(which, 1000, "rk4", 1e-12, 200.0, given)[0]
    heavy = felt(which, 1000, "rk4", 1.0, 200.0, given)[0]
    assert np.allclose(light * 1e12, heavy, rtol=1e-6, atol=1e-6 * np.abs(heavy).max())


def smooth(rng, rate, count, fastest):
    """A random motion: a sum of sines of whole periods, slower than that many rad/s."""
    k = np.arange(count)
    most = max(2, int(fastest * count / rate / (2 * np.pi)))
    waves = rng.integers(1, most + 1, size=min(5, most))
    return sum(
        rng.normal() * 0.01 * np.sin(2 * np.pi * w * k / count + rng.uniform(0, 6.28)) / w for w in waves
    )


def filtered(b, rate, given):
    """The accelerations of the filter by its exact solution, the position moving evenly between ticks."""
    T, x, w, before, rows = 1 / rate, given[0], 0.0, given[0], []
    e = np.exp(-b * T)
    for p in given:
        slope = (p - before) / T
        # x - (before + slope t - 2 slope / b) =: (c + d t) e^(-b t)
        c = x - before + 2.0 * slope / b
        d = w - slope + b * c
        x, w = p - 2.0 * slope / b + (c + d * T) * e, slope + (d - b * (c + d * T)) * e
        before = p
        rows.append(b * (b * (p - x) - 2.0 * w))
    return np.array(rows)


@pytest.mark.parametrize("seed", range(CASES))
def test_a_mass_is_felt_as_the_acceleration_of_the_tracked_motion(seed):
    """Against the exact solution of the filter: m a, to the error of the method."""
    rng, which, rate, _, m, b, _ = drawn(seed)
    which, b = ("linear", "rotary")[seed % 2], min(b, 0.3 * rate)
    given = smooth(rng, rate, 200, 2.0 * b)
    given = given - given[0]
    force, _, a = felt(which, rate, "rk4", m, b, given)
    wanted = filtered(b, rate, given)
    close = (0.1 * (b / rate) ** 4 + 1e-9) * np.abs(wanted).max()
    assert np.abs(a - wanted).max() <= close
    assert np.abs(force + inertia(which, m) * a).max() <= 1e-12 * np.abs(force).max()


@pytest.mark.parametrize("seed", range(sample(6, 100)))
def test_as_simulate_with_a_table(seed):
    """A closed loop with a varying inertia: a table through the same positions, by another integrator."""
    rng = np.random.default_rng(seed)
    rate, b = int(rng.choice([500, 1000, 2000])), rng.uniform(30.0, 150.0)
    model = four_bar(
        hs.Drive("hand", "A", position="input", tracking=b), poses={"start": {"A": 0.3, "B": 0.4, "D": 1.2}}
    )
    given = 0.3 + 5.0 * smooth(rng, rate, 100, 60.0)
    given[0] = 0.3
    f = hs.stepper(model, 1 / rate, inputs=["hand.position"], outputs=["hand.effort", "A", "D"])
    step, state = hs.compile(f), {port.name: port.stand_in for port in f.inputs}
    rows = []
    for p in given:
        q, v, z, t, *told = step(**state | {"hand.position": p})
        state |= {"q": q, "v": v, "z": z, "t": t}
        rows.append(told)
    table = np.arange(len(given) + 1) / rate, np.concatenate([[0.3], given])
    result = hs.simulate(
        model,
        until=len(given) / rate,
        every=1 / rate,
        inputs={"hand.position": table},
        tolerance=1e-10,
        watchdog=False,
    )
    for name, told in zip(("hand.effort", "A", "D"), np.array(rows).T, strict=True):
        wanted = result[name][1:]
        close = 0.1 * (b / rate) ** 4 + 2e-5  # the error of the method
        assert np.abs(told - wanted).max() <= close * np.abs(wanted - wanted.mean()).max()


def slowest_active(b, rate):
    """The lowest frequency, rad/s, at which a mass that follows gives a hand energy: from the
    accelerations b² e (z - 1)² / (z - e)² p of the first-order hold, e = exp(-b T), whose force is held."""
    angle = np.linspace(1e-4, np.pi, 20_000)
    z, e = np.exp(1j * angle), np.exp(-b / rate)
    given = -((z - 1) / (z - e) ** 2).real  # per way squared
    return rate * angle[np.argmax(given > 0)]


def test_the_limit_of_passivity_is_the_one_that_is_documented():
    for b, rate in ((100.0, 1000), (400.0, 1000), (400.0, 4000), (1000.0, 20_000)):
        angle = slowest_active(b, rate) / rate
        assert np.cos(angle) + np.sin(angle) * np.tan(angle / 4) == pytest.approx(np.exp(-b / rate), abs=1e-3)
        assert angle == pytest.approx(2.0 * np.sqrt(b / rate), rel=0.25)


@pytest.mark.parametrize("seed", range(CASES))
def test_free_motion_gives_the_hand_no_energy(seed):
    """Random motions: the mean power is negative, and so it is at each frequency up to the limit."""
    rng, _, rate, _, m, _, _ = drawn(seed)
    which, b = ("linear", "rotary")[seed % 2], rate * 10.0 ** rng.uniform(-1.7, -0.2)
    count = int(2 ** np.ceil(np.log2(100.0 * rate / b)))
    waves = np.arange(1, 1 + max(1, int(0.95 * slowest_active(b, rate) * count / rate / (2 * np.pi))))
    phases = 2 * np.pi * np.outer(waves, np.arange(count)) / count
    heights, starts = 0.01 * rng.normal(size=len(waves)) / waves, rng.uniform(0.0, 6.28, len(waves))
    given = heights @ np.sin(phases + starts[:, None])
    # until the start is forgotten, then one more time
    again = np.tile(given, 2 + int(np.ceil(50.0 * rate / b / count)))
    force = felt(which, rate, "rk4", m, b, again)[0][-count:]
    way = np.roll(given, -1) - given  # until the next position the force is held
    power = (np.fft.rfft(force) * np.fft.rfft(way).conj()).real[waves] / count**2
    rounding = noise(which, m, b, given) * np.abs(way).max()
    assert (power <= rounding).all() and (force * way).mean() <= rounding
    assert power.min() < -100.0 * rounding


def test_drives_with_rates_move_on_within_the_step():
    """A block on a spring behind a drive by position, velocity and acceleration: no push either."""
    model = hs.Model(
        hs.Body("cart", mass=0.5, inertia=(1, 1, 1)),
        hs.Body("tool", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "cart", axis="x"),
        hs.Prismatic("u", "cart", "tool", axis="x"),
        hs.JointSpring("s", "u", stiffness=500.0, damping=1.0),
        hs.Drive("hand", "x", position="input"),
        gravity=(0, 0, 0),
    )
    names = ["hand.position", "hand.velocity", "hand.acceleration"]
    for rate in (500, 4000):
        for method in ("rk4", "euler"):
            f = hs.stepper(model, 1 / rate, inputs=names, outputs=["hand.force", "u"], method=method)
            step, speed = hs.compile(f), 0.3
            q, v, t = np.array([0.0, 0.0]), np.array([speed, 0.0]), 0.0
            for k in range(1, 200):
                q, v, t, force, stretch = step(q, v, t, speed * k / rate, speed, 0.0)
                assert abs(force) < 1e-9 and abs(stretch) < 1e-12


def test_substeps_are_steps():
    """Four substeps of a step are four steps, with the position moving evenly over them."""
    rng = np.random.default_rng(5)
    given = 1e-3 * np.cumsum(rng.normal(size=50))
    fine = np.interp(np.arange(1, 201) / 4, np.arange(51), np.concatenate([[0.0], given]))
    one = felt("linear", 1000, "rk4", 2.0, 300.0, given, substeps=4)
    four = felt("linear", 4000, "rk4", 2.0, 300.0, fine)
    assert np.allclose(one, four[:, 3::4], rtol=1e-9, atol=1e-9 * np.abs(one[0]).max())
