"""Random and adversarial hands at tracked and sampled drives: does one get energy that the model never had?

    python tools/attack_hands.py                    600 random hands, 200 that resonate, 100 beyond the bound
    python tools/attack_hands.py random 0 200       seeds 0 to 199 of one kind
    python tools/attack_hands.py --replay random:7  one hand again, with all it says

A line for each hand that breaks a law, with its seed, then a table by drive: how many hands, J beyond the
reserve at worst and at the end, ticks in which the guard's controller acted. The exit status is 1 if a law
is broken. `hand_laws` says what the laws are, and for which hands there is none.
"""

import sys
import time
from collections.abc import Callable, Iterable

from attacks.seeds import asked
from hand_laws import laws

KINDS: dict[str, Callable[[int], laws.Told]] = {
    "random": laws.random_hand,
    "resonant": laws.resonant_hand,
    "beyond": laws.light_hand,
}
SIZES = {"random": 600, "resonant": 200, "beyond": 100}


def attack(kind: str, seeds: Iterable[int]) -> list[laws.Told]:
    """What is told of each seed; what is broken is printed."""
    rows = []
    for seed in seeds:
        told = KINDS[kind](seed)
        rows.append(told)
        if told.broken and kind != "beyond":
            print(f"{kind}:{seed}", *told[:3], "; ".join(told.broken), flush=True)
    return rows


def table(rows: list[laws.Told]) -> str:
    """A line for each drive."""
    lines = ["  case      drive      hands   worst, J    at the end   controller acted in"]
    for key in sorted({told[:2] for told in rows}):
        some = [told for told in rows if told[:2] == key]
        worst, last = (max(0.0, max(getattr(told, x) for told in some)) for x in ("worst", "last"))
        damped = sum(told.damped > 0 for told in some)
        lines.append(
            f"  {key[0]:<9} {key[1]:<9} {len(some):6d}   {worst:<10.2g}  {last:<10.2g}   {damped} hands"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Runs what the arguments say; 1 if a law is broken."""
    chosen = asked(arguments, SIZES)
    failed = 0
    for kind, seeds in chosen.seeds.items():
        began = time.monotonic()
        rows = attack(kind, seeds)
        if chosen.replayed:
            print(*rows)
        wrong = sum(bool(told.broken) for told in rows)
        print(
            f"{kind}: {len(rows)} hands, {wrong} broken, {time.monotonic() - began:.0f} s\n{table(rows)}",
            flush=True,
        )
        failed |= bool(wrong) and kind != "beyond"
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
