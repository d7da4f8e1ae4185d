"""A model without some of its facts; what refers to them is found first.

A fact refers to bodies by its ends, to joints by the coordinates that it names, and to both by what a law
in Python reads. Poses and `independent` lose the coordinates that no longer exist, and a page its finger
and its sounds.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.structure.names_read import names_read, owner_of

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model

MOST = 6  # facts that an error names
MOST_LISTED = 20  # facts that its remedy lists


def reduced(model: "Model", names: Iterable[str]) -> "Model":
    """The model without the facts of these names; an error if another fact refers to one of them."""
    left_out = dict.fromkeys(names)
    known = {fact.name for fact in model.facts}
    for name in left_out:
        if name not in known:
            raise ModelError(f'there is no fact "{str(name)[:60]}"{near(str(name), known)}')
    references: dict[str, set[str]] = {}
    for fact in model.facts:  # of all that share a name
        references.setdefault(fact.name, set()).update(_references(model, fact))
    _refuse_references(model, references, left_out)
    facts = [fact for fact in model.facts if fact.name not in left_out]
    gone = {
        name
        for joint in model.joints.values()
        if joint.name in left_out
        for name in (*joint.coordinates, *joint.speeds)
    }
    gone |= {name for name in model.generalized_speeds if name in left_out}
    poses = {pose: {n: x for n, x in values.items() if n not in gone} for pose, values in model.poses.items()}
    return type(model)(
        *facts,
        gravity=model.gravity,
        parameters=model.parameters,
        poses=poses,
        independent=[name for name in model.independent if name not in gone],
        page=model.page and model.page.without(left_out),
        physical=model.physical,
        notes=model.notes,
    )


def _refuse_references(model: "Model", references: Any, left_out: Any) -> None:
    """Raises an error that names what refers to a fact that is left out, and all that would have to go."""
    whole = dict(left_out)
    blame: list[tuple[Fact, str]] = []
    before = -1
    while len(whole) > before:
        before = len(whole)
        for fact in model.facts:
            if fact.name not in whole and (named := references[fact.name] & whole.keys()):
                if named & left_out.keys():
                    blame.append((fact, min(named & left_out.keys())))
                whole[fact.name] = None
    if not blame:
        return
    target = blame[0][1]
    users = [fact.label for fact, name in blame if name == target]
    labels = ", ".join(users[:MOST]) + (f" and {len(users) - MOST} more" if len(users) > MOST else "")
    verb = "refers" if len(users) == 1 else "refer"
    arguments = ", ".join(f'"{name}"' for name in whole)
    owner = next(fact for fact in model.facts if fact.name == target)
    raise ModelError(
        f"{owner.label} cannot be left out: {labels} {verb} to it",
        remedy=f"leave that out too: model.without({arguments})" if len(whole) <= MOST_LISTED else None,
    )


def _references(model: "Model", fact: Fact) -> Iterator[str]:
    """The names of the other facts that a fact refers to."""
    for end in fact.ends.values():
        yield model.frame(end)[0]
    for name in (*fact.joints.values(), *names_read(fact)):
        owner = _owner(model, name)
        if owner is not None and owner != fact.name:
            yield owner


def _owner(model: "Model", name: str) -> str | None:
    """The fact that a coordinate, a speed, a signal or a frame belongs to."""
    for joint in model.joints.values():
        if name == joint.name or name in (*joint.coordinates, *joint.speeds):
            return joint.name
    return owner_of(name, {fact.name for fact in model.facts})
