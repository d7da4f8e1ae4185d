"""What a model is, as two hashes and a table of numbers: the key of everything kept on disk for it.

    structure   types, names, order and ends of the facts, directions, formulas, graphs of laws, and
                which numbers are zero; not the values of those that equations take as parameters
    values      the same with all values
    numbers     {name: value} of these parameters, by the names that equations use

A field is left to its value where its annotation says that it is a number of the model (`AsValue`,
`AsVector`, ...): all such numbers become parameters by `Links.scalar`. Every other field is part of the
structure as it is. A model with a function that cannot be traced, or with a class of the user's own,
has no key. Neither has one with a function that computes something else than when the key was made, as it
reads what has changed since: parts of the model's equations may be of before, and others of now.
"""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hapsis.errors import Error, notice
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.key_writer import FunctionGraph, KeyWriter, NoKeyError, kind


class ModelKey(NamedTuple):
    """The two hashes and the table; see above."""

    structure: bytes
    values: bytes
    numbers: Mapping[str, float]
    graphs: tuple[FunctionGraph, ...]  # of its functions, which are part of the structure


def model_key(model: Model) -> ModelKey | None:
    """The key of a model, computed once; None where it cannot be told from others."""
    key: ModelKey | None = derived(model, model_key, lambda: new_model_key(model))
    changed: list[str] = derived(model, (model_key, "changed"), list)
    if key is not None and not changed:
        changed += [graph.label for graph in key.graphs if not graph.is_same()]
        if changed:
            notice(
                f"{changed[0]}: its function computes something else than when the model was first used; "
                "make a new Model whenever what a function reads has changed"
            )
    return None if changed else key


def new_model_key(model: Model) -> ModelKey | None:
    """The key, computed now."""
    writer = KeyWriter(model)
    try:
        writer.model_text()
    except (NoKeyError, Error):
        return None
    kinds = "".join(map(kind, writer.numbers.values()))
    text = repr((writer.parts, list(writer.numbers), kinds, sorted(writer.doubtful)))
    structure = hashlib.sha256(text.encode())
    values = structure.copy()
    values.update(np.array(writer.raw).tobytes())
    numbers = {name: x for name, x in writer.numbers.items() if name not in writer.doubtful}
    return ModelKey(structure.digest(), values.digest(), numbers, tuple(writer.graphs))
