"""Checks that the ends of facts lie on bodies and frames that exist, and that no body is loose."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.checks.problems import Problems
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.structure.frame_lookup import FrameLookup
from hapsis.mechanics.model.structure.topology import Placed, loose

if TYPE_CHECKING:
    from hapsis.mechanics.model.model import Model


def placed_joints(joints: Iterable[Joint], lookup: FrameLookup, problems: Problems) -> list[Placed]:
    """The joints whose two ends exist; adds a problem for every other joint and every loose body."""
    placed: list[Placed] = []
    pairs: list[tuple[str, str]] = []
    for joint in joints:
        spots = [_place(joint, field, lookup, problems) for field in ("first", "second")]
        first, second = spots
        if first and second:
            placed.append(Placed(joint, first, second))
            _check_distinct(joint, spots, problems)
        # a body whose joint ends nowhere is not reported a second time as loose
        names = [place[0] if place else "world" for place in spots]
        owners = [lookup.owner(joint.first), lookup.owner(joint.second)]
        pairs += [(names[0], names[1]), *(("world", b) for b in owners if not all(spots))]
    for group in loose(lookup.bodies, pairs):
        body, others = lookup.bodies[group[0]], len(group) - 1
        with_it = f" (nor {others} joined to it)" if others else ""
        problems.add(
            f"{body.label} is not connected to the world{with_it}; "
            f'add hs.Free("{body.name[:60]}", hs.WORLD, "{body.name[:60]}") or another joint',
            body.where,
        )
    return placed


_VERBS = {"first": "hangs from", "second": "carries"}


def _place(fact: Fact, field: str, lookup: FrameLookup, problems: Problems) -> Any:
    end = fact.ends[field]
    try:
        place = lookup.find(end)
    except ModelError as error:
        problems.add(f"{fact.label}: {error.what}", fact.where)
        return None
    if place is None:
        missing, hint = lookup.missing(end)
        verb = _VERBS[field] if isinstance(fact, Joint) else "refers to"
        problems.add(f"{fact.label} {verb} {missing}, which does not exist{hint}", fact.where)
    return place


def check_ends(model: "Model", lookup: FrameLookup, problems: Problems) -> None:
    """Adds a problem for each end of a fact that does not exist, or is on the body of the other end.

    Joints are left out: `placed_joints` has checked them.
    """
    for fact in model.facts:
        if not isinstance(fact, Joint):
            spots = [_place(fact, field, lookup, problems) for field in fact.ends]
            _check_distinct(fact, spots, problems)


def _check_distinct(fact: Fact, spots: list[Any], problems: Problems) -> None:
    if len(spots) == 2 and all(spots) and spots[0][0] == spots[1][0]:
        problems.add(f'{fact.label} joins "{spots[0][0][:60]}" to itself', fact.where)
