"""Random cycles, feet, blows and programs: do they follow closed forms, all contact modes, other runs?

    python tools/attack_cycles.py                 10 of each kind
    python tools/attack_cycles.py wheels 0 200    seeds 0 to 199 of one kind
    python tools/attack_cycles.py --replay wheels:17

A line for each seed that breaks a law. The exit status is 1 if there is one.
"""

import sys
import warnings
from collections.abc import Callable, Iterable

from attacks.seeds import asked
from walking_laws.blows import blows
from walking_laws.cycles import maps, walkers, wheels
from walking_laws.feet import feet
from walking_laws.programs import programs

import hapsis as hs

SIZE = 10  # seeds of each kind
KINDS: dict[str, Callable[[int], list[str]]] = {
    "maps": maps,
    "wheels": wheels,
    "walkers": walkers,
    "feet": feet,
    "blows": blows,
    "programs": programs,
}


def attack(kind: str, seeds: Iterable[int]) -> int:
    """How many seeds break a law; a line for each."""
    count = 0
    for seed in seeds:
        try:
            found = KINDS[kind](seed)
        except hs.Error as error:
            found = [f"{type(error).__name__}: {error}"]
        if found:
            count += 1
            print(kind, seed, "; ".join(found), flush=True)
    return count


def main(arguments: list[str]) -> int:
    """Runs what the arguments say; 1 if a law is broken."""
    warnings.simplefilter("ignore")
    chosen = asked(arguments, dict.fromkeys(KINDS, SIZE))
    return int(sum(attack(kind, seeds) for kind, seeds in chosen.seeds.items()) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
