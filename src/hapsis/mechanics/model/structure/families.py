"""Facts sorted into one table per family, with a check that names are unique."""

from collections.abc import Iterable
from typing import Any

from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.values.values import Table

FAMILIES = (
    "bodies",
    "joints",
    "constraints",
    "forces",
    "contacts",
    "drives",
    "sensors",
    "generalized_speeds",
)


def sorted_facts(facts: Iterable[Fact], problems: Problems) -> dict[str, Any]:
    """{family: {name: fact}}, and `world`, the body that holds the world's frames and shapes.

    Two bodies may not share a name, nor two facts of the other families, since those name signals;
    a body and a joint may, and a drive and the joint that it drives.
    """
    families: dict[str, dict[str, Fact]] = {family: {} for family in FAMILIES}
    signals: dict[str, list[Fact]] = {}
    worlds: list[Body] = []
    for fact in facts:
        if isinstance(fact, Body) and fact.name == "world":
            worlds.append(fact)
            continue
        family = families[fact.family]
        before = signals.setdefault(fact.name, []) if not isinstance(fact, Body) else []
        others = [x for x in before if not _driven_by(x, fact) and not _driven_by(fact, x)]
        if fact.name in family or others:
            problems.add(_twice(fact, (others or [family[fact.name]])[0]), fact.where)
            continue
        family[fact.name] = fact
        before.append(fact)
    tables: dict[str, Any] = {name: Table(family) for name, family in families.items()}
    tables["world"] = _world(worlds, problems)
    return tables


def _driven_by(joint: Fact, drive: Fact) -> bool:
    """Whether it is a joint that this drive moves."""
    return isinstance(joint, Joint) and isinstance(drive, Drive) and drive.moves(joint)


def _twice(fact: Fact, other: Fact) -> str:
    if fact.noun == other.noun:
        return f'two {_plural(fact)} are called "{fact.name[:60]}"; rename one'
    return f'a {other.noun} and a {fact.noun} are both called "{fact.name[:60]}"; rename one'


def _plural(fact: Fact) -> str:
    return fact.noun[:-1] + "ies" if fact.noun.endswith("y") else fact.noun + "s"


def _world(worlds: list[Body], problems: Problems) -> Body:
    if len(worlds) == 1:
        return worlds[0]
    frames: dict[str, Any] = {}
    for body in worlds:
        for name, frame in body.frames.items():
            if name in frames:
                problems.add(f'two frames of the world are called "{name[:60]}"', body.where)
            frames[name] = frame
    heavy = next((body.mass for body in worlds if body.mass != 0.0), 0.0)
    shapes = tuple(shape for body in worlds for shape in body.shapes)
    return Body("world", heavy, frames=frames, shapes=shapes)
