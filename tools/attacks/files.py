"""Damaged and hostile model files: YAML, URDF, MJCF and .mbs.

What loads must be possible, be the same after `hs.save` and `hs.load`, and be simulated without an
error from inside (a sample of them, because code is compiled for each).
"""

import random
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import hapsis as hs
from attacks.costly_files import repeated_places, xml_case, yaml_case
from attacks.mutation import NUMBERS, corpus, everything, mutated
from attacks.soundness import check
from attacks.table import Attack, Case, Hangs, Impossible, interrupted
from attacks.tree_mutation import mutated_xml, mutated_yaml
from hapsis.errors import Error

ENDINGS = ("yaml", "urdf", "xml", "mbs")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?(?![\w.])")
SIMULATED = 0.01  # of the models that load
SHORT, PATIENCE = 1e-3, 20.0  # s: of the motion; of the simulation, then it is left

texts = cache(corpus)


def case(ending: str, draw: random.Random) -> Case:
    """A file of a format, damaged or hostile in one of five ways."""
    match draw.randrange(10):
        case 0 | 1 | 2:
            return Case(mutated(draw.choice(texts(ending)), draw), ending)
        case 3 | 4:
            return Case(other_numbers(everything(ending), draw).encode(), ending)
        case 5 | 6 | 7:
            return Case(mutated_yaml(draw) if ending == "yaml" else mutated_xml(draw, ending), ending)
        case 8:
            return repeated_places(draw, ending)
        case _:
            return yaml_case(draw) if ending == "yaml" else xml_case(draw, ending)


def other_numbers(text: str, draw: random.Random) -> str:
    """The text with one to three of its numbers replaced."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        places = list(NUMBER.finditer(text))
        if places:
            place = draw.choice(places)
            text = text[: place.start()] + draw.choice(NUMBERS) + text[place.end() :]
    return text


def load(case: Case, place: Path) -> Any:
    """The model of a case, from a file."""
    for name, data in case.beside.items():
        (place / name).write_bytes(data)
    path = place / f"a.{case.ending}"
    path.write_bytes(case.data)
    return hs.load(path)


def judge(model: Any, case: Case, draw: random.Random, place: Path) -> None:
    """Impossible unless the model is sound and stays the same when it is saved."""
    check(model)
    path = place / "again.yaml"
    try:
        hs.save(model, path)
        again = hs.load(path)
    except Error as error:
        raise Impossible(f"cannot be saved and loaded: {error}") from None
    if again != model:
        raise Impossible("another model after hs.save and hs.load")
    if draw.random() < SIMULATED:
        simulate(model)


def simulate(model: Any) -> None:
    """A short run, which may be refused or stopped."""
    try:
        with interrupted(PATIENCE):
            hs.simulate(model, until=SHORT)
    except (Error, Hangs):
        pass


ATTACKS = [Attack(ending, partial(case, ending), load, judge) for ending in ENDINGS]
