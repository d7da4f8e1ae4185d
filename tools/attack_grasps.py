"""Random hands at mechanisms that they hold: does one get energy? And how long a tick takes.

    python tools/attack_grasps.py                    200 hands of each kind
    python tools/attack_grasps.py random 0 50        seeds 0 to 49 of one kind
    python tools/attack_grasps.py --replay random:7  one hand again
    python tools/attack_grasps.py times              times of ticks at 10 kHz

random    heavier than what is felt, by the guard's observer alone: none gets energy, which is a law
sprung    of 30 g to 3 kg, at mechanisms that are coupled by a spring and may flop: none gets energy
light     lighter than that, which has no law
limited   heavy as the first ones, at limits of joints with a rigid coupling, which has no law
hostile   random mechanisms of all joints and loops, micrometres to kilometres, and hands that jump
guarded   the same light hands with the guard's controller

A line for each hand that got energy of all axes together, with its seed; the exit status is 1 if that is
against the law.
"""

import sys

from attacks.seeds import asked
from grasp_laws.hands import (
    CASES,
    guarded_hand,
    light_hand,
    limited_hand,
    random_hand,
    sprung_hand,
    tick_time,
)
from grasp_laws.hostile import hostile_grasp

KINDS = {
    "random": random_hand,
    "sprung": sprung_hand,
    "light": light_hand,
    "guarded": guarded_hand,
    "limited": limited_hand,
    "hostile": hostile_grasp,
}
LAWS = ("random", "sprung")


def main(arguments: list[str]) -> int:
    """Runs what the arguments say; 1 if a hand got energy."""
    if arguments == ["times"]:
        for case in (*CASES, "platform"):
            median, late, cost = tick_time(case)
            print(f"{case:14} {1e6 * median:6.2f} us, 99 %: {1e6 * late:6.2f} us   {cost}")
        return 0
    chosen = asked(arguments, dict.fromkeys(KINDS, 200))
    failed = 0
    for kind, seeds in chosen.seeds.items():
        told = {seed: KINDS[kind](seed) for seed in seeds}
        for seed, one in told.items():
            if one.broken or chosen.replayed:
                print(f"{kind}:{seed}", one)
        worst, wrong = max(one.worst for one in told.values()), sum(one.broken for one in told.values())
        print(f"{kind}: {len(told)} hands, {wrong} got energy; at worst {max(0.0, worst):.2g} J", flush=True)
        failed |= wrong > 0 and kind in LAWS
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
