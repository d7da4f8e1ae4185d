"""Random drops, throws and spins of all pairs of shapes: none passes through what it should hit."""

import json
import random
import sys
from functools import partial
from pathlib import Path
from typing import Any

from attacks.mutation import ROOT
from attacks.table import Attack, Case, Impossible

sys.path.append(str(ROOT / "tests" / "motion"))
import contact_throws

METHODS, TOLERANCES = ("auto", "order8", "order5", "stiff"), (1e-9, 1e-9, 1e-6, 1e-4)


def case(motion: str, draw: random.Random) -> Case:
    """A pair of shapes, a method, a tolerance and the seed of the rest."""
    group = draw.choice([group for group in contact_throws.groups() if group[1] == motion])
    throw = [*group, draw.choice(METHODS), draw.choice(TOLERANCES), draw.randrange(1 << 40)]
    return Case(json.dumps(throw).encode(), "json")


def verdict(case: Case, place: Path) -> str:
    """What is wrong with the run."""
    kinds, *others = json.loads(case.data)
    return contact_throws.Throw(tuple(kinds), *others).verdict()


def judge(text: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Impossible where a contact was passed or not felt."""
    if text not in ("", "-"):
        raise Impossible(text)


ATTACKS = [
    Attack(motion, partial(case, motion), verdict, judge, longest=600.0) for motion in contact_throws.MOTIONS
]
