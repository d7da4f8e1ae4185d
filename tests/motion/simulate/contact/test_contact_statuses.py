"""Impossible and extreme scenes in steps with contacts: an error, or a status that says when and where."""

import numpy as np
import pytest
from contact_scenes import inertia

import hapsis as hs

G = 9.81
BOX = hs.Box((1.0, 1.0, 1.0))


def free(name, shape, mass=1.0):
    """A free body."""
    return hs.Body(name, mass=mass, inertia=inertia(shape, mass)), hs.Free(f"j{name}", hs.WORLD, name)


def dropped(law, start, friction=0.5, mass=1.0, until=0.3, step=1e-3, **options):
    """A box on a plane."""
    contact = hs.Contact("touch", ("a", BOX), hs.WORLD.plane("z"), law=law, friction=friction)
    model = hs.Model(*free("a", BOX, mass), contact, gravity=(0, 0, -G))
    return hs.simulate(model, until, start, method="contact", step=step, **options)


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize(("law", "mass"), [(hs.Linear(1e300), 1.0), (hs.HuntCrossley(1e12, power=0.1), 1.0)])
def test_what_is_not_solved_names_time_and_contact(law, mass):
    result = dropped(law, {"ja.z": 0.49}, mass=mass)
    assert result.status == "not converged"
    assert result.message.startswith("t = ") and 'contact "touch"' in result.message
    assert np.isfinite(result["ja.z"]).all() and len(result["touch.force"]) == len(result.t)


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
def test_too_many_touches_are_counted():
    ball = hs.Sphere(0.5)
    count, start, facts = 52, {}, []
    for k in range(count):
        facts += free(f"b{k}", ball)
        start |= {f"jb{k}.{x}": 0.01 * k * s for x, s in zip("xyz", (1.0, 0.3, -0.2), strict=True)}
    facts += [
        hs.Contact(f"c{i}_{j}", (f"b{i}", ball), (f"b{j}", ball), law=hs.Linear(1e4))
        for i in range(count)
        for j in range(i)
    ]
    result = hs.simulate(hs.Model(*facts, gravity=(0, 0, 0)), 0.01, start, method="contact", step=1e-3)
    assert result.status == "not converged" and "1248 pairs" in result.message


@pytest.mark.parametrize("mu", [0.0, 100.0, 1e6])
@pytest.mark.parametrize("step", [1e-3, 1e-2, 1.0])
def test_any_friction_and_step_loses_energy(mu, step):
    """A box that comes down turning and sliding: from no friction to any, with steps up to a second."""
    start = {"ja.z": 0.9, "ja.vx": 5.0, "ja.wx": 3.0, "ja.wy": -2.0}
    result = dropped(
        hs.Linear(1e6, 1e3), start, hs.Coulomb(mu), until=max(1.0, 20 * step), step=step, every=step
    )
    energy = result["energy"]
    assert result.success
    assert energy.max() <= energy[0] * (1 + 1e-9)
    if mu == 0.0:
        assert result["a.vx"] == pytest.approx(5.0, abs=1e-6)
    else:
        assert abs(result["a.vx"][-1]) < 4.0


@pytest.mark.parametrize("narrow", [0.9, 0.999])
@pytest.mark.parametrize("damping", [0.0, 1e5])
def test_a_slot_that_is_too_narrow_holds_by_friction(narrow, damping):
    """Both walls push with the force of their depth, and friction carries the weight."""
    walls = {
        "left": (hs.WORLD.at(-0.5 * narrow - 0.5, 0, 0), hs.Box((1.0, 4.0, 4.0))),
        "right": (hs.WORLD.at(0.5 * narrow + 0.5, 0, 0), hs.Box((1.0, 4.0, 4.0))),
    }
    law = hs.Linear(1e8, damping)
    contacts = [hs.Contact(name, ("a", BOX), wall, law=law, friction=0.5) for name, wall in walls.items()]
    model = hs.Model(*free("a", BOX), *contacts, gravity=(0, 0, -G))
    result = hs.simulate(model, 2.0, {"ja.z": 0.0}, method="contact", step=1e-3)
    assert result.success and abs(result["ja.z"][-1]) < 1e-4
    for name in walls:
        assert result[f"{name}.force"][-1] == pytest.approx(4 * 1e8 * 0.5 * (1.0 - narrow), rel=1e-6)
    pushed = result["left.push"][-1] + result["right.push"][-1]
    assert pushed == pytest.approx([0.0, 0.0, G], abs=1e-4)


def test_what_the_method_does_not_know_is_refused():
    with pytest.raises(
        hs.SolveError, match=r'contact "touch".*does not know law Felt.*Linear or hs.HuntCrossley'
    ):
        dropped(hs.Felt(1e6), {"ja.z": 0.6})
    with pytest.raises(hs.SolveError, match="give step="):
        dropped(hs.Linear(1e6), {"ja.z": 0.6}, step=None)
    with pytest.raises(hs.ModelError, match="finite"):
        dropped(hs.Linear(1e6), {"ja.z": float("nan")})


def test_bodies_that_turn_too_far_in_a_step_are_told():
    with pytest.warns(hs.Notice, match="turn by more than 0.5 rad"):
        result = dropped(hs.Linear(1e6, 1e3), {"ja.z": 5.0, "ja.wx": 1.2e3})
    assert any("turn by more than 0.5 rad" in warning for warning in result.warnings)


def test_a_start_inside_the_ground_is_told():
    with pytest.warns(hs.Notice, match='sides of contact "c" inside each other'):
        hs.simulate(
            hs.Model(
                hs.Body.box("a", (0.2, 0.2, 0.2), mass=1.0),
                hs.Free("j", hs.WORLD, "a"),
                hs.Contact("c", hs.Surface("a"), hs.WORLD.plane(), law=hs.Linear(1e4, 100.0)),
            ),
            until=0.01,
            start={"j.z": 0.05},
            method="contact",
            step=1e-3,
        )
