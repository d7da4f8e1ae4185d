"""Laws of friction in contacts: a bounded slope, and bristles that stick and create no energy."""

import pickle
import random

import forces
import numpy as np
import pytest
from forces import values
from test_laws_mapped_contacts import KINDS, scene
from trees import close

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.state_rates import signals, state_rates
from hapsis.mechanics.model.contact_laws.contact_bristles import ELASTIC, SETTLING

G = 9.81


def compiled(law):
    """The force and the rates of a law, of rows of numbers."""
    N, v, z = hs.symbol("N"), hs.symbols("v", 3), hs.symbols("z", 3)
    names = list(law.states)
    force, rates = law.evaluate(law.fields, (N, tuple(v)), dict(zip(names, z, strict=False)))
    outputs = {"F": list(force)} | ({"dz": [rates[n] for n in names]} if names else {})
    return hs.compile(hs.Function("f", {"N": N, "v": v, "z": z}, outputs))


def rows(count, seed):
    """Normal forces, slips and deflections of all sizes, in a plane."""
    draw = np.random.default_rng(seed)
    N = np.where(draw.random(count) < 0.1, 0.0, 10 ** draw.uniform(-4, 3, count))
    v = draw.normal(size=(count, 3)) * 10 ** draw.uniform(-8, 1, (count, 1))
    z = draw.normal(size=(count, 3)) * 10 ** draw.uniform(-9, -2, (count, 1))
    along = draw.random((count, 1)) < 0.3
    z = np.where(along, v * 10 ** draw.uniform(-8, -2, (count, 1)), z)
    z[:, 2] = v[:, 2] = 0.0
    return N, v, z


@pytest.mark.parametrize("static", [None, 0.9])
def test_the_slope_is_bounded(static):
    N, v, z = rows(4000, 1)
    mu, width, b = 0.7, 4e-3, 10.0
    F = compiled(hs.Coulomb(mu, static, width, slope=b))(N, v, z)
    speed = np.linalg.norm(v, axis=1)
    fall = np.clip((np.maximum(speed / width, 1.0) - 1.0) / 9.0, 0.0, 1.0)
    limit = mu + ((static or mu) - mu) * (1.0 - fall**2 * (3.0 - 2.0 * fall))
    expected = limit * N * np.tanh(speed / (width + limit * N / b))
    close(F, -expected[:, None] * v / speed[:, None], gate=1e-13)
    assert (np.linalg.norm(F, axis=1) <= b * speed * (1 + 1e-12)).all()
    assert (F[N == 0.0] == 0.0).all()
    assert hs.Coulomb(mu, slope=b)(3.0, (0.0, 0.0, 0.0)) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("N", [1e-3, 10.0, 1e3, 1e6])
@pytest.mark.parametrize("slip", [0.0, 1e-12, 1e-4])
def test_the_slope_at_little_slip_is_exact(N, slip):
    """However wide the curve is: μ N / width (1 - tanh²) by hand, at no slip too."""
    mu, speed, b = 0.5, 1e-3, 10.0
    law = hs.Coulomb(mu, speed=speed, slope=b)
    v = hs.symbols("v", 3)
    force, _ = law.evaluate(law.fields, (N, tuple(v)), {})
    along = hs.compile(hs.Function("f", {"v": v}, {"F": list(force)}).jvp("v"))((slip, 0, 0), (1, 0, 0))
    width = speed + mu * N / b
    assert along[0] == pytest.approx(-mu * N / width / np.cosh(slip / width) ** 2, rel=1e-9)


@pytest.mark.parametrize("static", [None, 0.9])
def test_bristles_create_no_energy(static):
    """Whatever slip, deflection and normal force are: the power lost, and never more force than μ N."""
    mu, k = 0.7, 1e4
    N, v, z = rows(40000, 2)
    F, dz = compiled(hs.Coulomb(mu, static, bristle=k))(N, v, z)
    loss = -(F * v).sum(1) - k * (z * dz).sum(1)
    scale = np.abs(F * v).sum(1) + k * np.abs(z * dz).sum(1)
    assert (loss >= -1e-12 * scale).all()
    assert (np.linalg.norm(F, axis=1) <= (static or mu) * N * (1 + 1e-12)).all()
    # in the elastic range nothing slips
    held = np.linalg.norm(z, axis=1) < ELASTIC * mu * N / k
    close(dz[held], v[held], gate=1e-13)
    assert held.any() and (F[N == 0.0] == 0.0).all()


