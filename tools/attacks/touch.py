"""Random faults against loops, guards and filters: no command breaks its limit or its slew limit."""

import random
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import attack_forces
import attack_touch

import hapsis as hs
from attacks.table import Attack, Broken, Case


def case(draw: random.Random) -> Case:
    """The seed of a scenario."""
    return Case(str(draw.randrange(2**31)).encode(), "txt")


def forces(kind: str, case: Case, place: Path) -> list[str]:
    """The laws that a scenario of a kind breaks."""
    return attack_forces.KINDS[kind](int(case.data))


def outputs(make: Any, case: Case, place: Path) -> list[str]:
    """Runs a scenario of guards, filters or unpaced loops, which only must not raise from inside."""
    warnings.simplefilter("ignore", hs.Notice)
    make(random.Random(int(case.data)))
    return []


def judge(sentences: list[str], case: Case, draw: random.Random, place: Path) -> None:
    """Broken where a law is."""
    if sentences:
        raise Broken(f"seed {case.data.decode()}: {'; '.join(sentences)}")


ATTACKS = [
    Attack(f"force-{kind}", case, partial(forces, kind), judge, longest=600.0) for kind in attack_forces.KINDS
]
ATTACKS += [
    Attack(make.__name__, case, partial(outputs, make), judge)
    for make in (attack_touch.guard, attack_touch.filtered, attack_touch.looped)
]
