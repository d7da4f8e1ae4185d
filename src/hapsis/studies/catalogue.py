"""All studies by name, and the verb that makes one."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import Error, near
from hapsis.studies.study import Study


class Entry(NamedTuple):
    """A study that can be made: what it asks, and how many runs it takes."""

    asks: str
    runs: int
    data: bool = False  # whether it can take a recording


STUDIES = {
    "piano-force": Entry("the force under a finger that presses a key slowly, and its phases", 1),
    "piano-let-off": Entry("the let-off button higher and lower", 5),
    "piano-hammer": Entry("heavier and lighter hammers", 4),
    "piano-damper": Entry("the key with and without its damper", 2),
    "piano-repeats": Entry("one stroke three times, and how much the measurements differ", 3),
    "piano-double-slow": Entry("two slow strokes: hammer and force at the pilot", 1),
    "piano-double-fast": Entry("two fast strokes: hammer and force at the pilot", 1),
    "piano-escapement": Entry("a note repeated from a key that is let up half-way", 5),
    "piano-repetition": Entry("how fast a note repeats", 8),
    "piano-sensors": Entry("the sensors of a haptic key, and what their errors do to the force", 4),
    "piano-replay": Entry("a recorded motion played into the model", 2, data=True),
    "piano-actuator": Entry("the felt force from the current of an actuator", 2),
}
Begin = Callable[[str], None]


@verb
def study(name: str, *, data: Any = None, progress: Begin | None = None) -> Study:
    """A study by its name: `piano-force`, `piano-let-off`, ...; `hapsis study` lists them.

    data       of `piano-replay`: a recording in place of its own, a .csv, .npz or .mcap file or a table with
               t (s), position (m) of the key's front, and pilot (N) if that was measured
    progress   called with the name of each run before it begins
    """
    if name not in STUDIES:
        known = f"one of {', '.join(STUDIES)}"
        raise Error(f'there is no study "{str(name)[:60]}"{near(str(name), STUDIES)}', expected=known)
    if data is not None and not STUDIES[name].data:
        able = ", ".join(n for n, entry in STUDIES.items() if entry.data)
        raise Error(f'the study "{name}" takes no data', expected=f"data for {able}")
    from hapsis.studies.piano.runs import Runs

    return made(name, Runs(progress), data)


def made(name: str, runs: Any, data: Any = None) -> Study:
    """The study of that name from runs, which may be shared with other studies."""
    instrument, _, subject = name.partition("-")
    module = import_module(f"hapsis.studies.{instrument}.{subject.replace('-', '_')}")
    return module.study(runs) if data is None else module.study(runs, data)
