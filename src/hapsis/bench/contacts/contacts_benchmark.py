"""`hapsis bench contacts`: ours by `method="contact"`, MuJoCo (C) and Drake (C++), in one run.

Every contender builds each scene from the same data and runs it with several steps. Contact models differ,
so motions are not compared point by point: one measure (`contacts_measures.py`) is applied to the samples of
all of them, and a scene states the overlap and the creep that it allows. What counts is the time of the
cheapest run that keeps them; times at equal steps are given too. Runs that are measured keep samples; those
that are timed do not, come after a first one, and take turns. The shortest time of the processor counts.
"""

import math
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hapsis.bench.contacts import contacts_boxes, contacts_robots
from hapsis.bench.contacts.contacts_measures import measures, within
from hapsis.bench.contacts.contacts_report import line, text
from hapsis.bench.contacts.contacts_scene import STEPS, Scene
from hapsis.bench.contest import Row, again, all_entered, closing, readable
from hapsis.bench.rivals import Missing
from hapsis.bench.watch import SILENT, Watch, each

SCENES: dict[str, Callable[[Path], Scene | None]] = {
    "stack 3": contacts_boxes.stack,
    "pile 12": contacts_boxes.pile,
    "pile 100": contacts_boxes.heap,
    "dominoes 20": contacts_boxes.dominoes,
    "panda": contacts_robots.panda,
    "talos": contacts_robots.talos,
    "rover": contacts_boxes.rover,
}
OURS = "ours"
ROUNDS = 2  # more turns of every run that is timed
LONGEST, SHORT = 6.0, 1.0  # s of a run after which no finer step is tried, and of one that has more turns
STILL = 1e-6  # m/s: a smaller creep is none
QUICK_STEPS = STEPS[:3]


class Took(NamedTuple):
    """One more timed run."""

    seconds: float


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are scenes, `quick` takes the coarser steps and times each run once."""
    notes: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scenes = readable(names or tuple(SCENES), lambda x, f: SCENES[x](f), folder, notes)
        rows = each(watch, scenes, lambda x: x.name, lambda x: measured(x, folder, notes, quick), line)
    return {
        "scenes": rows,
        "times_faster": {row["scene"]: ratios for row in rows if (ratios := times_faster(row))},
        "notes": list(dict.fromkeys(notes)),
    }


def contenders(scene: Scene, folder: Path, notes: list[str]) -> list[Any]:
    """Who takes part: `name`, `settings`, `recorded` and `seconds` of (setting, step), `close()` each."""
    from hapsis.bench.contacts.contacts_drake import Drake
    from hapsis.bench.contacts.contacts_mujoco import Mujoco
    from hapsis.bench.contacts.contacts_ours import Ours

    makers = [lambda kind=kind: kind(scene, folder) for kind in (Ours, Mujoco, Drake)]
    return all_entered(makers, notes)


def measured(scene: Scene, folder: Path, notes: list[str], quick: bool) -> Row:
    """Every setting and step of every contender on one scene."""
    runs: list[Row] = []
    with closing(contenders(scene, folder, notes)) as peers:
        for peer in peers:
            for setting in peer.settings:
                runs += first_runs(scene, peer, setting, QUICK_STEPS if quick else STEPS, notes)
        again([one for one in runs if one["seconds"] < SHORT], 0 if quick else ROUNDS)
    for one in runs:
        one.pop("go", None)
        one["step_s"] = one["seconds"] / one["steps"]
    row: Row = {"scene": scene.name, "until": scene.until, "parts": len(scene.parts), "bounds": scene.bounds}
    return row | {"runs": runs, "best": best(runs)}


def first_runs(scene: Scene, peer: Any, setting: str, steps: Sequence[float], notes: list[str]) -> list[Row]:
    """The figures of one setting with each step, from coarse to fine, until a run takes too long.

    A run that does not come to its end is a note and no row: the time of a part of it says nothing.
    """
    rows: list[Row] = []
    for step in steps:
        if rows and rows[-1]["seconds"] > LONGEST:
            break
        try:
            recording, seconds = peer.recorded(setting, step), peer.seconds(setting, step)
        except Missing as problem:
            notes.append(str(problem))
            continue
        figures = measures(scene, recording)
        per_step = None if recording.iterations is None else recording.iterations / recording.steps
        row: Row = {"contender": peer.name, "setting": setting, "step": step, "steps": recording.steps}
        row |= {"seconds": seconds, "first_s": recording.first, "iterations_per_step": per_step}
        row |= {"residual": recording.residual} | figures | {"within": within(scene, figures)}
        finite = {k: None if isinstance(x, float) and not math.isfinite(x) else x for k, x in row.items()}
        rows.append(finite | {"go": lambda step=step: Took(peer.seconds(setting, step))})
    return rows


def best(runs: list[Row]) -> Row:
    """Per contender its cheapest run at the largest step that each setting keeps the bounds with.

    A contender that never keeps them has None.
    """
    table: Row = {}
    for name in dict.fromkeys(one["contender"] for one in runs):
        own = [one for one in runs if one["contender"] == name and one["within"]]
        largest = {s: max(x["step"] for x in own if x["setting"] == s) for s in {x["setting"] for x in own}}
        chosen = [one for one in own if one["step"] == largest[one["setting"]]]
        cheapest = min(chosen, key=lambda one: one["seconds"], default=None)
        keys = ("setting", "step", "seconds")
        table[name] = None if cheapest is None else {key: cheapest[key] for key in keys}
    return table


def as_good(row: Row) -> dict[str, Row]:
    """Of each rival the cheapest run in bounds with no more overlap and creep than ours has, if there is one.

    Creep below STILL is none.
    """
    chosen = row["best"][OURS]
    ours = next(x for x in row["runs"] if x["contender"] == OURS and x["step"] == chosen["step"])
    creeps = max(ours["creep"] or 0.0, STILL)
    table: dict[str, Row] = {}
    for one in row["runs"]:
        if one["contender"] == OURS or not one["within"]:
            continue
        if one["penetration"] <= ours["penetration"] and (one["creep"] or 0.0) <= creeps:
            known = table.get(one["contender"])
            if known is None or one["seconds"] < known["seconds"]:
                table[one["contender"]] = one
    return table


def times_faster(row: Row) -> Row:
    """The seconds of each rival over ours: within the bounds, as good, at equal steps by its fastest setting.

    Empty without ours; a rival is left out where it never keeps the bounds.
    """
    ours, table = row["best"].get(OURS), Row()
    if ours is not None:
        others = {name: x for name, x in row["best"].items() if name != OURS and x is not None}
        table["in bounds"] = {name: x["seconds"] / ours["seconds"] for name, x in others.items()}
        table["as good"] = {name: x["seconds"] / ours["seconds"] for name, x in as_good(row).items()}
    fastest: dict[float, dict[str, float]] = {}
    for one in row["runs"]:
        if one["penetration"] is None:  # it blew up
            continue
        of = fastest.setdefault(one["step"], {})
        of[one["contender"]] = min(one["seconds"], of.get(one["contender"], math.inf))
    for step, of in fastest.items():
        if (mine := of.pop(OURS, None)) is not None:
            table[f"{1e3 * step:g} ms"] = {name: x / mine for name, x in of.items()}
    return table


def report(row: Row) -> str:
    """The figures as tables."""
    return text(row)
