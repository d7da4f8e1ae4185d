"""Random faults against the loop, its guard and its supervisor: does a command break its limits?

    python tools/attack_forces.py               2000 scenarios in simulated time, 500 unpaced,
                                                200 at the joints of an arm, 50 paced
    python tools/attack_forces.py paced 0 200   seeds 0 to 199 of one kind
    python tools/attack_forces.py --replay paced:7

A line for each scenario that breaks a law, with its seed: the same seed gives it again (but what a real
clock has a part in). The exit status is 1 if there is one. `force_laws` says what the laws are.
"""

import sys
import time
from collections.abc import Callable, Iterable

from attacks.seeds import asked
from force_laws import mapped, paced, simulated, unpaced

KINDS: dict[str, Callable[[int], list[str]]] = {
    "simulated": simulated.scenario,
    "unpaced": unpaced.scenario,
    "mapped": mapped.scenario,
    "paced": paced.scenario,
}
SIZES = {"simulated": 2000, "unpaced": 500, "mapped": 200, "paced": 50}


def attack(kind: str, seeds: Iterable[int]) -> dict[int, list[str]]:
    """What is broken, by seed."""
    wrong: dict[int, list[str]] = {}
    for seed in seeds:
        sentences = KINDS[kind](seed)
        if sentences:
            wrong[seed] = sentences
            print(kind, seed, "; ".join(sentences), flush=True)
    return wrong


def main(arguments: list[str]) -> int:
    """Runs what the arguments say; the number of kinds with something broken, at most 1."""
    chosen = asked(arguments, SIZES)
    failed = 0
    for kind, seeds in chosen.seeds.items():
        began = time.monotonic()
        wrong = attack(kind, seeds)
        print(
            f"{kind}: {len(seeds)} scenarios, {len(wrong)} broken, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        failed |= bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