def test_steady_sliding_is_coulombs():
    """Along any way, after a while: μ N against the slip."""
    law = compiled(hs.Coulomb(0.7, bristle=1e4))
    z, N = np.zeros(3), 3.0
    for direction in ((1.0, 0, 0), (0.6, 0.8, 0), (-1.0, 0.2, 0)):
        v = 0.1 * np.array(direction)
        for _ in range(4000):
            F, dz = law(N, v, z)
            z = z + 5e-6 * dz
        close(F, -0.7 * N * v / np.linalg.norm(v), gate=2e-3)


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
def test_the_power_of_bristles_between_all_pairs(kinds):
    """dE/dt = tau · v - loss, and an elastic contact loses energy by its friction only."""
    if kinds[0] == "cylinder" and kinds[1] in ("box", "cylinder"):
        pytest.skip("takes long, and is no other route")
    made = scene(kinds, 0, False)
    rough = [
        hs.Contact(c.name, c.first, c.second, hs.Linear(30.0), hs.Coulomb(0.4, bristle=50.0))
        for c in made.contacts.values()
    ]
    made = hs.Model([b for b in made.bodies.values() if b.name != "world"], list(made.joints.values()), rough)
    known = forces.known(made, random.Random(3), 6)
    known["q"][:, :3] *= 0.2
    found = values(state_rates(made), known)
    function = signals(made)
    moving = {"q": found.dq, "v": found.a, "z": found.dz}
    along = function.jvp(*moving)
    rates = values(along, known, **{f"d_{name}": x for name, x in moving.items()})
    power = (known["tau"] * known["v"]).sum(-1)
    close(rates.d_kinetic + rates.d_potential, power - found.loss, power, gate=1e-9)
    assert (found.loss >= -1e-9 * np.abs(found.loss).max()).all()


def slope(angle, friction, shape=None, mapped=None):
    """A block on a plane that gravity pulls along, at its rest."""
    law = hs.Linear(1e5, 500.0)
    shape = hs.Box((0.2, 0.2, 0.02)) if shape is None else shape
    return hs.Model(
        hs.Body("b", mass=1.0, inertia=(0.01, 0.01, 0.01)),
        hs.Free("j", hs.WORLD, "b"),
        hs.Contact("c", ("b", shape), hs.WORLD.plane("z"), law, friction, mapped=mapped),
        gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)),
    )


def start(angle):
    return {"j.z": 0.01 - G * np.cos(angle) / 4e5}


METHODS = [("order8", None), ("order5", None), ("stiff", None), ("rk4", 2e-4), ("euler", 1e-4)]


@pytest.mark.parametrize("method, step", METHODS)
def test_a_block_below_the_angle_of_friction_does_not_creep(method, step):
    mu, k = 0.6, 1e4
    angle = np.arctan(0.8 * mu)
    for mapped in (None, True) if method == "order5" else (None,):
        model = slope(angle, hs.Coulomb(mu, bristle=k), mapped=mapped)
        result = hs.simulate(model, until=4.0, start=start(angle), every=1.0, method=method, step=step)
        x = result["j.x"]
        settled, last = x[np.searchsorted(result.t, 1.0)], x[-1]
        assert abs(last - settled) < 1e-9
        assert 0.0 < last < 4 * G / (4 * k)  # four corners; it slips a little while its load comes
        assert result["c.force"][-1] == pytest.approx(G * np.cos(angle), rel=1e-6)


def test_above_it_slides_as_it_should():
    mu, angle = 0.3, np.arctan(0.6)
    # it speeds up a little while its bristles bend, the less the stiffer they are
    result = hs.simulate(slope(angle, hs.Coulomb(mu, bristle=1e5)), until=1.0, start=start(angle), every=0.1)
    expected = G * (np.sin(angle) - mu * np.cos(angle)) / 2.0
    assert result["j.x"][-1] == pytest.approx(expected, rel=2e-3)
    assert result.success and result.energy_drift < 1e-6


