"""The campaign of attacks: damaged and hostile input of every kind, for as long as one likes.

    python tools/attack.py --seconds 3600             # all parts, an hour in all
    python tools/attack.py --part files --seed 7      # one part, other cases
    python tools/attack.py --replay 7:yaml:123        # one case again, with all it says

A table for each part: what was tried, accepted, refused; accepted though impossible, tracebacks, over
2 s of processor time, slew or limit broken. The last four must be 0: the exit status is 1 otherwise.
The first offenders are saved in a folder. Each part is a file of `attacks/`, with a list of attacks;
or `attack_NAME.py` with `run(seconds, seed)`, which returns the rows.
"""

import argparse
import importlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from attacks.table import Attack, Row, attempt, campaign, printed

ROOT = Path(__file__).resolve().parent
LISTED = (
    "files",
    "results",
    "recordings",
    "cache",
    "ends",
    "touch",
    "contacts",
    "contact_steps",
    "many_runs",
)  # attacks/NAME.py
OWN = ("calls",)  # attack_NAME.py


def attacks(part: str) -> list[Attack]:
    """The attacks of a part."""
    return importlib.import_module(f"attacks.{part}").ATTACKS


def present() -> list[str]:
    """The parts that are here."""
    return [*LISTED, *(part for part in OWN if hasattr(_own(part), "run"))]


def _own(part: str) -> Any:
    return importlib.import_module(f"attack_{part}") if (ROOT / f"attack_{part}.py").exists() else None


def as_row(row: Any) -> Row:
    """A row of another module: a Row, or anything with the same names."""
    if isinstance(row, Row):
        return row
    table = row if isinstance(row, Mapping) else vars(row)
    return Row(**{f.name: table[f.name] for f in fields(Row) if f.name in table})


def rows(part: str, seconds: float, seed: int, saved: Path | None) -> list[Row]:
    """The rows of a part after so many seconds."""
    if part in OWN:
        return [as_row(row) for row in _own(part).run(seconds, seed)]
    with tempfile.TemporaryDirectory() as place:
        return campaign(attacks(part), seconds, seed, Path(place), saved)


def replay(seed: str) -> int:
    """Tries one case again and prints what happens."""
    name = seed.split(":")[1]
    (attack,) = [a for part in LISTED for a in attacks(part) if a.name == name]
    row = Row(name)
    with tempfile.TemporaryDirectory() as place:
        attempt(attack, seed, row, Path(place))
    for kind, _, text in row.offenders:
        print(f"{kind}:\n{text}")
    print(printed("replay", [row]))
    return int(row.bad > 0)


def all_parts(arguments: argparse.Namespace) -> int:
    """Each part in a process of its own, so that one that dies does not end the others."""
    parts, status = present(), 0
    for part in parts:
        command = [sys.executable, __file__, "--part", part, "--seconds", str(arguments.seconds / len(parts))]
        command += ["--seed", str(arguments.seed), "--folder", str(arguments.folder)]
        ended = subprocess.run(command, check=False).returncode
        if ended not in (0, 1):
            print(f"{part}: the process ended with {ended}; the last case is in {arguments.folder}/last")
        status |= ended != 0
    return int(status)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=(*LISTED, *OWN))
    parser.add_argument("--replay", metavar="SEED:ATTACK:CASE")
    parser.add_argument("--folder", type=Path, default=Path("attack-offenders"))
    arguments = parser.parse_args()
    if arguments.replay:
        return replay(arguments.replay)
    if arguments.part is None:
        return all_parts(arguments)
    if arguments.part not in present():
        parser.error(f'there is no part "{arguments.part}" here')
    table = rows(arguments.part, arguments.seconds, arguments.seed, arguments.folder)
    print(printed(arguments.part, table), flush=True)
    return int(any(row.bad for row in table))


if __name__ == "__main__":
    raise SystemExit(main())
