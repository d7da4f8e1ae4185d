"""Thousands of damaged files: each loads to a sound model, or is refused in one line."""

import random
import time

import pytest
from attacks.mutation import MODELS, everything, mutated
from attacks.soundness import check
from samples import sample

from hapsis.errors import Error
from hapsis.mechanics.formats.file_text import decoded
from hapsis.mechanics.formats.urdf.urdf_reader import urdf_model
from hapsis.mechanics.formats.yaml.yaml_reader import yaml_model

COUNT = sample(3_000, 10_000)  # of each format


def outcomes(read, files):
    """How many damaged files load, how many are refused, and the seconds of the slowest.

    What loads must be a sound model; what is refused must be refused in one line that says where.
    """
    counts = {"loaded": 0, "refused": 0, "slowest": 0.0}
    for data in files:
        start = time.process_time()
        try:
            model = read(decoded(data, "a"))
        except Error as error:
            counts["refused"] += 1
            line = str(error)
            assert "\n" not in line and line.isprintable() and line.startswith("a:"), data
        except BaseException:
            print(data)
            raise
        else:
            counts["loaded"] += 1
            check(model)
        counts["slowest"] = max(counts["slowest"], time.process_time() - start)
    return counts


@pytest.mark.slow
@pytest.mark.usefixtures("little_to_collect")  # it would count as time of a file
@pytest.mark.parametrize("kind", ["yaml", "urdf"])
def test_mutations(kind, record_property):
    rng = random.Random(20260101)
    text, read = everything(kind), yaml_model if kind == "yaml" else urdf_model
    check(read(text, "a", MODELS))
    counts = outcomes(lambda text: read(text, "a", MODELS), (mutated(text, rng) for _ in range(COUNT)))
    assert counts["slowest"] < 2
    assert counts["loaded"] > COUNT / 20 and counts["refused"] > COUNT / 2
    for name, value in counts.items():
        record_property(name, value)