def test_steps_hold_it_too():
    mu, k = 0.6, 1e4
    angle = np.arctan(0.8 * mu)
    model = slope(angle, hs.Coulomb(mu, bristle=k))
    step = hs.compile(hs.stepper(model, 1e-4, start=start(angle), outputs=["j.x"]))
    state, found = step(), []
    for number in range(20000):
        state = step(state.q, state.v, state.z, state.t)
        if number in (9999, 19999):
            found.append(state.q[0])
    assert abs(found[1] - found[0]) < 1e-9 and 0.0 < found[1] < G / k


def test_what_has_left_has_no_deflection():
    model = hs.Model(
        hs.Body("b", mass=1.0, inertia=(0.01, 0.01, 0.01)),
        hs.Free("j", hs.WORLD, "b"),
        hs.Contact("c", ("b", hs.Sphere(0.1)), hs.WORLD.plane("z"), hs.Linear(1e5, 20.0),
                   hs.Coulomb(0.6, bristle=1e4)),
    )  # fmt: skip
    result = hs.simulate(model, until=0.25, start={"j.z": 0.15, "j.vx": 0.5}, every=1e-3)
    leave = next(e.time for e in result.events if e.name == "c.leave")
    bend = np.abs(result["c.bend.x"])
    assert bend.max() > 1e-5
    assert bend[result.t < 0.1].max() == 0.0
    assert bend[result.t > leave + 20 * SETTLING].max() < 1e-7 * bend.max()


def test_a_block_on_a_turntable_stays():
    """The deflection turns with the plane: the pull inwards always points to the axis."""
    speed, k = 2.0, 1e4
    model = hs.Model(
        hs.Body("table", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("turn", hs.WORLD, "table", axis="z"),
        hs.Drive("motor", "turn", position=f"{speed} * t"),
        hs.Body("b", mass=1.0, inertia=(0.01, 0.01, 0.01)),
        hs.Free("j", hs.WORLD, "b"),
        hs.Contact("c", ("b", hs.Box((0.2, 0.2, 0.02))), ("table", hs.Plane("z")), hs.Linear(1e5, 500.0),
                   hs.Coulomb(0.6, bristle=k)),
    )  # fmt: skip
    moving = {**start(0.0), "j.x": 0.3, "j.vy": 0.3 * speed, "j.wz": speed, "turn": 0.0}
    result = hs.simulate(model, until=3.0, start=moving, every=0.5)
    far = np.hypot(result["j.x"], result["j.y"])
    assert far[-1] == pytest.approx(0.3 + 0.3 * speed**2 / (4 * k), abs=2e-6)
    turned = np.arctan2(result["j.y"][-1], result["j.x"][-1])
    assert np.cos(turned - speed * 3.0) > 1 - 1e-6


def test_files_and_pickles_keep_them(tmp_path):
    for friction in (hs.Coulomb(0.3, slope="2 * b", speed=4e-3), hs.Coulomb(0.3, 0.4, bristle=1e4)):
        made = hs.Model(
            hs.Body("b", mass=1.0), hs.Prismatic("z", hs.WORLD, "b", axis="z"),
            hs.Contact("c", "b", hs.WORLD.plane(), friction=friction), parameters={"b": 5.0},
        )  # fmt: skip
        hs.save(made, tmp_path / "m.yaml")
        for other in (hs.load(tmp_path / "m.yaml"), pickle.loads(pickle.dumps(made))):
            assert other.contacts["c"].friction == friction


@pytest.mark.parametrize(
    "options, message",
    [
        ({"slope": 1.0, "bristle": 1.0}, "law Coulomb: slope and bristle are both given"),
        ({"slope": 0.0}, "law Coulomb: slope cannot be negative or zero"),
        ({"bristle": -1.0}, "law Coulomb: bristle cannot be negative or zero"),
    ],
)
def test_wrong_numbers_are_refused(options, message):
    with pytest.raises(hs.ModelError, match=message):
        hs.Coulomb(0.3, **options)
