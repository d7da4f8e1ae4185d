"""The campaign of attacks: a fixed sample of each part that reads, and what the table counts."""

import attack
import pytest
from attacks.table import Attack, Broken, Case, Impossible, Row, attempt, printed
from samples import sample

from hapsis.errors import ModelError

CASES = {  # of each attack
    "yaml": 150,
    "urdf": 150,
    "xml": 150,
    "mbs": 150,
    "npz-zip": 25,
    "mcap-json": 60,
    "entries": 15,
    "processes": 1,
}
ATTACKS = [a for part in ("files", "results", "recordings", "cache") for a in attack.attacks(part)]


@pytest.mark.slow
@pytest.mark.parametrize("tried", ATTACKS, ids=lambda a: a.name)
def test_a_sample(tried, tmp_path, record_property):
    """Nothing impossible is accepted, nothing raises from inside, nothing takes more than 2 s."""
    row, count = Row(tried.name), CASES.get(tried.name, 150)
    for k in range(sample(count, 20 * count)):
        attempt(tried, f"0:{tried.name}:{k}", row, tmp_path)
    for name in ("accepted", "refused", "slowest"):
        record_property(name, getattr(row, name))
    assert row.impossible == row.tracebacks == row.broken == 0, row.offenders
    # processor time of a busy machine is longer: what hangs takes much longer still
    assert row.slowest < 10.0, row.offenders


def raising(error):
    def read(case, place):
        raise error

    return read


@pytest.mark.parametrize(
    ("error", "column"),
    [
        (ModelError("a line"), "refused"),
        (Impossible("x"), "impossible"),
        (Broken("x"), "broken"),
        (KeyError("x"), "tracebacks"),
        (SystemExit(3), "tracebacks"),
    ],
)
def test_what_is_counted(error, column, tmp_path):
    one = Attack("one", lambda draw: Case(b"data", "txt"), raising(error), lambda *_: None)
    row = Row("one")
    attempt(one, "0:one:0", row, tmp_path, tmp_path / "saved")
    assert getattr(row, column) == row.tried == 1
    assert row.bad == (column != "refused")
    if row.bad:
        assert (tmp_path / "saved" / "0-one-0" / "one.txt").read_bytes() == b"data"
        assert "--replay 0:one:0" in (tmp_path / "saved" / "0-one-0" / "what.txt").read_text()
        assert "--replay 0:one:0" in printed("part", [row])


def test_the_same_seed_is_the_same_case():
    import random

    for one in ATTACKS:
        cases = [one.case(random.Random(f"7:{one.name}:3")) for _ in range(2)]
        assert cases[0].data == cases[1].data
