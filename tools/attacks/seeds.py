"""The seeds of an attack: which are asked for, all, some of one kind, or one case again; and the loop.

(nothing)             so many seeds of each kind
KIND FIRST LAST       seeds FIRST to LAST - 1 of one kind
--replay KIND:SEED    one case, with all it says
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

REPLAY = "--replay"
Kinds = Mapping[str, Callable[[int], list[str]]]  # {kind: the laws that a seed breaks, in words}


class Asked(NamedTuple):
    """The seeds of each kind, and whether it is one case that is told in full."""

    seeds: dict[str, range]
    replayed: bool = False


def asked(arguments: list[str], sizes: Mapping[str, int]) -> Asked:
    """What the arguments of a command ask for; `sizes` are the seeds of each kind if nothing is said."""
    if not arguments:
        return Asked({kind: range(size) for kind, size in sizes.items()})
    if arguments[0] == REPLAY and len(arguments) == 2:
        kind, _, seed = arguments[1].partition(":")
        first, last = seed, str(int(seed) + 1) if seed.isdigit() else ""
    elif len(arguments) == 3:
        kind, first, last = arguments
    else:
        raise SystemExit(f"expected nothing, KIND FIRST LAST, or {REPLAY} KIND:SEED")
    if kind not in sizes:
        raise SystemExit(f'there is no kind "{kind}": {", ".join(sizes)}')
    if not (first.isdigit() and last.isdigit()):
        raise SystemExit("seeds are whole numbers")
    return Asked({kind: range(int(first), int(last))}, arguments[0] == REPLAY)


def attack(kinds: Kinds, kind: str, seeds: Iterable[int]) -> int:
    """How many seeds of a kind break a law; a line for each."""
    count = 0
    for seed in seeds:
        broken = kinds[kind](seed)
        if broken:
            count += 1
            print(kind, seed, "; ".join(broken), flush=True)
    return count


def exit_status(arguments: list[str], kinds: Kinds, sizes: Mapping[str, int]) -> int:
    """The exit status of a command: 1 if one of the seeds that are asked for breaks a law."""
    chosen = asked(arguments, sizes)
    return int(sum(attack(kinds, kind, seeds) for kind, seeds in chosen.seeds.items()) > 0)
