"""Programs on recordings: recorded, read, done again, compared with measurements."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from bits import program, recording
from bits.loops import CLOCK, hand_of


def key(mass: float, *facts: Any) -> hs.Model:
    """A key on a spring."""
    return hs.Model(
        hs.Rod("key", length=0.2, mass=mass),
        hs.Revolute("K", hs.WORLD, "key", axis="y", damping=0.01),
        hs.JointSpring("spring", "K", stiffness=1.0, rest=-0.3),
        *facts,
    )


@program("recordings.replayed")
def replayed():
    """A run in a file, read back and done again."""
    model = key(0.1, hs.Drive("hand", "K", position="input", tracking=200.0))
    step = hs.stepper(model, dt=1 / 1000, inputs=["hand.position"], outputs=["hand.effort"])
    with tempfile.TemporaryDirectory() as folder, hand_of(speed=0.2, travel=0.05) as hand:
        path = Path(folder) / "run.mcap"
        loop = hs.realtime.Loop(step, 1000, live=["spring.stiffness"], paced=False).connect(hand)
        with recording.record(loop, path, seed=1, settings={"who": "me"}) as recorder:
            loop.run(seconds=0.2)
            loop.set("spring.stiffness", 1.5)
            loop.run(seconds=0.2)
            recorder.event("remark", text="it felt heavy")
        rows = recording.read_recording(path)
        stream = rows["loop"]
        facts = {
            n: rows.facts["run"][n] for n in ("function", "parameters", "start", "model", "live", "rate")
        }
        answer = recording.replay(path, step)
        return {
            "rows": {name: stream[name] for name in stream.names if name not in CLOCK},
            "t": stream.t,
            "counts": [recorder.rows["loop"], recorder.lost["loop"], answer.rows],
            "same": answer.same,
            "again": {name: answer.result[name] for name in answer.result.names},
            "facts": facts,
            "complete": rows.complete,
            "events": [event["kind"] for event in rows.events],
        }


@program("recordings.compared")
def compared():
    """A model moved as a heavier one was, exactly and by tracking; from a table and from CSV."""

    def pressed(t):
        return 0.05 * sum(hs.exp(-(((t - at) / 0.08) ** 2)) for at in (0.4, 1.0))

    true = hs.follow(key(0.105), {"K": pressed}, until=1.4, every=0.002)
    data = {"t": true.t, "angle": true["K"], "torque": true["K.effort"]}
    outputs: dict[str, Any] = {"truth": true}
    for name, more in {"exact": {}, "tracked": {"tracking": 300.0}}.items():
        comparison = recording.compare(key(0.1), data, {"K": "angle"}, {"K.effort": "torque"}, **more)
        outputs[name] = {
            "agreement": tuple(comparison["K.effort"]),
            "model": dict(comparison.model),
            "delay": comparison.delay,
        }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.csv"
        table = np.column_stack(list(data.values()))
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header="t,angle,torque", comments="")
        comparison = recording.compare(key(0.1), path, {"K": "angle"}, {"K.effort": "torque"})
        outputs["file"] = tuple(comparison["K.effort"])
    return outputs
