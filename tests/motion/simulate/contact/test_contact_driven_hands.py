"""What a driven hand holds: its drive carries it without creep; a row shows the step that ends there."""

import numpy as np
import pytest

import hapsis as hs

G = 9.81
MASS, SQUEEZE = 0.5, 20.0


def lifted(t):
    """A way up by 0.1 m within the second after 0.5 s."""
    x = hs.minimum(hs.maximum(t - 0.5, 0.0), 1.0)
    return 0.1 * x * x * (3.0 - 2.0 * x)


def gripper(position):
    """A box on a table between two fingers of a hand that a drive moves up."""
    law = {"law": hs.HuntCrossley(1e6, power=1.0, damping=2.0), "friction": 0.6}
    fingers = [("left", -0.03, "y"), ("right", 0.03, "-y")]
    return hs.Model(
        hs.Body.box("palm", (0.04, 0.2, 0.02), mass=0.5),
        hs.Body.box("box", (0.05, 0.05, 0.06), mass=MASS),
        [hs.Body.box(name, (0.03, 0.01, 0.08), mass=0.05) for name, *_ in fingers],
        hs.Prismatic("lift", hs.WORLD.at(0, 0, 0.12), "palm", axis="z"),
        [hs.Prismatic(name, ("palm", hs.Frame((0, y, -0.07))), name, axis=axis) for name, y, axis in fingers],
        hs.Free("box", hs.WORLD, "box"),
        hs.Drive("motor", "lift", position=position),
        hs.Contact("table", hs.Surface("box"), hs.WORLD.plane(), **law),
        [hs.Contact(f"{name} pad", hs.Surface("box"), hs.Surface(name), **law) for name, *_ in fingers],
        poses={"start": {"box.z": 0.03}},
    )


def run(model, until, step, every):
    grip = {"left": SQUEEZE, "right": SQUEEZE}
    return hs.simulate(model, until, inputs=grip, method="contact", step=step, every=every)


@pytest.mark.parametrize("step", [5e-4, 2e-3, 5e-3])
def test_what_a_drive_holds_in_the_air_does_not_creep(step):
    result = run(gripper(lifted), 12.0, step, 0.05)
    held = result.t > 2.0
    height = result["box.z"][held]
    assert abs(height[0] - 0.13) < 3e-4 and np.ptp(height) < 1e-10
    assert result["motor.effort"][held] == pytest.approx((MASS + 0.6) * G, rel=1e-6)


def test_what_table_and_hand_share_of_a_weight_stays_as_it_is():
    """Friction may take some of the weight; how much is decided when the fingers close, and only then."""
    result = run(gripper(0.0), 20.0, 2e-3, 0.1)
    assert result.success
    table, motor = (result[name][result.t > 1.0] for name in ("table.force", "motor.effort"))
    assert table + motor == pytest.approx((MASS + 0.6) * G, rel=1e-6)
    assert np.ptp(table) < 1e-6


@pytest.mark.parametrize("step", [1e-3, 2e-3, 3e-3])
@pytest.mark.parametrize("every", [1, 5, 7])
def test_a_row_where_a_step_ends_shows_the_step(step, every):
    """Times of rows and ends of steps differ by rounding: no row may fall between two steps."""
    result = run(gripper(lifted), 2.1, step, every * step)
    held = result.t > 0.4
    assert result["left pad.force"][held] == pytest.approx(SQUEEZE, rel=1e-3)
    assert (result["left pad.points"][held] == 4.0).all()
    impulse = np.diff(result["left pad.impulse"][held][:, 1]) / np.diff(result.t[held])
    assert impulse == pytest.approx(SQUEEZE, rel=1e-3)
