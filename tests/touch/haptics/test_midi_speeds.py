"""The loudness of a note: by the speed of the hammer in a run, or by that of the touch within a step."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.library import piano

midi = hs.haptics.midi
ARM = 0.1386  # m from the hammer's pivot to the point that strikes


def hammer(speed):
    """A head that flies against a string, and comes back."""
    return hs.Model(
        hs.Body("head", 0.01),
        hs.Prismatic("way", hs.WORLD, "head", axis="x"),
        hs.Contact("string", "head", (hs.WORLD.at(0.02, 0, 0), hs.Plane("-x")), hs.HuntCrossley(1e7, 1.5)),
        gravity=(0.0, 0.0, 0.0),
        poses={"start": {"way.v": speed}},
    )


@pytest.mark.parametrize("seed", range(8))
def test_the_speed_of_a_touch_is_read_in_its_row(seed):
    random = np.random.default_rng(seed)
    speed, dt = 0.25 * 32.0 ** random.uniform(0.02, 0.98), random.uniform(2e-4, 2e-3)
    step = hs.compile(
        hs.stepper(hammer(speed), dt, outputs=["string.touch.speed", "string.force.max"], substeps=20)
    )
    rows, state = [], step()
    for _ in range(int(0.2 / dt)):
        rows.append([float(x) for x in (state[2], *state[3:])])
        state = step(*state[:3])
    t, touch, force = np.array(rows).T
    record = {"t": t, "string.touch.speed": touch, "string.force.max": force, "held": np.ones_like(t)}
    loudness = midi.Loudness().velocity(speed)
    for signal in ("string.touch.speed", "string.force.max"):
        key = midi.Key(60, touch=signal, speed="string.touch.speed", held="held")
        sounds = [note for note in midi.notes(record, key) if note.on]
        assert len(sounds) == 1 and abs(sounds[0].velocity - loudness) <= 1


def test_a_faster_key_is_louder_and_an_arm_is_asked_for():
    velocities = []
    for time in (0.12, 0.05):
        run = piano.play(piano.grand_action("motion"), piano.strokes.minimum_jerk(time), 0.2)
        names = {"touch": "string.force", "speed": "hammer.v", "held": "damper", "lifted": 1e-3}
        with pytest.raises(hs.ModelError, match=r'"hammer.v" is in rad/s.*Key\(arm=\)'):
            midi.notes(run, midi.Key(60, **names))
        note = midi.notes(run, midi.Key(60, **names, arm=ARM))[0]
        row = int(np.searchsorted(run.t, note.time))
        speed = -np.gradient(run["string.gap"], run.t)[row - 5 : row].max()  # of the head, by another way
        assert abs(note.velocity - midi.Loudness().velocity(speed)) <= 2
        velocities.append(note.velocity)
    assert 20 < velocities[0] < velocities[1] < 100
